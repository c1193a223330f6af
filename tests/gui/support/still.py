"""Waiting until nothing is left to happen, for tests that something does not happen."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject

from bpe_gui.gui.jobs import JobRunner


def run_out(owner: QObject) -> None:
    """Wait for the threads of all work below `owner`, abandoned or not, and deliver all that was sent or is due.

    Fail if there is no work below it: then there would be nothing to wait for, and nothing that could happen.
    """
    runners = owner.findChildren(JobRunner)
    assert runners
    for runner in runners:
        runner.wait()
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
