"""Show a splitter's expression at work: a field that colours its parts, a legend, and a text to try it on."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFont,
    QFontMetrics,
    QInputMethodEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLineEdit, QScrollArea, QTextEdit, QWidget

from bpe_gui.engine import Int64Array, SplitWords
from bpe_gui.gui.look.layouts import GAP, MARGIN, SMALL_GAP, gapless_column
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.qt_constants import ALIGN_LEFT, ALIGN_RIGHT, ELIDE_MIDDLE, ELIDE_RIGHT
from bpe_gui.gui.look.theme import (
    Theme,
    TokenPalette,
    faded,
    line_height,
    paint_box,
    scaled_font,
    text_width,
    token_palette_of,
)
from bpe_gui.gui.look.widgets import name_widget, plain_tool_tip
from bpe_gui.gui.system.exact_text import utf16_size
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.wording.phrases import number
from bpe_gui.gui.wording.recipe_texts import part_description

_ERROR_SHARE: Final = 0.35  # of the warning colour behind the character of an error
_MAX_ROWS: Final = 8  # visible at once
_CORNER: Final = 3.0  # pixels
_BETWEEN_CHIPS: Final = 2  # pixels
_CHIP_SHARE: Final = 0.4  # of the width: an expression is elided only if it takes more
_FONT_SHARE: Final = 0.85  # of the token font size, since the legend shares the height with a text
_MIN_COUNT: Final = "0,000"  # there is always space for this


class ExpressionField(QLineEdit):
    """A line edit that colours parts of its text, or marks the character where it is invalid."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: list[tuple[int, int, int | None]] = []  # a part's number, or None for an error
        theme.changed.connect(self._mark)

    def show_parts(self, spans: Iterable[tuple[int, int, int]]) -> None:
        """Colour parts of the text, each between two character indices, in the hue of its number."""
        self._marks = list(spans)
        self._mark()

    def show_error(self, position: int) -> None:
        """Mark the character where the text is invalid, or the last one if that is the end."""
        start = max(0, min(position, len(self.text()) - 1))
        self._marks = [(start, start + 1, None)]
        self._mark()

    def _mark(self) -> None:
        """Format parts of the text through an input method event, which is the only way to do it."""
        text, caret = self.text(), self.cursorPosition()
        palette, kind = self._theme.token_palette(), QInputMethodEvent.AttributeType.TextFormat
        attributes = []
        for start, stop, part in self._marks:
            text_format = QTextCharFormat()
            if part is None:
                text_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
                text_format.setUnderlineColor(palette.warning)
                text_format.setBackground(faded(palette.warning, _ERROR_SHARE))
            else:
                text_format.setBackground(palette.backgrounds[part % palette.hues])
                text_format.setForeground(palette.text)
            begin, size = utf16_size(text[:start]) - caret, utf16_size(text[start:stop])
            attributes.append(QInputMethodEvent.Attribute(kind, begin, size, text_format))
        QApplication.sendEvent(self, QInputMethodEvent("", attributes))


