"""Live text: after any edits and with any tokenizers, its answers are those of its whole text."""

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    PRESETS,
    SPLITTERS,
    Block,
    EngineError,
    LiveText,
    Recipe,
    TokenArrays,
    Tokenizer,
    TrainingError,
    live_text,
    train,
)
from bpe_gui.engine.kernels.text import automaton
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.strategies import PLAIN_PRESETS, any_text
from tests.examples import examples

SPECIALS = ("<|e|>", "<|e|><|e|>", "w l", "#")
PIECES = (
    *SPECIALS,
    "low",
    " lower",
    " ",
    "   ",
    "\n",
    "'ll",
    "<|e",
    "|>",
    "你好",
    "é",
    "e\u0301",
    ",",
    "\x1c",
    "12",
    "a" * 30,
)
CORPUS = "low lower lowest 你好 é, 12 low lower 'll 你好"


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param):
        yield


@pytest.fixture(autouse=True, scope="module", params=[16, 64], ids=["blocks of 16", "blocks of 64"])
def block_size(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_text, "BLOCK", request.param)
        yield


# -- strategies ---------------------------------------------------------------------------------------------------

texts = st.lists(st.sampled_from(PIECES) | any_text, max_size=30).map("".join)
Action = tuple[str, int, int, str]
"""The name of an action, an offset, a length, and new text."""

offsets = st.integers(0, 400)
edits = st.tuples(st.just("replace"), offsets, st.sampled_from([0, 0, 1, 3, 20, 400]), texts)
tokenizer_changes = st.tuples(st.just("encode_with"), st.integers(0, 100), st.just(0), st.just(""))
encodings = st.tuples(
    st.sampled_from(["encode some", "encode_near", "encode all"]), offsets, st.integers(0, 50), st.just("")
)
action_lists = st.lists(edits | tokenizer_changes | encodings, max_size=12)
ranges = st.lists(st.tuples(offsets, st.integers(0, 60)), min_size=1, max_size=4)


