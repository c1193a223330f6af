"""A text with a selection and an undo history, without a widget."""

from collections.abc import Callable

import pytest

from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.editor.edited_text import EditedText, Selection


def text_of(text: str) -> EditedText:
    return EditedText(LiveText(text))


def log_signals(text: EditedText) -> list[tuple[str, ...]]:
    """Return a list that grows with each signal: its name, the text at that time, and the signal's arguments."""
    log: list[tuple[str, ...]] = []

    def note(name: str) -> Callable[..., None]:
        return lambda *args: log.append((name, str(text.text), *map(str, args)))

    text.replaced.connect(note("replaced"))
    text.selected.connect(note("selected"))
    text.edited.connect(note("edited"))
    text.caret_moved.connect(note("caret_moved"))
    text.selection_changed.connect(note("selection_changed"))
    return log


def test_an_edit_is_reported_to_the_layout_first_and_the_caret_last() -> None:
    text = text_of("one two")
    text.select_span(0, 3)
    log = log_signals(text)
    text.insert("é".encode())
    assert log == [
        ("replaced", "é two", "0", "3", "2"),
        ("selected", "é two"),
        ("edited", "é two", "0", "3", "2"),
        ("caret_moved", "é two", "2"),
        ("selection_changed", "é two", "2", "2"),
    ]


def test_setting_the_same_caret_again_reports_no_move() -> None:
    text = text_of("one")
    text.set_caret(2)
    log = log_signals(text)
    text.set_caret(2)
    assert log == [("selected", "one")]


@pytest.mark.parametrize(
    ("start", "stop", "expected"),
    [
        (2, 5, Selection(1, 6)),
        (5, 2, Selection(6, 1)),
        (-5, 99, Selection(0, 7)),
        (3, 3, Selection(1, 4)),
    ],
)
def test_a_selection_is_widened_to_whole_characters(start: int, stop: int, expected: Selection) -> None:
    text = text_of("a文\r\nb")
    text.select_span(start, stop)
    assert text.selection == expected


def test_a_caret_inside_a_character_goes_before_it() -> None:
    text = text_of("a文\r\nb")
    text.set_caret(3)
    assert text.caret == 1
    text.set_caret(5)
    assert text.caret == 4


@pytest.mark.parametrize(
    ("offset", "expected", "selected"),
    [(0, "two one three", (0, 4)), (13, "one threetwo ", (9, 13)), (6, "one two three", (6, 6))],
)
def test_the_selected_text_is_moved_in_one_step(offset: int, expected: str, selected: tuple[int, int]) -> None:
    text = text_of("one two three")
    text.select_span(4, 8)
    text.move_selection(offset)
    assert str(text.text) == expected
    assert text.selection.span == selected
    while text.can_undo:
        text.undo()
    assert str(text.text) == "one two three"


def test_undo_and_redo_restore_the_selections() -> None:
    text = text_of("one two")
    text.select_span(3, 0)
    text.remove(5, 6)
    assert (str(text.text), text.selection) == (" two", Selection.at(0))
    text.undo()
    assert (str(text.text), text.selection) == ("one two", Selection(3, 0))
    text.redo()
    assert (str(text.text), text.selection) == (" two", Selection.at(0))


def test_removing_nothing_is_not_an_edit() -> None:
    text = text_of("one")
    text.remove(2, 2)
    assert not text.can_undo


def test_another_text_has_nothing_to_undo() -> None:
    text = text_of("one")
    text.insert(b"x")
    other = LiveText("other")
    text.set_text(other)
    assert text.text is other
    assert (text.caret, text.can_undo) == (0, False)


@pytest.mark.parametrize(
    ("start", "removed", "added", "expected"),
    [(0, 0, 2, (6, 9)), (0, 3, 1, (2, 5)), (5, 1, 0, (4, 6)), (2, 4, 1, (2, 4)), (9, 0, 3, (4, 7))],
)
def test_the_selection_stays_with_its_text_when_another_editor_edits(
    start: int, removed: int, added: int, expected: tuple[int, int]
) -> None:
    text = text_of("one two three")
    text.insert(b"x")
    text.undo()
    text.select_span(4, 7)
    log = log_signals(text)
    text.text.replace(start, start + removed, b"x" * added)
    text.follow(start, removed, added)
    assert text.selection.span == expected
    assert not text.can_undo
    assert not text.can_redo
    assert [name for name, *_rest in log] == ["replaced", "edited"]
