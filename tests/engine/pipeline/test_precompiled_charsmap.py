"""The step `Precompiled`: SentencePiece's character map changes a text as in the library, for later steps as well."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import PreTokenizedString, normalizers, pre_tokenizers

from bpe_gui.engine import Digits, Metaspace, Pipeline, Precompiled
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.charsmaps import read_charsmap
from tests.engine.support.huggingface_samples import TEXTS, nmt_nfkc

from .test_steps import ODD_TEXTS, check_offsets

MARKS = ("\u0301", "\u0323\u0301", "\u200d", "\u093e", "\u3099", "\r\n")


@cache
def ours() -> Precompiled:
    """Return the step for the usual map."""
    return Precompiled(read_charsmap(Path("some.model"), nmt_nfkc()), nmt_nfkc())


@cache
def theirs() -> normalizers.Normalizer:
    """Return the library's step for the usual map."""
    return normalizers.Precompiled(nmt_nfkc())


@pytest.mark.thorough
@pytest.mark.parametrize("mark", ("", *MARKS))
def test_every_character_is_replaced_as_in_the_library(mark: str) -> None:
    step = 7 if mark else 1  # ideographs and syllables of Hangul, which are most characters, meet marks alike
    codes = [*range(0x3400), *range(0x3400, 0xD800, step), *range(0xE000, 0x20000), *range(0x20000, 0x30000, step)]
    text = "".join(chr(code) + mark for code in codes)
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
        "e\u0301\U00010ef9½\u0b53",  # marks of Unicode 18
        "e\u0301\U00010efa½\u1acf",  # marks of Unicode 17
    ],
)
def test_graphemes_are_looked_up_as_in_the_library(text: str) -> None:
    assert ours().normalize(AlignedText.of(text)).text == theirs().normalize_str(text)


@given(st.lists(st.one_of(ODD_TEXTS, st.sampled_from([*TEXTS, *MARKS, "\x01", "½\u0301", "1", " 1"]))).map("".join))
def test_later_steps_see_the_same_text(text: str) -> None:
    steps = pre_tokenizers.Sequence([pre_tokenizers.Digits(), pre_tokenizers.Metaspace("_", prepend_scheme="first")])
    expected = PreTokenizedString(text)
    expected.normalize(theirs().normalize)
    steps.pre_tokenize(expected)
    pipeline = Pipeline(normalizers=(ours(),), pre_tokenizers=(Digits(), Metaspace("_", "first")))
    words = [segment.text for segment in pipeline.segments(text)]
    assert [word.text for word in words] == [word for word, _span, _tokens in expected.get_splits()]
    check_offsets(words, text)
