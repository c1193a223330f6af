"""Arithmetic on all 64 bits, and questions about eight bytes at once, as numbers that `memory.load8` gives.

Where a sum or product of numba's own goes beyond 64 bits, anything may happen: the compiler takes it that none does,
and may leave out a mask that would cut it. What may go beyond uses the functions here.

Bytes are marked by their highest bit. In plain Python such a number may have more bits, or another sign, than in
compiled code; whoever asks looks at the lowest 64 bits alone.
"""

from typing import Any, Final

from bpe_gui.engine.runtime.jit import helper, replaced_by
from bpe_gui.engine.kernels.lowlevel.memory import POSITIVE
from bpe_gui.engine.kernels.training.records import Numbers

HIGH_BITS: Final = -0x7F7F_7F7F_7F7F_7F80  # 0x80 in every byte
_ALL_BITS: Final = 0xFFFF_FFFF_FFFF_FFFF
_LOW_BITS: Final = 0x7F7F_7F7F_7F7F_7F7F
_CASE_BITS: Final = 0x2020_2020_2020_2020
_EVERY: Final = 0x0101_0101_0101_0101
_TO_SMALL_A: Final = (0x80 - 0x61) * _EVERY  # added to bytes below 0x80, they set the highest bit of those from `a` on
_TO_CAPITAL_A: Final = (0x80 - 0x41) * _EVERY
_OVER_SMALL_Z: Final = (0x80 - 0x7B) * _EVERY
_OVER_CAPITAL_Z: Final = (0x80 - 0x5B) * _EVERY


def _install() -> None:
    """Tell numba to use the one instruction there is for each."""
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

    zeros = instruction(1, lambda builder, one: builder.cttz(one, ir.Constant(ir.IntType(1), 0)))
    plus = instruction(2, lambda builder, one, other: builder.add(one, other))
    times = instruction(2, lambda builder, one, other: builder.mul(one, other))

    def fetch(typing_context: Any, numbers: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
            function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
            address = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
            builder.call(function, [address, flag(0), flag(3), flag(1)])  # to read, to stay near, data
            return context.get_dummy_value()

        return numba.types.void(numbers, number), generate

    def fold(builder: Any, one: Any, other: Any) -> Any:
        long, half = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(one, long), builder.zext(other, long))
        upper = builder.trunc(builder.lshr(product, ir.Constant(long, 64)), half)
        return builder.xor(builder.trunc(product, half), upper)

    folded = instruction(2, fold)
    prefetching: Any = intrinsic(fetch)
    overload(prefetch)(lambda numbers, at: lambda numbers, at: prefetching(numbers, at))
    overload(trailing_zeros)(lambda one: lambda one: zeros(one))
    overload(add)(lambda one, other: lambda one, other: plus(one, other))
    overload(multiply)(lambda one, other: lambda one, other: times(one, other) & POSITIVE)
    overload(folded_product)(lambda one, other: lambda one, other: folded(one, other) & POSITIVE)


@replaced_by(_install)
def trailing_zeros(one: int) -> int:
    """How many of the 64 bits are zero below the lowest that is not."""
    return (one & -one).bit_length() - 1 if one else 64


@replaced_by(lambda: None)
def add(one: int, other: int) -> int:
    """A sum of which the lowest 64 bits are right."""
    return one + other


@replaced_by(lambda: None)
def multiply(one: int, other: int) -> int:
    """The lowest 63 bits of a product."""
    return (one * other) & POSITIVE


@replaced_by(lambda: None)
def folded_product(one: int, other: int) -> int:
    """The two halves of the product, which has 128 bits, in one: 63 bits that all depend on all bits of both."""
    product = (one & _ALL_BITS) * (other & _ALL_BITS)
    return (product ^ (product >> 64)) & POSITIVE


@replaced_by(lambda: None)
def prefetch(numbers: Numbers, at: int) -> None:
    """Have the processor fetch what will be asked for soon."""


@helper
def leading_letters(eight: int) -> int:
    """How many of the bytes are ASCII letters before the first that is not."""
    folded = (eight & _LOW_BITS) | _CASE_BITS
    return trailing_zeros((~add(folded, _TO_SMALL_A) | add(folded, _OVER_SMALL_Z) | eight) & HIGH_BITS) >> 3


@helper
def leading_capitals(eight: int) -> int:
    """How many of the bytes are ASCII capital letters before the first that is not."""
    seven = eight & _LOW_BITS
    return trailing_zeros((~add(seven, _TO_CAPITAL_A) | add(seven, _OVER_CAPITAL_Z) | eight) & HIGH_BITS) >> 3


@helper
def leading_small_letters(eight: int) -> int:
    """How many of the bytes are ASCII small letters before the first that is not."""
    seven = eight & _LOW_BITS
    return trailing_zeros((~add(seven, _TO_SMALL_A) | add(seven, _OVER_SMALL_Z) | eight) & HIGH_BITS) >> 3


@helper
def count_marks(eight: int) -> int:
    """How many bytes are marked by their highest bit, which is the only one they have."""
    return multiply((eight >> 7) & _EVERY, _EVERY) >> 56
