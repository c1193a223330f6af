"""Where tokens, pairs and letters occur in the corpus, when a token was created and now."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.pairs import count_in_words, words_merged_in
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair

from .results import ChangedWord, CorpusCount, Merge, StepChange
from .trainer import Trainer

_FAR: Final = 1 << 40  # more than any number of symbols
_SEARCHED_TOGETHER: Final = 8_192
"""How many words are searched for a symbol at a time, the most frequent first."""


@dataclass(frozen=True, slots=True)
class CorpusSearch:
    """Finds tokens and pairs in the corpus of a run, as of the position of its trainer."""

    trainer: Trainer

    def words_with_token(self, token: bytes, limit: int | None = None) -> list[tuple[str, int]]:
        """Return the unique words that contained `token` when it was created, with their counts in the corpus.

        These are the words in which the step that created it merged a pair; for a symbol of the alphabet, the words
        that have it among their initial symbols. If several merges made the same token, the words of all of them are
        returned. Later merges that absorb the token do not change the result. At most `limit` words are returned, the
        most frequent first, equally frequent ones in first-seen order; none for a token that does not exist at the
        trainer's position.

        >>> from bpe_gui.engine import Corpus
        >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
        >>> trainer.seek(2), [merge.token for merge in trainer.merges]
        (2, [b'ow', b'low'])
        >>> CorpusSearch(trainer).words_with_token(b"ow"), CorpusSearch(trainer).words_with_token(b"w", limit=2)
        ([('low', 2), ('lower', 1)], [('low', 2), ('lower', 1)])
        """
        trainer = self.trainer
        limit = None if limit is None else max(0, min(limit, len(trainer.word_counts)))
        symbols = trainer.vocabulary().symbols_of(token)
        if any(symbol < _initial_count(trainer) for symbol in symbols):
            return list(islice(_words_with_initial_symbol(trainer, token), limit))
        ranks = [symbol - trainer.alphabet_size for symbol in symbols]
        merged_in = [_words_merged_in(trainer, rank) for rank in ranks if rank < trainer.position]
        words = _distinct(np.sort(np.concatenate([np.empty(0, np.int64), *merged_in])))
        return [_word_with_count(trainer, number) for number in self.most_frequent_first(words)[:limit].tolist()]

    def count_token(self, token: bytes) -> CorpusCount:
        """Return how often `token` occurs in the corpus at the trainer's position.

        >>> from bpe_gui.engine import Corpus
        >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
        >>> CorpusSearch(trainer).count_token(b"w")
        CorpusCount(occurrences=4, words=3)
        """
        return _count_words(self.trainer, _words_at_places(self.trainer, token))

    def count_pair(self, left: bytes, right: bytes) -> CorpusCount:
        """Return how often the pair `left`, `right` occurs in the corpus at the trainer's position.

        >>> from bpe_gui.engine import Corpus
        >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
        >>> CorpusSearch(trainer).count_pair(b"w", b"e")
        CorpusCount(occurrences=2, words=2)
        """
        trainer = self.trainer
        return CorpusCount(trainer.count_of_pair(left, right), len(trainer.words_with_pair(left, right)))

    def words_with_token_now(self, token: bytes, limit: int | None = None) -> Int64Array:
        """Return the numbers of the words that contain `token` now, at most `limit`.

        The most frequent words come first, equally frequent ones in first-seen order.

        >>> from bpe_gui.engine import Corpus
        >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
        >>> trainer.split_words(CorpusSearch(trainer).words_with_token_now(b"r"))
        [SplitWord(symbols=(b'l', b'o', b'w', b'e', b'r'), count=1)]
        """
        trainer = self.trainer
        symbols = trainer.vocabulary().symbols_of(token)
        if limit is not None and len(symbols) == 1 and symbols[0] < _initial_count(trainer):
            return _frequent_words_with(trainer, symbols[0], limit)
        return self.most_frequent_first(_distinct(_words_at_places(trainer, token)))[:limit]

    def last_change(self, limit: int | None = None) -> StepChange | None:
        """Return the words that the step before the trainer's position changed; None at the start.

        The numbers of at most `limit` words are returned, the most frequent first.

        >>> from bpe_gui.engine import Corpus
        >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
        >>> search, step = CorpusSearch(trainer), trainer.step()
        >>> change = search.last_change()
        >>> step.token, change.total
        (b'ow', CorpusCount(occurrences=3, words=2))
        >>> search.changed_word(change.merge, change.words[0])
        ChangedWord(before=(b'l', b'o', b'w'), after=(b'l', b'ow'), count=2)
        """
        trainer = self.trainer
        rank = trainer.position - 1
        if rank < 0:
            return None
        words, merge = _words_merged_in(trainer, rank), trainer.merge_at(rank)
        occurrences = merge.count
        # If so, the merge was counted in the words of another stage.
        begins_stage = trainer.position in (*trainer.plan.stages, trainer.merges_in_words)
        # Not all occurrences of a pair of equal symbols were merged.
        if merge.left == merge.right or trainer.recipe.pair_counting == "once-per-word" or begins_stage:
            counts = _counts_in_words(trainer, trainer.alphabet_size + rank, words)
            occurrences = int(counts @ trainer.word_counts.frequencies[words])
        return StepChange(merge, self.most_frequent_first(words)[:limit], CorpusCount(occurrences, len(words)))

    def changed_word(self, merge: Merge, word: int, max_symbols: int | None = None) -> ChangedWord:
        """Return a word before and after the last step, which applied `merge`, up to about `max_symbols` symbols."""
        trainer = self.trainer
        tokens, new = trainer.tokens, trainer.alphabet_size + merge.rank
        before: list[bytes] = []
        after: list[bytes] = []
        for symbol in trainer.symbols_of_word(word, max_symbols):
            before.extend((merge.left, merge.right) if symbol == new else (tokens[symbol],))
            after.append(tokens[symbol])
        return ChangedWord(tuple(before), tuple(after), int(trainer.word_counts.frequencies[word]))

    def most_frequent_first(self, words: Int64Array) -> Int64Array:
        """Return the numbers of words, given in first-seen order, sorted by frequency, the highest first."""
        trainer = self.trainer
        return words[np.argsort(-trainer.word_counts.frequencies[words], kind="stable")]


def _words_at_places(trainer: Trainer, token: bytes) -> Int64Array:
    """Return the word number of each current occurrence of a token, in first-seen order."""
    symbols = trainer.vocabulary().symbols_of(token)  # several merges may have made the same token
    lists = [_words_at_places_of(trainer, symbol) for symbol in symbols]
    return lists[0] if len(lists) == 1 else np.sort(np.concatenate([np.empty(0, np.int64), *lists]))


def _words_at_places_of(trainer: Trainer, symbol: int) -> Int64Array:
    """Return the word number of each current occurrence of a symbol, in first-seen order."""
    words, rank = trainer.arrays.words, symbol - trainer.alphabet_size
    if symbol < _initial_count(trainer):  # it covers one position, which a merge overwrites
        return words.word_of[np.flatnonzero(words.symbols == np.int32(symbol))].astype(np.int64)
    if rank >= trainer.position:
        return np.empty(0, np.int64)
    key = int(trainer.arrays.pairs.keys[trainer.arrays.history.pairs[rank]])
    if key >> SYMBOL_BITS == key & SYMBOL_MASK:  # occurrences of its pair may overlap, so not all of them were merged
        merged_in = _words_merged_in(trainer, rank)
        return np.repeat(merged_in, _counts_in_words(trainer, symbol, merged_in))
    positions, length = _positions_of_merged_pair(trainer, rank), int(trainer.arrays.symbols.lengths[symbol])
    is_whole = (words.symbols[positions] == symbol) & (words.symbols[positions + (length - 1)] == symbol)
    return words.word_of[np.compress(is_whole, positions)].astype(np.int64)


def _initial_count(trainer: Trainer) -> int:
    """Return how many symbols words can begin as: the alphabet, and tokens that were made before these words."""
    return trainer.alphabet_size + trainer.merges_in_words


def _frequent_words_with(trainer: Trainer, symbol: int, limit: int) -> Int64Array:
    """Return the most frequent words that contain a symbol of the alphabet now."""
    found = np.empty(0, np.int64)
    if not trainer.arrays.symbols.occurrences[symbol]:
        return found
    words = trainer.words_by_frequency
    for first in range(0, len(words), _SEARCHED_TOGETHER):
        searched = words[first : first + _SEARCHED_TOGETHER]
        found = np.concatenate([found, searched[_counts_in_words(trainer, symbol, searched) > 0]])
        if len(found) >= limit:
            break
    return found[:limit]


def _distinct(words: Int64Array) -> Int64Array:
    """Return words, which are in first-seen order, without repetitions."""
    is_other = np.empty(len(words), np.bool_)
    is_other[:1] = True
    np.not_equal(words[1:], words[:-1], out=is_other[1:])
    return np.compress(is_other, words)


def _count_words(trainer: Trainer, words: Int64Array) -> CorpusCount:
    """Count occurrences in the whole corpus, given the word of each in first-seen order."""
    return CorpusCount(int(trainer.word_counts.frequencies[words].sum()), len(_distinct(words)))


def _counts_in_words(trainer: Trainer, symbol: int, words: Int64Array) -> Int64Array:
    arrays, counts = trainer.arrays, np.zeros(len(words), np.int64)
    count_in_words(arrays, words, symbol, counts)
    return counts


def _words_merged_in(trainer: Trainer, rank: int) -> Int64Array:
    """Return the numbers of the words that an applied merge changed, in first-seen order."""
    arrays, symbol = trainer.arrays, trainer.alphabet_size + rank
    positions = _positions_of_merged_pair(trainer, rank)
    words = np.empty(len(positions), np.int64)
    return words[: words_merged_in(arrays, positions, symbol, words)].copy()


def _positions_of_merged_pair(trainer: Trainer, rank: int) -> Int32Array:
    """Return the positions at which the pair of an applied merge occurred when the pair was created."""
    arrays = trainer.arrays
    if rank < trainer.merges_in_words:
        return np.empty(0, np.int32)  # merged before these words were made
    pair = int(arrays.history.pairs[rank])
    return arrays.pool[int(arrays.pairs.starts[pair]) : int(arrays.pairs.starts[pair + 1])]


def _words_with_initial_symbol(trainer: Trainer, symbol: bytes) -> Iterator[tuple[str, int]]:
    """Yield the words that have `symbol` among their initial symbols, with their counts, the most frequent first."""
    recipe = trainer.stage_recipe
    letters = symbol if recipe.boundary == "none" else symbol.removesuffix(END_OF_WORD)
    words = trainer.words_by_frequency
    if letters:
        words, _found = _words_containing(trainer, letters)
        words = CorpusSearch(trainer).most_frequent_first(_distinct(words))
    for number in words.tolist():
        word, count = _word_with_count(trainer, number)
        if symbol in trainer.initial_symbols(number):
            yield word, count


def _words_containing(trainer: Trainer, letters: bytes) -> tuple[Int64Array, Int64Array]:
    """Return the word of each occurrence of `letters`, bytes of UTF-8, within a word, and its offset in the text."""
    text, starts = trainer.word_counts.text, trainer.word_counts.starts
    size = max(0, len(text) - len(letters) + 1)
    matches = text[:size] == letters[0]
    if len(letters) > 1:
        matches &= text[1 : size + 1] == letters[1]
    found = np.flatnonzero(matches)
    for index, byte in enumerate(letters[2:], 2):
        found = found[text[found + index] == byte]
    words = np.searchsorted(starts, found, "right") - 1
    is_inside = found + len(letters) <= starts[words + 1]
    return words[is_inside], found[is_inside]


def _word_with_count(trainer: Trainer, number: int) -> tuple[str, int]:
    counts = trainer.word_counts
    start, stop = counts.starts[number : number + 2].tolist()
    return counts.text[start:stop].tobytes().decode(), int(counts.frequencies[number])


_CONTINUATIONS_END: Final = -0x40
"""The bytes 0b10xxxxxx, which continue a character, are exactly the signed bytes below this."""

_BIT_COUNTS: Final = np.array([number.bit_count() for number in range(256)], np.uint8)


class LetterPlaces(NamedTuple):
    """The occurrences of some letters in the corpus: the number of the word, and the offset in it in units."""

    words: Int64Array
    offsets: Int64Array

    def select(self, chosen: BoolArray) -> "LetterPlaces":
        """Return the chosen occurrences."""
        return LetterPlaces(self.words[chosen], self.offsets[chosen])


def letter_places(trainer: Trainer, letters: bytes) -> LetterPlaces:
    """Return where `letters`, bytes of UTF-8, occur within words of the corpus, in the order of the words.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> letter_places(trainer, b"we").offsets.tolist()
    [2, 2]
    """
    counts, (words, found) = trainer.word_counts, _words_containing(trainer, letters)
    offsets = found - counts.starts[words]
    if trainer.stage_recipe.seeds or trainer.merges_in_words:
        offsets = _offsets_in_symbols(trainer, words, offsets)
    elif trainer.recipe.units == "characters":
        offsets -= _continuations_between(counts.text, counts.starts[words], found)
    return LetterPlaces(words, offsets)


def _offsets_in_symbols(trainer: Trainer, words: Int64Array, offsets: Int64Array) -> Int64Array:
    """Return offsets in bytes as numbers of symbols, or far below 0 where a symbol is divided."""
    converted = []
    for word, offset in zip(words.tolist(), offsets.tolist(), strict=True):
        symbols = trainer.initial_symbols(word)
        starts = list(accumulate(map(len, symbols), initial=symbols[0] == END_OF_WORD and 1 - len(END_OF_WORD)))
        converted.append(starts.index(offset) if offset in starts else -_FAR)
    return np.array(converted, np.int64)


def _continuations_between(text: UInt8Array, starts: Int64Array, stops: Int64Array) -> Int64Array:
    """Return how many bytes continue a character between each start and the corresponding stop."""
    bits = np.packbits(text.view(np.int8) < _CONTINUATIONS_END)
    before = np.zeros(len(bits) + 1, np.int64)
    np.cumsum(_BIT_COUNTS[bits], out=before[1:])
    bits = np.append(bits, np.uint8(0))

    def preceding(offsets: Int64Array) -> Int64Array:
        # The first of the eight flags around an offset is the high bit.
        begun = _BIT_COUNTS[bits[offsets >> 3] >> (8 - (offsets & 7)).astype(np.uint8)]
        total: Int64Array = before[offsets >> 3] + begun
        return total

    return np.subtract(preceding(stops), preceding(starts))


def count_places(trainer: Trainer, places: LetterPlaces) -> CorpusCount:
    """Return how many occurrences these are in the whole corpus, and in how many unique words."""
    return _count_words(trainer, places.words)


def merged_at(trainer: Trainer, rank: int, places: LetterPlaces, distance: int) -> LetterPlaces:
    """Return the occurrences in which the applied merge `rank` joined two symbols.

    The two meet `distance` units after the beginning of the letters.
    """
    arrays = trainer.arrays
    left = int(arrays.pairs.keys[arrays.history.pairs[rank]]) >> SYMBOL_BITS
    begins = arrays.words.starts[places.words] + places.offsets + (distance - int(arrays.symbols.lengths[left]))
    merged = merge_positions(trainer, rank)
    if not len(merged):  # the plan gives it although it does not occur
        return places.select(np.zeros(len(places.words), np.bool_))
    nearest = np.minimum(np.searchsorted(merged, begins), len(merged) - 1)
    return places.select(merged[nearest] == begins)


def merge_positions(trainer: Trainer, rank: int) -> Int32Array:
    """Return the positions in the symbol array at which the applied merge `rank` made its symbol, in order.

    The position lists of the pairs created in that step contain all of them, whatever was merged later, except for
    symbols that were a whole word and so in no pair.
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
    """How often a pair occurs in the corpus now, and its rank among all pairs, from 1."""

    pair_count: CorpusCount
    pair_rank: int


