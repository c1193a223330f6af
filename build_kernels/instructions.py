"""Emit the few instructions that functions of `kernels/lowlevel` stand for.

In plain Python these functions work on integers and slices. Each function here takes llvmlite's builder and the
arguments of a call, and emits the code. An array is a pair of an address and a length.
"""

from collections.abc import Callable
from ctypes import c_int, c_int64
from functools import partial, update_wrapper
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, type_callable

from bpe_gui.engine.compilation.python_functions import CAPACITY, TABLE, PythonFunction, functions
from bpe_gui.engine.kernels.lowlevel import machine, python_objects

from .numba_types import NUMBER, ArrayType, check_bounds

_BIT: Final = ir.IntType(1)
_BYTE: Final = ir.IntType(8)
_HALF: Final = ir.IntType(32)
_NOTHING: Final = ir.VoidType()
_MAX_INT32: Final = 0x7FFF_FFFF


def install() -> None:
    """Register all instructions with numba."""
    for function, emit in _INSTRUCTIONS.items():
        result = types.none if function in _WITHOUT_RESULT else types.int64
        _install(function, emit, ArrayType(types.uint8) if function is python_objects.bytes_at else result)


def _install(function: Callable[..., Any], emit: Callable[..., Any], result: Any) -> None:
    @type_callable(function)
    def _type(_context: Any) -> Any:
        def typer(*kinds: Any) -> Any:
            return signature(result, *(types.int64 if isinstance(kind, types.Integer) else kind for kind in kinds))

        update_wrapper(typer, function)  # numba wants to know the names of the parameters
        return typer

    @lower_builtin(function, types.VarArg(types.Any))
    def _lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        value = emit(builder, *arguments)
        return context.get_dummy_value() if result is types.none else value


# -- memory -------------------------------------------------------------------------------------------------------


def _address(builder: Any, array: Any, at: Any, kind: Any, items: int) -> Any:
    """Return a pointer of some kind to items of an array from the index `at`."""
    check_bounds(builder, array, at)
    check_bounds(builder, array, builder.add(at, NUMBER(items - 1)))
    return builder.bitcast(builder.gep(builder.extract_value(array, 0), [at]), kind.as_pointer())


def _load8(builder: Any, buffer: Any, at: Any) -> Any:
    return builder.load(_address(builder, buffer, at, NUMBER, 8), align=1)


def _store8(builder: Any, buffer: Any, at: Any, value: Any) -> None:
    builder.store(value, _address(builder, buffer, at, NUMBER, 8), align=1)


def _store_packed_pair(builder: Any, numbers: Any, at: Any, pair: Any) -> None:
    builder.store(pair, _address(builder, numbers, at, NUMBER, 2), align=4)


def _copy8(builder: Any, source: Any, at: Any, target: Any, to: Any) -> None:
    kind = ir.VectorType(_HALF, machine.COPY_LANES)
    numbers = builder.load(_address(builder, source, at, kind, machine.COPY_LANES), align=4)
    builder.store(numbers, _address(builder, target, to, kind, machine.COPY_LANES), align=4)


def _prefetch(builder: Any, numbers: Any, at: Any) -> None:
    address = builder.bitcast(builder.gep(builder.extract_value(numbers, 0), [at]), _BYTE.as_pointer())
    kind = ir.FunctionType(_NOTHING, [address.type, _HALF, _HALF, _HALF])
    function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
    builder.call(function, [address, _HALF(0), _HALF(3), _HALF(1)])  # to read, keep in all caches, data


# -- numbers ------------------------------------------------------------------------------------------------------


def _trailing_zeros(builder: Any, number: Any) -> Any:
    return builder.cttz(number, _BIT(0))


def _wrapping_add(builder: Any, one: Any, other: Any) -> Any:
    return builder.add(one, other)


def _wrapping_multiply(builder: Any, one: Any, other: Any) -> Any:
    return builder.and_(builder.mul(one, other), NUMBER(machine.INT63_MASK))


def _folded_product(builder: Any, one: Any, other: Any) -> Any:
    whole = ir.IntType(128)
    product = builder.mul(builder.zext(one, whole), builder.zext(other, whole))
    upper = builder.trunc(builder.lshr(product, whole(64)), NUMBER)
    return builder.and_(builder.xor(builder.trunc(product, NUMBER), upper), NUMBER(machine.INT63_MASK))


# -- vectors ------------------------------------------------------------------------------------------------------


def _vector(builder: Any, array: Any, at: Any, lanes: int) -> Any:
    """Return some items of an array as a vector."""
    item = array.type.elements[0].pointee
    kind = ir.VectorType(item, lanes)
    return builder.load(_address(builder, array, at, kind, lanes), align=item.width // 8)


def _broadcast(builder: Any, number: Any, lanes: int) -> Any:
    """Return a vector that has a number in every lane."""
    kind = ir.VectorType(number.type, lanes)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, _HALF(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_HALF, lanes), [0] * lanes))


