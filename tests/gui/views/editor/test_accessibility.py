"""Screen readers get from the editor its text, caret and selection, the token at the caret, and every change."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleTextCursorEvent,
    QAccessibleTextInsertEvent,
    QAccessibleTextInterface,
    QAccessibleTextRemoveEvent,
    QAccessibleTextSelectionEvent,
    QAccessibleTextUpdateEvent,
)
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Tokenizer, train
from bpe_gui.gui.views.editor.accessibility import REACH
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.tokens import LiveTokens
from tests.gui.support.token_edits import open_edit, type_text, with_text
from tests.gui.support.token_sources import source_of

SMALLEST_LARGE = 2 * REACH + 1


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    return open_edit(qtbot)


@pytest.fixture
def active() -> Iterator[None]:
    """Make Qt believe that assistive technology is listening."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def events(edit: TokenEdit, active: None, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Record the events about the editor as tuples, from when its text was first read."""
    heard: list[object] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: heard.append(as_tuple(event)))
    text_of(edit)
    return heard


def as_tuple(event: QAccessibleEvent) -> object:
    match event:
        case QAccessibleTextUpdateEvent():
            return "replaced", event.changePosition(), event.textRemoved(), event.textInserted()
        case QAccessibleTextInsertEvent():
            return "inserted", event.changePosition(), event.textInserted()
        case QAccessibleTextRemoveEvent():
            return "removed", event.changePosition(), event.textRemoved()
        case QAccessibleTextSelectionEvent():
            return "selected", event.selectionStart(), event.selectionEnd()
        case QAccessibleTextCursorEvent():
            return "caret", event.cursorPosition()
    return event.type()


def interface_of(edit: TokenEdit) -> QAccessibleInterface:
    interface = QAccessible.queryAccessibleInterface(edit)
    assert interface is not None
    return interface


def text_of(edit: TokenEdit) -> QAccessibleTextInterface:
    return interface_of(edit).textInterface()


def whole_text(edit: TokenEdit) -> str:
    text = text_of(edit)
    return text.text(0, text.characterCount())


def description(edit: TokenEdit) -> str:
    return interface_of(edit).text(QAccessible.Text.Description)


# -- answers ----------------------------------------------------------------------------------------------------------


def test_the_editor_is_an_editable_text_of_several_lines_with_its_name(edit: TokenEdit) -> None:
    interface = interface_of(edit)
    state = interface.state()
    assert interface.role() is QAccessible.Role.EditableText
    assert interface.text(QAccessible.Text.Name) == "Text to encode"
    assert (state.editable, state.readOnly, state.multiLine, state.selectableText, state.focusable) == (1, 0, 1, 1, 1)
    assert interface.childCount() == 0


def test_a_read_only_text_can_be_read_but_not_edited(edit: TokenEdit) -> None:
    with_text(edit, "low").setReadOnly(True)
    interface = interface_of(edit)
    assert (interface.state().readOnly, interface.state().editable) == (1, 0)
    assert interface.editableTextInterface() is None
    assert whole_text(edit) == "low"


def test_text_caret_and_selection_are_counted_in_utf16_units(edit: TokenEdit) -> None:
    with_text(edit, "a😀文\nb").set_selection(1, 8)
    text = text_of(edit)
    assert (whole_text(edit), text.characterCount(), text.cursorPosition()) == ("a😀文\nb", 6, 4)
    assert text.selectionCount() == 1
    assert text.text(1, 3) == "😀"
    edit.set_caret(0)
    assert (text_of(edit).cursorPosition(), text_of(edit).selectionCount()) == (0, 0)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a\0b\x7fc", "a␀b␡c"),
        ("a\r\nb", "a␍\nb"),
        ("\ufdd0\ufdd1\ufffc|", "���|"),
        ("\ufeffx\u2028y\xa0z", "�x\u2028y\xa0z"),
    ],
    ids=["controls", "line ends", "Qt's own", "invisible"],
)
def test_characters_that_would_disturb_a_screen_reader_are_replaced_by_as_many(
    edit: TokenEdit, text: str, read: str
) -> None:
    with_text(edit, text)
    assert whole_text(edit) == read


