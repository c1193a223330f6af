"""The metrics of the text: as of the cursor, as of the end of the run, and line by line."""

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.background.jobs import JobRunner, Operation
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.text_metrics import Measures, measure_in_parts
from bpe_gui.gui.views.tables.numbers_view import NumbersView

_MEASURE_DELAY: Final = 80  # milliseconds after the last change
_MAX_BYTES: Final = 400  # of a line


class TextNumbers(QWidget):
    """The view of the metrics; while it is visible, a thread measures the text soon after each change."""

    line_chosen = Signal(int)
    """The byte offset of the start of a line."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._view = NumbersView(theme)
        self._measured: Measures | None = None
        self._text: LiveText | None = None  # to which `_measured` belongs
        self._runner = JobRunner(self)
        self._timer = QTimer(self, singleShot=True, interval=_MEASURE_DELAY)
        self._timer.timeout.connect(self._measure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._view)
        session.text.tokens_changed.connect(self._schedule)
        session.cursor.moved.connect(self._schedule)
        self._view.line_chosen.connect(self._choose_line)
        self.setFocusProxy(self._view)

    def shut_down(self) -> None:
        """Cancel the work in the background and wait for its end."""
        self._runner.shut_down()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure the text, which may have changed while the page was hidden."""
        super().showEvent(event)
        self._schedule()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel the measuring."""
        super().hideEvent(event)
        self._runner.abandon()

    def _schedule(self) -> None:
        if self.isVisible():
            if self._session.text.live is not self._text:
                self._show(None)  # the numbers shown are those of another text
            self._runner.abandon()
            self._timer.start()

    def _measure(self) -> None:
        text, now, final = self._session.text.live, self._session.text.tokenizer, self._final_tokenizer()
        if now is None or final is None or self._session.text.error is not None:
            self._show(None)
            return
        if not text.is_encoded or not self.isVisible():
            return
        parts = text.snapshot()
        other = None if now.position == final.position else final

        self._runner.start(
            Operation(
                name="measure text",
                work=lambda report: measure_in_parts(parts, other, report),
                on_success=self._show,
                on_error=lambda _error: self._show(None),  # a custom pattern took too long
            )
        )

    def _final_tokenizer(self) -> Tokenizer | None:
        steps = self._session.cursor.steps
        return steps.tokenizer(steps.run_length) if steps else None

    def _show(self, measured: Measures | None) -> None:
        self._measured = measured
        session = self._session
        self._text = session.text.live
        steps = (session.cursor.position, session.cursor.run_length)
        if measured is None:
            self._view.set_metrics(None, None, *steps)
            self._view.set_lines(None, lambda _line: "")
        else:
            self._view.set_metrics(measured.now, measured.final, *steps)
            self._view.set_lines(measured.lines, self._text_of_line)

    def _text_of_line(self, line: int) -> str:
        if self._measured is None or line >= len(self._measured.lines.starts):
            return ""
        lines = self._measured.lines
        start = int(lines.starts[line])
        shown = self._session.text.live.read(start, start + min(int(lines.bytes[line]), _MAX_BYTES))
        return shown.decode(errors="ignore").rstrip("\r\n\u2029")

    def _choose_line(self, line: int) -> None:
        if self._measured is not None and line < len(self._measured.lines.starts):
            self.line_chosen.emit(int(self._measured.lines.starts[line]))
