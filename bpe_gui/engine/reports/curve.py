"""Measures of a text at many steps of training, from encoding it once. They show how large a vocabulary should be.

If every token determines the merges that made it, the final tokens of a text determine how often each merge applies to
it. The tokenizer as of a step applies exactly the merges of lower ranks, so the tokens at every step follow by
subtraction. Any other tokenizer encodes the words once per point, except for words that it keeps whole (`WholeWords`).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log, log10, nan
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.corpora.text_files import ReadingState
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import Float64Array, Int32Array, Int64Array, Progress, no_progress

from .counting import TokenCounter, TokenCounts, token_efficiency
from .merge_parts import MergeParts, MergeTree

POINTS: Final = 200
"""The number of steps at which a curve is measured, if the run has as many."""

_INTERVALS: Final = 10
"""About how many intervals have a marginal gain of their own."""

GAIN_ENTRIES: Final = 1_000
"""The number of entries that are worth it, or not."""

LEAST_GAIN: Final = 0.01
"""The share of tokens that 1,000 more entries should save to be worth it."""


@dataclass(frozen=True, slots=True)
class Knee:
    """The point of a curve from which more entries pay off less: the farthest above the chord between its ends.

    Both axes are scaled to the range of the curve. Source: Satopää, Albrecht, Irwin and Raghavan, “Finding a ‘Kneedle’
    in a Haystack” (2011), without smoothing.
    """

    step: int
    entries: int
    bytes_per_token: float


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain on the text from the entries between `entries` and `following`.

    `bytes_per_token` is the increase in compression, and `tokens_saved` the share of the tokens at `entries` that is
    saved up to `following`.
    """

    entries: int
    following: int
    bytes_per_token: float
    tokens_saved: float


@dataclass(frozen=True, eq=False)
class Curve:
    """The measures of one text at some steps of training, in parallel arrays in ascending order of the steps."""

    bytes: int
    words: int | None
    pieces: int
    special: int
    """How many special tokens the text has; they count as tokens but are in no piece."""
    steps: Int64Array
    entries: Int64Array
    """The entries of the vocabulary, including special tokens."""
    tokens: Int64Array
    whole_pieces: Int64Array
    single_byte: Int64Array
    renyi_efficiency: Float64Array
    """NaN if the text has fewer than two different tokens."""

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.steps)

    @property
    def bytes_per_token(self) -> Float64Array:
        """The compression at each point; NaN if there are no tokens."""
        return _ratios(self.bytes, self.tokens)

    @property
    def fertility(self) -> Float64Array:
        """The tokens per word at each point; NaN if there are no words, or if they are not known."""
        return _ratios(self.tokens - self.special, self.words or 0)

    @property
    def whole_piece_share(self) -> Float64Array:
        """The share of pieces that are a single token; NaN if there are no pieces."""
        return _ratios(self.whole_pieces, self.pieces)

    @property
    def single_byte_share(self) -> Float64Array:
        """The share of tokens that stand for a single byte; NaN if there are no tokens."""
        return _ratios(self.single_byte, self.tokens)

    @property
    def is_telling(self) -> bool:
        """Whether the text has at least one token per entry that training adds; a smaller one cannot suggest a size."""
        return int(self.tokens[-1]) >= self.added_entries

    @property
    def added_entries(self) -> int:
        """The number of entries that training adds between the first point and the last."""
        return int(self.entries[-1] - self.entries[0])

    @cached_property
    def knee(self) -> Knee | None:
        """The knee of bytes per token over entries; None for a curve that is nowhere above its chord."""
        index = knee_index(self.entries, self.bytes_per_token)
        if index is None:
            return None
        return Knee(int(self.steps[index]), int(self.entries[index]), float(self.bytes_per_token[index]))

    @property
    def gain_size(self) -> int:
        """The number of entries in each interval of `gains`: a round number, about a tenth of the entries added."""
        return round_size(self.added_entries / _INTERVALS)

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """The marginal gains in intervals of `gain_size` entries; only the last interval may have fewer.

        An interval that would begin between two points of the curve begins at the second one.
        """
        first, end = int(self.entries[0]), int(self.entries[-1])
        bounds = np.searchsorted(self.entries, np.append(np.arange(first, end, self.gain_size), end))
        entries, compression, tokens = self.entries.tolist(), self.bytes_per_token.tolist(), self.tokens.tolist()
        return tuple(
            Gain(entries[a], entries[b], compression[b] - compression[a], (tokens[a] - tokens[b]) / tokens[a])
            for a, b in pairwise(np.unique(bounds).tolist())
            if tokens[a]
        )

    @property
    def tells_worth(self) -> bool:
        """Whether training adds enough entries for `entries_worth`."""
        return self.added_entries >= GAIN_ENTRIES

    def entries_worth(self, least: float = LEAST_GAIN) -> int | None:
        """Return the vocabulary size beyond which 1,000 more entries always save less than this share of the tokens.

        Gains may rise again: if a tokenizer was trained on other text, later merges may save more. Return None if the
        last 1,000 entries still save this much, or if there are fewer. Sizes are those of points; the tokens after
        1,000 more entries are interpolated between two points.
        """
        sizes = self.entries[self.entries + GAIN_ENTRIES <= self.entries[-1]]
        before, after = self.tokens[: len(sizes)], np.interp(sizes + GAIN_ENTRIES, self.entries, self.tokens)
        enough = np.flatnonzero(before - after >= least * before)
        beyond = int(enough[-1]) + 1 if len(enough) else 0
        return int(sizes[beyond]) if beyond < len(sizes) else None


