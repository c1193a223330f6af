"""Dispatch the command line to the modules of commands.

Results go to standard output as bytes, in UTF-8 regardless of the system's encoding; messages go to standard error. The
exit status is 0 for success; 1 if `convert --check` or `report --prune-to` finds different ids, or `audit` what
`--fail-on` names; 2 for a user's mistake, with one line that says what would be right; 130 after Ctrl-C; and 143 if the
system ended the program.
"""

import argparse
import logging
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Final

from bpe_gui.engine import BadRecordError, EngineError, UndecodableFileError

from .arguments import COMMANDS, UsageError, parse
from .streams import discard_output, report_mistake, report_os_error, say

__all__ = ["COMMANDS", "main"]

_INTERRUPTED: Final = 130
_TERMINATED: Final = 143

_logger: Final = logging.getLogger(__name__)


def main(argv: Sequence[str]) -> int:
    """Run the command in `argv`, without the program's name, and return the exit status."""
    try:
        with _ending_in_order(), _saying_warnings():
            status = _run(argv)
            if sys.stdout:
                sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        _logger.info("interrupted")
        discard_output()
        return _TERMINATED if isinstance(interrupt, _Termination) else _INTERRUPTED
    except OSError as error:
        return report_os_error(error)
    except MemoryError:
        _logger.debug("out of memory", exc_info=True)
        discard_output()
        return report_mistake("there is not enough memory. Close other programs, or work on a part of the text.")
    return status


class _Termination(KeyboardInterrupt):
    """The system asked the program to end."""


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Raise `_Termination` when the system ends the program, so that temporary files are removed."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise _Termination

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _saying_warnings() -> Iterator[None]:
    """Print each warning on one line, without the source location that Python would add."""

    def show(message: Warning | str, *_place: object, **_more: object) -> None:
        say(f"bpe-gui: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parse(argv)
    except SystemExit as finished:  # after --help or --version
        return int(finished.code or 0)
    except UsageError as error:
        return report_mistake(str(error))
    try:
        return _runner(arguments.command)(arguments)
    except EngineError as error:
        _logger.debug("%s failed", arguments.command, exc_info=True)
        return report_mistake(f"{error}{_remedy(error, arguments)}")


def _runner(command: str) -> Callable[[argparse.Namespace], int]:
    """Return the function that runs a command. Import only its module, since all of them take a tenth of a second."""
    module, function = ("coding", command) if command in ("encode", "decode") else (command, "run")
    run: Callable[[argparse.Namespace], int] = getattr(import_module(f".{module}", __package__), function)
    return run


def _remedy(error: EngineError, arguments: argparse.Namespace) -> str:
    """Return a space and a sentence about options that would help, if there are any."""
    if isinstance(error, UndecodableFileError):
        return f" {arguments.remedy}"
    return " Use --field NAME or --skip-bad-lines." if isinstance(error, BadRecordError) else ""
