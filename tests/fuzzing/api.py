"""Call the public API at random, in child processes: each call must return or raise an error; none may crash or hang.

    python -m tests.fuzzing.api --calls 200000 --seed 1

Functions, classes and their methods are found through `__all__`, so that a new one is called as soon as it exists;
`VALUES` gives what an argument may be, by its name and annotation. Signals, slow calls and errors of the interpreter
are reported once per function, with the number that `--only` takes to repeat the call. Linux only.
"""

import argparse
import inspect
import math
import mmap
import multiprocessing
import os
import random
import resource
import signal
import sys
import threading
import time
import traceback
import warnings
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine import (
    PRESETS,
    Corpus,
    EngineError,
    LiveText,
    Plan,
    Rule,
    RunUntil,
    TextDocument,
    Tokenizer,
    Trainer,
    compare,
    load,
    measure,
    save,
    train,
)
from bpe_gui.engine.projects import Project, save_project

MODULES: Final = (
    "engine",
    "engine.audits",
    "engine.comparison",
    "engine.explanations",
    "engine.projects",
    "engine.proof",
)
LEFT_OUT: Final = {
    *("fetch_published", "Download", "find_remote", "count_on_cluster", "RemoteFile", "address_of"),  # the network
    # Internal to the engine:
    *("chunks", "texts", "open_records", "open_utf8", "open_binary", "check_is_text", "check_unchanged", "decoded"),
    *("state_of", "undecodable_error", "vocabulary", "arrays", "store", "MergeStore", "Entries"),
    *("TokenArrays", "joined"),
    *("SplitWords", "TokenizedText", "CountsFacts", "check_surrogates", "check_special_tokens"),
    *("compile_pattern", "of_words", "joined", "merge_moved", "words_by_part", "special_ids", "all_special_tokens"),
}
MAX_SECONDS: Final = 20  # for one call
MAX_MEMORY: Final = 3 << 30  # bytes
_BATCH: Final = 500  # calls of one process


# -- hostile values ------------------------------------------------------------------------------------------------


class Mine(Exception):
    """An error that hostile values raise. It may propagate to the caller."""


class Text(str):
    """Text that lies about itself."""

    def __len__(self) -> int:
        return 10**6

    def encode(self, *_arguments: Any) -> bytes:
        return b"\xff" * 7

    def __getitem__(self, _index: Any) -> str:
        return "\ud800"


class Bytes(bytes):
    """Bytes that lie about their size."""

    def __len__(self) -> int:
        return 10**6


class Several(list[Any]):
    """A list that lies about its size."""

    def __len__(self) -> int:
        return 5000

    def __getitem__(self, _index: Any) -> Any:
        return 7


class Index:
    """A number that empties a list when it is read."""

    def __init__(self, of: list[Any]) -> None:
        self.of = of

    def __index__(self) -> int:
        self.of.clear()
        return 1


class Bad:
    """An object whose methods all fail."""

    def __index__(self) -> int:
        raise Mine

    def __iter__(self) -> Iterator[Any]:
        raise Mine

    def __len__(self) -> int:
        raise Mine

    def __fspath__(self) -> str:
        raise Mine


def shrinking(rng: random.Random) -> list[Any]:
    """Return a list that shrinks while it is read."""
    ids: list[Any] = [1] * 3000
    ids[rng.randrange(3000)] = Index(ids)
    return ids


def changing(rng: random.Random) -> list[Any]:
    """Return a list that a thread modifies for a moment."""
    ids: list[Any] = [1] * 3000

    def change() -> None:
        for _time in range(200):
            del ids[rng.randint(0, 2000) :]
            ids.extend([2] * 2500)

    threading.Thread(target=change, daemon=True).start()
    return ids


def generator(rng: random.Random) -> Iterator[Any]:
    """Return a generator that fails."""
    yield from ("low", 1, b"low")[: rng.randint(0, 3)]
    raise Mine


