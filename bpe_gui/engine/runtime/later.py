"""Import the names of a package when they are first used: most programs need few of them."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def imported_later(package: str, names: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which imports what it is asked for. `names` are given by module.

    >>> import os
    >>> imported_later("os", {".path": ["basename", "join"]})("join")("low", "lower").replace(os.sep, "/")
    'low/lower'
    """
    modules = {name: module for module, of_module in names.items() for name in of_module}

    def imported(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
