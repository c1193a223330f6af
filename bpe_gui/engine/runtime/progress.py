"""How long work says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the work done and the work to do: bytes, characters or merges. It may raise, to stop the work."""
