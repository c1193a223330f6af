"""Paint text with its tokens as a PNG image or a PDF file."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from bpe_gui.engine import Progress
from bpe_gui.gui.views.tokens import LiveTokens

from .text_picture import STRIP_ROWS, PictureLook, Span, TextPicture, end_of

MARGIN: Final = 16.0
"""Pixels around the text of an image."""

MAX_IMAGE_HEIGHT: Final = 20_000
"""The height of an image, at most, in its own pixels."""

MAX_PDF_BYTES: Final = 1_000_000
"""Bytes of text, at most, for which painting pages takes bearable time."""

_DEVICE_PIXEL_RATIO: Final = 2
_WRITE_ONLY: Final = QIODevice.OpenModeFlag.WriteOnly
_DPI: Final = 96
_MM: Final = _DPI / 25.4
_PAGE: Final = QPageSize(QPageSize.PageSizeId.A4)
_PAGE_MARGIN: Final = 15 * _MM


def max_rows(picture: TextPicture) -> int:
    """Return how many rows fit an image."""
    return int((MAX_IMAGE_HEIGHT / _DEVICE_PIXEL_RATIO - 2 * picture.margin) / picture.rows.metrics.height)


def image_of(picture: TextPicture, progress: Progress) -> QImage:
    """Return the picture as an image with two device pixels to a pixel; of a long text, the beginning."""
    rows, _bytes = picture.fit(max_rows(picture))
    size = (picture.extent(rows) * _DEVICE_PIXEL_RATIO).toSize()
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_DEVICE_PIXEL_RATIO)
    image.fill(picture.look.paper)
    with QPainter(image) as painter:
        painter.translate(picture.margin, picture.margin)
        for number, strip in enumerate(picture.strips(max_rows=rows)):
            picture.paint(painter, strip)
            painter.translate(0, STRIP_ROWS * picture.rows.metrics.height)
            progress(min((number + 1) * STRIP_ROWS, rows), rows)
    return image


def png_of(image: QImage) -> bytes:
    """Return an image as the bytes of a PNG file."""
    buffer = QBuffer()
    buffer.open(_WRITE_ONLY)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # PySide has no type hint for a device
    return bytes(buffer.data().data())


def page_picture(source: LiveTokens, span: Span, look: PictureLook) -> TextPicture:
    """Return part of the text, laid out for the pages of `pdf_of`."""
    return TextPicture(source, span, look, _PAGE.rectPixels(_DPI).width(), _PAGE_MARGIN)


def pdf_of(picture: TextPicture, progress: Progress) -> bytes:
    """Return the picture as the bytes of a PDF file with A4 pages, broken between rows."""
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
