"""Questions to several numbers of an array at once, each answered by a few instructions of the processor.

All that are asked have to be inside the array. With numba's checking of bounds switched on, this is checked.
"""

from collections.abc import Callable
from typing import Any, Final

from bpe_gui.engine.runtime.jit import replaced_by
from bpe_gui.engine.kernels.training.records import Bytes, Ints, Longs

EIGHT: Final = 8
SIXTEEN: Final = 16
THIRTY_TWO: Final = 32

NUMBER_BITS: Final = 21
"""The lower bits of numbers, which hold a number of their own."""

_MOST: Final = 0x7FFF_FFFF  # the greatest number of 32 bits


def _answered_by(question: Any, size: int, build: Callable[..., Any]) -> None:
    """Tell numba to answer a question to `size` numbers from a place on, and perhaps another number, by `build`.

    That gets llvmlite's builder, the numbers as a vector, and what else was given, and gives a number of 64 bits.
    """
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        item = array.data.type.pointee
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.VectorType(item, size).as_pointer())
        return build(builder, builder.load(address, align=item.width // 8), arguments[2])

    def typed(typing_context: Any, numbers: Any, at: Any, other: Any) -> Any:
        number = numba.types.int64
        return number(numbers, number, number), generate

    unchecked: Any = intrinsic(typed)

    def check_and_ask(numbers: Any, at: Any, other: Any) -> Any:
        numbers[at], numbers[at + size - 1]
        return unchecked(numbers, at, other)

    def ask(numbers: Any, at: Any, other: Any) -> Any:
        return unchecked(numbers, at, other)

    def chosen(numbers: Any, at: Any, other: Any) -> Any:
        return check_and_ask if vars(numba.config)["BOUNDSCHECK"] else ask

    overload(question)(chosen)


def _all(builder: Any, number: Any, size: int) -> Any:
    """A vector of `size` times a number."""
    from llvmlite import ir

    kind, place = ir.VectorType(number.type, size), ir.IntType(32)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(place, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(place, size), [0] * size))


def _install_find() -> None:
    from llvmlite import ir

    def build(builder: Any, numbers: Any, wanted: Any) -> Any:
        distances = builder.sub(numbers, _all(builder, wanted, EIGHT))
        limits = ir.Constant(distances.type, [1 << NUMBER_BITS] * EIGHT)
        marks = builder.bitcast(builder.icmp_unsigned("<", distances, limits), ir.IntType(EIGHT))
        marks = builder.or_(builder.zext(marks, ir.IntType(64)), ir.Constant(ir.IntType(64), 1 << EIGHT))
        return builder.cttz(marks, ir.Constant(ir.IntType(1), 1))

    _answered_by(find_in_eight, EIGHT, build)


@replaced_by(_install_find)
def find_in_eight(numbers: Longs, at: int, wanted: int) -> int:
    """Which of eight numbers from `at` on is the first that is `wanted` but for its lower `NUMBER_BITS`, from 0 on; or
    8 if none is."""
    for i in range(EIGHT):
        if 0 <= numbers[at + i] - wanted < 1 << NUMBER_BITS:
            return i
    return EIGHT


def _install_least() -> None:
    from llvmlite import ir
    from numba.core import cgutils

    declared: Any = cgutils.get_or_insert_function

    def build(builder: Any, numbers: Any, count: Any) -> Any:
        short, long = ir.IntType(32), ir.IntType(64)
        kind = ir.VectorType(short, SIXTEEN)
        places = ir.Constant(kind, list(range(SIXTEEN)))
        asked = builder.icmp_signed("<", places, _all(builder, builder.trunc(count, short), SIXTEEN))
        others = ir.Constant(kind, [_MOST] * SIXTEEN)
        function = ir.FunctionType(short, [kind])
        least = declared(builder.module, function, f"llvm.vector.reduce.smin.v{SIXTEEN}i32")
        return builder.sext(builder.call(least, [builder.select(asked, numbers, others)]), long)

    _answered_by(least_of_sixteen, SIXTEEN, build)


@replaced_by(_install_least)
def least_of_sixteen(numbers: Ints, at: int, count: int) -> int:
    """The least of sixteen numbers from `at` on, of which only the first `count` are asked; 1 or more."""
    return min(numbers[at : at + min(count, SIXTEEN)])


def span(first: str, last: str) -> int:
    """What `bytes_between` takes for the bytes between two, of which both belong to them."""
    return ord(first) | ord(last) << 8


def _install_between() -> None:
    from llvmlite import ir

    def build(builder: Any, numbers: Any, asked: Any) -> Any:
        byte = ir.IntType(8)
        first = builder.trunc(asked, byte)
        distance = builder.sub(builder.trunc(builder.lshr(asked, ir.Constant(asked.type, 8)), byte), first)
        distances = builder.sub(numbers, _all(builder, first, THIRTY_TWO))
        marks = builder.icmp_unsigned("<=", distances, _all(builder, distance, THIRTY_TWO))
        return builder.zext(builder.bitcast(marks, ir.IntType(THIRTY_TWO)), ir.IntType(64))

    _answered_by(bytes_between, THIRTY_TWO, build)


@replaced_by(_install_between)
def bytes_between(text: Bytes, at: int, asked: int) -> int:
    """Which of 32 bytes from `at` on are in a span, a bit for each, the first byte lowest."""
    first, last = asked & 0xFF, asked >> 8
    return sum((first <= text[at + i] <= last) << i for i in range(THIRTY_TWO))
