"""A label that says why a pair is merged next: the merge in large chips, and what it is compared with below."""

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QTextDocument

from bpe_gui.gui.look.layouts import BAR_PADDING, MARGIN, SMALL_GAP, WIDE_GAP
from bpe_gui.gui.look.qt_constants import ANTIALIASING, ELIDE_RIGHT
from bpe_gui.gui.look.theme import TokenPalette, line_height, scaled_font, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, plain_tool_tip
from bpe_gui.gui.wording.run_texts import NextMerge

from .token_chips import Chips, TokenChips

_TEXT_LINES: Final = 2
_MERGE_SCALE: Final = 1.4  # the font size of the merge, relative to tokens elsewhere
_CHIP_MARGIN: Final = 1.5  # pixels above and below the text of a chip
_MIDDLE: Final = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextIncludeTrailingSpaces)
_OTHER_SHARE: Final = 0.5  # of the width for the pair it is compared with; more if the words leave it


class ReasonLabel(SentenceLabel):
    """A sentence with a fixed height, so that nothing moves when its length changes.

    If it is about a merge, its parts are painted instead: the merge in large chips with its count, and below that what
    it is compared with. Its text, for screen readers, is always the sentence.
    """

    def __init__(self, name: str, palette: TokenPalette) -> None:
        super().__init__(name=name)
        set_role(self, "reason")
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setIndent(0)  # otherwise Qt would indent the sentence, but not what is painted instead
        self.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self._merge: NextMerge | None = None
        self._large, self._small = TokenChips(palette), TokenChips(palette)
        self._large_height = self._small_height = 0.0

    def show_reason(self, text: str, text_format: Qt.TextFormat = Qt.TextFormat.MarkdownText) -> None:
        """Show a sentence, by default Markdown."""
        self._merge = None
        self.setTextFormat(text_format)
        self.setText(text)

    def show_merge(self, text: str, merge: NextMerge) -> None:
        """Show the parts of a sentence in Markdown about the next merge."""
        self.show_reason(text)
        self._merge = merge
        document = QTextDocument()
        document.setMarkdown(text)
        self.setToolTip(plain_tool_tip(document.toPlainText()))
        self.update()

    def set_look(self, font: QFont, palette: TokenPalette) -> None:
        """Paint tokens in this font and in a theme's colours."""
        large = scaled_font(font, _MERGE_SCALE)
        for chips, chip_font in ((self._large, large), (self._small, font)):
            chips.use_font(chip_font)
            chips.set_palette(palette)
        self._large_height, self._small_height = (
            QFontMetricsF(each).height() + 2 * _CHIP_MARGIN for each in (large, font)
        )
        self.ensurePolished()
        lines = _TEXT_LINES * max(self.fontMetrics().lineSpacing() + 2, line_height(self.font()))
        content = max(float(lines), self._large_height + SMALL_GAP + self._small_height)
        self.setFixedHeight(round(content) + 2 * BAR_PADDING)
        self.update()

    def sizeHint(self) -> QSize:
        """Return the fixed height without laying out the sentence; any width will do."""
        return QSize(0, self.minimumHeight())

    def heightForWidth(self, _width: int) -> int:  # noqa: N802 (Qt's name)
        return self.minimumHeight()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._merge is None:
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            area = QRectF(self.rect()).adjusted(MARGIN, BAR_PADDING, -MARGIN, -BAR_PADDING)
            top = QRectF(area.left(), area.top(), area.width(), self._large_height)
            self._paint_merge(painter, top, self._merge)
            below = QRectF(area.left(), top.bottom() + SMALL_GAP, area.width(), self._small_height)
            self._paint_phrase(painter, below, self._merge)

    def _paint_merge(self, painter: QPainter, area: QRectF, merge: NextMerge) -> None:
        """Paint the title, the merge, and how often it occurs."""
        font = scaled_font(self.font(), _MERGE_SCALE)
        font.setBold(True)
        width = QFontMetricsF(font).horizontalAdvance(merge.frequency)
        chips = Chips(merge.tokens, merge.has_marker)
        area = self._paint_words(painter, area, self._fitting_title(merge, area.width() - width - WIDE_GAP))
        boxes = self._large.paint_row(painter, area.adjusted(0, 0, -width - WIDE_GAP, 0), chips)
        painter.setFont(font)
        painter.setPen(self.palette().text().color())
        start = boxes[-1].right() + WIDE_GAP
        painter.drawText(QRectF(start, area.top(), width + 1, area.height()), _MIDDLE, merge.frequency)

    def _paint_phrase(self, painter: QPainter, area: QRectF, merge: NextMerge) -> None:
        """Paint the phrase, with the other pair in chips; elide the end if it does not fit."""
        before, width, after = self._fitting_phrase(merge, area.width())
        area = self._paint_words(painter, area, before)
        if merge.other is not None:
            chips = Chips(merge.other, merge.has_marker)
            boxes = self._small.paint_row(painter, QRectF(area.left(), area.top(), width, area.height()), chips)
            area.setLeft(boxes[-1].right())
        self._paint_words(painter, area, after)

    def _fitting_title(self, merge: NextMerge, space: float) -> str:
        """Return the first title beside which the tokens fit, or the last one, with a gap after it."""
        titles, metrics = [f"{title}  " for title in merge.titles], QFontMetricsF(self.font())
        rest = space - self._large.row_width(Chips(merge.tokens, merge.has_marker))
        return next((title for title in titles if metrics.horizontalAdvance(title) <= rest), titles[-1])

    def _fitting_phrase(self, merge: NextMerge, space: float) -> tuple[str, float, str]:
        """Return the first form of the phrase that fits, or the last one elided: begin, width of the pair, and end."""
        metrics = QFontMetricsF(self.font())
        whole = 0.0 if merge.other is None else self._small.row_width(Chips(merge.other, merge.has_marker))
        pair = min(whole, self.width() * _OTHER_SHARE)
        for before, after in ((merge.before, merge.after), *merge.shorter):
            rest = space - metrics.horizontalAdvance(before) - pair
            if (spare := rest - metrics.horizontalAdvance(after)) >= 0:
                return before, min(whole, pair + spare), after
        return before, pair, metrics.elidedText(after, ELIDE_RIGHT, rest)

    def _paint_words(self, painter: QPainter, area: QRectF, text: str) -> QRectF:
        """Paint text at the left of `area`, and return the rest of the area."""
        metrics = QFontMetricsF(self.font())
        shown = metrics.elidedText(text, ELIDE_RIGHT, area.width())
        painter.setFont(self.font())
        painter.setPen(self._small.palette.quiet)
        painter.drawText(area, _MIDDLE, shown)
        return area.adjusted(metrics.horizontalAdvance(shown), 0, 0, 0)
