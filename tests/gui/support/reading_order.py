"""The order of the parts of a text on the screen, whatever fonts are installed."""

import re
from itertools import pairwise

from PySide6.QtGui import QFont, QTextDocument, QTextLayout, QTextLine

_PARTS = re.compile("\u200e?\u2068(?:[^\u2066-\u2069]|\u2066[^\u2066-\u2069]*\u2069)*\u2069|[^\\s\u2068]+")


def parts_of(text: str) -> list[tuple[int, int]]:
    """Return start and stop of each isolated token in a text, and of each other word."""
    return [match.span() for match in _PARTS.finditer(text)]


def is_in_order(text: str) -> bool:
    """Return whether the parts of a line of text run from left to right on the screen."""
    layout = QTextLayout(text, QFont())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    middles = [_middle(line, *part) for part in parts_of(text)]
    return not text.isascii() and all(left <= right for left, right in pairwise(middles))


def is_in_order_as_markdown(text: str) -> bool:
    """Return whether the parts of a Markdown paragraph run from left to right on the screen."""
    document = QTextDocument()
    document.setMarkdown(text)
    return is_in_order(document.toPlainText()) and not document.firstBlock().textDirection().value


def _middle(line: QTextLine, start: int, stop: int) -> float:
    """Return the x coordinate of the middle of the characters [start, stop)."""
    edges = [_x(line, position, edge) for position in range(start, stop) for edge in QTextLine.Edge]
    return (min(edges) + max(edges)) / 2


def _x(line: QTextLine, position: int, edge: QTextLine.Edge) -> float:
    x = line.cursorToX(position, edge)
    assert isinstance(x, tuple)
    return float(x[0])
