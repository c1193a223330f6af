"""Lists of the tokens that a report finds remarkable, as a table."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.engine.reports import NEARLY_DEAD, Report, VocabularyReport
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.calm_widgets import ComboBox
from bpe_gui.gui.look.headers import PanelHeader, SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, TableModel
from bpe_gui.gui.tools.reports.report_maker import MadeReport
from bpe_gui.gui.tools.reports.token_lists import TokenList
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name


class _Row(NamedTuple):
    """An entry of the vocabulary of a report; `is_banded`: it is shaded, to set a group apart."""

    vocabulary: VocabularyReport
    entry: int
    has_marker: bool
    is_banded: bool

    @property
    def token(self) -> bytes:
        return self.vocabulary.tokens[self.entry]


class _Rows:
    """Entries of the vocabulary of a report; every second one of the `groups`, if any, is shaded.

    These have for each entry the number of its group.
    """

    def __init__(self, report: Report, entries: Sequence[int], groups: Sequence[int]) -> None:
        self._report: Final = report
        self._entries: Final = entries
        self._groups: Final = groups
        self._has_marker = report.tokenizer.recipe.boundary != "none"

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, row: int, /) -> _Row:
        is_banded = bool(self._groups) and self._groups[row] % 2 == 1
        return _Row(self._report.vocabulary, self._entries[row], self._has_marker, is_banded)


def _columns() -> list[Column[_Row]]:
    return [
        Column(
            title=translate("EntriesModel", "Id"),
            width=64,
            alignment=ALIGN_RIGHT,
            text=lambda row: str(int(row.vocabulary.ids[row.entry])),
            selected=_selected,
        ),
        Column(
            title=translate("EntriesModel", "Token"),
            font="tokens",
            text=lambda row: token_in_sentence(row.token),
            tool_tip=lambda row: token_in_sentence(row.token),
            chips=lambda row: Chips((row.token,), row.has_marker),
            selected=_selected,
        ),
        Column(
            title=translate("EntriesModel", "Bytes"),
            width=56,
            shown_from=280,
            alignment=ALIGN_RIGHT,
            text=lambda row: number(int(row.vocabulary.sizes[row.entry])),
            selected=_selected,
        ),
        Column(
            title=translate("EntriesModel", "Step"),
            width=72,
            shown_from=340,
            alignment=ALIGN_RIGHT,
            text=_step_text,
            selected=_selected,
        ),
        Column(
            title=translate("EntriesModel", "Count"),
            width=72,
            alignment=ALIGN_RIGHT,
            text=lambda row: number(int(row.vocabulary.occurrences[row.entry])),
            selected=_selected,
        ),
    ]


def _selected(row: _Row) -> Selected:
    return Selected(row.token)


def _step_text(row: _Row) -> str:
    step = int(row.vocabulary.steps[row.entry])
    return number(step) if step else translate("EntriesModel", "alphabet")


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
        self._model: TableModel[_Row] = TableModel(
            theme, _columns(), self, tint=lambda row: "window" if row.is_banded else None
        )
        self.table = Table(self._model, "reportTokens", self.tr("Tokens of the list"))
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
        self._model.show(() if made is None else _Rows(made.report, entries, numbers))
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
