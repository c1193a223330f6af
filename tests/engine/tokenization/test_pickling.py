"""Tokenizers and what they are made from travel to other processes, and give the same ids there."""

import multiprocessing
import pickle
import warnings
from copy import copy, deepcopy
from itertools import product
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bpe_gui.engine import (
    FORMATS,
    PRESETS,
    Corpus,
    EngineError,
    Plan,
    Recipe,
    SentencePieceNormalizer,
    Tokenizer,
    Trainer,
    WordCounts,
    load,
    train,
)
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges
from tests.engine.support.strange_tokenizers import texts, tokenizers
from tests.engine.support.workers import ids_and_pickles, in_worker, pickled
from tests.fuzzing.seeds import TEXT, seeds_of

TEXTS = [TEXT, "", "low<|e|>er <|pad|>\n   \n", "a" * 50, "ﬁne don't ##w <s>"]


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def large_tokenizer(size: int) -> Tokenizer:
    """Return a tokenizer of bytes, all pairs of two, and enough of three that it has `size` entries."""
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [left + right for left, right in product(tokens, repeat=2)]
    pairs = np.arange(256, len(tokens))
    triples = np.arange(size - len(tokens))
    lefts = np.concatenate([(pairs - 256) // 256, 256 + triples // 256])
    rights = np.concatenate([(pairs - 256) % 256, triples % 256])
    tokens += [tokens[left] + tokens[right] for left, right in zip(lefts[65536:], rights[65536:], strict=True)]
    merges = NumberedMerges(tokens, lefts, rights, np.arange(256, size))
    return Tokenizer(dict(enumerate(tokens)), merges, {"<|e|>": size}, recipe="tiktoken")


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tokenizer]:
    """Return a tokenizer of 80,000 entries, one at a step of a run, and some of each format."""
    found = {"large": large_tokenizer(80_000)}
    trainer = Trainer(Corpus.from_text(TEXT).count("cs336", ["<|e|>"]), "cs336")
    trainer.seek(20)
    trainer.tokenizer()
    trainer.seek(30)
    found["run"] = trainer.tokenizer()
    found["step"] = trainer.tokenizer().at(7)
    found["lenient"] = train(TEXT, recipe="char-eow").with_unknown_id(-1)
    for format in (name for name, format in FORMATS.items() if format.load):
        for number, seed in enumerate(seeds_of(format)):
            folder = tmp_path_factory.mktemp("tokenizer")
            for name, content in seed.files.items():
                (folder / name).write_bytes(content)
            tokenizer = load(folder / seed.opened, format, pattern="cl100k" if format == "tiktoken" else None)
            found[f"{format} {number}"] = tokenizer.with_unknown_id(-1 if tokenizer.unknown_id is None else 0)
    return found


def test_other_processes_get_the_same_tokenizers(every_kind: dict[str, Tokenizer]) -> None:
    before = {name: pickled(each) for name, each in every_kind.items()}
    expected = {name: each.encode_batch(TEXTS) for name, each in every_kind.items()}
    for method in {"spawn", "fork"}.intersection(multiprocessing.get_all_start_methods()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forking while there are threads
            there = in_worker(multiprocessing.get_context(method), ids_and_pickles, every_kind, TEXTS)
        for name, tokenizer in every_kind.items():
            ids, pickled_there = there[name]
            assert (name, ids) == (name, expected[name])
            # Neither what a tokenizer was used for nor the process makes a difference.
            assert pickled_there == before[name] == pickled(tokenizer), name


def test_a_pickled_tokenizer_knows_what_it_knew(every_kind: dict[str, Tokenizer]) -> None:
    for name, ours in every_kind.items():
        theirs = sent(ours)
        assert_equal(theirs, ours)
        assert list(theirs.vocab) == list(ours.vocab), name
        if name != "large":
            assert_equal(theirs.at(0), ours.at(0))
            assert_equal(theirs.at(len(theirs.store.merges)), ours.at(len(ours.store.merges)))


def assert_equal(theirs: Tokenizer, ours: Tokenizer) -> None:
    assert theirs.vocab == ours.vocab
    assert theirs.merges == ours.merges
    assert (theirs.position, theirs.unknown_id, theirs.largest_id) == (ours.position, ours.unknown_id, ours.largest_id)
    assert (theirs.recipe, theirs.pipeline) == (ours.recipe, ours.pipeline)
    assert (theirs.special_tokens, theirs.merge_counts) == (ours.special_tokens, ours.merge_counts)
    assert theirs.other_merges == ours.other_merges


@given(tokenizers(), texts)
def test_any_tokenizer_can_be_pickled(ours: Tokenizer, text: str) -> None:
    ours = ours.at(ours.position // 2)
    theirs = sent(ours)
    assert_equal(theirs, ours)
    assert theirs.encode(text) == ours.encode(text)
    last = ours.at(ours.store.merge_count)
    assert theirs.at(last.position).encode(text) == last.encode(text)
    assert pickled(theirs) == pickled(ours)


def test_pickled_tokenizers_of_one_run_still_share_their_merges() -> None:
    trainer = Trainer(Corpus.from_text(TEXT).count("cs336"), "cs336")
    trainer.seek(30)
    steps = sent([trainer.tokenizer().at(position) for position in range(30)])
    assert len({id(tokenizer.store) for tokenizer in steps}) == 1
    assert [tokenizer.position for tokenizer in steps] == list(range(30))


def test_tokenizers_are_pickled_while_they_encode_and_their_run_goes_on() -> None:
    trainer = Trainer(Corpus.from_text(TEXT).count("cs336"), "cs336")
    trainer.seek(1)
    tokenizer, expected = trainer.tokenizer(), trainer.tokenizer().encode(TEXT)
    is_over = Event()

    def use() -> None:
        while not is_over.is_set():
            trainer.seek(min(trainer.position + 1, 60))
            trainer.tokenizer().encode(TEXT)
            tokenizer.encode(TEXT)

    thread = Thread(target=use)
    thread.start()
    try:
        for _round in range(50):
            assert sent(tokenizer).encode(TEXT) == expected
    finally:
        is_over.set()
        thread.join()


def test_copies_of_a_tokenizer_are_the_tokenizer() -> None:
    tokenizer = train(TEXT, num_merges=5)
    assert copy(tokenizer) is tokenizer
    assert deepcopy({"tokenizer": tokenizer})["tokenizer"] is tokenizer


def test_numbers_take_less_room_than_objects(every_kind: dict[str, Tokenizer]) -> None:
    assert len(pickle.dumps(every_kind["large"])) < 11 * 80_000  # bytes


# -- recipes, corpora, counts, errors -----------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [sent, copy, deepcopy])
def test_what_tokenizers_are_made_from_can_be_sent(copied: Any, tmp_path: Path) -> None:
    for recipe in [*PRESETS.values(), Recipe(splitter=r"\w+|\W", min_count=3)]:
        assert copied(recipe) == recipe
        assert hash(copied(recipe)) == hash(recipe)
    plan = Plan([(b"l", b"o")], [(b"e", b"s")], ["a+"], {3: (b"n", b"e")}, ["max-bytes=16"], {5: "none"})
    assert copied(plan) == plan
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    corpus = Corpus.from_source([TEXT, tmp_path / "a.txt"])
    assert copied(corpus) == corpus
    counts = corpus.count("worked-example", ["<|e|>"])
    theirs = copied(counts)
    assert theirs == counts  # which makes the dictionary
    assert list(copied(counts)) == list(counts)
    assert vars(theirs).keys() == vars(counts).keys()
    assert (theirs.total, theirs.splitter, theirs.spaces_kept) == (counts.total, counts.splitter, counts.spaces_kept)
    assert (theirs.special_tokens, theirs.characters, theirs.bytes) == (("<|e|>",), counts.characters, counts.bytes)
    assert train(theirs, recipe="worked-example").merges == train(counts, recipe="worked-example").merges
    assert copied(WordCounts({}, "none")) == {}


def test_the_tables_of_a_pipeline_stay_behind() -> None:
    step = SentencePieceNormalizer(user_defined_symbols=frozenset("<a>"))
    assert len(step._tables.keys.starts) > 0
    assert len(pickle.dumps(step)) < 1000
    assert sent(step) == step


def test_an_error_comes_back_from_another_process() -> None:
    tokenizer = train(TEXT, num_merges=5)
    for ids in ([999], [None]):
        with pytest.raises(EngineError) as here:
            tokenizer.decode(ids)  # type: ignore[arg-type]
        there = sent(here.value)
        assert (type(there), str(there), there.values) == (type(here.value), str(here.value), here.value.values)
    braces = EngineError("{token!r} is wrong.", token="{a}")
    assert str(sent(braces)) == str(braces) == "'{a}' is wrong."
