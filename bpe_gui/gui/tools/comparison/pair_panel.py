"""How two compared tokenizers differ: overlap, the first merge that differs, and the tokens only one of them has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QWidget

from bpe_gui.engine import TokenPair, token_in_sentence
from bpe_gui.gui.look.layouts import (
    GRID,
    MARGIN,
    SMALL_GAP,
    PanelHeader,
    Scrolled,
    SectionTitle,
    column_of,
    gapless_column,
    row_of,
)
from bpe_gui.gui.look.qt_constants import ELIDE_RIGHT
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, name_widget, splitter
from bpe_gui.gui.search.token_filter import TokenFilter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.filter_field import FilterField
from bpe_gui.gui.tables.table import NO_SELECTION, Table
from bpe_gui.gui.tables.table_model import Column, LazyRows, NumberColumn, TableModel, token_column
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.comparison_texts import merge_text, overlap_text, steps_text
from bpe_gui.gui.wording.phrases import number, translate

from .compared import Compared, ComparedTokenizers
from .tokenizer_names import letter, name_of
from .vocabularies import OwnToken, PairResult, Vocabularies


class _Row(NamedTuple):
    """A token with its id; `has_marker` says that a `</w>` is the end-of-word marker, not text."""

    id: int
    token: bytes
    has_marker: bool


class OwnTokens(QWidget):
    """The tokens that only one of the two has. `token_chosen(token)`: the user chose a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._name = ""
        self._tokens: Sequence[OwnToken] = ()
        self._has_marker = False
        self._filter = ""
        self._title = SectionTitle("", f"{name}Title")
        self.rows_model: TableModel[_Row] = TableModel(
            theme, _columns(), self, selected=lambda row: Selected(row.token)
        )
        self.table = Table(self.rows_model, f"{name}Table", self.tr("Tokens that only one has"))
        self.table.hint = self.tr("None")
        self.table.token_chosen.connect(self.token_chosen)
        gapless_column(self, PanelHeader(self._title), (self.table, 1))

    def show_tokens(self, name: str, tokens: Sequence[OwnToken], *, has_marker: bool) -> None:
        """Show the tokens that only the tokenizer with this name has."""
        is_other = tokens is not self._tokens
        self._name, self._tokens, self._has_marker = name, tokens, has_marker
        if is_other:
            self._show_rows()
        self._show_title()

    def set_filter(self, text: str) -> None:
        """Show only the tokens that match a text, or whose id it is."""
        self._filter = text
        self._show_rows()
        self._show_title()

    def _show_rows(self) -> None:
        tokens = self._tokens
        if self._filter:
            wanted = TokenFilter.of(self._filter)
            tokens = [each for each in tokens if wanted.finds(*each)]
        has_marker = self._has_marker
        self.rows_model.show(LazyRows(tokens, lambda each: _Row(*each, has_marker)))

    def _show_title(self) -> None:
        """Show how many tokens there are, and how many of them match."""
        shown, total = self.rows_model.rowCount(), len(self._tokens)
        count = number(total) if shown == total else f"{number(shown)} / {number(total)}"
        self._title.setText(self.tr("Only in {name}: {count}").format(name=self._name, count=count))


def _columns() -> list[Column[_Row]]:
    return [
        NumberColumn(title=translate("OwnTokensModel", "Id"), width=64, text=lambda row: str(row.id)),
        token_column(translate("OwnTokensModel", "Token"), lambda row: row.token, lambda row: row.has_marker),
    ]


_LISTS_HEIGHT: Final = 13 * GRID
"""The least height of the lists of tokens, for their titles and three rows; the answer above them scrolls then."""

_FILTER_WIDTH: Final = 14 * GRID


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The merge of a tokenizer at the first rank where two differ, and its pair's count if known."""

    name: str
    pair: TokenPair
    count: int | None
    has_marker: bool


def _candidates(result: PairResult, names: tuple[str, str]) -> list[_Candidate]:
    """Return a pair's candidates; none if the merges do not differ."""
    merge = result.first_merge
    if merge is None:
        return []
    markers = [item.has_marker for item in result.items]
    rows = zip(names, (merge.first, merge.second), result.counts, markers, strict=True)
    return [_Candidate(name, pair, count, marker) for name, pair, count, marker in rows if pair is not None]


