"""Mark kernels and their helpers, and call kernels, as machine code or as plain Python.

A kernel gets the address of a block of 64-bit numbers with its arguments: an integer as itself, an array as its address
and length, a record as the address of its table. It writes its results to the beginning of the block. Its annotations
determine the types of both. Machine code that is the body of a built-in function has such a block as well, and takes
and returns Python objects (`Builtin`). It uses them by the functions in `kernels/lowlevel/python_objects.py` alone.
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, update_wrapper
from inspect import get_annotations
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    NoReturn,
    ParamSpec,
    Self,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
)

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array, UInt8Array, UInt16Array, UInt32Array

from . import library
from .python_functions import connect

P = ParamSpec("P")
R = TypeVar("R")

kernels: Final[dict[str, "Kernel[..., Any]"]] = {}
"""All kernels by name."""

helpers: Final[list[Callable[..., Any]]] = []
"""All functions marked with `helper`."""


class Kernel(Generic[P, R]):
    """A function over arrays that the rest of the engine calls, with positional arguments only."""

    def __init__(self, function: Callable[P, R], *, holds_gil: bool = False) -> None:
        self.plain = function
        self._prototype = _HOLDING_GIL if holds_gil else _RELEASING_GIL
        update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        if keywords:
            raise TypeError(f"{self.plain.__name__} takes its arguments in order, not by name")
        if library.is_compiled():
            result: R = self._call_compiled(arguments)
            return result
        plain: Any = self.plain
        plain_result: R = plain(*map(view_of, arguments))
        return plain_result

    @property
    def group(self) -> str:
        """The name of the kernel's folder. The kernels of a group are compiled together."""
        return self.plain.__module__.split(".")[-2]

    @cached_property
    def parameters(self) -> tuple[Any, ...]:
        """The annotations of the parameters, in order."""
        return tuple(hint for name, hint in get_annotations(self.plain).items() if name != "return")

    @cached_property
    def results(self) -> tuple[Any, ...]:
        """The annotation of each result: empty if the kernel returns None, several if it returns a tuple."""
        hint: Any = get_annotations(self.plain)["return"]
        if get_origin(hint) is tuple:
            return get_args(hint)
        return () if hint is None else (hint,)

    @cached_property
    def _machine_code(self) -> Any:
        loaded = library.load()
        assert loaded is not None
        if self._prototype is _HOLDING_GIL:
            connect(loaded)
        return self._prototype((self.plain.__name__, loaded))

    def _call_compiled(self, arguments: Sequence[Any]) -> Any:
        """Return the machine code's result for arguments.

        Raise TypeError if one does not have the annotated type, and ValueError if there are too few or too many.
        """
        numbers, results = self._numbers_of(self.parameters, arguments), self.results
        block = (ctypes.c_int64 * max(len(numbers), len(results)))(*numbers)
        self._machine_code(block)
        if len(results) == 1:
            return results[0](block[0])
        return tuple(hint(number) for hint, number in zip(results, block, strict=False)) if results else None

    def _numbers_of(self, hints: Sequence[Any], arguments: Sequence[Any]) -> list[int]:
        """Return the numbers that represent arguments in a block. Raise as `_call_compiled` does."""
        numbers: list[int] = []
        for hint, argument in zip(hints, arguments, strict=True):
            if hint in DTYPES:
                numbers.extend(array_numbers(argument, DTYPES[hint]))
            elif hint is int or hint is bool:
                numbers.append(int(argument))
            elif isinstance(argument, hint):
                numbers.append(argument.address)
            else:
                raise TypeError(f"{self.plain.__name__} needs a {hint.__name__}, not {argument!r:.100}")
        return numbers


class Builtin(Kernel[P, R]):
    """A kernel that is the body of built-in functions of one argument.

    It gets the address of that argument, followed by what the function is bound to, and returns the address of the
    result as a new reference, or 0 with an error set. A call costs a tenth of a kernel's.
    """

    def bound(self, *arguments: Any) -> Callable[[Any], Any]:
        """Return a built-in function that is bound to arguments, which it keeps alive. Raise as a call does.

        It holds the GIL, so no other thread runs meanwhile unless the kernel runs Python code.
        """
        numbers = self._numbers_of(self.parameters[1:], arguments)
        block = (ctypes.c_int64 * len(numbers))(*numbers)
        function: Callable[[Any], Any] = _NEW_FUNCTION(
            ctypes.addressof(self._definition), (ctypes.addressof(block), block, arguments), None
        )
        return function

    @cached_property
    def _definition(self) -> "_Definition":
        address = ctypes.cast(self._machine_code, ctypes.c_void_p).value
        return _Definition(self.plain.__name__.encode(), address, _ONE_ARGUMENT, None)