def meeting(trainer: Trainer, left: bytes, right: bytes) -> Meeting | None:
    """Return how often a pair occurs now; None if it does not.

    If several merges made the same token, all pairs with the same bytes are counted, and the rank is the first one's.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> meeting(trainer, b"w", b"e")
    Meeting(pair_count=CorpusCount(occurrences=2, words=2), pair_rank=3)
    """
    numbers = trainer.pair_numbers(left, right)
    if not numbers:
        return None
    return Meeting(CorpusSearch(trainer).count_pair(left, right), min(map(trainer.rank_of_pair, numbers)))


def preference_of_pairs(trainer: Trainer, pairs: Collection[TokenPair]) -> dict[TokenPair, int]:
    """Return the position, from 0, of each pair that occurs, in the order of preference among these.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> preference_of_pairs(trainer, {(b"w", b"e"), (b"l", b"o"), (b"x", b"y")})
    {(b'l', b'o'): 0, (b'w', b'e'): 1}
    """
    pair_of = {number: pair for pair in pairs for number in trainer.pair_numbers(*pair)}
    ordered = trainer.in_order(np.fromiter(pair_of, np.int32, len(pair_of))).tolist()
    return {pair: place for place, pair in enumerate(dict.fromkeys(map(pair_of.__getitem__, ordered)))}
