"""Lineage: the tree of merges that a token comes from, and the words of the corpus that it was made of."""

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStyleOptionViewItem, QVBoxLayout, QWidget

from bpe_gui.engine import Lineage, visible
from bpe_gui.gui.models.lineage_model import CorpusWordColumn, CorpusWordModel, LineageColumn, LineageModel
from bpe_gui.gui.look.theme import Theme

from bpe_gui.gui.views.tables.cell_delegates import BarDelegate, CellDelegate, TokenDelegate
from bpe_gui.gui.look.palette import TokenPalette, faded
from bpe_gui.gui.views.tables.run_table import RunTable
from bpe_gui.gui.look.headers import SectionTitle

_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_ELIDE: Final = Qt.TextElideMode.ElideMiddle
_NO_PEN: Final = Qt.PenStyle.NoPen
_SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
_KEYPAD: Final = Qt.KeyboardModifier.KeypadModifier
_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

_SPACE: Final = 8  # the grid of the window
_INDENT: Final = 16.0  # from one generation to the next, where there is room
_INDENTED: Final = 0.5  # how much of a column deep trees may indent
_LEAST_RAIL: Final = 4.0  # between lines that can be told apart
_RAIL_OPACITY: Final = 0.6
_INSET: Final = 3.0  # above and below the cell of a token
_PADDING: Final = 4.0  # in it
_CORNER: Final = 3.0
_SOFTNESS: Final = 0.7  # how much of the palette's colours there is in a cell
_MOST_DRAWN: Final = 200  # characters of a token
_SIDE_BY_SIDE: Final = 560  # pixels of width from which on the words stand beside the tree
_SHARES: Final = (3, 2)  # of tree and words
_WIDTHS: Final[dict[int, int]] = {LineageColumn.ID: 44, LineageColumn.STEP: 44, LineageColumn.COUNT: 52}
_WORD_WIDTHS: Final[dict[int, int]] = {CorpusWordColumn.COUNT: 96}

_Index = QModelIndex | QPersistentModelIndex


