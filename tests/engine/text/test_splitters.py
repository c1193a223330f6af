"""Splitters split as the originals do, the whole text or in pieces, and a bad pattern is stopped."""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import regex
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import SPLITTERS, Corpus, Recipe, RecipeError, Tokenizer, TrainingError
from bpe_gui.engine.text import time_limit
from tests.engine.support.stand_ins import with_stand_ins
from bpe_gui.engine.text.splitters import compile_pattern
from bpe_gui.engine.text.stream_splitter import StreamSplitter
from bpe_gui.engine.text.time_limit import TimeLimit
from tests.engine.support.published import pattern_of
from tests.engine.support.strategies import CUSTOM_PATTERNS, any_text
from tests.examples import examples

BYTE_RANKS = {bytes([byte]): byte for byte in range(256)}
TIKTOKEN_SPLITTERS = ("gpt2", "cl100k", "o200k")
AWKWARD_TEXTS = [
    "a\n  ",
    "  \n",
    "\n  b",
    " \r\n\r\n x",
    "don't WON'T I'ſ",
    "1234567 ١٢٣٤",
    "\u3000a\x85b",
    "a/\n//b",
    "ÀÉx Ǆx ªA",
]


def words_of_whole(splitter: str, text: str) -> list[str]:
    """Return the words of a text that is searched as one string."""
    words = (text[slice(*match.span())] for match in compile_pattern(splitter).finditer(with_stand_ins(text)))
    return list(filter(None, words))


def words_of_pieces(splitter: str, pieces: list[str]) -> list[str]:
    """Return the words of a text that is fed to a stream piece by piece; their offsets must be right."""
    stream = StreamSplitter(splitter)
    words = [word for piece in pieces for word in stream.feed(piece)] + stream.finish()
    text = "".join(pieces)
    assert all(text[word.start : word.stop] == word.text for word in words)
    return [word.text for word in words]


def cut_into_pieces(text: str, seed: int, longest: int) -> list[str]:
    """Return a text cut into pieces of up to `longest` characters, at random."""
    rng = random.Random(seed)
    pieces: list[str] = []
    start = 0
    while start < len(text):
        stop = start + rng.randint(1, longest)
        pieces.append(text[start:stop])
        start = stop
    return pieces


# -- like the originals -------------------------------------------------------------------------------------------


