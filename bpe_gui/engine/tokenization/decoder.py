"""Ids to bytes: by kernels where the text is the bytes of its tokens, in plain Python where tokens have markers."""

from collections.abc import Sequence
from struct import error as StructError  # noqa: N812 (it is a class)
from struct import pack
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.encoding.decoding import SIZE_BITS, decode_ids, decoded_size
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.runtime.arrays import Int32Array
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import drops_spaces

from .vocabulary import Entries

_MAX_IDS_PER_ENTRY: Final = 8
"""The table that is indexed by id is at most this many times as long as the vocabulary, or it is not made."""

_PACKED_TOGETHER: Final = 10_000
"""The ids of a list that are converted to an array at a time."""


class Decoder:
    """The tokens of a vocabulary, joined into one buffer, with a table that is indexed by id."""

    def __init__(self, entries: Entries) -> None:
        self.entries: Final = entries
        ids, tokens = entries.ids, entries.tokens
        self._text = np.frombuffer(bytearray(b"".join(tokens) + bytes(PADDING)), np.uint8)
        largest = int(ids[-1]) if len(tokens) else -1
        self._is_usable = largest < _MAX_IDS_PER_ENTRY * len(tokens) + 1024
        if self._is_usable:
            sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
            starts = np.cumsum(sizes) - sizes
            self._tokens = np.full(largest + 1, -1, np.int64)
            self._tokens[ids] = (starts << SIZE_BITS) | sizes
            self._steps = np.zeros(largest + 1, np.int64)
            self._steps[ids] = entries.steps

    def decode(self, ids: Int32Array | Sequence[int], position: int) -> bytes | None:
        """Return the bytes of the ids as of step `position`.

        Return None where this decoder cannot do it: if an id has no token at that step, or the vocabulary's ids are so
        sparse that they have no table.
        """
        array = _as_array(ids) if self._is_usable else None
        if array is None:
            return None
        size = decoded_size(array, self._tokens, self._steps, position)
        if size < 0:
            return None
        out = np.empty(size + PADDING, np.uint8)
        decode_ids(array, self._tokens, self._text, out)
        return out[:size].tobytes()


def _as_array(ids: Int32Array | Sequence[int]) -> Int32Array | None:
    """Return ids as an array for kernels, or None if one is not a 32-bit integer."""
    if isinstance(ids, np.ndarray) and ids.dtype == np.int32 and ids.ndim == 1:
        return np.require(ids, requirements=("C", "W"))
    # Packing is half again as fast as the module `array`.
    chunks = (ids[first : first + _PACKED_TOGETHER] for first in range(0, len(ids), _PACKED_TOGETHER))
    try:
        return np.frombuffer(bytearray().join([pack(f"{len(chunk)}i", *chunk) for chunk in chunks]), np.int32)
    except StructError:
        return None


def join_tokens(tokens: Sequence[bytes], recipe: Recipe) -> bytes:
    """Return the text of tokens that a recipe made, in UTF-8; end-of-word markers become the spaces they stand for.

    >>> join_tokens([b"low</w>", b"est</w>"], Recipe.of("char-eow"))
    b'low est'
    """
    match recipe.boundary:
        case "none":
            return b"".join(tokens)
        case "prefix":
            return b"".join(
                b" " + token.removeprefix(END_OF_WORD) if token.startswith(END_OF_WORD) else token for token in tokens
            )
    if not drops_spaces(recipe.splitter):
        return b"".join(token.removesuffix(END_OF_WORD) for token in tokens)
    spaced = b"".join(
        token.removesuffix(END_OF_WORD) + b" " if token.endswith(END_OF_WORD) else token for token in tokens
    )
    return spaced.removesuffix(b" ")
