"""The timeline: steps that the user requests, positions that the program sets, and painting."""

from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import ChartPalette
from bpe_gui.gui.views.timeline_view import TimelineView, smoothed

PALETTE = ChartPalette(
    line=QColor("#4b5563"),
    fill=QColor("#d5dae1"),
    accent=QColor("#2563eb"),
    quiet=QColor("#6b7280"),
    background=QColor("#ffffff"),
    overlay=QColor("#9a4a00"),
)
COUNTS = [max(2, 1000 // step) for step in range(1, 201)]
MIDDLE = 60  # a y inside the chart


@pytest.fixture
def timeline(qtbot: QtBot) -> TimelineView:
    timeline = TimelineView()
    qtbot.addWidget(timeline)
    timeline.set_palette_colors(PALETTE)
    timeline.resize(800, 112)
    timeline.set_counts(COUNTS)
    timeline.set_position(50)
    with qtbot.waitExposed(timeline):
        timeline.show()
    return timeline


def requests_of(timeline: TimelineView) -> list[int]:
    requested: list[int] = []
    timeline.position_requested.connect(requested.append)
    return requested


@pytest.mark.parametrize(
    ("key", "step"),
    [
        (Qt.Key.Key_Right, 51),
        (Qt.Key.Key_Left, 49),
        (Qt.Key.Key_PageUp, 70),
        (Qt.Key.Key_PageDown, 30),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 200),
    ],
)
def test_keys_request_a_step_and_do_not_move(qtbot: QtBot, timeline: TimelineView, key: Qt.Key, step: int) -> None:
    requested = requests_of(timeline)
    QTest.keyClick(timeline, key)
    assert requested == [step]
    assert timeline.value() == 50


def test_the_chart_ends_where_the_run_will_end(qtbot: QtBot, timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(410, MIDDLE))
    timeline.set_end(400)
    for x in (410, 790):
        QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(x, MIDDLE))
    middle, doubled, end = requested
    assert doubled == pytest.approx(2 * middle, abs=1)
    assert middle == pytest.approx(95, abs=10)
    assert end == 200
    timeline.set_end(0)
    QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(410, MIDDLE))
    assert requested[-1] == middle


