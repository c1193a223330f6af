"""The editor of the text to encode: input methods, the context menu, and the blinking caret."""

import sys

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QInputMethodQueryEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.gui.support.token_edits import open_edit, selected_text, shows_caret

Query = Qt.InputMethodQuery
Attribute = QInputMethodEvent.Attribute
AttributeType = QInputMethodEvent.AttributeType

TEXT = "one two three\nfour five six\nseven"


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    return open_edit(qtbot, TEXT)


# -- input methods ----------------------------------------------------------------------------------------------------


def compose(edit: TokenEdit, preedit: str, commit: str = "", start: int = 0, length: int = 0) -> None:
    event = QInputMethodEvent(preedit, [Attribute(AttributeType.Cursor, len(preedit), 1)])
    event.setCommitString(commit, start, length)
    QApplication.sendEvent(edit, event)


def ask(edit: TokenEdit, query: Qt.InputMethodQuery) -> object:
    event = QInputMethodQueryEvent(query)
    QApplication.sendEvent(edit, event)
    return event.value(query)


def test_chinese_is_composed_and_then_committed(edit: TokenEdit) -> None:
    edit.set_caret(4)
    compose(edit, "ni")
    compose(edit, "nihao")
    assert edit.toPlainText() == TEXT
    compose(edit, "", "你好")
    assert edit.toPlainText() == "one 你好two" + TEXT[7:]
    assert edit.selection.caret == 10
    edit.document.undo()
    assert edit.toPlainText() == TEXT


def test_composing_replaces_the_selection(edit: TokenEdit) -> None:
    edit.set_selection(0, 4)
    compose(edit, "w")
    assert edit.toPlainText() == TEXT[4:]


def test_an_input_method_may_replace_text_around_the_caret(edit: TokenEdit) -> None:
    edit.setPlainText("a😀bc")
    edit.set_caret(6)
    compose(edit, "", "X", start=-3, length=4)
    assert edit.toPlainText() == "aX"


def test_an_input_method_may_select(edit: TokenEdit) -> None:
    edit.setPlainText("a😀bc")
    QApplication.sendEvent(edit, QInputMethodEvent("", [Attribute(AttributeType.Selection, 1, 3)]))
    assert selected_text(edit) == "😀b"


def test_queries_about_the_text_around_the_caret(edit: TokenEdit) -> None:
    edit.setPlainText("x" * 5_000 + "a😀文|zz" + "y" * 5_000)
    edit.set_selection(5_010, 5_008)
    around = ask(edit, Query.ImSurroundingText)
    caret = ask(edit, Query.ImCursorPosition)
    assert isinstance(around, str) and isinstance(caret, int)
    utf16 = around.encode("utf-16-le")
    assert utf16[: 2 * caret].decode("utf-16-le").endswith("xa😀文")
    assert utf16[2 * caret :].decode("utf-16-le").startswith("|zzy")
    assert len(around) < 3_000
    anchor = ask(edit, Query.ImAnchorPosition)
    assert anchor == caret + 2
    assert ask(edit, Query.ImCurrentSelection) == "|z"
    assert ask(edit, Query.ImTextBeforeCursor) == utf16[: 2 * caret].decode("utf-16-le")
    assert ask(edit, Query.ImTextAfterCursor) == utf16[2 * caret :].decode("utf-16-le")


def test_queries_about_the_rectangles_of_caret_and_anchor(edit: TokenEdit) -> None:
    edit.set_selection(2, 20)
    offset = QPointF(edit.viewport().pos())
    assert ask(edit, Query.ImCursorRectangle) == edit.rows.caret_rect(20).translated(offset)
    assert ask(edit, Query.ImAnchorRectangle) == edit.rows.caret_rect(2).translated(offset)


@pytest.mark.skipif(sys.platform == "darwin", reason="there, Alt types characters")
def test_alt_and_a_letter_open_a_menu_instead_of_typing(qtbot: QtBot, edit: TokenEdit) -> None:
    qtbot.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.AltModifier)
    assert edit.toPlainText() == TEXT
    qtbot.keyClick(edit, Qt.Key.Key_V)
    assert edit.toPlainText() != TEXT


def test_a_read_only_text_accepts_no_input(edit: TokenEdit) -> None:
    assert ask(edit, Query.ImEnabled) is True
    edit.setReadOnly(True)
    assert not ask(edit, Query.ImEnabled)
    compose(edit, "", "x")
    assert edit.toPlainText() == TEXT


# -- menu and caret ----------------------------------------------------------------------------------------------------


def enabled_commands(edit: TokenEdit) -> list[str]:
    menu = edit.context_menu()
    names = [action.text().split("\t")[0].replace("&", "") for action in menu.actions() if action.isEnabled()]
    menu.deleteLater()
    return [name for name in names if name]


def test_the_menu_enables_the_commands_that_can_be_used(edit: TokenEdit) -> None:
    QGuiApplication.clipboard().clear()
    assert enabled_commands(edit) == ["Select all"]
    edit.set_selection(0, 3)
    QGuiApplication.clipboard().setText("x")
    assert enabled_commands(edit) == ["Cut", "Copy", "Paste", "Delete", "Select all"]
    edit.cut()
    assert enabled_commands(edit) == ["Undo", "Paste", "Select all"]
    edit.document.undo()
    assert enabled_commands(edit) == ["Redo", "Cut", "Copy", "Paste", "Delete", "Select all"]
    edit.setReadOnly(True)
    assert enabled_commands(edit) == ["Copy", "Select all"]


def test_the_menu_shows_its_keys_and_executes_its_commands(edit: TokenEdit) -> None:
    menu = edit.context_menu()
    last = menu.actions()[-1]
    assert last.text() == "Select &all\tCtrl+A"
    last.trigger()
    assert selected_text(edit) == TEXT


def test_the_caret_blinks_at_the_system_rate_while_the_editor_has_the_focus(qtbot: QtBot, edit: TokenEdit) -> None:
    usual = QApplication.cursorFlashTime()
    try:
        QApplication.setCursorFlashTime(60)  # each look takes some milliseconds
        assert shows_caret(edit, 0)
        qtbot.waitUntil(lambda: not shows_caret(edit, 0))
        qtbot.waitUntil(lambda: shows_caret(edit, 0))
        QApplication.setCursorFlashTime(0)
        assert shows_caret(edit, 0)
        edit.clearFocus()
        assert not shows_caret(edit, 0)
    finally:
        QApplication.setCursorFlashTime(usual)


def test_an_edit_ends_the_composition(edit: TokenEdit) -> None:
    edit.setPlainText("你好你好")
    edit.set_caret(12)
    event = QInputMethodEvent("x", [])
    event.setCommitString("你好")
    QApplication.sendEvent(edit, event)
    edit.document.undo()
    edit.grab()
    assert edit.toPlainText() == "你好你好"
