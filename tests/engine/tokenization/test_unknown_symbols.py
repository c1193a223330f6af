"""Tokens for symbols without an id are told from other tokens that have their id."""

from typing import Any

import pytest

from bpe_gui.engine import AddedToken, Pipeline, Tokenizer, audit, compare, train
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.tokenization.unknown_symbols import unknown_tokens


def _with_unknown(unknown_id: int, *added: AddedToken, **changes: Any) -> Tokenizer:
    """Return a tokenizer of a few characters that gives this id for others."""
    vocab = {0: b"<e>", 1: b"a", 2: b"b", 3: b"ab", 4: b"?"}
    pipeline = Pipeline(added_tokens=added, **changes)
    return Tokenizer(
        vocab, [(b"a", b"b")], {each.content: each.id for each in added}, unknown_id=unknown_id, pipeline=pipeline
    )


END = AddedToken(id=0, content="<e>")
STRIPPED = AddedToken(id=0, content="<e>", lstrip=True)


@pytest.mark.parametrize(
    ("tokenizer", "text", "starts"),
    [
        (_with_unknown(0, END, ids_after=(0,)), "ab", []),
        (_with_unknown(0, END, ids_before=(0,), ids_after=(0, 0)), "abxab", [2]),
        (_with_unknown(0, END, ids_after=(0,)), "", []),
        (_with_unknown(0, END, ids_after=(0,)), "a<e>", []),
        (_with_unknown(0, END, ids_after=(0,)), "ax<e>éa", [1, 5]),
        (_with_unknown(0, STRIPPED, ids_after=(0,)), "a  <e>xa", [6]),
        (_with_unknown(4, END), "a?b", []),
        (_with_unknown(4, END), "a?bx", [3]),
        (_with_unknown(0, END, model=ModelOptions(fuses_unknown=True)), "axyza<e>", [1]),
        (train("ab", num_merges=1, recipe="zh-en").with_unknown_id(-1), "abx ab", [2]),
    ],
)
def test_unknown_symbols_are_told_from_other_tokens_with_their_id(
    tokenizer: Tokenizer, text: str, starts: list[int]
) -> None:
    data = text.encode()
    tokens = tokenizer.token_arrays(data)
    assert tokens.starts[unknown_tokens(tokenizer, tokens, data)].tolist() == starts
    if tokenizer.pipeline is not None:
        compared = compare([tokenizer, tokenizer], text).texts[0]
        assert (compared.unknown, compared.first_unknown) == (len(starts), starts[0] if starts else None)


def test_an_audit_finds_no_unknown_symbol_in_ids_around_a_text() -> None:
    found = [finding for finding in audit(_with_unknown(0, END, ids_after=(0,))).findings if finding.kind == "unknown"]
    assert "a" not in [finding.witness for finding in found]
