"""The opened tokenizer of a session, and reading one in a thread."""

from PySide6.QtCore import QObject, Signal

from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.background.jobs import JobRunner, Operation

from .opened_tokenizer import OpenedTokenizer, TokenizerSource


class TokenizerLoader(QObject):
    """At most one opened tokenizer, which the window shows in place of the run.

    - `changed`: `tokenizer` is another, or None.
    - `reading_changed`: `is_reading` changed.
    - `failed(error)`: the file could not be read; the tokenizer opened before stays.
    """

    changed = Signal()
    reading_changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tokenizer: OpenedTokenizer | None = None
        self._runner = JobRunner(self)
        self._runner.changed.connect(self.reading_changed)

    @property
    def tokenizer(self) -> OpenedTokenizer | None:
        """The opened tokenizer, or None."""
        return self._tokenizer

    @property
    def is_reading(self) -> bool:
        """Whether a thread is reading a tokenizer."""
        return self._runner.busy

    def open(self, source: TokenizerSource, position: int | None = None) -> None:
        """Read a tokenizer in a thread and show it at a step, by default the last one."""
        self._runner.abandon()
        self._runner.start(
            Operation(
                name="read tokenizer",
                work=lambda _report: source.read(),
                on_success=lambda tokenizer: self.show(tokenizer, position),
                on_error=self.failed.emit,
                activity=Activity.OPENING,
            )
        )

    def show(self, tokenizer: OpenedTokenizer, position: int | None = None) -> None:
        """Show a tokenizer that was already read at a step, by default the last one."""
        if position is not None:
            tokenizer.approach(position)
        self._tokenizer = tokenizer
        self.changed.emit()

    def close(self) -> None:
        """Go back to the run."""
        self.stop_reading()
        if self._tokenizer is not None:
            self._tokenizer = None
            self.changed.emit()

    def stop_reading(self) -> None:
        """Read no more; the tokenizer opened before stays."""
        self._runner.abandon()

    def shut_down(self) -> None:
        """Stop reading and wait for the thread, because the window closes."""
        self._runner.shut_down()
