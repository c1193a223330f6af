"""Turn an array of ids into Python lists."""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel_with_gil
from bpe_gui.engine.kernels.lowlevel import python_lists
from bpe_gui.engine.kernels.lowlevel.python_lists import as_object, keep, new_list, set_item, switch
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

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
    """The address of each integer object, from 0 on."""
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
