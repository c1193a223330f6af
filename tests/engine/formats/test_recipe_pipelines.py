"""Recipes as steps of `tokenizers`: it gives the same ids with them, and they are recognised as a recipe again."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import tokenizers
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    AddedToken,
    ByteLevel,
    Digits,
    EngineError,
    FormatError,
    Pipeline,
    Recipe,
    Replace,
    Split,
    Tokenizer,
    UnicodeForm,
    train,
    write_files,
)
from bpe_gui.engine.formats import recipe_pipelines, tokenizer_json
from bpe_gui.engine.formats.recipe_pipelines import merges_make_all_tokens, pipeline_of, recipe_of
from bpe_gui.engine.pipeline.decoders import Fuse
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strange_tokenizers import BYTES, texts
from tests.engine.support.strange_tokenizers import tokenizers as strange_tokenizers
from tests.engine.support.strategies import any_text, corpora, recipes, special_tokens
from tests.examples import examples

SPLITTERS = ("gpt2", "cl100k", "o200k", "whitespace", "space", "zh-en", "none", r"\p{L}+|\d", r"\w+|[^\w\s]")
KEEPING = ("gpt2", "cl100k", "o200k", "none", *SPLITTERS[7:])

TEXT = (
    "low lower  lowest\r\n\r\n newest </w> 你好world，你 好! don't DON'T x\u0301e\u0301 １２３ 1234567\x1c\x85a\u3000b "
    "😀😀\ufeff <|e|>after<|e|> it'ſ\n  \n "
)


def in_tokenizers(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    (text,) = tokenizer_json.contents(tokenizer, Path()).values()
    return tokenizers.Tokenizer.from_str(text)


def assert_survives(tokenizer: Tokenizer, *texts: str) -> None:
    """Assert that `tokenizers`, and we when we read the file again, encode and decode as `tokenizer` does.

    What was read again must be written as the same bytes, too.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tokenizer.json"
        written = tokenizer_json.contents(tokenizer, file)
        write_files(written)
        again = tokenizer_json.load(file)
        assert tokenizer_json.contents(again, file) == written
    theirs = tokenizers.Tokenizer.from_str(*written.values())
    assert theirs.get_vocab_size() == len(tokenizer.vocab)
    for text in texts:
        try:
            ids = tokenizer.encode(text)
        except EngineError:
            continue
        assert theirs.encode(text).ids == again.encode(text) == ids
        assert theirs.decode(ids, skip_special_tokens=False) == again.decode(ids) == tokenizer.decode(ids)


# -- every recipe ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("units", ["bytes", "characters"])
@pytest.mark.parametrize("boundary", ["none", "suffix", "suffix-attached", "prefix"])
def test_every_recipe(units: str, splitter: str, boundary: str) -> None:
    recipe = Recipe.of("tiktoken").with_changes(special_text="apart", units=units, splitter=splitter, boundary=boundary)
    tokenizer = train(TEXT.replace("</w>", ""), recipe=recipe, special_tokens=["<|e|>", "<unk>"], num_merges=30)
    has_own_marker = boundary in ("suffix", "prefix")
    if (has_own_marker and (units == "bytes" or splitter in KEEPING)) or (boundary, splitter) == (
        "suffix-attached",
        "zh-en",
    ):
        with pytest.raises(FormatError, match="end-of-word marker"):
            pipeline_of(tokenizer)
        return
    unknown_id = tokenizer.special_tokens["<unk>"]
    assert_survives(tokenizer, TEXT, *TEXT.split("\n"), "")
    assert_survives(
        Tokenizer(tokenizer.vocab, tokenizer.merges, tokenizer.special_tokens, recipe=recipe, unknown_id=unknown_id),
        TEXT,
        "ж",
    )
    known = recipe_of(pipeline_of(tokenizer))
    assert known is not None
    assert (known.units, known.boundary) == (units, boundary)
    assert known.splitter == splitter or "\\w" in splitter


