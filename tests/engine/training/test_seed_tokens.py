"""Seed tokens are found in words before anything merges: in training, in encoding and in the formats that can."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer

from bpe_gui.engine import (
    Corpus,
    CorpusError,
    CorpusSearch,
    EngineError,
    FormatError,
    Plan,
    Recipe,
    RecipeError,
    Trainer,
    load,
    save,
    train,
)
from bpe_gui.engine.explanations import CutsUnit, Taken, why_not_one_token
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.training.reference import ReferenceTrainer, encode_word
from tests.engine.support.strategies import recipes

seed_lists = st.lists(st.text("aab 你é", min_size=1, max_size=3), min_size=1, max_size=4)


@given(text=st.text("aab bc你好é ", min_size=3, max_size=60), recipe=recipes(), seeds=seed_lists, data=st.data())
def test_training_and_encoding_equal_the_definition(
    text: str, recipe: Recipe, seeds: list[str], data: st.DataObject
) -> None:
    recipe = recipe.with_changes(vocabulary="grow")
    try:
        counts = Corpus.from_text(text).count(recipe)
    except CorpusError:
        return  # the splitter drops everything
    plan = Plan(seeds=seeds)
    reference, trainer = ReferenceTrainer(counts, recipe, plan), Trainer(counts, recipe, plan=plan)
    while reference.step():
        pass
    merges = [(merge.left, merge.right) for merge in reference.merges]
    for step in [*data.draw(st.lists(st.integers(0, len(merges)), max_size=3)), len(merges)]:
        trainer.seek(step)
    assert [(merge.left, merge.right) for merge in trainer.merges] == merges
    assert sorted(reference.split_words()) == sorted((word.symbols, word.count) for word in trainer.words())
    tokenizer = trainer.tokenizer()
    assert set(trainer.tokens) <= set(tokenizer.vocab.values()) | {b"</w>"}
    for trace in tokenizer.trace(text):
        expected = encode_word(symbols_of(trace.word, trainer.stage_recipe), merges)
        assert list(trace.steps[-1].symbols if trace.steps else trace.symbols) == expected
    traced = [
        token
        for trace in tokenizer.trace(text)
        for token in (trace.steps[-1].symbols if trace.steps else trace.symbols)
    ]
    assert [tokenizer.token(token_id) for token_id in tokenizer.encode(text)] == traced


def test_the_leftmost_seed_is_found_first_and_then_the_longest() -> None:
    recipe = Recipe(seeds=("in", "ing", "gin"))
    assert symbols_of("singing", recipe) == [b"s", b"ing", b"ing"]
    assert symbols_of("ginger", recipe) == [b"gin", b"g", b"e", b"r"]
    assert symbols_of("sing", recipe.with_changes(boundary="suffix-attached")) == [b"s", b"ing</w>"]


def test_a_seed_is_found_at_the_start_of_a_word_with_and_without_the_space_before_it() -> None:
    recipe = Recipe(units="characters", boundary="prefix", splitter="space", seeds=("ab",))
    words = Trainer(Corpus.from_text("ab ab").count(recipe), recipe).words()
    assert [word.symbols for word in words] == [(b"ab",), (b"</w>", b"ab")]


def test_seeds_are_entries_before_the_first_merge_and_may_be_part_of_larger_tokens() -> None:
    trainer = Trainer(Corpus.from_text("sing ring ring").count("cs336"), plan=Plan(seeds=["ring", "ing", "absent"]))
    assert trainer.initial_size == 259
    assert {b"ring", b"ing", b"absent"} <= set(trainer.tokenizer().vocab.values())
    merge = trainer.step()
    assert merge is not None and (merge.left, merge.right, merge.count) == (b" ", b"ring", 2)
    assert trainer.tokenizer().tokenize("ring bring sing") == [b"ring", b" ", b"b", b"ring", b" ", b"s", b"ing"]
    assert trainer.changes() == {(b" ", b"ring"): -2}
    assert CorpusSearch(trainer).count_token(b"ing").occurrences == 1


def test_why_not_knows_seeds() -> None:
    trainer = Trainer(Corpus.from_text("xsing sing sing").count("cs336"), plan=Plan(seeds=["ing"]))
    trainer.seek(2)
    assert why_not_one_token(trainer, "sing", 1, 3).reason == CutsUnit(b"ing", 3)
    taken = why_not_one_token(trainer, "sing", 1, 4).reason
    assert isinstance(taken, Taken) and (taken.left, taken.right) == (b"s", b"ing")
    assert taken.corpus_count and taken.corpus_count.occurrences == 3


@pytest.mark.parametrize("seeds", ["ing", [""], [5], ["\ud800"], 7])
def test_seeds_that_are_not_valid_are_refused(seeds: object) -> None:
    with pytest.raises((EngineError, TypeError), match=r"eed|surrogate"):
        Plan(seeds=seeds)  # type: ignore[arg-type]


def test_a_seed_cannot_contain_the_marker() -> None:
    with pytest.raises(RecipeError, match="cannot contain the end-of-word marker"):
        Recipe(boundary="suffix", seeds=("a</w>",))


SEEDS = ("ing", "tion", "你好", "\n", "a.b", "q|r", " the")
TEXT = "singing station nation ingest 你好世界 a.b q|r in the\n end of the thing tions q | r . b . g h t e 你 好 " * 3
APART = Plan(
    seeds=SEEDS,
    banned_tokens=[r".+(ing|tion|你好|\n|a\.b|q\|r| the)(?s:.*)", r"(ing|tion|你好|\n|a\.b|q\|r| the)(?s:.+)"],
)


@pytest.mark.parametrize(
    "recipe", ["cs336", "huggingface", Recipe(units="characters", splitter="none"), Recipe(splitter="cl100k")]
)
def test_tokenizers_finds_seeds_that_merge_with_nothing(recipe: Recipe | str, tmp_path: Path) -> None:
    ours = train(TEXT, recipe=recipe, num_merges=40, plan=APART)
    (path,) = save(ours, tmp_path / "tokenizer.json", "huggingface")
    theirs, again, rng = TheirTokenizer.from_file(str(path)), load(path), random.Random(1)
    parts = [*SEEDS, "in", "g", "n", "t", "h", "e", " ", "你", "好", "a", ".", "b", "q", "|", "r", "nation"]
    for _ in range(100):
        text = "".join(rng.choices(parts, k=12))
        assert theirs.encode(text).ids == ours.encode(text) == again.encode(text)


def test_a_format_that_cannot_represent_seeds_says_so(tmp_path: Path) -> None:
    merging = train("sing sing", num_merges=2, plan=Plan(seeds=["ing"]))
    with pytest.raises(FormatError, match="only if nothing merges with them, but 's' 'ing' does"):
        save(merging, tmp_path, "huggingface")
    for name in ("minbpe", "tiktoken"):
        with pytest.raises(FormatError, match="cannot represent seed tokens"):
            save(merging, tmp_path, name)
    assert load(save(merging, tmp_path / "gpt2")[0]).tokenize("singing") == [b"sing", b"ing"]
