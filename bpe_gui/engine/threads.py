"""How many threads are worth it, and what they find put together."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Any, Final, TypeVar

import numpy as np

from .kernels.records import Ints

Part = TypeVar("Part")

_MOST: Final = 8  # more would wait for what they found to be put together


def threads_worth(size: int, each: int) -> int:
    """Threads for work of a size, of which `each` is worth a thread of its own.

    >>> threads_worth(10, 100)
    1
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, _MOST, size // each))


def joined_in_order(
    find: Callable[[Iterator[Part]], Iterator[Ints]], parts: Iterable[Part], threads: int, room: int
) -> Ints:
    """What several threads find of parts, one after another; `room` numbers at most.

    Each thread calls `find` once, with the parts that it is to take, of each of which that yields what it found. Raises
    what was raised for the first part of those for which something was.

    >>> joined_in_order(lambda sizes: map(np.arange, sizes), [1, 2, 3], 2, 6).tolist()
    [0, 0, 1, 0, 1, 2]
    """
    joint = _Joint(parts, room)
    with ThreadPoolExecutor(threads) as pool:
        wait([pool.submit(joint.work, find) for _thread in range(threads)])
    return joint.numbers()


class _Joint:
    """Numbers that are put in their order while they are found. No thread waits for another."""

    def __init__(self, parts: Iterable[Any], room: int) -> None:
        self._parts = enumerate(parts)
        self._numbers = np.empty(room, np.int32)  # of which what is not needed is never touched
        self._size = 0
        self._turn = 0
        self._early: dict[int, Ints] = {}
        """By part: what was found of it before its turn."""
        self._errors: dict[int, BaseException] = {}
        self._lock = Lock()

    def work(self, find: Callable[[Iterator[Any]], Iterator[Ints]]) -> None:
        """Take parts as long as there are any, and nothing went wrong."""
        mine = -1

        def taken() -> Iterator[Any]:
            nonlocal mine
            while (next_part := self._take()) is not None:
                mine, part = next_part
                yield part

        try:
            for numbers in find(taken()):
                if self._is_turn_of(mine, numbers):
                    self._put(numbers)
        except BaseException as error:
            with self._lock:
                self._errors[mine] = error

    def _take(self) -> tuple[int, Any] | None:
        with self._lock:
            return None if self._errors else next(self._parts, None)

    def _is_turn_of(self, part: int, numbers: Ints) -> bool:
        """Whether all before this part is where it belongs; if not, its numbers are kept until then."""
        with self._lock:
            if part == self._turn:
                return True
            self._early[part] = numbers.copy()
            return False

    def _put(self, numbers: Ints | None) -> None:
        """Put the numbers of the part whose turn it is where they belong, and those that were waiting for that."""
        while numbers is not None:
            end = self._size + len(numbers)
            self._numbers[self._size : end] = numbers
            with self._lock:
                self._size = end
                self._turn += 1
                numbers = self._early.pop(self._turn, None)

    def numbers(self) -> Ints:
        """All that was found, when all have finished."""
        if self._errors:
            raise self._errors[min(self._errors)]
        self._numbers.resize(self._size, refcheck=False)
        return self._numbers
