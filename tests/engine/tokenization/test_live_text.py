"""A live text: after any edits and with any tokenizers, what it tells of itself is what its whole text says."""

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import PRESETS, SPLITTERS, EngineError, Recipe, Tokenizer, live_text, train
from bpe_gui.engine.tokenization.results import TokenArrays
from bpe_gui.engine.live_text import Block, LiveText

from tests.engine.support.modes import MODES, running
from tests.engine.support.strategies import any_text

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


@pytest.fixture(autouse=True, scope="module", params=MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    with running(request.param):
        yield


@pytest.fixture(autouse=True, scope="module", params=[16, 64], ids=["blocks of 16", "blocks of 64"])
def block_size(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_text, "BLOCK", request.param)
        yield


# -- what is drawn ------------------------------------------------------------------------------------------------

texts = st.lists(st.sampled_from(PIECES) | any_text, max_size=30).map("".join)
places = st.integers(0, 400)
edits = st.tuples(st.just("replace"), places, st.sampled_from([0, 0, 1, 3, 20, 400]), texts)
changes = st.tuples(st.just("encode_with"), st.integers(0, 100), st.just(0), st.just(""))
some = st.tuples(st.sampled_from(["encode some", "encode_near", "encode all"]), places, st.integers(0, 50), st.just(""))
actions = st.lists(edits | changes | some, max_size=12)
ranges = st.lists(st.tuples(places, st.integers(0, 60)), min_size=1, max_size=4)


@cache
def tokenizers() -> list[Tokenizer | None]:
    """Of every preset, with special tokens and without, as of several steps; and of a pattern of somebody's own."""
    found: list[Tokenizer | None] = [None]
    for recipe in [*PRESETS.values(), Recipe(splitter="none"), Recipe(splitter=r"[a-z]+|\S")]:
        for specials in range(len(SPECIALS) + 1):
            whole = train(CORPUS, recipe=recipe, num_merges=12, special_tokens=SPECIALS[:specials]).with_unknown_id(-1)
            found += [whole, whole.at(len(whole.merges) // 2)]
    return found


def between(text: str, place: int, length: int) -> tuple[int, int]:
    """Two places between characters of a text."""
    start = place % (len(text) + 1)
    return start, min(len(text), start + length)


def in_bytes(text: str, places: tuple[int, int]) -> tuple[int, int]:
    start, stop = places
    return len(text[:start].encode()), len(text[:stop].encode())


def act(live: LiveText, text: str, action: tuple[str, int, int, str]) -> str:
    """Do something to a live text. Returns what its text is then."""
    what, place, length, new = action
    start, stop = between(text, place, length)
    match what:
        case "replace":
            live.replace(*in_bytes(text, (start, stop)), new.encode())
            return text[:start] + new + text[stop:]
        case "encode_with":
            live.encode_with(tokenizers()[place % len(tokenizers())])
        case "encode some":
            for block in live.missing()[place % 3 :: 2]:
                live.encode(block)
        case "encode all":
            for block in live.missing():
                live.encode(block)
        case "encode_near":
            live.encode_near(*in_bytes(text, (start, stop)))
    return text


# -- the definitions ----------------------------------------------------------------------------------------------


def known_parts(live: LiveText) -> list[tuple[int, int]]:
    """The bytes of which the tokens are known."""
    missing = live.missing()
    stops = list(accumulate(len(block.text) for block in live._blocks))
    return [(stop - len(b.text), stop) for b, stop in zip(live._blocks, stops, strict=True) if b not in missing]


def taken(tokens: TokenArrays) -> list[tuple[int, int, int]]:
    return list(zip(tokens.ids.tolist(), tokens.starts.tolist(), tokens.stops.tolist(), strict=True))


def check(live: LiveText, text: str, queries: list[tuple[int, int]]) -> None:
    data = text.encode()
    assert (str(live), len(live), live.characters) == (text, len(data), len(text))
    assert b"".join(part for part, _tokens in live.parts()) == data
    for place, length in queries:
        start, stop = between(text, place, length)
        assert live.read(*in_bytes(text, (start, stop))) == text[start:stop].encode()
    tokenizer = live.tokenizer
    if tokenizer is None:
        assert not live.is_encoded
        assert live.known() == 0
        assert live.tokens_in(0, len(data))[1].ids.tolist() == []
        assert live.word_starts_in(0, len(data)).tolist() == []
        return
    tokens = taken(tokenizer.token_arrays(data))
    words = tokenizer.word_starts(data).tolist() if tokenizer.recipe.splitter in SPLITTERS else []
    parts = known_parts(live)
    # A token that covers nothing belongs to what is before it.
    numbers = [n for n, (_, _, end) in enumerate(tokens) if any(start < end <= stop for start, stop in parts)]
    first_unknown = next((n for n, number in enumerate(numbers) if n != number), len(numbers))
    assert live.is_encoded == (not live.missing())
    assert live.is_encoded <= (len(numbers) == len(tokens))
    assert live.known() == first_unknown
    assert sum(len(found.ids) for _part, found in live.parts()) == len(numbers)
    assert live.unknowns == sum(tokens[number][0] < 0 for number in numbers)
    for token_id in (-1, 5, tokens[0][0] if tokens else 0):
        assert live.count(token_id) == sum(tokens[number][0] == token_id for number in numbers)
    for place, length in queries:
        first, last = place % (first_unknown + 1), min(first_unknown, place % (first_unknown + 1) + length)
        assert taken(live.tokens(first, last)) == tokens[first:last]
        check_range(live, tokens, numbers, words, *in_bytes(text, between(text, place, length)))


def check_range(
    live: LiveText, tokens: list[tuple[int, int, int]], numbers: list[int], words: list[int], start: int, stop: int
) -> None:
    there = [
        number
        for number, (_id, begin, end) in enumerate(tokens)
        if (begin < stop and start < end) or (begin == end and start < end <= stop)
    ]
    # Of those that are known, what comes after a gap is left out.
    known = [number for number in there if number in numbers]
    there = [number for n, number in enumerate(known) if number == known[0] + n]
    first, found = live.tokens_in(start, stop)
    # What comes after a gap is left out.
    shown = len(found.ids)
    assert taken(found) == [tokens[number] for number in there[:shown]]
    if any(begin <= start and stop <= end for begin, end in known_parts(live)):
        assert shown == len(there)
    if shown:
        assert there[shown - 1] - there[0] == shown - 1
        assert first == (there[0] if there[0] < live.known() else -1)
    assert live.word_starts_in(start, stop).tolist() == [word for word in words if start <= word < stop]


# -- tests --------------------------------------------------------------------------------------------------------


@given(texts, actions, ranges)
@settings(max_examples=150)
def test_anything_that_is_done_to_it(
    text: str, doings: list[tuple[str, int, int, str]], queries: list[tuple[int, int]]
) -> None:
    live = LiveText(text)
    check(live, text, queries)
    for doing in doings:
        text = act(live, text, doing)
        check(live, text, queries)


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=15)
@given(st.lists(st.sampled_from(PIECES), min_size=30, max_size=60).map("".join), st.lists(edits, max_size=8), ranges)
def test_it_is_encoded_after_every_edit(
    name: str, text: str, doings: list[tuple[str, int, int, str]], queries: list[tuple[int, int]]
) -> None:
    tokenizer = next(
        t for t in tokenizers() if t and t.recipe.preset == name and len(t.special_tokens) == len(SPECIALS)
    )
    live = LiveText(text)
    live.encode_with(tokenizer)
    for doing in [("encode all", 0, 0, ""), *doings]:
        text = act(live, text, doing)
        live.encode_near(0, len(live))
        assert live.is_encoded
        check(live, text, queries)


def test_an_edit_makes_new_blocks_only_where_it_is() -> None:
    live = LiveText("lower lowest " * 100)
    live.encode_with(tokenizers()[1])
    live.encode_near(0, len(live))
    for place in (0, 600, len(live)):
        live.replace(place, place, b"low ")
        assert 1 <= len(live.missing()) <= 12
        assert all(place - 150 < part < place + 150 for part in missing_at(live))
        live.encode_near(0, len(live))


def missing_at(live: LiveText) -> list[int]:
    """Where blocks begin of which the tokens are not known."""
    missing = live.missing()
    starts = accumulate((len(block.text) for block in live._blocks), initial=0)
    return [start for block, start in zip(live._blocks, starts, strict=False) if block in missing]


def test_a_special_token_that_is_typed_and_broken_over_the_end_of_a_block() -> None:
    tokenizer = train(CORPUS, special_tokens=["<|lower lower|>"])
    whole = "low lower " * 8 + "<|lower lower|>" + " lower low" * 8
    live = LiveText(whole)
    live.encode_with(tokenizer)
    text = whole
    for place in range(75, 100):
        for new in ("", "x ", "<|lower lower|>"):
            live.replace(place, place + 1, new.encode())
            changed = text[:place] + new + text[place + 1 :]
            check(live, changed, [(0, 400)])
            live.encode_near(0, len(live))
            check(live, changed, [(0, 400), (place, 10)])
            live.replace(place, place + len(new), text[place : place + 1].encode())
            check(live, text, [(0, 400)])


def test_a_pattern_of_ones_own_is_not_waited_for() -> None:
    live = LiveText("low lower")
    live.encode_with(train(CORPUS, recipe=Recipe(splitter=r"\S+")))
    live.encode_near(0, 9)
    for block in (missing := live.missing()):
        live.encode(block)
    assert (len(missing), live.is_encoded) == (1, True)
    assert live.word_starts_in(0, 9).tolist() == []


def test_a_large_block_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_text, "_AT_ONCE", 100)
    live = LiveText("low " + "a" * 200 + " low")
    live.encode_with(train(CORPUS))
    live.encode_near(0, len(live))
    missing = live.missing()
    assert [len(block.text) > 100 for block in missing] == [True]
    assert live.tokens_in(0, len(live))[0] == (0 if missing_at(live)[0] else -1)


def test_a_symbol_without_an_id_leaves_the_block_without_tokens() -> None:
    live = LiveText("lower " * 40 + "z")
    live.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w", b"e", b"r", b" "])), []))
    with pytest.raises(EngineError, match="'z'"):
        live.encode_near(0, len(live))
    assert [b"z" in block.text for block in live.missing()] == [True]


def test_a_thread_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tokens are for a tokenizer that is no longer the one, or for a block that is no longer there."""
    first, second = (tokenizer for tokenizer in tokenizers()[1:3] if tokenizer)
    live = LiveText("lower lowest " * 20)
    live.encode_with(first)
    late = live.missing()[0]
    encode = Tokenizer.token_arrays

    def slowly(tokenizer: Tokenizer, text: bytes) -> TokenArrays:
        tokens = encode(tokenizer, text)
        if tokenizer is first:
            live.encode_with(second)
            live.encode(late)
        return tokens

    monkeypatch.setattr(Tokenizer, "token_arrays", slowly)
    thread = Thread(target=live.encode, args=[late])
    thread.start()
    thread.join()
    assert np.array_equal(late.tokens.ids, encode(second, late.text).ids)
    assert live.known() == len(late.tokens.ids)
    live.replace(0, 5, b"x")
    gone = Block(late.text)
    live.encode(gone)
    assert live.known() == 0
    assert late not in live.missing()


@pytest.mark.parametrize("splitter", [*sorted(SPLITTERS), r"[a-z]+|\S"])
def test_the_word_at_a_place(splitter: str) -> None:
    """It goes up to where the next one begins, or the block ends; what a block begins with may be no word."""
    text = "low  lower, 你好 <|e|> 12\n\nlowest'll  " * 3
    live, tokenizer = LiveText(text), train(CORPUS, recipe=Recipe(splitter=splitter), special_tokens=["<|e|>"])
    assert live.word_at(0) == b""
    live.encode_with(tokenizer)
    data, edges = text.encode(), [0, *accumulate(len(block.text) for block in live._blocks)]
    starts = sorted({*edges, *tokenizer.word_starts(data).tolist()})
    for place in range(len(data)):
        index = sum(start <= place for start in starts)
        assert live.word_at(place) == data[starts[index - 1] : starts[index]]
    assert live.word_at(len(data)) == data[starts[-2] :]


def test_no_word_is_looked_for_in_a_large_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_text, "_AT_ONCE", 100)
    live = LiveText("a" * 101)
    live.encode_with(train(CORPUS))
    assert live.word_at(50) == b""
    live.replace(0, 1, b"")
    assert live.word_at(50) == b"a" * 100
    live.replace(0, 100, b"")
    assert live.word_at(0) == b""


@pytest.mark.parametrize("span", [(1, 3), (0, 4), (3, 7), (-1, 0), (3, 0)])
def test_a_character_is_never_cut_by_an_edit(span: tuple[int, int]) -> None:
    live = LiveText("你好")
    with pytest.raises(ValueError, match="no part of this text"):
        live.replace(*span, b"x")
    assert str(live) == "你好"
