"""Write values as few bytes, so that other processes get them quickly, and read them back.

The result consists of bytes, strings and tuples, so that it does not depend on the version of any package. Equal values
give equal results in every process, because programs such as `datasets` identify a value by its pickle.
"""

from collections.abc import Collection
from dataclasses import Field, fields
from itertools import accumulate, pairwise
from typing import Any, ClassVar

import numpy as np

from .types import Int64Array, IntegerArray

PackedNumbers = tuple[str, bool, bytes]
"""The type of the numbers, as numpy writes it; whether they are differences between consecutive numbers; and their
bytes."""

PackedStrings = tuple[bytes, PackedNumbers]
"""Strings of bytes, joined, and the size of each."""


def pack_numbers(numbers: IntegerArray) -> PackedNumbers:
    """Return integers of at most 63 bits in the smallest type for them or for their differences.

    >>> pack_numbers(np.array([1000, 1001, 1003]))
    ('<u2', False, b'\\xe8\\x03\\xe9\\x03\\xeb\\x03')
    """
    values = numbers.astype(np.int64, copy=False)
    differences = np.diff(values, prepend=np.int64(0))
    by_value, by_difference = _smallest_type(values), _smallest_type(differences)
    if by_difference.itemsize < by_value.itemsize:
        return by_difference.str, True, differences.astype(by_difference).tobytes()
    return by_value.str, False, values.astype(by_value).tobytes()


def _smallest_type(numbers: Int64Array) -> "np.dtype[Any]":
    extremes = (int(numbers.min(initial=0)), int(numbers.max(initial=0)))
    return np.promote_types(*map(np.min_scalar_type, extremes)).newbyteorder("<")


def unpack_numbers(packed: PackedNumbers) -> Int64Array:
    """Return the integers that `pack_numbers` packed.

    >>> unpack_numbers(pack_numbers(np.array([1000, 1001, 1003]))).tolist()
    [1000, 1001, 1003]
    """
    dtype, are_differences, data = packed
    numbers = np.frombuffer(data, dtype).astype(np.int64)
    return np.cumsum(numbers) if are_differences else numbers


def pack_strings(strings: Collection[bytes]) -> PackedStrings:
    """Return strings of bytes as few objects."""
    return b"".join(strings), pack_numbers(np.fromiter(map(len, strings), np.int64, len(strings)))


def unpack_strings(packed: PackedStrings) -> list[bytes]:
    """Return the strings that `pack_strings` packed.

    >>> unpack_strings(pack_strings([b"lo", b"", b"w"]))
    [b'lo', b'', b'w']
    """
    data, sizes = packed
    return [data[start:stop] for start, stop in pairwise(accumulate(unpack_numbers(sizes).tolist(), initial=0))]


class PickledByFields:
    """A base of frozen dataclasses with cached properties, which are not pickled."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __getstate__(self) -> dict[str, object]:
        """Return the fields by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: _Sorted(value) if type(value) is frozenset else value for name, value in values.items()}


class _Sorted(frozenset[str]):
    """A set that is pickled as a plain set in sorted order, because the order of a set differs between processes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return frozenset, (sorted(self),)
