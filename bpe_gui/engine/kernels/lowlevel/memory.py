"""Load, store, copy and prefetch several bytes at once; all other memory access is item by item.

A buffer that is loaded from in this way is padded: `PADDING` bytes follow the last byte of its content, so that no load
reads beyond its end. With numba's bounds checking switched on, that is checked.
"""

from collections.abc import Callable
from typing import Any, Final

from bpe_gui.engine.compilation.kernel import overloads
from bpe_gui.engine.runtime.arrays import AnyArray, Int32Array

from .packing import SYMBOL_BITS, SYMBOL_MASK

PADDING: Final = 32
"""Bytes that have to follow the content of a buffer from which several bytes are loaded at once."""

COPY_LANES: Final = 8
"""The numbers that `copy8` copies."""


def load8(buffer: AnyArray, at: int) -> int:
    """Return the eight bytes from offset `at` on as a signed little-endian number, by one unaligned load."""
    return int.from_bytes(buffer[at : at + 8], "little", signed=True)


def store8(buffer: AnyArray, at: int, value: int) -> None:
    """Store eight bytes that `load8` returned at offset `at`, by one unaligned store."""
    buffer[at : at + 8] = value.to_bytes(8, "little", signed=True)


def store_packed_pair(numbers: Int32Array, at: int, pair: int) -> None:
    """Store the lower half of `pair` at index `at` and the upper half after it, neither of which is negative."""
    numbers[at], numbers[at + 1] = pair & SYMBOL_MASK, pair >> SYMBOL_BITS


def copy8(source: Int32Array, at: int, target: Int32Array, to: int) -> None:
    """Copy eight numbers from index `at` of an array to index `to` of another, by one vector load and store."""
    target[to : to + COPY_LANES] = source[at : at + COPY_LANES]


def copy_bytes(text: AnyArray, start: int, end: int, to: int) -> None:
    """Copy the bytes between two offsets of a buffer to a later offset; source and target do not overlap."""
    text[to : to + end - start] = text[start:end]


def prefetch(numbers: AnyArray, at: int) -> None:
    """Have the processor fetch the cache line of an item that will be needed soon, even beyond the end of the array."""


def _instruction(build: Callable[..., Any]) -> Any:
    """Return a code generator for an intrinsic whose body `build` emits.

    `build` gets llvmlite's builder, a function `address(argument, kind)`, and the last argument. `address` gives a
    pointer of some kind to the item of the array with that argument number whose index is the next argument.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def address(argument: int, kind: Any) -> Any:
            data = builder.extract_value(arguments[argument], 0)
            return builder.bitcast(builder.gep(data, [arguments[argument + 1]]), kind.as_pointer())

        result = build(builder, address, arguments[-1])
        return context.get_dummy_value() if result is None else result

    return generate


@overloads
def _install_accesses() -> None:
    """Have numba load, store, copy and prefetch with one instruction each, whatever the alignment."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    number, nothing = numba.types.int64, numba.types.void
    byte, eight_bytes, eight_numbers = ir.IntType(8), ir.IntType(64), ir.VectorType(ir.IntType(32), COPY_LANES)
    is_checked = bool(vars(numba.config)["BOUNDSCHECK"])

    def build_load(builder: Any, address: Any, _at: Any) -> Any:
        return builder.load(address(0, eight_bytes), align=1)

    def build_store(builder: Any, address: Any, value: Any) -> None:
        builder.store(value, address(0, eight_bytes), align=1)

    def build_copy(builder: Any, address: Any, _to: Any) -> None:
        builder.store(builder.load(address(0, eight_numbers), align=4), address(2, eight_numbers), align=4)

    def build_prefetch(builder: Any, address: Any, _at: Any) -> None:
        pointer, flag = byte.as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        builder.call(function, [address(0, byte), flag(0), flag(3), flag(1)])  # to read, keep in all caches, data

    def typed_load(context: Any, buffer: Any, at: Any) -> Any:
        return number(buffer, number), _instruction(build_load)

    def typed_store(context: Any, buffer: Any, at: Any, value: Any) -> Any:
        return nothing(buffer, number, number), _instruction(build_store)

    def typed_copy(context: Any, source: Any, at: Any, target: Any, to: Any) -> Any:
        return nothing(source, number, target, number), _instruction(build_copy)

    def typed_prefetch(context: Any, numbers: Any, at: Any) -> Any:
        return nothing(numbers, number), _instruction(build_prefetch)

    load: Any = intrinsic(typed_load)
    store: Any = intrinsic(typed_store)
    copy: Any = intrinsic(typed_copy)
    fetch: Any = intrinsic(typed_prefetch)

    # An item that is read and dropped checks the bounds; where they are not checked, it must not be read at all.
    @overload(load8)
    def choose_load(buffer: Any, at: Any) -> Any:
        def checked(buffer: Any, at: Any) -> Any:
            buffer[at], buffer[at + 7]
            return load(buffer, at)

        def unchecked(buffer: Any, at: Any) -> Any:
            return load(buffer, at)

        return checked if is_checked else unchecked

    @overload(store8)
    def choose_store(buffer: Any, at: Any, value: Any) -> Any:
        def checked(buffer: Any, at: Any, value: Any) -> Any:
            buffer[at], buffer[at + 7]
            return store(buffer, at, value)

        def unchecked(buffer: Any, at: Any, value: Any) -> Any:
            return store(buffer, at, value)

        return checked if is_checked else unchecked

    @overload(store_packed_pair)
    def choose_pair_store(numbers: Any, at: Any, pair: Any) -> Any:
        def checked(numbers: Any, at: Any, pair: Any) -> Any:
            numbers[at], numbers[at + 1]
            return store(numbers, at, pair)

        def unchecked(numbers: Any, at: Any, pair: Any) -> Any:
            return store(numbers, at, pair)

        return checked if is_checked else unchecked

    @overload(copy8)
    def choose_copy(source: Any, at: Any, target: Any, to: Any) -> Any:
        def checked(source: Any, at: Any, target: Any, to: Any) -> Any:
            source[at], source[at + 7], target[to], target[to + 7]
            return copy(source, at, target, to)

        def unchecked(source: Any, at: Any, target: Any, to: Any) -> Any:
            return copy(source, at, target, to)

        return checked if is_checked else unchecked

    overload(prefetch)(lambda numbers, at: lambda numbers, at: fetch(numbers, at))


@overloads
def _install_copy_bytes() -> None:
    """Have numba copy bytes in a loop, which LLVM vectorises; slices would need its reference counting."""
    from numba.extending import overload

    @overload(copy_bytes)
    def choose_copy_bytes(text: Any, start: Any, end: Any, to: Any) -> Any:
        def copy(text: Any, start: Any, end: Any, to: Any) -> None:
            for i in range(end - start):
                text[to + i] = text[start + i]

        return copy
