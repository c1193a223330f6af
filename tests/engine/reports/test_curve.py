"""The measures at every step equal a recount by the tokenizer of that step, whichever way they are found."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, normalizers, pre_tokenizers

from bpe_gui.engine import Corpus, Recipe, TextDocument, Tokenizer, Trainer, load, to_printable, train
from bpe_gui.engine.reports.counting import TokenCounter, renyi_efficiency
from bpe_gui.engine.reports.curve import (
    Curve,
    counting_words,
    curve_by_encoding,
    curve_of_counts,
    knee_index,
    points_of,
)
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, letters, mixed, recipes

from .plain import PlainCounts, curve_of, tokenizers

texts = st.lists(st.one_of(letters, mixed, corpora), max_size=2)


def check(curve: Curve, tokenizer: Tokenizer, documents: list[str]) -> None:
    """Compare each point with a recount by the tokenizer of its step."""
    for index, step in enumerate(curve.steps.tolist()):
        at_step = tokenizer.at(step)
        plain = PlainCounts(at_step, documents)
        assert curve.entries[index] == len(at_step.vocab)
        found = tuple(int(each[index]) for each in (curve.tokens, curve.whole_pieces, curve.single_byte))
        assert found == (plain.tokens, plain.whole_pieces, plain.single_byte)
        expected = renyi_efficiency([*plain.by_id.values(), plain.unknown])
        assert curve.renyi_efficiency[index] == pytest.approx(expected, nan_ok=True)
        if plain.words:
            assert curve.fertility[index] == (plain.tokens - plain.special) / plain.words
        if plain.tokens:
            assert curve.bytes_per_token[index] == plain.bytes / plain.tokens
            assert curve.single_byte_share[index] == plain.single_byte / plain.tokens


@given(tokenizers(), texts)
def test_every_point_is_what_the_tokenizer_of_that_step_gives(tokenizer: Tokenizer, documents: list[str]) -> None:
    counter = TokenCounter(tokenizer)
    curve = curve_of(counter, [TextDocument(text) for text in documents])
    assert curve.steps.tolist() == list(range(len(tokenizer.merges) + 1))
    check(curve, tokenizer, documents)


@given(recipes(), corpora, st.integers(0, 12))
def test_the_corpus_has_as_many_tokens_as_the_trainer_left_in_it(recipe: Recipe, corpus: str, steps: int) -> None:
    words = counted(corpus, recipe)
    trainer = Trainer(words, recipe)
    trainer.seek(steps)
    curve = curve_of(TokenCounter(trainer.tokenizer()), words)
    for step, tokens in zip(curve.steps.tolist(), curve.tokens.tolist(), strict=True):
        trainer.seek(step)
        assert tokens == sum(word.count * len(word.symbols) for word in trainer.words())


@pytest.mark.parametrize(
    "merges",
    [
        [(b"l", b"ow"), (b"o", b"w"), (b"l", b"o")],  # a part that is made later
        [(b"l", b"o"), (b"o", b"w"), (b"lo", b"w"), (b"w", b"o"), (b"l", b"ow")],  # two merges for a token
    ],
)
def test_merges_that_tokens_do_not_tell_are_encoded_at_each_step(merges: list[tuple[bytes, bytes]]) -> None:
    tokens = dict.fromkeys([b"l", b"o", b"w", *(left + right for left, right in merges)])
    tokenizer = Tokenizer(dict(enumerate(tokens)), merges, recipe="cs336-toy")
    counter = TokenCounter(tokenizer)
    assert counter.parts.tree is None
    documents = ["low wow lol", "ow lowlow"]
    counts = counter.count_documents([TextDocument(text) for text in documents])
    assert curve_of_counts(counter, counts) is None
    check(curve_of(counter, [TextDocument(text) for text in documents]), tokenizer, documents)


@pytest.mark.parametrize("ignores_merges", [False, True])
def test_a_pipeline_has_a_curve(tmp_path: Path, ignores_merges: bool) -> None:
    vocab = {"l": 0, "o": 1, "w": 2, "lo": 3, "low": 4}
    theirs = TheirTokenizer(models.BPE(vocab, [("l", "o"), ("lo", "w")], ignore_merges=ignores_merges))
    theirs.normalizer = normalizers.Lowercase()
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    theirs.save(str(tmp_path / "lower.json"))
    tokenizer = load(tmp_path / "lower.json")
    counter = TokenCounter(tokenizer)
    assert (counter.parts.tree is None) == ignores_merges
    text = "LOW lo lowlow wol"
    curve = curve_of(counter, [TextDocument(text)])
    assert curve.tokens.tolist() == [len(tokenizer.at(step).encode(text)) for step in (0, 1, 2)]
    assert curve.entries.tolist() == [len(tokenizer.at(step).vocab) for step in (0, 1, 2)]


@pytest.mark.parametrize("ignores_merges", [False, True])
@given(corpora, texts)
def test_all_ways_to_merge_tell_the_curve(ignores_merges: bool, corpus: str, documents: list[str]) -> None:
    """Files that are made from ranks have them, whichever of them merging takes."""
    trained = train(corpus or "low lower lowest", num_merges=12)
    tokens = [left + right for left, right in trained.merges]
    known = set(tokens) | {bytes([byte]) for byte in range(256)}
    pairs = [(t[:i], t[i:]) for t in tokens for i in range(1, len(t)) if t[:i] in known and t[i:] in known]
    written = {to_printable(token): token_id for token_id, token in trained.vocab.items()}
    model = models.BPE(written, [(to_printable(a), to_printable(b)) for a, b in pairs], ignore_merges=ignores_merges)
    theirs = TheirTokenizer(model)
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    with TemporaryDirectory() as folder:
        theirs.save(f"{folder}/tokenizer.json")
        tokenizer = load(Path(folder) / "tokenizer.json")
    counter, sources = TokenCounter(tokenizer), [TextDocument(text) for text in documents]
    assert counter.parts.tree is not None
    curve = curve_of(counter, sources)
    assert curve.steps[-1] == len(tokenizer.merges)
    assert len(curve) == len(set(tokens)) + 1
    for index, step in enumerate(curve.steps.tolist()):
        expected = counter.count_documents(sources, position=step).measures
        found = tuple(int(each[index]) for each in (curve.tokens, curve.whole_pieces, curve.single_byte))
        assert found == (expected.tokens, expected.whole_pieces, expected.single_byte)
        assert curve.renyi_efficiency[index] == pytest.approx(expected.renyi_efficiency, nan_ok=True)
        assert curve.entries[index] == len(tokenizer.at(step).vocab)


def test_a_long_run_at_sampled_steps() -> None:
    text = mixed_text(500_000)
    tokenizer = train(text[:400_000], vocab_size=2_000)
    held_out = text[400_000:500_000]
    curve = curve_of(TokenCounter(tokenizer), [TextDocument(held_out)])
    assert len(curve) == 200
    for index in (0, 1, 57, 199):
        at_step = tokenizer.at(int(curve.steps[index]))
        assert curve.tokens[index] == len(at_step.encode(held_out))
    knee = curve.knee
    assert knee is not None
    index = curve.steps.tolist().index(knee.step)
    assert (knee.entries, knee.bytes_per_token) == (curve.entries[index], curve.bytes_per_token[index])


def test_the_knee_is_farthest_above_the_chord() -> None:
    xs = np.linspace(0, 1, 101)
    ys = 1 - (1 - xs) ** 2  # its slope is that of the chord at 1/2
    assert knee_index(list(1_000 * xs), list(5 + ys)) == 50
    assert knee_index([1, 2, 3], [3, 2, 1]) is None
    assert knee_index([1, 2], [1, 2]) is None
    assert knee_index([1, 2, 3], [1, float("nan"), 3]) is None


def flat_curve(entries: Sequence[int], tokens: Sequence[int]) -> Curve:
    """Return a curve of a text of 200,000 bytes with these numbers of tokens at these sizes."""
    zeros = np.zeros(len(entries), np.int64)
    steps = np.arange(len(entries))
    return Curve(200_000, 1, 1, 0, steps, np.array(entries), np.array(tokens), zeros, zeros, zeros.astype(float))


@given(st.lists(st.tuples(st.integers(1, 1_500), st.integers(0, 900)), min_size=1, max_size=40))
def test_a_gain_is_what_was_saved_between_two_sizes(rows: list[tuple[int, int]]) -> None:
    entries, tokens = [256], [100_000]
    for added, saved in rows:
        entries.append(entries[-1] + added)
        tokens.append(tokens[-1] - saved)
    tokens_at = dict(zip(entries, tokens, strict=True))
    curve = flat_curve(entries, tokens)
    size = curve.gain_size
    assert str(size).strip("0") in {"1", "2", "5"}
    assert size == 1 or 0.6 <= curve.added_entries / 10 / size <= 1.6, "about a tenth of the range"
    gains = curve.gains
    assert (gains[0].entries, gains[-1].following) == (256, entries[-1])
    assert [gain.following for gain in gains[:-1]] == [gain.entries for gain in gains[1:]]
    for gain in gains:
        before, after = tokens_at[gain.entries], tokens_at[gain.following]
        assert gain.tokens_saved == pytest.approx((before - after) / before)
        assert gain.bytes_per_token == pytest.approx(200_000 / after - 200_000 / before)
        between = [each for each in entries if gain.entries < each < gain.following]
        assert len({(each - 256) // size for each in [gain.entries, *between]}) == 1, "no point is passed by"
    assert np.prod([1 - gain.tokens_saved for gain in gains]) == pytest.approx(tokens[-1] / tokens[0])


@pytest.mark.parametrize(
    ("merges", "size", "intervals"),
    [(1, 1, 1), (20, 2, 10), (743, 100, 8), (2_000, 200, 10), (31_744, 5_000, 7), (199_744, 20_000, 10)],
)
def test_intervals_of_gains_have_a_round_size(merges: int, size: int, intervals: int) -> None:
    steps = points_of(merges)
    assert len(steps) <= 200 and (steps[0], steps[-1]) == (0, merges)
    curve = flat_curve((256 + steps).tolist(), (1_000_000 - steps).tolist())
    added = [gain.following - gain.entries for gain in curve.gains]
    assert curve.gain_size == size
    assert added[:-1] == [size] * (intervals - 1)
    assert 0 < added[-1] <= size


def test_the_size_at_which_a_thousand_entries_save_too_little() -> None:
    curve = flat_curve([256, 1_256, 2_256, 3_256], [1_000, 900, 885, 880])
    assert curve.entries_worth(0.05) == 1_256
    assert curve.entries_worth() == 2_256
    assert curve.entries_worth(0.001) is None


def test_a_curve_that_rises_again_is_worth_more_entries() -> None:
    curve = flat_curve([256, 1_256, 2_256, 3_256, 4_256], [1_000, 998, 900, 899, 898])
    assert curve.entries_worth() == 2_256


def test_fewer_entries_say_nothing_about_a_thousand() -> None:
    curve = flat_curve([256, 600, 1_255], [1_000, 999, 999])
    assert not curve.tells_worth
    assert curve.entries_worth() is None
    assert flat_curve([256, 600, 1_256], [1_000, 999, 999]).entries_worth() == 256


def test_the_size_is_found_between_the_points_at_which_a_thousand_entries_are_counted() -> None:
    curve = flat_curve([0, 600, 1_200, 1_800], [1_000, 900, 896, 892])
    assert curve.entries_worth() == 600, "the 1,000 entries after it end between two points"


def test_points_are_the_ends_and_evenly_spaced_between() -> None:
    points = points_of(10_000)
    assert (len(points), points[0], points[-1]) == (200, 0, 10_000)
    assert 25 <= np.diff(points).min() <= np.diff(points).max() <= 76
    points = points_of(9_743)
    assert (len(points), points[0], points[-1]) == (200, 0, 9_743)
    assert set(range(0, 9_743, 1_000)) < set(points.tolist()), "where intervals of gains begin"


def test_a_curve_can_be_ended_by_its_progress() -> None:
    class Cancelled(Exception):
        pass

    def cancel_after_two(done: int, _total: int) -> None:
        if done >= 2:
            raise Cancelled

    merges = [(b"l", b"ow"), (b"o", b"w")]
    tokenizer = Tokenizer(dict(enumerate([b"l", b"o", b"w", b"ow", b"low"])), merges, recipe="cs336-toy")
    counter = TokenCounter(tokenizer)
    words = Corpus.from_text("low").count("cs336-toy")
    with pytest.raises(Cancelled):
        curve_by_encoding(counter, [counting_words(counter, words)], progress=cancel_after_two)
    assert curve_of(counter, words).tokens.tolist() == [3, 3, 1]
