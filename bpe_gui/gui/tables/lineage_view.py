"""A view of a token's lineage: the tree of merges that made it, and the words that made it frequent."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_gui.engine import Lineage, token_in_sentence, token_label
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, SectionTitle, gapless_column, row_of
from bpe_gui.gui.look.qt_constants import (
    ANTIALIASING,
    ELIDE_MIDDLE,
    ENTER_KEYS,
    HORIZONTAL,
    KEYPAD,
    SIDEWAYS_KEYS,
    VERTICAL,
)
from bpe_gui.gui.look.theme import ROW_HEIGHT, Theme, faded
from bpe_gui.gui.look.widgets import claims, plain_tool_tip, splitter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.views.token_chips import TokenChips
from bpe_gui.gui.wording.phrases import number, translate

from .delegates import CellDelegate, CellLook
from .table import Table
from .table_model import Column, NumberColumn, TableModel, quiet

MAX_NODES: Final = 5_000
"""The most nodes of a tree to show. The tree of a token of n bytes can have 2n − 1."""

_INDENT: Final = 16.0  # pixels from one level of the tree to the next, if they fit
_MAX_INDENT_SHARE: Final = 0.5  # the most that the indents of a deep tree may take of the column's width
_MIN_LINE_DISTANCE: Final = 4.0  # pixels between two vertical lines, so that they can be told apart
_LINE_OPACITY: Final = 0.6
_INSET: Final = 3.0  # pixels above and below the chip of a token
_TOOL_TIP_BYTES: Final = 64  # bytes of a token, and characters of its printable form, in a tooltip
_SIDE_BY_SIDE_WIDTH: Final = 560  # from this width in pixels, the words are next to the tree instead of below it
_HINT_ROWS: Final = 3  # that a hint in the place of words takes
_STRETCHES: Final = (3, 2)  # stretch factors of the tree and the words


class LineageColumn(IntEnum):
    TOKEN = 0
    ID = 1
    STEP = 2
    COUNT = 3


@dataclass(frozen=True, slots=True)
class LineageRow:
    """A node of the tree, as a table row."""

    token: Lineage
    count: int | None
    """How often the merged pair occurred; None if unknown, and for tokens without parts."""
    depth: int
    """The number of ancestors of the node."""
    parent: int
    """The row of the parent, -1 for the root."""
    lines: int
    """The vertical lines that continue below this row: bit 0 is set if the node has a sibling further down, bit 1 if
    its parent has one, and so on.
    """


def lineage_rows(root: Lineage, counts: Sequence[int] | None = None) -> list[LineageRow]:
    """Return the nodes of a tree depth first, the left part before the right one; at most `MAX_NODES`.

    `counts` has the counts of merges by rank, None if they are unknown.
    """
    rows: list[LineageRow] = []
    stack = [(root, 0, -1, 0)]
    while stack and len(rows) < MAX_NODES:
        token, depth, parent, lines = stack.pop()
        count = None if counts is None or token.rank is None else counts[token.rank]
        row = len(rows)
        rows.append(LineageRow(token, count, depth, parent, lines))
        for is_left, part in reversed(list(zip((True, False), token.parts, strict=False))):
            stack.append((part, depth + 1, row, lines << 1 | is_left))
    return rows


@dataclass(frozen=True, slots=True)
class WordCount:
    """A word of the corpus in printable form, its count, and its count relative to the largest one."""

    word: str
    count: int
    share: float


class LineageView(QWidget):
    """The tree of merges that made a token, with the token on top, and the words of the corpus that contain it."""

    token_chosen = Signal(int)
    """The user clicked the node of the token with this id, or pressed Enter there."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("lineageView")
        nodes = TableModel(theme, _lineage_columns(), self, tool_tip=_tool_tip, selected=_selected)
        self._tree = _TreeTable(nodes, self.tr("Token lineage"))
        self._tree.hint = self.tr("Point at a token to see how it was made.")
        self._tree.row_chosen.connect(self._choose)
        words = TableModel(theme, _word_columns(), self)
        self._words = Table(words, "lineageWordTable", self.tr("Words that contributed to the count"))
        self._words.horizontalHeader().hide()
        self._splitter = self._lay_out()

    def show_lineage(self, lineage: Lineage | None, counts: Sequence[int] | None = None) -> None:
        """Show the tree of a token (a hint for None), and an empty table of words for `set_words` to fill.

        `counts` has, by rank, how often each pair occurred when it was merged; None if unknown.
        """
        rows = [] if lineage is None else lineage_rows(lineage, counts)
        self._tree.show_rows(rows)
        self._tree.set_absent(LineageColumn.COUNT, counts is None)
        self._tree.go_to(0 if lineage else -1)
        self._words.hint = ""
        self._words.table_model.show(())

    def set_words(self, words: Sequence[tuple[str | bytes, int]] | None, later_step: int | None = None) -> None:
        """Show (word, count) for the words that made the token frequent, in this order; None if unknown.

        A word is bytes if it is not valid UTF-8. `later_step` is the step that makes the token, if that is in the
        future.
        """
        self._words.hint = self.tr("No words in the corpus contain it.")
        if words is None:
            self._words.hint = self.tr("Only a training run has corpus words.")
        elif later_step is not None:
            self._words.hint = self.tr("Not made yet: step {step} makes it.").format(step=number(later_step))
        largest = max((count for _word, count in words or ()), default=0)
        rows = []
        for word, count in words or ():
            shown = token_in_sentence(word if isinstance(word, bytes) else word.encode())
            rows.append(WordCount(shown, count, count / (largest or 1)))
        self._words.table_model.show(rows)
        self._words.set_widest(1, number(largest))
        self._words.scrollToTop()
        self._words.viewport().update()
        title = self._below.sizeHint().height() - self._words.sizeHint().height()
        self._below.setMaximumHeight(title + (len(rows) or _HINT_ROWS) * ROW_HEIGHT + MARGIN)  # the tree gets the rest

    def _lay_out(self) -> QSplitter:
        title = SectionTitle(self.tr("Words that contributed to the count"), "lineageWordTitle")
        title_row = row_of(title, margins=(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP), spacing=None)
        self._below = QWidget()
        gapless_column(self._below, title_row, (self._words, 1))
        parts = splitter(VERTICAL, "lineageSplitter", self._tree, self._below, stretch=_STRETCHES)
        gapless_column(self, parts)
        return parts

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words next to the tree if the view is wide enough, otherwise below it."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _SIDE_BY_SIDE_WIDTH
        orientation = HORIZONTAL if is_wide else VERTICAL
        if self._splitter.orientation() != orientation:
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes([stretch * self.width() for stretch in _STRETCHES])

    def _choose(self, row: int) -> None:
        token_id = self._tree.nodes[row].token.id
        if token_id is not None:
            self.token_chosen.emit(token_id)


