"""The words of a text in arrays: cut by kernels as by patterns, merged as one by one, and grouped in any way."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models

from bpe_gui.engine import Tokenizer, pipeline
from bpe_gui.engine.tokenization.encoding_tables import MergeTables
from bpe_gui.engine.pipeline import AddedToken, Model, Pipeline
from bpe_gui.engine.pipeline import fast_splits as known_cuts
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.fast_splits import AFTER_SPACES, BEFORE_SPACES, cut_as_known
from bpe_gui.engine.pipeline.normalizers import UnicodeForm
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Metaspace, Split
from bpe_gui.engine.pipeline.pattern_search import cut, found_in
from bpe_gui.engine.pipeline_units import Units

from tests.engine.pipeline.test_steps import ODD_TEXTS

SPACE_PATTERNS = (BEFORE_SPACES, AFTER_SPACES, f"{BEFORE_SPACES}|{AFTER_SPACES}")
TEXTS = st.lists(
    st.one_of(st.sampled_from(["'LL", "'ſ", "'", " \n", "\r", "12345", "½", "  ", "!\n", "▁▁", "x\n \t"]), ODD_TEXTS),
    max_size=6,
).map("".join)


@pytest.mark.parametrize("pattern", [*known_cuts._KNOWN, *SPACE_PATTERNS])
@given(texts=st.lists(TEXTS, min_size=1, max_size=3))
def test_what_is_known_is_cut_as_by_the_pattern(pattern: str, texts: list[str]) -> None:
    text = CutText.of(*map(AlignedText.of, texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_cuts, "is_compiled", lambda: True)  # plain kernels do as well
        patch.setattr(known_cuts, "_WORTH_IT", 3)
        known = cut_as_known(text, pattern)
    searched = cut(text, found_in(text, pattern, is_regex=True), "isolated")
    assert (searched if known is None else known).words() == searched.words()
    assert known is None or known.parts.tolist() == searched.parts.tolist()
    assert known is not None or all(len(each) < 3 for each in texts)


@given(st.lists(st.sampled_from(["a▁b", "▁▁", "b", "é", "a\U0001f600", "\n", "ab"]), max_size=8), st.booleans())
def test_plain_words_start_as_any_word_does(words: list[str], has_bytes: bool) -> None:
    model = Model(falls_back_to_bytes=has_bytes, fuses_unknown=True)
    tables = MergeTables(Pipeline(model=model).nearest_recipe)
    tokens = ["▁", "a", "b", *(f"<0x{byte:02X}>" for byte in range(256))]
    tables.update({token.encode(): token_id for token_id, token in enumerate(tokens)}, [])
    units = Units(model, tables, {}, 0, unknown_id=1)
    are_plain = units.are_plain(words)
    assert are_plain.tolist() == [has_bytes or set(word) <= set("▁ab") for word in words]
    plain = [word for word, is_plain in zip(words, are_plain, strict=True) if is_plain]
    of_plain, of_any = units.of_plain(plain), units.of_words(plain)
    assert np.array_equal(of_plain.columns, of_any.columns)
    assert np.array_equal(of_plain.begins, of_any.begins)


PARTS = ("a", "b", "▁", " ", "▁a", "ab", "a▁", "▁▁", " ▁", "?")


@given(
    st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(PARTS)), max_size=6, unique_by="".join),
    st.text("ab▁ x", max_size=20),
    st.booleans(),
)
def test_texts_that_are_not_cut_are_merged_as_one_word(merges: list[tuple[str, str]], text: str, fuses: bool) -> None:
    tokens = list(dict.fromkeys([*PARTS, *map("".join, merges)]))
    vocab = {token: token_id for token_id, token in enumerate(tokens)}
    theirs = TheirTokenizer(models.BPE(vocab=vocab, merges=merges, unk_token="?", fuse_unk=fuses))
    ours = Tokenizer(
        {token_id: token.encode() for token, token_id in vocab.items()},
        [(left.encode(), right.encode()) for left, right in merges],
        unknown_id=vocab["?"],
        pipeline=Pipeline(model=Model(fuses_unknown=fuses)),
    )
    assert ours.encode(text) == theirs.encode(text).ids


STEPS: list[dict[str, Any]] = [
    {"pre_tokenizers": (Metaspace(prepend_scheme="first"),)},
    {"pre_tokenizers": (ByteLevel(add_prefix_space=True, use_regex=True),), "model": Model(is_byte_level=True)},
    {"normalizers": (UnicodeForm("NFKC"),), "pre_tokenizers": (Split("b", "removed"), Metaspace())},
]


@pytest.mark.parametrize("steps", STEPS)
@given(text=st.lists(st.sampled_from(["<s>", "é", " b", "a", "½ ", "\n"]), max_size=12).map("".join))
def test_parts_are_cut_together_as_one_by_one(steps: dict[str, Any], text: str) -> None:
    tokens = (AddedToken(id=7, content="<s>"), AddedToken(id=8, content="a", normalized=True))
    whole = Pipeline(added_tokens=tokens, **steps)
    together = list(whole.pieces(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "_GROUP", 1)
        alone = list(whole.pieces(text))
    for one, other in zip(together, alone, strict=True):
        assert (one.text.text, one.token_id) == (other.text.text, other.token_id)
        assert np.array_equal(one.text.starts, other.text.starts) and np.array_equal(one.text.stops, other.text.stops)
