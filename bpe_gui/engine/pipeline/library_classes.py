"""The classes of characters as Hugging Face's `tokenizers` knows them: its parts follow different versions of Unicode.

Its normalization and its scripts are those of Unicode 9, punctuation and what BERT's normalizer removes of Unicode 8,
numbers of Unicode 17, and the characters of words of Unicode 16. So the classes are neither those of this Python nor
those of `regex`: `unicode_properties.zlib` has what the library itself answers for every code point.
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
- `follower`: it may react with the character before it when a text is normalized;
- `unassigned` in Unicode 9, so that normalization leaves it alone;
- `capital`: `Lowercase` changes it;
- `mark`: `StripAccents` removes it, `nonspacing`: `BertNormalizer` does;
- `control`: cleaning a text removes it;
- `punctuation` and `number`: the steps of these names split there;
- `word`: a letter, mark, digit or `_`; `space`: white space.
"""


def characters_in(name: Class) -> CharacterSet:
    """Return the characters of a class."""
    members = property_set("t", name)
    assert members is not None
    return members


@lru_cache(maxsize=8)
def are_in(name: Class) -> BoolArray:
    """Return for each code point whether it is in a class."""
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
    """Return for each character of `text` whether it is in a class.

    >>> each_is_in("a1", "number").tolist()
    [False, True]
    """
    have: BoolArray = are_in(name)[code_points(text)]
    return have


@lru_cache(maxsize=1)
def scripts() -> tuple[CharacterSet, ...]:
    """Return the characters of each script. Han, Hiragana and Katakana are one.

    The first one joins every other: it is that of the space, and of characters without a script.
    """
    found: list[CharacterSet] = []
    while (script := property_set("t", f"script={len(found)}")) is not None:
        found.append(script)
    return tuple(found)
