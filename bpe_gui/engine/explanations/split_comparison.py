"""Compare two splitters on texts: which words change, and which text is left out."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import starmap
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.word_arrays import WordArrays, WordTally
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters
from bpe_gui.engine.kernels.text.automaton import READ_AHEAD, Splitter
from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable, last_special_end
from bpe_gui.engine.kernels.text.split_comparison import (
    AFTER,
    AT,
    BEFORE_END,
    BLOCK,
    CHANGED,
    CHANGES_SIZE,
    CHANGES_STATE,
    COVERED,
    GAP_END,
    GAP_START,
    LEFT_OUT,
    LEFT_OUT_SPACES,
    POSITION_FACTOR,
    SPECIAL,
    WORD_END,
    Changes,
    compare_block,
    mark_words,
)
from bpe_gui.engine.runtime.threads import threads_worth
from bpe_gui.engine.runtime.types import UInt8Array
from bpe_gui.engine.text.compiled_splitters import (
    Chunker,
    can_split,
    new_batch,
    padded,
    splitter_of,
    stuck_error,
    with_own_state,
)
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import TEXT_END, SpecialTokens
from bpe_gui.engine.text.utf8 import encode_chunks, iter_chunks

_EXAMPLES: Final = 15
_MAX_LEFT_OUT: Final = 40  # characters of left-out text that are shown as an example
_BLOCK: Final = 1 << 18  # bytes
_WAITING: Final = 4  # blocks for each thread
_CPUS: Final = 1 << 20  # more than there are


@dataclass(frozen=True, slots=True)
class ChangedWords:
    """Adjacent words of the same stretch of text before and after, and how often they change in this way.

    `before` or `after` is empty if that splitter leaves the stretch out.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class SplitterChange:
    """The difference between two ways to split texts.

    There are `words` words before, and `changed` of them are not words afterwards. Of the `characters` outside special
    tokens, `left_out` are in no word afterwards, and `left_out_spaces` of these are white space. `left_out_text` is the
    first stretch left out that is more than white space, or empty.
    """

    words: int
    changed: int
    unique_before: int
    unique_after: int
    examples: tuple[ChangedWords, ...]
    characters: int
    left_out: int
    left_out_spaces: int
    left_out_text: str


class _Counter:
    """A splitter, and the words counted with it so far."""

    def __init__(self, splitter: Splitter, specials: SpecialTokens, side: int) -> None:
        self.tally = WordTally()
        self._splitter = with_own_state(splitter, _BLOCK)
        self._specials = specials.for_kernels(TEXT_END)
        self._side = side
        self._batch = new_batch()

    def count(self, text: UInt8Array, size: int, marks: UInt8Array) -> None:
        """Count the words of a block and mark where they begin and end. Raise TrainingError."""
        self.tally.reserve_text(size)
        if not can_split(self._splitter, size):
            self._splitter = with_own_state(self._splitter, 2 * size)
        at = 0
        while at < size:
            at = mark_words(
                self._splitter, self._specials, self.tally.table, self._batch, text, at, size, self._side, marks
            )
            if self._splitter.state[READ_AHEAD] < 0:
                raise stuck_error(self._splitter, text)
            if at < 0:
                self.tally.double_capacity()
                at = -1 - at


class _Worker:
    """A thread's counts from the blocks that it has compared."""

    def __init__(self, ways: Sequence[tuple[Splitter, SpecialTokens]]) -> None:
        self.before, self.after = starmap(_Counter, ((*way, side) for way, side in zip(ways, (0, AFTER), strict=True)))
        self.changes = WordTally()
        self.state = np.zeros(CHANGES_STATE, np.int64)
        self.characters = 0
        self.first_left_out: dict[int, str] = {}
        """The first left-out text that is not white space, by the position of its block."""
        self._batch = new_batch()
        self._text = np.zeros(CHANGES_SIZE, np.uint8)

    @property
    def tallies(self) -> tuple[WordTally, ...]:
        """The tallies of the words before and after, and of the stretches that change."""
        return self.before.tally, self.after.tally, self.changes

    def compare(self, text: UInt8Array, size: int, position: int) -> None:
        """Count what changes in the first `size` bytes of a text, which starts at `position`. Raise TrainingError."""
        marks = np.zeros(size + PADDING, np.uint8)
        self.before.count(text, size, marks)
        self.after.count(text, size, marks)
        self.state[BLOCK], self.state[[AT, COVERED, GAP_START, GAP_END]] = position, 0
        self.changes.reserve_text(POSITION_FACTOR * size)
        while not compare_block(Changes(self.changes.table, self._batch, self._text, self.state), text, size, marks):
            self.changes.double_capacity()
        self.characters += int(count_characters(text, 0, size))
        start, end = self.state[[GAP_START, GAP_END]]
        if end and not self.first_left_out:
            self.first_left_out[position] = text[start:end].tobytes().decode().strip()[:_MAX_LEFT_OUT]


