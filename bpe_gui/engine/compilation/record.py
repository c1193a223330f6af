"""Records: arrays that kernels take together, as one address."""

from dataclasses import dataclass
from functools import cached_property
from inspect import get_annotations
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, Self, dataclass_transform

import numpy as np

from bpe_gui.engine.runtime.arrays import (
    BoolArray,
    Int32Array,
    Int64Array,
    UInt8Array,
    UInt16Array,
    UInt32Array,
)

DTYPES: Final[dict[Any, np.dtype[Any]]] = {
    BoolArray: np.dtype(np.bool_),
    UInt8Array: np.dtype(np.uint8),
    UInt16Array: np.dtype(np.uint16),
    UInt32Array: np.dtype(np.uint32),
    Int32Array: np.dtype(np.int32),
    Int64Array: np.dtype(np.int64),
}
"""The item types of the arrays that kernels take, by annotation."""


class Field(NamedTuple):
    """A field of a record, and where it is in the record's table."""

    hint: Any
    """The annotation: an array type, or the class of a nested record."""
    offset: int
    """The index of the field's first number in the table."""


@dataclass_transform(frozen_default=True, eq_default=False)
class Record:
    """The base of classes that are like frozen dataclasses, and whose fields are arrays or other records.

    Compiled kernels get a record as the address of a table with the address and length of each array. The table is
    made once for each record, so that a call costs the same however many arrays a record has.

    `dataclass` only notes the fields here: compiling methods for each class would double the time to import kernels.
    """

    fields: ClassVar[dict[str, Field]]
    """By name, in order."""
    width: ClassVar[int]
    """The length of the table, in numbers."""

    def __init_subclass__(cls) -> None:
        cls.fields, cls.width = {}, 0
        for name, hint in get_annotations(cls).items():
            cls.fields[name] = Field(hint, cls.width)
            cls.width += 2 if hint in DTYPES else hint.width
        dataclass(init=False, repr=False, eq=False)(cls)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        values = dict(zip(self.fields, arguments, strict=False)) | named
        if len(arguments) + len(named) != len(self.fields) or values.keys() != self.fields.keys():
            raise TypeError(f"{type(self).__name__} needs {', '.join(self.fields)}, each of them once")
        self.__dict__.update(values)

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: kernels may know the array that is there")

    @cached_property
    def table(self) -> Int64Array:
        """The address and length of each array, in the order of the fields; a nested record stands as its whole table.

        Raise TypeError if a field is not an array as annotated.
        """
        numbers: list[int] = []
        for name, field in self.fields.items():
            value = getattr(self, name)
            numbers.extend(
                value.table.tolist() if isinstance(value, Record) else array_numbers(value, DTYPES[field.hint])
            )
        return np.array(numbers, np.int64)

    @cached_property
    def address(self) -> int:
        """The address of the table, which is valid as long as the record exists."""
        return int(self.table.ctypes.data)

    @cached_property
    def views(self) -> Self:
        """A record with a `memoryview` of each array in its place, for plain Python."""
        twin = object.__new__(type(self))
        for name in self.fields:
            object.__setattr__(twin, name, view_of(getattr(self, name)))
        return twin


def array_numbers(array: Any, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the address and the length of an array. Raise TypeError unless it is contiguous and of type `dtype`."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"a kernel needs a contiguous array of {dtype}, not {array!r:.100}")
    return array.__array_interface__["data"][0], len(array)


def view_of(argument: Any) -> Any:
    """Return what plain Python sees of an argument: an array as a `memoryview`, whose items are Python's own integers.

    They do not overflow, and are faster than numpy's integers.
    """
    if isinstance(argument, np.ndarray):
        return argument.data
    return argument.views if isinstance(argument, Record) else argument
