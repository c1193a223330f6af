"""Many bytes at once: the only place in which a kernel uses memory other than item by item.

Buffers that are read so are padded: `PADDING` bytes follow the last that may be asked for, so that no read goes over
the end. With numba's checking of bounds switched on, this is checked as well.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy.typing as npt

from bpe_gui.engine.runtime.jit import replaced_by
from bpe_gui.engine.kernels.training.records import SYMBOL_BITS, SYMBOL_MASK, Ints

PADDING: Final = 32
"""Bytes that have to follow the last byte of a buffer that is read many at a time."""

POSITIVE: Final = 0x7FFF_FFFF_FFFF_FFFF
"""Cuts a product to 63 bits: the same in compiled code, which keeps 64, as in Python, which keeps all."""


def _moved_by_one_instruction(build: Callable[..., Any]) -> Any:
    """What numba generates, given what llvmlite's builder is to do: `build` gets that, by number of an argument, which
    is an array that a place in it follows, and by kind, the address, and the last argument."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def address(argument: int, kind: Any) -> Any:
            array = context.make_array(signature.args[argument])(context, builder, arguments[argument])
            return builder.bitcast(builder.gep(array.data, [arguments[argument + 1]]), kind.as_pointer())

        result = build(builder, address, arguments[-1])
        return context.get_dummy_value() if result is None else result

    return generate


def _install() -> None:
    """Tell numba to load, store and copy with one instruction, wherever in memory it is."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    number, nothing = numba.types.int64, numba.types.void
    eight_bytes, eight_numbers = ir.IntType(64), ir.VectorType(ir.IntType(32), 8)
    is_checked = bool(vars(numba.config)["BOUNDSCHECK"])

    def load(builder: Any, address: Any, _at: Any) -> Any:
        return builder.load(address(0, eight_bytes), align=1)

    def store(builder: Any, address: Any, value: Any) -> None:
        builder.store(value, address(0, eight_bytes), align=1)

    def copy(builder: Any, address: Any, _place: Any) -> None:
        builder.store(builder.load(address(0, eight_numbers), align=4), address(2, eight_numbers), align=4)

    def load_typed(context: Any, buffer: Any, at: Any) -> Any:
        return number(buffer, number), _moved_by_one_instruction(load)

    def store_typed(context: Any, buffer: Any, at: Any, value: Any) -> Any:
        return nothing(buffer, number, number), _moved_by_one_instruction(store)

    def copy_typed(context: Any, numbers: Any, at: Any, out: Any, place: Any) -> Any:
        return nothing(numbers, number, out, number), _moved_by_one_instruction(copy)

    loading: Any = intrinsic(load_typed)
    storing: Any = intrinsic(store_typed)
    copying: Any = intrinsic(copy_typed)

    @overload(load8)
    def load_eight(buffer: Any, at: Any) -> Any:
        def checked(buffer: Any, at: Any) -> Any:
            buffer[at], buffer[at + 7]
            return loading(buffer, at)

        def unchecked(buffer: Any, at: Any) -> Any:
            return loading(buffer, at)

        return checked if is_checked else unchecked

    @overload(store8)
    def store_eight(buffer: Any, at: Any, value: Any) -> Any:
        def checked(buffer: Any, at: Any, value: Any) -> Any:
            buffer[at], buffer[at + 7]
            return storing(buffer, at, value)

        def unchecked(buffer: Any, at: Any, value: Any) -> Any:
            return storing(buffer, at, value)

        return checked if is_checked else unchecked

    @overload(store_two)
    def store_both(numbers: Any, at: Any, two: Any) -> Any:
        def checked(numbers: Any, at: Any, two: Any) -> Any:
            numbers[at], numbers[at + 1]
            return storing(numbers, at, two)

        def unchecked(numbers: Any, at: Any, two: Any) -> Any:
            return storing(numbers, at, two)

        return checked if is_checked else unchecked

    @overload(copy_eight)
    def copy_all(numbers: Any, at: Any, out: Any, place: Any) -> Any:
        def checked(numbers: Any, at: Any, out: Any, place: Any) -> Any:
            numbers[at], numbers[at + 7], out[place], out[place + 7]
            return copying(numbers, at, out, place)

        def unchecked(numbers: Any, at: Any, out: Any, place: Any) -> Any:
            return copying(numbers, at, out, place)

        return checked if is_checked else unchecked


@replaced_by(_install)
def load8(buffer: "npt.NDArray[Any]", at: int) -> int:
    """The eight bytes from `at` on as a number, the first byte lowest. Raises IndexError in checked code."""
    return int.from_bytes(buffer[at : at + 8], "little", signed=True)


@replaced_by(lambda: None)
def store8(buffer: "npt.NDArray[Any]", at: int, value: int) -> None:
    """Write eight bytes that `load8` gave. Raises IndexError in checked code."""
    buffer[at : at + 8] = value.to_bytes(8, "little", signed=True)


@replaced_by(lambda: None)
def store_two(numbers: Ints, at: int, two: int) -> None:
    """Write two numbers of 32 bits, which are not negative, the lower one of `two` first."""
    numbers[at], numbers[at + 1] = two & SYMBOL_MASK, two >> SYMBOL_BITS


@replaced_by(lambda: None)
def copy_eight(numbers: Ints, at: int, out: Ints, place: int) -> None:
    """Copy eight numbers of 32 bits to another array, from place to place."""
    out[place : place + 8] = numbers[at : at + 8]


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
