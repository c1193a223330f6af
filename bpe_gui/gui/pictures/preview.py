"""A preview of the beginning of a picture."""

from math import ceil
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from .text_picture import TextPicture

_MIN_HEIGHT: Final = 240  # pixels


class PicturePreview(QWidget):
    """The beginning of a picture over its whole width, scaled down if necessary."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: TextPicture | None = None
        self.setMinimumHeight(_MIN_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_picture(self, picture: TextPicture) -> None:
        """Show another picture."""
        self._picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a sheet of paper, centred horizontally, with the first rows on it."""
        if self._picture is None:
            return
        picture, area = self._picture, QRectF(self.rect())
        scale = min(1.0, (area.width() - 1) / picture.width)  # one pixel for the line around the sheet
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
