"""The card of a tour: a sentence, where in the tour it is, and the buttons to go on, back, and away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import DIALOG_MARGIN, GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.wording.numbers import number

_WIDTH: Final = 360  # pixels
_DISTANCE: Final = 12  # pixels from the light, and from the window's edge


class TourCard(QFrame):
    """A card that floats beside what it speaks of."""

    next_wanted = Signal()
    back_wanted = Signal()
    leave_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        name_widget(self, "tourCard")
        set_role(self, "card")
        self._sentence = SentenceLabel(name="tourSentence")
        self._place = name_widget(QLabel(), "tourPlace")
        set_role(self._place, "quiet")
        self._leave = self._button("tourLeaveButton", self.leave_wanted)
        self._back = self._button("tourBackButton", self.back_wanted)
        self._next = self._button("tourNextButton", self.next_wanted)
        set_role(self._leave, "quiet")
        buttons = QHBoxLayout()
        buttons.setSpacing(GAP)
        for widget in (self._place, None, self._leave, self._back, self._next):
            buttons.addStretch() if widget is None else buttons.addWidget(widget)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(DIALOG_MARGIN, DIALOG_MARGIN, DIALOG_MARGIN, DIALOG_MARGIN)
        column.setSpacing(GAP)
        column.addWidget(self._sentence)
        column.addLayout(buttons)
        self.setFixedWidth(_WIDTH)
        self.hide()

    def _button(self, name: str, signal: SignalInstance) -> QPushButton:
        button = name_widget(QPushButton(autoDefault=True), name)
        button.clicked.connect(signal)
        return button

    def show_stop(self, sentence: str, index: int, count: int, *, may_go_on: bool) -> None:
        """Say a sentence at the stop with this index; `may_go_on` is False while the tour waits for the user."""
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)
        self._place.setText(self.tr("{place} of {count}").format(place=number(index + 1), count=number(count)))
        self._leave.setText(self.tr("Leave"))
        self._back.setText(self.tr("Back"))
        self._next.setText(self.tr("Finish") if index + 1 == count else self.tr("Next"))
        self._back.setEnabled(index > 0)
        self._next.setEnabled(may_go_on)
        self.show()
        self.raise_()
        (self._next if may_go_on else self._leave).setFocus()

    def place_beside(self, light: QRect, window: QSize) -> None:
        """Move beside the lit part of a window, on the side that has most room; to the middle if nothing is lit."""
        self.resize(_WIDTH, self._column.totalHeightForWidth(_WIDTH))
        area = QRect(QPoint(), window).adjusted(_DISTANCE, _DISTANCE, -_DISTANCE, -_DISTANCE)
        card = QRect(QPoint(), self.size())
        card.moveCenter(area.center())
        if not light.isEmpty():
            card = _beside(light, area, card)
        card.moveBottomRight(QPoint(min(card.right(), area.right()), min(card.bottom(), area.bottom())))
        card.moveTopLeft(QPoint(max(card.left(), area.left()), max(card.top(), area.top())))
        self.move(card.topLeft())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave_wanted.emit()
        else:
            super().keyPressEvent(event)


def _beside(light: QRect, area: QRect, card: QRect) -> QRect:
    """Return the card on that side of the light which has most room in `area`; over its end if none has enough."""
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
