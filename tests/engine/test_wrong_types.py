"""Wrong arguments, to every public function: an error that says what was given and what would be right."""

from array import array
from collections.abc import Callable, Iterable
from enum import IntEnum
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from bpe_gui.engine import (
    Corpus,
    EngineError,
    LiveText,
    Tokenizer,
    Trainer,
    WordCounts,
    compare,
    load,
    measure,
    save,
    train,
)
from tests.engine.support.modes import USUAL_MODES, running

BYTES = Tokenizer({byte: bytes([byte]) for byte in range(256)}, [])
STARTS = "The starts of words must begin at 0 or more, increase"
ASCENDING = np.array([0, 3, 8])
WORDS = np.frombuffer(b"lowlower", np.uint8)
COUNTS = np.array([5, 2])
TRAINER = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")


def from_arrays(text: Any = WORDS, starts: Any = ASCENDING, counts: Any = COUNTS, **named: Any) -> WordCounts:
    return WordCounts.from_arrays(text, starts, counts, "whitespace", **named)


NOT_TEXTS = (bytearray(b"low"), memoryview(b"low"), None, 5, ["low"], Path("low"))
SEVERAL = "must be a list or another iterable"

CALLS: list[tuple[Callable[[Any], object], str, tuple[object, ...]]] = [
    *((getattr(BYTES, name), "text must be str", (*NOT_TEXTS, b"low")) for name in ("encode", "tokenize")),
    *((getattr(BYTES, name), "text must be str", (*NOT_TEXTS, b"low")) for name in ("encoding", "trace")),
    (BYTES.encode_array, "text must be str or bytes", NOT_TEXTS),
    *(
        (getattr(BYTES, name), "text must be bytes", (*NOT_TEXTS, "low"))
        for name in ("token_arrays", "word_starts", "ids_by_word")
    ),
    (BYTES.encode_batch, f"texts {SEVERAL}", ("low", b"low", None, 5)),
    (BYTES.encode_batch, "text must be str", ([None], ["low", 5], {1: "low"})),
    (lambda given: list(BYTES.encode_iterable(given)), "text must be str", (b"low", [b"low"], ["low", None])),
    *(
        (decode, f"ids {SEVERAL}", (None, 5, "low", memoryview(b"low")))
        for decode in (BYTES.decode, BYTES.decode_bytes)
    ),
    (train, f"source {SEVERAL}", (None, 5, b"low", bytearray(b"low"))),
    (train, "path must be str or PathLike", ([None], ["low", 5], [b"low"])),
    (lambda given: train("low", num_merges=given), "num_merges must be int or None", ("5", 1.5)),
    (lambda given: train("low", vocab_size=given), "vocab_size must be int or None", ("300",)),
    (lambda given: train("low", special_tokens=given), f"special_tokens {SEVERAL}", ("<e>", None, 5)),
    (lambda given: train("low", special_tokens=given), "a special token must be str", ([None], [b"<e>"])),
    (lambda given: Tokenizer({}, [], given), "a special token must be str", ([5], {b"<e>": 5})),
    (Corpus.from_text, "text must be str", (*NOT_TEXTS, b"low")),
    (Corpus.from_files, f"paths {SEVERAL}", ("low.txt", None, 5)),
    (Corpus.from_files, "path must be str or PathLike", ([None], [b"low.txt"])),
    (compare, "tokenizer must be Tokenizer", ("low", [BYTES, None], ["a", "b"])),
    (lambda given: compare([BYTES, BYTES], given), "text must be str or bytes", NOT_TEXTS),
    (lambda given: from_arrays(text=given), "text must be an array of uint8", (WORDS.astype(np.int64),)),
    (lambda given: from_arrays(starts=given), "Cannot cast", (ASCENDING.astype(np.float64),)),
    (lambda given: BYTES.word_ids(b"lowlower", given), "Cannot cast", (ASCENDING.astype(np.float64),)),
    (load, "", (None, 5, b"low", ["low"])),
    (lambda given: save(BYTES, given), "", (None, 5, b"low")),
    (lambda given: BYTES.at(given), "", ("a",)),
    (lambda given: BYTES.encode_array("low", threads=given), "", (2.5, "2")),
]


