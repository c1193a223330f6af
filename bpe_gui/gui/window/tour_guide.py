"""Guided tours: the spotlight on the subject of a stop, the card that explains it, and the guide through the stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from bpe_gui.gui.session.session import Moment, Session
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
    again_wanted = Signal()
    leave_wanted = Signal()
    stay_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        name_widget(self, "tourCard")
        set_role(self, "card")
        self._sentence = SentenceLabel(name="tourSentence")
        self._place = quiet_label("tourPlace")
        self._leave = self._button("tourLeaveButton", self.leave_wanted)
        self._stay = self._button("tourStayButton", self.stay_wanted)
        self._back = self._button("tourBackButton", self.back_wanted)
        self._next = self._button("tourNextButton", self.next_wanted)
        self._skip = self._button("tourSkipButton", self.skip_wanted)
        self._again = self._button("tourAgainButton", self.again_wanted)
        self._open = name_widget(QPushButton(), "tourOpenButton")
        self._answer = SentenceLabel(name="tourAnswer")
        self.tokenizers: Final = name_widget(QMenu(self._open), "tourTokenizersMenu")
        """The tokenizers to choose from, where the tour waits for one."""
        self._open.setMenu(self.tokenizers)
        set_role(self._leave, "quiet")
        task = row_of(self._again, self._open, self._skip, None, self._stay)
        buttons = row_of(self._place, None, self._leave, self._back, self._next)
        self._column = column_of(self._sentence, self._answer, task, buttons, of=self, margins=(DIALOG_MARGIN,) * 4)
        self.setFixedWidth(_WIDTH)
        self.hide()

    def _button(self, name: str, signal: SignalInstance) -> QPushButton:
        button = name_widget(QPushButton(autoDefault=True), name)
        button.clicked.connect(signal)
        return button

    def show_stop(
        self, sentence: str, index: int, count: int, expected: Expected | None, *, is_opened: bool, is_past: bool
    ) -> None:
        """Show the sentence of a stop; Next is disabled while something is `expected`.

        `is_opened` says that there is a tokenizer to show, `is_past` that the window shows something else by now.
        """
        is_last = index + 1 == count
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)
        self._place.setText(self.tr("{place} of {count}").format(place=number(index + 1), count=number(count)))
        self._leave.setText(self.tr("Leave"))
        self._stay.setText(self.tr("Stay here"))
        self._back.setText(self.tr("Back"))
        self._next.setText(self.tr("Back to my text") if is_last else self.tr("Next"))
        self._back.setEnabled(index > 0)
        self._next.setEnabled(expected is None)
        self._leave.setVisible(not is_last or expected is not None)
        self._stay.setVisible(is_last and expected is None)
        waits_for_tokenizer = expected is not None and expected.tokenizer
        makes_tokenizer = waits_for_tokenizer and not is_opened
        self._skip.setText(self.tr("Make one from a sample") if makes_tokenizer else self.tr("Show me"))
        self._again.setText(self.tr("Show it again"))
        self._open.setText(self.tr("Open one"))
        self._skip.setVisible(expected is not None)
        self._again.setVisible(is_past)
        self._open.setVisible(waits_for_tokenizer)
        self.show()
        self.raise_()

    def say(self, answer: str, role: str) -> None:
        """Say whether what the reader did was right."""
        self._answer.say(answer, role, hides=True)

    def follow(self, widget: QWidget) -> None:
        """Let the Tab key go from a widget to the buttons that go on."""
        for before, after in pairwise((widget, self._again, self._open, self._skip, self._next)):
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

    At a stop that expects something, the tour goes on once it was done, whether by the reader or by “Show me”. At every
    stop, the guide remembers what the window shows, so that the card can say when that is no longer so, and bring it
    back. In the same way, it brings back what was there before the tour.

    `ended(stays)`: a tour has ended; whether the window keeps showing what it shows.
    """

    _open_sample = Borrowed[Callable[[Sample], None]]()
    _ban = Borrowed[Callable[[TokenPair, int], None]]()
    _show_panels = Borrowed[Callable[[], None]]()
    _window = Borrowed[QWidget]()

    ended = Signal(bool)

    def __init__(
        self,
        session: Session,
        settings: Settings,
        tokenizers: TokenizerOpener,
        window: QWidget,
        open_sample: Callable[[Sample], None],
        ban: Callable[[TokenPair, int], None],
        show_panels: Callable[[], None],
    ) -> None:
        """`ban` makes a branch in which a pair is never merged after a step; `show_panels` shows every panel."""
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._tokenizers = tokenizers
        self._window = window
        self._open_sample = open_sample
        self._ban = ban
        self._show_panels = show_panels
        self.tour: Tour | None = None
        """The current tour, or None."""
        self._before: Moment | None = None
        self._identities: set[int] = set()  # of the documents that are not the reader's
        self._moments: dict[int, Moment] = {}  # what each stop shows; once the reader is done, what that gave
        self._index = 0
        self._reached = 0  # the stop where the reader left the tour
        self._done: set[int] = set()  # the stops at which the reader did what was expected
        self._answer = "", False
        self._driving = Updating()
        self._former_focus = ""
        self._reader = JobRunner(self)
        self._spotlight = Spotlight(window)
        self._card = TourCard(window)
        self._spotlight.moved.connect(self._place_card)
        self._card.next_wanted.connect(self.next_stop)
        self._card.back_wanted.connect(self.go_back)
        self._card.skip_wanted.connect(self._show_how)
        self._card.again_wanted.connect(self._show_again)
        self._card.leave_wanted.connect(self.leave)
        self._card.stay_wanted.connect(self.stay)
        self._card.tokenizers.aboutToShow.connect(self._fill_tokenizers)
        cursor, text = session.cursor, session.text
        for signal in (cursor.moved, cursor.steps_changed, session.selection.changed, text.edited, text.replaced):
            signal.connect(self._check)
        for signal in (session.history.changed, session.opened.changed):
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
        focused = self._window.focusWidget()
        self._former_focus = focused.objectName() if focused is not None else ""
        self._before = self._session.moment(with_text=False)
        self._identities = set()
        if tour.sample is not None:
            self._session.opened.show_run()
            self._open_sample(tour.sample)
            self._identities = {id(each.identity) for each in self._session.corpus.documents}
        self.tour = tour
        self._index, self._reached = 0, self._first_stop(tour)
        self._done.clear()
        self._answer = "", False
        self._window.installEventFilter(self)
        self._repeat()

    def _first_stop(self, tour: Tour) -> int:
        """Return the stop where the reader left the tour, or an earlier one that waits for a tokenizer again."""
        reached = self._settings.reached_stop(tour.name)
        if reached >= len(tour.stops):
            return 0
        if self._session.opened.tokenizer is None:
            waiting = (i for i, stop in enumerate(tour.stops[:reached]) if stop.expected and stop.expected.tokenizer)
            return next(waiting, reached)
        return reached

    def _repeat(self) -> None:
        """Repeat the stops before the one where the reader left the tour; one that makes a branch takes a while."""
        while self._index < self._reached:
            expected = self._stop.expected
            if self._index not in self._moments:
                self._drive(self._stop)
                self._remember()
                if expected is not None:
                    with self._driving:
                        self._do(expected)
            if expected is not None and expected.banned and not _is_met(expected, self._session):
                self._point()
                return
            self._finish_stop()
            self._index += 1
        self._stop_here()

    def next_stop(self) -> None:
        """Go to the next stop; after the last one, end the tour, and bring back what was there before."""
        if self.tour is not None and self._index + 1 < len(self.tour.stops):
            self._go_to(self._index + 1)
        else:
            self._end(stays=False)

    def go_back(self) -> None:
        """Go to the previous stop."""
        if self.tour is not None and self._index > 0:
            self._go_to(self._index - 1)

    def stay(self) -> None:
        """End the tour at its last stop, and keep what it shows."""
        self._end(stays=True)

    def leave(self) -> None:
        """End the tour, and bring back what was there before, unless the reader has opened something else since."""
        self._end(stays=self._has_own_documents)

    def _end(self, *, stays: bool) -> None:
        """End the tour; unless it `stays`, bring back what was there before. The focus returns to where it was."""
        tour, before = self.tour, self._before
        if tour is None or before is None:
            return
        if self._index + 1 == len(tour.stops) and self._expected is None:
            self._settings.set_reached_stop(tour.name, len(tour.stops))
        self.tour = self._before = None
        self._moments.clear()
        self._window.removeEventFilter(self)
        self._session.selection.ask_for_next(False)
        if not stays:
            self._session.return_to(before)
        has_focus = self._card.isAncestorOf(self._window.focusWidget())
        self._card.hide()
        self._spotlight.end()
        self.ended.emit(stays)
        if has_focus:
            self._give_focus_back()

    @property
    def _has_own_documents(self) -> bool:
        """Whether the corpus has documents that were neither there before the tour nor in its sample."""
        before = self._before.mark.state.documents if self._before is not None else ()
        contents = {id(each.content) for each in before}
        documents = self._session.corpus.documents
        return any(id(each.identity) not in self._identities and id(each.content) not in contents for each in documents)

    def point_again(self) -> None:
        """Point at the rebuilt widgets, in the current language."""
        if self.tour is not None:
            self._answer = self._find_answer()
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

    def _go_to(self, index: int) -> None:
        """Go to another stop. A stop that was shown before shows the same things again."""
        if self._is_past:
            self._return_to(self._moments[self._index])  # which the stops after this one take for granted
        self._index = index
        if (moment := self._moments.get(index)) is None:
            self._stop_here()
        else:
            self._return_to(moment)
            self._answer = self._find_answer()
            self._point()

    def _stop_here(self) -> None:
        assert self.tour is not None
        if self._settings.reached_stop(self.tour.name) < len(self.tour.stops):
            self._settings.set_reached_stop(self.tour.name, self._index)
        self._drive(self._stop)
        self._remember()
        if (expected := self._expected) is not None and _is_met(expected, self._session):
            self._done.add(self._index)
        self._answer = self._find_answer()
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

    def _remember(self) -> None:
        """Remember what the window shows at this stop."""
        assert self.tour is not None
        stops = self.tour.stops[: self._index + 1]
        has_text = self.tour.sample is not None or any(stop.text is not None for stop in stops)
        self._moments[self._index] = self._session.moment(with_text=has_text)

    def _finish_stop(self) -> None:
        """Note that the reader did what this stop waited for."""
        self._done.add(self._index)
        self._remember()

    def _return_to(self, moment: Moment) -> None:
        with self._driving:
            self._session.return_to(moment)

    def _point(self) -> None:
        stop, tour = self._stop, self.tour
        assert tour is not None
        target = self._window.findChild(QWidget, stop.show) if stop.show else None
        if target is not None:
            _bring_to_front(target)
            if not target.isVisibleTo(self._window):
                self._show_panels()
            self._card.follow(target)
        self._show_card()
        if self._expected is not None and target is not None and target.focusPolicy() != Qt.FocusPolicy.NoFocus:
            target.setFocus()
        else:
            self._card.take_focus()
        self._spotlight.show()
        self._spotlight.show_widget(target)

    def _show_card(self) -> None:
        stop, tour, expected = self._stop, self.tour, self._expected
        assert tour is not None
        answer, is_past = self._answer
        is_wrong = expected is not None and not is_past
        self._card.say(answer, "warning" if is_wrong else "quiet" if is_past else "")
        self._card.show_stop(
            stop.sentence(language_in_force()),
            self._index,
            len(tour.stops),
            expected,
            is_opened=bool(self._session.opened.tokenizers),
            is_past=is_past,
        )
        self._hide_answer()

    def _hide_answer(self) -> None:
        """Hide which pair is next while this stop or one after it asks for it."""
        assert self.tour is not None
        following = self._session.cursor.next_merge
        asked = [
            stop.expected.pair
            for index, stop in enumerate(self.tour.stops)
            if stop.expected is not None and stop.expected.pair and index >= self._index and index not in self._done
        ]
        asks = following is not None and (following.left, following.right) in asked
        self._session.selection.ask_for_next(asks)

    # -- what the reader does ---------------------------------------------------------------------------------------

    @property
    def _is_past(self) -> bool:
        """Whether the window no longer shows what the card describes, apart from what the stop asks for."""
        session, expected = self._session, self._stop.expected
        differences = session.differences(self._moments[self._index])
        if expected is None:
            return bool(differences)
        is_undone = self._index in self._done and not (expected.pair or expected.select or _is_met(expected, session))
        return is_undone or not differences <= _differences_by(expected)

    def _check(self) -> None:
        """Go on if the reader did what the stop waits for; say so if the window shows something else now."""
        session = self._session
        if self.tour is None or self._before is None or self._driving or session.history.is_changing:
            return
        if not session.history.reaches(self._before.mark):
            self._end(stays=True)
            return
        if self._index < self._reached and self._index not in self._done:
            self._repeat()
            return
        expected = self._expected
        is_met = expected is not None and not self._is_past and _is_met(expected, session)
        if is_met:
            self._finish_stop()
        self._hide_answer()
        answer = self._find_answer()
        if answer == self._answer and not is_met:
            return
        self._answer = answer
        self._show_card()
        if is_met and expected is not None and expected.text is None:  # a reader who types goes on typing
            self._card.take_focus()
        self._place_card()

    def _find_answer(self) -> tuple[str, bool]:
        """Return what to say about what the window shows, and whether that is no longer what the card describes."""
        if self._is_past:
            assert self.tour is not None
            is_last = self._index + 1 == len(self.tour.stops)  # where a reader is welcome to look at other things
            return "" if is_last else self.tr("The window shows something else now."), True
        language, stop, session = language_in_force(), self._stop, self._session
        if self._index in self._done:
            return f"✓ {in_language(stop.right, language)}", False
        if (expected := stop.expected) is None:
            return "", False
        is_branch = session.branches.current is not session.branches.main
        is_wrong = is_branch if expected.banned else session.selection.token is not None
        chooses = expected.pair or expected.select or expected.banned
        return in_language(stop.wrong, language) if chooses and is_wrong else "", False

    def _show_again(self) -> None:
        """Show what the card speaks of."""
        if self.tour is not None:
            self._return_to(self._moments[self._index])
            self._check()
            self._point()

    def _show_how(self) -> None:
        """Do what the reader should do, whatever they have done meanwhile."""
        if self.tour is not None and (expected := self._expected) is not None:
            if not expected.tokenizer:
                self._return_to(self._moments[self._index])
            self._do(expected)
            self._check()
            if self._expected is None:
                self._card.take_focus()

    def _do(self, expected: Expected) -> None:
        session = self._session
        if expected.step is not None:
            session.cursor.seek(expected.step)
        elif expected.pair is not None:
            session.selection.select_pair(*expected.pair)
        elif expected.select is not None:
            session.selection.select_token(expected.select)
        elif expected.text is not None:
            session.text.set_content(expected.text)
        elif expected.banned is not None:
            self._ban(expected.banned, session.cursor.position)
        elif session.opened.tokenizers:
            session.opened.show(session.opened.tokenizers[-1])
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


