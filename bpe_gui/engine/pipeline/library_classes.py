"""The classes of characters in Hugging Face's `tokenizers`, whose parts follow different versions of Unicode.

Normalization and scripts follow Unicode 9, punctuation and the characters that BERT's normalizer removes Unicode 8,
numbers Unicode 17, and the characters of words Unicode 16. Neither Python nor `regex` agrees with all of these, so
`unicode_properties.zlib` has the library's own answer for every code point.
"""

import sys
from functools import lru_cache
from typing import Literal

import numpy as np

from bpe_gui.engine.runtime.types import BoolArray
from bpe_gui.engine.text.character_sets import CharacterSet, property_set

from .aligned_text import code_points

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
Class = Literal[
    "unassigned", "follower", "capital", "mark", "nonspacing", "control", "punctuation", "number", "word", "space", Form
]
"""- a form: a text with the character may not be in this normalization form;
- `follower`: it may combine with the character before it when a text is normalized;
- `unassigned` in Unicode 9, so that normalization leaves it alone;
- `capital`: `Lowercase` changes it;
- `mark`: `StripAccents` removes it, `nonspacing`: `BertNormalizer` does;
- `control`: cleaning a text removes it;
- `punctuation` and `number`: the steps `Punctuation` and `Digits` split there;
- `word`: a letter, mark, digit or `_`; `space`: white space.
"""


def characters_in(name: Class) -> CharacterSet:
    """Return the characters of a class."""
    members = property_set("t", name)
    assert members is not None
    return members


@lru_cache(maxsize=8)
def are_in(name: Class) -> BoolArray:
    """Return whether each code point is in a class."""
    are_members = np.zeros(sys.maxunicode + 1, np.bool_)
    for first, last in characters_in(name).ranges:
        are_members[first : last + 1] = True
    are_members.flags.writeable = False
    return are_members


def is_in(character: str, name: Class) -> bool:
    """Return whether a character is in a class.

    >>> is_in("_", "word"), is_in("\x1f", "space")
    (True, False)
    """
    return bool(are_in(name)[ord(character)])


def each_is_in(text: str, name: Class) -> BoolArray:
    """Return whether each character of `text` is in a class.

    >>> each_is_in("a1", "number").tolist()
    [False, True]
    """
    have: BoolArray = are_in(name)[code_points(text)]
    return have


@lru_cache(maxsize=1)
def scripts() -> tuple[CharacterSet, ...]:
    """Return the characters of each script. Han, Hiragana and Katakana count as one.

    The first one has the space and the characters without a script, which go with any other script.
    """
    found: list[CharacterSet] = []
    while (script := property_set("t", f"script={len(found)}")) is not None:
        found.append(script)
    return tuple(found)