def splitter_change(
    texts: Iterable[str | Iterable[str]],
    before: Recipe,
    after: Recipe,
    special_tokens: Collection[str] = (),
    *,
    report: Callable[[], object] = lambda: None,
) -> SplitterChange:
    """Compare how two recipes split texts. The most frequent changes come first.

    A text may come in chunks; only a few are in memory at a time. `report` is called every few milliseconds; what it
    raises is propagated. Raise TrainingError for an expression that takes too long.

    >>> change = splitter_change(["don't stop, don't"], Recipe(), Recipe(splitter="whitespace"))
    >>> change.changed, change.words, change.unique_before, change.unique_after, change.left_out
    (6, 6, 5, 2, 2)
    >>> change.examples[0]
    ChangedWords(before=('don', "'t"), after=("don't",), count=1)
    """
    specials = SpecialTokens(special_tokens)
    ways = [(splitter_of(recipe), specials.removed_from_corpus(recipe)) for recipe in (before, after)]
    threads = threads_worth(_CPUS, 1)
    workers = [_Worker(ways) for _thread in range(threads)]
    chunkers = [Chunker(splitter, specials.tokens) for splitter, _own in ways]
    fewest = min((own for _splitter, own in ways), key=lambda own: len(own.tokens))  # a recipe uses all of them or none
    idle = list(workers)
    waiting: deque[Future[None]] = deque()

    def compare(text: UInt8Array, size: int, position: int) -> None:
        worker = idle.pop()
        try:
            worker.compare(text, size, position)
        finally:
            idle.append(worker)

    with ThreadPoolExecutor(threads, "compare") as pool:
        position = 0
        for text, size in _blocks(texts, chunkers, fewest.for_kernels(TEXT_END)):
            waiting.append(pool.submit(compare, text, size, position))
            position += size
            if len(waiting) > threads * _WAITING:
                waiting.popleft().result()
            report()
        for each in waiting:
            each.result()
            report()
    return _summary(workers)


def _blocks(
    texts: Iterable[str | Iterable[str]], chunkers: Sequence[Chunker], specials: SpecialTokenTable
) -> Iterator[tuple[UInt8Array, int]]:
    """Yield texts in blocks, each with its size in bytes, split where it changes no word. A mark ends each text."""
    rest, wanted = b"", _BLOCK
    waiting = list[bytes]()
    for data in _encoded(texts):
        waiting.append(data)
        wanted -= len(data)
        if wanted <= 0:
            rest += b"".join(waiting)
            waiting.clear()
            text = padded(rest)
            size = _common_boundary(chunkers, specials, rest, text)
            if size:
                yield text, size
                rest = rest[size:]
            wanted = max(len(rest), _BLOCK - len(rest))
    rest += b"".join(waiting)
    if rest:
        yield padded(rest), len(rest)


def _common_boundary(chunkers: Sequence[Chunker], specials: SpecialTokenTable, text: bytes, array: UInt8Array) -> int:
    """Return the last offset that is a boundary for both splitters or the end of a special token, or 0."""
    before, after = chunkers
    start = int(last_special_end(array, len(text), specials))
    at, other = before.boundary_before(len(text) - before.context, text, array, start), -1
    while at != other:
        other = after.boundary_before(at + 1, text, array, start)
        at = before.boundary_before(other + 1, text, array, start)
    return at


def _encoded(texts: Iterable[str | Iterable[str]]) -> Iterator[bytes]:
    for text in texts:
        for _chunk, data in encode_chunks(iter_chunks(text) if isinstance(text, str) else text):
            yield data
        yield TEXT_END


def _summary(workers: Sequence[_Worker]) -> SplitterChange:
    """Sum up the counts of all workers."""
    first, *others = workers
    with ThreadPoolExecutor(len(first.tallies)) as pool:
        list(pool.map(_add_words, *(worker.tallies for worker in workers)))
    for other in others:
        first.state += other.state
        first.characters += other.characters
        first.first_left_out |= other.first_left_out
    state, left_out = first.state, first.first_left_out
    return SplitterChange(
        int(first.before.tally.words().frequencies.sum()),
        int(state[CHANGED]),
        first.before.tally.unique_words,
        first.after.tally.unique_words,
        tuple(_most_frequent(first.changes.words())),
        first.characters - int(state[SPECIAL]),
        int(state[LEFT_OUT]),
        int(state[LEFT_OUT_SPACES]),
        left_out[min(left_out)] if left_out else "",
    )


def _add_words(tally: WordTally, *others: WordTally) -> None:
    for other in others:
        tally.add(other.words())


def _most_frequent(stretches: WordArrays) -> Iterator[ChangedWords]:
    """Yield the most frequent stretches; of equally frequent ones, the first in the texts."""
    for index in np.lexsort((stretches.first_seen, -stretches.frequencies))[:_EXAMPLES].tolist():
        data = stretches.text[stretches.starts[index] : stretches.starts[index + 1]].tobytes()
        before, after = data.split(bytes([BEFORE_END]))
        yield ChangedWords(_words(before), _words(after), int(stretches.frequencies[index]))


def _words(data: bytes) -> tuple[str, ...]:
    return tuple(word.decode() for word in data.split(bytes([WORD_END]))) if data else ()
