"""The composition root: creates the parts of the program and connects them."""

import ctypes
import logging
import os
import string
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from bpe_gui import __version__
from bpe_gui.gui.projects.autosave import RecoveryFolder, default_recovery_folder
from bpe_gui.gui.system.process import GarbageCollector, StallWatchdog
from bpe_gui.logs import log_to_file
from bpe_gui.resources import resource

from .look.theme import Theme
from .main_window import MainWindow
from .session.session import Session
from .system import handover
from .system.diagnostics import default_log_file
from .system.process import ErrorReporter, InterruptListener
from .system.settings import Settings
from .wording.language import install_language

NAME: Final = "bpe-gui"

_SWITCH_INTERVAL: Final = 0.001
"""Seconds before a worker thread yields to the UI thread; a fifth of the default, to keep the window responsive."""

_SHARD_PATHW: Final = 3  # says that the other argument is a path

_logger: Final = logging.getLogger(__name__)


def main(argv: Sequence[str] = ()) -> int:
    """Open the window with the files named in `argv`, run until it is closed, and return the exit status.

    `argv` does not include the program's name; Qt removes its own options.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)
    log_file = default_log_file()
    log_to_file(log_file)
    _logger.info("bpe-gui %s begins on %s", __version__, sys.platform)
    app = QApplication([NAME, *(_quoted(argument) for argument in argv if argument != handover.NEW_WINDOW)])
    app.setApplicationName(NAME)
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(NAME)
    app.setWindowIcon(QIcon(str(resource("icons", "bpe-gui.svg"))))
    app.aboutToQuit.connect(_release_clipboard)
    garbage = GarbageCollector(app)
    errors = ErrorReporter(app)
    interrupts = InterruptListener(app)
    watchdog = StallWatchdog(log_file.with_name("bpe-gui-stacks.log"), app)

    settings = Settings()
    if sys.platform == "win32":
        settings.recent_added = lambda path: ctypes.windll.shell32.SHAddToRecentDocs(_SHARD_PATHW, str(path))
    install_language(app, settings.language)
    theme = Theme(settings.theme, app, token_size=settings.font_size)
    theme.apply(app)
    window = MainWindow(
        session=Session(app),
        settings=settings,
        theme=theme,
        recovery=RecoveryFolder(default_recovery_folder()),
        log_file=log_file,
    )
    interrupts.terminated.connect(lambda: _end(window))
    window.show()
    QTimer.singleShot(0, theme.motion.follow_desktop)
    files = [Path(os.fsdecode(unquote_to_bytes(argument))) for argument in app.arguments()[1:]]
    if files:
        window.open_paths(files)
    window.projects.offer_recovered()
    receiver = _receiver(window, app)
    watchdog.start()
    try:
        return app.exec()
    finally:
        if receiver is not None:
            receiver.close()
        watchdog.stop()
        interrupts.close()
        errors.close()
        garbage.close()
        _logger.info("bpe-gui ends")


def _receiver(window: MainWindow, app: QApplication) -> handover.Receiver | None:
    """Return what receives files to open in `window`, if windows can share an address."""
    address = handover.shared_address(os.environ)
    if address is None:
        return None

    def open_in_front(paths: Sequence[Path]) -> None:
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.raise_()
        window.activateWindow()
        window.open_paths(paths)

    receiver = handover.Receiver(address, app)
    receiver.received.connect(open_in_front)
    app.applicationStateChanged.connect(receiver.listen)  # by then, the window that listened may be closed
    QTimer.singleShot(0, receiver.listen)
    return receiver


def _quoted(argument: str) -> str:
    """Return an argument in ASCII: on Windows, Qt replaces characters that the system's code page lacks by `?`."""
    return quote(os.fsencode(argument), safe=string.punctuation.replace("%", ""))


def _end(window: MainWindow) -> None:
    """Quit without asking anything, whatever dialogs are open."""
    try:
        window.projects.close_unasked()
    finally:
        QApplication.exit()


def _release_clipboard() -> None:
    """Clear the clipboard on the offscreen platform, which otherwise crashes at exit; leave it alone elsewhere."""
    if QGuiApplication.platformName() == "offscreen":
        QGuiApplication.clipboard().clear()
