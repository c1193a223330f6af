"""Portable patterns mean the same to `regex` and to Oniguruma, as `tokenizers` has it."""

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine import SPLITTERS, FormatError
from bpe_gui.engine.pipeline.published_patterns import portable_pattern
from tests.examples import examples

TEXT_PARTS = [*("a", "B", "ab", "ss"), *"ßﬁk\u212aİſé你1²½_\u200d\u0301"]
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
    expected = [match.group() for match in ours.finditer(text) if match.group()]
    assert split_by_oniguruma(rewritten, text) == expected


REWRITTEN = {
    "a{1,3}+b": "(?>a{1,3})b",
    "a{2}?b": "a{2}b",
    "^a$": r"\Aa\Z",
    r"\xe9": "é",
    "(?s:.)": "(?m:.)",
    "(?i:'s|'t)": "(?i:'s|'t)",
}


@pytest.mark.parametrize("pattern", REWRITTEN)
def test_what_both_read_differently_is_written_in_another_way(pattern: str) -> None:
    assert portable_pattern(pattern) == REWRITTEN[pattern]


REFUSED = ["a{1,2}{2}", "a++?", r"\N{DIGIT ONE}", r"\ud800", r"(a)\1", "[a--b]", "(?<=a+)b", "(?=a)*b", "(?:a?)+b"]
REFUSED += ["a*", "a|", "a)", "(a", "(" * 70 + "a" + ")" * 70]


@pytest.mark.parametrize("pattern", REFUSED)
def test_patterns_that_may_mean_something_else_are_refused(pattern: str) -> None:
    with pytest.raises(FormatError, match="may split differently in `tokenizers`"):
        portable_pattern(pattern)


@pytest.mark.parametrize("name", ["gpt2", "whitespace", "space"])
def test_some_splitters_are_portable_as_they_are(name: str) -> None:
    assert portable_pattern(SPLITTERS[name]) == SPLITTERS[name]