def _index_in_line(builder: Any, numbers: Any, at: Any, wanted: Any) -> Any:
    lanes = machine.LINE_LANES
    distances = builder.sub(_vector(builder, numbers, at, lanes), _broadcast(builder, wanted, lanes))
    limits = ir.Constant(distances.type, [1 << machine.FIELD_BITS] * lanes)
    matches = builder.bitcast(builder.icmp_unsigned("<", distances, limits), ir.IntType(lanes))
    # One more bit, above those of the lanes, is what is found when no lane matches.
    return builder.cttz(builder.or_(builder.zext(matches, NUMBER), NUMBER(1 << lanes)), _BIT(1))


def _min_of_lanes(builder: Any, numbers: Any, at: Any, count: Any) -> Any:
    lanes = machine.MIN_LANES
    kind = ir.VectorType(_HALF, lanes)
    counted = _broadcast(builder, builder.trunc(count, _HALF), lanes)
    is_counted = builder.icmp_signed("<", ir.Constant(kind, list(range(lanes))), counted)
    others = ir.Constant(kind, [_MAX_INT32] * lanes)
    candidates = builder.select(is_counted, _vector(builder, numbers, at, lanes), others)
    name = f"llvm.vector.reduce.smin.v{lanes}i32"
    reduce_min: Any = get_or_insert_function(builder.module, ir.FunctionType(_HALF, [kind]), name)
    return builder.sext(builder.call(reduce_min, [candidates]), NUMBER)


def _bytes_in_range(builder: Any, text: Any, at: Any, wanted: Any) -> Any:
    lanes = machine.BYTE_LANES
    first = builder.trunc(wanted, _BYTE)
    width = builder.sub(builder.trunc(builder.lshr(wanted, NUMBER(8)), _BYTE), first)
    distances = builder.sub(_vector(builder, text, at, lanes), _broadcast(builder, first, lanes))
    matches = builder.icmp_unsigned("<=", distances, _broadcast(builder, width, lanes))
    return builder.zext(builder.bitcast(matches, ir.IntType(lanes)), NUMBER)


# -- Python's objects ---------------------------------------------------------------------------------------------


def _python_address(builder: Any, index: int) -> Any:
    """Load the address of None or of one of Python's functions from the table that is linked to the kernels."""
    kind = ir.ArrayType(NUMBER, CAPACITY)
    table = builder.module.globals.get(TABLE) or ir.GlobalVariable(builder.module, kind, TABLE)
    return builder.load(builder.gep(table, [_HALF(0), _HALF(index)], inbounds=True))


def _none(builder: Any) -> Any:
    return _python_address(builder, 0)


def _call_python(function: PythonFunction, builder: Any, *numbers: Any) -> Any:
    result = {c_int64: NUMBER, c_int: _HALF, None: _NOTHING}[function.result]
    kind = ir.FunctionType(result, [NUMBER] * len(numbers))
    value = builder.call(builder.inttoptr(_python_address(builder, function.index), kind.as_pointer()), numbers)
    return builder.sext(value, NUMBER) if result is _HALF else value


def _bytes_at(builder: Any, address: Any, size: Any) -> Any:
    data = builder.inttoptr(address, _BYTE.as_pointer())
    array = ir.Constant(ir.LiteralStructType([data.type, NUMBER]), ir.Undefined)
    return builder.insert_value(builder.insert_value(array, data, 0), size, 1)


def _address_in(builder: Any, array: Any) -> Any:
    return builder.ptrtoint(builder.extract_value(array, 0), NUMBER)


_WITHOUT_RESULT: Final = (
    machine.store8,
    machine.store_packed_pair,
    machine.copy8,
    machine.prefetch,
    *(function for function in functions if function.result is None),
)

_INSTRUCTIONS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {
    machine.load8: _load8,
    machine.store8: _store8,
    machine.store_packed_pair: _store_packed_pair,
    machine.copy8: _copy8,
    machine.prefetch: _prefetch,
    machine.trailing_zeros: _trailing_zeros,
    machine.wrapping_add: _wrapping_add,
    machine.wrapping_multiply: _wrapping_multiply,
    machine.folded_product: _folded_product,
    machine.index_in_line: _index_in_line,
    machine.min_of_lanes: _min_of_lanes,
    machine.bytes_in_range: _bytes_in_range,
    python_objects.none: _none,
    python_objects.bytes_at: _bytes_at,
    python_objects.address_in: _address_in,
    **{function: partial(_call_python, function) for function in functions},
}