class TiktokenWords:
    """The words of one of tiktoken's patterns. tiktoken does not return them, so a vocabulary of words reveals them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pattern = pattern_of(name)

    def equals_ours(self, text: str) -> bool:
        """Return whether tiktoken splits `text` as our splitter of the same name does."""
        words = words_of_whole(self._name, text)
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
@pytest.mark.parametrize("text", AWKWARD_TEXTS)
def test_awkward_texts_have_the_words_of_tiktoken(name: str, text: str) -> None:
    assert TiktokenWords(name).equals_ours(text)


@pytest.mark.parametrize("name", TIKTOKEN_SPLITTERS)
@given(text=st.text(alphabet="ab'sSL  \n\r\t12一é\u0301ǅªſ/!.\x1c\x85\u3000😀", max_size=20))
def test_any_text_has_the_words_of_tiktoken(name: str, text: str) -> None:
    assert TiktokenWords(name).equals_ours(text)


@given(any_text)
def test_whitespace_splits_like_str_split(text: str) -> None:
    assert words_of_pieces("whitespace", list(text)) == text.split()


@given(st.text(alphabet="ab \n\r\t\u3000", max_size=30))
def test_space_splits_at_spaces_line_by_line(text: str) -> None:
    lines = text.replace("\r", "\n").split("\n")
    assert words_of_pieces("space", list(text)) == [word for line in lines for word in line.split(" ") if word]


@given(any_text)
def test_none_keeps_the_text_whole(text: str) -> None:
    assert words_of_pieces("none", list(text)) == ([text] if text else [])


def test_the_space_before_a_word_is_kept_on_request() -> None:
    stream = StreamSplitter("space", space_before=True)
    words = stream.feed("low  lower\nnew") + stream.finish()
    assert [word.text for word in words] == ["low", " lower", "new"]
    assert [(word.start, word.stop) for word in words] == [(0, 3), (5, 10), (11, 14)]


# -- in pieces ----------------------------------------------------------------------------------------------------

_RUNS = st.sampled_from([" ", "\n", " \n", "a", "A", "中A", "1", "!", "'s", "ab cd ", "abb", "😀", "\r\n", "x, "])
_long_texts = st.lists(st.tuples(_RUNS, st.sampled_from([1, 2, 300, 3000, 9000])), max_size=6).map(
    lambda runs: "".join(run * count for run, count in runs)
)


@pytest.mark.slow
@pytest.mark.parametrize("splitter", [*SPLITTERS, *CUSTOM_PATTERNS])
@settings(max_examples=examples(40))
@given(text=_long_texts, seed=st.integers(0, 99))
def test_pieces_have_the_words_of_the_whole(splitter: str, text: str, seed: int) -> None:
    assert words_of_pieces(splitter, cut_into_pieces(text, seed, 5000)) == words_of_whole(splitter, text)


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize(
    "text",
    [
        "\n" + " " * 20_000 + "\nx",
        "x" + " " * 20_000 + "\n" + " " * 20_000 + "y",
        "中" + "A" * 20_000 + "b",
        "中A" * 10_000 + "b",
        " " * 8192 + "a",
        "ab " * 10_000,
    ],
    ids=["newlines apart", "newline inside", "letters without case", "letters mixed", "lookahead", "words"],
)
def test_runs_longer_than_the_lookahead(splitter: str, text: str) -> None:
    assert words_of_pieces(splitter, cut_into_pieces(text, 1, 3000)) == words_of_whole(splitter, text)


def test_a_pattern_may_look_far_ahead_and_behind() -> None:
    ahead, behind = r"x(?=\.{3000}z)\.|.", r"(?<=x\.{200})\.+|."
    text = ("x" + "." * 3000 + "z") * 12
    for pattern in (ahead, behind):
        assert words_of_pieces(pattern, cut_into_pieces(text, 3, 900)) == words_of_whole(pattern, text)
    assert "x." in words_of_whole(ahead, text)
    assert "." * 2800 in words_of_whole(behind, text)


@pytest.mark.slow
def test_an_endless_word_in_tiny_pieces_takes_linear_time() -> None:
    assert words_of_pieces("gpt2", ["a"] * 500_000) == ["a" * 500_000]


def test_two_texts_in_one_stream_do_not_see_each_other() -> None:
    stream = StreamSplitter("gpt2")
    first = stream.feed("low ") + stream.finish(skipped=3)
    second = stream.feed("er") + stream.finish()
    assert [(word.text, word.start) for word in first + second] == [("low", 0), (" ", 3), ("er", 7)]


# -- patterns that take too long ----------------------------------------------------------------------------------


def test_a_catastrophic_pattern_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "TIME_LIMIT", 0.2)
    recipe = Recipe(splitter=r"((?:\w+\s?)+)\1[;!]")
    with pytest.raises(
        TrainingError, match=r"took more than 0.2 seconds at character 0\. The usual reason is a repetition inside"
    ):
        Corpus.from_text("word " * 400).count(recipe)


def test_the_tokenizer_stops_a_catastrophic_pattern_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "TIME_LIMIT", 0.2)
    tokenizer = Tokenizer({i: bytes([i]) for i in range(256)}, [], recipe=Recipe(splitter=r"((?:\w+\s?)+)\1[;!]"))
    with pytest.raises(TrainingError, match="took more than"):
        tokenizer.encode("word " * 400)


@pytest.mark.parametrize("pattern", [r"a*?\p{N}|", r"(?:a|b(?:){3,})*?c|"])
def test_many_short_matches_are_stopped_too(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "TIME_LIMIT", 0.1)
    with pytest.raises(TrainingError, match="took more than"):
        Corpus.from_text("a" * 30_000).count(Recipe(splitter=pattern))


class _SlowPattern:
    """A pattern each of whose searches takes one second, by a clock that stands still otherwise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.timeouts: list[float] = []
        monkeypatch.setattr(time_limit, "thread_time", lambda: self.now)

    def finditer(self, text: str, _begin: int, *, concurrent: bool, timeout: float) -> Iterator[regex.Match[str]]:
        assert concurrent
        self.timeouts.append(round(timeout, 3))
        self.now += 1
        return regex.finditer("a", text[:1])


