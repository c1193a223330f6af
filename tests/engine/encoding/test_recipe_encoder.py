"""Encoding by a recipe: as defined, whatever the merges, the text, the capacities and the way kernels run."""

import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, EngineError, Recipe, Tokenizer, TokenizerError, Trainer, is_compiled, train
from bpe_gui.engine.compilation.kernel import has_builtins
from bpe_gui.engine.encoding import encoding_worker, kernel_encoder
from bpe_gui.engine.kernels.text import word_table
from bpe_gui.engine.vocabulary import encoding_tables
from bpe_gui.engine.vocabulary.encoding_tables import EncodingTables
from bpe_gui.engine.vocabulary.tracing import merged_symbols
from tests.engine.support.definition import ids_of, tokens_of
from tests.engine.support.exercise import small_encoding_arrays
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strange_tokenizers import BYTES, CHARACTERS, texts, tokenizers
from tests.engine.support.strategies import PLAIN_PRESETS, corpora, recipes
from tests.examples import examples


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param), pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding_tables, "_INITIAL_CAPACITY", 1)  # so that tables are enlarged
        yield request.param


def streamed(tokenizer: Tokenizer) -> Callable[[str], list[int]]:
    """Return a function that encodes a text in chunks of one character."""
    return lambda text: list(tokenizer.encode_iterable(text))


def check(tokenizer: Tokenizer, text: str) -> None:
    """Check every way of encoding against the definition, with a tokenizer that gives -1 for symbols without an id."""
    expected = tokens_of(tokenizer, text)
    ids = [token_id for token_id, _start, _stop in expected]
    assert tokenizer.encode(text) == ids
    encoding = tokenizer.encoding(text)
    assert encoding.ids == ids
    assert encoding.byte_spans == [(start, stop) for _id, start, stop in expected]
    strict = tokenizer.with_unknown_id(None)
    if -1 not in ids:
        assert strict.encode(text) == ids
    else:
        for encode in (strict.encode, strict.encoding, streamed(strict)):
            with pytest.raises(TokenizerError, match="has no id"):
                encode(text)


# -- the definition -----------------------------------------------------------------------------------------------


def test_a_longer_text_gets_more_room_in_a_splitter_that_reads_it_backward() -> None:
    tokenizer = train("low, low lower", recipe=Recipe(splitter=r"\w+(?=\s*,)|\w+|\s+|."), num_merges=3)
    for size in (1, 100, 2):
        check(tokenizer.with_unknown_id(-1), "low, lower " * size)


@pytest.mark.slow
@given(tokenizers(), texts)
@settings(max_examples=examples(300))
def test_any_tokenizer_encodes_as_defined(tokenizer: Tokenizer, text: str) -> None:
    check(tokenizer, text)
    with small_encoding_arrays():
        check(tokenizer, text)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN_PRESETS)
@settings(max_examples=examples(60))
@given(corpora, texts, st.booleans())
def test_every_preset_encodes_as_defined(name: str, corpus: str, text: str, is_tight: bool) -> None:
    try:
        tokenizer = train(corpus, recipe=name, num_merges=30, special_tokens=["<a>", "<a><a>", "ab"])
    except EngineError:
        assume(False)
    check(tokenizer.with_unknown_id(-1), text)
    if is_tight:
        with small_encoding_arrays():
            check(tokenizer.with_unknown_id(-1), corpus + text)