@pytest.mark.slow
@given(corpora, recipes(), special_tokens, any_text, st.booleans())
@settings(max_examples=examples(60))
def test_trained_tokenizers_survive_or_are_refused(
    corpus: str, recipe: Recipe, specials: list[str], text: str, has_unknown: bool
) -> None:
    try:
        tokenizer = train(corpus, recipe=recipe, special_tokens=specials, num_merges=20)
        if has_unknown and specials:
            ids = tokenizer.special_tokens
            tokenizer = Tokenizer(tokenizer.vocab, tokenizer.merges, ids, recipe=recipe, unknown_id=ids[specials[0]])
        pipeline_of(tokenizer)
    except EngineError:
        assume(False)
    assert_survives(tokenizer, corpus, text, corpus + text)


@pytest.mark.slow
@given(strange_tokenizers(), texts)
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.filter_too_much])
def test_tokenizers_that_no_training_gives_survive_or_are_refused(tokenizer: Tokenizer, text: str) -> None:
    strict = tokenizer.with_unknown_id(None)
    try:
        pipeline_of(strict)
    except FormatError:
        assume(False)
    assert_survives(strict, text)


AB, ABAB = (b"a", b"b"), (b"ab", b"ab")


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (
            Tokenizer(BYTES | {256: b"ab", 257: b"ab"}, [AB]),
            r"Two tokens \(ids 256 and 257\) would both be written as 'ab'",
        ),
        (Tokenizer(BYTES, [], {"#": 256}), r"Two tokens \(ids 35 and 256\) would both be written as '#'"),
        (Tokenizer(BYTES | {256: b"abab"}, [AB, ABAB]), r"the merge 'a' 'b' \(rank 0\), because the token 'ab'"),
        (Tokenizer(BYTES | {256: b"ab"}, [AB, AB]), r"cannot represent the merge 'a' 'b' \(rank 1\)"),
        (Tokenizer(BYTES | {256: b"ab"}, [AB], unknown_id=98), r"cannot represent the merge 'a' 'b' \(rank 0\)"),
        (Tokenizer({0: b"\xff"}, [], recipe="cs336-toy"), r"The token '\\xff' is not valid UTF-8"),
        (Tokenizer({0: b" ", 1: b"</w>"}, [], recipe="zh-en"), r"would both be written as ' '"),
        (Tokenizer({0: b"</", 1: b"w>", 2: b"</w>"}, [(b"</", b"w>")], recipe="zh-en"), "marker from text"),
    ],
)
def test_a_tokenizer_that_steps_cannot_express_is_refused(tokenizer: Tokenizer, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        pipeline_of(tokenizer)


def test_a_symbol_without_an_id_is_an_error_in_the_library_too() -> None:
    tokenizer = Tokenizer({0: b"a", 1: b"b", 2: b"ab"}, [AB], recipe="cs336-toy")
    with pytest.raises(Exception, match="Unk token `<unk>` not found in the vocabulary"):
        in_tokenizers(tokenizer).encode("a?b")
    with pytest.raises(EngineError, match="has no id"):
        tokenizer.encode("a?b")


# -- steps that equal a recipe -----------------------------------------------------------------------------------------

CL100K = pipeline_of(Tokenizer(BYTES, [], ["<|e|>"], recipe=Recipe(splitter="cl100k")))
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
MINBPE_GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
BYTES_ALONE = ByteLevel(add_prefix_space=False, use_regex=False)


def with_split(pattern: str, behavior: str = "isolated", *, invert: bool = False) -> Pipeline:
    split = Split(pattern=pattern, behavior=behavior, invert=invert)  # type: ignore[arg-type]  # one of its values
    return replace(CL100K, pre_tokenizers=(split, BYTES_ALONE))


@pytest.mark.parametrize(
    ("pipeline", "splitter"),
    [
        (with_split(MINBPE_GPT2), "gpt2"),
        (with_split(LLAMA3), LLAMA3),
        (with_split(LLAMA3, "removed", invert=True), LLAMA3),
        (with_split("[ab]+", "removed", invert=True), "[ab]+"),
        (replace(CL100K, pre_tokenizers=(BYTES_ALONE,)), "none"),
        (replace(CL100K, model=replace(CL100K.model, ignores_merges=True)), "cl100k"),
        (replace(CL100K, added_tokens=(AddedToken(id=256, content="<|e|>", normalized=True),)), "cl100k"),
    ],
)
def test_steps_written_differently_are_recognised_as_a_recipe(pipeline: Pipeline, splitter: str) -> None:
    recipe = recipe_of(pipeline)
    assert recipe is not None
    assert recipe == Recipe.of("huggingface").with_changes(splitter=splitter)


def added(**flags: bool) -> Pipeline:
    return replace(CL100K, added_tokens=(replace(CL100K.added_tokens[0], **flags),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "pipeline",
    [
        with_split("[ab]+"),  # text that does not match is kept
        with_split(LLAMA3, "removed"),
        with_split(LLAMA3, "merged_with_previous"),
        with_split(LLAMA3, invert=True),
        with_split(r"\p{N}{1,3}+|\P{N}", "removed", invert=True),  # which Oniguruma reads differently
        with_split("space", "removed", invert=True),  # a pattern, not a name
        replace(CL100K, pre_tokenizers=(Split("a", "removed", invert=True, is_regex=False), BYTES_ALONE)),
        replace(CL100K, pre_tokenizers=(Digits(), BYTES_ALONE)),
        replace(CL100K, pre_tokenizers=(ByteLevel(add_prefix_space=True, use_regex=True),)),
        replace(CL100K, pre_tokenizers=(*CL100K.pre_tokenizers[:1], ByteLevel(use_regex=True))),
        replace(CL100K, normalizers=(UnicodeForm("NFC"),)),
        replace(CL100K, normalizers=(Replace("a", "b"),)),
        replace(CL100K, decoders=(Fuse(),)),
        replace(CL100K, decoders=()),
        replace(CL100K, ids_before=(256,)),
        replace(CL100K, ids_after=(256,)),
        replace(CL100K, model=replace(CL100K.model, prefix="##")),
        replace(CL100K, model=replace(CL100K.model, suffix="_")),
        replace(CL100K, model=replace(CL100K.model, falls_back_to_bytes=True)),
        replace(CL100K, model=replace(CL100K.model, fuses_unknown=True)),
        added(lstrip=True),
        added(rstrip=True),
        added(single_word=True),
        added(special=False),
        replace(CL100K, added_tokens=(AddedToken(id=1, content="a"), AddedToken(id=2, content="b", normalized=True))),
    ],
)
def test_steps_that_no_recipe_has_are_recognised_as_none(pipeline: Pipeline) -> None:
    assert recipe_of(pipeline) is None


@st.composite
def ordered_merges(draw: st.DrawFn) -> list[tuple[bytes, bytes]]:
    """Draw merges of tokens that exist already, each of which makes a new one."""
    tokens, merges = [b"a", b"b", b"c"], []
    for _number in range(draw(st.integers(1, 9))):
        left, right = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if left + right not in tokens:
            tokens.append(left + right)
            merges.append((left, right))
    return merges


@pytest.mark.slow
@pytest.mark.parametrize("mode", USUAL_MODES)
@given(ordered_merges())
@settings(max_examples=examples(200))
def test_whether_merges_make_all_tokens(mode: str, merges: list[tuple[bytes, bytes]]) -> None:
    tokens = [b"a", b"b", b"c", *(left + right for left, right in merges)]
    recipe = Recipe.of("cs336-toy").with_changes(splitter="none")
    tokenizer = Tokenizer(dict(enumerate(tokens)), merges, ["<|e|>"], recipe=recipe)
    stay_whole = all(tokenizer.encode(token.decode()) == [i] for i, token in enumerate(tokens))
    with running(mode), pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipe_pipelines, "_SLICE", 2)
        assert merges_make_all_tokens(tokenizer) is stay_whole


@pytest.mark.parametrize(
    "merges",
    [
        [],  # no merge makes a token
        [(b"ab", b"c"), (b"a", b"b")],  # not in order
        [(b"a", b"b"), (b"ab", b"c"), (b"a", b"bc")],  # made twice
    ],
)
def test_merges_that_are_not_known_to_make_all_tokens(merges: list[tuple[bytes, bytes]]) -> None:
    assert not merges_make_all_tokens(Tokenizer(BYTES | {256: b"ab", 257: b"abc", 258: b"bc"}, merges))


def test_a_special_token_may_be_spelled_as_a_word_is() -> None:
    assert merges_make_all_tokens(Tokenizer(BYTES, [], ["<e>", "<你>"]))
    assert not merges_make_all_tokens(Tokenizer(BYTES, [], ["Ġlow"]))
