"""What holds for every test of the window: patience, its own settings, an empty clipboard, no thread left behind."""

import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QSettings, QThreadPool
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Trainer
from bpe_gui.gui.session import cursor

_GRACE = 60.0  # seconds in which a thread that was told to end may do so
_PATIENCE = 300_000  # milliseconds: compiling alone takes a minute, and several where much else goes on


@pytest.fixture
def qtbot(qtbot: QtBot) -> QtBot:
    """Waits longer than pytest-qt does by itself: how long things take says nothing of whether they are right."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=_PATIENCE))
    return qtbot


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path) -> None:
    """Each test starts with no settings, and never sees or writes the user's."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))


@pytest.fixture(autouse=True)
def own_locale() -> Iterator[None]:
    """A test that changes the language does not change how the next one sees numbers."""
    before = QLocale()
    yield
    QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """Fails a test whose threads go on after it: they would disturb the next one."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + _GRACE
    while (left := _threads_beyond(before)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left, f"threads left running: {left}"
    assert QThreadPool.globalInstance().waitForDone(int(_GRACE * 1000)), "Qt's thread pool is still at work"


@pytest.fixture(autouse=True)
def clear_screen() -> Iterator[None]:
    """No dialog that a test leaves open gets what the mouse does in the next one."""
    yield
    if isinstance(QApplication.instance(), QApplication):
        for widget in QApplication.topLevelWidgets():
            widget.hide()


def _threads_beyond(before: set[threading.Thread]) -> list[threading.Thread]:
    # Python keeps a stand-in for each foreign thread it has seen, which never ends; Qt's are among these.
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]


@pytest.fixture
def step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window gets a turn after each merge, so that a long way takes a while on the fastest machine."""
    approach = Trainer.approach

    def slowly(trainer: Trainer, position: int) -> bool:
        return approach(trainer, min(position, trainer.position + 1)) and trainer.position == position

    monkeypatch.setattr(Trainer, "approach", slowly)
    monkeypatch.setattr(cursor, "_SLICE", 0)


@pytest.fixture(scope="session", autouse=True)
def empty_clipboard_at_the_end() -> Iterator[None]:
    """The offscreen platform crashes at exit over what its clipboard still holds."""
    yield
    if isinstance(QApplication.instance(), QGuiApplication):
        QGuiApplication.clipboard().clear()
