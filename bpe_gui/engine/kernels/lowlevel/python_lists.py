"""Read the numbers in Python's lists: the only place where machine code meets Python's objects.

It calls two functions of Python's stable C interface, by their addresses. A kernel that does so must hold the GIL. What
these functions raise appears where the kernel was called.
"""

import ctypes
from typing import Any, Final

from bpe_gui.engine.compilation.kernel import overloads

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


@overloads
def _install_number_in_list() -> None:
    """Have numba call both functions by their addresses."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    number = numba.types.int64
    number_type, item_type = ir.IntType(64), ir.IntType(8).as_pointer()

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        def call(address: Any, result: Any, *values: Any) -> Any:
            function = ir.FunctionType(result, [value.type for value in values]).as_pointer()
            return builder.call(builder.inttoptr(address, function), values)

        numbers, index, get_item, as_number = arguments
        return call(as_number, number_type, call(get_item, item_type, numbers, index))

    def typed(_context: Any, numbers: Any, index: Any, get_item: Any, as_number: Any) -> Any:
        return number(number, number, number, number), generate

    read: Any = intrinsic(typed)
    overload(number_in_list)(
        lambda numbers, index, get_item, as_number: (
            lambda numbers, index, get_item, as_number: read(numbers, index, get_item, as_number)
        )
    )
