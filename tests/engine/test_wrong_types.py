"""Wrong arguments, to every public function: an error that says what was given and what would be right."""

import inspect
from array import array
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from importlib import import_module
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
NOT_TEXTS = (bytearray(b"low"), memoryview(b"low"), None, 5, ["low"], Path("low"))
TEXT = "The text must be a string"
UTF8 = "The text must be UTF-8 in bytes, as text.encode"
SOURCE = r"The source must be text \(str\), a file \(Path\) or a list of these"
PATH = "path must be str or PathLike"
SEVERAL = "must be a list or another iterable"

CALLS: list[tuple[Callable[[Any], object], str, tuple[object, ...]]] = [
    *((getattr(BYTES, name), TEXT, NOT_TEXTS) for name in ("encode", "encode_array", "tokenize")),
    *((getattr(BYTES, name), TEXT, (*NOT_TEXTS, b"low")) for name in ("encoding", "trace")),
    *((getattr(BYTES, name), UTF8, (*NOT_TEXTS, "low")) for name in ("token_arrays", "word_starts", "ids_by_word")),
    (BYTES.encode_batch, f"texts {SEVERAL}", ("low", b"low", None, 5)),
    (BYTES.encode_batch, TEXT, ([None], ["low", 5], {1: "low"})),
    (
        lambda given: list(BYTES.encode_iterable(given)),
        "iterable must be str or a list or another iterable",
        (b"low", None, 5),
    ),
    (lambda given: list(BYTES.encode_iterable(given)), TEXT, ([b"low"], ["low", None])),
    *(
        (decode, f"ids {SEVERAL}", (None, 5, "low", b"low", memoryview(b"low")))
        for decode in (BYTES.decode, BYTES.decode_bytes)
    ),
    (
        BYTES.decode,
        r"Id number 2 is .*\. An id must be an integer",
        ([1, None], [1, "a"], [1, 2.0], [1, [2]], (1, b"a")),
    ),
    (BYTES.decode, "The ids must be a single sequence, but the array has 2 dimensions", (np.zeros((2, 2), np.int32),)),
    (
        lambda given: measure(b"", given, given),
        "starts .*, not one of int64 in 2 dimensions",
        (np.zeros((2, 2), np.int64),),
    ),
    (train, SOURCE, (None, 5, b"low", bytearray(b"low"))),
    (train, PATH, ([None], ["low", 5], [b"low"])),
    (lambda given: train("low", num_merges=given), "num_merges must be int or None", ("5", 1.5)),
    (lambda given: train("low", vocab_size=given), "vocab_size must be int or None", ("300",)),
    (lambda given: train("low", recipe=given), "recipe must be Recipe or str", (None, ["cs336"])),
    (lambda given: train("low", plan=given), "plan must be Plan or None", ("cs336", {})),
    (lambda given: train("low", special_tokens=given), f"special_tokens {SEVERAL}", ("<e>", None, 5)),
    (lambda given: train("low", special_tokens=given), "A special token must be str", ([None], [b"<e>"])),
    (lambda given: Tokenizer({}, [], given), "A special token must be str", ([5], {b"<e>": 5})),
    (Corpus.from_text, TEXT, (*NOT_TEXTS, b"low")),
    (Corpus.from_files, f"paths {SEVERAL}", ("low.txt", None, 5)),
    (Corpus.from_files, PATH, ([None], [b"low.txt"])),
    (lambda given: Corpus.from_files([], encoding=given), "encoding must be str or None", (5,)),
    (load, PATH, (None, 5, b"low", ["low"])),
    (lambda given: load("low", given), "format must be str", (5, ["gpt2"])),
    (lambda given: load("low", pattern=given), "pattern must be str or None", (5,)),
    (lambda given: load("low", special_tokens=given), "special_tokens must be Mapping or None", (["<e>"],)),
    (lambda given: save(given, "low"), "tokenizer must be Tokenizer", (None, "low", {"a": 1})),
    (lambda given: save(BYTES, given), PATH, (None, 5, b"low")),
    (lambda given: save(BYTES, "low", given), "format must be str", (None, 5)),
    (compare, f"tokenizers {SEVERAL}", (None, "low")),
    (compare, "tokenizer must be Tokenizer", ([BYTES, None], ["a", "b"])),
    (lambda given: compare([BYTES, BYTES], given), TEXT, NOT_TEXTS),
]


@pytest.mark.parametrize(("call", "sentence", "wrong"), CALLS)
def test_a_wrong_type_is_named(call: Callable[[Any], object], sentence: str, wrong: tuple[object, ...]) -> None:
    for given in wrong:
        with pytest.raises(EngineError, match=f"^{sentence}"):
            call(given)


def test_what_stands_for_integers_and_text_is_taken() -> None:
    same: list[Iterable[Any]] = [[108, np.int64(111)], (108, 111), iter([108, 111]), array("i", [108, 111])]
    for ids in same:
        assert BYTES.decode(ids) == "lo"
    assert BYTES.decode(np.array([])) == ""
    assert BYTES.encode(np.str_("lo")) == [108, 111]


# -- everything public -------------------------------------------------------------------------------------------------

