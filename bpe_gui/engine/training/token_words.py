"""The words of the corpus that a token owes its place in the vocabulary to."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from bpe_gui.engine.kernels.training.records import Bytes, Ints, Longs
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.training.trainer import Trainer


def words_with_token(trainer: Trainer, token: bytes, limit: int | None = None) -> list[tuple[str, int]]:
    """The unique words that held `token` when it came into being, with their counts in the corpus.

    Those are the words in which the step that made it merged; for a symbol of the alphabet, the words that start with
    it among their symbols. Whether later merges took the token up into longer ones is all the same, so the answer
    stays as the run goes on. Most frequent first, equals in first-seen order. Empty for a token that does not exist
    at the trainer's position.

    Where several merges make the same token, the words of all of them count.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(2), [merge.token for merge in trainer.merges]
    (2, [b'ow', b'low'])
    >>> words_with_token(trainer, b"ow"), words_with_token(trainer, b"w", limit=2)
    ([('low', 2), ('lower', 1)], [('low', 2), ('lower', 1)])
    """
    symbols = trainer.naming().symbols_spelled(token)
    if any(symbol < trainer.alphabet_size for symbol in symbols):
        return list(islice(_starting_with(trainer, token), limit))
    steps = [symbol - trainer.alphabet_size for symbol in symbols]
    found = [_merged_in(trainer, step) for step in steps if step < trainer.position]
    words = _most_frequent_first(trainer, np.unique(np.concatenate([np.empty(0, np.int32), *found])))
    return [_word(trainer, word) for word in words[:limit].tolist()]


def _merged_in(trainer: Trainer, step: int) -> Ints:
    """The numbers of the words in which a step merged, which is done.

    A merged token is written at its first and its last place. A later merge writes over one of them at most: over the
    first where the token becomes a left part, over the last where it becomes a right one, and from then on the other
    is in the middle. So what the step merged is still to be seen where its pair stood.
    """
    machine = trainer._machine
    symbol, pair = trainer.alphabet_size + step, int(machine.run.pairs[step])
    places = machine.pool[int(machine.pairs.begins[pair]) : int(machine.pairs.begins[pair + 1])]
    lasts = places + (machine.symbols.lengths[symbol] - 1)
    row = machine.words.symbols
    # Places may be those of a neighbour that overlaps, in `aaa`; but that is a token of the same word.
    merged = (row[places] == symbol) | (row[lasts] == symbol)
    return np.compress(merged, machine.words.word_of[places])


def _starting_with(trainer: Trainer, symbol: bytes) -> Iterator[tuple[str, int]]:
    """The words that have a symbol of the alphabet at the start, looked at one by one."""
    counts, recipe = trainer.word_counts, trainer.recipe
    letters = symbol if recipe.boundary == "none" else symbol.removesuffix(END_OF_WORD)
    words = np.arange(len(counts)) if not letters else _holding(counts.text, counts.starts, letters)
    for number in _most_frequent_first(trainer, words).tolist():
        word, count = _word(trainer, number)
        if symbol in symbols_of(word, recipe):
            yield word, count


def _holding(text: Bytes, starts: Longs, letters: bytes) -> Longs:
    """The numbers of the words in whose UTF-8 `letters` stand."""
    begins = np.flatnonzero(text[: max(0, len(text) - len(letters) + 1)] == letters[0])
    for offset, byte in enumerate(letters[1:], 1):
        begins = begins[text[begins + offset] == byte]
    words = np.searchsorted(starts, begins, "right") - 1
    return np.unique(words[begins + len(letters) <= starts[words + 1]])


def _most_frequent_first(trainer: Trainer, words: Ints | Longs) -> Longs:
    """The same words, which come in first-seen order."""
    order = np.argsort(-trainer.word_counts.frequencies[words], kind="stable")
    return words[order].astype(np.int64)


def _word(trainer: Trainer, number: int) -> tuple[str, int]:
    counts = trainer.word_counts
    start, stop = counts.starts[number : number + 2].tolist()
    return counts.text[start:stop].tobytes().decode(), int(counts.frequencies[number])
