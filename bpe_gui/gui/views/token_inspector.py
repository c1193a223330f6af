"""Show one token in detail: its printable form, bytes, characters, and the merges that made it."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from bpe_gui.engine import Lineage, Tokenizer, code_point, token_in_sentence
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, WIDE_GAP, Scrolled, column_of, row_of
from bpe_gui.gui.look.qt_constants import ANTIALIASING, ELIDE_MIDDLE, PLAIN_TEXT, SELECTABLE_BY_MOUSE, TOP_LEFT
from bpe_gui.gui.look.theme import paint_box, scaled_font, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget, quiet_label
from bpe_gui.gui.system.exact_text import is_continuation
from bpe_gui.gui.wording.phrases import number

from .fitted_text import FittedText
from .token_chips import with_base

_CHIP_SCALE: Final = 1.6  # the font size of the token, relative to other tokens
_CORNER: Final = 4.0
_MAX_NAMED: Final = 2  # characters shown with their names, one per line
_MAX_CODE_POINTS: Final = 24
_MAX_BYTES: Final = 64
_MAX_PARTS: Final = 6  # lines of lineage


@dataclass(frozen=True, slots=True)
class InspectedToken:
    """A token that covers the bytes [start, stop) of `text`; `id` is None for a symbol without one.

    `text` is UTF-8, but for a token found without its text, it is the token's bytes, which may be anything.
    """

    id: int | None
    special: bool
    text: bytes
    start: int
    stop: int
    color: QColor
    is_unmade: bool = False
    """Whether it has no id because no known step makes it."""
    reason: str = ""
    """Why it is not in the vocabulary, in words; empty if that is unknown."""


class TokenInspector(Scrolled):
    """A token in large letters and its facts below, in the same layout for every token."""

    step_requested = Signal(int)
    """The user wants to go to this step."""

    def __init__(self) -> None:
        super().__init__(QWidget())
        name_widget(self, "tokenInspector", self.tr("Token details"))
        self._hint = quiet_label("inspectorHint", self.tr("Point at a token to see what it is made of."))
        self._hint.setWordWrap(True)
        self._facts = QWidget()
        self._chip = _TokenChip()
        self._id = name_widget(QLabel(textFormat=PLAIN_TEXT, textInteractionFlags=SELECTABLE_BY_MOUSE), "inspectorId")
        self._rows = QFormLayout(horizontalSpacing=WIDE_GAP, verticalSpacing=SMALL_GAP, labelAlignment=TOP_LEFT)
        self._bytes = self._add_row(self.tr("Bytes"), "inspectorBytes")
        self._characters = self._add_row(self.tr("Characters"), "inspectorCharacters")
        self._spelling = self._add_row(self.tr("GPT-2 spelling"), "inspectorSpelling")
        self._origin = self._add_row(self.tr("Origin"), "inspectorOrigin")
        self._occurs = self._add_row(self.tr("Count"), "inspectorOccurs")
        self._parts = self._add_row(self.tr("Parts"), "inspectorParts")
        self._step: int | None = None
        tip = self.tr("Go to the step that makes this token")
        self._go = name_widget(QPushButton(), "inspectorGoButton", tip)
        self._go.setToolTip(tip)
        set_role(self._go, "quiet")
        self._go.clicked.connect(self._request_step)
        self._lay_out()
        self.clear()

    def _add_row(self, caption: str, name: str) -> QLabel:
        value = SentenceLabel(name=name, selectable=True)
        self._rows.addRow(quiet_label(text=caption), value)
        return value

    def _request_step(self) -> None:
        self.step_requested.emit(self._step)

    def _lay_out(self) -> None:
        head = row_of((self._chip, 1), self._go, self._id, spacing=WIDE_GAP)
        column_of(head, self._rows, of=self._facts)
        column_of(
            self._hint, self._facts, None, of=self.contents, margins=(MARGIN, MARGIN, MARGIN, SMALL_GAP), spacing=None
        )

    def set_token_font(self, font: QFont) -> None:
        """Show the token, its bytes and its parts in this font."""
        self._chip.setFont(scaled_font(font, _CHIP_SCALE))
        self._id.setFont(font)
        for value in (self._bytes, self._spelling, self._parts):
            value.setFont(font)

    def clear(self) -> None:
        """Show how to choose a token."""
        self._facts.hide()
        self._hint.show()

    def show_token(self, token: InspectedToken, tokenizer: Tokenizer, position: int) -> None:
        """Show a token of `tokenizer`, which may include steps after the window's current `position`."""
        covered = token.text[token.start : token.stop]
        token_bytes = covered if token.id is None else tokenizer.token(token.id)
        self._chip.show_token(token_in_sentence(token_bytes), token.color)
        self._id.setText(self.tr("no id") if token.id is None else self.tr("id {id}").format(id=token.id))
        self._bytes.setText(self._bytes_text(tokenizer.stands_for(token_bytes)))
        self._characters.setText(self._characters_text(token))
        spelled = "" if token.id is None else tokenizer.spelled(token.id)
        self._spelling.setText(spelled)
        self._rows.setRowVisible(self._spelling, spelled != token_bytes.decode(errors="replace") and bool(spelled))
        lineage = None if token.id is None else tokenizer.lineage(token.id)
        origin = self._origin_text(token, lineage, tokenizer)
        is_later = lineage is not None and lineage.rank is not None and lineage.rank >= position
        self._origin.setText(
            self.tr("{origin} · not in the vocabulary yet").format(origin=origin) if is_later else origin
        )
        self._parts.setText(self._parts_text(lineage))
        self._rows.setRowVisible(self._parts, bool(self._parts.text()))
        step = self._step = None if lineage is None or lineage.rank is None else lineage.rank + 1
        self._go.setVisible(step is not None and step != position)
        if step is not None:
            self._go.setText(self.tr("Go to step {step}").format(step=number(step)))
            self._go.setAccessibleName(self._go.text())
        self._hint.hide()
        self._facts.show()

    def show_counts(self, text: str) -> None:
        """Show where and how often the token occurs, in words; empty for a symbol that is not counted."""
        self._occurs.setText(text)
        self._rows.setRowVisible(self._occurs, bool(text))

    def _bytes_text(self, token_bytes: bytes) -> str:
        shown = token_bytes[:_MAX_BYTES].hex(" ") + (" …" if len(token_bytes) > _MAX_BYTES else "")
        if len(token_bytes) == 1:
            return shown
        return self.tr("{hex} ({count} bytes)").format(hex=shown, count=number(len(token_bytes)))

    def _characters_text(self, token: InspectedToken) -> str:
        characters = list(_characters(token.text, token.start, token.stop))
        if not characters:
            return self.tr("covers no text")
        if len(characters) <= _MAX_NAMED:
            return "\n".join(self._character_line(*character) for character in characters)
        codes = [code_point(character) for character, *_place in characters[:_MAX_CODE_POINTS]]
        return " ".join(codes) + (" …" if len(characters) > _MAX_CODE_POINTS else "")

    def _character_line(self, character: str, first: int, covered: int, size: int) -> str:
        if "\udc80" <= character <= "\udcff":  # a byte that is not part of a complete character
            return self.tr("byte {byte}, part of a character (alone: �)").format(byte=code_point(character))
        name = f"{code_point(character)} {unicodedata.name(character, '')}".rstrip()
        if covered == size:
            return name
        text = self.tr("byte {first} of {size} of {character}, {name}")
        if covered > 1:
            text = self.tr("bytes {first} to {last} of {size} of {character}, {name}")
        shown = token_in_sentence(character.encode())
        return text.format(first=first, last=first + covered - 1, size=size, character=shown, name=name)

    def _origin_text(self, token: InspectedToken, lineage: Lineage | None, tokenizer: Tokenizer) -> str:
        if lineage is None:
            missing = self.tr("no known step yet") if token.is_unmade else self.tr("not in the vocabulary")
            return token.reason or missing
        if token.special:
            return self.tr("special token (cut out before any merge)")
        if lineage.rank is None:
            return self.tr("alphabet")
        counts = tokenizer.merge_counts
        left, right = (token_in_sentence(part.bytes) for part in lineage.parts)
        step = number(lineage.rank + 1)
        if counts is None:
            return self.tr("step {step}: {left} + {right}").format(step=step, left=left, right=right)
        template = self.tr("step {step}: {left} + {right}, ×{count}")
        return template.format(step=step, left=left, right=right, count=number(counts[lineage.rank]))

    def _parts_text(self, lineage: Lineage | None) -> str:
        merged = list(_merged_parts(lineage)) if lineage is not None else []
        lines = [
            f"{token_in_sentence(part.bytes)} = {' + '.join(token_in_sentence(each.bytes) for each in part.parts)}"
            for part in merged[:_MAX_PARTS]
        ]
        if len(merged) > _MAX_PARTS:
            lines[-1:] = [self.tr("… and {count} more").format(count=number(len(merged) - _MAX_PARTS + 1))]
        return "\n".join(lines)


