"""The light on what a stop of a guided tour points at, and the card that explains it."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QWidget

from bpe_gui.gui.look.layouts import DIALOG_MARGIN, column_of, row_of
from bpe_gui.gui.look.qt_constants import ANTIALIASING, NO_BRUSH
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget, quiet_label
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import number
from bpe_gui.tours import Expected, Tour, lesson_after

_VEILS: Final = QColor(0, 0, 0, 60), QColor(0, 0, 0, 90)  # over a light window and a dark one, which stay readable
_LIGHT: Final = QColor(255, 255, 255, 20)  # on the lit part of a dark window, where a dimmer alone hardly shows
_MIDDLE: Final = 128  # of lightness
_AROUND: Final = 3  # pixels between a widget and the edge of the light
_CORNER: Final = 6.0
_LINE_WIDTH: Final = 2.0
_MOVES: Final = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class Spotlight(QWidget):
    """A dimmer over a window that lets mouse and keyboard through."""

    moved = Signal()
    """The lit part has moved."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tourSpotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._target: QWidget | None = None
        self._tool: QWidget | None = None
        self.hide()

    @property
    def light(self) -> QRect:
        """The lit part of the window; empty if nothing is lit."""
        return self._area_of(self._target)

    @property
    def tool_light(self) -> QRect:
        """The lit part with the tool; empty if there is none, or it is in the other lit part."""
        area = self._area_of(self._tool)
        return QRect() if self.light.contains(area) else area

    def _area_of(self, widget: QWidget | None) -> QRect:
        if widget is None or not shiboken6.isValid(widget) or not widget.isVisible():
            return QRect()
        area = QRect(widget.mapTo(self.window(), QPoint()), widget.size())
        return area.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & self.rect()

    def show_widget(self, target: QWidget | None, tool: QWidget | None = None) -> None:
        """Light a widget, or nothing; and a tool, which would look as if it could not be used."""
        for widget in self._chain():
            widget.removeEventFilter(self)
        self._target, self._tool = target, tool
        for widget in self._chain():
            widget.installEventFilter(self)
        self.follow_window()

    def end(self) -> None:
        """Turn off the light and remove the dimmer."""
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
        dimmer, light = QPainterPath(), self.light
        is_dark = self.palette().window().color().lightness() < _MIDDLE
        color = _VEILS[is_dark]
        dimmer.addRect(QRectF(self.rect()))
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            if light.isEmpty():
                painter.fillPath(dimmer, color)
                return
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(light), _CORNER, _CORNER)
            tool_hole = QPainterPath()
            tool_hole.addRoundedRect(QRectF(self.tool_light), _CORNER, _CORNER)
            painter.fillPath(dimmer.subtracted(hole).subtracted(tool_hole), color)
            if is_dark:
                painter.fillPath(hole.united(tool_hole), _LIGHT)
            painter.setBrush(NO_BRUSH)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), _LINE_WIDTH))
            painter.drawPath(hole)


_WIDTH: Final = 360  # pixels, if its buttons need no more
_DISTANCE: Final = 12  # pixels from the light, and from the window's edge


