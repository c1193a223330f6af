"""Read the numbers in Python's lists, and make lists: the only place where machine code meets Python's objects.

It calls functions of Python's stable C interface, by their addresses. A kernel that does so must hold the GIL. What
these functions raise appears where the kernel was called.
"""

import ctypes
from typing import Any, Final

_GET_ITEM: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t)
_AS_NUMBER: Final = ctypes.PYFUNCTYPE(ctypes.c_longlong, ctypes.c_void_p)
_NEW_LIST: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_ssize_t)
_SET_ITEM: Final = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_void_p)
_KEEP: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_AS_OBJECT: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_longlong)
_SWITCH: Final = ctypes.PYFUNCTYPE(ctypes.c_int)


def _address_of(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


GET_ITEM: Final = _address_of(ctypes.pythonapi.PyList_GetItem)
"""The address of the function that returns the address of an item of a list, without a reference to it."""

AS_NUMBER: Final = _address_of(ctypes.pythonapi.PyLong_AsLongLong)
"""The address of the function that returns the value of an integer; if it cannot, it returns -1 with an error set."""

NEW_LIST: Final = _address_of(ctypes.pythonapi.PyList_New)
"""The address of the function that returns the address of a new list, whose items are to be set; or 0, and an error."""

SET_ITEM: Final = _address_of(ctypes.pythonapi.PyList_SetItem)
"""The address of the function that puts an object into a list, which takes over the reference to it."""

KEEP: Final = _address_of(ctypes.pythonapi.Py_IncRef)
"""The address of the function that takes another reference to an object."""

COLLECT_NOT: Final = _address_of(ctypes.pythonapi.PyGC_Disable)
"""The address of the function that switches off the collecting of garbage. It returns whether that was on."""

COLLECT: Final = _address_of(ctypes.pythonapi.PyGC_Enable)
"""The address of the function that switches on the collecting of garbage. It returns whether that was on."""

AS_OBJECT: Final = _address_of(ctypes.pythonapi.PyLong_FromLongLong)
"""The address of the function that returns the address of an integer; or 0, with an error set."""


def number_in_list(numbers: int, index: int, get_item: int, as_number: int) -> int:
    """Return the number at `index` of the list at address `numbers`, by the functions `GET_ITEM` and `AS_NUMBER`.

    Raise TypeError for an item that is not an integer, and OverflowError for one of more than 64 bits; compiled code
    returns -1 then, and the error is raised when the kernel returns.
    """
    return int(_AS_NUMBER(as_number)(_GET_ITEM(get_item)(numbers, index)))


def new_list(size: int, function: int) -> int:
    """Return the address of a new list, by the function `NEW_LIST`; 0 if there is no memory for it."""
    return _NEW_LIST(function)(size) or 0


def set_item(items: int, index: int, item: int, function: int) -> None:
    """Put an object into the list at address `items`, by the function `SET_ITEM`, and give away the reference to it."""
    _SET_ITEM(function)(items, index, item)


def keep(item: int, function: int) -> None:
    """Take another reference to an object, by the function `KEEP`."""
    _KEEP(function)(item)


def as_object(number: int, function: int) -> int:
    """Return the address of an integer, by the function `AS_OBJECT`; 0 if there is no memory for it."""
    return _AS_OBJECT(function)(number) or 0


def switch(function: int) -> int:
    """Call the function `COLLECT_NOT` or `COLLECT`, and return what it returns."""
    return int(_SWITCH(function)())
