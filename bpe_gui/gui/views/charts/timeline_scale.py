"""The numbers of the timeline: marks for its two scales, and moving averages."""

from itertools import cycle
from typing import Final

import numpy as np

from bpe_gui.engine.runtime import Float64Array

_AVERAGES: Final = 200  # independent averages, roughly, that remain of a long series


def smoothed(values: Float64Array) -> Float64Array:
    """Return the moving average of `values`; a short series is returned as it is."""
    reach = len(values) // _AVERAGES // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    indices = np.arange(len(values))
    first, last = np.maximum(indices - reach, 0), np.minimum(indices + reach + 1, len(values))
    return np.asarray((sums[last] - sums[first]) / (last - first))


def scale_marks(maximum: float, height: float, spacing: float) -> list[float]:
    """Return marks for a logarithmic scale of `height` pixels: the maximum, and smaller powers of ten.

    Neighbouring marks are at least `spacing` pixels apart.
    """
    marks = [maximum]
    power = 10.0 ** np.floor(np.log10(max(maximum, 1.0)))
    unit = height / np.log1p(max(maximum, 1.0))
    while power >= 1:
        if (np.log1p(marks[-1]) - np.log1p(power)) * unit >= spacing:
            marks.append(float(power))
        power /= 10
    return marks


def round_steps(last: int, at_most: float) -> range:
    """Return the steps 0, d, 2d, … below `last`, where d is 1, 2 or 5 times a power of ten.

    There are at most `at_most` of them, or one if that is less.
    """
    distance = 1
    for factor in cycle((2, 2.5, 2)):
        if last / distance <= max(at_most, 1):
            break
        distance = round(distance * factor)
    return range(0, last, distance)
