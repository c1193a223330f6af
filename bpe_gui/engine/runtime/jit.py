"""Run kernels: as compiled code once it is loaded, and until then as the plain Python they are written in.

This module has the mechanism: the decorators that mark kernels and their helpers, and `load`, which hands them to
numba. `compiled` has the policy: when loading is worth it, and what to call to load everything.

numba compiles a kernel when it is first called with arguments of some types, and can cache the machine code in files.
Compiling everything takes about 80 seconds, loading it from the cache under one, and importing numba a quarter. So
none of that happens until somebody calls `load`; small work never does.
"""

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, Final, Generic, ParamSpec, TypeVar

import numpy as np

from .code_cache import cache_folder, discard, is_cached, mark_complete

P = ParamSpec("P")
R = TypeVar("R")

_kernels: Final[list["Kernel[..., Any]"]] = []
_helpers: Final[list[Callable[..., Any]]] = []
_inlined: Final[list[Callable[..., Any]]] = []
_overload_installers: Final[list[Callable[[], None]]] = []

_load_lock: Final = threading.RLock()
_ready = threading.Event()
_logger: Final = logging.getLogger(__name__)


class _ThisThread(threading.local):
    is_warming_up = False
    """Whether this thread runs compiled code already, in order to load it."""


_this_thread: Final = _ThisThread()


class Kernel(Generic[P, R]):
    """A function over arrays that the rest of the engine calls."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.plain = function
        self.compiled: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: P.args, **_none: P.kwargs) -> R:
        if is_compiled() or _this_thread.is_warming_up:
            result: R = self.compiled(*arguments)
            return result
        plain: Any = self.plain
        plain_result: R = plain(*map(_view, arguments))
        return plain_result


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function that is called from outside the kernels, with arrays, records of arrays, and integers."""
    marked = Kernel(function)
    _kernels.append(marked)
    return marked


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels call."""
    _helpers.append(function)
    return function


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that kernels call so often that passing it records of arrays would take longer than its work.

    The compiler copies it to every call, which takes time to compile.
    """
    _inlined.append(function)
    return function


def overloads(install: Callable[[], None]) -> Callable[[], None]:
    """Mark a function that gives functions of its module another body in compiled code, by `numba.extending`.

    It is called once, before anything is compiled, so that numba is imported no earlier.
    """
    _overload_installers.append(install)
    return install


def _view(argument: Any) -> Any:
    """Return an array as a `memoryview`, whose items are Python's own integers: exact, and faster in plain Python."""
    if isinstance(argument, np.ndarray):
        return argument.data
    if isinstance(argument, tuple):
        return type(argument)(*map(_view, argument))
    return argument


def is_compiled() -> bool:
    """Return whether kernels run as compiled code in this process."""
    return _ready.is_set()


def load(warm_up: Callable[[], None]) -> None:
    """Load the compiled kernels from the cache, or compile them. `warm_up` has to call every kernel.

    Other threads go on running kernels as plain Python meanwhile. Raise ImportError if there is no numba.
    """
    with _load_lock:
        if is_compiled():
            return
        started = time.perf_counter()
        _register_with_numba()
        folder = cache_folder()
        _logger.info("%s kernels", "loading compiled" if is_cached() else "compiling")
        try:
            _load_from(folder, warm_up)
        except Exception:
            if folder is None:
                raise
            # Damaged files, or a full disk, are a reason to do without files.
            _logger.warning("the compiled kernels in %s cannot be used; compiling in memory", folder, exc_info=True)
            discard(folder)
            _load_from(None, warm_up)
        # numba's objects live as long as the program, and the garbage collector takes long to look at all of them.
        gc.freeze()
        _ready.set()
        _logger.info("compiled kernels are ready after %.2f s", time.perf_counter() - started)


@cache
def _register_with_numba() -> None:
    import numba
    from numba.extending import register_jitable

    if vars(numba.config)["DISABLE_JIT"]:
        raise ImportError("The environment variable NUMBA_DISABLE_JIT keeps numba from compiling.")
    _skip_negative_index_checks()
    for install in _overload_installers:
        install()
    for function in _helpers:
        register_jitable(function)
    for function in _inlined:
        register_jitable(forceinline=True)(function)


def _skip_negative_index_checks() -> None:
    """Keep numba from checking, in the kernels it compiles, whether an index counts from the end: none does.

    The check at every access takes a tenth of the time. This replaces a private function of numba's; code that other
    parts of the program compile is not affected.
    """
    from numba.core import types
    from numba.np import arrayobj

    original: Any = arrayobj.fix_integer_index

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if _this_thread.is_warming_up:
            return context.cast(builder, index, kind, types.intp)
        return original(context, builder, kind, index, size)

    arrayobj.fix_integer_index = fix_integer_index


def _load_from(folder: Path | None, warm_up: Callable[[], None]) -> None:
    """Have numba load every kernel from the folder, or compile it and keep it there; without a folder, compile all."""
    _dispatch_kernels(folder)
    with _warming_up():
        warm_up()
    if folder is not None:
        mark_complete(folder)


@contextmanager
def _warming_up() -> Iterator[None]:
    """Have this thread call compiled kernels before they are ready for others."""
    _this_thread.is_warming_up = True
    try:
        yield
    finally:
        _this_thread.is_warming_up = False


def _dispatch_kernels(folder: Path | None) -> None:
    """Give every kernel a numba dispatcher that caches its code in `folder`, if there is one."""
    import numba

    # Kernels own no memory. Counting references to every array of a record at each call took most of the time, so
    # numba's runtime, which does the counting, is switched off by a private option.
    options: dict[str, Any] = {"nogil": True, "cache": folder is not None, "_nrt": False}
    with _numba_cache(numba.config, folder):
        for each in _kernels:
            each.compiled = numba.njit(**options)(each.plain)


@contextmanager
def _numba_cache(config: Any, folder: Path | None) -> Iterator[None]:
    """Have numba cache in `folder` what is decorated meanwhile; code of other programs keeps its own cache."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
    try:
        yield
    finally:
        config.CACHE_DIR = before
