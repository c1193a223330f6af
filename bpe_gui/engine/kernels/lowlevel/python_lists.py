"""Read the numbers in Python's lists: the only place where machine code meets Python's objects.

It calls two functions of Python's stable C interface, by their addresses. A kernel that does so must hold the GIL. What
these functions raise appears where the kernel was called.
"""

import ctypes
from typing import Any, Final

_GET_ITEM: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t)
_AS_NUMBER: Final = ctypes.PYFUNCTYPE(ctypes.c_longlong, ctypes.c_void_p)


def _address_of(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


GET_ITEM: Final = _address_of(ctypes.pythonapi.PyList_GetItem)
"""The address of the function that returns the address of an item of a list, without a reference to it."""

AS_NUMBER: Final = _address_of(ctypes.pythonapi.PyLong_AsLongLong)
"""The address of the function that returns the value of an integer; if it cannot, it returns -1 with an error set."""


def number_in_list(numbers: int, index: int, get_item: int, as_number: int) -> int:
    """Return the number at `index` of the list at address `numbers`, by the functions `GET_ITEM` and `AS_NUMBER`.

    Raise TypeError for an item that is not an integer, and OverflowError for one of more than 64 bits; compiled code
    returns -1 then, and the error is raised when the kernel returns.
    """
    return int(_AS_NUMBER(as_number)(_GET_ITEM(get_item)(numbers, index)))
