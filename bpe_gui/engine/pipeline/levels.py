"""Pre-tokenizers as the levels of a splitter, and the words that levels split a text into."""

from collections.abc import Sequence as Several
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.runtime.printable import PRINTABLE, to_printable
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.character_sets import EVERYTHING, CharacterSet
from bpe_gui.engine.text.compiled_splitters import all_words, compiled, padded
from bpe_gui.engine.text.dialects import ONIGURUMA
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.splitter_tables import Level, new_splitter
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.text.syntax import Characters, Expression, Node, Repeat, Sequence, can_be_empty

Span = tuple[int, int]
"""The start and stop of a word, in characters."""

_PRINTED_SIZES: Final = np.array([len(character.encode()) for character in PRINTABLE], np.int64)
"""The size of each byte's printed character in UTF-8."""

_SHORT: Final = 48  # characters, for which calling a kernel takes longer than to search without one


@lru_cache(maxsize=64)
def automaton_of(node: Node) -> Automaton:
    """Return the automaton of a node as a whole expression. Raise RecipeError."""
    return Automaton(Expression("", node, ()))


@lru_cache(maxsize=64)
def automaton_of_pattern(pattern: str) -> Automaton:
    """Return the automaton of an expression in Oniguruma's syntax. Raise RecipeError."""
    return Automaton(parse(pattern, ONIGURUMA))


def can_match_nothing(pattern: str) -> bool:
    """Return whether an expression in Oniguruma's syntax can match an empty text. Raise RecipeError."""
    return can_be_empty(parse(pattern, ONIGURUMA).root)


def literal(text: str) -> Node:
    """Return a node that matches a text."""
    return Sequence(tuple(Characters(CharacterSet.of_characters(character)) for character in text))


def some(members: CharacterSet) -> Node:
    """Return a node that greedily matches one or more characters of a set."""
    return Repeat(Characters(members), 1, None)


class Utf8Words(NamedTuple):
    """Words of a text: its bytes, padded, and the offsets at which its words start and end."""

    text: UInt8Array
    starts: Int64Array
    ends: Int64Array

    def joined(self) -> tuple[bytes, Int64Array]:
        """Return the words joined without the gaps, and the start of each, followed by the end of the last."""
        begins = np.append(np.int64(0), np.cumsum(self.ends - self.starts))
        if not len(self.starts):
            return b"", begins
        kept = np.zeros(len(self.text) + 1, np.int8)
        kept[self.starts] += 1
        kept[self.ends] -= 1
        return self.text[np.cumsum(kept[:-1], dtype=np.int8) > 0].tobytes(), begins


def utf8_words(text: bytes, levels: Several[Level], bounds: Int64Array | None = None) -> Utf8Words:
    """Return the non-empty words that levels split a text in UTF-8 into.

    `bounds` has where its sections begin and end, alternately; by default, the text is one.
    """
    buffer = padded(text)
    if (not levels and bounds is None) or not text:
        whole = np.array([[0, len(text)]] if text else np.empty((0, 2)), np.int64)
        return Utf8Words(buffer, *whole.T)
    return Utf8Words(buffer, *all_words(splitter_of_levels(tuple(levels)), buffer, len(text), bounds))


def printed_words(words: Utf8Words, levels: Several[Level]) -> Utf8Words:
    """Return the non-empty words that levels split words into as GPT-2 prints them, a character for each byte.

    >>> from .pre_tokenizers import Digits
    >>> two = utf8_words("x²".encode(), ())  # printed, it is "xÂ²", and "²" is a number
    >>> printed_words(two, Digits().levels).starts.tolist()
    [0, 2]
    """
    data, begins = words.joined()
    printed_sizes = _PRINTED_SIZES[np.frombuffer(data, np.uint8)]
    places = np.append(np.int64(0), np.cumsum(printed_sizes))
    bounds = np.stack([places[begins[:-1]], places[begins[1:]]], axis=1).ravel()
    inner = utf8_words(to_printable(data).encode(), levels, bounds)
    starts, ends = np.searchsorted(places, inner.starts), np.searchsorted(places, inner.ends)
    index = np.searchsorted(begins, starts, "right") - 1
    moved = words.starts[index] - begins[index]
    return Utf8Words(words.text, starts + moved, ends + moved)


def find_matches(pattern: str, text: str, *, is_regex: bool) -> list[Span]:
    """Return where a literal text, or an expression in Oniguruma's syntax, matches in a text, from left to right.

    An empty match right after another match does not count, nor does one in an empty text.

    >>> find_matches("a*", "baa", is_regex=True)
    [(0, 0), (1, 3)]
    """
    if not is_regex:
        return word_spans(text, (Level(automaton_of(literal(pattern))),))
    automaton = automaton_of_pattern(pattern)
    if not text or (len(text) > _SHORT and not can_match_nothing(pattern)):
        return word_spans(text, (Level(automaton),))
    found: list[Span] = []
    for start, stop, _part in automaton.matches(text):
        if start < stop or not found or found[-1][1] < start:
            found.append((start, stop))
    return found


def word_spans(text: str, levels: Several[Level]) -> list[Span]:
    """Return the words that levels split a text into."""
    words = utf8_words(text.encode(), levels)
    starts, ends = words.starts, words.ends
    if not text.isascii():
        characters = np.append(np.int64(0), np.cumsum(words.text & 0xC0 != 0x80))
        starts, ends = characters[starts], characters[ends]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


@lru_cache(maxsize=16)
def splitter_of_levels(levels: tuple[Level, ...]) -> Splitter:
    """Return the splitter of levels, whose arrays are shared: see `with_own_state`."""
    gpt2 = Level(automaton_of_pattern(SPLITTERS["gpt2"]), "isolated", False)
    whole = Level(automaton_of(some(EVERYTHING)), "isolated", False)
    return (levels == (gpt2,) and compiled("gpt2")) or new_splitter(levels or [whole])
