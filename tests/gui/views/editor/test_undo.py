"""The steps that are undone: what is one step, and how many are kept."""

from bpe_gui.gui.views.editor.undo import Edit, History, Run


def typed(start: int, added: str, removed: str = "", run: Run | None = Run.TYPING) -> Edit:
    stop = start + len(added)
    return Edit(start, removed.encode(), added.encode(), (start, start), (stop, stop), run)


def erased(start: int, removed: str, run: Run) -> Edit:
    return Edit(start, removed.encode(), b"", (start, start), (start, start), run)


def possible(history: History) -> tuple[bool, bool]:
    return history.can_undo, history.can_redo


def test_letters_are_one_step_as_far_as_the_word_with_the_space_behind_it() -> None:
    history = History()
    for place, letter in enumerate("to be"):
        history.record(typed(place, letter))
    undone = [history.undo(), history.undo(), history.undo()]
    assert [edit and edit.added for edit in undone] == [b"be", b"to ", None]
    done = [history.redo(), history.redo(), history.redo()]
    assert [edit and edit.added for edit in done] == [b"to ", b"be", None]


def test_a_run_begins_with_what_it_replaced_and_ends_where_it_stopped() -> None:
    history = History()
    history.record(typed(4, "n", removed="old"))
    history.record(typed(5, "ew"))
    edit = history.undo()
    assert edit == Edit(4, b"old", b"new", (4, 4), (7, 7), Run.TYPING)


def test_deleting_goes_word_by_word_in_both_directions() -> None:
    history = History()
    for place in (5, 4, 3, 2, 1, 0):
        history.record(erased(place, "to bes"[place], Run.BACKSPACE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"to", b" bes"]
    history.clear()
    for letter in "to bes":
        history.record(erased(7, letter, Run.DELETE))
    assert [edit.removed for edit in (history.undo(), history.undo()) if edit] == [b"bes", b"to "]


def test_an_interruption_another_place_and_another_kind_each_begin_a_step() -> None:
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


def test_what_was_undone_is_forgotten_with_the_next_step() -> None:
    history = History()
    history.record(typed(0, "a"))
    history.undo()
    assert possible(history) == (False, True)
    history.record(typed(0, "b"))
    assert possible(history) == (True, False)


def test_the_oldest_steps_go_when_there_is_too_much_but_never_the_newest() -> None:
    history = History(most_bytes=10)
    for letter in "abc":
        history.record(typed(0, 4 * letter, run=None))
    assert [edit.added for edit in (history.undo(), history.undo()) if edit] == [b"cccc", b"bbbb"]
    assert not history.can_undo
    history.record(typed(0, 100 * "x", run=None))
    assert history.can_undo
