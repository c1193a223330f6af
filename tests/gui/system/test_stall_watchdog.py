"""A window that stands still has the stacks of all threads written, even while it keeps the interpreter's lock."""

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from bpe_gui.gui.system.stall_watchdog import StallWatchdog

_FROZEN_PROGRAM = """
import ctypes, os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from bpe_gui.gui.system.stall_watchdog import StallWatchdog

def stand_still():
    if os.name == "nt":
        ctypes.PyDLL("kernel32").Sleep(-1)
    else:
        ctypes.PyDLL(None).pause()  # which keeps the interpreter's lock

app = QCoreApplication([])
watchdog = StallWatchdog(Path(sys.argv[1]), app, limit=0.1)
watchdog.start()
QTimer.singleShot(1, stand_still)
app.exec()
"""


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.WARNING, "bpe_gui")
    return caplog


def test_a_window_that_keeps_the_interpreters_lock_for_ever_leaves_its_stacks_for_the_next(
    qtbot: QtBot, tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "logs" / "stacks"
    frozen = subprocess.Popen([sys.executable, "-c", _FROZEN_PROGRAM, str(path)], env=dict(os.environ))
    try:
        qtbot.waitUntil(lambda: path.exists() and b"in stand_still" in path.read_bytes())
    finally:
        frozen.kill()
        frozen.wait()
    watchdog = StallWatchdog(path)
    watchdog.start()
    assert "the window stood still when the program last ran:\n" in log.text
    assert "in stand_still" in log.text
    watchdog.stop()
    assert not path.stat().st_size


def test_a_window_that_goes_on_logs_where_it_was(qtbot: QtBot, tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "stacks"
    watchdog = StallWatchdog(path, limit=0.1)
    watchdog.start()

    def stand_still() -> None:
        while not path.stat().st_size:
            time.sleep(0.01)

    QTimer.singleShot(1, stand_still)
    qtbot.waitUntil(lambda: bool(log.records))
    assert "the window stood still for more than 0.1 s:\n" in log.text
    assert "in stand_still" in log.text
    watchdog.stop()
    assert len(log.records) == 1


def test_a_file_that_cannot_be_written_is_logged(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "file"
    folder.touch()
    watchdog = StallWatchdog(folder / "stacks")
    watchdog.start()
    watchdog.stop()
    assert "the window is not watched" in log.text
