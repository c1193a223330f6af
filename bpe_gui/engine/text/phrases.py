"""Phrases: neighbouring words that are one token each, over which superwords merge.

Sources: Schmidt et al., “Boundless Byte Pair Encoding” (arXiv 2504.00178), and “Faster Superword Tokenization” (arXiv
2604.05192), whose two phases these are.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.text.counting import count_block
from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable
from bpe_gui.engine.kernels.text.word_table import BATCH, WIDTH, FoundWords, WordTable, add_words
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.lazy import expression
from bpe_gui.engine.runtime.memory import zeros
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, UInt8Array

from .character_sets import LAST_CODE_POINT, NOTHING, CharacterSet, property_set
from .compiled_splitters import new_batch, padded, splitter_of, stuck_error, with_own_state
from .dialects import PYTHON
from .recipe import Recipe

FIRST_UNIT: Final = 0x1_0000
"""The code point that stands for the first word that may join. All of these take four bytes."""

UNIT_BYTES: Final = 4

_JOINERS: Final = "'’‐\u200c\u200d-"
"""Apostrophes, the characters that join letters invisibly, and hyphens."""

JOINING: Final = rf" ?[\p{{L}}\p{{M}}{_JOINERS}]*\p{{L}}[\p{{L}}\p{{M}}{_JOINERS}]*"
"""Matches a word that may join others: letters, marks and the characters that join them, perhaps after a space."""


def found_words(capacity: int) -> FoundWords:
    """Return an empty record for words."""
    starts, ends, numbers = np.empty((3, capacity), np.int64)
    return FoundWords(starts, ends, numbers, np.zeros(1, np.int64))


NO_WORDS: Final = found_words(0)


@lru_cache(maxsize=1)
def phrase_characters() -> BoolArray:
    """Return for each code point whether a phrase may contain it."""
    members = CharacterSet.of_characters(_JOINERS + " ")
    for name in ("gc=l", "gc=m"):
        members |= property_set(PYTHON.key, name) or NOTHING
    is_member = np.zeros(LAST_CODE_POINT + 1, np.bool_)
    for first, last in members.ranges:
        is_member[first : last + 1] = True
    return is_member


def words_that_join(words: Sequence[bytes]) -> list[bytes]:
    """Return the words that may be part of a phrase.

    >>> words_that_join([b" of", b"don't", b"-", b"x2", b" the end"])
    [b' of', b"don't"]
    """
    matches = expression(JOINING).fullmatch
    return [word for word in words if matches(word.decode(errors="replace"))]


class Phrases(NamedTuple):
    """The phrases of a text, with offsets in bytes."""

    starts: Int64Array
    text: bytes
    """Their words, each as one character from `FIRST_UNIT` on, in `UNIT_BYTES` bytes."""
    firsts: Int64Array
    """The number of words before each phrase, followed by the number of all words in phrases."""
    inner_starts: Int64Array
    """Where the words of phrases start, but for the first one of each."""


class PhraseFinder:
    """Finds the phrases of texts. `words` are those that may join: each is one token. Raise TrainingError for too many.

    >>> from bpe_gui.engine.text.special_tokens import special_token_table
    >>> finder = PhraseFinder(Recipe(), [b"of", b" the"])
    >>> phrases = finder.find(padded(b"of the sea"), 10, special_token_table([]))
    >>> phrases.starts.tolist(), phrases.firsts.tolist(), phrases.text.decode() == "\U00010000\U00010001"
    ([0], [0, 2], True)
    """

    def __init__(self, recipe: Recipe, words: Sequence[bytes]) -> None:
        if len(words) > LAST_CODE_POINT - FIRST_UNIT:
            raise TrainingError("There are too many words that are one token: {words:,}.", words=len(words))
        self.words: Final = words
        self.splitter: Final = splitter_of(recipe)
        capacity = len(words) + BATCH + 1
        slots = zeros(WIDTH << (2 * capacity).bit_length(), np.int64)
        starts = np.cumsum([0, *map(len, words)], dtype=np.int64)
        positions, counts = np.zeros((2, capacity), np.int64)
        text = padded(b"".join(words))
        self._table: Final = WordTable(
            slots, text.copy(), np.zeros(capacity, np.int64), positions, np.zeros(2, np.int64)
        )
        add_words(self._table, new_batch(), text, starts, counts[: len(words)], positions[: len(words)].copy(), 0)

    def find(self, text: UInt8Array, size: int, specials: SpecialTokenTable) -> Phrases:
        """Return the phrases in the first `size` bytes of a padded text. Raise TrainingError."""
        splitter = with_own_state(self.splitter, size)
        found = found_words(size + 1)
        if count_block(splitter, text, 0, size, True, specials, self._table, new_batch(), found) < 0:
            raise stuck_error(splitter, text)
        count = int(found.state[0])
        starts, ends, numbers = found.starts[:count], found.ends[:count], found.numbers[:count]
        joins = numbers >= 0
        follows = np.zeros(count + 1, np.bool_)
        follows[1:-1] = joins[1:] & joins[:-1] & (starts[1:] == ends[:-1])
        is_member = follows[:-1] | follows[1:]
        units, is_first = numbers[is_member], ~follows[:-1][is_member]
        characters = (units + FIRST_UNIT).astype("<u4").tobytes().decode("utf-32-le")
        return Phrases(
            starts[is_member][is_first],
            characters.encode(),
            np.append(np.flatnonzero(is_first), len(units)),
            starts[follows[:-1]],
        )
