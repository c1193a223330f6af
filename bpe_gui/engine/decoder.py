"""Ids to bytes by kernels."""

from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np

from .kernels.decoding import SIZE_BITS, decode_ids, decoded_size
from .kernels.memory import PADDING
from .kernels.records import Ints
from .vocabulary import Entries

_SPARSE: Final = 8
"""Ids that there may be for each entry; of a vocabulary with more, no table is made."""


class Decoder:
    """The tokens of a vocabulary, one after another."""

    def __init__(self, entries: Entries) -> None:
        ids, steps, tokens = entries.all
        self._known: Final = len(tokens)
        self._text = np.frombuffer(bytearray(b"".join(tokens) + bytes(PADDING)), np.uint8)
        largest = int(ids[-1]) if len(tokens) else -1
        self.is_usable: Final = largest < _SPARSE * len(tokens) + 1024
        """Whether there are not far too many ids without a token."""
        if self.is_usable:
            sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
            starts = np.cumsum(sizes) - sizes
            self._tokens = np.full(largest + 1, -1, np.int64)
            self._tokens[ids] = (starts << SIZE_BITS) | sizes
            self._steps = np.zeros(largest + 1, np.int64)
            self._steps[ids] = steps

    def is_outdated(self, entries: Entries) -> bool:
        """Whether there are more entries by now."""
        return self._known != len(entries.tokens)

    def decode(self, ids: Ints, position: int) -> bytes | None:
        """The bytes of the ids as of a merge, or None if there is one without a token."""
        size = decoded_size(ids, self._tokens, self._steps, position)
        if size < 0:
            return None
        out = np.empty(size + PADDING, np.uint8)
        decode_ids(ids, self._tokens, self._text, out)
        return out[:size].tobytes()


def as_ids(ids: Ints | Sequence[int]) -> Ints | None:
    """Ids as an array that kernels take, or None if they are no numbers that ids can be."""
    if isinstance(ids, np.ndarray) and ids.dtype == np.int32 and ids.ndim == 1:
        return np.require(ids, requirements=("C", "W"))
    try:
        return np.frombuffer(array("i", ids), np.int32)
    except (TypeError, OverflowError):
        return None


def warm_up() -> None:
    """Have every kernel compiled that decoding uses."""
    entries = Entries()
    entries.update({0: b"a"}, {}, frozenset())
    Decoder(entries).decode(np.zeros(1, np.int32), 0)
