"""Guided tours: the spotlight on the subject of a stop, the card that explains it, and the guide through the stops."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QTabWidget, QWidget

from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.gui.jobs import JobRunner, Operation
from bpe_gui.gui.look.layouts import DIALOG_MARGIN, column_of, row_of
from bpe_gui.gui.look.lifetime import Borrowed, Updating
from bpe_gui.gui.look.qt_constants import ANTIALIASING, NO_BRUSH
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget, quiet_label
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.numbers import number
from bpe_gui.samples import Sample
from bpe_gui.tours import LAST_STEP, Expected, Tour, TourStop, in_language, read_tour

from .tokenizer_opener import TokenizerOpener

_VEILS: Final = QColor(0, 0, 0, 60), QColor(0, 0, 0, 56)  # over a light window and a dark one, which stay readable
_MIDDLE: Final = 128  # of lightness
_AROUND: Final = 3  # pixels between a widget and the edge of the light
_CORNER: Final = 6.0
_LINE_WIDTH: Final = 2.0
_MOVES: Final = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class Spotlight(QWidget):
    """A veil over a window that lets mouse and keyboard through."""

    moved = Signal()
    """The lit part has moved."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tourSpotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._target: QWidget | None = None
        self.hide()

    @property
    def light(self) -> QRect:
        """The lit part of the window; empty if nothing is lit."""
        target = self._target
        if target is None or not shiboken6.isValid(target) or not target.isVisible():
            return QRect()
        area = QRect(target.mapTo(self.window(), QPoint()), target.size())
        return area.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & self.rect()

    def show_widget(self, target: QWidget | None) -> None:
        """Light a widget, or nothing."""
        for widget in self._chain():
            widget.removeEventFilter(self)
        self._target = target
        for widget in self._chain():
            widget.installEventFilter(self)
        self.follow_window()

    def end(self) -> None:
        """Turn off the light and remove the veil."""
        self.show_widget(None)
        self.hide()

    def follow_window(self) -> None:
        """Cover the whole window."""
        self.setGeometry(self.window().rect())
        self.raise_()
        self.update()
        self.moved.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() in _MOVES:
            self.update()
            self.moved.emit()
        return super().eventFilter(watched, event)

    def _chain(self) -> list[QWidget]:
        """Return the widget and its ancestors, any of which may move it."""
        chain: list[QWidget] = []
        widget = self._target if self._target is not None and shiboken6.isValid(self._target) else None
        while widget is not None and widget is not self.window():
            chain.append(widget)
            widget = widget.parentWidget()
        return chain

    def paintEvent(self, event: QPaintEvent) -> None:
        veil, light = QPainterPath(), self.light
        color = _VEILS[self.palette().window().color().lightness() < _MIDDLE]
        veil.addRect(QRectF(self.rect()))
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            if light.isEmpty():
                painter.fillPath(veil, color)
                return
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(light), _CORNER, _CORNER)
            painter.fillPath(veil.subtracted(hole), color)
            painter.setBrush(NO_BRUSH)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), _LINE_WIDTH))
            painter.drawPath(hole)


_WIDTH: Final = 360  # pixels
_DISTANCE: Final = 12  # pixels from the light, and from the window's edge


