"""Measure training on many short texts: `python -m tests.benchmarks.lists FILE`, where FILE has about 10 MB of text.

The same text comes in one piece, as a list of its lines, in texts of about 200 characters, and in files of 1 kB. Prints
the median times, and their ratios to the time for one piece.
"""

import sys
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bpe_gui.engine import train

from .measuring import in_turns, seconds

ROUNDS: Final = 7
SIZE: Final = 10_000
SHORT: Final = 216
"""Characters of a short text."""
FILE: Final = 1080
"""Characters of a small file."""


def main() -> None:
    """Train on each form several times in turn, and print the times."""
    text = Path(sys.argv[1]).read_text("utf-8")
    with TemporaryDirectory() as folder:
        sources: dict[str, str | list[str] | list[Path]] = {
            "one text": text,
            "lines": text.splitlines(keepends=True),
            "short texts": [text[start : start + SHORT] for start in range(0, len(text), SHORT)],
            "small files": _files(text, Path(folder)),
        }
        works = {name: [partial(seconds, partial(train, source, vocab_size=SIZE))] for name, source in sources.items()}
        times = {name: median(result.measurements) for name, result in in_turns(works, ROUNDS).items()}
    for name, source in sources.items():
        number = 1 if isinstance(source, str) else len(source)
        print(f"{name} ({number:,}): {times[name]:.3f} s, {times[name] / times['one text']:.2f} times as long")


def _files(text: str, folder: Path) -> list[Path]:
    """Write a text as many small files."""
    paths: list[Path] = []
    for number, start in enumerate(range(0, len(text), FILE)):
        paths.append(folder / f"{number:06}.txt")
        paths[-1].write_text(text[start : start + FILE], "utf-8", newline="")
    return paths


if __name__ == "__main__":
    main()
