"""All that a run depends on; counting its words and setting up its trainer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from bpe_gui.engine import (
    SPLITTERS,
    Corpus,
    CorpusError,
    Document,
    FileDocument,
    Plan,
    Recipe,
    TextDocument,
    Trainer,
    WordCounts,
)
from bpe_gui.engine.corpora import ONCE
from bpe_gui.engine.runtime import translatable as _
from bpe_gui.gui.jobs import Report

from .corpus_document import LARGE_FILE, CorpusDocument, file_state

_SMALL: Final = 20_000  # characters; fewer are counted within a key stroke


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The contents of the corpus, the recipe, the special tokens and the plan: the merges of a run are a function of
    these.

    Each document comes with the state of its file, so that inputs differ when the file on disk has changed. The weights
    say how often each counts; there are none if each counts once.
    """

    contents: tuple[tuple[Document, tuple[int, ...]], ...]
    weights: tuple[Fraction, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    plan: Plan = field(default_factory=Plan)

    @classmethod
    def of(
        cls,
        documents: Sequence[CorpusDocument],
        recipe: Recipe,
        special_tokens: tuple[str, ...],
        plan: Plan | None = None,
    ) -> "RunInputs":
        """Return the inputs that these documents make; without a plan, the trainer chooses every merge."""
        contents = tuple((document.content, document.state) for document in documents)
        weights = tuple(document.weight for document in documents)
        is_weighted = weights.count(ONCE) < len(weights)
        return cls(contents, weights if is_weighted else (), recipe, special_tokens, plan or Plan())

    @property
    def characters(self) -> int:
        """The approximate number of characters; any file that is not loaded counts as a large one."""
        contents = (content for content, _state in self.contents)
        return sum(len(c.text) if isinstance(c, TextDocument) else LARGE_FILE for c in contents)

    @property
    def is_small(self) -> bool:
        """Whether counting takes milliseconds. A pattern written by the user may take any time."""
        splitters = (self.recipe.splitter, *self.plan.stages.values())
        return self.characters <= _SMALL and all(splitter in SPLITTERS for splitter in splitters)

    def count(self, report: Report | None = None) -> WordCounts:
        """Return the counts of all words. Raise EngineError, also if a file has changed since it was opened."""
        self._check_files()
        counts = self._corpus.count(self.recipe, self.special_tokens, report)
        self._check_files()
        return counts

    def _check_files(self) -> None:
        for content, state in self.contents:
            if isinstance(content, FileDocument) and state and file_state(content.path) not in ((), state):
                raise changed_file_error(content.path.name)

    @property
    def _corpus(self) -> Corpus:
        return Corpus(tuple(content for content, _state in self.contents), self.weights)

    def have_words(self, counts: WordCounts, of: "RunInputs") -> bool:
        """Return whether the words of these inputs are `counts`, which were counted for the inputs `of`."""
        texts, other_texts = ((each.contents, each.weights, each.special_tokens) for each in (self, of))
        return texts == other_texts and counts.fits(self.recipe)

    def set_up(self, counts: WordCounts, report: Report | None = None) -> Trainer:
        """Return a trainer at step 0. `report` gets (0, 0) and may cancel.

        It takes a second at most, unless the plan has stages, for which the words are counted by other splitters.
        Raise EngineError.
        """
        if self.plan.stages:
            self._check_files()
        stages = self.plan.count_stages(self._corpus, self.recipe, self.special_tokens, report)
        progress = None if report is None else lambda _done, _total: report(0, 0)
        trainer = Trainer(counts, self.recipe, plan=self.plan, stage_counts=stages, progress=progress)
        trainer.words(1)  # sorts the words in this thread rather than in the UI thread
        return trainer


def changed_file_error(name: str) -> CorpusError:
    """Return the error that a file has changed since it was opened."""
    return CorpusError(_("EngineError", "{name} has changed on disk."), name=name)
