"""The controllers of the editor by themselves: keys, and the text around a caret for input methods."""

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontDatabase, QKeyEvent
from PySide6.QtWidgets import QScrollBar
from pytestqt.qtbot import QtBot

from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.editor.edited_text import EditedText, Selection
from bpe_gui.gui.views.editor.keys import CaretKeys, ClipboardAccess, EditCommands, EditKeys
from bpe_gui.gui.views.editor.visible_rows import VisibleRows

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


class Parts:
    """A text with its rows and keys, but without an editor around them."""

    def __init__(self, bar: QScrollBar, text: str) -> None:
        live = LiveText(text)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.text = EditedText(live)
        self.rows = VisibleRows(live, bar, font, QSize(400, 200))
        self.text.replaced.connect(self.rows.replaced)
        clipboard = ClipboardAccess(self.text)
        self.caret_keys = CaretKeys(self.text, self.rows)
        self.edit_keys = EditKeys(self.text, EditCommands(self.text, self.rows, clipboard))


@pytest.fixture
def parts(qtbot: QtBot) -> Parts:
    bar = QScrollBar()
    qtbot.addWidget(bar)
    return Parts(bar, "one two\nthree")


def key(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, text: str = "") -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text)


def test_a_key_moves_the_caret_or_selects(parts: Parts) -> None:
    assert parts.caret_keys.press(key(Key.Key_Right))
    assert parts.text.selection == Selection.at(1)
    assert parts.caret_keys.press(key(Key.Key_End, SHIFT))
    assert parts.text.selection == Selection(1, 7)


def test_another_key_is_not_handled(parts: Parts) -> None:
    for event in (key(Key.Key_Escape, text="\x1b"), key(Key.Key_F5), key(Key.Key_O, CONTROL, "\x0f")):
        assert not parts.caret_keys.handles(event)
        assert not parts.edit_keys.handles(event)
        assert not parts.caret_keys.press(event)
        assert not parts.edit_keys.press(event)
    assert str(parts.text.text) == "one two\nthree"


def test_a_key_types_or_deletes(parts: Parts) -> None:
    parts.edit_keys.press(key(Key.Key_X, text="é"))
    assert str(parts.text.text) == "éone two\nthree"
    parts.edit_keys.press(key(Key.Key_Delete, CONTROL))
    assert str(parts.text.text) == "étwo\nthree"
    parts.edit_keys.press(key(Key.Key_Z, CONTROL))
    parts.edit_keys.press(key(Key.Key_Z, CONTROL))
    assert str(parts.text.text) == "one two\nthree"


def test_a_read_only_text_handles_no_key_that_would_edit(parts: Parts) -> None:
    parts.text.read_only = True
    assert not parts.edit_keys.handles(key(Key.Key_X, text="x"))
    assert not parts.edit_keys.handles(key(Key.Key_Backspace))
    assert parts.edit_keys.handles(key(Key.Key_C, CONTROL))
