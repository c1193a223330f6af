"""The counts of texts equal a recount token by token, and the measures equal published examples."""

from collections import Counter
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, normalizers, pre_tokenizers

from bpe_gui.engine import Corpus, EngineError, FileDocument, TextDocument, Tokenizer, load, train
from bpe_gui.engine.reports.counting import TokenCounter, TokenCounts, gini_coefficient, renyi_efficiency, renyi_entropy
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.strategies import corpora, letters, mixed

from .plain import PlainCounts, tokenizers

texts = st.lists(st.one_of(letters, mixed, corpora), max_size=3)


def check(counts: TokenCounts, tokenizer: Tokenizer, plain: PlainCounts) -> None:
    """Compare everything that is counted with the recount."""
    ids = sorted(tokenizer.vocab)
    assert counts.entries == len(ids)
    assert {
        token_id: count for token_id, count in zip(ids, counts.occurrences.tolist(), strict=False) if count
    } == plain.by_id
    names = "bytes", "characters", "words", "pieces", "tokens", "unknown", "special", "whole_pieces", "single_byte"
    for name in names:
        assert (name, getattr(counts.measures, name)) == (name, getattr(plain, name))
    expected = renyi_efficiency([*plain.by_id.values(), plain.unknown])
    assert counts.measures.renyi_efficiency == pytest.approx(expected, nan_ok=True)
    if plain.words:
        assert counts.measures.fertility == (plain.tokens - plain.special) / plain.words
    if plain.pieces:
        assert counts.measures.whole_piece_share == plain.whole_pieces / plain.pieces
    if plain.tokens:
        assert counts.measures.bytes_per_token == plain.bytes / plain.tokens
        assert counts.measures.characters_per_token == plain.characters / plain.tokens
        assert counts.measures.single_byte_share == plain.single_byte / plain.tokens
        assert counts.measures.unknown_share == plain.unknown / plain.tokens


@given(tokenizers(), texts)
def test_documents_are_counted_as_if_encoded_one_by_one(tokenizer: Tokenizer, documents: list[str]) -> None:
    counter = TokenCounter(tokenizer)
    counts = counter.count_documents([TextDocument(text) for text in documents])
    check(counts, tokenizer, PlainCounts(tokenizer, documents))


@given(tokenizers(), texts, texts)
def test_counts_add_up(tokenizer: Tokenizer, some: list[str], others: list[str]) -> None:
    counter = TokenCounter(tokenizer)
    parts = [counter.count_documents([TextDocument(text) for text in each]) for each in (some, others)]
    check(parts[0] + parts[1], tokenizer, PlainCounts(tokenizer, some + others))


def test_a_pipeline_is_counted_on_the_text_that_it_splits(tmp_path: Path) -> None:
    theirs = TheirTokenizer(models.BPE({"l": 0, "o": 1, "w": 2, "lo": 3, "low": 4}, [("l", "o"), ("lo", "w")]))
    theirs.normalizer = normalizers.Lowercase()
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    theirs.add_special_tokens(["<e>"])
    theirs.save(str(tmp_path / "lower.json"))
    tokenizer = load(tmp_path / "lower.json")
    assert tokenizer.pipeline is not None
    text = "LOW lo<e>low lowlow"
    counts = TokenCounter(tokenizer).count_documents([TextDocument(text)])
    ids = tokenizer.encode(text)
    by_id = {i: count for i, count in enumerate(counts.occurrences.tolist()) if count}
    assert by_id == Counter(ids)
    assert (counts.pieces, counts.whole_pieces, counts.special, counts.tokens) == (4, 3, 1, 6)


def test_an_empty_text_has_no_measures() -> None:
    counts = TokenCounter(train("low low", num_merges=2)).count_documents([])
    assert (counts.tokens, counts.words, counts.bytes) == (0, 0, 0)
    assert isnan(counts.measures.bytes_per_token)
    assert isnan(counts.measures.fertility)
    assert isnan(counts.measures.renyi_efficiency)


def test_a_text_without_any_symbol_of_the_alphabet_is_counted_as_unknown() -> None:
    tokenizer = train("low low", recipe="cs336-toy", num_merges=2)
    counts = TokenCounter(tokenizer).count_documents([TextDocument("你好")])
    assert (counts.tokens, counts.unknown, counts.whole_pieces) == (2, 2, 0)


