"""Waiting until nothing is left to happen, for tests that something does not happen."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject

from bpe_gui.gui.jobs import JobRunner


def run_out(*owners: QObject) -> None:
    """Wait for the threads of all work below `owners`, abandoned or not, and deliver all that was sent or is due."""
    for owner in owners:
        for runner in owner.findChildren(JobRunner):
            runner.wait()
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
