"""Counts as files: what is saved is loaded, parts are merged in any order, and damage is named by its row."""

import errno
import json
import pickle
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
import regex

from bpe_gui.engine import (
    SPLITTERS,
    Corpus,
    CorpusError,
    EngineError,
    FormatError,
    Plan,
    Recipe,
    Trainer,
    TrainingError,
    WordCounts,
    open_counts,
    train,
)
from bpe_gui.engine.corpora import bounded_counting, counts_file
from bpe_gui.engine.corpora.bounded_counting import SegmentFile, count_to_file, merge_files
from bpe_gui.engine.corpora.counts_file import is_counts_file
from tests.engine.support.modes import running

TEXT = "low low lower\nnewest 你好, it's 12 low<|e|>widest low\n"
SPECIALS = ("<|e|>",)


def counted(text: str, recipe: Recipe | str = "cs336") -> WordCounts:
    return Corpus.from_text(text).count(recipe, SPECIALS)


def values_of(counts: WordCounts) -> tuple[Any, ...]:
    """Return all there is to know about counts."""
    return list(counts.items()), counts.first_seen.tolist(), counts.total, counts.facts


def random_text(rng: random.Random, words: int) -> str:
    letters = "abcdeé你 "
    return "".join(
        "".join(rng.choices(letters, k=rng.randint(1, 5))) + rng.choice([" ", "\n", "<|e|>"]) for _ in range(words)
    )