def test_words_must_be_split_as_the_tokenizer_splits() -> None:
    words = Corpus.from_text("low").count("minbpe")
    with pytest.raises(EngineError, match="Count them again"):
        TokenCounter(train("low low", num_merges=1)).count_words(words)


def test_the_work_can_be_ended_by_its_progress() -> None:
    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        raise Cancelled

    counter = TokenCounter(train("low low", num_merges=1))
    for work in (
        lambda: counter.count_documents([TextDocument("low")], cancel),
        lambda: counter.count_words(Corpus.from_text("low").count("cs336"), cancel),
    ):
        with pytest.raises(Cancelled):
            work()
    assert counter.count_documents([TextDocument("low")]).tokens == 2


def test_renyi_efficiency_equals_the_published_tool() -> None:
    """The examples of the authors' `tokenization-scorer`, with what its own tests expect."""
    for text, efficiency, entropy, shannon in (
        ("pick @@ed pick @@l @@ed pick @@les", 0.8265064834225245, 1.653012966845049, 1.8423709931771088),
        ("pick @@e @@d pick @@l @@e @@d pick @@l @@e @@s", 0.9204840242168808, 2.1372977167241545, 2.2312702546075758),
    ):
        counts = list(Counter(text.split()).values())
        assert renyi_efficiency(counts) == pytest.approx(efficiency, abs=1e-12)
        assert renyi_entropy(counts) == pytest.approx(entropy, abs=1e-12)
        assert renyi_entropy(counts, 1) == pytest.approx(shannon, abs=1e-12)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=20).filter(any))
def test_the_gini_coefficient_is_half_the_mean_difference_over_the_mean(values: list[int]) -> None:
    pairs = [abs(one - other) for one in values for other in values]
    expected = (sum(pairs) / len(pairs)) / 2 / (sum(values) / len(values))
    assert gini_coefficient(values) == pytest.approx(expected)


def test_fertility_of_the_worked_example() -> None:
    """Of three words, two stay whole and one becomes three tokens, so that there are five tokens in three words."""
    vocab = dict(enumerate([b"l", b"o", b"w", b"lo", b"low"]))
    tokenizer = Tokenizer(vocab, [(b"l", b"o"), (b"lo", b"w")], recipe="cs336-toy")
    counts = TokenCounter(tokenizer).count_documents([TextDocument("low wol low")])
    assert (counts.tokens, counts.words, counts.whole_pieces) == (5, 3, 2)
    assert counts.measures.fertility == pytest.approx(5 / 3)


def test_words_of_a_long_text() -> None:
    text = mixed_text(500_000)
    tokenizer = train(text, vocab_size=1_000, special_tokens=["</"])
    counts = TokenCounter(tokenizer).count_documents([TextDocument(text)])
    ids = tokenizer.encode_array(text)
    by_id = np.bincount(ids, minlength=len(tokenizer.vocab))
    assert counts.occurrences.tolist() == by_id.tolist()
    assert counts.special == text.count("</") > 0


def test_a_word_is_the_same_for_every_splitter() -> None:
    text = "नमस्ते दुनिया, it's low…\n\n low"  # six words, which splitters cut at signs, quotes and line breaks
    documents = [TextDocument(text), TextDocument(""), TextDocument("low")]
    pieces = set()
    for recipe in ("cs336", "minbpe", "huggingface", "char-eow"):
        tokenizer = train(text, recipe=recipe, num_merges=3)
        counts = TokenCounter(tokenizer).count_documents(documents)
        assert counts.words == 6
        assert counts.measures.fertility == len(tokenizer.encode(text) + tokenizer.encode("low")) / 6
        pieces.add(counts.pieces)
    assert len(pieces) > 1


def test_counts_of_pieces_do_not_tell_the_words(tmp_path: Path) -> None:
    tokenizer = train("low lower", num_merges=3)
    Corpus.from_text("low lower").count("cs336").save(tmp_path / "low.counts.parquet")
    counted = FileDocument(tmp_path / "low.counts.parquet")
    measures = TokenCounter(tokenizer).count_documents([TextDocument("low"), counted]).measures
    assert (measures.words, measures.pieces) == (None, 3) and isnan(measures.fertility)
