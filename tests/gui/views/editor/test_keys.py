"""The commands of keys, without an editor around them."""

import pytest
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontDatabase, QKeyEvent
from PySide6.QtWidgets import QScrollBar
from pytestqt.qtbot import QtBot

from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.editor.edited_text import EditedText, Selection
from bpe_gui.gui.views.editor.keys import TextCommands
from bpe_gui.gui.views.editor.visible_rows import VisibleRows

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


class Parts:
    """A text with its rows and commands."""

    def __init__(self, bar: QScrollBar) -> None:
        live = LiveText("one two\nthree")
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.parent = QObject()
        self.text = EditedText(live)
        self.rows = VisibleRows(live, bar, font, QSize(400, 200))
        self.text.replaced.connect(self.rows.replaced)
        self.commands = TextCommands(self.text, self.rows, self.parent)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, text: str = "") -> bool:
        command = self.commands.of_key(QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text))
        if command is not None:
            command()
        return command is not None


@pytest.fixture
def parts(qtbot: QtBot) -> Parts:
    bar = QScrollBar()
    qtbot.addWidget(bar)
    return Parts(bar)


def test_keys_move_the_caret_select_type_and_delete(parts: Parts) -> None:
    parts.press(Key.Key_Right)
    assert parts.text.selection == Selection.at(1)
    parts.press(Key.Key_End, SHIFT)
    assert parts.text.selection == Selection(1, 7)
    parts.press(Key.Key_Home)
    parts.press(Key.Key_X, text="é")
    assert str(parts.text.text) == "éone two\nthree"
    parts.press(Key.Key_Delete, CONTROL)
    assert str(parts.text.text) == "étwo\nthree"


def test_other_keys_have_no_command(parts: Parts) -> None:
    assert not parts.press(Key.Key_Escape, text="\x1b")
    assert not parts.press(Key.Key_F5)
    assert not parts.press(Key.Key_O, CONTROL, "\x0f")


def test_in_a_read_only_text_no_key_edits(parts: Parts) -> None:
    parts.text.read_only = True
    assert not parts.press(Key.Key_X, text="x")
    assert not parts.press(Key.Key_Backspace)
    assert parts.press(Key.Key_C, CONTROL)