def round_size(wanted: float) -> int:
    """Return the 1, 2 or 5 times a power of ten that is nearest to a number in proportion; at least 1.

    >>> round_size(0.3), round_size(74), round_size(3_174), round_size(9_974)
    (1, 100, 5000, 10000)
    """
    if wanted <= 1:
        return 1
    power: int = 10 ** floor(log10(wanted))
    return min((factor * power for factor in (1, 2, 5, 10)), key=lambda size: abs(log(size / wanted)))


def knee_index(xs: Sequence[float] | Int64Array, ys: Sequence[float] | Float64Array) -> int | None:
    """Return the index of the point farthest above the chord between the first and last points, with axes scaled to 1.

    >>> knee_index([0, 1, 2, 3, 4], [0, 6, 8, 9, 10])
    1
    >>> knee_index([0, 1, 2], [0, 1, 2])
    """
    x, y = np.asarray(xs, np.float64), np.asarray(ys, np.float64)
    if len(x) < 3 or np.isnan(y).any() or x[-1] <= x[0] or y[-1] <= y[0]:
        return None
    above = (y - y[0]) / (y[-1] - y[0]) - (x - x[0]) / (x[-1] - x[0])
    index = int(np.argmax(above))
    return index if above[index] > 1e-9 else None


def points_of(last: int, points: int = POINTS) -> Int64Array:
    """Return the steps at which a curve is measured, evenly spaced from 0 up to the last.

    Unless there are only few, those nearest to where an interval of `gains` begins are moved there.

    >>> points_of(10, 3).tolist(), points_of(2).tolist()
    ([0, 5, 10], [0, 1, 2])
    """
    steps = np.linspace(0, last, min(points, last + 1)).round().astype(np.int64)
    begins = np.arange(0, last, round_size(last / _INTERVALS))
    if 2 * len(begins) < len(steps) <= last:
        steps[np.rint(begins * ((len(steps) - 1) / last)).astype(np.int64)] = begins
    return np.unique(steps)


def curve_of_counts(counter: TokenCounter, counts: TokenCounts, *, points: int = POINTS, also: int = 0) -> Curve | None:
    """Return the curve of a text from its counts alone; None if tokens do not determine their merges.

    `also` is a step that is one of the points in any case.

    >>> from bpe_gui.engine import Corpus, train
    >>> counter = TokenCounter(train("low low low lower", num_merges=3))
    >>> counts = counter.count_words(Corpus.from_text("low lower").count("cs336"))
    >>> curve = curve_of_counts(counter, counts)
    >>> curve.entries.tolist(), curve.tokens.tolist()
    ([256, 257, 258, 259], [9, 7, 5, 4])
    """
    tree = counter.parts.tree
    return None if tree is None else _curve_of_tree(counter, tree, counts, points, also)


