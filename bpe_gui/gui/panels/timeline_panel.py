"""The timeline: all steps of the run, with the count of each chosen pair, and the playhead at the cursor."""

from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.engine import visible
from bpe_gui.gui.numbers import number
from bpe_gui.gui.session import Session
from bpe_gui.gui.theme import Theme
from bpe_gui.gui.views.timeline_view import TimelineView

_HEIGHT: Final = 88


class TimelinePanel(QWidget):
    """Connects the timeline view to the session: dragging the playhead moves the cursor."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._view = TimelineView(self)
        self._view.set_describer(self._describe)
        self._view.position_requested.connect(self._go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addWidget(self._view)
        self.setFixedHeight(_HEIGHT)
        self._known = 0  # how many merges are shown
        session.run_changed.connect(self._show_run)
        session.cursor_moved.connect(self._show_cursor)
        theme.changed.connect(self._show_colours)
        self._show_colours()
        self._show_run()

    def _go(self, step: int) -> None:
        self._session.pause()
        self._session.seek(step)

    def _show_run(self) -> None:
        self._known = 0
        self._view.set_counts(())
        self._show_cursor()

    def _show_cursor(self) -> None:
        trainer = self._session.trainer
        if trainer is None:
            return
        if trainer.run_length != self._known:
            self._known = trainer.run_length
            self._view.set_counts(trainer.counts)
        self._view.set_position(trainer.position)

    def _describe(self, step: int) -> str:
        trainer = self._session.trainer
        if trainer is None or not 0 < step <= trainer.run_length:
            return self.tr("Step 0: the bare alphabet")
        merge = trainer.known(step - 1)
        return self.tr("Step {step}: {left} + {right} → {token} ×{count}").format(
            step=number(step),
            left=visible(merge.left),
            right=visible(merge.right),
            token=visible(merge.token),
            count=number(merge.count),
        )

    def _show_colours(self) -> None:
        self._view.set_palette_colors(self._theme.chart_palette())