class _LegendRow(QAbstractButton):
    """A part in its colour, a description of what it matches, and a count on the right."""

    def __init__(self, source: str, hue: int) -> None:
        super().__init__()
        self._source = source
        self._hue = hue
        self._description = part_description(source)
        self._count = ""
        self._palette = token_palette_of("light")
        self._token_font = QFont()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(plain_tool_tip("\n".join(filter(None, (source, self._description)))))
        self.set_count(None)

    def set_looks(self, palette: TokenPalette, token_font: QFont) -> None:
        """Use a theme's colours, and `token_font` for the expression."""
        self._palette, self._token_font = palette, token_font
        self.updateGeometry()
        self.update()

    def set_count(self, count: int | None, widest: int = 0) -> None:
        """Show how many words matched the part, None if unknown; `widest` is the largest count of all."""
        self._count = "" if count is None else number(count)
        self._widest = max(_MIN_COUNT, number(widest), key=len)
        self.setAccessibleName(" ".join(filter(None, (self._source, self._description, self._count))))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of a line, and a width that suits any panel."""
        height = max(line_height(self.font()), line_height(self._token_font)) + _BETWEEN_CHIPS
        return QSize(0, height)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(MARGIN, 0, -MARGIN, 0)
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect(), faded(self._palette.text, 0.06))
        metrics = QFontMetrics(self.font())
        right = area.right() - text_width(metrics, self._widest)
        needed = text_width(metrics, self._description) + 2 * GAP
        most = max(area.width() * _CHIP_SHARE, right - area.left() - needed)
        left = area.left() + self._paint_chip(painter, area, int(most)) + GAP
        room = QRectF(left, area.top(), max(0.0, right - GAP - left), area.height())
        painter.setFont(self.font())
        painter.setPen(self._palette.quiet)
        painter.drawText(room, ALIGN_LEFT, metrics.elidedText(self._description, ELIDE_RIGHT, int(room.width())))
        painter.setPen(self._palette.text)
        painter.drawText(QRectF(right, area.top(), area.right() - right, area.height()), ALIGN_RIGHT, self._count)

    def _paint_chip(self, painter: QPainter, area: QRectF, most: int) -> float:
        """Paint the expression in its colour, at most `most` pixels wide, and return its width."""
        metrics = QFontMetrics(self._token_font)
        source = metrics.elidedText(self._source, ELIDE_MIDDLE, most - 2 * SMALL_GAP)
        width = text_width(metrics, source) + 2 * SMALL_GAP
        chip = QRectF(area.left(), _BETWEEN_CHIPS / 2, width, area.height() - _BETWEEN_CHIPS)
        paint_box(painter, chip, self._palette.backgrounds[self._hue % self._palette.hues], _CORNER)
        painter.setPen(self._palette.text)
        painter.setFont(self._token_font)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, source)
        return chip.width()


class SplitterLegend(QScrollArea):
    """The parts of an expression, one per row: the part in its colour, what it matches, and its number of words."""

    part_chosen = Signal(int)
    """The user chose the part with this number."""

    def __init__(self) -> None:
        super().__init__()
        name_widget(self, "splitterLegend", self.tr("Parts of the splitter's expression"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows: list[_LegendRow] = []
        self._sources: tuple[str, ...] = ()
        self._palette = token_palette_of("light")
        self._token_font = self.font()
        contents = QWidget()
        self._column = gapless_column(contents)
        self._column.addStretch(1)
        self.setWidget(contents)
        self._fit_height()

    def set_parts(self, sources: Sequence[str]) -> None:
        """Show the parts with these sources; they have no counts yet unless they are the same as before."""
        if tuple(sources) == self._sources:
            return
        self._sources = tuple(sources)
        for row in self._rows:
            self._column.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self._rows = [self._make_row(index, source) for index, source in enumerate(sources)]
        self._fit_height()

    def _make_row(self, index: int, source: str) -> _LegendRow:
        row = _LegendRow(source, index)
        row.setObjectName(f"splitterPart{index}")
        row.set_looks(self._palette, self._token_font)
        row.clicked.connect(weakly(self.part_chosen.emit, index))
        self._column.insertWidget(index, row)
        return row

    def set_counts(self, counts: Sequence[int] | None) -> None:
        """Show how many words matched each part; None if unknown."""
        for index, row in enumerate(self._rows):
            row.set_count(None if counts is None else counts[index], max(counts or (0,)))

    def set_looks(self, palette: TokenPalette, token_font: QFont) -> None:
        """Use a theme's colours, and a smaller `token_font` for the expressions."""
        self._palette, self._token_font = palette, scaled_font(token_font, _FONT_SHARE)
        for row in self._rows:
            row.set_looks(palette, self._token_font)
        self._fit_height()

    def _fit_height(self) -> None:
        self.setMaximumHeight(self._height_of(_MAX_ROWS))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return a height that fits the most rows ever visible at once."""
        return QSize(0, self._height_of(_MAX_ROWS))

    def minimumSizeHint(self) -> QSize:
        """Return the height of a single row; in a short window, the others are scrolled to."""
        return QSize(0, self._height_of(1))

    def _height_of(self, rows: int) -> int:
        return sum(row.sizeHint().height() for row in self._rows[:rows])


class SplitterPreview(PlainTextEdit):
    """A few lines of text to try an expression on. Text outside words has no colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, object_name="splitterPreview")
        self.setAccessibleName(self.tr("Text to try the splitter on"))
        self._palette = token_palette_of("light")
        self._words: SplitWords | None = None
        self._spans: list[tuple[tuple[int, int], int]] = []  # of the coloured words in UTF-16, each with its part
        option = self.document().defaultTextOption()
        option.setFlags(option.flags() | QTextOption.Flag.ShowTabsAndSpaces)
        self.document().setDefaultTextOption(option)

    def set_looks(self, palette: TokenPalette, token_font: QFont) -> None:
        """Use a theme's colours, and `token_font` for the text."""
        self._palette = palette
        self.setFont(token_font)
        self.show_words(self._words)

    def show_words(self, words: SplitWords | None) -> None:
        """Colour the words of the text, whose offsets count characters; None for no words."""
        self._words = words
        self._spans = []
        self.setExtraSelections([] if words is None else self._selections(words))

    def select_next(self, part: int) -> None:
        """Select the next word that matched a part, wrapping around at the end."""
        caret = self.textCursor().position()
        spans = [span for span, its_part in self._spans if its_part == part]
        if spans:
            start, stop = next((span for span in spans if span[1] > caret), spans[0])
            self.setTextCursor(self._cursor(start, stop))
            self.setFocus()

    def _selections(self, words: SplitWords) -> list[QTextEdit.ExtraSelection]:
        """Return the words as Qt paints them; a word after another of the same part gets the second shade."""
        positions = _utf16_positions(self.text())
        spans = zip(positions[words.starts].tolist(), positions[words.stops].tolist(), strict=True)
        self._spans = list(zip(spans, words.parts.tolist(), strict=True))
        found: list[QTextEdit.ExtraSelection] = []
        before, is_second = -1, False
        for span, part in self._spans:
            is_second = part == before and not is_second
            found.append(self._selection(span, self._color(part, is_second)))
            before = part
        return found

    def _color(self, part: int, is_second: bool) -> QColor:
        palette = self._palette
        return (palette.second_shades if is_second else palette.backgrounds)[part % palette.hues]

    def _selection(self, span: tuple[int, int], color: QColor) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(*span)
        selection.format = QTextCharFormat()
        selection.format.setBackground(color)
        selection.format.setForeground(self._palette.text)
        return selection

    def _cursor(self, start: int, stop: int) -> QTextCursor:
        """Return a cursor that selects the text between two UTF-16 offsets."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        return cursor


def _utf16_positions(text: str) -> Int64Array:
    """Return the UTF-16 offset of each character, and of the end."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF)))).astype(np.int64)
