"""Pack a pair of symbols into a 64-bit number: the left symbol in the upper half, the right one in the lower."""

from typing import Final

SYMBOL_BITS: Final = 32
SYMBOL_MASK: Final = 0xFFFF_FFFF
