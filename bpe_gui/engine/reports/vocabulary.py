"""Sort the entries of a vocabulary by how a text uses them: never used, nearly dead, duplicates, parts of others."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import BoolArray, Int64Array
from bpe_gui.engine.text.utf8 import is_utf8
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.entries import Entries

from .counting import TokenCounts
from .merge_parts import MergeParts, are_texts, text_of

NEARLY_DEAD: Final = 5
"""A token that occurs in the text at least once but at most this often is nearly dead."""

_SPACES: Final = " ", "▁"
"""The characters that stand for a space in front of a word."""


@dataclass(frozen=True, eq=False)
class VocabularyReport:
    """How a text uses the entries of a vocabulary, which are numbered in the order of their ids.

    The lists leave out special tokens.
    """

    tokens: list[bytes]
    ids: Int64Array
    steps: Int64Array
    """The step that makes each entry: 0 for the alphabet, `Entries.SPECIAL` for special tokens."""
    occurrences: Int64Array
    """How often each entry occurs in the text."""
    is_needed: BoolArray
    """Whether each entry occurs in the text or is a part of an entry that does."""
    texts: list[bytes]
    """The bytes that each entry stands for."""

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.tokens)

    @cached_property
    def _is_ordinary(self) -> BoolArray:
        return np.not_equal(self.steps, Entries.SPECIAL)

    @cached_property
    def never_used(self) -> Int64Array:
        """The entries that never occur in the text."""
        return np.flatnonzero(self._is_ordinary & (self.occurrences == 0))

    @cached_property
    def scaffolds(self) -> Int64Array:
        """The merged entries that never occur in the text, but are parts of entries that do."""
        return np.flatnonzero((self.steps > 0) & (self.occurrences == 0) & self.is_needed)

    @cached_property
    def removable(self) -> Int64Array:
        """The merged entries that the text needs neither as tokens nor as parts of tokens."""
        return np.flatnonzero((self.steps > 0) & ~self.is_needed)

    def nearly_dead(self, at_most: int = NEARLY_DEAD) -> Int64Array:
        """Return the entries that occur in the text, but at most this often, the rarest first."""
        found = np.flatnonzero(self._is_ordinary & (self.occurrences > 0) & (self.occurrences <= at_most))
        return found[np.argsort(self.occurrences[found], kind="stable")]

    def most_used(self, limit: int) -> Int64Array:
        """Return the entries that occur most often in the text, the most frequent first."""
        found = np.flatnonzero(self._is_ordinary & (self.occurrences > 0))
        return found[np.argsort(-self.occurrences[found], kind="stable")][:limit]

    @cached_property
    def sizes(self) -> Int64Array:
        """The number of bytes that each entry stands for."""
        return np.fromiter(map(len, self.texts), np.int64, len(self))

    def longest(self, limit: int) -> Int64Array:
        """Return the entries with the most bytes, longest first, then in the order of the entries."""
        ordinary = np.flatnonzero(self._is_ordinary)
        return ordinary[np.argsort(-self.sizes[ordinary], kind="stable")][:limit]

    @cached_property
    def lengths(self) -> tuple[Int64Array, Int64Array]:
        """The number of entries and the number of tokens in the text for each size in bytes, from 0."""
        ordinary = self._is_ordinary
        entries = np.bincount(self.sizes[ordinary])
        tokens = np.zeros(len(entries), np.int64)
        np.add.at(tokens, self.sizes[ordinary], self.occurrences[ordinary])
        return entries, tokens

    @cached_property
    def zipf(self) -> Int64Array:
        """How often entries occur in the text, the most frequent first, without those that never do."""
        used = self.occurrences[self._is_ordinary & (self.occurrences > 0)]
        return np.sort(used)[::-1]

    @cached_property
    def duplicates(self) -> list[tuple[int, ...]]:
        """The groups of entries that are equal up to case and a leading space, the largest groups first."""
        groups: dict[bytes | str, list[int]] = {}
        for entry in np.flatnonzero(self._is_ordinary).tolist():
            groups.setdefault(_folded(self.texts[entry]), []).append(entry)
        doubled = [tuple(group) for group in groups.values() if len(group) > 1]
        return sorted(doubled, key=lambda group: (-len(group), group))

    @cached_property
    def partial_characters(self) -> Int64Array:
        """The entries whose bytes begin or end inside a character."""
        ordinary = np.flatnonzero(self._is_ordinary).tolist()
        return np.array([entry for entry in ordinary if not is_utf8(self.texts[entry])], np.int64)


def vocabulary_report(tokenizer: Tokenizer, parts: MergeParts, counts: TokenCounts) -> VocabularyReport:
    """Report how a text with these counts uses the entries of a tokenizer; `parts` numbers the tokens.

    >>> from bpe_gui.engine import Corpus, train
    >>> from bpe_gui.engine.reports.counting import TokenCounter
    >>> tokenizer = train("low low low lowest lowest", num_merges=5)
    >>> counter = TokenCounter(tokenizer)
    >>> counts = counter.count_words(Corpus.from_text("low low lowest").count("cs336"))
    >>> report = vocabulary_report(tokenizer, counter.parts, counts)
    >>> [report.tokens[entry] for entry in report.scaffolds]
    [b'ow', b'st']
    """
    entries = parts.entries
    tokens = parts.tokens[:entries]
    return VocabularyReport(
        tokens,
        parts.ids[:entries],
        parts.steps,
        counts.occurrences[:entries],
        parts.needed_for(counts.occurrences > 0)[:entries],
        tokens if are_texts(tokenizer) else [text_of(tokenizer, token) for token in tokens],
    )


def _folded(token: bytes) -> bytes | str:
    """Return a key that is equal for tokens that differ only in case or in a leading space."""
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return token
    bare = text[1:] if text.startswith(_SPACES) and len(text) > 1 else text
    return bare.casefold()
