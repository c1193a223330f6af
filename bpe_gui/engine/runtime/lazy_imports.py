"""Import what programs seldom need only when it is used: the names of a package, and the package `regex`."""

import sys
from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import regex


def imported_when_used(package: str, names: Collection[str], *modules: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which imports each of `names` from the first of `modules` that has it.

    Name modules that need little first: those before the right one are imported too.

    >>> imported_when_used("os", ["basename"], ".path")("basename")("low/lower")
    'lower'
    """

    def imported(name: str) -> Any:
        if name in names:
            for module in modules:
                loaded = import_module(module, package)
                if hasattr(loaded, name):
                    value = getattr(loaded, name)
                    setattr(sys.modules[package], name, value)
                    return value
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return imported


@cache
def expression(source: str) -> "regex.Pattern[str]":
    """Return the compiled form of a regular expression that the engine itself wrote. Importing `regex` takes 10 ms.

    >>> expression(r"\\p{L}+").findall("low lower")
    ['low', 'lower']
    """
    import regex

    return regex.compile(source)
