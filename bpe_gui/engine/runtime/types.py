"""Types that all stages share: one-dimensional arrays and callbacks."""

from collections.abc import Callable
from typing import Any

import numpy as np

BoolArray = np.ndarray[Any, np.dtype[np.bool_]]
UInt8Array = np.ndarray[Any, np.dtype[np.uint8]]
UInt16Array = np.ndarray[Any, np.dtype[np.uint16]]
UInt32Array = np.ndarray[Any, np.dtype[np.uint32]]
Int32Array = np.ndarray[Any, np.dtype[np.int32]]
Int64Array = np.ndarray[Any, np.dtype[np.int64]]
IntegerArray = np.ndarray[Any, np.dtype[np.integer]]
Float64Array = np.ndarray[Any, np.dtype[np.float64]]
AnyArray = np.ndarray[Any, np.dtype[Any]]

Progress = Callable[[int, int], None]
"""Called with the work done and in total, in bytes, characters or merges. It may raise an error to cancel the work."""


def no_progress(_done: int, _total: int) -> None:
    """Do nothing: the `Progress` of work that nobody follows."""
