"""Superwords in two phases: whole words that are one token each join, as the reference and the definition say."""

import random
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import (
    CHOICES,
    Corpus,
    EngineError,
    FormatError,
    Plan,
    Recipe,
    Tokenizer,
    Trainer,
    TrainingError,
    load,
    save,
    train,
)
from bpe_gui.engine.explanations import OneToken, why_not_one_token
from bpe_gui.engine.reports.counting import TokenCounter
from bpe_gui.engine.reports.curve import counting_documents, curve_by_encoding
from bpe_gui.engine.training import stages
from tests.engine.support.definition import ids_of, tokens_of
from tests.engine.support.recorded_runs import MAX_STEPS, counted, reference_run
from tests.examples import examples

TEXT = "in the end of the day, in the end of the night; by the end of the day\n" * 3
words = st.lists(
    st.sampled_from(["a", "b", " a", " b", " ab", "a ", "é", " é", "'s", "-", "ab-", "1", "\n", "<|e|>"]), max_size=50
)
joining_recipes = st.builds(
    Recipe,
    units=st.sampled_from(CHOICES["units"]),
    splitter=st.sampled_from(["gpt2", "cl100k", "zh-en", " ?[a-z]", r"(?<=a)b+|\S", " ?[ab]{1,2}| ?."]),
    tie_break=st.sampled_from(CHOICES["tie_break"]),
    pair_counting=st.sampled_from(CHOICES["pair_counting"]),
    min_count=st.integers(1, 2),
    special_text=st.sampled_from(CHOICES["special_text"]),
    special_ids=st.sampled_from(CHOICES["special_ids"]),
    id_order=st.sampled_from(CHOICES["id_order"]),
)


def joined(text: str, start: int, recipe: Recipe, specials: tuple[str, ...] = ()) -> Trainer:
    corpus, plan = Corpus.from_text(text), Plan(stages={start: "join"})
    words = corpus.count(recipe, specials)
    return Trainer(words, recipe, plan=plan, stage_counts=plan.count_stages(corpus, recipe, specials))


@settings(max_examples=examples(100))
@given(parts=words, recipe=joining_recipes, start=st.integers(1, 8), moves=st.lists(st.integers(0, MAX_STEPS)))
def test_merges_are_those_of_the_reference_after_any_moves(
    parts: list[str], recipe: Recipe, start: int, moves: list[int]
) -> None:
    text = "".join(parts)
    counts = counted(text, recipe, ["<|e|>"])
    states, merges = reference_run(counts, recipe, Plan(stages={start: "join"}), text=text)
    trainer = joined(text, start, recipe, ("<|e|>",))
    for position in [*moves, MAX_STEPS, start, MAX_STEPS]:
        assert trainer.seek(position) == min(position, len(merges))
        assert list(trainer.run) == merges[: trainer.run_length]
        assert trainer.pairs() == states[trainer.position].pairs
        assert trainer.words() == states[trainer.position].words


@settings(max_examples=examples(100))
@given(parts=words, others=words, recipe=joining_recipes, start=st.integers(1, 8))
def test_words_are_encoded_first_and_then_phrases(
    parts: list[str], others: list[str], recipe: Recipe, start: int
) -> None:
    text, other = "".join(parts), "".join(others)
    counted(text, recipe, ["<|e|>"])
    trainer = joined(text, start, recipe, ("<|e|>",))
    trainer.seek(MAX_STEPS)
    tokenizer = trainer.tokenizer().with_unknown_id(-1)
    special = set(tokenizer.special_tokens.values())
    for each in (text, other):
        expected = tokens_of(tokenizer, each)
        ids = [token_id for token_id, _start, _stop in expected]
        encoding = tokenizer.encoding(each)
        assert [(i, *span) for i, span in zip(encoding.ids, encoding.byte_spans, strict=True)] == expected
        assert tokenizer.encode_batch([each, each]) == [ids, ids]
        assert list(tokenizer.encode_iterable(each)) == ids
        symbols = [symbol for word in tokenizer.trace(each) for symbol in (word.steps or [word])[-1].symbols]
        assert symbols == [each.encode()[at:stop] for token_id, at, stop in expected if token_id not in special]
        assert tokenizer.ids_by_word(each.encode())[0].tolist() == [i for i in ids if i not in special]


def test_long_texts_are_encoded_in_chunks_that_cut_no_phrase() -> None:
    tokenizer = train(TEXT, num_merges=60, plan=Plan(stages={14: "join"}))
    text = "".join(random.Random(1).choices([" in", " the", " end", " of", ", ", "\n", " x1"], k=500_000))
    ids = tokenizer.encode(text)
    assert list(tokenizer.encode_iterable(iter([text]))) == ids
    assert ids[:2_000] == ids_of(tokenizer, text[:20_000])[:2_000]


def test_words_join_only_if_each_is_one_token() -> None:
    tokenizer = train(TEXT, num_merges=60, plan=Plan(stages={14: "join"}))
    superwords = {token for token in tokenizer.vocab.values() if b" " in token.strip()}
    assert b" end of" in superwords
    assert not any(b"," in token or b";" in token for token in superwords)
    assert tokenizer.tokenize(" end of, ending of") == [b" end of", b",", b" end", b"in", b"g", b" of"]


