"""The panel of merges: the next pair and why it is next, all pairs, the words as split now, the merges so far.

An opened tokenizer has no pairs or words, so the list of its merges fills the panel.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QModelIndex, QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QPushButton, QSizePolicy, QWidget

from bpe_gui.engine import Trainer
from bpe_gui.gui.jobs import Activity, pause_before
from bpe_gui.gui.look.layouts import (
    ANY_WIDTH,
    BAR_PADDING,
    GRID,
    MARGIN,
    SMALL_GAP,
    HeaderCount,
    PanelHeader,
    SectionTitle,
    gapless_column,
    row_of,
)
from bpe_gui.gui.look.lifetime import Updating
from bpe_gui.gui.look.qt_constants import ASCENDING, PLAIN_TEXT
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import (
    ActionFollower,
    FocusPasser,
    SentenceLabel,
    icon_button,
    name_widget,
    push_button,
    splitter,
)
from bpe_gui.gui.session.cursor import Steps
from bpe_gui.gui.session.opened_tokenizers import PROJECT
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.filter_field import FilterField, NeverButton, OnlyButton
from bpe_gui.gui.tables.merge_model import MergeColumn, MergeFilter, MergeModel, has_never, tie_mark, ties_of
from bpe_gui.gui.tables.pair_model import PairColumn, PairModel, banned_mark
from bpe_gui.gui.tables.sum_line import SumLine
from bpe_gui.gui.tables.table import MANY_SELECTED, Table
from bpe_gui.gui.tables.word_model import WordColumn, WordModel
from bpe_gui.gui.views.reason_label import ReasonLabel
from bpe_gui.gui.wording.phrases import counted, number, quoted_token
from bpe_gui.gui.wording.recipe_texts import tie_rule_clause
from bpe_gui.gui.wording.run_texts import (
    next_merge,
    reason_for_merges_only,
    reason_while_counting,
    reason_while_training,
    reason_without_words,
    step_reason,
)
from bpe_gui.gui.wording.sentences import error_message

from .corpus_parts import CorpusLine
from .vocabulary_panel import FutureLine

_BARS_FROM: Final = 440  # from this width of the pair table in pixels, its counts have bars
_BARS_WIDTH: Final = 96  # pixels of the count column with bars
_TOKENS: Final = (PairColumn.LEFT, PairColumn.RIGHT, PairColumn.MERGED)
_MANY_PAIRS: Final = 50_000  # from this number, filtering takes longer than a keystroke
_FILTER_PAUSE: Final = 100  # milliseconds
_HEIGHTS: Final = (290, 260)  # pixels, of the pairs and of the part below them
_WIDTHS: Final = (266, 322)  # pixels, of the words and the merges
_NEXT_HEIGHT: Final = 52  # pixels
_LONGEST_LINE: Final = 640  # pixels; from the end of a longer one, the eye does not find back to its beginning
_MERGE_FILTER_WIDTH: Final = 11 * GRID  # the title and the numbers are next to it


class MergesPanel(FocusPasser):
    """The middle of the window: the next step, as of the session's cursor."""

    corpus_wanted = Signal()
    """The user wants to see the corpus."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._was_training = False
        self._shown_position: int | None = None  # the step that is shown
        self._documents: frozenset[object] = frozenset()  # what identifies those of the corpus of the run shown
        self._updating = Updating()  # true while the panel itself changes the selections of its tables
        self._laid_out = pause_before(self._go_to_current_merge, 0, self)  # a table scrolls only once it is laid out
        self._filter_pause = pause_before(self._filter_pairs, _FILTER_PAUSE, self)
        self._word_pause = pause_before(self._filter_words, _FILTER_PAUSE, self)
        self._pairs = PairModel(theme, self)
        self._words = WordModel(theme, self)
        self._merges = MergeModel(theme, self)
        self._make_tables()
        self._make_header_widgets()
        self._reason = ReasonLabel("reasonLabel", theme.token_palette())
        self._banner = self._make_banner()
        self._lay_out()
        self._connect()
        self._apply_theme()
        self._show_run()
        self._show_question()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_tables(self) -> None:
        self._pair_table = Table(self._pairs, "pairTable", self.tr("Pairs"))
        self._token_widths = dict.fromkeys(_TOKENS, 0)  # the widths they have needed so far
        self._order = int(PairColumn.RANK), ASCENDING  # of the pairs, when no lesson asks which one is next
        self._pair_table.horizontalHeader().setSortIndicator(*self._order)
        self._pair_table.setSortingEnabled(True)
        self._word_table = Table(self._words, "wordTable", self.tr("Words at this step"))
        self._word_table.horizontalHeader().hide()
        # The model marks the current row, which is the cursor's, so only several rows count as selected.
        self._merge_table = Table(self._merges, "mergeTable", self.tr("Merges so far"), MANY_SELECTED)
        self._merge_table.shows_single = False
        self._merge_table.horizontalHeader().hide()

    def _make_header_widgets(self) -> None:
        self._pair_title = SectionTitle("", "pairTitle")
        self._pair_summary = name_widget(HeaderCount(), "pairCountLabel")
        self._filter = name_widget(
            FilterField(self._pair_table, "pairFilter", has_ids=False), "pairFilter", self.tr("Filter pairs")
        )
        self._merge_filter = name_widget(
            FilterField(self._merge_table, "mergeFilter", has_ids=True), "mergeFilter", self.tr("Filter merges")
        )
        self._merge_filter.setMaximumWidth(_MERGE_FILTER_WIDTH)
        self._never = NeverButton(
            self._theme, "mergeNeverButton", self.tr("Only merges that never occur in this corpus")
        )
        ties = self.tr("Only ties: merges whose pair was as frequent as others. A row goes to the step where they tie.")
        self._ties = OnlyButton(self.tr("Ties"), "mergeTiesButton", ties)
        self._merge_sum = SumLine("mergeSum", self._merge_table, self._merges.ids_and_sizes, self._session.text)
        self._word_title = SectionTitle("", "wordTitle")
        self._word_filter = name_widget(
            FilterField(self._word_table, "wordFilter", has_ids=False), "wordFilter", self.tr("Filter words")
        )
        self._word_filter.setMaximumWidth(_MERGE_FILTER_WIDTH)
        self._word_filter.setToolTip(self.tr("Show only words with this text, or with these hexadecimal bytes (e4 bd)"))
        self._corpus_line = CorpusLine(self._session)
        self._corpus_line.wanted.connect(self.corpus_wanted)
        self._change_label = SectionTitle("", "stepChangeLabel")
        set_role(self._change_label, "quiet")
        self._change_label.setMinimumWidth(1)  # the filter beside it needs its space first
        clear = self.tr("Clear the selected token (Esc in a table)")
        self._all_words = icon_button(self._theme, "cancel", "allWordsButton", self.tr("Show all words"), clear)
        self._merge_summary = name_widget(HeaderCount(elides=True), "mergeCountLabel")

    def _make_banner(self) -> QFrame:
        banner = name_widget(QFrame(), "staleBanner")
        set_role(banner, "banner")
        changed = self.tr("The corpus or recipe has changed since this run. The next step starts a new one.")
        button = QPushButton(self.tr("Train again"))
        tip = self.tr("Replace this run by one that is trained with the current corpus and recipe. You can undo this.")
        name_widget(button, "trainAgainButton", self.tr("Train again with the current corpus and recipe"))
        button.setToolTip(tip)
        button.clicked.connect(self._train_again)
        row_of((SentenceLabel(changed), 1), button, of=banner, margins=(MARGIN, BAR_PADDING, MARGIN, BAR_PADDING))
        return banner

    def _train_again(self) -> None:
        self._session.train()
        self._pair_table.setFocus()  # the button that had the focus is hidden now

    def _lay_out(self) -> None:
        pair_header = PanelHeader(self._pair_title, self._filter, count=self._pair_summary)
        merge_header = PanelHeader(
            self.tr("Merges"), self._ties, self._never, self._merge_filter, count=self._merge_summary
        )
        self._pair_section = _section(
            pair_header, FutureLine(self._session, self._filter, "pair", has_ids=False), self._pair_table
        )
        words, rest = QWidget(), QFrame()
        set_role(rest, "panel")
        row_of((self._word_table, 1), rest, of=words, spacing=0)
        changed = QWidget()
        row_of((self._change_label, 1), self._word_filter, of=changed, margins=(MARGIN, 0, MARGIN, SMALL_GAP))
        self._word_section = _section(PanelHeader(self._word_title, self._all_words), self._corpus_line, changed, words)
        future = FutureLine(self._session, self._merge_filter, "merge", has_ids=True)
        self._merge_section = QWidget()
        gapless_column(self._merge_section, merge_header, future, (self._merge_table, 1), self._merge_sum)
        lower = splitter(Qt.Orientation.Horizontal, "mergesLowerSplitter", self._word_section, self._merge_section)
        lower.setSizes(list(_WIDTHS))
        parts = splitter(Qt.Orientation.Vertical, "mergesSplitter", self._pair_section, lower)
        parts.setSizes(list(_HEIGHTS))
        self._next = push_button("nextMergeButton", self.tr("Next merge"))
        self._next.setDefault(True)  # for its stronger edge
        self._next.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._next_row = QWidget()
        self._next_row.setFixedHeight(_NEXT_HEIGHT)
        self._next.setMaximumWidth(_LONGEST_LINE // 2)
        self._lessons = push_button("lessonsButton", self.tr("Lessons"))
        row_of((self._next, 1), None, self._lessons, of=self._next_row, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP))
        self._next_row.hide()
        self._corpus_line.hide()
        gapless_column(self, self._banner, self._reason, self._next_row, (parts, 1))

    def _connect(self) -> None:
        session = self._session
        session.cursor.steps_changed.connect(self._show_run)
        session.cursor.moved.connect(self._show)
        session.work.changed.connect(self._show_activity)
        session.counts.changed.connect(self._show_counting)
        session.run.stale_changed.connect(self._show_banner)
        session.corpus.recipe_changed.connect(self._show_reason)
        session.overlay.changed.connect(self._show_overlay)
        self._theme.changed.connect(self._apply_theme)
        self._pairs.refreshed.connect(self._show_pairs)
        self._pair_table.selectionModel().selectionChanged.connect(self._show_selected_pair)
        for table in (self._pair_table, self._word_table, self._merge_table):
            table.escaped.connect(session.selection.clear)
        self._all_words.clicked.connect(session.selection.clear)
        session.selection.changed.connect(self._show_selection)
        session.selection.asked.connect(self._show_question)
        self._pair_table.resized.connect(self._fit_pairs)
        self._pair_table.resized.connect(self._keep_asked_in_view)
        self._pair_table.verticalScrollBar().valueChanged.connect(self._fit_pairs)
        self._word_table.clicked_at.connect(self._select_in_word)
        self._merge_table.selectionModel().currentRowChanged.connect(self._go_to)
        self._merge_table.clicked.connect(self._select_merge)
        self._filter.textChanged.connect(self._filter_pairs_soon)
        self._merge_filter.textChanged.connect(self._filter_merges)
        self._word_filter.textChanged.connect(self._filter_words_soon)
        for button in (self._never, self._ties):
            button.toggled.connect(self._filter_merges)

    def _apply_theme(self) -> None:
        theme = self._theme
        self._reason.set_look(theme.token_font(), theme.token_palette())
        self._laid_out.start()

    def _go_to_current_merge(self) -> None:
        self._merge_table.go_to(self._merges.current_row)

    # -- following the session --------------------------------------------------------------------------------------

    def _show_run(self) -> None:
        """Show another run, or an opened tokenizer, which has no pairs or words."""
        has_pairs, focused = self._session.opened.tokenizer is None, QApplication.focusWidget()
        self._show_banner()
        self._show_sections()
        with QSignalBlocker(self._merge_filter):
            self._merge_filter.clear()
        before, self._documents = self._documents, frozenset(each.identity for each in self._session.corpus.documents)
        if self._filter.text() and before.isdisjoint(self._documents):  # it was about another corpus
            self._filter.clear()
            self._filter_pairs()
        if before.isdisjoint(self._documents):
            self._word_filter.clear()
            self._words.set_filter("")
        self._token_widths = dict.fromkeys(_TOKENS, 0)
        self._merge_table.reset_widths()
        self._word_table.reset_widths()
        self._word_table.setMaximumWidth(_LONGEST_LINE)
        if not has_pairs and focused is not None and self.isAncestorOf(focused):
            self.setFocus()  # otherwise Qt moves the focus to an arbitrary widget when the focused one is hidden
        self._show()
        self._laid_out.start()

    def follow_step(self, step: QAction, lessons: QMenu) -> None:
        """Let the large button trigger the action that merges the next pair, and the one beside it open the lessons."""
        ActionFollower(self._next, step)
        self._lessons.setMenu(lessons)

    def show_only_next(self, is_learning: bool) -> None:
        """Show only the next merge, a large button for it and the words, or show everything again."""
        self._next_row.setVisible(is_learning)
        self._corpus_line.setVisible(is_learning)
        self._show_sections()

    def _show_sections(self) -> None:
        has_pairs, shows_all = self._session.opened.tokenizer is None, self._next_row.isHidden()
        self.first = self._merge_table if not has_pairs else self._pair_table if shows_all else self._word_table
        self._pair_section.setVisible(has_pairs and shows_all)
        self._word_section.setVisible(has_pairs)
        self._merge_section.setVisible(shows_all or not has_pairs)

    def _show_banner(self) -> None:
        self._banner.setVisible(self._session.run.is_stale and self._session.opened.tokenizer is None)

    def _show(self) -> None:
        """Show everything at the session's cursor; while a thread trains, grey what was shown last."""
        self._show_reason()
        training, steps = self._session.cursor.is_following_training, self._session.cursor.steps
        self._was_training = training
        if steps is not None or not training:
            with self._updating:
                self._pairs.refresh(self._session.cursor.trainer, self._session.overlay.next_pair)
                self._pairs.load_screen(self._pair_table.rowAt(0))
            self._merge_table.set_absent(MergeColumn.COUNT, steps is not None and steps.counts is None)
            self._show_merges()
            self._widen_columns(steps)
            self._show_words()
            self._move_with_step(steps)
        if training:
            if steps is not None:
                self._words.load()
            for model in (self._pairs, self._words, self._merges):
                model.hold()

    def _widen_columns(self, steps: Steps | None) -> None:
        """Make the columns wide enough for the largest rank, step and count."""
        self._pair_table.widen(PairColumn.RANK, number(self._pairs.rowCount()))
        self._pair_table.set_widest(PairColumn.COUNT, number(self._pairs.top_count))
        if isinstance(steps, Trainer) and steps.plan.has_vetoes:
            self._pair_table.widen(PairColumn.TIE, banned_mark())
        self._fit_pairs()
        if steps is not None and steps.run_length:
            self._merge_table.widen(MergeColumn.STEP, number(steps.run_length))
            counts = steps.counts
            largest = 0 if counts is None else int(counts.max())
            self._merge_table.widen(MergeColumn.COUNT, f"×{number(largest)}")

    def _fit_pairs(self) -> None:
        """Give the parts of the visible pairs the width they need; the tokens they make get the rest.

        Within a run, columns only get wider, so that stepping does not move them. The bars next to the counts give way
        to tokens.
        """
        table = self._pair_table
        first = max(0, table.rowAt(0))
        rows = [self._pairs.rows[row] for row in range(first, min(first + table.rows_in_view, self._pairs.rowCount()))]
        for column in _TOKENS:
            needed = table.chips.needed_width(rows, column)
            title = table.width_of(self._pairs.columns[column].title)
            self._token_widths[column] = max(needed, title, self._token_widths[column])
        header = table.horizontalHeader()
        bars = _BARS_WIDTH if table.width() >= _BARS_FROM else 0
        texts = number(self._pairs.top_count), self._pairs.columns[PairColumn.COUNT].title
        others = sum(map(header.sectionSize, (PairColumn.RANK, PairColumn.CHANGE, PairColumn.TIE)))
        space = table.viewport().width() - others
        bars = min(bars, space - sum(self._token_widths.values()))
        count_width = max(bars, *map(table.width_of, texts))
        header.resizeSection(PairColumn.COUNT, count_width)
        least = table.width_of(self._pairs.columns[PairColumn.MERGED].title)
        widths = _shared(space - count_width, *self._token_widths.values(), least=least)
        for column, width in zip(_TOKENS, widths, strict=False):
            header.resizeSection(column, width)

    def _show_activity(self) -> None:
        if self._was_training != self._session.cursor.is_following_training:
            self._show()
        elif self._session.work.activity is not Activity.MOVING:  # a move announces its position itself
            self._show_reason()

    def _show_counting(self) -> None:
        """Say whether words are being counted, or why there are none."""
        self._show_reason()
        self._word_table.hint = self._word_hint()
        self._merge_table.hint = self._merge_hint()

    def _move_with_step(self, steps: Steps | None) -> None:
        """After a single step forward, draw the parts of the new token together and let the bars grow or shrink."""
        before, self._shown_position = self._shown_position, None if steps is None else steps.position
        words: Sequence[int] = ()
        pairs = merges = words
        if before is not None and self._shown_position == before + 1:
            if self._words.changed_rows:  # which are the first ones
                self._word_table.scrollToTop()
            words = range(min(self._words.changed_rows, self._word_table.rows_in_view))
            first = max(0, self._pair_table.rowAt(0))
            in_view = range(first, min(first + self._pair_table.rows_in_view, self._pairs.rowCount()))
            pairs = [row for row in in_view if self._pairs.rows[row].has_moved]
            merges = [self._merges.current_row] if self._merges.current_row >= 0 else merges
            self._theme.motion.begin(self)
        elif before != self._shown_position:
            self._theme.motion.end()
        self._word_table.move_with_step(words, WordColumn.WORD)
        self._pair_table.move_with_step(pairs, PairColumn.COUNT)
        self._merge_table.move_with_step(merges)

    def _show_merges(self) -> None:
        steps = self._session.cursor.steps
        if steps is not None:
            self._never.offer(has_never(steps))
            self._ties.offer(bool(np.any(ties_of(steps))))
        wanted, is_filtered = self._wanted, bool(self._wanted)
        with self._updating:
            hides = self._session.selection.asks_for_next  # what a lesson asks for, if it has been made before
            self._merges.refresh(steps, wanted, hides_ahead=hides)
            self._merge_table.hint = self._merge_hint()
            if not is_filtered or self._merges.current_row >= 0:  # otherwise the filter hides the cursor's merge
                self._merge_table.go_to(self._merges.current_row)
        shown = self.tr("{count} shown").format(count=number(self._merges.rowCount()))
        is_sum = is_filtered and not wanted.only_ties
        most = int(np.max(ties_of(steps), initial=1)) if wanted.only_ties else 1
        width = self._merge_table.width_of(tie_mark(most, counts=wanted.only_ties))
        self._merge_table.horizontalHeader().resizeSection(MergeColumn.TIE, width)
        ties = ""
        if wanted.only_ties and isinstance(steps, Trainer):
            ties = self.tr("“=2” means that 2 other pairs were as frequent; {rule}")
            ties = ties.format(rule=tie_rule_clause(steps.stage_recipe))
        self._merge_sum.show_total(ties, shown if is_sum else "")
        known = self._session.cursor.run_length
        done = self._merges.rowCount() if is_filtered else self._session.cursor.position
        summary = self.tr("{done} of {known}").format(done=number(done), known=number(known))
        self._merge_summary.setText(summary if known else "")
        self._merge_summary.setToolTip(
            self.tr("Matching merges out of all known merges")
            if is_filtered
            else self.tr("Merges done out of all known merges")
        )

    def _show_question(self) -> None:
        """While a lesson asks which pair is next, list the pairs alphabetically, without their ranks."""
        asks, header = self._session.selection.asks_for_next, self._pair_table.horizontalHeader()
        if asks:
            self._order = header.sortIndicatorSection(), header.sortIndicatorOrder()
        self._pair_table.set_absent(PairColumn.RANK, asks)
        self._pairs.hide_next(asks)
        self._pair_table.sortByColumn(*((PairColumn.LEFT, ASCENDING) if asks else self._order))
        self._pair_table.scrollToTop()
        self._keep_asked_in_view()
        self._show_merges()
        self._show_reason()

    def _keep_asked_in_view(self) -> None:
        """Scroll to the pair that a lesson asks for, so that its row is not cut."""
        if self._session.selection.asks_for_next and (merge := self._session.cursor.next_merge) is not None:
            row = self._pairs.row_of((merge.left, merge.right))
            self._pair_table.scrollToTop()  # and no further down than that, once the table is tall enough
            self._pair_table.scrollTo(self._pairs.index(row, PairColumn.LEFT))

    def _show_reason(self) -> None:
        session = self._session
        if session.opened.tokenizer is not None:
            from_project = session.opened.tokenizer.format == PROJECT
            self._reason.show_reason(reason_for_merges_only(from_project=from_project, has_run=session.run.exists))
        elif session.cursor.is_following_training:
            self._reason.show_reason(reason_while_training())
        elif session.cursor.trainer is not None:
            self._show_step_reason(session.cursor.trainer)
        elif session.counts.error is not None:
            self._reason.show_reason(error_message(session.counts.error), PLAIN_TEXT)
        else:
            self._reason.show_reason(reason_while_counting())

    def _show_step_reason(self, trainer: Trainer) -> None:
        is_full = trainer.position >= self._session.cursor.target_position
        merge, obstacle = next_merge(trainer, is_full=is_full), trainer.obstacle()
        if self._session.selection.asks_for_next:
            self._reason.show_reason(self.tr("Which pair is next?"))
        elif obstacle is not None:
            self._reason.show_reason(error_message(obstacle), PLAIN_TEXT)
        elif merge is None:
            self._reason.show_reason(step_reason(trainer, target=self._session.corpus.vocab_size))
        else:
            self._reason.show_merge(step_reason(trainer, is_full=is_full), merge)

    def _show_overlay(self) -> None:
        """Mark the pair that the other run merges next."""
        if self._session.cursor.trainer is not None:
            self._pairs.mark_elsewhere(self._session.overlay.next_pair)

    def _show_pairs(self) -> None:
        self._pair_summary.setText(self._pairs.summary)
        trainer, hint, titles = self._session.cursor.trainer, "", [self.tr("Pairs")]
        if trainer is not None and not self._pairs.total:
            hint = self.tr("No pairs are left: every word is a single token.")
        elif trainer is not None:
            hint = self.tr("No pairs match the filter.") if self._filter.text() else ""
            step = number(trainer.position + 1)
            of_step = self.tr("Pairs for step {step}"), self.tr("For step {step}")
            titles = [*(each.format(step=step) for each in of_step), *titles]
        self._pair_title.setText(*titles)
        self._pair_table.hint = hint
        self._select_pair_row()

    def _select_pair_row(self) -> None:
        pair = self._session.selection.pair
        with self._updating:
            self._pair_table.select_in_place(self._pairs.row_of(pair) if pair else -1)

    def _show_words(self) -> None:
        selected = self._session.selection.selected
        self._words.refresh(self._session.cursor.trainer, selected)
        first = max(0, self._word_table.rowAt(0))
        in_view = range(first, min(first + self._word_table.rows_in_view + 1, self._words.rowCount()))
        shown = [self._words.rows[row] for row in in_view]  # now: a thread may start training before they are painted
        if any(row.symbols.text for row in shown):
            self._word_table.setMaximumWidth(ANY_WIDTH)  # bytes take more space than characters
        self._word_table.widen(WordColumn.COUNT, number(self._words.largest_count))
        self._word_title.setText(*self._word_title_texts())
        self._all_words.setVisible(selected is not None)
        self._word_table.hint = self._word_hint()
        self._change_label.setText(*self._change_texts())

    def _word_title_texts(self) -> tuple[str, str]:
        """Return the title of the words, and a shorter one."""
        selection = self._session.selection
        if selection.token is None:
            return self.tr("Words at this step · {words}").format(words=self._words.summary), self.tr("Words")
        parts = selection.pair or (selection.token,)
        template, all_words = self.tr("Words with {token} · {words}"), self.tr("All words")
        if not self._words.is_found:
            if (step := selection.later_step_of(selection.token)) is not None:
                template = self.tr("All words: {token} comes at step {step}")
                return template.format(step=number(step), token=quoted_token(selection.token)), all_words
            template = self.tr("All words: no token {token} at this step")
            if selection.pair is not None:
                template = self.tr("All words: no {token} side by side at this step")
        title = template.format(token=" + ".join(map(quoted_token, parts)), words=self._words.summary)
        return title, "" if self._words.is_found else all_words

    def _change_texts(self) -> tuple[str, ...]:
        """Return how many words the last step changed, in how many places, and shorter forms.

        It is empty at the start, and while only words with the selection are listed and some changed ones have none.
        """
        change = self._words.change
        if change is None or self._words.changed_rows < len(change.words):
            return ("",)
        words = counted(change.total.words, self.tr("1 word"), self.tr("{count} words"))
        places = counted(change.total.occurrences, self.tr("1 place"), self.tr("{count} places"))
        text, shorter = self.tr("Changed: {words}, {places}"), self.tr("Changed: {words}")
        forms = text.format(words=words, places=places), shorter.format(words=words), words
        return *forms, number(change.total.words)

    def _word_hint(self) -> str:
        if self._session.cursor.trainer is not None:
            return self.tr("No words match the filter.") if self._word_filter.text() else ""
        return self._reason_without_words() or self.tr("No words yet.")

    def _merge_hint(self) -> str:
        if self._wanted:
            return self.tr("No merges match the filter.")
        if self._session.cursor.steps is None:
            return self._reason_without_words() or self.tr("No merges yet.")
        return self.tr("No merges yet. Step forward to make the first one.")

    def _reason_without_words(self) -> str:
        session = self._session
        return reason_without_words(session.counts.error, is_empty=session.corpus.is_empty)

    @property
    def _wanted(self) -> MergeFilter:
        return MergeFilter(self._merge_filter.text(), self._never.isChecked(), self._ties.isChecked())

    # -- input -----------------------------------------------------------------------------------------------------

    def _show_selected_pair(self) -> None:
        """Select the pair in the row that the user chose, or nothing."""
        if self._updating or self._session.cursor.trainer is None:
            return
        rows = self._pair_table.selectionModel().selectedRows()
        if rows:
            self._session.selection.select_pair(*self._pairs.pair_at(rows[0].row()))
        elif self._session.selection.pair is not None:
            self._session.selection.clear()

    def _select_in_word(self, index: QModelIndex, point: QPointF) -> None:
        """Select the token at a point of the word table."""
        if (
            self._session.cursor.trainer is not None
            and (symbol := self._word_table.symbol_at(index, point)) is not None
        ):
            self._session.selection.select_token(symbol)

    def _select_merge(self, index: QModelIndex) -> None:
        """Go to a merge that the user clicked, and select its token, or its pair among those that it ties with."""
        self._go_to(index)
        steps, rank = self._session.cursor.steps, self._merges.rank_of(index.row())
        if steps is not None and rank < steps.run_length:
            merge = steps.merge_at(rank)
            if self._ties.isChecked():
                self._session.selection.select_pair(merge.left, merge.right)
            else:
                self._session.selection.select_token(merge.token)

    def _show_selection(self) -> None:
        """Mark the selected token or pair, unless a thread is training: then nothing changes."""
        if self._session.cursor.trainer is not None:
            self._select_pair_row()
            self._show_words()
        token = self._session.selection.token
        for model in (self._pairs, self._merges):
            model.mark(token)

    def _go_to(self, index: QModelIndex) -> None:
        if index.isValid() and not self._updating:
            self._session.cursor.go_to(self._merges.position_of(index.row()))

    def begin_search(self) -> None:
        """Move the focus to the filter of the merges or words if it is in them, otherwise to that of the pairs."""
        if self._word_table.hasFocus() or self._word_filter.hasFocus():
            self._word_filter.take_focus()
            return
        is_in_merges = self._merge_table.hasFocus() or self._session.opened.tokenizer is not None
        (self._merge_filter if is_in_merges or self._merge_filter.hasFocus() else self._filter).take_focus()

    def _filter_merges(self) -> None:
        self._show_merges()
        with self._updating:
            self._merge_table.go_to(self._merges.current_row)

    def _filter_words_soon(self) -> None:
        trainer = self._session.cursor.trainer
        if trainer is not None and len(trainer.word_counts) > _MANY_PAIRS:
            self._word_pause.start()
        else:
            self._filter_words()

    def _filter_words(self) -> None:
        self._words.set_filter(self._word_filter.text())
        if not self._session.cursor.is_following_training:
            self._show_words()

    def _filter_pairs_soon(self) -> None:
        """Filter the pairs; if there are many, after a pause in typing."""
        if self._pairs.total > _MANY_PAIRS:
            self._filter_pause.start()
        else:
            self._filter_pairs()

    def _filter_pairs(self) -> None:
        with self._updating:
            self._pairs.set_filter(self._filter.text())


def _shared(space: int, left: int, right: int, merged: int, *, least: int) -> tuple[int, int]:
    """Return the column widths of the parts, which share `space` with the token they make.

    The columns need `left`, `right` and `merged`. If equal widths are enough, all three are equal; if the total is
    enough, each has what it needs. Otherwise the result shrinks first, down to a third or the `least` width; then the
    longer part does.
    """
    needed, equal = (left, right, merged), space // 3
    if max(needed) <= equal:
        return equal, equal
    if sum(needed) <= space:
        spare = (space - sum(needed)) // 3
        return left + spare, right + spare
    parts = min(left + right, space - max(equal, least))
    shorter = min(left, right, parts // 2)
    return (shorter, parts - shorter) if left <= right else (parts - shorter, shorter)


def _section(*widgets: QWidget) -> QWidget:
    """Return a header with the widgets below it; the last one takes all the remaining height."""
    section = QWidget()
    layout = gapless_column(section)
    for widget in widgets[:-1]:
        layout.addWidget(widget)
    layout.addWidget(widgets[-1], 1)
    return section
