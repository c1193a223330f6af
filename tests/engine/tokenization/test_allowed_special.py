"""Special tokens in a text that others wrote: obeyed, plain text or refused, as other packages do it."""

import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken

from bpe_gui.engine import AllowedSpecial, EngineError, Recipe, Tokenizer, train
from bpe_gui.engine.tokenization import allowed_special
from tests.engine.support.huggingface_samples import read, sample_json
from tests.engine.support.minbpe_rules import Model
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strategies import CUSTOM_PATTERNS

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
SPECIAL = {"<|end|>": 1000, "<|pad|>": 1001, "end": 1002, "é世": 1003}
CHOICES: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset(["<|end|>"]),
    frozenset(["end", "é世"]),
    frozenset(["<|end|>", "<|pad|>"]),
    frozenset(SPECIAL),
)
pieces = st.sampled_from([*SPECIAL, "<|", "|>", "<|end", "end|>", "é", "世", "the ", " low", "\n", "x", "😀", "12"])
hostile = st.lists(pieces, max_size=12).map("".join)


@pytest.fixture(scope="module")
def ours() -> Tokenizer:
    """Return a tokenizer over words that contain the special tokens, so that merges reach into them."""
    trained = train("the end <|end|> bend lowend é世 low|>" * 9, recipe="tiktoken", num_merges=40)
    return Tokenizer(trained.vocab, trained.merges, SPECIAL, recipe="tiktoken")


@pytest.fixture(scope="module")
def theirs(ours: Tokenizer) -> tiktoken.Encoding:
    ranks = {token: token_id for token_id, token in ours.vocab.items() if token_id < 1000}
    return tiktoken.Encoding("ours", pat_str=GPT2, mergeable_ranks=ranks, special_tokens=SPECIAL)


@pytest.fixture(params=USUAL_MODES)
def _mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param):
        yield


# -- compared with others -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_mode")
@settings(max_examples=60)
@given(hostile)
def test_ids_are_those_of_tiktoken(ours: Tokenizer, theirs: tiktoken.Encoding, text: str) -> None:
    for allowed in CHOICES:
        expected = theirs.encode(text, allowed_special=set(allowed), disallowed_special=())
        given: AllowedSpecial = allowed or "none"
        assert ours.encode(text, allowed_special=given) == expected
        assert ours.encode_array(text.encode(), allowed_special=given).tolist() == expected
        assert ours.encode_batch(["", text], allowed_special=given) == [[], expected]
        assert list(ours.encode_iterable(list(text), allowed_special=given)) == expected
        assert ours.encoding(text, allowed_special=given).ids == expected
        assert ours.tokenize(text, allowed_special=given) == [ours.token(token_id) for token_id in expected]


@settings(max_examples=60)
@given(hostile)
def test_special_tokens_are_refused_where_tiktoken_does(ours: Tokenizer, theirs: tiktoken.Encoding, text: str) -> None:
    calls = (ours.encode, ours.encode_array, ours.encoding, ours.tokenize)
    try:
        expected = theirs.encode(text)
    except ValueError:
        first = min(text.index(token) for token in SPECIAL if token in text)
        name = max((token for token in SPECIAL if text.startswith(token, first)), key=len)
        sentence = re.escape(f"The text has the special token {name!r} at character {first},")
        for call in calls:
            with pytest.raises(EngineError, match=sentence):
                call(text, allowed_special="none_raise")
        with pytest.raises(EngineError, match=sentence):
            list(ours.encode_iterable(list(text), allowed_special="none_raise"))
    else:
        assert ours.encode(text, allowed_special="none_raise") == expected
        assert list(ours.encode_iterable(list(text), allowed_special="none_raise")) == expected


@settings(max_examples=40)
@given(hostile)
def test_ids_are_those_of_minbpe(ours: Tokenizer, text: str) -> None:
    merges = {(left, right): 256 + rank for rank, (left, right) in enumerate(_pairs_of_ids(ours))}
    recipe = Recipe.of("tiktoken")
    as_minbpe = Tokenizer({**_bytes(), **_products(ours)}, ours.merges, SPECIAL, recipe=recipe)
    model = Model(GPT2, SPECIAL, merges)
    for allowed in CHOICES:
        assert as_minbpe.encode(text, allowed_special=allowed) == model.encode(text, allowed)


def _bytes() -> dict[int, bytes]:
    return {byte: bytes([byte]) for byte in range(256)}


def _products(tokenizer: Tokenizer) -> dict[int, bytes]:
    return {256 + rank: left + right for rank, (left, right) in enumerate(tokenizer.merges)}


