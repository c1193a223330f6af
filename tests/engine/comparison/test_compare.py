"""Comparing tokenizers: their vocabularies and merges, and the spans that differ, which equal a plain definition's."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, normalizers, pre_tokenizers

from bpe_gui.engine import Recipe, Tokenizer, TokenizerError, compare, load, train
from bpe_gui.engine.comparison import SwitchDifference, ids_by_text
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.pipeline import Pipeline
from tests.engine.support.recorded_runs import counted
from tests.engine.support.sentencepiece_models import trained
from tests.engine.support.strategies import corpora, letters, mixed, recipes

CORPUS = "low low low lower lower widest widest newest"
Spans = list[tuple[int, int]]


def spans_of(tokenizers: list[Tokenizer], text: str) -> Spans:
    """Return the spans between neighbouring boundaries that all share, in which the tokens are not the same."""
    encodings = [tokenizer.with_unknown_id(-1).encoding(text) for tokenizer in tokenizers]
    tokens = [[(start, stop) for start, stop in each.byte_spans if start < stop] for each in encodings]
    shared = set.intersection(*({edge for span in spans for edge in span} for spans in tokens))
    return [
        (begin, end)
        for begin, end in pairwise(sorted(shared | {0, len(text.encode())}))
        if len({tuple(span for span in spans if begin <= span[0] and span[1] <= end) for spans in tokens}) > 1
    ]


@st.composite
def tokenizers(draw: st.DrawFn) -> Tokenizer:
    recipe = draw(recipes())
    return train(counted(draw(corpora), recipe), recipe=recipe, num_merges=draw(st.integers(0, 12)))


@given(st.lists(tokenizers(), min_size=2, max_size=3), st.one_of(letters, mixed, corpora))
def test_the_spans_are_those_of_the_definition(compared: list[Tokenizer], text: str) -> None:
    comparison = compare(compared, text)
    found = comparison.differences
    assert found is not None
    assert list(found) == spans_of(compared, text)
    assert found.bytes == sum(stop - start for start, stop in found)
    for index, tokenizer in enumerate(compared):
        encoding = tokenizer.with_unknown_id(-1).encoding(text)
        for start, stop in found:
            slices = [
                text.encode()[b:e]
                for b, e in encoding.byte_spans
                if (start <= b and e <= stop and b < e) or (b == e and (start < b <= stop or start == b == 0))
            ]
            assert comparison.tokens_in(index, start, stop) == slices
        result = comparison.texts[index]
        assert result.metrics.tokens == len(encoding.ids)
        assert result.unknown == encoding.ids.count(-1)
        unknown_at = [span[0] for token, span in zip(encoding.ids, encoding.byte_spans, strict=True) if token == -1]
        assert result.first_unknown == (unknown_at[0] if unknown_at else None)


@given(tokenizers(), tokenizers())
def test_vocabularies_and_merges_are_compared_as_sets_and_lists(first: Tokenizer, second: Tokenizer) -> None:
    pair = compare([first, second]).pair()
    one, other = ({token: i for i, token in each.vocab.items()} for each in (first, second))
    assert pair.shared == len(one.keys() & other.keys())
    assert list(pair.only_in_first()) == sorted((one[token], token) for token in one.keys() - other.keys())
    assert list(pair.only_in_second()) == sorted((other[token], token) for token in other.keys() - one.keys())
    assert (pair.only_first, pair.only_second) == (len(one.keys() - other.keys()), len(other.keys() - one.keys()))
    assert pair.ids_that_differ == sum(one[token] != other[token] for token in one.keys() & other.keys())
    assert pair.ids_agree == (pair.ids_that_differ == 0)
    difference = pair.first_merge
    if difference is None:
        assert first.merges == second.merges
        return
    rank = difference.rank
    assert first.merges[:rank] == second.merges[:rank]
    assert difference.first == next(iter(first.merges[rank : rank + 1]), None)
    assert difference.second == next(iter(second.merges[rank : rank + 1]), None)
    assert difference.first != difference.second
    for reason in difference.reasons:
        assert reason.first != reason.second


def test_a_tokenizer_agrees_with_itself() -> None:
    tokenizer = train(CORPUS, num_merges=5)
    comparison = compare([tokenizer, tokenizer], CORPUS)
    assert comparison.differences is not None
    assert len(comparison.differences) == 0
    assert comparison.pair().ids_agree
    assert comparison.pair().first_merge is None


@pytest.mark.parametrize(
    ("switch", "value"),
    [("splitter", "cl100k"), ("tie_break", "first-seen"), ("pair_counting", "once-per-word"), ("min_count", 4)],
)
def test_the_switch_that_makes_the_difference_is_named(switch: str, value: object) -> None:
    text = "low low low lower lower widest widest newest aaaa aaaa 123,456 123,4 \n\n\n\n \n\n\n\n"
    recipe = Recipe()
    other = recipe.with_changes(**{switch: value})
    difference = compare([train(text, recipe=r, num_merges=30) for r in (recipe, other)]).pair().first_merge
    assert difference is not None
    assert difference.reason == SwitchDifference(switch, getattr(recipe, switch), value)


def test_a_tie_rule_is_no_reason_where_the_counts_differ() -> None:
    compared = [train(CORPUS, num_merges=3), train("xyz xyz", recipe="tiktoken", num_merges=3)]
    difference = compare(compared).pair().first_merge
    assert difference is not None
    assert (difference.rank, difference.reasons) == (0, ())


def test_a_tie_rule_is_a_possible_reason_if_only_earlier_counts_differ() -> None:
    text = "SE\nSE\nSE\na'SE\nwx\nyz\nwx\nyz\n"  # one of the splitters takes 'S as a word
    recipes = "cs336", Recipe(splitter="cl100k", tie_break="first-seen")
    difference = compare([train(text, recipe=recipe, num_merges=2) for recipe in recipes]).pair().first_merge
    assert difference is not None and difference.rank == 1
    assert [each.switch for each in difference.reasons] == ["splitter", "tie_break"]


def test_special_tokens_are_a_reason() -> None:
    compared = [train(CORPUS, num_merges=5, special_tokens=names) for names in ([], ["low"])]
    difference = compare(compared).pair().first_merge
    assert difference is not None
    assert difference.reason == SwitchDifference("special_tokens", (), ("low",))


def test_unknown_symbols_are_counted_and_located() -> None:
    compared = [train(CORPUS, recipe="subword-nmt", num_merges=3), train(CORPUS, num_merges=3)]
    comparison = compare(compared, "low é low")
    assert [(text.unknown, text.first_unknown) for text in comparison.texts] == [(1, 4), (0, None)]


def their_tokenizer(path: Path, normalizer: normalizers.Normalizer) -> Tokenizer:
    theirs = TheirTokenizer(models.BPE({"a": 0, "b": 1, "ab": 2, "é": 3, "A": 4}, [("a", "b")]))
    theirs.normalizer = normalizer
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    theirs.save(str(path))
    return load(path, "huggingface")


def test_a_tokenizer_that_changes_the_text_is_left_out_of_the_spans(tmp_path: Path) -> None:
    lowercase = their_tokenizer(tmp_path / "tokenizer.json", normalizers.Lowercase())
    compared = [lowercase, train("ab", num_merges=1), train("ab", num_merges=0)]
    comparison = compare(compared, "ab AB")
    assert comparison.aligned == (1, 2)
    assert comparison.differences is not None
    assert list(comparison.differences) == [(0, 2)]
    assert comparison.texts[0].metrics.tokens == 2
    assert compare(compared[:2], "AB").differences is None
    # It changes nothing in this one.
    assert compare(compared[:2], "ab ab").aligned == (0, 1)


def test_special_tokens_are_compared_by_name() -> None:
    vocab = {0: b"l", 1: b"o"}
    one, other = Tokenizer(vocab, [], {"<e>": 2, "<f>": 3}), Tokenizer(vocab, [], {"<e>": 5})
    pair = compare([one, other]).pair()
    assert (pair.shared, pair.ids_that_differ) == (3, 1)
    assert (list(pair.only_in_first()), list(pair.only_in_second())) == ([(3, b"<f>")], [])


def test_sentencepieces_spaces_are_spaces(tmp_path: Path) -> None:
    """A `▁` stands for a space, in the text and in the vocabulary; spaces that are removed are a change."""
    path = tmp_path / "low.model"
    path.write_bytes(trained(vocab_size=300, normalization_rule_name="identity"))
    pieces = load(path)
    ours = train("the low lower lowest", num_merges=20)
    assert compare([pieces, ours], "the low lower").aligned == (0, 1)
    assert compare([pieces, ours], "the  low").aligned == (1,)
    escaped = next(token for token in pieces.vocab.values() if token.startswith("▁".encode()) and len(token) > 3)
    pair = compare([pieces, Tokenizer({0: escaped.replace("▁".encode(), b" "), 1: escaped}, [])]).pair()
    assert (pair.shared, list(pair.only_in_second())) == (1, [(1, escaped)])


def test_too_few_tokenizers_and_broken_texts_are_refused() -> None:
    tokenizer = train(CORPUS, num_merges=1)
    with pytest.raises(TokenizerError, match="at least two"):
        compare([tokenizer], "low")
    with pytest.raises(TokenizerError, match="U\\+D800"):
        compare([tokenizer, tokenizer], "\ud800")
    with pytest.raises(TokenizerError, match="not valid UTF-8"):
        compare([tokenizer, tokenizer], b"\xff")


def test_an_empty_text_has_no_spans() -> None:
    tokenizer = train(CORPUS, num_merges=1)
    comparison = compare([tokenizer, tokenizer.at(0)])
    assert comparison.differences is not None
    assert len(comparison.differences) == 0
    assert np.isnan(comparison.texts[0].metrics.bytes_per_token)


def test_only_ordinary_tokens_stand_for_spaces() -> None:
    tokenizer = train(CORPUS, recipe="sentencepiece", vocab_size=30, special_tokens=["<▁>"])
    ids = ids_by_text(tokenizer)
    assert ids["<▁>".encode()] == tokenizer.special_tokens["<▁>"]
    assert b" " in ids and not any(text.startswith("▁".encode()) for text in ids)


def test_only_ordinary_tokens_stand_for_bytes() -> None:
    pipeline = Pipeline(model=ModelOptions(falls_back_to_bytes=True))
    tokenizer = Tokenizer({0: b"<0x41>", 1: b"B", 2: b"<0x43>"}, [], {"<0x43>": 2}, pipeline=pipeline)
    assert ids_by_text(tokenizer) == {b"A": 0, b"B": 1, b"<0x43>": 2}