def test_edits_while_nobody_listened_are_caught_up_with(edit: TokenEdit) -> None:
    with_text(edit, "low")
    assert whole_text(edit) == "low"
    type_text(edit, "s")
    assert whole_text(edit) == "slow"
    edit.set_source(LiveTokens(LiveText("other")))
    assert whole_text(edit) == "other"


def test_the_rectangle_of_the_caret_is_where_the_caret_is_painted(edit: TokenEdit) -> None:
    with_text(edit, "one\ntwo\nthree", caret=6)
    painted = edit.viewport().mapToGlobal(edit.rows.caret_rect(6).topLeft().toPoint())
    assert (text_of(edit).characterRect(6).topLeft() - painted).manhattanLength() <= 1  # they round differently


def test_nothing_is_made_while_nobody_asks(edit: TokenEdit) -> None:
    type_text(edit, "low")
    edit.set_selection(0, 2)
    assert not edit.findChildren(QPlainTextEdit)


# -- assistive technology acts ----------------------------------------------------------------------------------------


def test_the_caret_and_the_selection_can_be_set(edit: TokenEdit) -> None:
    with_text(edit, "a😀文\nb")
    text_of(edit).setCursorPosition(4)
    assert edit.selection.span == (8, 8)
    text_of(edit).addSelection(1, 4)
    assert edit.selection.span == (1, 8)
    text_of(edit).removeSelection(0)
    assert edit.selection.is_empty


def test_text_can_be_edited_and_the_edit_undone(edit: TokenEdit) -> None:
    with_text(edit, "a😀文")
    editable = interface_of(edit).editableTextInterface()
    editable.insertText(3, "é")
    assert edit.toPlainText() == "a😀é文"
    editable.replaceText(0, 3, "b")
    editable.deleteText(1, 2)
    assert edit.toPlainText() == "b文"
    for _ in range(3):
        edit.document.undo()
    assert edit.toPlainText() == "a😀文"


# -- events -----------------------------------------------------------------------------------------------------------


def test_typing_pasting_and_removing_are_reported_with_the_caret(edit: TokenEdit, events: list[object]) -> None:
    type_text(edit, "é")
    assert events == [("inserted", 0, "é"), ("caret", 1)]
    events.clear()
    edit.insertPlainText("😀 b")
    assert events == [("inserted", 1, "😀 b"), ("caret", 5)]
    events.clear()
    edit.document.undo()
    assert events == [("removed", 1, "😀 b"), ("caret", 1)]
    assert whole_text(edit) == "é"


def test_replacing_a_selection_is_reported_as_one_change(edit: TokenEdit, events: list[object]) -> None:
    with_text(edit, "one two").set_selection(0, 3)
    events.clear()
    type_text(edit, "x")
    assert events == [("replaced", 0, "one", "x"), ("caret", 1), ("selected", 1, 1)]


def test_moving_and_selecting_are_reported(edit: TokenEdit, events: list[object]) -> None:
    with_text(edit, "a文c")
    events.clear()
    edit.set_caret(4)
    assert events == [("caret", 2)]
    events.clear()
    edit.set_selection(0, 4)
    assert events == [("selected", 0, 2)]


def test_another_text_is_reported_as_a_change_of_all(edit: TokenEdit, events: list[object]) -> None:
    with_text(edit, "old")
    events.clear()
    edit.set_source(LiveTokens(LiveText("new text")))
    assert events == [("replaced", 0, "old", "new text")]


def test_without_assistive_technology_nothing_is_reported(edit: TokenEdit, events: list[object]) -> None:
    QAccessible.setActive(False)
    type_text(edit, "low")
    edit.set_selection(0, 3)
    assert events == []


