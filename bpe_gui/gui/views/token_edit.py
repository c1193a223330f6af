"""A text editor that shows the tokens of its text in place. Knows tokens as data, no tokenizer."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QFrame, QToolTip, QWidget

from .palette import TokenPalette, plain_token_palette
from .plain_text_edit import PlainTextEdit, editor_spelling, with_line_breaks_of
from .token_cells import (
    EvenRowLayout,
    Glyph,
    LineCells,
    RowMetrics,
    Shape,
    is_bidirectional,
    lay_out_line,
    white_space_glyphs,
)
from .token_painter import TokenPainter
from .tokens import NO_TOKENS, ColorMode, TextMap, Tokens

_ANTIALIASING = QPainter.RenderHint.Antialiasing
_LEFT_BUTTON = Qt.MouseButton.LeftButton
_NO_BUTTON = Qt.MouseButton.NoButton
_HINT_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)
_GLYPH_FLAGS = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip)
_LEAVE = QEvent.Type.Leave
_TOOL_TIP = QEvent.Type.ToolTip
_FONT_CHANGE = QEvent.Type.FontChange
_LANGUAGE_CHANGE = QEvent.Type.LanguageChange

_MARGIN = 8  # the grid of the window
_TAB_COLUMNS = 4
_CACHED_LINES = 2_000
_NO_INDEX = -1
_MARK_SLOP = 2.0  # how far beside a bar the mouse still hits it
_GAP_SLOP = 1.0


@dataclass(frozen=True, slots=True)
class Cell:
    """Everything painted for one token in the visible part of the text, in viewport coordinates."""

    index: int
    rects: list[QRectF]


@dataclass(frozen=True, slots=True)
class _Line:
    """One visible line: `top` is where its block begins in the viewport."""

    block: QTextBlock
    number: int
    left: float
    top: float


@dataclass(frozen=True, slots=True)
class _Measured:
    """What is known of one line until the text, its width or its tokens change."""

    cells: LineCells
    glyphs: list[Glyph]


class TokenEdit(PlainTextEdit):
    """A plain-text editor that paints the tokens of its text behind it.

    It paints the tokens it was given last, cut off where the text was changed since; its owner answers
    `text_edited` with new ones. Only visible lines are measured: a key costs the same in a long text.
    """

    text_edited = Signal()
    token_hovered = Signal(int)
    token_clicked = Signal(int)
    caret_token_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, object_name="encodeInput")
        self._layout = self._install_document()
        self._shown = ""  # the text with `\n` at the end of every line, as an editor has it
        self._text = ""
        self._text_map = TextMap("")
        self._tokens = NO_TOKENS
        self._lines: dict[tuple[int, int], _Measured] = {}
        self._bidirectional: dict[int, bool] = {}
        self._colors = NO_TOKENS.ids
        self._color_mode = ColorMode.BY_POSITION
        palette = plain_token_palette(self.palette())
        self._painter = TokenPainter(palette)
        self._quiet = palette.quiet
        self._show_white_space = False
        self._hovered = _NO_INDEX
        self._highlighted = _NO_INDEX
        self._caret_token = _NO_INDEX
        self._marked_id: int | None = None
        self._pressed_at = QPoint()
        self._changed_from = 0

        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setMouseTracking(True)
        self._layout.update.connect(self._forget_lines)
        self._layout.updateBlock.connect(self._forget_lines)
        self.document().contentsChange.connect(self._note_change)
        self.textChanged.connect(self._note_edit)
        self.cursorPositionChanged.connect(self._follow_caret)
        self._retranslate()

    def _install_document(self) -> EvenRowLayout:
        document = QTextDocument(self)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(_MARGIN)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # Keeps room at the end of every line for the cell of the line break.
        option.setFlags(QTextOption.Flag.AddSpaceForLineAndParagraphSeparators)
        document.setDefaultTextOption(option)
        layout = EvenRowLayout(document)
        document.setDocumentLayout(layout)
        self.setDocument(document)
        self._fit_tabs()
        return layout

    def text(self) -> str:
        """The text as it was set or typed; lines that were set end as they did there."""
        return self._text

    def set_text(self, text: str) -> None:
        """Replace the text, forgetting undo, tokens and marks; emits no `text_edited`."""
        with QSignalBlocker(self):
            self.setPlainText(text)
        self._shown = super().text()
        # Half a surrogate pair is all that an editor cannot hold.
        self._take(text if editor_spelling(text) == self._shown else self._shown)
        self.set_marked_ids(None)
        self.set_tokens(NO_TOKENS)

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint these tokens of the present text."""
        self._tokens = tokens
        self._highlighted = _NO_INDEX
        self._recolor()
        self._forget_lines()
        self._set_hovered(_NO_INDEX)
        self._caret_token = self._token_at_caret()
        self.caret_token_changed.emit(self._caret_token)

    def set_highlight(self, index: int) -> None:
        """Outline one token, as hovering over it does; -1 for none."""
        if index != self._highlighted:
            self._highlighted = index
            self.viewport().update()

    def set_marked_ids(self, token_id: int | None) -> None:
        """Outline every token of this id."""
        self._marked_id = token_id
        self.viewport().update()

    def set_whitespace_visible(self, visible: bool) -> None:
        """Show signs for spaces, tabs and line breaks; the text stays the same."""
        self._show_white_space = visible
        self._forget_lines()

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour by position, or the same token in the same colour."""
        self._color_mode = mode
        self._recolor()
        self.viewport().update()

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._painter = TokenPainter(palette)
        self._quiet = palette.quiet
        colors = self.palette()
        colors.setColor(QPalette.ColorRole.Text, palette.text)
        self.setPalette(colors)
        self._recolor()
        self.viewport().update()

    def _take(self, text: str) -> None:
        self._text = text
        self._text_map = TextMap(text)

    def _note_change(self, position: int) -> None:
        self._changed_from = position

    def _note_edit(self) -> None:
        shown, map_before = super().text(), self._text_map
        # An input method that composes changes the document, but not its text.
        if shown == self._shown:
            return
        self._shown = shown
        self._take(with_line_breaks_of(self._text, shown))
        # Until new tokens arrive, those before the change are still right.
        self._tokens = self._tokens.within(map_before.byte(self._changed_from))
        self.text_edited.emit()

    def _recolor(self) -> None:
        self._colors = self._tokens.color_indices(self._painter.color_count, self._color_mode)

    def cells(self) -> list[Cell]:
        """What is painted of every token in the visible lines, in the order of the tokens."""
        found: dict[int, list[QRectF]] = {}
        for line in self._visible_lines():
            for piece in self._measured(line).cells.pieces:
                found.setdefault(piece.index, []).append(piece.rect.translated(line.left, line.top))
        return [Cell(index, found[index]) for index in sorted(found)]

    def token_at(self, pos: QPoint) -> int:
        """Index of the token at `pos` (viewport coordinates), or -1."""
        line = self._line_at(pos.y())
        if line is None:
            return _NO_INDEX
        x = pos.x() - line.left
        pieces = self._measured(line).cells.pieces
        small = [piece for piece in pieces if piece.shape is not Shape.FULL]
        marks = [piece for piece in small if piece.shape is Shape.MARK]
        for candidates, slop in ((small, 0.0), (marks, _MARK_SLOP), (pieces, _GAP_SLOP)):
            for piece in candidates:
                if piece.rect.left() - slop <= x <= piece.rect.right() + slop:
                    return piece.index
        return _NO_INDEX

    def _token_at_caret(self) -> int:
        return self._tokens.at_caret(self._text_map.byte(self.textCursor().position()))

    def _follow_caret(self) -> None:
        index = self._token_at_caret()
        if index != self._caret_token:
            self._caret_token = index
            self.caret_token_changed.emit(index)

    def _set_hovered(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.viewport().update()
            self.token_hovered.emit(index)

    def _forget_lines(self, *_changed: object) -> None:
        self._lines.clear()
        self._bidirectional.clear()
        self.viewport().update()

    def _visible_lines(self) -> Iterator[_Line]:
        height = self._layout.metrics.height
        bottom = self.viewport().height()
        offset = self.contentOffset()
        block, top = self.firstVisibleBlock(), offset.y()
        while block.isValid() and top < bottom:
            block_height = self.blockBoundingRect(block).height()
            first = max(0, int(-top // height))
            last = min(block.lineCount(), int((bottom - top) // height) + 1)
            for number in range(first, last):
                yield _Line(block, number, offset.x(), top)
            top += block_height
            block = block.next()

    def _line_at(self, y: float) -> _Line | None:
        height = self._layout.metrics.height
        for line in self._visible_lines():
            if 0 <= y - line.top - line.number * height < height:
                return line
        return None

    def _measured(self, line: _Line) -> _Measured:
        """The cells of a line, measured when they are first asked for."""
        number = line.block.blockNumber()
        key = number, line.number
        known = self._lines.get(key)
        if known is not None:
            return known
        if number not in self._bidirectional:
            self._bidirectional[number] = is_bidirectional(line.block)
        if len(self._lines) >= _CACHED_LINES:
            self._lines.clear()
        bidirectional = self._bidirectional[number]
        metrics = self._layout.metrics
        cells = lay_out_line(
            line.block, line.number, self._tokens, self._text_map, metrics, bidirectional=bidirectional
        )
        glyphs: list[Glyph] = []
        if self._show_white_space:
            glyphs = white_space_glyphs(line.block, line.number, self._text_map, metrics, bidirectional=bidirectional)
        self._lines[key] = measured = _Measured(cells, glyphs)
        return measured

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cells below the text, then the text, then the signs for white space."""
        lines = [line for line in self._visible_lines() if self._is_in(event.rect(), line)]
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(_ANTIALIASING)
            for line in lines:
                self._paint_cells(painter, line)
        super().paintEvent(event)
        if not self._text:
            self._paint_hint()
        if self._show_white_space:
            self._paint_white_space(lines)

    def _paint_white_space(self, lines: list[_Line]) -> None:
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font())
            painter.setPen(self._quiet)
            for line in lines:
                for glyph in self._measured(line).glyphs:
                    painter.drawText(glyph.rect.translated(line.left, line.top), _GLYPH_FLAGS, glyph.text)

    def _paint_hint(self) -> None:
        """What to do here, on the caret's row: Qt's own placeholder knows nothing of even rows."""
        block = self.document().firstBlock()
        if block.layout().preeditAreaText():
            return
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font())
            painter.setPen(self._quiet)
            first_row = _MARGIN + self._layout.metrics.baseline - painter.fontMetrics().ascent()
            area = QRectF(self.viewport().rect()).adjusted(_MARGIN, first_row, -_MARGIN, 0)
            painter.drawText(area, _HINT_FLAGS, self._hint)

    def _is_in(self, area: QRect, line: _Line) -> bool:
        top = line.top + line.number * self._layout.metrics.height
        return top <= area.bottom() + 1 and top + self._layout.metrics.height >= area.top()

    def _paint_cells(self, painter: QPainter, line: _Line) -> None:
        cells = self._measured(line).cells
        painter.translate(line.left, line.top)
        self._painter.paint(painter, cells, self._tokens, self._colors)
        for piece in cells.pieces:
            hovered = piece.index in (self._hovered, self._highlighted)
            if hovered or self._is_marked(piece.index):
                self._painter.outline(painter, piece, hovered=hovered)
        painter.translate(-line.left, -line.top)

    def _is_marked(self, index: int) -> bool:
        return self._marked_id is not None and bool(self._tokens.ids[index] == self._marked_id)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips of tokens, and the mouse leaving."""
        if event.type() == _LEAVE:
            self._set_hovered(_NO_INDEX)
        if isinstance(event, QHelpEvent) and event.type() == _TOOL_TIP:
            index = self.token_at(event.pos())
            if index == _NO_INDEX:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self._describe(index), self.viewport())
            return True
        return super().viewportEvent(event)

    def _describe(self, index: int) -> str:
        """The tooltip of a token, as rich text."""
        token = self._tokens[index]
        octets = self._text_map.utf8[token.start : token.stop]
        if token.unknown:
            facts = [self.tr("no id: this symbol is not in the vocabulary")]
        else:
            facts = [self.tr("id {id}").format(id=token.id)]
        if token.special:
            facts.append(self.tr("special token"))
        if octets:
            facts.append(self.tr("bytes {hex}").format(hex=octets.hex(" ")))
        else:
            facts.append(self.tr("covers no text"))
        facts += [
            self.tr("holds part of {character} ({hex})").format(
                character=_printable(character), hex=character.encode().hex(" ")
            )
            for character in self._text_map.cut_characters(token.start, token.stop)
        ]
        lines = "<br>".join(html.escape(fact) for fact in facts)
        return f"<p style='white-space: pre'><b>{html.escape(_printable(token.label))}</b><br>{lines}</p>"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Places the caret; remembers where, to tell a click on a token from a selection."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(self._on_text(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hovers, or extends the selection."""
        if event.buttons() == _NO_BUTTON:
            self._set_hovered(self.token_at(event.position().toPoint()))
        super().mouseMoveEvent(self._on_text(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press and a release at one place is a click on the token there."""
        super().mouseReleaseEvent(self._on_text(event))
        released_at = event.position().toPoint()
        moved = (released_at - self._pressed_at).manhattanLength()
        index = self.token_at(released_at)
        if event.button() == _LEFT_BUTTON and moved < QApplication.startDragDistance() and index != _NO_INDEX:
            self.token_clicked.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Selects the word."""
        super().mouseDoubleClickEvent(self._on_text(event))

    def _on_text(self, event: QMouseEvent) -> QMouseEvent:
        """The event moved from between two rows onto the text of its row.

        Rows are higher than their text, and Qt takes the space between for the end of the line above.
        """
        line = self._line_at(event.position().y())
        if line is None:
            return event
        metrics = self._layout.metrics
        middle = line.top + line.number * metrics.height + metrics.baseline - metrics.height / 4
        return QMouseEvent(
            event.type(),
            QPointF(event.position().x(), middle),
            event.globalPosition(),
            event.button(),
            event.buttons(),
            event.modifiers(),
            event.pointingDevice(),
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follows the font and the language."""
        if event.type() == _FONT_CHANGE:
            self._layout.metrics = RowMetrics.of(self.font())
            self._fit_tabs()
        elif event.type() == _LANGUAGE_CHANGE:
            self._retranslate()
        super().changeEvent(event)

    def _fit_tabs(self) -> None:
        self.setTabStopDistance(_TAB_COLUMNS * QFontMetricsF(self.font()).horizontalAdvance(" "))

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Text to encode"))
        self._hint = self.tr("Type or paste text to see its tokens.")
        self.viewport().update()


def _printable(label: str) -> str:
    """The label with control characters spelled out."""
    return "".join(_spelled(character) for character in label)


def _spelled(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")
