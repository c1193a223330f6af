"""The text shown for a segment: every character, with escapes for those that would be invisible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.gui.views.editor.segment_text import AFTER_ESCAPE, BEFORE_ESCAPE, SegmentText

BODIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"))
AROUND_ESCAPES = {*BEFORE_ESCAPE, *AFTER_ESCAPE}


def shown(text: str) -> str:
    return "".join(character for character in SegmentText(text.encode()).shown if character not in AROUND_ESCAPES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00\x1b[0m\x7f", "a\\x00\\x1b[0m\\x7f"),
        ("\x85 \x9f", "\\x85 \\x9f"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\ufeffa\u2060\u00ad", "\\ufeffa\\u2060\\xad"),
        ("a\u202eb", "a\\u202eb"),
        ("\ufffc\ufdd0\U0001fffe", "\\ufffc\\ufdd0\\U0001fffe"),
        ("x\U000e0067", "x\\U000e0067"),
        ("a\tb\u00a0c\u3000", "a\tb\u00a0c\u3000"),
        ("👩\u200d👩 \u200c", "👩\u200d👩 \u200c"),
        ("❤\ufe0f 🏴\U000e0067\U000e007f", "❤\ufe0f 🏴\U000e0067\U000e007f"),
        ("\u0601", "\u0601"),
        ("two  spaces", "two \u00a0spaces"),
        ("a\r", "a"),
        ("a\r\n", "a"),
    ],
)
def test_invisible_characters_are_shown_as_escapes(text: str, expected: str) -> None:
    assert shown(text) == expected


@given(BODIES, st.sampled_from(["", "\n", "\r", "\r\n"]))
def test_offsets_and_positions_agree(body: str, line_end: str) -> None:
    utf8 = (body + line_end).encode()
    text = SegmentText(utf8)
    assert text.length == len(text.shown.encode("utf-16-le")) // 2
    offset = 0
    for character in [*body, *([line_end] if line_end else [])]:
        size = len(character.encode())
        position = text.position(offset)
        assert text.offset(position) == offset
        assert not text.is_inside_character(offset)
        assert text.character(offset) == character
        for inside in range(offset + 1, offset + size):
            assert text.is_inside_character(inside)
            assert text.position(inside) == position
        offset += size
    assert offset == len(utf8)
    assert text.position(offset) == text.length + bool(line_end)
    assert text.offset(text.length + bool(line_end)) == offset
