"""How many random examples a test tries, and whether it tries everything."""

from typing import Final

from hypothesis import settings

_THOROUGH: Final = 100
"""The examples of a test that names no number of its own, in the profile `thorough`."""


def examples(number: int) -> int:
    """Return how many examples a test tries: `number` in the profile `thorough`, a part of them in quicker profiles.

    >>> 0 < examples(500) <= 500
    True
    """
    return max(1, number * settings().max_examples // _THOROUGH)


def is_thorough() -> bool:
    """Return whether a test that can walk through all cases should do so, rather than only through some."""
    return settings().max_examples >= _THOROUGH
