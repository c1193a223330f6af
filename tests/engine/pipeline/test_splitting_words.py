"""Words of a text in arrays: split by kernels as by the patterns, and in batches as one segment at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.tokenization import MergeStore
from bpe_gui.engine.tokenization.initial_symbols import InitialSymbolFinder


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
