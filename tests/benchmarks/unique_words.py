"""Measure how unique words grow with a corpus: run `python -m tests.benchmarks.unique_words CORPORA_FOLDER`.

By Heaps' law, n bytes of text have about k · n^b unique words (Heaps, “Information Retrieval”, 1978). The law is fitted
by least squares on the logarithms for parts of each corpus, each twice as long as the previous one, and the table shows
what it predicts for a gigabyte and a terabyte. docs/en/how-to/counting.md uses these numbers.
"""

import math
import statistics
from pathlib import Path
from time import perf_counter

from bpe_gui.engine import Corpus, Recipe

from .measuring import parser_of

PARTS = 8
GIGABYTE, TERABYTE = 1e9, 1e12


def measure(path: Path) -> None:
    """Print the unique words of growing parts of a file, and what the fitted law predicts."""
    text = path.read_bytes()
    points: list[tuple[float, float]] = []
    for part in reversed(range(PARTS)):
        stop = text.rfind(b"\n", 0, len(text) >> part) + 1
        start = perf_counter()
        counts = Corpus.from_text(text[:stop].decode(errors="replace")).count(Recipe())
        seconds = perf_counter() - start
        points.append((math.log(stop), math.log(len(counts))))
        letters = len(counts.text) / len(counts)
        words = f"{len(counts):9,} unique words, {letters:4.1f} bytes each"
        print(f"{path.stem:10} {stop:12,} bytes  {words}  {seconds:5.2f} s", flush=True)
    b, log_k = statistics.linear_regression(*zip(*points, strict=True))
    k = math.exp(log_k)
    gigabyte, terabyte = (k * size**b for size in (GIGABYTE, TERABYTE))
    print(f"{path.stem:10} {k:.3g} · n^{b:.3f}: {gigabyte:.3g} in a gigabyte, {terabyte:.3g} in a terabyte")


def main() -> None:
    for path in sorted(parser_of(__doc__).parse_args().folder.glob("*_100.txt")):
        measure(path)


if __name__ == "__main__":
    main()
