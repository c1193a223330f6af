"""Draw the charts of a report as SVG. The page defines the colours of their classes.

Coordinates are in pixels of a chart of 640 × 280. Every chart has a title and a description for screen readers, and
every point has a tooltip with its values.
"""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final, NamedTuple

from .contents import Chart, number_text

_WIDTH, _HEIGHT = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 28, 14, 46
_TICKS: Final = 6
"""About how many ticks an axis has."""

_RELATIVE_GAP: Final = 1e-9
"""Values whose relative difference is smaller are drawn as equal."""

_HIT_RADIUS: Final = 5
"""The radius around a point in which its tooltip is shown."""

_LINE: Final = 16
"""The distance of two labels, if their marks are close to each other."""

_MAX_TOOLTIPS: Final = 120
"""With more points per line than this, tooltips would only overlap."""


class Axis(NamedTuple):
    """An axis: its ticks, and the function from a value to its position from 0 to 1."""

    ticks: list[float]
    place: Callable[[float], float]


def linear_axis(low: float, high: float) -> Axis:
    """Return an axis from a round number at or below `low` to one at or above `high`.

    >>> linear_axis(0, 9).ticks
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    """
    if high - low <= _RELATIVE_GAP * max(1, abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    raw = (high - low) / (_TICKS - 1)
    magnitude = 10.0 ** floor(log10(raw))
    step = next(factor * magnitude for factor in (1, 2, 2.5, 5, 10) if factor * magnitude >= raw * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    begin, end = first * step, last * step
    return Axis(
        [round(number * step, 12) for number in range(first, last + 1)], lambda value: (value - begin) / (end - begin)
    )


def log_axis(low: float, high: float) -> Axis:
    """Return a logarithmic axis between powers of ten, for values above 0.

    >>> log_axis(3, 250).ticks
    [1.0, 10.0, 100.0, 1000.0]
    """
    first, last = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    last = max(last, first + 1)
    return Axis(
        [10.0**power for power in range(first, last + 1)], lambda value: (log10(value) - first) / (last - first)
    )


def svg_chart(chart: Chart) -> str:
    """Return a chart as a figure with its caption; empty for a chart without points."""
    return _bar_chart(chart) if chart.has_bars else _line_chart(chart)


def _line_chart(chart: Chart) -> str:
    xs = chart.points.tolist()
    shown = [
        [(x, y) for x, y in zip(xs, series.values.tolist(), strict=True) if isfinite(x) and isfinite(y)]
        for series in chart.series
    ]
    points = [point for line_points in shown for point in line_points]
    if not points:
        return ""
    axis = log_axis if chart.logarithmic else linear_axis
    across = axis(min(x for x, _y in points), max(x for x, _y in points))
    up = axis(min(y for _x, y in points), max(y for _x, y in points))
    body = [*_frame(chart, across, up)]
    for line, line_points in zip(chart.series, shown, strict=True):
        places = [(_x(across, x), _y(up, y)) for x, y in line_points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        body.append(f'<polyline class="line {line.style}" fill="none" stroke="currentColor" points="{path}"/>')
        body += _tooltips(line.name, line_points, places)
    for number, mark in enumerate(chart.marks):
        x, y = _x(across, xs[mark.point]), _y(up, float(chart.series[mark.series].values[mark.point]))
        anchor, shift = ("end", -8) if x > _WIDTH * 0.6 else ("start", 8)
        label = _text(x + shift, y + 20 + _LINE * number, mark.label, anchor, "mark")
        body.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>{label}')
    return _svg(chart, body)


def _bar_chart(chart: Chart) -> str:
    """Return bars side by side: at each point, one for each series."""
    labels = [f"{point:.0f}" for point in chart.points.tolist()]
    if not labels:
        return ""
    if chart.is_open:
        labels[-1] += "+"
    values = [series.values.tolist() for series in chart.series]
    up = linear_axis(0, max(map(max, values)) or 1)
    band = (_WIDTH - _LEFT - _RIGHT) / len(labels)
    width = band * 0.8 / len(values)
    body = [*_grid(up)]
    for index, label in enumerate(labels):
        begin = _LEFT + index * band + band * 0.1
        for number, series in enumerate(chart.series):
            value = values[number][index]
            top, left = _y(up, value), begin + number * width
            tip = escape(f"{label} – {series.name}: {number_text(value)}")
            body.append(
                f'<rect class="bar {series.style}" x="{left:.1f}" y="{top:.1f}" width="{max(width - 0.5, 0.5):.1f}" '
                f'height="{_HEIGHT - _BOTTOM - top:.1f}"><title>{tip}</title></rect>'
            )
        if index % ceil(len(labels) / 24) == 0:
            body.append(_text(begin + band * 0.4, _HEIGHT - _BOTTOM + 16, label, "middle"))
    return _svg(chart, [*body, *_labels(chart)])


def _x(axis: Axis, value: float) -> float:
    return _LEFT + axis.place(value) * (_WIDTH - _LEFT - _RIGHT)


def _y(axis: Axis, value: float) -> float:
    return _HEIGHT - _BOTTOM - axis.place(value) * (_HEIGHT - _TOP - _BOTTOM)


def _frame(chart: Chart, across: Axis, up: Axis) -> Iterator[str]:
    yield from _grid(up)
    for tick in across.ticks:
        x = _x(across, tick)
        top, bottom = _HEIGHT - _BOTTOM, _HEIGHT - _BOTTOM + 4
        yield f'<line class="tick" stroke="gray" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>'
        yield _text(x, _HEIGHT - _BOTTOM + 18, number_text(tick), "middle")
    yield from _labels(chart)


def _grid(up: Axis) -> Iterator[str]:
    for tick in up.ticks:
        y = _y(up, tick)
        yield f'<line class="grid" stroke="silver" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield _text(_LEFT - 8, y + 4, number_text(tick), "end")


def _labels(chart: Chart) -> Iterator[str]:
    yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, chart.x_label, "middle", "label")
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    label = escape(chart.y_label)
    yield f'<text class="label" text-anchor="middle" transform="translate(14 {middle:.0f}) rotate(-90)">{label}</text>'


def _tooltips(name: str, points: Sequence[tuple[float, float]], places: Sequence[tuple[float, float]]) -> Iterator[str]:
    every = ceil(len(points) / _MAX_TOOLTIPS)
    for index in range(0, len(points), every):
        (x, y), (left, top) = points[index], places[index]
        tip = escape(" · ".join(filter(None, (number_text(x), number_text(y), name))))
        at = f'cx="{left:.1f}" cy="{top:.1f}" r="{_HIT_RADIUS}"'
        yield f'<circle class="hit" fill="none" {at}><title>{tip}</title></circle>'


def _text(x: float, y: float, text: str, anchor: str, style: str = "number") -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(chart: Chart, body: Sequence[str]) -> str:
    """Return a figure with its caption, and with a legend if there are several series."""
    legend = chart.series if len(chart.series) > 1 else ()
    keys = "".join(f'<span class="key {series.style}">{escape(series.name)}</span>' for series in legend)
    return (
        f"<figure><figcaption>{escape(chart.title)}{keys}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{escape(chart.title)}</title>'
        f"<desc>{escape(chart.description)}</desc>{''.join(body)}</svg></figure>"
    )
