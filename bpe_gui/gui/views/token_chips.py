"""Paint tokens as chips: small boxes in the colours of the tokens, the same in every panel."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import regex
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from bpe_gui.engine import END_OF_WORD, begins_right_to_left, isolated, token_in_sentence, visible, without_isolates
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE, ELIDE_RIGHT, NO_BRUSH
from bpe_gui.gui.look.theme import TokenPalette, faded, hue_of, paint_box, paint_joining

from .fitted_text import FittedText

# Lengths are in pixels.
CHIP_GAP: Final = 2.0
"""Between neighbouring chips."""

CHIP_PADDING: Final = 3.0
"""Inside a chip, left and right of its token."""

_CORNER: Final = 3.0
_LINE_WIDTH: Final = 1.5
_SMALL: Final = 0.78  # the font size of bytes and markers, relative to text
_FAINT: Final = 0.3  # the opacity of the box of a token that does not exist yet
_SPECIAL: Final = 0.2  # the opacity of the box of a special token
_MERGE_TOKENS: Final = 3  # for a merge: its parts and its result
_SIGNS: Final = ("+", "→")  # after the first and the second token of a merge
_SIGN_GAP: Final = 5.0  # on either side of a sign
_SEAM_WIDTH: Final = 1.0
_SEAM_ROOM: Final = 4.0  # added between the parts
_SEAM_INSET: Final = 2.0  # above and below the seam of a merge that is one chip
_PARTS_FROM: Final = 16  # characters in a cell from which merges are painted with their parts
_LEAST_SHOWN: Final = 0.75  # of a merge outside a table, for it to be painted with its parts
_LEEWAY: Final = 0.5  # tolerance for lengths that were added up
_ELLIPSIS: Final = "…"
_MAX_CACHED: Final = 20_000  # tokens whose measured text is cached

_MAX_STRAY: Final = 200  # bytes in a row to show
_STRAY_BYTES: Final = re.compile("[\udc80-\udcff]+")

PlacedChip = tuple[bytes, QRectF]
"""A token and its box."""

_Symbol = tuple[bytes, bool]


@dataclass(frozen=True, slots=True)
class Chips:
    """The tokens in a cell: a single one, a pair, or a pair and the token it makes.

    `has_marker`: a `</w>` is the end-of-word marker, not text.
    """

    tokens: tuple[bytes, ...]
    has_marker: bool = False
    is_special: bool = False
    is_ahead: bool = False
    """Whether the merge has not been done yet."""


class _Piece(NamedTuple):
    """Part of a token's text. Bytes that are not characters and markers are drawn small; markers also quiet."""

    text: str
    fitted: FittedText
    is_small: bool
    is_marker: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a token: its pieces from left to right, and their total width.

    `is_reversed`: it is right-to-left. `is_marker`: it consists only of markers, which need no box.
    """

    pieces: list[_Piece]
    width: float
    is_reversed: bool
    is_marker: bool


class TokenTexts(dict[_Symbol, _Text]):
    """The texts of tokens in one font, by token and `has_marker`, each laid out when it is first needed."""

    def __init__(self, font: QFont) -> None:
        super().__init__()
        self.font, self._small_font = QFont(font), QFont(font)
        if font.pixelSize() > 0:  # a font has either a size in pixels or one in points
            self._small_font.setPixelSize(round(font.pixelSize() * _SMALL))
        else:
            self._small_font.setPointSizeF(font.pointSizeF() * _SMALL)
        self.metrics, self._small_metrics = QFontMetricsF(self.font), QFontMetricsF(self._small_font)
        self.drop = (self.metrics.ascent() - self.metrics.descent()) / 2
        """Pixels from the middle of a box down to the baseline."""
        self.sign_widths = [self.metrics.horizontalAdvance(sign) + 2 * _SIGN_GAP for sign in _SIGNS]
        self.ellipsis_width = self.metrics.horizontalAdvance(_ELLIPSIS)

    def __missing__(self, key: _Symbol) -> _Text:
        if len(self) > _MAX_CACHED:
            self.clear()
        pieces = list(self._measured(*key))
        width, is_marker = sum(piece.fitted.width for piece in pieces), all(piece.is_marker for piece in pieces)
        is_reversed = is_right_to_left(key[0])
        text = self[key] = _Text(pieces[::-1] if is_reversed else pieces, width, is_reversed, is_marker)
        return text

    def elided(self, text: _Text, width: float) -> list[_Piece]:
        """Return the pieces of a token that fit in a smaller `width`, from left to right.

        Tokens often begin like others, so the longest piece is elided in its middle; if that is not enough, the last
        piece read is elided.
        """
        longest = max(text.pieces, key=lambda piece: piece.fitted.width)
        room = width - text.width + longest.fitted.width
        if room >= 3 * self.ellipsis_width:
            return [self._elided(piece, room, ELIDE_MIDDLE) if piece is longest else piece for piece in text.pieces]
        shown: list[_Piece] = []
        for piece in text.pieces[::-1] if text.is_reversed else text.pieces:
            if piece.fitted.width > width - self.ellipsis_width:
                shown.append(self._elided(piece, width, ELIDE_RIGHT))
                break
            shown.append(piece)
            width -= piece.fitted.width
        return shown[::-1] if text.is_reversed else shown

    def _elided(self, piece: _Piece, width: float, mode: Qt.TextElideMode) -> _Piece:
        font, metrics = self._look(piece.is_small)
        if mode == ELIDE_MIDDLE:  # Qt would take away a character on either side even if one is enough
            letters = regex.findall(r"\X", without_isolates(piece.text))

            def shortened(kept: int) -> str:
                return "".join([*letters[: (kept + 1) // 2], _ELLIPSIS, *letters[len(letters) - kept // 2 :]])

            most = min(len(letters), int(width) + 1)  # a letter takes a pixel or more
            fitting = bisect_right(range(most), width, key=lambda n: metrics.horizontalAdvance(shortened(n)))
            text = isolated(shortened(max(0, fitting - 1)))
            return piece._replace(text=text, fitted=FittedText.of(text, font, metrics))
        text = metrics.elidedText(piece.text, mode, max(0.0, width))
        if not without_isolates(text).endswith(_ELLIPSIS):
            text = isolated(without_isolates(text) + _ELLIPSIS)
        return piece._replace(text=text, fitted=FittedText.of(text, font, metrics))

    def _measured(self, symbol: bytes, has_marker: bool) -> Iterator[_Piece]:
        texts = symbol.split(END_OF_WORD) if has_marker else [symbol]
        for number, text in enumerate(texts):
            if number:
                yield self._piece(END_OF_WORD.decode(), is_small=True, is_marker=True)
            for stretch, is_bytes in stretches(text):
                yield self._piece(with_base(stretch), is_small=is_bytes)

    def _piece(self, text: str, *, is_small: bool, is_marker: bool = False) -> _Piece:
        return _Piece(text, FittedText.of(text, *self._look(is_small)), is_small, is_marker)

    def _look(self, is_small: bool) -> tuple[QFont, QFontMetricsF]:
        return (self._small_font, self._small_metrics) if is_small else (self.font, self.metrics)


_texts_in_use: Final = WeakValueDictionary[str, TokenTexts]()  # by font; a token looks the same in every panel


def _texts_in(font: QFont) -> TokenTexts:
    texts = _texts_in_use.get(font.key())
    if texts is None:
        texts = _texts_in_use[font.key()] = TokenTexts(font)
    return texts


@lru_cache(2)
def _fills(palette: TokenPalette) -> tuple[list[QBrush], list[QBrush]]:
    """Return the brushes of all shades, plain and faint; the dozens of tables in a window share them."""
    return [QBrush(color) for color in palette.shades], [QBrush(faded(color, _FAINT)) for color in palette.shades]


class TokenChips:
    """Paints tokens in one font at a time. `has_marker` says that a `</w>` is the end-of-word marker, not text.

    Measurements are shared, and kept while the font is in use.
    """

    def __init__(self, palette: TokenPalette) -> None:
        self._texts = _texts_in(QFont())
        self.set_palette(palette)

    def set_palette(self, palette: TokenPalette) -> None:
        """Use a theme's colours."""
        self.palette, self._hues = palette, palette.hues
        self._fills, self._faint_fills = _fills(palette)
        self._special_fill = QBrush(faded(palette.special, _SPECIAL))
        self._special_pen = QPen(palette.special, _LINE_WIDTH)

    def use_font(self, font: QFont) -> bool:
        """Switch to a font and return whether it is a different one."""
        is_other = font != self._texts.font
        if is_other:
            self._texts = _texts_in(font)
        return is_other

    @property
    def ellipsis_width(self) -> float:
        """The width of an ellipsis including the gap after it."""
        return self._texts.ellipsis_width + CHIP_GAP

    def text_width(self, text: str) -> float:
        """Return the width of text between chips."""
        return self._texts.metrics.horizontalAdvance(text)

    def elided(self, text: str, width: float) -> str:
        """Return text between chips, elided to a width."""
        return self._texts.metrics.elidedText(text, ELIDE_RIGHT, width)

    def width(self, symbol: bytes, has_marker: bool) -> float:
        """Return the width of a token's chip, without the gap after it."""
        return self._texts[symbol, has_marker].width + 2 * CHIP_PADDING

    def widths(self, symbols: Sequence[bytes], has_marker: bool) -> list[float]:
        """Return the widths of the chips of several tokens, without the gaps."""
        return [self._texts[symbol, has_marker].width + 2 * CHIP_PADDING for symbol in symbols]

    def baseline(self, box: QRectF) -> int:
        """Return the y coordinate of the baseline of text centred in `box`, the same for all characters."""
        return round(box.center().y() + self._texts.drop)

    # -- painting ---------------------------------------------------------------------------------------------------

    def paint(
        self, painter: QPainter, chips: Iterable[PlacedChip], *, has_marker: bool, is_faint: bool = False
    ) -> None:
        """Paint tokens in their boxes, elided if they are too wide; faint ones do not exist yet."""
        fills, color = (self._faint_fills, self.palette.quiet) if is_faint else (self._fills, self.palette.text)
        for symbol, box in chips:
            text = self._texts[symbol, has_marker]
            if not text.is_marker:
                paint_box(painter, box, fills[hue_of(symbol, self._hues)], _CORNER)
            self._paint_text(painter, box, text, color)

    def paint_parts(
        self,
        painter: QPainter,
        box: QRectF,
        x: float,
        token: bytes,
        parts: Sequence[bytes],
        background: QBrush,
        left: float,
        has_marker: bool,
    ) -> None:
        """Paint two parts that meet at `x` in their own colours over the `token` they make, whose text stays.

        `left`: how much is left of the animation in which they draw together.
        """
        fills = [self._fills[hue_of(part, self._hues)] for part in parts]
        paint_joining(painter, box, x, fills, background, left, _CORNER)
        self._paint_text(painter, box, self._texts[token, has_marker], self.palette.text)

    def paint_special(self, painter: QPainter, box: QRectF, symbol: bytes) -> None:
        """Paint a special token in `box`, elided if it is too wide."""
        inset = _LINE_WIDTH / 2
        painter.setPen(self._special_pen)
        painter.setBrush(self._special_fill)
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), _CORNER, _CORNER)
        self._paint_text(painter, box, self._texts[symbol, False], self.palette.text)

    def paint_mark(self, painter: QPainter, box: QRectF, color: QColor) -> None:
        """Outline a box around one or more chips."""
        painter.setBrush(NO_BRUSH)
        painter.setPen(QPen(color, _LINE_WIDTH))
        painter.drawRoundedRect(box, _CORNER, _CORNER)

    def paint_text(self, painter: QPainter, x: float, box: QRectF, text: str, color: QColor) -> None:
        """Paint text between chips, from `x`, on the baseline of `box`."""
        painter.setFont(self._texts.font)
        painter.setPen(color)
        painter.drawText(QPointF(x, self.baseline(box)), text)

    def _paint_text(self, painter: QPainter, box: QRectF, text: _Text, color: QColor) -> None:
        x, baseline = box.left() + CHIP_PADDING, round(box.center().y() + self._texts.drop)
        width = box.width() - 2 * CHIP_PADDING
        for piece in text.pieces if text.width <= width + _LEEWAY else self._texts.elided(text, width):
            fitted = piece.fitted
            painter.setFont(fitted.font)
            painter.setPen(self.palette.quiet if piece.is_marker else color)
            painter.drawText(QPointF(x + fitted.left, baseline + fitted.drop), piece.text)
            x += fitted.width

    # -- merges -----------------------------------------------------------------------------------------------------

    def row_width(self, chips: Chips) -> float:
        """Return the width of all chips in a row and the signs between them."""
        texts = self._texts
        width = sum(texts.sign_widths[: len(chips.tokens) - 1])
        for token in chips.tokens:
            width += texts[token, chips.has_marker].width + 2 * CHIP_PADDING
        return width

    def paint_row(self, painter: QPainter, area: QRectF, chips: Chips, *, in_table: bool = False) -> list[QRectF]:
        """Paint a token, a pair or a merge from the left of `area`, and return the boxes of its chips.

        In a merge that does not quite fit, long chips are elided; if there is still less space, paint only the token it
        makes, with a seam where its parts meet. In a table, all merges are painted in one of these ways, depending on
        the width.
        """
        widths, signs = self.widths(chips.tokens, chips.has_marker), self._texts.sign_widths
        available = area.width() - sum(signs[: len(widths) - 1])
        if len(chips.tokens) == _MERGE_TOKENS:
            character = self._texts.metrics.horizontalAdvance("0")
            least = _PARTS_FROM * character if in_table else _LEAST_SHOWN * sum(widths)
            if available < least:
                return [self._paint_joined(painter, area, chips)]
        shared = _sharing(widths, available)
        boxes: list[QRectF] = []
        x = area.left()
        for number, width in enumerate(shared):
            if number:
                sign = _SIGNS[number - 1]
                self.paint_text(painter, x + _SIGN_GAP, area, sign, self.palette.quiet)
                x += signs[number - 1]
            boxes.append(QRectF(x, area.top(), width, area.height()))
            x += width
        self._paint_chips(painter, list(zip(chips.tokens, boxes, strict=True)), chips)
        return boxes

    def _paint_joined(self, painter: QPainter, area: QRectF, chips: Chips) -> QRectF:
        """Paint the token that a merge makes, with a line where its parts meet, and return its box."""
        *parts, token = chips.tokens
        seam, width = self.seam(chips), self.width(token, chips.has_marker)
        box = QRectF(area.left(), area.top(), min(width, area.width()), area.height())
        if seam is None or width + _SEAM_ROOM > area.width():
            self._paint_chips(painter, [(token, box)], chips)
            return box
        box.setWidth(width + _SEAM_ROOM)
        fills = self._faint_fills if chips.is_ahead else self._fills
        paint_box(painter, box, fills[hue_of(token, self._hues)], _CORNER)
        first = QRectF(box.left(), box.top(), seam + CHIP_PADDING, box.height())
        second = box.adjusted(seam + _SEAM_ROOM - CHIP_PADDING, 0, 0, 0)
        color = self.palette.quiet if chips.is_ahead else self.palette.text
        for half, part in zip((first, second), parts[::-1] if is_right_to_left(token) else parts, strict=True):
            self._paint_text(painter, half, self._texts[part, chips.has_marker], color)
        x = round(box.left() + seam + _SEAM_ROOM / 2) + 0.5
        painter.setPen(QPen(self.palette.quiet, _SEAM_WIDTH))
        painter.drawLine(QPointF(x, box.top() + _SEAM_INSET), QPointF(x, box.bottom() - _SEAM_INSET))
        return box

    def seam(self, chips: Chips) -> float | None:
        """Return where the parts of a merge meet, in pixels from the left of its token's chip.

        None if its text is not the text of its parts side by side: they are bytes of one character, or letters that
        join.
        """
        left, right, token = (self._texts[token, chips.has_marker] for token in chips.tokens)
        is_reversed = {text.is_reversed for text in (left, right, token)}
        if len(is_reversed) > 1 or abs(left.width + right.width - token.width) > _LEEWAY:
            return None
        return CHIP_PADDING + (right.width if token.is_reversed else left.width)

    def _paint_chips(self, painter: QPainter, placed: list[tuple[bytes, QRectF]], chips: Chips) -> None:
        if chips.is_special:
            for token, box in placed:
                self.paint_special(painter, box, token)
        else:
            self.paint(painter, placed, has_marker=chips.has_marker, is_faint=chips.is_ahead)