def some_array(rng: random.Random) -> Any:
    """Return an array of any type, shape, strides and byte order, with any numbers."""
    dtype = rng.choice(("<i4", "<i8", "<i8", "<u8", ">i8", "<i2", "u1", "u1", "<f8", "?", "O", "U3"))
    size = rng.choice((0, 1, 2, 3, 5, 9, 3000))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        numbers = np.array([rng.choice((0, 1, 2, 3, 8, 100, rng.randrange(300))) for _item in range(size)])
        if rng.random() < 0.5:
            numbers = np.sort(numbers)
        result = numbers.astype(dtype)
        if size and dtype in ("<i8", "<i4") and rng.random() < 0.3:
            result[rng.randrange(size)] = rng.choice((-1, -(2**31), 2**31 - 1, -(2**62) if dtype == "<i8" else -2))
    match rng.randrange(8):
        case 0:
            result = result[:: rng.choice((2, -1))]
        case 1:
            result = result.reshape(rng.choice(((1, -1), (-1, 1), (1, -1, 1)))) if size else result
        case 2:
            result.flags.writeable = False
    return result


def some_integer(rng: random.Random) -> Any:
    small = 0, 1, 2, 3, 5, 20, 256, 257, 260, rng.randrange(300), -1, -2, True, np.int64(3), np.uint8(4)
    edges = 2**31 - 1, 2**31, -(2**31), 2**63, -(2**63), 2**64, 10**30, 10**5000, -(10**5000)
    return rng.choice((*small, *small, *edges, np.int64(-(2**63)), np.uint64(2**63)))


def some_text(rng: random.Random) -> str:
    whole = "low lower lowest 你好 😀 naïve <|e|> don't 123\n\t\0\u2028<|e|>e\u0301"
    start = rng.randrange(len(whole))
    part = whole[start : start + rng.randint(0, 30)]
    return rng.choice((part, part, whole, part * 50, "", "\ud800", "low\udcff", "a" * 5000, part * 3000))


HOSTILE: Final[tuple[Callable[[random.Random], Any], ...]] = (
    *(some_integer, some_text, some_array, shrinking, changing, generator),
    lambda rng: some_text(rng).encode(errors="surrogatepass"),
    lambda _rng: iter([1, "low"]),
    lambda _rng: mmapped(),
    lambda _rng: Several([1, 2, 3]),
    lambda _rng: bytearray(b"low"),
)
"""Functions that return invalid values, which differ each time, or can be used only once."""

WRONG: Final[tuple[Any, ...]] = (
    *(None, 2.5, math.nan, math.inf, 1j, object(), Bad(), int, ..., slice(3), Fraction(1, 3)),
    *("\ud800", "x" * 5000, Text("low"), b"\xff\xfe", Bytes(b"low"), memoryview(b"low lower")[::2]),
    *([], (), {}, set(), [None], ["low", 5], [b"l", b"o"], [(b"l",)], [[[]]], [1.5], [10**30]),
    *({1: 2}, {"low": 2}, {b"low": "x"}, {-1: b""}, array("i", [1, 2, 3]), array("d", [1.5])),
    *(Path("missing"), Path("\0"), Path()),
)


def wrong(rng: random.Random) -> Any:
    return rng.choice(HOSTILE)(rng) if rng.random() < 0.3 else rng.choice(WRONG)


def mmapped() -> mmap.mmap:
    file = mmap.mmap(-1, 100)
    file.close()
    return file


# -- valid values --------------------------------------------------------------------------------------------------


