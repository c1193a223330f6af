"""Hold the tokens of the visible rows, paint them, and tell which one is under the mouse."""

import html
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtGui import QColor, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import IntegerArray, LiveText, isolated
from bpe_gui.gui.edit_history import TextSelection
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.look.theme import Motion, TokenPalette, hue_of, token_palette_of
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Token
from bpe_gui.gui.wording.phrases import listed, translate

from .painting import TokenPainter
from .token_page import Cell, Page, PageBuilder, PageSegment
from .visible_rows import VisibleRows

_MAX_BYTES_SHOWN: Final = 64

NO_TOKEN: Final = -1

_NO_SPANS: Final = np.empty(0, np.int64)

SpansIn = Callable[[int, int], Sequence[tuple[int, int]]]
"""Returns the spans that overlap the bytes from a start to a stop."""


class TokenLayer(QObject):
    """The tokens of the visible rows; signals and arguments identify a token by its index in the text.

    While earlier tokens of the text are still unknown, the visible tokens have no index: they are painted and have
    tooltips, but no signal reports them.
    """

    _widget = WeakAttribute[QWidget]()

    changed = Signal()
    """The layer has to be repainted."""

    area_changed = Signal(QRegion)
    """A part of the layer, in viewport coordinates, has to be repainted: new tokens flash, or rows have other ones."""

    token_hovered = Signal(int)
    """The index of the token under the mouse, -1 for none."""

    def __init__(self, rows: VisibleRows, source: LiveTokens, widget: QWidget) -> None:
        """Show the tokens of `source`, which has the same text as `rows`.

        `widget` provides colours until `set_palette` is called, and the style, which knows about animations.
        """
        super().__init__(widget)
        self._rows = rows
        self._color_mode = ColorMode.BY_POSITION
        self._shows_white_space = False
        self._shows_word_starts = False
        self._hovered = NO_TOKEN
        self._highlighted = NO_TOKEN
        self._marked_ids: tuple[int, ...] = ()
        self._widget = widget
        self._found: SpansIn | None = None
        self._other_starts: tuple[IntegerArray, IntegerArray] | None = None
        self._other_color = QColor()
        self._new = _NO_SPANS  # of the tokens that flash
        self._new_area: QRegion | None = None  # around their cells, in viewport coordinates
        self._seam: int | None = None  # the length in bytes of the left part of each of them, if they have two
        self.source = source
        """The text and its tokens."""
        self._builder = PageBuilder(rows.all_rows, source)
        self._page: Page | None = None  # built on first use
        self._held: Page | None = None  # painted until the tokens of the same text are known again
        self._marked: set[int] = set()  # indices among the tokens of the page
        self._flashing: set[int] = set()
        self.painter = TokenPainter(token_palette_of("light"))
        rows.changed.connect(self.forget_tokens)
        self.use_motion(Motion(widget))

    def use_motion(self, motion: Motion) -> None:
        """Flash with this clock."""
        self._motion = motion
        motion.valueChanged.connect(self._repaint_new)
        motion.finished.connect(self._repaint_new)

    # -- the tokens -------------------------------------------------------------------------------------------------

    def set_source(self, source: LiveTokens, *, flash: bool = False, seam: int | None = None) -> None:
        """Show the tokens of another source; if it has the same text, `flash` makes the new ones flash.

        With `seam`, the two parts of each draw together, where the left one has that many bytes. The rows must already
        show the source's text.
        """
        if source.text is not self.source.text:
            self._marked_ids = ()
            self._found = None
            self.forget_tokens()
        self.source = source
        self._rows.keep_whole(source.special_tokens)
        self._builder = PageBuilder(self._rows.all_rows, source)
        self.tokens_changed(flash=flash, seam=seam)

    def tokens_changed(self, *, flash: bool = False, seam: int | None = None) -> None:
        """Repaint, because the tokens of the text have changed; with `flash`, tokens that were not in view flash."""
        before, is_flashing = self._page, len(self._new) > 0 and self._motion.left > 0
        is_painted = before is not None and self._held is None and not is_flashing
        if before is not None and len(before.tokens):
            self._held = before
        self._new = _NO_SPANS
        self._page = self._new_area = None
        self.set_highlight(NO_TOKEN)
        self._set_hovered(NO_TOKEN)
        if flash and before is not None:
            self._new, self._seam = np.setdiff1d(self.page().spans(), before.spans()), seam
            self._flashing = self.page().indices_of(self._new)
            if len(self._new) and not self._motion.is_running:
                self._motion.begin(self._widget)
        area = self._area_unlike(before) if before is not None and is_painted else None
        if area is None:
            self.changed.emit()
        else:
            self._held = None
            self.area_changed.emit(area)

    def _area_unlike(self, before: Page) -> QRegion | None:
        """Return where the rows look otherwise than on the page `before`; None if all of them may."""
        page, text = self.page(), self.source.text
        if text.tokenizer is not None and not text.is_encoded_in(*page.span):
            return None
        area = page.area_unlike(before)
        return None if area is None else area.translated(self._rows.margin, self._rows.margin)

    def end_flash(self) -> None:
        """Stop the flash, because an edit moves the offsets of the flashing tokens."""
        if len(self._new):
            self._motion.end()

    def _repaint_new(self) -> None:
        if len(self._new):
            if self._new_area is None:
                self._new_area, margin = QRegion(), self._rows.margin
                for index, rect in self.page().cells():
                    if index in self._flashing:
                        self._new_area += rect.translated(margin, margin).toAlignedRect()
            self.area_changed.emit(self._new_area)

    # -- appearance -------------------------------------------------------------------------------------------------

    def set_highlight(self, index: int) -> None:
        """Outline the token at an index, as hovering over it does; -1 for none."""
        if index != self._highlighted:
            self._highlighted = index
            self.changed.emit()

    def set_marked_ids(self, ids: Sequence[int]) -> None:
        """Outline every token with one id, or every pair with two; nothing without any."""
        if tuple(ids) != self._marked_ids:
            self._marked_ids = tuple(ids)
            self._forget_page()

    def set_found(self, spans_in: SpansIn | None) -> None:
        """Mark the spans that `spans_in` returns for the visible text; None for none."""
        if spans_in is not self._found:
            self._found = spans_in
            self.changed.emit()

    def set_other_starts(self, starts: tuple[IntegerArray, IntegerArray] | None, color: QColor) -> None:
        """Mark in a colour where other tokens differ: the byte offsets where only those begin, and only these do."""
        if starts is not self._other_starts or color != self._other_color:
            self._other_starts, self._other_color = starts, color
            self.changed.emit()

    def set_whitespace_visible(self, visible: bool) -> None:
        """Show or hide glyphs for white space and line breaks."""
        self._shows_white_space = visible
        self.changed.emit()

    def set_word_boundaries_visible(self, visible: bool) -> None:
        """Show or hide marks at word (pre-token) boundaries, which no token crosses."""
        self._shows_word_starts = visible
        self._forget_page()

    def set_color_mode(self, mode: ColorMode) -> None:
        """Colour tokens by position, equal tokens alike, or words by the part of the splitter that took them."""
        self._color_mode = mode
        self._forget_page()

    def set_palette(self, palette: TokenPalette) -> None:
        """Use the colours of a theme."""
        self.painter = TokenPainter(palette)
        self._forget_page()

    # -- the page in view -------------------------------------------------------------------------------------------

    def page(self) -> Page:
        """Return the visible rows with their tokens, in coordinates relative to the margins."""
        if self._page is None:
            self._page = self._builder.build(
                self._rows.top_row(),
                self._rows.height,
                self.painter.hues,
                self._color_mode,
                words=self._shows_word_starts or len(self._marked_ids) > 1,
                marked_ids=self._marked_ids,
            )
            self._marked = set(np.flatnonzero(self._page.marked).tolist())
            self._flashing = self._page.indices_of(self._new)
        return self._page

    def _forget_page(self) -> None:
        self._page = self._new_area = None
        self.changed.emit()

    def forget_tokens(self) -> None:
        """Stop showing old tokens until the new ones are known: the text has moved, or cannot be encoded."""
        self._held = None
        self._forget_page()

    def _painted_page(self) -> Page:
        """Return the page to paint: the old one while the same text is encoded with another tokenizer."""
        page, text = self.page(), self.source.text
        if self._held is None or text.tokenizer is None or text.is_encoded_in(*page.span):
            self._held = None
            return page
        return self._held

    # -- painting ---------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, region: QRegion, selection: TextSelection) -> None:
        """Paint the rows that touch `region`, in coordinates relative to the margins."""
        page = self._painted_page()
        first = page.tokens.first
        indices = {self._hovered, self._highlighted} - {NO_TOKEN}
        pointed: set[int] = set() if first is None else {index - first for index in indices}
        start, stop = selection.span
        found = self._found(*page.span) if self._found is not None else ()
        for segment in page.segments:
            rows = segment.rows_in(region)
            if rows:
                painter.translate(0, segment.top)
                self.painter.paint_cells(painter, segment, rows)
                for span in found:
                    self.painter.paint_found(painter, segment.bands(*span, rows))
                if start < stop:
                    self.painter.paint_selection(painter, segment.bands(start, stop, rows))
                self._paint_attention(painter, segment, rows, pointed)
                self.painter.paint_text(painter, segment, rows)
                if self._shows_white_space:
                    self.painter.paint_white_space(painter, segment, rows)
                if self._other_starts is not None:
                    for offsets, is_added in zip(self._other_starts, (True, False), strict=True):
                        self.painter.paint_other_starts(
                            painter, segment, rows, offsets, self._other_color, is_added=is_added
                        )
                if self._shows_word_starts:
                    self.painter.paint_word_starts(painter, segment, rows, page.word_starts)
                painter.translate(0, -segment.top)

    def _paint_attention(self, painter: QPainter, segment: PageSegment, rows: range, pointed: Collection[int]) -> None:
        """Make new tokens flash, and outline those that are marked or pointed at."""
        left = self._motion.left
        flashing = self._flashing if left else set()
        outlined = self._marked.union(pointed)
        if not (flashing or outlined):
            return
        cells = [cell for row in rows for cell in segment.cells.row(row).cells]
        new = [cell for cell in cells if segment.first + cell.token in flashing]
        if new:
            if self._seam is None or self._color_mode is not ColorMode.BY_TOKEN:
                self.painter.paint_flash(painter, new, left)
            if self._seam is not None:
                self._paint_parts(painter, segment, new, left)
        for cell in cells:
            index = segment.first + cell.token
            if index in outlined:
                self.painter.paint_outline(painter, cell, is_pointed=index in pointed)

    def _paint_parts(self, painter: QPainter, segment: PageSegment, new: Iterable[Cell], left: float) -> None:
        """Paint two parts drawing together in each of these cells, in their own colours if those are of tokens."""
        seam, tokens = self._seam or 0, segment.tokens
        lengths, background = (tokens.stops - tokens.starts).tolist(), self._widget.palette().base()
        hues: Sequence[int] = ()
        for cell in new:
            share = seam / max(lengths[cell.token], 1)
            if self._color_mode is ColorMode.BY_TOKEN and not hues:  # all new tokens are of one symbol
                symbol, count = tokens.symbol(int(tokens.ids[cell.token])), self.painter.hues
                hues = hue_of(symbol[:seam], count), hue_of(symbol[seam:], count)
            self.painter.paint_parts(painter, cell, share, hues, background, left)

    # -- the mouse --------------------------------------------------------------------------------------------------

    def token_at(self, point: QPointF) -> int:
        """Return the index of the token at a viewport point; -1 if there is none or its index is unknown."""
        index, first = self._index_at(point), self.page().tokens.first
        return NO_TOKEN if index is None or first is None else first + index

    def tip_at(self, point: QPointF) -> str | None:
        """Return the tooltip of the token at a viewport point, as rich text; None if there is no token."""
        index = self._index_at(point)
        if index is None:
            return None
        token = self.page().tokens[index]
        return token_tip(token, self.source.text, self._rows.all_rows.split_characters(token.start, token.stop))

    def _index_at(self, point: QPointF) -> int | None:
        """Return the index, among the page's tokens, of the token at a viewport point."""
        return self.page().token_at(point - QPointF(self._rows.margin, self._rows.margin))

    def hover(self, point: QPointF | None) -> None:
        """Outline and report the token at a viewport point; None once the mouse has left."""
        self._set_hovered(NO_TOKEN if point is None else self.token_at(point))

    def _set_hovered(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.changed.emit()
            self.token_hovered.emit(index)


def token_tip(token: Token, text: LiveText, split_characters: Iterable[str]) -> str:
    """Return a token's label, id and bytes as rich text, one fact per line.

    `text` is the text that the token's offsets refer to. `split_characters` are those that it covers only partly.
    """
    lines = "<br>".join(html.escape(fact) for fact in _facts(token, text, split_characters))
    return f"<p style='white-space: pre'><b>{html.escape(isolated(_with_escapes(token.label)))}</b><br>{lines}</p>"


def token_in_words(token: Token) -> str:
    """Return a token's label and id as a sentence for screen readers."""
    return listed([isolated(_with_escapes(token.label)), *_identity(token)])


def _facts(token: Token, text: LiveText, split_characters: Iterable[str]) -> list[str]:
    covered = text.read(token.start, min(token.stop, token.start + _MAX_BYTES_SHOWN))
    ellipsis = " …" if token.stop - token.start > _MAX_BYTES_SHOWN else ""
    facts = _identity(token)
    if covered:
        facts.append(translate("TokenTip", "bytes {hex}").format(hex=covered.hex(" ") + ellipsis))
    else:
        facts.append(translate("TokenTip", "covers no text"))
    template = translate("TokenTip", "contains part of {character} ({hex})")
    return facts + [
        template.format(character=isolated(_with_escapes(character)), hex=character.encode().hex(" "))
        for character in split_characters
    ]


def _identity(token: Token) -> list[str]:
    """Return a token's id, and whether it is special."""
    if token.unknown:
        facts = [translate("TokenTip", "no id: this symbol is not in the vocabulary")]
    else:
        facts = [translate("TokenTip", "id {id}").format(id=token.id)]
    return [*facts, translate("TokenTip", "special token")] if token.special else facts


def _with_escapes(label: str) -> str:
    """Return the label with invisible characters, such as controls, escaped as in Python strings."""
    return "".join(map(_escaped_if_invisible, label))


def _escaped_if_invisible(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")
