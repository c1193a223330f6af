"""Encode many texts: in groups that are worth a call of a kernel, which several threads take."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Final, TypeVar

import numpy as np

from bpe_gui.engine.kernels.encoding.id_lists import FUNCTIONS, SharedIntegers, fill_lists
from bpe_gui.engine.runtime.arguments import check_text
from bpe_gui.engine.runtime.arrays import Int32Array
from bpe_gui.engine.runtime.errors import TokenizerError

from .text_encoder import EncodingOptions, TextEncoder

Item = TypeVar("Item")
Result = TypeVar("Result")

GROUP_SIZE: Final = 1 << 20
"""The most characters of the texts that are encoded at a time, if there is more than one."""

WORTH_JOINING: Final = 64
"""The number of texts in a group from which on one call of a kernel for all of them is faster than one for each."""

_MOST_SHARED: Final = 1 << 20
"""The most integers that lists share; they take 40 MB."""


def grouped(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield texts in groups; a text that is longer than a group should be is one by itself.

    >>> list(grouped(["a", "b"]))
    [['a', 'b']]
    """
    try:
        ends = list(accumulate(map(len, texts)))
    except TypeError:  # an item is no text: whoever encodes it will say so
        yield texts
        return
    first = before = 0
    while first < len(texts):
        last = max(first + 1, bisect_right(ends, before + GROUP_SIZE, first))
        yield texts[first:last]
        first, before = last, ends[last - 1]


class IdLists:
    """Makes lists of ids, which share Python's integers.

    >>> IdLists(largest_id=6).cut_at(-1, np.array([5, 6, -1, -1], np.int32))
    [[5, 6], []]
    """

    def __init__(self, largest_id: int) -> None:
        self._shared = list(range(min(largest_id + 1, _MOST_SHARED)))
        addresses = np.fromiter(map(id, self._shared), np.int64, len(self._shared))
        self._integers = SharedIntegers(addresses, np.array(FUNCTIONS, np.int64))

    def cut_at(self, mark: int, ids: Int32Array) -> list[list[int]]:
        """Return a list of the ids before each mark, of which one is the last id."""
        lists: list[list[int]] = [[]] * int(np.count_nonzero(ids == mark))
        fill_lists(ids, mark, id(lists), self._integers)
        return lists


@contextmanager
def in_threads(threads: int, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Iterator[Result]]:
    """Give an iterator over the results of a function for items, in order; the threads work ahead.

    >>> with in_threads(2, str, [1, 2]) as results:
    ...     list(results)
    ['1', '2']
    """
    if threads <= 1:
        yield map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # takes 3 ms, and short texts need no threads

    with ThreadPoolExecutor(threads) as pool:
        yield pool.map(function, items)


def one_by_one(
    encoder: TextEncoder, texts: Iterable[str], options: EncodingOptions, before: int = 0
) -> Iterator[list[int]]:
    """Yield the ids of texts that `before` others precede.

    Raise TokenizerError as `TextEncoder` does, with a note that has the number of the text.
    """
    for number, text in enumerate(texts, before + 1):
        try:
            check_text(text, TokenizerError)
            yield encoder.listed_ids(text, options)
        except TokenizerError as error:
            error.add_note(f"This is text number {number:,}.")
            raise