class World:
    """Values of every class in the API, in their own folder."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self.rng = rng
        text = "low low lower lowest newest widest 你好 你好 naïve 😀 don't <|e|> " * 3
        recipe = rng.choice(list(PRESETS))
        counts = Corpus.from_text(text).count(recipe, ["<|e|>"])
        plan = rng.choice((Plan(), Plan(forced={2: (b"l", b"o")}, rules=["max-bytes=3"])))
        trainer = Trainer(counts, recipe, plan=plan)
        trainer.seek(rng.randrange(12))
        byte_level = train(text, num_merges=20, special_tokens=["<|e|>"])
        tokenizers = [trainer.tokenizer(), byte_level, byte_level.at(3).with_unknown_id(-1), piped(folder, byte_level)]
        live = LiveText(text)
        live.encode_with(rng.choice([*tokenizers, None]))
        live.encode_near(0, len(live))
        (folder / "low.txt").write_text(text, encoding="utf-8")
        (folder / "bad.txt").write_bytes(b"low \xff")
        (folder / "empty.txt").touch()
        project = Project((), PRESETS[recipe], (), 300, text, byte_level)
        save_project(project, folder / "p.bpe.json")
        save(byte_level, folder / "gpt2")
        corpus, comparison = Corpus.from_files([folder / "low.txt"]), compare(tokenizers[:2], text)
        self.values: list[Any] = [
            *(trainer, counts, plan, *tokenizers, live, project, Corpus.from_text(text), corpus, PRESETS[recipe]),
            *(comparison, comparison.pair(), comparison.texts[0], comparison.differences, TextDocument(text)),
            *(*corpus.documents, *live.unencoded_blocks(), byte_level.entries(), byte_level.lineage(258)),
            *(
                RunUntil.parse("count-below=2"),
                Rule.of("max-bytes=3"),
                counts.words(),
                live.words_in(0, 50),
                counts.facts,
            ),
            *(
                byte_level.trace("low")[0],
                trainer.pairs(1)[0],
                trainer.words(1)[0],
                byte_level.store,
                byte_level.encoding("low"),
            ),
            *(measure(b"low", *byte_level.token_arrays(b"low")[1:]), byte_level.token_arrays(b"low"), trainer.plan),
        ]

    def of(self, kind: type) -> list[Any]:
        return [value for value in self.values if isinstance(value, kind)]

    def can_call(self, target: "Target") -> bool:
        """Return whether there is an object whose method can be called."""
        if target.owner is None or self.of(target.owner):
            return True
        return isinstance(inspect.getattr_static(target.owner, target.function), classmethod | staticmethod)

    def argument(self, name: str, annotation: Any) -> Any:
        """Return a value for a parameter: mostly a valid one, if it is known what is valid."""
        rng = self.rng
        if rng.random() < 0.3:
            return wrong(rng)
        for words, make in VALUES.items():
            if name in words.split():
                return make(rng)
        written = str(annotation)
        found = [value for value in self.values if type(value).__name__ in written]
        if found and rng.random() < 0.8:
            value = rng.choice(found)
            return [value, rng.choice(found)] if "Iterable" in written or "Sequence" in written else value
        if "Mapping" in written or "dict" in written:
            return rng.choice(({}, {"low": 3, "er": 2}, {0: b"l", 1: b"o"}, {"<|e|>": 500}, {(b"l", b"o"): 0}))
        if "ndarray" in written:
            return some_array(rng)
        if "bytes" in written:
            return rng.choice((some_text(rng).encode(errors="replace"), b"l", b"lo", b"w", b"\xe4"))
        if "bool" in written:
            return rng.random() < 0.5
        if "int" in written:
            return rng.choice((some_integer(rng), rng.randint(0, 30)))
        if "str" in written:
            return some_text(rng)
        return wrong(rng)


def piped(folder: Path, tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer with a pipeline added."""
    save(tokenizer, folder / "tokenizer.json", "huggingface")
    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    changed = text.replace('"normalizer": null', '"normalizer": {"type": "NFKC"}')
    (folder / "tokenizer.json").write_text(changed, encoding="utf-8")
    return load(folder / "tokenizer.json")


