"""The page that shows up to four tokenizers side by side on the text to encode, and how they differ."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QTabWidget, QToolButton, QWidget

from bpe_gui.engine import TokenizerSource, token_in_sentence
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, PanelHeader, SectionTitle, gapless_column
from bpe_gui.gui.look.overlays import Dimmer, DropHighlight, local_files
from bpe_gui.gui.look.qt_constants import HORIZONTAL, VERTICAL
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import (
    CopyButton,
    SentenceLabel,
    copy_shown,
    count_label,
    icon_button,
    name_widget,
    plain_tool_tip,
    splitter,
)
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import ToolPage
from bpe_gui.gui.wording.phrases import counted, labelled, number, tokens_text, with_keys

from .adding import AddMenu, WorkLine
from .chats_panel import ChatsPanel
from .compared import Compared, ComparedTokenizers
from .list_panel import ListPanel, NumbersTable
from .live_comparison import MOST_COUNTED, DifferenceWalk, FrequentDifference, LiveComparison
from .merge_lists import MergeLists
from .pair_panel import PairPanel
from .recipe_trainer import RecipeTrainer
from .texts_panel import TextsPanel
from .tokenizer_names import letter, name_of, notes_on
from .vocabularies import Vocabularies


class DifferenceBar(QWidget):
    """The header of the texts: the current difference, and buttons to go to another, show the ids and copy."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._label = count_label(theme, "differenceLabel")
        self.show_frequent([], [], is_all=True)
        self.previous = icon_button(theme, "find-previous", "previousDifferenceButton", self.tr("Previous difference"))
        self.next = icon_button(theme, "find-next", "nextDifferenceButton", self.tr("Next difference"))
        for button, keys in ((self.previous, "Shift+F3"), (self.next, "F3")):  # actions of the window
            button.setToolTip(with_keys(button.toolTip(), keys))
        self.ids = name_widget(QToolButton(autoRaise=True), "showIdsButton", self.tr("Show ids"))
        self.ids.setText(self.tr("Ids"))
        self.ids.setToolTip(self.tr("Show the ids below each text"))
        self.ids.setCheckable(True)
        self.copy = CopyButton("copyComparison")
        self.open = icon_button(theme, "open", "openComparedTextButton", self.tr("Open text…"))
        title = SectionTitle(self.tr("Text"))
        gapless_column(self, PanelHeader(title, self._label, self.previous, self.next, self.ids, self.open, self.copy))

    def show_frequent(self, letters: Sequence[str], frequent: Sequence[FrequentDifference], *, is_all: bool) -> None:
        """Tell in a tooltip what differs most often, by the letters of the tokenizers.

        `is_all` says that all differences were counted, not only the first `MOST_COUNTED`.
        """
        lines = [
            self.tr("Underlined is what a tokenizer splits unlike the base, and in the base what any of them does.")
        ]
        if frequent:
            among = self.tr("The most frequent of the first {count}:").format(count=number(MOST_COUNTED))
            lines += ["", self.tr("The most frequent:") if is_all else among]
        for splits, times in frequent:
            sides = (labelled(*each) for each in zip(letters, map(_split_text, splits), strict=True))
            lines.append(f"×{number(times)}   {'   '.join(sides)}")
        self._label.setToolTip(plain_tool_tip("\n".join(lines)))

    def show_position(self, index: int | None, count: int | None, *, is_waiting: bool) -> None:
        """Show the index of the current difference, None if there is none, and the total.

        The total is None if nothing can be compared, or while the comparison `is_waiting` for tokens.
        """
        for button in (self.previous, self.next):
            button.setEnabled(bool(count))
        self._label.setText(self.tr("comparing…") if is_waiting else self._text(index, count))

    def _text(self, index: int | None, count: int | None) -> str:
        if count is None:
            return ""
        if count == 0:
            return self.tr("no differences")
        if index is None:
            return counted(count, self.tr("1 difference, underlined"), self.tr("{count} differences, underlined"))
        return self.tr("difference {index} of {count}").format(index=number(index + 1), count=number(count))


