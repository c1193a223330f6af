"""Decide whether compiled kernels are worth loading, and load them: the front to `jit` that the engine and window use.

Machine code is loaded by calling it, once for each combination of argument types. So each stage of the engine
registers a function that calls its kernels, and this module need not know the stages.
"""

import logging
import warnings
from collections.abc import Callable
from threading import Event
from typing import Final

from . import jit
from .code_cache import is_cached
from .jit import is_compiled

__all__ = ["WORTH_LOADING", "calls_kernels", "compiles_for", "is_cached", "is_compiled", "load", "load_for"]

WORTH_LOADING: Final = 1 << 16
"""Bytes of text from which on loading cached machine code is faster than plain Python."""

_WORTH_COMPILING: Final = 1 << 20
"""Bytes of text from which on even compiling is."""

_callers: Final[list[Callable[[], None]]] = []

_has_failed: Final = Event()
"""Set once loading has failed, so that it is not tried again."""

_logger: Final = logging.getLogger(__name__)


def load_for(work: int) -> None:
    """Load the compiled kernels if that pays off for `work` bytes of text.

    The first time on a machine this compiles them, which takes a minute or more. Where that fails, warn once and leave
    the kernels to plain Python.
    """
    if is_compiled() or _has_failed.is_set():
        return
    try:
        if compiles_for(work) or (work >= WORTH_LOADING and is_cached()):
            load()
    except Exception as error:  # no numba, or one that does not work on this machine
        _has_failed.set()
        _logger.warning("kernels stay plain Python", exc_info=True)
        warnings.warn(f"Large corpora take long, because the engine cannot be compiled: {error}", stacklevel=2)


def compiles_for(work: int) -> bool:
    """Return whether `load_for` would have to compile, which takes a minute or more."""
    try:
        return work >= _WORTH_COMPILING and not is_compiled() and not is_cached()
    except ImportError:
        _logger.debug("there is no compiler", exc_info=True)
        return False


def load() -> None:
    """Load the compiled kernels, or compile them if that was never done on this machine. Raise if neither works."""
    jit.load(_call_every_kernel)


def calls_kernels(function: Callable[[], None]) -> Callable[[], None]:
    """Register a function that calls every kernel its module uses, once for each combination of argument types."""
    _callers.append(function)
    return function


def _call_every_kernel() -> None:
    for call_kernels in _callers:
        call_kernels()