VALUES: Final[dict[str, Callable[[random.Random], Any]]] = {
    "ids": lambda rng: rng.choice(
        ([1, 2, 3], [rng.randrange(280) for _id in range(3000)], shrinking(rng), changing(rng), some_array(rng))
    ),
    "path paths folder": lambda rng: rng.choice(
        (
            "gpt2",
            "p.bpe.json",
            "tokenizer.json",
            "bad.txt",
            "empty.txt",
            "missing",
            "out",
            "/dev/null",
            ".",
            Path("low.txt"),
        )
    ),
    "source": lambda rng: rng.choice((some_text(rng), Path("low.txt"), ["low.txt"])),
    "threads": lambda rng: rng.choice((1, 2, 5, 10**6, 0, -1)),
    "recipe": lambda rng: rng.choice([*PRESETS, *PRESETS.values()]),
    "format": lambda rng: rng.choice(("gpt2", "minbpe", "tiktoken", "huggingface", "csv", "none")),
    "merges": lambda rng: rng.choice(([(b"l", b"o")], [(b"l", b"o"), (b"lo", b"w")], [(b"l",)], [b"lo"], [("l", "o")])),
    "vocab": lambda rng: rng.choice(({0: b"l", 1: b"o", 2: b"lo", 3: b"w"}, {i: bytes([i]) for i in range(256)})),
    "errors": lambda rng: rng.choice(("strict", "replace", "ignore", "none", "surrogateescape")),
    "special_tokens": lambda rng: rng.choice(((), ["<|e|>"], {"<|e|>": 900}, ["", "a"], ["<|e|>"] * 2)),
    "conditions": lambda rng: [RunUntil.parse("count-below=2")] * rng.randint(0, 2),
    "words": lambda rng: rng.choice((b"lowlower", some_text(rng).encode(errors="replace"))),
    "num_merges vocab_size limit max_symbols": lambda rng: rng.choice((None, 0, 1, 5, 300, -1, 10**30)),
}
"""By parameter name: values that are mostly valid."""


# -- calls ---------------------------------------------------------------------------------------------------------


class Target(NamedTuple):
    """Something to call: a function or class, or a method or property of a class."""

    name: str
    owner: type | None
    function: Any


def targets() -> list[Target]:
    """Return everything in the public API that can be called or read."""
    found: dict[str, Target] = {}
    for module_name in MODULES:
        module = import_module(f"bpe_gui.{module_name}")
        for name in getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]:
            value = getattr(module, name)
            if name in LEFT_OUT or not callable(value) or not getattr(value, "__module__", "").startswith("bpe_gui"):
                continue
            if isinstance(value, type) and issubclass(value, Exception):
                continue
            found.setdefault(name, Target(name, None, value))
            for each in methods_of(value) if isinstance(value, type) else ():
                found.setdefault(f"{name}.{each}", Target(f"{name}.{each}", value, each))
    return list(found.values())


def methods_of(kind: type) -> list[str]:
    named = (name for base in kind.__mro__ if base.__module__.startswith("bpe_gui") for name in vars(base))
    special = [name for name in ("__len__", "__iter__", "__str__", "__hash__") if hasattr(kind, name)]
    return [*dict.fromkeys(n for n in named if not n.startswith("_") and n not in LEFT_OUT), *special]


def call(world: World, target: Target) -> None:
    """Make one call."""
    rng = world.rng
    function = target.function
    if target.owner is not None:
        function = getattr(rng.choice(world.of(target.owner) or [target.owner]), target.function)
        if not callable(function):
            return  # a property, which has been read
    arguments: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        value = world.argument(parameter.name, parameter.annotation)
        if parameter.kind is parameter.VAR_POSITIONAL:
            arguments += [value] * rng.randint(0, 2)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named |= {parameter.name: value} if rng.random() < 0.3 or parameter.default is parameter.empty else {}
        elif parameter.kind is not parameter.VAR_KEYWORD:
            if parameter.default is not parameter.empty and rng.random() < 0.5:
                break
            arguments.append(value)
    run = lambda: used(function(*arguments, **named))  # noqa: E731
    if rng.random() < 0.03:
        others = [threading.Thread(target=quietly, args=(run,)) for _thread in range(3)]
        for thread in others:
            thread.start()
        try:
            run()
        finally:
            for thread in others:
                thread.join()
    else:
        run()


