"""Where in the corpus letters stand, where pairs meet and where merges took place, counted without visiting words."""

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.lowlevel.packing import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.pair_table import find_pair
from bpe_gui.engine.runtime.arrays import BoolArray, Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.tokenization.vocabulary import TokenPair

from .results import CorpusCount
from .trainer import Trainer

_CONTINUATIONS_END: Final = -0x40
"""The bytes 0b10xxxxxx, which continue a character, are exactly the signed bytes below this."""

_BIT_COUNTS: Final = np.array([number.bit_count() for number in range(256)], np.uint8)


class LetterPlaces(NamedTuple):
    """The places of the corpus at which some letters stand: the number of the word, and the offset in it in units."""

    words: Int64Array
    offsets: Int64Array

    def select(self, chosen: BoolArray) -> "LetterPlaces":
        """Return some of the places."""
        return LetterPlaces(self.words[chosen], self.offsets[chosen])


def letter_places(trainer: Trainer, letters: bytes) -> LetterPlaces:
    """Return where `letters`, bytes of UTF-8, stand inside a word of the corpus, in the order of the corpus.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> letter_places(trainer, b"we").offsets.tolist()
    [2, 2]
    """
    counts = trainer.word_counts
    found = _occurrences(counts.text, letters)
    words = np.searchsorted(counts.starts, found, "right") - 1
    is_inside = found + len(letters) <= counts.starts[words + 1]
    found, words = found[is_inside], words[is_inside]
    offsets = found - counts.starts[words]
    if trainer.recipe.units == "characters":
        offsets -= _continuations_between(counts.text, counts.starts[words], found)
    return LetterPlaces(words, offsets)


def _occurrences(text: UInt8Array, letters: bytes) -> Int64Array:
    """Return the offsets at which `letters` occur in a text, overlapping ones too."""
    size = max(0, len(text) - len(letters) + 1)
    matches = text[:size] == letters[0]
    if len(letters) > 1:
        matches &= text[1 : size + 1] == letters[1]
    found = np.flatnonzero(matches)
    for index, byte in enumerate(letters[2:], 2):
        found = found[text[found + index] == byte]
    return found


def _continuations_between(text: UInt8Array, starts: Int64Array, stops: Int64Array) -> Int64Array:
    """Return how many bytes from each start up to the stop beside it continue a character."""
    bits = np.packbits(text.view(np.int8) < _CONTINUATIONS_END)
    before = np.zeros(len(bits) + 1, np.int64)
    np.cumsum(_BIT_COUNTS[bits], out=before[1:])
    bits = np.append(bits, np.uint8(0))

    def preceding(offsets: Int64Array) -> Int64Array:
        # Of the eight flags around an offset, the first ones are the high bits.
        begun = _BIT_COUNTS[bits[offsets >> 3] >> (8 - (offsets & 7)).astype(np.uint8)]
        total: Int64Array = before[offsets >> 3] + begun
        return total

    return np.subtract(preceding(stops), preceding(starts))


def count_places(trainer: Trainer, places: LetterPlaces) -> CorpusCount:
    """Return how often the corpus has these places, and in how many unique words they are."""
    return CorpusCount(int(trainer.word_counts.frequencies[places.words].sum()), _count_different(places.words))


def _count_different(ascending: Int64Array) -> int:
    return int(np.count_nonzero(np.diff(ascending))) + 1 if len(ascending) else 0


def merged_at(trainer: Trainer, rank: int, places: LetterPlaces, distance: int) -> LetterPlaces:
    """Return those of the places at which the applied merge `rank` joined two symbols.

    These meet `distance` units after the beginning of the letters.
    """
    arrays = trainer.arrays
    left = int(arrays.pairs.keys[arrays.history.pairs[rank]]) >> SYMBOL_BITS
    begins = arrays.words.starts[places.words] + places.offsets + (distance - int(arrays.symbols.lengths[left]))
    merged = merge_positions(trainer, rank)
    if not len(merged):  # given by the plan, though it does not occur
        return places.select(np.zeros(len(places.words), np.bool_))
    nearest = np.minimum(np.searchsorted(merged, begins), len(merged) - 1)
    return places.select(merged[nearest] == begins)


