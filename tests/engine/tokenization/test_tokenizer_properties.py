"""Properties of tokenizers: they equal the slow reference, lose nothing, and encode streams like whole texts."""

import pickle
import random
import tracemalloc
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    PRESETS,
    Corpus,
    EngineError,
    Lineage,
    Recipe,
    SpecialTokens,
    Tokenizer,
    TokenizerError,
    train,
)
from bpe_gui.engine.training.reference import encode_word
from tests.engine.support.strategies import any_text, byte_recipes, corpora, recipes, special_tokens

BYTES = {byte: bytes([byte]) for byte in range(256)}
MANY_WORDS = "the cat sat on the mat; 你好 世界 the hat! aaa aaaa  ab\n" * 3


def trained(text: str, recipe: Recipe | str, merges: int = 30, specials: list[str] | None = None) -> Tokenizer:
    """Return a tokenizer trained on a text, rejecting texts without words."""
    try:
        return train(text, recipe=recipe, num_merges=merges, special_tokens=specials or [])
    except EngineError:
        assume(False)
        raise


def chunks_of(text: str, numbers: list[int]) -> list[str]:
    """Split a text at indices that the numbers give."""
    boundaries = [0, *sorted({number % (len(text) + 1) for number in numbers}), len(text)]
    return [text[start:stop] for start, stop in pairwise(boundaries)]


boundary_numbers = st.lists(st.integers(0, 200), max_size=8)


# -- the reference ------------------------------------------------------------------------------------------------


@given(corpora, recipes(), special_tokens)
def test_a_trace_ends_in_the_tokens(text: str, recipe: Recipe, specials: list[str]) -> None:
    tokenizer = trained(text, recipe, specials=specials).with_unknown_id(-1)  # for symbols that were pruned
    special_ids = set(tokenizer.special_tokens.values())
    id_of = {token: i for i, token in tokenizer.vocab.items() if i not in special_ids}
    traces = tokenizer.trace(text)
    last = [symbol for trace in traces for symbol in (trace.steps[-1].symbols if trace.steps else trace.symbols)]
    assert [id_of.get(symbol, -1) for symbol in last] == [i for i in tokenizer.encode(text) if i not in special_ids]
    for trace in traces:
        before = trace.symbols
        assert (trace.steps[-1].symbols if trace.steps else before) == tuple(
            encode_word(list(before), tokenizer.merges)
        )
        for step in trace.steps:
            assert tokenizer.merges[step.rank] == (step.left, step.right)
            assert step.symbols == tuple(encode_word(list(before), [(step.left, step.right)]))
            before = step.symbols


# -- nothing is lost ----------------------------------------------------------------------------------------------


@given(corpora, byte_recipes(), special_tokens, any_text)
def test_any_text_survives_every_byte_recipe(corpus: str, recipe: Recipe, specials: list[str], text: str) -> None:
    tokenizer = trained(corpus, recipe, specials=specials)
    text = f"{text}#{text}<|e|>{text}##ab"
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_spans_of_markers_and_dropped_spaces() -> None:
    suffix = train("low low", recipe="char-eow", num_merges=0).encoding("low  low")
    assert suffix.byte_spans == [(0, 1), (1, 2), (2, 3), (3, 3), (5, 6), (6, 7), (7, 8), (8, 8)]
    prefix = train("low low low", recipe="worked-example").encoding("low  low")
    assert prefix.byte_spans == [(0, 3), (4, 8)]


# -- streams ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cs336", "minbpe", "worked-example", "char-eow"])
@settings(max_examples=10)
@given(data=st.data())
def test_long_texts_in_chunks_encode_as_the_whole(name: str, data: st.DataObject) -> None:
    runs = st.lists(st.sampled_from([" " * 9000, "\n" * 5000, "a" * 9000, "low ", "<|e|>", "<|", "e|>", "你好"]))
    text = "".join(data.draw(runs))
    tokenizer = train(text + " low\n", recipe=name, num_merges=10, special_tokens=["<|e|>", "<|e|><|e|>"])
    rng = random.Random(data.draw(st.integers(0, 99)))
    numbers = [rng.randrange(len(text) + 1) for _ in range(20)]
    assert list(tokenizer.encode_iterable(chunks_of(text, numbers))) == tokenizer.encode(text)