@pytest.mark.parametrize(
    ("merges", "word", "tokens"),
    [
        ([("ab", "c"), ("a", "b")], "abc", ["abc"]),  # a later merge makes the left token
        ([("bc", "d"), ("a", "b"), ("b", "c")], "abcd", ["ab", "c", "d"]),
        ([("a", "b"), ("b", "c"), ("a", "b")], "abc", ["ab", "c"]),  # a merge that is repeated
        ([("a", "a"), ("aa", "a"), ("aa", "aa")], "aaaaa", ["aa", "aaa"]),
        ([("a", "a"), ("a", "aa")], "aaa", ["aa", "a"]),
        ([("ab", "c"), ("a", "bc"), ("b", "c"), ("a", "b")], "abc", ["abc"]),  # two merges that make the same token
        ([("x", "y"), ("xy", "ab"), ("a", "b")], "ab", ["ab"]),  # tokens that never come up
    ],
)
@pytest.mark.parametrize("times", [1, 20], ids=["short", "long"])
def test_merges_no_training_would_give(merges: list[tuple[str, str]], word: str, tokens: list[str], times: int) -> None:
    pairs = [(left.encode(), right.encode()) for left, right in merges]
    made = dict.fromkeys(left + right for left, right in pairs)
    tokenizer = Tokenizer(BYTES | dict(enumerate(made, 300)), pairs, recipe=Recipe(splitter="none"))
    assert tokenizer.tokenize("!".join([word] * times)) == [t.encode() for t in [*tokens, "!"] * times][:-1]


def test_the_error_for_a_lone_surrogate_has_its_index() -> None:
    for recipe in ("cs336", "zh-en"):
        tokenizer = Tokenizer(BYTES, [], recipe=recipe)
        for encode in (tokenizer.encode, tokenizer.encoding, tokenizer.trace, streamed(tokenizer)):
            with pytest.raises(TokenizerError, match=r"lone surrogate \(U\+D800\) at index 2"):
                encode("aa\ud800")


def test_a_lone_surrogate_far_into_a_text_has_its_index() -> None:
    text = "é a 你 " * 30_000  # longer than the pieces in which a text is converted
    with pytest.raises(TokenizerError, match=rf"lone surrogate \(U\+D800\) at index {len(text):,}"):
        Tokenizer(BYTES, []).encode(text + "\ud800 a")


def test_an_unknown_symbol_far_into_a_text_has_its_place() -> None:
    text, vocab = "é a\n" * 30_000, {token_id: token for token_id, token in BYTES.items() if token != b"b"}
    with pytest.raises(TokenizerError, match=rf"number 1 of the word 'b' at character {len(text):,}\) has no id"):
        Tokenizer(vocab, []).encode(text + "b")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_text_with_more_tokens_than_a_small_output(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding_worker, "_SMALL_OUTPUT", 1_000)
    text = "é a 你 " * 10_000
    for given_text in (text, text.encode()):
        ids = Tokenizer(BYTES, []).encode_array(given_text, threads)
        assert bytes(ids.tolist()) == text.encode()


# -- sizes at which the algorithm changes ------------------------------------------------------------------------