def _pairs_of_ids(tokenizer: Tokenizer) -> list[tuple[int, int]]:
    ids = {token: token_id for token_id, token in (_bytes() | _products(tokenizer)).items()}
    return [(ids[left], ids[right]) for left, right in tokenizer.merges]


TOKENS: dict[str, tuple[AddedToken, ...]] = {
    "special and not": (AddedToken("<s>", special=True, normalized=False), AddedToken("low", normalized=False)),
    "inside each other": (
        AddedToken("<s>low", special=True, normalized=False),
        AddedToken("<s>", special=False, normalized=False),
        AddedToken("low", special=True, normalized=False),
    ),
    "stripped": (
        AddedToken("<s>", special=True, lstrip=True, normalized=False),
        AddedToken("</s>", special=True, rstrip=True, normalized=False),
        AddedToken("\n", special=False, rstrip=True, normalized=False),
    ),
    "single words": (AddedToken("low", special=True, single_word=True, normalized=False),),
    "normalized": (AddedToken("LOW", special=True, normalized=True), AddedToken("ﬁ", special=False, normalized=True)),
    "a single character": (AddedToken("l", special=True, normalized=False),),
}
HOSTILE = ("<s>low</s>  <s> the</s>\n\n<s>xlowlowerlow low LOW ﬁne<s>lowlow", "low", " l<s>", "\n <s>\n</s> \n low\tl")


@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("sample", ["bytes", "bytes, NFKC and small", "bytes, llama3", "llama2", "merges ignored"])
def test_ids_are_those_of_tokenizers(sample: str, tokens: str, tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json(sample))
    for token in TOKENS[tokens]:
        (theirs.add_special_tokens if token.special else theirs.add_tokens)([token])
    ours = read(tmp_path, theirs.to_str())
    theirs = tokenizers.Tokenizer.from_str(theirs.to_str())  # forgets which tokens were special before
    theirs.encode_special_tokens = True
    for text in HOSTILE:
        expected = theirs.encode(text).ids
        assert ours.encode(text, allowed_special="none") == expected, text
        assert ours.encoding(text, allowed_special="none").ids == expected, text


# -- what is refused, and where it stands -------------------------------------------------------------------------


def test_a_special_token_of_a_pipeline_is_named_where_it_stands(tmp_path: Path) -> None:
    tokens = [AddedToken("<s>", special=True, lstrip=True), AddedToken("LOW", special=True, normalized=True)]
    theirs = tokenizers.Tokenizer.from_str(sample_json("bytes, NFKC and small"))
    theirs.add_special_tokens(tokens)
    ours = read(tmp_path, theirs.to_str())
    for text, index in (("é \n <s> x", 4), ("世界 low", 3), ("<s>", 0)):
        with pytest.raises(EngineError, match=f"at character {index},"):
            ours.encode(text, allowed_special="none_raise")
        with pytest.raises(EngineError, match=f"at character {index},"):
            list(ours.encode_iterable(text, allowed_special="none_raise"))
    assert ours.encode("<s", allowed_special="none_raise") == ours.encode("<s")


def test_ids_around_a_text_are_not_refused(tmp_path: Path) -> None:
    ours = read(tmp_path, sample_json("llama2"))
    assert ours.pipeline
    assert ours.pipeline.ids_before
    assert ours.encode("low", allowed_special="none_raise") == ours.encode("low")


def test_an_id_that_is_also_for_unknown_symbols_is_not_refused() -> None:
    tokenizer = Tokenizer({0: b"l"}, [], ["<e>"], recipe="cs336-toy", unknown_id=None).with_unknown_id(1)
    assert tokenizer.encode("lo", allowed_special="none_raise") == [0, 1]


@pytest.mark.slow
def test_the_first_of_several_threads_names_it() -> None:
    tokenizer = train("low lower", num_merges=3, special_tokens=["<e>"])
    text = "low é " * 400_000
    with pytest.raises(EngineError, match="at character 2,400,000,"):
        tokenizer.encode_array(f"{text}<e>{text}".encode(), threads=2, allowed_special="none_raise")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            "<e>",
            "The value of allowed_special must be 'all', 'none', 'none_raise' or a set of special tokens, not '<e>'",
        ),
        (None, "allowed_special must be .*, not NoneType"),
        (5, "allowed_special must be .*, not int"),
        (b"all", "allowed_special must be .*, not bytes"),
        ({"<x>"}, "The name '<x>' in allowed_special is not a special token of this tokenizer"),
        ([["<e>"]], r"The name \['<e>'\] in allowed_special is not"),
        ([None], "The name None in allowed_special is not"),
    ],
)
def test_another_choice_is_an_error(given: Any, sentence: str) -> None:
    tokenizer: Any = Tokenizer(_bytes(), [], ["<e>"])
    for name in ("encode", "encode_array", "encoding", "tokenize", "encode_batch", "encode_iterable"):
        with pytest.raises((EngineError, TypeError), match=sentence):
            list(getattr(tokenizer, name)([] if name == "encode_batch" else "", allowed_special=given))


