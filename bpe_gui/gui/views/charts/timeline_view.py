"""The timeline: a slider over the merges, with the count of every chosen pair, or its length, drawn behind it."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.palette import ChartPalette, faded, plain_chart_palette
from bpe_gui.gui.views.charts.timeline_scale import FloatArray, round_steps, scale_marks, smoothed

_ANTIALIASING = QPainter.RenderHint.Antialiasing
_LEFT_BUTTON = Qt.MouseButton.LeftButton
_NO_BRUSH = Qt.BrushStyle.NoBrush
_NO_PEN = Qt.PenStyle.NoPen
_ROUND_JOIN = Qt.PenJoinStyle.RoundJoin
_LEAVE = QEvent.Type.Leave
_TOOL_TIP = QEvent.Type.ToolTip
_LANGUAGE_CHANGE = QEvent.Type.LanguageChange
_TRANSPARENT = Qt.GlobalColor.transparent
_CENTERED_WRAPPED = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
_RIGHT_MIDDLE = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT_MIDDLE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_CENTER = int(Qt.AlignmentFlag.AlignCenter)

_SPACE = 8  # the grid of the window
_HANDLE = 5.0  # half the width of the playhead's grip
_AHEAD_OPACITY = 0.4  # of the chart to the right of the playhead: merges not done yet
_STEPS_PER_PAGE = 10  # Page Up and Page Down move by this part of the whole
_NO_STEP = -1


class TimelineView(QAbstractSlider):
    """A slider over the steps 0 to n of a training run.

    The user asks (`position_requested`), the owner answers (`set_position`): moving may take the session a moment,
    and the playhead never claims a step that nothing else shows. QAbstractSlider gives keys, the wheel and the
    value that screen readers read and set; it lets `actionTriggered` take back a move before it happens.
    """

    position_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline")
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMouseTracking(True)
        self.setRange(0, 0)
        self._values: FloatArray = np.zeros(0)
        self._are_counts = True
        self._describe: Callable[[int], str] | None = None
        self._colors = plain_chart_palette(self.palette())
        self._chart: QPixmap | None = None
        self._hovered = _NO_STEP
        self._is_answering = False
        self.actionTriggered.connect(self._request_instead)
        self.valueChanged.connect(self._request_if_moved)
        self._retranslate()

    def set_counts(self, counts: Sequence[int] | NDArray[np.integer]) -> None:
        """Show a run of `len(counts)` merges; `counts[i]` is how often the pair of merge i+1 occurred."""
        self._are_counts = True
        self._set_values(counts)

    def set_lengths(self, lengths: Sequence[int]) -> None:
        """Show merges without counts by `lengths[i]`, the bytes of the token of merge i+1, averaged over neighbours."""
        self._are_counts = False
        self._set_values(smoothed(np.asarray(lengths, dtype=np.float64)))

    def _set_values(self, values: Sequence[int] | NDArray[np.integer] | FloatArray) -> None:
        self._values = np.asarray(values, dtype=np.float64)
        steps = len(self._values)
        self._is_answering = True
        self.setRange(0, steps)
        self._is_answering = False
        self.setPageStep(max(1, steps // _STEPS_PER_PAGE))
        self._hovered = _NO_STEP
        self._redraw()

    def set_position(self, step: int) -> None:
        """Put the playhead after `step` merges."""
        self._is_answering = True
        self.setValue(step)
        self._is_answering = False

    def position(self) -> int:
        """The step at which the playhead is."""
        return self.value()

    def set_describer(self, describe: Callable[[int], str]) -> None:
        """`describe(step)` says in words what happened at a step, for the tooltip."""
        self._describe = describe

    def set_palette_colors(self, palette: ChartPalette) -> None:
        """Take on the colours of a theme."""
        self._colors = palette
        self._redraw()

    def sizeHint(self) -> QSize:
        """Wide, and high enough to tell a count from its neighbour."""
        return QSize(640, 112)

    def minimumSizeHint(self) -> QSize:
        """The least that still shows a curve."""
        return QSize(160, 72)

    # A request is whatever the user does to the slider; only `set_position` moves it.

    def _request_instead(self, _action: int) -> None:
        wanted = self.sliderPosition()
        self.setSliderPosition(self.value())
        self._request(wanted)

    def _request_if_moved(self, step: int) -> None:
        """A screen reader sets the value without asking: the owner gets to know."""
        if not self._is_answering:
            self.position_requested.emit(step)

    def _request(self, step: int) -> None:
        if step != self.value():
            self.position_requested.emit(step)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Asks for the step under the mouse."""
        if event.button() == _LEFT_BUTTON:
            self._request(self._step_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drags the playhead, or shows which step a click would go to."""
        step = self._step_at(event.position().x())
        if event.buttons() & _LEFT_BUTTON:
            self._request(step)
        self._hover(step)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Moves by steps; an answer that comes later must not let the wheel scroll what is around."""
        super().wheelEvent(event)
        event.accept()

    def _hover(self, step: int) -> None:
        if step != self._hovered:
            self._hovered = step
            self.update()

    def event(self, event: QEvent) -> bool:
        """Tooltips, and the mouse leaving."""
        if event.type() == _LEAVE:
            self._hover(_NO_STEP)
        if isinstance(event, QHelpEvent) and event.type() == _TOOL_TIP:
            QToolTip.showText(event.globalPos(), self._explain(event.pos()), self)
            return True
        return super().event(event)

    def _explain(self, pos: QPoint) -> str:
        """The tooltip at a place: what the scale means, or what the step does."""
        if not len(self._values):
            return ""
        if pos.x() < self._plot().left():
            return self._explain_scale()
        step = self._step_at(pos.x())
        if self._describe is None:
            return self.tr("Step {step}").format(step=number(step))
        return f"<span style='white-space: pre'>{html.escape(self._describe(step))}</span>"

    def _explain_scale(self) -> str:
        if self._are_counts:
            return self.tr(
                "How often each chosen pair occurred. The scale is logarithmic: "
                "counts fall so steeply that all but the first merges would lie on the bottom line."
            )
        return self.tr(
            "How many bytes the new tokens have, on average and on a logarithmic scale: "
            "the file does not say how often the pairs occurred."
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follows the font and the language."""
        if event.type() == _LANGUAGE_CHANGE:
            self._retranslate()
        self._redraw()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The chart is drawn for one size."""
        self._redraw()
        super().resizeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Timeline: step of the training"))

    def _redraw(self) -> None:
        self._chart = None
        self.update()

    # The plot is divided into n + 1 slots: an empty one for step 0, then one for each merge.

    def _plot(self) -> QRectF:
        metrics = self.fontMetrics()
        left = _SPACE + metrics.horizontalAdvance(number(int(self._values.max(initial=0)))) + _SPACE
        top = _SPACE + _HANDLE if self._are_counts else max(_SPACE + _HANDLE, metrics.height())  # for the caption
        area = QRectF(self.rect()).adjusted(left, top, -2 * _SPACE, -metrics.height() - _SPACE)
        return area if area.isValid() else QRectF(left, _SPACE, 1, 1)

    def _x(self, plot: QRectF, step: float) -> float:
        """The middle of a step's slot."""
        return plot.left() + (step + 0.5) / (len(self._values) + 1) * plot.width()

    def _step_at(self, x: float) -> int:
        plot = self._plot()
        slot = int((x - plot.left()) / plot.width() * (len(self._values) + 1))
        return min(max(slot, 0), len(self._values))

    def _height(self, plot: QRectF, counts: FloatArray | float) -> FloatArray:
        """y of counts on a logarithmic scale that has room for zero."""
        share: FloatArray = np.log1p(counts) / np.log1p(max(float(self._values.max()), 1.0))
        return plot.bottom() - share * plot.height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Scale, chart, playhead; a sentence while there is nothing to show."""
        with QPainter(self) as painter:
            painter.setRenderHint(_ANTIALIASING)
            painter.fillRect(self.rect(), self._colors.background)
            if len(self._values):
                plot = self._plot()
                self._paint_scale(painter, plot)
                self._paint_steps(painter, plot)
                self._paint_chart(painter, plot)
                self._paint_playhead(painter, plot)
                if not self._are_counts:
                    self._paint_caption(painter, plot)
            else:
                self._paint_empty(painter)
            if self.hasFocus():
                painter.setPen(QPen(self._colors.accent, 1.5))
                painter.setBrush(_NO_BRUSH)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setPen(self._colors.quiet)
        text = self.tr("Nothing is merged yet. Take a step to see here how often each chosen pair occurred.")
        painter.drawText(self.rect().adjusted(_SPACE, _SPACE, -_SPACE, -_SPACE), _CENTERED_WRAPPED, text)

    def _paint_caption(self, painter: QPainter, plot: QRectF) -> None:
        """What the scale is of, on the side where the playhead is not."""
        painter.setPen(self._colors.quiet)
        text = self.tr("bytes of new tokens on average; the file has no counts")
        side = _RIGHT_MIDDLE if self._x(plot, self.value()) < plot.center().x() else _LEFT_MIDDLE
        painter.drawText(QRectF(plot.left(), 0, plot.width(), plot.top()), side, text)

    def _paint_scale(self, painter: QPainter, plot: QRectF) -> None:
        """Hairlines at the powers of ten, and at the greatest count."""
        height = self.fontMetrics().height()
        hairline = QPen(faded(self._colors.quiet, 0.25), 1)
        for count in scale_marks(float(self._values.max()), plot.height(), height):
            y = round(float(self._height(plot, count))) + 0.5
            painter.setPen(hairline)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(self._colors.quiet)
            box = QRectF(0, y - height / 2, plot.left() - _SPACE, height)
            painter.drawText(box, _RIGHT_MIDDLE, number(round(count)))

    def _paint_steps(self, painter: QPainter, plot: QRectF) -> None:
        """A few step numbers under the chart, the last one always."""
        painter.setPen(self._colors.quiet)
        metrics = self.fontMetrics()
        last = self._label_box(plot, len(self._values))
        painter.drawText(last, _CENTER, number(len(self._values)))
        room = plot.width() / (metrics.horizontalAdvance(number(len(self._values))) + 6 * _SPACE)
        for step in round_steps(len(self._values), room):
            box = self._label_box(plot, step)
            if box.right() + 2 * _SPACE < last.left():
                painter.drawText(box, _CENTER, number(step))

    def _label_box(self, plot: QRectF, step: int) -> QRectF:
        width = self.fontMetrics().horizontalAdvance(number(step)) + 2.0
        left = min(self._x(plot, step) - width / 2, self.width() - width - _SPACE / 2)
        return QRectF(left, plot.bottom() + _SPACE / 2, width, self.fontMetrics().height())

    def _paint_chart(self, painter: QPainter, plot: QRectF) -> None:
        """The drawn chart, pale where the merges are still to come."""
        if self._chart is None or self._chart.devicePixelRatio() != self.devicePixelRatioF():
            self._chart = self._draw_chart(plot)
        done = QRectF(self.rect())
        done.setRight(self._x(plot, self.value() + 0.5))
        ahead = QRectF(self.rect())
        ahead.setLeft(done.right())
        for part, opacity in ((done, 1.0), (ahead, _AHEAD_OPACITY)):
            painter.save()
            painter.setClipRect(part)
            painter.setOpacity(opacity)
            painter.drawPixmap(0, 0, self._chart)
            painter.restore()

    def _draw_chart(self, plot: QRectF) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(_TRANSPARENT)
        outline = self._outline(plot)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(_ANTIALIASING)
            painter.setPen(_NO_PEN)
            painter.setBrush(self._colors.fill)
            painter.drawPolygon(_area_below(outline, plot.bottom()))
            painter.setPen(QPen(self._colors.line, 1.25))
            painter.drawPolyline(outline)
        return pixmap

    def _outline(self, plot: QRectF) -> list[QPointF]:
        """The line over the counts: a stair while a merge is wider than a pixel, else every column's extremes."""
        merges = len(self._values)
        left, right = self._x(plot, 0.5), self._x(plot, merges + 0.5)
        columns = int(right - left)
        if merges <= columns:
            edges = np.linspace(left, right, merges + 1)
            x = np.repeat(edges, 2)[1:-1]
            y = np.repeat(self._height(plot, self._values), 2)
        else:
            starts = np.linspace(0, merges, max(columns, 1), endpoint=False).astype(np.int64)
            extremes = (np.maximum.reduceat(self._values, starts), np.minimum.reduceat(self._values, starts))
            x = np.repeat(np.linspace(left, right, len(starts)), 2)
            y = self._height(plot, np.column_stack(extremes).ravel())
        return list(map(QPointF, x.tolist(), y.tolist()))

    def _paint_playhead(self, painter: QPainter, plot: QRectF) -> None:
        if self._hovered not in (_NO_STEP, self.value()):
            self._paint_upright(painter, plot, self._hovered, QPen(faded(self._colors.quiet, 0.6), 1))
        self._paint_upright(painter, plot, self.value(), QPen(self._colors.accent, 2))
        x = self._x(plot, self.value())
        top = plot.top() - _HANDLE - 2
        grip = QPolygonF(
            [
                QPointF(x - _HANDLE, top),
                QPointF(x + _HANDLE, top),
                QPointF(x + _HANDLE, top + _HANDLE),
                QPointF(x, top + 2 * _HANDLE),
                QPointF(x - _HANDLE, top + _HANDLE),
            ]
        )
        painter.setPen(QPen(self._colors.accent, 1.5, j=_ROUND_JOIN))
        painter.setBrush(self._colors.accent)
        painter.drawPolygon(grip)

    def _paint_upright(self, painter: QPainter, plot: QRectF, step: int, pen: QPen) -> None:
        painter.setPen(pen)
        x = self._x(plot, step)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))


def _area_below(outline: list[QPointF], bottom: float) -> list[QPointF]:
    return [QPointF(outline[0].x(), bottom), *outline, QPointF(outline[-1].x(), bottom)]
