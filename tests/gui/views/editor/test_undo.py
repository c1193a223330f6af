"""The undo history: which edits are undone together, and how many are kept."""

from bpe_gui.gui.views.editor.selection import Selection
from bpe_gui.gui.views.editor.undo import Edit, History, Run


def typed(start: int, added: str, removed: str = "", run: Run | None = Run.TYPING) -> Edit:
    stop = start + len(added)
    return Edit(start, removed.encode(), added.encode(), Selection.at(start), Selection.at(stop), run)


def erased(start: int, removed: str, run: Run) -> Edit:
    return Edit(start, removed.encode(), b"", Selection.at(start), Selection.at(start), run)


def possibilities(history: History) -> tuple[bool, bool]:
    return history.can_undo, history.can_redo


def test_typed_letters_are_undone_together_up_to_the_end_of_a_word_with_its_space() -> None:
    history = History()
    for offset, letter in enumerate("to be"):
        history.record(typed(offset, letter))
    undone = [history.undo(), history.undo(), history.undo()]
    assert [edit and edit.added for edit in undone] == [b"be", b"to ", None]
    done = [history.redo(), history.redo(), history.redo()]
    assert [edit and edit.added for edit in done] == [b"to ", b"be", None]


def test_typing_over_a_selection_is_one_edit_with_the_letters_that_follow() -> None:
    history = History()
    history.record(typed(4, "n", removed="old"))
    history.record(typed(5, "ew"))
    edit = history.undo()
    assert edit == Edit(4, b"old", b"new", Selection.at(4), Selection.at(7), Run.TYPING)


def test_deleted_letters_are_undone_word_by_word_in_both_directions() -> None:
    history = History()
    for offset in (5, 4, 3, 2, 1, 0):
        history.record(erased(offset, "to bes"[offset], Run.BACKSPACE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"to", b" bes"]
    history.clear()
    for letter in "to bes":
        history.record(erased(7, letter, Run.DELETE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"bes", b"to "]


def test_an_interruption_another_offset_and_another_kind_of_edit_each_begin_a_new_step() -> None:
    history = History()
    history.record(typed(0, "a"))
    history.interrupt()
    history.record(typed(1, "b"))
    history.record(typed(5, "c"))
    history.record(erased(5, "c", Run.BACKSPACE))
    history.record(typed(5, "paste", run=None))
    history.record(typed(10, "paste", run=None))
    steps = 0
    while history.undo():
        steps += 1
    assert steps == 6


def test_a_new_edit_clears_what_could_be_redone() -> None:
    history = History()
    history.record(typed(0, "a"))
    history.undo()
    assert possibilities(history) == (False, True)
    history.record(typed(0, "b"))
    assert possibilities(history) == (True, False)


def test_the_oldest_edits_are_dropped_when_they_take_too_much_but_never_the_latest() -> None:
    history = History(max_bytes=10)
    for letter in "abc":
        history.record(typed(0, 4 * letter, run=None))
    assert [edit.added for edit in (history.undo(), history.undo()) if edit] == [b"cccc", b"bbbb"]
    assert not history.can_undo
    history.record(typed(0, 100 * "x", run=None))
    assert history.can_undo
