"""A report about the program and the system it runs on, to attach to a bug report.

It contains nothing of the user's text, and the home folder is written as `~`.
"""

import locale
import logging
import platform
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Final

import platformdirs
import PySide6
from PySide6.QtCore import QLocale, qVersion
from PySide6.QtGui import QFont, QFontInfo, QGuiApplication

from bpe_gui import __version__
from bpe_gui.engine import is_compiled
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.wording.language import language_in_force

_LOG_LINES: Final = 100
_PACKAGES: Final = ("numpy", "regex")
_logger: Final = logging.getLogger(__name__)


def default_log_file() -> Path:
    """Return the path of the window's log, in the user's log folder."""
    return platformdirs.user_log_path("bpe-gui", appauthor=False) / "bpe-gui.log"


def diagnostics(log_file: Path | None, fonts: Mapping[str, QFont]) -> str:
    """Return the report: a line for each fact, and the last 100 lines of the log if there is one.

    The keys of `fonts` say what each font is used for.
    """
    facts = {
        "bpe-gui": __version__,
        "Python": f"{platform.python_version()} ({platform.python_implementation()}, {platform.machine()})",
        "PySide6": f"{PySide6.__version__}, Qt {qVersion()}",
        **{name: _version(name) for name in _PACKAGES},
        "system": platform.platform(),
        "display": QGuiApplication.platformName(),
        "screens": "; ".join(_screens()),
        **{f"{use} font": _font_text(font) for use, font in fonts.items()},
        "locale": f"{QLocale.system().name()}, encoding {locale.getpreferredencoding(False)}",
        "language": f"{language_in_force()}, numbers as in {QLocale().name()}",
        "kernels": "compiled" if is_compiled() else "plain Python",
        "memory": f"{_megabytes(memory.in_use())} in use, {_megabytes(memory.available())} available",
    }
    return format_report(facts, _log_tail(log_file), Path.home())


def format_report(facts: Mapping[str, str], log_lines: Iterable[str], home: PurePath) -> str:
    """Return facts and log lines as text, with the folder `home` written as `~` unless it is the root."""
    lines = [f"{name}: {value}" for name, value in facts.items()]
    text = "\n".join([*lines, "", "log:", *log_lines]) + "\n"
    if home == home.parent:
        return text
    # On Windows, `repr` doubles the backslashes of a path, and a URL has slashes instead.
    for spelling in (str(home), str(home).replace("\\", "\\\\"), home.as_posix()):
        text = text.replace(spelling, "~")
    return text


def _version(package: str) -> str:
    """Return the version of an installed package, or say that it is not installed."""
    from importlib import metadata  # slow to import

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _screens() -> Iterable[str]:
    """Yield the size of each screen in logical pixels, its scale and its resolution."""
    for screen in QGuiApplication.screens():
        size = screen.size()
        scale, dpi = screen.devicePixelRatio(), screen.logicalDotsPerInch()
        yield f"{size.width()} × {size.height()} at scale {scale:g}, {dpi:.0f} dpi"


def _font_text(font: QFont) -> str:
    """Return the requested font family, the one Qt found for it, and the size in points."""
    found = QFontInfo(font)
    return f"{font.family()}, found {found.family()}, {found.pointSizeF():g} pt"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _log_tail(path: Path | None) -> list[str]:
    """Return the last 100 lines of a log, or one line that says why there are none."""
    if path is None:
        return ["no log is kept"]
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=_LOG_LINES)]
    except FileNotFoundError:
        return ["nothing was logged"]
    except OSError as error:
        _logger.warning("the log cannot be read: %s", error)
        return [f"the log cannot be read: {error}"]