def test_a_corpus_with_weights_and_records_counts_its_phrases(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"text": "of the"}\n{"text": "of the day"}\n', encoding="utf-8")
    plan, recipe = Plan(stages={4: "join"}), Recipe()
    for corpus, count in (
        (Corpus.from_files([lines]), 2),
        (Corpus.from_source(["of the", "of the day"], weights=[2, 0.5]), 3),
    ):
        trainer = Trainer(corpus.count(recipe), recipe, plan=plan, stage_counts=plan.count_stages(corpus, recipe, ()))
        trainer.seek(5)
        assert trainer.merge_at(4).token == b"of the"
        assert trainer.merge_at(4).count == count


def test_words_begin_as_the_tokens_of_earlier_merges() -> None:
    trainer = joined(TEXT, 14, Recipe())
    trainer.seek(14)
    for word in range(len(trainer.words())):
        assert trainer.initial_symbols(word) == [trainer.tokens[symbol] for symbol in trainer.symbols_of_word(word)]


def test_ties_are_the_same_after_going_back() -> None:
    trainer = joined("ab a ab ab ab b ab c abab", 4, Recipe())
    trainer.seek(MAX_STEPS)
    expected = list(trainer.run)
    for position in range(len(expected) - 1, 3, -1):
        trainer.seek(position)
        assert trainer.would_choose() == expected[position]


def test_a_move_into_the_stage_that_was_interrupted_is_finished_first(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, interrupted = (joined(TEXT, 14, Recipe()) for _time in range(2))
    whole.seek(14)
    counting = Event()
    make = stages.SuperwordStage._make
    monkeypatch.setattr(stages.SuperwordStage, "_make", lambda *given: (counting.wait(60), make(*given)))
    while interrupted.position < 14:
        interrupted.approach(14)
    assert not interrupted.approach(14)
    counting.set()
    assert interrupted.peek() == whole.peek()


def test_only_gpt2_can_hold_them(tmp_path: Path) -> None:
    tokenizer = train(TEXT, num_merges=60, plan=Plan(stages={14: "join"}))
    save(tokenizer, tmp_path / "joined", "gpt2")
    assert load(tmp_path / "joined").encode(TEXT) == tokenizer.encode(TEXT)
    for name in ("huggingface", "tiktoken", "minbpe"):
        with pytest.raises(FormatError, match="whole words join"):
            save(tokenizer, tmp_path / name, name)


def test_training_goes_on_from_a_tokenizer_of_words_that_join() -> None:
    plan = Plan(stages={14: "join"})
    tokenizer = train(TEXT, num_merges=40, plan=plan)
    longer = train(TEXT, num_merges=60, plan=Plan.extending(tokenizer), recipe=tokenizer.recipe)
    assert longer.merges == train(TEXT, num_merges=60, plan=plan).merges


def test_a_superword_is_explained_as_one_token() -> None:
    trainer = joined(TEXT, 14, Recipe())
    trainer.seek(60)
    source: Trainer | Tokenizer
    for source in (trainer, trainer.tokenizer()):
        assert isinstance(why_not_one_token(source, TEXT, 0, len("in the end of the day")).reason, OneToken)


@pytest.mark.parametrize(
    ("recipe", "stages", "message"),
    [
        ("cs336", {3: "join", 5: "none"}, "No other stage can follow"),
        ("char-eow", {3: "join"}, "Whole words can only join if"),
        ("sentencepiece", {3: "join"}, "cannot have seed tokens, another splitter"),
    ],
)
def test_what_cannot_be_combined_is_refused(recipe: str, stages: dict[int, str], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        train(TEXT, recipe=recipe, num_merges=9, plan=Plan(stages=stages))


def test_counts_alone_are_not_enough() -> None:
    with pytest.raises(TrainingError, match="training needs the corpus"):
        train(Corpus.from_text(TEXT).count("cs336"), num_merges=9, plan=Plan(stages={3: "join"}))


def test_a_corpus_that_changes_before_its_phrases_are_counted_is_refused(tmp_path: Path) -> None:
    path, plan = tmp_path / "text.txt", Plan(stages={14: "join"})
    path.write_text(TEXT, encoding="utf-8")
    corpus = Corpus.from_files([path])
    trainer = Trainer(corpus.count("cs336"), plan=plan, stage_counts=plan.count_stages(corpus, Recipe(), ()))
    path.write_text(TEXT * 2, encoding="utf-8")
    for _attempt in range(2):
        with pytest.raises(TrainingError, match="reads the corpus once more"):
            trainer.seek(20)
    path.write_text(TEXT, encoding="utf-8")
    assert trainer.seek(20) > 14


def test_a_report_counts_the_tokens_of_encoding() -> None:
    tokenizer = train(TEXT, num_merges=60, plan=Plan(stages={14: "join"}))
    counter = TokenCounter(tokenizer)
    counts = counter.count_documents(Corpus.from_text(TEXT).documents)
    assert counts.tokens == len(tokenizer.encode(TEXT))
    curve = curve_by_encoding(counter, [counting_documents(counter, Corpus.from_text(TEXT).documents)])
    assert curve.tokens.tolist() == [len(tokenizer.at(step).encode(TEXT)) for step in curve.steps.tolist()]
