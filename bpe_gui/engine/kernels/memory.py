"""Many bytes at once: the only place in which a kernel uses memory other than item by item.

Buffers that are read so are padded: `PADDING` bytes follow the last that may be asked for, so that no read goes over
the end. With numba's checking of bounds switched on, this is checked as well.
"""

from typing import Any, Final

import numpy.typing as npt

from .compiling import replaced_by
from .records import SYMBOL_BITS, SYMBOL_MASK, Ints

PADDING: Final = 32
"""Bytes that have to follow the last byte of a buffer that is read many at a time."""

POSITIVE: Final = 0x7FFF_FFFF_FFFF_FFFF
"""Cuts a product to 63 bits: the same in compiled code, which keeps 64, as in Python, which keeps all."""


def _install() -> None:
    """Tell numba to load and store eight bytes with one instruction, wherever they begin."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    def load(typing_context: Any, buffer: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
            return builder.load(address, align=1)

        return numba.types.int64(buffer, numba.types.int64), generate

    def store(typing_context: Any, buffer: Any, at: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
            builder.store(arguments[2], address, align=1)
            return context.get_dummy_value()

        number = numba.types.int64
        return numba.types.void(buffer, number, number), generate

    load_unchecked: Any = intrinsic(load)
    store_unchecked: Any = intrinsic(store)

    def load_checked(buffer: Any, at: Any) -> Any:
        buffer[at], buffer[at + 7]
        return load_unchecked(buffer, at)

    def chosen(buffer: Any, at: Any) -> Any:
        def load_it(buffer: Any, at: Any) -> Any:
            return load_unchecked(buffer, at)

        return load_checked if checked else load_it

    def store_checked(buffer: Any, at: Any, value: Any) -> Any:
        buffer[at], buffer[at + 7]
        return store_unchecked(buffer, at, value)

    def chosen_store(buffer: Any, at: Any, value: Any) -> Any:
        def store_it(buffer: Any, at: Any, value: Any) -> Any:
            return store_unchecked(buffer, at, value)

        return store_checked if checked else store_it

    checked = bool(vars(numba.config)["BOUNDSCHECK"])
    overload(load8)(chosen)
    overload(store8)(chosen_store)


@replaced_by(_install)
def load8(buffer: "npt.NDArray[Any]", at: int) -> int:
    """The eight bytes from `at` on as a number, the first byte lowest. Raises IndexError in checked code."""
    return int.from_bytes(buffer[at : at + 8], "little", signed=True)


@replaced_by(lambda: None)
def store8(buffer: "npt.NDArray[Any]", at: int, value: int) -> None:
    """Write eight bytes that `load8` gave. Raises IndexError in checked code."""
    buffer[at : at + 8] = value.to_bytes(8, "little", signed=True)


def _install_store_two() -> None:
    """Tell numba to store two numbers of 32 bits with one instruction."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    def store(typing_context: Any, numbers: Any, at: Any, two: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
            builder.store(arguments[2], address, align=4)
            return context.get_dummy_value()

        number = numba.types.int64
        return numba.types.void(numbers, number, number), generate

    store_unchecked: Any = intrinsic(store)

    def store_checked(numbers: Any, at: Any, two: Any) -> Any:
        numbers[at], numbers[at + 1]
        return store_unchecked(numbers, at, two)

    def store_it(numbers: Any, at: Any, two: Any) -> Any:
        return store_unchecked(numbers, at, two)

    def chosen(numbers: Any, at: Any, two: Any) -> Any:
        return store_checked if vars(numba.config)["BOUNDSCHECK"] else store_it

    overload(store_two)(chosen)


@replaced_by(_install_store_two)
def store_two(numbers: Ints, at: int, two: int) -> None:
    """Write two numbers of 32 bits, which are not negative, the lower one of `two` first."""
    numbers[at], numbers[at + 1] = two & SYMBOL_MASK, two >> SYMBOL_BITS


def _install_copy() -> None:
    """Tell numba to copy in a loop, which it makes fast; of slices it would have to keep account."""
    from numba.extending import overload

    @overload(copy_bytes)
    def chosen(text: Any, begin: Any, end: Any, at: Any) -> Any:
        def copy(text: Any, begin: Any, end: Any, at: Any) -> None:
            for i in range(end - begin):
                text[at + i] = text[begin + i]

        return copy


@replaced_by(_install_copy)
def copy_bytes(text: "npt.NDArray[Any]", begin: int, end: int, at: int) -> None:
    """Copy a part of a text to a place further on that does not overlap it."""
    text[at : at + end - begin] = text[begin:end]
