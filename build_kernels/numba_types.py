"""Teach numba what kernels work on: arrays that are an address and a length, and records that are an address.

numba's own arrays have seven numbers each, are reference-counted, and check at every access whether the index counts
from the end: records of fifty of them took most of the time to compile.

The addresses and lengths in a record's table never change, and LLVM is told so (`invariant.load`): it keeps them in
registers even while a kernel writes to other memory. The block with a kernel's arguments does change: the results are
written to it.

A `kind` is a type of numba's, a `hint` is an annotation, and a `table` is the address of 64-bit numbers: those of a
record, or the block with a kernel's arguments.
"""

import operator
from typing import Any, Final

import numba
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
    type_callable,
)

from bpe_gui.engine.compilation.kernel import DTYPES, Record

NUMBER: Final = ir.IntType(64)
"""All arguments, results and table entries are 64-bit numbers."""

_CHECKS_BOUNDS: Final = bool(vars(numba.config)["BOUNDSCHECK"])


class ArrayType(types.Type):
    """The type of a contiguous array of numbers, which its caller keeps alive."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"array({dtype})")


class RecordType(types.Type):
    """The type of a record."""

    def __init__(self, record: type[Record]) -> None:
        self.record = record
        super().__init__(name=f"record({record.__name__})")


@register_model(ArrayType)
class _ArrayModel(models.StructModel):
    def __init__(self, manager: Any, kind: ArrayType) -> None:
        super().__init__(manager, kind, [("data", types.CPointer(kind.dtype)), ("length", types.int64)])


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: RecordType) -> None:
        super().__init__(manager, kind, NUMBER.as_pointer())


def type_of(hint: Any) -> Any:
    """Return numba's type for the annotation of a parameter or field. Raise KeyError if kernels cannot take it."""
    if hint in DTYPES:
        return ArrayType(numba.from_dtype(DTYPES[hint]))
    if isinstance(hint, type) and issubclass(hint, Record):
        return RecordType(hint)
    return {int: types.int64, bool: types.boolean}[hint]


# -- arguments and fields -----------------------------------------------------------------------------------------


def load_value(context: Any, builder: Any, kind: Any, table: Any, offset: int, *, changes: bool) -> Any:
    """Emit code that loads a value of type `kind`, whose first number is at index `offset` of a table.

    `changes` says whether the table is written to while the kernel runs.
    """

    def load(index: int) -> Any:
        number = builder.load(builder.gep(table, [NUMBER(index)], inbounds=True))
        if not changes:
            number.set_metadata("invariant.load", builder.module.add_metadata([]))
        return number

    if isinstance(kind, ArrayType):
        pointer = context.get_value_type(types.CPointer(kind.dtype))
        array = ir.Constant(context.get_value_type(kind), ir.Undefined)
        array = builder.insert_value(array, builder.inttoptr(load(offset), pointer), 0)
        return builder.insert_value(array, load(offset + 1), 1)
    number = load(offset)
    if isinstance(kind, RecordType):
        return builder.inttoptr(number, NUMBER.as_pointer())
    return context.cast(builder, number, types.int64, kind)


def width_of(kind: Any) -> int:
    """Return how many numbers of the block an argument of type `kind` takes."""
    return 2 if isinstance(kind, ArrayType) else 1


@infer_getattr
class _RecordAttributes(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override]
        field = kind.record.fields.get(name)
        return field and type_of(field.hint)


@lower_getattr_generic(RecordType)
def _get_field(context: Any, builder: Any, kind: RecordType, table: Any, name: str) -> Any:
    field = kind.record.fields[name]
    field_type = type_of(field.hint)
    if isinstance(field_type, RecordType):
        return builder.gep(table, [NUMBER(field.offset)], inbounds=True)
    return load_value(context, builder, field_type, table, field.offset, changes=False)


# -- items --------------------------------------------------------------------------------------------------------


@type_callable(operator.getitem)
def _type_getitem(_context: Any) -> Any:
    def typer(array: Any, index: Any) -> Any:
        if isinstance(array, ArrayType) and isinstance(index, types.Integer):
            return array.dtype
        return array if isinstance(array, ArrayType) and isinstance(index, types.SliceType) else None

    return typer


@type_callable(operator.setitem)
def _type_setitem(_context: Any) -> Any:
    def typer(array: Any, index: Any, _value: Any) -> Any:
        return types.none if isinstance(array, ArrayType) and isinstance(index, types.Integer) else None

    return typer


@type_callable(len)
def _type_len(_context: Any) -> Any:
    return lambda array: types.int64 if isinstance(array, ArrayType) else None


@lower_builtin(operator.getitem, ArrayType, types.Integer)
def _get_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.unpack_value(builder, signature.args[0].dtype, _item(context, builder, signature, arguments))


@lower_builtin(operator.getitem, ArrayType, types.SliceType)
def _get_slice(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit the part of an array between two indices, neither of which may be omitted or negative."""
    array, limits = arguments[0], context.make_helper(builder, signature.args[1], arguments[1])
    array = builder.insert_value(array, builder.gep(builder.extract_value(array, 0), [limits.start]), 0)
    return builder.insert_value(array, builder.sub(limits.stop, limits.start), 1)


@lower_builtin(operator.setitem, ArrayType, types.Integer, types.Any)
def _set_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    dtype = signature.args[0].dtype
    value = context.cast(builder, arguments[2], signature.args[2], dtype)
    context.pack_value(builder, dtype, value, _item(context, builder, signature, arguments))
    return context.get_dummy_value()


@lower_builtin(len, ArrayType)
def _get_length(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    return builder.extract_value(arguments[0], 1)


def _item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit a pointer to the item at an index."""
    index = context.cast(builder, arguments[1], signature.args[1], types.int64)
    check_bounds(builder, arguments[0], index)
    return builder.gep(builder.extract_value(arguments[0], 0), [index])


def check_bounds(builder: Any, array: Any, index: Any) -> None:
    """With NUMBA_BOUNDSCHECK, emit code that ends the process for an index beyond the array."""
    if _CHECKS_BOUNDS:
        with builder.if_then(builder.icmp_unsigned(">=", index, builder.extract_value(array, 1)), likely=False):
            trap = builder.module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ()))
            builder.call(trap, ())
