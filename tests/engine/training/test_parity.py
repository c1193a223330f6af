"""Languages take turns as in the definition, and as in `ParityBpeTrainer` of Hugging Face's tokenizers."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import ParityBpeTrainer

from bpe_gui.engine import (
    Corpus,
    LanguageTurns,
    Parity,
    Plan,
    Recipe,
    Trainer,
    TrainingError,
    WordCounts,
    to_printable,
    train,
    train_fair,
    turns_of,
)
from bpe_gui.engine.training.reference import parity_merges
from bpe_gui.engine.training.train_to_size import fair_trainer
from tests.engine.support.modes import USUAL_MODES, running

PARITY = Recipe.of("parity")
ALPHABETS = ("abc", "abcdefgh", "éèñü", "你好世界的", "xyz ab")


def random_text(rng: random.Random, alphabet: str, words: int) -> str:
    return " ".join("".join(rng.choices(alphabet, k=rng.randint(1, 6))) for _ in range(words))


def random_case(rng: random.Random) -> tuple[dict[str, str], dict[str, str], Parity]:
    """Return texts by language, development texts or none, and how to take turns."""
    alphabets = {f"language {number}": rng.choice(ALPHABETS) for number in range(rng.randint(1, 5))}
    languages = {name: random_text(rng, alphabet, rng.randint(3, 40)) for name, alphabet in alphabets.items()}
    development = {name: random_text(rng, alphabet, rng.randint(2, 20)) for name, alphabet in alphabets.items()}
    by = rng.choice(("training text", "development text", "ratios"))
    parity = Parity(
        ratios={name: rng.choice((0.5, 1, 1.3, 2)) for name in alphabets} if by == "ratios" else {},
        variant=rng.choice(("base", "window")),
        global_merges=rng.choice((0, 0, 3, 10)),
        window=rng.choice((1, 2, 5, 100)),
        alpha=rng.choice((0.5, 1.0, 2.0)),
    )
    return languages, development if by == "development text" else {}, parity


def counted(texts: Mapping[str, str], recipe: Recipe) -> dict[str, WordCounts]:
    return {name: Corpus.from_text(text).count(recipe) for name, text in texts.items()}


@pytest.mark.parametrize("mode", USUAL_MODES)
@given(
    seed=st.integers(0, 100_000),
    units=st.sampled_from(["bytes", "characters"]),
    boundary=st.sampled_from(["none", "suffix", "suffix-attached"]),
    spelling=st.sampled_from(["raw", "gpt2-printable"]),
    min_count=st.integers(1, 3),
)
def test_turns_and_merges_equal_the_definition(
    mode: str, seed: int, units: Any, boundary: Any, spelling: Any, min_count: int
) -> None:
    languages, development, parity = random_case(random.Random(seed))
    recipe = Recipe(units=units, boundary=boundary, token_spelling=spelling, splitter="whitespace", min_count=min_count)
    texts, measured = counted(languages, recipe), counted(development, recipe)
    with running(mode):
        turns = LanguageTurns(texts, development=measured, parity=parity, recipe=recipe)
        merges = [merge for rank in range(40) if (merge := turns.merge_at(rank)) is not None]
    assert merges == parity_merges(texts, measured, recipe, parity, 40)


@given(seed=st.integers(0, 100_000), positions=st.lists(st.integers(0, 60), max_size=5), data=st.data())
def test_a_run_follows_the_turns_forward_and_back(seed: int, positions: list[int], data: st.DataObject) -> None:
    languages, development, parity = random_case(random.Random(seed))
    parity = Parity(ratios=parity.ratios, global_merges=parity.global_merges)
    plan = Plan(rules=["max-bytes=4"], banned=[(b"a", b"b")])
    trainer = fair_trainer(languages, development, parity, PARITY, plan=plan)
    turns = trainer.turns
    assert turns is not None
    while trainer.step():
        pass
    assert trainer.is_complete and trainer.peek() is None
    merges = [(merge.left, merge.right) for merge in trainer.merges]
    assert not any(merge.ties for merge in trainer.merges) and not trainer.ties.any()
    assert all(plan.veto_of(*merge) is None for merge in merges)
    assert turns.merge_at(len(merges)) is None
    for position in positions:
        assert trainer.seek(position) == min(position, len(merges))
        assert [(merge.left, merge.right) for merge in trainer.merges] == merges[:position]
    replayed = data.draw(st.integers(0, len(merges)))
    branch = fair_trainer(
        languages, development, parity, PARITY, plan=plan.with_changes(replay=merges[:replayed], banned=())
    )
    assert branch.seek(replayed) == replayed


def test_lengths_are_those_of_the_texts_as_split() -> None:
    texts, development = {"en": "low low lower", "de": "tief tiefer"}, {"en": "lower slow", "de": "tiefer"}
    for given_development in ({}, development):
        trainer = fair_trainer(texts, given_development, Parity(), PARITY)
        trainer.seek(5)
        assert trainer.turns is not None
        tokenizer = trainer.tokenizer()
        expected = [len(tokenizer.encode(text)) for text in (given_development or texts).values()]
        assert trainer.turns.lengths_at(5).tolist() == expected
        assert trainer.turns.turn_at(0) == "en" and trainer.turns.turn_at(1) == ("en" if given_development else "de")


def test_one_language_alone_is_trained_as_usual() -> None:
    text = "low low lower newest newest widest 你好 你们" * 3
    assert train_fair({"only": text}, num_merges=30, recipe="cs336").merges == train(text, num_merges=30).merges


def their_merges(
    languages: Sequence[str], development: Sequence[str], merges: int, parity: Parity, min_count: int = 1
) -> list[tuple[str, ...]]:
    tokenizer = TheirTokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    trainer = ParityBpeTrainer(
        num_merges=merges,
        variant=parity.variant,
        min_frequency=min_count,
        ratio=list(parity.ratios.values()) or None,
        global_merges=parity.global_merges,
        window_size=parity.window,
        alpha=parity.alpha,
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=False,
    )
    measured = [[text] for text in development] or None
    trainer.train_from_iterator(tokenizer, train_iterators=[[text] for text in languages], dev_iterators=measured)
    return [tuple(merge) for merge in json.loads(tokenizer.to_str())["model"]["merges"]]


def _has_more(text: str, recipe: Recipe, merges: list[tuple[bytes, bytes]], most: int) -> bool:
    """Return whether there are more than so many merges, and one of them is of a pair in this text."""
    return fair_trainer({"only": text}, {}, Parity(), recipe, plan=Plan(replay=merges)).seek(most + 1) > most


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(20, 320))]
)
def test_merges_equal_those_of_tokenizers(seed: int) -> None:
    rng = random.Random(seed)
    languages, development, parity = random_case(rng)
    min_count, most = rng.randint(1, 3), 15 if parity.variant == "window" else 60
    recipe = PARITY.with_changes(min_count=min_count)
    merges = train_fair(
        languages,
        development=development,
        ratios=parity.ratios,
        variant=parity.variant,
        global_merges=parity.global_merges,
        window=parity.window,
        alpha=parity.alpha,
        recipe=recipe,
        num_merges=most,
    ).merges
    if parity.variant == "window" and not all(_has_more(text, recipe, merges, most) for text in languages.values()):
        return  # where a language has no pairs left, their window may never end
    ours = [(to_printable(left), to_printable(right)) for left, right in merges]
    last = [
        merge for rank, merge in enumerate(ours) if merge not in ours[rank + 1 :]
    ]  # they keep the last of equal ones
    assert last == their_merges(list(languages.values()), list(development.values()), most, parity, min_count)


@pytest.mark.parametrize(
    ("languages", "options", "message"),
    [
        ({}, {}, "There are no languages"),
        ({"en": "low"}, {"ratios": {"de": 1}}, "Each language needs a ratio"),
        ({"en": "low"}, {"development": {"de": "tief"}}, "Each language needs a development text"),
        ({"en": "low"}, {"development": {"en": "low"}, "ratios": {"en": 1}}, "not by both"),
        ({"en": "low"}, {"ratios": {"en": 0}}, "must be positive numbers, not 0"),
        ({"en": "low"}, {"variant": "best"}, "variant must be 'base' or 'window', not 'best'"),
        ({"en": "low"}, {"window": 0}, "window must be an integer of at least 1"),
        ({"en": "low"}, {"recipe": "minbpe"}, "needs a recipe with tie_break=greatest"),
        ({"en": "low"}, {"plan": Plan(stages={3: "none"})}, "cannot change the splitter"),
    ],
)
def test_what_does_not_fit_is_refused(languages: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        train_fair(languages, num_merges=3, **options)


def test_a_plan_says_which_documents_are_in_which_language() -> None:
    texts = ["low low lower", "tief tiefer", "lowest"]
    plan = Plan(parity=Parity(is_even=True))
    turns = turns_of(Corpus.from_source(texts), PARITY, plan, names=["en", "de", "en"])
    assert turns is not None and turns_of(Corpus.from_source(texts), PARITY, Plan()) is None
    fair = train_fair({"en": [texts[0], texts[2]], "de": texts[1]}, ratios={"en": 1, "de": 1}, num_merges=9)
    assert [turns.merge_at(rank) for rank in range(9)] == fair.merges
    assert turns.languages == ("en", "de") and turns.scores_at(0) == [-1, -1]
    assert Parity().language_of("zh", "a.txt") == "zh" and Parity().language_of("", "de.txt") == "de"
    assert Parity(by="document").language_of("zh", "a.txt") == "a"


def test_a_plan_finds_languages_by_the_paths_of_files(tmp_path: Path) -> None:
    texts = {"en/a.txt": "low low lower", "de/a.txt": "tief tiefer", "en/b.txt": "lowest"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    files = [tmp_path / name for name in texts]
    by_folder = train_fair({"en": [files[0], files[2]], "de": files[1]}, num_merges=9)
    assert train(files, recipe=PARITY, num_merges=9, plan=Plan(parity=Parity())).merges == by_folder.merges
    by_document = train_fair(texts, num_merges=9, variant="window")
    plan = Plan(parity=Parity(variant="window", by="document"))
    assert train(texts.values(), recipe=PARITY, num_merges=9, plan=plan).merges == by_document.merges
    with pytest.raises(TrainingError, match="The plan says that languages take turns"):
        Trainer(Corpus.from_source(files).count(PARITY), PARITY, plan=plan)


def test_a_trainer_of_languages_knows_their_words() -> None:
    trainer = fair_trainer({"en": "low low", "de": "tief low"}, {}, Parity(), PARITY)
    assert isinstance(trainer, Trainer) and dict(trainer.word_counts) == {"low": 1, " low": 2, "tief": 1}
