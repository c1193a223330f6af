"""The recipe `sentencepiece` equals SentencePiece's own trainer, and its slow definition.

The package is asked for no more pieces than occur: it fills a larger vocabulary with pairs that no longer occur.
"""

import io
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st
from sentencepiece import sentencepiece_model_pb2

from bpe_gui.engine import (
    Corpus,
    FormatError,
    Plan,
    Recipe,
    RecipeError,
    SentencePieceOptions,
    Tokenizer,
    Trainer,
    TrainingError,
    load,
    save,
    train,
)
from bpe_gui.engine.text.sentencepiece import CONTROLS
from bpe_gui.engine.training.reference import ReferenceTrainer
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.sentencepiece_models import TRICKY
from tests.examples import examples

SETTINGS: list[dict[str, Any]] = [
    {},
    {"byte_fallback": True, "split_digits": True, "character_coverage": 0.98},
    {"split_by_whitespace": False, "split_by_unicode_script": False, "max_sentencepiece_length": 5},
    {"normalization": "identity"},
    {"normalization": "identity", "split_by_number": False, "remove_extra_whitespaces": False},
    {"treat_whitespace_as_suffix": True, "split_by_whitespace": False},
    {"add_dummy_prefix": False, "max_sentencepiece_length": 3},
]

texts = st.lists(
    st.text(st.sampled_from("aabbc  12１漢字かカaé\u0301\u064bש\u05b8ー▁ﬁ①\t\u3000\u200b.,<>s/unk"), max_size=30),
    min_size=1,
    max_size=8,
).map("\n".join)

options = st.builds(
    SentencePieceOptions,
    character_coverage=st.sampled_from([0.98, 0.9995, 1.0]),
    max_sentencepiece_length=st.sampled_from([2, 4, 16]),
    **{field.name: st.booleans() for field in fields(SentencePieceOptions) if field.type is bool},
    normalization=st.sampled_from(["nmt_nfkc", "identity"]),
)


def recipe_of(chosen: SentencePieceOptions) -> Recipe:
    return Recipe.of("sentencepiece").with_changes(sentencepiece=chosen, splitter=chosen.splitter)


def trained_by_package(text: str, size: int, chosen: SentencePieceOptions, **more: Any) -> bytes:
    """Return the model that the package trains on the lines of a text."""
    written = io.BytesIO()
    switches = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    switches["normalization_rule_name"] = switches.pop("normalization")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")),
        model_writer=written,
        model_type="bpe",
        vocab_size=size,
        max_sentence_length=1 << 24,
        minloglevel=2,
        **switches,
        **more,
    )
    return written.getvalue()


def pieces_of(model: bytes) -> list[tuple[str, float, int]]:
    message = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]  # created on import
    message.ParseFromString(model)
    return [(piece.piece, piece.score, piece.type) for piece in message.pieces]


def written(tokenizer: Tokenizer, folder: Path) -> bytes:
    save(tokenizer, folder / "ours.model", "sentencepiece")
    return (folder / "ours.model").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("switches", SETTINGS, ids=str)
def test_a_mixed_text_gives_the_same_model(switches: dict[str, Any], tmp_path: Path) -> None:
    chosen, text = SentencePieceOptions(**switches), mixed_text(60_000)
    tokenizer = train(text, recipe=recipe_of(chosen), vocab_size=1_800)
    theirs = trained_by_package(text, len(tokenizer.vocab), chosen)
    ours = written(tokenizer, tmp_path)
    assert pieces_of(ours) == pieces_of(theirs)
    lines = [*text.splitlines()[:300], *TRICKY]
    own, reread = (sentencepiece.SentencePieceProcessor(model_proto=model) for model in (theirs, ours))
    expected = [own.encode(line) for line in lines]
    assert tokenizer.encode_batch(lines) == [reread.encode(line) for line in lines] == expected
    assert load(tmp_path / "ours.model").encode_batch(lines) == expected
    assert [tokenizer.decode(ids) for ids in expected] == [own.decode(ids) for ids in expected]


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(texts, options)
def test_any_text_gives_the_same_pieces(text: str, chosen: SentencePieceOptions) -> None:
    recipe = recipe_of(chosen)
    try:
        trainer = Trainer(Corpus.from_text(text).count(recipe), recipe)
    except Exception:  # nothing is left after normalization, which the package does not like, either
        return
    trainer.seek(10_000)
    tokenizer = trainer.tokenizer()
    theirs = pieces_of(trained_by_package(text, len(tokenizer.vocab), chosen))
    assert [tokenizer.vocab[token_id].decode() for token_id in range(len(theirs))] == [piece for piece, *_ in theirs]


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(texts, options, st.lists(st.integers(0, 40), max_size=5))
def test_any_walk_equals_the_definition(text: str, chosen: SentencePieceOptions, walk: list[int]) -> None:
    recipe = recipe_of(chosen)
    try:
        counts = Corpus.from_text(text).count(recipe)
        trainer = Trainer(counts, recipe)
    except Exception:
        return
    reference = ReferenceTrainer(counts, recipe)
    while reference.step():
        pass
    expected = [(merge.left, merge.right, merge.count, merge.ties) for merge in reference.merges]
    assert len({merge.token for merge in reference.merges}) == len(expected)  # no piece is made twice
    for step in [*walk, len(expected) + 1]:
        reached = trainer.seek(step)
        merges = [(merge.left, merge.right, merge.count, merge.ties) for merge in trainer.merges]
        assert merges == expected[:reached]
        allowed = [pair for pair in trainer.pairs() if trainer.veto_of(pair.left, pair.right) is None]
        upcoming = trainer.peek()
        assert (upcoming is None) == (not allowed)
        assert upcoming is None or (upcoming.left, upcoming.right) == (allowed[0].left, allowed[0].right)


