"""The class of each code point, as the patterns of the splitters see it."""

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
import regex

from bpe_gui.engine.kernels.text import scanning

_CODE_POINTS: Final = 0x110000

_CLASSES: Final = (
    (r"[\p{Lu}\p{Lt}]+", scanning.LETTER | scanning.CAPITAL),
    (r"\p{Ll}+", scanning.LETTER | scanning.SMALL),
    (r"[\p{Lm}\p{Lo}]+", scanning.LETTER | scanning.CAPITAL | scanning.SMALL),
    (r"\p{N}+", scanning.NUMBER),
    (r"\p{M}+", scanning.OTHER | scanning.CAPITAL | scanning.SMALL),
    (r"\s+", scanning.SPACE),
    (r"[\r\n]+", scanning.SPACE | scanning.NEWLINE),
    (r" ", scanning.SPACE | scanning.BLANK),
)
_LOOKED_AT: Final = (r"\P{C}+", r"\s+")
"""What may be in one of these classes. Most code points are not even assigned; the patterns are spared them."""


@lru_cache(maxsize=1)
def unicode_classes() -> npt.NDArray[np.uint8]:
    """The class of each code point: what `regex` says, since its patterns are what the scanners have to equal.

    >>> [int(unicode_classes()[ord(character)]) & scanning.LETTER for character in "a1 é中"]
    [1, 0, 0, 1, 1]
    """
    everything = np.arange(_CODE_POINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    characters = "".join(run for pattern in _LOOKED_AT for run in regex.findall(pattern, everything))
    codes = np.frombuffer(characters.encode("utf-32-le"), "<u4")
    classes = np.full(_CODE_POINTS, scanning.OTHER, np.uint8)
    for pattern, kind in _CLASSES:
        for match in regex.finditer(pattern, characters):
            classes[codes[match.start() : match.end()]] = kind
    classes.flags.writeable = False
    return classes
