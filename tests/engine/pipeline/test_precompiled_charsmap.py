"""The step `Precompiled`: what the library makes of a text by SentencePiece's table, also for the steps after it."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import PreTokenizedString, normalizers, pre_tokenizers

from bpe_gui.engine.formats.sentencepiece.character_map import read_charsmap
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.pre_tokenizers import Digits, Metaspace
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled

from tests.engine.support.huggingface_samples import TEXTS, nmt_nfkc
from tests.engine.pipeline.test_steps import ODD_TEXTS, check_places, is_known_to_all

MARKS = ("\u0301", "\u0323\u0301", "\u200d", "\u093e", "\u3099", "\r\n")


@cache
def ours() -> Precompiled:
    """The usual table."""
    return Precompiled(read_charsmap(Path("some.model"), nmt_nfkc()), nmt_nfkc())


@cache
def theirs() -> normalizers.Normalizer:
    """The library's step for it."""
    return normalizers.Precompiled(nmt_nfkc())


@pytest.mark.parametrize("mark", ("", *MARKS))
def test_every_character(mark: str) -> None:
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    text = "".join(character + mark for character in filter(is_known_to_all, characters))
    assert ours().normalize(AlignedText.of(text)).text == theirs().normalize_str(text)


@pytest.mark.parametrize(
    "text",
    [
        "\u06001",
        "\r\n",
        "\r\u0301",
        "ﬁ\u0301",
        "e\u0302\u0301",
        "\u1100\u1161\u11a8",
        "\u0915\u094d\u0958\u0301",
        "x\u094d\u0958\u0301",
        "©\u200d™\u0301",
        "a\u200d™\u0301",
        "x\u0915" + "\u094d" * 9999,
    ],
)
def test_graphemes_are_looked_up_as_the_library_does(text: str) -> None:
    assert ours().normalize(AlignedText.of(text)).text == theirs().normalize_str(text)


@given(st.lists(st.one_of(ODD_TEXTS, st.sampled_from([*TEXTS, *MARKS, "\x01", "½\u0301", "1", " 1"]))).map("".join))
def test_the_steps_after_it_see_the_same(text: str) -> None:
    cut = pre_tokenizers.Sequence([pre_tokenizers.Digits(), pre_tokenizers.Metaspace("_", prepend_scheme="first")])
    pieces = PreTokenizedString(text)
    pieces.normalize(theirs().normalize)
    cut.pre_tokenize(pieces)
    pipeline = Pipeline(normalizers=(ours(),), pre_tokenizers=(Digits(), Metaspace("_", "first")))
    words = [piece.text for piece in pipeline.pieces(text)]
    assert [word.text for word in words] == [word for word, _place, _tokens in pieces.get_splits()]
    check_places(words, text)
