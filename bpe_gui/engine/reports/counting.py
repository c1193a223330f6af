"""Count the tokens of texts, and compute the field's measures of texts from these counts.

Each unique word is encoded once, in slices between which progress is reported. Counts of several texts add up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from math import log2, nan
from typing import Final

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import Document, FileDocument
from bpe_gui.engine.corpora.text_files import ReadingState
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, Progress, no_progress
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .merge_parts import MergeParts, are_texts, text_of

RENYI_ORDER: Final = 2.5
"""The order α for which Zouhar et al. found that the Rényi efficiency predicts the quality of translation best."""


def renyi_entropy(counts: npt.ArrayLike, order: float = RENYI_ORDER) -> float:
    """Return the Rényi entropy, in bits, of a distribution given as counts; order 1 is Shannon's. NaN for no counts.

    >>> renyi_entropy([1, 1, 1, 1])
    2.0
    """
    present = np.asarray(counts, np.float64)
    present = present[present > 0]
    if not len(present):
        return nan
    shares = present / present.sum()
    if order == 1:
        return abs(float(shares @ np.log2(shares)))
    return abs(float(np.log2(np.sum(shares**order)) / (1 - order)))


def renyi_efficiency(counts: npt.ArrayLike, order: float = RENYI_ORDER) -> float:
    """Return the Rényi efficiency of tokens from their counts: 1 if all tokens that occur are equally frequent.

    It is the Rényi entropy divided by its maximum for the same number of different tokens. Tokens that never occur are
    left out, as in the authors' `tokenization-scorer`. NaN for fewer than two different tokens.

    Source: Zouhar, Meister, Gastaldi, Du, Sachan and Cotterell, “Tokenization and the Noiseless Channel” (ACL 2023).

    >>> round(renyi_efficiency([3, 2, 1, 1]), 4)  # pick @@ed pick @@l @@ed pick @@les
    0.8265
    """
    different = int(np.count_nonzero(np.asarray(counts)))
    return renyi_entropy(counts, order) / log2(different) if different > 1 else nan


def gini_coefficient(values: npt.ArrayLike) -> float:
    """Return the Gini coefficient of non-negative values: 0 if all are equal, near 1 if one has nearly everything.

    NaN if there are no values, or if all are 0.

    >>> gini_coefficient([3, 3, 3]), gini_coefficient([0, 0, 0, 8])
    (0.0, 0.75)
    """
    ordered = np.sort(np.asarray(values, np.float64))
    total = float(ordered.sum())
    if not total:
        return nan
    size = len(ordered)
    places = np.arange(1, size + 1)
    return float((2 * places - size - 1) @ ordered) / (size * total)


@dataclass(frozen=True, slots=True)
class TextMeasures:
    """The measures of a text by a tokenizer.

    `words` are what stands between white space, as in `Metrics`, so they are the same for every tokenizer; None if only
    the counts of pre-tokens are known. `pieces` are the pre-tokens of the splitter. `special` tokens are in no piece,
    and `unknown` tokens stand for symbols without an id. `whole_pieces` are a single token, and `single_byte` tokens
    stand for one byte.
    """

    bytes: int
    characters: int
    words: int | None
    pieces: int
    tokens: int
    unknown: int
    special: int
    whole_pieces: int
    single_byte: int
    renyi_efficiency: float
    """Of order 2.5; NaN for fewer than two different tokens. All symbols without an id count as the same token."""

    @property
    def bytes_per_token(self) -> float:
        """The compression: the bytes of the text, with those in no token, per token. NaN if there are no tokens."""
        return ratio(self.bytes, self.tokens)

    @property
    def characters_per_token(self) -> float:
        """The compression in code points; NaN if there are no tokens."""
        return ratio(self.characters, self.tokens)

    @property
    def fertility(self) -> float:
        """The tokens per word; NaN if there are no words, or if they are not known. Special tokens are left out.

        Source: Rust, Pfeiffer, Vulić, Ruder and Gurevych, “How Good is Your Tokenizer?” (ACL 2021).
        """
        return ratio(self.tokens - self.special, self.words or 0)

    @property
    def whole_piece_share(self) -> float:
        """The share of pieces that are a single token, from 0 to 1; NaN if there are no pieces."""
        return ratio(self.whole_pieces, self.pieces)

    @property
    def single_byte_share(self) -> float:
        """The share of tokens that stand for a single byte, from 0 to 1; NaN if there are no tokens."""
        return ratio(self.single_byte, self.tokens)

    @property
    def unknown_share(self) -> float:
        """The share of tokens that stand for symbols without an id, from 0 to 1; NaN if there are no tokens."""
        return ratio(self.unknown, self.tokens)


@dataclass(frozen=True, eq=False)
class TokenCounts:
    """How often each token occurs in a text, and the size of the text. The counts of several texts add up.

    Tokens are numbered as in `MergeParts`: the first `entries` have an id. `words` and `pieces` are those of
    `TextMeasures`.
    """

    entries: int
    bytes: int
    characters: int
    words: int | None
    pieces: int
    occurrences: Int64Array
    """How often each token occurs in the text."""
    whole: Int64Array
    """How many pieces consist of this token alone, for each token."""
    unnumbered: int
    """How many symbols of the text are not tokens at all, not even without an id."""
    special: int
    """How many of the tokens are in no piece: special tokens, and ids around a text."""
    single_byte: int
    """How many of the tokens stand for a single byte."""

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        """Return the counts of both texts together."""
        words = None if self.words is None or other.words is None else self.words + other.words
        added = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)[4:]}
        return TokenCounts(self.entries, self.bytes + other.bytes, self.characters + other.characters, words, **added)

    @classmethod
    def nothing(cls, entries: int, tokens: int) -> "TokenCounts":
        """Return the counts of an empty text for this number of tokens, the first `entries` of which have an id.

        >>> TokenCounts.nothing(3, 3).tokens
        0
        """
        return cls(entries, 0, 0, 0, 0, np.zeros(tokens, np.int64), np.zeros(tokens, np.int64), 0, 0, 0)

    @cached_property
    def tokens(self) -> int:
        """The number of tokens, including special tokens and symbols without an id."""
        return int(self.occurrences.sum()) + self.unnumbered

    @cached_property
    def unknown(self) -> int:
        """The number of tokens that stand for symbols without an id."""
        return int(self.occurrences[self.entries :].sum()) + self.unnumbered

    @cached_property
    def whole_pieces(self) -> int:
        """The number of pieces that are a single token with an id."""
        return int(self.whole[: self.entries].sum())

    @cached_property
    def measures(self) -> TextMeasures:
        """The measures of the text, without the counts by token."""
        return TextMeasures(
            self.bytes,
            self.characters,
            self.words,
            self.pieces,
            self.tokens,
            self.unknown,
            self.special,
            self.whole_pieces,
            self.single_byte,
            token_efficiency(self.occurrences, self.entries, self.unnumbered),
        )


def token_efficiency(occurrences: Int64Array, entries: int, unnumbered: int) -> float:
    """Return the Rényi efficiency of tokens. Those after the first `entries` have no id and count as the same one."""
    unknown = int(occurrences[entries:].sum()) + unnumbered
    return renyi_efficiency(np.append(occurrences[:entries], unknown))


def ratio(numerator: float, denominator: float) -> float:
    """Return a ratio; NaN for a denominator of 0.

    >>> ratio(3, 2), ratio(3, 0)
    (1.5, nan)
    """
    return numerator / denominator if denominator else nan


_SLICE: Final = 1 << 18
"""About how many bytes of words are encoded at a time."""

_UNKNOWN: Final = -1
"""The id that marks symbols without one."""


class TokenCounter:
    """Counts the tokens that a tokenizer makes of texts, as of one of its steps.

    >>> from bpe_gui.engine import Corpus, train
    >>> tokenizer = train("low low low lower", num_merges=2)
    >>> counts = TokenCounter(tokenizer).count_documents(Corpus.from_text("low lower").documents)
    >>> counts.tokens, counts.words, counts.measures.fertility, counts.whole_pieces
    (5, 2, 2.5, 1)
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer: Final = tokenizer
        self.parts: Final = MergeParts.of(tokenizer)

    @cached_property
    def numbering(self) -> Tokenizer:
        """The tokenizer with the numbers of `parts` as ids, so that every token has an id."""
        tokens, special = self.parts.tokens, self.parts.special
        return Tokenizer(
            {number: token for number, token in enumerate(tokens) if not special[number]},
            self.parts.merges,
            {tokens[number].decode(): number for number in np.flatnonzero(special).tolist()},
            recipe=self.tokenizer.recipe,
            other_merges=self.tokenizer.other_merges,
        ).with_unknown_id(_UNKNOWN)

    @cached_property
    def is_single_byte(self) -> Int64Array:
        """1 for each token that stands for a single byte, 0 for others."""
        if are_texts(self.tokenizer):
            return np.equal(self.parts.sizes, 1).astype(np.int64)
        return np.array([len(text_of(self.tokenizer, token)) == 1 for token in self.parts.tokens], np.int64)

    # -- words that were counted -------------------------------------------------------------------------------------

    def count_words(
        self,
        words: WordCounts,
        progress: Progress = no_progress,
        *,
        position: int | None = None,
        special: Int64Array | None = None,
        spaced: int | None = None,
    ) -> TokenCounts:
        """Count the tokens of a text whose words were counted, for a tokenizer with a recipe.

        `position` is the number of merges that apply, by default all; `special` is how often each token occurs as a
        special token, and `spaced` the number of words between white space, if known. `progress` is called with the
        bytes of words encoded; an error that it raises ends the work. Raise TokenizerError if the words were not
        counted for this recipe.
        """
        # Special tokens are treated as when the words were counted: as text, or left out.
        recipe = self.tokenizer.recipe.with_changes(special_text=words.facts.special_text)
        if not self.tokenizer.encodes_by_word or not words.fits(recipe):
            raise TokenizerError(
                "These words were not split the way this tokenizer splits text. Count them again for it."
            )
        tokenizer = self.numbering if position is None else self.numbering.at(position)
        occurrences, whole = np.zeros((2, len(self.parts) + 1), np.int64)  # last: symbols without a number
        for first, last in _slices(words.starts):
            progress(int(words.starts[first]), int(words.starts[-1]))
            starts = words.starts[first : last + 1]
            ids, firsts = tokenizer.word_ids(words.text[starts[0] : starts[-1]].tobytes(), starts - starts[0])
            frequencies, sizes = words.frequencies[first:last], np.diff(firsts)
            np.add.at(occurrences, ids, np.repeat(frequencies, sizes))
            alone = sizes == 1
            np.add.at(whole, ids[firsts[:-1][alone]], frequencies[alone])
        progress(int(words.starts[-1]), int(words.starts[-1]))
        specials = 0
        if special is not None:
            occurrences[:-1] += special
            specials = int(special.sum())
        return self.counts_of(words.bytes, words.characters, spaced, words.total, occurrences, whole, specials)

    # -- documents ---------------------------------------------------------------------------------------------------

    def count_documents(
        self, documents: Sequence[Document], progress: Progress = no_progress, *, position: int | None = None
    ) -> TokenCounts:
        """Count the tokens of documents. Nothing merges across two documents.

        `position` is the number of merges that apply, by default all; the tokens are numbered as after all merges.
        `progress` is called with the bytes read; an error that it raises ends the work. Raise CorpusError for a
        document that cannot be read, and TokenizerError for one that the tokenizer cannot encode.
        """
        if self.tokenizer.encodes_by_word:
            words, special, spaced = self.words_of(documents, progress)
            size = sum(document.size() for document in documents)

            def report(_done: int, _total: int) -> None:
                progress(size, size)

            return self.count_words(words, report, position=position, special=special, spaced=spaced)
        counts = TokenCounts.nothing(self.parts.entries, len(self.parts))
        done, total = 0, sum(document.size() for document in documents)
        for document in documents:
            progress(done, total)
            for text in document.texts(ReadingState()):
                counts += self._count_text("".join(text), position)
            done += document.size()
        progress(total, total)
        return counts

    def words_of(
        self, documents: Sequence[Document], progress: Progress = no_progress
    ) -> tuple[WordCounts, Int64Array | None, int | None]:
        """Return the counts of the pieces of documents, how often each token occurs as a special token, and the words.

        The second is None if there are no special tokens, and the words between white space are None if a document has
        only counts. Raise as `count_documents` does.
        """
        specials = self.tokenizer.special_tokens
        recipe = self.tokenizer.recipe.with_changes(special_text="apart")  # as encoding does
        words = Corpus(tuple(documents)).count(recipe, specials, progress, may_be_empty=True)
        counts = np.zeros(len(self.parts), np.int64) if specials else None
        if any(isinstance(document, FileDocument) and document.holds_counts for document in documents):
            return words, counts, None
        numbers = {self.parts.tokens[number].decode(): number for number in np.flatnonzero(self.parts.special).tolist()}
        size, spaced = sum(document.size() for document in documents), 0
        search = SpecialTokens(specials)
        for document in documents:
            for text in document.texts(ReadingState()):
                counted = SpacedWords(_announced(text, progress, size))
                for part, is_special in search.split_stream(counted):
                    if is_special and counts is not None:
                        counts[numbers[part]] += 1
                spaced += counted.words
        return words, counts, spaced

    def _count_text(self, text: str, position: int | None) -> TokenCounts:
        """Count the tokens of a text by a tokenizer with a pipeline, which changes text before it splits it."""
        utf8 = text.encode()
        occurrences, whole = np.zeros((2, len(self.parts) + 1), np.int64)  # last: symbols without a number
        pieces = special = 0
        for all_ids, ids, firsts in self.encoded_chunks(utf8, position):
            occurrences += self.occurrences_of(all_ids)
            whole += self.occurrences_of(ids[firsts[:-1][np.diff(firsts) == 1]])
            pieces += len(firsts) - 1
            special += len(all_ids) - len(ids)
        words = len(text.split())
        return self.counts_of(len(utf8), len(text), words, pieces, occurrences, whole, special)

    def encoded_chunks(
        self, text: bytes, position: int | None = None
    ) -> Iterator[tuple[Int32Array, Int32Array, Int64Array]]:
        """Yield the ids of each chunk of a text, and its ids by word as `Tokenizer.ids_by_word` returns them."""
        tokenizer = self.tokenizer if position is None else self.tokenizer.at(position)
        tokenizer = tokenizer.with_unknown_id(_UNKNOWN)
        for chunk in tokenizer.chunker.chunks(text, _SLICE) or [b""]:  # even an empty text may have ids around it
            yield tokenizer.encode_array(chunk), *tokenizer.ids_by_word(chunk)

    def numbers_of(self, ids: Int32Array) -> Int64Array:
        """Return the numbers of tokens by their ids. A symbol without an id has the number after the last token's."""
        parts = self.parts
        return np.where(ids == _UNKNOWN, len(parts), np.searchsorted(parts.ids[: parts.entries], ids))

    def occurrences_of(self, ids: Int32Array) -> Int64Array:
        """Return the counts of tokens by number, given their ids, followed by the count of symbols without an id."""
        found, times = np.unique(ids, return_counts=True)
        occurrences = np.zeros(len(self.parts) + 1, np.int64)
        occurrences[self.numbers_of(found)] = times
        return occurrences

    def counts_of(
        self,
        size: int,
        characters: int,
        words: int | None,
        pieces: int,
        occurrences: Int64Array,
        whole: Int64Array,
        special: int,
    ) -> TokenCounts:
        """Return token counts from arrays whose last item is the count of symbols without a number."""
        of_tokens, entries = occurrences[:-1], self.parts.entries
        return TokenCounts(
            entries,
            size,
            characters,
            words,
            pieces,
            occurrences=of_tokens,
            whole=whole[:-1],
            unnumbered=int(occurrences[-1]),
            special=special,
            single_byte=int(of_tokens[:entries] @ self.is_single_byte[:entries]),
        )


def _slices(starts: Int64Array) -> Iterator[tuple[int, int]]:
    """Yield ranges of words [first, last) to encode at a time."""
    words = len(starts) - 1
    first = 0
    while first < words:
        last = int(np.searchsorted(starts, starts[first] + _SLICE, "right")) - 1
        last = min(max(last, first + 1), words)
        yield first, last
        first = last


class SpacedWords:
    """The chunks of a text, whose `words` between white space are counted as the chunks are read."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = chunks
        self.words = 0

    def __iter__(self) -> Iterator[str]:
        is_in_word = False
        for chunk in filter(None, self._chunks):
            self.words += len(chunk.split()) - (is_in_word and not chunk[0].isspace())
            is_in_word = not chunk[-1].isspace()
            yield chunk


def _announced(chunks: Iterable[str], progress: Progress, size: int) -> Iterator[str]:
    """Yield chunks that are read a second time, and call `progress` so that the work can be ended in between."""
    for chunk in chunks:
        progress(size, size)
        yield chunk