# -- the token at the caret -------------------------------------------------------------------------------------------


def test_the_description_is_the_token_at_the_caret_with_its_id(edit: TokenEdit) -> None:
    edit.set_source(source_of(["lo", "w er"], [7, 8]))
    assert description(edit) == "token-7, id 7"
    edit.set_caret(3)
    assert description(edit) == "token-8, id 8"
    with_text(edit, "")
    edit.set_source(LiveTokens(LiveText("")))
    assert description(edit) == ""


def test_a_change_of_token_is_reported_when_the_caret_moves_or_a_step_is_made(
    edit: TokenEdit, events: list[object]
) -> None:
    tokenizer = train("low low low lower", num_merges=2)
    text = LiveText("low")
    text.encode_with(tokenizer)
    edit.set_source(labelled(text, tokenizer))
    assert description(edit).startswith("low, id ")
    events.clear()
    text.encode_with(tokenizer.at(1))
    edit.set_source(labelled(text, tokenizer))
    assert events == [QAccessible.Event.DescriptionChanged]
    assert description(edit).startswith("l, id ")
    events.clear()
    edit.set_caret(1)
    assert events == [("caret", 1), QAccessible.Event.DescriptionChanged]
    assert description(edit).startswith("ow, id ")
    events.clear()
    edit.set_caret(2)
    assert events == [("caret", 2)], "still in the same token"


def labelled(text: LiveText, tokenizer: Tokenizer) -> LiveTokens:
    return LiveTokens(text, label=lambda token_id: tokenizer.token(token_id).decode())


# -- large texts ------------------------------------------------------------------------------------------------------


def test_of_a_large_text_the_part_around_the_caret_is_read(edit: TokenEdit, events: list[object]) -> None:
    line = "0123456 文\n"
    with_text(edit, line * 10_000)
    size = len(line.encode())
    events.clear()
    edit.set_caret(size * 5_000)
    text = text_of(edit)
    assert text.characterCount() < 2 * REACH
    assert text.text(text.cursorPosition(), text.cursorPosition() + 9) == line[:9]
    assert [event[0] for event in events if isinstance(event, tuple)] == ["replaced", "caret"]
    events.clear()
    edit.set_caret(size * 5_001)
    assert events == [("caret", text_of(edit).cursorPosition())], "the part is kept while the caret is well inside"


def test_edits_outside_the_part_that_is_read_change_only_its_start(edit: TokenEdit, events: list[object]) -> None:
    with_text(edit, "a" * 10 * REACH, caret=5 * REACH)
    before, position = whole_text(edit), text_of(edit).cursorPosition()
    events.clear()
    edit.document.text.replace(0, 1, b"xyz")
    edit.document.replaced.emit(0, 1, 3)
    edit.set_caret(5 * REACH + 2)
    assert (whole_text(edit), text_of(edit).cursorPosition(), events) == (before, position, [])


def test_an_edit_across_an_end_of_the_part_shows_another_part(edit: TokenEdit, events: list[object]) -> None:
    with_text(edit, "a" * 10 * REACH, caret=5 * REACH)
    edit.set_selection(0, 5 * REACH)
    type_text(edit, "b")
    assert whole_text(edit) == "b" + "a" * REACH
    assert text_of(edit).cursorPosition() == 1


def test_a_part_that_has_grown_long_is_cut_again(edit: TokenEdit, events: list[object]) -> None:
    for _ in range(6):
        edit.insertPlainText("z" * REACH)
    assert text_of(edit).characterCount() <= 4 * REACH
    assert whole_text(edit).endswith("zz")


@pytest.mark.parametrize("size", [SMALLEST_LARGE - 1, SMALLEST_LARGE])
def test_only_a_text_longer_than_the_limit_is_cut(edit: TokenEdit, size: int) -> None:
    with_text(edit, "a" * size)
    assert (text_of(edit).characterCount() == size) == (size < SMALLEST_LARGE)
