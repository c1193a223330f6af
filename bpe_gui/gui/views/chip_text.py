"""Sentences with tokens painted as chips and steps as links: the first one large, the others in a list."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPyTextObject,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from bpe_gui.engine import without_isolates
from bpe_gui.gui.look.layouts import GAP, SMALL_GAP
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.look.qt_constants import ANTIALIASING, COPY, ENTER_KEYS, KEYPAD
from bpe_gui.gui.look.theme import TokenPalette, scaled_font
from bpe_gui.gui.look.widgets import SentenceLabel, claims
from bpe_gui.gui.wording.sentences import Sentence, ShownStep, ShownToken, Verbatim, plain_piece

from .token_chips import CHIP_GAP, TokenChips

_FIRST_SCALE: Final = 1.25  # the font size of the first sentence, relative to the others
_LINE_HEIGHT: Final = 120  # percent
_CHIP_MARGIN: Final = 1.5  # pixels above and below the text of a chip
_OBJECT: Final = int(QTextFormat.ObjectTypes.UserObject.value) + 1
_INDEX: Final = int(QTextFormat.Property.UserProperty.value) + 1
_NO_TARGET: Final = -1
_OBJECT_CHARACTER: Final = "\ufffc"
_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, *ENTER_KEYS)

Target = ShownToken | ShownStep
"""A piece of a sentence that the user can click."""


class ChipText(SentenceLabel):
    """Sentences, one below the other, whose tokens and steps can be clicked; the arrow keys move between them.

    Its text, for screen readers, is the plain text of the sentences, one per line.
    """

    token_chosen = Signal(object)
    """The user clicked this `ShownToken`."""

    step_chosen = Signal(int)
    """The user clicked this step number."""

    def __init__(self, name: str, palette: TokenPalette) -> None:
        super().__init__(name=name)
        self._sentences: tuple[Sentence, ...] = ()
        self._palette = palette
        self._token_font = QFont()
        self._document = QTextDocument()
        self.targets: list[Target] = []
        """The tokens and steps that can be clicked, in order."""
        self._current = _NO_TARGET
        self._objects = _TargetObjects(self)
        self.setMouseTracking(True)

    def set_look(self, font: QFont, palette: TokenPalette) -> None:
        """Paint tokens in this font and in a theme's colours."""
        self._token_font, self._palette = font, palette
        self._fill()

    def show_sentences(self, sentences: Sequence[Sentence]) -> None:
        """Show sentences, the first one large."""
        self._sentences = tuple(sentences)
        self._current = _NO_TARGET
        self.setText("\n".join(sentence.plain for sentence in sentences))
        self.setToolTip("")  # nothing is elided
        self._fill()

    @property
    def is_copyable(self) -> bool:
        """Whether there are sentences to copy."""
        return bool(self.text())

    def selected(self) -> str:
        """Return all sentences, since parts cannot be selected."""
        return without_isolates(self.text())

    # -- the document ------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Write the sentences into the document, in the current fonts and colours."""
        self.ensurePolished()
        self.targets.clear()
        self._document = QTextDocument()  # one that is cleared keeps what PySide made of its old frame
        self._document.setDocumentMargin(0)
        self._document.documentLayout().registerHandler(_OBJECT, self._objects)
        frame = self._document.rootFrame().frameFormat()
        frame.setTopMargin(_CHIP_MARGIN)
        self._document.rootFrame().setFrameFormat(frame)
        both = self.font(), self._token_font
        fonts = [(scaled_font(both[0], scale), scaled_font(both[1], scale)) for scale in (_FIRST_SCALE, 1.0)]
        self._objects.use([font for _words, font in fonts], self._palette)
        cursor = QTextCursor(self._document)
        for number, sentence in enumerate(self._sentences):
            if number:
                cursor.insertBlock()
            block = QTextBlockFormat()  # with lines far enough apart for chips, and a gap before the list
            block.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            block.setTopMargin(0 if number == 0 else GAP if number == 1 else SMALL_GAP)
            cursor.setBlockFormat(block)
            self._write(cursor, sentence, *fonts[min(number, 1)], is_large=number == 0)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if self.targets else Qt.FocusPolicy.NoFocus)
        self._objects.boxes.clear()
        self.updateGeometry()
        self.update()

    def _write(self, cursor: QTextCursor, sentence: Sentence, words: QFont, tokens: QFont, *, is_large: bool) -> None:
        plain, quoted = QTextCharFormat(), QTextCharFormat()
        plain.setFont(words)
        quoted.setFont(tokens)
        for piece in sentence.pieces():
            if isinstance(piece, str):
                cursor.insertText(piece, plain)
            elif isinstance(piece, Verbatim):
                cursor.insertText(plain_piece(piece), quoted)
            else:
                target = QTextCharFormat()
                target.setFont(tokens if isinstance(piece, ShownToken) else words)
                target.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
                target.setObjectType(_OBJECT)
                target.setProperty(_INDEX, 2 * len(self.targets) + is_large)
                self.targets.append(piece)
                cursor.insertText(_OBJECT_CHARACTER, target)

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        self._document.setTextWidth(max(1, width))
        return round(self._document.size().height()) + 1

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the height at the current width; any width will do."""
        return QSize(0, self.heightForWidth(self.width()))

    # -- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        self._document.setTextWidth(max(1, self.width()))
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self.palette()
        context.palette.setColor(QPalette.ColorRole.Text, self.palette().windowText().color())
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            self._document.documentLayout().draw(painter, context)
            box = self._objects.boxes.get(self._current)
            if self.hasFocus() and box is not None:
                self._objects.chips[1].paint_mark(painter, box.adjusted(-1, -1, 1, 1), self.palette().link().color())

    # -- choosing ----------------------------------------------------------------------------------------------------

    def _target_at(self, point: QPointF) -> int:
        return next((index for index, box in self._objects.boxes.items() if box.contains(point)), _NO_TARGET)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_target = self._target_at(event.position()) != _NO_TARGET
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_target else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self._target_at(event.position()))

    def event(self, event: QEvent) -> bool:
        """Accept the keys that move between tokens or copy, so that they do not trigger the window's shortcuts."""
        return claims(event, lambda key: _is_own_key(key) or key.matches(COPY)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the next or previous token or step, or click it."""
        if not _is_own_key(event):
            super().keyPressEvent(event)
        elif event.key() in ENTER_KEYS:
            self._choose(self._current)
        else:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            self._current = min(max(0, self._current + step), len(self.targets) - 1)
            self.update()

    def _choose(self, index: int) -> None:
        if index == _NO_TARGET:
            return
        match self.targets[index]:
            case ShownToken() as token:
                self.token_chosen.emit(token)
            case ShownStep(step):
                self.step_chosen.emit(step)


class _TargetObjects(QPyTextObject):
    """Paints tokens and steps in the lines of a document, and remembers where they are."""

    _view = WeakAttribute[ChipText]()

    def __init__(self, view: ChipText) -> None:
        super().__init__(view)
        self._view = view
        self.chips: list[TokenChips] = []
        """One for the lines of the list, one for large lines."""
        self.boxes: dict[int, QRectF] = {}

    def use(self, fonts: Sequence[QFont], palette: TokenPalette) -> None:
        """Use these fonts, the large one first, and a palette's colours."""
        self.chips = [TokenChips(palette) for _font in fonts]
        for chips, font in zip(self.chips, reversed(fonts), strict=True):
            chips.use_font(font)

    def intrinsicSize(self, document: QTextDocument, _position: int, text_format: QTextFormat) -> QSizeF:  # noqa: N802
        """Return the size of a token including its gaps, or of a step; never wider than the document."""
        piece, chips = self._piece(text_format)
        font = text_format.toCharFormat().font()
        if isinstance(piece, ShownToken):
            width = chips.width(piece.token, piece.has_marker) + 2 * CHIP_GAP
        else:
            width = QFontMetricsF(font).horizontalAdvance(plain_piece(piece))
        return QSizeF(min(width, max(1.0, document.textWidth())), QFontMetricsF(font).height())

    def drawObject(  # noqa: N802
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        _document: QTextDocument,
        _position: int,
        text_format: QTextFormat,
    ) -> None:
        piece, chips = self._piece(text_format)
        rect = QRectF(rect)
        box = rect.adjusted(CHIP_GAP, -_CHIP_MARGIN, -CHIP_GAP, _CHIP_MARGIN)
        painter.save()
        if isinstance(piece, ShownStep):
            box = rect
            font = text_format.toCharFormat().font()
            font.setUnderline(True)
            painter.setFont(font)
            painter.setPen(QPen(self._view.palette().windowText().color()))
            painter.drawText(QPointF(rect.left(), rect.top() + QFontMetricsF(font).ascent()), plain_piece(piece))
        elif piece.is_special:
            chips.paint_special(painter, box, piece.token)
        else:
            chips.paint(painter, [(piece.token, box)], has_marker=piece.has_marker)
        painter.restore()
        self.boxes[int(text_format.intProperty(_INDEX)) // 2] = box

    def _piece(self, text_format: QTextFormat) -> tuple[Target, TokenChips]:
        index, is_large = divmod(text_format.intProperty(_INDEX), 2)
        return self._view.targets[index], self.chips[is_large]


def _is_own_key(event: QKeyEvent) -> bool:
    return event.key() in _KEYS and not event.modifiers() & ~KEYPAD