CountAtStep = Callable[[int], TokenCounts]
"""Counts the tokens of a text as of a step."""


def counting_words(
    counter: TokenCounter, words: WordCounts, special: Int64Array | None = None, spaced: int | None = None
) -> CountAtStep:
    """Return a function that counts the tokens of counted words, for `curve_by_encoding`."""

    def count(position: int) -> TokenCounts:
        return counter.count_words(words, position=position, special=special, spaced=spaced)

    return count


def counting_documents(
    counter: TokenCounter, documents: Sequence[Document], progress: Progress = no_progress
) -> CountAtStep:
    """Return a function that counts the tokens of documents. With a recipe, their words are counted immediately."""
    if counter.tokenizer.encodes_by_word:
        return counting_words(counter, *counter.words_of(documents, progress))
    if can_count_whole_words(counter):
        return WholeWords(counter, documents, progress).count

    def count(position: int) -> TokenCounts:
        return counter.count_documents(documents, position=position)

    return count


def curve_by_encoding(
    counter: TokenCounter,
    texts: Sequence[CountAtStep],
    *,
    points: int = POINTS,
    also: int = 0,
    progress: Progress = no_progress,
) -> Curve:
    """Return the curve of one or more texts together, encoded again for each step, and for the step `also`."""
    steps = np.union1d(points_of(len(counter.parts.merges), points), [also])
    measured: list[TokenCounts] = []
    for step in steps.tolist():
        progress(len(measured), len(steps))
        counts = TokenCounts.nothing(counter.parts.entries, len(counter.parts))
        for count in texts:
            counts += count(step)
        measured.append(counts)
    progress(len(steps), len(steps))
    last = measured[-1]
    return Curve(
        last.bytes,
        last.words,
        last.pieces,
        last.special,
        steps,
        _sizes_at(counter.parts, steps),
        np.array([each.tokens for each in measured], np.int64),
        np.array([each.whole_pieces for each in measured], np.int64),
        np.array([each.single_byte for each in measured], np.int64),
        np.array([each.measures.renyi_efficiency for each in measured], np.float64),
    )


def _sizes_at(parts: MergeParts, steps: Int64Array) -> Int64Array:
    """Return the number of entries at each step."""
    return np.searchsorted(np.sort(parts.steps), steps, "right")


def merges_applied(tree: MergeTree, occurrences: Int64Array) -> Int64Array:
    """Return how often each merge applies to a text with these counts of final tokens."""
    lefts, rights, products = tree.lefts.tolist(), tree.rights.tolist(), tree.products.tolist()
    made = occurrences.tolist()  # by token: how often it occurs once all later merges are undone
    applied = [0] * len(products)
    for merge in range(len(products) - 1, -1, -1):
        times = made[products[merge]]
        if times:
            applied[merge] = times
            made[lefts[merge]] += times
            made[rights[merge]] += times
    return np.array(applied, np.int64)


def _curve_of_tree(counter: TokenCounter, tree: MergeTree, counts: TokenCounts, points: int, also: int) -> Curve:
    parts, entries = counter.parts, counter.parts.entries
    # Merges that make the same token belong together.
    last = len(parts.merges)
    wanted = np.union1d(points_of(last, points), [also])
    steps = np.union1d([0], np.append(tree.ends, last)[np.searchsorted(tree.ends, wanted[1:])])
    done = np.searchsorted(tree.ends, steps, "right")  # by step: the merges of the tree before it
    applied = merges_applied(tree, counts.occurrences)
    is_single = np.where(np.arange(len(parts)) < entries, counter.is_single_byte, 0)
    made = np.append(np.int64(0), np.cumsum(np.where(tree.products < entries, counts.whole[tree.products], 0)))
    single_lost = applied * (is_single[tree.lefts] + is_single[tree.rights] - is_single[tree.products])
    return Curve(
        counts.bytes,
        counts.words,
        counts.pieces,
        counts.special,
        steps,
        _sizes_at(parts, steps),
        counts.tokens + _from(applied, done),
        counts.whole_pieces - made[-1] + made[done],
        counts.single_byte + _from(single_lost, done),
        _efficiencies(parts, tree, counts, applied, done),
    )


