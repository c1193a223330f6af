"""Find and load the shared library with the machine code of all kernels. Without it, they run as plain Python."""

import ctypes
import os
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _

SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
PATH: Final = Path(__file__).with_name(f"kernels{SUFFIX}")
"""The path of the library, in a wheel or in a checkout where it has been built."""

OLDEST: Final = (3, 11)
NEWEST: Final = (3, 14)
"""The versions of Python that compile the kernels; numba exists for no later one. See pyproject.toml."""

_PACKAGE: Final = Path(__file__).parents[2]
_COMPILER: Final = _PACKAGE.parent / "build_kernels"
_SOURCES: Final = (_PACKAGE / "engine" / "kernels", Path(__file__).parent, _COMPILER)
"""The sources of the machine code. An installed package has no compiler, and its sources do not change."""


def is_compiled() -> bool:
    """Return whether kernels run as machine code."""
    return load() is not None


def why_not_compiled() -> Statement | None:
    """Return why kernels run as plain Python, and what helps, unless the environment variable asks for it."""
    return _load()[1]


@cache
def load() -> ctypes.CDLL | None:
    """Return the library, or None if kernels must run as plain Python.

    That is the case if the environment variable `BPE_GUI_PLAIN` is set and, with a warning, if there is no library for
    this system or it was built from other sources than those in this checkout.
    """
    library, reason = _load()
    if reason is not None:
        warnings.warn(str(reason), stacklevel=2)
    return library


@cache
def _load() -> tuple[ctypes.CDLL | None, Statement | None]:
    if os.environ.get("BPE_GUI_PLAIN"):
        return None, None
    try:
        library = ctypes.CDLL(str(PATH))
        _digest = library.sources_digest
    except (OSError, AttributeError):
        slow = _("Compilation", "The engine has no machine code here, so large texts will be slow. {remedy}")
        return None, slow.format(remedy=remedy())
    if _COMPILER.is_dir() and not fits_sources():
        return None, _(
            "Compilation",
            "The kernels have changed since they were compiled, so they run as plain Python, which is slow. "
            "Compile them with: python -m build_kernels. That needs: pip install '.[build]'.",
        )
    return library, None


def remedy() -> Statement:
    """Return what to do where the machine code is missing."""
    this, newest = sys.version_info[:2], f"{NEWEST[0]}.{NEWEST[1]}"
    if this <= NEWEST:
        return _("Compilation", "Install bpe-gui again with pip install --verbose, which says why it was not compiled.")
    command = f"python{newest} -m venv .venv && .venv/bin/pip install ."
    if sys.platform == "win32":
        command = f"py -{newest} -m venv .venv && .venv\\Scripts\\pip install ."
    return _(
        "Compilation",
        "Python {this} cannot compile it: install bpe-gui with Python {oldest} to {newest}, for example: {command}",
    ).format(this=f"{this[0]}.{this[1]}", oldest=f"{OLDEST[0]}.{OLDEST[1]}", newest=newest, command=command)


def fits_sources() -> bool:
    """Return whether the library was built from the current sources of this checkout."""
    return PATH.exists() and sources_digest().encode() in PATH.read_bytes()


def sources_digest() -> str:
    """Return a digest, of 64 characters, of all sources of the machine code in a checkout."""
    from hashlib import sha256

    digest = sha256()
    for root in _SOURCES:
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
