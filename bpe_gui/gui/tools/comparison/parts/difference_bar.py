"""The bar that goes from one difference of the texts to the next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from bpe_gui.gui.look.layouts import PanelHeader, gapless_column
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.wording.joining import with_keys
from bpe_gui.gui.wording.numbers import counted, number


class DifferenceBar(QWidget):
    """The header of the texts: which difference is the current one, and buttons to go to another.

    - `next_wanted`, `previous_wanted`: the user wants to go to another difference.
    - `ids_toggled(bool)`: the ids are to be shown or hidden.
    """

    next_wanted = Signal()
    previous_wanted = Signal()
    ids_toggled = Signal(bool)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self._label = name_widget(QLabel(), "differenceLabel")
        set_role(self._label, "quiet")
        self._previous = self._button("previousDifferenceButton", self.tr("Previous difference"), "Shift+F3", window)
        self._next = self._button("nextDifferenceButton", self.tr("Next difference"), "F3", window)
        self._ids = name_widget(QToolButton(autoRaise=True), "showIdsButton", self.tr("Show ids"))
        self._ids.setText(self.tr("Ids"))
        self._ids.setToolTip(self.tr("Show the ids below each text"))
        self._ids.setCheckable(True)
        self._ids.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self.next_wanted)
        self._ids.toggled.connect(self.ids_toggled)
        header = PanelHeader(self.tr("Text"), self._label, self._previous, self._next, self._ids)
        gapless_column(self).addWidget(header)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def _button(self, name: str, text: str, keys: str, window: QWidget) -> QToolButton:
        button = name_widget(QToolButton(autoRaise=True), name, text)
        shortcut = QShortcut(QKeySequence(keys), window)
        shortcut.activated.connect(button.click)
        button.setToolTip(with_keys(text, shortcut.key().toString(QKeySequence.SequenceFormat.NativeText)))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def show_position(self, index: int | None, count: int | None, *, is_waiting: bool) -> None:
        """Show the index of the current difference, None for none, of so many.

        The count is None where nothing is compared, or while that `is_waiting` for tokens.
        """
        for button in (self._previous, self._next):
            button.setEnabled(bool(count))
        self._label.setText(self.tr("comparing…") if is_waiting else self._text(index, count))

    def _text(self, index: int | None, count: int | None) -> str:
        if count is None:
            return ""
        if count == 0:
            return self.tr("no differences")
        if index is None:
            return counted(count, self.tr("1 difference"), self.tr("{count} differences"))
        return self.tr("difference {index} of {count}").format(index=number(index + 1), count=number(count))

    def showEvent(self, event: QShowEvent) -> None:
        """Set the fonts again: a style sheet resets them when a widget is put into its window."""
        super().showEvent(event)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Use the icons and fonts of the theme."""
        self._label.setFont(self._theme.number_font())
        self._previous.setIcon(self._theme.icon("find-previous"))
        self._next.setIcon(self._theme.icon("find-next"))
