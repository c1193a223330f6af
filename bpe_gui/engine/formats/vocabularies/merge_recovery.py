"""Recover the merges behind tokens of which a file has only the ranks.

Encoding merges, again and again, the two neighbours whose joined spelling has the lowest rank, of equal ranks the
leftmost. As long as nothing is merged across the ends of a stretch of text, what happens inside does not depend on its
surroundings. So a token is made of the same two parts wherever it is made, and these are found by encoding the token
itself. If that does not give the token, no merge makes it.

A kernel does it in the order of the tokens' lengths, so that the merges of shorter tokens are known already. Before
compiled code is loaded, joined spellings are looked up in a dictionary, which is faster than an interpreted kernel.
"""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import AnyStr, Final, NamedTuple

import numpy as np

from bpe_gui.engine.compilation import is_compiled
from bpe_gui.engine.kernels.encoding.merge_recovery import recover_pairs
from bpe_gui.engine.kernels.encoding.merge_table import MAX_SYMBOLS
from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS
from bpe_gui.engine.pipeline.aligned_text import code_points
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array, UInt8Array, UInt32Array
from bpe_gui.engine.tokenization.encoding_tables import new_merge_table
from bpe_gui.engine.tokenization.encoding_worker import new_scratch

_SHORT_LENGTH: Final = 64
"""The length up to which scanning all pairs is faster than keeping a heap."""

_SLICE: Final = 1 << 14  # tokens that a kernel works on at a time

_NO_PART: Final = -1


class Parts(NamedTuple):
    """The two parts that each token is merged from, as indices of tokens; -1 for a token that no merge makes.

    Bytes (or characters) that are not tokens themselves are numbered from the number of tokens on.
    """

    lefts: Int64Array
    rights: Int64Array


def recover_parts(tokens: Sequence[AnyStr], ranks: Int64Array) -> Parts:
    """Return the parts of tokens, all of them different, with ranks below the number of tokens that some may share.

    >>> parts = recover_parts([b"l", b"o", b"w", b"ow", b"low"], np.arange(5))
    >>> parts.lefts.tolist(), parts.rights.tolist()
    ([-1, -1, -1, 1, 0], [-1, -1, -1, 2, 3])
    """
    spelled = _spell(tokens)
    parts = Parts(*np.full((2, len(tokens)), _NO_PART, np.int64))
    if is_compiled() and spelled.symbols <= MAX_SYMBOLS:
        _recover_by_kernel(spelled, ranks, parts)
    else:
        _recover_by_dictionary(tokens, spelled, ranks, parts)
    return parts


class _SpelledTokens(NamedTuple):
    """Tokens as the units that they consist of: bytes (or characters), as symbols. A token's index is its symbol."""

    units: Int32Array
    """The units of all tokens, one token after another."""
    starts: Int64Array
    """By token: the index of its first unit; and once more, the number of units."""
    symbols: int
    """The number of symbols: a unit that is not a token has one too."""


def _spell(tokens: Sequence[AnyStr]) -> _SpelledTokens:
    sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
    starts = np.append(np.int64(0), np.cumsum(sizes))
    codes = _codes(tokens)
    limit = int(codes.max(initial=0)) + 1
    symbol_of = np.full(limit, -1, np.int32)
    single = np.flatnonzero(sizes == 1)
    is_unknown = np.zeros(limit, np.bool_)
    is_unknown[codes] = True
    is_unknown[codes[starts[single]]] = False
    symbol_of[codes[starts[single]]] = single
    unknown = np.flatnonzero(is_unknown)
    symbol_of[unknown] = np.arange(len(tokens), len(tokens) + len(unknown))
    return _SpelledTokens(symbol_of[codes], starts, len(tokens) + len(unknown))


def _codes(tokens: Sequence[AnyStr]) -> UInt8Array | UInt32Array:
    """Return the bytes (or code points) of all tokens, one after another."""
    joined = tokens[0][:0].join(tokens) if tokens else b""
    return code_points(joined) if isinstance(joined, str) else np.frombuffer(joined, np.uint8)


# -- by a kernel --------------------------------------------------------------------------------------------------


