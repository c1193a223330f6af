"""Replay the encoding of a word, merge by merge."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from bpe_gui.engine import TraceStep, WordTrace, token_in_sentence
from bpe_gui.gui.look.layouts import BUTTON_GAP, MARGIN, SMALL_GAP, SectionTitle, gapless_column, row_of
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE, KEY_PRESS, KEYPAD, SHORTCUT_OVERRIDE
from bpe_gui.gui.look.theme import ColorRole, Theme
from bpe_gui.gui.look.widgets import SentenceLabel, icon_button, plain_tool_tip, quiet_label
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.phrases import number, translate, with_keys

from .table import NO_SELECTION, Table
from .table_model import MAX_SYMBOLS, Column, FontName, MarkedSymbols, NumberColumn, TableModel

_MAX_WORD_LENGTH: Final = 200  # characters of a word in the header
_MAX_TOKEN_LENGTH: Final = 24  # characters of a token in the sentence below
_MERGE_SHARE: Final = 0.38  # of the width, if the symbols leave that much
_MAX_MERGE_WIDTH: Final = 240
_MIN_MERGE_WIDTH: Final = 72
_MAX_IN_CELL: Final = 9  # characters of either symbol of a merge, so that the sign between them is always visible
_MAX_IN_TIP: Final = 200
_CACHED_ROWS: Final = 256  # slightly more than fit on a screen


class ReplayColumn(IntEnum):
    NUMBER = 0
    SYMBOLS = 1
    MERGE = 2
    STEP = 3


class ReplayRow(NamedTuple):
    """A state of a word: after `number` merges, and before the merge `next`."""

    number: int
    symbols: tuple[bytes, ...]
    next: TraceStep | None
    marked: MarkedSymbols
    """The symbols, with the next pair to merge marked; for a long word, only those around that pair."""
    is_current: bool
    is_ahead: bool
    """Whether the state is after the position."""
    is_whole: bool
    """Whether the word is a token without any merging."""


class ReplayRows:
    """The states of a word, at the start and after each merge; the one at the position is current."""

    def __init__(self, trace: WordTrace, position: int, *, has_marker: bool) -> None:
        self.trace: Final = trace
        self.position = position
        self._has_marker = has_marker
        self._marked: dict[int, MarkedSymbols] = {}

    def __len__(self) -> int:
        return len(self.trace.steps) + 1

    def __getitem__(self, row: int, /) -> ReplayRow:
        steps = self.trace.steps
        following = steps[row] if row < len(steps) else None
        symbols = steps[row - 1].symbols if row else self.trace.symbols
        if row not in self._marked:
            if len(self._marked) >= _CACHED_ROWS:
                self._marked.clear()
            self._marked[row] = _marked_symbols(symbols, following, self._has_marker)
        is_current, is_ahead = row == self.position, row > self.position
        return ReplayRow(row, symbols, following, self._marked[row], is_current, is_ahead, self.trace.is_whole)


class ReplayView(QWidget):
    """The merges that encoding applies to one word, in order, one per row, with keys and buttons to step through them.

    Its *position* is the number of merges applied; it is independent of the run's cursor.
    """

    token_chosen = Signal(bytes)
    """The user clicked this symbol."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("replayView")
        self._theme = theme
        self._rows: ReplayRows | None = None
        self._model = TableModel(theme, _columns(), self, tint=_tint, tool_tip=_tool_tip, selected=_selected)
        self._word = SectionTitle("", "replayWordLabel")
        self._position_label = quiet_label("replayPositionLabel")
        self._first = self._make_button("first", "replayFirstButton", self.tr("Go to start"), "Home", self.go_to_start)
        self._back = self._make_button("step-back", "replayBackButton", self.tr("Back"), "Left", self.step_back)
        self._step = self._make_button("step", "replayStepButton", self.tr("Step"), "Right", self.step)
        self._last = self._make_button("last", "replayLastButton", self.tr("Go to end"), "End", self.go_to_end)
        self._table = self._make_table()
        self._reason = SentenceLabel(name="replayReasonLabel")
        self._reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._reason.reserve_lines(2)  # so that a step moves nothing
        self._lay_out()
        theme.keep_font(theme.token_font, self._word)
        theme.keep_font(theme.number_font, self._position_label)
        theme.changed.connect(self._share_width)  # the font may differ
        self.show_word(None)

    # -- contents ---------------------------------------------------------------------------------------------------

    def show_word(self, trace: WordTrace | None, *, has_marker: bool = False, obstacle: str = "") -> None:
        """Replay the encoding of a word; or show the `obstacle`, or how to choose a word.

        `has_marker` says that `</w>` is a marker, not text. A new word is shown after its last merge; the same word
        with more or fewer merges keeps the position.
        """
        before = self._trace
        end = 0 if trace is None else len(trace.steps)
        is_same = before is not None and trace is not None and before.word == trace.word
        position = min(self.position, end) if is_same and self.position < self._end else end
        self._rows = None if trace is None else ReplayRows(trace, position, has_marker=has_marker)
        self._table.hint = obstacle or self.tr("Place the caret in a word to see how it is encoded.")
        self._model.reset(() if self._rows is None else self._rows)
        if trace is not None and trace.steps:
            self._table.widen(ReplayColumn.NUMBER, number(end))
            self._table.widen(ReplayColumn.STEP, number(max(step.rank for step in trace.steps) + 1))
        self._share_width()
        self._show_word()
        self._show_position()

    @property
    def position(self) -> int:
        """The number of the word's merges that have been applied."""
        return self._rows.position if self._rows else 0

    @property
    def _trace(self) -> WordTrace | None:
        return self._rows.trace if self._rows else None

    @property
    def _end(self) -> int:
        return len(self._trace.steps) if self._trace else 0

    # -- moving -----------------------------------------------------------------------------------------------------

    def go_to(self, position: int) -> None:
        """Show the word after `position` merges, or after all of them if there are fewer."""
        position = min(max(0, position), self._end)
        if self._rows is not None and position != self.position:
            first, last = sorted((self.position, position))
            self._rows.position = position
            self._model.rows_changed(first, last)
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
        """Handle the keys that step through the word before the window's shortcuts or the table's navigation do."""
        if event.type() not in (SHORTCUT_OVERRIDE, KEY_PRESS) or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        moves = {
            Qt.Key.Key_Home: self.go_to_start,
            Qt.Key.Key_Left: self.step_back,
            Qt.Key.Key_Right: self.step,
            Qt.Key.Key_End: self.go_to_end,
        }
        move = moves.get(Qt.Key(event.key()))
        if move is None or event.modifiers() & ~KEYPAD:
            return super().eventFilter(watched, event)
        if event.type() == KEY_PRESS:
            move()
        event.accept()
        return True

    # -- the parts --------------------------------------------------------------------------------------------------

    def _make_button(self, icon: str, name: str, text: str, key: str, move: Callable[[], None]) -> QToolButton:
        button = icon_button(self._theme, icon, name, text, with_keys(text, key))
        button.setAutoRepeat(True)
        button.clicked.connect(move)
        button.installEventFilter(self)
        return button

    def _make_table(self) -> Table:
        # The current row is the position, marked by the model; a selection would mark it twice.
        table = Table(self._model, "replayTable", self.tr("Merges in the word"), NO_SELECTION)
        table.selectionModel().currentRowChanged.connect(self._follow)
        table.clicked_at.connect(self._choose_symbol)
        table.installEventFilter(self)
        return table

    def _choose_symbol(self, index: QModelIndex, point: QPointF) -> None:
        symbol = self._table.symbol_at(index, point)
        if symbol is not None:
            self.token_chosen.emit(symbol)

    def _lay_out(self) -> None:
        head = row_of(
            (self._word, 1),
            self._position_label,
            SMALL_GAP,
            margins=(MARGIN, SMALL_GAP, SMALL_GAP, SMALL_GAP),
            spacing=BUTTON_GAP,
        )
        for button in (self._first, self._back, self._step, self._last):
            head.addWidget(button)
        foot = row_of(self._reason, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP), spacing=None)
        gapless_column(self, head, (self._table, 1), foot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Give the merges a share of the width, but no more than the symbols leave; those show the same in colour."""
        header = self._table.horizontalHeader()
        others = sum(map(header.sectionSize, (ReplayColumn.NUMBER, ReplayColumn.STEP)))
        symbols = self._table.symbols.needed_width(0, ReplayColumn.SYMBOLS) if self._trace else 0
        left = self._table.viewport().width() - others - symbols
        preferred = min(int(self.width() * _MERGE_SHARE), _MAX_MERGE_WIDTH)
        self._table.set_absent(ReplayColumn.MERGE, left < _MIN_MERGE_WIDTH)
        if left >= _MIN_MERGE_WIDTH:
            header.resizeSection(ReplayColumn.MERGE, min(preferred, left))

    # -- labels -----------------------------------------------------------------------------------------------------

    def _show_word(self) -> None:
        shown = token_in_sentence(self._trace.word.encode(), _MAX_WORD_LENGTH) if self._trace else ""
        self._word.setText(shown)
        self._word.setToolTip(plain_tool_tip(shown))

    def _show_position(self) -> None:
        self._table.go_to(self.position if self._trace else -1)
        self._table.scrollTo(self._model.index(min(self.position + 1, self._end), 0))  # and the next merge
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
        if self._rows is None:
            return ""
        row = self._rows[self.position]
        if row.next is not None:
            template = self.tr("Next: {left} + {right}, the earliest merge among the pairs in this word (step {step}).")
            left, right = (token_in_sentence(part, _MAX_TOKEN_LENGTH) for part in (row.next.left, row.next.right))
            return template.format(left=left, right=right, step=number(row.next.rank + 1))
        if len(row.symbols) == 1:
            return self.tr("Done: the word is a single token.")
        return self.tr("Done: no merge so far applies to the remaining pairs.")


def _columns() -> dict[int, Column[ReplayRow]]:
    return {
        ReplayColumn.NUMBER: NumberColumn(
            title="",
            width=28,
            elide=ELIDE_MIDDLE,
            font_of=_font,
            color=lambda row: "disabled" if row.is_ahead else None if row.is_current else "quiet",
            text=lambda row: number(row.number),
        ),
        ReplayColumn.SYMBOLS: Column(
            title=translate("ReplayModel", "Symbols"),
            font="tokens",
            color=_color,
            text=lambda row: " ".join(map(token_in_sentence, row.symbols[:MAX_SYMBOLS])),
            symbols=lambda row: row.marked,
        ),
        ReplayColumn.MERGE: Column(
            title=translate("ReplayModel", "Next merge"),
            width=112,
            elide=ELIDE_MIDDLE,
            font_of=lambda row: "tokens" if row.next else "numbers",
            color=lambda row: "disabled" if row.is_ahead else None if row.next else "quiet",
            text=_merge_text,
        ),
        ReplayColumn.STEP: NumberColumn(
            title=translate("ReplayModel", "Step"),
            width=44,
            elide=ELIDE_MIDDLE,
            font_of=_font,
            color=_color,
            text=lambda row: number(row.next.rank + 1) if row.next else "",
        ),
    }


def _tint(row: ReplayRow) -> ColorRole | None:
    return "accent_tint" if row.is_current else None


def _color(row: ReplayRow) -> ColorRole | None:
    return "disabled" if row.is_ahead else None


def _font(row: ReplayRow) -> FontName:
    return "bold" if row.is_current else "numbers"


def _selected(row: ReplayRow) -> Selected | None:
    return Selected(row.next.left + row.next.right) if row.next else None


def _merge_text(row: ReplayRow) -> str:
    if row.next is not None:
        return _pair_text(row.next, _MAX_IN_CELL)
    return translate("ReplayModel", "whole word") if row.is_whole else translate("ReplayModel", "done")


def _tool_tip(row: ReplayRow) -> str:
    lines: list[str] = []
    if row.next is not None:
        token = token_in_sentence(row.next.left + row.next.right)
        step = translate("ReplayModel", "step {step}").format(step=number(row.next.rank + 1))
        lines += [f"{_pair_text(row.next, _MAX_IN_TIP)} → {token}", step]
    one, many = translate("ReplayModel", "1 symbol"), translate("ReplayModel", "{symbols} symbols")
    lines.append(one if len(row.symbols) == 1 else many.format(symbols=number(len(row.symbols))))
    return plain_tool_tip("\n".join(lines))


def _pair_text(step: TraceStep, most: int) -> str:
    """Return the two symbols of a merge as `e + s`, each truncated to `most` characters."""
    return f"{token_in_sentence(step.left, most)} + {token_in_sentence(step.right, most)}"


def _marked_symbols(symbols: tuple[bytes, ...], merge: TraceStep | None, has_marker: bool) -> MarkedSymbols:
    """Return a state's symbols, with the next pair to merge marked; for a long word, only those around that pair."""
    if merge is None:
        return MarkedSymbols(symbols, None, has_marker)
    index = _first_difference(symbols, merge.symbols)
    around = symbols[max(0, index - MAX_SYMBOLS) : index + MAX_SYMBOLS]
    return MarkedSymbols(around, (merge.left, merge.right), has_marker)


def _first_difference(before: Sequence[bytes], after: Sequence[bytes]) -> int:
    """Return the index of the first symbol that the next merge changes."""
    return next(index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
