"""Call each built-in function many times, in every way that it can end.

`python -m tests.engine.support.references 100000` prints the names of calls after which there are more references to
their argument, None or a small integer than before, or more allocated memory.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import repeat
from typing import Any

from bpe_gui.engine import Tokenizer

VOCAB = {i: bytes([i]) for i in range(256)} | {300: b"ab"}
LIMIT = 50
"""The most memory blocks that may stay allocated, whatever the number of calls."""


class Failing:
    """Stands for an integer, but fails."""

    def __index__(self) -> int:
        raise KeyError


def calls() -> dict[str, tuple[Callable[[Any], Any], Any]]:
    """Return functions, each with its argument."""
    tokenizer = Tokenizer(VOCAB, [(b"a", b"b")], ["<e>"])
    tokenizer.encode(""), tokenizer.encode("")
    short = tokenizer._short
    unknown = Tokenizer({0: b"a"}, [])
    unknown.encode(""), unknown.encode("")
    decoder = tokenizer.store.decoder().for_short_texts(tokenizer.position)
    assert short.is_made() and decoder is not None
    to_bytes, to_string = decoder._to_bytes, decoder._to_string
    ids = [97, 300, 301, 0, 255]
    return {
        "list": (short.listed, "abba<e>é你😀\0"),
        "array": (short.in_array, "abba<e>é你😀\0"),
        "bytes": (short.of_utf8, "abba<e>é你😀\0".encode()),
        "empty": (short.listed, ""),
        "empty array": (short.in_array, ""),
        "surrogate": (short.listed, "a\ud800"),
        "too long": (short.listed, "a" * 20_000),
        "no string": (short.listed, b"ab"),
        "no bytes": (short.of_utf8, "ab"),
        "unknown symbol": (unknown._short.listed, "b"),
        "to bytes": (to_bytes, ids),
        "to string": (to_string, ids),
        "no ids": (to_string, []),
        "unknown id": (to_string, [97, 299]),
        "negative id": (to_string, [97, -1]),
        "large id": (to_string, [97, 1 << 70]),
        "no integer": (to_string, [97, "a"]),
        "failing": (to_string, [97, Failing()]),
        "too many ids": (to_string, [97] * 5_000),
        "no list": (to_string, (97, 98)),
    }


def growth(function: Callable[[Any], Any], argument: Any, count: int) -> dict[str, int]:
    """Return how much more there is of what after many calls."""

    def call(times: int) -> None:
        for _time in repeat(None, times):
            with suppress(Exception):
                function(argument)

    def state() -> dict[str, int]:
        counted = {"None": None, "0": 0, "97": 97, "255": 255, "argument": argument}
        return {name: sys.getrefcount(each) for name, each in counted.items()} | {"blocks": sys.getallocatedblocks()}

    call(10)
    before = state()
    call(count)
    return {name: more for name, number in state().items() if (more := number - before[name]) > LIMIT}


def main() -> None:
    """Call all."""
    count = int(sys.argv[1])
    for name, (function, argument) in calls().items():
        if more := growth(function, argument, count):
            print(name, more)


if __name__ == "__main__":
    main()
