"""A lock by which the UI thread reads an object that a worker thread keeps changing."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock


class Turns:
    """A lock for two threads, of which the reading one never waits for more than one change.

    The worker thread makes its changes in short pieces, each in a `with turns.work():` block. The UI thread reads the
    object in a `with turns.look():` block, which begins when the present piece ends; the next piece begins when the
    block has ended. A plain `Lock` would not do: it is not fair, so the worker could take it again and again before
    the waiting UI thread wakes up.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._may_work = Event()
        self._may_work.set()

    @contextmanager
    def work(self) -> Iterator[None]:
        """Hold the lock in the worker thread, as soon as the UI thread does not want it."""
        self._may_work.wait()
        with self._lock:
            yield

    @property
    def is_look_wanted(self) -> bool:
        """Whether the UI thread waits for the present piece of work to end, or reads."""
        return not self._may_work.is_set()

    @contextmanager
    def look(self) -> Iterator[None]:
        """Hold the lock in the UI thread, as soon as the present piece of work has ended."""
        self._may_work.clear()
        try:
            with self._lock:
                yield
        finally:
            self._may_work.set()
