"""The numbers of the text: now, at the final step of the run, and line by line."""

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.background.jobs import Job, OneJob
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.text_metrics import Measures, measure_in_parts
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.tables.numbers_view import NumbersView

_PAUSE: Final = 80  # milliseconds after a change
_MOST_SHOWN: Final = 400  # bytes of a line


class TextNumbers(QWidget):
    """Measures the text in a thread while it is in view, some time after each change."""

    line_chosen = Signal(int)
    """The byte at which a line begins."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._view = NumbersView(theme)
        self._measured: Measures | None = None
        self._text: LiveText | None = None  # that was measured
        self._work = OneJob(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._measure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._view)
        session.encoding_changed.connect(self._changed)
        session.cursor_moved.connect(self._changed)
        self._view.line_chosen.connect(self._choose_line)
        self.setFocusProxy(self._view)

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it."""
        self._work.abandon()
        self._work.wait()

    def showEvent(self, event: QShowEvent) -> None:
        """Measures what changed meanwhile."""
        super().showEvent(event)
        self._changed()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._work.abandon()

    def _changed(self) -> None:
        if self.isVisible():
            if self._session.live_text is not self._text:
                self._show(None)  # what stands there is of another text
            self._work.abandon()
            self._pause.start()

    def _measure(self) -> None:
        text, now, final = self._session.live_text, self._session.encoding_tokenizer, self._final_tokenizer()
        if now is None or final is None or self._session.encode_error is not None:
            self._show(None)
            return
        if not text.is_encoded or not self.isVisible():
            return
        parts = text.parts()
        other = None if now.position == final.position else final

        def done(job: Job) -> None:
            if isinstance(job.result, Measures):
                self._show(job.result)
            elif isinstance(job.error, EngineError):  # a pattern of the user's own took too long this time
                self._show(None)
            elif job.error is not None:
                raise job.error

        self._work.start(lambda report: measure_in_parts(parts, other, report), done)

    def _final_tokenizer(self) -> Tokenizer | None:
        steps = self._session.steps
        return steps.tokenizer(steps.run_length) if steps else None

    def _show(self, measured: Measures | None) -> None:
        self._measured = measured
        session = self._session
        self._text = session.live_text
        steps = (session.position, session.run_length)
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
        shown = self._session.live_text.read(start, start + min(int(lines.bytes[line]), _MOST_SHOWN))
        return shown.decode(errors="ignore").rstrip("\r\n\u2029")

    def _choose_line(self, line: int) -> None:
        if self._measured is not None and line < len(self._measured.lines.starts):
            self.line_chosen.emit(int(self._measured.lines.starts[line]))
