"""Decode ids to bytes, read ids from a list, and make Python lists of ids."""

from typing import Final

from bpe_gui.engine.compilation.kernel import builtin, helper, kernel, kernel_with_gil
from bpe_gui.engine.kernels.lowlevel.machine import PADDING, load8, store8
from bpe_gui.engine.kernels.lowlevel.python_objects import (
    address_in,
    as_number,
    bytes_at,
    copy_memory,
    disable_collection,
    enable_collection,
    error,
    keep,
    list_item,
    list_size,
    new_array,
    new_bytes,
    new_integer,
    new_list,
    new_none,
    new_string,
    none,
    release,
    set_item,
)
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array, UInt32Array

SIZE_BITS: Final = 32
"""A packed token has the number of its bytes in these bits, and their offset above."""

NO_TOKEN: Final = -1
"""Marks an id without a token. As a packed token, it would be larger than any buffer."""

_SIZE_MASK: Final = 0xFFFF_FFFF

_MAX_UINT32: Final = 0xFFFF_FFFF
"""The largest number that `read_list` writes."""


@kernel
def decode_ids(ids: UInt32Array, first: int, tokens: Int64Array, text: UInt8Array, out: UInt8Array) -> tuple[int, int]:
    """Write the bytes of the ids from index `first`, up to one without a token or whose token does not fit.

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


MAX_IDS: Final = 1 << 12
"""The most ids of a short text."""

_IS_BUSY: Final = 0
"""Index into the state of a decoder of short texts."""


@builtin
def decode_short_text(
    ids: int, is_string: bool, errors: int, state: Int64Array, tokens: Int64Array, text: UInt8Array, out: UInt8Array
) -> int:
    """Return the text of a list of ids, as bytes or as a string; `errors` is as for `new_string`.

    Return None if that is for the general way: for more than MAX_IDS ids, if an id has no token, if the tokens do not
    fit, and if what stands for an id runs Python code that comes here. See also `decode_ids`.
    """
    count = list_size(ids)
    if count > MAX_IDS or state[_IS_BUSY] != 0:
        return new_none()
    state[_IS_BUSY] = 1
    size = _decode_list(ids, count, tokens, text, out)
    state[_IS_BUSY] = 0
    if error() != 0:
        return 0
    if size < 0:
        return new_none()
    return new_string(address_in(out), size, errors) if is_string else new_bytes(address_in(out), size)


@helper
def _decode_list(ids: int, count: int, tokens: Int64Array, text: UInt8Array, out: UInt8Array) -> int:
    """Write the bytes of the ids of a list, and return how many there are, or -1."""
    at, known, end = 0, len(tokens), len(out) - PADDING
    for i in range(count):
        token_id = as_number(list_item(ids, i))
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
def read_list(numbers: int, first: int, out: UInt32Array) -> int:
    """Write the numbers of a list from index `first`, up to one that is negative or needs more than 32 bits.

    The list is given by its address. Return how many numbers were written. Raise TypeError for an item that is not an
    integer, and OverflowError for one of more than 64 bits.
    """
    for i in range(len(out)):
        number = as_number(list_item(numbers, first + i))
        if number < 0 or number > _MAX_UINT32:
            return i
        out[i] = number
    return len(out)


@kernel_with_gil
def fill_lists(ids: Int32Array, mark: int, lists: int, integers: Int64Array) -> bool:
    """Put a list of the ids before each mark into the list at address `lists`, which has an item for each mark.

    Return False, with Python's error set, if there is no memory. For `integers`, see `list_of`.
    """
    first = filled = 0
    for last in range(len(ids)):
        if ids[last] != mark:
            continue
        items = list_of(ids, first, last, integers)
        if items == 0:
            return False
        set_item(lists, filled, items)
        first, filled = last + 1, filled + 1
    return True


@helper
def list_of(ids: Int32Array, first: int, last: int, integers: Int64Array) -> int:
    """Return the ids [first, last) as a list, or 0 with an error set.

    `integers` are the addresses of integer objects, beginning with 0, that lists share, which saves time and most of
    the memory; those not made yet are None. Garbage collection is off meanwhile: it may run Python code, and it would
    scan the lists of a batch several times.
    """
    was_collecting = disable_collection()
    items = new_list(last - first)
    if was_collecting:
        enable_collection()
    if items == 0:
        return 0
    for i in range(first, last):
        number = _object_of(ids[i], integers)
        if number == 0:
            release(items)
            return 0
        set_item(items, i - first, number)
    return items


@helper
def array_of(ids: Int32Array, size: Int64Array, dtype: int, before_address: int) -> int:
    """Return the first `size[0]` ids as an array of numpy, or 0 with an error set.

    `dtype` is that of 32-bit integers. The address of an array's numbers is `before_address` bytes after its own.
    """
    keep(dtype)
    array = new_array(1, address_in(size), dtype, 0)
    if array != 0:
        data, count = load8(bytes_at(array + before_address, 8), 0), 4 * size[0]
        copy_memory(address_in(ids), count, bytes_at(data, count))
    return array


@helper
def _object_of(number: int, integers: Int64Array) -> int:
    """Return an integer object as a new reference, or 0."""
    if number < 0 or number >= len(integers):
        return new_integer(number)
    shared = integers[number]
    if shared == none():
        shared = new_integer(number)
        if shared == 0:
            return 0
        integers[number] = shared
        release(none())
    keep(shared)
    return shared
