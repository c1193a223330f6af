"""Count the tokens of texts as of any step for tokenizers that keep words whole which are tokens."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.corpora.text_files import ReadingState
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array
from bpe_gui.engine.runtime.progress import Progress

from .counting import TokenCounter
from .token_counts import TokenCounts


class WholeWords:
    """The different words of documents, to be encoded as of each step, without those that are tokens by then.

    Words are in the reverse order of the steps from which on they are tokens, so that the first are to be encoded.
    """

    def __init__(self, counter: TokenCounter, documents: Sequence[Document], progress: Progress) -> None:
        self._counter = counter
        parts = counter.parts
        self._bytes = self._characters = 0
        self._apart, alone = np.zeros((2, len(parts) + 1), np.int64)
        merged: Counter[bytes] = Counter()  # words of several tokens, by the numbers of these
        done, total = 0, sum(document.size() for document in documents)
        for document in documents:
            progress(done, total)
            for text in document.texts(ReadingState()):
                whole = "".join(text)
                utf8 = whole.encode()
                self._bytes += len(utf8)
                self._characters += len(whole)
                for all_ids, ids, firsts in counter.encoded_chunks(utf8):
                    self._apart += counter.occurrences_of(all_ids) - counter.occurrences_of(ids)
                    is_alone = np.diff(firsts) == 1
                    alone += counter.occurrences_of(ids[firsts[:-1][is_alone]])
                    numbers = counter.numbers_of(ids).astype(np.int32).tobytes()
                    begins, ends = 4 * firsts[:-1][~is_alone], 4 * firsts[1:][~is_alone]
                    merged.update(numbers[a:b] for a, b in zip(begins.tolist(), ends.tolist(), strict=True))
            done += document.size()
        found = np.flatnonzero(alone)
        self._numbers: Int64Array = found[np.argsort(-parts.steps[found], kind="stable")]
        self._merged = len(merged)
        words = [b"".join(parts.tokens[n] for n in np.frombuffer(key, np.int32).tolist()) for key in merged]
        words += [parts.tokens[number] for number in self._numbers.tolist()]
        self._text = b"".join(words)
        self._starts = np.cumsum([0, *map(len, words)])
        self._frequencies = np.append(np.array([*merged.values()], np.int64), alone[self._numbers])

    def count(self, position: int) -> TokenCounts:
        """Count the tokens as of a step."""
        counter, parts = self._counter, self._counter.parts
        later = int(np.count_nonzero(parts.steps[self._numbers] > position))
        encoded, kept = self._merged + later, self._numbers[later:]
        starts, frequencies = self._starts[: encoded + 1], self._frequencies
        numbers, firsts = counter.numbering.at(position).word_ids(self._text[: starts[-1]], starts)
        sizes = np.diff(firsts)
        alone = sizes == 1
        occurrences = self._apart + _sums(numbers, np.repeat(frequencies[:encoded], sizes), len(parts) + 1)
        whole = _sums(numbers[firsts[:-1][alone]], frequencies[:encoded][alone], len(parts) + 1)
        occurrences[kept] += frequencies[encoded:]
        whole[kept] += frequencies[encoded:]
        words, special = int(frequencies.sum()), int(self._apart.sum())
        return counter.counts_of(self._bytes, self._characters, words, occurrences, whole, special)


def _sums(numbers: Int32Array, frequencies: Int64Array, length: int) -> Int64Array:
    """Return by number the sum of its frequencies."""
    return np.bincount(numbers, frequencies, length).astype(np.int64)


def can_count_whole_words(counter: TokenCounter) -> bool:
    """Return whether words are either tokens or merged from bytes that all have ids."""
    pipeline, parts = counter.tokenizer.pipeline, counter.parts
    if pipeline is None or not (pipeline.model.ignores_merges and pipeline.model.is_byte_level):
        return False
    ordinary = [token for token, is_special in zip(parts.tokens, parts.special.tolist(), strict=True) if not is_special]
    merged = np.concatenate([parts.merges.lefts, parts.merges.rights, parts.merges.products])
    return (
        not (pipeline.model.prefix or pipeline.model.suffix or len(parts.others) or np.any(parts.special[merged]))
        and len(parts) == parts.entries == len(set(parts.tokens))
        and len({token for token in ordinary if len(token) == 1}) == 256
    )
