"""The corpus of a session: its documents, and how a tokenizer is to be trained on them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Plan, Recipe, TextDocument

from .corpus_document import CorpusDocument
from .run_inputs import RunInputs

DEFAULT_RECIPE: Final = "cs336"
DEFAULT_VOCAB_SIZE: Final = 1_000

_LARGE_CORPUS: Final = 100_000  # characters
_VOCAB_SIZE_OF_LARGE_CORPUS: Final = 10_000


class SessionCorpus(QObject):
    """The documents, the recipe, the plan, the special tokens and the vocabulary size to train to.

    - `documents_changed`: documents were added, removed, renamed or replaced (not edited in place).
    - `recipe_changed`: the recipe, the plan, the special tokens or the vocabulary size changed.
    - `inputs_changed`: `inputs` may have changed. It is emitted after the other two, for every change except one of the
      vocabulary size alone, and when the text of a document is edited.
    """

    documents_changed = Signal()
    recipe_changed = Signal()
    inputs_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: tuple[CorpusDocument, ...] = ()
        self._recipe = Recipe.of(DEFAULT_RECIPE)
        self._plan = Plan()
        self._special_tokens: tuple[str, ...] = ()
        self._vocab_size = DEFAULT_VOCAB_SIZE
        self._sample_settings: tuple[Recipe, int] | None = None

    @property
    def documents(self) -> tuple[CorpusDocument, ...]:
        """The documents, in the order in which they are counted."""
        return self._documents

    @property
    def is_empty(self) -> bool:
        """Whether there is no text to train on."""
        return all(document.is_empty for document in self._documents)

    @property
    def recipe(self) -> Recipe:
        """The recipe to train by."""
        return self._recipe

    @property
    def plan(self) -> Plan:
        """The merges that are given or forbidden; by default none, so that the trainer chooses them all."""
        return self._plan

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The special tokens, which are split off the corpus and the text."""
        return self._special_tokens

    @property
    def vocab_size(self) -> int:
        """The number of vocabulary entries to train to."""
        return self._vocab_size

    @property
    def inputs(self) -> RunInputs:
        """All that the merges of a run depend on, as of now."""
        return RunInputs.of(self._documents, self._recipe, self._special_tokens, self._plan)

    @property
    def counts(self) -> CorpusDocument | None:
        """The first document that has counts of words, which fix the splitter and the special tokens; or None."""
        return next((document for document in self._documents if document.counts is not None), None)

    def load(
        self,
        documents: Iterable[CorpusDocument],
        recipe: Recipe,
        special_tokens: Iterable[str],
        vocab_size: int,
        plan: Plan | None = None,
    ) -> None:
        """Replace everything."""
        self._documents, self._recipe, self._plan = tuple(documents), recipe, plan or Plan()
        self._special_tokens, self._vocab_size = tuple(special_tokens), vocab_size
        self._sample_settings = None
        self.documents_changed.emit()
        self.recipe_changed.emit()
        self.inputs_changed.emit()

    def remember_sample_settings(self) -> None:
        """Remember that the recipe and size come from a sample, so that `add_documents` may reset them."""
        self._sample_settings = self._recipe, self._vocab_size

    def add_documents(self, documents: Iterable[CorpusDocument], *, instead: bool = False) -> None:
        """Add documents at the end of the corpus, or replace all documents with them.

        When documents are replaced, a recipe and a size that still come from a sample give way to the default recipe
        and a size that suits the new documents. Documents that have counts of words bring their splitter and their
        special tokens.
        """
        before = self._recipe, self._special_tokens, self._vocab_size
        self._documents = (() if instead else self._documents) + tuple(documents)
        if instead and (self._recipe, self._vocab_size) == self._sample_settings:
            self._recipe = Recipe.of(DEFAULT_RECIPE)
            is_large = self.inputs.characters >= _LARGE_CORPUS
            self._vocab_size = _VOCAB_SIZE_OF_LARGE_CORPUS if is_large else DEFAULT_VOCAB_SIZE
        self._fit_to_counts()
        if (self._recipe, self._special_tokens, self._vocab_size) != before:
            self.recipe_changed.emit()
        self.documents_changed.emit()
        self.inputs_changed.emit()

    def _fit_to_counts(self) -> None:
        if self.counts is not None and self.counts.counts is not None:
            self._recipe = self.counts.counts.fitted(self._recipe)
            self._special_tokens = self.counts.counts.special_tokens

    def set_documents(self, documents: Iterable[CorpusDocument]) -> None:
        """Replace all documents, and leave the recipe and the size alone."""
        self._documents = tuple(documents)
        self.documents_changed.emit()
        self.inputs_changed.emit()

    def remove_document(self, *indices: int) -> None:
        """Remove a document, or several."""
        removed = set(indices)
        self.set_documents(each for index, each in enumerate(self._documents) if index not in removed)

    def edit_document(self, index: int, text: str, title: str | None = None) -> None:
        """Replace the text of a document after it was edited, and perhaps its title; emit only `inputs_changed`."""
        documents, before = list(self._documents), self._documents[index]
        title = before.title if title is None else title
        documents[index] = replace(before, title=title, content=TextDocument(text), is_edited=True)
        self._documents = tuple(documents)
        self.inputs_changed.emit()

    def set_weights(self, indices: Iterable[int], weight: Fraction) -> None:
        """Let documents count `weight` times from now on."""
        changed = {index for index in indices if self._documents[index].weight != weight}
        if changed:
            self.set_documents(
                replace(each, weight=weight) if index in changed else each for index, each in enumerate(self._documents)
            )

    def set_recipe(self, recipe: Recipe) -> None:
        """Train by another recipe from now on; what documents with counts of words fix stays as it is."""
        fixing = self.counts
        self.set_training(fixing.counts.fitted(recipe) if fixing and fixing.counts else recipe, self._plan)

    def set_training(self, recipe: Recipe, plan: Plan) -> None:
        """Train by another recipe and plan from now on."""
        if (recipe, plan) != (self._recipe, self._plan):
            self._recipe, self._plan = recipe, plan
            self.recipe_changed.emit()
            self.inputs_changed.emit()

    def set_special_tokens(self, tokens: Sequence[str]) -> None:
        """Split other special tokens off the corpus and the text from now on."""
        if tuple(tokens) != self._special_tokens:
            self._special_tokens = tuple(tokens)
            self.recipe_changed.emit()
            self.inputs_changed.emit()

    def set_vocab_size(self, size: int) -> None:
        """Train to another number of vocabulary entries from now on."""
        if size != self._vocab_size:
            self._vocab_size = size
            self.recipe_changed.emit()
