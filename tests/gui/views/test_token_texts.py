"""Tokens copied as text: a symbol without an id is its own text, and segmented text is that of subword-nmt."""

from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE

from bpe_gui.engine import PRESETS, LiveText, Tokenizer, load, train
from bpe_gui.gui.views.token_texts import TokenStyle, format_tokens, is_segmentable

ATTACHED = "#version: 0.2\nl o\nlo w</w>\nlo w\ne r</w>\nlow er</w>\n"
SEPARATE = "l o\nlo w\nlow </w>\ne r\ner </w>\nlow er</w>\n"
MOST = 1 << 30


def encoded(text: str, tokenizer: Tokenizer) -> LiveText:
    live = LiveText(text)
    live.encode_with(tokenizer.with_unknown_id(-1))
    for block in live.unencoded_blocks():
        live.encode(block)
    return live


def opened(codes: str, folder: Path) -> Tokenizer:
    path = folder / "some.codes"
    path.write_text(codes, "utf-8")
    return load(path)


def test_a_symbol_without_an_id_is_its_own_text(tmp_path: Path) -> None:
    text = encoded("low (lower) (\n\nlow", opened(ATTACHED, tmp_path))
    assert format_tokens(text, 0, MOST, TokenStyle.LIST) == str(
        ["low</w>", "(", "low", "e", "r", ")</w>", "(</w>", "low</w>"]
    )
    assert format_tokens(text, 0, MOST, TokenStyle.SPACES) == "low</w> ( low e r )</w> (</w>\n\nlow</w>"
    assert format_tokens(text, 1, 4, TokenStyle.SPACES) == "( low e"
    old = encoded("low (", opened(SEPARATE, tmp_path))
    assert format_tokens(old, 0, MOST, TokenStyle.SPACES) == "low</w> ( </w>"


@pytest.mark.parametrize("codes", [ATTACHED, SEPARATE], ids=["0.2", "0.1"])
@given(lines=st.lists(st.text("lower(é \t"), max_size=4), end=st.sampled_from(["", "\n"]))
def test_segmented_text_is_that_of_subword_nmt(
    codes: str, lines: list[str], end: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tokenizer = opened(codes, tmp_path_factory.mktemp("codes"))
    text = "\n".join(lines) + end
    expected = "".join(map(BPE(StringIO(codes)).process_line, text.splitlines(keepends=True)))
    if text.strip(" \n"):
        assert format_tokens(encoded(text, tokenizer), 0, MOST, TokenStyle.SEGMENTED) == expected


def test_selected_tokens_are_segmented_without_the_text_around_them(tmp_path: Path) -> None:
    text = encoded(" low  lower low\n", opened(ATTACHED, tmp_path))
    assert format_tokens(text, 0, MOST, TokenStyle.SEGMENTED) == " low lower low\n"
    assert format_tokens(text, 0, 2, TokenStyle.SEGMENTED) == "low lower"
    text = encoded("rel low", opened(ATTACHED, tmp_path))
    assert format_tokens(text, 0, 2, TokenStyle.SEGMENTED) == "r@@ e@@"


def test_only_words_between_spaces_with_a_marker_are_segmented() -> None:
    segmentable = {name for name, recipe in PRESETS.items() if is_segmentable(train("low", recipe=recipe))}
    assert "subword-nmt" in segmentable
    assert not segmentable & {"cs336", "cs336-toy", "zh-en", "sentencepiece", "clip"}
    assert not is_segmentable(None)


def test_without_tokens_there_is_nothing(tmp_path: Path) -> None:
    text = encoded(" ", opened(ATTACHED, tmp_path))
    assert [format_tokens(text, 0, MOST, style) for style in TokenStyle] == ["[]", "", ""]