def merge_positions(trainer: Trainer, rank: int) -> Int32Array:
    """Return the positions in the symbol array at which the applied merge `rank` made its symbol, in order.

    The lists of the pairs that came into being in that step have all of them, whatever has become of the symbols since,
    except for those that were a whole word, which has no pair.
    """
    arrays = trainer.arrays
    pairs, history, symbols, lengths = arrays.pairs, arrays.history, arrays.words.symbols, arrays.symbols.lengths
    new = trainer.alphabet_size + rank
    is_last = rank + 1 == trainer.position
    first = int(history.first_new_pairs[rank])
    stop = int(arrays.state[records.PAIR_COUNT] if is_last else history.first_new_pairs[rank + 1])
    keys = pairs.keys[first:stop]
    lefts, rights = keys >> SYMBOL_BITS, keys & SYMBOL_MASK
    sizes = np.diff(pairs.starts[first : stop + 1]) if stop > first else np.empty(0, np.int64)
    places = arrays.pool[int(pairs.starts[first]) : int(pairs.starts[stop])]
    as_left = places[np.repeat(lefts == new, sizes)]
    as_right = (places + np.repeat(lengths[lefts], sizes))[np.repeat(rights == new, sizes)]
    pair = int(history.pairs[rank])
    own = arrays.pool[int(pairs.starts[pair]) : int(pairs.starts[pair + 1])]
    is_word = (symbols[own - 1] == records.SEPARATOR) & (symbols[own + int(lengths[new])] == records.SEPARATOR)
    found: Int32Array = np.sort(np.concatenate([as_left, as_right, own[is_word]]))
    return np.compress(np.diff(found, prepend=-1) != 0, found)


class Meeting(NamedTuple):
    """How often a pair meets in the corpus now, and its place among all pairs, from 1."""

    corpus: CorpusCount
    place: int


def meeting(trainer: Trainer, left: bytes, right: bytes) -> Meeting | None:
    """Return how often a pair meets now; None if it does not.

    Where several merges made the same token, all pairs of the same bytes are counted, and the place is that of the
    first of them.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> meeting(trainer, b"w", b"e")
    Meeting(corpus=CorpusCount(occurrences=2, words=2), place=3)
    """
    numbers = _pair_numbers(trainer, {(left, right)})[left, right]
    if not numbers:
        return None
    words = trainer.words_with_pair(left, right)
    count = int(trainer.counts_of_pairs(np.array(numbers, np.int32)).sum())
    return Meeting(CorpusCount(count, len(words)), min(map(trainer.place_of_pair, numbers)))


def preference_of_pairs(trainer: Trainer, pairs: Collection[TokenPair]) -> dict[TokenPair, int]:
    """Return for each of these pairs that meets now how many of the others come before it in the order of pairs.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> preference_of_pairs(trainer, {(b"w", b"e"), (b"l", b"o"), (b"x", b"y")})
    {(b'l', b'o'): 0, (b'w', b'e'): 1}
    """
    pair_of = {number: pair for pair, numbers in _pair_numbers(trainer, pairs).items() for number in numbers}
    ordered = trainer.in_order(np.fromiter(pair_of, np.int32, len(pair_of))).tolist()
    return {pair: place for place, pair in enumerate(dict.fromkeys(map(pair_of.__getitem__, ordered)))}


def _pair_numbers(trainer: Trainer, pairs: Collection[TokenPair]) -> dict[TokenPair, list[int]]:
    """Return the numbers of these pairs that occur now: several of one if several merges made the same token."""
    table, vocabulary = trainer.arrays.pairs, trainer.vocabulary()
    symbols = {token: vocabulary.symbols_of(token) for pair in pairs for token in pair}
    found = {
        pair: [
            find_pair(table.keys, table.slots, (a << SYMBOL_BITS) | b)
            for a in symbols[pair[0]]
            for b in symbols[pair[1]]
        ]
        for pair in pairs
    }
    return {
        pair: [number for number in numbers if number >= 0 and table.counts[number]] for pair, numbers in found.items()
    }
