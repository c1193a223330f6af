"""The dialog that shows the picture of a token's lineage, to save or copy it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QWidget

from bpe_gui.engine import Lineage, Progress, Tokenizer
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.spacing import GAP, WIDE_GAP
from bpe_gui.gui.look.theme import Theme, background_and_tokens
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.pictures.lineage_picture import (
    MAX_PRODUCTS,
    LineageLook,
    LineagePicture,
    Product,
    lineage_image,
    lineage_pdf,
    lineage_svg,
)
from bpe_gui.gui.pictures.text_picture import png_of
from bpe_gui.gui.wording.numbers import number

from .picture_saving import PictureFormat, PictureSaving

_SIZE: Final = (840, 560)  # of the dialog, in pixels
_SUGGESTED_NAME: Final = "lineage"


class LineagePictureDialog(PictureSaving):
    """A dialog with the tree of a token's parts, and the tokens it became part of, as a picture."""

    def __init__(self, theme: Theme, tokenizer: Tokenizer, token_id: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, _SUGGESTED_NAME, parent)
        self.setObjectName("lineagePictureDialog")
        self.setWindowTitle(self.tr("Picture of the lineage"))
        self._font = theme.token_font()
        self._lineage = tokenizer.lineage(token_id)
        self._counts = tokenizer.merge_counts
        self._ranks = tokenizer.ranks_with(token_id)
        self._merges = [tokenizer.store.merges[rank] for rank in self._ranks[:MAX_PRODUCTS]]
        self._prefix = tokenizer.store.prefix_size
        self._sheet = _Sheet()
        self._lay_out()
        self._scheme.currentIndexChanged.connect(self._refresh)
        self._kind.currentIndexChanged.connect(self._refresh)
        self._refresh()

    def _lay_out(self) -> None:
        area = name_widget(QScrollArea(), "lineagePicturePreview", self.tr("Picture preview"))
        area.setWidget(self._sheet)
        area.setAlignment(Qt.AlignmentFlag.AlignCenter)
        choices = QHBoxLayout()
        choices.setSpacing(GAP)
        for title, field in ((self.tr("&Format"), self._kind), (self.tr("&Theme"), self._scheme)):
            label = QLabel(title)
            label.setBuddy(field)
            choices.addWidget(label)
            choices.addWidget(field)
        choices.addStretch()
        column = dialog_column(self)
        column.setSpacing(WIDE_GAP)
        column.addWidget(area, 1)
        column.addLayout(choices)
        column.addWidget(self._result)
        column.addWidget(dialog_buttons(self._copy, accept=self._save, reject=self._close))
        self.resize(*_SIZE)

    def _refresh(self) -> None:
        self._sheet.show_picture(self._picture())
        self._show_result("", role="quiet")

    # -- the picture -------------------------------------------------------------------------------------------------

    def _picture(self) -> LineagePicture:
        paper, palette = background_and_tokens(self._chosen_scheme())
        products = [
            Product(left + right[self._prefix :], self._label(rank))
            for rank, (left, right) in zip(self._ranks, self._merges, strict=False)
        ]
        hidden = len(self._ranks) - len(products)
        more = self.tr("and {count} more").format(count=number(hidden)) if hidden else ""
        look = LineageLook(paper, palette, self._font)
        return LineagePicture(self._lineage, self._labels(), products, more, look)

    def _labels(self) -> dict[bytes, str]:
        """Return the label of each token of the tree that a merge made."""
        labels: dict[bytes, str] = {}
        stack: list[Lineage] = [self._lineage]
        while stack:
            token = stack.pop()
            if token.rank is not None and token.bytes not in labels:
                labels[token.bytes] = self._label(token.rank)
                stack += token.parts
        return labels

    def _label(self, rank: int) -> str:
        if self._counts is None:
            return self.tr("step {step}").format(step=number(rank + 1))
        return self.tr("step {step} · ×{count}").format(step=number(rank + 1), count=number(self._counts[rank]))

    def _data(self, kind: PictureFormat, progress: Progress) -> bytes:
        picture = self._picture()
        match kind:
            case PictureFormat.PNG:
                return png_of(lineage_image(picture))
            case PictureFormat.SVG:
                return lineage_svg(picture)
            case PictureFormat.PDF:
                return lineage_pdf(picture)

    def _image(self, progress: Progress) -> QImage:
        return lineage_image(self._picture())


class _Sheet(QWidget):
    """The paper with the picture, in its own size."""

    def __init__(self) -> None:
        super().__init__()
        self._picture: LineagePicture | None = None

    def show_picture(self, picture: LineagePicture) -> None:
        """Show another picture."""
        self._picture = picture
        self.resize(picture.size.toSize())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is not None:
            with QPainter(self) as painter:
                painter.setClipRect(QRectF(event.rect()))
                self._picture.paint(painter)
