"""Decode ids to bytes, read ids from a list, and turn an array of ids into Python lists."""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel, kernel_with_gil
from bpe_gui.engine.kernels.lowlevel import python_lists
from bpe_gui.engine.kernels.lowlevel.machine import PADDING, load8, store8
from bpe_gui.engine.kernels.lowlevel.python_lists import as_object, keep, new_list, number_in_list, set_item, switch
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
    """Write the numbers of a list from index `first`, up to one that is negative or needs more than 32 bits.

    The list is given by its address; for `get_item` and `as_number`, see `number_in_list`. Return how many numbers were
    written. Raise as `number_in_list` does.
    """
    for i in range(len(out)):
        number = number_in_list(numbers, first + i, get_item, as_number)
        if number < 0 or number > _MAX_UINT32:
            return i
        out[i] = number
    return len(out)


FUNCTIONS: Final = (
    python_lists.NEW_LIST,
    python_lists.SET_ITEM,
    python_lists.KEEP,
    python_lists.AS_OBJECT,
    python_lists.DISABLE_COLLECTION,
    python_lists.ENABLE_COLLECTION,
)
_NEW_LIST, _SET_ITEM, _KEEP, _AS_OBJECT, _DISABLE_COLLECTION, _ENABLE_COLLECTION = range(len(FUNCTIONS))


class SharedIntegers(Record):
    """Python integers that lists share, which saves time and most of the memory."""

    addresses: Int64Array
    """The address of each integer object, beginning with that of 0."""
    functions: Int64Array
    """`FUNCTIONS`."""


@kernel_with_gil
def fill_lists(ids: Int32Array, mark: int, lists: int, integers: SharedIntegers) -> bool:
    """Put a list of the ids before each mark into the list at address `lists`, which has an item for each mark.

    Return False, with Python's error set, if there is no memory. Garbage collection is off meanwhile: otherwise Python
    would run it after every 700 lists and scan each list several times.
    """
    functions = integers.functions
    was_collecting = switch(functions[_DISABLE_COLLECTION])
    is_done = _fill(ids, mark, lists, integers)
    if was_collecting:
        switch(functions[_ENABLE_COLLECTION])
    return is_done


@helper
def _fill(ids: Int32Array, mark: int, lists: int, integers: SharedIntegers) -> bool:
    functions = integers.functions
    first = filled = 0
    for last in range(len(ids)):
        if ids[last] != mark:
            continue
        items = new_list(last - first, functions[_NEW_LIST])
        if items == 0:
            return False
        set_item(lists, filled, items, functions[_SET_ITEM])
        for i in range(first, last):
            number = _object_of(ids[i], integers)
            if number == 0:
                return False
            set_item(items, i - first, number, functions[_SET_ITEM])
        first, filled = last + 1, filled + 1
    return True


@helper
def _object_of(number: int, integers: SharedIntegers) -> int:
    """Return the address of an integer object, as a new reference, or 0."""
    if 0 <= number < len(integers.addresses):
        shared = integers.addresses[number]
        keep(shared, integers.functions[_KEEP])
        return shared
    return as_object(number, integers.functions[_AS_OBJECT])
