"""Running kernels: as compiled code where that is ready, else as the plain Python they are written in.

numba compiles a kernel when it is first called with arguments of some types, and keeps the result in a folder of files.
Compiling takes many seconds, loading what is compiled a fraction of one, and importing numba some more. So none of it
happens until somebody asks for `load`; small work does not, and needs no compiled code.
"""

import gc
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, update_wrapper
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Generic, ParamSpec, TypeVar

import numpy as np
import platformdirs

P = ParamSpec("P")
R = TypeVar("R")

_COMPLETE: Final = "complete"
"""The file in the folder that says that all kernels are in it."""

_kernels: Final[list["Kernel[..., Any]"]] = []
_helpers: Final[list[Callable[..., Any]]] = []
_inlined: Final[list[Callable[..., Any]]] = []
_installers: Final[list[Callable[[], None]]] = []
_loading: Final = threading.RLock()
_ready = threading.Event()
_this_thread = threading.local()  # `warming`: it runs compiled code already, to load it


class Kernel(Generic[P, R]):
    """A function over arrays that the rest of the engine calls."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.plain = function
        self.compiled: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **_none: P.kwargs) -> R:
        if is_compiled() or getattr(_this_thread, "warming", False):
            result: R = self.compiled(*arguments)
            return result
        plain: Any = self.plain
        viewed: R = plain(*map(_viewed, arguments))
        return viewed


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function that is called from outside the kernels, with arrays, records of arrays, and integers."""
    made = Kernel(function)
    _kernels.append(made)
    return made


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels call."""
    _helpers.append(function)
    return function


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels call so often that handing records of arrays to it takes longer than what it does.

    The compiler puts it wherever it is called, which takes time to compile.
    """
    _inlined.append(function)
    return function


def replaced_by(install: Callable[[], None]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function that kernels call and that has another body in compiled code; `install` tells numba so."""
    _installers.append(install)
    return lambda function: function


def _viewed(argument: Any) -> Any:
    """What plain Python gets for an array: a view that gives Python's own integers, which are exact, and faster."""
    if isinstance(argument, np.ndarray):
        return argument.data
    if isinstance(argument, tuple):
        return type(argument)(*map(_viewed, argument))
    return argument


def is_compiled() -> bool:
    """Whether kernels run as compiled code in this process."""
    return _ready.is_set()


def is_cached() -> bool:
    """Whether loading would find all that it needs, and so be quick."""
    folder = cache_folder()
    return folder is not None and (folder / _COMPLETE).exists()


def load(warm_up: Callable[[], None]) -> None:
    """Compile the kernels, or load them where they were compiled before. `warm_up` has to call every one of them.

    Other threads go on with plain Python meanwhile.
    """
    with _loading:
        if is_compiled():
            return
        _register()
        try:
            _load_into(cache_folder(), warm_up)
        except Exception:
            # Files that are damaged, or no room to keep any, are a reason to do without files.
            if (folder := cache_folder()) is not None:
                shutil.rmtree(folder, ignore_errors=True)
            _load_into(None, warm_up)
        # What numba has made stays as long as the program; to look at all of it takes the garbage collector long.
        gc.freeze()
        _ready.set()


def _take_no_index_from_the_end() -> None:
    """Have numba not ask, while it compiles kernels, whether an index is below 0: none is.

    To ask that at every access takes a tenth of the time.
    """
    from numba.core import types
    from numba.np import arrayobj

    original: Any = arrayobj.fix_integer_index

    def fix(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if getattr(_this_thread, "warming", False):
            return context.cast(builder, index, kind, types.intp)
        return original(context, builder, kind, index, size)

    arrayobj.fix_integer_index = fix


@cache
def _register() -> None:
    import numba
    from numba.extending import register_jitable

    if vars(numba.config)["DISABLE_JIT"]:
        raise ImportError("The environment variable NUMBA_DISABLE_JIT keeps numba from compiling.")
    _take_no_index_from_the_end()
    for install in _installers:
        install()
    for function in _helpers:
        register_jitable(function)
    for function in _inlined:
        register_jitable(forceinline=True)(function)


def _load_into(folder: Path | None, warm_up: Callable[[], None]) -> None:
    """Have numba compile what is not kept in the folder, and keep it there, if there is one."""
    _hand_to_numba(folder)
    _this_thread.warming = True
    try:
        warm_up()
    finally:
        _this_thread.warming = False
    if folder is not None:
        (folder / _COMPLETE).touch()


def _hand_to_numba(folder: Path | None) -> None:
    import numba

    # Kernels own nothing. Counting references to every array of a record at each call took most of the time.
    options: dict[str, Any] = {"nogil": True, "cache": folder is not None, "_nrt": False}
    with _numba_cache(numba.config, folder):
        for each in _kernels:
            each.compiled = numba.njit(**options)(each.plain)


@contextmanager
def _numba_cache(config: Any, folder: Path | None) -> Iterator[None]:
    """Have numba keep here what it compiles, and elsewhere what other programs in this process have it compile."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
    try:
        yield
    finally:
        config.CACHE_DIR = before


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept: in the user's cache, else among temporary files; None where neither can be had."""
    name = f"kernels-{_fingerprint()}"
    for place in (_user_cache, _own_temporary_folder):
        try:
            parent = place()
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = parent / name
            if _is_ours(parent):
                folder.mkdir(mode=0o700, exist_ok=True)
                if _is_ours(folder) and os.access(folder, os.W_OK):
                    return folder
        except OSError:
            continue
    return None


def _user_cache() -> Path:
    return platformdirs.user_cache_path("bpe-gui", appauthor=False)


def _own_temporary_folder() -> Path:
    user = os.getuid() if sys.platform != "win32" else ""
    return Path(tempfile.gettempdir()) / f"bpe-gui-{user}"


def _is_ours(folder: Path) -> bool:
    """Whether nobody else could have put something there: what is found in it is run."""
    if sys.platform == "win32":
        return True
    status = folder.lstat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022 and folder.is_dir()


def _fingerprint() -> str:
    """Differs where compiled code could differ: numba itself does not see that a helper in another file changed."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    for part in (version("numba"), version("numpy"), sys.version, platform.machine()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]
