"""Excerpts of the text: offsets in bytes and in UTF-16 code units."""

from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.editor.edited_text import Excerpt


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
