"""How many threads are worth it, and what they find put together."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from bpe_gui.engine.kernels.training.records import Ints

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
    find: Callable[[Iterator[tuple[Part, Ints]]], Iterator[int]],
    parts: Iterable[Part],
    threads: int,
    most: int,
    room: int,
) -> Ints:
    """What several threads find of parts, one after another; `most` numbers of a part, and `room` in all, at most.

    Each thread calls `find` once, with the parts that it is to take, and for each an array to write into what it finds;
    it yields how many numbers these are. Raises what was raised for the first part of those for which something was.

    >>> def find(parts):
    ...     for size, numbers in parts:
    ...         numbers[:size] = size
    ...         yield size
    >>> joined_in_order(find, [1, 2, 3], 2, 3, 6).tolist()
    [1, 2, 2, 3, 3, 3]
    """
    joint = _Joint(parts, most, room)
    with ThreadPoolExecutor(threads) as pool:
        wait([pool.submit(joint.work, find) for _thread in range(threads)])
    return joint.numbers()


class _Found(NamedTuple):
    """What was found of a part: the first so many of some numbers."""

    numbers: Ints
    size: int


class _Joint:
    """Numbers that are put in their order while they are found. No thread waits for another."""

    def __init__(self, parts: Iterable[Any], most: int, room: int) -> None:
        self._parts = enumerate(parts)
        self._most = most
        self._numbers = np.empty(room, np.int32)  # of which what is not needed is never touched
        self._size = 0
        self._turn = 0
        self._early: dict[int, _Found] = {}
        """By part: what was found of it before its turn."""
        self._spare: list[Ints] = []
        """Arrays that were written into, and can be again: memory that was used before is quicker."""
        self._errors: dict[int, BaseException] = {}
        self._lock = Lock()

    def work(self, find: Callable[[Iterator[tuple[Any, Ints]]], Iterator[int]]) -> None:
        """Take parts as long as there are any, and nothing went wrong."""
        mine, numbers = -1, self._numbers

        def taken() -> Iterator[tuple[Any, Ints]]:
            nonlocal mine, numbers
            while (next_part := self._take()) is not None:
                mine, part = next_part
                numbers = self._spare_array()
                yield part, numbers

        try:
            for size in find(taken()):
                self._hand_in(mine, _Found(numbers, size))
        except BaseException as error:
            with self._lock:
                self._errors[mine] = error

    def _take(self) -> tuple[int, Any] | None:
        with self._lock:
            return None if self._errors else next(self._parts, None)

    def _spare_array(self) -> Ints:
        with self._lock:
            return self._spare.pop() if self._spare else np.empty(self._most, np.int32)

    def _hand_in(self, part: int, found: _Found) -> None:
        """Put what was found where it belongs, with what was waiting for that; or keep it until its turn."""
        with self._lock:
            if part != self._turn:
                self._early[part] = found
                return
        next_one: _Found | None = found
        while next_one is not None:
            next_one = self._put(next_one)

    def _put(self, found: _Found) -> _Found | None:
        """Put what was found of the part whose turn it is where it belongs. Returns what waits to be the next."""
        end = self._size + found.size
        self._numbers[self._size : end] = found.numbers[: found.size]
        with self._lock:
            self._spare.append(found.numbers)
            self._size = end
            self._turn += 1
            return self._early.pop(self._turn, None)

    def numbers(self) -> Ints:
        """All that was found, when all have finished."""
        if self._errors:
            raise self._errors[min(self._errors)]
        self._numbers.resize(self._size, refcheck=False)
        return self._numbers
