"""Splitters split as the originals do, and expressions that no automaton can match are refused."""

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import SPLITTERS, Recipe, RecipeError, SpecialTokens, automaton_of
from bpe_gui.engine.text.compiled_splitters import split_text
from bpe_gui.engine.text.recipe import Boundary
from tests.engine.support.published import pattern_of
from tests.engine.support.strategies import any_text

BYTE_RANKS = {bytes([byte]): byte for byte in range(256)}
TIKTOKEN_SPLITTERS = ("gpt2", "cl100k", "o200k")


def words_of(splitter: str, text: str, boundary: Boundary = "none") -> list[str]:
    recipe = Recipe(units="characters", splitter=splitter, boundary=boundary)
    [*sections] = split_text(text, recipe, SpecialTokens(()))
    return [
        section.text[start:stop].decode()
        for section in sections
        for start, stop in zip(section.starts.tolist(), section.stops.tolist(), strict=True)
    ]


# -- like the originals -------------------------------------------------------------------------------------------


class TiktokenWords:
    """The words of one of tiktoken's patterns. tiktoken does not return them, so a vocabulary of words reveals them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pattern = pattern_of(name)

    def equals_ours(self, text: str) -> bool:
        """Return whether tiktoken splits `text` as our splitter of the same name does."""
        words = words_of(self._name, text)
        if "".join(words) != text:
            return False
        # Each of our words, and each beginning of one, is a token. If tiktoken split inside a word or joined two, its
        # ids would not be one for each of our words.
        ranks = dict(BYTE_RANKS)
        for word in words:
            for stop in range(2, len(word.encode()) + 1):
                ranks.setdefault(word.encode()[:stop], len(ranks))
        encoding = tiktoken.Encoding("words", pat_str=self._pattern, mergeable_ranks=ranks, special_tokens={})
        ids = encoding.encode_ordinary(text)
        return [encoding.decode_single_token_bytes(i) for i in ids] == [word.encode() for word in words]


@pytest.mark.parametrize("name", TIKTOKEN_SPLITTERS)
@given(text=st.text(alphabet="ab'sSL  \n\r\t12一é\u0301ǅªſ/!.\x1c\x85\u3000😀", max_size=20))
def test_any_text_has_the_words_of_tiktoken(name: str, text: str) -> None:
    assert TiktokenWords(name).equals_ours(text)


@given(any_text)
def test_whitespace_splits_like_str_split(text: str) -> None:
    assert words_of("whitespace", text) == text.split()


@given(st.text(alphabet="ab \n\r\t\u3000", max_size=30))
def test_space_splits_at_spaces_line_by_line(text: str) -> None:
    lines = text.replace("\r", "\n").split("\n")
    assert words_of("space", text) == [word for line in lines for word in line.split(" ") if word]


@given(any_text)
def test_none_keeps_the_text_whole(text: str) -> None:
    assert words_of("none", text) == ([text] if text else [])


def test_the_space_before_a_word_is_kept_on_request() -> None:
    assert words_of("space", "low  lower\nnew", "prefix") == ["low", " lower", "new"]


# -- patterns that no automaton can match --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a" * 10_001, "is too long or repeats its parts too many times"),
        ("(?:a{1000}){1000}", "is too long or repeats its parts"),
        ("(?x)(?:a{ 1 0 0 # a comment \n 0}) {#\n1000}", "is not supported"),
        ("(?:a(?:b{1000})(?i){1000})", "not valid|is too long|not supported"),
        ("a{" + "9" * 5000 + "}", "is too long or repeats its parts"),
        ("(?:" * 2000 + "a" + ")" * 2000, "is not supported"),
        ("(?V1)" + "[" * 2000 + "a" + "]" * 2000, "is not supported"),
        *((call, "is not supported") for call in ("(?R)", "(a(?1)?)", "(?<n>a(?&n)?)", "(?+1)(a)")),
        *((fuzzy, "is not supported") for fuzzy in ("(?:a){e}", "a{1<=e<=2}", r"\N{e<=1}")),
        (r"(\w)\1|.", "is not supported"),
        (r"\w*", "can match the empty text"),
    ],
)
def test_patterns_without_an_automaton_are_refused(pattern: str, reason: str) -> None:
    with pytest.raises(RecipeError, match=reason):
        automaton_of(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *SPLITTERS.values(),
        r"\p{Script=Han}+|\{[ends]{1,30}|(?:[a-z]{1,3}\.)+",
        r".{4096}|.+",
        r"(?<year>\d{4})-\d{2}-\d{2}|(?i-s:T)\d+(?=\S{3,})",
        "|".join(f"word{number}" for number in range(1000)),
    ],
)
def test_ordinary_patterns_are_accepted(pattern: str) -> None:
    assert Recipe(splitter=pattern).splitter == pattern
