"""What a session knows of the corpus, and of how it is to be trained on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Recipe, TextDocument

from bpe_gui.gui.session.run_inputs import Basis
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.text_session import TextSession

_LARGE_CORPUS: Final = 100_000  # characters
_SMALL_VOCABULARY: Final = 1_000
_LARGE_VOCABULARY: Final = 10_000


class CorpusSession(TextSession):
    """Also the documents, the recipe, the special tokens and the size.

    - `documents_changed`: documents were added, removed, renamed or replaced (not edited in place).
    - `recipe_changed`: the recipe, the special tokens or the vocabulary size to train to.
    - `basis_changed`: what a run would be made from is another; comes after the two.
    """

    documents_changed = Signal()
    recipe_changed = Signal()
    basis_changed = Signal()

    def __init__(self, parent: QObject | None, before_much_work: Callable[[Report], None]) -> None:
        super().__init__(parent, before_much_work)
        self.documents: tuple[CorpusDocument, ...] = ()
        self.recipe = Recipe.of("cs336")
        self.special_tokens: tuple[str, ...] = ()
        self.vocab_size = _SMALL_VOCABULARY
        self._of_sample: tuple[Recipe, int] | None = None

    def add_documents(self, documents: Iterable[CorpusDocument], *, instead: bool = False) -> None:
        """Add documents at the end of the corpus, or put them in place of all there are.

        What stood there was a sample then, most likely: a recipe and a size that are still the sample's make room, too.
        """
        self.documents = (() if instead else self.documents) + tuple(documents)
        if instead and (self.recipe, self.vocab_size) == self._of_sample:
            self.recipe = Recipe.of("cs336")
            is_large = self._present_basis().characters >= _LARGE_CORPUS
            self.vocab_size = _LARGE_VOCABULARY if is_large else _SMALL_VOCABULARY
            self.recipe_changed.emit()
        self.documents_changed.emit()
        self.basis_changed.emit()

    def remove_document(self, index: int) -> None:
        """Take a document out of the corpus."""
        self.documents = self.documents[:index] + self.documents[index + 1 :]
        self.documents_changed.emit()
        self.basis_changed.emit()

    def replace_document(self, index: int, document: CorpusDocument) -> None:
        """Put another document in the place of one."""
        self.documents = (*self.documents[:index], document, *self.documents[index + 1 :])
        self.documents_changed.emit()
        self.basis_changed.emit()

    def edit_document(self, index: int, text: str) -> None:
        """A document's text was edited."""
        documents = list(self.documents)
        documents[index] = replace(documents[index], content=TextDocument(text))
        self.documents = tuple(documents)
        self.basis_changed.emit()

    def set_recipe(self, recipe: Recipe) -> None:
        """Train by another recipe from now on."""
        if recipe != self.recipe:
            self.recipe = recipe
            self.recipe_changed.emit()
            self.basis_changed.emit()

    def set_special_tokens(self, tokens: Sequence[str]) -> None:
        """Cut other special tokens out of the corpus and the text from now on."""
        if tuple(tokens) != self.special_tokens:
            self.special_tokens = tuple(tokens)
            self.recipe_changed.emit()
            self.basis_changed.emit()

    def set_vocab_size(self, size: int) -> None:
        """Train to another number of vocabulary entries from now on."""
        if size != self.vocab_size:
            self.vocab_size = size
            self.recipe_changed.emit()

    def way_back(self) -> Callable[[], None]:
        """What puts back the documents, the recipe, the special tokens, the size and the text that there are now."""
        documents, recipe, special_tokens = self.documents, self.recipe, self.special_tokens
        size, text = self.vocab_size, self.text

        def put_back() -> None:
            self.add_documents(documents, instead=True)  # which may choose a recipe
            self.set_recipe(recipe)
            self.set_special_tokens(special_tokens)
            self.set_vocab_size(size)
            self.set_text(text)

        return put_back

    def _present_basis(self) -> Basis:
        return Basis.of(self.documents, self.recipe, self.special_tokens)
