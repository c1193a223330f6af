"""The picture of a token's lineage: the tree of its parts below, and the tokens it became part of above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from PySide6.QtCore import QBuffer, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QImage, QPageSize, QPainter, QPen

from bpe_gui.engine import Lineage
from bpe_gui.gui.look.qt_constants import ANTIALIASING
from bpe_gui.gui.look.theme import TokenPalette
from bpe_gui.gui.views.token_chips import TokenChips, is_right_to_left

from .text_picture import DPI, painted_image, painted_svg, pdf_writer

MAX_LEAVES: Final = 64
"""The most parts of a token to draw side by side; a part may then have parts that are not drawn."""

MAX_PRODUCTS: Final = 6
"""The most tokens to draw that a token became part of."""

# Lengths are in pixels.
_MARGIN: Final = 20.0
_CHIP_HEIGHT: Final = 26.0
_LABEL_HEIGHT: Final = 18.0
_LEVEL: Final = 78.0
_GAP: Final = 18.0
_LABEL_SIZE: Final = 0.8
_MAX_TOKEN_BYTES: Final = 60
_POINTS_PER_INCH: Final = 72
_ELLIPSIS: Final = "…"


class Product(NamedTuple):
    """A token that another one became part of."""

    token: bytes
    label: str
    """Says which step made it, and how many times it was merged."""


@dataclass(frozen=True, slots=True)
class LineageLook:
    """The colours and the font of a picture; `paper` is the colour behind the tree."""

    paper: QColor
    palette: TokenPalette
    font: QFont


@dataclass(slots=True)
class _Node:
    token: bytes
    label: str
    parts: list[_Node] = field(default_factory=list)
    box: QRectF = field(default_factory=QRectF)
    has_more: bool = False
    """Whether it has parts that are not drawn."""


class LineagePicture:
    """Draws the tree of a token, with a label below each token that says which step made it."""

    def __init__(
        self, lineage: Lineage, labels: dict[bytes, str], products: Sequence[Product], more: str, look: LineageLook
    ) -> None:
        """`labels` has the label of each token in the tree; `more` says how many products are not drawn, if any."""
        self._look = look
        self._font = QFont(look.font)
        self._font.setPixelSize(QFontInfo(look.font).pixelSize())  # the same on paper, in files and on screen
        self._label_font = QFont(self._font)
        self._label_font.setPixelSize(round(self._font.pixelSize() * _LABEL_SIZE))
        self._label_metrics = QFontMetricsF(self._label_font)
        self._chips = TokenChips(look.palette)
        self._chips.use_font(self._font)
        self._more = more
        self._products = [_Node(product.token, product.label) for product in products[:MAX_PRODUCTS]]
        self._root = _tree_of(lineage, labels)
        self._lay_out()

    def paint(self, painter: QPainter) -> None:
        """Paint the picture with its top left corner at the origin."""
        painter.setRenderHint(ANTIALIASING)
        painter.fillRect(QRectF(QPointF(), self.size), self._look.paper)
        painter.setPen(QPen(self._look.palette.quiet, 1))
        for product in self._products:
            self._paint_line(painter, product, self._root)
        stack = [self._root]
        while stack:
            node = stack.pop()
            painter.setPen(QPen(self._look.palette.quiet, 1))
            for part in node.parts:
                self._paint_line(painter, node, part)
            self._paint_node(painter, node)
            stack += node.parts
        for product in self._products:
            self._paint_node(painter, product)
        if self._more:
            last = self._products[-1].box
            box = QRectF(last.right() + _GAP, last.top(), self.size.width(), _CHIP_HEIGHT)
            self._paint_label(painter, box, self._more, Qt.AlignmentFlag.AlignLeft)

    # -- layout -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        products_width = sum(self._width(node) + _GAP for node in self._products) - _GAP
        if self._more:
            products_width += self._label_metrics.horizontalAdvance(self._more) + _GAP
        self._place(0, 0, 0)
        nodes = _postorder(self._root)
        tree_width = max(node.box.right() for node in nodes) - min(node.box.left() for node in nodes)
        width = max(tree_width, products_width)
        self._place(_MARGIN, _MARGIN + (_LEVEL if self._products else 0), width)
        x = _MARGIN + (width - products_width) / 2
        for node in self._products:
            node.box = QRectF(x, _MARGIN, self._width(node), _CHIP_HEIGHT)
            x += self._width(node) + _GAP
        bottom = max(node.box.bottom() for node in nodes)
        self.size = QSizeF(width + 2 * _MARGIN, bottom + _LABEL_HEIGHT + _MARGIN)

    def _place(self, left: float, top: float, width: float) -> None:
        """Place each node in the middle of a stretch as wide as its subtree, with its parts below it."""
        widths: dict[int, float] = {}
        for node in _postorder(self._root):
            below = sum(widths[id(part)] + _GAP for part in node.parts) - _GAP
            widths[id(node)] = max(self._width(node), below)
        stack = [(self._root, left + (width - widths[id(self._root)]) / 2, top)]
        while stack:
            node, x, y = stack.pop()
            own, stretch = self._width(node), widths[id(node)]
            node.box = QRectF(x + (stretch - own) / 2, y, own, _CHIP_HEIGHT)
            x += (stretch - sum(widths[id(part)] + _GAP for part in node.parts) + _GAP) / 2
            for part in node.parts:
                stack.append((part, x, y + _LEVEL))
                x += widths[id(part)] + _GAP

    def _width(self, node: _Node) -> float:
        return max(self._chip_width(node), self._label_metrics.horizontalAdvance(self._label(node)))

    def _chip_width(self, node: _Node) -> float:
        return self._chips.width(node.token[:_MAX_TOKEN_BYTES], False)

    def _label(self, node: _Node) -> str:
        return f"{node.label} {_ELLIPSIS}" if node.has_more else node.label

    # -- painting ---------------------------------------------------------------------------------------------------

    def _paint_line(self, painter: QPainter, upper: _Node, lower: _Node) -> None:
        """Paint the line from below a node's label to the top of the node below."""
        start = QPointF(upper.box.center().x(), upper.box.bottom() + (_LABEL_HEIGHT if upper.label else 0) + 2)
        painter.drawLine(start, QPointF(lower.box.center().x(), lower.box.top() - 2))

    def _paint_node(self, painter: QPainter, node: _Node) -> None:
        width = self._chip_width(node)
        box = QRectF(node.box.center().x() - width / 2, node.box.top(), width, _CHIP_HEIGHT)
        self._chips.paint(painter, [(node.token, box)], has_marker=False)
        below = QRectF(node.box.left(), node.box.bottom(), node.box.width(), _LABEL_HEIGHT)
        self._paint_label(painter, below, self._label(node), Qt.AlignmentFlag.AlignHCenter)

    def _paint_label(self, painter: QPainter, box: QRectF, text: str, alignment: Qt.AlignmentFlag) -> None:
        painter.setFont(self._label_font)
        painter.setPen(self._look.palette.quiet)
        painter.drawText(box.adjusted(-1, 0, 1, 0), alignment | Qt.AlignmentFlag.AlignVCenter, text)


