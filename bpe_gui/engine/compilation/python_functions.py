"""Functions of Python's stable C API that kernels call: by their addresses as machine code, otherwise by ctypes."""

import ctypes
from inspect import Parameter, Signature
from typing import Any, Final

TABLE: Final = "python_functions"
"""The name of the library's table of addresses. The first is that of None."""

CAPACITY: Final = 32
"""The length of the table."""


class PythonFunction:
    """A function of Python's whose parameters are addresses or numbers of 64 bits. Whoever calls it has the GIL.

    Its result is such a number, `c_int`, or None. Plain Python raises the error that it sets; machine code goes on, and
    the error is raised where Python called the kernel.
    """

    def __init__(self, name: str, parameters: int, result: Any = ctypes.c_int64) -> None:
        prototype: Any = ctypes.PYFUNCTYPE(result, *[ctypes.c_int64] * parameters)
        self.result: Final = result
        self.function: Final = prototype((name, ctypes.pythonapi))
        names = (Parameter(f"p{index}", Parameter.POSITIONAL_ONLY) for index in range(parameters))
        self.__signature__ = Signature(list(names))
        functions.append(self)
        self.index: Final = len(functions)
        """The index of its address in the library's table."""

    def __call__(self, *numbers: int) -> Any:
        return self.function(*numbers)


functions: Final[list[PythonFunction]] = []
"""All functions that kernels may call."""


def connect(library: ctypes.CDLL) -> None:
    """Write the addresses of None and of all functions to a library's table."""
    addresses = (ctypes.c_int64 * (1 + len(functions))).in_dll(library, TABLE)
    addresses[0] = id(None)
    for each in functions:
        addresses[each.index] = ctypes.cast(each.function, ctypes.c_void_p).value or 0
