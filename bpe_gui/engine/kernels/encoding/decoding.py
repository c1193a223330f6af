"""Decode ids to bytes."""

from typing import Final

from bpe_gui.engine.compilation.kernel import kernel
from bpe_gui.engine.kernels.lowlevel.memory import load8, store8
from bpe_gui.engine.runtime.arrays import Int32Array, Int64Array, UInt8Array

SIZE_BITS: Final = 32
"""A token is packed into one number: the offset of its bytes above these bits, and their number in them."""

_SIZE_MASK: Final = 0xFFFF_FFFF


@kernel
def decoded_size(ids: Int32Array, tokens: Int64Array, steps: Int64Array, position: int) -> int:
    """Return how many bytes the ids decode to, or -1 if an id has no token as of step `position`.

    By id, `tokens` has the packed token, or -1, and `steps` the number of the merge that makes it.
    """
    size, known, is_invalid = 0, len(tokens), False
    for i in range(len(ids)):
        token_id = ids[i]
        if token_id < 0 or token_id >= known:
            return -1
        token = tokens[token_id]
        is_invalid |= (token < 0) | (steps[token_id] > position)
        size += token & _SIZE_MASK
    return -1 if is_invalid else size


@kernel
def decode_ids(ids: Int32Array, tokens: Int64Array, text: UInt8Array, out: UInt8Array) -> None:
    """Write the bytes of the tokens one after another. Both buffers are padded: eight bytes are copied at a time."""
    at = 0
    for i in range(len(ids)):
        token = tokens[ids[i]]
        start, size = token >> SIZE_BITS, token & _SIZE_MASK
        for offset in range(0, size, 8):
            store8(out, at + offset, load8(text, start + offset))
        at += size
