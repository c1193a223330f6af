"""JobRunner runs one operation at a time and calls back in the UI thread."""

import logging
import threading

import pytest
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, Progress
from bpe_gui.gui.jobs import Activity, JobRunner, end_jobs


@pytest.fixture
def runner(qapp: QApplication) -> JobRunner:
    return JobRunner(qapp)


def wait_until_idle(qtbot: QtBot, runner: JobRunner) -> None:
    qtbot.waitUntil(lambda: not runner.busy)


def fail_on_success(_result: object) -> None:
    pytest.fail("an operation succeeded")


def cancellable(progress: Progress) -> None:
    """Work until cancelled."""
    pause = threading.Event()
    while True:
        progress(0, 0)
        pause.wait(0.001)


def test_the_result_arrives_in_the_ui_thread(qtbot: QtBot, runner: JobRunner) -> None:
    results: list[tuple[int, bool]] = []
    ui_thread = QThread.currentThread()
    runner.start(
        name="test",
        work=lambda _report: 42,
        on_success=lambda result: results.append((result, QThread.currentThread() is ui_thread)),
    )
    wait_until_idle(qtbot, runner)
    assert results == [(42, True)]


def test_an_engine_error_goes_to_its_callback(qtbot: QtBot, runner: JobRunner) -> None:
    errors: list[EngineError] = []
    error = EngineError("no")

    def fail(_report: Progress) -> None:
        raise error

    runner.start(name="test", work=fail, on_success=fail_on_success, on_error=errors.append)
    wait_until_idle(qtbot, runner)
    assert errors == [error]


def test_a_bug_is_raised_in_the_ui_thread_and_the_runner_is_idle_again(qtbot: QtBot, runner: JobRunner) -> None:
    def fail(_report: Progress) -> None:
        raise MemoryError

    with qtbot.captureExceptions() as exceptions:
        runner.start(name="test", work=fail, on_success=fail_on_success, activity=Activity.COUNTING)
        assert runner.activity is Activity.COUNTING
        qtbot.waitUntil(lambda: runner.activity is Activity.IDLE)
    assert [kind for kind, _value, _traceback in exceptions] == [MemoryError]


def test_a_cancelled_operation_calls_back(qtbot: QtBot, runner: JobRunner) -> None:
    cancelled: list[bool] = []
    runner.start(
        name="test", work=cancellable, on_success=fail_on_success, on_cancel=lambda: cancelled.append(runner.busy)
    )
    runner.cancel()
    wait_until_idle(qtbot, runner)
    assert cancelled == [False]


def test_an_abandoned_operation_never_calls_back_and_does_not_block(qtbot: QtBot, runner: JobRunner) -> None:
    release = threading.Event()
    results: list[str] = []

    def slow(_report: Progress) -> str:
        release.wait()
        return "slow"

    runner.start(name="slow", work=slow, on_success=results.append)
    runner.abandon()
    assert not runner.busy
    runner.start(name="quick", work=lambda _report: "quick", on_success=results.append)
    release.set()
    qtbot.waitUntil(lambda: bool(results))
    assert results == ["quick"]


def test_an_operation_that_waits_for_an_abandoned_one_can_be_cancelled(qtbot: QtBot, runner: JobRunner) -> None:
    release = threading.Event()
    outcomes: list[str] = []
    runner.start(name="slow", work=lambda _report: release.wait(), on_success=fail_on_success)
    runner.abandon()
    runner.start(
        name="waiting",
        work=cancellable,
        on_success=fail_on_success,
        on_cancel=lambda: outcomes.append("cancelled"),
    )
    runner.cancel()
    release.set()
    wait_until_idle(qtbot, runner)
    assert outcomes == ["cancelled"]


def test_two_operations_at_a_time_are_refused(runner: JobRunner) -> None:
    runner.start(name="first", work=cancellable, on_success=fail_on_success)
    with pytest.raises(RuntimeError):
        runner.start(name="second", work=cancellable, on_success=fail_on_success)


def test_a_callback_may_start_the_next_operation(qtbot: QtBot, runner: JobRunner) -> None:
    results: list[int] = []

    def count(result: int) -> None:
        results.append(result)
        if result < 3:
            runner.start(name="count", work=lambda _report: result + 1, on_success=count)

    count(0)
    qtbot.waitUntil(lambda: len(results) == 4)
    assert results == [0, 1, 2, 3]


def test_the_log_tells_outcomes_but_no_messages(
    qtbot: QtBot, runner: JobRunner, caplog: pytest.LogCaptureFixture
) -> None:
    user_text = "low lower lowest"

    def fail(_report: Progress) -> None:
        raise ValueError(user_text)

    caplog.set_level(logging.DEBUG, "bpe_gui")
    with qtbot.captureExceptions():
        runner.start(name="measure text", work=fail, on_success=fail_on_success)
        wait_until_idle(qtbot, runner)
    assert "measure text: started" in caplog.text
    assert "measure text: failed with ValueError after" in caplog.text
    assert user_text not in caplog.text
    failed = next(record for record in caplog.records if "failed" in record.message)
    assert failed.threadName == "measure text"


def test_a_runner_that_is_deleted_cancels_its_job_and_nobody_waits_for_it(qtbot: QtBot) -> None:
    parent = QObject()
    ended = threading.Event()

    def work(progress: Progress) -> None:
        try:
            cancellable(progress)
        finally:
            ended.set()

    JobRunner(parent).start(name="test", work=work, on_success=fail_on_success, on_cancel=pytest.fail)
    del parent
    assert ended.wait(60)


def test_when_jobs_end_nobody_is_told_and_no_other_begins(qtbot: QtBot) -> None:
    window = QObject()
    runner = JobRunner(QObject(window))
    told: list[bool] = []
    runner.changed.connect(lambda: told.append(runner.busy))
    runner.start(name="test", work=cancellable, on_success=fail_on_success, on_cancel=pytest.fail)
    end_jobs(window)
    runner.start(name="test", work=cancellable, on_success=fail_on_success)
    assert (told, runner.busy) == ([True], False)
