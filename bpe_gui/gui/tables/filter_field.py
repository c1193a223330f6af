"""The filter field above a table of tokens, and the button that shows only what never occurs."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionFrame, QTableView, QToolButton

from bpe_gui.gui.look.layouts import GRID
from bpe_gui.gui.look.qt_constants import ESCAPE, NATIVE_TEXT, UP_AND_DOWN_KEYS
from bpe_gui.gui.look.theme import Theme, text_width
from bpe_gui.gui.look.widgets import name_widget, offer_clearing
from bpe_gui.gui.wording.phrases import joined_sentences

_FILTER_WIDTH: Final = 20 * GRID
_MIN_FILTER_WIDTH: Final = 9 * GRID
_LINE_EDIT_MARGIN: Final = 2  # pixels on either side of the text; Qt has no name for it


class OnlyButton(QToolButton):
    """A button that shows only some of the rows, such as what never occurs; visible if there are any."""

    def __init__(self, text: str, name: str, accessible_name: str) -> None:
        """`accessible_name` is the tooltip, too."""
        super().__init__(autoRaise=True)
        self.setCheckable(True)
        self.setText(text)
        name_widget(self, name, accessible_name)
        self.setToolTip(accessible_name)
        self.hide()

    def offer(self, is_offered: bool) -> None:
        """Show the button; or hide it, and show everything again."""
        if not is_offered:
            self.setChecked(False)
        self.setVisible(is_offered)


class NeverButton(OnlyButton):
    """A button that shows only what never occurs in the corpus."""

    def __init__(self, theme: Theme, name: str, accessible_name: str) -> None:
        super().__init__("×0", name, accessible_name)
        theme.keep_icon("never", self)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setToolTip(self.tr("Show only the merges or tokens that never occur in this corpus (×0)"))


class FilterField(QLineEdit):
    """A field that keeps the focus while the arrow keys move a table's selection; Escape clears it.

    `has_ids`: the text may also be an id.
    """

    def __init__(self, table: QTableView, name: str, *, has_ids: bool) -> None:
        super().__init__()
        self.setObjectName(name)
        self._table = table
        offer_clearing(self, self.tr("Clear the filter"))
        longest = self.tr("Token, id or hex") if has_ids else self.tr("Token or hex")
        self._placeholders = longest, self.tr("Find")
        self.setPlaceholderText(longest)
        explanation = self.tr(
            "Show only rows with this text in a token. Type the text itself, its displayed form (· or \\xe4), its form "
            "in files (Ġ) or hexadecimal bytes (e4 bd). “a + b” finds a token with “a” followed by one with “b”. "
            "Uppercase letters make the search case-sensitive. ({keys})"
        ).format(keys=QKeySequence("Ctrl+F").toString(NATIVE_TEXT))
        if has_ids:
            explanation = joined_sentences([explanation, self.tr("A number also finds the token with this id.")])
        self.setToolTip(f"<qt>{explanation}</qt>")
        self.setMinimumWidth(_MIN_FILTER_WIDTH)

    def sizeHint(self) -> QSize:
        return QSize(_FILTER_WIDTH, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        area = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        space, metrics = area.width() - 2 * _LINE_EDIT_MARGIN, self.fontMetrics()
        longest, shortest = self._placeholders
        self.setPlaceholderText(longest if text_width(metrics, longest) <= space else shortest)

    def take_focus(self) -> None:
        """Take the focus, with all text selected."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in UP_AND_DOWN_KEYS:
            QApplication.sendEvent(self._table, event)
        elif event.key() == ESCAPE and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
