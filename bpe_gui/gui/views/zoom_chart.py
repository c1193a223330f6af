"""A chart that can be zoomed and read with mouse and keyboard. Importing this module loads pyqtgraph."""

from typing import Any, Final

import numpy as np
import pyqtgraph
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLocale, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.engine.reports import Chart, Mark
from bpe_gui.gui.look.layouts import MARGIN, gapless_column
from bpe_gui.gui.look.theme import ChartPalette, faded
from bpe_gui.gui.look.widgets import claims
from bpe_gui.gui.wording.phrases import labelled, number

_TAB_REASONS: Final = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason

_LINE_KEYS: Final = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End

_ZOOM: Final = 0.8
"""The share of the visible width that remains after zooming in by a key."""

_PAGE: Final = 10
"""The number of points that Page Up and Page Down move by."""

_BAR_WIDTH: Final = 0.8
_SPAN_WIDTH: Final = 0.98
"""The share of its interval that a bar covers, so that it is distinct from the next one."""

_MARK_SIZE: Final = 9  # pixels
_MARK_SPACE: Final = 0.25  # of the width, which the label of a mark may need
_MARK_ANCHORS: Final = ((1, 1), (0, 0), (0, 1))
"""The corners of a label that can be at its mark, the best first: then it is above on the left, or on the right."""
_LINE_WIDTH: Final = 2  # pixels
_LEGEND_OPACITY: Final = 0.85
_DECIMALS: Final = 4
_LEGEND_ABOVE: Final = (-16, 8)  # pixels from the right and the top
_LEGEND_BELOW: Final = (-16, -8)  # pixels from the right and the bottom, for lines, which rise
_LEFT_AXIS: Final = 64  # pixels, so that charts with other numbers line up


