"""The search bar below a text."""

from enum import Enum
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton

from bpe_gui.gui.look.layouts import GRID, MARGIN, SMALL_GAP, column_of, row_of
from bpe_gui.gui.look.qt_constants import ESCAPE
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, claims, hairline, icon_button, name_widget, quiet_label

_COUNT_WIDTH: Final = 6 * GRID  # so that the field does not change its width from match to match
_RETURN_KEYS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindMode(Enum):
    """How to interpret the typed text."""

    TEXT = "text"
    TOKEN = "token"
    ID = "id"


class FindBar(QFrame):
    """A search field, the number of matches, and buttons; hidden until `open` is called.

    - `edited`: the text or the mode has changed.
    - `next_requested`, `previous_requested`: by Return, Shift+Return or the buttons.
    - `closed`: the user closed the bar, which is already hidden.
    - `restored`: the bar took over the state of another one after a change of language.
    """

    edited = Signal()
    next_requested = Signal()
    previous_requested = Signal()
    closed = Signal()
    restored = Signal()

    def __init__(self, theme: Theme, *, finds_tokens: bool = False) -> None:
        """`finds_tokens`: the user can also search for a token, or for a token id."""
        super().__init__()
        name_widget(self, "findBar")
        self._mode = self._make_modes()
        self._field = name_widget(QLineEdit(), "findField", self.tr("Find in text"))
        self._count = quiet_label("findCount")
        self._count.setMinimumWidth(_COUNT_WIDTH)
        self._previous = _button(theme, "find-previous", "findPrevious", self.tr("Previous match (Shift+F3)"))
        self._next = _button(theme, "find-next", "findNext", self.tr("Next match (F3)"))
        self._close = _button(theme, "close", "findClose", self.tr("Close (Esc)"))
        self._lay_out(finds_tokens)
        self._mode.setVisible(finds_tokens)
        self._field.textChanged.connect(self.edited)
        self._mode.currentIndexChanged.connect(self._change_mode)
        self._previous.clicked.connect(self.previous_requested)
        self._next.clicked.connect(self.next_requested)
        self._close.clicked.connect(self.close_bar)
        theme.keep_font(theme.number_font, self._count)
        self._show_hint()
        self.hide()

    def _make_modes(self) -> ComboBox:
        modes = name_widget(ComboBox(), "findMode", self.tr("Search by"))
        for mode, title in (
            (FindMode.TEXT, self.tr("Text")),
            (FindMode.TOKEN, self.tr("Token")),
            (FindMode.ID, self.tr("Id")),
        ):
            modes.addItem(title, mode)
        return modes

    def _lay_out(self, finds_tokens: bool) -> None:
        buttons = self._previous, self._next, self._close
        margins = MARGIN, SMALL_GAP, MARGIN, SMALL_GAP
        if finds_tokens:
            row = row_of(self._mode, (self._field, 1), self._count, *buttons, margins=margins, spacing=SMALL_GAP)
        else:  # the count names the documents, too, and takes a line of its own
            field = row_of(self._mode, (self._field, 1), *buttons, spacing=SMALL_GAP)
            row = row_of((column_of(field, self._count, spacing=SMALL_GAP), 1), margins=margins)
        column_of(hairline(self), row, of=self, spacing=0)

    # -- what to find -----------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self._field.text()

    @property
    def mode(self) -> FindMode:
        """How to interpret the typed text."""
        return FindMode(self._mode.currentData())

    def set_mode(self, mode: FindMode) -> None:
        """Interpret the typed text differently."""
        self._mode.setCurrentIndex(list(FindMode).index(mode))

    def _change_mode(self) -> None:
        self._show_hint()
        self.edited.emit()

    def _show_hint(self) -> None:
        token_tip = self.tr("A whole token as shown (·low or \\xe4) or in hexadecimal (20 6c)")
        hint, tip = {
            FindMode.TEXT: (self.tr("Text"), self.tr("Uppercase letters make the search case-sensitive.")),
            FindMode.TOKEN: (self.tr("Token or hex"), token_tip),
            FindMode.ID: (self.tr("Id"), self.tr("Number of a token")),
        }[self.mode]
        self._field.setPlaceholderText(hint)
        self._field.setToolTip(tip)

    def show_count(self, text: str) -> None:
        self._count.setText(text)

    # -- opening and closing ----------------------------------------------------------------------------------------

    def open(self, text: str = "") -> None:
        """Show the bar and take the focus; replace its text unless `text` is empty."""
        self.show()
        if text:
            self._field.setText(text)
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def restore(self, text: str, mode: FindMode, is_open: bool) -> None:
        """Take over the state of another bar, and emit `restored`."""
        with QSignalBlocker(self):
            self.set_mode(mode)
            self._field.setText(text)
        self.setVisible(is_open)
        self.restored.emit()

    def close_bar(self) -> None:
        """Hide the bar, keeping its text."""
        self.hide()
        self.closed.emit()

    def event(self, event: QEvent) -> bool:
        """Claim Escape, which cancels work elsewhere in the window."""
        return claims(event, lambda key: key.key() == ESCAPE) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Escape; go to the next match on Return, to the previous one with Shift."""
        if event.key() == ESCAPE:
            self.close_bar()
        elif event.key() in _RETURN_KEYS:
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.previous_requested if is_back else self.next_requested).emit()
        else:
            super().keyPressEvent(event)


def _button(theme: Theme, icon: str, name: str, text: str) -> QToolButton:
    return icon_button(theme, icon, name, text.partition(" (")[0], text)
