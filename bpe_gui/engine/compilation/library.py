"""Find and load the shared library with the machine code of all kernels. Without it, they run as plain Python."""

import ctypes
import os
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Final

SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
PATH: Final = Path(__file__).with_name(f"kernels{SUFFIX}")
"""The path of the library, in a wheel or in a checkout where it has been built."""

_PACKAGE: Final = Path(__file__).parents[2]
_COMPILER: Final = _PACKAGE.parent / "build_kernels"
_SOURCES: Final = (_PACKAGE / "engine" / "kernels", Path(__file__).parent, _COMPILER)
"""The sources of the machine code. An installed package has no compiler, and its sources do not change."""


def is_compiled() -> bool:
    """Return whether kernels run as machine code."""
    return load() is not None


@cache
def load() -> ctypes.CDLL | None:
    """Return the library, or None if kernels must run as plain Python.

    That is the case if the environment variable `BPE_GUI_PLAIN` is set and, with a warning, if there is no library for
    this system or it was built from other sources than those in this checkout.
    """
    if os.environ.get("BPE_GUI_PLAIN"):
        return None
    try:
        library = ctypes.CDLL(str(PATH))
        _ = library.sources_digest
    except (OSError, AttributeError):
        warnings.warn("The engine has no machine code for this computer. Large texts will be slow.", stacklevel=2)
        return None
    if _COMPILER.is_dir() and not fits_sources():
        warnings.warn(
            "The kernels have changed since they were compiled, so they run as plain Python, which is slow. "
            "Compile them with: python -m build_kernels. That needs: pip install '.[build]'.",
            stacklevel=2,
        )
        return None
    return library


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
