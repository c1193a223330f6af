"""A view of a token's lineage: the tree of merges that made it, and the words of the corpus that made it frequent."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStyleOptionViewItem, QWidget

from bpe_gui.engine import Lineage
from bpe_gui.gui.look.headers import SectionTitle
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.palette import TokenPalette, faded
from bpe_gui.gui.look.qt_constants import (
    ANTIALIASING,
    ELIDE_MIDDLE,
    ENTER_KEYS,
    KEYPAD,
    SHORTCUT_OVERRIDE,
    SIDEWAYS_KEYS,
)
from bpe_gui.gui.look.spacing import MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import splitter
from bpe_gui.gui.models.lineage_model import CorpusWordColumn, CorpusWordModel, LineageColumn, LineageModel
from bpe_gui.gui.models.table_model import Index
from bpe_gui.gui.views.token_chips import TokenChips
from bpe_gui.gui.wording.numbers import number

from .cell_delegates import BarDelegate, CellDelegate, TokenDelegate
from .run_table import RunTable

_INDENT: Final = 16.0  # pixels from one level of the tree to the next, where they fit
_MAX_INDENT_SHARE: Final = 0.5  # of the width of the column that the indents of a deep tree may take
_MIN_LINE_DISTANCE: Final = 4.0  # pixels between two vertical lines that the eye can tell apart
_LINE_OPACITY: Final = 0.6
_INSET: Final = 3.0  # pixels above and below the chip of a token
_MAX_TOKEN_LENGTH: Final = 200  # bytes of a token that are shown
_SIDE_BY_SIDE_WIDTH: Final = 560  # pixels from which the words are beside the tree instead of below it
_STRETCHES: Final = (3, 2)  # stretch factors of the tree and the words
# Widths of columns, in pixels
_WIDTHS: Final[dict[int, int]] = {LineageColumn.ID: 44, LineageColumn.STEP: 44, LineageColumn.COUNT: 52}
_WORD_WIDTHS: Final[dict[int, int]] = {CorpusWordColumn.COUNT: 96}


class LineageView(QWidget):
    """The tree of merges that made a token, with the token at the top, and the words of the corpus that contain it."""

    token_chosen = Signal(int)
    """The user clicked on the node of the token with this id, or pressed Enter there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lineageView")
        self._theme = theme
        self._model = LineageModel(theme, self)
        self._node_delegate = _NodeDelegate(self._model, theme.token_palette(), self)
        self._tree = self._make_tree()
        self._words = CorpusWordModel(theme, self)
        self._count_delegate = BarDelegate(self._words.answers, theme.bar_color(), self)
        self._word_table = self._make_word_table()
        self._splitter = self._lay_out()
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def show_lineage(self, lineage: Lineage | None, counts: Sequence[int] | None = None) -> None:
        """Show the tree of a token, or a hint for None, and an empty table of words; `set_words` fills that.

        `counts` has, by rank, how often each pair occurred when it was merged; None if that is unknown.
        """
        self._model.set_lineage(lineage, counts)
        for column, width in _WIDTHS.items():
            self._tree.horizontalHeader().resizeSection(column, width)  # which another token may have widened
            self._tree.widen(column, self._model.widest_text(column))
        self._tree.set_absent(LineageColumn.COUNT, counts is None)
        self._tree.go_to(0 if lineage else -1)
        self._word_table.hint = ""
        self._words.set_words(())

    def set_words(self, words: Sequence[tuple[str | bytes, int]] | None, later_step: int | None = None) -> None:
        """Show (word, count) for the words that made the token frequent, in this order; None if these are unknown.

        A word is bytes if they are not valid UTF-8. `later_step` is the step that makes the token if that is to come.
        """
        self._word_table.hint = self.tr("No words in the corpus contain it.")
        if words is None:
            self._word_table.hint = self.tr("Only a training run has corpus words.")
        elif later_step is not None:
            self._word_table.hint = self.tr("Not made yet: step {step} makes it.").format(step=number(later_step))
        self._words.set_words(words or ())
        self._count_delegate.widest = number(max((count for _word, count in words or ()), default=0))
        self._word_table.scrollToTop()
        self._word_table.viewport().update()

    # -- construction ----------------------------------------------------------------------------------------------

    def _make_tree(self) -> "_TreeTable":
        tree = _TreeTable(self._model, self.tr("Token lineage"))
        tree.set_widths(_WIDTHS, (LineageColumn.TOKEN,))
        tree.hint = self.tr("Point at a token to see how it was made.")
        tree.setItemDelegate(TokenDelegate(self._model.answers, self))
        tree.setItemDelegateForColumn(LineageColumn.TOKEN, self._node_delegate)
        tree.row_chosen.connect(self._choose)
        return tree

    def _make_word_table(self) -> RunTable:
        table = RunTable(self._words, "lineageWordTable", self.tr("Words that contributed to the count"))
        table.set_widths(_WORD_WIDTHS, (CorpusWordColumn.WORD,))
        table.horizontalHeader().hide()
        table.setItemDelegate(TokenDelegate(self._words.answers, self, ELIDE_MIDDLE))
        table.setItemDelegateForColumn(CorpusWordColumn.COUNT, self._count_delegate)
        return table

    def _lay_out(self) -> QSplitter:
        title = SectionTitle(self.tr("Words that contributed to the count"), "lineageWordTitle")
        title_row = QHBoxLayout()
        title_row.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        title_row.addWidget(title)
        words = QWidget()
        column = gapless_column(words)
        column.addLayout(title_row)
        column.addWidget(self._word_table, 1)
        parts = splitter(Qt.Orientation.Vertical, "lineageSplitter", self._tree, words)
        for index, stretch in enumerate(_STRETCHES):
            parts.setStretchFactor(index, stretch)
        gapless_column(self).addWidget(parts)
        return parts

    def _apply_theme(self) -> None:
        self._node_delegate.set_palette_colors(self._theme.token_palette())
        self._count_delegate.color = self._theme.bar_color()
        for table in (self._tree, self._word_table):
            table.set_fonts(self._theme.token_font(), self._theme.number_font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words beside the tree if the view is wide enough, otherwise below it."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _SIDE_BY_SIDE_WIDTH
        orientation = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._splitter.orientation() != orientation:
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes([stretch * self.width() for stretch in _STRETCHES])

    def _choose(self, row: int) -> None:
        token_id = self._model.rows[row].token.id
        if token_id is not None:
            self.token_chosen.emit(token_id)


class _TreeTable(RunTable):
    """The nodes of a tree, one in a row.

    Left goes to the parent, Right to the first child, Home and End to the first and the last row.
    """

    row_chosen = Signal(int)
    """The user clicked on this row, or pressed Enter in it."""

    def __init__(self, model: LineageModel, accessible_name: str) -> None:
        super().__init__(model, "lineageTree", accessible_name)
        self._tree = model
        self.clicked.connect(self._choose)

    def _choose(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())

    def event(self, event: QEvent) -> bool:
        """Accept the tree's own keys, so that they do not trigger the window's shortcuts while it has the focus."""
        if event.type() == SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and _is_navigation_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if row >= 0 and event.key() in ENTER_KEYS:
            self.row_chosen.emit(row)
        elif row >= 0 and _is_navigation_key(event):
            self.go_to(self._destination(row, Qt.Key(event.key())))
        else:
            super().keyPressEvent(event)

    def _destination(self, row: int, key: Qt.Key) -> int:
        """Return the row to which a navigation key leads from `row`."""
        rows = self._tree.rows
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
    """A delegate that paints a token as a chip, at the end of the line from its parent."""

    def __init__(self, model: LineageModel, palette: TokenPalette, parent: QObject) -> None:
        super().__init__(model.answers, parent)
        self._model = model
        self._chips = TokenChips(palette)
        self.set_palette_colors(palette)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take the colours of the chips and the lines from `palette`."""
        self._chips.set_palette(palette)
        self._line_pen = QPen(faded(palette.quiet, _LINE_OPACITY), 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._model.rows[index.row()]
        self.paint_background(painter, option, index.row(), index.column())
        painter.save()
        painter.setClipRect(option.rect)
        area = QRectF(option.rect).adjusted(MARGIN, 0, -SMALL_GAP, 0)
        indent = min(_INDENT, area.width() * _MAX_INDENT_SHARE / max(1, self._model.depth))
        if indent >= _MIN_LINE_DISTANCE:
            self._paint_lines(painter, area, indent, row.depth, row.lines)
        area.setLeft(area.left() + row.depth * indent)
        self._paint_token(painter, area, row.token.bytes)
        painter.restore()

    def _paint_lines(self, painter: QPainter, area: QRectF, indent: float, depth: int, lines: int) -> None:
        """Paint the vertical lines that pass a row, and the line that leads to its node.

        `area` is the row without any indent, in pixels; `depth` and `lines` are as in `LineageRow`.
        """
        painter.setPen(self._line_pen)
        middle = round(area.center().y()) + 0.5  # half a pixel on, so that the line covers whole pixels
        for level in range(depth, 0, -1):
            x = round(area.left() + (level - 0.5) * indent) + 0.5
            continues, is_own = lines >> (depth - level) & 1, level == depth
            if is_own:
                painter.drawLine(QPointF(x, middle), QPointF(area.left() + depth * indent, middle))
            if is_own or continues:
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() if continues else middle))

    def _paint_token(self, painter: QPainter, area: QRectF, token: bytes) -> None:
        shown = token[:_MAX_TOKEN_LENGTH]
        self._chips.use_font(self._model.token_font)
        box = area.adjusted(0, _INSET, 0, -_INSET)
        box.setWidth(min(area.width(), self._chips.width(shown, False)))
        painter.setRenderHint(ANTIALIASING)
        self._chips.paint(painter, box, shown, self._chips.shade(token), has_marker=False)


def _is_navigation_key(event: QKeyEvent) -> bool:
    return event.key() in SIDEWAYS_KEYS and not event.modifiers() & ~KEYPAD