class LineageView(QWidget):
    """A token's tree, root on top, each part below what it is a part of; and the words that the token was made of.

    A click on a node, or Enter, chooses its token.
    """

    token_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lineageView")
        self._theme = theme
        self._model = LineageModel(theme, self)
        self._nodes = _NodeDelegate(self._model, theme.token_palette(), self)
        self._tree = self._make_tree()
        self._words = CorpusWordModel(theme, self)
        self._bar = BarDelegate(self._words.answers, theme.color("chart_fill"), self)
        self._word_table = self._make_word_table()
        self._splitter = self._lay_out()
        theme.changed.connect(self._take_looks)
        self._take_looks()

    def show_lineage(self, lineage: Lineage | None, counts: Sequence[int] | None = None) -> None:
        """Show the tree of a token, or say how to choose one; without words, until `set_words` brings them.

        `counts` has for each rank how often its pair occurred, where that is known.
        """
        self._model.set_lineage(lineage, counts)
        for column in _WIDTHS:
            self._tree.widen(column, self._model.widest(column))
        self._tree.setColumnHidden(LineageColumn.COUNT, counts is None)
        self._tree.go_to(0 if lineage else -1)
        self._word_table.hint = ""
        self._words.set_words(())

    def set_words(self, words: Sequence[tuple[str | bytes, int]] | None) -> None:
        """Show the words that the token was made of, most frequent first; None where no corpus is known."""
        none = self.tr("No word of the corpus holds it.")
        self._word_table.hint = self.tr("Only a run knows the words of its corpus.") if words is None else none
        self._words.set_words(words or ())
        self._word_table.scrollToTop()
        self._word_table.viewport().update()

    # -- the parts --------------------------------------------------------------------------------------------------

    def _make_tree(self) -> "_TreeTable":
        tree = _TreeTable(self._model, self.tr("How the token was made"))
        tree.set_widths(_WIDTHS, (LineageColumn.TOKEN,))
        tree.hint = self.tr("Point at a token to see how it was made.")
        tree.setItemDelegate(TokenDelegate(self._model.answers, self))
        tree.setItemDelegateForColumn(LineageColumn.TOKEN, self._nodes)
        tree.row_chosen.connect(self._choose)
        return tree

    def _make_word_table(self) -> RunTable:
        table = RunTable(self._words, "lineageWordTable", self.tr("Words that made the token frequent"))
        table.set_widths(_WORD_WIDTHS, (CorpusWordColumn.WORD,))
        table.horizontalHeader().hide()
        table.setItemDelegate(TokenDelegate(self._words.answers, self, _ELIDE))
        table.setItemDelegateForColumn(CorpusWordColumn.COUNT, self._bar)
        return table

    def _lay_out(self) -> QSplitter:
        title = SectionTitle(self.tr("Words that made it frequent"), "lineageWordTitle")
        head = QHBoxLayout()
        head.setContentsMargins(_SPACE, _SPACE // 2, _SPACE, _SPACE // 2)
        head.addWidget(title)
        words = QWidget()
        column = _column(words)
        column.addLayout(head)
        column.addWidget(self._word_table, 1)
        splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        splitter.setObjectName("lineageSplitter")
        for place, part in enumerate((self._tree, words)):
            splitter.addWidget(part)
            splitter.setStretchFactor(place, _SHARES[place])
        _column(self).addWidget(splitter)
        return splitter

    def _take_looks(self) -> None:
        self._nodes.set_palette_colors(self._theme.token_palette())
        self._bar.color = self._theme.color("chart_fill")
        self._set_fonts()

    def _set_fonts(self) -> None:
        for table in (self._tree, self._word_table):
            table.set_fonts(self._theme.token_font(), self._theme.number_font())

    def showEvent(self, event: QShowEvent) -> None:
        """Sets the fonts anew: a style sheet forgets them when the view is put into its window."""
        super().showEvent(event)
        self._set_fonts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words stand beside the tree where there is room, else below it."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _SIDE_BY_SIDE
        orientation = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._splitter.orientation() != orientation:
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes([share * self.width() for share in _SHARES])

    def _choose(self, row: int) -> None:
        token_id = self._model.rows[row].token.id
        if token_id is not None:
            self.token_chosen.emit(token_id)


class _TreeTable(RunTable):
    """The rows of a tree. Left goes to what the token is a part of, Right to its first part; Enter chooses it."""

    row_chosen = Signal(int)

    def __init__(self, model: LineageModel, accessible_name: str) -> None:
        super().__init__(model, "lineageTree", accessible_name)
        self._tree = model
        self.clicked.connect(lambda index: self.row_chosen.emit(index.row()))

    def event(self, event: QEvent) -> bool:
        """Keys that move in here are not the window's shortcuts while this has the focus."""
        if event.type() == _SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and _moves(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if row >= 0 and event.key() in _ENTER:
            self.row_chosen.emit(row)
        elif row >= 0 and _moves(event):
            self.go_to(self._destination(row, Qt.Key(event.key())))
        else:
            super().keyPressEvent(event)

    def _destination(self, row: int, key: Qt.Key) -> int:
        rows = self._tree.rows
        match key:
            case Qt.Key.Key_Left:
                return max(0, rows[row].parent)
            case Qt.Key.Key_Right:
                has_parts = row + 1 < len(rows) and rows[row + 1].parent == row
                return row + 1 if has_parts else row
            case Qt.Key.Key_Home:
                return 0
            case _:
                return len(rows) - 1


class _NodeDelegate(CellDelegate):
    """A token in its colour, at the end of the lines that lead to it from what it is a part of."""

    def __init__(self, model: LineageModel, palette: TokenPalette, parent: QObject) -> None:
        super().__init__(model.answers, parent)
        self._model = model
        self.set_palette_colors(palette)

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._backgrounds = [faded(color, _SOFTNESS) for color in palette.backgrounds]
        self._text = palette.text
        self._rail = QPen(faded(palette.quiet, _RAIL_OPACITY), 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = self._model.rows[index.row()]
        self.paint_background(painter, option, index.row(), index.column())
        painter.save()
        painter.setClipRect(option.rect)
        area = QRectF(option.rect).adjusted(_SPACE, 0, -_SPACE / 2, 0)
        indent = min(_INDENT, area.width() * _INDENTED / max(1, self._model.deepest))
        if indent >= _LEAST_RAIL:
            self._paint_rails(painter, area, indent, row.depth, row.rails)
        area.setLeft(area.left() + row.depth * indent)
        self._paint_token(painter, area, row.token.bytes)
        painter.restore()

    def _paint_rails(self, painter: QPainter, area: QRectF, indent: float, depth: int, rails: int) -> None:
        """The lines through and into a row, from its own generation up."""
        painter.setPen(self._rail)
        middle = round(area.center().y()) + 0.5
        for generation in range(depth, 0, -1):
            x = round(area.left() + (generation - 0.5) * indent) + 0.5
            goes_on, is_own = rails >> (depth - generation) & 1, generation == depth
            if is_own:
                painter.drawLine(QPointF(x, middle), QPointF(area.left() + depth * indent, middle))
            if is_own or goes_on:
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() if goes_on else middle))

    def _paint_token(self, painter: QPainter, area: QRectF, token: bytes) -> None:
        font = self._model.token_font
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(visible(token[:_MOST_DRAWN]), _ELIDE, area.width() - 2 * _PADDING)
        cell = area.adjusted(0, _INSET, 0, -_INSET)
        cell.setWidth(metrics.horizontalAdvance(text) + 2 * _PADDING)
        painter.setRenderHint(_ANTIALIASING)
        painter.setPen(_NO_PEN)
        painter.setBrush(self._backgrounds[crc32(token) % len(self._backgrounds)])
        painter.drawRoundedRect(cell, _CORNER, _CORNER)
        painter.setPen(self._text)
        painter.setFont(font)
        baseline = round(cell.center().y() + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(cell.left() + _PADDING, baseline), text)


def _column(widget: QWidget) -> QVBoxLayout:
    """A layout without margins."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def _moves(event: QKeyEvent) -> bool:
    """Whether the tree itself answers the key."""
    return event.key() in _KEYS and not event.modifiers() & ~_KEYPAD