def test_set_position_moves_without_another_request(qtbot: QtBot, timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    timeline.position_requested.connect(timeline.set_position)
    for _ in range(3):
        QTest.keyClick(timeline, Qt.Key.Key_Right)
    assert requested == [51, 52, 53]
    assert timeline.value() == 53


def test_keys_request_nothing_beyond_the_ends(qtbot: QtBot, timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    timeline.set_position(200)
    QTest.keyClick(timeline, Qt.Key.Key_Right)
    assert requested == []


def test_a_click_requests_the_step_under_the_mouse(qtbot: QtBot, timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    for x in (2, 400, 798):
        QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(x, MIDDLE))
    assert requested[0] == 0
    assert 80 < requested[1] < 110
    assert requested[2] == 200
    assert timeline.value() == 50


def test_dragging_requests_every_step_on_the_way(qtbot: QtBot, timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    timeline.position_requested.connect(timeline.set_position)
    QTest.mousePress(timeline, Qt.MouseButton.LeftButton, pos=QPoint(300, MIDDLE))
    for x in (350, 400, 450):
        QTest.mouseMove(timeline, QPoint(x, MIDDLE))
    QTest.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=QPoint(450, MIDDLE))
    assert len(requested) == 4
    assert requested == sorted(requested)
    assert timeline.value() == requested[-1]


def test_other_mouse_buttons_request_nothing(qtbot: QtBot, timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    QTest.mouseClick(timeline, Qt.MouseButton.RightButton, pos=QPoint(400, MIDDLE))
    assert requested == []


@pytest.mark.parametrize(("notch", "is_forward"), [(120, True), (-120, False)])
def test_the_wheel_requests_nearby_steps(timeline: TimelineView, notch: int, is_forward: bool) -> None:
    requested = requests_of(timeline)
    point = QPointF(400, MIDDLE)
    wheel = QWheelEvent(
        point,
        timeline.mapToGlobal(point),
        QPoint(),
        QPoint(0, notch),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(timeline, wheel)
    assert wheel.isAccepted()
    assert len(requested) == 1
    assert (requested[0] > 50) is is_forward
    assert abs(requested[0] - 50) <= 10
    assert timeline.value() == 50


def test_fewer_counts_move_the_position_without_a_request(timeline: TimelineView) -> None:
    requested = requests_of(timeline)
    timeline.set_counts([5, 4])
    assert requested == []
    assert timeline.maximum() == 2
    assert timeline.value() == 2


def columns_in(timeline: TimelineView, color: QColor, y: int = MIDDLE) -> list[int]:
    """Return where a row of pixels has a colour, inside the focus ring."""
    image = timeline.grab().toImage()
    return [x for x in range(10, image.width() - 10) if image.pixelColor(x, y) == color]


@pytest.mark.parametrize("counts", [[9], [1], [0, 0], [7] * 100_000, list(range(100_000, 0, -1))])
def test_any_number_of_merges_is_painted(timeline: TimelineView, counts: Sequence[int]) -> None:
    timeline.set_counts(counts)
    playheads = []
    for position in (0, (len(counts) + 1) // 2, len(counts)):
        timeline.set_position(position)
        assert timeline.value() == position
        playheads.append(columns_in(timeline, PALETTE.accent))
    assert timeline.maximum() == len(counts)
    assert all(1 <= len(columns) <= 3 for columns in playheads)
    assert playheads == sorted(playheads)
    assert playheads[0] < playheads[1]
    assert bool(columns_in(timeline, PALETTE.fill)) == any(counts)


def test_without_merges_a_sentence_is_painted(timeline: TimelineView) -> None:
    timeline.set_counts([])
    assert timeline.maximum() == 0
    image = timeline.grab().toImage()
    points = [(x, y) for x in range(10, image.width() - 10) for y in range(10, image.height() - 10)]
    colors = {image.pixelColor(*point).name() for point in points}
    assert len(colors) > 1, "the background and the text"
    assert not {PALETTE.accent.name(), PALETTE.fill.name()} & colors


@pytest.mark.parametrize("size", [(1, 1), (60, 20)])
def test_a_size_without_room_for_the_chart_is_painted(timeline: TimelineView, size: tuple[int, int]) -> None:
    timeline.setMinimumSize(1, 1)
    timeline.resize(*size)
    image = timeline.grab().toImage()
    assert (image.width(), image.height()) == size
    assert image.pixelColor(0, 0) == PALETTE.background


def test_a_large_size_is_painted(timeline: TimelineView) -> None:
    timeline.resize(3000, 400)
    (*_others, left) = columns_in(timeline, PALETTE.accent, 200)
    timeline.set_position(150)
    (right, *_others) = columns_in(timeline, PALETTE.accent, 200)
    assert right - left == pytest.approx(3000 / 2, rel=0.1)


def test_a_single_high_count_among_many_is_visible(timeline: TimelineView) -> None:
    flat = [10] * 50_000
    peak = flat.copy()
    peak[33_333] = 100
    flat[0] = peak[0] = 100  # so that both have the same scale
    timeline.set_counts(flat)
    without = timeline.grab().toImage()
    timeline.set_counts(peak)
    assert timeline.grab().toImage() != without


def test_the_playhead_is_in_the_accent_colour(timeline: TimelineView) -> None:
    before = columns_in(timeline, PALETTE.accent)
    timeline.set_position(150)
    assert 1 <= len(before) <= 3
    assert min(columns_in(timeline, PALETTE.accent)) > max(before)


def tooltip(timeline: TimelineView, x: int) -> str:
    point = QPoint(x, MIDDLE)
    QApplication.sendEvent(timeline, QHelpEvent(QHelpEvent.Type.ToolTip, point, timeline.mapToGlobal(point)))
    text = QToolTip.text()
    QToolTip.hideText()
    return text


@pytest.mark.parametrize("merges", [3, 200, 5000])
@pytest.mark.parametrize("has_counts", [True, False])
def test_nothing_is_out_of_date_after_moves(timeline: TimelineView, merges: int, has_counts: bool) -> None:
    timeline.set_counter(lambda step: [4000 - step // 2, 4100 - step // 2])
    values = [max(2, 5000 // step) for step in range(1, merges + 1)]
    (timeline.set_counts if has_counts else timeline.set_lengths)(values)
    timeline.set_overlay("B", [value + 1 for value in values], merges // 2, [merges // 3])
    timeline.set_mark(merges // 3)
    for position in [0, 1, 2, 3, 2, 0, merges // 2, merges // 2 + 1, merges // 3, merges, merges - 1, merges, 1]:
        timeline.set_position(position)
        QApplication.processEvents()
        on_screen = timeline.screen().grabWindow(timeline.winId()).toImage()
        anew = timeline.grab().toImage()
        assert on_screen.convertToFormat(anew.format()) == anew


def test_the_tooltip_describes_the_step_under_the_mouse(timeline: TimelineView) -> None:
    timeline.set_describer(lambda step: f"step {step}: e + st → <est> ×9")
    assert "step 200: e + st → &lt;est&gt; ×9" in tooltip(timeline, 790)


def test_without_a_describer_the_tooltip_shows_the_step(timeline: TimelineView) -> None:
    timeline.set_counts([1] * 12_345)
    assert "Step 12,345" in tooltip(timeline, 795)


def test_the_tooltip_of_the_scale_explains_it(timeline: TimelineView) -> None:
    assert "logarithmic" in tooltip(timeline, 3)


def test_averages_of_a_long_series_hide_a_single_peak_and_a_short_series_stays() -> None:
    assert smoothed(np.array([2.0, 4.0] * 500 + [30.0] + [2.0, 4.0] * 500)).max() < 10
    assert smoothed(np.array([2.0, 30.0, 4.0])).tolist() == [2, 30, 4]


def test_without_counts_the_average_length_of_new_tokens_is_shown(timeline: TimelineView) -> None:
    timeline.set_lengths([2, 4] * 500 + [30] + [2, 4] * 500)
    assert timeline.maximum() == 2_001
    assert "Average length" in tooltip(timeline, 3)
    timeline.set_position(2_001)
    assert len(columns_in(timeline, PALETTE.fill)) > timeline.width() // 2
    timeline.set_counts([3, 2, 1])
    assert "Count of the pair" in tooltip(timeline, 3)


def test_screen_readers_read_and_set_the_value(timeline: TimelineView) -> None:
    interface = QAccessible.queryAccessibleInterface(timeline)
    assert interface.text(QAccessible.Text.Name) == timeline.accessibleName() != ""
    value = interface.valueInterface()
    assert value.currentValue() == 50
    assert value.maximumValue() == 200
    requested = requests_of(timeline)
    value.setCurrentValue(60)
    assert requested == [60]