def _recover_by_kernel(spelled: _SpelledTokens, ranks: Int64Array, parts: Parts) -> None:
    sizes = np.diff(spelled.starts)
    by_size = np.argsort(sizes, kind="stable")
    longer = by_size[np.searchsorted(sizes, 1, "right", sorter=by_size) :]
    table, scratch = new_merge_table(len(longer)), new_scratch(int(sizes.max(initial=0)) + SPARE_SYMBOLS)
    for first in range(0, len(longer), _SLICE):
        some = longer[first : first + _SLICE]
        recover_pairs(spelled.units, spelled.starts, ranks, some, first, table, scratch, *parts)


# -- by a dictionary ----------------------------------------------------------------------------------------------


def _recover_by_dictionary(tokens: Sequence[AnyStr], spelled: _SpelledTokens, ranks: Int64Array, parts: Parts) -> None:
    rank_of = dict(zip(tokens, ranks.tolist(), strict=True))
    number_of = {token: number for number, token in enumerate(tokens)}
    for number, token in enumerate(tokens):
        boundary = last_merge_boundary(token, rank_of.get, len(tokens)) if len(token) > 1 else None
        if boundary is not None:
            first, last = int(spelled.starts[number]), int(spelled.starts[number + 1]) - 1
            parts.lefts[number] = number_of.get(token[:boundary], spelled.units[first])
            parts.rights[number] = number_of.get(token[boundary:], spelled.units[last])


def last_merge_boundary(token: AnyStr, rank_of: Callable[[AnyStr, int], int], no_rank: int) -> int | None:
    """Return the boundary between the two symbols that are left before the last merge when a token is encoded.

    Return None if its bytes (or characters) do not merge to the whole token. `rank_of(token, no_rank)` returns the rank
    of a token, or `no_rank`, which must be greater than all ranks, if its argument is not a token.
    """
    find = _find_boundary_by_scanning if len(token) <= _SHORT_LENGTH else _find_boundary_by_heap
    return find(token, rank_of, no_rank)


def _find_boundary_by_scanning(token: AnyStr, rank_of: Callable[[AnyStr, int], int], no_rank: int) -> int | None:
    """Take O(n²) steps, but fast ones."""
    boundaries = list(range(len(token) + 1))  # of the symbols
    ranks = [rank_of(token[start : start + 2], no_rank) for start in range(len(token) - 1)]  # of the pairs
    while len(ranks) > 1:
        lowest = min(ranks)
        if lowest == no_rank:
            return None
        index = ranks.index(lowest)
        del boundaries[index + 1], ranks[index]
        if index < len(ranks):
            ranks[index] = rank_of(token[boundaries[index] : boundaries[index + 2]], no_rank)
        if index > 0:
            ranks[index - 1] = rank_of(token[boundaries[index - 1] : boundaries[index + 1]], no_rank)
    return boundaries[1]


def _find_boundary_by_heap(token: AnyStr, rank_of: Callable[[AnyStr, int], int], no_rank: int) -> int | None:
    """Take O(n log n) steps.

    Symbols are identified by their start: `ends[start]` is the end of the symbol, 0 if there is none any more, and
    `previous[start]` the start of the symbol on its left. An entry of the heap is a pair: its rank in the upper bits,
    its start in the lower 32. Entries are not removed when a pair disappears but checked when they surface.
    """
    size = len(token)
    ends = list(range(1, size + 2))
    previous = list(range(-1, size))
    heap: list[int] = []

    def push(start: int, end: int) -> None:
        rank = rank_of(token[start:end], no_rank)
        if rank < no_rank:
            heappush(heap, rank << 32 | start)

    for start in range(size - 1):
        push(start, start + 2)
    symbol_count = size
    while heap:
        entry = heappop(heap)
        start = entry & 0xFFFF_FFFF
        middle = ends[start]
        is_stale = not 0 < middle < size or rank_of(token[start : ends[middle]], no_rank) != entry >> 32
        if is_stale:
            continue
        if symbol_count == 2:
            return middle
        symbol_count -= 1
        end = ends[start] = ends[middle]
        ends[middle] = 0
        if end < size:
            previous[end] = start
            push(start, ends[end])
        if previous[start] >= 0:
            push(previous[start], end)
    return None
