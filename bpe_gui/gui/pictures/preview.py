"""How a picture begins, small."""

from math import ceil
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from bpe_gui.gui.pictures.text_picture import TextPicture

_HEIGHT: Final = 240


class PicturePreview(QWidget):
    """Shows as much of the beginning of a picture as there is room for, over its whole width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: TextPicture | None = None
        self.setMinimumHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_picture(self, picture: TextPicture) -> None:
        """Show another picture."""
        self._picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A sheet of paper in the middle, with the first rows on it."""
        if self._picture is None:
            return
        picture, area = self._picture, QRectF(self.rect())
        scale = min(1.0, (area.width() - 1) / picture.width)  # its edge is beside it
        row_height = picture.rows.metrics.height
        rows = picture.fit(ceil(area.height() / scale / row_height))[0]
        sheet = QRectF(0, 0, picture.width, picture.extent(rows).height())
        with QPainter(self) as painter:
            painter.translate((area.width() - picture.width * scale) / 2, 0)
            painter.scale(scale, scale)
            painter.fillRect(sheet, picture.look.paper)
            painter.setPen(self.palette().color(QPalette.ColorRole.Midlight))
            painter.drawRect(sheet)
            painter.translate(picture.margin, picture.margin)
            for strip in picture.strips(max(1, rows), most=rows):
                picture.paint(painter, strip)
