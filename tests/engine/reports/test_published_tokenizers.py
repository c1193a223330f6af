"""Reports on tokenizers with every option of Hugging Face's and SentencePiece's files, and on strange ones."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import TextDocument, Tokenizer, load
from bpe_gui.engine.reports.counting import TokenCounter
from bpe_gui.engine.reports.pruning import prune, used_ids
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.vocabulary.tracing import merged_symbols
from tests.engine.support.huggingface_samples import TEXTS, read, sample_json, samples
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.sentencepiece_models import trained
from tests.engine.support.strange_tokenizers import tokenizers
from tests.engine.support.strategies import letters, mixed
from tests.examples import is_thorough

from .plain import PlainCounts, curve_of, ids_of
from .test_curve import check as check_curve
from .test_pruning import check as check_pruning


def check(tokenizer: Tokenizer, texts: list[str], points: int = 4) -> None:
    """Compare counts, curve and pruning with encoding each text as of each step."""
    marked = tokenizer.with_unknown_id(-1)
    counter = TokenCounter(tokenizer)
    documents = [TextDocument(text) for text in texts]
    counts = counter.count_documents(documents)
    ids = Counter(token_id for text in texts for token_id in marked.encode(text))
    known = counter.parts.ids[: counts.entries].tolist()
    found = {i: count for i, count in zip(known, counts.occurrences.tolist(), strict=False) if count}
    assert counts.unknown == ids.pop(-1, 0)
    assert found == ids
    by_word = [marked.ids_by_word(text.encode()) for text in texts]
    sizes = [size for _ids, firsts in by_word for size in np.diff(firsts).tolist()]
    assert (counts.pieces, counts.tokens - counts.special) == (len(sizes), sum(sizes))
    assert counts.whole_pieces == sum(
        firsts[word + 1] - firsts[word] == 1 and word_ids[firsts[word]] >= 0
        for word_ids, firsts in by_word
        for word in range(len(firsts) - 1)
    )
    curve = curve_of(counter, documents, points=points)
    for index, step in enumerate(curve.steps.tolist()):
        at_step = marked.at(step)
        assert curve.tokens[index] == sum(len(at_step.encode(text)) for text in texts)
        assert curve.entries[index] == len(at_step.vocab)
        counts_at_step = counter.count_documents(documents, position=step)
        assert curve.whole_pieces[index] == counts_at_step.whole_pieces
        assert curve.single_byte[index] == counts_at_step.single_byte
    check_pruning(tokenizer, prune(tokenizer, used_ids(counter.parts, counts), counter.parts), texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(samples()))
def test_every_option_of_hugging_face(tmp_path: Path, name: str) -> None:
    check(read(tmp_path, sample_json(name)), list(TEXTS if is_thorough() else TEXTS[::3]), points=2)


@pytest.mark.parametrize("options", [{}, {"byte_fallback": True}, {"add_dummy_prefix": False}, {"split_digits": True}])
def test_models_of_sentencepiece(tmp_path: Path, options: dict[str, bool]) -> None:
    (tmp_path / "a.model").write_bytes(trained(vocab_size=1_500, **options))
    check(load(tmp_path / "a.model"), [mixed_text(2_000), *TEXTS[:6]])


@given(tokenizers(), st.one_of(letters, mixed))
def test_ids_by_word_are_those_of_each_word(tokenizer: Tokenizer, text: str) -> None:
    ids, firsts = tokenizer.ids_by_word(text.encode())
    words = PlainCounts.words_of(tokenizer, text)
    expected = [
        merged_symbols(symbols_of(word, tokenizer.recipe), tokenizer.store.ranks, tokenizer.position) for word in words
    ]
    assert np.diff(firsts).tolist() == [len(symbols) for symbols in expected]
    known = ids_of(tokenizer)
    assert ids.tolist() == [known.get(symbol, -1) for symbols in expected for symbol in symbols]


@given(tokenizers(), st.lists(st.one_of(letters, mixed), max_size=2))
def test_merges_in_any_order_that_make_anything(tokenizer: Tokenizer, texts: list[str]) -> None:
    counter = TokenCounter(tokenizer)
    documents = [TextDocument(text) for text in texts]
    check_curve(curve_of(counter, documents), tokenizer, texts)
    check_pruning(tokenizer, prune(tokenizer, used_ids(counter.parts, counter.count_documents(documents))), texts)
    assert np.all(counter.parts.steps <= tokenizer.position)
