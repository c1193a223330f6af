"""Decode ids to bytes, and read ids from a list."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper, kernel, kernel_with_gil
from bpe_gui.engine.kernels.lowlevel.memory import PADDING, load8, store8
from bpe_gui.engine.kernels.lowlevel.python_lists import number_in_list
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array, UInt32Array

SIZE_BITS: Final = 32
"""A packed token has the number of its bytes in these bits, and their offset above."""

NO_TOKEN: Final = -1
"""Marks an id without a token. As a packed token, it would be larger than any buffer."""

_SIZE_MASK: Final = 0xFFFF_FFFF

_MAX_UINT32: Final = 0xFFFF_FFFF
"""The largest number that `read_list` writes."""


@kernel
def decode_ids(ids: UInt32Array, first: int, tokens: Int64Array, text: UInt8Array, out: UInt8Array) -> tuple[int, int]:
    """Write the bytes of the ids from index `first` on, up to one without a token or whose token does not fit.

    `tokens` has the packed token of each id, or NO_TOKEN. Both buffers are padded: sixteen bytes are always copied,
    then eight at a time. Return the index of that id, or the end, and how many bytes were written.
    """
    at, known, end = 0, len(tokens), len(out) - PADDING
    for i in range(first, len(ids)):
        token_id = ids[i]
        if token_id >= known:
            return i, at
        token = tokens[token_id]
        start, size = token >> SIZE_BITS, token & _SIZE_MASK
        if at + size > end:
            return i, at
        _copy_token(text, start, size, out, at)
        at += size
    return len(ids), at


@helper
def _copy_token(text: UInt8Array, start: int, size: int, out: UInt8Array, at: int) -> None:
    store8(out, at, load8(text, start))
    store8(out, at + 8, load8(text, start + 8))
    for offset in range(16, size, 8):
        store8(out, at + offset, load8(text, start + offset))


@kernel_with_gil
def decode_list(
    ids: int, count: int, get_item: int, as_number: int, tokens: Int64Array, text: UInt8Array, out: UInt8Array
) -> int:
    """Write the bytes of the first `count` ids of a list, given by its address. Return how many bytes there are.

    Return -1 if an id has no token, or if the tokens do not fit. See also `decode_ids` and `number_in_list`.
    """
    at, known, end = 0, len(tokens), len(out) - PADDING
    for i in range(count):
        token_id = number_in_list(ids, i, get_item, as_number)
        if token_id < 0 or token_id >= known:
            return -1
        token = tokens[token_id]
        start, size = token >> SIZE_BITS, token & _SIZE_MASK
        if at + size > end:
            return -1
        _copy_token(text, start, size, out, at)
        at += size
    return at


@kernel_with_gil
def read_list(numbers: int, first: int, get_item: int, as_number: int, out: UInt32Array) -> int:
    """Write the numbers of a list from index `first` on, up to one that is negative or needs more than 32 bits.

    The list is given by its address; for `get_item` and `as_number`, see `number_in_list`. Return how many numbers were
    written. Raise as `number_in_list` does.
    """
    for i in range(len(out)):
        number = number_in_list(numbers, first + i, get_item, as_number)
        if number < 0 or number > _MAX_UINT32:
            return i
        out[i] = number
    return len(out)
