"""The undo history: which edits are undone together, and how many are kept."""

from bpe_gui.gui.views.editor.edited_text import Edit, EditKind, History, Selection


def typed(start: int, added: str, removed: str = "", kind: EditKind | None = EditKind.TYPING) -> Edit:
    """Return the edit that typed `added` over `removed`, both ASCII, at the byte offset `start`."""
    stop = start + len(added)
    return Edit(start, removed.encode(), added.encode(), Selection.at(start), Selection.at(stop), kind)


def erased(start: int, removed: str, kind: EditKind) -> Edit:
    """Return the edit of Backspace or Delete that removed ASCII text at the byte offset `start`."""
    return Edit(start, removed.encode(), b"", Selection.at(start), Selection.at(start), kind)


def can_undo_and_redo(history: History) -> tuple[bool, bool]:
    return history.can_undo, history.can_redo


def test_typed_letters_are_undone_together_up_to_the_end_of_a_word_with_its_space() -> None:
    history = History()
    for offset, letter in enumerate("to be"):
        history.record(typed(offset, letter))
    undone = [history.undo(), history.undo(), history.undo()]
    assert [edit and edit.added for edit in undone] == [b"be", b"to ", None]
    redone = [history.redo(), history.redo(), history.redo()]
    assert [edit and edit.added for edit in redone] == [b"to ", b"be", None]


def test_replacing_a_selection_by_typing_is_one_edit_with_the_letters_that_follow() -> None:
    history = History()
    history.record(typed(4, "n", removed="old"))
    history.record(typed(5, "ew"))
    edit = history.undo()
    assert edit == Edit(4, b"old", b"new", Selection.at(4), Selection.at(7), EditKind.TYPING)


def test_deleted_letters_are_undone_word_by_word_in_both_directions() -> None:
    history = History()
    for offset in (5, 4, 3, 2, 1, 0):
        history.record(erased(offset, "to bes"[offset], EditKind.BACKSPACE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"to", b" bes"]
    history.clear()
    for letter in "to bes":
        history.record(erased(7, letter, EditKind.DELETE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"bes", b"to "]


def test_an_interruption_another_offset_and_another_kind_of_edit_each_begin_an_undo_step() -> None:
    history = History()
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
    history = History()
    history.record(typed(0, "a"))
    history.undo()
    assert can_undo_and_redo(history) == (False, True)
    history.record(typed(0, "b"))
    assert can_undo_and_redo(history) == (True, False)


def test_the_oldest_edits_are_dropped_when_the_history_is_too_large_but_never_the_latest() -> None:
    history = History(max_bytes=10)
    for letter in "abc":
        history.record(typed(0, 4 * letter, kind=None))
    assert [edit.added for edit in (history.undo(), history.undo()) if edit] == [b"cccc", b"bbbb"]
    assert not history.can_undo
    history.record(typed(0, 100 * "x", kind=None))
    assert history.can_undo
