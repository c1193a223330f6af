"""Packages that are only needed for counting on a cluster."""

from importlib import import_module
from typing import Any

from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.errors import translatable as _


def package(name: str) -> Any:
    """Return a package. Raise EngineError, which says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise EngineError(
            _(
                "EngineError",
                "Counting on a cluster needs the package {package}, which is not installed: "
                'pip install "bpe-gui[cluster]".',
            ),
            package=name,
        ) from error
