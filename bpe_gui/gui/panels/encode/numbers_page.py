"""The page of numbers: the metrics of the text as of the cursor and as of the end of the run, and of each line."""

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.jobs import JobRunner, Operation
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.encoded_text import TextMetrics, measure_in_parts
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.numbers_view import NumbersView

_MEASURE_DELAY: Final = 80  # milliseconds after the last change
_MAX_LINE_BYTES: Final = 400  # bytes of a line that the table of lines shows


class NumbersPage(QWidget):
    """A view of the text's metrics; while it is visible, a thread measures the text soon after each change."""

    line_chosen = Signal(int)
    """The user chose the line that starts at this byte offset."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._view = NumbersView(theme)
        self._metrics: TextMetrics | None = None
        self._text: LiveText | None = None  # the text that `_metrics` are about
        self._measured: Tokenizer | None = None
        self._runner = JobRunner(self)
        self._timer = QTimer(self, singleShot=True)
        self._timer.setInterval(_MEASURE_DELAY)
        self._timer.timeout.connect(self._measure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._view)
        session.text.tokens_changed.connect(self._schedule)
        session.cursor.moved.connect(self._schedule)
        self._view.line_chosen.connect(self._choose_line)
        self.setFocusProxy(self._view)

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
            if self._session.text.live is not self._text or self._is_another_tokenizer:
                self._show(None)  # the metrics shown are about another text or tokenizer
            self._runner.abandon()
            self._timer.start()

    @property
    def _is_another_tokenizer(self) -> bool:
        """Whether the metrics shown, whose heads name only steps, are those of another run or tokenizer."""
        now, measured = self._session.cursor.tokenizer, self._measured
        return measured is not None and (now is None or now.store is not measured.store)

    def _measure(self) -> None:
        text, tokenizer, final = self._session.text.live, self._session.text.tokenizer, self._final_tokenizer()
        if tokenizer is None or final is None or self._session.text.error is not None:
            self._show(None)
            return
        if not text.is_encoded or not self.isVisible():
            return
        parts = text.snapshot()
        other = None if tokenizer.position == final.position else final

        self._runner.start(
            Operation(
                name="measure text",
                work=lambda report: measure_in_parts(parts, other, report),
                on_success=lambda metrics: self._show(metrics, tokenizer),
                on_error=lambda _error: self._show(None),  # the user's own regular expression took too long
            )
        )

    def _final_tokenizer(self) -> Tokenizer | None:
        steps = self._session.cursor.steps
        return steps.tokenizer(steps.run_length).obeying(self._session.text.allowed_special) if steps else None

    def _show(self, metrics: TextMetrics | None, measured: Tokenizer | None = None) -> None:
        self._metrics, self._measured = metrics, measured
        session = self._session
        self._text = session.text.live
        position, run_length = session.cursor.position, session.cursor.run_length
        if metrics is None:
            self._view.set_metrics(None, None, position, run_length)
            self._view.set_lines(None, lambda _line: "")
        else:
            self._view.set_metrics(metrics.now, metrics.final, position, run_length)
            self._view.set_lines(metrics.lines, self._text_of_line)

    def _text_of_line(self, line: int) -> str:
        """Return the beginning of the line of this index, without its line break; empty if there is no such line."""
        if self._metrics is None or line >= len(self._metrics.lines.starts):
            return ""
        lines = self._metrics.lines
        start = int(lines.starts[line])
        shown = self._session.text.live.read(start, start + min(int(lines.bytes[line]), _MAX_LINE_BYTES))
        return shown.decode(errors="ignore").rstrip("\r\n\u2029")  # the last character may have been cut

    def _choose_line(self, line: int) -> None:
        if self._metrics is not None and line < len(self._metrics.lines.starts):
            self.line_chosen.emit(int(self._metrics.lines.starts[line]))
