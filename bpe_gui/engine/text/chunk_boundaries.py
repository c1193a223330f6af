"""Where a text can be cut so that its parts have the tokens that it has as a whole."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.training.records import Bytes
from bpe_gui.engine.kernels.text.scanning import BLANK, NEWLINE, OTHER, SPACE
from bpe_gui.engine.kernels.text.splitting import find_boundary
from bpe_gui.engine.text.character_classes import unicode_classes

_CUT_BEFORE: Final = {
    "gpt2": SPACE | OTHER,
    "cl100k": SPACE | OTHER,
    "o200k": SPACE | OTHER,
    "zh-en": SPACE | OTHER,
    "whitespace": SPACE,
    "space": BLANK | NEWLINE,
}
"""The kinds of characters before which the words of a splitter can be cut, where a letter or number is before."""


class Cutter:
    """Cuts texts for a splitter and special tokens.

    A cut is between a letter or number and a character that begins no mark, where no special token goes over it. What
    is on one side of it changes nothing on the other. A pattern of the user's own is never cut.

    >>> Cutter("gpt2", []).pieces(b"low lower lowest", 8)
    [b'low', b' lower', b' lowest']
    """

    def __init__(self, splitter: str, special_tokens: Sequence[str]) -> None:
        self._kinds = _CUT_BEFORE.get(splitter, 0)
        self._specials = [token.encode() for token in special_tokens]
        self.reach: Final = max(map(len, self._specials), default=1) + 4
        """Bytes beside a cut that it depends on, at most: a character on either side, and special tokens."""

    def last_cut(self, text: bytes) -> int:
        """The last place at which a text can be cut whatever follows it, or 0."""
        if not self._kinds or len(text) <= self.reach:
            return 0
        return self._last_cut(text, _block_of(text), 0, len(text) - self.reach)

    def pieces(self, text: bytes, size: int) -> list[bytes]:
        """The text in pieces of about `size` bytes, larger where it cannot be cut. Joined, they are the text."""
        if not self._kinds or len(text) <= size:
            return [text] if text else []
        block = _block_of(text)
        found: list[bytes] = []
        at, searched, wanted = 0, 0, size
        while at + wanted < len(text):
            cut = self._last_cut(text, block, searched, at + wanted)
            if cut > searched:
                found.append(text[at:cut])
                at, searched, wanted = cut, cut, size
            else:
                searched = at + wanted - 1
                wanted *= 2
        found.append(text[at:])
        return found

    def _last_cut(self, text: bytes, block: Bytes, at: int, end: int) -> int:
        classes = unicode_classes()
        cut = find_boundary(block, at, end, classes, self._kinds)
        while cut > at and self._is_in_special(text, cut):
            cut = find_boundary(block, at, cut, classes, self._kinds)
        return cut

    def _is_in_special(self, text: bytes, cut: int) -> bool:
        for token in self._specials:
            begin = text.find(token, max(0, cut - len(token) + 1), cut + len(token) - 1)
            if begin >= 0:
                return True
        return False


def _block_of(text: bytes) -> Bytes:
    """The text as kernels take it: in memory that can be written, with padding."""
    block = np.zeros(len(text) + PADDING, np.uint8)
    block[: len(text)] = np.frombuffer(text, np.uint8)
    return block
