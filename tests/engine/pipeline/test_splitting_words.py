"""Words of a text in arrays: split by kernels as by the patterns, and in batches as one segment at a time."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.pipeline import Pipeline, fast_splits
from bpe_gui.engine.pipeline import pipeline as pipeline_module
from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.fast_splits import AFTER_SPACES, BEFORE_SPACES, split_fast
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.normalizers import UnicodeForm
from bpe_gui.engine.pipeline.pattern_search import find_in_words, split_at_matches
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, Metaspace, Split
from bpe_gui.engine.pipeline.split_text import SplitText
from bpe_gui.engine.tokenization import MergeStore
from bpe_gui.engine.tokenization.initial_symbols import InitialSymbolFinder

from .test_steps import ODD_TEXTS

SPACE_PATTERNS = (BEFORE_SPACES, AFTER_SPACES, f"{BEFORE_SPACES}|{AFTER_SPACES}")
TEXTS = st.lists(
    st.one_of(st.sampled_from(["'LL", "'ſ", "'", " \n", "\r", "12345", "½", "  ", "!\n", "▁▁", "x\n \t"]), ODD_TEXTS),
    max_size=6,
).map("".join)


@pytest.mark.parametrize("pattern", [*fast_splits._FAST_PATTERNS, *SPACE_PATTERNS])
@given(texts=st.lists(TEXTS, min_size=1, max_size=3))
def test_fast_splits_equal_those_by_the_pattern(pattern: str, texts: list[str]) -> None:
    text = SplitText.of(*map(AlignedText.of, texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_splits, "is_compiled", lambda: True)  # interpreted kernels will do
        patch.setattr(fast_splits, "_MIN_KERNEL_WORD", 3)
        fast = split_fast(text, pattern)
    searched = split_at_matches(text, find_in_words(text, pattern, is_regex=True), "isolated")
    assert (searched if fast is None else fast).words() == searched.words()
    assert fast is None or fast.sources.tolist() == searched.sources.tolist()
    assert fast is not None or all(len(each) < 3 for each in texts) or "'ſ" in "".join(texts)


@given(st.lists(st.sampled_from(["a▁b", "▁▁", "b", "é", "a\U0001f600", "\n", "ab"]), max_size=8), st.booleans())
def test_plain_words_start_with_the_same_symbols_as_any_word(words: list[str], has_bytes: bool) -> None:
    model = ModelOptions(falls_back_to_bytes=has_bytes, fuses_unknown=True)
    pipeline = Pipeline(model=model)
    tokens = ["▁", "a", "b", *(f"<0x{byte:02X}>" for byte in range(256))]
    vocab = {token_id: token.encode() for token_id, token in enumerate(tokens)}
    store = MergeStore(vocab, [], recipe=pipeline.nearest_recipe, pipeline=pipeline)
    finder = InitialSymbolFinder(store, model, position=0, unknown_id=1)
    are_plain = finder.are_plain(words)
    assert are_plain.tolist() == [has_bytes or set(word) <= set("▁ab") for word in words]
    plain = [word for word, is_plain in zip(words, are_plain, strict=True) if is_plain]
    of_plain, of_any = finder.find_in_plain_words(plain), finder.find_in_words(plain)
    assert np.array_equal(of_plain.columns, of_any.columns)
    assert np.array_equal(of_plain.begins, of_any.begins)


PARTS = ("a", "b", "▁", " ", "▁a", "ab", "a▁", "▁▁", " ▁", "?")


@given(
    st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(PARTS)), max_size=6, unique_by="".join),
    st.text("ab▁ x", max_size=20),
    st.booleans(),
)
def test_a_text_without_a_pre_tokenizer_is_merged_as_one_word(
    merges: list[tuple[str, str]], text: str, fuses: bool
) -> None:
    tokens = list(dict.fromkeys([*PARTS, *map("".join, merges)]))
    vocab = {token: token_id for token_id, token in enumerate(tokens)}
    theirs = TheirTokenizer(models.BPE(vocab=vocab, merges=merges, unk_token="?", fuse_unk=fuses))
    ours = Tokenizer(
        {token_id: token.encode() for token, token_id in vocab.items()},
        [(left.encode(), right.encode()) for left, right in merges],
        unknown_id=vocab["?"],
        pipeline=Pipeline(model=ModelOptions(fuses_unknown=fuses)),
    )
    assert ours.encode(text) == theirs.encode(text).ids


STEPS: list[dict[str, Any]] = [
    {"pre_tokenizers": (Metaspace(prepend_scheme="first"),)},
    {"pre_tokenizers": (ByteLevel(add_prefix_space=True, use_regex=True),), "model": ModelOptions(is_byte_level=True)},
    {"normalizers": (UnicodeForm("NFKC"),), "pre_tokenizers": (Split("b", "removed"), Metaspace())},
]


@pytest.mark.parametrize("steps", STEPS)
@given(text=st.lists(st.sampled_from(["<s>", "é", " b", "a", "½ ", "\n"]), max_size=12).map("".join))
def test_segments_are_split_in_a_batch_as_one_by_one(steps: dict[str, Any], text: str) -> None:
    tokens = (AddedToken(id=7, content="<s>"), AddedToken(id=8, content="a", normalized=True))
    whole = Pipeline(added_tokens=tokens, **steps)
    batched = list(whole.segments(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline_module, "_BATCH_SIZE", 1)
        single = list(whole.segments(text))
    for one, other in zip(batched, single, strict=True):
        assert (one.text.text, one.token_id) == (other.text.text, other.token_id)
        assert np.array_equal(one.text.starts, other.text.starts) and np.array_equal(one.text.stops, other.text.stops)
