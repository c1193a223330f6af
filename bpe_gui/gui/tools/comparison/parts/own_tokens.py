"""The tokens that only one of two tokenizers has, as a table."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.headers import PanelHeader, SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    DISPLAY_ROLE,
    FONT_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.models.roles import CHIPS_ROLE, MARK_ROLE, TOKEN_ROLE, Answers, Chips
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.search.token_filter import TokenFilter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tools.comparison.vocabularies import OwnToken
from bpe_gui.gui.tools.tool_table import ToolTable
from bpe_gui.gui.wording.numbers import number


class OwnColumn(IntEnum):
    """The columns of the table."""

    ID = 0
    TOKEN = 1


_ID, _TOKEN = (int(column) for column in OwnColumn)


class OwnTokensModel(TableModel):
    """Tokens with their ids, as far as they match a filter."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[OwnToken] = ()
        self._tokens: Sequence[OwnToken] = ()
        self._filter = ""
        self._has_marker = False
        self.titles = (self.tr("Id"), self.tr("Token"))
        self.alignments = {_ID: ALIGN_RIGHT}

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._theme.number_font() if column == _ID else self._theme.token_font(),
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: lambda row, column: self._text(row, column) if column == _TOKEN else None,
            TOKEN_ROLE: lambda row, column: Selected(self.rows[row][1]),
            MARK_ROLE: lambda row, column: column == _TOKEN and self.rows[row][1] == self.marked,
            CHIPS_ROLE: lambda row, column: Chips((self.rows[row][1],), self._has_marker),
        }

    def show_tokens(self, tokens: Sequence[OwnToken], *, has_marker: bool) -> None:
        """Show these, as far as they match; `has_marker` says that a `</w>` is the end-of-word marker."""
        self._has_marker = has_marker
        if tokens is not self._tokens:
            self._tokens = tokens
            self._select_rows()

    def set_filter(self, text: str) -> None:
        """Show only the tokens that match a text, or have it as their id."""
        self._filter = text
        self._select_rows()

    @property
    def total(self) -> int:
        """The number of tokens, whether or not they match."""
        return len(self._tokens)

    def _select_rows(self) -> None:
        if not self._filter:
            self._replace_rows(self._tokens)
            return
        wanted = TokenFilter.of(self._filter)
        found = wanted.in_tokens([token for _id, token in self._tokens])
        if wanted.number is not None:
            found |= np.array([token_id == wanted.number for token_id, _token in self._tokens], np.bool_)
        self._replace_rows([self._tokens[index] for index in np.flatnonzero(found).tolist()])

    def _text(self, row: int, column: int) -> str:
        token_id, token = self.rows[row]
        return str(token_id) if column == _ID else token_in_sentence(token)


_WIDTHS: Final = {_ID: 64}


class OwnTokens(QWidget):
    """A title and the table. `token_chosen(token)`: the user went to a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._title = SectionTitle("", f"{name}Title")
        self.rows_model = OwnTokensModel(theme, self)
        accessible_name = self.tr("Tokens that only one has")
        self.table = ToolTable(self.rows_model, f"{name}Table", accessible_name, theme, _TOKEN, _WIDTHS)
        self.table.hint = self.tr("None")
        self.table.token_chosen.connect(self.token_chosen)
        column = gapless_column(self)
        column.addWidget(PanelHeader(self._title))
        column.addWidget(self.table, 1)

    def show_tokens(self, name: str, tokens: Sequence[OwnToken], *, has_marker: bool) -> None:
        """Show the tokens that only the tokenizer of this name has."""
        self.rows_model.show_tokens(tokens, has_marker=has_marker)
        self._name = name
        self.show_title()

    def set_filter(self, text: str) -> None:
        """Show only the tokens that match a text."""
        self.rows_model.set_filter(text)
        self.show_title()

    def show_title(self) -> None:
        """Show how many there are, and how many of them match."""
        shown, total = self.rows_model.rowCount(), self.rows_model.total
        count = number(total) if shown == total else f"{number(shown)} / {number(total)}"
        self._title.setText(self.tr("Only in {name}: {count}").format(name=self._name, count=count))
