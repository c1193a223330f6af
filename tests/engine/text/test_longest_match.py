"""The search for any of many strings gives the leftmost matches and, of those, the longest."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import SpecialTokens, Tokenizer, TokenizerError
from bpe_gui.engine.text.special_tokens import TokenSearch

some_strings = st.text("ab<|\\]^-你😀 ", min_size=1, max_size=5)


@given(st.sets(some_strings, max_size=30), st.one_of(st.text("ab<|\\]^-你😀 "), st.lists(some_strings).map("".join)))
def test_it_finds_what_an_alternation_finds(strings: set[str], text: str) -> None:
    by_length = sorted(strings, key=len, reverse=True)
    pattern = "|".join(map(re.escape, by_length)) or "(?!)"
    tokens = list(strings)
    search = TokenSearch(list(map(str.encode, tokens)))
    found = [(start, stop, tokens[index]) for start, stop, index in search.find_in(text)]
    assert found == [(*match.span(), match[0]) for match in re.finditer(pattern, text)]


@pytest.mark.slow
def test_a_hundred_thousand_special_tokens_are_found() -> None:
    tokens = {f"<|reserved_special_token_{number}|>": 256 + number for number in range(100_000)}
    text = "low <|reserved_special_token_7|><|reserved_special_token_99999|> <|reserved_special_token_100000|>"
    parts = [part for part, is_special in SpecialTokens(tokens).split(text) if is_special]
    assert [tokens[part] for part in parts] == [263, 100_255]
    tokenizer = Tokenizer({byte: bytes([byte]) for byte in range(256)}, [], tokens)
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert [token_id for token_id in tokenizer.encode(text) if token_id > 255] == [263, 100_255]


def test_too_many_special_tokens_are_refused() -> None:
    with pytest.raises(TokenizerError, match="more than 50,000,000 characters in total"):
        SpecialTokens(f"{number:0>1000000}" for number in range(51))