def _split_text(tokens: Sequence[bytes]) -> str:
    """Return the tokens of a piece with bars between them; of a long piece, the first ones."""
    shown = [token_in_sentence(token, _LONGEST) for token in tokens[:_MOST_SHOWN]]
    return " | ".join([*shown, "…"] if len(tokens) > _MOST_SHOWN else shown)


_LONGEST: Final = 24  # characters of a token in the list of frequent differences
_MOST_SHOWN: Final = 8  # tokens of a piece there

_WIDTHS: Final = (250, 910)  # pixels, of the list and the texts
_TABLE_WIDTHS: Final = (620, 540)  # pixels, of the numbers and the pair
_HEIGHTS: Final = (300, 400)  # pixels, of the texts and the tables


class ComparePage(ToolPage):
    """Follows the window's text, step and selected token; the text can be typed in any of its columns.

    `open_requested`: open a file as the text.
    """

    open_requested = Signal()

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        tokenizers: ComparedTokenizers,
        live: LiveComparison,
        vocabularies: Vocabularies,
        trainer: RecipeTrainer,
        choose_file: Callable[[QWidget], Path | None],
    ) -> None:
        """`choose_file` asks, in a dialog on top of a widget's window, for a tokenizer file."""
        super().__init__()
        self.setObjectName("compareWindow")
        self._session = session
        self._tokenizers = tokenizers
        self._live = live
        self._vocabularies = vocabularies
        self.list_panel = ListPanel(tokenizers, theme)
        self._bar = DifferenceBar(theme)
        self._note = SentenceLabel(name="comparisonNote", role="quiet")
        self._texts = TextsPanel(theme, live.spans_near)
        self._table = NumbersTable(theme)
        self._pair = PairPanel(tokenizers, vocabularies, theme)
        self._merges = MergeLists(theme)
        self._chats = ChatsPanel(session.chat, theme)
        self._pages = name_widget(QTabWidget(), "comparisonPages", self.tr("Numbers, merges and chats"))
        self._dimmer = Dimmer(self._pages)
        self._walk = DifferenceWalk(live)
        self._waits_for_gpt_4 = False
        self._work = WorkLine(trainer, theme)
        menu = self.list_panel.menu
        self._add_menu = AddMenu(menu, session, settings, tokenizers, trainer, choose_file, theme, self)
        self._lay_out()
        self._connect()
        self._show_texts()
        self.first = self.list_panel.list
        self.setAcceptDrops(True)
        DropHighlight(self)
        self._show_merges()

    def add_gpt_4(self) -> None:
        """Add GPT-4's tokenizer, from the network if need be; if that fails, say what there is instead."""
        self._waits_for_gpt_4 = True
        if not self._add_menu.add_gpt_4():
            self._tell_failure()

    def _tell_failure(self) -> None:
        if self._waits_for_gpt_4:
            self._work.say(self.tr("GPT-4’s tokenizer cannot be fetched now. “Add” has what is on this computer."))

    def _clear_words(self) -> None:
        self._waits_for_gpt_4 = False
        self._work.clear_words()

    def compare_runs(self, item: Compared) -> None:
        """Show, merge by merge, how a run differs from the one on screen."""
        self._pair.choose(self._tokenizers.current, item)
        self._pages.setCurrentWidget(self._merges)

    def _lay_out(self) -> None:
        self._note.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        self.list_panel.foot.addWidget(self._work)
        texts = QWidget()
        gapless_column(texts, self._bar, self._note, (self._texts, 1))
        below = splitter(HORIZONTAL, "comparisonTables", self._table, self._pair, sizes=_TABLE_WIDTHS)
        self._pages.addTab(below, self.tr("Numbers and tokens"))
        self._pages.addTab(self._merges, self.tr("Merges side by side"))
        self._pages.addTab(self._chats, self.tr("Chat"))
        above = splitter(HORIZONTAL, "comparisonSplitter", self.list_panel, texts, sizes=_WIDTHS, stretch=(0, 1))
        self._rows = splitter(VERTICAL, "comparisonRows", above, self._pages, sizes=_HEIGHTS, stretch=(1, 1))
        gapless_column(self, self._rows)

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
        self._session.opened.list_changed.connect(self._clear_words)
        self._session.opened.failed.connect(self._tell_failure)
        self.list_panel.too_many.connect(self._explain_limit)
        self._bar.next.clicked.connect(self.find_next)
        self._bar.previous.clicked.connect(self.find_previous)
        self._bar.ids.toggled.connect(self._texts.set_ids_visible)
        self._bar.open.clicked.connect(self.open_requested)
        self._bar.copy.wanted.connect(self._copy)
        self._texts.edited.connect(live.edit)
        self._texts.files_dropped.connect(self._add_files)
        self._texts.warned.connect(self._work.say)
        self._texts.token_chosen.connect(self._session.selection.select)
        self._pair.token_chosen.connect(self._session.selection.select)
        self._merges.token_chosen.connect(self._session.selection.select)
        self._merges.step_chosen.connect(self._session.cursor.go_to)
        self._session.selection.changed.connect(self._show_selection)

    def _copy(self, as_picture: bool) -> None:
        model = self._table.table_model
        columns, rows = range(len(model.columns)), range(model.rowCount())
        cells = [[str(model.index(row, column).data() or "") for column in columns] for row in rows]
        lines = ["\t".join(row) for row in [[column.title for column in model.columns], *cells]]
        copy_shown(self._rows, "\n".join([*lines, *self._pair.sentences]), as_picture=as_picture)

    def _choose_second(self, index: QModelIndex) -> None:
        self._pair.choose_second(self._tokenizers.items[index.row()])

    # -- searching --------------------------------------------------------------------------------------------------

    def begin_search(self) -> None:
        """Filter the tokens that only one of the two has."""
        self._pages.setCurrentIndex(0)
        self._pair.begin_search()

    def find_next(self) -> None:
        self._go_to(self._walk.next(self._texts.top))

    def find_previous(self) -> None:
        self._go_to(self._walk.previous(self._texts.top))

    # -- dropped files -----------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add the tokenizers from dropped files."""
        self._add_files(local_files(event.mimeData()))

    def _add_files(self, paths: Sequence[Path]) -> None:
        self._work.clear_words()
        self._session.opened.open_beside(*map(TokenizerSource, paths))

    # -- showing ----------------------------------------------------------------------------------------------------

    def _show_texts(self) -> None:
        shown = self._tokenizers.shown
        letters = [letter(self._tokenizers.items.index(item)) for item in shown]
        self._texts.show_items(shown, letters, self._session.text.history)
        self._chats.show_items(shown, letters)
        self._walk.forget()
        self._show_selection()
        self._show_numbers()

    def _follow_edit(self, start: int, removed: int, added: int) -> None:
        self._texts.follow_edit(self._live.edited_item, start, removed, added)
        self._walk.forget()
        self._show_position()
        self._dim()

    def _dim(self) -> None:
        """Dim the results while they are out of date."""
        self._dimmer.set_dimmed(not (self._live.is_settled and self._vocabularies.is_settled))

    def _show_results(self) -> None:
        self._texts.tokens_changed()
        self._show_numbers()

    def _show_numbers(self) -> None:
        items = self._tokenizers.items
        marks = [self._tokenizers.mark_of(item) for item in items]
        self._table.show_items(items, self._tokenizers.base, marks)
        for column in self._texts.columns:
            if column.item not in items:  # it is about to be removed
                continue
            numbers = column.item.numbers
            tokens = "" if numbers is None else tokens_text(numbers.tokens)
            base = self.tr(" · base") if column.item is self._tokenizers.base and len(items) > 1 else ""
            place = items.index(column.item)
            column.show_title(f"{letter(place)}  {name_of(column.item)}{base}", tokens, marks[place])
        for chat in self._chats.columns:
            if chat.item in items:
                chat.show_title(letter(items.index(chat.item)), name_of(chat.item))
        notes = notes_on(self._tokenizers, self._live, self._vocabularies.pair)
        self._note.say(notes, "quiet", hides=True)
        self._show_position()
        self._dim()

    def _show_merges(self) -> None:
        """Show the merges of the two chosen tokenizers."""
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
        (items, frequent), known = live.frequent, self._tokenizers.items
        if differences is None or not all(item in known for item in items):
            items, frequent = [], []
        letters = [letter(known.index(item)) for item in items]
        self._bar.show_frequent(letters, frequent, is_all=differences is None or len(differences) <= MOST_COUNTED)
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
