"""Portable patterns mean the same to `regex` and to Oniguruma, as `tokenizers` has it."""

import re
from functools import cache

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine import SPLITTERS, FormatError
from bpe_gui.engine.pipeline.patterns.dialects import PROPERTIES
from bpe_gui.engine.pipeline.splitter_equivalents import is_portable, portable_pattern
from tests.examples import examples

TEXT_PARTS = [
    "a",
    "B",
    "ab",
    "ss",
    "ß",
    "ﬁ",
    "k",
    "\u212a",
    "İ",
    "ſ",
    "é",
    "你",
    "1",
    "²",
    "½",
    "_",
    "\u200d",
    "\u0301",
]
TEXT_PARTS += [" ", "  ", "\n", "\r\n", "\x85", "\x1c", "-", "'s", "'S", "&", "~", "]", "😀", "|", "(", "^"]
texts = st.lists(st.sampled_from(TEXT_PARTS), max_size=12).map("".join)

ATOMS = ["a", "b", " ", "'", r"\s", r"\S", r"\d", r"\w", r"\W", r"\p{L}", r"\P{Lu}", r"\n", ".", r"\x1c", r"\u4f60"]
ATOMS += ["[ab]", r"[^\s\w]", r"[\p{L}-]", "[a-c1]", r"[\]'~]", "(?i:'s|k)", "(?i:[ks])", "(?:a|b )", "(ab)", "(?>a+)"]
ATOMS += ["(?=a)", r"(?!\S)", r"(?<=\s)", "(?<!a)", r"\Z"]
QUANTIFIERS = ["", "", "", "", "*", "+", "?", "++", "*?", "?+", "{2}", "{1,2}", "{1,}", "{1,2}?"]
alternatives = st.lists(st.tuples(st.sampled_from(ATOMS), st.sampled_from(QUANTIFIERS)).map("".join), max_size=4).map(
    "".join
)
any_pattern = st.lists(alternatives, min_size=1, max_size=3).map("|".join)


def split_by_oniguruma(pattern: str, text: str) -> list[str]:
    return [word for word, _span in Split(Regex(pattern), "removed", invert=True).pre_tokenize_str(text)]


@pytest.mark.slow
@given(any_pattern, texts)
@settings(max_examples=examples(500))
def test_portable_patterns_find_the_same_words(pattern: str, text: str) -> None:
    try:
        rewritten = portable_pattern(pattern)
        ours = regex.compile(pattern)
    except (FormatError, regex.error):
        assume(False)
    expected = [match.group() for match in ours.finditer(text)]
    assert split_by_oniguruma(rewritten, text) == expected
    assert [match.group() for match in regex.finditer(rewritten, text)] == expected
    assert is_portable(rewritten)


REWRITTEN = {
    "a{1,3}+b": "(?>a{1,3})b",
    "a{2}?b": "a{2}b",
    "a{,3}b": "a{0,3}b",
    "^a$": r"\Aa(?=\n?\z)",
    r"\xe9": "é",
    "[]a]": r"[\]a]",
    "[a&b]": r"[a\&b]",
    r"\p{Script=Han}": r"\p{Han}",
    "(?i:'s|'t)": "(?i:'s|'t)",
    "(?s:.)": r"(?:[\s\S])",
    "(?<n>a)": "(?:a)",
}


@pytest.mark.parametrize("pattern", REWRITTEN)
def test_what_both_read_differently_is_written_in_another_way(pattern: str) -> None:
    assert portable_pattern(pattern) == REWRITTEN[pattern]


REFUSED = ["a{1,2}{2}", "a{1", "a++?", r"\h", r"\N{DIGIT ONE}", r"\ud800", r"(a)\1", "[a&&b]", "[[:alpha:]]", "[a--b]"]
REFUSED += [
    "(?<=a+)b",
    "(?=a)*b",
    "(?:a?)+b",
    "(?i:i)",
    "(?i:ss)",
    "(?i:é)",
    r"(?i:\p{Lu})",
    "(?i)a",
    "(?V1)a",
    "(?m:a)",
]
REFUSED += ["a)", "(a", "(" * 70 + "a" + ")" * 70]


@pytest.mark.parametrize("pattern", REFUSED)
def test_patterns_that_may_mean_something_else_are_refused(pattern: str) -> None:
    with pytest.raises(FormatError, match="may split differently in `tokenizers`"):
        portable_pattern(pattern)


@pytest.mark.parametrize("pattern", ["", "a*", "a|", "(?:a?)", "(?:a|b*)", "(?=a)", r"\Z", "a{0}", "a{0,2}", "(?<=a)"])
def test_patterns_that_can_match_the_empty_text_are_refused(pattern: str) -> None:
    with pytest.raises(FormatError, match="match the empty string"):
        portable_pattern(pattern)


@pytest.mark.parametrize("name", ["gpt2", "whitespace", "space"])
def test_some_splitters_are_portable_as_they_are(name: str) -> None:
    assert is_portable(SPLITTERS[name])


# -- sets --------------------------------------------------------------------------------------------------------------

_CHANGED = {"\u0295"}  # lower case until Unicode 16


@cache
def known_to_oniguruma() -> str:
    """Return the characters of Oniguruma's version of Unicode."""
    everything = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    return "".join(sorted(members(r"\P{Cn}", everything) - _CHANGED))


def members(pattern: str, characters: str) -> set[str]:
    size = 1 << 13
    blocks = (characters[start : start + size] for start in range(0, len(characters), size))
    return {character for block in blocks for word in split_by_oniguruma(pattern, block) for character in word}


CATEGORIES = sorted(text for text in set(PROPERTIES.values()) if re.fullmatch(r"\\p\{[A-Z][a-z]\}", text))
OVERLAPPING = [
    rf"\p{{{name}}}" for name in (*"LMNPSZC", "Alphabetic", "Uppercase", "Lowercase", "Ideographic", "Emoji")
]
SCRIPTS = sorted(set(PROPERTIES.values()) - {*CATEGORIES, *OVERLAPPING, r"\p{Any}", r"\p{ASCII}", r"\p{White_Space}"})


@pytest.mark.slow
@pytest.mark.parametrize("patterns", [CATEGORIES, SCRIPTS, *([pattern] for pattern in OVERLAPPING)])
def test_properties_are_the_same(patterns: list[str]) -> None:
    runs = "|".join(f"{pattern}+" for pattern in patterns)
    assert split_by_oniguruma(runs, known_to_oniguruma()) == regex.findall(runs, known_to_oniguruma())


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"\w", r"\W", r"[\w-]", r"\s", r"\d", "."])
def test_sets_are_the_same(pattern: str) -> None:
    assert members(portable_pattern(pattern), known_to_oniguruma()) == set(regex.findall(pattern, known_to_oniguruma()))
