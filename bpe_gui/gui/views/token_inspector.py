"""What is known of one token: how it is written, its bytes and characters, and the merges it came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFormLayout, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from bpe_gui.engine import Lineage, Tokenizer, visible
from bpe_gui.gui.wording.numbers import number

from bpe_gui.gui.look.sentence_label import SentenceLabel

_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
_MIDDLE: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_ELIDE: Final = Qt.TextElideMode.ElideMiddle
_TOP_LEFT: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_PLAIN: Final = Qt.TextFormat.PlainText
_BY_MOUSE: Final = Qt.TextInteractionFlag.TextSelectableByMouse

_SPACE: Final = 8  # the grid of the window
_CHIP_SCALE: Final = 1.6  # the token is written so much larger than elsewhere
_CORNER: Final = 4.0
_MOST_NAMED: Final = 2  # characters that are shown with their names, a line each
_MOST_CODES: Final = 24  # characters that are shown at all
_MOST_BYTES: Final = 64
_MOST_PARTS: Final = 6  # lines of lineage


@dataclass(frozen=True, slots=True)
class InspectedToken:
    """A token at its place: the bytes [start, stop) of `text`, in UTF-8; `id` is None for a symbol that has none."""

    id: int | None
    special: bool
    text: bytes
    start: int
    stop: int
    color: QColor


class TokenInspector(QScrollArea):
    """The token in large letters, and what is known of it line by line. Nothing moves from one token to the next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenInspector")
        self.setAccessibleName(self.tr("About the token"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._hint = QLabel(self.tr("Point at a token to see what it is made of."), wordWrap=True)
        self._hint.setObjectName("inspectorHint")
        self._hint.setProperty("role", "quiet")
        self._facts = QWidget()
        self._chip = _TokenChip()
        self._id = QLabel(textFormat=_PLAIN, textInteractionFlags=_BY_MOUSE)
        self._id.setObjectName("inspectorId")
        self._rows = QFormLayout(horizontalSpacing=_SPACE * 2, verticalSpacing=_SPACE // 2, labelAlignment=_TOP_LEFT)
        self._bytes = self._add_row(self.tr("Bytes"), "inspectorBytes")
        self._characters = self._add_row(self.tr("Characters"), "inspectorCharacters")
        self._origin = self._add_row(self.tr("Made"), "inspectorOrigin")
        self._parts = self._add_row(self.tr("Its parts"), "inspectorParts")
        self._lay_out()
        self.clear()

    def _add_row(self, caption: str, name: str) -> QLabel:
        label = QLabel(caption)
        label.setProperty("role", "quiet")
        value = SentenceLabel(name=name, selectable=True)
        self._rows.addRow(label, value)
        return value

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(_SPACE * 2)
        head.addWidget(self._chip, 1)
        head.addWidget(self._id)
        facts = QVBoxLayout(self._facts)
        facts.setContentsMargins(0, 0, 0, 0)
        facts.setSpacing(_SPACE)
        facts.addLayout(head)
        facts.addLayout(self._rows)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(_SPACE, _SPACE, _SPACE, _SPACE)
        rows.addWidget(self._hint)
        rows.addWidget(self._facts)
        rows.addStretch(1)
        self.setWidget(content)

    def set_token_font(self, font: QFont) -> None:
        """Write the token, bytes and parts in this font."""
        large = QFont(font)
        large.setPointSizeF(font.pointSizeF() * _CHIP_SCALE)
        self._chip.setFont(large)
        self._id.setFont(font)
        for value in (self._bytes, self._parts):
            value.setFont(font)

    def clear(self) -> None:
        """Say how to choose a token."""
        self._facts.hide()
        self._hint.show()

    def show_token(self, token: InspectedToken, tokenizer: Tokenizer) -> None:
        """Show a token that `tokenizer` made."""
        covered = token.text[token.start : token.stop]
        octets = covered if token.id is None else tokenizer.token(token.id)
        self._chip.show_token(visible(octets), token.color)
        self._id.setText(self.tr("no id") if token.id is None else self.tr("id {id}").format(id=token.id))
        self._bytes.setText(self._bytes_text(tokenizer.stands_for(octets)))
        self._characters.setText(self._characters_text(token))
        lineage = None if token.id is None else tokenizer.lineage(token.id)
        self._origin.setText(self._origin_text(token, lineage, tokenizer))
        self._parts.setText(self._parts_text(lineage))
        self._rows.setRowVisible(self._parts, bool(self._parts.text()))
        self._hint.hide()
        self._facts.show()

    def _bytes_text(self, octets: bytes) -> str:
        shown = octets[:_MOST_BYTES].hex(" ") + (" …" if len(octets) > _MOST_BYTES else "")
        if len(octets) == 1:
            return shown
        return self.tr("{hex} ({count} bytes)").format(hex=shown, count=number(len(octets)))

    def _characters_text(self, token: InspectedToken) -> str:
        characters = list(_characters(token.text, token.start, token.stop))
        if not characters:
            return self.tr("covers no text")
        if len(characters) <= _MOST_NAMED:
            return "\n".join(self._character_line(*character) for character in characters)
        codes = [_code_point(character) for character, _held, _size in characters[:_MOST_CODES]]
        return " ".join(codes) + (" …" if len(characters) > _MOST_CODES else "")

    def _character_line(self, character: str, held: int, size: int) -> str:
        name = f"{_code_point(character)} {unicodedata.name(character, '')}".rstrip()
        if held == size:
            return name
        return self.tr("{held} of the {size} bytes of {character}, {name}").format(
            held=held, size=size, character=character, name=name
        )

    def _origin_text(self, token: InspectedToken, lineage: Lineage | None, tokenizer: Tokenizer) -> str:
        if lineage is None:
            return self.tr("never: this symbol is not in the vocabulary")
        if token.special:
            return self.tr("never: a special token, cut out before any merge")
        if lineage.rank is None:
            return self.tr("from the start: it is in the alphabet")
        counts = tokenizer.merge_counts
        left, right = (visible(part.bytes) for part in lineage.parts)
        template = self.tr("at step {step} from {left} + {right}")
        if counts is not None:
            template = self.tr("at step {step} from {left} + {right}, ×{count}")
        return template.format(
            step=number(lineage.rank + 1),
            left=left,
            right=right,
            count=number(counts[lineage.rank]) if counts is not None else "",
        )

    def _parts_text(self, lineage: Lineage | None) -> str:
        merged = list(_merged_parts(lineage)) if lineage is not None else []
        lines = [self._part_line(part) for part in merged[:_MOST_PARTS]]
        if len(merged) > _MOST_PARTS:
            lines[-1:] = [self.tr("… and {count} more").format(count=number(len(merged) - _MOST_PARTS + 1))]
        return "\n".join(lines)

    def _part_line(self, part: Lineage) -> str:
        left, right = (visible(half.bytes) for half in part.parts)
        return f"{visible(part.bytes)} = {left} + {right}"


class _TokenChip(QWidget):
    """One token in its colour, cut in the middle where it is too long."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._color = QColor()

    def show_token(self, text: str, color: QColor) -> None:
        self._text = text
        self._color = color
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, QFontMetrics(self.font()).height() + _SPACE)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            metrics = QFontMetrics(self.font())
            text = metrics.elidedText(self._text, _ELIDE, self.width() - 2 * _SPACE)
            cell = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * _SPACE, self.height())
            painter.setRenderHint(_ANTIALIASING)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(self._color))
            painter.drawRoundedRect(cell, _CORNER, _CORNER)
            painter.setPen(QPen(self.palette().text().color()))
            painter.drawText(cell.adjusted(_SPACE, 0, 0, 0), _MIDDLE, text)


def _characters(text: bytes, start: int, stop: int) -> Iterator[tuple[str, int, int]]:
    """The characters of which the bytes [start, stop) of `text` hold any: each with how many of its bytes, and of
    how many, they hold."""
    first, last = start, stop
    while first < stop and first > 0 and _is_continuation(text[first]):
        first -= 1
    while first < stop and last < len(text) and _is_continuation(text[last]):
        last += 1
    place = first
    for character in text[first:last].decode():
        size = len(character.encode())
        yield character, min(place + size, stop) - max(place, start), size
        place += size


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def _merged_parts(lineage: Lineage) -> Iterator[Lineage]:
    """The parts of a token, and their parts, that are merges themselves: each once, the larger first."""
    seen: set[bytes] = set()
    waiting = list(lineage.parts)
    for part in waiting:
        if part.parts and part.bytes not in seen:
            seen.add(part.bytes)
            waiting += part.parts
            yield part
