"""The merges: which pair comes next and why, all pairs, the words as split now, and the merges so far.

Of an opened tokenizer there are only merges: then their list has all the room.
"""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.engine import visible
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.models.merge_model import MergeColumn, MergeModel
from bpe_gui.gui.models.pair_model import PairColumn, PairModel
from bpe_gui.gui.models.table_model import Pair
from bpe_gui.gui.models.word_model import WordColumn, WordModel
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.session.opened_tokenizer import PROJECT
from bpe_gui.gui.wording.step_reasons import reason, reason_in_training, reason_of_opened, reason_while_counting
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.cursor_steps import Steps
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.views.tables.cell_delegates import AccentDelegate, BarDelegate, TokenDelegate
from bpe_gui.gui.views.tables.run_table import NO_SELECTION, FilterField, RunTable
from bpe_gui.gui.look.headers import SectionTitle
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.views.tables.symbols_delegate import SymbolsDelegate
from bpe_gui.gui.look.widgets import named, splitter

_MARKDOWN: Final = Qt.TextFormat.MarkdownText
_PLAIN_TEXT: Final = Qt.TextFormat.PlainText

_MARGIN: Final = 8  # the grid of the window
_PAIR_WIDTHS: Final[Mapping[int, int]] = {
    PairColumn.RANK: 52,
    PairColumn.COUNT: 88,
    PairColumn.CHANGE: 52,
    PairColumn.TIE: 36,
}
_MERGE_WIDTHS: Final[Mapping[int, int]] = {MergeColumn.STEP: 40, MergeColumn.COUNT: 46, MergeColumn.TIE: 18}
_WORD_WIDTHS: Final[Mapping[int, int]] = {WordColumn.COUNT: 68}
_HALVES: Final = (290, 260)
_LOWER_HALVES: Final = (215, 305)
_REASON_LINES: Final = 2


