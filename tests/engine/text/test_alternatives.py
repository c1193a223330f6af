"""Words with the part of the expression that matched each are the splitter's words, whatever the expression."""

from collections import Counter
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import (
    SPLITTERS,
    AddedToken,
    ByteLevel,
    Corpus,
    Digits,
    LiveText,
    Lowercase,
    Pipeline,
    Recipe,
    RecipeSplit,
    SplitWords,
    Tokenizer,
    parts_of,
    words_by_part,
)
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.text.alternatives import matching_alternative
from tests.engine.support.stand_ins import compile_pattern, with_stand_ins

EXPRESSIONS = (
    *SPLITTERS,
    r"\w+|\s+|[^\w\s]",
    r"'s|'t|\p{L}+(?=\d)|\p{L}|\d{2}",
    r"(a|b)(?=[ab])|\w+",
    r"(?i)the|(?:cat|dog)s?",
    r"a+|b+| ",
    r"(?V1)[\w--\d]+|\d",
)


def listed(words: SplitWords) -> list[tuple[int, int, int]]:
    """Return start, stop and part of each word."""
    return list(zip(*(column.tolist() for column in words), strict=True))


TEXTS = st.text(
    st.sampled_from("ab'sT t1 2.\n\r\tÄ你好。😀\u00a0") | st.characters(exclude_categories=["Cs"]), max_size=60
)
SPECIALS = ("<e>", "t1")


@pytest.mark.parametrize("splitter", EXPRESSIONS)
@given(text=TEXTS, boundary=st.sampled_from(["none", "prefix"]), has_specials=st.booleans())
def test_the_words_are_those_that_are_counted(splitter: str, text: str, boundary: str, has_specials: bool) -> None:
    specials = SPECIALS if has_specials else ()
    recipe = Recipe(units="characters", splitter=splitter).with_changes(boundary=boundary)
    words = words_by_part(recipe, text.encode(), specials)
    found = Counter(text.encode()[start:stop].decode() for start, stop, _part in listed(words))
    assert found == Corpus.from_text(text).count(recipe, specials, may_be_empty=True)


@pytest.mark.parametrize("splitter", EXPRESSIONS)
@given(text=TEXTS)
def test_the_part_is_that_of_the_alternative_that_matched(splitter: str, text: str) -> None:
    parts, flags = parts_of(splitter), compile_pattern(splitter).flags
    for start, stop, part in listed(words_by_part(Recipe(splitter=splitter), text.encode())):
        assert matching_alternative(splitter, text.encode(), start).source in parts[part]
        characters = [len(text.encode()[:offset].decode()) for offset in (start, stop)]
        match = regex.compile(parts[part], flags).match(with_stand_ins(text), characters[0])
        assert match is not None and match.end() == characters[1]


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


def tokenizer_of(splitter: str) -> Tokenizer:
    return Tokenizer({byte: bytes([byte]) for byte in range(256)}, [], ["<e>"], recipe=Recipe(splitter=splitter))


@pytest.mark.parametrize("splitter", EXPRESSIONS)
@given(text=TEXTS)
def test_live_text_has_the_same_words_in_bytes(splitter: str, text: str) -> None:
    live = LiveText(text)
    live.encode_with(tokenizer_of(splitter))
    words = words_by_part(Recipe(splitter=splitter), text.encode(), ["<e>"])
    found = live.words_in(0, len(live))
    assert [column.tolist() for column in found] == [column.tolist() for column in words]
    part = live.words_in(3, 9)
    inside = [w for w in zip(*(c.tolist() for c in words), strict=True) if w[1] > 3 and w[0] < 9]
    assert list(zip(*(c.tolist() for c in part), strict=True)) == inside


def test_a_window_of_a_long_text_has_the_words_of_the_whole() -> None:
    text = "The cat's 12 hats, 你好 don't\n\n" * 4000
    live = LiveText(text)
    live.encode_with(tokenizer_of("gpt2"))
    words = words_by_part(Recipe(), text.encode())
    for start, stop in pairwise(range(50_000, 52_000, 97)):
        found, expected = live.words_in(start, stop), words.between(start, stop)
        assert [column.tolist() for column in found] == [column.tolist() for column in expected]


BYTES = ByteLevel(add_prefix_space=False, use_regex=False)
"""The step that prints the bytes of words, as it follows the expression of many published tokenizers."""


@given(text=TEXTS)
def test_a_pipeline_may_split_by_one_expression_too(text: str) -> None:
    vocab = {byte: bytes([byte]) for byte in range(256)} | {256: b"<e>"}
    pipeline = Pipeline(
        added_tokens=(AddedToken(id=256, content="<e>"),),
        pre_tokenizers=(RecipeSplit("cl100k"), BYTES),
        model=ModelOptions(is_byte_level=True),
        ids_before=(256,),
    )
    live, same = LiveText(text), LiveText(text)
    live.encode_with(Tokenizer(vocab, [], ["<e>"], pipeline=pipeline))
    same.encode_with(tokenizer_of("cl100k"))
    assert live.splitter_parts == same.splitter_parts == parts_of("cl100k")
    assert listed(live.words_in(0, len(live))) == listed(same.words_in(0, len(same)))


@pytest.mark.parametrize(
    "pipeline",
    [
        Pipeline(),
        Pipeline(normalizers=(Lowercase(),), pre_tokenizers=(RecipeSplit("gpt2"),)),
        Pipeline(pre_tokenizers=(RecipeSplit("gpt2"), Digits())),
        Pipeline(pre_tokenizers=(RecipeSplit("gpt2"),), added_tokens=(AddedToken(id=0, content="l", lstrip=True),)),
    ],
    ids=["none", "normalized", "split twice", "white space"],
)
def test_other_pipelines_have_no_single_expression(pipeline: Pipeline) -> None:
    live = LiveText("low er")
    live.encode_with(Tokenizer({0: b"l"}, [], unknown_id=0, pipeline=pipeline))
    assert live.splitter_parts is None
    assert len(live.words_in(0, 6).starts) == 0