def quietly(run: Callable[[], object]) -> None:
    with suppress(BaseException):  # the calling thread does the same
        run()


def used(result: Any) -> None:
    """Use the result of a call as a caller would."""
    if isinstance(result, Iterator):
        for _item, _number in zip(result, range(300), strict=False):
            pass
    elif isinstance(result, EngineError):
        str(result)


def child(seed: int, output: Any, only: int | None) -> None:
    """Make a batch of calls; before each, write its number, and afterwards, what was wrong."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    everything, callable_now = targets(), list[Target]()
    with TemporaryDirectory() as name:
        os.chdir(name)
        for number in range(_BATCH):
            rng = random.Random(f"{seed} {number}")
            if only is not None and number != only:
                continue
            if number % 100 == 0 or only is not None:
                world = World(random.Random(f"{seed} {number // 100}"), Path(name))
                callable_now = [target for target in everything if world.can_call(target)]
            target = rng.choice(callable_now)
            world.rng = rng
            output.send((number, target.name, None))
            signal.alarm(MAX_SECONDS)
            try:
                call(world, target)
                error = ""
            except Exception as raised:
                error = describe(raised) if isinstance(raised, SystemError) else ""
            except BaseException as raised:
                error = describe(raised)
                if only is not None:
                    traceback.print_exc()
            signal.alarm(0)
            output.send((number, target.name, error))
    output.send(None)


def describe(error: BaseException) -> str:
    """Return an error's type, location and first words."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "bpe_gui" in frame.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return f"{type(error).__name__} at {where}: {str(error)[:100]!r}"


# -- the parent ----------------------------------------------------------------------------------------------------


def run_batch(
    seed: int, found: dict[tuple[str, str], str], counts: Counter[str], called: set[str], only: int | None
) -> None:
    """Make the calls of one process, and record what was wrong, how many calls there were, and of which functions."""
    receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=child, args=(seed, sender, only))
    process.start()
    sender.close()
    current: tuple[int, str] | None = None
    try:
        while (message := receiver.recv()) is not None:
            number, name, error = message
            if error is None:
                current = number, name
                continue
            current = None
            counts["calls"] += 1
            called.add(name)
            if error:
                counts["raw errors"] += 1
                place = error.partition(": ")[0]
                found.setdefault((name, place), f"--seed {seed} --only {number}  {error}")
    except EOFError:
        pass
    process.join()
    if current is not None:
        counts["calls"] += 1
        status = process.exitcode or 0
        ended = signal.Signals(-status).name if status < 0 else f"exit {status}"
        counts["too slow" if ended == "SIGALRM" else "signals"] += 1
        found.setdefault((current[1], ended), f"--seed {seed} --only {current[0]}  {ended}")


def main() -> int:
    """Make the calls, print what was wrong and how many calls were made, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="the number of a call: make only that one and show its error")
    arguments = parser.parse_args()
    started, found, counts = time.monotonic(), dict[tuple[str, str], str](), Counter[str]()
    seed, called = arguments.seed, set[str]()
    while counts["calls"] < arguments.calls:
        before = counts["calls"]
        run_batch(seed, found, counts, called, arguments.only)
        seed += 1
        if arguments.only is not None or counts["calls"] == before:
            break
    for (name, _kind), line in sorted(found.items()):
        print(f"{name:40} {line}")
    uncalled = {target.name.partition(".")[0] for target in targets()} - {name.partition(".")[0] for name in called}
    print(f"not called: {', '.join(sorted(uncalled)) or 'none'}")
    print(dict(counts), f"of {len(called)} names, {len(found)} kinds of faults, {time.monotonic() - started:.0f} s")
    return min(1, len(found))


if __name__ == "__main__":
    sys.exit(main())