def _candidate_columns() -> list[Column[_Candidate]]:
    return [
        Column(title="", width=32, text=lambda row: row.name),
        Column(
            title=translate("CandidatesModel", "Merge"),
            font="tokens",
            text=lambda row: " + ".join(map(token_in_sentence, row.pair)),
            chips=lambda row: Chips((*row.pair, row.pair[0] + row.pair[1]), row.has_marker),
        ),
        NumberColumn(
            title=translate("CandidatesModel", "Count"),
            width=72,
            text=lambda row: "" if row.count is None else number(row.count),
        ),
    ]


class PairPanel(QWidget):
    """A pair, chosen in two combo boxes. `token_chosen(token)`: the user chose a token, given as `Selected`."""

    token_chosen = Signal(Selected)

    def __init__(self, tokenizers: ComparedTokenizers, vocabularies: Vocabularies, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("pairPanel")
        self._tokenizers = tokenizers
        self._vocabularies = vocabularies
        self._theme = theme
        self._boxes = (
            name_widget(_NarrowBox(), "firstOfPairBox", self.tr("Base: the first tokenizer of the pair")),
            name_widget(_NarrowBox(), "secondOfPairBox", self.tr("Second tokenizer of the pair")),
        )
        self._chosen: list[Compared | None] = [None, None]
        self._steps = SentenceLabel(name="pairSteps", selectable=True)
        self._overlap = SentenceLabel(name="pairOverlap", selectable=True)
        self._reason = SentenceLabel(name="pairReason", selectable=True)
        self._hint = SentenceLabel(
            self.tr("Add another tokenizer to see here how the two differ."), name="pairHint", role="quiet"
        )
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._candidates: TableModel[_Candidate] = TableModel(
            theme, _candidate_columns(), self, selected=lambda row: Selected(row.pair[0] + row.pair[1], pair=row.pair)
        )
        self._table = Table(self._candidates, "candidateTable", self.tr("First merges that differ"), NO_SELECTION)
        self._only = OwnTokens(theme, "onlyInFirst"), OwnTokens(theme, "onlyInSecond")
        self._filter = FilterField(self._only[0].table, "onlyFilter", has_ids=True)
        self._filter.setMaximumWidth(_FILTER_WIDTH)
        self._filter.setAccessibleName(self.tr("Find in the tokens that only one has"))
        self._lay_out()
        self._connect()
        self._fill()

    def _lay_out(self) -> None:
        self._table.horizontalHeader().hide()
        for box in self._boxes:
            box.setMinimumContentsLength(4)
            box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        choice = QWidget()
        row_of(*((box, 1) for box in self._boxes), of=choice, spacing=None)
        margins = (MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        words = column_of(self._overlap, self._steps, self._reason, margins=margins, spacing=SMALL_GAP)
        answer = QWidget()
        gapless_column(answer, words, self._table)
        self._answer = Scrolled(answer, is_tight=True)
        lists = self._lists = splitter(Qt.Orientation.Horizontal, "onlySplitter", *self._only)
        lists.setMinimumHeight(_LISTS_HEIGHT)
        header = PanelHeader(self.tr("Compare"), self._filter, field=choice)
        gapless_column(self, header, self._answer, (self._hint, 1), (lists, 1))

    def _connect(self) -> None:
        self._tokenizers.list_changed.connect(self._fill)
        self._tokenizers.shown_changed.connect(self._fill)
        self._vocabularies.changed.connect(self._show)
        for box in self._boxes:
            box.activated.connect(self._choose)
        for each in self._only:
            each.token_chosen.connect(self.token_chosen)
            self._filter.textChanged.connect(each.set_filter)
        self._table.token_chosen.connect(self.token_chosen)
        self._theme.changed.connect(self._fit_table)

    @property
    def sentences(self) -> list[str]:
        """The sentences about the pair; none if there is no pair."""
        return [label.text() for label in (self._steps, self._overlap, self._reason) if not self._answer.isHidden()]

    def begin_search(self) -> None:
        """Move the focus to the filter field and select its text."""
        self._filter.take_focus()

    # -- the choice -------------------------------------------------------------------------------------------------

    def choose_second(self, item: Compared) -> None:
        """Show how a tokenizer differs from the first of the pair, unless it is the first."""
        if item is not self._chosen[0]:
            self._chosen[1] = item
            self._fill()

    def choose(self, first: Compared, second: Compared) -> None:
        """Show how two tokenizers differ."""
        self._chosen = [first, second]
        self._fill()

    def _fill(self) -> None:
        """List all tokenizers in both boxes; if a chosen one is gone, choose one that is shown."""
        items = self._tokenizers.items
        kept = [item for item in self._chosen if item in items]
        others = [item for item in (*self._tokenizers.shown, *items) if item not in kept]
        first = self._chosen[0] if self._chosen[0] in items else next(iter(others), None)
        second = self._chosen[1] if self._chosen[1] in items else next((o for o in others if o is not first), None)
        self._chosen = [first, second]
        for box, chosen in zip(self._boxes, self._chosen, strict=True):
            with QSignalBlocker(box):
                _set_texts(box, [f"{letter(index)}  {name_of(item)}" for index, item in enumerate(items)])
                box.setToolTip("" if chosen is None else name_of(chosen))
                box.setCurrentIndex(-1 if chosen is None else items.index(chosen))
        if first is not None and second is not None:
            self._vocabularies.choose(first, second)
        self._show()
        if first is not None:
            self._tokenizers.set_base(first)

    def _choose(self) -> None:
        items = self._tokenizers.items
        self._chosen = [items[box.currentIndex()] if box.currentIndex() >= 0 else None for box in self._boxes]
        self._fill()

    # -- the result -------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        result, items = self._vocabularies.pair, self._tokenizers.items
        is_known = result is not None and all(item in items for item in result.items) and len(items) > 1
        for part in (self._answer, *self._only):
            part.setVisible(is_known)
        self._hint.setVisible(len(items) < 2)
        self._lists.setVisible(len(items) > 1)
        for field in (*self._boxes, self._filter):
            field.setEnabled(len(items) > 1)
        if result is None or not is_known:
            return
        first, second = (letter(items.index(item)) for item in result.items)
        names, only = (first, second), (len(result.only[0]), len(result.only[1]))
        self._steps.setText(steps_text(names, result.steps))
        self._overlap.setText(overlap_text(names, result.shared, only, result.ids_that_differ))
        plans = self._tokenizers.plan_of(result.items[0]), self._tokenizers.plan_of(result.items[1])
        other_corpora = self._tokenizers.have_other_corpora(result.items)
        self._reason.setText(
            merge_text(names, result.first_merge, result.counts, plans, are_of_other_corpora=other_corpora)
        )
        self._candidates.show(_candidates(result, names))
        self._fit_table()
        for part, name, tokens, item in zip(self._only, names, result.only, result.items, strict=True):
            part.show_tokens(name, tokens, has_marker=item.has_marker)

    def mark(self, token: bytes | None) -> None:
        for each in self._only:
            each.rows_model.mark(token)

    def _fit_table(self) -> None:
        """Make the table of candidates as tall as its rows."""
        rows = self._candidates.rowCount()
        self._table.setFixedHeight(rows * self._table.verticalHeader().defaultSectionSize() + 2)
        self._table.setVisible(rows > 0)


class _NarrowBox(ComboBox):
    """A combo box that elides a name that does not fit; Qt would cut a letter in half."""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:  # noqa: N802 (Qt's name)
        super().initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(option.currentText, ELIDE_RIGHT, field.width())


def _set_texts(box: ComboBox, texts: Sequence[str]) -> None:
    """Set a box's items, without closing its list if only names change."""
    if box.count() != len(texts):
        box.clear()
        box.addItems(texts)
    for index, text in enumerate(texts):
        box.setItemText(index, text)
