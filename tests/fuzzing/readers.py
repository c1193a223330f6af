"""Damage files of every format and read them: each must give a tokenizer, or an error that names what is wrong.

    python -m tests.fuzzing.readers --minutes 10 --format gguf --seed 1

Each file is read in a process with limited memory and time, which needs Linux. Files that fail are kept in a folder,
and can be read again with `--again FOLDER`.
"""

import argparse
import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final, NamedTuple, NoReturn

from bpe_gui.engine import FORMATS, EngineError, Tokenizer, load

from .damage import damage
from .seeds import Seed, seeds_of

with suppress(ImportError):  # on Windows, where the module can be imported but not used
    import resource

MAX_CPU_SECONDS: Final = 10  # for one file
MAX_SECONDS: Final = 60  # for one file, if other processes use the processors
MAX_MEMORY: Final = 1 << 30  # bytes for one file, on top of what the process uses
TEXT: Final = "low lower 你好, naïve 😀\n\tdon't <|e|><s> 123  \x00\u2581 " + "a" * 50

_BATCH: Final = 100  # files per process


class Failure(NamedTuple):
    """A damaged file, identified by its number, that was neither read nor rejected; its folder has a copy."""

    format: str
    number: int
    reason: str
    folder: Path


def readable() -> list[str]:
    """Return the names of the formats that can be read."""
    return [name for name, known in FORMATS.items() if known.load]


def fuzz(format: str, seed: int, kept: Path, *, minutes: float = 0, count: int = 0) -> Iterator[int | Failure]:
    """Read damaged files for some minutes, or `count` of them; yield failures, and the number of files read so far."""
    seeds = seeds_of(format)
    if not seeds:
        raise SystemExit(f"There are no valid files of the format {format} to begin with; add some to seeds.py.")
    end = time.monotonic() + 60 * minutes
    number = 0
    with TemporaryDirectory() as name:
        while number < count or time.monotonic() < end:
            last = min(number + _BATCH, count) if count else number + _BATCH
            reached, reason = _read_in_child(format, seeds, seed, range(number, last), Path(name))
            if reason:
                folder = kept / f"{format}-{seed}-{reached}"
                write(_case(format, seeds, seed, reached), folder)
                yield Failure(format, reached, reason, folder)
            number = reached + 1
            yield number


def _case(format: str, seeds: Sequence[Seed], seed: int, number: int) -> Seed:
    """Return the damaged tokenizer with this number, which is always the same."""
    rng = random.Random(f"{format} {seed} {number}")
    chosen = rng.choice(seeds)
    return Seed(damage(rng, chosen.files, [other.files for other in seeds]), chosen.opened)


def write(case: Seed, folder: Path) -> Path:
    """Replace the contents of a folder with a tokenizer's files, and return the path to open."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    return folder / case.opened


# -- in a child process ------------------------------------------------------------------------------------------------


def _read_in_child(
    format: str, seeds: Sequence[Seed], seed: int, numbers: range, folder: Path
) -> tuple[int, str | None]:
    """Return the number of the last file read, and why it failed, or None."""
    progress, error = folder / "number", folder / "error"
    error.write_text("", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12, about threads: those here belong to NumPy
        process = os.fork()
    if process == 0:
        _run_child(format, seeds, seed, numbers, folder / "case", progress, error)
    _process, status = os.waitpid(process, 0)
    reached = int(progress.read_text())
    if status == 0:
        return reached, None
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF):
        return reached, f"took more than {MAX_CPU_SECONDS} seconds"
    return reached, error.read_text(encoding="utf-8") or f"the process ended with the status {status}"


def _run_child(
    format: str, seeds: Sequence[Seed], seed: int, numbers: range, folder: Path, progress: Path, error: Path
) -> NoReturn:
    status = 1
    try:
        for number in numbers:
            progress.write_text(str(number), encoding="utf-8")
            path = write(_case(format, seeds, seed, number), folder)
            _limit(MAX_CPU_SECONDS, MAX_SECONDS, _memory_in_use() + MAX_MEMORY)
            read(path, format)
            _limit(0, 0, resource.RLIM_INFINITY)
        status = 0
    except BaseException:
        error.write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(status)


def _limit(cpu_seconds: int, seconds: int, memory: int) -> None:
    """Kill the process after these times (0 for no limit), and limit its memory to `memory` bytes."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.alarm(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))


def _memory_in_use() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * int(resource.getpagesize())


def read(path: Path, format: str) -> Tokenizer | None:
    """Read a file and use the tokenizer. Return None if it was rejected."""
    try:
        tokenizer = load(path, format, pattern="gpt2" if format == "tiktoken" else None)
    except EngineError as error:
        str(error)
        return None
    for each in (tokenizer, tokenizer.at(len(tokenizer.merges) // 2)):
        try:
            ids = each.encode(TEXT)
            each.decode(ids)
            each.encoding(TEXT)
            each.trace(TEXT[:20])
        except EngineError as error:
            str(error)
    return tokenizer


# -- command -----------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz, print the failures, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.readers", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1, help="for each format")
    parser.add_argument("--count", type=int, default=0, help="files of each format, instead of minutes")
    parser.add_argument("--format", action="append", choices=readable(), help="may be repeated; default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path(gettempdir()) / "fuzzed", help="a folder for files that fail")
    parser.add_argument("--again", type=Path, help="read the files of this folder, in this process")
    given = parser.parse_args(arguments)
    if given.again:
        read(given.again, (given.format or readable())[0])
        return 0
    failures = 0
    for format in given.format or readable():
        number = 0
        for event in fuzz(
            format, given.seed, given.keep, minutes=0 if given.count else given.minutes, count=given.count
        ):
            if isinstance(event, Failure):
                failures += 1
                print(f"{event.folder}: {event.reason}", flush=True)
            else:
                number = event
        print(f"{format}: {number:,} files were read", flush=True)
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