def test_all_searches_of_a_text_share_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: Any = _SlowPattern(monkeypatch)
    limit = TimeLimit()
    with pytest.raises(TimeoutError):
        limit.probe(slow, "a" * 1_000_000)
    # Searches of 8,192 characters, 16,384 and so on: longer ones get more time, but all of them share the limit.
    assert slow.timeouts == [2.041, 1.123, 0.287]
    with pytest.raises(TimeoutError):
        next(limit.finditer(slow, "a"))
    assert len(slow.timeouts) == 3


def test_a_long_text_that_takes_the_usual_time_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    slow: Any = _SlowPattern(monkeypatch)
    limit = TimeLimit()
    for _chunk in range(100):
        assert len(list(limit.finditer(slow, "a" * 200_000))) == 1
    assert slow.timeouts == [3.0] * 100
    with pytest.raises(TimeoutError):  # time saved earlier does not add up
        for _chunk in range(4):
            list(limit.finditer(slow, "a"))


def test_a_busy_machine_does_not_count_against_a_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    times = count(0, 1000)
    monkeypatch.setattr(time_limit, "monotonic", lambda: next(times))
    assert len(StreamSplitter(r"a|\s+").feed("a " * 10_000)) > 0


# -- patterns that could take all memory --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a" * 10_001, "is too long or repeats its parts too many times"),
        ("(?:a{1000}){1000}", "is too long or repeats its parts"),
        ("(?:" * 30 + "a" + ")+" * 30, "is too long or repeats its parts"),  # each level doubles it
        ("(?:" * 30 + "a" + "){1,}" * 30, "is too long or repeats its parts"),
        ("(?x)(?:a{ 1 0 0 # a comment \n 0}) {#\n1000}", "is too long or repeats its parts"),
        ("(?:a(?:b{1000})(?i){1000})", "is too long or repeats its parts"),
        ("a{" + "9" * 5000 + "}", "is too long or repeats its parts"),
        ("(?:" * 2000 + "a" + ")" * 2000, "cannot be used"),
        ("(?V1)" + "[" * 2000 + "a" + "]" * 2000, "cannot be used"),
        *((call, r"Recursion") for call in ("(?R)", "(a(?1)?)", "(?<n>a(?&n)?)", "(?P<n>a(?P>n)?)", "(?+1)(a)")),
        *((fuzzy, "fuzzy matching") for fuzzy in ("(?:a){e}", "a{1<=e<=2}", "(?x)a{ 2 i + 1 d < 3}", r"\N{e<=1}")),
    ],
)
def test_patterns_that_could_take_all_memory_are_refused(pattern: str, reason: str) -> None:
    with pytest.raises(RecipeError, match=reason):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *SPLITTERS.values(),
        r"\p{Script=Han}+|\{[ends]{1,30}|(?:[a-z]{1,3}\.)+",
        r".{4096}|.+",
        r"(?<year>\d{4})-\d{2}-\d{2}|(?i-s:T)\d+(?=\S{3,})|(?P<q>['\"])(?P=q)",
        "|".join(f"word{number}" for number in range(1000)),
    ],
)
def test_ordinary_patterns_are_accepted(pattern: str) -> None:
    assert compile_pattern(pattern).pattern == pattern


@pytest.mark.slow
def test_a_pattern_that_takes_all_memory_is_stopped() -> None:
    recipe = Recipe(
        splitter=r"(?(?=a)(?(?=a)b+(?P<m>[ab]??[ab]){0,100000}|\m??){0,100000}(?P<m>[a&&b]){1,3}){0,100000}"
    )
    with pytest.raises(TrainingError, match=r"took (too much memory|more than)"):
        Corpus.from_text("a" * 20_000).count(recipe)