@pytest.mark.parametrize(("call", "sentence", "wrong"), CALLS)
def test_a_wrong_type_is_named(call: Callable[[Any], object], sentence: str, wrong: tuple[object, ...]) -> None:
    for given in wrong:
        with pytest.raises(TypeError, match=f"^{sentence}"):
            call(given)


def test_an_id_that_is_no_integer_is_named() -> None:
    for ids in ([1, None], [1, "a"], [1, 2.0], [1, [2]], (1, b"a")):
        with pytest.raises(EngineError, match=r"^Id number 2 is .*\. An id must be an integer"):
            BYTES.decode(ids)  # type: ignore[arg-type]
    with pytest.raises(EngineError, match=r"^The ids must be a single sequence, but the array has 2 dimensions"):
        BYTES.decode(np.zeros((2, 2), np.int32))


def test_what_stands_for_integers_and_text_is_taken() -> None:
    same: list[Iterable[Any]] = [[108, np.int64(111)], (108, 111), iter([108, 111]), array("i", [108, 111])]
    for ids in same:
        assert BYTES.decode(ids) == "lo"
    assert BYTES.decode(np.array([])) == ""
    assert BYTES.encode(np.str_("lo")) == [108, 111]


# -- wrong sizes, ranges and items -------------------------------------------------------------------------------------


class Text(str):
    """Text that lies about itself."""

    def __len__(self) -> int:
        return 10**6

    def encode(self, *_arguments: Any) -> bytes:
        return b"\xff"


class Several(list[int]):
    """A list that lies about its size."""

    def __len__(self) -> int:
        return 5_000


class Zero(IntEnum):
    """An integer of another type."""

    ZERO = 0


class Emptying:
    """A number that empties its list when it is read."""

    def __init__(self, ids: list[Any]) -> None:
        self.ids = ids

    def __index__(self) -> int:
        self.ids.clear()
        return 108


def shrinking() -> list[Any]:
    ids: list[Any] = [108] * 3_000
    ids[1_000] = Emptying(ids)
    return ids


