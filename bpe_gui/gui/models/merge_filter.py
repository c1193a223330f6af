"""Which of many merges hold a text; found in the bytes, for spelling a hundred thousand tokens takes half a second."""

import re
from itertools import product
from typing import Final

from bpe_gui.engine import Tokenizer, visible

from bpe_gui.gui.models.pair_rows import BETWEEN

_MEANT: Final = {
    spelling.encode(): byte for byte in map(bytes, zip(range(256))) if (spelling := visible(byte)) != chr(byte[0])
}
_SHOWN: Final = re.compile(b"|".join(map(re.escape, _MEANT)))


def matching(tokenizer: Tokenizer, text: str) -> list[int]:
    r"""The ranks of the merges with `text` in the left, the right or the merged token.

    It may be as it is written or as it is shown, with glyphs for white space and `\xe4` for a byte. `e + s` finds what
    has `e` in the left token and `s` in the right one.
    """
    in_left, between, in_right = text.partition(BETWEEN)
    if between:
        return sorted(
            {
                rank
                for one, other in product(_spellings(in_left), _spellings(in_right))
                for rank, (left, right) in enumerate(tokenizer.merges)
                if one in left and other in right
            }
        )
    prefix = len(tokenizer.pipeline.model.prefix.encode()) if tokenizer.pipeline else 0
    return sorted(
        {
            rank
            for part in _spellings(text)
            for rank, (left, right) in enumerate(tokenizer.merges)
            if part in left + right[prefix:] or part in right
        }
    )


def _spellings(text: str) -> set[bytes]:
    """The bytes of a text, and those that are meant if it is as tokens are shown."""
    written = text.encode("utf-8", "surrogatepass")
    return {written, _SHOWN.sub(lambda shown: _MEANT[shown[0]], written)}
