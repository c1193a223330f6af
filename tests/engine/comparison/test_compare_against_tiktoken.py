"""The spans in which two tokenizers differ are those of the package tiktoken."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
import tiktoken

from bpe_gui.engine import Tokenizer, compare
from bpe_gui.engine.proof.proof import HARD_STRINGS
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.trained_ranks import trained_encoding, trained_tokenizer


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


def check_differences(ours: Sequence[Tokenizer], theirs: Sequence[tiktoken.Encoding], text: str) -> None:
    """Check that the spans, tokens and numbers of a comparison are tiktoken's."""
    edges = [edges_in(encoding, text) for encoding in theirs]
    comparison = compare(ours, text)
    assert comparison.differences is not None
    assert list(comparison.differences) == spans_between(*edges)
    assert [each.metrics.tokens for each in comparison.texts] == [len(each) - 1 for each in edges]
    for index, own in enumerate(edges):
        known = set(own)
        for start, stop in list(comparison.differences)[:1000]:
            inside = [edge for edge in range(start, stop + 1) if edge in known]
            expected = [text.encode()[b:e] for b, e in pairwise(inside)]
            assert comparison.tokens_in(index, start, stop) == expected


@pytest.mark.slow
@pytest.mark.parametrize("text", [mixed_text(100_000), "".join(HARD_STRINGS)], ids=["long", "hard"])
def test_the_differences_are_tiktokens(text: str, tmp_path: Path) -> None:
    splitters = ("gpt2", "cl100k")
    ours = [trained_tokenizer(splitter, tmp_path) for splitter in splitters]
    check_differences(ours, [trained_encoding(splitter, tmp_path) for splitter in splitters], text)
