"""The text typed to find tokens becomes one pattern over their bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Trainer, WordCounts, visible
from bpe_gui.gui.search.token_filter import TokenFilter, exact_tokens, hexadecimal_tokens, plain_pattern
from bpe_gui.gui.tables.pair_model import PairRows

TEXTS = st.text(st.sampled_from("aAbéÉß·→ \t\n\\x+你\x85\u200b🙂"), min_size=1, max_size=6)
TOKENS = [
    b"low",
    b" low",
    b" Low",
    "é".encode(),
    "É".encode(),
    b"\xe4\xbd",
    b"\n",
    b"\\n",
    b"<0xE4>",
    "·".encode(),
    b"be",
]


def found(text: str) -> list[bytes]:
    matches = TokenFilter.of(text).in_tokens(TOKENS)
    return [token for token, matches_it in zip(TOKENS, matches, strict=True) if matches_it]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("low", [b"low", b" low", b" Low"]),
        ("Low", [b" Low"]),
        ("·low", [b" low", b" Low"]),
        (" L", [b" Low"]),
        ("é", ["é".encode(), "É".encode()]),
        ("É", ["É".encode()]),
        ("\\xe4", [b"\xe4\xbd"]),
        ("\\xE4\\xBD", [b"\xe4\xbd"]),
        ("e4 bd", [b"\xe4\xbd"]),
        ("E4", [b"\xe4\xbd", b"<0xE4>"]),
        ("↵", [b"\n"]),
        ("\\n", [b"\n", b"\\n"]),
        ("·", [b" low", b" Low", "·".encode()]),
        ("be", [b"be"]),
        ("\ud800", []),
    ],
)
def test_tokens_are_found_in_every_form(text: str, tokens: list[bytes]) -> None:
    assert found(text) == tokens


@given(TEXTS, st.data())
def test_every_part_of_a_token_finds_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    part = text[start : data.draw(st.integers(start + 1, len(text)))]
    for typed in (part, visible(part.encode()), part.encode().hex(), part.encode().hex(" ")):
        assert TokenFilter.of(typed).pattern.search(text.encode()), typed
    for typed in (part.lower(), part.upper()):
        if typed == typed.lower() and len(typed) == len(part):
            assert TokenFilter.of(typed).pattern.search(text.upper().encode()), typed


@given(TEXTS, TEXTS)
def test_plain_text_is_found_as_it_is(text: str, part: str) -> None:
    where = plain_pattern(part).pattern.search(text.encode())
    if part in text:
        assert where is not None
    elif part != part.lower():
        assert where is None


@given(st.binary(min_size=1, max_size=6))
def test_a_token_is_recognised_in_each_of_its_forms(token: bytes) -> None:
    assert token in exact_tokens(visible(token))
    assert hexadecimal_tokens(token.hex(" "))[0] == token


@pytest.mark.parametrize("text", ["a", "b c", "bcd", "你", "\\xbd\\xa0", "e4 bd a0", "CD", "a + b", "x + "])
def test_pairs_match_as_their_merged_token_does(text: str) -> None:
    words = {"abcd": 3, "xbcdé": 2, "你好": 2, " bCdé": 1, "x你": 4}
    trainer = Trainer(WordCounts(words, "whitespace"), "cs336-toy")
    trainer.seek(3)
    pairs, wanted = trainer.pairs(), TokenFilter.of(text)
    expected = [
        pair
        for pair in pairs
        if (
            wanted.pair[0].search(pair.left) and wanted.pair[1].search(pair.right)
            if wanted.pair
            else wanted.pattern.search(pair.left + pair.right)
        )
    ]
    rows = PairRows(trainer, text)
    shown = [rows[row] for row in range(len(rows))]
    assert [(row.left, row.right) for row in shown] == [(pair.left, pair.right) for pair in expected]


def test_a_single_text_has_no_parts() -> None:
    wanted = TokenFilter.of("ab")
    for ask in (lambda: wanted.in_pairs([(b"a", b"b")]), lambda: wanted.parts_of_pairs([b"a"])):
        with pytest.raises(ValueError, match="single text"):
            ask()
