"""The callback by which long work reports its progress."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the work done and the total work, in bytes, characters or merges. It may raise to cancel the work."""