class _Definition(ctypes.Structure):
    """Python's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


_ONE_ARGUMENT: Final = 0x0008  # METH_O

_NEW_FUNCTION: Final[Any] = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


@cache
def has_builtins() -> bool:
    """Return whether machine code can be built-in functions: not in subinterpreters or without the GIL."""
    interpreter = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", ctypes.pythonapi))()
    number = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(("PyInterpreterState_GetID", ctypes.pythonapi))
    has_gil: Callable[[], bool] = getattr(sys, "_is_gil_enabled", lambda: True)
    return has_gil() and number(interpreter) == 0


def address_of(text: bytes) -> int:
    """Return the address of the first byte of a text. It is valid as long as the text is kept alive."""
    return id(text) + _BYTES_BEFORE_TEXT


_BYTES_BEFORE_TEXT: Final = bytes.__basicsize__ - 1
"""The offset of the content in Python's `bytes`, whose basic size includes a final zero."""


class _Memory:
    """Memory in the form of numpy's array interface."""

    def __init__(self, address: int, length: int, dtype: type[np.generic], owner: object) -> None:
        self.owner = owner  # kept alive by the array
        self.__array_interface__ = {
            "version": 3,
            "shape": (length,),
            "typestr": np.dtype(dtype).str,
            "data": (address, False),
        }


def array_at(address: int, length: int, dtype: type[np.generic], owner: object) -> Any:
    """Return the memory at an address as an array, which keeps the owner of the memory alive."""
    return np.asarray(_Memory(address, length, dtype, owner))


_RELEASING_GIL: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
"""The signature of all compiled kernels. ctypes releases the GIL while one runs."""

_HOLDING_GIL: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
"""The signature of kernels that call Python, whose exceptions ctypes then raises."""


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function that code outside the kernels calls with arrays, records, integers and booleans.

    Raise ValueError if another kernel has the same name.
    """
    return _register(Kernel(function))


def kernel_with_gil(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a kernel that reads or makes Python objects, so it runs with the GIL. Otherwise as `kernel`."""
    return _register(Kernel(function, holds_gil=True))


def builtin(function: Callable[P, R]) -> Builtin[P, R]:
    """Mark the body of built-in functions. Otherwise as `kernel_with_gil`."""
    return _register(Builtin(function, holds_gil=True))


K = TypeVar("K", bound=Kernel[..., Any])


def _register(marked: K) -> K:
    name = marked.plain.__name__
    if name in kernels:
        raise ValueError(f"there are two kernels {name}")
    kernels[name] = marked
    return marked


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels and other helpers call. If called from elsewhere, it runs as plain Python."""
    helpers.append(function)
    return function


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
    """A field of a record, and its position in the record's table."""

    hint: Any
    """The annotation: an array type, or the class of a nested record."""
    offset: int
    """The index of the field's first number in the table."""


@dataclass_transform(frozen_default=True, eq_default=False)
class Record:
    """The base of classes like frozen dataclasses whose fields are arrays or other records.

    Compiled kernels get a record as the address of a table with the address and length of each array. The table is
    made once per record, so the cost of a call does not depend on the number of arrays.

    `dataclass` only notes the fields here: compiling methods for each class would double the time to import kernels.
    """

    fields: ClassVar[dict[str, Field]]
    """The fields by name, in order."""
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
        """The address and length of each array, in the order of the fields; a nested record is included as its table.

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
        """A record with a `memoryview` instead of each array, for plain Python."""
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
    """Return an argument for plain Python: an array becomes a `memoryview`, whose items are Python's integers.

    These do not overflow, and are faster than numpy's integers.
    """
    if isinstance(argument, np.ndarray):
        return argument.data
    return argument.views if isinstance(argument, Record) else argument