class TourCard(QFrame):
    """A card that floats next to the widget it explains."""

    next_wanted = Signal()
    back_wanted = Signal()
    skip_wanted = Signal()
    leave_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        name_widget(self, "tourCard")
        set_role(self, "card")
        self._sentence = SentenceLabel(name="tourSentence")
        self._place = quiet_label("tourPlace")
        self._leave = self._button("tourLeaveButton", self.leave_wanted)
        self._back = self._button("tourBackButton", self.back_wanted)
        self._next = self._button("tourNextButton", self.next_wanted)
        self._skip = self._button("tourSkipButton", self.skip_wanted)
        self._open = name_widget(QPushButton(), "tourOpenButton")
        self._answer = SentenceLabel(name="tourAnswer")
        self.tokenizers: Final = name_widget(QMenu(self._open), "tourTokenizersMenu")
        """The tokenizers to choose from, where the tour waits for one."""
        self._open.setMenu(self.tokenizers)
        set_role(self._leave, "quiet")
        task = row_of(self._open, self._skip, None)
        buttons = row_of(self._place, None, self._leave, self._back, self._next)
        self._column = column_of(self._sentence, self._answer, task, buttons, of=self, margins=(DIALOG_MARGIN,) * 4)
        self.setFixedWidth(_WIDTH)
        self.hide()

    def _button(self, name: str, signal: SignalInstance) -> QPushButton:
        button = name_widget(QPushButton(autoDefault=True), name)
        button.clicked.connect(signal)
        return button

    def show_stop(self, sentence: str, index: int, count: int, expected: Expected | None) -> None:
        """Show the sentence of a stop; Next is disabled while something is `expected`."""
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)
        self._place.setText(self.tr("{place} of {count}").format(place=number(index + 1), count=number(count)))
        self._leave.setText(self.tr("Leave"))
        self._back.setText(self.tr("Back"))
        self._next.setText(self.tr("Finish") if index + 1 == count else self.tr("Next"))
        self._back.setEnabled(index > 0)
        self._next.setEnabled(expected is None)
        waits_for_tokenizer = expected is not None and expected.tokenizer
        self._skip.setText(self.tr("Make one from a sample") if waits_for_tokenizer else self.tr("Show me"))
        self._open.setText(self.tr("Open one"))
        self._skip.setVisible(expected is not None)
        self._open.setVisible(waits_for_tokenizer)
        self.show()
        self.raise_()

    def say(self, answer: str, role: str) -> None:
        """Say whether what the reader did was right."""
        self._answer.say(answer, role, hides=True)

    def follow(self, widget: QWidget) -> None:
        """Let the Tab key go from a widget to the buttons that go on."""
        for before, after in pairwise((widget, self._skip, self._next)):
            QWidget.setTabOrder(before, after)

    def take_focus(self) -> None:
        """Give the focus to the button that goes on, or to one that does what is expected."""
        task = self._skip if self._open.isHidden() else self._open
        (self._next if self._next.isEnabled() else task).setFocus()

    def place_next_to(self, light: QRect, window: QSize) -> None:
        """Move next to the lit part of the window, on the side with the most space; to the middle if nothing is lit."""
        self._column.activate()  # or a button that has just been hidden would still take space
        self.resize(_WIDTH, self._column.totalHeightForWidth(_WIDTH))
        area = QRect(QPoint(), window).adjusted(_DISTANCE, _DISTANCE, -_DISTANCE, -_DISTANCE)
        card = QRect(QPoint(), self.size())
        card.moveCenter(area.center())
        if not light.isEmpty():
            card = _next_to(light, area, card)
        card.moveBottomRight(QPoint(min(card.right(), area.right()), min(card.bottom(), area.bottom())))
        card.moveTopLeft(QPoint(max(card.left(), area.left()), max(card.top(), area.top())))
        self.move(card.topLeft())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave_wanted.emit()
        else:
            super().keyPressEvent(event)


def _next_to(light: QRect, area: QRect, card: QRect) -> QRect:
    """Return the card on the side of the light with the most space; if none has enough, over the end of the light."""
    card.moveCenter(light.center())
    right, left, below, above = QRect(card), QRect(card), QRect(card), QRect(card)
    right.moveLeft(light.right() + _DISTANCE)
    left.moveRight(light.left() - _DISTANCE)
    below.moveTop(light.bottom() + _DISTANCE)
    above.moveBottom(light.top() - _DISTANCE)
    spare = (
        (area.right() - right.right(), right),
        (left.left() - area.left(), left),
        (area.bottom() - below.bottom(), below),
        (above.top() - area.top(), above),
    )
    room, place = max(spare, key=lambda side: side[0])
    if room < 0:
        card.moveBottomRight(light.bottomRight() - QPoint(_DISTANCE, _DISTANCE))
        return card
    return place


