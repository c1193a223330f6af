"""A text of any size with its tokens, painted in place. Knows tokens as data, no tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from bpe_gui.engine.live_text import LiveText

from bpe_gui.gui.views.editor.painting.flash import Flash
from bpe_gui.gui.look.palette import TokenPalette, plain_token_palette
from bpe_gui.gui.views.editor.visible_rows import TextArea
from bpe_gui.gui.views.editor.layout.token_cells import Piece, Shape
from bpe_gui.gui.views.editor.layout.token_page import Page, Pages, PageSegment
from bpe_gui.gui.views.editor.painting.token_painter import TokenPainter
from bpe_gui.gui.views.editor.token_tip import token_tip
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens

_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_LEFT_BUTTON: Final = Qt.MouseButton.LeftButton
_NO_BUTTON: Final = Qt.MouseButton.NoButton
_HINT_FLAGS: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)
_LEAVE: Final = QEvent.Type.Leave
_TOOL_TIP: Final = QEvent.Type.ToolTip
_LANGUAGE_CHANGE: Final = QEvent.Type.LanguageChange

_NOBODY: Final = -1
_MARK_SLOP: Final = 2.0  # how far beside a bar the mouse still hits it
_GAP_SLOP: Final = 1.0
_CARET_WIDTH: Final = 1.5


@dataclass(frozen=True, slots=True)
class Cell:
    """Everything painted for one token in the visible part of the text, in viewport coordinates."""

    index: int
    rects: list[QRectF]


class TokenText(TextArea):
    """Paints a text and the cells of its tokens behind it. Tokens are spoken of by their numbers in the text.

    While tokens before those in view are not known yet, these have no numbers: they are shown, and say what they are,
    but are not told about by signals.
    """

    token_hovered = Signal(int)
    token_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, object_name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self._color_mode = ColorMode.BY_POSITION
        self._painter = TokenPainter(plain_token_palette(self.palette()))
        self._show_white_space = False
        self._show_words = False
        self._hovered = _NOBODY
        self._highlighted = _NOBODY
        self._marked_id: int | None = None
        self._caret: int | None = None
        self._caret_visible = False
        self._selection = (0, 0)
        self._pressed_at = QPoint()
        self._flash = Flash(self)
        self._source = LiveTokens(LiveText())
        self._pages = Pages(self._rows, self._source)
        self._page: Page | None = None
        self.viewport().setMouseTracking(True)
        self.set_source(LiveTokens(LiveText()))
        self._retranslate()

    # -- what is shown ----------------------------------------------------------------------------------------------

    @property
    def source(self) -> LiveTokens:
        """The text and its tokens."""
        return self._source

    def set_source(self, source: LiveTokens, *, flash: bool = False) -> None:
        """Show another text from its start on, without marks; or the same with other tokens, where it is.

        Of these, those that were not in view before may flash.
        """
        is_same = source.text is self._source.text
        self._source = source
        if not is_same:
            self._marked_id = None
            self._caret = None if self._caret is None else 0
            self._selection = (0, 0)
            self._set_text(source.text)
        self._pages = Pages(self._rows, source)
        self.tokens_changed(flash)

    def tokens_changed(self, flash: bool = False) -> None:
        """The tokens of the text are others now; those that were not in view before may flash."""
        before = self._spans() if flash and self._page else None
        self._forget_page()
        self._highlighted = _NOBODY
        self._set_hovered(_NOBODY)
        if before is not None:
            self._flash.begin(self._spans() - before)

    def text_replaced(self, start: int, removed: int, added: int) -> None:
        """The text was edited: `removed` bytes at `start` gave way to `added` others. What is in view stays there."""
        self._flash.end()
        super().text_replaced(start, removed, added)

    def set_highlight(self, number: int) -> None:
        """Outline one token, as hovering over it does; -1 for none."""
        if number != self._highlighted:
            self._highlighted = number
            self.viewport().update()

    def set_marked_ids(self, token_id: int | None) -> None:
        """Outline every token of this id."""
        self._marked_id = token_id
        self.viewport().update()

    def set_whitespace_visible(self, visible: bool) -> None:
        """Show signs for white space and line breaks; the text stays the same."""
        self._show_white_space = visible
        self.viewport().update()

    def set_word_boundaries_visible(self, visible: bool) -> None:
        """Mark where words (pre-tokens) begin, which no token crosses."""
        self._show_words = visible
        self._forget_page()

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour by position, or the same token in the same colour."""
        self._color_mode = mode
        self._forget_page()

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Take on the colours of a theme."""
        self._painter = TokenPainter(palette)
        colors = self.palette()
        colors.setColor(QPalette.ColorRole.Text, palette.text)
        self.setPalette(colors)
        self._forget_page()

    def set_preedit(self, text: str, cursor: int, place: int) -> None:
        """Show what an input method composes at a place, with its caret at UTF-16 unit `cursor`; nothing ends it."""
        self._rows.set_preedit(text, cursor, place)
        self._lay_out()

    @property
    def caret(self) -> int | None:
        """The place of the caret, which is painted while it is visible."""
        return self._caret

    @caret.setter
    def caret(self, place: int | None) -> None:
        self._update_caret()
        self._caret = place
        self._update_caret()

    @property
    def caret_visible(self) -> bool:
        """Whether the caret is painted."""
        return self._caret_visible

    @caret_visible.setter
    def caret_visible(self, visible: bool) -> None:
        self._caret_visible = visible
        self._update_caret()

    @property
    def selection(self) -> tuple[int, int]:
        """Start and stop of what is selected."""
        return self._selection

    @selection.setter
    def selection(self, span: tuple[int, int]) -> None:
        if span != self._selection:
            self._selection = span
            self.viewport().update()

    def _update_caret(self) -> None:
        if self._caret is not None and self._caret <= len(self._source.text):
            self.viewport().update(self.caret_rect(self._caret).adjusted(-2, 0, 2, 0).toAlignedRect())

    # -- the page in view -------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        super()._lay_out()
        self._page = None

    def _forget_page(self) -> None:
        self._page = None
        self.viewport().update()

    def _shown(self) -> Page:
        """What is in view, made when it is first asked for."""
        if self._page is None:
            height = self.viewport().height() - self.margin
            self._page = self._pages.page(
                self._top_row(), height, self._painter.color_count, self._color_mode, words=self._show_words
            )
        return self._page

    def _spans(self) -> set[tuple[int, int]]:
        tokens = self._shown().tokens
        return set(zip(tokens.starts.tolist(), tokens.stops.tolist(), strict=True))

    def _number(self, segment: PageSegment, piece: Piece) -> int:
        return max(0, self._shown().tokens.first) + segment.first + piece.token

    def visible_span(self) -> tuple[int, int]:
        """Start and stop of the text in view."""
        top = self._top_row()
        bottom = self._rows.moved(top, self.rows_per_page() - 1)
        return self._rows.start_of(top), self._rows.stop_of(bottom)

    def cells(self) -> list[Cell]:
        """What is painted of every token in view, in the order of the tokens."""
        found: dict[int, list[QRectF]] = {}
        for segment, piece in self._pieces():
            rect = piece.rect.translated(self.margin, self.margin + segment.top)
            found.setdefault(self._number(segment, piece), []).append(rect)
        return [Cell(number, found[number]) for number in sorted(found)]

    def _pieces(self) -> Iterator[tuple[PageSegment, Piece]]:
        for segment in self._shown().segments:
            for row in segment.rows:
                for piece in segment.cells.row(row).pieces:
                    yield segment, piece

    def token_at(self, point: QPoint) -> int:
        """Number of the token at a point of the viewport, or -1."""
        hit = self._piece_at(point)
        return _NOBODY if hit is None or self._shown().tokens.first < 0 else self._number(*hit)

    def _piece_at(self, point: QPoint) -> tuple[PageSegment, Piece] | None:
        x, y, height = point.x() - self.margin, point.y() - self.margin, self._rows.metrics.height
        for segment in self._shown().segments:
            row = int((y - segment.top) // height)
            if row in segment.rows:
                piece = _piece_near(x, segment.cells.row(row).pieces)
                return None if piece is None else (segment, piece)
        return None

    # -- painting ---------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """The band of the selection, the cells, the text, and the caret."""
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font())
            painter.setRenderHint(_ANTIALIASING)
            painter.translate(self.margin, self.margin)
            area = QRectF(event.rect()).translated(-self.margin, -self.margin)
            for segment in self._shown().segments:
                rows = self._rows_in(segment, area)
                if rows:
                    painter.translate(0, segment.top)
                    self._paint_segment(painter, segment, rows)
                    painter.translate(0, -segment.top)
            painter.resetTransform()
            if self._caret_visible and self._caret is not None:
                self._paint_caret(painter, self._caret)
            if not len(self._source.text) and not self._rows.is_composing:
                self._paint_hint(painter)

    def _rows_in(self, segment: PageSegment, area: QRectF) -> range:
        height = self._rows.metrics.height
        first = int((area.top() - segment.top) // height)
        last = int((area.bottom() - segment.top) // height) + 1
        return range(max(first, segment.rows.start), min(last, segment.rows.stop))

    def _paint_segment(self, painter: QPainter, segment: PageSegment, rows: range) -> None:
        self._painter.paint_cells(painter, segment, rows)
        for row in rows:
            self._painter.paint_selection(painter, segment.bands(*self._selection, row))
        self._paint_attention(painter, segment, rows)
        self._painter.paint_text(painter, segment, rows)
        if self._show_white_space:
            self._painter.paint_white_space(painter, segment, rows)
        if self._show_words:
            self._painter.paint_word_starts(painter, segment, rows, self._shown().word_starts)

    def _paint_attention(self, painter: QPainter, segment: PageSegment, rows: range) -> None:
        """What is new, marked or pointed at."""
        first = self._shown().tokens.first
        numbers = (self._hovered, self._highlighted) if first >= 0 else ()
        pointed = {number - first - segment.first for number in numbers if number != _NOBODY}
        marked: set[int] = set()
        if self._marked_id is not None:
            marked.update(np.flatnonzero(segment.tokens.ids == self._marked_id).tolist())
        new = self._flash.among(segment)
        if not (pointed or marked or new):
            return
        for piece in (piece for row in rows for piece in segment.cells.row(row).pieces):
            if piece.token in new:
                self._painter.flash(painter, piece, self._flash.strength)
            if piece.token in pointed or piece.token in marked:
                self._painter.outline(painter, piece, hovered=piece.token in pointed)

    def _paint_caret(self, painter: QPainter, place: int) -> None:
        rect = self.caret_rect(place)
        metrics = self._rows.metrics
        top, height = rect.top() + metrics.cell_top, metrics.cell_bottom - metrics.cell_top
        painter.fillRect(QRectF(rect.left() - _CARET_WIDTH / 2, top, _CARET_WIDTH, height), self._painter.text)

    def _paint_hint(self, painter: QPainter) -> None:
        """What to do here, on the first row."""
        first_row = self.margin + self._rows.metrics.baseline - painter.fontMetrics().ascent()
        area = QRectF(self.viewport().rect()).adjusted(self.margin, first_row, -self.margin, 0)
        painter.setPen(self._painter.quiet)
        painter.drawText(area, _HINT_FLAGS, self._hint)

    # -- what is pointed at -----------------------------------------------------------------------------------------

    def _set_hovered(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.viewport().update()
            self.token_hovered.emit(number)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips of tokens, and the mouse leaving."""
        if event.type() == _LEAVE:
            self._set_hovered(_NOBODY)
        if isinstance(event, QHelpEvent) and event.type() == _TOOL_TIP:
            hit = self._piece_at(event.pos())
            if hit is None:
                QToolTip.hideText()
            else:
                token = self._shown().tokens[hit[0].first + hit[1].token]
                tip = token_tip(token, self._source.text, self._rows.cut_characters(token.start, token.stop))
                QToolTip.showText(event.globalPos(), tip, self.viewport())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remembers where, to tell a click on a token from a selection."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hovers."""
        if event.buttons() == _NO_BUTTON:
            self._set_hovered(self.token_at(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press and a release at one place is a click on the token there."""
        super().mouseReleaseEvent(event)
        released_at = event.position().toPoint()
        moved = (released_at - self._pressed_at).manhattanLength()
        number = self.token_at(released_at)
        if event.button() == _LEFT_BUTTON and moved < QApplication.startDragDistance() and number != _NOBODY:
            self.token_clicked.emit(number)

    def changeEvent(self, event: QEvent) -> None:
        """Follows the language."""
        if event.type() == _LANGUAGE_CHANGE:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Text to encode"))
        self._hint = self.tr("Type or paste text to see its tokens.")
        self.viewport().update()


def _piece_near(x: float, pieces: list[Piece]) -> Piece | None:
    """The piece at `x`, those first that are small."""
    small = [piece for piece in pieces if piece.shape is not Shape.FULL]
    marks = [piece for piece in small if piece.shape is Shape.MARK]
    for candidates, slop in ((small, 0.0), (marks, _MARK_SLOP), (pieces, _GAP_SLOP)):
        for piece in candidates:
            if piece.rect.left() - slop <= x <= piece.rect.right() + slop:
                return piece
    return None
