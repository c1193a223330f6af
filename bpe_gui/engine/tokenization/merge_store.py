"""The merges that encoding applies to a word, found without looking at every pair again after each."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

Ranks = Mapping[tuple[bytes, bytes], int]
"""The rank of every merge, by its pair."""


def merge_steps(start: Sequence[bytes], ranks: Ranks, position: int, prefix: int = 0) -> Iterator[tuple[int, int, int]]:
    """The merges that apply, lowest rank first, leftmost first: (rank, left place, right place), in O(n log n).

    Only ranks below `position` count. Places are indices in `start`; a merged symbol lives on in its left place. Of a
    right part, so many bytes of `prefix` are not in what it merges into.

    >>> list(merge_steps([b"l", b"o", b"w"], {(b"o", b"w"): 0, (b"l", b"ow"): 1}, 2))
    [(0, 1, 2), (1, 0, 1)]
    """
    symbols = list(start)
    end = len(symbols)
    following = list(range(1, end + 1))
    previous = list(range(-1, end - 1))
    heap = [
        (rank, place)
        for place in range(end - 1)
        if (rank := ranks.get((symbols[place], symbols[place + 1]), position)) < position
    ]
    heapify(heap)

    def push(place: int) -> None:
        rank = ranks.get((symbols[place], symbols[following[place]]), position)
        if rank < position:
            heappush(heap, (rank, place))

    while heap:
        rank, place = heappop(heap)
        right = following[place]
        # The pair may have gone since it was put on the heap.
        if right == end or ranks.get((symbols[place], symbols[right])) != rank:
            continue
        yield rank, place, right
        symbols[place] += symbols[right][prefix:]
        symbols[right] = b""
        after = following[place] = following[right]
        if after < end:
            previous[after] = place
            push(place)
        before = previous[place]
        if before >= 0:
            push(before)
