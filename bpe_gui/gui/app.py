"""The composition root: makes the parts of the window and hands them to one another."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from bpe_gui import __version__
from bpe_gui.gui.wording.language import install_language
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.background.engine_preparation import Preparation
from bpe_gui.gui.system.process import ErrorReporter, InterruptListener
from bpe_gui.gui.projects.recovery_files import Recovery, recovery_folder
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.look.theme import Theme
from bpe_gui.resources import resource

NAME = "bpe-gui"


def main(argv: Sequence[str] = ()) -> int:
    """Open the window, with the files that the arguments name, and run until it is closed.

    `argv` are the arguments without the program's name. Returns the exit status.
    """
    # Work in a thread hands Python back to the window five times as often as usual: that keeps it fluent.
    sys.setswitchinterval(0.001)
    app = QApplication([NAME, *argv])
    app.setApplicationName(NAME)
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(NAME)
    app.setWindowIcon(QIcon(str(resource("icons", "bpe-gui.svg"))))
    app.aboutToQuit.connect(_release_clipboard)
    errors = ErrorReporter(app)
    interrupts = InterruptListener(app)

    settings = Settings()
    install_language(app, settings.language)
    theme = Theme(settings.theme, app, token_size=settings.font_size)
    theme.apply(app)
    preparation = Preparation(app)
    session = Session(app, before_much_work=preparation.wait)
    recovery = Recovery(recovery_folder())
    window = MainWindow(session=session, settings=settings, theme=theme, preparation=preparation, recovery=recovery)
    window.show()
    QTimer.singleShot(0, preparation.start)  # once the window is painted
    # Qt has taken its own options out of these.
    files = [Path(argument) for argument in app.arguments()[1:]]
    if files:
        window.open_paths(files)
    window.projects.offer_recovered()
    try:
        return app.exec()
    finally:
        interrupts.close()
        errors.close()


def _release_clipboard() -> None:
    # The offscreen platform crashes at exit over what it still holds. Elsewhere the user's copy must live on.
    if QGuiApplication.platformName() == "offscreen":
        QGuiApplication.clipboard().clear()
