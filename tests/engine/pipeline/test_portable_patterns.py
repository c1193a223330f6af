"""Patterns that are let through mean the same to Oniguruma, as `tokenizers` has it, and to `regex`."""

from functools import cache

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine import SPLITTERS, FormatError
from bpe_gui.engine.pipeline.patterns import portable as patterns
from bpe_gui.engine.pipeline.patterns.portable import common_form, is_common

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


def cut_by_oniguruma(pattern: str, text: str) -> list[str]:
    return [word for word, _span in Split(Regex(pattern), "removed", invert=True).pre_tokenize_str(text)]


@given(any_pattern, texts)
@settings(max_examples=500)
def test_what_is_let_through_cuts_the_same(pattern: str, text: str) -> None:
    try:
        common = common_form(pattern)
        ours = regex.compile(pattern)
    except (FormatError, regex.error):
        assume(False)
    expected = [match.group() for match in ours.finditer(text)]
    assert cut_by_oniguruma(common, text) == expected
    assert [match.group() for match in regex.finditer(common, text)] == expected
    assert is_common(common)


OTHERWISE = [
    "a{1,3}+",
    "a{2}?",
    "a{,3}",
    "a{",
    "^a",
    "a$",
    r"\ba",
    r"\h",
    r"\N{DIGIT ONE}",
    r"\xe9",
    r"\ud800",
    r"(a)\1",
]
OTHERWISE += ["[a&&b]", "[[:alpha:]]", "[a--b]", "[]a]", r"[\W]", r"\p{Script=Han}", r"\p{Cn}", r"(?<=a+)b", "(?=a)*b"]
OTHERWISE += [
    "(?i:ss)",
    "(?i:fi)",
    "(?i:i)",
    "(?i:é)",
    r"(?i:a)?\P{Lu}",
    "(?i)a",
    "(?V1)a",
    "(?s:.)",
    "(?<n>a)",
    "(?P<n>a)",
]
OTHERWISE += ["a)", "(a", "(" * 60 + "a" + ")" * 60]


@pytest.mark.parametrize("pattern", OTHERWISE)
def test_what_may_mean_something_else_is_refused(pattern: str) -> None:
    with pytest.raises(FormatError, match="may read something else"):
        common_form(pattern)


@pytest.mark.parametrize("pattern", ["", "a*", "a|", "(?:a?)", "(?:a|b*)", "(?=a)", r"\Z", "a{0}", "a{0,2}", "(?<=a)"])
def test_what_matches_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(FormatError, match="without any character"):
        common_form(pattern)


@pytest.mark.parametrize("name", ["gpt2", "whitespace", "space"])
def test_splitters_that_need_no_other_words(name: str) -> None:
    assert is_common(SPLITTERS[name])


# -- sets ---------------------------------------------------------------------------------------------------------

_CHANGED = {"\u0295"}  # a small letter until Unicode 16, and no longer


@cache
def known_to_oniguruma() -> str:
    """The characters of the version of Unicode that it knows."""
    everything = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    return "".join(sorted(members(r"\P{Cn}", everything) - _CHANGED))


def members(pattern: str, characters: str) -> set[str]:
    size = 1 << 13
    pieces = (characters[start : start + size] for start in range(0, len(characters), size))
    return {character for piece in pieces for word in cut_by_oniguruma(pattern, piece) for character in word}


@pytest.mark.parametrize("name", patterns._PROPERTIES.split("|"))
def test_properties_are_the_same(name: str) -> None:
    pattern = rf"\p{{{name}}}"
    assert members(pattern, known_to_oniguruma()) == set(regex.findall(pattern, known_to_oniguruma()))


@pytest.mark.parametrize("pattern", [r"\w", r"\W", r"[\w-]", r"\s", r"\d", ".", "(?i:[acegjlnprtvxz]|[bdfhkmoqsuwy])"])
def test_sets_are_the_same(pattern: str) -> None:
    assert members(common_form(pattern), known_to_oniguruma()) == set(regex.findall(pattern, known_to_oniguruma()))
