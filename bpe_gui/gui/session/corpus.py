"""The corpus of a session: its documents, the training settings, and everything else that a run is made from."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import (
    DEFAULT_RECIPE,
    SPLITTERS,
    Corpus,
    CountsFacts,
    Document,
    EngineError,
    FileDocument,
    Plan,
    Progress,
    Recipe,
    TextDocument,
    Trainer,
    WordCounts,
    open_counts,
)
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.samples import title_in

LARGE_FILE: Final = 5_000_000
"""Bytes; for a larger file, the editor of the corpus shows a read-only preview."""

MAX_TEXT_BYTES: Final = 250_000_000
"""Bytes; a larger file cannot become the text to encode."""

_MAX_FILES: Final = 300  # read into memory at once
_MAX_BYTES: Final = 20_000_000  # of these files in total
_logger: Final = logging.getLogger(__name__)

FileStamp = tuple[int, ...]
"""Numbers that change when a file does, its size in bytes first; empty if the file does not exist."""


ONCE: Final = Fraction(1)
"""The usual weight: among 50,000 documents, Python finds what is identical many times as fast as what is equal."""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document with its title.

    - `path`: the file it was opened from.
    - `state`: for a document read from disk on every count, its `file_stamp` when it was opened.
    - `source_file`: for a text, the file and encoding it was read with; the text may have been edited since.
    - `is_edited`: the text was edited after it was created or read.
    - `weight`: how many times the document counts.
    - `identity`: survives edits and changes of weight, and tells apart documents that are otherwise equal.
    - `counts`: for a file of word counts instead of text, how they were made.
    """

    title: str
    content: Document
    path: Path | None = None
    state: FileStamp = ()
    source_file: FileDocument | None = None
    is_edited: bool = field(default=False, compare=False)
    weight: Fraction = ONCE
    identity: object = field(default_factory=object, compare=False, repr=False)
    counts: CountsFacts | None = None

    @property
    def shown_title(self) -> str:
        """The title; a sample's is in the language of the window."""
        return self.title if self.path else title_in(language_in_force(), self.title)

    @property
    def is_file_as_read(self) -> bool:
        """Whether the document is a file, or a file's unchanged text, so that removing it loses nothing."""
        return isinstance(self.content, FileDocument) or (self.source_file is not None and not self.is_edited)

    def is_same_text_as(self, other: "CorpusDocument") -> bool:
        """Return whether another document is this very one, perhaps with another weight, and not merely equal to it."""
        return self.identity is other.identity and self.content is other.content

    @property
    def present_stamp(self) -> FileStamp:
        """The current state of the file if the document is read from disk; empty otherwise."""
        return file_stamp(self.content.path) if isinstance(self.content, FileDocument) else ()

    @property
    def has_changed_on_disk(self) -> bool:
        """Whether the document is read from a file that still exists but has changed since it was opened."""
        return bool(self.state) and self.present_stamp not in ((), self.state)

    @property
    def is_empty(self) -> bool:
        """Whether there is no text in the document."""
        content = self.content
        return not content.text if isinstance(content, TextDocument) else self.state[:1] == (0,)


def read_file(file: FileDocument) -> CorpusDocument:
    """Return a file as a document: its text, or the file itself if it is large, or has records or counts.

    Raise EngineError.
    """
    path = file.path
    if file.holds_counts:
        with open_counts(path) as counts:
            return CorpusDocument(path.name, file, path, file_stamp(path), counts=counts.facts)
    text = None if file.has_records or file.size() > LARGE_FILE else _small_text(file)
    if text is None:
        next(file.chunks(), "")  # to reject a file that is not text right away
        return CorpusDocument(path.name, file, path, file_stamp(path))
    return CorpusDocument(path.name, TextDocument(text), path, source_file=file)


def may_read_all(sizes: Sequence[int]) -> bool:
    """Return whether files of these sizes are few and small enough to be read into memory at once."""
    return len(sizes) <= _MAX_FILES and sum(sizes) <= _MAX_BYTES


