"""Find where text can be split into chunks that have, one after another, the tokens of the whole text."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.text.scanning import BLANK, NEWLINE, OTHER, SPACE
from bpe_gui.engine.kernels.text.splitting import find_boundary
from bpe_gui.engine.runtime.arrays import UInt8Array

from .character_classes import unicode_classes

_FIRST_OF_CHUNK: Final = {
    "gpt2": SPACE | OTHER,
    "cl100k": SPACE | OTHER,
    "o200k": SPACE | OTHER,
    "zh-en": SPACE | OTHER,
    "whitespace": SPACE,
    "space": BLANK | NEWLINE,
}
"""By splitter: the classes of characters before which a chunk may end, if a letter or number precedes them."""


class Chunker:
    """A finder of chunk boundaries for a splitter and its special tokens.

    A boundary is between a letter or number and white space or punctuation, outside special tokens. The tokens on one
    side of it do not depend on what is on the other. With a user's own pattern there are no boundaries.

    >>> Chunker("gpt2", []).chunks(b"low lower lowest", 8)
    [b'low', b' lower', b' lowest']
    """

    def __init__(self, splitter: str, special_tokens: Sequence[str]) -> None:
        self._classes = _FIRST_OF_CHUNK.get(splitter, 0)
        self._specials = [token.encode() for token in special_tokens]
        self.context: Final = max(map(len, self._specials), default=1) + 4
        """The bytes on either side that a boundary depends on: one character, or a special token."""

    def last_boundary(self, text: bytes) -> int:
        """Return the offset of the last boundary that holds whatever follows `text`, or 0."""
        if not self._classes or len(text) <= self.context:
            return 0
        return self._last_boundary(text, _padded(text), 0, len(text) - self.context)

    def chunks(self, text: bytes, size: int) -> list[bytes]:
        """Return `text` in chunks of about `size` bytes, longer where there is no boundary. Joined, they are `text`."""
        if not self._classes or len(text) <= size:
            return [text] if text else []
        padded = _padded(text)
        chunks: list[bytes] = []
        start, searched, length = 0, 0, size
        while start + length < len(text):
            boundary = self._last_boundary(text, padded, searched, start + length)
            if boundary > searched:
                chunks.append(text[start:boundary])
                start, searched, length = boundary, boundary, size
            else:
                searched = start + length - 1
                length *= 2
        chunks.append(text[start:])
        return chunks

    def _last_boundary(self, text: bytes, padded: UInt8Array, start: int, stop: int) -> int:
        classes = unicode_classes()
        boundary = find_boundary(padded, start, stop, classes, self._classes)
        while boundary > start and self._is_in_special(text, boundary):
            boundary = find_boundary(padded, start, boundary, classes, self._classes)
        return boundary

    def _is_in_special(self, text: bytes, offset: int) -> bool:
        return any(
            text.find(token, max(0, offset - len(token) + 1), offset + len(token) - 1) >= 0 for token in self._specials
        )


def _padded(text: bytes) -> UInt8Array:
    """Return a copy of `text` in writable memory with padding behind it, as kernels need it."""
    padded = np.zeros(len(text) + PADDING, np.uint8)
    padded[: len(text)] = np.frombuffer(text, np.uint8)
    return padded
