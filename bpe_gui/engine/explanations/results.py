"""The reasons why a stretch of text is not one token, as values.

A reason whose sentences need nothing but itself and the text has them, as `statements`. The window words the others
(`gui/wording/why_not_texts.py`): with counts, steps and how the run goes on, from which its buttons follow.
"""

from dataclasses import dataclass
from typing import Literal

from bpe_gui.engine.runtime.statements import Statement, verbatim
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.text.alternatives import Alternative
from bpe_gui.engine.training.results import CorpusCount

Ending = Literal["too-rare", "full", "exhausted", "open", "finished"]
"""Why no known merge joins a pair: it now occurs less often than `min_count`; the vocabulary has the requested size;
nothing is left to merge; the run may go on; or the tokenizer was opened with all its merges."""

Side = Literal["start", "end"]
"""An end of a stretch."""


@dataclass(frozen=True, slots=True)
class Span:
    """A word (pre-token) or special token around or next to a stretch, and the bytes of the text that it covers.

    `alternative` is the part of the splitter's expression that matched the word, or None if unknown.
    """

    text: str
    start: int
    stop: int
    is_special: bool = False
    alternative: Alternative | None = None


@dataclass(frozen=True, slots=True)
class OneToken:
    """The stretch is one token now. `step` made it: 0 for the alphabet, None if no merge made it.

    `token` includes the end-of-word marker if the stretch ends its word. `token_id` is None if it is not in the
    vocabulary.
    """

    token: bytes
    token_id: int | None
    step: int | None


@dataclass(frozen=True, slots=True)
class WordBoundary:
    """A word begins or ends inside the stretch, and nothing merges across that.

    `offset` is the byte offset of the first such boundary, or of the first at a special token, and `boundaries` how
    many there are. The characters `before` and `after` meet there. `left` ends and `right` begins there; they are None
    for text that the splitter drops.
    """

    offset: int
    before: str
    after: str
    left: Span | None
    right: Span | None
    boundaries: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """The splitter drops the stretch."""

    def statements(self, _text: str) -> tuple[Statement, ...]:
        """Return the answer about a text, and details."""
        return (_("WhyNot", "No: splitting into words drops this text, so no token contains it."),)


@dataclass(frozen=True, slots=True)
class NoSymbol:
    """A character of the stretch becomes no symbol: the vocabulary lacks it, or a normalizer removes it."""

    def statements(self, _text: str) -> tuple[Statement, ...]:
        """Return the answer about a text, and details."""
        answer = _(
            "WhyNot",
            "No: all or part of this text has no symbol, because the vocabulary lacks it or a normalizer removes it.",
        )
        return (answer,)


@dataclass(frozen=True, slots=True)
class TakenWhole:
    """The word or special token around the stretch is encoded whole, as `token_id`, without merging."""

    token: bytes
    token_id: int

    def statements(self, _text: str) -> tuple[Statement, ...]:
        """Return the answer about a text, and details."""
        return (
            _("WhyNot", "No: it is part of {token}, which is always taken whole.").format(token=self.token),
            _("WhyNot", "The id of the whole is {id}.").format(id=verbatim(str(self.token_id))),
        )


@dataclass(frozen=True, slots=True)
class CutsUnit:
    """The stretch begins or ends, at `offset`, inside `unit`, which is one symbol from the start."""

    unit: bytes
    offset: int

    def statements(self, _text: str) -> tuple[Statement, ...]:
        """Return the answer about a text, and details."""
        answer = _("WhyNot", "No: it begins or ends inside {unit}, which is one symbol from the start.")
        return (answer.format(unit=self.unit),)


@dataclass(frozen=True, slots=True)
class NotInCorpus:
    """No word of the corpus has the letters of the stretch next to each other, so no merge could ever join them.

    In a corpus with weights (`weighted`), documents may have such words, but with counts that round to 0.
    """

    weighted: bool = False

    def statements(self, text: str) -> tuple[Statement, ...]:
        """Return the answer about a text, and details."""
        one = _("WhyNot", "No: no word in the corpus contains {text}, so training never saw it.")
        more = _("WhyNot", "No: no word in the corpus contains {text}, so training never made it one token.")
        answer = (one if len(text) == 1 else more).format(text=text)
        left_out = _("WhyNot", "Words whose weighted count rounds to 0 are left out.")
        return (answer, left_out) if self.weighted else (answer,)


@dataclass(frozen=True, slots=True)
class Taken:
    """The merge of `left` and `right` at `step` joins one end of the stretch with the text beyond it.

    `side` says which end: at `end`, `left` is inside and `right` outside the stretch; at `start` it is the other way
    round. `parts` are the symbols of the stretch just before that merge; if there is only one, the stretch was a token.
    `corpus_count` is how often the same merge took the same end of these letters in the corpus, out of the occurrences
    in `Explanation.corpus_count`; None without a corpus, or if the step is not applied yet.
    """

    step: int
    left: bytes
    right: bytes
    side: Side
    parts: tuple[bytes, ...]
    corpus_count: CorpusCount | None = None


@dataclass(frozen=True, slots=True)
class NeededMerge:
    """A merge on the way to one token. `step` is its step in the known run, or None if the run does not have it."""

    left: bytes
    right: bytes
    step: int | None


@dataclass(frozen=True, slots=True)
class Apart:
    """The stretch is several symbols now: `parts`.

    `needed` are merges that would make them one token, in order: those of the known run first, then one way to go on
    with pairs that it never merges. `pair_count` is how often the first of these pairs now occurs in the corpus, and
    `pair_rank` its rank among all pairs, from 1. They are None if it does not occur, or without a corpus.

    `taken` is a later merge of the known run that takes an end of the stretch away before it is one token. If `taken`
    is None and every merge in `needed` has a step, the stretch becomes one token at the last of these steps. `ending`
    says why the run does not have the first merge without a step; None if all have one.
    """

    parts: tuple[bytes, ...]
    needed: tuple[NeededMerge, ...]
    pair_count: CorpusCount | None
    pair_rank: int | None
    taken: Taken | None
    ending: Ending | None

    @property
    def obstacle(self) -> Taken | NeededMerge | None:
        """The first obstacle: the merge that takes an end, or the first needed merge that the run lacks.

        >>> Apart((b"l", b"o"), (NeededMerge(b"l", b"o", 3),), None, None, None, None).obstacle
        """
        return self.taken or next((merge for merge in self.needed if merge.step is None), None)


Reason = OneToken | WordBoundary | Dropped | NoSymbol | TakenWhole | CutsUnit | NotInCorpus | Taken | Apart


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a stretch of text is, or is not, one token.

    `start` and `stop` are the bytes it covers. `word` is the word around it, or None if it is not inside one word.
    `corpus_count` is how often the letters of the stretch occur inside words of the corpus, and in how many different
    words; None without a corpus, or if the stretch is not inside one word.
    """

    start: int
    stop: int
    word: Span | None
    corpus_count: CorpusCount | None
    reason: Reason

    @property
    def taken(self) -> Taken | None:
        """The merge that took, or will take, an end of the stretch; None if that is not the reason.

        >>> Explanation(1, 3, None, None, Taken(2, b"e", b"st", "end", (b"w", b"e"))).taken.step
        2
        """
        reason = self.reason
        return reason if isinstance(reason, Taken) else reason.taken if isinstance(reason, Apart) else None
