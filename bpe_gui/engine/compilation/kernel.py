"""Mark kernels and their helpers, and call kernels, as machine code or as plain Python.

Machine code knows no Python objects, except for lists of numbers. A kernel gets the address of a block of 64-bit
numbers with its arguments: an integer as itself, an array as its address and its length, a record as the address of its
table. It writes its results to the beginning of the block. The types of both follow from its annotations.
"""

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property, update_wrapper
from inspect import get_annotations
from typing import Any, Final, Generic, ParamSpec, TypeVar, get_args, get_origin

from . import library
from .record import DTYPES, array_numbers, view_of

P = ParamSpec("P")
R = TypeVar("R")

kernels: Final[dict[str, "Kernel[..., Any]"]] = {}
"""All kernels by name."""

helpers: Final[list[Callable[..., Any]]] = []
"""All functions marked with `helper`."""


class Kernel(Generic[P, R]):
    """A function over arrays that the rest of the engine calls: with arguments in order, none of them by name."""

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
        """The name of the folder that the kernel is in. The kernels of a group are compiled together."""
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
        return self._prototype((self.plain.__name__, loaded))

    def _call_compiled(self, arguments: Sequence[Any]) -> Any:
        """Return what the machine code returns for arguments.

        Raise TypeError if one has another type than annotated, and ValueError if there are too few or too many.
        """
        numbers: list[int] = []
        for hint, argument in zip(self.parameters, arguments, strict=True):
            if hint in DTYPES:
                numbers.extend(array_numbers(argument, DTYPES[hint]))
            elif hint is int or hint is bool:
                numbers.append(int(argument))
            elif isinstance(argument, hint):
                numbers.append(argument.address)
            else:
                raise TypeError(f"{self.plain.__name__} needs a {hint.__name__}, not {argument!r:.100}")
        results = self.results
        block = (ctypes.c_int64 * max(len(numbers), len(results)))(*numbers)
        self._machine_code(block)
        if len(results) == 1:
            return results[0](block[0])
        return tuple(hint(number) for hint, number in zip(results, block, strict=False)) if results else None


_RELEASING_GIL: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
"""The signature of all compiled kernels. ctypes releases the GIL while one runs."""

_HOLDING_GIL: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
"""The signature of kernels that call Python: ctypes holds the GIL, and raises the exception that they set."""


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function that is called from outside the kernels, with arrays, records, integers and booleans.

    Raise ValueError if another kernel has its name.
    """
    return _register(Kernel(function))


def kernel_with_gil(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a kernel that reads Python's objects: no other Python code runs meanwhile. Otherwise as `kernel`."""
    return _register(Kernel(function, holds_gil=True))


def _register(marked: Kernel[P, R]) -> Kernel[P, R]:
    name = marked.plain.__name__
    if name in kernels:
        raise ValueError(f"there are two kernels {name}")
    kernels[name] = marked
    return marked


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels and other helpers call. Called from anywhere else, it runs as plain Python."""
    helpers.append(function)
    return function