# -- plain text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cs336", "worked-example", "zh-en", "cs336-toy"])
@pytest.mark.parametrize("splitter", [None, CUSTOM_PATTERNS[0]])
def test_plain_special_tokens_are_any_other_text(name: str, splitter: str | None) -> None:
    recipe = Recipe.of(name)
    recipe = recipe.with_changes(splitter=splitter) if splitter else recipe
    tokenizer = train("ab ab <e> abab aab <e>b ab ab", recipe=recipe, num_merges=9)
    with_special = Tokenizer(tokenizer.vocab, tokenizer.merges, ["<e>", "ab"], recipe=recipe)
    text = "ab<e> <e>aab b <e>"
    assert with_special.encode(text, allowed_special="none") == tokenizer.encode(text)
    view = with_special.obeying("none")
    assert view.obeyed_special_tokens == {}
    assert view.trace(text) == tokenizer.trace(text)
    assert view.word_starts(text.encode()).tolist() == tokenizer.word_starts(text.encode()).tolist()
    assert view.at(2).encode(text) == tokenizer.at(2).encode(text)


def test_a_token_that_merges_make_keeps_its_id_as_plain_text() -> None:
    tokenizer = Tokenizer({**_bytes(), 256: b"lo"}, [(b"l", b"o")], ["lo", "w"])
    assert tokenizer.special_tokens == {"lo": 256, "w": 119}
    assert tokenizer.encode("low", allowed_special="none") == [256, 119]
    assert pickle.loads(pickle.dumps(tokenizer)).encode("low", allowed_special="none") == [256, 119]


def test_a_token_that_has_no_id_of_its_own_keeps_having_none() -> None:
    tokenizer = Tokenizer(_bytes(), [(b"l", b"o")], ["lo"])
    for each in (tokenizer, pickle.loads(pickle.dumps(tokenizer))):
        with pytest.raises(EngineError, match=r"The symbol 'lo' .* has no id"):
            each.encode("low", allowed_special="none")


def test_a_view_keeps_its_choice() -> None:
    tokenizer = Tokenizer(_bytes(), [], ["<e>", "<p>"])
    view = tokenizer.obeying(["<p>"])
    assert view is not tokenizer
    assert tokenizer.obeying("all") is tokenizer
    assert view.encode("<e><p>") == [60, 101, 62, 257] == view.with_unknown_id(-1).encode("<e><p>", "all")
    assert pickle.loads(pickle.dumps(view)).encode("<e><p>") == [60, 101, 62, 257]
    assert view.encode("<e><p>", {"<e>"}) == [256, 60, 112, 62]


def test_few_encoders_are_kept() -> None:
    names = [f"<{number}>" for number in range(3 * allowed_special.MAX_ENCODERS)]
    tokenizer = Tokenizer(_bytes(), [], names)
    for name in names:
        assert len(tokenizer.encode("".join(names), {name})) == sum(map(len, names)) - len(name) + 1
    assert len(tokenizer._encoders._others) <= allowed_special.MAX_ENCODERS
    assert len({id(each._kernels._shared) for each in tokenizer._encoders._others.values()}) == 1  # type: ignore[attr-defined]


# -- spans in characters --------------------------------------------------------------------------------------------


@given(hostile)
def test_spans_in_characters_are_those_of_the_bytes(ours: Tokenizer, text: str) -> None:
    encoding = ours.encoding(text, allowed_special="none")
    data = text.encode()
    assert len(encoding.char_spans) == len(encoding.ids)
    for (start, stop), (first, last) in zip(encoding.byte_spans, encoding.char_spans, strict=True):
        assert first == len(data[:start].decode(errors="ignore"))
        assert len(text[:last].encode()) >= stop > len(text[: last - 1].encode())


@pytest.mark.parametrize("sample", ["bytes", "bytes, llama3"])
def test_spans_in_characters_are_those_of_tokenizers(sample: str, tmp_path: Path) -> None:
    theirs = tokenizers.Tokenizer.from_str(sample_json(sample))
    ours = read(tmp_path, sample_json(sample))
    for text in ("the 世界 low 😀😀é", "lower", "", "한국어 e\u0301"):
        assert ours.encoding(text).char_spans == theirs.encode(text).offsets


def test_an_empty_span_is_empty_in_characters() -> None:
    tokenizer = train("世 low", recipe="char-eow", num_merges=0)
    assert tokenizer.encoding("世 l").char_spans == [(0, 1), (1, 1), (2, 3), (3, 3)]
