"""The timeline: a chart of a run's merges that is also a slider over its steps."""

import html
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
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

from bpe_gui.engine import IntegerArray
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP
from bpe_gui.gui.look.lifetime import Updating, reference_to
from bpe_gui.gui.look.qt_constants import (
    ALIGN_CENTER,
    ALIGN_LEFT,
    ALIGN_RIGHT,
    ANTIALIASING,
    CENTER_AND_WRAP,
    ELIDE_RIGHT,
    LEAVE,
    LEFT_BUTTON,
    NO_BRUSH,
    NO_PEN,
    TOOL_TIP,
)
from bpe_gui.gui.look.theme import ChartPalette, chart_palette_of, faded, has_ring, text_width
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.wording.phrases import number

_AVERAGES: Final = 200  # the approximate number of independent averages that a long series is reduced to
_GRIP: Final = 5.0  # pixels: half the width of the playhead's grip
_CAPTION_GAP: Final = 2.0  # pixels below the caption, above the marks
_AHEAD_OPACITY: Final = 0.4  # of the chart right of the playhead, where merges have not been made yet
_STEPS_PER_PAGE: Final = 10  # Page Up and Page Down move by a tenth of the run
_NO_STEP: Final = -1
_BELOW_PLOT: Final = 2.0  # pixels that lines reach below the plot, where no text begins yet
_VALUE_CHANGE: Final = QAbstractSlider.SliderChange.SliderValueChange


def smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the moving average of `values`; a short series is returned unchanged."""
    reach = len(values) // _AVERAGES // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    indices = np.arange(len(values))
    first, last = np.maximum(indices - reach, 0), np.minimum(indices + reach + 1, len(values))
    return np.asarray((sums[last] - sums[first]) / (last - first))


def scale_marks(maximum: float, height: float, spacing: float) -> list[float]:
    """Return the marks of a logarithmic scale of `height` pixels: the maximum, and smaller powers of ten.

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

    There are at most `at_most` of them, but always at least one.
    """
    distance = 1
    for factor in cycle((2, 2.5, 2)):
        if last / distance <= max(at_most, 1):
            break
        distance = round(distance * factor)
    return range(0, last, distance)


class _Overlay(NamedTuple):
    """A second run: its name, its counts, the step where it leaves the first, and where stages begin."""

    name: str = ""
    counts: NDArray[np.float64] = np.zeros(0)
    fork: int = 0
    stages: tuple[int, ...] = ()


class TimelineView(QAbstractSlider):
    """A slider over the steps 0 to n of a run, on top of a chart of each merge's count, or of its token's length.

    The user requests a step (`position_requested`), and the owner moves the playhead (`set_position`): the session may
    take a moment, and the playhead never shows a step that the rest of the window does not. QAbstractSlider handles
    keys, the wheel and the value for screen readers; a slot of its `actionTriggered` can cancel a move before it
    happens.
    """

    position_requested = Signal(int)
    """The user wants to go to this step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: NDArray[np.float64] = np.zeros(0)
        self._end = 0
        self._are_counts = True
        self._describer: Callable[[], Callable[[int], str] | None] = lambda: None
        self._counter: Callable[[], Callable[[int], Sequence[int] | None] | None] = lambda: None
        self._tokens: dict[int, Sequence[int]] = {}  # by step, as counted so far
        self._colors = chart_palette_of("light")
        self._overlay = _Overlay()
        self._chart: QPixmap | None = None
        self._shown = 0  # where the playhead is painted
        self._hovered = _NO_STEP
        self._marked = _NO_STEP
        name_widget(self, "timeline", self.tr("Timeline: training step"))
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMouseTracking(True)
        self.setRange(0, 0)
        self._updating = Updating()
        self.actionTriggered.connect(self._request_instead)
        self.valueChanged.connect(self._request_unless_updating)

    def set_counts(self, counts: Sequence[int] | IntegerArray) -> None:
        """Show a run of `len(counts)` merges; `counts[i]` is the count of the pair of merge i+1 when it was chosen."""
        self._are_counts = True
        self._set_values(counts)

    def set_lengths(self, lengths: Sequence[int]) -> None:
        """Show merges without counts, as a moving average of `lengths`, their tokens' sizes in bytes."""
        self._are_counts = False
        self._set_values(smoothed(np.asarray(lengths, dtype=np.float64)))

    def _set_values(self, values: Sequence[int] | IntegerArray | NDArray[np.float64]) -> None:
        self._values = np.asarray(values, dtype=np.float64)
        steps = len(self._values)
        with self._updating:
            self.setRange(0, steps)
        self.setPageStep(max(1, steps // _STEPS_PER_PAGE))
        self._hovered = _NO_STEP
        self._tokens.clear()
        self._redraw()

    def set_end(self, end: int) -> None:
        """Let the chart end at the step where the run will end, or later, so that it does not grow with the run."""
        if end != self._end:
            self._end = end
            self._redraw()

    def set_position(self, step: int) -> None:
        """Move the playhead to the state after `step` merges."""
        with self._updating:
            self.setValue(step)

    def set_mark(self, step: int | None) -> None:
        """Mark the step that makes the selected token; None for none."""
        self._marked = _NO_STEP if step is None else step
        self.update()

    def set_overlay(self, name: str, counts: Sequence[int] | IntegerArray, fork: int, stages: Sequence[int]) -> None:
        """Draw a second run as a thin line from the step `fork`, where they diverge; without counts, draw none.

        `stages` are the steps at which one of the two begins another stage.
        """
        self._overlay = _Overlay(name, np.asarray(counts, dtype=np.float64), fork, tuple(stages))
        self._tokens.clear()
        self._redraw()

    def set_describer(self, describe: Callable[[int], str]) -> None:
        """Set the function that describes a step for the tooltip."""
        self._describer = reference_to(describe)

    def set_counter(self, count: Callable[[int], Sequence[int] | None]) -> None:
        """Set the function that counts the tokens of the text as of a step: in this run, then in the second one.

        It may return only one number, or none; None means that it cannot count now, and is to be asked again. The
        numbers are shown below the steps.
        """
        self._counter = reference_to(count)

    def forget_tokens(self) -> None:
        """Count the tokens again, because the text or a run has changed."""
        self._tokens.clear()
        self.update()

    def tokens_at(self, step: int) -> Sequence[int]:
        """Return how many tokens the text has as of a step: in this run, then in the second one."""
        count = self._counter()
        if step not in self._tokens and count is not None and (counted := count(step)) is not None:
            self._tokens[step] = counted
        return self._tokens.get(step, ())

    def set_palette_colors(self, palette: ChartPalette) -> None:
        """Use a theme's colours."""
        self._colors = palette
        self._redraw()

    def sizeHint(self) -> QSize:
        """Return a size where most counts are visibly different from their neighbours."""
        return QSize(640, 112)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size where a curve is recognisable."""
        return QSize(160, 72)

    # -- requests: whatever the user does to the slider, only `set_position` moves it -------------------------------

    def _request_instead(self, _action: int) -> None:
        """Request the step that a key or the wheel is about to move the slider to."""
        requested = self.sliderPosition()
        self.setSliderPosition(self.value())
        self._request(requested)

    def _request_unless_updating(self, step: int) -> None:
        """Request a step set by a screen reader, which sets the value without an action."""
        if not self._updating:
            self.position_requested.emit(step)

    def _request(self, step: int) -> None:
        if step != self.value():
            self.position_requested.emit(step)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == LEFT_BUTTON:
            self._request(self._step_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the playhead, or show which step a click would go to."""
        step = self._step_at(event.position().x())
        if event.buttons() & LEFT_BUTTON:
            self._request(step)
        self._hover(step)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move by steps if the chart has the focus, so that scrolling past it with the wheel does nothing.

        Always accept the event; otherwise the wheel would scroll a parent while a move is pending.
        """
        if self.hasFocus():
            super().wheelEvent(event)
        event.accept()

    def _hover(self, step: int) -> None:
        if step != self._hovered:
            self._hovered = step
            self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == LEAVE:
            self._hover(_NO_STEP)
        if isinstance(event, QHelpEvent) and event.type() == TOOL_TIP:
            QToolTip.showText(event.globalPos(), self._tool_tip(event.pos()), self)
            return True
        return super().event(event)

    def _tool_tip(self, point: QPoint) -> str:
        """Return what the scale means, when left of the chart, or what happened at the step under the mouse."""
        if not len(self._values):
            return ""
        if point.x() < self._plot().left():
            return self._scale_tool_tip()
        step = self._step_at(point.x())
        describe = self._describer()
        if describe is None:
            return self.tr("Step {step}").format(step=number(step))
        return f"<span style='white-space: pre'>{html.escape(describe(step))}</span>"

    def _scale_tool_tip(self) -> str:
        if self._are_counts:
            return self.tr(
                "Count of the pair merged at each step. The logarithmic scale keeps later, much smaller counts visible."
            )
        return self.tr("Average length of new tokens in bytes, on a logarithmic scale. The file has no pair counts.")

    def changeEvent(self, event: QEvent) -> None:
        self._redraw()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._redraw()
        super().resizeEvent(event)

    def _redraw(self) -> None:
        self._chart = None
        self.update()

    # -- geometry: the plot is divided into n + 1 slots: an empty one for step 0, then one for each merge -----------

    @property
    def _last(self) -> int:
        """The step at the end of the chart."""
        return max(self._end, len(self._values))

    def _plot(self) -> QRectF:
        metrics = self.fontMetrics()
        left = MARGIN + text_width(metrics, self._value_text(self._values.max(initial=0))) + MARGIN
        top = MARGIN + _GRIP if self._are_counts else metrics.height() + _GRIP + _CAPTION_GAP
        area = QRectF(self.rect()).adjusted(left, top, -2 * MARGIN, -2 * metrics.height() - MARGIN)
        return area if area.isValid() else QRectF(left, MARGIN, 1, 1)

    def _x(self, plot: QRectF, step: float) -> float:
        """Return the middle of a step's slot."""
        return plot.left() + (step + 0.5) / (self._last + 1) * plot.width()

    def _step_at(self, x: float) -> int:
        plot = self._plot()
        slot = int((x - plot.left()) / plot.width() * (self._last + 1))
        return min(max(slot, 0), len(self._values))

    def _y(self, plot: QRectF, values: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Return the y coordinates of values on a logarithmic scale that includes zero."""
        share: NDArray[np.float64] = np.log1p(values) / np.log1p(max(float(self._values.max()), 1.0))
        return plot.bottom() - share * plot.height()

    def sliderChange(self, change: QAbstractSlider.SliderChange) -> None:  # noqa: N802 (Qt's name)
        """Repaint only what the playhead leaves, passes and reaches, unless the caption may change sides."""
        before, self._shown = self._shown, self.value()
        if change != _VALUE_CHANGE or not self._are_counts or not len(self._values):
            super().sliderChange(change)
            return
        plot, first, last = self._plot(), min(before, self._shown), max(before, self._shown)
        left, right = self._x(plot, first) - 2 * _GRIP, self._x(plot, last + 0.5) + 2 * _GRIP
        self.update(QRectF(left, 0, right - left, plot.bottom() + _BELOW_PLOT).toAlignedRect())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint scale, chart and playhead, or if there are no merges, a sentence."""
        with QPainter(self) as painter:
            painter.setRenderHint(ANTIALIASING)
            painter.fillRect(self.rect(), self._colors.background)
            if len(self._values):
                plot = self._plot()
                self._paint_scale(painter, plot)
                if event.rect().bottom() > plot.bottom() + _BELOW_PLOT:
                    self._paint_steps(painter, plot)
                self._paint_chart(painter, plot)
                if len(self._overlay.counts):
                    self._paint_fork(painter, plot)
                self._paint_playhead(painter, plot)
                if not self._are_counts:
                    self._paint_caption(painter, plot)
            else:
                painter.setPen(self._colors.quiet)
                text = self.tr("No merges yet. The count of each merged pair will be shown here.")
                painter.drawText(self.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN), CENTER_AND_WRAP, text)
            if self.hasFocus() and has_ring(self):
                painter.setPen(QPen(self._colors.accent, 1.5))
                painter.setBrush(NO_BRUSH)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)

    def _paint_caption(self, painter: QPainter, plot: QRectF) -> None:
        """Paint what the scale shows, on the side without the playhead."""
        painter.setPen(self._colors.quiet)
        text = self.tr("average bytes per new token (the file has no counts)")
        side = ALIGN_RIGHT if self._x(plot, self.value()) < plot.center().x() else ALIGN_LEFT
        painter.drawText(QRectF(plot.left(), 1, plot.width(), self.fontMetrics().height()), side, text)

    def _paint_scale(self, painter: QPainter, plot: QRectF) -> None:
        """Paint hairlines at the maximum and at powers of ten."""
        height = self.fontMetrics().height()
        hairline = QPen(faded(self._colors.quiet, 0.25), 1)
        for mark in scale_marks(float(self._values.max()), plot.height(), height):
            y = round(float(self._y(plot, mark))) + 0.5
            painter.setPen(hairline)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(self._colors.quiet)
            box = QRectF(0, y - height / 2, plot.left() - MARGIN, height)
            painter.drawText(box, ALIGN_RIGHT, self._value_text(mark))

    def _value_text(self, value: float) -> str:
        return f"{'×' if self._are_counts else ''}{number(round(value))}"

    def _paint_steps(self, painter: QPainter, plot: QRectF) -> None:
        """Paint round step numbers, and always the last one, under the chart, with the tokens of the text below."""
        metrics, end = self.fontMetrics(), self._last
        widest = max(self._tokens_box(plot, 0).width(), text_width(metrics, number(end)) + 4 * MARGIN)
        last = self._label_box(plot, end, number(end))
        for step in (*round_steps(end, plot.width() / (widest + 2 * MARGIN)), end):
            box = self._label_box(plot, step, self._step_text(step))
            if step == end or box.right() + 2 * MARGIN < min(last.left(), self._tokens_box(plot, end).left()):
                painter.setPen(self._colors.quiet)
                painter.drawText(box, ALIGN_CENTER, self._step_text(step))
                box = self._tokens_box(plot, step)
                for text, color in self._token_texts(step):
                    painter.setPen(color)
                    painter.drawText(box, ALIGN_LEFT, text)
                    box.setLeft(box.left() + metrics.horizontalAdvance(text))

    def _step_text(self, step: int) -> str:
        return number(step) if step else self.tr("step 0")

    def _token_texts(self, step: int) -> list[tuple[str, QColor]]:
        """Return how many tokens the text has as of a step, each run's number in its colour."""
        numbers = [number(count) for count in self.tokens_at(step)]
        texts = list(zip(numbers, (self._colors.line, self._colors.overlay), strict=False))
        texts[1:1] = [(" · ", self._colors.quiet)] if len(texts) > 1 else []
        unit = self.tr("token") if numbers == ["1"] else self.tr("tokens")
        return [*texts, (f" {unit}", self._colors.quiet)] if texts and not step else texts

    def _tokens_box(self, plot: QRectF, step: int) -> QRectF:
        text = "".join(text for text, _color in self._token_texts(step))
        return self._label_box(plot, step, text).translated(0, self.fontMetrics().height())

    def _label_box(self, plot: QRectF, step: int, text: str) -> QRectF:
        """Return where to write a text below a step: as near as possible, but inside the widget."""
        width = text_width(self.fontMetrics(), text) + 2.0
        left = min(max(self._x(plot, step) - width / 2, SMALL_GAP), self.width() - width - SMALL_GAP)
        return QRectF(left, plot.bottom() + SMALL_GAP, width, self.fontMetrics().height())

    def _paint_chart(self, painter: QPainter, plot: QRectF) -> None:
        """Paint the chart, pale where merges have not been made yet."""
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
        pixmap.fill(Qt.GlobalColor.transparent)
        outline = self._outline(plot, 0, self._values)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(ANTIALIASING)
            painter.setPen(NO_PEN)
            painter.setBrush(self._colors.fill)
            left, right = (QPointF(point.x(), plot.bottom()) for point in (outline[0], outline[-1]))
            painter.drawPolygon([left, *outline, right])
            fork, counts = self._overlay.fork, self._overlay.counts[: len(self._values)]
            if fork < len(counts):
                painter.setPen(QPen(self._colors.overlay, 1.5))
                painter.drawPolyline(self._outline(plot, fork, counts[fork:]))
            painter.setPen(QPen(self._colors.line, 1.25))
            painter.drawPolyline(outline)
        return pixmap

    def _paint_fork(self, painter: QPainter, plot: QRectF) -> None:
        """Mark where the second run leaves the first, with its name, and where stages begin."""
        fork, color, metrics = self._overlay.fork, self._colors.overlay, self.fontMetrics()
        marks = {step: self.tr("superwords") for step in self._overlay.stages if step <= len(self._values)}
        if fork <= len(self._values):
            marks[fork] = " · ".join(filter(None, [self._overlay.name, marks.get(fork, "")]))
        right = plot.right() + MARGIN
        for line, step in enumerate(sorted(marks)):
            value = float(self._values[min(step, len(self._values) - 1)])
            is_high = float(self._y(plot, value)) < plot.center().y()  # so the names go below the line
            top = plot.bottom() - (line + 1) * metrics.height() if is_high else plot.top() + line * metrics.height()
            self._paint_vertical(painter, plot, step, QPen(color, 1, Qt.PenStyle.DashLine))
            x, width = self._x(plot, step), text_width(metrics, marks[step])
            left = x + SMALL_GAP if x + SMALL_GAP + width <= right else max(plot.left(), x - SMALL_GAP - width)
            box = QRectF(left, top, min(width, plot.width()) + 1.0, metrics.height())
            painter.fillRect(box, faded(self._colors.background, 0.8))
            painter.drawText(box, ALIGN_LEFT, metrics.elidedText(marks[step], ELIDE_RIGHT, int(plot.width())))

    def _outline(self, plot: QRectF, first: int, values: NDArray[np.float64]) -> list[QPointF]:
        """Return the line over the values of the steps after `first`.

        It is a staircase if merges are at least a pixel wide; otherwise it shows each column's extremes.
        """
        merges = len(values)
        left, right = self._x(plot, first + 0.5), self._x(plot, first + merges + 0.5)
        columns = int(right - left)
        if merges <= columns:
            edges = np.linspace(left, right, merges + 1)
            x = np.repeat(edges, 2)[1:-1]
            y = np.repeat(self._y(plot, values), 2)
        else:
            starts = np.linspace(0, merges, max(columns, 1), endpoint=False).astype(np.int64)
            extremes = (np.maximum.reduceat(values, starts), np.minimum.reduceat(values, starts))
            x = np.repeat(np.linspace(left, right, len(starts)), 2)
            y = self._y(plot, np.column_stack(extremes).ravel())
        return list(map(QPointF, x.tolist(), y.tolist()))

    def _paint_playhead(self, painter: QPainter, plot: QRectF) -> None:
        if self._marked != _NO_STEP:
            self._paint_mark(painter, plot)
        if self._hovered not in (_NO_STEP, self.value()):
            self._paint_vertical(painter, plot, self._hovered, QPen(faded(self._colors.quiet, 0.6), 1))
        self._paint_vertical(painter, plot, self.value(), QPen(self._colors.accent, 2))
        x = self._x(plot, self.value())
        top = plot.top() - _GRIP - 2
        grip = QPolygonF(
            [
                QPointF(x - _GRIP, top),
                QPointF(x + _GRIP, top),
                QPointF(x + _GRIP, top + _GRIP),
                QPointF(x, top + 2 * _GRIP),
                QPointF(x - _GRIP, top + _GRIP),
            ]
        )
        painter.setPen(QPen(self._colors.accent, 1.5, j=Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(self._colors.accent)
        painter.drawPolygon(grip)

    def _paint_mark(self, painter: QPainter, plot: QRectF) -> None:
        """Paint a small triangle above the marked step, and a thin line below it."""
        color = self._colors.line
        self._paint_vertical(painter, plot, self._marked, QPen(color, 1, Qt.PenStyle.DotLine))
        x, top = self._x(plot, self._marked), plot.top() - _GRIP
        painter.setPen(NO_PEN)
        painter.setBrush(color)
        corners = [QPointF(x - _GRIP, top), QPointF(x + _GRIP, top), QPointF(x, top + _GRIP)]
        painter.drawPolygon(QPolygonF(corners))

    def _paint_vertical(self, painter: QPainter, plot: QRectF, step: int, pen: QPen) -> None:
        painter.setPen(pen)
        x = self._x(plot, step)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
