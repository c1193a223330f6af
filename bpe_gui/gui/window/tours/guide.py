"""The guide of a tour: takes the window to each stop, and waits there for the user."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.gui.jobs import JobRunner, Operation
from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.samples import Sample
from bpe_gui.tours import LAST_STEP, Tour, TourStop, read_tour

from .spotlight import Spotlight
from .tour_card import TourCard


class TourGuide(QObject):
    """Takes a tour through a window, one at a time. The user may do anything meanwhile."""

    _open_sample = Borrowed[Callable[[Sample], None]]()
    _window = Borrowed[QWidget]()

    def __init__(self, session: Session, window: QWidget, open_sample: Callable[[Sample], None]) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._open_sample = open_sample
        self._tour: Tour | None = None
        self._index = 0
        self._former_focus = ""
        self._reader = JobRunner(self)
        self._spotlight = Spotlight(window)
        self._card = TourCard(window)
        self._spotlight.moved.connect(self._place_card)
        self._card.next_wanted.connect(self.go_on)
        self._card.back_wanted.connect(self.go_back)
        self._card.leave_wanted.connect(self.leave)
        session.opened.changed.connect(self._see_whether_it_may_go_on)
        window.installEventFilter(self)

    @property
    def tour(self) -> Tour | None:
        """The tour that is being taken, or None."""
        return self._tour

    def read(self, path: Path, take: Callable[[Tour], object]) -> None:
        """Read a tour from a file in a thread, and call `take` with it; `Session.failed` says if it is not one."""
        self._reader.abandon()
        self._reader.start(
            Operation(
                name="read tour",
                work=lambda _report: read_tour(path),
                on_success=take,
                on_error=self._session.failed.emit,
            )
        )

    def start(self, tour: Tour) -> None:
        """Open the sample of a tour, and go to its first stop."""
        self.leave()
        focused = self._window.focusWidget()
        self._former_focus = focused.objectName() if focused is not None else ""
        if tour.sample is not None:
            self._session.opened.show_run()
            self._open_sample(tour.sample)
        self._tour, self._index = tour, 0
        self._stop_here()

    def go_on(self) -> None:
        """Go to the next stop; after the last one the tour ends."""
        if self._tour is not None and self._index + 1 < len(self._tour.stops):
            self._index += 1
            self._stop_here()
        else:
            self.leave()

    def go_back(self) -> None:
        """Go to the stop before."""
        if self._tour is not None and self._index > 0:
            self._index -= 1
            self._stop_here()

    def leave(self) -> None:
        """End the tour. The window stays as it is, and the focus returns to where it was before."""
        self._tour = None
        if self._card.isAncestorOf(self._window.focusWidget()):
            self._give_focus_back()
        self._card.hide()
        self._spotlight.end()

    def point_again(self) -> None:
        """Point at the widgets that have replaced the former ones, and speak the language in force."""
        if self._tour is not None:
            self._point()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize and self._tour is not None:
            self._spotlight.follow_window()
        return super().eventFilter(watched, event)

    def _give_focus_back(self) -> None:
        """Else Qt would move it to the recipe, which the arrow keys then change."""
        former = self._window.findChild(QWidget, self._former_focus) if self._former_focus else None
        if former is not None:
            former.setFocus()

    # -- a stop -----------------------------------------------------------------------------------------------------

    @property
    def _stop(self) -> TourStop:
        assert self._tour is not None
        return self._tour.stops[self._index]

    def _stop_here(self) -> None:
        self._drive()
        self._point()

    def _drive(self) -> None:
        """Do what the stop asks for."""
        stop, session = self._stop, self._session
        session.cursor.pause()
        if stop.text is not None:
            session.text.set_content(stop.text)
        if stop.step is not None:
            session.cursor.seek(session.cursor.run_length if stop.step == LAST_STEP else stop.step)
        if stop.select:
            session.selection.select_token(stop.select.encode())
        elif stop.select is not None:
            session.selection.clear()

    def _point(self) -> None:
        stop, tour = self._stop, self._tour
        assert tour is not None
        target = self._window.findChild(QWidget, stop.show) if stop.show else None
        if target is not None:
            _bring_to_front(target)
        sentence = stop.sentence(language_in_force())
        self._card.show_stop(sentence, self._index, len(tour.stops), may_go_on=self._may_go_on)
        self._spotlight.show()
        self._spotlight.show_widget(target)

    @property
    def _may_go_on(self) -> bool:
        return self._tour is None or not self._tour.needs_tokenizer or self._session.opened.tokenizer is not None

    def _see_whether_it_may_go_on(self) -> None:
        if self._tour is not None and self._tour.needs_tokenizer:
            self._point()

    def _place_card(self) -> None:
        if self._tour is not None:
            self._card.place_beside(self._spotlight.light, self._window.size())
            self._card.raise_()


def _bring_to_front(target: QWidget) -> None:
    """Show a widget: its panel, if that is hidden, and the page it is on."""
    widget: QWidget | None = target
    while widget is not None and not widget.isWindow():
        parent = widget.parentWidget()
        pages = parent.parentWidget() if parent is not None else None
        if isinstance(pages, QTabWidget) and pages.indexOf(widget) >= 0:
            pages.setCurrentWidget(widget)
        widget = parent
