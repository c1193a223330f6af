"""The vocabulary at the cursor, and the line below a filter that says which step makes a token."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from bpe_gui.engine import token_in_sentence
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, PanelHeader, gapless_column, row_of
from bpe_gui.gui.look.lifetime import Updating
from bpe_gui.gui.look.qt_constants import DESCENDING, PLAIN_TEXT
from bpe_gui.gui.look.theme import Theme, set_role, text_width, with_widest_digits
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.search.token_filter import TokenFuture, future_of
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.filter_field import FilterField, NeverButton
from bpe_gui.gui.tables.merge_model import has_never
from bpe_gui.gui.tables.sum_line import SumLine
from bpe_gui.gui.tables.table import MANY_SELECTED, Table
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn, VocabularyModel, widest_texts
from bpe_gui.gui.wording.phrases import counted, number
from bpe_gui.gui.wording.run_texts import pruned_text


class FutureLine(QFrame):
    """Visible while the text of a filter is a token that a later step makes, or that does not exist, or no longer.

    A button goes to that step; another one asks why no step makes the token.

    Nothing is shown while a thread trains.
    """

    def __init__(self, session: Session, field: QLineEdit, name: str, *, has_ids: bool) -> None:
        """`name` begins the object names; `has_ids`: the text may also be an id."""
        super().__init__()
        self._session = session
        self._field = field
        self._has_ids = has_ids
        self._step = 0
        self._future: TokenFuture | None = None
        self._matching = 0
        self._label = name_widget(QLabel(), f"{name}FutureLabel")
        self._label.setTextFormat(PLAIN_TEXT)
        self._label.setWordWrap(True)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # tokens may be long
        set_role(self._label, "quiet")
        self._go = name_widget(QPushButton(self.tr("Go")), f"{name}FutureGo", self.tr("Go to this step"))
        set_role(self._go, "quiet")
        self._why = name_widget(
            QPushButton(self.tr("Why not?")), f"{name}FutureWhy", self.tr("Why is this not one token?")
        )
        self._why.setToolTip(self.tr("Why is this not one token?"))
        set_role(self._why, "quiet")
        self._label.setMinimumHeight(self._go.sizeHint().height())
        row_of((self._label, 1), self._go, self._why, of=self, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP))
        self._go.clicked.connect(self._seek)
        self._why.clicked.connect(self._ask)
        field.textChanged.connect(self._show_future)
        for changed in (session.cursor.moved, session.cursor.steps_changed, session.work.changed):
            changed.connect(self._show_future)
        self._show_future()

    def _show_future(self) -> None:
        text, cursor = self._field.text(), self._session.cursor
        steps = None if cursor.is_following_training else cursor.steps
        future = future_of(text, steps, has_ids=self._has_ids) if text and steps is not None else None
        self.setVisible(future is not None)
        self._future = future
        if future is not None:
            self._step = future.merge.rank + 1 if future.merge else future.pruned[1] if future.pruned else 0
            self._go.setVisible(self._step > 0)
            self._why.setVisible(self._step == 0)
            self._show_text(future)

    def show_matching(self, count: int) -> None:
        """Tell that so many tokens contain the text, if no known step makes it."""
        self._matching = count
        if self._future is not None:
            self._show_text(self._future)

    def _show_text(self, future: TokenFuture) -> None:
        self._label.setText(self._text(future))
        self._label.setToolTip(self._label.text())

    def _text(self, future: TokenFuture) -> str:
        if (merge := future.merge) is not None:
            return self.tr("Step {step} makes {token} from {left} + {right}").format(
                token=token_in_sentence(merge.token),
                step=number(merge.rank + 1),
                left=token_in_sentence(merge.left),
                right=token_in_sentence(merge.right),
            )
        if future.pruned is not None:
            return pruned_text(*future.pruned)
        is_opened, may_extend = self._session.opened.tokenizer is not None, self._session.cursor.may_extend
        if self._matching and (is_opened or not may_extend):
            one, many = self.tr("No exact match; 1 contains it"), self.tr("No exact match; {count} contain it")
            return counted(self._matching, one, many)
        if is_opened:
            template = self.tr("No merge in this tokenizer makes {token}")
        elif may_extend:
            template = self.tr("No step makes {token} yet (further training may)")
        else:
            template = self.tr("No step in this run makes {token}")
        return template.format(token=token_in_sentence(self._field.text().encode(errors="replace")))

    def _seek(self) -> None:
        self._field.setFocus()  # the button disappears
        self._session.cursor.go_to(self._step)

    def _ask(self) -> None:
        self._session.selection.ask_why_not(self._field.text())


class VocabularyPanel(QWidget):
    """A table that can be searched and sorted; it is updated only while it is visible."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("vocabularyPanel")
        self._session = session
        self._theme = theme
        self._is_outdated = True
        self._widest = {VocabularyColumn.ID: "", VocabularyColumn.STEP: ""}  # the longest number that was shown
        self._shown_position: int | None = None  # the step that is shown
        self._updating = Updating()  # true while the panel itself changes the current row
        self._model = VocabularyModel(theme, self)
        self._table = Table(self._model, "vocabularyTable", self.tr("Vocabulary"), MANY_SELECTED)
        self._filter = FilterField(self._table, "vocabularyFilter", has_ids=True)
        self._filter.setAccessibleName(self.tr("Find in the vocabulary"))
        self._future = FutureLine(session, self._filter, "vocabulary", has_ids=True)
        self._never = NeverButton(
            theme, "vocabularyNeverButton", self.tr("Only tokens that never occur in this corpus")
        )
        self._summary = SumLine("vocabularySummary", self._table, self._model.ids_and_sizes, session.text)
        theme.keep_font(theme.number_font, self._summary)
        gapless_column(
            self,
            PanelHeader(self.tr("Vocabulary"), self._never, field=self._filter),
            self._future,
            (self._table, 1),
            self._summary,
        )
        self._apply_theme()
        self._table.sortByColumn(VocabularyColumn.STEP, DESCENDING)  # so that a step shows its token at the top
        self._table.setSortingEnabled(True)
        self._filter.textChanged.connect(self._apply_filter)
        self._never.toggled.connect(self._apply_filter)
        theme.changed.connect(self._apply_theme)
        for changed in (session.cursor.moved, session.cursor.steps_changed):
            changed.connect(self._mark_outdated)
        self._documents = frozenset(each.identity for each in session.corpus.documents)
        session.corpus.documents_changed.connect(self._follow_documents)
        session.selection.changed.connect(self._show_selection)
        self._table.selectionModel().currentRowChanged.connect(self._select)
        self._table.clicked.connect(self._select)
        self._model.layoutChanged.connect(self._show_selection)

    def begin_search(self) -> None:
        """Move the focus to the filter field and select its text."""
        self._filter.take_focus()

    def _apply_theme(self) -> None:
        metrics = self._table.fontMetrics()
        for column, texts in widest_texts().items():
            shown = self._model.columns[column].title, *(with_widest_digits(metrics, text) for text in texts)
            widest = max(text_width(metrics, each) for each in shown)
            self._table.horizontalHeader().resizeSection(column, widest + 2 * MARGIN)
        for number_column, text in self._widest.items():
            self._table.widen(number_column, text)

    # -- keeping up to date -----------------------------------------------------------------------------------------

    def _follow_documents(self) -> None:
        """Clear a search that was about another corpus."""
        before, self._documents = self._documents, frozenset(each.identity for each in self._session.corpus.documents)
        if before and before.isdisjoint(self._documents):
            self._filter.clear()

    def _mark_outdated(self) -> None:
        self._is_outdated = True
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what has changed while the panel was hidden."""
        super().showEvent(event)
        if self._is_outdated:
            self._refresh()

    def _refresh(self) -> None:
        self._is_outdated = False
        steps, tokenizer = self._session.cursor.steps, self._session.cursor.tokenizer
        pruned = steps.pruned() if steps else {}
        self._never.offer(bool(pruned) or has_never(steps))
        self._make_room(VocabularyColumn.ID, str(tokenizer.largest_id) if tokenizer else "")
        self._make_room(VocabularyColumn.STEP, number(self._session.cursor.position))
        self._keep_selection(lambda: self._model.set_tokenizer(tokenizer, pruned))
        before, position = self._shown_position, self._session.cursor.position
        self._shown_position = position
        row = self._model.row_of_step(position) if before is not None and position == before + 1 else None
        self._table.move_with_step(() if row is None else (row,))

    def _make_room(self, column: VocabularyColumn, text: str) -> None:
        """Widen a column for a number that is longer than any before."""
        if len(text) > len(self._widest[column]):
            self._widest[column] = text
            self._table.widen(column, text)

    def _apply_filter(self) -> None:
        text, only_never = self._filter.text(), self._never.isChecked()
        self._keep_selection(lambda: self._model.set_filter(text, only_never=only_never))

    def _keep_selection(self, change_rows: Callable[[], None]) -> None:
        """Call `change_rows`, and keep the current entry, and the top one unless it is the first."""
        bar = self._table.verticalScrollBar()
        top = bar.value()
        top_id = self._model.token_id(top) if top else None
        with self._updating:
            change_rows()
            self._table.doItemsLayout()  # now: laid out while it is painted, the table would be painted twice
            self._select_row(self._row_of_selection())
        row = None if top_id is None else self._model.row_of(top_id)
        bar.setValue(top if row is None else row)
        total, matching = self._model.size, ""
        text = self.tr("1 entry") if total == 1 else self.tr("{count} entries").format(count=number(total))
        if self._filter.text() or self._never.isChecked():
            template = self.tr("{shown} of {count} entries")
            matching = template.format(shown=number(self._model.rowCount()), count=number(total))
        self._summary.show_total(text, matching)
        self._future.show_matching(self._model.rowCount())

    def _row_of_selection(self) -> int:
        """Return the row of the selected token; -1 if there is none."""
        ids = self._session.selection.ids_in(self._session.cursor.tokenizer)
        row = self._model.row_of(ids[0]) if len(ids) == 1 else None
        return -1 if row is None else row

    def _select_row(self, row: int) -> None:
        self._table.setCurrentIndex(self._model.index(row, VocabularyColumn.ID))
        if row < 0:
            self._table.clearSelection()

    def _show_selection(self) -> None:
        """Scroll to the selected token, if the table has it."""
        if self.isVisible() and not self._updating:
            with self._updating:
                self._select_row(self._row_of_selection())

    def _select(self, index: QModelIndex) -> None:
        """Select the token of a row that the user chose."""
        entry = None if self._updating else self._model.selected_at(index)
        if entry is not None:
            with self._updating:  # the row is already visible
                self._session.selection.select_token(entry.token, special=entry.special)
