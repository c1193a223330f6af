"""The unique words of a corpus with their counts, as arrays: what a trainer starts from."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.utf8 import check_surrogates

_MOST: Final = 2**62  # bytes of a corpus, so that no sum of counts leaves 64 bits


@dataclass(frozen=True, init=False, eq=False, repr=False)
class WordCounts(Mapping[str, int]):
    """The unique words of a corpus with their counts, in first-seen order, and how they were counted.

    Python's own dictionary of them is made when somebody asks for a word; until then there are only the arrays.

    >>> counts = WordCounts({"low": 5, "lower": 2}, "whitespace")
    >>> counts["low"], len(counts), counts.total
    (5, 2, 7)
    """

    text: npt.NDArray[np.uint8]
    """The words as UTF-8, one after another."""
    starts: npt.NDArray[np.int64]
    """Where in `text` each word begins; one number more than there are words."""
    frequencies: npt.NDArray[np.int64]
    """How often each word occurs."""
    total: int
    """How many words there are, repeated ones included."""
    splitter: str
    spaces_kept: bool
    """Whether a word whose space the splitter dropped has it in front (for `boundary=prefix`)."""
    special_tokens: tuple[str, ...]
    characters: int
    """Code points of the whole corpus."""
    bytes: int
    """Bytes of the whole corpus, as UTF-8."""

    def __init__(
        self,
        counts: Mapping[str, int],
        splitter: str,
        spaces_kept: bool = False,
        special_tokens: tuple[str, ...] = (),
        characters: int = 0,
        bytes: int = 0,
    ) -> None:
        """From words that are counted already. Raises CorpusError for an empty word, or a count below 1."""
        self._set(*_arrays_of(counts), splitter, spaces_kept, special_tokens, characters, bytes)

    @classmethod
    def from_arrays(
        cls,
        text: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        frequencies: npt.NDArray[np.int64],
        splitter: str,
        spaces_kept: bool = False,
        special_tokens: tuple[str, ...] = (),
        characters: int = 0,
        bytes: int = 0,
    ) -> "WordCounts":
        """From arrays that are known to be right, and that nobody writes to any more.

        >>> text, starts = np.frombuffer(b"lowlower", np.uint8), np.array([0, 3, 8])
        >>> WordCounts.from_arrays(text, starts, np.array([5, 2]), "whitespace")
        WordCounts({'low': 5, 'lower': 2})
        """
        made = cls.__new__(cls)
        made._set(text, starts, frequencies, splitter, spaces_kept, special_tokens, characters, bytes)
        return made

    def _set(
        self,
        text: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        frequencies: npt.NDArray[np.int64],
        *others: Any,
    ) -> None:
        for array in (text, starts, frequencies):
            array.flags.writeable = False
        values = (text, starts, frequencies, int(frequencies.sum()), *others)
        for name, value in zip(self.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, name, value)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The same as a dictionary that cannot be changed."""
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
        """The words, in first-seen order."""
        return self.counts.keys()

    def values(self) -> ValuesView[int]:
        """Their counts."""
        return self.counts.values()

    def items(self) -> ItemsView[str, int]:
        """Both."""
        return self.counts.items()

    def __repr__(self) -> str:
        return f"WordCounts({dict(self.counts)!r})" if len(self) <= 8 else f"<WordCounts of {len(self):,} words>"

    def fits(self, recipe: Recipe) -> bool:
        """Whether the recipe would cut the corpus into these same words.

        >>> WordCounts({"low": 5}, "whitespace").fits(Recipe.of("cs336-toy"))
        True
        """
        return self.splitter == recipe.splitter and self.spaces_kept == (recipe.boundary == "prefix")


def _arrays_of(
    counts: Mapping[str, int],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Text, starts and frequencies of the words."""
    for word, count in counts.items():
        if not word or count < 1:
            raise CorpusError(
                _(
                    "EngineError",
                    "The word {word!r} is counted {count} times; words have letters, and counts start at 1.",
                ),
                word=word,
                count=count,
            )
        check_surrogates(word, error=CorpusError)
    encoded = [word.encode() for word in counts]
    if sum(count * len(word) for word, count in zip(encoded, counts.values(), strict=True)) >= _MOST:
        raise CorpusError(
            _("EngineError", "The counts are too large: all words together may have up to {most:,} bytes."), most=_MOST
        )
    text = np.frombuffer(b"".join(encoded), np.uint8)
    starts = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=starts[1:])
    return text, starts, np.fromiter(counts.values(), np.int64, len(encoded))
