"""Count more unique words than fit in memory: run `python -m tests.benchmarks.bounded_memory FOLDER [--size MB]`.

Writes random text to a temporary folder in FOLDER, counts it with `bpe-gui count --memory`, and compares every word,
its count and its first position with those of the text, found by sorting all of it. Prints the command's peak memory.
FOLDER needs free space for about six times the text; the comparison needs about as much memory as the text takes. Linux
only.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bpe_gui.engine import Int64Array
from bpe_gui.engine.runtime.types import UInt8Array

LONGEST: Final = 8
"""Bytes in the longest word: a space and letters. Padded with zeros, they are the number that identifies the word."""

BLOCK: Final = 4_000_000  # words written at a time
LINE: Final = 100  # words


class Words(NamedTuple):
    """Unique words as numbers, in the order of their first positions in the text, with their counts."""

    keys: Int64Array
    counts: Int64Array
    first_seen: Int64Array


def main() -> None:
    """Write a text, count it, and compare the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, default=2000, metavar="MB", help="of the text (default: 2000)")
    parser.add_argument("--memory", default="2GB", help="as of bpe-gui count (default: 2GB)")
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.folder) as folder:
        text, counts = Path(folder) / "words.txt", Path(folder) / "counts.parquet"
        words = write_text(text, options.size * 1_000_000)
        print(f"{text.stat().st_size:,} bytes of text with {len(words.keys):,} unique words", flush=True)
        began = time.perf_counter()
        command = ["count", str(text), "--recipe", "cs336", "--memory", options.memory, "--output", str(counts)]
        peak = peak_of([sys.executable, "-m", "bpe_gui", *command])
        print(f"counted in {time.perf_counter() - began:,.0f} s, with at most {peak:,} bytes of memory", flush=True)
        left = sorted(file.name for file in Path(folder).iterdir() if file not in {text, counts})
        print(f"left in the folder: {', '.join(left) or 'nothing'}; {compare(counts, words)}")


def write_text(path: Path, size: int) -> Words:
    """Write at least `size` bytes of random words, and return the unique ones."""
    random = np.random.default_rng(1)
    keys: list[Int64Array] = []
    lengths: list[UInt8Array] = []
    written = 0
    with path.open("wb") as file:
        while written < size:
            words, length = random_words(random)
            text = words[np.arange(LONGEST) < length[:, None]]
            file.write(text.tobytes())
            written += len(text)
            keys.append(words.view(np.int64).ravel())
            lengths.append(length)
    return unique(np.concatenate(keys), np.concatenate(lengths))


def random_words(random: np.random.Generator) -> tuple[UInt8Array, UInt8Array]:
    """Return a block of words, one per row, and their lengths: a space and 1 to 7 letters, or a line break."""
    words = random.integers(ord("a"), ord("z") + 1, (BLOCK, LONGEST), dtype=np.uint8)
    # Most have 7 letters, so that nearly all of them differ; short ones occur often.
    length = np.minimum(random.integers(2, 3 * LONGEST, BLOCK, dtype=np.uint8), LONGEST).astype(np.uint8)
    words[:, 0] = ord(" ")
    words[::LINE, 0] = ord("\n")
    length[::LINE] = 1
    words[np.arange(LONGEST) >= length[:, None]] = 0
    return words, length


def unique(keys: Int64Array, lengths: UInt8Array) -> Words:
    """Return the unique words of a text, given as its words in order."""
    positions = np.cumsum(lengths, dtype=np.int64) - lengths
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    first_seen = positions[order[starts]]
    by_position = np.argsort(first_seen)
    counts = np.diff(starts, append=len(keys))
    return Words(keys[starts][by_position], counts[by_position], first_seen[by_position])


def peak_of(command: list[str]) -> int:
    """Run a command, and return its peak memory in bytes."""
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            peaks = [line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM")]
            peak = max([peak, *(int(line.split()[1]) * 1024 for line in peaks)])
            time.sleep(0.05)
    if process.returncode:
        sys.exit(process.returncode)
    return peak


def compare(counts: Path, words: Words) -> str:
    """Compare a file of counts with the words of the text, and report the first difference."""
    start = 0
    for batch in pq.ParquetFile(counts).iter_batches(1_000_000):
        part = slice(start, start + batch.num_rows)
        columns = {name: np.asarray(batch.column(name)) for name in ("count", "first_seen")}
        read = Words(as_numbers(batch.column("word")), columns["count"], columns["first_seen"])
        for name, got, wanted in zip(Words._fields, read, words, strict=True):
            if not np.array_equal(got, wanted[part]):
                return f"DIFFERENT: {name} in the batch from row {start:,} on"
        start = part.stop
    if start != len(words.keys):
        return f"DIFFERENT: {start:,} words in the file, {len(words.keys):,} in the text"
    return f"all {start:,} words, counts and first positions are right"


def as_numbers(words: pa.BinaryArray) -> Int64Array:
    """Return words as numbers, or -1 for words that are too long."""
    ends = np.frombuffer(words.buffers()[1], np.int32)[words.offset : words.offset + len(words) + 1].astype(np.int64)
    data = np.concatenate([np.frombuffer(words.buffers()[2], np.uint8), np.zeros(LONGEST, np.uint8)])
    lengths = np.diff(ends)
    rows = data[ends[:-1, None] + np.arange(LONGEST)]
    rows[np.arange(LONGEST) >= lengths[:, None]] = 0
    return np.where(lengths <= LONGEST, rows.view(np.int64).ravel(), -1)


if __name__ == "__main__":
    main()
