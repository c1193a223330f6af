"""The unique words of a corpus and their counts, which training starts from."""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Integral
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.pickling import PackedNumbers, pack_numbers, unpack_numbers
from bpe_gui.engine.runtime.types import Int64Array, Progress, UInt8Array
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.utf8 import check_surrogates, check_word_starts

from .counts_facts import MAX_BYTES, CountsFacts, Source, Span, distances_in_corpus, merged_facts, too_large_error
from .counts_file import open_counts, write_counts
from .word_arrays import WordArrays, WordTally, padded


@dataclass(frozen=True, init=False, eq=False, repr=False)
class WordCounts(Mapping[str, int]):
    """The unique words of a corpus with their counts, in first-seen order, and how they were counted.

    The words are kept in arrays; the dictionary for use as a mapping is built when it is first needed.

    >>> counts = WordCounts({"low": 5, "lower": 2}, "whitespace")
    >>> counts["low"], len(counts), counts.total
    (5, 2, 7)
    """

    text: UInt8Array
    """All words in UTF-8, concatenated."""
    starts: Int64Array
    """The offset in `text` at which each word starts, followed by the size of `text`."""
    frequencies: Int64Array
    """The count of each word."""
    total: int
    """The number of words, repeated ones included."""
    splitter: str
    """The name or regular expression that split the corpus into words."""
    spaces_kept: bool
    """Whether a word begins with the space before it, which the splitter drops but `boundary=prefix` needs."""
    special_tokens: tuple[str, ...]
    """The special tokens that were left out; no word spans one."""
    specials_kept: bool
    """Whether the special tokens were counted as text instead of being left out."""
    characters: int
    """The size of the corpus in code points."""
    bytes: int
    """The size of the corpus in bytes of UTF-8."""
    weighted: bool
    """Whether documents were weighted; if so, the weights apply to `characters` and `bytes` too."""
    first_seen: Int64Array
    """The position in the corpus at which each word was first seen, in bytes of UTF-8; ascending."""
    sources: Sequence[Source]
    """The documents that were counted, if they are known."""
    spans: tuple[Span, ...]
    """The counted stretches of the corpus, in order; for a whole corpus, one that begins at 0."""
    skipped: int
    """The number of records that were left out because they have no text."""

    def __init__(
        self,
        counts: Mapping[str, int],
        splitter: str,
        spaces_kept: bool = False,
        special_tokens: tuple[str, ...] = (),
        characters: int = 0,
        bytes: int = 0,
        weighted: bool = False,
        *,
        first_seen: Iterable[int] | None = None,
        specials_kept: bool = False,
    ) -> None:
        """Take words that were counted elsewhere. `first_seen` are their positions in the corpus in bytes, ascending.

        By default, the positions are those that the words have when written one after another. Raise CorpusError for
        an empty word, one with a lone surrogate, a count below 1, or 2**62 bytes or more in all.
        """
        text, starts, frequencies = _arrays_of(counts)
        seen = starts[:-1] if first_seen is None else np.fromiter(first_seen, np.int64, len(counts))
        facts = CountsFacts(
            splitter, spaces_kept, special_tokens, characters, bytes, weighted, specials_kept=specials_kept
        )
        self._set(text, starts, frequencies, seen, facts)

    @classmethod
    def from_arrays(
        cls,
        text: UInt8Array,
        starts: Int64Array,
        frequencies: Int64Array,
        splitter: str,
        spaces_kept: bool = False,
        special_tokens: tuple[str, ...] = (),
        characters: int = 0,
        bytes: int = 0,
        weighted: bool = False,
        first_seen: Int64Array | None = None,
        *,
        specials_kept: bool = False,
    ) -> "WordCounts":
        """Return word counts with copies of these arrays. Raise EngineError if they do not fit together.

        `text` has the words in UTF-8, and word w is its bytes from `starts[w]` up to `starts[w + 1]`.

        >>> text, starts = np.frombuffer(b"lowlower", np.uint8), np.array([0, 3, 8])
        >>> WordCounts.from_arrays(text, starts, np.array([5, 2]), "whitespace")
        WordCounts({'low': 5, 'lower': 2})
        """
        seen = starts[:-1] if first_seen is None else first_seen
        if text.dtype != np.uint8:
            raise TypeError(f"text must be an array of uint8, not of {text.dtype}")
        words = WordArrays(
            text.copy(), *(each.astype(np.int64, casting="same_kind") for each in (starts, frequencies, seen))
        )
        _check_arrays(words)
        facts = CountsFacts(
            splitter, spaces_kept, special_tokens, characters, bytes, weighted, specials_kept=specials_kept
        )
        return cls.of_words(words, facts)

    @classmethod
    def of_words(cls, words: WordArrays, facts: CountsFacts) -> "WordCounts":
        """Return the counts of words in first-seen order, with the facts about them."""
        counts = cls.__new__(cls)
        counts._set(words.text[: words.text_size], words.starts, words.frequencies, words.first_seen, facts)
        return counts

    def _set(
        self, text: UInt8Array, starts: Int64Array, frequencies: Int64Array, first_seen: Int64Array, facts: CountsFacts
    ) -> None:
        """Set all fields of this frozen dataclass."""
        for array in (text, starts, frequencies, first_seen):
            array.flags.writeable = False
        end = int(first_seen[-1] + starts[-1] - starts[-2]) if len(frequencies) else 0
        values: dict[str, Any] = {
            "text": text,
            "starts": starts,
            "frequencies": frequencies,
            "first_seen": first_seen,
            "total": int(frequencies.sum()),
            **{name: getattr(facts, name) for name in CountsFacts.__dataclass_fields__},
            "spans": facts.spans or (Span(0, max(facts.bytes, end)),),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process rebuilds the counts, from few bytes and without the dictionary."""
        numbers = map(pack_numbers, (np.diff(self.starts), self.frequencies, self.first_seen))
        facts = {name: getattr(self, name) for name in CountsFacts.__dataclass_fields__}
        facts |= {name: tuple(map(tuple, facts[name])) for name in ("sources", "spans")}
        return _unpacked, (self.text.tobytes(), *numbers, facts)

    @property
    def facts(self) -> CountsFacts:
        """How the words were counted, and in which documents."""
        return CountsFacts(**{name: getattr(self, name) for name in CountsFacts.__dataclass_fields__})

    # -- parts of a corpus, and files ------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the counts to a Parquet file, which `load`, the command line and the window read.

        This needs pyarrow. Raise EngineError, leaving an existing file unchanged.
        """
        write_counts(Path(path), self.facts, [self.words()])

    @classmethod
    def load(cls, path: str | PathLike[str], progress: Progress | None = None) -> "WordCounts":
        """Return the counts in a file that was saved. `progress` is called with the words read and in total.

        Raise CorpusError, naming the row, if the file is damaged or is another kind of Parquet file.
        """
        with open_counts(Path(path)) as file:
            return cls.of_words(file.read(progress), file.facts)

    def placed_at(self, start: int) -> "WordCounts":
        """Return these counts for a part that begins at byte `start` of the corpus in UTF-8.

        >>> WordCounts({"low": 5}, "whitespace").placed_at(100).spans
        (Span(start=100, stop=103),)
        """
        if start >= MAX_BYTES:
            raise too_large_error()
        if start < 0:
            raise CorpusError("A part of a corpus must begin at byte 0 or later, not at {start:,}.", start=start)
        facts = self.facts
        distance = start - facts.start
        first_seen = self.first_seen + distance
        words = WordArrays(self.text, self.starts, self.frequencies, first_seen)
        return WordCounts.of_words(words, facts.moved(distance))

    @classmethod
    def merge(cls, *parts: "WordCounts") -> "WordCounts":
        """Return the counts of all parts of a corpus together, in the order in which the words were first seen.

        Parts with positions, from `placed_at`, may be merged in any order and in several steps. Parts that all begin at
        0 follow one another in the given order. Raise CorpusError if parts were counted in different ways, or overlap.

        >>> one, other = WordCounts({"low": 5}, "whitespace"), WordCounts({"er": 1, "low": 1}, "whitespace")
        >>> WordCounts.merge(one, other)
        WordCounts({'low': 6, 'er': 1})
        >>> WordCounts.merge(other.placed_at(10), one)
        WordCounts({'low': 6, 'er': 1})
        """
        if not parts:
            raise CorpusError("There are no counts to merge.")
        for part in parts:
            check_type("a part", part, WordCounts)
        distances = distances_in_corpus([part.facts for part in parts])
        return cls.merge_moved(parts, distances)

    @classmethod
    def merge_moved(cls, parts: Sequence["WordCounts"], distances: Sequence[int]) -> "WordCounts":
        """Return the counts of all parts together, each moved by its distance in bytes. Raise CorpusError."""
        facts = merged_facts([part.facts.moved(by) for part, by in zip(parts, distances, strict=True)])
        tally = WordTally()
        for part, distance in zip(parts, distances, strict=True):
            tally.add(part.words().moved(distance))
        words = tally.words().as_first_seen().copy()
        if words.bytes_counted >= MAX_BYTES:
            raise too_large_error()
        return cls.of_words(words, facts)

    def times(self, factor: int) -> "WordCounts":
        """Return these counts as if the text were repeated `factor` times. Raise CorpusError if they become too large.

        >>> WordCounts({"low": 5}, "whitespace").times(3)
        WordCounts({'low': 15})
        """
        if factor < 1:
            raise CorpusError("The text must occur at least once, not {times} times.", times=factor)
        if factor >= MAX_BYTES or factor * self.words().bytes_counted >= MAX_BYTES:
            raise too_large_error()
        facts = replace(self.facts, characters=factor * self.characters, bytes=factor * self.bytes)
        words = WordArrays(self.text, self.starts, factor * self.frequencies, self.first_seen)
        return WordCounts.of_words(words, facts)

    def words(self) -> WordArrays:
        """Return the words as arrays, with a padded copy of the text."""
        return WordArrays(padded(self.text), self.starts, self.frequencies, self.first_seen)

    # -- the mapping -----------------------------------------------------------------------------------------------

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The words and their counts as a read-only dictionary."""
        text = self.text.tobytes()
        words = [text[start:stop].decode() for start, stop in pairwise(self.starts.tolist())]
        return MappingProxyType(dict(zip(words, self.frequencies.tolist(), strict=True)))

    def __getitem__(self, word: str) -> int:
        return self.counts[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.frequencies)

    def __contains__(self, word: object) -> bool:
        return word in self.counts

    def keys(self) -> KeysView[str]:
        """Return the words in first-seen order."""
        return self.counts.keys()

    def values(self) -> ValuesView[int]:
        """Return the counts in the order of the words."""
        return self.counts.values()

    def items(self) -> ItemsView[str, int]:
        """Return the words with their counts."""
        return self.counts.items()

    def __repr__(self) -> str:
        return f"WordCounts({dict(self.counts)!r})" if len(self) <= 8 else f"<WordCounts of {len(self):,} words>"

    def may_contain(self, special_token: str) -> bool:
        """Return whether a special token may be in the text that was counted.

        It is not if the words are the whole text, and lack one of its characters.

        >>> counts = WordCounts({"low": 5}, "gpt2", bytes=15)
        >>> counts.may_contain("<e>"), counts.may_contain("wo")
        (False, True)
        """
        is_whole = not self.weighted and int((np.diff(self.starts) * self.frequencies).sum()) == self.bytes
        text = self.text.tobytes()
        return not is_whole or all(character.encode() in text for character in special_token)

    def fits(self, recipe: Recipe) -> bool:
        """Return whether the recipe would split the corpus into the same words.

        >>> WordCounts({"low": 5}, "whitespace").fits(Recipe.of("cs336-toy"))
        True
        """
        return self.facts.fitted(recipe) == recipe


def _check_arrays(words: WordArrays) -> None:
    """Raise EngineError unless these arrays, without padding, are valid for `WordCounts`."""
    count = len(words)
    if (len(words.starts), len(words.first_seen)) != (count + 1, count) or words.starts[-1] != len(words.text):
        raise CorpusError(
            "The arrays do not fit together: {words:,} words need as many counts and one more start, and the last "
            "start must be the size of the text.",
            words=count,
        )
    check_word_starts(words.text.tobytes(), words.starts)
    if words.starts[0] or np.any(np.diff(words.starts) < 1) or np.any(words.frequencies < 1):
        raise CorpusError("The first word must start at 0, no word may be empty, and counts must be at least 1.")
    if np.any(words.first_seen < 0) or np.any(np.diff(words.first_seen) < 0):
        raise CorpusError("Words must be in the order in which they were first seen, starting at 0.")
    if words.bytes_counted >= MAX_BYTES or (count and words.first_seen[-1] >= MAX_BYTES):
        raise too_large_error()


def _unpacked(
    text: bytes, sizes: PackedNumbers, frequencies: PackedNumbers, first_seen: PackedNumbers, facts: Mapping[str, Any]
) -> WordCounts:
    """Return word counts from the values that `__reduce__` packed."""
    starts = np.append(np.int64(0), np.cumsum(unpack_numbers(sizes)))
    words = WordArrays(np.frombuffer(text, np.uint8), starts, unpack_numbers(frequencies), unpack_numbers(first_seen))
    sources, spans = (Source(*each) for each in facts["sources"]), (Span(*each) for each in facts["spans"])
    return WordCounts.of_words(words, CountsFacts(**{**facts, "sources": tuple(sources), "spans": tuple(spans)}))


def _arrays_of(counts: Mapping[str, int]) -> tuple[UInt8Array, Int64Array, Int64Array]:
    """Return the arrays `text`, `starts` and `frequencies` of these counts. Raise CorpusError as `WordCounts` does."""
    check_type("counts", counts, Mapping)
    for word, count in counts.items():
        check_type("a count", count, Integral)
        if not word or count < 1:
            raise CorpusError(
                "The word {word!r} has the count {count}. Words must not be empty, and counts must be at least 1.",
                word=word,
                count=count,
            )
        check_surrogates(word, error=CorpusError)
    encoded = [word.encode() for word in counts]
    if sum(count * len(word) for word, count in zip(encoded, counts.values(), strict=True)) >= MAX_BYTES:
        raise too_large_error()
    text = np.frombuffer(b"".join(encoded), np.uint8)
    starts = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=starts[1:])
    return text, starts, np.fromiter(counts.values(), np.int64, len(encoded))
