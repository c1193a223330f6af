"""Lay out part of a text with the cells of its tokens, and paint it as a preview, a PNG image or a PDF file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPaintEvent,
    QPalette,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_gui.engine import EngineError, Int32Array, Int64Array, LiveText, Progress
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.look.theme import TokenPalette
from bpe_gui.gui.system.exact_text import is_continuation
from bpe_gui.gui.views.editor.painting import TokenPainter
from bpe_gui.gui.views.editor.text_rows import Row, TextRows
from bpe_gui.gui.views.editor.token_page import PageBuilder, PageSegment
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, LiveTokens, Tokens

Span = tuple[int, int]
"""Start and stop of part of the text, as byte offsets in UTF-8."""

STRIP_ROWS: Final = 64
"""The number of rows painted between two progress reports."""

_LINE_SEARCH_BYTES: Final = 4_000  # bytes before a limit in which to look for the end of a line
MARGIN: Final = 16.0
"""Pixels around the text of an image."""

MAX_IMAGE_HEIGHT: Final = 20_000
"""The maximum height of an image, in device pixels."""

MAX_PDF_BYTES: Final = 1_000_000
"""The most bytes of text whose pages can be painted in reasonable time."""

DEVICE_PIXEL_RATIO: Final = 2
_WRITE_ONLY: Final = QIODevice.OpenModeFlag.WriteOnly
DPI: Final = 96
"""Pixels of a picture per inch of paper."""

_MM: Final = DPI / 25.4
_PAGE: Final = QPageSize(QPageSize.PageSizeId.A4)
_PAGE_MARGIN: Final = 15 * _MM
_MIN_HEIGHT: Final = 240  # pixels


@dataclass(frozen=True, slots=True)
class PictureLook:
    """The colours and the font of a picture.

    `paper` is the colour behind the text; with `white_space`, glyphs show spaces and line breaks.
    """

    paper: QColor
    palette: TokenPalette
    font: QFont
    color_mode: ColorMode
    white_space: bool

    @property
    def family(self) -> str:
        """The font family that most of the text is drawn in."""
        return QFontInfo(self.font).family()


class Passage(LiveTokens):
    """Part of the text as a text of its own, with the tokens and colours it has in the whole text."""

    def __init__(self, source: LiveTokens, span: Span) -> None:
        start, stop = span
        super().__init__(LiveText(source.text.read(start, stop).decode()), label=source.label, symbol=source.symbol)
        self._source = source
        self._start = start

    def overlapping(self, start: int, stop: int) -> Tokens:
        """Return the tokens to show for the bytes [start, stop); the first may begin before the passage."""
        tokens = self._source.overlapping(self._start + start, self._start + stop)
        return tokens.slice(0, len(tokens), shift=-self._start)

    def colored(self, start: int, stop: int, hues: int, mode: ColorMode) -> tuple[Tokens, Int32Array]:
        """Return the tokens to show for the bytes [start, stop), each with a shade of one of `hues` hues.

        Return none if the text cannot be encoded.
        """
        try:
            tokens, colors = self._source.colored(self._start + start, self._start + stop, hues, mode)
        except EngineError:  # reported by the code that encodes the whole text
            return NO_TOKENS, NO_TOKENS.ids
        return tokens.slice(0, len(tokens), shift=-self._start), colors

    def word_starts(self, start: int, stop: int) -> Int64Array:
        """Return the offsets among the bytes [start, stop) where words (pre-tokens) begin."""
        return self._source.word_starts(self._start + start, self._start + stop) - self._start


def beginning(text: LiveText, span: Span, max_bytes: int) -> Span:
    """Return `span`, shortened to at most `max_bytes` bytes: to whole lines if possible, else to whole characters."""
    start, stop = span
    if stop - start <= max_bytes:
        return span
    limit = start + max_bytes
    window_start = limit - min(max_bytes, _LINE_SEARCH_BYTES)
    window = text.read(window_start, limit + 1)
    line_end = window.rfind(b"\n", 0, -1)
    if line_end >= 0:
        return start, window_start + line_end + 1
    character = len(window) - 1
    while is_continuation(window[character]):
        character -= 1
    return start, window_start + character


class TextPicture:
    """Part of the text, laid out in rows. `width` and `margin` apply to the whole picture, in pixels."""

    def __init__(self, source: LiveTokens, span: Span, look: PictureLook, width: float, margin: float) -> None:
        self.look = look
        self.width = width
        self.margin = margin
        passage = Passage(source, span)
        self.size = len(passage.text)
        """The size of the text in bytes."""
        self.font = QFont(look.font)
        self.font.setPixelSize(QFontInfo(look.font).pixelSize())  # the same on paper, in files and on screen
        self.rows = TextRows(passage.text, self.font, width - 2 * margin)
        self.rows.keep_whole(source.special_tokens)
        self._builder = PageBuilder(self.rows, passage)
        self._painter = TokenPainter(look.palette)
        segments = len(self.rows.lines)
        ends_with_line_break = segments > 1 and self.rows.lines.span(segments - 1)[0] == self.size
        self._segment_count = segments - ends_with_line_break  # without the empty row after a final line break

    def fit(self, max_rows: int | None = None) -> tuple[int, int]:
        """Return the number of rows, at most `max_rows`, and the number of bytes of text that they show."""
        count = 0
        for segment in range(self._segment_count):
            layout = self.rows.layout(segment)
            if max_rows is not None and count + len(layout) > max_rows:
                return max_rows, self.rows.offset(segment, layout.starts[max_rows - count])
            count += len(layout)
        return count, self.size

    def extent(self, rows: int) -> QSizeF:
        """Return the size of a picture with this number of rows, in pixels."""
        return QSizeF(self.width, rows * self.rows.metrics.height + 2 * self.margin)

    def strips(self, strip_rows: int = STRIP_ROWS, max_rows: int | None = None) -> Iterator[list[PageSegment]]:
        """Yield the rows, at most `max_rows`, in strips of `strip_rows`; y counts from the top of each strip."""
        first, remaining = Row(0, 0), max_rows
        while first.segment < self._segment_count and remaining != 0:
            row_count = strip_rows if remaining is None else min(strip_rows, remaining)
            # The page includes a row that fits only partly: half a row less gives exactly `row_count` rows.
            height = (row_count - 0.5) * self.rows.metrics.height
            page = self._builder.build(first, height, self.look.palette.hues, self.look.color_mode, words=False)
            segments = page.segments[: self._segment_count - first.segment]
            yield segments
            remaining = None if remaining is None else remaining - row_count
            last, index = segments[-1], first.segment + len(segments) - 1
            first = Row(index + 1, 0) if last.rows.stop == len(last.layout) else Row(index, last.rows.stop)

    def paint(self, painter: QPainter, strip: list[PageSegment]) -> None:
        """Paint a strip, with the top left corner of its first row at the origin."""
        painter.setRenderHint(ANTIALIASING)
        for segment in strip:
            painter.translate(0, segment.top)
            self._painter.paint_cells(painter, segment, segment.rows)
            self._painter.paint_text(painter, segment, segment.rows)
            if self.look.white_space:
                painter.setFont(self.font)
                self._painter.paint_white_space(painter, segment, segment.rows)
            painter.translate(0, -segment.top)


def end_of(strip: list[PageSegment]) -> int:
    """Return the byte offset in the text where a strip ends."""
    last = strip[-1]
    return last.start + last.layout.text.offset(last.layout.stop(last.rows.stop - 1))


def max_rows(picture: TextPicture) -> int:
    """Return how many rows fit in an image."""
    return int((MAX_IMAGE_HEIGHT / DEVICE_PIXEL_RATIO - 2 * picture.margin) / picture.rows.metrics.height)


def image_of(picture: TextPicture, progress: Progress) -> QImage:
    """Return the picture as an image with two device pixels per pixel; only the beginning if the text is long."""
    rows, _bytes = picture.fit(max_rows(picture))
    size = (picture.extent(rows) * DEVICE_PIXEL_RATIO).toSize()
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(DEVICE_PIXEL_RATIO)
    image.fill(picture.look.paper)
    with QPainter(image) as painter:
        painter.translate(picture.margin, picture.margin)
        for number, strip in enumerate(picture.strips(max_rows=rows)):
            picture.paint(painter, strip)
            painter.translate(0, STRIP_ROWS * picture.rows.metrics.height)
            progress(min((number + 1) * STRIP_ROWS, rows), rows)
    return image


def painted_image(paint: Callable[[QPainter], object], size: QSizeF | QSize) -> QImage:
    """Return what `paint` paints on all of `size` pixels as an image with two device pixels per pixel."""
    image = QImage(QSizeF(size * DEVICE_PIXEL_RATIO).toSize(), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(DEVICE_PIXEL_RATIO)
    with QPainter(image) as painter:
        paint(painter)
    return image


def painted_svg(paint: Callable[[QPainter], object], size: QSize, title: str = "") -> bytes:
    """Return what `paint` paints on `size` pixels as an SVG file, in which text stays text."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(DPI)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    with QPainter(generator) as painter:
        paint(painter)
    return bytes(buffer.data().data())


