"""Messages over the lower right of the window, often errors, with buttons for the possible remedies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QToolButton, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.gui.look.layouts import BAR_PADDING, MARGIN, SMALL_GAP, column_of, keep_space, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, claims, name_widget
from bpe_gui.gui.wording.sentences import error_message

Words = str | Callable[[], str]
"""A text, or a function that returns it in the current language, so that it follows a change of language."""

Offer = tuple[Words, Callable[[], object]]
"""The text of a button, and the function it calls."""

_MAX_NOTICES: Final = 3
_WIDTH: Final = 560  # pixels


@dataclass(frozen=True, slots=True, eq=False)
class Notice:
    """A message with its offers: what a notice bar shows."""

    message: Words
    offers: tuple[Offer, ...]

    def texts(self) -> tuple[str, ...]:
        """Return the message and the texts of the offers in the current language."""
        return _text(self.message), *(_text(words) for words, _action in self.offers)


class NoticeBar(QWidget):
    """The notices of one kind, the newest on top; hidden while there is none. A `NoticeStack` shows it.

    The user's next action removes mere messages (see `clear_words`); offers stay for as long as they hold, unless there
    are too many. A notice is dismissed when the user closes it, accepts an offer, or presses Esc in it. The `name`
    begins the object names of the bar (as in `noticeBar`) and of its parts.

    A notice that was dismissed with the mouse leaves its place empty for the length of a double click, so that the
    second click does not reach what comes there.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None, name: str = "notice") -> None:
        super().__init__(parent)
        name_widget(self, f"{name}Bar")
        self._name = name
        self._theme = theme
        self._rows: dict[Notice, _Row] = {}
        self._leaving: list[_Row] = []
        self._settling = QTimer(self, singleShot=True)
        self._settling.timeout.connect(self._settle)
        self._column = column_of(of=self, spacing=SMALL_GAP)
        self.hide()

    def _settle(self) -> None:
        """Close the gaps that notices have left."""
        while self._leaving:
            self._leaving.pop().deleteLater()
        self.setVisible(bool(self._rows))

    @property
    def messages(self) -> list[str]:
        """The current messages; the last one is the newest, on top."""
        return [_text(notice.message) for notice in self._rows]

    def show_message(self, message: Words, offers: Sequence[Offer] = ()) -> Notice:
        """Show a notice with a button for each offer, replacing an equal one; return it.

        A notice without offers does not replace an equal one that has some; that one is returned.
        """
        notice = Notice(message, tuple(offers))
        if not offers:
            for each in self._rows:
                if each.offers and _text(each.message) == _text(message):
                    return each
        for equal in [each for each in self._rows if each.texts() == notice.texts()]:
            self.dismiss(equal)
        while len(self._rows) >= _MAX_NOTICES:
            self.dismiss(next((each for each in self._rows if not each.offers), next(iter(self._rows))))
        row = _Row(notice, self._theme, self._name, weakly(self.dismiss, notice))
        self._rows[notice] = row
        self._column.insertWidget(0, row)
        row.show()
        self.show()
        return notice

    def show_error(self, error: EngineError, offers: Sequence[Offer] = ()) -> Notice:
        return self.show_message(lambda: error_message(error), offers)

    def shows(self, notice: Notice | None) -> bool:
        return notice in self._rows

    def dismiss(self, notice: Notice | None) -> None:
        """Remove a notice if it is still there."""
        row = self._rows.pop(notice, None) if notice is not None else None
        if row is None:
            return
        if row.isVisible() and row.underMouse():
            keep_space(row)
            self._settling.start(QApplication.doubleClickInterval())
        self._leaving.append(row)
        row.hide()
        if not self._settling.isActive():
            self._settle()

    def clear_words(self) -> None:
        """Remove the notices without offers, because the user is doing something else."""
        for notice in [each for each in self._rows if not each.offers]:
            self.dismiss(notice)

    def clear(self) -> None:
        """Remove all notices, because what they were about is gone."""
        for notice in list(self._rows):
            self.dismiss(notice)

    def translate(self) -> None:
        """Update all texts: the bar is kept when the language changes."""
        for row in self._rows.values():
            row.set_texts()


class NoticeStack(QWidget):
    """Shows notices over the lower right of an `area`, which they neither move nor make larger."""

    def __init__(self, area: QWidget, *bars: NoticeBar) -> None:
        super().__init__(area)
        self._area = area
        self._column = column_of(*bars, of=self, spacing=SMALL_GAP)
        area.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Take the height of the notices whenever there are others."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def _place(self) -> None:
        area = self._area.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        width = min(_WIDTH, area.width())
        size = QSize(width, min(self._column.totalHeightForWidth(width), area.height()))
        self.setGeometry(QRect(area.bottomRight() - QPoint(size.width() - 1, size.height() - 1), size))
        self.raise_()


class _Row(QFrame):
    def __init__(self, notice: Notice, theme: Theme, name: str, dismiss: Callable[[], None]) -> None:
        super().__init__()
        name_widget(self, f"{name}Row")
        set_role(self, "notice")
        self._notice = notice
        self._dismiss = dismiss
        self._message = SentenceLabel(name=f"{name}Label", selectable=True)
        self._close = name_widget(QToolButton(autoRaise=True), f"{name}CloseButton")
        theme.keep_icon("cancel", self._close)
        self._close.clicked.connect(dismiss)
        self._offers = [self._make_offer(action) for _words, action in notice.offers]
        row = row_of((self._message, 1), of=self, margins=(MARGIN, BAR_PADDING, MARGIN, BAR_PADDING))
        for widget in (*self._offers, self._close):
            row.addWidget(widget)
        self.set_texts()

    def _make_offer(self, action: Callable[[], object]) -> QPushButton:
        button = QPushButton()

        def take() -> None:
            self._dismiss()
            action()

        button.clicked.connect(take)
        return button

    def set_texts(self) -> None:
        message, *offers = self._notice.texts()
        self._message.setText(message)
        for button, text in zip(self._offers, offers, strict=True):
            button.setText(text)
        self._close.setAccessibleName(self.tr("Close this notice"))

    def event(self, event: QEvent) -> bool:
        """Claim Esc, which elsewhere cancels the current work."""
        return claims(event, lambda key: key.key() == Qt.Key.Key_Escape) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._dismiss()
        else:
            super().keyPressEvent(event)


def _text(words: Words) -> str:
    return words if isinstance(words, str) else words()
