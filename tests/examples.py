"""How many random examples a test tries."""

from typing import Final

from hypothesis import settings

_FULL: Final = 100
"""The examples of a test that names no number of its own, in the profile `full`."""


def examples(number: int) -> int:
    """Return the number of examples of a test: all of them in the profile `full`, a part in profiles that are quicker.

    >>> 0 < examples(500) <= 500
    True
    """
    return max(1, number * settings().max_examples // _FULL)
