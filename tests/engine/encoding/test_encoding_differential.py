"""Our ids against tiktoken's, with ranks that are trained: for long texts and for random strings, compiled or not.

The environment variable BPE_GUI_RANDOM_STRINGS sets the number of strings for each vocabulary, which is 200 by default:

    BPE_GUI_RANDOM_STRINGS=100000 pytest --timeout 0 -k "random and compiled" \\
        tests.engine.encoding.test_encoding_differential.py
"""

import os
from collections.abc import Iterator

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.proof.proof import HARD_STRINGS
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.trained_ranks import trained_encoding, trained_tokenizer

STRINGS = int(os.environ.get("BPE_GUI_RANDOM_STRINGS", "200"))
PLAIN_CHARACTERS = 50_000  # more would take too long
SPECIALS = ("<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "<|end", "oftext|>")
STARTS_OF_WORDS = (*("'s", "'LL", " '", "\r\n", " \n ", "\t\t"), *"\u00a0\u3000\u2028ſ", *("١٢٣", "12345", "!?…", "x"))

Both = tuple[Tokenizer, tiktoken.Encoding]
"""Our tokenizer and tiktoken's."""


@pytest.fixture(autouse=True, scope="module", params=USUAL_MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


@pytest.fixture(params=["gpt2", "cl100k", "o200k"], scope="module")
def both(mode: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """Return our tokenizer, a new one for each mode because it caches words, and tiktoken's."""
    folder = tmp_path_factory.mktemp("ranks")
    return trained_tokenizer(request.param, folder), trained_encoding(request.param, folder)


def check(both: Both, text: str) -> None:
    ours, theirs = both
    expected = theirs.encode(text, allowed_special="all")
    assert ours.encode(text) == expected
    encoding = ours.encoding(text)
    assert encoding.ids == expected
    check_spans(ours, text.encode(), encoding.ids, encoding.byte_spans)


def check_spans(ours: Tokenizer, text: bytes, ids: list[int], spans: list[tuple[int, int]]) -> None:
    """Check that each span has the bytes of its token, and begins where the previous span ends."""
    stops = [stop for _start, stop in spans]
    assert [start for start, _stop in spans] == [0, *stops][: len(spans)]
    assert (stops or [0])[-1] == len(text)
    assert [text[start:stop] for start, stop in spans] == [ours.token(token_id) for token_id in ids]


@pytest.mark.slow
def test_a_long_text(both: Both, mode: str) -> None:
    text = "".join(HARD_STRINGS) + mixed_text()
    check(both, text if mode == "compiled" else text[:PLAIN_CHARACTERS])


# Characters of every plane; any bytes, decoded with replacement; and what splitters and special tokens look for.
every_plane = st.integers(0, 0x10F7FF).map(lambda number: chr(number if number < 0xD800 else number + 0x800))
any_plane = st.lists(every_plane, max_size=8).map("".join)
damaged = st.binary(max_size=40).map(lambda data: data.decode(errors="replace"))
words = (
    st.sampled_from([*SPECIALS, *STARTS_OF_WORDS]) | st.text("abcdeZ ", max_size=12) | st.text(" \t\r\n", max_size=6)
)
pieces = st.text(max_size=8) | any_plane | damaged | words
strings = st.lists(pieces, max_size=12).map("".join)


@pytest.mark.slow
@given(text=strings)
@settings(max_examples=STRINGS)
def test_random_strings(both: Both, text: str) -> None:
    check(both, text)
