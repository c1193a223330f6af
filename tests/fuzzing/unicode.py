"""Compare our ids with tiktoken's for every code point of Unicode, assigned or not, in every context.

    python -m tests.fuzzing.unicode [--data FOLDER] [--patterns]

Each code point stands alone and between every two of `a`, a space, `1` and `(`, as a separate text. The kernels split
these texts with tiktoken's patterns, using a vocabulary that shows every boundary, and the published ranks in the
folder `--data`. With `--patterns`, `regex` splits a text that has each code point between two letters, spaces, digits
and marks. All of this takes four minutes of processor time.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from tests.engine.support.every_code_point import (
    SEPARATOR,
    SPLITTERS,
    Both,
    between_neighbours,
    contexts,
    published,
    showing_boundaries,
)
from tests.engine.support.general_categories import all_characters
from tests.engine.support.modes import running
from tests.engine.support.stand_ins import words_of

_PUBLISHED: Final = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")
_MANY: Final = 50_000  # code points compared at a time
_FEW: Final = 100  # code points compared when looking for a difference


def differences(both: Both) -> Iterator[str]:
    """Yield each text with different ids in tiktoken: a code point alone or between two neighbours."""
    for many in _pieces(all_characters(), _MANY):
        if both.agree(_texts(many)):
            continue
        for few in _pieces(many, _FEW):
            if not both.agree(_texts(few)):
                yield from (text for character in few for text in contexts(character) if not both.agree(text))


def differences_of_patterns(both: Both) -> Iterator[str]:
    """Yield each code point between equal neighbours that `regex` splits differently from tiktoken."""
    for many in _pieces(all_characters(), _FEW * 100):
        if not patterns_agree(both, between_neighbours(many)):
            yield from (character for character in many if not patterns_agree(both, between_neighbours(character)))


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def _texts(characters: str) -> str:
    return SEPARATOR.join(chain.from_iterable(map(contexts, characters)))


def patterns_agree(both: Both, text: str) -> bool:
    """Return whether `regex` splits a text without special tokens as tiktoken does."""
    ids = [both.theirs._encode_single_piece(word.encode()) for word in words_of(both.ours.recipe.splitter, text)]
    return list(chain.from_iterable(ids)) == both.theirs.encode_ordinary(text)


def _report(name: str, found: Iterator[str]) -> int:
    """Print the texts that differ, their number and the processor time in seconds; return the number."""
    start = time.process_time()
    count = 0
    for text in found:
        count += 1
        print(f"{name}: {text!a} has other ids in tiktoken")
    print(f"{name}: {count} differences, {time.process_time() - start:.0f} s", flush=True)
    return count


def main() -> int:
    """Compare, print what was compared, and return 1 if anything differs."""
    parser = argparse.ArgumentParser(description="Compare our ids with tiktoken's for every code point of Unicode.")
    parser.add_argument("--data", type=Path, help="a folder of OpenAI's files of ranks, such as r50k_base.tiktoken")
    parser.add_argument("--patterns", action="store_true", help="split by `regex` as well")
    arguments = parser.parse_args()
    files = [arguments.data / f"{name}.tiktoken" for name in _PUBLISHED] if arguments.data else []
    count = 0
    with running("compiled"):
        for splitter in SPLITTERS:
            count += _report(splitter, differences(showing_boundaries(splitter)))
        for file in files:
            if file.is_file():
                count += _report(file.name, differences(published(file)))
            else:
                print(f"{file} does not exist")
    if arguments.patterns:
        for splitter in SPLITTERS:
            count += _report(f"{splitter} by regex", differences_of_patterns(showing_boundaries(splitter)))
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main())