def png_of(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(_WRITE_ONLY)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # PySide has no type hint for a device
    return bytes(buffer.data().data())


def page_picture(source: LiveTokens, span: Span, look: PictureLook) -> TextPicture:
    """Return part of the text laid out for the pages of `pdf_of`."""
    return TextPicture(source, span, look, _PAGE.rectPixels(DPI).width(), _PAGE_MARGIN)


def pdf_writer(buffer: QBuffer, page: QPageSize) -> QPdfWriter:
    """Return a writer that puts a PDF file into a buffer, with pages of this size, in screen pixels."""
    buffer.open(_WRITE_ONLY)
    writer = QPdfWriter(buffer)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setResolution(DPI)
    writer.setCreator("bpe-gui")
    return writer


def pdf_of(picture: TextPicture, progress: Progress) -> bytes:
    """Return the picture as a PDF file with A4 pages, broken between rows."""
    buffer = QBuffer()
    writer = pdf_writer(buffer, _PAGE)
    sheet = QRectF(_PAGE.rectPixels(DPI))
    rows = int((sheet.height() - 2 * picture.margin) / picture.rows.metrics.height)
    with QPainter(writer) as painter:
        for number, strip in enumerate(picture.strips(rows)):
            if number:
                writer.newPage()
            painter.fillRect(sheet, picture.look.paper)
            painter.translate(picture.margin, picture.margin)
            picture.paint(painter, strip)
            painter.resetTransform()
            progress(end_of(strip), picture.size)
    return bytes(buffer.data().data())


class PicturePreview(QWidget):
    """The beginning of a picture in its full width, scaled down if necessary."""

    def __init__(self) -> None:
        super().__init__()
        self._picture: TextPicture | None = None
        self.setMinimumHeight(_MIN_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_picture(self, picture: TextPicture) -> None:
        self._picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a sheet of paper, centred horizontally, with the first rows on it."""
        if self._picture is None:
            return
        picture, area = self._picture, QRectF(self.rect())
        scale = min(1.0, (area.width() - 1) / picture.width)  # one pixel for the outline of the sheet
        row_height = picture.rows.metrics.height
        rows, _bytes = picture.fit(ceil(area.height() / scale / row_height))
        sheet = QRectF(0, 0, picture.width, picture.extent(rows).height())
        with QPainter(self) as painter:
            painter.translate((area.width() - picture.width * scale) / 2, 0)
            painter.scale(scale, scale)
            painter.fillRect(sheet, picture.look.paper)
            painter.setPen(self.palette().color(QPalette.ColorRole.Midlight))
            painter.drawRect(sheet)
            painter.translate(picture.margin, picture.margin)
            for strip in picture.strips(max(1, rows), max_rows=rows):
                picture.paint(painter, strip)
