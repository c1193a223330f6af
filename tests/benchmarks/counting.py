"""Measure counting into files: `python -m tests.benchmarks.counting FOLDER`, where FOLDER has text files.

Each file is counted in memory with one thread, saved, loaded, merged from parts, and counted into a file with little
memory; `python -m tests.benchmarks.corpora FOLDER` creates such files.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from unittest import mock

from bpe_gui.engine import Corpus, FileDocument, Recipe, WordCounts
from bpe_gui.engine.corpora import counting
from bpe_gui.engine.corpora.bounded_counting import count_to_file
from bpe_gui.engine.corpora.counting import slice_document
from bpe_gui.engine.text.compiled_splitters import Chunker, splitter_of

from .measuring import peak_mb

T = TypeVar("T")

PARTS: Final = 50
LITTLE_MEMORY: Final = 300_000_000  # bytes
RECIPE: Final = Recipe.of("cs336")


def main() -> None:
    """Measure every file in a folder, or with `--bounded` count one file into another, and print peak memory."""
    if sys.argv[1] == "--bounded":
        corpus = Corpus.from_files([sys.argv[2]])
        count_to_file(corpus, Path(sys.argv[3]), RECIPE, (), memory_limit=LITTLE_MEMORY)
        print(round(1e6 * peak_mb()))
        return
    for path in sorted(Path(sys.argv[1]).glob("*.txt")):
        with TemporaryDirectory() as folder:
            measure(path, Path(folder))


def measure(path: Path, folder: Path) -> None:
    """Print what one file of text costs."""
    size = path.stat().st_size
    print(f"{path.name}: {size:,} bytes")
    with threads(1):
        counts = timed("counted with one thread", lambda: Corpus.from_files([path]).count(RECIPE), size)
    timed("counted with all threads", lambda: Corpus.from_files([path]).count(RECIPE), size)
    file = folder / "counts.parquet"
    timed("saved", lambda: counts.save(file))
    print(f"  {len(counts):,} unique words in a file of {file.stat().st_size:,} bytes")
    timed("loaded", lambda: WordCounts.load(file))
    parts = list(parts_of(path, folder))
    merged = timed(f"merged from {len(parts)} parts", lambda: WordCounts.merge(*parts))
    print(f"  the same as a whole: {is_same(merged, counts)}")
    command = [sys.executable, "-m", "tests.benchmarks.counting", "--bounded", str(path), str(file)]
    peak = timed(f"into a file, with {LITTLE_MEMORY:,} bytes", lambda: subprocess.check_output(command), size)
    print(f"  peak memory of the process: {int(peak):,} bytes; the same: {is_same(WordCounts.load(file), counts)}")


def parts_of(path: Path, folder: Path) -> Iterator[WordCounts]:
    """Count parts of a file separately."""
    data = path.read_bytes()
    chunker = Chunker(splitter_of(RECIPE), [])
    for part in slice_document(FileDocument(path), [number / PARTS for number in range(1, PARTS)], chunker):
        piece = folder / "piece.txt"
        piece.write_bytes(data[part.start : part.stop])
        yield Corpus.from_files([piece]).count(RECIPE).placed_at(part.start)


def is_same(one: WordCounts, other: WordCounts) -> bool:
    """Return whether two counts have the same words in the same order, with the same first positions and counts."""
    names = ("text", "starts", "frequencies", "first_seen")
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in names)


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Count with this number of threads."""
    with mock.patch.object(counting, "_threads", lambda _size: number):
        yield


def timed(name: str, work: Callable[[], T], size: int = 0) -> T:
    """Do the work, and print how long it took and how many bytes per second that is."""
    start = time.perf_counter()
    result: Any = work()
    seconds = time.perf_counter() - start
    print(f"  {name}: {seconds:.2f} s" + (f", {size / seconds / 1e6:,.0f} MB/s" if size else ""))
    return result  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
