"""The protocols of the three kinds of steps around a pipeline's merges; each step itself is a small frozen value."""

from collections.abc import Iterable
from typing import Protocol

from .aligned_text import AlignedText
from .split_text import SplitText


class Normalizer(Protocol):
    """A step that changes text before it is split into words."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text after this step; its characters still know the bytes of the original.

        Raise TokenizerError if a regular expression takes too long.
        """


class PreTokenizer(Protocol):
    """A step that splits text into words, and may change it."""

    def split(self, text: SplitText) -> SplitText:
        """Return the text with its words split further; characters that are in no word afterwards are dropped.

        Raise TokenizerError if a regular expression takes too long.
        """


class TokenDecoder(Protocol):
    """A step from tokens back to text."""

    def decode(self, tokens: Iterable[str]) -> Iterable[str]:
        """Return the tokens after this step, not necessarily as many; those after the last step are concatenated.

        A token is given as soon as no later one can change it. Raise TokenizerError if a regular expression takes too
        long.
        """
