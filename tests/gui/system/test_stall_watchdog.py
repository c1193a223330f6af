"""A UI thread that does not respond is logged once, with its stack."""

import logging
import sys
import threading

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from bpe_gui.gui.system.stall_watchdog import StallMonitor, StallWatchdog, _stack_of


class Clocks:
    """Clocks that are set by hand."""

    def __init__(self) -> None:
        self.time = 100.0
        self.processor_time = 0.0

    def advance(self, seconds: float, *, load: float = 0.5) -> None:
        self.time += seconds
        self.processor_time += seconds * load


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def stack() -> list[str | None]:
    """The stack that the monitor sees, as the only item."""
    return ["File main.py, line 1"]


@pytest.fixture
def monitor(clocks: Clocks, stack: list[str | None], caplog: pytest.LogCaptureFixture) -> StallMonitor:
    caplog.set_level(logging.WARNING, "bpe_gui")
    return StallMonitor(lambda: stack[0], clock=lambda: clocks.time, process_time=lambda: clocks.processor_time)


def check_for(monitor: StallMonitor, clocks: Clocks, seconds: float) -> None:
    for _ in range(round(seconds * 2)):
        clocks.advance(0.5)
        monitor.check()


def test_a_responsive_thread_is_not_logged(
    monitor: StallMonitor, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(100):
        monitor.beat()
        check_for(monitor, clocks, 0.5)
    assert not caplog.records


def test_a_stall_is_logged_once_and_so_is_its_end(
    monitor: StallMonitor, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    monitor.beat()
    check_for(monitor, clocks, 4)
    assert [record.getMessage() for record in caplog.records] == [
        "the UI thread has not responded for 1.0 s:\nFile main.py, line 1"
    ]
    monitor.beat()
    monitor.beat()
    assert caplog.records[1:][0].getMessage() == "the UI thread recovered after 4.0 s"
    check_for(monitor, clocks, 2)
    assert len(caplog.records) == 3, "the next stall is logged again"


def test_nothing_is_logged_before_the_event_loop_turns(
    monitor: StallMonitor, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    check_for(monitor, clocks, 10)
    assert not caplog.records


def test_a_suspended_computer_is_not_a_stall(
    monitor: StallMonitor, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    monitor.beat()
    clocks.advance(3_600, load=0)
    monitor.check()
    clocks.advance(0.5)
    monitor.check()
    assert not caplog.records


def test_a_thread_that_keeps_the_interpreters_lock_is_logged_late(
    monitor: StallMonitor, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    monitor.beat()
    clocks.advance(5, load=1)
    monitor.check()
    assert "not responded for 5.0 s" in caplog.text


def test_a_thread_in_a_debugger_is_not_logged(
    monitor: StallMonitor, clocks: Clocks, stack: list[str | None], caplog: pytest.LogCaptureFixture
) -> None:
    stack[0] = None
    monitor.beat()
    check_for(monitor, clocks, 10)
    assert not caplog.records


def test_the_stack_names_the_code_that_runs() -> None:
    stack = _stack_of(sys._getframe())
    assert stack is not None
    assert "test_the_stack_names_the_code_that_runs" in stack


def test_a_stack_with_a_debugger_is_none() -> None:
    namespace = {"__name__": "pdb", "sys": sys}
    exec("frame = sys._getframe()", namespace)
    assert _stack_of(namespace["frame"]) is None  # type: ignore[arg-type]
    assert _stack_of(None) is None


def test_the_thread_ends_when_the_watchdog_stops(qtbot: QtBot) -> None:
    parent = QObject()
    watchdog = StallWatchdog(parent)
    watchdog.start()
    assert "stall watchdog" in [thread.name for thread in threading.enumerate()]
    watchdog.stop()
    assert "stall watchdog" not in [thread.name for thread in threading.enumerate()]
