"""Fixtures for all GUI tests: no dependence on timing, isolated settings, and no threads left behind."""

import gc
import threading
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QSettings, QThreadPool, QTranslator
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Trainer
from bpe_gui.gui.jobs import end_jobs
from bpe_gui.gui.session import cursor
from bpe_gui.gui.wording.language import install_language

if TYPE_CHECKING:
    from bpe_gui.gui.main_window import MainWindow

_WINDOWS = {"window", "open_window"}  # fixtures that open the whole window
_THREAD_TIMEOUT = 60.0  # seconds for a cancelled thread to end
_numbers = count()
_TIMEOUT = 90_000  # milliseconds, less than a whole test may take


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that open the whole window out of the quick tier: there are hundreds, at about a second each."""
    for item in items:
        if not _WINDOWS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """Use longer timeouts than pytest-qt's, and keep carets from blinking: a slow machine must not fail a test.

    Move the mouse off all windows, away from where the previous test left it.
    """
    QApplication.setCursorFlashTime(0)
    QCursor.setPos(-100, -100)
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=_TIMEOUT))
    return qtbot


@pytest.fixture
def window(qtbot: QtBot) -> Iterator["MainWindow"]:
    """Return the main window with its sample, visible and active. A file may override this fixture to prepare it."""
    from tests.gui.support.windows import open_window  # slow to import, and most tests need no window

    window = open_window(qtbot)
    yield window
    window.close()


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give each test its own empty settings, in a folder that is created only if something is saved."""
    folder = tmp_path_factory.getbasetemp() / "settings" / str(next(_numbers))
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))


@pytest.fixture(autouse=True)
def own_locale() -> Iterator[None]:
    """Start in English, whatever the system's language; restore locale and language after a test that changes them."""
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    app = QApplication.instance()
    if app is not None and app.findChildren(QTranslator):
        install_language(app, "en")
    QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def no_font_left() -> Iterator[None]:
    """Fail a test that leaves another font, because the next test's widgets would have other sizes."""
    app = QApplication.instance()
    before = QApplication.font() if isinstance(app, QApplication) else None
    yield
    if before is not None:
        after = QApplication.font()
        QApplication.setFont(before)
        assert after == before, f"the font left is {after}"


@pytest.fixture(autouse=True)
def no_collection_in_threads() -> Iterator[None]:
    """Collect cyclic garbage only between tests, when no job is running: a job's thread could freeze the program."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def no_thread_left(no_collection_in_threads: None) -> Iterator[None]:
    """End a test's jobs, and fail it if other threads do not end, because they would disturb the next test."""
    before = set(threading.enumerate())
    yield
    end_jobs()
    deadline = time.monotonic() + _THREAD_TIMEOUT
    while (left := _threads_since(before)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left, f"threads left running: {left}"
    assert QThreadPool.globalInstance().waitForDone(int(_THREAD_TIMEOUT * 1000)), "Qt's thread pool is still busy"


@pytest.fixture(autouse=True)
def clear_screen() -> Iterator[None]:
    """Hide the dialogs that a test leaves open, so that they do not get the next test's mouse events."""
    yield
    if isinstance(QApplication.instance(), QApplication):
        for widget in QApplication.topLevelWidgets():
            widget.hide()


def _threads_since(before: set[threading.Thread]) -> list[threading.Thread]:
    # Python represents threads it has not started, such as Qt's, by dummies, which may never be removed. The process
    # that renders chats is kept, and so are the threads that wait for what it writes.
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread) and thread.name != "chats"
    ]


@pytest.fixture(autouse=True)
def moves_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make short moves arrive before `seek` returns, however busy the machine is."""
    monkeypatch.setattr(cursor, "_SLICE", 60.0)


@pytest.fixture
def step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return to the event loop after each merge, so that a long move takes many slices on even the fastest machine."""
    approach = Trainer.approach

    def approach_by_one(trainer: Trainer, position: int) -> bool:
        return approach(trainer, min(position, trainer.position + 1)) and trainer.position == position

    monkeypatch.setattr(Trainer, "approach", approach_by_one)
    monkeypatch.setattr(cursor, "_SLICE", 0)


@pytest.fixture(scope="session", autouse=True)
def clear_clipboard() -> Iterator[None]:
    """Clear the clipboard at the end; otherwise the offscreen platform crashes at exit."""
    yield
    if isinstance(QApplication.instance(), QGuiApplication):
        QGuiApplication.clipboard().clear()