SIZES = [*range(1, 12), 15, 16, 17, 31, 32, 33, *range(46, 51), 63, 64, 65, 127, 128, 129, 200]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cs336", "o200k words", "char-eow", "worked-example"])
@pytest.mark.parametrize("unit", ["a", "é", "aaé"])
def test_words_of_every_size(name: str, unit: str) -> None:
    recipe = Recipe(splitter="o200k") if name.startswith("o200k") else Recipe.of(name)
    merges = [("a", "a"), ("aa", "aa"), ("a", "b"), ("ab", "ab"), ("é", "é"), ("aa", "é")]
    pairs = [(left.encode(), right.encode()) for left, right in merges]
    if recipe.units == "bytes":
        pairs.append((b"\xc3", b"\xa9"))
    units = [unit.encode() for unit in CHARACTERS]
    tokens = dict.fromkeys([*BYTES.values(), *units, *(left + right for left, right in pairs), b"a</w>"])
    tokenizer = Tokenizer(dict(enumerate(tokens)), pairs, recipe=recipe).with_unknown_id(-1)
    for size in SIZES:
        word = (unit * size)[:size]
        text = f"{word} {word}b {word}"  # the last one from the cache
        ids, starts, stops = (array.tolist() for array in tokenizer.token_arrays(text.encode()))
        assert list(zip(ids, starts, stops, strict=True)) == tokens_of(tokenizer, text)
        assert tokenizer.encode(text) == ids


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 30])
def test_words_that_the_cache_forgets(size: int) -> None:
    words = [f"{number:0{size}d}"[::-1] + "ab" for number in range(800)]
    text = " ".join(words * 2)
    tokenizer = Tokenizer(BYTES | {256: b"ab", 257: b"00"}, [(b"a", b"b"), (b"0", b"0")])
    expected = [i for word in text.split(" ") for i in [32, *ids_of(tokenizer, word)]][1:]
    with small_encoding_arrays():
        assert tokenizer.encode(text) == expected
        assert tokenizer.encode(text) == expected
        assert tokenizer.at(1).encode("00ab " + text)[:4] == [48, 48, 256, 32]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "".join(f" {number}lo" for number in range(200)),  # more new words than are merged at a time
        " lo" * 600,  # more gaps than there is capacity for
        " lo" * 300 + " new" + " lo" * 20_000 + " new",  # more after a gap than is buffered
        " new" + "<a>" * 20_000 + "new",
        " new" + "lo" * 100 + " new",  # a word that is merged alone
        " new" + "lo" * 40_000 + " new",
    ],
    ids=["many words", "many gaps", "far", "specials", "long word", "longer word"],
)
def test_words_that_are_left_out_and_written_later(text: str) -> None:
    tokenizer = Tokenizer(BYTES | {256: b"lo", 257: b" lo"}, [(b"l", b"o"), (b" ", b"lo")], ["<a>"])
    ids = {token.decode("latin-1"): token_id for token_id, token in tokenizer.vocab.items()}
    assert tokenizer.encode(text) == [ids[token] for token in re.findall("<a>| ?lo|.", text)]