def _small_text(file: FileDocument) -> str | None:
    """Return the text of a file; None if it is too large once decompressed."""
    chunks: list[str] = []
    size = 0
    for chunk in file.chunks():
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGE_FILE:
            return None
    return "".join(chunks)


def file_stamp(path: Path) -> FileStamp:
    """Return the size, modification time and inode of a file; empty if it does not exist."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        _logger.debug("the state of %r is not known: %s", str(path), type(error).__name__)
        return ()
    return status.st_size, status.st_mtime_ns, status.st_ino


_SMALL: Final = 20_000  # characters; a smaller corpus is counted within a keystroke


@dataclass(frozen=True, slots=True)
class RunInputs:
    """Everything that the merges of a run depend on: the contents of the corpus, recipe, special tokens and plan.

    Each document comes with the state of its file, so that inputs differ once the file on disk has changed. `weights`
    says how many times each document counts; it is empty if each counts once.
    """

    contents: tuple[tuple[Document, tuple[int, ...]], ...]
    weights: tuple[Fraction, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    plan: Plan = field(default_factory=Plan)
    languages: tuple[str, ...] = ()
    """The language of each document, if the plan tells languages apart."""
    titles: tuple[str, ...] = field(default=(), compare=False)
    """The titles of the documents, by which people know the corpus."""

    @classmethod
    def of(
        cls,
        documents: Sequence[CorpusDocument],
        recipe: Recipe,
        special_tokens: tuple[str, ...],
        plan: Plan | None = None,
    ) -> "RunInputs":
        """Return the inputs for these documents; without a plan, the trainer chooses every merge."""
        contents = tuple((document.content, document.state) for document in documents)
        weights = tuple(document.weight for document in documents)
        is_weighted = weights.count(ONCE) < len(weights)
        plan = plan or Plan()
        languages: tuple[str, ...] = ()
        titles = tuple(document.title for document in documents)
        if parity := plan.parity:
            folders = (document.path.parent.name if document.path else "" for document in documents)
            languages = tuple(map(parity.language_of, folders, titles))
        return cls(contents, weights if is_weighted else (), recipe, special_tokens, plan, languages, titles)

    @property
    def characters(self) -> int:
        """The approximate number of characters; a file that is not loaded counts as `LARGE_FILE`."""
        contents = (content for content, _state in self.contents)
        return sum(len(c.text) if isinstance(c, TextDocument) else LARGE_FILE for c in contents)

    @property
    def is_small(self) -> bool:
        """Whether counting takes only milliseconds. With a pattern written by the user, it may take any time."""
        splitters = (self.recipe.splitter, *self.plan.stages.values())
        return self.characters <= _SMALL and all(splitter in SPLITTERS for splitter in splitters)

    def count(self, progress: Progress | None = None) -> WordCounts:
        """Count all words. Raise EngineError, also if a file has changed since it was opened."""
        self._check_files()
        counts = self.plan.count(self._corpus, self.recipe, self.special_tokens, progress)
        self._check_files()
        return counts

    def _check_files(self) -> None:
        for content, state in self.contents:
            if isinstance(content, FileDocument) and state and file_stamp(content.path) not in ((), state):
                raise changed_file_error(content.path.name)

    @property
    def _corpus(self) -> Corpus:
        return Corpus(tuple(content for content, _state in self.contents), self.weights)

    def have_other_corpus(self, than: "RunInputs") -> bool:
        """Return whether the documents or their weights are not those of other inputs."""
        return (self.contents, self.weights) != (than.contents, than.weights)

    def have_words(self, counts: WordCounts, of: "RunInputs") -> bool:
        """Return whether `counts`, which were counted for the inputs `of`, are valid for these inputs too."""
        texts, other_texts = ((each.contents, each.weights, each.special_tokens, each.plan.base) for each in (self, of))
        return texts == other_texts and (self.plan.base is not None or counts.fits(self.recipe))

    def set_up(self, counts: WordCounts, progress: Progress | None = None) -> Trainer:
        """Return a trainer at step 0. `progress` gets (0, 0) and may cancel.

        Takes a second at most, unless the plan has stages, whose splitters require counting the words again. Raise
        EngineError.
        """
        if self.plan.stages or self.plan.parity:
            self._check_files()
        trainer = Trainer.of_corpus(
            *(self._corpus, counts, self.recipe),
            plan=self.plan,
            special_tokens=self.special_tokens,
            languages=self.languages,
            counting=progress,
            progress=None if progress is None else lambda _done, _total: progress(0, 0),
        )
        trainer.words(1)  # sort the words in this thread rather than in the UI thread
        return trainer


def changed_file_error(name: str) -> EngineError:
    """Return the error for a file that has changed since it was opened."""
    return EngineError("{name} has changed on disk.", name=name)


DEFAULT_VOCAB_SIZE: Final = 1_000
"""For a new project, like `DEFAULT_RECIPE`. The sample that the window opens with has its own recipe and size."""

_LARGE_CORPUS: Final = 100_000  # characters
_VOCAB_SIZE_OF_LARGE_CORPUS: Final = 10_000


@dataclass(frozen=True, slots=True)
class SampleSettings:
    """The settings that a sample brought, and the identities of its documents."""

    recipe: Recipe
    vocab_size: int
    special_tokens: tuple[str, ...]
    identities: frozenset[object]


class SessionCorpus(QObject):
    """The documents, recipe, plan, special tokens and target vocabulary size.

    - `documents_changed`: documents were added, removed, renamed or replaced (not edited in place).
    - `recipe_changed`: the recipe, the plan, the special tokens or the vocabulary size changed.
    - `inputs_changed`: `inputs` may have changed. Emitted after the other two for every change except one of the
      vocabulary size alone, and when the text of a document is edited.
    """

    documents_changed = Signal()
    recipe_changed = Signal()
    inputs_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.documents: tuple[CorpusDocument, ...] = ()
        """The documents, in counting order."""
        self.recipe = Recipe.of(DEFAULT_RECIPE)
        """The recipe to train by."""
        self.plan = Plan()
        """The merges that are prescribed or forbidden; by default none, so the trainer chooses them all."""
        self.special_tokens: tuple[str, ...] = ()
        """The special tokens that are split off the corpus and the text."""
        self.vocab_size = DEFAULT_VOCAB_SIZE
        """The target vocabulary size."""
        self._inputs: tuple[tuple[object, ...], RunInputs] | None = None
        """The inputs as last made, after what they were made of."""
        self.sample: SampleSettings | None = None
        """The settings that the last sample brought, so that `add_documents` can reset them."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no text to train on."""
        return all(document.is_empty for document in self.documents)

    @property
    def inputs(self) -> RunInputs:
        """Everything that the merges of a run depend on, as of now."""
        parts = self.documents, self.recipe, self.special_tokens, self.plan
        if self._inputs is None or any(part is not before for part, before in zip(parts, self._inputs[0], strict=True)):
            self._inputs = parts, RunInputs.of(*parts)  # takes a tenth of a second for 50,000 files
        return self._inputs[1]

    @property
    def counts(self) -> CorpusDocument | None:
        """The first document with word counts, which determine the splitter and the special tokens; or None."""
        return next((document for document in self.documents if document.counts is not None), None)

    def load(
        self,
        documents: Iterable[CorpusDocument],
        recipe: Recipe,
        special_tokens: Iterable[str],
        vocab_size: int,
        plan: Plan | None = None,
    ) -> None:
        self.documents, self.recipe, self.plan = tuple(documents), recipe, plan or Plan()
        self.special_tokens, self.vocab_size = tuple(special_tokens), vocab_size
        self.sample = None
        self.documents_changed.emit()
        self.recipe_changed.emit()
        self.inputs_changed.emit()

    def take(
        self,
        documents: tuple[CorpusDocument, ...],
        special_tokens: tuple[str, ...],
        vocab_size: int,
        sample: SampleSettings | None,
    ) -> None:
        """Replace everything but the recipe and the plan; announce what differs."""
        self.sample = sample
        if list(map(id, documents)) != list(map(id, self.documents)):
            self.set_documents(documents)
        self.set_special_tokens(special_tokens)
        self.set_vocab_size(vocab_size)

    def remember_sample_settings(self) -> None:
        """Remember that the settings come from a sample, so that `add_documents` may reset them."""
        identities = frozenset(each.identity for each in self.documents)
        self.sample = SampleSettings(self.recipe, self.vocab_size, self.special_tokens, identities)

    def add_documents(self, documents: Iterable[CorpusDocument], *, instead: bool = False) -> None:
        """Add documents at the end of the corpus, or with `instead`, replace all documents with them.

        When documents are replaced, a recipe and a size that came with a sample are reset to the default recipe and a
        size that suits the new documents, and the sample's special tokens go unless the new text may have them.
        Documents with word counts bring their own splitter and special tokens.
        """
        before = self.recipe, self.special_tokens, self.vocab_size
        gone, kept = (self.documents, ()) if instead else ((), self.documents)
        self.documents = kept + tuple(documents)
        sample = self.sample
        is_gone = sample is not None and any(each.identity in sample.identities for each in gone)
        brought = sample.special_tokens if sample is not None and is_gone else ()
        tokens = (each for each in self.special_tokens if each not in brought or self._may_contain(each))
        self.special_tokens = tuple(tokens)
        if instead and sample is not None and (self.recipe, self.vocab_size) == (sample.recipe, sample.vocab_size):
            self.recipe = Recipe.of(DEFAULT_RECIPE)
            is_large = self.inputs.characters >= _LARGE_CORPUS
            self.vocab_size = _VOCAB_SIZE_OF_LARGE_CORPUS if is_large else DEFAULT_VOCAB_SIZE
        if self.counts is not None and self.counts.counts is not None:
            self.recipe = self.counts.counts.fitted(self.recipe)
            self.special_tokens = self.counts.counts.special_tokens
        if (self.recipe, self.special_tokens, self.vocab_size) != before:
            self.recipe_changed.emit()
        self.documents_changed.emit()
        self.inputs_changed.emit()

    def _may_contain(self, token: str) -> bool:
        """Return whether a special token occurs in the documents; a file on disk may contain any."""
        texts = [each.content.text if isinstance(each.content, TextDocument) else token for each in self.documents]
        return any(token in text for text in texts)

    def set_documents(self, documents: Iterable[CorpusDocument]) -> None:
        """Replace all documents; the recipe and the size stay."""
        self.documents = tuple(documents)
        self.documents_changed.emit()
        self.inputs_changed.emit()

    def remove_document(self, *indices: int) -> None:
        removed = set(indices)
        self.set_documents(each for index, each in enumerate(self.documents) if index not in removed)

    def edit_document(self, index: int, text: str, title: str | None = None) -> None:
        """Store the edited text of a document, and its title if given; emit only `inputs_changed`."""
        documents, before = list(self.documents), self.documents[index]
        title = before.title if title is None else title
        documents[index] = replace(before, title=title, content=TextDocument(text), is_edited=True)
        self.documents = tuple(documents)
        self.inputs_changed.emit()

    def set_weights(self, indices: Iterable[int], weight: Fraction) -> None:
        """Set how many times the documents count."""
        changed = {index for index in indices if self.documents[index].weight != weight}
        if changed:
            self.set_documents(
                replace(each, weight=weight) if index in changed else each for index, each in enumerate(self.documents)
            )

    def set_recipe(self, recipe: Recipe) -> None:
        """Set the recipe, as far as documents with word counts allow."""
        fixing = self.counts
        self.set_training(fixing.counts.fitted(recipe) if fixing and fixing.counts else recipe, self.plan)

    def set_training(self, recipe: Recipe, plan: Plan) -> None:
        if (recipe, plan) != (self.recipe, self.plan):
            self.recipe, self.plan = recipe, plan
            self.recipe_changed.emit()
            self.inputs_changed.emit()

    def set_special_tokens(self, tokens: Sequence[str]) -> None:
        """Set the special tokens that are split off the corpus and the text."""
        if tuple(tokens) != self.special_tokens:
            self.special_tokens = tuple(tokens)
            self.recipe_changed.emit()
            self.inputs_changed.emit()

    def set_vocab_size(self, size: int) -> None:
        if size != self.vocab_size:
            self.vocab_size = size
            self.recipe_changed.emit()