class ZoomChart(QWidget):
    """Shows a `Chart`. A line marks one of its points; the mouse and the arrow keys move it.

    The wheel zooms and dragging moves the chart, + and − zoom around the marked point, and 0 shows everything.
    `pointed(words)`: another point is marked; `words` gives its values, or is empty if none is.
    """

    pointed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.chart: Chart | None = None
        """The chart on display."""
        self.point: int | None = None
        """The index of the marked point, or None."""
        self._xs: NDArray[np.float64] = np.empty(0)
        self._colors: ChartPalette | None = None
        self._text = QColor()
        self._axes = {name: _Axis(name) for name in ("left", "bottom")}
        self._plot: Any = pyqtgraph.PlotWidget(axisItems=self._axes)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setMenuEnabled(False)
        self._plot.hideButtons()
        self._plot.scene().sigMouseMoved.connect(self._follow_mouse)
        self._plot.scene().sigMouseClicked.connect(self._take_focus)
        self._axes["left"].setWidth(_LEFT_AXIS)
        self._plot.getPlotItem().setContentsMargins(0, MARGIN, 2 * MARGIN, 0)
        self._legend: Any = self._plot.addLegend(offset=_LEGEND_BELOW)
        for axis in self._axes.values():
            axis.enableAutoSIPrefix(False)
            axis.setStyle(maxTickLevel=0)
        self._cursor: Any = pyqtgraph.InfiniteLine(angle=90, movable=False)
        gapless_column(self, self._plot)

    def _take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    # -- the chart ---------------------------------------------------------------------------------------------------

    @property
    def shown_points(self) -> tuple[float, float]:
        """The first and last visible value of the horizontal axis; if it is logarithmic, their powers of ten."""
        (first, last), _heights = self._plot.viewRange()
        return first, last

    def show_chart(self, chart: Chart | None) -> None:
        """Show a whole chart, or nothing, with no point marked."""
        self.chart = chart
        for axis in self._axes.values():
            axis.is_logarithmic = chart is not None and chart.logarithmic
        self._xs = np.empty(0)
        if chart is not None:  # points are marked in the middle of their bars
            self._xs = self._place(chart.points if chart.begins is None else (chart.begins + chart.points) / 2)
        self.setAccessibleName("" if chart is None else chart.title)
        self._draw()
        self._mark(None)
        self.show_all()

    def show_all(self) -> None:
        self._plot.enableAutoRange()
        self._plot.getViewBox().updateAutoRange()

    def set_colors(self, palette: ChartPalette, text: QColor, font: QFont) -> None:
        """Use these colours, and the font for the numbers on the axes."""
        self._colors, self._text = palette, text
        self._plot.setBackground(palette.background)
        for axis in self._axes.values():
            axis.setPen(palette.quiet)
            axis.setTextPen(palette.quiet)
            axis.setTickFont(font)
            axis.label.setFont(font)
        self._draw()

    def _place(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the coordinates of values on an axis."""
        return np.log10(values) if self.chart is not None and self.chart.logarithmic else values

    def _draw(self) -> None:
        plot, chart, colors = self._plot, self.chart, self._colors
        plot.clear()
        self._legend.clear()
        plot.addItem(self._cursor, ignoreBounds=True)
        if chart is None or colors is None:
            return
        plot.setLabel("bottom", chart.x_label)
        plot.setLabel("left", chart.y_label)
        for axis in ("left", "bottom"):
            steps = {"major": 1, "minor": 1} if chart.logarithmic else {}
            plot.getAxis(axis).setTickSpacing(**steps)
        self._legend.setLabelTextColor(self._text)
        self._legend.setBrush(faded(colors.background, _LEGEND_OPACITY))
        self._legend.setOffset(_LEGEND_ABOVE if chart.has_bars else _LEGEND_BELOW)
        for index, series in enumerate(chart.series):
            item = self._bars(index, chart, colors) if chart.has_bars else self._line(index, chart, colors)
            plot.addItem(item)
            if len(chart.series) > 1:
                self._legend.addItem(item, series.name)
        self._cursor.setPen(QPen(self._text, 0))
        drawn: tuple[float, int] | None = None  # where the previous mark is, and its anchor
        for mark in chart.marks:
            place = float((self._xs[mark.point] - self._xs[0]) / (np.ptp(self._xs) or 1))
            anchor = 1 if place < _MARK_SPACE else 0
            if drawn is not None and abs(place - drawn[0]) < _MARK_SPACE:
                anchor = drawn[1] + 1
            self._draw_mark(chart, mark, colors, _MARK_ANCHORS[anchor])
            drawn = place, anchor

    def _line(self, index: int, chart: Chart, colors: ChartPalette) -> Any:
        """Return a line; all but the first are dashed."""
        pen = QPen((colors.line, colors.quiet)[index % 2], _LINE_WIDTH)
        pen.setCosmetic(True)
        pen.setStyle(Qt.PenStyle.SolidLine if index == 0 else Qt.PenStyle.DashLine)
        return pyqtgraph.PlotDataItem(self._xs, self._place(chart.series[index].values), pen=pen, antialias=True)

    def _bars(self, index: int, chart: Chart, colors: ChartPalette) -> Any:
        """Return the bars of a series; several series are placed side by side."""
        if chart.begins is None:
            spans = np.full(len(chart.points), _BAR_WIDTH)
        else:
            spans = _SPAN_WIDTH * (chart.points - chart.begins)
        widths = spans / len(chart.series)
        lefts = self._xs - spans / 2 + index * widths
        brush = (colors.line, colors.fill)[index % 2]
        heights = chart.series[index].values
        return pyqtgraph.BarGraphItem(x0=lefts, width=widths, y0=0, height=heights, pen=colors.line, brush=brush)

    def _draw_mark(self, chart: Chart, mark: Mark, colors: ChartPalette, anchor: tuple[int, int]) -> None:
        values = chart.series[mark.series].values[mark.point : mark.point + 1]
        x, y = float(self._xs[mark.point]), float(self._place(values)[0])
        label = labelled(mark.label, number(round(chart.points[mark.point])))
        dot = pyqtgraph.ScatterPlotItem([x], [y], size=_MARK_SIZE, pen=None, brush=colors.accent, useCache=False)
        text = pyqtgraph.TextItem(label, color=colors.accent, anchor=anchor)
        text.setPos(x, y)
        self._plot.addItem(dot)
        self._plot.addItem(text, ignoreBounds=True)

    # -- reading -----------------------------------------------------------------------------------------------------

    def _mark(self, point: int | None) -> None:
        """Move the line to a point, and report its values in words."""
        self.point = point
        self._cursor.setVisible(point is not None)
        words = ""
        if point is not None and self.chart is not None:
            self._cursor.setPos(float(self._xs[point]))
            words = self.chart.words(point)
        self.setAccessibleDescription(words)
        self.pointed.emit(words)

    def _follow_mouse(self, position: QPointF) -> None:
        box = self._plot.getViewBox()
        if len(self._xs) and box.sceneBoundingRect().contains(position):
            x = box.mapSceneToView(position).x()
            self._mark(int(np.argmin(np.abs(self._xs - x))))

    def _move_by(self, points: int) -> None:
        last = len(self._xs) - 1
        if last >= 0:
            start = self.point if self.point is not None else (-1 if points > 0 else last + 1)
            self._go_to(min(max(start + points, 0), last))

    def _go_to(self, point: int) -> None:
        """Mark a point, and bring it into view."""
        self._mark(point)
        first, last = self.shown_points
        x = float(self._xs[point])
        if not first <= x <= last:
            half = (last - first) / 2
            self._plot.setXRange(x - half, x + half, padding=0)

    def _zoom(self, share: float) -> None:
        """Show only a share of the width, around the marked point or the middle."""
        first, last = self.shown_points
        center = float(self._xs[self.point]) if self.point is not None else (first + last) / 2
        self._plot.setXRange(center + (first - center) * share, center + (last - center) * share, padding=0)

    def event(self, event: QEvent) -> bool:
        """Claim the keys that move the line, which are the window's shortcuts elsewhere."""
        return claims(event, lambda key: key.key() in _LINE_KEYS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the line with the arrow keys and the like, and zoom with + and −; 0 shows everything."""
        last = len(self._xs) - 1
        key = Qt.Key
        match event.key():
            case key.Key_Left | key.Key_Right | key.Key_PageUp | key.Key_PageDown:
                steps = {key.Key_Left: -1, key.Key_Right: 1, key.Key_PageUp: -_PAGE, key.Key_PageDown: _PAGE}
                self._move_by(steps[Qt.Key(event.key())])
            case key.Key_Home | key.Key_End if last >= 0:
                self._go_to(0 if event.key() == key.Key_Home else last)
            case key.Key_Plus | key.Key_Equal:
                self._zoom(_ZOOM)
            case key.Key_Minus:
                self._zoom(1 / _ZOOM)
            case key.Key_0:
                self.show_all()
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Mark a point once keys can move it."""
        super().focusInEvent(event)
        if self.point is None and event.reason() in _TAB_REASONS:
            self._move_by(1)

    # -- saving ------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        """Paint the chart, for a file."""
        size = QRectF(0, 0, self.width(), self.height())
        if self._colors is not None:
            painter.fillRect(size, self._colors.background)
        self._plot.render(painter, size, self._plot.viewport().rect())

    def sizeHint(self) -> QSize:
        return QSize(480, 280)


class _Axis(pyqtgraph.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis with numbers formatted in the language of the window."""

    is_logarithmic = False

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Return the texts of the numbers on an axis; on a logarithmic one, from their powers of ten."""
        if self.is_logarithmic:
            return [number(round(10**value)) if value == round(value) and value >= 0 else "" for value in values]
        decimals = 0 if spacing >= 1 else min(_DECIMALS, int(np.ceil(-np.log10(spacing))))
        return [QLocale().toString(float(value), "f", decimals) for value in values]
