"""What a run is a function of, and how it becomes one: counting, then setting up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bpe_gui.engine import SPLITTERS, Corpus, Document, Recipe, TextDocument, Trainer, WordCounts

from bpe_gui.gui.session.corpus_document import LARGE_FILE, CorpusDocument
from bpe_gui.gui.background.jobs import Report

_AT_ONCE: Final = 20_000  # characters that are counted within a key stroke
_MUCH: Final = 1_000_000  # characters: worth waiting for compiled code


@dataclass(frozen=True, slots=True)
class Basis:
    """What a run is a function of."""

    contents: tuple[tuple[Document, tuple[int, ...]], ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]

    @classmethod
    def of(cls, documents: Sequence[CorpusDocument], recipe: Recipe, special_tokens: tuple[str, ...]) -> "Basis":
        """Of these documents, as they are now."""
        return cls(tuple((document.content, document.state) for document in documents), recipe, special_tokens)

    @property
    def characters(self) -> int:
        """How many there are, about: a large file is large, whatever is in it."""
        contents = (content for content, _state in self.contents)
        return sum(len(c.text) if isinstance(c, TextDocument) else LARGE_FILE for c in contents)

    @property
    def is_small(self) -> bool:
        """Whether counting is a matter of milliseconds. A pattern of the user's own may take any time."""
        return self.characters <= _AT_ONCE and self.recipe.splitter in SPLITTERS

    @property
    def is_large(self) -> bool:
        """Whether counting takes so long that it had better be done by compiled code."""
        return self.characters >= _MUCH

    def count(self, report: Report | None = None) -> WordCounts:
        """The words of the corpus."""
        corpus = Corpus(tuple(content for content, _state in self.contents))
        return corpus.count(self.recipe, self.special_tokens, report)

    def set_up(self, counts: WordCounts, report: Report) -> Trainer:
        """A run at step 0. It takes a second at most, so nothing is told but that it goes on; it can be cancelled."""
        trainer = Trainer(counts, self.recipe, progress=lambda _done, _total: report(0, 0))
        trainer.words(1)  # sorts them: here, it costs the window no time
        return trainer
