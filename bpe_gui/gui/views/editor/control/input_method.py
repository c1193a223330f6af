"""What an input method is told about a text and asks to be changed, in the UTF-16 units in which it counts."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtGui import QInputMethodEvent

from bpe_gui.engine.live_text import LiveText

REACH: Final = 1_024
"""Bytes on each side of the caret that input methods are told: a text may be one line of any length."""

_CURSOR: Final = QInputMethodEvent.AttributeType.Cursor
_SELECTION: Final = QInputMethodEvent.AttributeType.Selection


class Surroundings(NamedTuple):
    """The text on both sides of the caret at the byte `place`."""

    place: int
    before: str
    after: str

    @classmethod
    def of(cls, text: LiveText, place: int) -> Surroundings:
        """Of a caret at `place`."""
        # At both ends a character may be cut in two, and is left out.
        before = text.read(max(0, place - REACH), place).decode(errors="ignore")
        return cls(place, before, text.read(place, place + REACH).decode(errors="ignore"))

    @property
    def text(self) -> str:
        """All of it."""
        return self.before + self.after

    @property
    def caret(self) -> int:
        """Where the caret is in it, in units."""
        return _units(self.before)

    def unit_of(self, place: int) -> int:
        """Where a place of the text is in it; one of its ends, if the place is beyond."""
        start = self.place - len(self.before.encode())
        inside = self.text.encode()[: max(0, place - start)]
        return _units(inside.decode(errors="ignore"))

    def place_of(self, unit: int) -> int:
        """The place of the text that is so many units from its start."""
        inside = self.text.encode("utf-16-le")[: 2 * max(0, unit)].decode("utf-16-le", "ignore")
        return self.place + len(inside.encode()) - len(self.before.encode())


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def cursor_in(event: QInputMethodEvent) -> int | None:
    """Where the caret is in what is being composed, in units; nothing, if it is not to be seen."""
    for attribute in event.attributes():
        if attribute.type == _CURSOR:
            return attribute.start if attribute.length else None
    return _units(event.preeditString())


def selection_in(event: QInputMethodEvent) -> tuple[int, int] | None:
    """What is to be selected: start and stop in the surrounding text, in units."""
    for attribute in event.attributes():
        if attribute.type == _SELECTION:
            return attribute.start, attribute.start + attribute.length
    return None
