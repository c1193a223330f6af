"""The editor of the text to encode: undo and clipboard keep every byte."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_gui.gui.edit_history import TextSelection
from bpe_gui.gui.system.exact_text import mime_of, on_clipboard, text_in, utf8_of
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.examples import examples
from tests.gui.support.token_edits import CONTROL, SHIFT, open_edit, press_key, type_text, with_text

Key = Qt.Key

EXACT = "\ufeffa\rb\r\nc\u00a0d\u2028e\0f\u2029e\u0301👩‍👩‍👧\ufeff"


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    return open_edit(qtbot)


def clipboard_bytes() -> bytes:
    return text_in(on_clipboard())


# -- undoing ----------------------------------------------------------------------------------------------------------


def test_undo_and_redo_restore_text_and_selection(edit: TokenEdit) -> None:
    with_text(edit, "one two").set_selection(0, 3)
    press_key(edit, Key.Key_Delete)
    press_key(edit, Key.Key_Z, CONTROL)
    assert (edit.toPlainText(), edit.selection) == ("one two", TextSelection(0, 3))
    press_key(edit, Key.Key_Z, CONTROL | SHIFT)
    assert (edit.toPlainText(), edit.selection) == (" two", TextSelection.at(0))


def test_typing_is_undone_word_by_word_and_a_move_of_the_caret_ends_a_word(edit: TokenEdit) -> None:
    type_text(edit, "one two")
    edit.document.undo()
    assert edit.toPlainText() == "one "
    press_key(edit, Key.Key_Left)
    press_key(edit, Key.Key_Right)
    type_text(edit, " ")
    edit.document.undo()
    assert edit.toPlainText() == "one "
    edit.document.undo()
    assert edit.toPlainText() == ""
    assert not edit.document.history.can_undo


STEP = st.tuples(
    st.sampled_from(["type", "paste", "delete", "backspace", "word", "cut", "move", "select"]),
    st.integers(0, 40),
    st.text(st.sampled_from("ab \n\r\u00a0\u2028\ufeff\0é文😀\u0301\u200d👩ש"), max_size=4),
)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEP, max_size=12))
def test_any_sequence_of_edits_can_be_undone_and_redone_to_the_byte(
    edit: TokenEdit, steps: list[tuple[str, int, str]]
) -> None:
    with_text(edit, EXACT)
    followed = bytearray(EXACT.encode())

    def follow(start: int, removed: int, added: int) -> None:
        followed[start : start + removed] = edit.document.text.read(start, start + added)

    edit.text_edited.connect(follow)
    for name, offset, text in steps:
        do(edit, name, offset, text)
    final = edit.toPlainText()
    while edit.document.history.can_undo:
        edit.document.undo()
    assert edit.toPlainText() == EXACT
    while edit.document.history.can_redo:
        edit.document.redo()
    assert edit.toPlainText() == final
    assert followed.decode() == final
    edit.text_edited.disconnect(follow)


def do(edit: TokenEdit, name: str, offset: int, text: str) -> None:
    actions: dict[str, Callable[[], object]] = {
        "type": lambda: type_text(edit, text),
        "paste": lambda: edit.insertPlainText(text),
        "delete": lambda: press_key(edit, Key.Key_Delete),
        "backspace": lambda: press_key(edit, Key.Key_Backspace),
        "word": lambda: press_key(edit, Key.Key_Backspace, CONTROL),
        "cut": partial(edit.insertPlainText, ""),
        "move": lambda: edit.set_caret(offset),
        "select": lambda: edit.set_selection(edit.selection.caret, offset),
    }
    actions[name]()


# -- the clipboard ----------------------------------------------------------------------------------------------------


def test_copied_and_pasted_text_is_the_same_to_the_byte(edit: TokenEdit) -> None:
    with_text(edit, EXACT).selectAll()
    press_key(edit, Key.Key_C, CONTROL)
    assert clipboard_bytes() == EXACT.encode()
    edit.setPlainText("")
    press_key(edit, Key.Key_Insert, SHIFT)
    assert edit.toPlainText() == EXACT


def test_cut_moves_the_selection_to_the_clipboard_and_without_one_does_nothing(edit: TokenEdit) -> None:
    with_text(edit, "one two").set_selection(0, 4)
    press_key(edit, Key.Key_X, CONTROL)
    assert (edit.toPlainText(), clipboard_bytes()) == ("two", b"one ")
    press_key(edit, Key.Key_X, CONTROL)
    press_key(edit, Key.Key_C, CONTROL)
    assert (edit.toPlainText(), clipboard_bytes()) == ("two", b"one ")


def test_incomplete_characters_become_replacement_characters(edit: TokenEdit) -> None:
    edit.insertPlainText("a\ud800b")
    QGuiApplication.clipboard().setMimeData(mime_of(b"c\xff\xe6\x96d"))
    edit.paste()
    assert edit.toPlainText() == "a\ufffdbc\ufffd\ufffdd"
    assert utf8_of("\ud83d\ude00") == "😀".encode()


def test_pasted_files_are_offered_and_not_inserted(qtbot: QtBot, edit: TokenEdit) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/a.txt"), QUrl("https://example.org/")])
    QGuiApplication.clipboard().setMimeData(data)
    with qtbot.waitSignal(edit.files_dropped) as offered:
        edit.paste()
    assert offered.args[0] == [Path("/tmp/a.txt")]
    assert edit.toPlainText() == ""


# -- large texts ------------------------------------------------------------------------------------------------------


def test_a_line_of_a_megabyte_can_be_edited(edit: TokenEdit) -> None:
    edit.setPlainText("word " * 200_000)
    edit.set_caret(500_000)
    type_text(edit, "文 new ")
    press_key(edit, Key.Key_Backspace)
    press_key(edit, Key.Key_End, CONTROL)
    type_text(edit, "!")
    assert edit.document.text.read(500_000, 500_007) == "文 new".encode()
    assert edit.document.text.read(len(edit.document.text) - 2, len(edit.document.text)) == b" !"
    while edit.document.history.can_undo:
        edit.document.undo()
    assert edit.toPlainText() == "word " * 200_000
