"""The long work that is going on: how far it is, how long it will take, and a way to stop it."""

from time import monotonic
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.wording.numbers import duration_text, number, size_text
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import named

_BEFORE_ESTIMATE: Final = 1.0  # seconds


class ActivityBar(QWidget):
    """Shows long work; hidden while there is none."""

    def __init__(self, session: Session, cancel: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._began = 0.0
        self._first: int | None = None  # what was done when the work began
        self._total = 0  # what there is to do
        self._words = named(QLabel(), "activityLabel")
        set_role(self._words, "quiet")
        self._bar = named(QProgressBar(), "activityProgress", self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(160, 8)
        button = named(QToolButton(), "cancelButton", self.tr("Cancel"))
        button.setDefaultAction(cancel)
        button.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self._words, self._bar, button):
            row.addWidget(widget)
        session.activity_changed.connect(self._begin_or_end)
        session.progressed.connect(self._show_progress)
        self._begin_or_end()

    def _begin_or_end(self) -> None:
        activity = self._session.activity
        self._begin(0)
        self._bar.setRange(0, 0)
        words = {
            Activity.COUNTING: self.tr("Counting…"),
            Activity.TRAINING: self.tr("Training…"),
            Activity.MOVING: self.tr("On the way…"),
            Activity.OPENING: self.tr("Opening a tokenizer…"),
        }
        self._words.setText(words.get(activity, ""))
        self.setVisible(activity is not Activity.IDLE)

    def _begin(self, total: int) -> None:
        self._began = monotonic()
        self._first = None
        self._total = total

    def _show_progress(self, done: int, total: int) -> None:
        if self._session.activity is Activity.OPENING:  # it is progress of what goes on besides
            return
        if not total:  # for the fast engine, or to set up a run
            self._bar.setRange(0, 0)
            self._words.setText(self.tr("Getting ready…"))
            return
        if total != self._total:  # another part of the work
            self._begin(total)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._words.setText(" · ".join(filter(None, (self._done(done, total), *self._speed(done, total)))))

    def _speed(self, done: int, total: int) -> tuple[str, ...]:
        """How fast it goes and how long it will take, once that can be told. What was there before took no time."""
        if self._first is None:
            self._first = done
        elapsed = monotonic() - self._began
        if elapsed < _BEFORE_ESTIMATE or done <= self._first:
            return ()
        rate = (done - self._first) / elapsed
        left = self.tr("{time} left").format(time=duration_text((total - done) / rate))
        return (self._rate(rate), left) if self._session.activity is not Activity.MOVING else (left,)

    def _rate(self, rate: float) -> str:
        if self._session.activity is Activity.COUNTING:
            return self.tr("{size} a second").format(size=size_text(round(rate)))
        return self.tr("{steps} steps a second").format(steps=number(round(rate)))

    def _done(self, done: int, total: int) -> str:
        if self._session.activity is Activity.COUNTING:
            return self.tr("Counted {done} of {total}").format(done=size_text(done), total=size_text(total))
        return self.tr("Step {done} of {total}").format(done=number(done), total=number(total))