def parts_of(text: str, count: int) -> list[str]:
    """Split a text between two words: before a line."""
    lines = text.splitlines(keepends=True)
    return ["".join(lines[len(lines) * i // count : len(lines) * (i + 1) // count]) for i in range(count)]


# -- files --------------------------------------------------------------------------------------------------------


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes(TEXT.encode())
    counts = Corpus.from_files([source]).count("cs336", SPECIALS).placed_at(7)
    path = tmp_path / "a.parquet"
    counts.save(path)
    loaded = WordCounts.load(path)
    assert values_of(loaded) == values_of(counts)
    assert loaded.sources == (("a.txt", len(TEXT.encode()), 7),) and loaded.spans == ((7, 7 + len(TEXT.encode())),)
    assert is_counts_file(path) and not is_counts_file(source)
    assert not any(array.flags.writeable for array in (loaded.text, loaded.starts, loaded.first_seen))
    assert len(list(tmp_path.iterdir())) == 2


def test_large_counts_are_written_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts_file, "_BATCH_WORDS", 4)
    monkeypatch.setattr(counts_file, "_BATCH_BYTES", 20)
    counts = counted(random_text(random.Random(1), 200))
    counts.save(tmp_path / "a.parquet")
    assert values_of(WordCounts.load(tmp_path / "a.parquet")) == values_of(counts)


def test_first_seen_is_a_position_in_bytes(tmp_path: Path) -> None:
    text = random_text(random.Random(2), 300)
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"text": "longest"}\n{"text": ""}\n{"text": " of all,"}\n{"text": " indeed"}\n', encoding="utf-8")
    whole = text.encode() + b"more textlongest of all, indeed"
    for denominators in ((1,) * 4, (2, 3, 5, 7), (10**9 + 7, 10**9 + 9, 10**9 + 21, 10**9 + 33)):
        weights = [Fraction(2 * each - 1, each) for each in denominators]
        counts = Corpus.from_source([text, "", "more text", lines], weights=weights).count("cs336", SPECIALS)
        for word, at in zip(counts, counts.first_seen.tolist(), strict=True):
            assert whole[at : at + len(word.encode())] == word.encode()
        assert (np.diff(counts.first_seen) > 0).all()


def test_training_on_a_file_of_counts_gives_the_same_merges(tmp_path: Path) -> None:
    counted(TEXT * 3).save(tmp_path / "a.parquet")
    corpus = Corpus.from_source([tmp_path / "a.parquet", "low lowest"])
    seen: list[tuple[int, int]] = []
    counts = corpus.count("cs336", SPECIALS, lambda *done: seen.append(done))
    expected = Corpus.from_source([TEXT * 3, "low lowest"]).count("cs336", SPECIALS)
    assert list(counts.items()) == list(expected.items()) and counts.bytes == expected.bytes
    assert seen[-1] == (corpus.size(), corpus.size())
    both = [Trainer(each, "cs336") for each in (counts, expected)]
    assert [trainer.seek(20) for trainer in both] == [20, 20]
    assert both[0].merges == both[1].merges


@pytest.mark.parametrize(
    ("recipe", "specials", "message"),
    [
        (Recipe(splitter="cl100k"), SPECIALS, "was counted with the splitter gpt2, but the recipe has cl100k"),
        (Recipe(splitter="gpt2", boundary="prefix"), SPECIALS, "was counted without the spaces before words"),
        (Recipe(splitter="gpt2"), (), r"was counted with the special token '<\|e\|>', which is missing here"),
        (Recipe(splitter="gpt2"), (*SPECIALS, "<x>"), "was counted without the special token '<x>'"),
        (Recipe(special_text="kept"), SPECIALS, "was counted with special_text=apart, but the recipe has kept"),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused(
    tmp_path: Path, recipe: Recipe, specials: tuple[str, ...], message: str
) -> None:
    counted(TEXT).save(tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match=message):
        Corpus.from_files([tmp_path / "a.parquet"]).count(recipe, specials)


def test_a_special_token_that_occurs_nowhere_needs_no_new_counts(tmp_path: Path) -> None:
    corpus = Corpus.from_text("low lower lowest")
    corpus.count("cs336").save(tmp_path / "a.parquet")
    again = Corpus.from_files([tmp_path / "a.parquet"]).count("cs336", SPECIALS)
    assert values_of(again)[:3] == values_of(corpus.count("cs336", SPECIALS))[:3]
    assert again.special_tokens == SPECIALS
    with pytest.raises(CorpusError, match="was counted without the special token 'wo'"):
        Corpus.from_files([tmp_path / "a.parquet"]).count("cs336", ["wo"])  # which could be in the text
    letters = Recipe(splitter="[a-z]+")  # drops other characters, so that nothing is known of them
    Corpus.from_text("low<|e|>er").count(letters).save(tmp_path / "b.parquet")
    with pytest.raises(CorpusError, match="was counted without the special token"):
        Corpus.from_files([tmp_path / "b.parquet"]).count(letters, SPECIALS)


def test_counts_remember_whether_special_tokens_are_text(tmp_path: Path) -> None:
    counts = counted(TEXT + "<|e|>", "huggingface")
    counts.save(tmp_path / "a.parquet")
    again = WordCounts.load(tmp_path / "a.parquet")
    assert again.specials_kept and again.special_tokens == SPECIALS and "|>" in again
    assert again.facts.fitted(Recipe()) == Recipe(special_text="kept")
    assert again.fits(Recipe.of("huggingface")) and not again.fits(Recipe())
    assert pickle.loads(pickle.dumps(again)).specials_kept
    with pytest.raises(TrainingError, match="special_text=kept"):
        Trainer(again, "cs336")


def test_counts_without_special_tokens_go_with_either_recipe() -> None:
    one, other = (Corpus.from_text("low").count(recipe) for recipe in ("cs336", "huggingface"))
    assert len(WordCounts.merge(one, other)) == 1
    assert one.fits(Recipe.of("huggingface")) and other.fits(Recipe())


def test_a_plan_that_splits_counted_words_again_is_refused(tmp_path: Path) -> None:
    counted(TEXT).save(tmp_path / "a.parquet")
    corpus = Corpus.from_source(["low", tmp_path / "a.parquet"])
    message = r"After step 2, the plan splits text with 'none', but .*a\.parquet contains word counts"
    with pytest.raises(TrainingError, match=message):
        train(corpus, num_merges=3, special_tokens=SPECIALS, plan=Plan(stages={2: "none"}))
    same = Plan(stages={2: "gpt2"})
    assert len(train(corpus, num_merges=3, special_tokens=SPECIALS, plan=same).merges) == 3


def test_a_file_of_counts_is_not_read_as_text(tmp_path: Path) -> None:
    counted(TEXT).save(tmp_path / "a.parquet")
    (document,) = Corpus.from_files([tmp_path / "a.parquet"]).documents
    with pytest.raises(CorpusError, match="contains word counts, not text"):
        next(document.chunks())


# -- merging ------------------------------------------------------------------------------------------------------


def test_parts_are_merged_in_any_order_and_in_several_steps() -> None:
    rng = random.Random(3)
    text = random_text(rng, 500)
    pieces = parts_of(text, 7)
    whole = Corpus.from_source(pieces).count("cs336", SPECIALS)
    places = np.cumsum([0, *(len(piece.encode()) for piece in pieces)]).tolist()
    parts = [counted(piece).placed_at(place) for piece, place in zip(pieces, places[:-1], strict=True)]
    for _round in range(5):
        rng.shuffle(parts)
        cut = rng.randint(1, 6)
        merged = WordCounts.merge(WordCounts.merge(*parts[:cut]), WordCounts.merge(*parts[cut:]))
        assert values_of(merged)[:3] == values_of(whole)[:3]
        assert merged.spans == whole.spans == ((0, places[-1]),)
        assert [source.size for source in merged.sources] == [len(piece.encode()) for piece in pieces]


def test_parts_without_places_follow_one_another() -> None:
    one, two, three = map(counted, ("low lower", "newest low", "widest"))
    whole = Corpus.from_source(["low lower", "newest low", "widest"]).count("cs336", SPECIALS)
    for merged in (
        WordCounts.merge(one, two, three),
        WordCounts.merge(WordCounts.merge(one, two), three),
        WordCounts.merge(one, WordCounts.merge(two, three)),
    ):
        assert values_of(merged) == values_of(whole)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (counted("low", Recipe(splitter="o200k")), "some were made with the splitter gpt2, others with o200k"),
        (counted("low", Recipe(splitter="gpt2", boundary="prefix")), "in some of them words keep the space before"),
        (Corpus.from_text("low").count("cs336"), r"'<\|e\|>' is a special token in some of them"),
        (counted("low", "huggingface"), "some were made with special_text=apart, others with kept"),
        (counted("low").placed_at(4), "the same bytes of the corpus, from byte 4 on"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(other: WordCounts, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        WordCounts.merge(counted("low lower"), other)


# -- counting with little memory ----------------------------------------------------------------------------------


@pytest.mark.parametrize("splitter", ["gpt2", "whitespace", r"\S+"])
@pytest.mark.parametrize("threads", [1, 3])
def test_counting_that_spills_gives_what_counting_in_memory_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, splitter: str, threads: int
) -> None:
    recipe = Recipe(splitter=splitter)
    rng = random.Random(4)
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text(random_text(rng, 5_000), "utf-8", newline="")
    corpus = Corpus.from_files(paths)
    with running("compiled"):
        whole = corpus.count(recipe, SPECIALS)
        whole.placed_at(50).save(tmp_path / "whole.parquet")
        spills: list[int] = []
        spill = bounded_counting.SpillingTally.spill

        def counted_spill(tally: bounded_counting.SpillingTally) -> None:
            spills.append(tally.unique_words)
            spill(tally)

        for module, name, value in (
            (bounded_counting, "_memory_for_words", lambda _limit: 200_000),
            (bounded_counting.SpillingTally, "spill", counted_spill),
            ("bpe_gui.engine.corpora.counting", "BUFFER_SIZE", 4096),
            ("bpe_gui.engine.corpora.counting", "_threads", lambda _size: threads),
            ("bpe_gui.engine.corpora.word_arrays", "_INITIAL_CAPACITY", 1),
        ):
            if isinstance(module, str):
                monkeypatch.setattr(f"{module}.{name}", value)
            else:
                monkeypatch.setattr(module, name, value)
        seen: list[tuple[int, int]] = []
        written = count_to_file(
            corpus,
            tmp_path / "spilled.parquet",
            recipe,
            SPECIALS,
            memory_limit=1 << 30,
            start=50,
            sorting=lambda *done: seen.append(done),
        )
        assert len(spills) > 4 and seen[-1][0] == seen[-1][1]
        assert (written.unique, written.total) == (len(whole), whole.total)
        expected = values_of(WordCounts.load(tmp_path / "whole.parquet"))
        assert values_of(WordCounts.load(tmp_path / "spilled.parquet")) == expected
        merge_files([tmp_path / "spilled.parquet"], tmp_path / "merged.parquet", memory_limit=1 << 30)
        assert values_of(WordCounts.load(tmp_path / "merged.parquet")) == expected
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".txt") == [
        "merged.parquet",
        "spilled.parquet",
        "whole.parquet",
    ]


@pytest.mark.parametrize("memory", [1 << 26, 100_000], ids=["in memory", "spilling"])
def test_a_word_that_is_twice_in_a_file_is_named_when_files_are_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: int
) -> None:
    from pyarrow import parquet

    words = [f"w{number}".encode() for number in range(3000)]
    facts = with_facts(spans=[[0, 9000]], sources=[])
    parquet.write_table(table(words, [1] * 3000, range(3000), facts), tmp_path / "good.parquet")
    words[2000] = words[1000]
    parquet.write_table(table(words, [1] * 3000, range(3000), facts), tmp_path / "bad.parquet")
    monkeypatch.setattr(bounded_counting, "_memory_for_words", lambda _limit: memory)
    good, bad, merged = (tmp_path / f"{name}.parquet" for name in ("good", "bad", "merged"))
    assert merge_files([good, good], merged, memory_limit=1 << 30).unique == 3000
    with pytest.raises(EngineError, match=r"bad.parquet, row 2,001: the word 'w1000' already occurs in row 1,001"):
        merge_files([good, bad], merged, memory_limit=1 << 30)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.parquet", "good.parquet", "merged.parquet"]


def test_a_disk_without_space_for_what_spills_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(bounded_counting, "_memory_for_words", lambda _limit: 1_000)
    monkeypatch.setattr("bpe_gui.engine.corpora.word_arrays._INITIAL_CAPACITY", 1)
    monkeypatch.setattr(SegmentFile, "write", fail)
    text = " ".join(f"w{number}" for number in range(5_000))
    with pytest.raises(CorpusError, match=r"written to the folder .*: No space left on device"):
        count_to_file(Corpus.from_text(text), tmp_path / "a.parquet", Recipe.of("cs336"), (), memory_limit=1 << 30)
    assert not list(tmp_path.iterdir())
    with pytest.raises(CorpusError, match="cannot be limited to 1 MB"):
        count_to_file(Corpus.from_text(text), tmp_path / "a.parquet", Recipe.of("cs336"), (), memory_limit=10**6)


# -- damage -------------------------------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    counted("low").save(path)
    before = path.read_bytes()
    write = counts_file._write

    class Full:
        closed = False

        def __init__(self, file: BinaryIO) -> None:
            self._file = file

        def write(self, data: bytes) -> int:
            if self._file.tell() > 50:
                raise OSError(errno.ENOSPC, "No space left on device")
            return self._file.write(data)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

    monkeypatch.setattr(counts_file, "_write", lambda file, *others: write(Full(file), *others))  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=r"a.parquet cannot be written: No space left on device. Nothing was changed"):
        counted(TEXT * 50).save(path)
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["a.parquet"]


def test_the_name_ends_in_parquet(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"Use a name that ends in \.parquet"):
        counted("low").save(tmp_path / "counts")


def test_pyarrow_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for action in (
        lambda: counted("low").save(tmp_path / "a.parquet"),
        lambda: WordCounts.load(tmp_path / "a.parquet"),
    ):
        with pytest.raises(CorpusError, match=r'pip install "bpe-gui\[counts\]"'):
            action()


def table(words: Any, counts: Any, first_seen: Any, metadata: Any = ..., kinds: str = "") -> Any:
    """Return a table as another program may have written it."""
    import pyarrow

    schema = {"word": pyarrow.binary(), "count": pyarrow.int64(), "first_seen": pyarrow.int64()}
    if kinds:
        schema["count"] = pyarrow.type_for_alias(kinds)
    if metadata is ...:
        metadata = {counts_file._KEY: counted("low").facts.to_json()}
    arrays = [
        pyarrow.array(values, kind) for values, kind in zip((words, counts, first_seen), schema.values(), strict=True)
    ]
    return pyarrow.table(arrays, schema=pyarrow.schema(list(schema.items()), metadata))


def with_facts(**changes: object) -> dict[bytes, str]:
    import json

    return {counts_file._KEY: json.dumps(json.loads(counted("low").facts.to_json()) | changes)}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: table([b"a", b""], [1, 1], [0, 1]), "row 2: the word is empty"),
        (lambda: table([b"a", b"\xff"], [1, 1], [0, 1]), "row 2: the word is not valid UTF-8"),
        (lambda: table(["é".encode()[:1], "é".encode()[1:]], [1, 1], [0, 1]), "row 2: the word is not valid UTF-8"),
        (lambda: table([b"a", None], [1, 1], [0, 1]), r"row 2: word is empty \(null\)"),
        (lambda: table([b"a", b"b"], [1, None], [0, 1]), r"row 2: count is empty \(null\)"),
        (lambda: table([b"a", b"b"], [1, 0], [0, 1]), "row 2: the count is 0"),
        (lambda: table([b"a", b"b"], [1, 1], [5, 5]), "row 2: first_seen must be larger"),
        (lambda: table([b"a", b"b"], [1, 1], [-5, 5]), "row 1: first_seen must be larger"),
        (lambda: table([b"a", b"b", b"a"], [1, 1, 1], [0, 1, 2]), "row 3: the word 'a' already occurs in row 1"),
        (lambda: table([b"a"], [1], [0], kinds="int32"), "the column count must have the type int64, not int32"),
        (lambda: table([b"a"], [1], [0]).drop_columns(["count"]), "has no column count. The columns of"),
        (lambda: table([b"a"], [2**62], [0]), "the counts are too large"),
        (lambda: table([b"a"], [1], [0], None), "not a counts file: its metadata lacks bpe_gui.word_counts"),
        (lambda: table([b"a"], [1], [0], with_facts(version=2)), "version 2 .* reads only version 1"),
        (lambda: table([b"a"], [1], [0], with_facts(splitter=3)), "splitter must be a string"),
        (lambda: table([b"a"], [1], [0], with_facts(spans=[[3, 1]])), "must be the start and the end"),
        (lambda: table([b"a"], [1], [0], with_facts(spans=[[0, 2], [1, 3]])), "must be in order and must not overlap"),
        (lambda: table([b"a"], [1], [0], {counts_file._KEY: b"{"}), "is not valid JSON"),
    ],
)
def test_wrong_contents_are_named(tmp_path: Path, make: Callable[[], Any], message: str) -> None:
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    parquet.write_table(make(), path)
    with pytest.raises(EngineError, match=message) as raised:
        WordCounts.load(path)
    assert "a.parquet" in str(raised.value)