def lineage_image(picture: LineagePicture) -> QImage:
    """Return the picture as an image with two device pixels per pixel."""
    return painted_image(picture.paint, picture.size)


def lineage_svg(picture: LineagePicture) -> bytes:
    """Return the picture as an SVG file, in which text stays text."""
    return painted_svg(picture.paint, picture.size.toSize())


def lineage_pdf(picture: LineagePicture) -> bytes:
    """Return the picture as a PDF file with a page of the picture's size."""
    buffer = QBuffer()
    page = QPageSize(QSizeF(picture.size * (_POINTS_PER_INCH / DPI)), QPageSize.Unit.Point)
    writer = pdf_writer(buffer, page)
    with QPainter(writer) as painter:
        picture.paint(painter)
    return bytes(buffer.data().data())


# -- the tree -------------------------------------------------------------------------------------------------------


def _tree_of(lineage: Lineage, labels: dict[bytes, str]) -> _Node:
    """Return the nodes to draw, going down level by level until `MAX_LEAVES` stand side by side."""
    root = _Node(lineage.bytes, labels.get(lineage.bytes, ""))
    level, leaves = [(root, lineage)], 1
    while level:
        below: list[tuple[_Node, Lineage]] = []
        for node, token in level:
            if not token.parts:
                continue
            if leaves >= MAX_LEAVES:
                node.has_more = True
                continue
            parts = [(_Node(part.bytes, labels.get(part.bytes, "")), part) for part in token.parts]
            leaves += len(parts) - 1
            below += parts
            # The parts of a right-to-left token are placed in that order.
            node.parts = [part for part, _lineage in (parts[::-1] if is_right_to_left(token.bytes) else parts)]
        level = below
    return root


def _postorder(root: _Node) -> list[_Node]:
    """Return the nodes in postorder, without recursion because trees may be deep."""
    found: list[_Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += node.parts
    return found[::-1]
