"""All characters, and the general category of each in the engine's tables."""

from functools import cache

import numpy as np
import tiktoken

from bpe_gui.engine.runtime.types import UInt8Array
from bpe_gui.engine.text.character_sets import property_set
from bpe_gui.engine.text.dialects import RUST

CATEGORIES = (
    *("Lo", "Ll", "Lu", "Lm", "Lt", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Po", "Ps", "Pe", "Pd", "Pi", "Pf", "Pc"),
    *("So", "Sm", "Sk", "Sc", "Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Co", "Cs"),
)
SURROGATES = range(0xD800, 0xE000)
_SINGLE_BYTES = {bytes([byte]): byte for byte in range(256)}


@cache
def all_characters() -> str:
    """Return a text of all characters of Unicode in order, assigned or not; surrogates are not characters."""
    return np.arange(0x110000, dtype="<u4").tobytes().decode("utf-32-le", "ignore")


def matched_by_tiktoken(pattern: str) -> str:
    """Return the characters that a pattern matches in tiktoken, which drops the others."""
    encoding = tiktoken.Encoding("bytes", pat_str=pattern, mergeable_ranks=_SINGLE_BYTES, special_tokens={})
    return bytes(encoding.encode_ordinary(all_characters())).decode()


@cache
def general_categories() -> UInt8Array:
    """Return the general category of each code point, as an index into `CATEGORIES`."""
    categories = np.full(0x110000, CATEGORIES.index("Cs"), np.uint8)
    for index, category in enumerate(CATEGORIES):
        members = property_set(RUST.key, f"gc={category.lower()}")
        for first, last in members.ranges if members is not None else ():
            categories[first : last + 1] = index
    categories.flags.writeable = False
    return categories
