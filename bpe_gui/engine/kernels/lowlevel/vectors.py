"""Ask one question about several numbers of an array at once, each answered by a few vector instructions.

All lanes have to be inside the array. With numba's bounds checking switched on, that is checked.
"""

from collections.abc import Callable
from typing import Any, Final

from bpe_gui.engine.compilation.kernel import overloads
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array, UInt8Array

LINE_LANES: Final = 8
"""The numbers that `index_in_line` searches: a cache line of 64-bit numbers."""

MIN_LANES: Final = 16
"""The numbers that `min_of_lanes` looks at: a cache line of 32-bit numbers."""

BYTE_LANES: Final = 32
"""The bytes that `bytes_in_range` tests."""

FIELD_BITS: Final = 21
"""The lowest bits of a number that `index_in_line` ignores."""

_MAX_INT32: Final = 0x7FFF_FFFF


def index_in_line(numbers: Int64Array, at: int, wanted: int) -> int:
    """Return the index, from `at` on, of the first of eight numbers that equals `wanted` but for its lowest FIELD_BITS.

    Return LINE_LANES if none does. The lowest FIELD_BITS of `wanted` are 0.
    """
    for i in range(LINE_LANES):
        if 0 <= numbers[at + i] - wanted < 1 << FIELD_BITS:
            return i
    return LINE_LANES


def min_of_lanes(numbers: Int32Array, at: int, count: int) -> int:
    """Return the least of the first `count` of sixteen numbers from `at` on; `count` is at least 1, and may be more."""
    return min(numbers[at : at + min(count, MIN_LANES)])


def byte_range(first: str, last: str) -> int:
    """Return the range from one byte to another, both included, in the form that `bytes_in_range` takes."""
    return ord(first) | ord(last) << 8


def bytes_in_range(text: UInt8Array, at: int, wanted: int) -> int:
    """Return a mask of which of the 32 bytes from `at` on are in a range; the lowest bit is the first byte's."""
    first, last = wanted & 0xFF, wanted >> 8
    return sum((first <= text[at + i] <= last) << i for i in range(BYTE_LANES))


def _install_vector_question(question: Any, lanes: int, build: Callable[..., Any]) -> None:
    """Have numba answer a question about `lanes` numbers by what `build` emits.

    `build` gets llvmlite's builder, the numbers as a vector, and the question's last argument; it returns 64 bits.
    """
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = builder.extract_value(arguments[0], 0)
        item = data.type.pointee
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.VectorType(item, lanes).as_pointer())
        return build(builder, builder.load(address, align=item.width // 8), arguments[2])

    def typed(typing_context: Any, numbers: Any, at: Any, operand: Any) -> Any:
        number = numba.types.int64
        return number(numbers, number, number), generate

    answer: Any = intrinsic(typed)

    def checked(numbers: Any, at: Any, operand: Any) -> Any:
        numbers[at], numbers[at + lanes - 1]
        return answer(numbers, at, operand)

    def unchecked(numbers: Any, at: Any, operand: Any) -> Any:
        return answer(numbers, at, operand)

    def choose(numbers: Any, at: Any, operand: Any) -> Any:
        return checked if vars(numba.config)["BOUNDSCHECK"] else unchecked

    overload(question)(choose)


def _broadcast(builder: Any, number: Any, lanes: int) -> Any:
    """Emit a vector that has a number in every lane."""
    from llvmlite import ir

    kind, index = ir.VectorType(number.type, lanes), ir.IntType(32)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(index, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(index, lanes), [0] * lanes))


@overloads
def _install_index_in_line() -> None:
    from llvmlite import ir

    def build(builder: Any, numbers: Any, wanted: Any) -> Any:
        distances = builder.sub(numbers, _broadcast(builder, wanted, LINE_LANES))
        limits = ir.Constant(distances.type, [1 << FIELD_BITS] * LINE_LANES)
        matches = builder.bitcast(builder.icmp_unsigned("<", distances, limits), ir.IntType(LINE_LANES))
        # One more bit, above those of the lanes, is what is found when no lane matches.
        matches = builder.or_(builder.zext(matches, ir.IntType(64)), ir.Constant(ir.IntType(64), 1 << LINE_LANES))
        return builder.cttz(matches, ir.Constant(ir.IntType(1), 1))

    _install_vector_question(index_in_line, LINE_LANES, build)


@overloads
def _install_min_of_lanes() -> None:
    from llvmlite import ir
    from numba.core import cgutils

    declare: Any = cgutils.get_or_insert_function

    def build(builder: Any, numbers: Any, count: Any) -> Any:
        short, long = ir.IntType(32), ir.IntType(64)
        kind = ir.VectorType(short, MIN_LANES)
        indices = ir.Constant(kind, list(range(MIN_LANES)))
        is_counted = builder.icmp_signed("<", indices, _broadcast(builder, builder.trunc(count, short), MIN_LANES))
        others = ir.Constant(kind, [_MAX_INT32] * MIN_LANES)
        function = ir.FunctionType(short, [kind])
        reduce_min = declare(builder.module, function, f"llvm.vector.reduce.smin.v{MIN_LANES}i32")
        return builder.sext(builder.call(reduce_min, [builder.select(is_counted, numbers, others)]), long)

    _install_vector_question(min_of_lanes, MIN_LANES, build)


@overloads
def _install_bytes_in_range() -> None:
    from llvmlite import ir

    def build(builder: Any, numbers: Any, wanted: Any) -> Any:
        byte = ir.IntType(8)
        first = builder.trunc(wanted, byte)
        width = builder.sub(builder.trunc(builder.lshr(wanted, ir.Constant(wanted.type, 8)), byte), first)
        distances = builder.sub(numbers, _broadcast(builder, first, BYTE_LANES))
        matches = builder.icmp_unsigned("<=", distances, _broadcast(builder, width, BYTE_LANES))
        return builder.zext(builder.bitcast(matches, ir.IntType(BYTE_LANES)), ir.IntType(64))

    _install_vector_question(bytes_in_range, BYTE_LANES, build)
