"""Decide how many threads to use, and collect their results in order."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from .memory import result_array
from .types import Int32Array

Item = TypeVar("Item")

_MAX_THREADS: Final = 8  # more threads would only wait for their results to be collected

_logger: Final = logging.getLogger(__name__)


def threads_worth(size: int, per_thread: int) -> int:
    """Return how many threads to use for work of `size` units if a thread pays off for at least `per_thread` units.

    >>> threads_worth(10, 100)
    1
    """
    # On macOS and Windows, a process may run on all CPUs.
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cpus, _MAX_THREADS, size // per_thread))


def collect_in_order(
    produce: Callable[[Iterator[tuple[Item, Int32Array]]], Iterator[int]],
    items: Iterable[Item],
    threads: int,
    item_capacity: int,
    total_capacity: int,
) -> Int32Array:
    """Return the numbers that several threads produce for `items`, concatenated in the order of the items.

    Each thread calls `produce` once with an iterator over the items to process. Each item comes with a buffer for
    `item_capacity` numbers; `produce` yields how many numbers it wrote. All items together give at most
    `total_capacity` numbers. Raise the error of the first item that failed.

    >>> def produce(items):
    ...     for size, buffer in items:
    ...         buffer[:size] = size
    ...         yield size
    >>> collect_in_order(produce, [1, 2, 3], 2, 3, 6).tolist()
    [1, 2, 2, 3, 3, 3]
    """
    from concurrent.futures import ThreadPoolExecutor, wait  # takes 3 ms, and short texts need no threads

    collector = _Collector(items, item_capacity, total_capacity)
    _logger.debug("running %d threads", threads)
    with ThreadPoolExecutor(threads) as pool:
        wait([pool.submit(collector.work, produce) for _thread in range(threads)])
    return collector.result()


class _Filled(NamedTuple):
    """A buffer of which the first `size` numbers are in use."""

    buffer: Int32Array
    size: int


class _Collector:
    """An array that threads fill in the order of their items, without waiting for each other."""

    def __init__(self, items: Iterable[Any], item_capacity: int, total_capacity: int) -> None:
        self._items = enumerate(items)
        self._item_capacity = item_capacity
        self._numbers = result_array(total_capacity)  # pages that are never written take no memory
        self._size = 0
        self._next = 0
        """The index of the item whose numbers are to be appended next."""
        self._early: dict[int, _Filled] = {}
        """The numbers of items that finished before their turn, by index."""
        self._spare: list[Int32Array] = []
        """Buffers for reuse: memory that was touched before is faster."""
        self._errors: dict[int, BaseException] = {}
        """The errors raised, by index."""
        self._lock = Lock()

    def work(self, produce: Callable[[Iterator[tuple[Any, Int32Array]]], Iterator[int]]) -> None:
        """Process items until none is left or a thread has failed."""
        index, buffer = -1, self._numbers

        def items() -> Iterator[tuple[Any, Int32Array]]:
            nonlocal index, buffer
            while (numbered := self._take()) is not None:
                index, item = numbered
                with self._lock:
                    buffer = self._spare.pop() if self._spare else np.empty(self._item_capacity, np.int32)
                yield item, buffer

        try:
            for size in produce(items()):
                self._hand_in(index, _Filled(buffer, size))
        except BaseException as error:
            with self._lock:
                self._errors[index] = error

    def _take(self) -> tuple[int, Any] | None:
        with self._lock:
            return None if self._errors else next(self._items, None)

    def _hand_in(self, index: int, filled: _Filled) -> None:
        """Append the numbers of an item and of later items that are ready, or keep them until their turn."""
        with self._lock:
            if index != self._next:
                self._early[index] = filled
                return
        following: _Filled | None = filled
        while following is not None:
            following = self._append(following)

    def _append(self, filled: _Filled) -> _Filled | None:
        """Append the numbers of the item whose turn it is. Return those of the next item if they are waiting.

        Only the thread that holds the turn gets here, so the copy itself needs no lock.
        """
        end = self._size + filled.size
        self._numbers[self._size : end] = filled.buffer[: filled.size]
        with self._lock:
            self._spare.append(filled.buffer)
            self._size = end
            self._next += 1
            return self._early.pop(self._next, None)

    def result(self) -> Int32Array:
        """Return all numbers, once every thread has finished."""
        if self._errors:
            raise self._errors[min(self._errors)]
        return self._numbers[: self._size]
