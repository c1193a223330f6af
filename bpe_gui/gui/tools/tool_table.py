"""The table of the windows beside the main window."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.models.roles import CHIPS_ROLE, TOKEN_ROLE
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.views.tables.cell_delegates import TokenDelegate
from bpe_gui.gui.views.tables.chips_delegate import ChipsDelegate
from bpe_gui.gui.views.tables.run_table import SINGLE_SELECTION, RunTable


class ToolTable(RunTable):
    """A table in the fonts and colours of a theme, with tokens as chips in the `stretched` column if the model has any.

    The other columns have `widths`, which the user may change. `token_chosen(token)`: the user went to a row with a
    token, given as `Selected`.
    """

    token_chosen = Signal(Selected)

    def __init__(
        self,
        model: TableModel,
        name: str,
        accessible_name: str,
        theme: Theme,
        stretched: int,
        widths: Mapping[int, int],
        selection: QAbstractItemView.SelectionMode = SINGLE_SELECTION,
    ) -> None:
        super().__init__(model, name, accessible_name, selection)
        self._theme = theme
        self.setItemDelegate(TokenDelegate(model.answers, self))
        self._chips = ChipsDelegate(model.answers, theme.token_palette(), self) if CHIPS_ROLE in model.answers else None
        if self._chips is not None:
            self.setItemDelegateForColumn(stretched, self._chips)
        self.set_widths(widths, (stretched,))
        self.selectionModel().currentRowChanged.connect(self._choose)
        self.clicked.connect(self._choose)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def _choose(self, index: QModelIndex) -> None:
        selected = index.data(TOKEN_ROLE)
        if isinstance(selected, Selected):
            self.token_chosen.emit(selected)

    def _apply_theme(self) -> None:
        numbers = self._theme.number_font()
        if self._chips is None:
            self.set_fonts(numbers, numbers)
        else:
            self._chips.set_palette_colors(self._theme.token_palette())
            self.set_fonts(self._theme.token_font(), numbers)
