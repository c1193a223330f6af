"""Selections as values."""

from bpe_gui.gui.views.editor.edited_text import Selection


def test_start_and_stop_do_not_depend_on_the_direction() -> None:
    assert Selection(7, 4).span == Selection(4, 7).span == (4, 7)


def test_a_selection_at_a_caret_is_empty() -> None:
    assert Selection.at(5) == Selection(5, 5)
    assert Selection.at(5).is_empty
    assert not Selection(5, 6).is_empty


def test_only_selected_text_is_touched() -> None:
    assert [offset for offset in range(10) if Selection(7, 4).touches(offset)] == [4, 5, 6, 7]
    assert not Selection.at(5).touches(5)


def test_extending_keeps_the_anchor() -> None:
    assert Selection(4, 7).extended_to(2) == Selection(4, 2)


def test_extending_over_units_keeps_the_first_unit_selected() -> None:
    word = Selection(4, 7)
    assert word.extended_over(8, 13) == Selection(4, 13)
    assert word.extended_over(0, 3) == Selection(7, 0)
    assert word.extended_over(4, 7) == word