@pytest.mark.slow
def test_a_stream_needs_bounded_memory() -> None:
    tokenizer = train(MANY_WORDS, num_merges=20)
    rng = random.Random(0)
    letters = "abcdefghijklmnopqrstuvwxyz"

    def lines() -> Iterator[str]:
        for _ in range(8_000):
            yield " ".join("".join(rng.choices(letters, k=5)) for _ in range(5)) + "\n"

    tracemalloc.start()
    count = sum(1 for _ in tokenizer.encode_iterable(lines()))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 150_000
    assert peak < 8_000_000


def test_a_stream_yields_ids_before_it_is_read_to_the_end() -> None:
    tokenizer = train(MANY_WORDS, num_merges=20)

    def endless() -> Iterator[str]:
        while True:
            yield "the cat sat "

    assert len(list(islice(tokenizer.encode_iterable(endless()), 1000))) == 1000


# -- as of a step -------------------------------------------------------------------------------------------------


@given(corpora, recipes(), st.integers(0, 30), special_tokens)
def test_at_equals_training_to_that_step(text: str, recipe: Recipe, position: int, specials: list[str]) -> None:
    recipe = recipe.with_changes(vocabulary="grow", id_order="merge-order")
    whole = trained(text, recipe, specials=specials)
    position = min(position, len(whole.merges))
    ids = whole.encode(text)  # its cache must not be used at the earlier step, nor the other way round
    earlier, fresh = whole.at(position), trained(text, recipe, position, specials)
    assert earlier.merges == fresh.merges
    assert earlier.merge_counts == fresh.merge_counts
    assert earlier.tokenize(text) == fresh.tokenize(text)
    if recipe.special_ids != "last":
        assert earlier.vocab == fresh.vocab
        assert earlier.encode(text) == fresh.encode(text)
    assert whole.at(len(whole.merges)).vocab == whole.vocab
    assert whole.encode(text) == ids
    assert [earlier.rank(token_id) for token_id in earlier.vocab] == [whole.rank(i) for i in earlier.vocab]
    assert {earlier.rank(token_id) for token_id in whole.vocab} == {None, *range(position)}


@pytest.mark.parametrize("position", [-1, 6])
def test_at_a_merge_that_does_not_exist(position: int) -> None:
    tokenizer = train("low low lower lowest", num_merges=5)
    with pytest.raises(
        TokenizerError, match=f"Merge {position} does not exist. The number of merges in this tokenizer is 5"
    ):
        tokenizer.at(position)


# -- lineage ------------------------------------------------------------------------------------------------------


@given(corpora, recipes())
def test_a_lineage_consists_of_merges_down_to_the_alphabet(text: str, recipe: Recipe) -> None:
    tokenizer = trained(text, recipe)

    def check(tree: Lineage) -> None:
        if not tree.parts:
            assert tree.rank is None
            return
        left, right = tree.parts
        assert left.bytes + right.bytes == tree.bytes
        assert tree.rank is not None and tokenizer.merges[tree.rank] == (left.bytes, right.bytes)
        check(left)
        check(right)

    for token_id, token in tokenizer.vocab.items():
        tree = tokenizer.lineage(token_id)
        assert (tree.id, tree.bytes, tree.rank) == (token_id, token, tokenizer.rank(token_id))
        check(tree)


def test_a_lineage_as_deep_as_there_are_merges() -> None:
    merges = [(b"a" * length, b"a") for length in range(1, 5000)]
    vocab = BYTES | {256 + i: left + right for i, (left, right) in enumerate(merges)}
    tree: Lineage = Tokenizer(vocab, merges).lineage(256 + 4998)
    depth = 0
    while tree.parts:
        tree, depth = tree.parts[0], depth + 1
    assert depth == 4999


