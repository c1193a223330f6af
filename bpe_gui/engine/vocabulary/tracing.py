"""The merges that apply to a word, one after another, and the merges that made a token."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import groupby
from typing import NamedTuple

from .merge_store import MergeStore
from .numbered_tokens import TokenPair


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of encoding a word: the merge of `rank`, applied to every occurrence of its pair, left `symbols`."""

    rank: int
    left: bytes
    right: bytes
    symbols: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class WordTrace:
    """The encoding of a word: its initial symbols, and the merges in the order in which they applied.

    `is_whole` says that the word is itself a token and was taken as such, without merging.
    """

    word: str
    symbols: tuple[bytes, ...]
    steps: tuple[TraceStep, ...]
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Lineage:
    """The tree of merges that made a token.

    `id` is None if the token has left the vocabulary. `rank` is None and `parts` is empty if no merge made it.
    """

    id: int | None
    bytes: bytes
    rank: int | None
    parts: "tuple[Lineage, Lineage] | tuple[()]"


class MergeStep(NamedTuple):
    """One merge at one position of a word: the indices of the two merged symbols in the word's initial symbols.

    A merged symbol keeps the index of its left part.
    """

    rank: int
    left: int
    right: int


def merge_steps(
    initial_symbols: Sequence[bytes],
    ranks: Mapping[TokenPair, int],
    position: int,
    prefix_size: int = 0,
    first: int = 0,
) -> Iterator[MergeStep]:
    """Yield the merges that apply to a word, lowest rank first, then leftmost first, in O(n log n).

    Only ranks from `first` up to `position` apply. The first `prefix_size` bytes of a right symbol are removed when it
    is merged.

    >>> [tuple(step) for step in merge_steps([b"l", b"o", b"w"], {(b"o", b"w"): 0, (b"l", b"ow"): 1}, 2)]
    [(0, 1, 2), (1, 0, 1)]
    """
    symbols = list(initial_symbols)
    end = len(symbols)
    following = list(range(1, end + 1))
    previous = list(range(-1, end - 1))
    heap = [
        (rank, index)
        for index in range(end - 1)
        if first <= (rank := ranks.get((symbols[index], symbols[index + 1]), position)) < position
    ]
    heapify(heap)

    def push(index: int) -> None:
        rank = ranks.get((symbols[index], symbols[following[index]]), position)
        if first <= rank < position:
            heappush(heap, (rank, index))

    while heap:
        rank, left = heappop(heap)
        right = following[left]
        # The pair may have disappeared since it was pushed.
        if right == end or ranks.get((symbols[left], symbols[right])) != rank:
            continue
        yield MergeStep(rank, left, right)
        symbols[left] += symbols[right][prefix_size:]
        symbols[right] = b""
        after = following[left] = following[right]
        if after < end:
            previous[after] = left
            push(left)
        before = previous[left]
        if before >= 0:
            push(before)


def trace_word(
    word: str, initial_symbols: Sequence[bytes], store: MergeStore, position: int, first: int = 0
) -> WordTrace:
    """Return the merges from `first` up to `position` that apply to a word, which starts as `initial_symbols`.

    >>> from bpe_gui.engine import Tokenizer
    >>> store = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").store
    >>> trace_word("lol", [b"l", b"o", b"l"], store, position=1).steps[0].symbols
    (b'lo', b'l')
    """
    symbols = list(initial_symbols)
    steps: list[TraceStep] = []
    merges = merge_steps(symbols, store.ranks, position, store.prefix_size, first)
    for rank, occurrences in groupby(merges, key=lambda step: step.rank):
        left_token, right_token = b"", b""
        for _rank, left, right in occurrences:
            left_token, right_token = symbols[left], symbols[right]
            symbols[left] += right_token[store.prefix_size :]
            symbols[right] = b""
        steps.append(TraceStep(rank, left_token, right_token, tuple(filter(None, symbols))))
    return WordTrace(word, tuple(initial_symbols), tuple(steps))


def merged_symbols(
    initial_symbols: Sequence[bytes], ranks: Mapping[TokenPair, int], position: int, prefix_size: int = 0
) -> list[bytes]:
    """Return a word's symbols after the first `position` merges. `prefix_size` is as for `merge_steps`.

    >>> merged_symbols([b"l", b"o", b"l"], {(b"l", b"o"): 0}, 1)
    [b'lo', b'l']
    """
    symbols = list(initial_symbols)
    for _rank, left, right in merge_steps(initial_symbols, ranks, position, prefix_size):
        symbols[left] += symbols[right][prefix_size:]
        symbols[right] = b""
    return [symbol for symbol in symbols if symbol]


def lineage_of(token: bytes, store: MergeStore, position: int) -> Lineage:
    """Return the tree of merges that made a token, as of the first `position` merges.

    >>> from bpe_gui.engine import Tokenizer
    >>> store = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy").store
    >>> [part.bytes for part in lineage_of(b"lo", store, position=1).parts]
    [b'l', b'o']
    """
    # Parts come before wholes, without recursion, because a tree may be as deep as the number of merges.
    trees: dict[bytes, Lineage] = {}
    stack = [token]
    while stack:
        current = stack[-1]
        rank = store.token_ranks.get(current, position)
        parts = store.merges[rank] if rank < position else ()
        missing = [part for part in parts if part not in trees]
        if missing:
            stack += missing
            continue
        stack.pop()
        token_id = store.ids.get(current) if store.exists(current, position) else None
        if parts:
            left, right = parts
            trees[current] = Lineage(token_id, current, rank, (trees[left], trees[right]))
        else:
            trees[current] = Lineage(token_id, current, None, ())
    return trees[token]
