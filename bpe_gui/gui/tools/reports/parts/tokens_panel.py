"""Lists of the tokens that a report finds remarkable, as a table."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QBrush, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.engine.reports import NEARLY_DEAD, Report, VocabularyReport
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.calm_widgets import ComboBox
from bpe_gui.gui.look.headers import PanelHeader, SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    BACKGROUND_ROLE,
    DISPLAY_ROLE,
    FONT_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.models.roles import CHIPS_ROLE, MARK_ROLE, TOKEN_ROLE, Answers, Chips
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tools.reports.report_maker import MadeReport
from bpe_gui.gui.tools.reports.token_lists import TokenList
from bpe_gui.gui.tools.tool_table import ToolTable
from bpe_gui.gui.wording.numbers import number


class EntryColumn(IntEnum):
    """The columns of the table."""

    ID = 0
    TOKEN = 1
    SIZE = 2
    STEP = 3
    COUNT = 4


_ID, _TOKEN, _SIZE, _STEP, _COUNT = (int(column) for column in EntryColumn)
_WIDTHS: Final = {_ID: 64, _SIZE: 56, _STEP: 72, _COUNT: 72}
_NARROW: Final = {_STEP: 340, _SIZE: 280}  # pixels of the table


class EntriesModel(TableModel):
    """Entries of a vocabulary, one in a row."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[int] = ()
        self._report: Report | None = None
        self._groups: Sequence[int] = ()
        self._theme = theme
        self.titles = (self.tr("Id"), self.tr("Token"), self.tr("Bytes"), self.tr("Step"), self.tr("Count"))
        self.alignments = dict.fromkeys(_WIDTHS, ALIGN_RIGHT)

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._theme.token_font() if column == _TOKEN else self._theme.number_font(),
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: lambda row, column: self._text(row, column) if column == _TOKEN else None,
            BACKGROUND_ROLE: lambda row, column: self._band if self._is_banded(row) else None,
            TOKEN_ROLE: lambda row, column: Selected(self._token(row)),
            MARK_ROLE: lambda row, column: column == _TOKEN and self._token(row) == self.marked,
            CHIPS_ROLE: self._chips,
        }

    def show_entries(self, report: Report | None, entries: Sequence[int], groups: Sequence[int] = ()) -> None:
        """Show some entries of the vocabulary of a report; every second one of the `groups`, if any, is shaded.

        These have for each entry the number of its group.
        """
        self._replace_rows(())
        self._report, self._groups = report, groups
        self._replace_rows(entries)

    def _is_banded(self, row: int) -> bool:
        return bool(self._groups) and self._groups[row] % 2 == 1

    @property
    def _band(self) -> QBrush:
        return QBrush(self._theme.color("window"))

    @property
    def _vocabulary(self) -> VocabularyReport:
        assert self._report is not None  # there are rows
        return self._report.vocabulary

    def _token(self, row: int) -> bytes:
        return self._vocabulary.tokens[self.rows[row]]

    def _chips(self, row: int, _column: int) -> Chips:
        has_marker = self._report is not None and self._report.tokenizer.recipe.boundary != "none"
        return Chips((self._token(row),), has_marker)

    def _text(self, row: int, column: int) -> str:
        vocabulary, entry = self._vocabulary, self.rows[row]
        if column == _TOKEN:
            return token_in_sentence(vocabulary.tokens[entry])
        if column == _ID:
            return str(int(vocabulary.ids[entry]))
        if column == _STEP:
            step = int(vocabulary.steps[entry])
            return number(step) if step else self.tr("alphabet")
        values = {_SIZE: vocabulary.sizes, _COUNT: vocabulary.occurrences}
        return number(int(values[column][entry]))


class TokensPanel(QWidget):
    """A box chooses the list. `token_chosen(token)`: the user went to a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._made: MadeReport | None = None
        self._kinds = name_widget(ComboBox(), "reportTokenList", self.tr("List of tokens"))
        for kind in TokenList:
            self._kinds.addItem(self._title(kind))
        self._count = name_widget(QLabel(), "reportTokenCount")
        set_role(self._count, "quiet")
        self._model = EntriesModel(theme, self)
        self.table = ToolTable(self._model, "reportTokens", self.tr("Tokens of the list"), theme, _TOKEN, _WIDTHS)
        self.table.hide_when_narrow(_NARROW)
        column = gapless_column(self)
        column.addWidget(PanelHeader(SectionTitle(self.tr("Tokens")), self._count, self._kinds))
        column.addWidget(self.table, 1)
        self._kinds.currentIndexChanged.connect(self._show_list)
        self.table.token_chosen.connect(self.token_chosen)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()

    def show_result(self, made: MadeReport | None) -> None:
        """Show the list of a report."""
        self._made = made
        self._show_list()

    def mark(self, token: bytes | None) -> None:
        """Mark the selected token."""
        self._model.mark(token)

    def _title(self, kind: TokenList) -> str:
        return {
            TokenList.NEVER_USED: self.tr("Never used"),
            TokenList.SCAFFOLDS: self.tr("Scaffolds: only parts of others"),
            TokenList.NEARLY_DEAD: self.tr("Nearly dead: at most {count} times").format(count=NEARLY_DEAD),
            TokenList.LONGEST: self.tr("Longest"),
            TokenList.DUPLICATES: self.tr("Same but for case or space"),
            TokenList.PARTIAL: self.tr("With partial characters"),
        }[kind]

    def _show_list(self) -> None:
        kind, made = list(TokenList)[self._kinds.currentIndex()], self._made
        entries = () if made is None else made.lists[kind]
        groups = () if made is None or kind is not TokenList.DUPLICATES else made.report.vocabulary.duplicates
        numbers = [number for number, group in enumerate(groups) for _entry in group]
        self._model.show_entries(None if made is None else made.report, entries, numbers)
        self._count.setText("" if made is None else number(len(entries)))
        self.table.hint = "" if made is None else self.tr("None")
        self.table.viewport().update()

    def showEvent(self, event: QShowEvent) -> None:
        """Set the font again: a style sheet resets it when a widget is put into its window."""
        super().showEvent(event)
        self.apply_theme()

    def apply_theme(self) -> None:
        """Use the font of the theme."""
        self._count.setFont(self._theme.number_font())
