"""The class of each character in GPT-2's expression, as the table that kernels look it up in."""

from functools import lru_cache

import numpy as np

from bpe_gui.engine.kernels.text.scanning import LETTER, NUMBER, OTHER, SPACE
from bpe_gui.engine.runtime.arrays import UInt8Array

from .expressions.dialects import PYTHON
from .expressions.unicode_data import property_set


@lru_cache(maxsize=1)
def unicode_classes() -> UInt8Array:
    """Return the class of each code point, as flags of `kernels.text.scanning`.

    >>> [int(unicode_classes()[ord(character)]) & LETTER for character in "a1 é中"]
    [1, 0, 0, 1, 1]
    """
    classes = np.full(0x110000, OTHER, np.uint8)
    for name, flag in (("gc=l", LETTER), ("gc=n", NUMBER), (r"\s", SPACE)):
        members = property_set(PYTHON.key, name)
        assert members is not None
        for first, last in members.ranges:
            classes[first : last + 1] = flag
    classes.flags.writeable = False
    return classes
