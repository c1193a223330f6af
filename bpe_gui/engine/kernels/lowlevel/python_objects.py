"""Read and make Python objects, given by their addresses. Kernels that do so hold the GIL.

What makes an object returns a new reference, or 0 with an error set. Only `as_number` may run Python code: that of an
object which stands for an integer.
"""

import ctypes
from typing import Final

from bpe_gui.engine.compilation.kernel import helper
from bpe_gui.engine.compilation.python_functions import PythonFunction
from bpe_gui.engine.runtime.types import AnyArray, UInt8Array

keep: Final = PythonFunction("Py_IncRef", 1, None)
"""Take another reference to an object."""

release: Final = PythonFunction("Py_DecRef", 1, None)
"""Give up a reference to an object."""

error: Final = PythonFunction("PyErr_Occurred", 0)
"""Return 0 unless an error is set."""

clear_error: Final = PythonFunction("PyErr_Clear", 0, None)
"""Forget the error that is set, if any."""

disable_collection: Final = PythonFunction("PyGC_Disable", 0, ctypes.c_int)
"""Disable garbage collection, and return whether it was enabled."""

enable_collection: Final = PythonFunction("PyGC_Enable", 0, ctypes.c_int)
"""Enable garbage collection, and return whether it was enabled."""

tuple_item: Final = PythonFunction("PyTuple_GetItem", 2)
"""Return the item of a tuple at an index, a borrowed reference."""

list_size: Final = PythonFunction("PyList_Size", 1)
"""Return the length of a list, or -1 with an error set."""

list_item: Final = PythonFunction("PyList_GetItem", 2)
"""Return the item of a list at an index, a borrowed reference, or 0 with an error set."""

new_list: Final = PythonFunction("PyList_New", 1)
"""Return a list of this many items, which are not set."""

set_item: Final = PythonFunction("PyList_SetItem", 3, ctypes.c_int)
"""Put into a list, at an index, an object whose reference it steals."""

as_number: Final = PythonFunction("PyLong_AsLongLong", 1)
"""Return the value of an integer, or -1 with an error set. The null pointer is such an error, too."""

new_integer: Final = PythonFunction("PyLong_FromLongLong", 1)
"""Return a number as an object."""

character_count: Final = PythonFunction("PyUnicode_GetLength", 1)
"""Return how many characters a string has, or -1 with an error set for an object that is not a string."""

utf8_of: Final = PythonFunction("PyUnicode_AsUTF8AndSize", 2)
"""Return the address of a string's UTF-8, which the string keeps, and write its size to the second address.

Return 0 with an error set for a lone surrogate.
"""

new_string: Final = PythonFunction("PyUnicode_DecodeUTF8", 3)
"""Return a string, given the address and size of its UTF-8, and the address of how to treat errors (a string of C)."""

bytes_size: Final = PythonFunction("PyBytes_Size", 1)
"""Return the size of bytes, or -1 with an error set for an object that is not bytes."""

bytes_of: Final = PythonFunction("PyBytes_AsString", 1)
"""Return the address of the content of bytes."""

new_bytes: Final = PythonFunction("PyBytes_FromStringAndSize", 2)
"""Return bytes, copied from an address, given their number."""

new_array: Final = PythonFunction(184, 4)  # PyArray_Empty
"""Return an array whose numbers are not set, given the number of its dimensions, the address of their sizes, the dtype,
whose reference it steals, and whether columns come first.
"""


def none() -> int:
    """Return the address of None, a borrowed reference."""
    return id(None)


@helper
def new_none() -> int:
    """Return None as a new reference."""
    keep(none())
    return none()


def bytes_at(address: int, size: int) -> UInt8Array:
    """Return the bytes at an address as an array."""
    view: UInt8Array = memoryview((ctypes.c_uint8 * size).from_address(address)).cast("B")  # type: ignore[assignment]
    return view


@helper
def copy_memory(source: int, size: int, target: UInt8Array) -> None:
    """Copy `size` bytes from an address to the beginning of an array, which does not overlap them."""
    copied = bytes_at(source, size)
    for i in range(size):
        target[i] = copied[i]


def address_in(array: AnyArray) -> int:
    """Return the address of an array, which is not empty."""
    return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