def _sharing(widths: list[float], available: float) -> list[float]:
    """Return the widths of chips in the available width; if it is too little, the longest are cut to the same width."""
    limit = rest = max(0.0, available)
    for index, width in enumerate(sorted(widths)):
        limit = rest / (len(widths) - index)
        if width > limit:
            break
        rest -= width
    else:
        return widths
    return [min(width, limit) for width in widths]


def is_right_to_left(symbol: bytes) -> bool:
    """Return whether a token is right-to-left; stray bytes have no direction."""
    return begins_right_to_left(symbol.decode(errors="ignore"))


def with_base(text: str) -> str:
    """Return text with a dotted circle before a leading combining mark, which would otherwise be painted outside."""
    return f"◌{text}" if text and unicodedata.category(text[0]).startswith("M") else text


def stretches(symbol: bytes) -> Iterator[tuple[str, bool]]:
    """Split a token into text and stray bytes, as escapes; yield each stretch, and whether it is stray bytes."""
    text = symbol.decode("utf-8", "surrogateescape")
    end = 0
    for stray in _STRAY_BYTES.finditer(text):
        if stray.start() > end:
            yield token_in_sentence(text[end : stray.start()].encode()), False
        yield visible(stray.group()[:_MAX_STRAY].encode("utf-8", "surrogateescape")), True
        end = stray.end()
    if end < len(text):
        yield token_in_sentence(text[end:].encode()), False
