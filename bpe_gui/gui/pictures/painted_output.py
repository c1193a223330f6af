"""Pictures that Qt paints: an image of points, and pages to print."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.gui.views.tokens import LiveTokens

from bpe_gui.gui.pictures.text_picture import STRIP, Look, Span, TextPicture, end_of

MARGIN: Final = 16.0
"""Pixels around the text of an image."""

HIGHEST: Final = 20_000
"""Points that an image may be high."""

LONGEST_PDF: Final = 1_000_000
"""Bytes of text for which there is time to paint pages."""

_RATIO: Final = 2  # points to a pixel
_FORMAT: Final = QImage.Format.Format_RGB32
_WRITE_ONLY: Final = QIODevice.OpenModeFlag.WriteOnly
_DPI: Final = 96
_MM: Final = _DPI / 25.4
_PAGE: Final = QPageSize(QPageSize.PageSizeId.A4)
_PAGE_MARGIN: Final = 15 * _MM


def most_rows(picture: TextPicture) -> int:
    """How many rows an image has room for."""
    return int((HIGHEST / _RATIO - 2 * picture.margin) / picture.rows.metrics.height)


def image_of(picture: TextPicture, progress: Progress) -> QImage:
    """The picture as an image, two points to a pixel; of a long text the beginning."""
    rows, _bytes = picture.fit(most_rows(picture))
    size = (picture.extent(rows) * _RATIO).toSize()
    image = QImage(size, _FORMAT)
    image.setDevicePixelRatio(_RATIO)
    image.fill(picture.look.paper)
    with QPainter(image) as painter:
        painter.translate(picture.margin, picture.margin)
        for number, strip in enumerate(picture.strips(most=rows)):
            picture.paint(painter, strip)
            painter.translate(0, STRIP * picture.rows.metrics.height)
            progress(min((number + 1) * STRIP, rows), rows)
    return image


def png_of(image: QImage) -> bytes:
    """The bytes of a PNG file."""
    buffer = QBuffer()
    buffer.open(_WRITE_ONLY)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # PySide has no hint for a device
    return bytes(buffer.data().data())


def page_picture(source: LiveTokens, span: Span, look: Look) -> TextPicture:
    """A part of a text, laid out for the pages of `pdf_of`."""
    return TextPicture(source, span, look, _PAGE.rectPixels(_DPI).width(), _PAGE_MARGIN)


def pdf_of(picture: TextPicture, progress: Progress) -> bytes:
    """The bytes of a PDF file: pages of A4, broken between rows."""
    buffer = QBuffer()
    buffer.open(_WRITE_ONLY)
    writer = QPdfWriter(buffer)
    writer.setPageLayout(QPageLayout(_PAGE, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setResolution(_DPI)
    writer.setCreator("bpe-gui")
    sheet = QRectF(_PAGE.rectPixels(_DPI))
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
