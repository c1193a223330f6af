"""The spans in which GPT-2's and GPT-4's tokenizers differ are those of the package tiktoken."""

from collections.abc import Callable
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
import tiktoken

from bpe_gui.engine import compare, load
from tests.engine.support.published import published_encoding

NAMES = ("r50k_base", "cl100k_base")
TEXTS = ("README.md", "corpus.en", "naughty-strings.txt", "taylorswift.txt", "tinyshakespeare.txt")


def edges_in(encoding: tiktoken.Encoding, text: str) -> list[int]:
    """Return the byte offsets at which tokens begin, and the end of the text."""
    tokens = map(encoding.decode_single_token_bytes, encoding.encode(text, allowed_special="all"))
    return list(accumulate(map(len, tokens), initial=0))


def spans_between(first: list[int], second: list[int]) -> list[tuple[int, int]]:
    """Return the spans between boundaries that both have, if one of them has others in between."""
    shared = sorted({*first} & {*second})
    unshared = sorted({*first} ^ {*second})
    spans: list[tuple[int, int]] = []
    at = 0
    for begin, end in pairwise(shared):
        if at < len(unshared) and unshared[at] < end:
            spans.append((begin, end))
        while at < len(unshared) and unshared[at] < end:
            at += 1
    return spans


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_the_differences_are_tiktokens(shared_data: Callable[[str], Path], name: str) -> None:
    files = [shared_data(f"{encoding}.tiktoken") for encoding in NAMES]
    text = shared_data(name).read_text("utf-8")
    edges = [edges_in(published_encoding(file), text) for file in files]
    comparison = compare(map(load, files), text)
    assert comparison.differences is not None
    assert list(comparison.differences) == spans_between(*edges)
    assert [each.metrics.tokens for each in comparison.texts] == [len(each) - 1 for each in edges]
    for index, own in enumerate(edges):
        known = set(own)
        for start, stop in list(comparison.differences)[:1000]:
            inside = [edge for edge in range(start, stop + 1) if edge in known]
            expected = [text.encode()[b:e] for b, e in pairwise(inside)]
            assert comparison.tokens_in(index, start, stop) == expected
