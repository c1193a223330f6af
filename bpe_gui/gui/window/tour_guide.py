"""The guide through the stops of a tour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.engine import LiveText, TokenPair
from bpe_gui.gui.jobs import JobRunner, pause_before
from bpe_gui.gui.look.lifetime import Updating, WeakAttribute
from bpe_gui.gui.look.qt_constants import ENTER_KEYS, ESCAPE, KEY_PRESS, SHORTCUT_OVERRIDE
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.session.session import Moment, Session
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.samples import Sample
from bpe_gui.tours import LAST_STEP, Expected, Tour, TourStop, in_language, lesson_after, read_tour

from .part import Surroundings, WindowPart
from .tokenizer_opener import TokenizerOpener
from .tour_card import Spotlight, TourCard

_TYPING_PAUSE: Final = 1_000  # milliseconds, after which a text counts as an answer


class TourGuide(WindowPart):
    """Takes one tour at a time through a window. The user may do anything during a tour.

    At a stop that expects something, the tour goes on once it was done, whether by the reader or by “Show me”. At every
    stop, the guide remembers what the window shows, so that the card can say when that is no longer so, and bring it
    back. In the same way, it brings back what was there before the tour.

    - `ended(stays)`: a tour has ended; whether the window keeps showing what it shows.
    - `wanted(tour)`: the reader wants to take another tour now.
    """

    _open_sample = WeakAttribute[Callable[[Sample], None]]()
    _ban = WeakAttribute[Callable[[TokenPair, int], None]]()
    _show_panels = WeakAttribute[Callable[[], None]]()

    ended = Signal(bool)
    wanted = Signal(object)

    def __init__(
        self,
        around: Surroundings,
        tokenizers: TokenizerOpener,
        open_sample: Callable[[Sample], None],
        ban: Callable[[TokenPair, int], None],
        show_panels: Callable[[], None],
    ) -> None:
        """`ban` makes a branch in which a pair is never merged after a step; `show_panels` shows every panel."""
        super().__init__(around)
        self._tokenizers = tokenizers
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
        self._selected: Selected | None = None  # when Escape went down
        self._typing_pause = pause_before(self._check, _TYPING_PAUSE, self)
        self._reader = JobRunner(self)
        self._spotlight = Spotlight(around.window)
        self._card = TourCard(around.window)
        self._spotlight.moved.connect(self._place_card)
        self._card.next.clicked.connect(self.next_stop)
        self._card.back.clicked.connect(self.go_back)
        self._card.skip.clicked.connect(self._show_how)
        self._card.again.clicked.connect(self._show_again)
        self._card.leave.clicked.connect(self.leave)
        self._card.stay.clicked.connect(self.stay)
        self._card.following.clicked.connect(self._take_following)
        self._card.tokenizers.aboutToShow.connect(self._fill_tokenizers)
        session, cursor, text = self._session, self._session.cursor, self._session.text
        text.edited.connect(self._wait_for_pause)  # before the check
        for signal in (
            *(cursor.moved, cursor.steps_changed, session.selection.changed, text.edited, text.replaced),
            *(session.history.changed, session.opened.changed),
        ):
            signal.connect(self._check)

    def read(self, path: Path, take: Callable[[Tour], object]) -> None:
        """Read a tour from a file in a thread, and call `take` with it; on failure, emit `Session.failed`."""
        self._reader.abandon()
        self._reader.start(
            name="read tour",
            work=lambda _report: read_tour(path),
            on_success=take,
            on_error=self._session.failed.emit,
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
        if self._is_last:
            self._end(stays=False)
        else:
            self._go_to(self._index + 1)

    def go_back(self) -> None:
        if self._index > 0:
            self._go_to(self._index - 1)

    def stay(self) -> None:
        """End the tour at its last stop, and keep what it shows."""
        self._end(stays=True)

    def _take_following(self) -> None:
        self.wanted.emit(lesson_after(self._tour))

    def leave(self) -> None:
        """End the tour, and bring back what was there before, unless the reader has opened something else since."""
        self._end(stays=self._has_own_documents)

    def _end(self, *, stays: bool) -> None:
        """End the tour; unless it `stays`, bring back what was there before. The focus returns to where it was."""
        tour, before = self.tour, self._before
        if tour is None or before is None:
            return
        if self._is_last and self._expected is None:
            self._settings.set_reached_stop(tour.name, len(tour.stops))
        self.tour = self._before = None
        self._moments.clear()
        self._window.removeEventFilter(self)
        self._session.selection.ask_for_next(False)
        if not stays:
            self._session.return_to(before)
        has_focus = self._has_focus
        self._card.hide()
        self._spotlight.end()
        self.ended.emit(stays)
        if has_focus:
            # Back to where it was: Qt would move it to the recipe, which the arrow keys would change.
            former = self._window.findChild(QWidget, self._former_focus) if self._former_focus else None
            if former is not None:
                former.setFocus()

    @property
    def _has_focus(self) -> bool:
        return self._card.isAncestorOf(self._window.focusWidget())

    @property
    def _has_own_documents(self) -> bool:
        """Whether the corpus has documents that were neither there before the tour nor in its sample."""
        before = self._before.point.state.documents if self._before is not None else ()
        contents = {id(each.content) for each in before}
        documents = self._session.corpus.documents
        return any(id(each.identity) not in self._identities and id(each.content) not in contents for each in documents)

    def point_again(self) -> None:
        """Point at the rebuilt widgets, in the current language."""
        if self.tour is not None:
            self._answer = self._find_answer()
            self._point()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if watched is not self._window:
            return self._takes_enter(event)
        if event.type() == QEvent.Type.Resize:
            self._spotlight.follow_window()
        elif isinstance(event, QKeyEvent) and event.key() == ESCAPE:
            selected = self._session.selection.selected
            if event.type() == SHORTCUT_OVERRIDE:
                self._selected = selected
            elif event.type() == QEvent.Type.KeyPress and (selected == self._selected or self._has_focus):
                self.leave()  # a table has cleared the selection otherwise
                return True
        elif event.type() == SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Left:
            expected = self._expected
            if expected is not None and expected.step and not self._session.cursor.destination:
                self._say((self._wrong_way(), False))  # where the key does nothing else
        return super().eventFilter(watched, event)

    def _takes_enter(self, event: QEvent) -> bool:
        """Let Enter in a field where a text is expected go on if it is right, or say that it is wrong."""
        if not isinstance(event, QKeyEvent) or event.type() != KEY_PRESS or event.key() not in ENTER_KEYS:
            return False
        if self.tour is None or not (self._stop.expected and self._stop.expected.text) or self._is_past:
            return False
        self._typing_pause.stop()
        self._check()
        if self._index in self._done:
            self.next_stop()
        return True

    # -- a stop -----------------------------------------------------------------------------------------------------

    @property
    def _tour(self) -> Tour:
        assert self.tour is not None
        return self.tour

    @property
    def _stop(self) -> TourStop:
        return self._tour.stops[self._index]

    @property
    def _is_last(self) -> bool:
        return self._index + 1 == len(self._tour.stops)

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
        if self._settings.reached_stop(self._tour.name) < len(self._tour.stops):
            self._settings.set_reached_stop(self._tour.name, self._index)
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
                session.replace_text(LiveText(stop.text))
            if stop.step is not None:
                session.cursor.seek(session.cursor.run_length if stop.step == LAST_STEP else stop.step)
            if stop.select:
                session.selection.select_token(stop.select.encode())
            elif stop.select is not None:
                session.selection.clear()

    def _remember(self) -> None:
        """Remember what the window shows at this stop."""
        stops = self._tour.stops[: self._index + 1]
        has_text = self._tour.sample is not None or any(stop.text is not None for stop in stops)
        self._moments[self._index] = self._session.moment(with_text=has_text)

    def _finish_stop(self) -> None:
        """Note that the reader did what this stop waited for."""
        self._done.add(self._index)
        self._remember()

    def _return_to(self, moment: Moment) -> None:
        with self._driving:
            self._session.return_to(moment)

    def _point(self) -> None:
        target = self._window.findChild(QWidget, self._stop.show) if self._stop.show else None
        if target is not None:
            for widget, pages in _chain_with_pages(target):
                if pages is not None:
                    pages.setCurrentWidget(widget)
            if not target.isVisibleTo(self._window):
                self._show_panels()
            self._card.follow(target)
            if self._stop.expected and self._stop.expected.text:
                target.installEventFilter(self)
        self._show_card()
        if self._expected is not None and target is not None and target.focusPolicy() != Qt.FocusPolicy.NoFocus:
            target.setFocus()
        else:
            self._card.take_focus()
        self._spotlight.show()
        expects_step = self._expected is not None and self._expected.step is not None
        self._spotlight.show_widget(target, self._window.findChild(QWidget, "stepButton") if expects_step else None)

    def _show_card(self) -> None:
        answer, is_past = self._answer
        is_opened = bool(self._session.opened.tokenizers)
        self._card.show_stop(self._tour, self._index, self._expected, answer, is_opened=is_opened, is_past=is_past)
        self._hide_answer()

    def _hide_answer(self) -> None:
        """Hide which pair is next while this stop or one after it asks for it."""
        following = self._session.cursor.next_merge
        asked = [
            stop.expected.pair
            for index, stop in enumerate(self._tour.stops)
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

    def _wait_for_pause(self) -> None:
        self._typing_pause.start()

    def _check(self) -> None:
        """Go on if the reader did what the stop waits for; say so if the window shows something else now."""
        session = self._session
        if self.tour is None or self._before is None or self._driving or session.history.is_changing:
            return
        is_replaced = self._tour.sample is not None and self._has_own_documents
        if is_replaced or not session.history.reaches(self._before.point):
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
        self._say(answer)
        if is_met and expected is not None and expected.text is None:  # a reader who types goes on typing
            self._card.take_focus()

    def _say(self, answer: tuple[str, bool]) -> None:
        self._answer = answer
        self._show_card()
        self._place_card()

    def _wrong_way(self) -> str:
        return self.tr("← goes back. Press → to go forward.")

    def _find_answer(self) -> tuple[str, bool]:
        """Return what to say about what the window shows, and whether that is no longer what the card describes."""
        if self._is_past:
            # At the last stop, a reader is welcome to look at other things.
            return "" if self._is_last else self.tr("The window shows something else now."), True
        language, stop, session = language_in_force(), self._stop, self._session
        if self._index in self._done:
            return f"✓ {in_language(stop.right, language)}", False
        if (expected := stop.expected) is None:
            return "", False
        if expected.text is not None:
            is_typed = "text" in session.differences(self._moments[self._index])
            is_wrong = is_typed and bool(self._answer[0] or not self._typing_pause.isActive())
            return in_language(stop.wrong, language) if is_wrong else "", False
        if expected.step is not None:
            is_back = session.cursor.destination < self._moments[self._index].position
            return self._wrong_way() if is_back else "", False
        is_branch = session.branches.current is not session.branches.main
        is_wrong = is_branch if expected.banned else session.selection.token is not None
        chooses = expected.pair or expected.select or expected.banned
        return in_language(stop.wrong, language) if chooses and is_wrong else "", False

    def _show_again(self) -> None:
        """Show what the card speaks of."""
        self._return_to(self._moments[self._index])
        self._check()
        self._point()

    def _show_how(self) -> None:
        """Do what the reader should do, whatever they have done meanwhile."""
        if (expected := self._expected) is not None:
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
            session.replace_text(LiveText(expected.text))
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
            area, panels = self._window.rect(), self._window.findChild(QWidget, "columnSplitter")
            if panels is not None:
                area.setTop(panels.mapTo(self._window, QPoint()).y())  # the buttons for stepping stay free
            self._card.place_next_to(self._spotlight.light, area)
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


def _chain_with_pages(target: QWidget | None) -> Iterator[tuple[QWidget, QTabWidget | None]]:
    """Yield a widget and its ancestors below the window, each with the pages that it is one of, if any."""
    widget = target
    while widget is not None and not widget.isWindow():
        parent = widget.parentWidget()
        pages = parent.parentWidget() if parent is not None else None
        yield widget, pages if isinstance(pages, QTabWidget) and pages.indexOf(widget) >= 0 else None
        widget = parent
