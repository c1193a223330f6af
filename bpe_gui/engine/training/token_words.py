"""The words of the corpus with a token: those to which it owes its place in the vocabulary, and those with it now."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.training.occurrences import count_in_words
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.alphabet import symbols_of

from .results import ChangedWord, CorpusCount, SplitWord, StepChange
from .trainer import Trainer

_SEARCHED_TOGETHER: Final = 8_192
"""Words in which a token is searched for at a time, the most frequent first."""


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
    numbers = _most_frequent_first(trainer, _distinct(*merged_in))
    return [_word_with_count(trainer, number) for number in numbers[:limit].tolist()]


def count_token(trainer: Trainer, token: bytes) -> CorpusCount:
    """Return how often `token` stands in the corpus at the trainer's position.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> count_token(trainer, b"w")
    CorpusCount(occurrences=4, words=3)
    """
    words = _distinct(*_candidates(trainer, token).values())
    counts = _counts_of_token(trainer, token, words)
    return CorpusCount(_occurrences(trainer, words, counts), int(np.count_nonzero(counts)))


def count_pair(trainer: Trainer, left: bytes, right: bytes) -> CorpusCount:
    """Return how often the pair `left`, `right` stands in the corpus at the trainer's position.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> count_pair(trainer, b"w", b"e")
    CorpusCount(occurrences=2, words=2)
    """
    return CorpusCount(trainer.count_of_pair(left, right), len(trainer.words_with_pair(left, right)))


def split_words_with(
    trainer: Trainer, token: bytes, limit: int | None = None, *, max_symbols: int | None = None
) -> list[SplitWord]:
    """Return the words in which `token` stands now, as they are split now, each up to `max_symbols`.

    The most frequent words come first, equally frequent ones in first-seen order.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> split_words_with(trainer, b"r")
    [SplitWord(symbols=(b'l', b'o', b'w', b'e', b'r'), count=1)]
    """
    candidates = _most_frequent_first(trainer, _distinct(*_candidates(trainer, token).values()))
    found = np.empty(0, np.int64)
    for first in range(0, len(candidates), _SEARCHED_TOGETHER):
        words = candidates[first : first + _SEARCHED_TOGETHER]
        found = np.concatenate([found, words[_counts_of_token(trainer, token, words) > 0]])
        if limit is not None and len(found) >= limit:
            break
    return trainer.split_words(found[:limit], max_symbols)


def last_change(trainer: Trainer, limit: int | None = None, *, max_symbols: int | None = None) -> StepChange | None:
    """Return the words that the step before the trainer's position changed; None at the start.

    At most `limit` words are returned, the most frequent first, each up to about `max_symbols`.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.step().token, last_change(trainer).total
    (b'ow', CorpusCount(occurrences=3, words=2))
    >>> last_change(trainer, limit=1).words
    (ChangedWord(before=(b'l', b'o', b'w'), after=(b'l', b'ow'), count=2),)
    """
    rank = trainer.position - 1
    if rank < 0:
        return None
    words, merge = _words_merged_in(trainer, rank), trainer.merge_at(rank)
    occurrences = merge.count
    if merge.left == merge.right or trainer.recipe.pair_counting == "once-per-word":  # then not all were merged
        counts = _counts_in_words(trainer, trainer.alphabet_size + rank, words)
        occurrences = _occurrences(trainer, words, counts)
    shown = _most_frequent_first(trainer, words)[:limit].tolist()
    tokens, new = trainer.tokens, trainer.alphabet_size + rank
    changed = []
    for word in shown:
        symbols = trainer.symbols_of_word(word, max_symbols)
        after = tuple([tokens[symbol] for symbol in symbols])
        parts = [(merge.left, merge.right) if symbol == new else (tokens[symbol],) for symbol in symbols]
        before = tuple(chain.from_iterable(parts))
        changed.append(ChangedWord(before, after, int(trainer.word_counts.frequencies[word])))
    return StepChange(tuple(changed), CorpusCount(occurrences, len(words)))


def _candidates(trainer: Trainer, token: bytes) -> dict[int, Int64Array]:
    """Return the words in which a token may stand now, by its symbols: several merges may have made the same token."""
    return {
        symbol: _all_words(trainer) if symbol < trainer.alphabet_size else _words_merged_in(trainer, rank)
        for symbol in trainer.vocabulary().symbols_of(token)
        if (rank := symbol - trainer.alphabet_size) < trainer.position
    }


def _all_words(trainer: Trainer) -> Int64Array:
    return np.arange(len(trainer.word_counts), dtype=np.int64)


def _distinct(*words: Int64Array) -> Int64Array:
    """Return the words of several lists in first-seen order, each once; every list is in that order."""
    together = words[0] if len(words) == 1 else np.sort(np.concatenate([np.empty(0, np.int64), *words]))
    distinct: Int64Array = together[np.diff(together, prepend=-1) != 0]
    return distinct


def _counts_of_token(trainer: Trainer, token: bytes, words: Int64Array) -> Int64Array:
    counts = np.zeros(len(words), np.int64)
    for symbol in trainer.vocabulary().symbols_of(token):
        if symbol - trainer.alphabet_size < trainer.position:
            counts += _counts_in_words(trainer, symbol, words)
    return counts


def _counts_in_words(trainer: Trainer, symbol: int, words: Int64Array) -> Int64Array:
    arrays, counts = trainer.arrays, np.zeros(len(words), np.int64)
    count_in_words(arrays.words.symbols, arrays.symbols.lengths, arrays.words.starts, words, symbol, counts)
    return counts


def _occurrences(trainer: Trainer, words: Int64Array, counts: Int64Array) -> int:
    return int(counts @ trainer.word_counts.frequencies[words])


def _words_merged_in(trainer: Trainer, rank: int) -> Int64Array:
    """Return the numbers of the words in which an applied merge took place, in first-seen order.

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
    return _distinct(np.compress(is_merged, arrays.words.word_of[positions]).astype(np.int64))


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
    return _distinct(words[offsets + len(letters) <= starts[words + 1]])


def _most_frequent_first(trainer: Trainer, words: Int64Array) -> Int64Array:
    """Return the numbers of words, given in first-seen order, sorted by frequency, the highest first."""
    order = np.argsort(-trainer.word_counts.frequencies[words], kind="stable")
    return words[order]


def _word_with_count(trainer: Trainer, number: int) -> tuple[str, int]:
    counts = trainer.word_counts
    start, stop = counts.starts[number : number + 2].tolist()
    return counts.text[start:stop].tobytes().decode(), int(counts.frequencies[number])