def test_damaged_and_truncated_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    counts = counted(random_text(random.Random(5), 300))
    counts.save(path)
    data = path.read_bytes()
    rng = random.Random(6)
    for _ in range(150):
        damaged = bytearray(data)
        if rng.random() < 0.3:
            del damaged[rng.randrange(len(data)) :]
        else:
            damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        is_counts_file(path)
        try:
            with open_counts(path) as file:
                loaded = WordCounts.of_words(file.read(), file.facts)
        except EngineError as error:
            assert "a.parquet" in str(error)
        else:
            assert list(loaded.items()) == list(counts.items())  # what does not matter was damaged


def test_the_facts_are_found_without_reading_the_words(tmp_path: Path) -> None:
    counted(TEXT).save(tmp_path / "a.parquet")
    with open_counts(tmp_path / "a.parquet") as file:
        assert file.facts.splitter == "gpt2" and file.words == len(counted(TEXT))


def test_parts_that_do_not_fit_are_named() -> None:
    for action, message in (
        (lambda: WordCounts.merge({"low": 1}), "a part must be WordCounts, not dict"),  # type: ignore[arg-type]
        (lambda: counted("low").placed_at(-1), "A part of a corpus must begin at byte 0 or later, not at -1"),
    ):
        with pytest.raises((CorpusError, TypeError), match=message):
            action()


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"a\.parquet cannot be read: No such file"):
        WordCounts.load(tmp_path / "a.parquet")