def test_special_tokens_are_symbols_that_nothing_merges_across(tmp_path: Path) -> None:
    text, chosen = "low<e>low lower<e> low\nnew<e>er<s>est" * 9, SentencePieceOptions()
    theirs = trained_by_package(text, 22, chosen, user_defined_symbols=["<e>"])
    tokenizer = train(text, recipe="sentencepiece", vocab_size=22, special_tokens=["<e>"])
    assert pieces_of(written(tokenizer, tmp_path)) == pieces_of(theirs)
    own = sentencepiece.SentencePieceProcessor(model_proto=theirs)
    assert tokenizer.encode("low<e>newer<s>") == own.encode("low<e>newer<s>")


def test_ids_are_those_of_the_vocabulary_at_each_step() -> None:
    recipe = Recipe.of("sentencepiece")
    trainer = Trainer(Corpus.from_text("low low lower").count(recipe), recipe)
    for made in ([], ["lo"], ["lo", "low"]):
        trainer.seek(len(made))
        expected = [piece.encode() for piece in (*CONTROLS, *made, *"low▁er")]
        vocab = trainer.tokenizer().vocab
        assert [vocab[token_id] for token_id in range(len(vocab))] == expected
        assert trainer.vocab_size == len(expected)
        assert all(vocab[merge.token_id] == merge.token for merge in trainer.merges)


def test_forbidden_pairs_have_a_reason() -> None:
    recipe = recipe_of(SentencePieceOptions(max_sentencepiece_length=2))
    trainer = Trainer(Corpus.from_text("low low lower").count(recipe), recipe)
    trainer.seek(10)
    veto = trainer.veto_of(b"lo", b"w")
    assert veto is not None and veto.value == "max-characters=2"
    assert trainer.peek() is None


def test_what_cannot_work_is_refused(tmp_path: Path) -> None:
    recipe = Recipe.of("sentencepiece")
    counts = Corpus.from_text("low low lower").count(recipe)
    with pytest.raises(TrainingError, match="cannot have seed tokens, another splitter"):
        Trainer(counts, recipe, plan=Plan(stages={1: "none"}))
    lines = recipe.with_changes(sentencepiece=SentencePieceOptions(split_by_whitespace=False))
    with pytest.raises(TrainingError, match="splitter must be"):
        Trainer(counts, lines)
    with pytest.raises(RecipeError, match="requires units to be characters"):
        recipe.with_changes(units="bytes")
    with pytest.raises(RecipeError, match="max_sentencepiece_length cannot be 0"):
        Recipe.from_dict(recipe.to_dict() | {"sentencepiece": {"max_sentencepiece_length": 0}})
    with pytest.raises(FormatError, match="Train with the recipe sentencepiece"):
        save(train("low", vocab_size=257), tmp_path / "a.model", "sentencepiece")


def test_a_recipe_file_has_the_options(tmp_path: Path) -> None:
    recipe = recipe_of(SentencePieceOptions(byte_fallback=True, split_by_whitespace=False))
    recipe.save(tmp_path / "recipe.json")
    assert Recipe.load(tmp_path / "recipe.json") == recipe != Recipe.of("sentencepiece")