def test_words_of_the_same_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long words with the same hash and size are compared byte by byte. Compiled code keeps its own hash."""
    monkeypatch.setattr(word_table, "_hash_of", lambda text, at, size: 7)
    tokenizer = Tokenizer(BYTES | {256: b"ab"}, [(b"a", b"b")])
    text = " ".join(["ab" * 10, "ba" * 10, "ab" * 9 + "ba", "ab" * 11] * 2)
    assert tokenizer.encode(text) == ids_of(tokenizer, text)


def test_texts_that_end_at_every_offset_of_a_block() -> None:
    tokenizer = Tokenizer(BYTES | {256: b"lo", 257: b" lo"}, [(b"l", b"o"), (b" ", b"lo")], ["<a>", "<a><a>"])
    whole = "lo lo<a><a> lolo你好é  lo's<a 12345\n\n lo" + "lo" * 30 + "<a><a><a>" + " " * 20 + "lo 😀"
    with small_encoding_arrays():
        for end in range(len(whole)):
            assert tokenizer.encode(whole[:end]) == ids_of(tokenizer, whole[:end])


# -- streams and threads ------------------------------------------------------------------------------------------


@given(tokenizers(), texts, st.integers(1, 30), st.booleans())
def test_chunks_of_every_size_encode_as_the_whole(tokenizer: Tokenizer, text: str, size: int, is_tight: bool) -> None:
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    expected = ids_of(tokenizer, text)
    assert list(tokenizer.encode_iterable(chunks)) == expected
    with small_encoding_arrays():
        assert list(tokenizer.encode_iterable([*chunks, ""])) == expected


@given(tokenizers(), st.lists(texts, min_size=1, max_size=4).map("a ".join))
def test_several_threads_encode_as_one_does(tokenizer: Tokenizer, text: str) -> None:
    expected = tokenizer.encode(text)
    with small_encoding_arrays():
        for threads in (1, 2, 3, 4, 50):
            assert tokenizer.encode_array(text, threads).tolist() == expected
            assert tokenizer.encode_array(text.encode(), threads).tolist() == expected


@pytest.mark.parametrize("special", ["<|a b|>", "a b", "a #a #"])
def test_threads_never_split_a_special_token(special: str) -> None:
    """The chunk of a thread would begin inside the token, at each offset in turn, and there is no other boundary."""
    tokenizer = Tokenizer(BYTES, [], [special])
    with small_encoding_arrays():
        for before in range(100, 140):
            text = "x" * before + special + "c" * 120
            assert tokenizer.encode_array(text, 2).tolist() == ids_of(tokenizer, text)


def test_large_texts_are_encoded_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_encoder, "_THREAD_WORK", 10)
    tokenizer = train("low lower lowest 你好", num_merges=9, special_tokens=["<a>"])
    text = "low <a>lower 你好 lowest " * 40
    assert tokenizer.encode(text) == ids_of(tokenizer, text)


def test_an_error_in_a_thread_has_the_index_in_the_whole_text() -> None:
    tokenizer = Tokenizer({1: b"a", 2: b" "}, [])
    with small_encoding_arrays():
        for threads in (1, 2, 3):
            with pytest.raises(TokenizerError, match=r"'z' \(number 2 of the word ' z' at character 149\)"):
                tokenizer.encode_array("aa " * 50 + "z" + " aa" * 50, threads)
            with pytest.raises(TokenizerError, match=r"U\+D800\) at index 151,"):
                tokenizer.encode_array("aa " * 50 + "a\ud800" + " aa" * 50, threads)


def test_an_error_in_bytes_counts_in_characters() -> None:
    tokenizer = Tokenizer({1: b"a", 2: b" "}, [])
    with small_encoding_arrays():
        for threads in (1, 2, 3):
            with pytest.raises(TokenizerError, match=r"number 2 of the word ' é' at character 149\)"):
                tokenizer.encode_array(("aa " * 50 + "é" + " aa" * 50).encode(), threads)


@given(tokenizers(), st.lists(texts, min_size=1, max_size=4).map("a ".join), st.binary(max_size=6), st.integers(0, 200))
def test_bytes_that_are_not_utf8(tokenizer: Tokenizer, text: str, inserted: bytes, offset: int) -> None:
    data = text.encode()
    data = data[:offset] + inserted + data[offset:]
    with small_encoding_arrays():
        for threads in (1, 2, 3):
            try:
                expected = ids_of(tokenizer, data.decode())
            except UnicodeDecodeError as error:
                message = f"0x{data[error.start]:02X} at offset {error.start} is not part of a character"
                with pytest.raises(TokenizerError, match=message):
                    tokenizer.encode_array(data, threads)
            else:
                assert tokenizer.encode_array(data, threads).tolist() == expected


@pytest.mark.parametrize("data", [b"\x80" * 300, b"ab " * 60 + b"\x80" * 200 + b" ab" * 60, b"\xf0" * 300])
def test_bytes_that_begin_no_character(data: bytes) -> None:
    tokenizer = Tokenizer(BYTES, [])
    with small_encoding_arrays():
        for threads in (1, 2, 3):
            with pytest.raises(TokenizerError, match="is not part of a character"):
                tokenizer.encode_array(data, threads)


# -- long words ---------------------------------------------------------------------------------------------------


def doubling(first: tuple[bytes, bytes], times: int) -> Tokenizer:
    """Return a tokenizer whose merges make one token, then two of that, two of that, and so on."""
    merges = [first]
    for _ in range(times):
        merges.append((b"".join(merges[-1]),) * 2)
    return Tokenizer(BYTES | {256 + n: b"".join(pair) for n, pair in enumerate(merges)}, merges)


def doublings_in_run(units: int, times: int) -> list[int]:
    """Return the doublings behind each token of a run of `units` units, which is merged from the left."""
    return [times] * (units >> times) + [bit for bit in reversed(range(times)) if units >> bit & 1]


@pytest.fixture
def length(way: str) -> int:
    """Return a number of characters for which a quadratic algorithm would take forever."""
    return 1 << (21 if way == "compiled" else 16)


@pytest.mark.slow
def test_a_run_of_one_letter(length: int) -> None:
    tokenizer = doubling((b"a", b"a"), 7)
    ids = [n + 255 if n else 97 for n in doublings_in_run(length + 91, 8)]
    assert tokenizer.encode("a" * (length + 91)) == ids


@pytest.mark.slow
def test_a_run_of_two_letters(length: int) -> None:
    tokenizer = doubling((b"a", b"b"), 8)
    assert tokenizer.encode("ab" * (length // 2 + 91)) == [n + 256 for n in doublings_in_run(length // 2 + 91, 8)]


def trained_on_letters() -> Tokenizer:
    return train(letters(20_000), num_merges=300)


def letters(count: int) -> str:
    """Return `count` letters without a space, drawn at random from four."""
    return np.random.default_rng(count).integers(97, 101, count, np.uint8).tobytes().decode()


@pytest.mark.slow
def test_random_letters_without_a_space(length: int) -> None:
    tokenizer = trained_on_letters()
    ids = tokenizer.encode(letters(length))
    assert tokenizer.decode(ids) == letters(length)
    merges = set(tokenizer.merges)
    assert not any(pair in merges for pair in pairwise(map(tokenizer.vocab.__getitem__, ids)))


@pytest.mark.slow
def test_a_long_word_is_merged_in_order() -> None:
    tokenizer, word = trained_on_letters(), letters(30_000)
    symbols = [letter.encode() for letter in word]
    ranks = {pair: rank for rank, pair in enumerate(tokenizer.merges)}
    assert tokenizer.tokenize(word) == merged_symbols(symbols, ranks, len(ranks))


# -- as of a step -------------------------------------------------------------------------------------------------


def fresh(tokenizer: Tokenizer, position: int, vocab: dict[int, bytes]) -> Tokenizer:
    """Return a tokenizer with the first `position` merges that shares nothing with the other."""
    merges = tokenizer.merges[:position]
    other = Tokenizer(vocab, merges, tokenizer.special_tokens, recipe=tokenizer.recipe)
    return other.with_unknown_id(-1)


@given(tokenizers(), texts, st.lists(st.integers(0, 25), min_size=1, max_size=8))
def test_steps_in_any_order(tokenizer: Tokenizer, text: str, positions: list[int]) -> None:
    last = len(tokenizer.merges)
    for position in (min(position, last) for position in positions):
        expected = ids_of(fresh(tokenizer, position, tokenizer.vocab), text)
        earlier = tokenizer.at(position)
        assert earlier.encode(text) == expected
        assert list(earlier.encode_iterable(text)) == expected
        assert earlier.encoding(text).ids == expected


@pytest.mark.slow
@given(corpora, recipes(), texts, st.lists(st.integers(0, 30), min_size=2, max_size=8))
def test_a_run_that_goes_on_and_back(corpus: str, recipe: Recipe, text: str, positions: list[int]) -> None:
    try:
        trainer = Trainer(Corpus.from_text(corpus).count(recipe, ["<a>"]), recipe)
    except EngineError:
        assume(False)
    text = corpus + text
    before: list[tuple[Tokenizer, list[int]]] = []
    for position in positions:
        trainer.seek(position)
        tokenizer = trainer.tokenizer().with_unknown_id(-1)
        ids = tokenizer.encode(text)
        assert ids == ids_of(fresh(tokenizer, trainer.position, tokenizer.vocab), text)
        before.append((tokenizer, ids))
        for earlier, its_ids in before:
            assert earlier.encode(text) == its_ids


@given(tokenizers(), texts, st.integers(0, 25))
def test_merges_that_are_appended(tokenizer: Tokenizer, text: str, known: int) -> None:
    """Many symbols come at once. The initial symbols of words are in the store from the beginning."""
    merges = tokenizer.merges
    products = (left + right for left, right in merges[known:])
    made = {token for token in products if len(token.removesuffix(b"</w>")) > 1}
    old = {i: token for i, token in tokenizer.vocab.items() if token not in made}
    new = {i: token for i, token in tokenizer.vocab.items() if token in made}
    many = {1_000_000 + number: b"\xff" + str(number).encode() for number in range(1 << 11)}
    first = Tokenizer(old, merges[:known], tokenizer.special_tokens, recipe=tokenizer.recipe).with_unknown_id(-1)
    ids = ids_of(first, text)
    assert first.encode(text) == ids
    first.store.append(merges[known:], many | new)
    whole = first.at(len(merges))
    assert whole.encode(text) == ids_of(tokenizer, text)
    assert first.encode(text) == ids


def words_with_merges() -> tuple[Tokenizer, str]:
    """Return a tokenizer with many merges, and a text."""
    words = np.random.default_rng(0).integers(97, 107, (3000, 6), np.uint8)
    text = " ".join(word.tobytes().decode() for word in words)
    return train(text, num_merges=400), text[:5000]


@pytest.mark.slow
def test_threads_that_encode_at_different_steps() -> None:
    tokenizer, text = words_with_merges()
    positions = [*range(0, 400, 37)] * 3
    expected = [Tokenizer(tokenizer.vocab, tokenizer.merges[:position]).encode(text) for position in positions]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda position: tokenizer.at(position).encode(text), positions)) == expected
    finally:
        sys.setswitchinterval(interval)


def test_another_thread_encodes_at_another_step_before_functions_are_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One worker makes the functions for both, and only the last ones are of use."""
    others: list[int] = []

    class InterruptedList(list[Any]):
        def append(self, worker: Any) -> None:
            super().append(worker)
            if steps := others[:]:
                others.clear()  # so that what is encoded here is not interrupted
                tokenizer.at(steps.pop()).encode(text)
                others.extend(steps)

    class Shared(kernel_encoder._Shared):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            vars(self)["short_workers"] = InterruptedList()

    monkeypatch.setattr(kernel_encoder, "_Shared", Shared)
    tokenizer, text = words_with_merges()
    text = text[:60]
    expected = [Tokenizer(tokenizer.vocab, tokenizer.merges[:position]).encode(text) for position in (0, 200, 400)]
    assert [tokenizer.at(position).encode(text) for position in (0, 200, 400)] == expected
    others += [400, 400]
    assert tokenizer.at(200).encode(text) == expected[1]
    assert not others or not is_compiled() or not has_builtins()
    assert tokenizer.at(0).encode(text) == expected[0]


@pytest.mark.slow
def test_a_thread_that_encodes_while_tables_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for them. More merges can be appended afterwards, and their tokens have ids."""
    whole, text = words_with_merges()
    known = 200
    made = {left + right for left, right in whole.merges[known:]}
    old = {i: token for i, token in whole.vocab.items() if token not in made}
    new = {i: token for i, token in whole.vocab.items() if token in made}
    first = Tokenizer(old, whole.merges[:known])
    expected = first.encode(text), whole.encode(text)
    first = Tokenizer(old, whole.merges[:known]).at(known)  # one that has no tables yet
    found: list[Any] = []
    symbols_of = EncodingTables._symbols_of

    def add_while_another_thread_encodes(tables: EncodingTables, tokens: Any) -> Any:
        if not thread.ident:
            thread.start()
            thread.join(0.3)
        return symbols_of(tables, tokens)

    thread = Thread(target=lambda: found.append(first.encode(text)))
    monkeypatch.setattr(EncodingTables, "_symbols_of", add_while_another_thread_encodes)
    found.append(first.encode(text))
    thread.join()
    assert found == [expected[0]] * 2
    first.store.append(whole.merges[known:], new)
    assert first.at(len(whole.merges)).encode(text) == expected[1]
