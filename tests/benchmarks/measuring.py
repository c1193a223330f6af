"""Tools for all benchmarks: programs that take turns, each measurement in a process of its own, and their medians."""

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

from .corpora import KINDS, SIZES

T = TypeVar("T")

THREADS = 2
THREAD_SETTINGS = ("RAYON_NUM_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
CALL = "import sys, importlib; getattr(importlib.import_module(sys.argv[1]), sys.argv[2])(*sys.argv[3:])"
WARM_UP = 100_000  # bytes from the start of a corpus
BLOCK = 1 << 20  # bytes read at a time


# -- in the process that is measured -----------------------------------------------------------------------------------


def use_processors(count: int) -> None:
    """Limit this process to `count` processors, since not every program respects the settings for its threads."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


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


def head_of(corpus: Path, size: int) -> bytes:
    """Return the first bytes of a corpus, up to the end of a character."""
    with corpus.open("rb") as file:
        return file.read(size).decode(errors="ignore").encode()


def say(*values: object) -> None:
    """Print what was measured as the last line of this process."""
    print("\n" + json.dumps(values), flush=True)


# -- from outside ------------------------------------------------------------------------------------------------------


def command(module: str, function: str, *arguments: object, python: str = sys.executable) -> list[str]:
    """Return the command that calls a function of a benchmark with texts."""
    return [python, "-c", CALL, f"tests.benchmarks.{module}", function, *map(str, arguments)]


def environment(threads: int, *, parallel: bool = True) -> dict[str, str]:
    """Return environment variables that limit the threads of all programs that read one."""
    settings = dict.fromkeys(THREAD_SETTINGS, str(threads)) | {"TOKENIZERS_PARALLELISM": str(parallel).lower()}
    return os.environ | settings


def called(called_command: Sequence[str], threads: int = THREADS, timeout: float | None = None) -> Any:
    """Run a command, and return what it printed as its last line."""
    # Linux counts the parent's memory in the peak of a new process, so import nothing large here.
    done = subprocess.run(
        called_command, env=environment(threads), capture_output=True, text=True, check=True, timeout=timeout
    )
    return json.loads(done.stdout.splitlines()[-1])


def seconds(work: Callable[[], object]) -> float:
    """Return how long a function takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


class Results(NamedTuple, Generic[T]):
    """The measurements of one program."""

    measurements: list[T]
    failures: list[str]

    def median(self, value: Callable[[T], float | None]) -> float | None:
        """Return a median; None if a measurement failed, because a program that works only sometimes has no time."""
        values = [found for each in self.measurements if (found := value(each)) is not None]
        return float(statistics.median(values)) if values and not self.failures else None

    def measure(self, title: str, work: Callable[[], T]) -> None:
        """Measure once, and print the measurement for anyone waiting, and to see how busy the machine is."""
        try:
            self.measurements.append(work())
            print(f"{title}: {self.measurements[-1]}", file=sys.stderr)
        except subprocess.TimeoutExpired as error:
            self.failures.append(f"took more than {error.timeout:g} s")
        except subprocess.CalledProcessError as error:
            self.failures.append((error.stderr.strip() or f"ended with {error.returncode}").splitlines()[-1])


def in_turns(works: Mapping[str, Sequence[Callable[[], T]]], rounds: int, title: str = "") -> dict[str, Results[T]]:
    """Measure what each program does several times, the programs in turn."""
    results: dict[str, Results[T]] = {name: Results([], []) for name in works}
    for _round in range(rounds):
        for name, result in results.items():
            for work in works[name]:
                if not result.failures:  # one failure is enough, and timeouts take long
                    result.measure(f"{title} {name}".strip(), work)
    return results


def report_failures(results: Mapping[str, Results[Any]]) -> None:
    """Print why programs failed."""
    for name, result in results.items():
        for failure in result.failures:
            print(f"  {name} failed: {failure}")
    sys.stdout.flush()


# -- commands ----------------------------------------------------------------------------------------------------------


def parser_of(description: str | None) -> argparse.ArgumentParser:
    """Return a parser whose description keeps its lines, for the folder of the corpora."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the corpora are, or are built")
    return parser


def add_choices(parser: argparse.ArgumentParser, programs: Iterable[str]) -> None:
    """Add the options of a comparison: which corpora and programs, how often, and how long they may take."""
    parser.add_argument("--quick", action="store_true", help="10 MB, one round")
    parser.add_argument("--rounds", type=int, help="default: 5")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one process; default: 600")
    parser.add_argument("--only", type=one_of(EVERY_CORPUS), help=f"some of {','.join(EVERY_CORPUS)}")
    names = list(programs)
    parser.add_argument("--programs", type=one_of(names), default=names, help=f"of {','.join(names)}")


EVERY_CORPUS = [f"{kind}_{size}" for size in SIZES for kind in KINDS]


def chosen(parser: argparse.ArgumentParser, modules: Mapping[str, str]) -> tuple[argparse.Namespace, list[Path]]:
    """Return the options, with the installed programs, and the corpora, which are built if they do not exist."""
    options = parser.parse_args()
    only = options.only or [each for each in EVERY_CORPUS if not options.quick or each.endswith("_10")]
    options.rounds = options.rounds or (1 if options.quick else 5)
    missing = [name for name in options.programs if importlib.util.find_spec(modules[name]) is None]
    for name in missing:
        print(f"{name} is not installed and left out; to measure it: pip install {name}")
    options.programs = [name for name in options.programs if name not in missing]
    corpora = [options.folder / f"{each}.txt" for each in only]
    if not all(path.exists() for path in corpora):
        # In a separate process, because it needs a lot of memory: see `called`.
        subprocess.run([sys.executable, "-m", "tests.benchmarks.corpora", str(options.folder)], check=True)
    return options, corpora


def one_of(known: list[str]) -> Callable[[str], list[str]]:
    """Return a function that splits names at commas, and refuses those that are not known."""

    def split(text: str) -> list[str]:
        names = text.split(",")
        if unknown := set(names) - set(known):
            raise argparse.ArgumentTypeError(f"{', '.join(sorted(unknown))}: not one of {', '.join(known)}")
        return names

    return split


def print_conditions(what: str, options: argparse.Namespace, modules: Mapping[str, str]) -> None:
    """Print the versions of everything that is measured."""
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, {what}, rounds: {options.rounds}")
    for name in options.programs:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            print(f"  {name} {importlib.metadata.version(modules[name])}")


def read_through(corpus: Path) -> None:
    """Read a file, so that the first program does not have to wait for the disk."""
    with corpus.open("rb") as file:
        while file.read(BLOCK):
            pass
