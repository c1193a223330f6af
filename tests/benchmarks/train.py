"""Compare our trainer with others: run `python -m tests.benchmarks.train CORPORA_FOLDER`.

Each program trains on a file: byte level, GPT-2's pattern, the special token <|endoftext|>, two threads. Every
measurement is a separate process, and the programs take turns, so that a busy minute of the machine affects all of
them. The clock runs from opening the file to having the merges; imports and a small training run come before that.
Memory is the peak of the whole process, with Python and the imports. The table has medians.

Each program is called in the fastest documented way that gives the merges asked for, and any costs of that way count:
- gigatoken reads the file itself.
- ffbpe, rustbpe and tokenizers get the documents one by one from Python, as str, and collect them in batches. Given the
  file instead, ffbpe is slower, since its words pass through a Python dict, and the other two split the text into lines
  and learn from the special tokens as well.
- ffbpe gives its merges only as a file, so they are written and read again; tokenizers gives them only as JSON.
- rustbpe has no special tokens: its vocabulary is smaller by one, for as many merges. It gives tokens, not merges.

On Linux every program is limited to two processors, on other systems only those that read an environment variable.
Missing corpora are built first, which needs Debian 12: see tests.benchmarks.corpora.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .measuring import (
    BLOCK,
    THREADS,
    WARM_UP,
    Results,
    add_choices,
    called,
    chosen,
    command,
    head_of,
    in_turns,
    parser_of,
    peak_mb,
    print_conditions,
    read_through,
    report_failures,
    say,
    seconds,
    use_processors,
)

VOCABULARIES = (10_000, 32_000)
SPECIAL = "<|endoftext|>"
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


# -- programs: a path and a vocabulary size → the number of merges -----------------------------------------------------


def train_ours(corpus: Path, vocabulary: int) -> int:
    from bpe_gui.engine import train

    return len(train(corpus, recipe="cs336", vocab_size=vocabulary, special_tokens=[SPECIAL]).merges)


def train_gigatoken(corpus: Path, vocabulary: int) -> int:
    gigatoken = importlib.import_module("gigatoken")
    source = gigatoken.TextFileSource([corpus], separator=SPECIAL)
    _, merges = gigatoken.train_bpe(source, vocabulary, [SPECIAL])
    return len(merges)


def train_ffbpe(corpus: Path, vocabulary: int) -> int:
    ffbpe = importlib.import_module("ffbpe")
    model = ffbpe.train_bpe(documents(corpus), vocab_size=vocabulary, special_tokens=[SPECIAL])
    with TemporaryDirectory() as folder:
        file = Path(folder) / "merges.txt"
        model.save_merges_txt(file)
        return len(file.read_text(encoding="utf-8").splitlines())


def train_rustbpe(corpus: Path, vocabulary: int) -> int:
    tokenizer = importlib.import_module("rustbpe").Tokenizer()
    tokenizer.train_from_iterator(documents(corpus), vocab_size=vocabulary - 1, pattern=GPT2)
    return len(tokenizer.get_mergeable_ranks()) - 256


def train_tokenizers(corpus: Path, vocabulary: int) -> int:
    tokenizers = importlib.import_module("tokenizers")
    byte_level = tokenizers.pre_tokenizers.ByteLevel
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = byte_level(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=[SPECIAL], initial_alphabet=byte_level.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(documents(corpus), trainer)
    return len(json.loads(tokenizer.to_str())["model"]["merges"])


def documents(corpus: Path) -> Iterator[str]:
    """Yield the texts between the special tokens, with one block and one document of the file in memory."""
    rest, separator = b"", SPECIAL.encode()
    with corpus.open("rb") as file:
        while block := file.read(BLOCK):
            *whole, rest = (rest + block).split(separator)
            yield from (document.decode() for document in whole)
    yield rest.decode()


class Program(NamedTuple):
    module: str
    train: Callable[[Path, int], int]


PROGRAMS = {
    "ours": Program("bpe_gui.engine", train_ours),
    "gigatoken": Program("gigatoken", train_gigatoken),
    "ffbpe": Program("ffbpe", train_ffbpe),
    "rustbpe": Program("rustbpe", train_rustbpe),
    "tokenizers": Program("tokenizers", train_tokenizers),
}


# -- one measurement, in a process of its own --------------------------------------------------------------------------


class Measurement(NamedTuple):
    seconds: float
    peak_mb: float
    imported_mb: float
    merges: int

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s, {self.peak_mb:,.0f} MB"


def run(name: str, corpus: str, vocabulary: str) -> None:
    """Measure in this process, and print the result."""
    use_processors(THREADS)
    program = PROGRAMS[name]
    importlib.import_module(program.module)
    imported_mb = peak_mb()
    with TemporaryDirectory() as folder:
        head = Path(folder) / "head.txt"
        head.write_bytes(head_of(Path(corpus), WARM_UP))
        program.train(head, 500)
    merges: list[int] = []
    taken = seconds(lambda: merges.append(program.train(Path(corpus), int(vocabulary))))
    say(taken, peak_mb(), imported_mb, *merges)


def measure(name: str, corpus: Path, vocabulary: int, timeout: float) -> Measurement:
    return Measurement(*called(command("train", "run", name, corpus, vocabulary), timeout=timeout))


# -- all measurements --------------------------------------------------------------------------------------------------

TrainingResults = Mapping[str, Results[Measurement]]


def seconds_of(measurement: Measurement) -> float:
    return measurement.seconds


def memory_of(measurement: Measurement) -> float:
    return measurement.peak_mb


def report(corpus: Path, vocabulary: int, results: TrainingResults) -> None:
    ratios = [ratio(results, seconds_of), ratio(results, memory_of)]
    print(row(corpus.stem, f"{vocabulary:,}", map(cell, results.values()), ratios), flush=True)
    merges = {name: each.measurements[0].merges for name, each in results.items() if each.measurements}
    if len(set(merges.values())) > 1:
        print("  the merges differ in number:", ", ".join(f"{name} {number:,}" for name, number in merges.items()))
    report_failures(results)


def row(corpus: str, vocabulary: str, cells: Iterable[str], ratios: Iterable[str]) -> str:
    return (
        f"{corpus:10}{vocabulary:>10}"
        + "".join(f"{each:>22}" for each in cells)
        + "".join(f"{each:>9}" for each in ratios)
    )


def cell(results: Results[Measurement]) -> str:
    taken, memory = results.median(seconds_of), results.median(memory_of)
    return "failed" if taken is None or memory is None else f"{taken:.2f} s {memory:8,.0f} MB"


def ratio(results: TrainingResults, value: Callable[[Measurement], float]) -> str:
    """Return the best of the others ÷ ours; above 1, ours is better."""
    ours = results["ours"].median(value) if "ours" in results else None
    others = [each.median(value) for name, each in results.items() if name != "ours"]
    known = [found for found in others if found is not None]
    return f"{min(known) / ours:.2f}" if ours and known else "–"


def report_imports(results: TrainingResults) -> None:
    print("\nMemory after the imports, before any training:")
    for name, each in results.items():
        value = each.median(lambda measurement: measurement.imported_mb)
        print(f"  {name:12}" + ("failed" if value is None else f"{value:6.0f} MB"))


def main() -> None:
    parser = parser_of(__doc__)
    modules = {name: program.module for name, program in PROGRAMS.items()}
    add_choices(parser, PROGRAMS)
    parser.add_argument("--vocabulary", type=int, nargs="+", help="default: 10000 32000; with --quick 10000")
    options, corpora = chosen(parser, modules)
    print_conditions(f"{THREADS} threads", options, modules)
    print("Time: fastest peer ÷ ours; memory: leanest peer ÷ ours. Above 1, ours is better.\n")
    print(row("corpus", "vocabulary", options.programs, ["time", "memory"]))
    first: TrainingResults = {}
    for corpus in corpora:
        read_through(corpus)
        for vocabulary in options.vocabulary or VOCABULARIES[: 1 if options.quick else None]:
            works = {name: [partial(measure, name, corpus, vocabulary, options.timeout)] for name in options.programs}
            results = in_turns(works, options.rounds, f"{corpus.stem} {vocabulary:,}")
            report(corpus, vocabulary, results)
            first = first or results
    report_imports(first)


if __name__ == "__main__":
    main()
