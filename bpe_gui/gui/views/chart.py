"""A chart as values: lines or bars over the same points, with words for each point."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO

from bpe_gui.engine.runtime import Float64Array


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A line, or bars: its name and its values at the points of the chart; NaN where there is none."""

    name: str
    values: Float64Array


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A marked point of the first line, with a label beside it."""

    point: int
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A chart with one or more series over the same ascending `points`.

    `words` returns the values of the point with an index in words. If `logarithmic`, both axes are, and all values are
    above 0.
    """

    title: str
    x_label: str
    y_label: str
    points: Float64Array
    series: Sequence[Series]
    words: Callable[[int], str]
    mark: Mark | None = None
    has_bars: bool = False
    logarithmic: bool = False
    begins: Float64Array | None = None
    """Where each bar begins, which ends at its point; None for bars of one size around their points."""

    def as_csv(self) -> str:
        """Return the points and their values as comma-separated values, with a line of titles."""
        text = StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([self.x_label, *(series.name for series in self.series)])
        columns = [self.points.tolist(), *(series.values.tolist() for series in self.series)]
        writer.writerows([_plain(value) for value in row] for row in zip(*columns, strict=True))
        return text.getvalue()


def _plain(value: float) -> str:
    """Return a number without a decimal point where it needs none; nothing for one that is not known.

    >>> _plain(3.0), _plain(0.5), _plain(float("nan"))
    ('3', '0.5', '')
    """
    if value != value:
        return ""
    return str(int(value)) if value == int(value) else repr(value)


def load_chart_library() -> None:
    """Load the library that draws charts, which takes most of a second, so that the first chart appears at once.

    Any thread may do this.
    """
    import pyqtgraph  # noqa: F401
