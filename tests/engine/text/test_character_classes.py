"""Every code point has the class that the patterns of tiktoken and `tokenizers` see, whatever version `regex` has."""

from collections.abc import Iterator

import pytest
import regex
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine.kernels.text import gpt2_word_starts as scanning
from bpe_gui.engine.text.splitters import unicode_classes
from tests.engine.support import stand_ins
from tests.engine.support.general_categories import CATEGORIES, all_characters, general_categories, matched_by_tiktoken
from tests.engine.support.stand_ins import with_stand_ins

PATTERNS = {
    scanning.LETTER: r"\p{L}",
    scanning.NUMBER: r"\p{N}",
    scanning.SPACE: r"\s",
    scanning.OTHER: r"[^\s\p{L}\p{N}]",
}
EVERY_CLASS = pytest.mark.parametrize("kind", PATTERNS)


def members(kind: int) -> list[str]:
    """Return the characters of a class as the shipped table has it."""
    codes = (unicode_classes() & kind).nonzero()[0].tolist()
    return [chr(code) for code in codes if not 0xD800 <= code < 0xE000]


@pytest.mark.slow
@pytest.mark.parametrize("category", [category for category in CATEGORIES if category != "Cs"])
def test_general_categories_are_those_of_tiktoken(category: str) -> None:
    codes = (general_categories() == CATEGORIES.index(category)).nonzero()[0].tolist()
    assert "".join(map(chr, codes)) == matched_by_tiktoken(rf"\p{{{category}}}")


@pytest.mark.slow
@EVERY_CLASS
def test_classes_are_those_of_tiktoken(kind: int) -> None:
    assert members(kind) == list(matched_by_tiktoken(PATTERNS[kind]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in PATTERNS if kind != scanning.OTHER])  # too many for it
def test_classes_are_those_of_tokenizers(kind: int) -> None:
    split = Split(Regex(PATTERNS[kind]), "removed", invert=True)
    size = 1 << 13  # its time is quadratic
    pieces = (all_characters()[start : start + size] for start in range(0, len(all_characters()), size))
    assert members(kind) == [part for piece in pieces for part, _span in split.pre_tokenize_str(piece)]


@pytest.mark.slow
@EVERY_CLASS
def test_regex_sees_these_classes_through_stand_ins(kind: int) -> None:
    shown = with_stand_ins(all_characters())
    assert members(kind) == [all_characters()[match.start()] for match in regex.finditer(PATTERNS[kind], shown)]


def test_surrogates_are_of_no_other_class() -> None:
    assert set(unicode_classes()[0xD800:0xE000].tolist()) == {scanning.OTHER}
    assert regex.findall(PATTERNS[scanning.OTHER], with_stand_ins("é\ud800\udfff")) == ["\ud800", "\udfff"]


# -- another version of `regex` -----------------------------------------------------------------------------------


@pytest.fixture
def another_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ship a table in which ß is unassigned, the unassigned U+0378 is a lowercase letter, and ² is punctuation."""
    categories = general_categories().copy()
    for character, category in (("ß", "Cn"), ("\u0378", "Ll"), ("²", "Po")):
        categories[ord(character)] = CATEGORIES.index(category)
    monkeypatch.setattr(stand_ins, "general_categories", lambda: categories)
    stand_ins._stand_ins.cache_clear()
    yield
    stand_ins._stand_ins.cache_clear()


@pytest.mark.usefixtures("another_version")
def test_stand_ins_are_the_nearest_of_the_category() -> None:
    shown = with_stand_ins("aß\u0378²")
    assert (shown[0], shown[2:]) == ("a", "\u0377¶")
    assert regex.fullmatch(r"\p{Cn}", shown[1])


@pytest.mark.parametrize("text", ["", "low lower", "é你😀", "\ud800 é"])
def test_text_without_such_characters_is_not_copied(text: str) -> None:
    assert with_stand_ins(text) is text
