"""The unique words of a corpus and their counts, which training starts from."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.pickling import PackedNumbers, pack_numbers, unpack_numbers
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.utf8 import check_surrogates

MAX_BYTES: Final = 2**62
"""The largest corpus in bytes, so that no sum of counts overflows 64 bits."""


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
    """The offset in `text` at which each word starts, and at last the size of `text`."""
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
    characters: int
    """The size of the corpus in code points."""
    bytes: int
    """The size of the corpus in bytes of UTF-8."""
    weighted: bool
    """Whether documents counted more or less often than once; then they did so in `characters` and `bytes` too."""

    def __init__(
        self,
        counts: Mapping[str, int],
        splitter: str,
        spaces_kept: bool = False,
        special_tokens: tuple[str, ...] = (),
        characters: int = 0,
        bytes: int = 0,
        weighted: bool = False,
    ) -> None:
        """Take words that were counted elsewhere.

        Raise CorpusError for an empty word, one with a lone surrogate, a count below 1, or 2**62 bytes or more in all.
        """
        self._set(*_arrays_of(counts), splitter, spaces_kept, special_tokens, characters, bytes, weighted)

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
    ) -> "WordCounts":
        """Return word counts that share these arrays, which are not checked and become read-only.

        >>> text, starts = np.frombuffer(b"lowlower", np.uint8), np.array([0, 3, 8])
        >>> WordCounts.from_arrays(text, starts, np.array([5, 2]), "whitespace")
        WordCounts({'low': 5, 'lower': 2})
        """
        counts = cls.__new__(cls)
        counts._set(text, starts, frequencies, splitter, spaces_kept, special_tokens, characters, bytes, weighted)
        return counts

    def _set(self, text: UInt8Array, starts: Int64Array, frequencies: Int64Array, *others: Any) -> None:
        """Set all fields of this frozen dataclass; `others` are those after `total`, in their order."""
        for array in (text, starts, frequencies):
            array.flags.writeable = False
        values = (text, starts, frequencies, int(frequencies.sum()), *others)
        for name, value in zip(self.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process makes the word counts: from few bytes, and without the dictionary."""
        names = ("splitter", "spaces_kept", "special_tokens", "characters", "bytes", "weighted")
        sizes, frequencies = pack_numbers(np.diff(self.starts)), pack_numbers(self.frequencies)
        return _unpacked, (self.text.tobytes(), sizes, frequencies, {name: getattr(self, name) for name in names})

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

    def fits(self, recipe: Recipe) -> bool:
        """Return whether the recipe would split the corpus into the same words.

        >>> WordCounts({"low": 5}, "whitespace").fits(Recipe.of("cs336-toy"))
        True
        """
        return self.splitter == recipe.splitter and self.spaces_kept == (recipe.boundary == "prefix")


def too_large_error() -> CorpusError:
    """Return the error for a corpus of `MAX_BYTES` or more, with every word as often as it counts."""
    return CorpusError(
        _("EngineError", "The counts are too large: all words together can have at most {most:,} bytes."),
        most=MAX_BYTES,
    )


def _unpacked(text: bytes, sizes: PackedNumbers, frequencies: PackedNumbers, counted: Mapping[str, Any]) -> WordCounts:
    """Return word counts from what their `__reduce__` packed."""
    starts = np.append(np.int64(0), np.cumsum(unpack_numbers(sizes)))
    return WordCounts.from_arrays(np.frombuffer(text, np.uint8), starts, unpack_numbers(frequencies), **counted)


def _arrays_of(counts: Mapping[str, int]) -> tuple[UInt8Array, Int64Array, Int64Array]:
    """Return the arrays `text`, `starts` and `frequencies` of these counts. Raise CorpusError as `WordCounts` does."""
    for word, count in counts.items():
        if not word or count < 1:
            raise CorpusError(
                _(
                    "EngineError",
                    "The word {word!r} has the count {count}. Words must not be empty, and counts must be at least 1.",
                ),
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
