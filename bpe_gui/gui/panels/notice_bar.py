"""A bar across the window with a message, often an error, and buttons for the possible remedies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QSizePolicy, QToolButton, QWidget

from bpe_gui.gui.look.layouts import BAR_PADDING, MARGIN, gapless_column, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, claims, name_widget

Words = str | Callable[[], str]
"""A text, or a function that returns it in the current language, so that it follows a change of language."""

Offer = tuple[Words, Callable[[], object]]
"""The text of a button, and the function it calls."""

_MAX_NOTICES: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Notice:
    """A message with its offers: what a notice bar shows."""

    message: Words
    offers: tuple[Offer, ...]

    def texts(self) -> tuple[str, ...]:
        """Return the message and the texts of the offers in the current language."""
        return _text(self.message), *(_text(words) for words, _action in self.offers)


class NoticeBar(QFrame):
    """One line with the newest notice; hidden while there is none.

    A newer notice covers the older ones, which come back once it is gone. The user's next action removes mere messages
    (see `clear_words`); offers stay for as long as they hold, unless there are too many. A notice is dismissed when the
    user closes it, accepts an offer, or presses Esc in it. The `name` begins the object names of the bar (as in
    `noticeBar`) and of its parts.

    After a notice was dismissed with the mouse, whatever takes its place ignores clicks for the length of a double
    click.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None, name: str = "notice") -> None:
        super().__init__(parent)
        name_widget(self, f"{name}Bar")
        self._name = name
        self._theme = theme
        self._rows: dict[Notice, _Row] = {}
        self._kept_height = 0  # pixels, of the notice that was just dismissed with the mouse
        self._settling = QTimer(self, singleShot=True)
        self._settling.timeout.connect(self._settle)
        self._column = gapless_column(self)
        self._column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Return False, because the size hints already take the width into account."""
        return False

    def sizeHint(self) -> QSize:
        """Return a height for the newest notice at the current width."""
        newest = self._newest
        return QSize(0, max(0 if newest is None else self._height_of(newest), self._kept_height))

    def minimumSizeHint(self) -> QSize:
        """Return the same height: a notice is shown completely or not at all."""
        return self.sizeHint()

    def _height_of(self, row: "_Row") -> int:
        parent = self.parentWidget()  # the bar will have its whole width once it is laid out
        return row.heightForWidth(self.width() if parent is None else parent.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def _newest(self) -> "_Row | None":
        return next(reversed(self._rows.values()), None)

    def _show_rows(self) -> None:
        """Show the newest notice alone."""
        for row in self._rows.values():
            row.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, self._settling.isActive())
            row.setVisible(row is self._newest)
        self.updateGeometry()

    def _settle(self) -> None:
        """Accept clicks again, or fold away the empty bar."""
        self._kept_height = 0
        for row in self._rows.values():
            row.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self.setVisible(bool(self._rows))
        self.updateGeometry()

    @property
    def messages(self) -> list[str]:
        """The current messages; the last one is the newest, which is shown."""
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
        self._column.addWidget(row)
        self._show_rows()
        self.show()
        return notice

    def shows(self, notice: Notice | None) -> bool:
        return notice in self._rows

    def dismiss(self, notice: Notice | None) -> None:
        """Remove a notice if it is still there."""
        row = self._rows.pop(notice, None) if notice is not None else None
        if row is None:
            return
        if row.isVisible() and row.underMouse():
            self._kept_height = self.height()
            self._settling.start(QApplication.doubleClickInterval())
        row.hide()
        row.deleteLater()
        if self._rows:
            self._show_rows()
        elif not self._settling.isActive():
            self.hide()

    def bring_back(self, notice: Notice) -> None:
        """Show a notice, if it is still there, in place of newer ones."""
        if notice in self._rows:
            self._rows[notice] = self._rows.pop(notice)
            self._show_rows()

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


class _Row(QFrame):
    def __init__(self, notice: Notice, theme: Theme, name: str, dismiss: Callable[[], None]) -> None:
        super().__init__()
        name_widget(self, f"{name}Row")
        set_role(self, "banner")
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
