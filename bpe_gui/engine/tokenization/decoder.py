"""Ids to bytes: by kernels, and where end-of-word markers stand for spaces."""

from collections.abc import Sequence
from struct import error as StructError  # noqa: N812 (it is a class)
from struct import pack
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.encoding.decoding import SIZE_BITS, decode_ids, decoded_size
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.training.records import Ints
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.splitters import drops_spaces
from bpe_gui.engine.tokenization.vocabulary import Entries

_SPARSE: Final = 8
"""Ids that there may be for each entry; of a vocabulary with more, no table is made."""

_TOGETHER: Final = 10_000
"""Ids that are packed together."""


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


def joined_tokens(tokens: Sequence[bytes], recipe: Recipe) -> bytes:
    """The text of tokens that a recipe made, as bytes; end-of-word markers become the spaces they stand for.

    >>> joined_tokens([b"low</w>", b"est</w>"], Recipe.of("char-eow"))
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


def as_ids(ids: Ints | Sequence[int]) -> Ints | None:
    """Ids as an array that kernels take, or None if they are no numbers that ids can be."""
    if isinstance(ids, np.ndarray) and ids.dtype == np.int32 and ids.ndim == 1:
        return np.require(ids, requirements=("C", "W"))
    # The module array takes half as long again.
    parts = (ids[first : first + _TOGETHER] for first in range(0, len(ids), _TOGETHER))
    try:
        return np.frombuffer(bytearray().join([pack(f"{len(part)}i", *part) for part in parts]), np.int32)
    except StructError:
        return None


def warm_up() -> None:
    """Have every kernel compiled that decoding uses."""
    entries = Entries()
    entries.update({0: b"a"}, {}, frozenset())
    Decoder(entries).decode(np.zeros(1, np.int32), 0)