class _TreeTable(Table):
    """The nodes of a tree, one per row.

    Left goes to the parent, Right to the first child, Home and End to the first and the last row.
    """

    row_chosen = Signal(int)
    """The user clicked this row, or pressed Enter in it."""

    def __init__(self, model: TableModel[LineageRow], accessible_name: str) -> None:
        super().__init__(model, "lineageTree", accessible_name)
        self.nodes: Sequence[LineageRow] = ()
        self._node_delegate = _NodeDelegate(model)
        self.use_delegate(LineageColumn.TOKEN, self._node_delegate)
        self.clicked.connect(self._choose_row)

    def show_rows(self, rows: Sequence[LineageRow]) -> None:
        """Show these nodes, with columns wide enough for their numbers."""
        self.nodes = rows
        self._node_delegate.depth = max((row.depth for row in rows), default=0)
        self.table_model.reset(rows)
        self.reset_widths()
        self.widen(LineageColumn.ID, str(max((row.token.id or 0 for row in rows), default=0)))
        self.widen(LineageColumn.STEP, number(max((row.token.rank or 0 for row in rows), default=0) + 1))
        self.widen(LineageColumn.COUNT, f"×{number(max((row.count or 0 for row in rows), default=0))}")

    def _choose_row(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())

    def event(self, event: QEvent) -> bool:
        """Accept the tree's own keys, so that they do not trigger the window's shortcuts while it has the focus."""
        return claims(event, _is_navigation_key) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if row >= 0 and event.key() in ENTER_KEYS:
            self.row_chosen.emit(row)
        elif row >= 0 and _is_navigation_key(event):
            self.go_to(self._destination(row, Qt.Key(event.key())))
        else:
            super().keyPressEvent(event)

    def _destination(self, row: int, key: Qt.Key) -> int:
        """Return the row that a navigation key leads to from `row`."""
        rows = self.nodes
        match key:
            case Qt.Key.Key_Left:
                return max(0, rows[row].parent)
            case Qt.Key.Key_Right:
                has_child = row + 1 < len(rows) and rows[row + 1].parent == row
                return row + 1 if has_child else row
            case Qt.Key.Key_Home:
                return 0
            case _:
                return len(rows) - 1


