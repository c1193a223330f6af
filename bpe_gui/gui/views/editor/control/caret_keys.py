"""Turn keys into moves of the caret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from bpe_gui.gui.look.qt_constants import CONTROL
from bpe_gui.gui.views.editor.edited_text import EditedText
from bpe_gui.gui.views.editor.layout.navigation import TextNavigation
from bpe_gui.gui.views.editor.selection import Selection
from bpe_gui.gui.views.editor.visible_rows import VisibleRows

_Destination = Callable[[TextNavigation, int], int]
"""Returns the offset to which a key moves the caret from another."""


def _next_word(navigation: TextNavigation, caret: int) -> int:
    """Return the next word to the right, which in right-to-left text is the previous one."""
    is_backward = navigation.right_of(caret) < caret
    return navigation.previous_word(caret) if is_backward else navigation.next_word(caret)


def _previous_word(navigation: TextNavigation, caret: int) -> int:
    """Return the next word to the left, which in right-to-left text is the following one."""
    is_forward = navigation.left_of(caret) > caret
    return navigation.next_word(caret) if is_forward else navigation.previous_word(caret)


_DESTINATIONS: Final[dict[str, _Destination]] = {
    "NextChar": lambda navigation, caret: navigation.right_of(caret),
    "PreviousChar": lambda navigation, caret: navigation.left_of(caret),
    "NextWord": _next_word,
    "PreviousWord": _previous_word,
    "StartOfLine": lambda navigation, caret: navigation.row_start(caret),
    "EndOfLine": lambda navigation, caret: navigation.row_end(caret),
    "StartOfBlock": lambda navigation, caret: navigation.line_body(caret)[0],
    "EndOfBlock": lambda navigation, caret: navigation.line_body(caret)[1],
    "StartOfDocument": lambda _navigation, _caret: 0,
    "EndOfDocument": lambda navigation, _caret: navigation.text_end(),
}
"""By the names of Qt's standard keys, in which a row is a line and a line is a block."""

_ROWS: Final = {"NextLine": 1, "PreviousLine": -1}
_PAGES: Final = {"NextPage": 1, "PreviousPage": -1}

MOVES: Final = {
    QKeySequence.StandardKey[f"{verb}{name}"]: (name, verb == "Select")
    for name in (*_DESTINATIONS, *_ROWS, *_PAGES)
    for verb in ("MoveTo", "Select")
}
"""The name of a key's move, and whether it selects."""


class CaretKeys:
    """The keys that move the caret or extend the selection.

    Moves up and down keep the x at which they began, even through shorter rows.
    """

    def __init__(self, text: EditedText, rows: VisibleRows) -> None:
        self._text = text
        self._rows = rows
        self._kept_x: float | None = None
        text.selected.connect(self._forget_x)

    def handles(self, event: QKeyEvent) -> bool:
        """Return whether `press` would do something."""
        return _move_of(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Make the move that a key is bound to; return whether it is bound to one."""
        move = _move_of(event)
        if move is None:
            return False
        name, selects = move
        if name in _DESTINATIONS:
            self._move(name, selects=selects)
        else:
            self._move_vertically(name, selects=selects)
        return True

    def _move(self, name: str, *, selects: bool) -> None:
        selection = self._text.selection
        target = _DESTINATIONS[name](self._rows.navigation, selection.caret)
        if name in ("NextChar", "PreviousChar") and not selection.is_empty and not selects:
            # The caret goes to that end of the selection.
            is_forward = target > selection.caret or (target == selection.caret and name == "NextChar")
            target = selection.stop if is_forward else selection.start
        self._select(target, selects=selects)

    def _move_vertically(self, name: str, *, selects: bool) -> None:
        caret = self._text.caret
        x = self._rows.caret_x(caret) if self._kept_x is None else self._kept_x
        rows = _ROWS[name] if name in _ROWS else _PAGES[name] * self._rows.rows_per_page()
        target = self._rows.navigation.below(caret, x, rows)
        if name in _PAGES:
            self._rows.scroll_page(down=rows > 0)
        self._select(target, selects=selects)
        self._kept_x = x

    def _select(self, target: int, *, selects: bool) -> None:
        self._text.select(self._text.selection.extended_to(target) if selects else Selection.at(target))

    def _forget_x(self) -> None:
        self._kept_x = None


def _move_of(event: QKeyEvent) -> tuple[str, bool] | None:
    """Return the name of a key's move, and whether it selects; None for other keys.

    Ctrl with a letter, which moves the caret on some platforms, is left to the menus.
    """
    if event.modifiers() & CONTROL and Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
        return None
    return next((move for key, move in MOVES.items() if event.matches(key)), None)
