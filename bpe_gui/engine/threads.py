"""How many threads are worth it."""

import os
from typing import Final

_MOST: Final = 8  # more would wait for what they found to be put together


def threads_worth(size: int, each: int) -> int:
    """Threads for work of a size, of which `each` is worth a thread of its own.

    >>> threads_worth(10, 100)
    1
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, _MOST, size // each))
