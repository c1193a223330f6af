"""The versions that must be equal on all machines, so that they count the same words."""

import platform

import numpy as np
import regex

from bpe_gui import __version__
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.character_sets import UNICODE_VERSION

Versions = dict[str, str]
"""By what it is: its version."""


def versions() -> Versions:
    """Return the versions on this machine."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "bpe-gui": __version__,
        "numpy": np.__version__,
        "regex": regex.__version__,
        "Unicode": UNICODE_VERSION,
    }


def check_versions(here: Versions, there: Versions, worker: str) -> None:
    """Raise EngineError if a version on `worker` differs.

    >>> check_versions({"numpy": "2.4.6"}, {"numpy": "1.26.0"}, "tcp://a:1")
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: The worker tcp://a:1 has numpy 1.26.0, but this machine has 2.4.6. Ins...
    """
    for name, version in here.items():
        if there.get(name) != version:
            raise EngineError(
                _(
                    "EngineError",
                    "The worker {worker} has {name} {there}, but this machine has {here}. Install the same "
                    "versions everywhere, because they determine how text is split into words.",
                ),
                worker=worker,
                name=name,
                there=there.get(name, "?"),
                here=version,
            )
