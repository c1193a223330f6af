"""How tokens came to be: the merges of a word one after another, those that made a token, and what has no id."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from bpe_gui.engine.tokenization.results import Lineage, TraceStep, WordTrace
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.tokenization.merge_store import merge_steps
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.text.splitters import Word
from bpe_gui.engine.text.alphabet import symbols_of

Pair = tuple[bytes, bytes]

_LONGEST: Final = 40  # characters of a word in a sentence


def traced(word: str, start: list[bytes], ranks: Mapping[Pair, int], position: int, prefix: int) -> WordTrace:
    """The first `position` merges as they apply to a word, which begins as the symbols `start`.

    `prefix` is how many bytes of a right part are not in what it merges into.

    >>> traced("lol", [b"l", b"o", b"l"], {(b"l", b"o"): 0}, 1, 0).steps[0].symbols
    (b'lo', b'l')
    """
    symbols = list(start)
    steps: list[TraceStep] = []
    for rank, group in groupby(merge_steps(start, ranks, position, prefix), key=lambda step: step[0]):
        left_part, right_part = b"", b""
        for _rank, place, right in group:
            left_part, right_part = symbols[place], symbols[right]
            symbols[place] += right_part[prefix:]
            symbols[right] = b""
        steps.append(TraceStep(rank, left_part, right_part, tuple(filter(None, symbols))))
    return WordTrace(word, tuple(start), tuple(steps))


def made_of(token: bytes, making: Mapping[bytes, int], merges: Sequence[Pair], ids: Mapping[bytes, int]) -> Lineage:
    """The tree of merges that made a token. `making` has the rank of the merge that makes one.

    >>> [part.bytes for part in made_of(b"lo", {b"lo": 0}, [(b"l", b"o")], {}).parts]
    [b'l', b'o']
    """
    # Parts before wholes, without recursion: a tree may be as deep as there are merges.
    made: dict[bytes, Lineage] = {}
    waiting = [token]
    while waiting:
        current = waiting[-1]
        rank = making.get(current)
        parts = () if rank is None else merges[rank]
        missing = [part for part in parts if part not in made]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        built = [made[part] for part in parts]
        made[current] = Lineage(ids.get(current), current, rank, (built[0], built[1]) if built else ())
    return made[token]


def without_id(
    words: Iterable[Word], recipe: Recipe, ranks: Mapping[Pair, int], position: int, ids: Container[bytes]
) -> TokenizerError | None:
    """The error to raise for the first symbol of the words that has no id once they are merged; None if all have."""
    for word in words:
        symbols = _merged(word.text, recipe, ranks, position)
        index = next((i for i, symbol in enumerate(symbols) if symbol not in ids), None)
        if index is not None:
            return TokenizerError(
                _(
                    "EngineError",
                    "The symbol {symbol!r}, number {index} of the word {word!r} at character {start:,}, has no "
                    "id in this vocabulary. Train on text that holds it, or set the id for unknown symbols.",
                ),
                symbol=visible(symbols[index]),
                index=index + 1,
                word=word.text if len(word.text) <= _LONGEST else word.text[:_LONGEST] + "…",
                start=word.start,
            )
    return None


def _merged(word: str, recipe: Recipe, ranks: Mapping[Pair, int], position: int) -> list[bytes]:
    symbols = symbols_of(word, recipe)
    for _rank, place, right in merge_steps(symbols, ranks, position):
        symbols[place] += symbols[right]
        symbols[right] = b""
    return [symbol for symbol in symbols if symbol]
