"""The window that shows up to four tokenizers side by side on the text to encode, and how they differ."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, gapless_column
from bpe_gui.gui.look.overlays import DropHighlight, Veil
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget, splitter
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tools.tool_window import ToolWindow
from bpe_gui.gui.wording.numbers import counted

from .compared import Compared
from .compared_tokenizers import ComparedTokenizers
from .difference_walk import DifferenceWalk
from .live_comparison import LiveComparison
from .names import letter, name_of
from .notes import notes_on
from .parts.add_menu import AddMenu
from .parts.difference_bar import DifferenceBar
from .parts.list_panel import ListPanel
from .parts.merge_lists import MergeLists
from .parts.numbers_table import NumbersTable
from .parts.pair_panel import PairPanel
from .parts.texts_panel import TextsPanel
from .parts.work_line import WorkLine
from .tokenizer_maker import TokenizerMaker
from .vocabularies import Vocabularies

_SIZE: Final = QSize(1160, 740)
_WIDTHS: Final = (220, 940)  # pixels, of the list and the rest
_TABLE_WIDTHS: Final = (474, 466)  # pixels, of the numbers and the pair
_HEIGHTS: Final = (410, 290)  # pixels, of the texts and the tables


class CompareWindow(ToolWindow):
    """A window of its own, beside the main window, whose text, step and selected token it follows."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        tokenizers: ComparedTokenizers,
        live: LiveComparison,
        vocabularies: Vocabularies,
        maker: TokenizerMaker,
        choose_file: Callable[[QWidget], Path | None],
        parent: QWidget,
    ) -> None:
        """`choose_file` asks in a dialog of a window for the file of a tokenizer."""
        super().__init__("compareWindow", parent)
        self.setWindowTitle(self.tr("Compare tokenizers"))
        self._session = session
        self._tokenizers = tokenizers
        self._live = live
        self._vocabularies = vocabularies
        self._maker = maker
        self.list_panel = ListPanel(tokenizers, theme)
        self._bar = DifferenceBar(theme, self)
        self._note = SentenceLabel(name="comparisonNote")
        self._texts = TextsPanel(theme, live.spans_near)
        self._table = NumbersTable(theme)
        self._pair = PairPanel(tokenizers, vocabularies, theme)
        self._merges = MergeLists(theme)
        self._pages = name_widget(QTabWidget(), "comparisonPages", self.tr("Numbers and merges"))
        self._veil = Veil(self._pages)
        self._walk = DifferenceWalk(live)
        self._work = WorkLine(maker, theme)
        self._add_menu = AddMenu(self.list_panel.menu, session, tokenizers, maker, choose_file, self)
        self._lay_out()
        self._connect()
        self._show_texts()
        self.setAcceptDrops(True)
        DropHighlight(self)
        self._show_merges()
        self.resize(_SIZE)

    def compare_runs(self, item: Compared) -> None:
        """Show how a run differs from the one in the main window, merge by merge."""
        self._pair.choose(self._tokenizers.current, item)
        self._pages.setCurrentWidget(self._merges)

    def _lay_out(self) -> None:
        set_role(self._note, "quiet")
        self._note.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        self.list_panel.foot.addWidget(self._work)
        texts = QWidget()
        column = gapless_column(texts)
        column.addWidget(self._bar)
        column.addWidget(self._note)
        column.addWidget(self._texts, 1)
        below = splitter(Qt.Orientation.Horizontal, "comparisonTables", self._table, self._pair)
        below.setSizes(_TABLE_WIDTHS)
        self._pages.addTab(below, self.tr("Numbers and tokens"))
        self._pages.addTab(self._merges, self.tr("Merges side by side"))
        self._rows = splitter(Qt.Orientation.Vertical, "comparisonRows", texts, self._pages)
        self._rows.setSizes(_HEIGHTS)
        self._rows.setStretchFactor(0, 1)
        self._parts = splitter(Qt.Orientation.Horizontal, "comparisonSplitter", self.list_panel, self._rows)
        self._parts.setSizes(_WIDTHS)
        self._parts.setStretchFactor(1, 1)
        gapless_column(self).addWidget(self._parts)

    def _connect(self) -> None:
        tokenizers, live = self._tokenizers, self._live
        tokenizers.shown_changed.connect(self._show_texts)
        tokenizers.tokenizer_changed.connect(self._show_texts)
        tokenizers.list_changed.connect(self._show_numbers)
        live.text_replaced.connect(self._show_texts)
        live.text_edited.connect(self._follow_edit)
        live.tokens_changed.connect(self._texts.tokens_changed)
        live.changed.connect(self._show_results)
        self._vocabularies.outdated.connect(self._dim)
        self._vocabularies.changed.connect(self._show_numbers)
        self._vocabularies.changed.connect(self._show_merges)
        self._table.clicked.connect(self._choose_second)
        self.list_panel.menu.aboutToShow.connect(self._work.clear_words)
        self.list_panel.all_recipes.clicked.connect(self._work.clear_words)
        self.list_panel.all_recipes.clicked.connect(self._add_menu.train_all)
        self.list_panel.too_many.connect(self._explain_limit)
        self._bar.next_wanted.connect(self._go_to_next)
        self._bar.previous_wanted.connect(self._go_to_previous)
        self._bar.ids_toggled.connect(self._texts.set_ids_visible)
        self._texts.token_chosen.connect(self._session.selection.select)
        self._pair.token_chosen.connect(self._session.selection.select)
        self._merges.token_chosen.connect(self._session.selection.select)
        self._merges.step_chosen.connect(self._session.cursor.seek)
        self._session.selection.changed.connect(self._show_selection)

    def _choose_second(self, index: QModelIndex) -> None:
        self._pair.choose_second(self._tokenizers.items[index.row()])

    def _go_to_next(self) -> None:
        self._go_to(self._walk.next(self._texts.top))

    def _go_to_previous(self) -> None:
        self._go_to(self._walk.previous(self._texts.top))

    # -- dropped files -----------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the tokenizers in files that are dropped."""
        self._work.clear_words()
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self._maker.read(Path(url.toLocalFile()))

    # -- showing ----------------------------------------------------------------------------------------------------

    def _show_texts(self) -> None:
        shown = self._tokenizers.shown
        self._texts.show_items(shown, [letter(self._tokenizers.items.index(item)) for item in shown])
        self._walk.forget()
        self._show_selection()
        self._show_numbers()

    def _follow_edit(self, start: int, removed: int, added: int) -> None:
        self._texts.follow_edit(start, removed, added)
        self._walk.forget()
        self._show_position()
        self._dim()

    def _dim(self) -> None:
        """Dim the results as long as they are those of other texts or tokenizers."""
        self._veil.set_dimmed(not (self._live.is_settled and self._vocabularies.is_settled))

    def _show_results(self) -> None:
        self._texts.tokens_changed()
        self._show_numbers()

    def _show_numbers(self) -> None:
        items = self._tokenizers.items
        self._table.show_items(items)
        for column in self._texts.columns:
            if column.item not in items:  # it is about to go
                continue
            numbers = column.item.numbers
            tokens = "" if numbers is None else counted(numbers.tokens, self.tr("1 token"), self.tr("{count} tokens"))
            column.show_words(f"{letter(items.index(column.item))}  {name_of(column.item)}", tokens)
        note = notes_on(self._tokenizers, self._live)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._show_position()
        self._dim()

    def _show_merges(self) -> None:
        """Show the merges of the two tokenizers that were chosen to be compared."""
        result, items = self._vocabularies.pair, self._tokenizers.items
        if result is None or any(item not in items for item in result.items):
            self._merges.show_merges(None, ("", ""), (False, False))
            return
        first, second = result.items
        names = letter(items.index(first)), letter(items.index(second))
        self._merges.show_merges(result.merges, names, (first.has_marker, second.has_marker))

    def _show_position(self) -> None:
        differences, live = self._live.differences, self._live
        is_waiting = differences is None and not live.is_compared and len(live.aligned()) > 1
        self._bar.show_position(
            self._walk.index, None if differences is None else len(differences), is_waiting=is_waiting
        )

    def _show_selection(self) -> None:
        self._texts.mark(self._session.selection.selected)
        self._pair.mark(self._session.selection.token)

    def _explain_limit(self) -> None:
        self._note.setText(self.tr("At most four texts fit side by side. Hide one of them first."))
        self._note.show()

    def _go_to(self, span: tuple[int, int] | None) -> None:
        if span is not None:
            self._texts.go_to(*span)
            self._show_position()
