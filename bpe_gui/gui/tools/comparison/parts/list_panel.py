"""The list of the compared tokenizers: which of them are shown, and buttons to add and remove."""

from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.look.layouts import GAP, MARGIN, SMALL_GAP, PanelHeader, gapless_column
from bpe_gui.gui.look.theme import ROW_HEIGHT, Theme
from bpe_gui.gui.look.widgets import ListWidget, name_widget, plain_tool_tip
from bpe_gui.gui.tools.comparison.compared import Compared
from bpe_gui.gui.tools.comparison.compared_tokenizers import ComparedTokenizers
from bpe_gui.gui.tools.comparison.names import details_of, letter, name_of
from bpe_gui.gui.wording.joining import with_keys
from bpe_gui.gui.wording.numbers import number

_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_WIDTH: Final = 220  # pixels


class ListPanel(QWidget):
    """A row for each tokenizer, ticked if its text is shown.

    `too_many`: a fifth text was to be shown. The window fills `menu` with what can be added, and the `foot`.
    """

    too_many = Signal()

    def __init__(self, tokenizers: ComparedTokenizers, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("comparedPanel")
        self._tokenizers = tokenizers
        self._theme = theme
        self._list = name_widget(ListWidget(), "comparedList", self.tr("Compared tokenizers"))
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.menu = QMenu(self)
        self.menu.setObjectName("addComparedMenu")
        self._add = name_widget(QPushButton(self.tr("&Add")), "addComparedButton", self.tr("Add a tokenizer"))
        self._add.setMenu(self.menu)
        count = number(len(PRESETS))
        ten = self.tr("{count} published recipes").format(count=count)
        self.all_recipes = name_widget(QPushButton(ten), "allRecipesButton", ten)
        tip = self.tr("Train {count} published recipes on the corpus, to the vocabulary size of the run")
        self.all_recipes.setToolTip(tip.format(count=count))
        self._remove = name_widget(QToolButton(autoRaise=True), "removeComparedButton", self.tr("Remove"))
        self._remove.setToolTip(with_keys(self.tr("Remove the selected tokenizer from the comparison"), "Del"))
        keys = QShortcut(QKeySequence("Del"), self._list, context=Qt.ShortcutContext.WidgetShortcut)
        keys.activated.connect(self._remove_selected)
        self._remove.clicked.connect(self._remove_selected)
        self.foot = QVBoxLayout()
        self._lay_out()
        self._list.itemChanged.connect(self._toggle)
        self._list.currentRowChanged.connect(self._enable)
        tokenizers.list_changed.connect(self._fill)
        tokenizers.shown_changed.connect(self._fill)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()
        self._fill()

    def sizeHint(self) -> QSize:
        """Return a width that is enough for most names."""
        return QSize(_WIDTH, super().sizeHint().height())

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(MARGIN, MARGIN, MARGIN, SMALL_GAP)
        buttons.addWidget(self._add, 1)
        buttons.addWidget(self._remove)
        self.foot.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, MARGIN)
        self.foot.setSpacing(GAP)
        self.foot.addWidget(self.all_recipes)
        column = gapless_column(self)
        column.addWidget(PanelHeader(self.tr("Compared")))
        column.addWidget(self._list, 1)
        column.addLayout(buttons)
        column.addLayout(self.foot)

    def _fill(self) -> None:
        """List all tokenizers; the current row stays with its tokenizer as far as it is there."""
        row = self._list.currentRow()
        items = self._tokenizers.items
        with QSignalBlocker(self._list):
            while self._list.count() > len(items):
                self._list.takeItem(self._list.count() - 1)
            while self._list.count() < len(items):
                self._list.addItem(QListWidgetItem())
            for index, item in enumerate(items):
                self._show_item(self._list.item(index), index, item)
            self._list.setCurrentRow(min(row, len(items) - 1))
        self._enable()

    def _show_item(self, shown: QListWidgetItem, index: int, item: Compared) -> None:
        shown.setText(f"{letter(index)}  {name_of(item)}")
        shown.setToolTip(plain_tool_tip(details_of(item)))
        shown.setCheckState(_CHECKED if item.is_shown else _UNCHECKED)
        shown.setSizeHint(QSize(0, ROW_HEIGHT))

    def _toggle(self, shown: QListWidgetItem) -> None:
        item = self._tokenizers.items[self._list.row(shown)]
        if not self._tokenizers.set_shown(item, shown.checkState() == _CHECKED):
            self._fill()
            self.too_many.emit()

    def _enable(self) -> None:
        self._remove.setEnabled(self._list.currentRow() > 0)

    def _remove_selected(self) -> None:
        if self._list.currentRow() > 0:
            self._tokenizers.remove(self._tokenizers.items[self._list.currentRow()])

    def apply_theme(self) -> None:
        """Use the icons of the theme."""
        self._remove.setIcon(self._theme.icon("remove"))