RANGES: list[tuple[Callable[[], object], str]] = [
    *(
        (lambda starts=starts: BYTES.word_ids(b"lowlower", np.array(starts, np.int64)), STARTS)
        for starts in ([], [0, 9], [-1, 3], [3, 0], [0, 2**62], [2**40, 2**41], [-(2**62), 0])
    ),
    (lambda: BYTES.word_ids("é".encode(), np.array([0, 1, 2])), "A word starts at byte 1, which is inside a character"),
    (lambda: BYTES.word_ids(b"\xe4", np.array([0, 1])), "The bytes are not valid UTF-8"),
    (lambda: Tokenizer({0: b"l"}, []).word_ids(b"lo", np.array([0, 2])), "The symbol 'o'"),
    *(
        (lambda read=read: read(b"low\xe4"), "The bytes are not valid UTF-8")
        for read in (BYTES.encode_array, BYTES.token_arrays, BYTES.word_starts, BYTES.ids_by_word)
    ),
    (lambda: from_arrays(starts=np.array([0, 3])), "The arrays do not fit together"),
    (lambda: from_arrays(starts=np.array([0, 3, 9])), "The arrays do not fit together"),
    (lambda: from_arrays(starts=np.array([0, 9, 8])), STARTS),
    (lambda: from_arrays(starts=np.array([0, 0, 8])), "The first word must start at 0"),
    (lambda: from_arrays(counts=np.array([5, 0])), "The first word must start at 0, no word may be empty, and counts"),
    (lambda: from_arrays(first_seen=np.array([5, 0])), "Words must be in the order in which they were first seen"),
    (lambda: from_arrays(counts=np.array([2**62, 1])), "The counts are too large"),
    (lambda: BYTES.encode_array("low", threads=0), "The number of threads must be 1 or more, not 0"),
    (lambda: BYTES.at(10**5000), "Merge … does not exist"),
    (lambda: BYTES.with_unknown_id(2**31), "The id for unknown symbols must be an integer of 32 bits"),
    (lambda: BYTES.decode(shrinking()), "Id number|The list of ids became shorter"),
    *(
        (lambda merge=merge: Tokenizer({0: b"l"}, [merge]), "The merge of rank 0 is .* must be two tokens in bytes")
        for merge in ((b"l",), (b"l", b"l", b"l"), ("l", "l"), b"ll", None)
    ),
    *(
        (lambda call=call: call(np.array([10**6], np.int32)), "There is no pair with one of these numbers")
        for call in (TRAINER.pairs_of, TRAINER.in_order, TRAINER.counts_of_pairs, TRAINER.symbols_of_pairs)
    ),
    (lambda: TRAINER.rank_of_pair(-1), "There is no pair with one of these numbers"),
    (lambda: TRAINER.split_words(np.array([-1])), "There is no word with one of these numbers"),
    (lambda: TRAINER.symbols_of_word(2), "There is no word with one of these numbers"),
    (lambda: TRAINER.merge_at(10**30), "Merge .* is not in the run"),
    (lambda: LiveText("\ud800"), "The text contains a lone surrogate"),
    (lambda: LiveText("é").replace(0, 1, b""), "The bytes 0 to 1 are not whole characters of this text, which has 2"),
    (lambda: LiveText("e").replace(0, 1, b"\xff"), "The bytes are not valid UTF-8"),
    (lambda: measure(b"low", ASCENDING, COUNTS), "There are 3 starts of tokens, but 2 stops"),
    (lambda: compare([BYTES, BYTES], "low").pair(0, 5), "There is no tokenizer 5"),
]


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_what_kernels_would_misread_is_named(mode: str) -> None:
    with running(mode):
        for call, sentence in RANGES:
            with pytest.raises(EngineError, match=f"^{sentence}"):
                call()


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_what_only_looks_strange_is_taken(mode: str) -> None:
    texts = "low lower " * 300
    ids = BYTES.encode(texts)
    with running(mode):
        assert BYTES.encode(Text("lo")) == BYTES.encode_array(Text("lo")).tolist() == [108, 111]
        assert BYTES.encode_array(texts, threads=10**6).tolist() == ids
        assert BYTES.decode(Several([108, 111])) == BYTES.decode_bytes(Several([108, 111])).decode() == "lo"
        read_only = np.array(ids * 2, np.int32)[::2].copy()
        read_only.flags.writeable = False
        for same in (read_only, np.repeat(ids, 2)[::2], np.array(ids, ">i4"), np.array(ids, object)):
            assert BYTES.decode(same) == (texts if same is not read_only else BYTES.decode(read_only.tolist()))
        for zero in (np.int8(0), False, Zero.ZERO):
            assert BYTES.at(zero) is BYTES  # type: ignore[arg-type]
        assert BYTES.word_ids(b"lowlower", np.repeat(ASCENDING, 2)[::2])[1].tolist() == [0, 3, 8]
        assert LiveText("low").read(-(10**30), 10**30) == b"low"


def test_word_counts_keep_what_they_were_given() -> None:
    starts, counts = ASCENDING.copy(), COUNTS.copy()
    made = from_arrays(starts=starts, counts=counts)
    starts[1], counts[:] = 10**12, -1
    assert made == {"low": 5, "lower": 2}


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_threads_that_use_one_trainer_take_turns(mode: str) -> None:
    counts = Corpus.from_text("low lower lowest newest widest 你好 " * 3).count("cs336")
    expected = Trainer(counts)
    expected.seek(1_000)
    failures: list[BaseException] = []

    def use(trainer: Trainer, seed: int) -> None:
        rng = np.random.default_rng(seed)
        try:
            for _time in range(30):
                trainer.seek(int(rng.integers(0, expected.run_length)))
                trainer.pairs(5)
                trainer.words(3)
                trainer.step()
        except BaseException as error:
            failures.append(error)

    with running(mode):
        trainer = Trainer(counts)
        threads = [Thread(target=use, args=(trainer, seed)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        trainer.seek(1_000)
        assert (trainer.run, trainer.words()) == (expected.run, expected.words())
