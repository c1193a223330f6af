"""The protocols of the three kinds of steps around a pipeline's merges; each step itself is a small frozen value."""

from collections.abc import Iterable
from typing import Protocol

from bpe_gui.engine.runtime.arrays import BoolArray
from bpe_gui.engine.text.splitter_tables import Level

from .aligned_text import AlignedText


class Normalizer(Protocol):
    """A step that changes text before it is split into words."""

    @property
    def touched(self) -> BoolArray | None:
        """By code point: whether a text with the character may change. None if every text may."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text after this step; its characters still know the bytes of the original.

        Raise TokenizerError if a regular expression takes too long.
        """


class PreTokenizer(Protocol):
    """A step that splits text into words, and may change it."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the splitter that splits the same way. Raise RecipeError for one that is too large."""

    @property
    def changes_text(self) -> bool:
        """Whether `change` may return another text."""

    def change(self, text: AlignedText) -> AlignedText:
        """Return the text that the levels split instead of this one."""

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """Return the words of a text, none of them empty; what is in none of them is dropped.

        Raise TokenizerError if a regular expression takes too long.
        """


class TokenDecoder(Protocol):
    """A step from tokens back to text."""

    def decode(self, tokens: Iterable[str]) -> Iterable[str]:
        """Return the tokens after this step, not necessarily as many; those after the last step are concatenated.

        A token is given as soon as no later one can change it. Raise TokenizerError if a regular expression takes too
        long.
        """
