"""Find where text can be split into chunks that have, one after another, the tokens of the whole text."""

from collections.abc import Sequence
from typing import Final

from bpe_gui.engine.kernels.text.automaton import Splitter, find_cut
from bpe_gui.engine.runtime.arrays import BoolArray, UInt8Array

from .compiled_splitters import padded


class Chunker:
    """A finder of chunk boundaries for a splitter and its special tokens.

    A boundary is outside special tokens, and not next to a character that is `avoided`, by code point. The tokens on
    one side of it do not depend on what is on the other. Without a splitter there are none.

    >>> from bpe_gui.engine.text.compiled_splitters import compiled
    >>> Chunker(compiled("gpt2"), []).chunks(b"low lower lowest", 8)
    [b'low', b' lower', b' lowest']
    """

    def __init__(
        self, splitter: Splitter | None, special_tokens: Sequence[str], avoided: BoolArray | None = None
    ) -> None:
        self._splitter = splitter
        self._avoided = avoided
        self._specials = [token.encode() for token in special_tokens]
        self.context: Final = max(map(len, self._specials), default=1) + 4
        """The bytes on either side that a boundary depends on: one character, or a special token."""

    def last_boundary(self, text: bytes) -> int:
        """Return the offset of the last boundary that holds whatever follows `text`, or 0."""
        if self._splitter is None or len(text) <= self.context:
            return 0
        return self._last_boundary(self._splitter, text, padded(text), 0, len(text) - self.context)

    def chunks(self, text: bytes, size: int) -> list[bytes]:
        """Return `text` in chunks of about `size` bytes, longer where there is no boundary. Joined, they are `text`."""
        if self._splitter is None or len(text) <= size:
            return [text] if text else []
        array = padded(text)
        chunks: list[bytes] = []
        start, searched, length = 0, 0, size
        while start + length < len(text):
            boundary = self._last_boundary(self._splitter, text, array, searched, start + length)
            if boundary > searched:
                chunks.append(text[start:boundary])
                start, searched, length = boundary, boundary, size
            else:
                searched = start + length - 1
                length *= 2
        chunks.append(text[start:])
        return chunks

    def _last_boundary(self, splitter: Splitter, text: bytes, array: UInt8Array, start: int, stop: int) -> int:
        boundary = find_cut(splitter, array, start, stop)
        while boundary > start and (self._is_in_special(text, boundary) or self._is_avoided(text, boundary)):
            boundary = find_cut(splitter, array, start, boundary)
        return boundary

    def _is_in_special(self, text: bytes, offset: int) -> bool:
        return any(
            text.find(token, max(0, offset - len(token) + 1), offset + len(token) - 1) >= 0 for token in self._specials
        )

    def _is_avoided(self, text: bytes, offset: int) -> bool:
        if self._avoided is None:
            return False
        before, after = text[max(0, offset - 4) : offset], text[offset : offset + 4]
        characters = before.decode(errors="ignore")[-1:] + after.decode(errors="ignore")[:1]
        return any(self._avoided[ord(character)] for character in characters)

    def is_like(self, other: "Chunker") -> bool:
        """Return whether another chunker finds the same boundaries."""
        return (
            self._splitter is other._splitter and self._avoided is other._avoided and self._specials == other._specials
        )
