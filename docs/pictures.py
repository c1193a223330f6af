"""Take the site's pictures from the real window: `python -m docs.pictures LANGUAGE`, light and dark.

A picture is a function below: it brings a window into a state and returns the widget to show. Needs the fonts that the
README names.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.language import install_language
from bpe_gui.samples import samples

THEMES: Final = ("light", "dark")
PICTURES: Final[dict[str, Callable[[MainWindow], QWidget]]] = {}
"""By the names that pages use."""


def picture(function: Callable[[MainWindow], QWidget]) -> Callable[[MainWindow], QWidget]:
    """Take this picture; its name in pages has hyphens instead of underscores."""
    PICTURES[function.__name__.replace("_", "-")] = function
    return function


@picture
def first_window(window: MainWindow) -> QWidget:
    return window


@picture
def first_merge(window: MainWindow) -> QWidget:
    go_to(window, 1)
    return window


def open_sample(window: MainWindow, name: str, step: int = 0, text: str | None = None) -> None:
    """Open one of the shipped samples and go to a step, training as far as it takes."""
    window.open_sample(next(sample for sample in samples() if sample.path.name == name))
    wait(lambda: window.session.cursor.trainer is not None)
    if step:
        window.session.train()
        wait(lambda: window.session.cursor.trainer is not None)
        go_to(window, step)
    if text is not None:
        window.session.text.set_content(text)
    settle()


def go_to(window: MainWindow, step: int) -> None:
    window.session.cursor.seek(step)
    wait(lambda: window.session.cursor.position == step)
    settle()


def wait(done: Callable[[], bool]) -> None:
    while not done():
        QTest.qWait(5)


def settle() -> None:
    """Wait until animations and delayed facts are on the screen."""
    QTest.qWait(700)


def main(language: str) -> None:
    app = QApplication([])
    install_language(app, language)
    target = Path(__file__).parent / language / "pictures"
    target.mkdir(exist_ok=True)
    for theme in THEMES:
        for name, prepare in PICTURES.items():
            with TemporaryDirectory() as folder:
                settings = Settings(Path(folder) / "settings.ini")
                settings.theme, settings.language = theme, language
                window = MainWindow(settings=settings)
                window.resize(1280, 800)
                window.show()
                wait(lambda window=window: window.session.cursor.trainer is not None)  # type: ignore[misc]
                prepare(window).grab().save(str(target / f"{name}-{theme}.png"))
                window.close()


if __name__ == "__main__":
    main(sys.argv[1])
