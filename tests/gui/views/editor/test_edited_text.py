"""A text with a selection, an undo history and excerpts, without a widget."""

from collections.abc import Callable

import pytest

from bpe_gui.engine import LiveText
from bpe_gui.gui.edit_history import Edit, EditHistory, EditKind, TextSelection
from bpe_gui.gui.views.editor.edited_text import EditedText, Excerpt


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
        (2, 5, TextSelection(1, 6)),
        (5, 2, TextSelection(6, 1)),
        (-5, 99, TextSelection(0, 7)),
        (3, 3, TextSelection(1, 4)),
    ],
)
def test_a_selection_is_widened_to_whole_characters(start: int, stop: int, expected: TextSelection) -> None:
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
    while text.history.can_undo:
        text.undo()
    assert str(text.text) == "one two three"


@pytest.mark.parametrize(
    ("start", "removed", "added", "expected"),
    [(0, 0, 2, (6, 9)), (0, 3, 1, (2, 5)), (5, 1, 0, (4, 6)), (2, 4, 1, (2, 4)), (9, 0, 3, (4, 7))],
)
def test_the_selection_stays_with_its_text_when_another_editor_edits(
    start: int, removed: int, added: int, expected: tuple[int, int]
) -> None:
    text = text_of("one two three")
    text.select_span(4, 7)
    log = log_signals(text)
    text.text.replace(start, start + removed, b"x" * added)
    text.follow(start, removed, added)
    assert text.selection.span == expected
    assert [name for name, *_rest in log] == ["replaced", "edited"]


def test_editors_of_a_text_undo_what_any_of_them_did() -> None:
    history = EditHistory()
    one, other = EditedText(LiveText()), EditedText(LiveText())
    for text, follower in ((one, other), (other, one)):
        text.set_text(LiveText("low"), history)

        def follow(start: int, removed: int, added: int, text: EditedText = text, to: EditedText = follower) -> None:
            if str(to.text) != str(text.text):
                to.text.replace(start, start + removed, text.text.read(start, start + added))
                to.follow(start, removed, added)

        text.edited.connect(follow)
    one.replace(3, 3, b"er")
    other.replace(0, 1, b"n")
    one.undo()
    assert (str(one.text), str(other.text)) == ("lower", "lower")
    other.undo()
    assert (str(one.text), str(other.text)) == ("low", "low")
    one.redo()
    other.redo()
    assert (str(one.text), str(other.text)) == ("nower", "nower")


def typed(start: int, added: str, removed: str = "", kind: EditKind | None = EditKind.TYPING) -> Edit:
    """Return the edit that typed `added` over `removed`, both ASCII, at the byte offset `start`."""
    stop = start + len(added)
    return Edit(start, removed.encode(), added.encode(), TextSelection.at(start), TextSelection.at(stop), kind)


def erased(start: int, removed: str, kind: EditKind) -> Edit:
    """Return the edit of Backspace or Delete that removed ASCII text at the byte offset `start`."""
    return Edit(start, removed.encode(), b"", TextSelection.at(start), TextSelection.at(start), kind)


def can_undo_and_redo(history: EditHistory) -> tuple[bool, bool]:
    return history.can_undo, history.can_redo


def test_replacing_a_selection_by_typing_is_one_edit_with_the_letters_that_follow() -> None:
    history = EditHistory()
    history.record(typed(4, "n", removed="old"))
    history.record(typed(5, "ew"))
    edit = history.undo()
    assert edit == Edit(4, b"old", b"new", TextSelection.at(4), TextSelection.at(7), EditKind.TYPING)


def test_deleted_letters_are_undone_word_by_word_in_both_directions() -> None:
    history = EditHistory()
    for offset in (5, 4, 3, 2, 1, 0):
        history.record(erased(offset, "to bes"[offset], EditKind.BACKSPACE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"to", b" bes"]
    history.clear()
    for letter in "to bes":
        history.record(erased(7, letter, EditKind.DELETE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"bes", b"to "]


def test_an_interruption_another_offset_and_another_kind_of_edit_each_begin_an_undo_step() -> None:
    history = EditHistory()
    history.record(typed(0, "a"))
    history.interrupt()
    history.record(typed(1, "b"))
    history.record(typed(5, "c"))
    history.record(erased(5, "c", EditKind.BACKSPACE))
    history.record(typed(5, "paste", kind=None))
    history.record(typed(10, "paste", kind=None))
    steps = 0
    while history.undo():
        steps += 1
    assert steps == 6


def test_a_new_edit_clears_the_edits_to_redo() -> None:
    history = EditHistory()
    history.record(typed(0, "a"))
    history.undo()
    assert can_undo_and_redo(history) == (False, True)
    history.record(typed(0, "b"))
    assert can_undo_and_redo(history) == (True, False)


def test_the_oldest_edits_are_dropped_when_the_history_is_too_large_but_never_the_latest() -> None:
    history = EditHistory(max_bytes=10)
    for letter in "abc":
        history.record(typed(0, 4 * letter, kind=None))
    assert [edit.added for edit in (history.undo(), history.undo()) if edit] == [b"cccc", b"bbbb"]
    assert not history.can_undo
    history.record(typed(0, 100 * "x", kind=None))
    assert history.can_undo


def test_offsets_and_utf16_units_agree() -> None:
    around = Excerpt.around(LiveText("a😀文|zz"), 8, 100)
    assert (around.part(0, 8), around.part(8, 11)) == ("a😀文", "|zz")
    for offset, unit in ((0, 0), (1, 1), (5, 3), (8, 4), (9, 5), (11, 7)):
        assert around.unit_of(offset) == unit
        assert around.offset_of(unit) == offset


def test_an_excerpt_of_a_long_text_begins_and_ends_between_characters() -> None:
    around = Excerpt.around(LiveText("文" * 1_000), 1_500, 1_024)
    assert set(around.text) == {"文"}
    assert 2 * 300 < len(around.text) < 2 * 400
    assert around.unit_of(0) == 0
    assert around.unit_of(3_000) == len(around.text)


def test_an_edit_inside_an_excerpt_changes_only_what_it_replaces() -> None:
    around = Excerpt(10, "a文b".encode())
    assert around.replaced(11, 3, "é!".encode()) == Excerpt(10, "aé!b".encode())
