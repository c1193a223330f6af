"""Locks that no child of a fork inherits while another thread holds them.

A child has one thread only. A lock that another thread of the parent holds would stay locked in it for ever, and what
that thread was changing would stay half changed. So a fork waits a moment until all locks are free.
"""

import os
import time
from threading import RLock
from typing import Final, Self
from weakref import WeakSet

_MOST_SECONDS: Final = 2.0
"""How long a fork waits; after that, the locks of the child are new, whatever they guarded."""

_PAUSE: Final = 0.001  # seconds between attempts


class ForkLock:
    """A lock that the thread which has it can take again, as a context.

    >>> with ForkLock() as lock, lock:
    ...     pass
    """

    def __init__(self) -> None:
        self._held = RLock()
        _locks.add(self)

    def __enter__(self) -> Self:
        self._held.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.release()

    def __reduce__(self) -> tuple[type["ForkLock"], tuple[()]]:
        return ForkLock, ()

    def try_to_take(self) -> bool:
        """Take the lock if no other thread has it, and return whether that is so."""
        return self._held.acquire(blocking=False)

    def renew(self) -> None:
        """Make it a lock that no thread has."""
        self._held = RLock()


_locks: Final[WeakSet[ForkLock]] = WeakSet()
_taken: Final[list[ForkLock]] = []


def _take_all() -> None:
    """Take all locks at the same time, without waiting for one while having others, or none if that takes too long."""
    end = time.monotonic() + _MOST_SECONDS
    while not _took_all() and time.monotonic() < end:
        time.sleep(_PAUSE)


def _took_all() -> bool:
    for lock in list(_locks):
        if not lock.try_to_take():
            _release_all()
            return False
        _taken.append(lock)
    return True


def _release_all() -> None:
    while _taken:
        _taken.pop().__exit__()


def _renew_all() -> None:
    _taken.clear()
    for lock in list(_locks):
        lock.renew()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_take_all, after_in_parent=_release_all, after_in_child=_renew_all)
