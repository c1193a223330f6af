"""Words with the part of the expression that matched each are the splitter's words, whatever the expression."""

from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import SPLITTERS, EngineError, Recipe, Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.text.alternatives import NO_PART, matching_alternative, parts_of, words_by_part
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.splitters import compile_pattern
from bpe_gui.engine.text.text_stream import split_stream
from bpe_gui.engine.text.time_limit import TimeLimit

EXPRESSIONS = (
    *SPLITTERS,
    r"\w+|\s+|[^\w\s]",
    r"'s|'t|\p{L}+(?=\d)|\p{L}|\d{2}",
    r"(a|b)\1|(\w)\2|\w+",
    "(?x) \\d+ # digits | or\n | \\s+ # spaces\n | .",
    r"(?i)the|(?:cat|dog)s?",
    r"a*|b+| ",
    r"(?V1)[\w--\d]+|\d",
)
TEXTS = st.text(
    st.sampled_from("ab'sT t1 2.\n\r\tÄ你好。😀\u00a0") | st.characters(exclude_categories=["Cs"]), max_size=60
)
SPECIALS = ("<e>", "t1")


def words_of(text: str, recipe: Recipe, specials: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return start and stop in characters of every word that the engine counts."""
    parts = split_stream([text], recipe, SpecialTokens(specials))
    return [(word.stop - len(word.text), word.stop) for part in parts if isinstance(part, list) for word in part]


@pytest.mark.parametrize("splitter", EXPRESSIONS)
@given(text=TEXTS, boundary=st.sampled_from(["none", "prefix"]), has_specials=st.booleans())
def test_the_words_are_those_that_are_counted(splitter: str, text: str, boundary: str, has_specials: bool) -> None:
    specials = SPECIALS if has_specials else ()
    recipe = Recipe(units="characters", splitter=splitter).with_changes(boundary=boundary)
    words = words_by_part(splitter, text, specials, space_before=boundary == "prefix")
    spans = list(zip(words.starts.tolist(), words.stops.tolist(), strict=True))
    assert spans == words_of(text, recipe, specials)


@pytest.mark.parametrize("splitter", EXPRESSIONS)
@given(text=TEXTS)
def test_the_part_is_that_of_the_alternative_that_matched(splitter: str, text: str) -> None:
    words, parts = words_by_part(splitter, text), parts_of(splitter)
    for start, stop, part in zip(*(column.tolist() for column in words), strict=True):
        found = matching_alternative(splitter, text, start, stop)
        assert (part == NO_PART) == (found is None)
        assert found is None or found.source in parts[part]


@pytest.mark.parametrize("splitter", SPLITTERS)
@given(text=TEXTS)
def test_each_word_of_a_named_splitter_has_a_part_that_matches_it(splitter: str, text: str) -> None:
    words, parts = words_by_part(splitter, text), parts_of(splitter)
    flags = compile_pattern(splitter).flags
    for start, part in zip(words.starts.tolist(), words.parts.tolist(), strict=True):
        assert part != NO_PART
        match = regex.compile(parts[part], flags).match(text, start)
        assert match is not None or not text.isascii()  # a stand-in may have matched


def test_the_parts_are_the_alternatives_with_contractions_as_one() -> None:
    assert parts_of("gpt2") == [
        "'s|'t|'re|'ve|'m|'ll|'d",
        r" ?\p{L}+",
        r" ?\p{N}+",
        r" ?[^\s\p{L}\p{N}]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
    assert parts_of(r"'s|\w|'t") == ["'s", r"\w", "'t"]
    for splitter in SPLITTERS:
        assert "|".join(parts_of(splitter)) == SPLITTERS[splitter]


def test_an_expression_that_takes_too_long_is_refused_within_the_given_limit() -> None:
    with pytest.raises(EngineError, match=r"more than 0.1 seconds at character 0"):
        words_by_part(r"((?:\w+\s?)+)\1[;!]", "word " * 400, limit=TimeLimit(0.1))


def tokenizer_of(splitter: str) -> Tokenizer:
    return Tokenizer({byte: bytes([byte]) for byte in range(256)}, [], ["<e>"], recipe=Recipe(splitter=splitter))


@pytest.mark.parametrize("splitter", EXPRESSIONS)
@given(text=TEXTS)
def test_live_text_has_the_same_words_in_bytes(splitter: str, text: str) -> None:
    live = LiveText(text)
    live.encode_with(tokenizer_of(splitter))
    words = words_by_part(splitter, text, ["<e>"]).in_bytes(text)
    found = live.words_in(0, len(live))
    assert [column.tolist() for column in found] == [column.tolist() for column in words]
    part = live.words_in(3, 9)
    inside = [w for w in zip(*(c.tolist() for c in words), strict=True) if w[1] > 3 and w[0] < 9]
    assert list(zip(*(c.tolist() for c in part), strict=True)) == inside


def test_a_window_of_a_long_text_has_the_words_of_the_whole() -> None:
    text = "The cat's 12 hats, 你好 don't\n\n" * 4000
    live = LiveText(text)
    live.encode_with(tokenizer_of("gpt2"))
    words = words_by_part("gpt2", text).in_bytes(text)
    for start, stop in pairwise(range(50_000, 52_000, 97)):
        found, expected = live.words_in(start, stop), words.between(start, stop)
        assert [column.tolist() for column in found] == [column.tolist() for column in expected]


def test_a_long_text_is_not_split_by_an_expression_without_an_automaton() -> None:
    live = LiveText("a b " * 20_000)
    live.encode_with(tokenizer_of(r"(\w)\1|\w| "))
    assert len(live.words_in(0, 100).starts) == 0
    assert live.splitter_parts == [r"(\w)\1|\w| "]


def test_a_tokenizer_with_a_pipeline_has_no_single_expression() -> None:
    live = LiveText("low er")
    live.encode_with(Tokenizer({0: b"l"}, [], unknown_id=0, pipeline=Pipeline()))
    assert live.splitter_parts is None
    assert len(live.words_in(0, 6).starts) == 0
