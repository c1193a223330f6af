"""Find the folder in which compiled kernels are cached, and know whether it is complete and can be trusted.

The folder's name changes with whatever the machine code depends on. Code that is found there is run, so a folder that
somebody else could have written to is not used.
"""

import hashlib
import logging
import os
import platform
import shutil
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import platformdirs

_KERNELS: Final = Path(__file__).parents[1] / "kernels"
_JIT: Final = Path(__file__).with_name("jit.py")

_COMPLETE: Final = "complete"
"""The name of a file that marks a folder with the code of all kernels."""

_logger: Final = logging.getLogger(__name__)


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled code: in the user's cache, else among temporary files; None if neither works.

    Raise ImportError if numba is not installed.
    """
    name = f"kernels-{fingerprint()}"
    for find_parent in (_user_cache, _own_temporary_folder):
        try:
            parent = find_parent()
            folder = _private_folder(parent, name)
        except OSError:
            _logger.warning("compiled kernels cannot be cached (%s)", find_parent.__name__, exc_info=True)
        else:
            _logger.info("compiled kernels are cached in %s", folder)
            return folder
    _logger.warning("compiled kernels are not cached")
    return None


def is_cached() -> bool:
    """Return whether the compiled code of all kernels is in the cache. Raise ImportError if numba is not installed."""
    folder = cache_folder()
    return folder is not None and (folder / _COMPLETE).exists()


def mark_complete(folder: Path) -> None:
    """Note that a folder has the code of all kernels."""
    (folder / _COMPLETE).touch()


def discard(folder: Path) -> None:
    """Remove a folder with damaged code. If not all of it can be removed, it no longer counts as complete."""
    try:
        (folder / _COMPLETE).unlink(missing_ok=True)
        shutil.rmtree(folder)
    except OSError:
        _logger.warning("%s cannot be removed", folder, exc_info=True)


def _private_folder(parent: Path, name: str) -> Path:
    """Create a folder that only this user can write to. Raise OSError if somebody else could, or nobody can."""
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(parent)
    folder = parent / name
    folder.mkdir(mode=0o700, exist_ok=True)
    _check_owner(folder)
    with tempfile.TemporaryFile(dir=folder):  # Windows only tells by trying
        return folder


def _user_cache() -> Path:
    return platformdirs.user_cache_path("bpe-gui", appauthor=False)


def _own_temporary_folder() -> Path:
    """Return a folder that other users' programs do not use; on Windows, temporary files are the user's own anyway."""
    folder = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        name = "bpe-gui"
    else:
        name = f"bpe-gui-{os.getuid()}"
    return folder / name


def _check_owner(folder: Path) -> None:
    """Raise PermissionError unless `folder` is a real folder of this user's that nobody else may write to.

    Windows keeps other users out of a user's cache and temporary files by access lists, which they inherit.
    """
    is_safe = folder.is_dir() and not folder.is_symlink()
    if sys.platform != "win32":
        status = folder.lstat()
        is_safe = is_safe and status.st_uid == os.getuid() and not status.st_mode & 0o022
    if not is_safe:
        raise PermissionError(f"somebody else could write to {folder}")


def fingerprint(kernels: Path = _KERNELS) -> str:
    """Return a name that differs wherever compiled code may differ.

    numba itself only notices that a kernel's own file has changed, not a helper in another one. Every file in `kernels`
    counts, and where it is: numba keeps the code of a folder apart from that of another with the same content.
    """
    digest = hashlib.sha256(str(kernels).encode(errors="surrogateescape"))
    for source in sorted(kernels.rglob("*.py")):
        digest.update(source.relative_to(kernels).as_posix().encode())
        digest.update(source.read_bytes())
    digest.update(_JIT.read_bytes())
    for dependency in (version("numba"), version("numpy"), sys.version, platform.machine()):
        digest.update(dependency.encode())
    return digest.hexdigest()[:16]
