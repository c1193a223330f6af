"""Locks that no child of a fork inherits while another thread holds them.

A child has one thread only. A lock that another thread of the parent holds would stay locked in it for ever, and what
that thread was changing would stay half changed. So a fork waits until it has all locks.
"""

import os
import time
from collections.abc import Iterable
from itertools import chain
from threading import RLock
from typing import Final, Never, Self
from weakref import ref

_MOST_SECONDS: Final = 10.0
"""How long a fork waits. What a thread was changing even then cannot be used in the child."""

_PAUSE: Final = 0.05  # seconds that the first attempt waits for a lock while having others


class ForkLock:
    """A lock that the thread which has it can take again, as a context.

    If it does not guard a state, a child can use it, whatever other threads of the parent did.

    >>> with ForkLock() as lock, lock:
    ...     pass
    """

    def __init__(self, *, guards_state: bool = True) -> None:
        self._held: RLock | _OutOfUse = RLock()
        self._guards_state = guards_state
        _locks.add(ref(self, _locks.discard))

    def __enter__(self) -> Self:
        self._held.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.release()

    def __reduce__(self) -> tuple[type["ForkLock"], tuple[()]]:
        return ForkLock, ()

    def was_taken(self, seconds: float) -> bool:
        """Take the lock if no other thread has it, or not for longer than `seconds`, and return whether that is so."""
        return self._held.acquire(timeout=seconds)

    def renew(self, *, was_free: bool) -> None:
        """Make it a lock that no thread has. If one had it, what it guards is half changed: taking it is an error."""
        self._held = RLock() if was_free or not self._guards_state else _OutOfUse()


class _OutOfUse:
    """Stands in a child for the lock of a thread that there is no more."""

    def acquire(self, *, timeout: float = -1) -> Never:
        """Raise RuntimeError."""
        raise RuntimeError(
            "Another thread was using this object when the process forked, so in this child it is half changed. Make a "
            "new one, or fork while no thread uses it."
        )

    release = acquire


_locks: Final[set[ref[ForkLock]]] = set()
_taken: Final[dict[ForkLock, None]] = {}


def _take_all() -> None:
    """Take all locks, waiting for each while having those before it; in the end, all that are free.

    A thread may have a lock that this waits for, and wait for one that this has. So after a pause all are given back,
    and the next attempt begins with the one that was waited for: soon the order is that in which threads take them.
    """
    end, pause = time.monotonic() + _MOST_SECONDS, _PAUSE
    first: dict[ForkLock, None] = {}
    while (lock := _take_each(first, end, pause)) is not None and time.monotonic() < end:
        _release_all()
        first = {lock: None} | first
        pause *= 2
    if lock is not None:
        _taken.update(dict.fromkeys(each for each in _others() if each.was_taken(0)))


def _take_each(first: Iterable[ForkLock], end: float, pause: float) -> ForkLock | None:
    """Take locks until there is no other, and return the one that another thread had for too long."""
    while others := _others():  # other threads may have made some since
        for lock in dict.fromkeys(each for each in chain(first, others) if each not in _taken):
            left = max(0.0, end - time.monotonic())
            if not lock.was_taken(min(left, pause) if _taken else left):
                return lock
            _taken[lock] = None
    return None


def _others() -> list[ForkLock]:
    """Return the locks that were not taken."""
    return [lock for each in list(_locks) if (lock := each()) is not None and lock not in _taken]


def _release_all() -> None:
    while _taken:
        _taken.popitem()[0].__exit__()


def _renew_all() -> None:
    for each in list(_locks):
        if (lock := each()) is not None:
            lock.renew(was_free=lock in _taken)
    _taken.clear()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_take_all, after_in_parent=_release_all, after_in_child=_renew_all)
