"""Downloading a published tokenizer in a thread."""

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine.formats import fetch_published
from bpe_gui.gui.background.jobs import JobRunner, Operation


class TokenizerDownloader(QObject):
    """Downloads one tokenizer at a time.

    - `downloaded(Download)`: it is on this computer now.
    - `failed(error)`: it could not be downloaded.
    """

    downloaded = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = JobRunner(self)

    def start(self, name: str) -> None:
        """Download the tokenizer of a name such as `hf:owner/name`, and no other one any more."""
        self._runner.abandon()
        self._runner.start(
            Operation(
                name="download a tokenizer",
                work=lambda report: fetch_published(name, report),
                on_success=self.downloaded.emit,
                on_error=self.failed.emit,
            )
        )

    def stop(self) -> None:
        """Download no more."""
        self._runner.abandon()

    def shut_down(self) -> None:
        """Stop, and wait for the thread: up to some seconds if the other side does not answer."""
        self._runner.shut_down()
