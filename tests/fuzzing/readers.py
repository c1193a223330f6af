"""Damages files of every format and reads them: each must give a tokenizer or an error that names what is wrong.

    python -m tests.fuzzing.readers --minutes 10 --format gguf --seed 1

Each file is read in a process with little memory and little time. What fails is kept in a folder, to be read again by
`--again FOLDER`.
"""

import argparse
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final, NamedTuple, NoReturn

from bpe_gui.engine import EngineError, Tokenizer, formats

from tests.fuzzing.damage import damaged
from tests.fuzzing.seeds import Seed, seeds_of

SECONDS: Final = 10  # of the processor that one file may take
PATIENCE: Final = 60  # seconds that it may take while others have the processor
MEMORY: Final = 1 << 30  # bytes that it may take besides what the process has
TEXT: Final = "low lower 你好, naïve 😀\n\tdon't <|e|><s> 123  \x00\u2581 " + "a" * 50

_BATCH: Final = 100  # files that one process reads


class Failure(NamedTuple):
    """A file that was neither read nor refused."""

    format: str
    number: int
    reason: str
    folder: Path


def readable() -> list[str]:
    """The names of the formats that are read."""
    return [name for name, known in formats.FORMATS.items() if known.load]


def fuzz(format: str, seed: int, kept: Path, *, minutes: float = 0, count: int = 0) -> Iterator[int | Failure]:
    """Read damaged files for some minutes, or so many; gives how many were read so far, and what failed."""
    seeds = seeds_of(format)
    if not seeds:
        raise SystemExit(f"There are no valid files of the format {format} to begin with; add some to fuzz_seeds.py.")
    end = time.monotonic() + 60 * minutes
    number = 0
    with TemporaryDirectory() as name:
        while number < count or time.monotonic() < end:
            last = min(number + _BATCH, count) if count else number + _BATCH
            reached, reason = _read_in_a_child(format, seeds, seed, range(number, last), Path(name))
            if reason:
                folder = kept / f"{format}-{seed}-{reached}"
                write(_case(format, seeds, seed, reached), folder)
                yield Failure(format, reached, reason, folder)
            number = reached + 1
            yield number


def _case(format: str, seeds: Sequence[Seed], seed: int, number: int) -> Seed:
    """One damaged tokenizer; always the same for the same number."""
    rng = random.Random(f"{format} {seed} {number}")
    chosen = rng.choice(seeds)
    return Seed(damaged(rng, chosen.files, [other.files for other in seeds]), chosen.opened)


def write(case: Seed, folder: Path) -> Path:
    """Write a tokenizer's files into a folder, and nothing else; gives what is opened."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    return folder / case.opened


# -- in a child ---------------------------------------------------------------------------------------------------


def _read_in_a_child(
    format: str, seeds: Sequence[Seed], seed: int, numbers: range, folder: Path
) -> tuple[int, str | None]:
    """The last number that was read, and what was wrong with it, if anything."""
    progress, complaint = folder / "number", folder / "complaint"
    complaint.write_text("")
    process = os.fork()
    if process == 0:
        _be_the_child(format, seeds, seed, numbers, folder / "case", progress, complaint)
    _process, status = os.waitpid(process, 0)
    reached = int(progress.read_text())
    if status == 0:
        return reached, None
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF):
        return reached, f"took more than {SECONDS} seconds"
    return reached, complaint.read_text() or f"the process ended with the status {status}"


def _be_the_child(
    format: str, seeds: Sequence[Seed], seed: int, numbers: range, folder: Path, progress: Path, complaint: Path
) -> NoReturn:
    status = 1
    try:
        for number in numbers:
            progress.write_text(str(number))
            path = write(_case(format, seeds, seed, number), folder)
            _limit(SECONDS, PATIENCE, _memory_in_use() + MEMORY)
            read(path, format)
            _limit(0, 0, resource.RLIM_INFINITY)
        status = 0
    except BaseException:
        complaint.write_text(traceback.format_exc())
    finally:
        os._exit(status)


def _limit(seconds: int, patience: int, memory: int) -> None:
    """End the process after so many seconds, of which 0 are any number, and give it no more memory."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(patience)
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))


def _memory_in_use() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def read(path: Path, format: str) -> Tokenizer | None:
    """Read a file and use what was read; None for one that was refused."""
    try:
        tokenizer = formats.load(path, format)
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


# -- by hand ------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz, and print what failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.readers", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1, help="for each format")
    parser.add_argument("--count", type=int, default=0, help="files of each format, instead of minutes")
    parser.add_argument("--format", action="append", choices=readable(), help="can be given again; all without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path(gettempdir()) / "fuzzed", help="the folder for what fails")
    parser.add_argument("--again", type=Path, help="read what failed once more, here")
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
