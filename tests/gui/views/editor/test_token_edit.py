"""The editor of the text to encode: typing, moving and deleting by keys, and which keys it leaves to the window."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText
from bpe_gui.gui.edit_history import TextSelection
from bpe_gui.gui.system.exact_text import on_clipboard, text_in
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.tokens import LiveTokens
from tests.gui.support.token_edits import (
    CONTROL,
    NONE,
    SHIFT,
    open_edit,
    press_key,
    type_text,
    with_text,
)

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier

FAMILY = "👩‍👩‍👧"


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    return open_edit(qtbot)


# -- typing -----------------------------------------------------------------------------------------------------------


def test_each_key_inserts_at_the_caret_and_is_reported_once(qtbot: QtBot, edit: TokenEdit) -> None:
    edits: list[tuple[int, int, int]] = []
    edit.text_edited.connect(lambda *change: edits.append(change))
    type_text(edit, "aé文")
    press_key(edit, Key.Key_Return)
    type_text(edit, "😀")
    assert edit.toPlainText() == "aé文\n😀"
    assert edits == [(0, 0, 1), (1, 0, 2), (3, 0, 3), (6, 0, 1), (7, 0, 4)]
    assert edit.selection.caret == len(edit.document.text)


def test_typing_replaces_the_selection(edit: TokenEdit) -> None:
    with_text(edit, "one two").set_selection(0, 3)
    reported: list[tuple[int, int]] = []
    edit.selection_changed.connect(lambda *span: reported.append(span))
    type_text(edit, "x")
    assert edit.toPlainText() == "x two"
    assert reported == [(1, 1)]


def test_typing_edits_the_live_text_of_the_source(edit: TokenEdit) -> None:
    text = LiveText("low")
    edit.set_source(LiveTokens(text))
    edit.set_caret(3)
    type_text(edit, "er")
    assert str(text) == "lower"


def test_another_source_keeps_caret_and_undo_history_only_if_its_text_is_the_same(edit: TokenEdit) -> None:
    type_text(edit, "low")
    edit.set_source(LiveTokens(edit.document.text, special_tokens={"<x>": 1}))
    assert (edit.selection.caret, edit.document.history.can_undo) == (3, True)
    edit.set_source(LiveTokens(LiveText("other")))
    assert (edit.selection.caret, edit.document.history.can_undo, edit.toPlainText()) == (0, False, "other")


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Tab, Key.Key_F5])
def test_keys_without_a_character_type_nothing(edit: TokenEdit, key: Qt.Key) -> None:
    press_key(edit, key)
    assert edit.toPlainText() == ""


def test_ctrl_types_nothing_but_ctrl_and_alt_together_are_alt_gr(edit: TokenEdit) -> None:
    for modifiers, text in ((CONTROL, "k"), (CONTROL | SHIFT, "K"), (CONTROL | ALT, "€"), (CONTROL | SHIFT, "\u200f")):
        QApplication.sendEvent(edit, QKeyEvent(QEvent.Type.KeyPress, Key.Key_unknown, modifiers, text))
    assert edit.toPlainText() == "€\u200f"


@pytest.mark.parametrize("key", [Key.Key_Space, Key.Key_Left, Key.Key_Home, Key.Key_A, Key.Key_Backspace])
def test_the_editor_overrides_shortcuts_that_are_its_own_keys(edit: TokenEdit, key: Qt.Key) -> None:
    assert overrides(edit, key, NONE, " ")


def test_the_editor_leaves_other_shortcuts_to_the_window(edit: TokenEdit) -> None:
    for letter in "OETRGNSQ":
        assert not overrides(edit, Qt.Key(ord(letter)), CONTROL, chr(ord(letter) - 64))
    assert not overrides(edit, Key.Key_Escape, NONE, "\x1b")


def overrides(edit: TokenEdit, key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str) -> bool:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, text)
    event.ignore()
    QApplication.sendEvent(edit, event)
    return event.isAccepted()


def test_no_key_changes_a_read_only_text(edit: TokenEdit) -> None:
    with_text(edit, "fixed text").set_selection(0, 5)
    edit.setReadOnly(True)
    QGuiApplication.clipboard().setText("x")
    type_text(edit, "x")
    for key in (Key.Key_Delete, Key.Key_Backspace, Key.Key_Return):
        press_key(edit, key)
    for key in (Key.Key_X, Key.Key_V, Key.Key_Z, Key.Key_Backspace):
        press_key(edit, key, CONTROL)
    assert edit.toPlainText() == "fixed text"
    press_key(edit, Key.Key_C, CONTROL)
    assert text_in(on_clipboard()) == b"fixed"


# -- moving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "modifiers", "start", "expected"),
    [
        (Key.Key_Right, NONE, 4, 5),
        (Key.Key_Left, NONE, 4, 3),
        (Key.Key_Right, CONTROL, 0, 4),
        (Key.Key_Left, CONTROL, 7, 4),
        (Key.Key_Home, NONE, 6, 0),
        (Key.Key_End, NONE, 2, 7),
        (Key.Key_Home, CONTROL, 13, 0),
        (Key.Key_End, CONTROL, 2, 18),
        (Key.Key_Down, NONE, 2, 10),
        (Key.Key_Up, NONE, 10, 2),
        (Key.Key_Left, NONE, 8, 7),
        (Key.Key_Left, NONE, 0, 0),
        (Key.Key_Right, NONE, 18, 18),
    ],
)
def test_keys_move_the_caret_and_select_with_shift(
    edit: TokenEdit, key: Qt.Key, modifiers: Qt.KeyboardModifier, start: int, expected: int
) -> None:
    with_text(edit, "one two\nonly fours", caret=start)
    press_key(edit, key, modifiers)
    assert edit.selection == TextSelection.at(expected)
    edit.set_caret(start)
    press_key(edit, key, modifiers | SHIFT)
    assert edit.selection == TextSelection(start, expected)


def test_the_caret_steps_over_whole_grapheme_clusters(edit: TokenEdit) -> None:
    with_text(edit, f"e\u0301{FAMILY}\r\nx")
    offsets = [edit.selection.caret]
    for _ in range(4):
        press_key(edit, Key.Key_Right)
        offsets.append(edit.selection.caret)
    sizes = [len(part.encode()) for part in ("e\u0301", FAMILY, "\r\n", "x")]
    assert offsets == [0, *(sum(sizes[: count + 1]) for count in range(4))]


def test_moving_down_through_a_short_line_keeps_the_column(edit: TokenEdit) -> None:
    with_text(edit, "abcdef\nx\nabcdef", caret=4)
    press_key(edit, Key.Key_Down)
    assert edit.selection.caret == 8
    press_key(edit, Key.Key_Down)
    assert edit.selection.caret == 13
    press_key(edit, Key.Key_Up, times=2)
    assert edit.selection.caret == 4


def test_page_keys_move_by_the_rows_in_view(edit: TokenEdit) -> None:
    with_text(edit, "\n".join(["line"] * 100))
    press_key(edit, Key.Key_PageDown)
    rows = edit.selection.caret // 5
    assert 1 < rows < 100
    press_key(edit, Key.Key_PageDown)
    assert edit.selection.caret // 5 == 2 * rows
    press_key(edit, Key.Key_PageUp, times=2)
    assert edit.selection.caret == 0


def test_an_arrow_key_moves_the_caret_to_that_end_of_the_selection(edit: TokenEdit) -> None:
    with_text(edit, "one two").set_selection(2, 5)
    press_key(edit, Key.Key_Left)
    assert edit.selection == TextSelection.at(2)
    edit.selectAll()
    press_key(edit, Key.Key_Right)
    assert edit.selection == TextSelection.at(7)


def test_arrow_keys_move_in_the_direction_they_point_in_hebrew(edit: TokenEdit) -> None:
    with_text(edit, "שלום")
    press_key(edit, Key.Key_Left)
    assert edit.selection.caret == 2
    press_key(edit, Key.Key_Right)
    assert edit.selection.caret == 0


def test_moves_and_selections_are_reported(edit: TokenEdit) -> None:
    reported: list[tuple[int, ...]] = []
    with_text(edit, "one")
    edit.caret_moved.connect(lambda offset: reported.append((offset,)))
    edit.selection_changed.connect(lambda *selection: reported.append(selection))
    press_key(edit, Key.Key_Right)
    press_key(edit, Key.Key_Right, SHIFT)
    press_key(edit, Key.Key_Right)
    press_key(edit, Key.Key_Left, CONTROL)
    assert reported == [(1,), (2,), (1, 2), (2, 2), (0,)]


# -- deleting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("ab", "a"),
        ("a😀", "a"),
        ("xe\u0301", "xe"),
        ("क्षि", "क्ष"),
        (f"x{FAMILY}", "x"),
        ("x🇩🇪", "x"),
        ("x\r\n", "x"),
    ],
)
def test_backspace_removes_an_accent_alone_but_emoji_and_line_breaks_whole(
    edit: TokenEdit, text: str, rest: str
) -> None:
    with_text(edit, text, caret=len(text.encode()))
    press_key(edit, Key.Key_Backspace)
    assert edit.toPlainText() == rest


@pytest.mark.parametrize("character", ["a", "e\u0301", FAMILY, "\r\n", "🇩🇪"])
def test_delete_removes_whole_grapheme_clusters(edit: TokenEdit, character: str) -> None:
    with_text(edit, character + "x")
    press_key(edit, Key.Key_Delete)
    assert edit.toPlainText() == "x"


@pytest.mark.parametrize(
    ("key", "modifiers", "rest"),
    [
        (Key.Key_Delete, CONTROL, "one three"),
        (Key.Key_Backspace, CONTROL, "two three"),
        (Key.Key_Backspace, SHIFT, "onetwo three"),
    ],
)
def test_ctrl_deletes_a_word_and_shift_a_character(
    edit: TokenEdit, key: Qt.Key, modifiers: Qt.KeyboardModifier, rest: str
) -> None:
    with_text(edit, "one two three", caret=4)
    press_key(edit, key, modifiers)
    assert edit.toPlainText() == rest


def test_nothing_is_deleted_beyond_the_ends_of_the_text(edit: TokenEdit) -> None:
    with_text(edit, "a")
    press_key(edit, Key.Key_Backspace)
    edit.set_caret(1)
    press_key(edit, Key.Key_Delete)
    assert edit.toPlainText() == "a"
    assert not edit.document.history.can_undo


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_return_inserts_the_line_break_of_the_lines_around(edit: TokenEdit, ending: str) -> None:
    edit.setPlainText(f"low{ending}lower")
    for offset in (1, len(edit.toPlainText().encode()) + len(ending)):
        edit.set_caret(offset)
        QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.toPlainText() == f"l{ending}ow{ending}lower{ending}"


def test_return_inserts_a_line_feed_into_a_text_without_line_breaks(edit: TokenEdit) -> None:
    edit.setPlainText("low")
    edit.set_caret(3)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.toPlainText() == "low\n"
