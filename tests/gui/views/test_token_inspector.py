"""The token inspector: the id, bytes, characters and origin of a token."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Tokenizer, train
from bpe_gui.gui.views.token_inspector import InspectedToken, TokenInspector
from tests.gui.support.widgets import child


def text_of(inspector: TokenInspector, name: str) -> str:
    found = child(inspector, QLabel, name)
    return found.text()


def show(
    inspector: TokenInspector, tokenizer: Tokenizer, token_id: int | None, text: str, span: tuple[int, int]
) -> None:
    """Show the token that covers a span of a text."""
    special = token_id is not None and token_id in tokenizer.special_tokens.values()
    token = InspectedToken(token_id, special, text.encode(), *span, QColor("red"))
    inspector.show_token(token, tokenizer, tokenizer.position)


@pytest.fixture
def inspector(qtbot: QtBot) -> TokenInspector:
    inspector = TokenInspector()
    qtbot.addWidget(inspector)
    return inspector


def test_a_merged_token_shows_its_step_and_parts(inspector: TokenInspector) -> None:
    tokenizer = train("low low low lower lower widest widest newest", num_merges=5)
    show(inspector, tokenizer, 260, "lowest", (3, 6))
    assert text_of(inspector, "inspectorId") == "id 260"
    assert text_of(inspector, "inspectorBytes") == "65 73 74 (3 bytes)"
    assert text_of(inspector, "inspectorCharacters") == "U+0065 U+0073 U+0074"
    assert text_of(inspector, "inspectorOrigin") == "step 5: e + st, ×3"
    assert text_of(inspector, "inspectorParts") == "est = e + st\nst = s + t"


def test_a_long_lineage_is_shortened(inspector: TokenInspector) -> None:
    tokenizer = train("abcdefghijkl " * 9, num_merges=11)
    longest = max(tokenizer.vocab, key=lambda token_id: len(tokenizer.vocab[token_id]))
    text = tokenizer.vocab[longest]
    show(inspector, tokenizer, longest, text.decode(), (0, len(text)))
    lines = text_of(inspector, "inspectorParts").splitlines()
    assert len(lines) == 6
    assert lines[-1].startswith("… and ")


def test_whole_characters_are_named(inspector: TokenInspector) -> None:
    tokenizer = train("好好好", num_merges=2)
    show(inspector, tokenizer, 257, "好", (0, 3))
    assert text_of(inspector, "inspectorCharacters") == "U+597D CJK UNIFIED IDEOGRAPH-597D"


def test_a_part_of_a_character_is_shown_as_such(inspector: TokenInspector) -> None:
    tokenizer = train("a", num_merges=0)
    show(inspector, tokenizer, 0xA5, "x好", (2, 3))
    assert text_of(inspector, "inspectorCharacters") == ("byte 2 of 3 of 好, U+597D CJK UNIFIED IDEOGRAPH-597D")
    assert text_of(inspector, "inspectorOrigin") == "alphabet"


def test_special_tokens_and_unknown_symbols_have_no_step(inspector: TokenInspector) -> None:
    tokenizer = train("low", num_merges=1, special_tokens=["<|x|>"])
    special = tokenizer.special_tokens["<|x|>"]
    show(inspector, tokenizer, special, "<|x|>", (0, 5))
    assert "special token" in text_of(inspector, "inspectorOrigin")
    show(inspector, tokenizer, None, "好", (0, 3))
    assert text_of(inspector, "inspectorId") == "no id"
    assert "not in the vocabulary" in text_of(inspector, "inspectorOrigin")


def test_a_marker_covers_no_text(inspector: TokenInspector) -> None:
    tokenizer = train("low low", num_merges=0, recipe="char-eow")
    marker = next(token_id for token_id, token in tokenizer.vocab.items() if token == b"</w>")
    show(inspector, tokenizer, marker, "low", (3, 3))
    assert text_of(inspector, "inspectorCharacters") == "covers no text"
