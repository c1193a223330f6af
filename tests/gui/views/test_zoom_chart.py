"""The chart that is read by pointer and keyboard."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from pyqtgraph import PlotWidget, TextItem
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.engine.reports import Chart, Mark, Series
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.pictures.text_picture import painted_image, painted_svg
from bpe_gui.gui.views.zoom_chart import ZoomChart
from tests.gui.support.widgets import child


def chart_of(*, logarithmic: bool = False, has_bars: bool = False) -> Chart:
    points = np.arange(1, 101, dtype=np.float64)
    return Chart(
        "squares",
        "Squares",
        "number",
        "square",
        points,
        [Series("squares", points**2), Series("halves", points / 2)],
        lambda point: f"{point + 1} squared is {(point + 1) ** 2}",
        marks=[] if has_bars else [Mark(40, "knee"), Mark(90, "this step")],
        has_bars=has_bars,
        logarithmic=logarithmic,
    )


@pytest.fixture
def view(qtbot: QtBot) -> ZoomChart:
    made = ZoomChart()
    theme = Theme("light")
    made.set_colors(theme.chart_palette(), theme.color("text"), theme.number_font())
    qtbot.addWidget(made)
    made.resize(480, 280)
    made.show_chart(chart_of())
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_labels_of_marks_do_not_overlap_and_are_inside(view: ZoomChart) -> None:
    plot = child(view, PlotWidget, "")
    for points in ((40, 40), (40, 50), (2, 3), (1,), (40, 90), (60, 30)):
        view.show_chart(replace(chart_of(), marks=[Mark(point, f"mark {point}") for point in points]))
        view.grab()
        labels = [item for item in plot.scene().items() if isinstance(item, TextItem)]
        places = [item.mapRectToScene(item.boundingRect()) for item in labels]
        assert len(places) == len(points)
        inside = plot.getViewBox().sceneBoundingRect()
        assert all(inside.left() <= place.left() and place.right() <= inside.right() for place in places), points
        assert not any(one.intersects(other) for one, other in pairwise(places)), points


def test_keys_move_along_the_points_and_say_their_values(view: ZoomChart) -> None:
    said: list[str] = []
    view.pointed.connect(said.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_PageUp):
        QTest.keyClick(view, key)
    assert said == [f"{number} squared is {number**2}" for number in (1, 2, 100, 99, 89)]
    assert view.accessibleDescription() == said[-1]
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface is not None
    assert interface.text(QAccessible.Text.Name) == "Squares"
    assert interface.text(QAccessible.Text.Description) == said[-1]


def test_the_pointer_marks_the_nearest_point(view: ZoomChart, qtbot: QtBot) -> None:
    plot = view.childAt(QPoint(240, 140))
    assert plot is not None
    QTest.mouseMove(plot, QPoint(240, 140))
    qtbot.waitUntil(lambda: view.point is not None)
    assert view.point is not None and 20 < view.point < 80


def test_keys_zoom_around_the_point_and_show_everything_again(view: ZoomChart) -> None:
    whole = view.shown_points
    QTest.keyClick(view, Qt.Key.Key_End)
    for _ in range(5):
        QTest.keyClick(view, Qt.Key.Key_Plus)
    first, last = view.shown_points
    assert last - first < (whole[1] - whole[0]) / 2 and first < 100 < last
    QTest.keyClick(view, Qt.Key.Key_Home)
    first, last = view.shown_points
    assert first < 1 < last
    QTest.keyClick(view, Qt.Key.Key_0)
    assert view.shown_points == pytest.approx(whole)


@pytest.mark.parametrize("kind", ["logarithmic", "has_bars"])
def test_other_charts_are_drawn_and_saved(view: ZoomChart, kind: str) -> None:
    chart = chart_of(**{kind: True})
    view.show_chart(chart)
    assert painted_image(view.paint, view.size()).size() == view.size() * 2
    assert b"Squares" in painted_svg(view.paint, view.size(), chart.title)
    assert chart.as_csv().splitlines()[:2] == ["number,squares,halves", "1,1,0.5"]
    assert (view.shown_points[1] < 3) is (kind == "logarithmic")


def test_nothing_can_be_shown(view: ZoomChart) -> None:
    view.show_chart(None)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.point is None and view.accessibleDescription() == ""
