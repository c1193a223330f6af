"""The vocabularies and merges of the compared tokenizers, and how two of them differ, computed in a thread."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import EngineError, LanguageTurns, Progress, Tokenizer, TokenPair
from bpe_gui.engine.comparison import MergeDifference, PairComparison, StepDifference, ids_by_text
from bpe_gui.engine.reports import TokenCounter
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer

from .compared import Compared, ComparedTokenizers


@dataclass(frozen=True, slots=True)
class MergeAtStep:
    """A merge of one of two runs.

    `count` is None if unknown; `other_rank` is the rank at which the other run makes it, None if never.
    """

    pair: TokenPair
    count: int | None
    other_rank: int | None


@dataclass(frozen=True, slots=True, eq=False)
class AlignedMerges:
    """The known merges of two tokenizers, by rank.

    They differ at the ranks in `differing`; at those in `lacking`, at least one merge is one that the other tokenizer
    never makes. `only` has the number of such merges for each tokenizer.
    """

    first: Sequence[TokenPair]
    second: Sequence[TokenPair]
    counts: tuple[Sequence[int] | None, Sequence[int] | None]
    ranks: tuple[dict[TokenPair, int], dict[TokenPair, int]]
    differing: Sequence[int]
    lacking: Sequence[int]
    only: tuple[int, int]

    @classmethod
    def of(cls, first: Tokenizer, second: Tokenizer) -> "AlignedMerges":
        """Align the merges of two tokenizers, which takes a tenth of a second for 100,000 of them."""
        merges = first.merges, second.merges
        differing = [rank for rank, (left, right) in enumerate(zip_longest(*merges)) if left != right]
        counts = first.merge_counts, second.merge_counts
        ranks = _ranks(merges[0]), _ranks(merges[1])
        missing = [
            {rank for rank in differing if rank < len(merges[side]) and merges[side][rank] not in ranks[1 - side]}
            for side in range(2)
        ]
        lacking = sorted(missing[0] | missing[1])
        return cls(*merges, counts, ranks, differing, lacking, (len(missing[0]), len(missing[1])))

    @property
    def length(self) -> int:
        """The number of merges of the longer one."""
        return max(len(self.first), len(self.second))

    @property
    def common(self) -> int:
        """The number of merges of the shorter one."""
        return min(len(self.first), len(self.second))

    def at(self, rank: int, side: int) -> MergeAtStep | None:
        """Return the merge at a rank of the first (0) or second (1) tokenizer; None if it has fewer merges."""
        merges, counts = (self.first, self.second)[side], self.counts[side]
        if rank >= len(merges):
            return None
        pair = merges[rank]
        count = counts[rank] if counts is not None and rank < len(counts) else None
        return MergeAtStep(pair, count, self.ranks[1 - side].get(pair))


def _ranks(merges: Sequence[TokenPair]) -> dict[TokenPair, int]:
    """Return the rank of each merge, or the first rank of a pair that is merged twice."""
    ranks: dict[TokenPair, int] = {}
    for rank, pair in enumerate(merges):
        ranks.setdefault(pair, rank)
    return ranks


_BEGINNING: Final = 1 << 14  # bytes of the compared text in which a difference is looked for
_PAUSE: Final = 150  # milliseconds without a change of the tokenizers

OwnToken = tuple[int, bytes]
"""A token that only one of two tokenizers has: its id, and its bytes as in the vocabulary."""


@dataclass(frozen=True, slots=True, eq=False)
class PairResult:
    """How two tokenizers differ. `counts` are those of the first merge that differs, None if unknown.

    `languages` has the number of tokens that each of the two makes of the corpus in each language, if one is a run in
    which languages take turns, and both have its words.
    """

    items: tuple[Compared, Compared]
    steps: Sequence[StepDifference]
    shared: int
    only: tuple[Sequence[OwnToken], Sequence[OwnToken]]
    ids_that_differ: int
    first_merge: MergeDifference | None
    counts: tuple[int | None, int | None]
    merges: AlignedMerges
    languages: Mapping[str, tuple[int, int]]

    @classmethod
    def of(
        cls,
        items: tuple[Compared, Compared],
        tokenizers: tuple[Tokenizer, Tokenizer],
        runs: tuple[Tokenizer, Tokenizer],
        turns: LanguageTurns | None,
        text: str,
        progress: Progress,
    ) -> "PairResult":
        """Compare two tokenizers, and the merges of `runs`, which may take a second; `text` may show differences."""
        pair = PairComparison(*tokenizers)
        merge = PairComparison(*runs).first_merge
        if merge is not None and any(
            isinstance(item.origin, OpenedTokenizer) and item.origin.is_guessed for item in items
        ):
            merge = merge.without_guesses()
        first, second = (None if merge is None else _count_at(each, merge.rank) for each in runs)
        return cls(
            items,
            pair.steps([text]),
            pair.shared,
            (list(pair.only_in_first()), list(pair.only_in_second())),
            pair.ids_that_differ,
            merge,
            (first, second),
            AlignedMerges.of(*runs),
            _language_tokens(turns, tokenizers, progress) if turns else {},
        )


def _language_tokens(
    turns: LanguageTurns, tokenizers: tuple[Tokenizer, Tokenizer], progress: Progress
) -> dict[str, tuple[int, int]]:
    first, second = map(TokenCounter, tokenizers)
    try:
        return {
            language: (first.count_words(words, progress).tokens, second.count_words(words, progress).tokens)
            for language, words in turns.measured.items()
        }
    except EngineError:  # one of them splits text into other words
        return {}


def _count_at(tokenizer: Tokenizer, rank: int) -> int | None:
    counts = tokenizer.merge_counts
    return counts[rank] if counts is not None and rank < len(counts) else None


class Vocabularies(QObject):
    """Compares all vocabularies, and those of a chosen pair; the previous results stay until the new ones are known.

    - `changed`: `pair` changed, or the numbers of tokens that only one tokenizer has.
    - `outdated`: `is_settled` is no longer true.
    """

    changed = Signal()
    outdated = Signal()

    def __init__(self, tokenizers: ComparedTokenizers, parent: QObject) -> None:
        super().__init__(parent)
        self._tokenizers = tokenizers
        self._chosen: tuple[Compared, Compared] | None = None
        self.pair: PairResult | None = None
        """How the chosen two differ; None if none are chosen, or until it is known."""
        self._runner = JobRunner(self)
        self._pause = QTimer(self, singleShot=True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._compare)
        for changed in (tokenizers.list_changed, tokenizers.shown_changed, tokenizers.tokenizer_changed):
            changed.connect(self._start_again)

    @property
    def is_settled(self) -> bool:
        """Whether everything has been computed."""
        return not self._pause.isActive() and not self._runner.busy

    def choose(self, first: Compared, second: Compared) -> None:
        """Compare these two from now on."""
        if (first, second) != self._chosen:
            self._chosen = first, second
            self._start_again()

    def _start_again(self) -> None:
        self._runner.abandon()
        if self._tokenizers.is_active:
            self._pause.start()
            self.outdated.emit()
        else:
            self._pause.stop()

    def _compare(self) -> None:
        items = [item for item in self._tokenizers.items if item.tokenizer is not None]
        tokenizers = [item.tokenizer for item in items if item.tokenizer is not None]
        chosen = self._chosen if self._chosen and all(item in items for item in self._chosen) else None
        runs = self._tokenizers.runs_of(chosen) if chosen else None
        turns = self._tokenizers.turns_of(chosen) if chosen else None
        live = next((item.text for item in chosen or () if item.text is not None), None)
        text = "" if live is None else live.read(0, _BEGINNING).decode(errors="ignore")

        def work(progress: Progress) -> tuple[list[int], PairResult | None]:
            vocabularies = []
            for tokenizer in tokenizers:
                progress(0, 0)
                vocabularies.append(ids_by_text(tokenizer).keys())
            owners = Counter(token for vocabulary in vocabularies for token in vocabulary)
            only = [sum(owners[token] == 1 for token in vocabulary) for vocabulary in vocabularies]
            progress(0, 0)
            pair = None
            if chosen is not None:
                first, second = (tokenizers[items.index(item)] for item in chosen)
                pair = PairResult.of(chosen, (first, second), runs or (first, second), turns, text, progress)
            return only, pair

        def take(result: tuple[list[int], PairResult | None]) -> None:
            only, self.pair = result
            for item, tokenizer, only_here in zip(items, tokenizers, only, strict=True):
                item.vocab_size = len(tokenizer.vocab)
                item.only_here = only_here if len(items) > 1 else None
            self.changed.emit()

        self._runner.start(name="compare vocabularies", work=work, on_success=take)
