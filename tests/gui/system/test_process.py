"""Uncaught errors are shown in one dialog, and signals end the program."""

import signal
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from bpe_gui.gui.system.process import ErrorReporter, InterruptListener


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
    assert dialogs()[0].informativeText() == "ValueError: no such merge"
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
    # From another thread, because the main thread waits inside Qt.
    sender = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    fallback = QTimer(singleShot=True)
    fallback.setInterval(10_000)
    fallback.timeout.connect(lambda: qapp.exit(1))
    fallback.start()
    sender.start()
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