class MergesPanel(QWidget):
    """The middle of the window: everything about the step that comes next, as of the session's cursor."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._pair: Pair | None = None  # that the user selected; without one, all words are shown
        self._was_training = False
        self._is_following = False  # it is the session, not the user, that changes the tables now
        self._pairs = PairModel(theme, self)
        self._words = WordModel(theme, self)
        self._merges = MergeModel(theme, self)
        self._make_tables()
        self._make_header_widgets()
        self._reason = _ReasonLabel("reasonLabel")
        self._banner = self._make_banner()
        self._lay_out()
        self._connect()
        self._take_looks()
        self._show_run()

    # -- building ---------------------------------------------------------------------------------------------------

    def _make_tables(self) -> None:
        self._pair_table = RunTable(self._pairs, "pairTable", self.tr("Pairs"))
        self._pair_table.set_widths(_PAIR_WIDTHS, (PairColumn.LEFT, PairColumn.RIGHT, PairColumn.MERGED))
        self._pair_table.horizontalHeader().setSortIndicator(PairColumn.RANK, Qt.SortOrder.AscendingOrder)
        self._pair_table.setSortingEnabled(True)
        self._word_table = RunTable(self._words, "wordTable", self.tr("Words as split now"))
        self._word_table.set_widths(_WORD_WIDTHS, (WordColumn.WORD,))
        self._word_table.horizontalHeader().hide()
        # The current row is the cursor, which the model marks: no selection besides.
        self._merge_table = RunTable(self._merges, "mergeTable", self.tr("Merges so far"), NO_SELECTION)
        self._merge_table.set_widths(_MERGE_WIDTHS, (MergeColumn.MERGE,))
        self._merge_table.horizontalHeader().hide()
        self._make_delegates()

    def _make_delegates(self) -> None:
        accent = self._theme.color("accent")
        self._next_mark = AccentDelegate(self._pairs.answers, accent, self)
        self._cursor_mark = AccentDelegate(self._merges.answers, accent, self)
        self._count_bar = BarDelegate(self._pairs.answers, self._theme.color("chart_fill"), self)
        self._symbols = SymbolsDelegate(self._words.answers, self._theme.token_palette(), self)
        self._pair_table.setItemDelegate(TokenDelegate(self._pairs.answers, self))
        self._word_table.setItemDelegate(TokenDelegate(self._words.answers, self))
        # Of a merge, what it made is what one looks for.
        self._merge_table.setItemDelegate(TokenDelegate(self._merges.answers, self, Qt.TextElideMode.ElideLeft))
        self._pair_table.setItemDelegateForColumn(PairColumn.RANK, self._next_mark)
        self._pair_table.setItemDelegateForColumn(PairColumn.COUNT, self._count_bar)
        self._word_table.setItemDelegateForColumn(WordColumn.WORD, self._symbols)
        self._merge_table.setItemDelegateForColumn(MergeColumn.STEP, self._cursor_mark)

    def _make_header_widgets(self) -> None:
        self._pair_summary = _quiet_label("pairCountLabel")
        self._filter = self._make_filter(self._pair_table, "pairFilter", self.tr("Filter pairs"))
        self._filter.setToolTip(self.tr("Show only the pairs that have this text in a token (Ctrl+F)"))
        self._merge_filter = self._make_filter(self._merge_table, "mergeFilter", self.tr("Filter merges"))
        self._merge_filter.setToolTip(self.tr("Show only the merges that have this text in a token (Ctrl+F)"))
        self._word_title = SectionTitle("", "wordTitle")
        self._all_words = QToolButton()
        self._all_words.setObjectName("allWordsButton")
        self._all_words.setAccessibleName(self.tr("Show all words"))
        self._all_words.setToolTip(self.tr("Show all words again (Esc in the pair table)"))
        self._all_words.setAutoRaise(True)
        self._merge_summary = _quiet_label("mergeCountLabel")
        self._merge_summary.setToolTip(self.tr("Merges done, of those that are known"))

    def _make_filter(self, table: QTableView, name: str, accessible_name: str) -> FilterField:
        field = named(FilterField(table, name), name, accessible_name)
        field.setPlaceholderText(self.tr("Filter"))
        return field

    def _make_banner(self) -> QFrame:
        banner = QFrame()
        banner.setObjectName("staleBanner")
        set_role(banner, "banner")
        text = SentenceLabel(self.tr("The corpus or the recipe has changed: this run was made from the earlier one."))
        button = QPushButton(self.tr("Start over"))
        button.setObjectName("restartButton")
        button.setAccessibleName(self.tr("Start over with the present corpus and recipe"))
        button.setToolTip(self.tr("Drop this run and begin again from the present corpus and recipe"))
        button.clicked.connect(self._start_over)
        row = QHBoxLayout(banner)
        row.setContentsMargins(_MARGIN, 6, _MARGIN, 6)
        row.setSpacing(_MARGIN)
        row.addWidget(text, 1)
        row.addWidget(button)
        return banner

    def _start_over(self) -> None:
        self._session.restart()
        self._pair_table.setFocus()  # the button is gone

    def _lay_out(self) -> None:
        self._pair_section = _section(
            self._pair_table, SectionTitle(self.tr("Pairs")), self._pair_summary, self._filter
        )
        self._word_section = _section(self._word_table, self._word_title, self._all_words)
        merges = _section(self._merge_table, SectionTitle(self.tr("Merges")), self._merge_summary, self._merge_filter)
        lower = splitter(Qt.Orientation.Horizontal, "mergesLowerSplitter", self._word_section, merges)
        lower.setSizes(list(_LOWER_HALVES))
        halves = splitter(Qt.Orientation.Vertical, "mergesSplitter", self._pair_section, lower)
        halves.setSizes(list(_HALVES))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._banner)
        layout.addWidget(self._reason)
        layout.addWidget(halves, 1)

    def _connect(self) -> None:
        session = self._session
        session.run_changed.connect(self._show_run)
        session.cursor_moved.connect(self._show)
        session.activity_changed.connect(self._show_activity)
        session.counts_changed.connect(self._show_reason)
        session.stale_changed.connect(self._show_banner)
        self._theme.changed.connect(self._take_looks)
        self._pairs.refreshed.connect(self._show_pairs)
        self._pair_table.selectionModel().selectionChanged.connect(self._take_selection)
        self._pair_table.escaped.connect(self._show_all_words)
        self._all_words.clicked.connect(self._show_all_words)
        self._merge_table.selectionModel().currentRowChanged.connect(self._go_to)
        self._merge_table.clicked.connect(self._go_to)
        self._filter.textChanged.connect(self._filter_pairs)
        self._merge_filter.textChanged.connect(self._filter_merges)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._find)

    def _take_looks(self) -> None:
        theme = self._theme
        self._next_mark.color = self._cursor_mark.color = theme.color("accent")
        self._count_bar.color = theme.color("chart_fill")
        self._symbols.set_palette_colors(theme.token_palette())
        self._all_words.setIcon(theme.icon("cancel"))
        for table in (self._pair_table, self._word_table, self._merge_table):
            table.set_fonts(theme.token_font(), theme.number_font())

    # -- following the session --------------------------------------------------------------------------------------

    def _show_run(self) -> None:
        """Show other steps. Those of an opened tokenizer have no pairs and no words."""
        has_pairs, focused = self._session.opened is None, QApplication.focusWidget()
        self._show_banner()
        self.setFocusProxy(self._pair_table if has_pairs else self._merge_table)
        self._pair_section.setVisible(has_pairs)
        self._word_section.setVisible(has_pairs)
        self._merge_filter.setVisible(not has_pairs)  # beside pairs and words there is no room for it
        with QSignalBlocker(self._merge_filter):
            self._merge_filter.clear()
        if not has_pairs and focused is not None and self.isAncestorOf(focused):
            self.setFocus()  # which would go anywhere when what has it is hidden
        self._show()
        # The table has its size only when the window is laid out.
        QTimer.singleShot(0, self._merge_table, lambda: self._merge_table.go_to(self._merges.current_row))

    def _show_banner(self) -> None:
        self._banner.setVisible(self._session.stale and self._session.opened is None)

    def _show(self) -> None:
        """Show everything as of the session's cursor; while a thread trains, what was seen last, greyed."""
        self._show_reason()
        training, steps = self._session.is_run_in_training, self._session.steps
        self._was_training = training
        if steps is not None or not training:
            self._show_steps(steps)
        if training:
            for model in (self._pairs, self._words, self._merges):
                model.hold()

    def _make_room_for_numbers(self, steps: Steps | None) -> None:
        """Have the largest rank, step and count fit their columns; the first merge has the largest count."""
        self._pair_table.widen(PairColumn.RANK, number(self._pairs.rowCount()))
        if steps is not None and steps.run_length:
            self._merge_table.widen(MergeColumn.STEP, number(steps.run_length))
            self._merge_table.widen(MergeColumn.COUNT, f"×{number(steps.known(0).count)}")

    def _show_activity(self) -> None:
        if self._was_training != self._session.is_run_in_training:
            self._show()
        else:
            self._show_reason()

    def _show_steps(self, steps: Steps | None) -> None:
        self._is_following = True
        self._pairs.refresh(self._session.trainer)
        self._pairs.look_at(self._pair_table.rowAt(0))
        self._is_following = False
        self._merge_table.setColumnHidden(MergeColumn.COUNT, steps is not None and steps.counts is None)
        self._show_merges()
        self._make_room_for_numbers(steps)
        self._show_words()

    def _show_merges(self) -> None:
        """Show the merges, of those that the filter lets through."""
        text = self._merge_filter.text()
        self._is_following = True
        self._merges.refresh(self._session.steps, text)
        self._merge_table.hint = self._merge_hint(text)
        if not text or self._merges.current_row >= 0:  # else the step is of a merge that the filter hides
            self._merge_table.go_to(self._merges.current_row)
        self._is_following = False
        self._merge_summary.setText(self._merge_summary_text())

    def _show_reason(self) -> None:
        session = self._session
        if session.opened is not None:
            is_of_project = session.opened.kind == PROJECT
            self._reason.say(reason_of_opened(is_of_project=is_of_project, has_run=session.has_run))
        elif session.is_run_in_training:
            self._reason.say(reason_in_training())
        elif session.trainer is not None:
            self._reason.say(reason(session.trainer))
        elif session.count_error is not None:
            self._reason.say(sentence(session.count_error), _PLAIN_TEXT)
        else:
            self._reason.say(reason_while_counting())

    def _show_pairs(self) -> None:
        self._pair_summary.setText(self._pairs.summary)
        self._pair_table.hint = self.tr("No pair has this text in a token.") if self._filter.text() else ""
        self._is_following, before = True, self._is_following
        self._pair_table.select_in_place(self._pairs.row_of(self._pair) if self._pair else -1)
        self._is_following = before

    def _show_words(self) -> None:
        trainer = self._session.trainer
        self._words.refresh(trainer, self._pair)
        if self._pair is not None and not self._words.rowCount():
            self._pair = None  # it is no more
            self._words.refresh(trainer)
        self._word_title.say(self._word_title_text())
        self._all_words.setVisible(self._pair is not None)

    def _word_title_text(self) -> str:
        if self._pair is None:
            return self.tr("Words, as split now · {words}").format(words=self._words.summary)
        left, right = map(visible, self._pair)
        return self.tr("Words that hold {left} + {right} · {words}").format(
            left=left, right=right, words=self._words.summary
        )

    def _merge_hint(self, text: str) -> str:
        if text:
            return self.tr("No merge has this text in a token.")
        return self.tr("No merges yet. Step forward to make the first.")

    def _merge_summary_text(self) -> str:
        if not self._session.run_length:
            return ""
        if self._merge_filter.text():
            return self.tr("{matches} of {merges} merges match").format(
                matches=number(self._merges.rowCount()), merges=number(self._session.run_length)
            )
        return self.tr("{done} of {known}").format(
            done=number(self._session.position), known=number(self._session.run_length)
        )

    # -- what the user does -----------------------------------------------------------------------------------------

    def _take_selection(self) -> None:
        if self._is_following or self._session.trainer is None:
            return
        rows = self._pair_table.selectionModel().selectedRows()
        self._pair = self._pairs.pair_at(rows[0].row()) if rows else None
        self._show_words()

    def _show_all_words(self) -> None:
        if self._session.trainer is not None:
            self._pair = None
            self._show_pairs()
            self._show_words()

    def _go_to(self, index: QModelIndex) -> None:
        if index.isValid() and not self._is_following:
            self._session.pause()
            self._session.seek(self._merges.position_of(index.row()))

    def _find(self) -> None:
        (self._filter if self._session.opened is None else self._merge_filter).take_focus()

    def _filter_merges(self) -> None:
        self._show_merges()
        self._is_following = True
        self._merge_table.go_to(self._merges.current_row)
        self._is_following = False

    def _filter_pairs(self, text: str) -> None:
        self._is_following = True
        self._pairs.set_filter(text)
        self._is_following = False


class _ReasonLabel(SentenceLabel):
    """A sentence in a place of two lines, so that nothing jumps when it becomes shorter or longer."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        set_role(self, "reason")
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self.ensurePolished()
        self.setFixedHeight(_REASON_LINES * (self.fontMetrics().lineSpacing() + 2) + 2 * 6)

    def say(self, text: str, text_format: Qt.TextFormat = _MARKDOWN) -> None:
        """Show another sentence."""
        self.setTextFormat(text_format)
        self.setText(text)


def _quiet_label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    set_role(label, "quiet")
    return label


def _section(table: QTableView, title: QLabel, *others: QWidget) -> QWidget:
    """A table under a line with its title on the left and the rest on the right."""
    header = QFrame()
    set_role(header, "panelHeader")
    line = QHBoxLayout(header)
    line.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
    line.setSpacing(_MARGIN)
    line.addWidget(title, 1)
    for widget in others:
        line.addWidget(widget)
    section = QWidget()
    layout = QVBoxLayout(section)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(header)
    layout.addWidget(table, 1)
    return section