def test_files_of_counts_have_weights(tmp_path: Path) -> None:
    texts = [TEXT, "low lowest\n" * 3, "newest low\n" * 4]
    for name, text in zip("ac", (texts[0], texts[2]), strict=True):
        counted(text).save(tmp_path / f"{name}.parquet")
    weights = ["0.3", "1.7", "0.3"]
    sources: list[str | Path] = [tmp_path / "a.parquet", texts[1], tmp_path / "c.parquet"]
    weighed = Corpus.from_source(sources, weights=weights).count("cs336", SPECIALS)
    expected = Corpus.from_source(texts, weights=weights).count("cs336", SPECIALS)
    assert values_of(weighed)[:3] == values_of(expected)[:3]
    assert (weighed.bytes, weighed.characters, weighed.weighted) == (expected.bytes, expected.characters, True)
    assert values_of(pickle.loads(pickle.dumps(weighed))) == values_of(weighed)
    with pytest.raises(CorpusError, match="give the file a weight when you train on it"):
        count_to_file(
            Corpus.from_source(texts, weights=weights),
            tmp_path / "b.parquet",
            Recipe.of("cs336"),
            (),
            memory_limit=1 << 30,
        )


def test_a_file_that_others_wrote_by_the_documented_schema_is_read(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    counted_by_hand: dict[bytes, tuple[int, int]] = {}
    position = 0
    for match in regex.finditer(SPLITTERS["gpt2"], TEXT):
        word = match[0].encode()
        count, first = counted_by_hand.get(word, (0, position))
        counted_by_hand[word] = count + 1, first
        position += len(word)
    counts, first_seen = zip(*counted_by_hand.values(), strict=True)
    table = pyarrow.table({"word": list(counted_by_hand), "count": counts, "first_seen": first_seen})
    facts = {
        "version": 1, "splitter": "gpt2", "spaces_kept": False, "special_tokens": [], "characters": 0,
        "bytes": position, "weighted": False, "spans": [[0, position]], "skipped": 0, "sources": [],
    }  # fmt: skip
    path = tmp_path / "counts.parquet"
    parquet.write_table(table.replace_schema_metadata({b"bpe_gui.word_counts": json.dumps(facts)}), path)
    assert list(WordCounts.load(path).items()) == list(Corpus.from_text(TEXT).count("cs336").items())
