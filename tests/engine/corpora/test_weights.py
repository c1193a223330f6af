"""Documents count exactly as often as their weights say: by kernels, in threads and by patterns."""

import pickle
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor, inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, CorpusError, TextDocument, Trainer, WordCounts, train, weight_of, weight_text
from bpe_gui.engine.corpora import counting
from bpe_gui.engine.corpora.weights import Scale, Weight
from bpe_gui.engine.explanations import NotInCorpus, why_not_one_token
from bpe_gui.engine.reports.counting import TokenCounter
from tests.examples import examples

_texts = st.lists(st.text("aab \n.你", max_size=30), min_size=1, max_size=5)
_weights: st.SearchStrategy[Weight] = st.one_of(
    st.sampled_from([1, 3, 0.1, 0.5, "1/3", "0.001", 1000]),
    st.decimals(Decimal("0.001"), 1000, places=3),
    st.floats(0.001, 1000),
)


def counted_simply(texts: Sequence[str], weights: Sequence[Weight], recipe: str) -> list[tuple[str, int]]:
    """Count every document alone, and add up in fractions."""
    sums: dict[str, Fraction] = {}
    for text, weight in zip(texts, weights, strict=True):
        for word, count in Corpus.from_text(text).count(recipe, may_be_empty=True).items():
            sums[word] = sums.get(word, Fraction(0)) + Fraction(str(weight)) * count
    return [(word, floor(total + Fraction(1, 2))) for word, total in sums.items() if total >= Fraction(1, 2)]


def count(corpus: Corpus, recipe: str, *, is_exact: bool, threads: int = 1) -> WordCounts:
    """Count, exactly as if the sums did not fit in 64 bits or not."""
    with pytest.MonkeyPatch.context() as patch:
        if is_exact:
            patch.setattr(Scale, "fits_64_bits", lambda _scale, _size: False)
        patch.setattr(counting, "_threads", lambda _size: threads)
        return corpus.count(recipe, ["<e>"], may_be_empty=True)


@settings(max_examples=examples(60), deadline=None)
@given(texts=_texts, weights=st.data(), recipe=st.sampled_from(["cs336", "subword-nmt"]), threads=st.integers(1, 3))
def test_counts_are_the_rounded_sums(texts: list[str], weights: st.DataObject, recipe: str, threads: int) -> None:
    drawn: list[Weight] = weights.draw(st.lists(_weights, min_size=len(texts), max_size=len(texts)))
    expected = counted_simply(texts, drawn, recipe)
    corpus = Corpus.from_source(texts, weights=drawn)
    for is_exact in (True, False):
        try:
            counted = count(corpus, recipe, is_exact=is_exact, threads=threads)
        except CorpusError as error:
            assert not expected and "rounds to 0" in str(error)
        else:
            assert list(counted.items()) == expected
            assert counted.weighted == any(Fraction(str(weight)) != 1 for weight in drawn)


@settings(max_examples=30, deadline=None)
@given(texts=_texts, weights=st.lists(st.integers(1, 4), min_size=5, max_size=5), is_exact=st.booleans())
@example(texts=["low low", "lower", "low"], weights=[3, 1, 2, 1, 1], is_exact=True)
def test_a_whole_weight_repeats_the_document(texts: list[str], weights: list[int], is_exact: bool) -> None:
    weights = weights[: len(texts)]
    repeated = [text for text, weight in zip(texts, weights, strict=True) for _ in range(weight)]
    one = count(Corpus.from_source(texts, weights=weights), "cs336", is_exact=is_exact)
    other = count(Corpus.from_source(repeated), "cs336", is_exact=is_exact)
    assert list(one.items()) == list(other.items())
    assert (one.total, one.characters, one.bytes) == (other.total, other.characters, other.bytes)


def test_weights_change_what_is_merged_first(tmp_path: Path) -> None:
    paths = [tmp_path / "en.txt", tmp_path / "zh.txt"]
    paths[0].write_text("low " * 100, "utf-8")
    paths[1].write_text("你好 " * 40, "utf-8")
    merges = [
        Trainer(Corpus.from_files(paths, weights=weights).count("zh-en"), "zh-en").step() for weights in ([1, 3], None)
    ]
    assert [merge.token.decode() for merge in merges if merge] == ["你好", "lo"]


def test_a_corpus_with_weights_is_trained_on_in_one_call() -> None:
    corpus = Corpus.from_source(["low", "lower"], weights=[3, 2])
    assert train(corpus, num_merges=3).merge_counts == train(["low"] * 3 + ["lower"] * 2, num_merges=3).merge_counts
    assert pickle.loads(pickle.dumps(corpus)) == corpus


def test_measures_are_those_of_the_repeated_text() -> None:
    tokenizer = train("low lower newest", num_merges=4)
    one, other = (
        TokenCounter(tokenizer).count_words(corpus.count("cs336")).measures
        for corpus in (
            Corpus.from_source(["low lower 你", "newest"], weights=[2, 3]),
            Corpus.from_source(["low lower 你"] * 2 + ["newest"] * 3),
        )
    )
    assert one == other


