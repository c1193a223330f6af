"""The progress of long work: how much is done, how long the rest will take, and a button to cancel it."""

from time import monotonic
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import duration_text, number, size_text
from bpe_gui.gui.wording.until_texts import until_text

_ESTIMATE_AFTER: Final = 1.0  # seconds of work before its rate is measured well enough


class ActivityBar(QWidget):
    """The progress of the session's long work; hidden while there is none."""

    def __init__(self, session: Session, cancel: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._started = 0.0  # on the monotonic clock, in seconds
        self._done_at_start: int | None = None  # of the present stage, when its clock was started
        self._total = 0
        self._label = name_widget(QLabel(), "activityLabel")
        set_role(self._label, "quiet")
        self._bar = name_widget(QProgressBar(), "activityProgress", self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(160, 8)
        button = name_widget(QToolButton(), "cancelButton", self.tr("Cancel"))
        button.setDefaultAction(cancel)
        button.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self._label, self._bar, button):
            row.addWidget(widget)
        session.work.changed.connect(self._show_activity)
        session.work.progressed.connect(self._show_progress)
        self._show_activity()

    def _show_activity(self) -> None:
        activity = self._session.work.activity
        self._restart_clock(0)
        self._bar.setRange(0, 0)
        texts = {
            Activity.COUNTING: self.tr("Counting…"),
            Activity.TRAINING: " · ".join((self.tr("Training…"), *self._until_texts())),
            Activity.MOVING: self.tr("Going to step…"),
            Activity.BRANCHING: self._branching_text(),
            Activity.OPENING: self._opening_text(),
        }
        self._label.setText(texts.get(activity, ""))
        self.setVisible(activity is not Activity.IDLE)

    def _opening_text(self) -> str:
        name = self._session.work.name
        return self.tr("Opening {name}…").format(name=name) if name else self.tr("Opening tokenizer…")

    def _branching_text(self) -> str:
        return self.tr("Creating the branch “{name}”…").format(name=self._session.work.name)

    def _restart_clock(self, total: int) -> None:
        self._started = monotonic()
        self._done_at_start = None
        self._total = total

    def _show_progress(self, done: int, total: int) -> None:
        activity = self._session.work.activity
        if activity is Activity.OPENING:
            self._show_percent(self._opening_text(), done, total)
            return
        if activity is Activity.BRANCHING and total:  # bytes that are counted, then merges
            self._show_percent(self._branching_text(), done, total)
            return
        if not total:  # a run is being set up
            self._bar.setRange(0, 0)
            self._label.setText(self.tr("Preparing…"))
            return
        if total != self._total:  # another stage of the work
            self._restart_clock(total)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        texts = self._done_text(done, total), *self._until_texts(), *self._rate_texts(done, total)
        self._label.setText(" · ".join(texts))

    def _show_percent(self, text: str, done: int, total: int) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._label.setText(self.tr("{opening} {percent}%").format(opening=text, percent=100 * done // total))

    def _until_texts(self) -> tuple[str, ...]:
        """Return what training waits for, if not just for the target size."""
        goal = self._session.run.unreached
        is_training = self._session.work.activity is Activity.TRAINING
        return (until_text(goal.until),) if is_training and goal is not None and goal.until is not None else ()

    def _rate_texts(self, done: int, total: int) -> tuple[str, ...]:
        """Return the rate, if it is shown, and the time left; nothing until they can be estimated.

        What was done before the clock was started does not count.
        """
        if self._done_at_start is None:
            self._done_at_start = done
        elapsed = monotonic() - self._started
        is_moving = self._session.work.activity is Activity.MOVING  # whose first steps take the longest
        if elapsed < _ESTIMATE_AFTER or done <= self._done_at_start or is_moving:
            return ()
        rate = (done - self._done_at_start) / elapsed
        time_left = self.tr("{time} left").format(time=duration_text((total - done) / rate))
        return self._rate_text(rate), time_left

    def _rate_text(self, rate: float) -> str:
        if self._session.work.activity is Activity.COUNTING:
            return self.tr("{size}/s").format(size=size_text(round(rate)))
        return self.tr("{steps} steps/s").format(steps=number(round(rate)))

    def _done_text(self, done: int, total: int) -> str:
        if self._session.work.activity is Activity.COUNTING:
            return self.tr("Counted {done} of {total}").format(done=size_text(done), total=size_text(total))
        return self.tr("Step {done} of {total}").format(done=number(done), total=number(total))
