"""Keep machine code in files, one for each group (a folder of kernels), and check whether they can be trusted.

The name of the folder they are in changes with whatever the machine code depends on. Code that is found there is run,
so a folder that somebody else could have written to is not used, and a file that is damaged counts as missing.
"""

import hashlib
import logging
import os
import shutil
import sys
import time
from functools import cache
from pathlib import Path
from typing import Final

_KERNELS: Final = Path(__file__).parents[1] / "kernels"
_COMPILER: Final = Path(__file__).parent
_CLAIM_LASTS: Final = 120  # seconds, in which compiling ends even on a slow or busy machine
_DIGEST_SIZE: Final = hashlib.sha256().digest_size

_logger: Final = logging.getLogger(__name__)


@cache
def groups() -> tuple[str, ...]:
    """Return the names of the folders of kernels, each compiled to a file of its own; the largest first."""
    folders = [path.name for path in _KERNELS.iterdir() if (path / "__init__.py").exists()]
    return tuple(sorted(folders, key=lambda group: (-source_size(group), group)))


def source_size(group: str) -> int:
    """Return the size of the sources of a group in bytes; the time to compile it is roughly proportional to that."""
    return sum(path.stat().st_size for path in (_KERNELS / group).glob("*.py"))


# -- files --------------------------------------------------------------------------------------------------------


def read(group: str) -> bytes | None:
    """Return the machine code of a group; None if its file is missing or damaged.

    Raise ImportError if llvmlite is not installed.
    """
    folder = cache_folder()
    if folder is None:
        return None
    try:
        content = _file(folder, group).read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
    if digest != hashlib.sha256(code).digest():
        _logger.warning("%s is damaged", _file(folder, group))
        return None
    return code


def write(group: str, code: bytes) -> None:
    """Keep the machine code of a group, if that is possible; other processes see all of it or nothing."""
    folder = cache_folder()
    if folder is None:
        return
    import tempfile

    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        target = _file(folder, group)
        if target.is_dir():
            shutil.rmtree(target)
        Path(temporary).replace(target)
    except OSError:  # the disk is full, or on Windows another process has the file open
        _logger.warning("the machine code of %s cannot be kept", group, exc_info=True)
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _file(folder: Path, group: str) -> Path:
    return folder / f"{group}.code"


def claim() -> bool:
    """Return whether this process is to compile in the background: no other one did so in the last two minutes."""
    folder = cache_folder()
    if folder is None:
        return False
    claim = folder / "compiling"
    try:
        if time.time() - claim.stat().st_mtime < _CLAIM_LASTS:
            return False
        claim.unlink()
    except FileNotFoundError:
        pass
    except OSError:  # another process has just removed it
        return False
    try:
        claim.touch(exist_ok=False)
    except OSError:
        return False
    return True


# -- the folder ---------------------------------------------------------------------------------------------------


@cache
def cache_folder() -> Path | None:
    """Return the folder for machine code: in the user's cache, else among temporary files; None if neither works.

    Raise ImportError if llvmlite is not installed.
    """
    name = f"kernels-{fingerprint()}"
    for find_parent in (_user_cache, _own_temporary_folder):
        try:
            parent = find_parent()
            folder = _private_folder(parent, name)
        except (OSError, RuntimeError):  # the latter from platformdirs, for a user without a home
            _logger.warning("compiled kernels cannot be cached (%s)", find_parent.__name__, exc_info=True)
        else:
            _logger.info("compiled kernels are cached in %s", folder)
            return folder
    _logger.warning("compiled kernels are not cached")
    return None


def _private_folder(parent: Path, name: str) -> Path:
    """Create and return `parent / name`, which only this user can write to.

    Raise OSError if somebody else could write to it or to `parent`, or if this process cannot.
    """
    import tempfile

    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(parent)
    folder = parent / name
    folder.mkdir(mode=0o700, exist_ok=True)
    _check_owner(folder)
    with tempfile.TemporaryFile(dir=folder):  # on Windows, only trying shows whether it is writable
        return folder


def _user_cache() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("bpe-gui", appauthor=False)


def _own_temporary_folder() -> Path:
    """Return a folder that other users' programs do not use; on Windows, temporary files are the user's own anyway."""
    import tempfile

    folder = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        name = "bpe-gui"
    else:
        name = f"bpe-gui-{os.getuid()}"
    return folder / name


def _check_owner(folder: Path) -> None:
    """Raise PermissionError unless `folder` is a folder, not a link, that this user owns and nobody else may write to.

    On Windows, owners are not checked: a user's cache and temporary files inherit access lists that keep others out.
    """
    is_safe = folder.is_dir() and not folder.is_symlink()
    if sys.platform != "win32":
        status = folder.lstat()
        is_safe = is_safe and status.st_uid == os.getuid() and not status.st_mode & 0o022
    if not is_safe:
        raise PermissionError(f"other users can write to {folder}")


def fingerprint(kernels: Path = _KERNELS) -> str:
    """Return a name that differs wherever machine code may differ.

    It depends on the kernels, on the code that compiles them, on the compilers' versions, on this machine's processor,
    and on whether bounds are checked; but not on where the package is installed, nor on the rest of it.
    """
    from importlib.metadata import version

    from .machine_code import processor

    digest = hashlib.sha256()
    for root in (kernels, _COMPILER):
        for source in sorted(root.rglob("*.py")):
            digest.update(source.relative_to(root).as_posix().encode())
            digest.update(source.read_bytes())
    python, bounds = f"{sys.version_info.major}.{sys.version_info.minor}", os.environ.get("NUMBA_BOUNDSCHECK", "")
    for dependency in (version("numba"), version("llvmlite"), python, sys.platform, processor(), bounds):
        digest.update(dependency.encode() + b"\0")
    return digest.hexdigest()[:16]