class TourCard(QFrame):
    """A card that floats next to the widget it explains, with buttons for the guide to connect to."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        name_widget(self, "tourCard")
        set_role(self, "card")
        self._title = SentenceLabel(name="tourTitle", role="title")
        self._sentence = SentenceLabel(name="tourSentence")
        self._place = quiet_label("tourPlace")
        self.leave = name_widget(QPushButton(autoDefault=True), "tourLeaveButton")
        self.stay = name_widget(QPushButton(autoDefault=True), "tourStayButton")
        self.back = name_widget(QPushButton(autoDefault=True), "tourBackButton")
        self.next = name_widget(QPushButton(autoDefault=True), "tourNextButton")
        self.skip = name_widget(QPushButton(autoDefault=True), "tourSkipButton")
        self.following = name_widget(QPushButton(autoDefault=True), "tourFollowingButton")
        self.again = name_widget(QPushButton(autoDefault=True), "tourAgainButton")
        self._open = name_widget(QPushButton(autoDefault=True), "tourOpenButton")
        self._answer = SentenceLabel(name="tourAnswer")
        self.tokenizers: Final = name_widget(QMenu(self._open), "tourTokenizersMenu")
        """The tokenizers to choose from, where the tour waits for one."""
        self._open.setMenu(self.tokenizers)
        set_role(self.leave, "quiet")
        task = row_of(self.again, self._open, self.skip, None)
        head = row_of((self._title, 1), self._place)
        buttons = row_of(None, self.leave, self.back, self.stay, self.next)
        parts = head, self._sentence, self._answer, task, row_of(None, self.following), buttons
        self._column = column_of(*parts, of=self, margins=(DIALOG_MARGIN,) * 4)
        self._light = QRect()
        self.hide()

    def show_stop(
        self, tour: Tour, index: int, expected: Expected | None, answer: str, *, is_opened: bool, is_past: bool
    ) -> None:
        """Show a stop of a tour, and the answer to what the reader did; Next is disabled while something is `expected`.

        `is_opened` says that there is a tokenizer to show, `is_past` that the window shows something else by now.
        """
        language, count = language_in_force(), len(tour.stops)
        sentence = tour.stops[index].sentence(language)
        is_last = index + 1 == count
        self._title.setText(tour.title(language))
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)
        self._answer.say(answer, "quiet" if is_past else "warning" if expected else "", hides=True)
        self._place.setText(self.tr("{place} of {count}").format(place=number(index + 1), count=number(count)))
        self.leave.setText(self.tr("Leave"))
        self.stay.setText(self.tr("Stay here"))
        self.back.setText(self.tr("Back"))
        self.next.setText(self.tr("Back to before the tour") if is_last else self.tr("Next"))
        self.back.setEnabled(index > 0)
        self.next.setEnabled(expected is None)
        self.leave.setVisible(not is_last or expected is not None)
        self.stay.setVisible(is_last and expected is None)
        following = lesson_after(tour)
        self.following.setVisible(is_last and expected is None and following is not None)
        if following is not None:
            self.following.setText(self.tr("Next lesson: {title}").format(title=following.title(language)))
        waits_for_tokenizer = expected is not None and expected.tokenizer
        makes_tokenizer = waits_for_tokenizer and not is_opened
        self.skip.setText(self.tr("Make one from a sample") if makes_tokenizer else self.tr("Show me"))
        self.again.setText(self.tr("Show it again"))
        self._open.setText(self.tr("Open one"))
        self.skip.setVisible(expected is not None)
        self.again.setVisible(is_past)
        self._open.setVisible(waits_for_tokenizer)
        self.show()
        self.raise_()

    def follow(self, widget: QWidget) -> None:
        """Let the Tab key go from a widget to the buttons that go on."""
        for before, after in pairwise((widget, self.again, self._open, self.skip, self.next)):
            QWidget.setTabOrder(before, after)

    def take_focus(self) -> None:
        """Give the focus to the button that goes on, or to one that does what is expected."""
        task = self.skip if self._open.isHidden() else self._open
        (self.next if self.next.isEnabled() else task).setFocus()

    def place_next_to(self, light: QRect, area: QRect) -> None:
        """Move next to the lit part, on the side with the most space in `area`; to its middle if nothing is lit.

        The card stays where it is while it grows or shrinks, if it can.
        """
        self._column.activate()  # or a button that has just been hidden would still take space
        width = max(_WIDTH, self._column.totalMinimumSize().width())
        self.resize(width, self._column.totalHeightForWidth(width))
        area = area.adjusted(_DISTANCE, _DISTANCE, -_DISTANCE, -_DISTANCE)
        card, self._light, was_lit = QRect(self.pos(), self.size()), light, self._light
        if light == was_lit and area.contains(card) and not card.intersects(light):
            return
        card.moveCenter(area.center())
        if not light.isEmpty():
            card = _next_to(light, area, card)
        card.moveBottomRight(QPoint(min(card.right(), area.right()), min(card.bottom(), area.bottom())))
        card.moveTopLeft(QPoint(max(card.left(), area.left()), max(card.top(), area.top())))
        self.move(card.topLeft())


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