@pytest.mark.parametrize("token_id", [256, -1, 2**40])
def test_an_id_that_does_not_exist_has_no_lineage(token_id: int) -> None:
    with pytest.raises(
        TokenizerError, match=r"No token has the id .*\. The ids of this vocabulary range from 0 to 255"
    ):
        Tokenizer(BYTES, []).lineage(token_id)


# -- special tokens -----------------------------------------------------------------------------------------------


@given(
    st.text(alphabet="ab.", max_size=12),  # a dot, which has a meaning in regular expressions
    st.lists(st.text("ab.", min_size=1, max_size=4), unique=True, max_size=4),
    boundary_numbers,
)
def test_special_tokens_across_chunks(text: str, specials: list[str], numbers: list[int]) -> None:
    special_tokens = SpecialTokens(specials)
    parts = list(special_tokens.split(text))
    assert "".join(part for part, _special in parts) == text
    assert [part for part, special in parts if special] == leftmost_longest(text, specials)
    streamed = list(special_tokens.split_stream(chunks_of(text, numbers)))
    assert "".join(part for part, _special in streamed) == text
    assert [part for part, special in streamed if special] == [part for part, special in parts if special]


def leftmost_longest(text: str, specials: list[str]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(text):
        longest = max((s for s in specials if text.startswith(s, at)), key=len, default=None)
        found += [longest] if longest else []
        at += len(longest) if longest else 1
    return found


def test_a_special_token_in_the_vocabulary_keeps_its_id() -> None:
    tokenizer = Tokenizer(BYTES | {256: b"<e>"}, [], ["<f>", "<e>"])
    assert tokenizer.special_tokens == {"<f>": 257, "<e>": 256}
    assert tokenizer.encode("<e><f>") == [256, 257]
    assert tokenizer.vocab[257] == b"<f>"


@pytest.mark.parametrize(
    ("specials", "sentence"),
    [
        (["a", ""], "number 2 is empty"),
        (["<e>", "<e>"], "'<e>' occurs twice"),
        (["\ud800"], "lone surrogate"),
        ({"<e>": 97}, "has the id 97, which already belongs to 'a'"),
        ({"<e>": 300, "<f>": 300}, "same id"),
        ({"<e>": -1}, "contains the id -1. Ids must be integers"),
        ({"<e>": "300"}, "contains the id '300'"),
        ({"": 300}, "is empty"),
        ({"\udfff": 300}, "lone surrogate"),
    ],
)
def test_special_tokens_that_are_refused(specials: list[str] | dict[str, int], sentence: str) -> None:
    with pytest.raises(TokenizerError, match=sentence):
        Tokenizer(BYTES, [], specials)


@pytest.mark.parametrize("name", [name for name, recipe in PRESETS.items() if recipe.special_text == "apart"])
def test_nothing_merges_across_a_special_token(name: str) -> None:
    text = "ab##ab ab##ab"
    tokenizer = train(text, recipe=name, special_tokens=["##"], num_merges=50)
    assert tokenizer.encode(text).count(tokenizer.special_tokens["##"]) == 2
    assert {token for token in tokenizer.vocab.values() if b"#" in token} <= {b"#", b"##"}


# -- errors -------------------------------------------------------------------------------------------------------


def test_a_symbol_without_an_id() -> None:
    tokenizer = Tokenizer({0: b"a"}, [], recipe="cs336-toy")
    with pytest.raises(TokenizerError, match=r"symbol '你' \(number 2 of the word 'a你' at character 3\) has no id"):
        tokenizer.encode("a  a你")
    lenient = tokenizer.with_unknown_id(0)
    assert lenient.encode("a你") == [0, 0]
    assert lenient.encoding("a你").byte_spans == [(0, 1), (1, 4)]
    with pytest.raises(TokenizerError):
        lenient.with_unknown_id(None).encode("你")


def test_an_unknown_id_must_exist() -> None:
    with pytest.raises(TokenizerError, match="unknown symbols, 999, is not in the vocabulary"):
        Tokenizer(BYTES, [], unknown_id=999).encode("a")


def test_unknown_symbols_can_be_marked_by_an_id_outside_the_vocabulary() -> None:
    marking = Tokenizer({0: b"a"}, [], recipe="cs336-toy").with_unknown_id(-1)
    assert marking.encode("a你") == [0, -1]
    with pytest.raises(TokenizerError, match="No token has the id -1"):
        marking.tokenize("a你")


def test_decoding_bytes_that_are_not_utf8() -> None:
    tokenizer = Tokenizer(BYTES, [])
    assert tokenizer.decode([97, 0xE4, 0xBD]) == "a\ufffd"
    assert tokenizer.decode([97, 0xE4, 0xBD], errors="ignore") == "a"
    with pytest.raises(TokenizerError, match="not valid UTF-8 at offset 1"):
        tokenizer.decode([97, 0xE4, 0xBD], errors="strict")


@pytest.mark.parametrize(
    ("vocab", "merges", "sentence"),
    [
        ({-1: b"a"}, [], "contains the id -1"),
        ({"a": b"a"}, [], "contains the id 'a'"),
        ({0: b"", 1: b""}, [], "id 1 is ''. Only one token may have no bytes"),
        ({0: "a"}, [], "id 0 is 'a'"),
        ({0: b"a"}, [(b"", b"a")], "merge of rank 0 has an empty part"),
    ],
)
def test_entries_that_are_refused(vocab: dict[int, bytes], merges: list[tuple[bytes, bytes]], sentence: str) -> None:
    with pytest.raises(TokenizerError, match=sentence):
        Tokenizer(vocab, merges)


def test_changing_returned_values_does_not_change_the_tokenizer() -> None:
    tokenizer = train("low low", num_merges=2)
    tokenizer.merges.clear()
    tokenizer.special_tokens["<e>"] = 1
    assert len(tokenizer.merges) == 2
    assert tokenizer.special_tokens == {}
    words = Corpus.from_text("low").count("cs336")
    assert train(words, num_merges=1).merges == [(b"o", b"w")]


@pytest.mark.parametrize("name", ["char-eow", "subword-nmt", "worked-example"])
def test_markers_decode_to_the_spaces_they_stand_for(name: str) -> None:
    text = "low lower lowest low"
    tokenizer = train(text, recipe=name)
    assert tokenizer.decode(tokenizer.encode(text)) == text


# -- equality, and short forms -------------------------------------------------------------------------------------


def test_tokenizers_are_equal_if_they_give_equal_ids() -> None:
    text = "low lower lowest newest widest " * 3
    one, same = (train(text, num_merges=8, special_tokens=["<e>"]) for _ in range(2))
    assert one == same and hash(one) == hash(same) and one is not same
    assert pickle.loads(pickle.dumps(one)) == one == one.changed()
    assert train(text, num_merges=20, special_tokens=["<e>"]).at(8) == one.at(8)
    assert one.at(5) == same.at(5) != one
    different = [
        one.at(7),
        one.with_unknown_id(3),
        one.obeying("none"),
        train(text, num_merges=8),
        train(text, num_merges=8, special_tokens=["<f>"]),
        train(text + "low lo ", num_merges=8, special_tokens=["<e>"]),
        train(text, num_merges=8, special_tokens=["<e>"], recipe="tiktoken"),
        "tokenizer",
    ]
    assert [one == other for other in different] == [False] * len(different)
    assert one != one.changed(merges=[*one.merges[:-2], *reversed(one.merges[-2:])])


def test_a_tokenizer_says_in_short_what_it_is() -> None:
    tokenizer = train("low lower lowest", num_merges=3, special_tokens=["<a>", "<b>", "<c>", "<d>"])
    assert len(tokenizer) == tokenizer.vocab_size == 263
    assert (
        repr(tokenizer) == "<Tokenizer: tokens 263, merges 3 of bytes, splitter 'gpt2', special tokens "
        "'<a>', '<b>', '<c>' and 1 more>"
    )
    assert "<th style='text-align:left'>tokens</th><td>263</td>" in tokenizer._repr_html_()
    assert "&lt;a&gt;" in tokenizer._repr_html_()
    assert bool(Tokenizer({}, [])) and len(Tokenizer({}, [])) == 0
