"""Find merges by text in their tokens.

The search is done in the tokens' bytes: to write out a hundred thousand tokens in their printable form takes half a
second.
"""

import re
from itertools import product
from typing import Final

from bpe_gui.engine import Tokenizer, visible

from .pair_rows import PAIR_SEPARATOR

_BYTE_OF_GLYPH: Final = {
    glyph.encode(): byte for byte in map(bytes, zip(range(256))) if (glyph := visible(byte)) != chr(byte[0])
}
_GLYPH: Final = re.compile(b"|".join(map(re.escape, _BYTE_OF_GLYPH)))


def matching_ranks(tokenizer: Tokenizer, text: str) -> list[int]:
    r"""Return the ranks of the merges with `text` in the left, the right or the merged token.

    `text` may be plain, or as tokens are shown: with glyphs for white space and `\xe4` for a byte. `e + s` finds the
    merges with `e` in the left token and `s` in the right one.
    """
    left_text, separator, right_text = text.partition(PAIR_SEPARATOR)
    if separator:
        return sorted(
            {
                rank
                for left_part, right_part in product(_byte_forms(left_text), _byte_forms(right_text))
                for rank, (left, right) in enumerate(tokenizer.merges)
                if left_part in left and right_part in right
            }
        )
    prefix_length = len(tokenizer.pipeline.model.prefix.encode()) if tokenizer.pipeline else 0
    return sorted(
        {
            rank
            for part in _byte_forms(text)
            for rank, (left, right) in enumerate(tokenizer.merges)
            if part in left + right[prefix_length:] or part in right
        }
    )


def _byte_forms(text: str) -> set[bytes]:
    """Return the bytes of `text`, and those that its glyphs stand for."""
    literal = text.encode("utf-8", "surrogatepass")
    return {literal, _GLYPH.sub(lambda glyph: _BYTE_OF_GLYPH[glyph[0]], literal)}
