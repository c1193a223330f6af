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

import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from .corpora import KINDS, SIZES

VOCABULARIES = (10_000, 32_000)
SPECIAL = "<|endoftext|>"
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
THREADS = 2
THREAD_SETTINGS = ("RAYON_NUM_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
BLOCK = 1 << 20  # bytes read at a time
WARM_UP = 100_000  # bytes from the start of the corpus
RUN = "import sys; from tests.benchmarks.train import run; run(*sys.argv[1:])"


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
        vocab_size=vocabulary,
        special_tokens=[SPECIAL],
        initial_alphabet=byte_level.alphabet(),
        show_progress=False,
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
    merges: int
    peak_mb: float
    imported_mb: float


def run(name: str, corpus: str, vocabulary: str) -> None:
    """Measure in this process, and print the result as the last line."""
    use_processors(THREADS)
    program = PROGRAMS[name]
    importlib.import_module(program.module)
    imported_mb = peak_mb()
    warm_up(program, Path(corpus))
    began = perf_counter()
    merges = program.train(Path(corpus), int(vocabulary))
    seconds = perf_counter() - began
    print("\n" + json.dumps(Measurement(seconds, merges, peak_mb(), imported_mb)), flush=True)


def use_processors(count: int) -> None:
    """Limit this process to `count` processors, since not every program respects the settings for its threads."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


def warm_up(program: Program, corpus: Path) -> None:
    with TemporaryDirectory() as folder, corpus.open("rb") as file:
        head = Path(folder) / "head.txt"
        head.write_bytes(file.read(WARM_UP).decode(errors="ignore").encode())
        program.train(head, 500)


def peak_mb() -> float:
    """Return the peak memory of this process in MB, plus that of its largest child if the program uses processes."""
    if sys.platform == "win32":
        import psutil

        return float(psutil.Process().memory_info().peak_wset / 1e6)
    else:  # noqa: RET505 - so that mypy leaves it out on Windows
        import resource

        unit = 1 if sys.platform == "darwin" else 1024  # bytes
        own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        status = Path("/proc/self/status")
        if status.exists():  # except here, Linux includes the memory of the program that started this one
            own = next(
                int(line.split()[1])
                for line in status.read_text(encoding="utf-8").splitlines()
                if line.startswith("VmHWM")
            )
        return (own + children) * unit / 1e6


def measure(name: str, corpus: Path, vocabulary: int, timeout: float) -> Measurement:
    # Linux counts the parent's memory in the peak of a new process, so import nothing large here.
    done = subprocess.run(
        [sys.executable, "-c", RUN, name, str(corpus), str(vocabulary)],
        env=os.environ | dict.fromkeys(THREAD_SETTINGS, str(THREADS)) | {"TOKENIZERS_PARALLELISM": "true"},
        capture_output=True,
        text=True,
        check=True,
        timeout=timeout,
    )
    return Measurement(*json.loads(done.stdout.splitlines()[-1]))


# -- all measurements --------------------------------------------------------------------------------------------------


class Results(NamedTuple):
    """The measurements of one program with one corpus and vocabulary size."""

    measurements: list[Measurement]
    failures: list[str]

    def median(self, field: str) -> float | None:
        """Return the median; None if a measurement failed, because a program that works only sometimes has no time."""
        if self.failures or not self.measurements:
            return None
        return float(statistics.median(getattr(each, field) for each in self.measurements))


def measure_all(corpus: Path, vocabulary: int, names: Iterable[str], rounds: int, timeout: float) -> dict[str, Results]:
    results = {name: Results([], []) for name in names}
    for _ in range(rounds):
        for name, result in results.items():
            if not result.failures:  # one failure is enough, and timeouts take long
                measure_into(result, name, corpus, vocabulary, timeout)
    return results


def measure_into(result: Results, name: str, corpus: Path, vocabulary: int, timeout: float) -> None:
    try:
        done = measure(name, corpus, vocabulary, timeout)
        result.measurements.append(done)
        # For anyone waiting, and to see how busy the machine is.
        print(f"{corpus.stem} {vocabulary:,} {name}: {done.seconds:.2f} s, {done.peak_mb:,.0f} MB", file=sys.stderr)
    except subprocess.TimeoutExpired:
        result.failures.append(f"took more than {timeout:g} s")
    except subprocess.CalledProcessError as error:
        result.failures.append((error.stderr.strip() or f"ended with {error.returncode}").splitlines()[-1])


def report(corpus: Path, vocabulary: int, results: dict[str, Results]) -> None:
    ratios = [ratio(results, "seconds"), ratio(results, "peak_mb")]
    print(row(corpus.stem, f"{vocabulary:,}", map(cell, results.values()), ratios), flush=True)
    merges = {name: each.measurements[0].merges for name, each in results.items() if each.measurements}
    if len(set(merges.values())) > 1:
        print("  the merges differ in number:", ", ".join(f"{name} {number:,}" for name, number in merges.items()))
    for name, each in results.items():
        for failure in each.failures:
            print(f"  {name} failed: {failure}")


def row(corpus: str, vocabulary: str, cells: Iterable[str], ratios: Iterable[str]) -> str:
    return (
        f"{corpus:10}{vocabulary:>10}"
        + "".join(f"{each:>22}" for each in cells)
        + "".join(f"{each:>9}" for each in ratios)
    )


def cell(results: Results) -> str:
    seconds, memory = results.median("seconds"), results.median("peak_mb")
    return "failed" if seconds is None or memory is None else f"{seconds:.2f} s {memory:8,.0f} MB"


def ratio(results: dict[str, Results], field: str) -> str:
    """Return the best of the others ÷ ours; above 1, ours is better."""
    ours = results["ours"].median(field) if "ours" in results else None
    others = [each.median(field) for name, each in results.items() if name != "ours"]
    known = [value for value in others if value is not None]
    return f"{min(known) / ours:.2f}" if ours and known else "–"


def report_imports(results: Iterable[dict[str, Results]]) -> None:
    print("\nMemory after the imports, before any training:")
    for name, each in next(iter(results), {}).items():
        value = each.median("imported_mb")
        print(f"  {name:12}" + ("failed" if value is None else f"{value:6.0f} MB"))


# -- command -----------------------------------------------------------------------------------------------------------


def main() -> None:
    options = parse()
    names = [name for name in options.programs if installed(name)]
    corpora = [options.folder / f"{each}.txt" for each in options.only]
    if not all(path.exists() for path in corpora):
        # In a separate process, because it needs a lot of memory: see `measure`.
        subprocess.run([sys.executable, "-m", "tests.benchmarks.corpora", str(options.folder)], check=True)

    print_conditions(names, options.rounds)
    print("Time: fastest peer ÷ ours; memory: leanest peer ÷ ours. Above 1, ours is better.\n")
    print(row("corpus", "vocabulary", names, ["time", "memory"]))
    all_results = []
    for corpus in corpora:
        read_through(corpus)
        for vocabulary in options.vocabulary:
            all_results.append(measure_all(corpus, vocabulary, names, options.rounds, options.timeout))
            report(corpus, vocabulary, all_results[-1])
    report_imports(all_results)


def installed(name: str) -> bool:
    found = importlib.util.find_spec(PROGRAMS[name].module) is not None
    if not found:
        print(f"{name} is not installed and left out; to measure it: pip install {name}")
    return found


def print_conditions(names: Iterable[str], rounds: int) -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, {THREADS} threads, rounds: {rounds}")
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            print(f"  {name} {importlib.metadata.version(PROGRAMS[name].module)}")


def read_through(corpus: Path) -> None:
    """Read a file, so that the first program does not have to wait for the disk."""
    with corpus.open("rb") as file:
        while file.read(BLOCK):
            pass


def parse() -> argparse.Namespace:
    everything = [f"{kind}_{size}" for size in SIZES for kind in KINDS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the corpora are, or are built")
    parser.add_argument("--quick", action="store_true", help="10 MB, the smaller vocabulary, one round")
    parser.add_argument("--rounds", type=int, help="default: 5")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one measurement; default: 600")
    parser.add_argument("--only", type=one_of(everything), help=f"some of {','.join(everything)}")
    parser.add_argument(
        "--programs", type=one_of(list(PROGRAMS)), default=list(PROGRAMS), help=f"of {','.join(PROGRAMS)}"
    )
    parser.add_argument("--vocabulary", type=int, nargs="+", help="sizes; default: 10000 32000")
    options = parser.parse_args()
    options.only = options.only or [each for each in everything if not options.quick or each.endswith("_10")]
    options.vocabulary = options.vocabulary or VOCABULARIES[: 1 if options.quick else None]
    options.rounds = options.rounds or (1 if options.quick else 5)
    return options


def one_of(known: list[str]) -> Callable[[str], list[str]]:
    def split(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := set(chosen) - set(known):
            raise argparse.ArgumentTypeError(f"{', '.join(sorted(unknown))}: not one of {', '.join(known)}")
        return chosen

    return split


if __name__ == "__main__":
    main()
