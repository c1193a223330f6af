"""The words of the corpus to which a token owes its place in the vocabulary."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array, UInt8Array
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.alphabet import symbols_of

from .trainer import Trainer


def words_with_token(trainer: Trainer, token: bytes, limit: int | None = None) -> list[tuple[str, int]]:
    """Return the unique words that contained `token` when it was created, with their counts in the corpus.

    These are the words in which the step that created it merged a pair; for a symbol of the alphabet, the words that
    have it among their initial symbols. If several merges made the same token, the words of all of them are returned.
    Later merges that absorb the token change nothing, so the result stays the same as the run goes on. At most `limit`
    words are returned, the most frequent first, equally frequent ones in first-seen order; none for a token that does
    not exist at the trainer's position.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(2), [merge.token for merge in trainer.merges]
    (2, [b'ow', b'low'])
    >>> words_with_token(trainer, b"ow"), words_with_token(trainer, b"w", limit=2)
    ([('low', 2), ('lower', 1)], [('low', 2), ('lower', 1)])
    """
    symbols = trainer.vocabulary().symbols_of(token)
    if any(symbol < trainer.alphabet_size for symbol in symbols):
        return list(islice(_words_with_initial_symbol(trainer, token), limit))
    ranks = [symbol - trainer.alphabet_size for symbol in symbols]
    merged_in = [_words_merged_in(trainer, rank) for rank in ranks if rank < trainer.position]
    numbers = _most_frequent_first(trainer, np.unique(np.concatenate([np.empty(0, np.int32), *merged_in])))
    return [_word_with_count(trainer, number) for number in numbers[:limit].tolist()]


def _words_merged_in(trainer: Trainer, rank: int) -> Int32Array:
    """Return the numbers of the words in which an applied merge took place.

    The symbol of a merge is stored at its first and its last position. A later merge overwrites at most one of them:
    the first if the symbol becomes its left part, the last if it becomes its right part. The other is then inside a
    longer symbol and stays as it is. So one of the two still shows where the pair was merged.
    """
    arrays = trainer.arrays
    symbol, pair = trainer.alphabet_size + rank, int(arrays.history.pairs[rank])
    positions = arrays.pool[int(arrays.pairs.starts[pair]) : int(arrays.pairs.starts[pair + 1])]
    last_positions = positions + (arrays.symbols.lengths[symbol] - 1)
    # In `aaa` the symbol may come from an overlapping occurrence, but that is in the same word.
    is_merged = (arrays.words.symbols[positions] == symbol) | (arrays.words.symbols[last_positions] == symbol)
    return np.compress(is_merged, arrays.words.word_of[positions])


def _words_with_initial_symbol(trainer: Trainer, symbol: bytes) -> Iterator[tuple[str, int]]:
    """Yield the words that have `symbol` among their initial symbols, with their counts, the most frequent first."""
    counts, recipe = trainer.word_counts, trainer.recipe
    letters = symbol if recipe.boundary == "none" else symbol.removesuffix(END_OF_WORD)
    words = _words_containing(counts.text, counts.starts, letters) if letters else np.arange(len(counts))
    for number in _most_frequent_first(trainer, words).tolist():
        word, count = _word_with_count(trainer, number)
        if symbol in symbols_of(word, recipe):
            yield word, count


def _words_containing(text: UInt8Array, starts: Int64Array, letters: bytes) -> Int64Array:
    """Return the numbers of the words whose UTF-8 contains `letters`."""
    offsets = np.flatnonzero(text[: max(0, len(text) - len(letters) + 1)] == letters[0])
    for index, byte in enumerate(letters[1:], 1):
        offsets = offsets[text[offsets + index] == byte]
    words = np.searchsorted(starts, offsets, "right") - 1
    return np.unique(words[offsets + len(letters) <= starts[words + 1]])


def _most_frequent_first(trainer: Trainer, words: Int32Array | Int64Array) -> Int64Array:
    """Return the numbers of words, given in first-seen order, sorted by frequency, the highest first."""
    order = np.argsort(-trainer.word_counts.frequencies[words], kind="stable")
    return words[order].astype(np.int64)


def _word_with_count(trainer: Trainer, number: int) -> tuple[str, int]:
    counts = trainer.word_counts
    start, stop = counts.starts[number : number + 2].tolist()
    return counts.text[start:stop].tobytes().decode(), int(counts.frequencies[number])
