"""Replay: a word, and merge by merge how it is encoded."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStyleOptionViewItem, QToolButton, QVBoxLayout, QWidget

from bpe_gui.engine import WordTrace, visible
from bpe_gui.gui.models.replay_model import ReplayColumn, ReplayModel
from bpe_gui.gui.models.tool_tips import plain_tip
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import named

from bpe_gui.gui.views.tables.cell_delegates import AccentDelegate, TokenDelegate
from bpe_gui.gui.views.tables.run_table import NO_SELECTION, RunTable
from bpe_gui.gui.look.headers import SectionTitle
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.views.tables.symbols_delegate import SymbolsDelegate

_SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
_KEY_PRESS: Final = QEvent.Type.KeyPress
_KEYPAD: Final = Qt.KeyboardModifier.KeypadModifier
_ELIDE_MIDDLE: Final = Qt.TextElideMode.ElideMiddle

_SPACE: Final = 8  # the grid of the window
_AHEAD_OPACITY: Final = 0.35  # of symbols that are still to come
_MOST_OF_WORD: Final = 200  # characters of a word that the header shows
_MOST_OF_TOKEN: Final = 24  # characters of a token that the sentence below shows
_WIDTHS: Final[dict[int, int]] = {ReplayColumn.NUMBER: 28, ReplayColumn.MERGE: 112, ReplayColumn.STEP: 44}
_SHARE_OF_MERGE: Final = 0.38  # of the width, if symbols leave so much
_MOST_FOR_MERGE: Final = 240
_LEAST_FOR_MERGE: Final = 72


class ReplayView(QWidget):
    """The merges that apply to one word, in order, as rows; and keys and buttons to go through them.

    Its *position* is how many of these merges are done. It has nothing to do with the cursor of the run.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replayView")
        self._theme = theme
        self._trace: WordTrace | None = None
        self._model = ReplayModel(theme, self)
        self._word = SectionTitle("", "replayWordLabel")
        self._place = named(QLabel(), "replayPositionLabel")
        set_role(self._place, "quiet")
        self._first = self._make_button("replayFirstButton", self.tr("To the start"), "Home", self.go_to_start)
        self._back = self._make_button("replayBackButton", self.tr("Back"), "Left", self.step_back)
        self._step = self._make_button("replayStepButton", self.tr("Step"), "Right", self.step)
        self._last = self._make_button("replayLastButton", self.tr("To the end"), "End", self.go_to_end)
        self._moves = {
            Qt.Key.Key_Home: self.go_to_start,
            Qt.Key.Key_Left: self.step_back,
            Qt.Key.Key_Right: self.step,
            Qt.Key.Key_End: self.go_to_end,
        }
        self._table = self._make_table()
        self._reason = SentenceLabel(name="replayReasonLabel")
        self._reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        theme.changed.connect(self._take_looks)
        self._take_looks()
        self.show_word(None)

    # -- what is shown ----------------------------------------------------------------------------------------------

    def show_word(self, trace: WordTrace | None, *, has_marker: bool = False, obstacle: str = "") -> None:
        """Replay the encoding of a word, or say why there is none, or how to choose one. `has_marker`: `</w>` is a
        mark, not text.

        Another word is shown as it ends up. The same word again, encoded with more merges or fewer, stays where it was.
        """
        end = 0 if trace is None else len(trace.steps)
        position = min(self.position, end) if self._stays(trace) else end
        self._trace = trace
        self._table.hint = obstacle or self.tr("Put the caret in a word to see how it is encoded.")
        self._model.set_trace(trace, position, has_marker)
        self._make_room_for_numbers()
        self._show_word()
        self._show_position()

    def _stays(self, trace: WordTrace | None) -> bool:
        """Whether it is the word that somebody is in the middle of."""
        before = self._trace
        return before is not None and trace is not None and before.word == trace.word and self.position < self._end

    @property
    def position(self) -> int:
        """How many of the word's merges are done."""
        return self._model.position

    @property
    def _end(self) -> int:
        return len(self._trace.steps) if self._trace else 0

    # -- moving -----------------------------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        """Show the word after so many merges; as far as there are any."""
        position = min(max(0, position), self._end)
        if position != self.position:
            self._model.set_position(position)
            self._show_position()

    def go_to_start(self) -> None:
        """Undo all merges."""
        self.go_to(0)

    def step_back(self) -> None:
        """Undo the last merge."""
        self.go_to(self.position - 1)

    def step(self) -> None:
        """Apply the next merge."""
        self.go_to(self.position + 1)

    def go_to_end(self) -> None:
        """Apply all merges."""
        self.go_to(self._end)

    def _follow(self, current: QModelIndex) -> None:
        if current.isValid():
            self.go_to(current.row())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """The keys that step here are not those of the window, and do not move from column to column."""
        if event.type() not in (_SHORTCUT_OVERRIDE, _KEY_PRESS) or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        move = self._moves.get(Qt.Key(event.key()))
        if move is None or event.modifiers() & ~_KEYPAD:
            return super().eventFilter(watched, event)
        if event.type() == _KEY_PRESS:
            move()
        event.accept()
        return True

    # -- the parts --------------------------------------------------------------------------------------------------

    def _make_button(self, name: str, words: str, key: str, move: Callable[[], None]) -> QToolButton:
        button = named(QToolButton(autoRaise=True), name, words)
        button.setToolTip(f"{words} ({key})")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAutoRepeat(True)
        button.clicked.connect(move)
        button.installEventFilter(self)
        return button

    def _make_table(self) -> RunTable:
        # The current row is the position, which the model marks: no selection besides.
        table = RunTable(self._model, "replayTable", self.tr("Merges of the word"), NO_SELECTION)
        table.set_widths(_WIDTHS, (ReplayColumn.SYMBOLS,))
        self._mark = AccentDelegate(self._model.answers, self._theme.color("accent"), self)
        self._symbols = _ReplayedSymbols(self._model, self._theme, self)
        table.setItemDelegate(TokenDelegate(self._model.answers, self, _ELIDE_MIDDLE))
        table.setItemDelegateForColumn(ReplayColumn.NUMBER, self._mark)
        table.setItemDelegateForColumn(ReplayColumn.SYMBOLS, self._symbols)
        table.selectionModel().currentRowChanged.connect(self._follow)
        table.installEventFilter(self)
        return table

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(_SPACE, _SPACE // 2, _SPACE // 2, _SPACE // 2)
        head.setSpacing(2)
        head.addWidget(self._word, 1)
        head.addWidget(self._place)
        head.addSpacing(_SPACE // 2)
        for button in (self._first, self._back, self._step, self._last):
            head.addWidget(button)
        foot = QHBoxLayout()
        foot.setContentsMargins(_SPACE, _SPACE // 2, _SPACE, _SPACE // 2)
        foot.addWidget(self._reason)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._table, 1)
        column.addLayout(foot)

    def _take_looks(self) -> None:
        theme = self._theme
        buttons = {"first": self._first, "step-back": self._back, "step": self._step, "last": self._last}
        for icon, button in buttons.items():
            button.setIcon(theme.icon(icon))
        self._mark.color = theme.color("accent")
        self._symbols.set_palette_colors(theme.token_palette())
        self._set_fonts()

    def _set_fonts(self) -> None:
        self._table.set_fonts(self._theme.token_font(), self._theme.number_font())
        self._word.setFont(self._theme.token_font())
        self._place.setFont(self._theme.number_font())
        # Room for two lines from the start, so that a step moves nothing.
        self._reason.setMinimumHeight(2 * self._reason.fontMetrics().lineSpacing())
        self._share_width()

    def showEvent(self, event: QShowEvent) -> None:
        """Sets the fonts anew: a style sheet forgets them when the view is put into its window."""
        super().showEvent(event)
        self._set_fonts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the width anew."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Merges get a share of the width, but no more than the symbols leave: these say as much, and in colour."""
        header = self._table.horizontalHeader()
        others = sum(map(header.sectionSize, (ReplayColumn.NUMBER, ReplayColumn.STEP)))
        symbols = self._symbols.room_for(0, ReplayColumn.SYMBOLS) if self._trace else 0
        left = self._table.viewport().width() - others - symbols
        wanted = min(int(self.width() * _SHARE_OF_MERGE), _MOST_FOR_MERGE)
        header.setSectionHidden(ReplayColumn.MERGE, left < _LEAST_FOR_MERGE)
        if left >= _LEAST_FOR_MERGE:
            header.resizeSection(ReplayColumn.MERGE, min(wanted, left))

    def _make_room_for_numbers(self) -> None:
        if self._trace and self._trace.steps:
            self._table.widen(ReplayColumn.NUMBER, number(self._end))
            self._table.widen(ReplayColumn.STEP, number(max(step.rank for step in self._trace.steps) + 1))
        self._share_width()

    # -- what is said -----------------------------------------------------------------------------------------------

    def _show_word(self) -> None:
        text = visible(self._trace.word.encode()) if self._trace else ""
        shown = text if len(text) <= _MOST_OF_WORD else f"{text[:_MOST_OF_WORD]}…"
        self._word.say(shown)
        self._word.setToolTip(plain_tip(shown))

    def _show_position(self) -> None:
        self._table.go_to(self.position if self._trace else -1)
        self._table.scrollTo(self._model.index(min(self.position + 1, self._end), 0))  # what comes next is in view, too
        self._place.setText(self._place_text())
        self._reason.setText(self._reason_text())
        for button in (self._first, self._back):
            button.setEnabled(self.position > 0)
        for button in (self._step, self._last):
            button.setEnabled(self.position < self._end)

    def _place_text(self) -> str:
        if self._trace is None:
            return ""
        return self.tr("merge {merge} of {merges}").format(merge=number(self.position), merges=number(self._end))

    def _reason_text(self) -> str:
        if self._trace is None:
            return ""
        _made, symbols, coming = self._model.rows[self.position]
        if coming is not None:
            words = self.tr("Next: {left} + {right}. Of the pairs in the word, it was merged first, at step {step}.")
            return words.format(
                left=_shortened(coming.left), right=_shortened(coming.right), step=number(coming.rank + 1)
            )
        if len(symbols) == 1:
            return self.tr("The word is one token: there is nothing left to merge.")
        return self.tr("No other merge applies: none of the pairs that are left has been merged so far.")


class _ReplayedSymbols(SymbolsDelegate):
    """Symbols, faint in rows that are still to come."""

    def __init__(self, model: ReplayModel, theme: Theme, parent: QObject) -> None:
        super().__init__(model.answers, theme.token_palette(), parent)
        self._model = model

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.setOpacity(_AHEAD_OPACITY if self._model.is_ahead(index.row()) else 1.0)
        super().paint(painter, option, index)
        painter.setOpacity(1.0)


def _shortened(token: bytes) -> str:
    text = visible(token)
    return text if len(text) <= _MOST_OF_TOKEN else f"{text[:_MOST_OF_TOKEN]}…"
