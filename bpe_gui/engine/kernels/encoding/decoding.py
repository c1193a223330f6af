"""Ids to bytes."""

from typing import Final

from bpe_gui.engine.runtime.jit import kernel
from bpe_gui.engine.kernels.lowlevel.memory import load8, store8
from bpe_gui.engine.kernels.training.records import Bytes, Ints, Longs

SIZE_BITS: Final = 32
"""A token as one number: where its bytes begin above these bits, how many they are in them."""

_SIZE: Final = 0xFFFF_FFFF


@kernel
def decoded_size(ids: Ints, tokens: Longs, steps: Longs, position: int) -> int:
    """How many bytes the tokens of the ids have, or -1 if an id has none as of step `position`.

    By id, `tokens` says where its bytes are, -1 if it has none, and `steps` which merge makes it.
    """
    size, known, is_wrong = 0, len(tokens), False
    for i in range(len(ids)):
        token_id = ids[i]
        if token_id < 0 or token_id >= known:
            return -1
        token = tokens[token_id]
        is_wrong |= (token < 0) | (steps[token_id] > position)
        size += token & _SIZE
    return -1 if is_wrong else size


@kernel
def decode_ids(ids: Ints, tokens: Longs, text: Bytes, out: Bytes) -> None:
    """Write the tokens of the ids, one after another. Both buffers are padded: eight bytes are written at a time."""
    at = 0
    for i in range(len(ids)):
        token = tokens[ids[i]]
        begin, size = token >> SIZE_BITS, token & _SIZE
        for place in range(0, size, 8):
            store8(out, at + place, load8(text, begin + place))
        at += size
