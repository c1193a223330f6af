"""Read numbers from Python lists, and make lists: the only place where machine code touches Python objects.

It calls functions of Python's stable C API by their addresses. A kernel that does so must hold the GIL. Their errors
are raised where the kernel was called.
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
"""The address of the function that returns the address of a list's item, a borrowed reference."""

AS_NUMBER: Final = _address_of(ctypes.pythonapi.PyLong_AsLongLong)
"""The address of the function that returns the value of an integer, or -1 with an error set."""

NEW_LIST: Final = _address_of(ctypes.pythonapi.PyList_New)
"""The address of the function that returns the address of a new list with unset items, or 0 with an error set."""

SET_ITEM: Final = _address_of(ctypes.pythonapi.PyList_SetItem)
"""The address of the function that puts an object into a list and steals the reference to it."""

KEEP: Final = _address_of(ctypes.pythonapi.Py_IncRef)
"""The address of the function that takes another reference to an object."""

DISABLE_COLLECTION: Final = _address_of(ctypes.pythonapi.PyGC_Disable)
"""The address of the function that disables garbage collection. It returns whether it was enabled."""

ENABLE_COLLECTION: Final = _address_of(ctypes.pythonapi.PyGC_Enable)
"""The address of the function that enables garbage collection. It returns whether it was enabled."""

AS_OBJECT: Final = _address_of(ctypes.pythonapi.PyLong_FromLongLong)
"""The address of the function that returns the address of an integer object, or 0 with an error set."""


def number_in_list(numbers: int, index: int, get_item: int, as_number: int) -> int:
    """Return the number at `index` of the list at address `numbers`, using the functions `GET_ITEM` and `AS_NUMBER`.

    Raise TypeError for an item that is not an integer, and OverflowError for one of more than 64 bits. Compiled code
    instead returns -1, and the error is raised when the kernel returns.
    """
    return int(_AS_NUMBER(as_number)(_GET_ITEM(get_item)(numbers, index)))


def new_list(size: int, function: int) -> int:
    """Return the address of a new list, using the function `NEW_LIST`, or 0 if there is no memory for it."""
    return _NEW_LIST(function)(size) or 0


def set_item(items: int, index: int, item: int, function: int) -> None:
    """Put an object into the list at address `items`, which steals the reference, using the function `SET_ITEM`."""
    _SET_ITEM(function)(items, index, item)


def keep(item: int, function: int) -> None:
    """Take another reference to an object, using the function `KEEP`."""
    _KEEP(function)(item)


def as_object(number: int, function: int) -> int:
    """Return the address of an integer object, using the function `AS_OBJECT`, or 0 if there is no memory for it."""
    return _AS_OBJECT(function)(number) or 0


def switch(function: int) -> int:
    """Call the function `DISABLE_COLLECTION` or `ENABLE_COLLECTION`, and return its result."""
    return int(_SWITCH(function)())