class _NodeDelegate(CellDelegate):
    """Paints a token as a chip, at the end of the line from its parent."""

    def __init__(self, model: TableModel[LineageRow]) -> None:
        self.depth = 0
        """The number of levels below the root."""
        self._chips = TokenChips(model.theme.token_palette())
        super().__init__(model)

    def apply_theme(self) -> None:
        self._chips.set_palette(self.model.theme.token_palette())

    def paint(self, painter: QPainter, cell: QRect, number: int, row: LineageRow, look: CellLook) -> None:
        painter.save()
        painter.setClipRect(cell)
        area = QRectF(cell).adjusted(MARGIN, 0, -SMALL_GAP, 0)
        indent = min(_INDENT, area.width() * _MAX_INDENT_SHARE / max(1, self.depth))
        if indent >= _MIN_LINE_DISTANCE:
            self._paint_lines(painter, area, indent, row.depth, row.lines)
        area.setLeft(area.left() + row.depth * indent)
        self._chips.use_font(self.model.font(self.model.columns[number], row))
        box = area.adjusted(0, _INSET, 0, -_INSET)
        box.setWidth(min(area.width(), self._chips.width(row.token.bytes, False)))
        painter.setRenderHint(ANTIALIASING)
        self._chips.paint(painter, [(row.token.bytes, box)], has_marker=False)
        painter.restore()

    def _paint_lines(self, painter: QPainter, area: QRectF, indent: float, depth: int, lines: int) -> None:
        """Paint the vertical lines that pass through a row, and the line that leads to its node.

        `area` is the row without any indent, in pixels; `depth` and `lines` are as in `LineageRow`.
        """
        painter.setPen(QPen(faded(self._chips.palette.quiet, _LINE_OPACITY), 1))
        middle = round(area.center().y()) + 0.5  # half a pixel further, so that the line covers whole pixels
        for level in range(depth, 0, -1):
            x = round(area.left() + (level - 0.5) * indent) + 0.5
            continues, is_own = lines >> (depth - level) & 1, level == depth
            if is_own:
                painter.drawLine(QPointF(x, middle), QPointF(area.left() + depth * indent, middle))
            if is_own or continues:
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() if continues else middle))


def _is_navigation_key(event: QKeyEvent) -> bool:
    return event.key() in SIDEWAYS_KEYS and not event.modifiers() & ~KEYPAD


def _lineage_columns() -> dict[int, Column[LineageRow]]:
    return {
        LineageColumn.TOKEN: Column(
            title=translate("LineageModel", "Token"),
            font="tokens",
            text=lambda row: token_label(row.token.bytes),
        ),
        LineageColumn.ID: NumberColumn(
            title=translate("LineageModel", "Id"),
            width=44,
            color=quiet,
            text=lambda row: "" if row.token.id is None else str(row.token.id),
        ),
        LineageColumn.STEP: NumberColumn(
            title=translate("LineageModel", "Step"),
            width=44,
            color=quiet,
            text=lambda row: "" if row.token.rank is None else number(row.token.rank + 1),
        ),
        LineageColumn.COUNT: NumberColumn(
            title=translate("LineageModel", "Count"),
            width=52,
            color=quiet,
            text=lambda row: "" if row.count is None else f"×{number(row.count)}",
        ),
    }


def _word_columns() -> list[Column[WordCount]]:
    return [
        Column(
            title=translate("CorpusWordModel", "Word"), font="tokens", elide=ELIDE_MIDDLE, text=lambda row: row.word
        ),
        NumberColumn(
            title=translate("CorpusWordModel", "Count"),
            width=96,
            text=lambda row: number(row.count),
            bar=lambda row: row.share,
        ),
    ]


def _selected(row: LineageRow) -> Selected:
    return Selected(row.token.bytes)


def _tool_tip(row: LineageRow) -> str:
    token = row.token.bytes
    hex_bytes = token[:_TOOL_TIP_BYTES].hex(" ") + (" …" if len(token) > _TOOL_TIP_BYTES else "")
    return plain_tool_tip(f"{token_in_sentence(token, _TOOL_TIP_BYTES)}\n{hex_bytes}\n{_origin(row)}")


def _origin(row: LineageRow) -> str:
    if row.token.rank is None:
        return translate("LineageModel", "no parts")
    left, right = (token_in_sentence(part.bytes, _TOOL_TIP_BYTES) for part in row.token.parts)
    template = translate("LineageModel", "step {step}: {left} + {right}")
    if row.count is not None:
        template = translate("LineageModel", "step {step}: {left} + {right}, ×{count}")
    return template.format(step=number(row.token.rank + 1), left=left, right=right, count=number(row.count or 0))
