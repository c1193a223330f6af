"""Splitters (pre-tokenizers): the patterns that split text into words (pre-tokens). Nothing merges across words."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.text.gpt2_word_starts import LETTER, NUMBER, OTHER, SPACE
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import UInt8Array

from .automaton import Automaton
from .character_sets import property_set
from .dialects import PYTHON
from .parser import parse

SPLITTERS: Mapping[str, str] = MappingProxyType(
    {
        # openai/gpt-2 src/encoder.py
        "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        # openai/tiktoken tiktoken_ext/openai_public.py; Rust's `$` is the very end, which Python writes `\Z`
        "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++\Z|\s*[\r\n]|\s+(?!\S)|\s",
        "o200k": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        # str.split(): Python's white space, which has four more control characters than Unicode's
        "whitespace": r"[^\s\x1c-\x1f]+",
        # str.split(" "), line by line
        "space": r"[^ \r\n]+",
        # runs of CJK ideographs; runs of other letters and digits; any other character on its own
        "zh-en": r"(?V1)[\u4e00-\u9fff]+|[[\p{L}\p{N}]--[\u4e00-\u9fff]]+|[^\s\x1c-\x1f]",
        "none": r"(?s:.+)",
    }
)
# karpathy/minbpe minbpe/regex.py; splits exactly as the pattern in OpenAI's own code
GPT2_PATTERN: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""The patterns of the named splitters. They drop what they do not match."""

JOIN: Final = "join"
"""The name that a plan gives, in place of a splitter, to the stage in which whole words join."""

DROPPING_SPLITTERS: Final = frozenset({"whitespace", "space", "zh-en"})
"""The named splitters that drop the white space between words."""


@lru_cache(maxsize=64)
def automaton_of(splitter: str) -> Automaton:
    """Return the automaton of a named splitter or a regular expression.

    Raise RecipeError for an expression that is not valid, or that has no automaton of reasonable size.
    """
    return Automaton(parse(SPLITTERS.get(splitter, splitter)))


def splitter_statement(splitter: str, *, is_own: bool = False) -> Statement:
    """Return how a splitter makes words. `is_own`: an expression is the user's."""
    if splitter not in SPLITTERS:
        if is_own:
            return _("Recipe", "split by a custom regular expression")
        return _("Recipe", "split by a regular expression")
    known = {
        "whitespace": _("Recipe", "split at whitespace"),
        "space": _("Recipe", "split at spaces"),
        "zh-en": _("Recipe", "Chinese and English words"),
        "none": _("Recipe", "no splitting"),
    }
    return known.get(splitter) or _("Recipe", "{splitter} splitting").format(splitter=splitter)


def takes_suffix(splitter: str, word: str) -> bool:
    """Return whether `word` gets the end-of-word marker: with `zh-en`, only runs of letters and digits do.

    >>> [takes_suffix("zh-en", word) for word in ("and", "你好", "!")]
    [True, False, False]
    """
    if splitter != "zh-en":
        return True
    is_letter_or_digit = unicode_classes()[ord(word[0])] & (LETTER | NUMBER)
    return bool(is_letter_or_digit) and not "\u4e00" <= word[0] <= "\u9fff"


@lru_cache(maxsize=1)
def unicode_classes() -> UInt8Array:
    """Return the class of each code point, as flags of `kernels.text.gpt2_word_starts`.

    >>> [int(unicode_classes()[ord(character)]) & LETTER for character in "a1 é中"]
    [1, 0, 0, 1, 1]
    """
    classes = np.full(0x110000, OTHER, np.uint8)
    for name, flag in (("gc=l", LETTER), ("gc=n", NUMBER), (r"\s", SPACE)):
        members = property_set(PYTHON.key, name)
        assert members is not None
        for first, last in members.ranges:
            classes[first : last + 1] = flag
    classes.flags.writeable = False
    return classes
