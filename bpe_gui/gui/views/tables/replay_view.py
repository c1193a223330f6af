"""Replay the encoding of a word, merge by merge."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStyleOptionViewItem, QToolButton, QWidget

from bpe_gui.engine import WordTrace
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.headers import SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.line_height import line_height
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE, KEY_PRESS, KEYPAD, SHORTCUT_OVERRIDE
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import BUTTON_GAP, MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import name_widget, plain_tool_tip
from bpe_gui.gui.models.replay_model import ReplayColumn, ReplayModel
from bpe_gui.gui.wording.joining import with_keys
from bpe_gui.gui.wording.numbers import number

from .cell_delegates import AccentDelegate, TokenDelegate
from .run_table import NO_SELECTION, RunTable
from .symbols_delegate import SymbolsDelegate

_AHEAD_OPACITY: Final = 0.35  # of the symbols in rows after the position
_MAX_WORD_LENGTH: Final = 200  # characters of a word that the header shows
_MAX_TOKEN_LENGTH: Final = 24  # characters of a token that the sentence below shows
_WIDTHS: Final[dict[int, int]] = {ReplayColumn.NUMBER: 28, ReplayColumn.MERGE: 112, ReplayColumn.STEP: 44}
_MERGE_SHARE: Final = 0.38  # of the width, if the symbols leave so much
_MAX_MERGE_WIDTH: Final = 240
_MIN_MERGE_WIDTH: Final = 72


class ReplayView(QWidget):
    """The merges that encoding applies to one word, in order, as rows, with keys and buttons to step through them.

    Its *position* is the number of these merges that are applied; it is independent of the run's cursor.
    """

    token_chosen = Signal(bytes)
    """The user clicked on this symbol."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replayView")
        self._theme = theme
        self._trace: WordTrace | None = None
        self._model = ReplayModel(theme, self)
        self._word = SectionTitle("", "replayWordLabel")
        self._position_label = name_widget(QLabel(), "replayPositionLabel")
        set_role(self._position_label, "quiet")
        self._first = self._make_button("replayFirstButton", self.tr("Go to start"), "Home", self.go_to_start)
        self._back = self._make_button("replayBackButton", self.tr("Back"), "Left", self.step_back)
        self._step = self._make_button("replayStepButton", self.tr("Step"), "Right", self.step)
        self._last = self._make_button("replayLastButton", self.tr("Go to end"), "End", self.go_to_end)
        self._table = self._make_table()
        self._reason = SentenceLabel(name="replayReasonLabel")
        self._reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.show_word(None)

    # -- contents ---------------------------------------------------------------------------------------------------

    def show_word(self, trace: WordTrace | None, *, has_marker: bool = False, obstacle: str = "") -> None:
        """Replay the encoding of a word, or show the `obstacle` to that, or how to choose a word.

        `has_marker` says that `</w>` is a marker, not text. Another word is shown after its last merge; the same word
        with more or fewer merges keeps the position.
        """
        end = 0 if trace is None else len(trace.steps)
        position = min(self.position, end) if self._keeps_position(trace) else end
        self._trace = trace
        self._table.hint = obstacle or self.tr("Place the caret in a word to see how it is encoded.")
        self._model.set_trace(trace, position, has_marker)
        self._fit_columns()
        self._show_word()
        self._show_position()

    def _keeps_position(self, trace: WordTrace | None) -> bool:
        """Return whether this is the word that the user is stepping through."""
        before = self._trace
        return before is not None and trace is not None and before.word == trace.word and self.position < self._end

    @property
    def position(self) -> int:
        """The number of the word's merges that are applied."""
        return self._model.position

    @property
    def _end(self) -> int:
        return len(self._trace.steps) if self._trace else 0

    # -- moving -----------------------------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        """Show the word after `position` merges, or after all of them if there are fewer."""
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
        """Use the keys that step here before the window's shortcuts and the table's own moves get them."""
        if event.type() not in (SHORTCUT_OVERRIDE, KEY_PRESS) or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        move = self._move_of(Qt.Key(event.key()))
        if move is None or event.modifiers() & ~KEYPAD:
            return super().eventFilter(watched, event)
        if event.type() == KEY_PRESS:
            move()
        event.accept()
        return True

    def _move_of(self, key: Qt.Key) -> Callable[[], None] | None:
        moves = {
            Qt.Key.Key_Home: self.go_to_start,
            Qt.Key.Key_Left: self.step_back,
            Qt.Key.Key_Right: self.step,
            Qt.Key.Key_End: self.go_to_end,
        }
        return moves.get(key)

    # -- the parts --------------------------------------------------------------------------------------------------

    def _make_button(self, name: str, text: str, key: str, move: Callable[[], None]) -> QToolButton:
        button = name_widget(QToolButton(autoRaise=True), name, text)
        button.setToolTip(with_keys(text, key))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAutoRepeat(True)
        button.clicked.connect(move)
        button.installEventFilter(self)
        return button

    def _make_table(self) -> RunTable:
        # The current row is the position, which the model marks; a selection would mark it twice.
        table = RunTable(self._model, "replayTable", self.tr("Merges in the word"), NO_SELECTION)
        table.set_widths(_WIDTHS, (ReplayColumn.SYMBOLS,))
        self._mark = AccentDelegate(self._model.answers, self._theme.color("accent"), self)
        self._symbols = _ReplayedSymbols(self._model, self._theme, self)
        table.setItemDelegate(TokenDelegate(self._model.answers, self, ELIDE_MIDDLE))
        table.setItemDelegateForColumn(ReplayColumn.NUMBER, self._mark)
        table.setItemDelegateForColumn(ReplayColumn.SYMBOLS, self._symbols)
        table.selectionModel().currentRowChanged.connect(self._follow)
        table.clicked_at.connect(self._choose_symbol)
        table.installEventFilter(self)
        return table

    def _choose_symbol(self, index: QModelIndex, point: QPointF) -> None:
        if index.column() != ReplayColumn.SYMBOLS:
            return
        cell = QRectF(self._table.visualRect(index))
        symbol = self._symbols.symbol_at(cell, point.x(), index.row(), index.column())
        if symbol is not None:
            self.token_chosen.emit(symbol)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN, SMALL_GAP, SMALL_GAP, SMALL_GAP)
        head.setSpacing(BUTTON_GAP)
        head.addWidget(self._word, 1)
        head.addWidget(self._position_label)
        head.addSpacing(SMALL_GAP)
        for button in (self._first, self._back, self._step, self._last):
            head.addWidget(button)
        foot = QHBoxLayout()
        foot.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        foot.addWidget(self._reason)
        column = gapless_column(self)
        column.addLayout(head)
        column.addWidget(self._table, 1)
        column.addLayout(foot)

    def _apply_theme(self) -> None:
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
        self._position_label.setFont(self._theme.number_font())
        # Reserve two lines, so that a step moves nothing.
        self._reason.setMinimumHeight(2 * line_height(self._reason.font()))
        self._share_width()

    def showEvent(self, event: QShowEvent) -> None:
        """Set the fonts again: a style sheet resets them when the view is put into its window."""
        super().showEvent(event)
        self._set_fonts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Give the merges a share of the width, but at most what the symbols leave, which show the same in colour."""
        header = self._table.horizontalHeader()
        others = sum(map(header.sectionSize, (ReplayColumn.NUMBER, ReplayColumn.STEP)))
        symbols = self._symbols.needed_width(0, ReplayColumn.SYMBOLS) if self._trace else 0
        left = self._table.viewport().width() - others - symbols
        preferred = min(int(self.width() * _MERGE_SHARE), _MAX_MERGE_WIDTH)
        header.setSectionHidden(ReplayColumn.MERGE, left < _MIN_MERGE_WIDTH)
        if left >= _MIN_MERGE_WIDTH:
            header.resizeSection(ReplayColumn.MERGE, min(preferred, left))

    def _fit_columns(self) -> None:
        if self._trace and self._trace.steps:
            self._table.widen(ReplayColumn.NUMBER, number(self._end))
            self._table.widen(ReplayColumn.STEP, number(max(step.rank for step in self._trace.steps) + 1))
        self._share_width()

    # -- labels -----------------------------------------------------------------------------------------------------

    def _show_word(self) -> None:
        shown = token_in_sentence(self._trace.word.encode(), _MAX_WORD_LENGTH) if self._trace else ""
        self._word.setText(shown)
        self._word.setToolTip(plain_tool_tip(shown))

    def _show_position(self) -> None:
        self._table.go_to(self.position if self._trace else -1)
        self._table.scrollTo(self._model.index(min(self.position + 1, self._end), 0))  # also the next merge
        self._position_label.setText(self._position_text())
        self._reason.setText(self._reason_text())
        for button in (self._first, self._back):
            button.setEnabled(self.position > 0)
        for button in (self._step, self._last):
            button.setEnabled(self.position < self._end)

    def _position_text(self) -> str:
        if self._trace is None:
            return ""
        return self.tr("merge {merge} of {merges}").format(merge=number(self.position), merges=number(self._end))

    def _reason_text(self) -> str:
        if self._trace is None:
            return ""
        row = self._model.rows[self.position]
        if row.next is not None:
            template = self.tr("Next: {left} + {right}, the earliest merge among the pairs in this word (step {step}).")
            left, right = (token_in_sentence(part, _MAX_TOKEN_LENGTH) for part in (row.next.left, row.next.right))
            return template.format(left=left, right=right, step=number(row.next.rank + 1))
        if len(row.symbols) == 1:
            return self.tr("Done: the word is a single token.")
        return self.tr("Done: no merge so far applies to the remaining pairs.")


class _ReplayedSymbols(SymbolsDelegate):
    """A delegate for symbols that are faint in rows after the position."""

    def __init__(self, model: ReplayModel, theme: Theme, parent: QObject) -> None:
        super().__init__(model.answers, theme.token_palette(), parent)
        self._model = model

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.setOpacity(_AHEAD_OPACITY if self._model.is_ahead(index.row()) else 1.0)
        super().paint(painter, option, index)
        painter.setOpacity(1.0)
