"""The answers to why a stretch of text is not one token, as values."""

from dataclasses import dataclass
from typing import Literal

from bpe_gui.engine.text.alternatives import Alternative
from bpe_gui.engine.training.results import CorpusCount

Ending = Literal["too-rare", "full", "exhausted", "open", "finished"]
"""Why no known merge joins a pair: it occurs less often than `min_count` now; the vocabulary has the size asked for;
nothing is left to merge; the run may go on; or the tokenizer was opened with all its merges."""

Side = Literal["start", "end"]
"""An end of a stretch."""


@dataclass(frozen=True, slots=True)
class Span:
    """A word (pre-token) or special token around or beside a stretch, and the bytes of the text that it covers.

    `alternative` is the part of the splitter's expression that matched the word; None where that is not known.
    """

    text: str
    start: int
    stop: int
    is_special: bool = False
    alternative: Alternative | None = None


@dataclass(frozen=True, slots=True)
class OneToken:
    """The stretch is one token now, which `step` made: 0 for the alphabet, None for a token that no merge made.

    `token` has the end-of-word marker, if the stretch ends its word. `token_id` is None if the vocabulary lacks it.
    """

    token: bytes
    token_id: int | None
    step: int | None


@dataclass(frozen=True, slots=True)
class WordBoundary:
    """A word begins or ends inside the stretch, and nothing merges across that.

    `offset` is that of the first such boundary, in bytes, and `boundaries` the number of all. The characters `before`
    and `after` meet there. `left` ends and `right` begins there; None for text that the splitter drops.
    """

    offset: int
    before: str
    after: str
    left: Span | None
    right: Span | None
    boundaries: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """No token covers all of the stretch: the splitter drops it, or no symbol stands for a character of it."""


@dataclass(frozen=True, slots=True)
class TakenWhole:
    """The word or special token around the stretch is a token that is taken whole, by `token_id`, without merging."""

    token: bytes
    token_id: int


@dataclass(frozen=True, slots=True)
class CutsUnit:
    """The stretch begins or ends, at `offset`, inside `unit`, which is one symbol from the start."""

    unit: bytes
    offset: int


@dataclass(frozen=True, slots=True)
class NotInCorpus:
    """No word of the corpus has the letters of the stretch side by side, so no merge could ever join them.

    In a corpus with weights (`weighted`), its documents may have words with them, whose count rounds to 0.
    """

    weighted: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """The merge of `left` and `right` at `step` takes one end of the stretch away: it goes on beyond that end.

    `side` says which end: at `end`, `left` is inside and `right` outside the stretch, at `start` it is the other way
    round. `parts` are the symbols of the stretch right before: a single one was the stretch as a token. `corpus` counts
    where the same merge took the same end of these letters in the corpus: among as many as `Explanation.corpus` has;
    None without a corpus, or if the step is not applied yet.
    """

    step: int
    left: bytes
    right: bytes
    side: Side
    parts: tuple[bytes, ...]
    corpus: CorpusCount | None = None


@dataclass(frozen=True, slots=True)
class NeededMerge:
    """A merge on the way to one token. `step` is that of the known run, or None if the run does not have it."""

    left: bytes
    right: bytes
    step: int | None


@dataclass(frozen=True, slots=True)
class Apart:
    """The stretch is several symbols now: `parts`.

    `needed` are merges that would make them one token, in order: those of the known run first, then, for pairs that it
    never merges, one way to go on. `pair` is how often the pair of the first of these meets in the corpus now, and
    `place` its place among all pairs, from 1; None if it does not occur, or without a corpus.

    `taken` is the merge of the known run, still to come, that takes an end of the stretch away before it is one token.
    If that is None and no step in `needed` is, the stretch is one token from the last of these steps on. `ending`
    says why the run does not have the first merge without a step; None if all have one.
    """

    parts: tuple[bytes, ...]
    needed: tuple[NeededMerge, ...]
    pair: CorpusCount | None
    place: int | None
    taken: Taken | None
    ending: Ending | None

    @property
    def obstacle(self) -> Taken | NeededMerge | None:
        """The first obstacle: the merge that takes an end, or the first needed merge that the run lacks.

        >>> Apart((b"l", b"o"), (NeededMerge(b"l", b"o", 3),), None, None, None, None).obstacle
        """
        return self.taken or next((merge for merge in self.needed if merge.step is None), None)


Reason = OneToken | WordBoundary | Dropped | TakenWhole | CutsUnit | NotInCorpus | Taken | Apart


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a stretch of text is, or is not, one token.

    `start` and `stop` are the bytes it covers. `word` is the word around it; None if it is in none, or in several.
    `corpus` is how often the letters of the stretch occur inside the words of the corpus, and in how many of these;
    None without a corpus, or where the stretch is not inside one word.
    """

    start: int
    stop: int
    word: Span | None
    corpus: CorpusCount | None
    reason: Reason

    @property
    def is_whole_word(self) -> bool:
        """Whether the stretch is all of its word; if not, it begins or ends inside it.

        >>> Explanation(1, 3, Span("low", 0, 3), None, NotInCorpus()).is_whole_word
        False
        """
        return self.word is not None and (self.word.start, self.word.stop) == (self.start, self.stop)