class TourGuide(QObject):
    """Takes one tour at a time through a window. The user may do anything during a tour.

    At a stop that expects something, the tour goes on once it was done, whether by the reader or by “Show me”.
    """

    _open_sample = Borrowed[Callable[[Sample], None]]()
    _ban = Borrowed[Callable[[TokenPair, int], None]]()
    _window = Borrowed[QWidget]()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        tokenizers: TokenizerOpener,
        window: QWidget,
        open_sample: Callable[[Sample], None],
        ban: Callable[[TokenPair, int], None],
    ) -> None:
        """`ban` makes a branch in which a pair is never merged after a step."""
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._tokenizers = tokenizers
        self._window = window
        self._open_sample = open_sample
        self._ban = ban
        self.tour: Tour | None = None
        """The current tour, or None."""
        self._index = 0
        self._done: set[int] = set()  # the stops at which the reader did what was expected
        self._objection = ""
        self._driving = Updating()
        self._former_focus = ""
        self._reader = JobRunner(self)
        self._spotlight = Spotlight(window)
        self._card = TourCard(window)
        self._spotlight.moved.connect(self._place_card)
        self._card.next_wanted.connect(self.next_stop)
        self._card.back_wanted.connect(self.go_back)
        self._card.skip_wanted.connect(self._show_how)
        self._card.leave_wanted.connect(self.leave)
        self._card.tokenizers.aboutToShow.connect(self._fill_tokenizers)
        cursor, text = session.cursor, session.text
        for signal in (cursor.moved, cursor.steps_changed, session.selection.changed, text.edited, text.replaced):
            signal.connect(self._check)
        for signal in (session.branches.changed, session.opened.changed):
            signal.connect(self._check)

    def read(self, path: Path, take: Callable[[Tour], object]) -> None:
        """Read a tour from a file in a thread, and call `take` with it; on failure, emit `Session.failed`."""
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
        """Open the sample of a tour, and go on where the reader left it, or begin at the first stop."""
        self.leave()
        focused = self._window.focusWidget()
        self._former_focus = focused.objectName() if focused is not None else ""
        if tour.sample is not None:
            self._session.opened.show_run()
            self._open_sample(tour.sample)
        self.tour = tour
        self._index = self._first_stop(tour)
        self._done = set(range(self._index))
        for stop in tour.stops[: self._index]:
            self._drive(stop)
            if stop.expected and stop.expected.banned:
                self._do(stop.expected)
        self._window.installEventFilter(self)
        self._stop_here()

    def _first_stop(self, tour: Tour) -> int:
        """Return the stop where the reader left the tour, or an earlier one that waits for a tokenizer again."""
        reached = self._settings.reached_stop(tour.name)
        if reached >= len(tour.stops):
            return 0
        if self._session.opened.tokenizer is None:
            waiting = (i for i, stop in enumerate(tour.stops[:reached]) if stop.expected and stop.expected.tokenizer)
            return next(waiting, reached)
        return reached

    def next_stop(self) -> None:
        """Go to the next stop; after the last one, end the tour."""
        if self.tour is not None and self._index + 1 < len(self.tour.stops):
            self._index += 1
            self._stop_here()
        elif self.tour is not None:
            self._settings.set_reached_stop(self.tour.name, len(self.tour.stops))
            self.leave()

    def go_back(self) -> None:
        """Go to the previous stop."""
        if self.tour is not None and self._index > 0:
            self._index -= 1
            self._stop_here()

    def leave(self) -> None:
        """End the tour. The window stays as it is, and the focus returns to where it was before."""
        self.tour = None
        self._window.removeEventFilter(self)
        if self._card.isAncestorOf(self._window.focusWidget()):
            self._give_focus_back()
        self._card.hide()
        self._spotlight.end()

    def point_again(self) -> None:
        """Point at the rebuilt widgets, in the current language."""
        if self.tour is not None:
            self._objection = ""  # it was in the old language
            self._point()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() == QEvent.Type.Resize:
            self._spotlight.follow_window()
        return super().eventFilter(watched, event)

    def _give_focus_back(self) -> None:
        """Return the focus to where it was: Qt would move it to the recipe, which the arrow keys would change."""
        former = self._window.findChild(QWidget, self._former_focus) if self._former_focus else None
        if former is not None:
            former.setFocus()

    # -- a stop -----------------------------------------------------------------------------------------------------

    @property
    def _stop(self) -> TourStop:
        assert self.tour is not None
        return self.tour.stops[self._index]

    @property
    def _expected(self) -> Expected | None:
        """The action that the reader still has to take here, or None."""
        return None if self._index in self._done else self._stop.expected

    def _stop_here(self) -> None:
        assert self.tour is not None
        if self._settings.reached_stop(self.tour.name) < len(self.tour.stops):
            self._settings.set_reached_stop(self.tour.name, self._index)
        self._objection = ""
        self._drive(self._stop)
        if (expected := self._expected) is not None and _is_met(expected, self._session):
            self._done.add(self._index)
        self._point()

    def _drive(self, stop: TourStop) -> None:
        """Do what a stop asks for."""
        session = self._session
        session.cursor.pause()
        with self._driving:
            if stop.text is not None:
                session.text.set_content(stop.text)
            if stop.step is not None:
                session.cursor.seek(session.cursor.run_length if stop.step == LAST_STEP else stop.step)
            if stop.select:
                session.selection.select_token(stop.select.encode())
            elif stop.select is not None:
                session.selection.clear()

    def _point(self) -> None:
        stop, tour = self._stop, self.tour
        assert tour is not None
        target = self._window.findChild(QWidget, stop.show) if stop.show else None
        if target is not None:
            _bring_to_front(target)
            self._card.follow(target)
        self._show_card()
        if self._expected is not None and target is not None and target.focusPolicy() != Qt.FocusPolicy.NoFocus:
            target.setFocus()
        else:
            self._card.take_focus()
        self._spotlight.show()
        self._spotlight.show_widget(target)

    def _show_card(self) -> None:
        stop, tour, language = self._stop, self.tour, language_in_force()
        assert tour is not None
        if self._index in self._done:
            self._card.say(f"✓ {in_language(stop.right, language)}", "")
        else:
            self._card.say(self._objection, "warning")
        self._card.show_stop(stop.sentence(language), self._index, len(tour.stops), self._expected)

    # -- what the reader does ---------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Go on if the reader did what the stop waits for; say so if it was something else of the same kind."""
        if self.tour is None or self._driving or (expected := self._expected) is None:
            return
        is_met, objection = _is_met(expected, self._session), self._objection_to(expected)
        if not is_met and objection == self._objection:
            return
        self._objection = objection
        if is_met:
            self._done.add(self._index)
        self._show_card()
        if is_met and expected.text is None:  # a reader who types goes on typing
            self._card.take_focus()
        self._place_card()

    def _objection_to(self, expected: Expected) -> str:
        """Return what to say if the reader has moved away, chosen another pair or token, or made another branch."""
        step, session = self._stop.step, self._session
        if expected.pair is not None and step is not None and session.cursor.position != step:
            return self.tr("The question is about step {step}. Go back there first.").format(step=number(step))
        is_branch = session.branches.current is not session.branches.main
        is_wrong = is_branch if expected.banned else session.selection.token is not None
        chooses = expected.pair or expected.select or expected.banned
        return in_language(self._stop.wrong, language_in_force()) if chooses and is_wrong else ""

    def _show_how(self) -> None:
        """Do what the reader should do."""
        if self.tour is not None and (expected := self._expected) is not None:
            self._do(expected)

    def _do(self, expected: Expected) -> None:
        session = self._session
        if expected.step is not None:
            session.cursor.seek(expected.step)
        elif expected.pair is not None:
            if self._stop.step is not None:
                session.cursor.seek(self._stop.step)
            session.selection.select_pair(*expected.pair)
        elif expected.select is not None:
            session.selection.select_token(expected.select)
        elif expected.text is not None:
            session.text.set_content(expected.text)
        elif expected.banned is not None:
            session.show_branch(session.branches.main)
            self._ban(expected.banned, session.cursor.position)
        else:
            self._tokenizers.make_from_sample()

    def _fill_tokenizers(self) -> None:
        self._tokenizers.fill(self._card.tokenizers)

    def _place_card(self) -> None:
        if self.tour is not None:
            self._card.place_next_to(self._spotlight.light, self._window.size())
            self._card.raise_()


def _is_met(expected: Expected, session: Session) -> bool:
    """Return whether the reader has done what is expected."""
    return (
        (expected.step is not None and session.cursor.position >= expected.step)
        or (expected.pair is not None and session.selection.pair == expected.pair)
        or (expected.select is not None and session.selection.token == expected.select)
        or (expected.text is not None and expected.text in session.text.content)
        or (expected.banned is not None and expected.banned in session.corpus.plan.banned)
        or (expected.tokenizer and session.opened.tokenizer is not None)
    )


def _bring_to_front(target: QWidget) -> None:
    """Show a widget, with its panel and the page it is on."""
    widget: QWidget | None = target
    while widget is not None and not widget.isWindow():
        parent = widget.parentWidget()
        pages = parent.parentWidget() if parent is not None else None
        if isinstance(pages, QTabWidget) and pages.indexOf(widget) >= 0:
            pages.setCurrentWidget(widget)
        widget = parent
