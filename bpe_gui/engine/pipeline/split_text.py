"""Text that is split into words, which are kept in a few arrays: a Python object for each would be slow."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array

from .aligned_text import AlignedText


class SplitText(NamedTuple):
    """A text and its words (pre-tokens) in order, none of them empty. Characters between two words were dropped.

    `begins` and `ends` are offsets in characters. The text may be several ones concatenated: `sources` has for each
    word the index of the one it is in.
    """

    text: AlignedText
    begins: Int64Array
    ends: Int64Array
    sources: Int64Array

    @classmethod
    def of(cls, *texts: AlignedText) -> Self:
        """Concatenate `texts`, each of which is one word so far.

        >>> SplitText.of(AlignedText.of("low"), AlignedText.of(""), AlignedText.of("er")).words()
        ['low', 'er']
        """
        offsets = np.cumsum([0, *(len(text.text) for text in texts)]).astype(np.int64)
        sources = np.flatnonzero(np.diff(offsets))
        return cls(_concatenated(texts), offsets[sources], offsets[sources + 1], sources)

    def words(self) -> list[str]:
        """Return the words as plain strings."""
        return list(map(self.text.text.__getitem__, map(slice, self.begins.tolist(), self.ends.tolist())))

    def aligned_words(self) -> list[AlignedText]:
        """Return the words with the bytes that their characters stand for."""
        return list(map(self.text.substring, self.begins.tolist(), self.ends.tolist()))

    def select(self, words: slice | BoolArray) -> "SplitText":
        """Return the same text with only some of its words."""
        return SplitText(self.text, self.begins[words], self.ends[words], self.sources[words])

    def with_words(self, begins: Int64Array, ends: Int64Array, parents: Int64Array) -> "SplitText":
        """Return the same text with other words, but for the empty ones.

        `parents` has for each of them the index of the present word that it is in.
        """
        kept = begins < ends
        return SplitText(self.text, begins[kept], ends[kept], self.sources[parents[kept]])

    def split_before(self, offsets: Int64Array) -> "SplitText":
        """Return the text with its words split before the characters at `offsets`, in any order.

        Offsets outside words, and those where a word begins, are ignored.

        >>> SplitText.of(AlignedText.of("lowlower")).split_before(np.array([0, 3])).words()
        ['low', 'lower']
        """
        if not len(self.begins):
            return self
        parents = np.searchsorted(self.begins, offsets, "right") - 1
        inside = (parents >= 0) & (offsets > self.begins[parents]) & (offsets < self.ends[parents])
        if not np.any(inside):
            return self
        begins = np.concatenate([self.begins, offsets[inside]])
        parents = np.concatenate([np.arange(len(self.begins)), parents[inside]])
        order = np.argsort(begins, kind="stable")
        begins, parents = begins[order], parents[order]
        is_last = np.append(parents[1:] != parents[:-1], True)
        return self.with_words(begins, np.where(is_last, self.ends[parents], np.append(begins[1:], 0)), parents)

    def with_prefix(self, prefix: str, words: Int64Array) -> "SplitText":
        """Return the text with `prefix`, which stands for no bytes, inserted before the words at these indices."""
        if not len(words):
            return self
        offsets = self.begins[words]
        edges = [0, *offsets.tolist(), len(self.text.text)]
        starts = np.repeat(self.text.starts[offsets], len(prefix))
        inserted = np.repeat(offsets, len(prefix))
        text = AlignedText(
            prefix.join(map(self.text.text.__getitem__, map(slice, edges, edges[1:]))),
            np.insert(self.text.starts, inserted, starts),
            np.insert(self.text.stops, inserted, starts),
            self.text.origin_length + len(prefix) * int(np.count_nonzero(offsets < self.text.origin_length)),
        )
        begins = self.begins + len(prefix) * np.searchsorted(offsets, self.begins)
        ends = self.ends + len(prefix) * np.searchsorted(offsets, self.ends)
        return SplitText(text, begins, ends, self.sources)


def _concatenated(texts: Sequence[AlignedText]) -> AlignedText:
    if len(texts) == 1:
        return texts[0]
    empty = np.empty(0, np.int64)
    return AlignedText(
        "".join(text.text for text in texts),
        np.concatenate([empty, *(text.starts for text in texts)]),
        np.concatenate([empty, *(text.stops for text in texts)]),
        sum(text.origin_length for text in texts),
    )
