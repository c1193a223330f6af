"""Translated regular expressions find what `tokenizers` finds with Oniguruma, or are refused by name."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe_gui.engine import EngineError, RecipeError, Split
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.levels import automaton_of_pattern
from bpe_gui.engine.pipeline.pre_tokenizers import BEHAVIORS
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON
from bpe_gui.engine.text.splitter_tables import Behavior
from bpe_gui.engine.text.writer import translate
from tests.engine.support.huggingface_samples import BLOOM, DEEPSEEK, LLAMA3, TEXTS

PATTERNS = (
    *(LLAMA3, BLOOM, DEEPSEEK, r"\s+", r"\p{N}{1,3}", r"\p{N}{1,3}+", r"\d{2,}+", r"a{2}?", r"a{,2}", r"a{0,1}?"),
    *(r"^", r"$", r"^.", r"\s+$", r"\A.", r"a\Z", r"\n\Z", r"\z", r"\b", r"\B", r"\w+", r"\W+", r"[\w]+", r"[^\w]"),
    *(r"[^\W\d]+", r"\h+", r"\H", r"\R", r".+", r"(?m:.)+", r"(?m).a|b", r"(?-m:.)", r"[[:alpha:]]+", r"[[:^alpha:]]"),
    *(r"[[:punct:]]", r"[[:alnum:]_]+", r"[[:xdigit:]]+", r"[[:word:]]+", r"[[:space:]]", r"[[:cntrl:]]"),
    *(r"[[:upper:]]", r"[[:blank:]]", r"[a[bc]d]+", r"[a-e&&[^c]]+", r"[\p{L}&&[^a-c]]+", r"[]a]"),
    *(r"[a-c-]+", r"[-a]+", r"[\]\[]", r"[a\-z]", r"[\b]", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"(?i:[a-d])+"),
    *(r"(?i:[^k])+", r"(?i)low", r"low(?-i:e)", r"(?i)b|c", r"(?i:\p{Lu})", r"(?i:\w\S)"),
    *(r"\P{L}+", r"\p{^L}", r"\p{ letter }", r"\p{han}+", r"\p{Cyrillic}+", r"\p{Punct}", r"\p{alpha}", r"\p{XDigit}"),
    *(r"(?<=a)b|(?<!a) ", r"(?>a+)c", r"(?=l)", r"(?!l)", r"(a|b)+", r"(?<name>lo)w", r"a++b?"),
    *(r"a*+", r"a??b", r"x*", r"|a", r"a|", r"\x41|\u4f60|\x{597d}", r"\t|\e|\f", r"\.|\-|\ ", r"{|}", r"a{x}", r" ?l"),
)

REFUSED = {
    **dict.fromkeys(["a{1,%s}" % ("9" * 5_000), "a{%s}" % ("9" * 5_000)], "too many times"),
    **{r"\X": r"\X", r"\K": r"\K", r"\G": r"\G", r"(a)\1": r"\1", r"(?<n>a)\k<n>": r"\k", r"\Qa\E": r"\Q"},
    **{"a(?i)b|c": "(?i", "lo(?#w)w": "(?#"},
    **{"(?~ab)": "(?~", r"(?<n>a\g<n>?)": r"\g", "a**": "*", "a{1,2}{2}": "{", "a{3,2}": "{3,2}", r"(?i)[\S]": r"[\S]"},
    **{
        r"[^\w--a]": r"\w",
        r"\pL": r"\p",
        r"[\w-z]": r"\w",
        "[a&&]": "&&",
        r"\xe9": r"\x",
        "(?i:ß)": "ß",
        "(?i:fl)": "l",
    },
    r"[^i[^\d]&&[^\W\w]]": r"[^\W\w]",  # misses U+0378
    **{"*a": "nothing to repeat", "[z-a]": "before the beginning", r"\ud800": "no meaning", "a)": "not close a group"},
    **dict.fromkeys(["(a", "[a"], "ends inside"),
    **{"(" * 200 + ")" * 200: "(", "[" * 200 + "]" * 200: "["},
}


def theirs(pattern: str, behavior: str, text: str) -> list[str]:
    split = pre_tokenizers.Split(Regex(pattern), behavior)
    return [part for part, _span in split.pre_tokenize_str(text)]


def ours(pattern: str, behavior: Behavior, text: str) -> list[str]:
    return [word.text for word in Split(pattern, behavior).split(AlignedText.of(text))]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_find_what_the_library_finds(pattern: str) -> None:
    for text in TEXTS:
        for behavior in BEHAVIORS:
            assert ours(pattern, behavior, text) == theirs(pattern, behavior, text), (text, behavior)


@given(
    st.sampled_from(PATTERNS),
    st.sampled_from(BEHAVIORS),
    st.text("abcdlow AB'sé\n\t\r1٣.,-_]你\u200d²\u00a0{}", max_size=12),
)
def test_patterns_find_what_the_library_finds_in_any_text(pattern: str, behavior: Behavior, text: str) -> None:
    assert ours(pattern, behavior, text) == theirs(pattern, behavior, text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\s", r"\w", r"[\w]", r"\d", r"\p{L}", r"\p{P}", r"[[:alnum:]]", r"[[:punct:]]", "(?i:s)"),
        *("(?i:[a-z])", "(?i:[^a-z])"),
    ],
)
def test_classes_have_the_same_characters(pattern: str) -> None:
    """Compare characters that Unicode 3.2 had in today's category: the libraries have different versions of Unicode."""
    known = [
        character
        for character in map(chr, [*range(0xD800), *range(0xE000, 0x30000)])
        if unicodedata.ucd_3_2_0.category(character) == unicodedata.category(character) != "Cn"
    ]
    text = "".join(character for character in known if character != "\u0295")  # upper case by now
    assert "".join(theirs(pattern, "removed", text)) == "".join(ours(pattern, "removed", text))


@pytest.mark.parametrize("pattern", REFUSED)
def test_constructs_that_are_not_known_are_refused_by_name(pattern: str) -> None:
    with pytest.raises(RecipeError) as raised:
        translate(pattern, ONIGURUMA, PYTHON)
    assert REFUSED[pattern] in str(raised.value)


@given(st.text(r"ab\()[]{}^$.*+?|-&:<>=!i1,pPLwsdhRxuz ", max_size=20))
def test_any_pattern_is_refused_or_means_the_same_to_the_library(pattern: str) -> None:
    try:
        automaton_of_pattern(pattern)
    except EngineError:
        return
    try:
        expected = theirs(pattern, "isolated", "ab1 -]Ab")
    except BaseException as error:  # the library raises something that is not an Exception
        assert "Oniguruma" in str(error)
        return
    assert ours(pattern, "isolated", "ab1 -]Ab") == expected
