"""Decide whether machine code is worth having, and get it: from the cache, or by compiling in other processes.

Loading takes a few hundredths of a second. Compiling takes some fifteen seconds, once on a machine. Kernels run as
plain Python before that, and in other threads also meanwhile, so that small work never waits.
"""

import logging
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Any, Final

from bpe_gui.engine.runtime.progress import Progress

from . import code_cache, kernel
from .kernel import is_compiled

__all__ = ["WORTH_LOADING", "compiles_for", "is_cached", "is_compiled", "load", "load_for"]

WORTH_LOADING: Final = 1 << 15
"""The least text, in bytes, for which loading cached machine code pays off."""

_WORTH_COMPILING: Final = 1 << 20
"""The least text, in bytes, after which more is to be expected, so that machine code is compiled for the next time."""

_WORTH_WAITING: Final = 1 << 22
"""The least text, in bytes, for which compiling and waiting for it is faster than plain Python."""

_REPORT_INTERVAL: Final = 0.05  # seconds
_PACKAGE_PARENT: Final = Path(__file__).parents[3]
_COMPILE_ALL: Final = ("-m", "bpe_gui.engine.compilation")  # arguments of Python
_COMPILE_GROUP: Final = ("-m", "bpe_gui.engine.compilation.compile_group")  # arguments of Python

PROGRESS: Final = b"kernels-done"
RESULT: Final = b"kernels-result"
"""Prefixes of the lines of a compiling process: the kernels done and in total; the size of the result that follows."""

_load_lock = threading.Lock()

_background: Final[list[subprocess.Popen[bytes]]] = []
"""The process that compiles for the next time, once there is one. Python would warn if nobody kept it."""

_has_failed: Final = Event()
"""Set once loading has failed, so that it is not tried again."""

_logger: Final = logging.getLogger(__name__)


class CompilationError(Exception):
    """A group of kernels could not be compiled, or compiling is switched off."""


def load_for(work: int, report: Progress | None = None) -> None:
    """Load machine code if that pays off for `work` bytes of text.

    If it has to be compiled first, that takes some fifteen seconds, in which `report` is called as by `load`; for less
    text, another process compiles for the next time. If compiling or loading fails, warn, leave the kernels to plain
    Python, and do not try again.
    """
    if is_compiled() or _has_failed.is_set() or work < WORTH_LOADING:
        return
    try:
        if work >= _WORTH_WAITING or is_cached():
            load(report)
        elif work >= _WORTH_COMPILING:
            _compile_in_background()
    except Exception as error:  # there is no compiler, or one that does not work on this machine
        _has_failed.set()
        _logger.warning("kernels stay plain Python", exc_info=True)
        warnings.warn(f"Large corpora will be slow, because the engine cannot be compiled: {error}", stacklevel=2)


def compiles_for(work: int) -> bool:
    """Return whether `load_for` would have to compile for `work` bytes of text, which takes some fifteen seconds.

    False if llvmlite is not installed.
    """
    try:
        return work >= _WORTH_WAITING and not (is_compiled() or _has_failed.is_set() or is_cached())
    except ImportError:
        _logger.debug("there is no compiler", exc_info=True)
        return False


def is_cached() -> bool:
    """Return whether all machine code is in the cache. Raise ImportError if llvmlite is not installed."""
    return all(code_cache.read(group) is not None for group in code_cache.groups())


def load(report: Progress | None = None) -> None:
    """Load machine code, after compiling what is not in the cache.

    While compiling, `report` is called with the bytes of source compiled and in total; if it raises an exception, that
    stops the compiling. Raise CompilationError if a group cannot be compiled, ImportError if llvmlite is not installed,
    and RuntimeError if LLVM cannot link the code.
    """
    with _load_lock:
        if is_compiled():
            return
        if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
            raise CompilationError("The environment variable NUMBA_DISABLE_JIT prevents numba from compiling.")
        from . import machine_code

        started = time.perf_counter()
        codes = {group: code_cache.read(group) for group in code_cache.groups()}
        missing = [group for group, code in codes.items() if code is None]
        if missing:
            _logger.info("compiling %s", ", ".join(missing))
            codes.update(zip(missing, _compile(missing, report), strict=True))
        kernel.use_machine_code(machine_code.link({group: code for group, code in codes.items() if code is not None}))
        _logger.info("machine code is ready after %.2f s", time.perf_counter() - started)


def _compile(groups: Sequence[str], report: Progress | None) -> list[bytes]:
    """Return the machine code of each group, compiled by a process of its own; as many run as there are processors."""
    weights = {group: code_cache.source_size(group) for group in groups}
    done = dict.fromkeys(groups, 0.0)
    processes = _Processes()
    with ThreadPoolExecutor(min(len(groups), os.cpu_count() or 1), "compile") as pool:
        futures = [pool.submit(_compile_group, group, processes, done) for group in groups]
        failure: BaseException | None = None
        try:
            while wait(futures, _REPORT_INTERVAL, FIRST_EXCEPTION).not_done and failure is None:
                if report is not None:
                    report(int(sum(done[group] * weights[group] for group in groups)), sum(weights.values()))
                failure = next((future.exception() for future in futures if future.done() and future.exception()), None)
        finally:
            processes.stop()
    if failure is not None:  # not that of a process that was stopped because of it
        raise failure
    return [future.result() for future in futures]


def _compile_group(group: str, processes: "_Processes", done: dict[str, float]) -> bytes:
    """Return the machine code of a group, compiled by a process of its own, and keep it in the cache.

    Meanwhile `done[group]` is set to the fraction of its kernels that is compiled. Raise CompilationError.
    """
    result = b""
    with processes.start(*_COMPILE_GROUP, group) as process:
        assert process.stdout is not None
        with process.stdout as output:
            for line in output:  # others, such as a module that Python runs at its start, may print as well
                if line.startswith(PROGRESS):
                    _name, number, total = line.split()
                    done[group] = int(number) / int(total)
                elif line.startswith(RESULT):
                    result = output.read(int(line.split()[1]))
                    break
        process.wait()  # before its input is closed, which would end it
    if process.returncode or not result:
        raise CompilationError(result.decode(errors="replace") or f"Python exited with status {process.returncode}.")
    code_cache.write(group, result)
    return result


def _compile_in_background() -> None:
    """Have another process compile, which may outlive this one, unless one has begun already."""
    if code_cache.claim():
        _logger.info("compiling in the background, for the next time")
        nothing: Final = subprocess.DEVNULL
        _background.append(_start_python(*_COMPILE_ALL, stdin=nothing, stdout=nothing, start_new_session=True))


def _start_python(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start a process that runs a module of this package, without messages. Raise CompilationError."""
    if not sys.executable:
        raise CompilationError("No Python interpreter was found for compiling.")
    # With -P, a file in the user's current folder is not mistaken for a module.
    command = [sys.executable, "-P", *arguments]
    paths = [str(_PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, **options)


class _Processes:
    """Processes that compile, which can all be stopped, those that have not begun as well."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_stopped = False
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a process. Raise CompilationError if processes have been stopped."""
        with self._lock:
            if self._is_stopped:
                raise CompilationError("Compiling was cancelled.")
            # The pipe to its input is not written to; by its end the process sees that this one has ended.
            self._started.append(_start_python(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            return self._started[-1]

    def stop(self) -> None:
        """Kill the processes that run, and start no more."""
        with self._lock:
            self._is_stopped = True
            for process in self._started:
                process.kill()


def _renew_lock() -> None:
    """Give a forked process a lock of its own: the thread that held the other one is not there."""
    global _load_lock
    _load_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)