class _TokenChip(QWidget):
    """A token in a box of its colour, elided in the middle if it is too long."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._color = QColor()

    def show_token(self, text: str, color: QColor) -> None:
        self._text = with_base(text)
        self._color = color
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, QFontMetrics(self.font()).height() + MARGIN)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            metrics = QFontMetricsF(self.font())
            text = metrics.elidedText(self._text, ELIDE_MIDDLE, self.width() - 2 * MARGIN)
            fitted = FittedText.of(text, self.font(), metrics)
            box = QRectF(0, 0, fitted.width + 2 * MARGIN, self.height())
            painter.setRenderHint(ANTIALIASING)
            paint_box(painter, box, self._color, _CORNER)
            painter.setPen(QPen(self.palette().text().color()))
            painter.setFont(fitted.font)
            baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2 + fitted.drop
            painter.drawText(QPointF(MARGIN + fitted.left, round(baseline)), text)


def _characters(text: bytes, start: int, stop: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield each character that the bytes [start, stop) of `text` cover at least partly.

    Each comes with the place of its first byte that is covered, from 1, the number of those, and of all its bytes.
    """
    first, last = start, stop
    while first < stop and first > 0 and is_continuation(text[first]):
        first -= 1
    while first < stop and last < len(text) and is_continuation(text[last]):
        last += 1
    offset = first
    for character in text[first:last].decode("utf-8", "surrogateescape"):
        size = len(character.encode("utf-8", "surrogateescape"))
        begin = max(offset, start)
        yield character, begin - offset + 1, min(offset + size, stop) - begin, size
        offset += size


def _merged_parts(lineage: Lineage) -> Iterator[Lineage]:
    """Yield a token and what of it merges made, each once, level by level; nothing if its parts have no parts."""
    seen: set[bytes] = set()
    waiting = [lineage] if any(part.parts for part in lineage.parts) else []
    for part in waiting:
        if part.parts and part.bytes not in seen:
            seen.add(part.bytes)
            waiting += part.parts
            yield part