MODULES = ("engine", "engine.live_text", "engine.metrics", "engine.proof", "engine.projects")
VALUES = {
    *(
        "Audit",
        "Comparison",
        "Difference",
        "Digest",
        "Encoding",
        "Lineage",
        "LineMetrics",
        "Merge",
        "Metrics",
        "OpenedFile",
    ),
    *(
        "FileTokens",
        "IdsFile",
        "Manifest",
        "PairCount",
        "Project",
        "ProjectBranch",
        "ProjectDocument",
        "Proof",
        "Reader",
        "SplitWord",
        "TraceStep",
    ),
    "WordTrace",
}
"""Classes of results and parts, which hold what they are given."""

INTERNAL = {
    *("all_special_tokens", "check_is_text", "check_unchanged", "chunks", "decoded", "facts", "from_json", "of_words"),
    *("merge_moved", "open_records", "open_utf8", "state_of", "texts", "undecodable_error"),
}
"""Methods that parts of the engine call."""


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield every public class, function and method; methods are bound to an object without any fields."""
    for module in (import_module(f"bpe_gui.{name}") for name in MODULES):
        names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
        for name in names:
            value = getattr(module, name)
            if not getattr(value, "__module__", "").startswith("bpe_gui"):
                continue
            if not isinstance(value, type):
                yield name, value
            elif not issubclass(value, Exception) and not inspect.isabstract(value):
                if name not in VALUES:
                    yield name, value
                for method in vars(value):
                    static = inspect.getattr_static(value, method)
                    if method.startswith("_") or method in INTERNAL or isinstance(static, property):
                        continue
                    if callable(bound := getattr(value.__new__(value), method, None)):
                        yield f"{name}.{method}", bound


@pytest.mark.parametrize("function", [pytest.param(each, id=name) for name, each in public_functions()])
def test_no_public_function_lets_a_strange_object_in(function: Callable[..., object]) -> None:
    parameters = [each for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
    wanted = [each for each in parameters if each.default is each.empty] or parameters[:1]
    given = [object() for each in wanted if each.kind is not each.KEYWORD_ONLY]
    by_name = {each.name: object() for each in wanted if each.kind is each.KEYWORD_ONLY}
    if wanted:
        with pytest.raises(EngineError, match=r"must be|cannot be|Unknown|needs"):
            function(*given, **by_name)


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


STARTS = "The starts of words must begin at 0 or more, increase"
ASCENDING = np.array([0, 3, 8])
WORDS = np.frombuffer(b"lowlower", np.uint8)
COUNTS = np.array([5, 2])
TRAINER = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")


def from_arrays(text: Any = WORDS, starts: Any = ASCENDING, counts: Any = COUNTS, **named: Any) -> WordCounts:
    return WordCounts.from_arrays(text, starts, counts, "whitespace", **named)


RANGES: list[tuple[Callable[[], object], str]] = [
    *(
        (lambda starts=starts: BYTES.word_ids(b"lowlower", np.array(starts, np.int64)), STARTS)
        for starts in ([], [0, 9], [-1, 3], [3, 0], [0, 2**62], [2**40, 2**41], [-(2**62), 0])
    ),
    (lambda: BYTES.word_ids("é".encode(), np.array([0, 1, 2])), "A word starts at byte 1, which is inside a character"),
    (lambda: BYTES.word_ids(b"\xe4", np.array([0, 1])), "The bytes are not valid UTF-8"),
    (lambda: Tokenizer({0: b"l"}, []).word_ids(b"lo", np.array([0, 2])), "The symbol 'o'"),
    *(
        (lambda starts=starts: BYTES.word_ids(b"low", starts), "starts must be a one-dimensional array of int64")
        for starts in (ASCENDING.astype(np.float64), ASCENDING.astype(">i8"), ASCENDING.reshape(1, 3), [0, 3], None)
    ),
    *(
        (lambda read=read: read(b"low\xe4"), "The bytes are not valid UTF-8")
        for read in (BYTES.encode_array, BYTES.token_arrays, BYTES.word_starts, BYTES.ids_by_word)
    ),
    (lambda: from_arrays(starts=ASCENDING.astype(np.int32)), "starts must be a one-dimensional array of int64"),
    (lambda: from_arrays(text=WORDS.astype(np.int64)), "text must be a one-dimensional array of uint8"),
    (lambda: from_arrays(starts=np.array([0, 3])), "The arrays do not fit together"),
    (lambda: from_arrays(starts=np.array([0, 3, 9])), "The arrays do not fit together"),
    (lambda: from_arrays(starts=np.array([0, 9, 8])), STARTS),
    (lambda: from_arrays(starts=np.array([0, 0, 8])), "The first word must start at 0"),
    (lambda: from_arrays(counts=np.array([5, 0])), "The first word must start at 0, no word may be empty, and counts"),
    (lambda: from_arrays(first_seen=np.array([5, 0])), "Words must be in the order in which they were first seen"),
    (lambda: from_arrays(counts=np.array([2**62, 1])), "The counts are too large"),
    (lambda: BYTES.encode_array("low", threads=0), "The number of threads must be 1 or more, not 0"),
    (lambda: BYTES.encode_array("low", threads=2.5), "threads must be int or None, not float"),  # type: ignore[arg-type]
    (lambda: BYTES.at("a"), "position must be int, not str"),  # type: ignore[arg-type]
    (lambda: BYTES.at(10**5000), "Merge … does not exist"),
    (lambda: BYTES.with_unknown_id(2**31), "The id for unknown symbols must be an integer of 32 bits"),
    (lambda: BYTES.decode([108], "none"), "errors must be 'strict' or .*, not 'none'"),  # type: ignore[arg-type]
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
