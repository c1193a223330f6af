"""Arithmetic on all 64 bits of a number, and tests on eight bytes at once (SWAR), loaded by `memory.load8`.

numba's own sums and products are undefined if they overflow a signed 64-bit integer: LLVM assumes that this never
happens, and may even drop a mask that would truncate the result. So use these functions for whatever may overflow.

The tests mark a byte by its highest bit. In plain Python, such a number may have more bits than in compiled code, or
another sign; only its lowest 64 bits count.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper

HIGH_BITS: Final = -0x7F7F_7F7F_7F7F_7F80  # 0x80 in every byte

INT63_MASK: Final = 0x7FFF_FFFF_FFFF_FFFF
_INT64_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
_LOW_BITS: Final = 0x7F7F_7F7F_7F7F_7F7F
_CASE_BITS: Final = 0x2020_2020_2020_2020
_EVERY_BYTE: Final = 0x0101_0101_0101_0101
# Added to bytes below 0x80, these set the highest bit of those that are at least `a` or `A`, or above `z` or `Z`.
_FROM_LOWER_A: Final = (0x80 - 0x61) * _EVERY_BYTE
_ABOVE_LOWER_Z: Final = (0x80 - 0x7B) * _EVERY_BYTE


def trailing_zeros(number: int) -> int:
    """Return how many zero bits are below the lowest one bit, or 64 for zero."""
    return (number & -number).bit_length() - 1 if number else 64


def wrapping_add(one: int, other: int) -> int:
    """Return a sum with correct lowest 64 bits."""
    return one + other


def wrapping_multiply(one: int, other: int) -> int:
    """Return the lowest 63 bits of a product."""
    return (one * other) & INT63_MASK


def folded_product(one: int, other: int) -> int:
    """Return the two halves of a 128-bit product combined by xor: 63 bits that depend on all bits of both factors.

    This is the mixing step of Wang Yi's hash function wyhash.
    """
    product = (one & _INT64_MASK) * (other & _INT64_MASK)
    return (product ^ (product >> 64)) & INT63_MASK


@helper
def leading_letters(eight: int) -> int:
    """Return how many of eight bytes come before the first that is not an ASCII letter."""
    folded = (eight & _LOW_BITS) | _CASE_BITS
    not_letters = ~wrapping_add(folded, _FROM_LOWER_A) | wrapping_add(folded, _ABOVE_LOWER_Z) | eight
    return trailing_zeros(not_letters & HIGH_BITS) >> 3


@helper
def count_high_bits(eight: int) -> int:
    """Return how many bytes have their highest bit set, in a number without other bits set."""
    return wrapping_multiply((eight >> 7) & _EVERY_BYTE, _EVERY_BYTE) >> 56
