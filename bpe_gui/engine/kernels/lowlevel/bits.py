"""Arithmetic on all 64 bits of a number, and tests on eight bytes at once (SWAR), loaded by `memory.load8`.

numba's own sums and products are undefined when they overflow a signed 64-bit integer: LLVM assumes that this never
happens, and may even drop a mask that would truncate the result. Whatever may overflow uses the functions here.

The tests mark a byte by its highest bit. In plain Python such a number may have more bits, or another sign, than in
compiled code; only its lowest 64 bits count.
"""

from typing import Any, Final

from bpe_gui.engine.compilation.kernel import helper, overloads

HIGH_BITS: Final = -0x7F7F_7F7F_7F7F_7F80  # 0x80 in every byte

_INT63_MASK: Final = 0x7FFF_FFFF_FFFF_FFFF
_INT64_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
_LOW_BITS: Final = 0x7F7F_7F7F_7F7F_7F7F
_CASE_BITS: Final = 0x2020_2020_2020_2020
_EVERY_BYTE: Final = 0x0101_0101_0101_0101
# Added to bytes below 0x80, these set the highest bit of those that are at least `a` or `A`, or above `z` or `Z`.
_FROM_LOWER_A: Final = (0x80 - 0x61) * _EVERY_BYTE
_FROM_UPPER_A: Final = (0x80 - 0x41) * _EVERY_BYTE
_ABOVE_LOWER_Z: Final = (0x80 - 0x7B) * _EVERY_BYTE
_ABOVE_UPPER_Z: Final = (0x80 - 0x5B) * _EVERY_BYTE


def trailing_zeros(number: int) -> int:
    """Return how many of the 64 bits are zero below the lowest one bit; 64 for zero."""
    return (number & -number).bit_length() - 1 if number else 64


def wrapping_add(one: int, other: int) -> int:
    """Return a sum whose lowest 64 bits are right."""
    return one + other


def wrapping_multiply(one: int, other: int) -> int:
    """Return the lowest 63 bits of a product."""
    return (one * other) & _INT63_MASK


def folded_product(one: int, other: int) -> int:
    """Return the two halves of a 128-bit product combined by xor: 63 bits that depend on all bits of both factors.

    This is the mixing step of Wang Yi's hash function wyhash.
    """
    product = (one & _INT64_MASK) * (other & _INT64_MASK)
    return (product ^ (product >> 64)) & _INT63_MASK


@overloads
def _install() -> None:
    """Have numba use one instruction, or few, for each of these."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    number = numba.types.int64

    def instruction(arity: int, build: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return build(builder, *arguments)

        def unary(typing_context: Any, one: Any) -> Any:
            return number(number), generate

        def binary(typing_context: Any, one: Any, other: Any) -> Any:
            return number(number, number), generate

        return intrinsic(unary if arity == 1 else binary)

    def fold(builder: Any, one: Any, other: Any) -> Any:
        whole, half = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(one, whole), builder.zext(other, whole))
        upper = builder.trunc(builder.lshr(product, ir.Constant(whole, 64)), half)
        return builder.xor(builder.trunc(product, half), upper)

    zeros = instruction(1, lambda builder, one: builder.cttz(one, ir.Constant(ir.IntType(1), 0)))
    add = instruction(2, lambda builder, one, other: builder.add(one, other))
    multiply = instruction(2, lambda builder, one, other: builder.mul(one, other))
    folded = instruction(2, fold)
    overload(trailing_zeros)(lambda number: lambda number: zeros(number))
    overload(wrapping_add)(lambda one, other: lambda one, other: add(one, other))
    overload(wrapping_multiply)(lambda one, other: lambda one, other: multiply(one, other) & _INT63_MASK)
    overload(folded_product)(lambda one, other: lambda one, other: folded(one, other) & _INT63_MASK)


@helper
def leading_letters(eight: int) -> int:
    """Return how many of eight bytes are ASCII letters before the first that is not."""
    folded = (eight & _LOW_BITS) | _CASE_BITS
    not_letters = ~wrapping_add(folded, _FROM_LOWER_A) | wrapping_add(folded, _ABOVE_LOWER_Z) | eight
    return trailing_zeros(not_letters & HIGH_BITS) >> 3


@helper
def leading_uppercase(eight: int) -> int:
    """Return how many of eight bytes are ASCII uppercase letters before the first that is not."""
    low = eight & _LOW_BITS
    not_upper = ~wrapping_add(low, _FROM_UPPER_A) | wrapping_add(low, _ABOVE_UPPER_Z) | eight
    return trailing_zeros(not_upper & HIGH_BITS) >> 3


@helper
def leading_lowercase(eight: int) -> int:
    """Return how many of eight bytes are ASCII lowercase letters before the first that is not."""
    low = eight & _LOW_BITS
    not_lower = ~wrapping_add(low, _FROM_LOWER_A) | wrapping_add(low, _ABOVE_LOWER_Z) | eight
    return trailing_zeros(not_lower & HIGH_BITS) >> 3


@helper
def count_high_bits(eight: int) -> int:
    """Return how many bytes have their highest bit set, in a number that has no other bits set."""
    return wrapping_multiply((eight >> 7) & _EVERY_BYTE, _EVERY_BYTE) >> 56