def test_a_word_that_rounds_to_nothing_is_explained() -> None:
    counts = Corpus.from_source(["low low", "lower"], weights=[1, 0.1]).count("cs336-toy")
    assert why_not_one_token(Trainer(counts, "cs336-toy"), "er").reason == NotInCorpus(weighted=True)


def test_weights_of_one_are_as_good_as_none() -> None:
    plain = Corpus.from_source(["low", "lower"])
    assert Corpus.from_source(["low", "lower"], weights=[1, "1.0"]) == plain
    assert not plain.count("cs336").weighted
    assert Corpus(plain.documents, (1, 0.1)).weights == (Fraction(1), Fraction(1, 10))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad", [None, "", " ", 0, -1, "-0.5", nan, inf, 10**9, 0.0001, "1/0", "x", True, "1e999999999"]
)
def test_a_weight_that_is_none_is_named(bad: Weight) -> None:
    with pytest.raises(CorpusError, match=r"The weight .* of document 2 is not a number from 0\.001 to 1,000"):
        Corpus.from_source(["low", "lower"], weights=[1, bad])
    with pytest.raises(CorpusError, match="is not a number from"):
        weight_of(bad)


def test_the_file_of_a_wrong_weight_is_named(tmp_path: Path) -> None:
    path = tmp_path / "low.txt"
    path.write_text("low", "utf-8")
    with pytest.raises(CorpusError, match=r"The weight '0' of .*low\.txt is not"):
        Corpus.from_files([path], weights=["0"])


@pytest.mark.parametrize("weights", [[], [1], [1, 2, 3]])
def test_there_must_be_a_weight_for_each_document(weights: list[Weight]) -> None:
    with pytest.raises(CorpusError, match=f"documents: 2, weights: {len(weights)}"):
        Corpus.from_source(["low", "lower"], weights=weights)


@pytest.mark.parametrize("wrong", [3, "11", Fraction(1)])
def test_weights_are_several(wrong: Any) -> None:
    with pytest.raises(TypeError, match="weights must be a list or another iterable, not"):
        Corpus.from_source(["low", "lower"], weights=wrong)


@pytest.mark.parametrize("is_exact", [True, False])
def test_words_that_all_round_to_nothing_are_an_error(is_exact: bool) -> None:
    with pytest.raises(CorpusError, match="the count of every word rounds to 0"):
        count(Corpus.from_source(["low lower"], weights=[0.4]), "cs336", is_exact=is_exact)


def test_counts_that_a_weight_makes_too_large_are_an_error(tmp_path: Path) -> None:
    WordCounts({"a": 2**61, "b": 3}, "gpt2").save(tmp_path / "counts.parquet")
    documents = (*Corpus.from_files([tmp_path / "counts.parquet"]).documents, TextDocument("low"))
    with pytest.raises(CorpusError, match="The counts are too large"):
        Corpus(documents, (Fraction(1000), Fraction(1))).count("cs336")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: WordCounts({"a": 1.5}, "gpt2"), "a count must be int, not float"),  # type: ignore[dict-item]
        (lambda: WordCounts({"a": "1"}, "gpt2"), "a count must be int, not str"),  # type: ignore[dict-item]
        (lambda: WordCounts(["a"], "gpt2"), "counts must be Mapping, not list"),  # type: ignore[arg-type]
        (lambda: WordCounts({"a": 1}, "gpt2").times(2**62), "The counts are too large"),
        (lambda: WordCounts({"a": 1}, "gpt2").placed_at(2**63), "The counts are too large"),
    ],
)
def test_counts_are_whole_numbers_of_64_bits(call: Callable[[], object], message: str) -> None:
    with pytest.raises((CorpusError, TypeError), match=message):
        call()


def test_more_than_64_bits_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.engine.corpora.corpus.MAX_BYTES", 4 * 1000)
    assert Corpus((TextDocument("low"),), (1000,)).count("cs336").total == 1000  # type: ignore[arg-type]
    with pytest.raises(CorpusError, match="The counts are too large"):
        Corpus((TextDocument("lows"),), (1000,)).count("cs336")  # type: ignore[arg-type]


@given(_weights)
def test_a_weight_is_written_as_it_is_read(weight: Weight) -> None:
    assert weight_of(weight_text(weight_of(weight))) == weight_of(weight) == Fraction(str(weight))


@given(st.lists(_weights.map(weight_of), min_size=1, max_size=4), st.integers(0, 10**6))
def test_scales_are_exact(weights: list[Fraction], total: int) -> None:
    scale = Scale.of(weights)
    assert [Fraction(factor, scale.denominator) for factor in scale.factors] == weights
    assert scale.rounded(total) == floor(Fraction(total, scale.denominator) + Fraction(1, 2))
    if scale.fits_64_bits(10**6):
        assert scale.rounded(np.array([total])).tolist() == [scale.rounded(total)]
