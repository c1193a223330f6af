"""The numbers of the timeline: which are written beside and under the chart, and averages for a long row."""

from itertools import cycle
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_SMOOTHED_PARTS: Final = 200  # of a long row, whose averages are shown


def smoothed(values: FloatArray) -> FloatArray:
    """Each value as the average of those around it; in a short row all stay as they are."""
    reach = len(values) // _SMOOTHED_PARTS // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    places = np.arange(len(values))
    first, last = np.maximum(places - reach, 0), np.minimum(places + reach + 1, len(values))
    return np.asarray((sums[last] - sums[first]) / (last - first))


def scale_marks(greatest: float, height: float, spacing: float) -> list[float]:
    """The greatest count and those powers of ten below it that have room on a logarithmic scale."""
    marks = [greatest]
    power = 10.0 ** np.floor(np.log10(max(greatest, 1.0)))
    unit = height / np.log1p(max(greatest, 1.0))
    while power >= 1:
        if (np.log1p(marks[-1]) - np.log1p(power)) * unit >= spacing:
            marks.append(float(power))
        power /= 10
    return marks


def round_steps(last: int, at_most: float) -> range:
    """Steps 0, d, 2d, … up to `last`, where d is 1, 2 or 5 times a power of ten and they are few enough."""
    distance = 1
    for factor in cycle((2, 2.5, 2)):
        if last / distance <= max(at_most, 1):
            break
        distance = round(distance * factor)
    return range(0, last, distance)
