"""The tokens that only one of two tokenizers has, as a table."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.headers import PanelHeader, SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.search.token_filter import TokenFilter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, TableModel
from bpe_gui.gui.tools.comparison.vocabularies import OwnToken
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name


class _Row(NamedTuple):
    id: int
    token: bytes
    has_marker: bool


class _Rows:
    """Tokens with their ids; `has_marker` says that a `</w>` is the end-of-word marker."""

    def __init__(self, tokens: Sequence[OwnToken], has_marker: bool) -> None:
        self._tokens: Final = tokens
        self._has_marker: Final = has_marker

    def __len__(self) -> int:
        return len(self._tokens)

    def __getitem__(self, row: int, /) -> _Row:
        return _Row(*self._tokens[row], self._has_marker)


class OwnTokens(QWidget):
    """A title and the table. `token_chosen(token)`: the user went to a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._name = ""
        self._tokens: Sequence[OwnToken] = ()
        self._has_marker = False
        self._filter = ""
        self._title = SectionTitle("", f"{name}Title")
        self.rows_model: TableModel[_Row] = TableModel(theme, _columns(), self)
        self.table = Table(self.rows_model, f"{name}Table", self.tr("Tokens that only one has"))
        self.table.hint = self.tr("None")
        self.table.token_chosen.connect(self.token_chosen)
        column = gapless_column(self)
        column.addWidget(PanelHeader(self._title))
        column.addWidget(self.table, 1)

    def show_tokens(self, name: str, tokens: Sequence[OwnToken], *, has_marker: bool) -> None:
        """Show the tokens that only the tokenizer of this name has."""
        is_other = tokens is not self._tokens
        self._name, self._tokens, self._has_marker = name, tokens, has_marker
        if is_other:
            self._show_rows()
        self._show_title()

    def set_filter(self, text: str) -> None:
        """Show only the tokens that match a text, or have it as their id."""
        self._filter = text
        self._show_rows()
        self._show_title()

    def _show_rows(self) -> None:
        tokens = self._tokens
        if self._filter:
            wanted = TokenFilter.of(self._filter)
            found = wanted.in_tokens([token for _id, token in tokens])
            if wanted.number is not None:
                found |= np.array([token_id == wanted.number for token_id, _token in tokens], np.bool_)
            tokens = [tokens[index] for index in np.flatnonzero(found).tolist()]
        self.rows_model.show(_Rows(tokens, self._has_marker))

    def _show_title(self) -> None:
        """Show how many there are, and how many of them match."""
        shown, total = self.rows_model.rowCount(), len(self._tokens)
        count = number(total) if shown == total else f"{number(shown)} / {number(total)}"
        self._title.setText(self.tr("Only in {name}: {count}").format(name=self._name, count=count))


def _columns() -> list[Column[_Row]]:
    return [
        Column(
            title=translate("OwnTokensModel", "Id"),
            width=64,
            alignment=ALIGN_RIGHT,
            text=lambda row: str(row.id),
            selected=lambda row: Selected(row.token),
        ),
        Column(
            title=translate("OwnTokensModel", "Token"),
            font="tokens",
            text=lambda row: token_in_sentence(row.token),
            tool_tip=lambda row: token_in_sentence(row.token),
            chips=lambda row: Chips((row.token,), row.has_marker),
            selected=lambda row: Selected(row.token),
        ),
    ]
