"""Set up the program's logging.

Every module that touches files, threads or the system logs by `logging.getLogger(__name__)`, and never a user's text.
Nothing is shown unless the environment variable BPE_GUI_LOG asks for it; the window also keeps a file.
"""

import logging
import os
import sys
from pathlib import Path
from typing import Final

VARIABLE: Final = "BPE_GUI_LOG"

_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s"
_MAX_BYTES: Final = 1_000_000
_BACKUPS: Final = 2  # beside the file that is being written

_package_logger: Final = logging.getLogger(__package__)
_logger: Final = logging.getLogger(__name__)


def configure_from_environment() -> None:
    """Log to standard error if BPE_GUI_LOG names a level: debug, info, warning or error.

    Any other value counts as `warning`, and is warned about.
    """
    name = os.environ.get(VARIABLE, "")
    if not name or sys.stderr is None:
        return
    _add_handler(logging.StreamHandler(), _level(name, logging.WARNING))
    if name.lower() not in _LEVELS:
        _logger.warning("%s is %r, which is not a log level. The levels are: %s", VARIABLE, name, ", ".join(_LEVELS))


def log_to_file(path: Path) -> logging.Handler:
    """Log to the file at `path` as well, at level `info` and above, or at the level that BPE_GUI_LOG names.

    The file and its folder are created for the first record; at 1 MB the file is renamed to `path` with `.1` after it,
    and that one to `.2`. Records that cannot be written are dropped silently. Return the handler, which the caller may
    remove.
    """
    from .log_file import QuietFileHandler  # imports what opens connections, which commands need not wait for

    handler = QuietFileHandler(path, maxBytes=_MAX_BYTES, backupCount=_BACKUPS, encoding="utf-8", delay=True)
    _add_handler(handler, _level(os.environ.get(VARIABLE, ""), logging.INFO))
    return handler


def _level(name: str, default: int) -> int:
    return _LEVELS.get(name.lower(), default)


def _add_handler(handler: logging.Handler, level: int) -> None:
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.setLevel(level)
    _package_logger.addHandler(handler)
    _package_logger.setLevel(min(level, _package_logger.level or level))
