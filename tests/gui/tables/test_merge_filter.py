"""Merges are found by a text in their tokens."""

import pytest

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.gui.tables.merge_model import matching_ranks

MERGES = [(b"l", b"o"), (b" ", b"lo"), (b"\xe4", b"\xbd"), (b"\n", b"\n"), (b"o", b"\xc2\xb7"), (b"lo", b"lo")]
TOKENS = dict.fromkeys([part for pair in MERGES for part in pair] + [left + right for left, right in MERGES])


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("lo", [0, 1, 5]),
        (" lo", [1]),
        ("·lo", [1]),
        ("·", [1, 4]),  # a space as it is shown, and the character itself
        ("↵", [3]),
        ("\n", [3]),
        ("\\xe4", [2]),
        ("o + lo", [5]),
        ("· + l", [1]),
        ("+ lo", []),
        ("none", []),
    ],
)
def test_tokens_are_found_in_plain_and_printable_form(text: str, ranks: list[int]) -> None:
    tokenizer = Tokenizer(dict(enumerate(TOKENS)), MERGES, recipe="cs336")
    assert matching_ranks(tokenizer, text) == ranks


def test_the_prefix_of_a_continued_word_is_not_part_of_the_merged_token() -> None:
    merges = [(b"lo", b"##w"), (b"low", b"##er")]
    vocabulary = dict(enumerate([b"lo", b"##w", b"##er", b"low", b"lower"]))
    tokenizer = Tokenizer(vocabulary, merges, pipeline=Pipeline(model=ModelOptions(prefix="##")))
    assert matching_ranks(tokenizer, "low") == [0, 1]
    assert matching_ranks(tokenizer, "##w") == [0]
    assert matching_ranks(tokenizer, "lo##w") == []
