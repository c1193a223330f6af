"""What changes when texts are split by another splitter."""

from dataclasses import dataclass
from typing import Final

MOST_LEFT_OUT: Final = 40
"""The most characters of the example of text that is left out."""


@dataclass(frozen=True, slots=True)
class ChangedWords:
    """Words next to each other before and after, of the same stretch of text, and how often they change so.

    There are no words `before` or `after` where a splitter leaves the stretch out.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class SplitterChange:
    """The difference between two ways to split texts.

    `words` is the number of words before, of which `changed` are not words afterwards. `left_out` is the number of
    characters that are in no word afterwards, of `characters` outside special tokens, and `left_out_spaces` of those
    that are white space; `left_out_text` is the first stretch that has others, or empty.
    """

    words: int
    changed: int
    unique_before: int
    unique_after: int
    examples: tuple[ChangedWords, ...]
    characters: int
    left_out: int
    left_out_spaces: int
    left_out_text: str
