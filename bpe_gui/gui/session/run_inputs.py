"""All that a run depends on; counting its words and setting up its trainer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bpe_gui.engine import SPLITTERS, Corpus, Document, Recipe, TextDocument, Trainer, WordCounts
from bpe_gui.engine.corpora import ONCE
from bpe_gui.gui.background.jobs import Report

from .corpus_document import LARGE_FILE, CorpusDocument

_SMALL: Final = 20_000  # characters; fewer are counted within a key stroke
_LARGE: Final = 1_000_000  # characters; for more it pays to wait for compiled code


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The contents of the corpus, the recipe and the special tokens: the merges of a run are a function of these.

    Each document comes with the state of its file, so that inputs differ when the file on disk has changed. The weights
    say how often each counts; there are none if each counts once.
    """

    contents: tuple[tuple[Document, tuple[int, ...]], ...]
    weights: tuple[Fraction, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]

    @classmethod
    def of(cls, documents: Sequence[CorpusDocument], recipe: Recipe, special_tokens: tuple[str, ...]) -> "RunInputs":
        """Return the inputs that these documents make."""
        contents = tuple((document.content, document.state) for document in documents)
        weights = tuple(document.weight for document in documents)
        return cls(contents, () if weights.count(ONCE) == len(weights) else weights, recipe, special_tokens)

    @property
    def characters(self) -> int:
        """The approximate number of characters; any file that is not loaded counts as a large one."""
        contents = (content for content, _state in self.contents)
        return sum(len(c.text) if isinstance(c, TextDocument) else LARGE_FILE for c in contents)

    @property
    def is_small(self) -> bool:
        """Whether counting takes milliseconds. A pattern written by the user may take any time."""
        return self.characters <= _SMALL and self.recipe.splitter in SPLITTERS

    @property
    def is_large(self) -> bool:
        """Whether counting takes so long that it should wait for compiled code."""
        return self.characters >= _LARGE

    def count(self, report: Report | None = None) -> WordCounts:
        """Return the counts of all words. Raise EngineError."""
        corpus = Corpus(tuple(content for content, _state in self.contents), self.weights)
        return corpus.count(self.recipe, self.special_tokens, report)

    def set_up(self, counts: WordCounts, report: Report) -> Trainer:
        """Return a trainer at step 0. It takes a second at most; `report` gets (0, 0) and may cancel."""
        trainer = Trainer(counts, self.recipe, progress=lambda _done, _total: report(0, 0))
        trainer.words(1)  # sorts the words in this thread rather than in the UI thread
        return trainer