@cache
def tokenizers() -> list[Tokenizer | None]:
    """Return tokenizers of every preset and of a custom pattern, with special tokens, obeyed or not, and without."""
    found: list[Tokenizer | None] = [None]
    for recipe in [*PRESETS.values(), Recipe(splitter="none"), Recipe(splitter=r"[a-z]+|\S")]:
        for specials in range(len(SPECIALS) + 1):
            whole = train(CORPUS, recipe=recipe, num_merges=12, special_tokens=SPECIALS[:specials]).with_unknown_id(-1)
            found += [whole, whole.at(len(whole.merges) // 2)]
        found.append(whole.obeying(SPECIALS[:1]))
    return found


def range_in(text: str, offset: int, length: int) -> tuple[int, int]:
    """Return a range of characters of a text, for any offset and length."""
    start = offset % (len(text) + 1)
    return start, min(len(text), start + length)


def in_bytes(text: str, characters: tuple[int, int]) -> tuple[int, int]:
    start, stop = characters
    return len(text[:start].encode()), len(text[:stop].encode())


def act(live: LiveText, text: str, action: Action) -> str:
    """Perform an action on a live text. Return its text afterwards."""
    name, offset, length, new = action
    start, stop = range_in(text, offset, length)
    match name:
        case "replace":
            live.replace(*in_bytes(text, (start, stop)), new.encode())
            return text[:start] + new + text[stop:]
        case "encode_with":
            live.encode_with(tokenizers()[offset % len(tokenizers())])
        case "encode some":
            for block in live.unencoded_blocks()[offset % 3 :: 2]:
                live.encode(block)
        case "encode all":
            for block in live.unencoded_blocks():
                live.encode(block)
        case "encode_near":
            live.encode_near(*in_bytes(text, (start, stop)))
    return text


# -- the definitions ----------------------------------------------------------------------------------------------


def encoded_ranges(live: LiveText) -> list[tuple[int, int]]:
    """Return the ranges of bytes whose tokens are known."""
    unencoded = live.unencoded_blocks()
    stops = list(accumulate(len(block.text) for block in live._blocks))
    return [(stop - len(b.text), stop) for b, stop in zip(live._blocks, stops, strict=True) if b not in unencoded]


def as_list(tokens: TokenArrays) -> list[tuple[int, int, int]]:
    return list(zip(tokens.ids.tolist(), tokens.starts.tolist(), tokens.stops.tolist(), strict=True))


def check(live: LiveText, text: str, queries: list[tuple[int, int]]) -> None:
    data = text.encode()
    assert (str(live), len(live), live.characters) == (text, len(data), len(text))
    assert b"".join(block for block, _tokens in live.snapshot()) == data
    for offset, length in queries:
        start, stop = range_in(text, offset, length)
        assert live.read(*in_bytes(text, (start, stop))) == text[start:stop].encode()
    tokenizer = live.tokenizer
    if tokenizer is None:
        assert not live.is_encoded
        assert live.known_tokens == 0
        assert live.tokens_in(0, len(data))[1].ids.tolist() == []
        assert live.word_starts_in(0, len(data)).tolist() == []
        return
    tokens = as_list(tokenizer.token_arrays(data))
    words = tokenizer.word_starts(data).tolist() if tokenizer.recipe.splitter in SPLITTERS else []
    encoded = encoded_ranges(live)
    # An empty token belongs to the byte before it.
    known = [n for n, (_, _, end) in enumerate(tokens) if any(start < end <= stop for start, stop in encoded)]
    first_unknown = next((n for n, index in enumerate(known) if n != index), len(known))
    assert live.is_encoded == (not live.unencoded_blocks())
    assert live.is_encoded <= (len(known) == len(tokens))
    assert live.known_tokens == first_unknown
    assert sum(len(found.ids) for _block, found in live.snapshot()) == len(known)
    assert live.tokens_without_id == sum(tokens[index][0] < 0 for index in known)
    for token_id in (-1, 5, tokens[0][0] if tokens else 0):
        assert live.count(token_id) == sum(tokens[index][0] == token_id for index in known)
    for offset, length in queries:
        first, last = offset % (first_unknown + 1), min(first_unknown, offset % (first_unknown + 1) + length)
        assert as_list(live.tokens(first, last)) == tokens[first:last]
        check_range(live, tokens, known, words, *in_bytes(text, range_in(text, offset, length)))


def check_range(
    live: LiveText, tokens: list[tuple[int, int, int]], known: list[int], words: list[int], start: int, stop: int
) -> None:
    in_range = [
        index
        for index, (_id, begin, end) in enumerate(tokens)
        if index in known and ((begin < stop and start < end) or (begin == end and start < end <= stop))
    ]
    # Tokens after a gap are left out.
    expected = [index for n, index in enumerate(in_range) if index == in_range[0] + n]
    first, found = live.tokens_in(start, stop)
    count = len(found.ids)
    assert live.count_in(start, stop) == (first, count)
    assert live.characters_in(start, stop) == len(live.read(start, stop).decode(errors="replace"))
    assert as_list(found) == [tokens[index] for index in expected[:count]]
    if any(begin <= start and stop <= end for begin, end in encoded_ranges(live)):
        assert count == len(expected)
    if count:
        assert first == (expected[0] if expected[0] < live.known_tokens else None)
    assert live.word_starts_in(start, stop).tolist() == [word for word in words if start <= word < stop]


# -- tests --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(texts, action_lists, ranges)
@settings(max_examples=examples(150))
def test_any_actions(text: str, actions: list[Action], queries: list[tuple[int, int]]) -> None:
    live = LiveText(text)
    check(live, text, queries)
    for action in actions:
        text = act(live, text, action)
        check(live, text, queries)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN_PRESETS)
@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from(PIECES), min_size=30, max_size=60).map("".join), st.lists(edits, max_size=8), ranges)
def test_a_text_that_is_encoded_after_every_edit(
    name: str, text: str, actions: list[Action], queries: list[tuple[int, int]]
) -> None:
    tokenizer = next(
        t for t in tokenizers() if t and t.recipe.preset == name and len(t.special_tokens) == len(SPECIALS)
    )
    live = LiveText(text)
    live.encode_with(tokenizer)
    for action in [("encode all", 0, 0, ""), *actions]:
        text = act(live, text, action)
        live.encode_near(0, len(live))
        assert live.is_encoded
        check(live, text, queries)


def test_an_edit_replaces_only_the_blocks_near_it() -> None:
    live = LiveText("lower lowest " * 100)
    live.encode_with(tokenizers()[1])
    live.encode_near(0, len(live))
    for offset in (0, 600, len(live)):
        live.replace(offset, offset, b"low ")
        assert 1 <= len(live.unencoded_blocks()) <= 12
        assert all(offset - 150 < start < offset + 150 for start in unencoded_starts(live))
        live.encode_near(0, len(live))


def unencoded_starts(live: LiveText) -> list[int]:
    """Return the offsets of the blocks whose tokens are not known."""
    unencoded = live.unencoded_blocks()
    starts = accumulate((len(block.text) for block in live._blocks), initial=0)
    return [start for block, start in zip(live._blocks, starts, strict=False) if block in unencoded]


@pytest.mark.slow
def test_a_special_token_that_is_typed_and_broken_across_the_end_of_a_block() -> None:
    text = "low lower " * 8 + "<|lower lower|>" + " lower low" * 8
    live = LiveText(text)
    live.encode_with(train(CORPUS, special_tokens=["<|lower lower|>"]))
    for offset in range(75, 100):
        for new in ("", "x ", "<|lower lower|>"):
            live.replace(offset, offset + 1, new.encode())
            changed = text[:offset] + new + text[offset + 1 :]
            check(live, changed, [(0, 400)])
            live.encode_near(0, len(live))
            check(live, changed, [(0, 400), (offset, 10)])
            live.replace(offset, offset + len(new), text[offset : offset + 1].encode())
            check(live, text, [(0, 400)])