def _differences_by(expected: Expected) -> set[str]:
    """Return what an expected action changes in the window; see `Session.differences`."""
    if expected.tokenizer:
        return {"run", "step", "text"}
    changes = {"step": expected.step is not None, "text": expected.text is not None, "run": bool(expected.banned)}
    return {part for part, is_changed in changes.items() if is_changed}


def shows_all(window: QWidget, tour: Tour) -> bool:
    """Return whether everything that a tour points at is in the panels on screen, perhaps on another page."""
    targets = (window.findChild(QWidget, stop.show) for stop in tour.stops if stop.show)
    return not any(
        widget.isHidden() and pages is None for target in targets for widget, pages in _chain_with_pages(target)
    )


def _bring_to_front(target: QWidget) -> None:
    """Show the pages that a widget is on."""
    for widget, pages in _chain_with_pages(target):
        if pages is not None:
            pages.setCurrentWidget(widget)


def _chain_with_pages(target: QWidget | None) -> Iterator[tuple[QWidget, QTabWidget | None]]:
    """Yield a widget and its ancestors below the window, each with the pages that it is one of, if any."""
    widget = target
    while widget is not None and not widget.isWindow():
        parent = widget.parentWidget()
        pages = parent.parentWidget() if parent is not None else None
        yield widget, pages if isinstance(pages, QTabWidget) and pages.indexOf(widget) >= 0 else None
        widget = parent
