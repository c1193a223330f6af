"""The process: its garbage, uncaught errors, signals and stalls."""

import gc
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from bpe_gui.gui.system import process as garbage
from bpe_gui.gui.system.process import ErrorReporter, GarbageCollector, InterruptListener, StallWatchdog

# Without the collector, "job" frees windows, too, or the program freezes.
_PROGRAM = """
import faulthandler, threading, weakref
from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from bpe_gui.gui.system.process import GarbageCollector

class Job(QThread):
    is_wanted = True

    def run(self):
        threading.current_thread().name = "job"
        while self.is_wanted:
            [[] for _ in range(10_000)]

class Part(QObject):
    changed = Signal()

class Window(QWidget):
    def __init__(self):
        super().__init__()
        self.me = self
        self.parts = [Part(self) for _ in range(5)]
        for one, other in zip(self.parts, self.parts[1:]):
            one.changed.connect(other.changed)
        self.boxes = [QComboBox(self) for _ in range(5)]

faulthandler.dump_traceback_later(60, exit=True)
freed_by = []
app = QApplication([])
collector = GarbageCollector(app)
job = Job()
job.start()
for _ in range(100):
    window = Window()
    weakref.finalize(window, lambda: freed_by.append(threading.current_thread().name))
    del window
while len(freed_by) < 50:
    app.processEvents()
job.is_wanted = False
job.wait()
print(set(freed_by))
"""


def test_windows_are_never_destroyed_in_the_thread_of_a_job() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (0, "{'MainThread'}\n"), result.stderr


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[GarbageCollector]:
    parent = QObject()
    collector = GarbageCollector(parent)
    yield collector
    collector.close()


class Collections:
    """The generations that are collected, with a clock that stands still unless a collection takes time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.duration = 0.001
        self.counts = (0, 0, 0)
        self.made: list[int] = []
        self.frozen = 0
        monkeypatch.setattr(garbage, "perf_counter", lambda: self.now)
        monkeypatch.setattr(gc, "get_count", lambda: self.counts)
        monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
        monkeypatch.setattr(gc, "collect", self.collect)
        monkeypatch.setattr(gc, "freeze", self.freeze)

    def collect(self, generation: int = 2) -> None:
        self.made.append(generation)
        self.now += self.duration

    def freeze(self) -> None:
        self.frozen += 1


@pytest.mark.parametrize(
    ("counts", "made"),
    [((700, 11, 11), []), ((701, 10, 10), [0]), ((701, 11, 10), [1]), ((701, 0, 11), [2])],
    ids=["nothing", "young", "middle", "all"],
)
def test_the_thresholds_are_pythons(
    collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch, counts: tuple[int, int, int], made: list[int]
) -> None:
    collections = Collections(monkeypatch)
    collections.counts = counts
    collector.collect()
    assert collections.made == made


def test_full_collections_rest_in_proportion_and_a_long_one_is_the_last(
    collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections = Collections(monkeypatch)
    collections.counts = (701, 0, 11)
    for _ in range(2):
        collector.collect()
    assert (collections.made, collections.frozen) == ([2, 1], 0)
    collections.now, collections.duration = 1.0, 0.2
    collector.collect()
    assert (collections.made, collections.frozen) == ([2, 1, 2], 1), "what survived is not looked at again"


def test_python_collects_by_itself_only_afterwards(collector: GarbageCollector) -> None:
    assert not gc.isenabled()
    gc.enable()  # as a package might
    collector.collect()
    assert not gc.isenabled()
    collector.close()
    assert gc.isenabled()
    assert not gc.get_freeze_count()


_FROZEN_PROGRAM = """
import ctypes, os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from bpe_gui.gui.system.process import StallWatchdog

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


@pytest.fixture
def reporter(qapp: QApplication) -> Iterator[ErrorReporter]:
    reporter = ErrorReporter()
    yield reporter
    reporter.close()
    for dialog in dialogs():
        dialog.close()


def dialogs() -> list[QMessageBox]:
    widgets = QApplication.topLevelWidgets()
    return [widget for widget in widgets if isinstance(widget, QMessageBox) and widget.isVisible()]


def fail() -> None:
    raise ValueError("no such merge")


def report() -> None:
    """Pass an uncaught error to the hook, as Python does."""
    try:
        fail()
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)


def test_an_error_is_shown_with_its_traceback(
    qtbot: QtBot, reporter: ErrorReporter, capsys: pytest.CaptureFixture[str]
) -> None:
    report()
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    assert not dialogs()[0].informativeText()
    assert dialogs()[0].defaultButton() is dialogs()[0].button(QMessageBox.StandardButton.Close)
    assert "in fail" in dialogs()[0].detailedText()
    assert "in fail" in capsys.readouterr().err


def test_further_errors_open_no_second_dialog_until_the_first_is_closed(qtbot: QtBot, reporter: ErrorReporter) -> None:
    report()
    report()
    assert len(dialogs()) == 1
    dialogs()[0].close()
    assert dialogs() == []
    report()
    assert len(dialogs()) == 1


def test_an_error_in_a_thread_is_shown_by_the_ui_thread(qtbot: QtBot, reporter: ErrorReporter) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert dialogs() == []
    qtbot.waitUntil(lambda: len(dialogs()) == 1)


def test_a_thread_that_exits_is_not_an_error(qtbot: QtBot, reporter: ErrorReporter) -> None:
    thread = threading.Thread(target=sys.exit)
    thread.start()
    thread.join()
    QApplication.processEvents()
    assert dialogs() == []


def test_closing_restores_the_hooks(qapp: QApplication) -> None:
    before = sys.excepthook, threading.excepthook
    reporter = ErrorReporter()
    assert sys.excepthook != before[0]
    reporter.close()
    assert (sys.excepthook, threading.excepthook) == before


@pytest.mark.skipif(sys.platform == "win32", reason="raises Ctrl+C in the test runner too")
def test_ctrl_c_quits_the_event_loop(qapp: QApplication) -> None:
    before = signal.getsignal(signal.SIGINT)
    listener = InterruptListener()
    # From another thread, because the main thread waits inside Qt, and only once it does.
    sender = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    fallback = QTimer(singleShot=True)
    fallback.setInterval(60_000)
    fallback.timeout.connect(lambda: qapp.exit(1))
    fallback.start()
    QTimer.singleShot(0, sender.start)
    status = qapp.exec()
    fallback.stop()
    sender.join()
    listener.close()
    assert status == 0
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without a signal")
def test_the_end_of_the_process_is_told_in_the_event_loop(qtbot: QtBot) -> None:
    numbers = [signal.SIGTERM, signal.SIGHUP]
    before = [
        signal.signal(number, handler)
        for number, handler in zip(numbers, (signal.SIG_DFL, signal.SIG_IGN), strict=True)
    ]
    listener = InterruptListener()
    told: list[None] = []
    listener.terminated.connect(lambda: told.append(None))
    for number in numbers:  # the second one is ignored, as `nohup` asks
        signal.raise_signal(number)
        assert not told
    qtbot.waitUntil(lambda: len(told) == 1)
    signal.raise_signal(signal.SIGTERM)
    qtbot.waitUntil(lambda: len(told) == 2)
    listener.close()
    assert [signal.getsignal(number) for number in numbers] == [signal.SIG_DFL, signal.SIG_IGN]
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
