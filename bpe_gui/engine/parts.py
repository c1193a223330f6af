"""Parts of texts, as kernels take them: UTF-8 in memory, without copying where that can be avoided."""

from typing import NamedTuple

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.training.records import Bytes
from bpe_gui.engine.text.utf8 import with_bytes


class Part(NamedTuple):
    """A part of a text in UTF-8; so much follows it that kernels may look over its end."""

    text: Bytes
    at: int
    end: int

    def decoded(self) -> str:
        """The part as a string."""
        return self.text[self.at : self.end].tobytes().decode()


def part_of(text: str | bytes, begin: int, end: int) -> Part:
    """The part of a text between two characters, or bytes. Raises TokenizerError for a lone surrogate.

    >>> part_of("low lower", 4, 9).decoded(), part_of(b"low lower", 4, 9).decoded()
    ('lower', 'lower')
    """
    if isinstance(text, bytes) and end + PADDING <= len(text):
        return Part(_in_place(text), begin, end)
    if isinstance(text, bytes):
        data = text[begin:end]
    else:
        ((_part, data),) = with_bytes([text[begin:end]], begin, TokenizerError)
    return Part(_in_place(data + bytes(PADDING)), 0, len(data))


class _InPlace:
    """Bytes that numpy shows where they are, as if they could be changed: kernels do not, but ask for such an array."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        shown = np.frombuffer(text, np.uint8).__array_interface__
        self.__array_interface__ = shown | {"data": (shown["data"][0], False)}


def _in_place(text: bytes) -> Bytes:
    return np.asarray(_InPlace(text))
