"""The kinds of steps that a pipeline has around the merges, as protocols: each step is a small frozen value."""

from typing import Protocol

from .aligned_text import AlignedText
from .split_text import SplitText


class Normalizer(Protocol):
    """A step that changes text before it is split into words."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the changed text. Raise TokenizerError."""


class PreTokenizer(Protocol):
    """A step that splits text into words, and may change it."""

    def split(self, text: SplitText) -> SplitText:
        """Return the text with its words split further. Raise TokenizerError."""


class TokenDecoder(Protocol):
    """One step on the way from tokens back to text."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the changed tokens; after the last step they are concatenated."""