def _from(numbers: Int64Array, firsts: Int64Array) -> Int64Array:
    """Return for each of `firsts` the sum of the numbers from that index."""
    sums = np.concatenate([np.cumsum(numbers[::-1])[::-1], np.zeros(1, np.int64)])
    return sums[firsts]


def _efficiencies(
    parts: MergeParts, tree: MergeTree, counts: TokenCounts, applied: Int64Array, done: Int64Array
) -> Float64Array:
    """Return the Rényi efficiency after each given number of merges, by undoing merges from the last one."""
    occurrences = counts.occurrences.copy()
    efficiencies = np.full(len(done), nan)
    undone = len(applied)
    for index in range(len(done) - 1, -1, -1):
        merges = slice(int(done[index]), undone)
        undone = int(done[index])
        times = applied[merges]
        np.subtract.at(occurrences, tree.products[merges], times)
        np.add.at(occurrences, tree.lefts[merges], times)
        np.add.at(occurrences, tree.rights[merges], times)
        efficiencies[index] = token_efficiency(occurrences, parts.entries, counts.unnumbered)
    return efficiencies


def _ratios(numerators: Int64Array | int, denominators: Int64Array | int) -> Float64Array:
    """Return ratios; NaN for a denominator of 0."""
    over, under = np.broadcast_arrays(np.asarray(numerators, np.float64), np.asarray(denominators, np.float64))
    ratios = np.full(over.shape, nan)
    np.divide(over, under, out=ratios, where=under > 0)
    return ratios


class WholeWords:
    """The unique words of documents, which are encoded as of each step unless they are tokens by then.

    Words are in descending order of the step that makes them tokens, so that the words to encode come first.
    """

    def __init__(self, counter: TokenCounter, documents: Sequence[Document], progress: Progress) -> None:
        self._counter = counter
        parts = counter.parts
        self._bytes = self._characters = self._words = 0
        self._apart, alone = np.zeros((2, len(parts) + 1), np.int64)
        merged: Counter[bytes] = Counter()  # words of several tokens, by their token numbers
        done, total = 0, sum(document.size() for document in documents)
        for document in documents:
            progress(done, total)
            for text in document.texts(ReadingState()):
                whole = "".join(text)
                utf8 = whole.encode()
                self._bytes += len(utf8)
                self._characters += len(whole)
                self._words += len(whole.split())
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
        pieces, special = int(frequencies.sum()), int(self._apart.sum())
        return counter.counts_of(self._bytes, self._characters, self._words, pieces, occurrences, whole, special)


def _sums(numbers: Int32Array, frequencies: Int64Array, length: int) -> Int64Array:
    """Return the sum of frequencies for each number."""
    return np.bincount(numbers, frequencies, length).astype(np.int64)


def can_count_whole_words(counter: TokenCounter) -> bool:
    """Return whether words are either tokens or merged from bytes that all have ids."""
    model, parts = counter.tokenizer.store.model, counter.parts
    if not (model.ignores_merges and model.is_byte_level):
        return False
    ordinary = [token for token, is_special in zip(parts.tokens, parts.special.tolist(), strict=True) if not is_special]
    merged = np.concatenate([parts.merges.lefts, parts.merges.rights, parts.merges.products])
    return (
        not (model.prefix or model.suffix or len(parts.others) or np.any(parts.special[merged]))
        and len(parts) == parts.entries == len(set(parts.tokens))
        and len({token for token in ordinary if len(token) == 1}) == 256
    )
