"""Functions of Python's stable C API, and of numpy's, that kernels call.

Machine code has their addresses in a table, and plain Python calls them by ctypes.
"""

import ctypes
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any, Final

import numpy as np

TABLE: Final = "python_functions"
"""The name of the library's table of addresses. The first is that of None."""

CAPACITY: Final = 32
"""The length of the table."""


class PythonFunction:
    """A function of Python, or of numpy, whose parameters are addresses or numbers. Whoever calls it has the GIL.

    Those of numpy are given by their index in its C API, which never changes. The result is a number of 64 bits,
    `c_int` or None. Plain Python raises the error that a function sets; machine code goes on, and the error is raised
    where Python called the kernel.
    """

    def __init__(self, name: str | int, parameters: int, result: Any = ctypes.c_int64) -> None:
        prototype: Any = ctypes.PYFUNCTYPE(result, *[ctypes.c_int64] * parameters)
        self.result: Final = result
        self.function: Final = prototype(_numpy_address(name) if isinstance(name, int) else (name, ctypes.pythonapi))
        names = (Parameter(f"p{index}", Parameter.POSITIONAL_ONLY) for index in range(parameters))
        self.__signature__ = Signature(list(names))
        functions.append(self)
        self.index: Final = len(functions)
        """The index of its address in the library's table."""

    def __call__(self, *numbers: int) -> Any:
        return self.function(*numbers)


def _numpy_address(index: int) -> int:
    """Return the address of a function of numpy, found as an extension module finds it."""
    core = import_module("numpy._core._multiarray_umath" if hasattr(np, "_core") else "numpy.core._multiarray_umath")
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    table = prototype(("PyCapsule_GetPointer", ctypes.pythonapi))(core._ARRAY_API, None)
    return ctypes.c_void_p.from_address(table + index * ctypes.sizeof(ctypes.c_void_p)).value or 0


functions: Final[list[PythonFunction]] = []
"""All functions that kernels may call."""


def connect(library: ctypes.CDLL) -> None:
    """Write the addresses of None and of all functions to a library's table."""
    addresses = (ctypes.c_int64 * (1 + len(functions))).in_dll(library, TABLE)
    addresses[0] = id(None)
    for each in functions:
        addresses[each.index] = ctypes.cast(each.function, ctypes.c_void_p).value or 0