def test_nothing_waits_for_an_expression_that_took_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "_MAX_READ_AHEAD", 1 << 16)  # in plain Python, where it takes a minute otherwise
    live = LiveText("a" * 40_000)
    live.encode_with(Tokenizer({97: b"a"}, [], recipe=Recipe(splitter="a+b|a")))
    [block] = live.unencoded_blocks()
    with pytest.raises(TrainingError, match="takes too long"):
        live.encode(block)
    live.replace(0, 39_990, b"")
    live.encode_near(0, 10)
    assert live.word_starts_in(0, 10).tolist() == live.words_in(0, 10).starts.tolist() == []
    [block] = live.unencoded_blocks()
    live.encode(block)
    assert live.known_tokens == 10


def test_encoding_near_does_not_wait_for_a_large_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_text, "_QUICK_BYTES", 100)
    live = LiveText("low " + "a" * 200 + " low")
    live.encode_with(train(CORPUS))
    live.encode_near(0, len(live))
    assert [len(block.text) > 100 for block in live.unencoded_blocks()] == [True]
    assert live.tokens_in(0, len(live))[0] == (0 if unencoded_starts(live)[0] else None)


def test_a_symbol_without_an_id_leaves_its_block_without_tokens() -> None:
    live = LiveText("lower " * 40 + "z")
    live.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w", b"e", b"r", b" "])), []))
    with pytest.raises(EngineError, match="'z'"):
        live.encode_near(0, len(live))
    assert [b"z" in block.text for block in live.unencoded_blocks()] == [True]


def test_a_thread_that_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tokens are those of an earlier tokenizer, or belong to a block that is no longer in the text."""
    first, second = (tokenizer for tokenizer in tokenizers()[1:3] if tokenizer)
    live = LiveText("lower lowest " * 20)
    live.encode_with(first)
    late = live.unencoded_blocks()[0]
    encode = Tokenizer.token_arrays

    def encode_slowly(tokenizer: Tokenizer, text: bytes) -> TokenArrays:
        tokens = encode(tokenizer, text)
        if tokenizer is first:
            live.encode_with(second)
            live.encode(late)
        return tokens

    monkeypatch.setattr(Tokenizer, "token_arrays", encode_slowly)
    thread = Thread(target=live.encode, args=[late])
    thread.start()
    thread.join()
    assert np.array_equal(late.tokens.ids, encode(second, late.text).ids)
    assert live.known_tokens == len(late.tokens.ids)
    live.replace(0, 5, b"x")
    live.encode(Block(late.text))
    assert live.known_tokens == 0
    assert late not in live.unencoded_blocks()


@pytest.mark.parametrize("splitter", [*sorted(SPLITTERS), r"[a-z]+|\S"])
def test_the_word_at_an_offset(splitter: str) -> None:
    """It goes up to the start of the next word or the end of the block; a block need not begin with a word."""
    text = "low  lower, 你好 <|e|> 12\n\nlowest'll  " * 3
    live, tokenizer = LiveText(text), train(CORPUS, recipe=Recipe(splitter=splitter), special_tokens=["<|e|>"])
    assert live.word_at(0) == b""
    live.encode_with(tokenizer)
    data, boundaries = text.encode(), [0, *accumulate(len(block.text) for block in live._blocks)]
    starts = sorted({*boundaries, *tokenizer.word_starts(data).tolist()})
    for offset in range(len(data)):
        index = sum(start <= offset for start in starts)
        assert live.word_at(offset) == data[starts[index - 1] : starts[index]]
    assert live.word_at(len(data)) == data[starts[-2] :]


def test_words_are_not_searched_for_in_a_large_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_text, "_QUICK_BYTES", 100)
    live = LiveText("a" * 101)
    live.encode_with(train(CORPUS))
    assert live.word_at(50) == b""
    live.replace(0, 1, b"")
    assert live.word_at(50) == b"a" * 100
    live.replace(0, 100, b"")
    assert live.word_at(0) == b""


@pytest.mark.parametrize("span", [(1, 3), (0, 4), (3, 7), (-1, 0), (3, 0)])
def test_an_edit_that_would_split_a_character_is_refused(span: tuple[int, int]) -> None:
    live = LiveText("你好")
    with pytest.raises(EngineError, match="not whole characters of this text"):
        live.replace(*span, b"x")
    assert str(live) == "你好"


def test_layers_of_a_text_share_its_bytes_and_not_its_edits() -> None:
    live = LiveText("low lower newest 你好 " * 5000)
    live.encode_with(train("low lower", num_merges=2))
    live.encode_near(0, 10)
    layer = live.layer()
    assert layer.tokenizer is None and layer.known_tokens == 0
    layer.encode_with(train("low lower newest", num_merges=6))
    shared = zip(layer.unencoded_blocks(), live.snapshot(), strict=True)
    assert all(block.text is text for block, (text, _tokens) in shared)
    before = str(live)
    live.replace(0, 3, b"")
    assert str(layer) == before
    layer.replace(len(layer), len(layer), b"!")
    assert str(live) == before[3:]
