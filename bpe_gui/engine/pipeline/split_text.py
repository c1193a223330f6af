"""Text that is cut into words: all of them in a few arrays, because a text has as many words as a step has work."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.pipeline.aligned_text import AlignedText


class CutText(NamedTuple):
    """A text and its words in order, none of them empty. What is between two words was dropped.

    `begins` and `ends` are characters. `parts` says of each word in which of the texts it is that were put together.
    """

    text: AlignedText
    begins: Longs
    ends: Longs
    parts: Longs

    @classmethod
    def of(cls, *texts: AlignedText) -> Self:
        """Texts one after another, each of them a word so far.

        >>> CutText.of(AlignedText.of("low"), AlignedText.of(""), AlignedText.of("er")).words()
        ['low', 'er']
        """
        edges = np.cumsum([0, *(len(text.text) for text in texts)]).astype(np.int64)
        parts = np.flatnonzero(np.diff(edges))
        return cls(_joined(texts), edges[parts], edges[parts + 1], parts)

    def words(self) -> list[str]:
        """What the words are."""
        return list(map(self.text.text.__getitem__, map(slice, self.begins.tolist(), self.ends.tolist())))

    def aligned(self) -> list[AlignedText]:
        """The words with their places."""
        return list(map(self.text.part, self.begins.tolist(), self.ends.tolist()))

    def chosen(self, words: "slice | npt.NDArray[np.bool_]") -> "CutText":
        """Some of the words of the same text."""
        return CutText(self.text, self.begins[words], self.ends[words], self.parts[words])

    def with_words(self, begins: Longs, ends: Longs, of: Longs) -> "CutText":
        """Other words, each of which is in the word that `of` says; empty ones are left out."""
        kept = begins < ends
        return CutText(self.text, begins[kept], ends[kept], self.parts[of[kept]])

    def cut_before(self, places: Longs) -> "CutText":
        """The words, cut before these characters of them, too. Other places do not matter.

        >>> CutText.of(AlignedText.of("lowlower")).cut_before(np.array([0, 3])).words()
        ['low', 'lower']
        """
        of = np.searchsorted(self.begins, places, "right") - 1
        inside = (of >= 0) & (places > self.begins[of]) & (places < self.ends[of]) if len(self.begins) else of > 0
        if not np.any(inside):
            return self
        begins = np.concatenate([self.begins, places[inside]])
        of = np.concatenate([np.arange(len(self.begins)), of[inside]])
        order = np.argsort(begins, kind="stable")
        begins, of = begins[order], of[order]
        is_last = np.append(of[1:] != of[:-1], True)
        return self.with_words(begins, np.where(is_last, self.ends[of], np.append(begins[1:], 0)), of)

    def with_prefix(self, prefix: str, words: Longs) -> "CutText":
        """The same with something put in front of some of the words, which stands for nothing."""
        if not len(words):
            return self
        places = self.begins[words]
        edges = [0, *places.tolist(), len(self.text.text)]
        starts = np.repeat(self.text.starts[places], len(prefix))
        inserted = np.repeat(places, len(prefix))
        text = AlignedText(
            prefix.join(map(self.text.text.__getitem__, map(slice, edges, edges[1:]))),
            np.insert(self.text.starts, inserted, starts),
            np.insert(self.text.stops, inserted, starts),
            self.text.opening + len(prefix) * int(np.count_nonzero(places < self.text.opening)),
        )
        begins = self.begins + len(prefix) * np.searchsorted(places, self.begins)
        return CutText(text, begins, self.ends + len(prefix) * np.searchsorted(places, self.ends), self.parts)


def _joined(texts: Sequence[AlignedText]) -> AlignedText:
    if len(texts) == 1:
        return texts[0]
    nothing = np.empty(0, np.int64)
    return AlignedText(
        "".join(text.text for text in texts),
        np.concatenate([nothing, *(text.starts for text in texts)]),
        np.concatenate([nothing, *(text.stops for text in texts)]),
        sum(text.opening for text in texts),
    )
