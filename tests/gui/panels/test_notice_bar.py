"""The newest notice is shown alone; none that offers something is lost, and each can be dismissed."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.panels.notice_bar import NoticeBar

_LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[NoticeBar]:
    window = QWidget()
    qtbot.addWidget(window)
    bar = NoticeBar(Theme("light"), window)
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addWidget(QWidget(), 1)
    window.resize(600, 300)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    yield bar
    window.close()


def buttons(bar: NoticeBar) -> dict[str, QPushButton]:
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def test_the_newest_is_shown_alone_and_offers_come_back(bar: NoticeBar) -> None:
    taken: list[str] = []
    assert bar.isHidden()
    bar.show_message("removed a", [("Undo a", lambda: taken.append("a"))])
    bar.show_message("removed b", [("Undo b", lambda: taken.append("b"))])
    bar.show_message("copied")
    assert bar.messages == ["removed a", "removed b", "copied"]
    assert shown(bar) == ["copied"]
    bar.clear_words()
    assert shown(bar) == ["removed b"]
    buttons(bar)["Undo b"].click()
    assert taken == ["b"]
    assert shown(bar) == ["removed a"]
    buttons(bar)["Undo a"].click()
    assert taken == ["b", "a"]
    assert bar.isHidden()


def test_equal_notices_do_not_pile_up(bar: NoticeBar) -> None:
    taken: list[int] = []
    for number in range(3):
        bar.show_message("removed", [("Undo", partial(taken.append, number))])
        bar.show_message("cannot be read")
    assert bar.messages == ["removed", "cannot be read"]
    bar.clear_words()
    buttons(bar)["Undo"].click()
    assert taken == [2], "the last offer counts"


def test_too_many_push_out_the_oldest_without_an_offer(bar: NoticeBar) -> None:
    bar.show_message("first", [("Undo", list)])
    for number in range(5):
        bar.show_message(f"word {number}")
    assert bar.messages == ["first", "word 3", "word 4"]
    for number in range(5):
        bar.show_message(f"offer {number}", [("Undo", list)])
    assert bar.messages == ["offer 2", "offer 3", "offer 4"]


def test_each_can_be_dismissed_by_button_and_by_escape(bar: NoticeBar) -> None:
    for name in ("one", "two", "three"):
        bar.show_message(name, [(f"Undo {name}", list)])
    button = buttons(bar)["Undo three"]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Escape)
    assert bar.messages == ["one", "two"]
    assert close_button(bar).accessibleName()
    QTest.mouseClick(close_button(bar), _LEFT)
    assert bar.messages == ["one"]


def test_several_take_no_more_height_than_one(bar: NoticeBar) -> None:
    heights = []
    for name in ("one", "two", "three"):
        bar.show_message(name, [("Undo", list)])
        heights.append((bar.minimumSizeHint().height(), bar.sizeHint().height()))
    assert len(set(heights)) == 1
    assert heights[0][0] == heights[0][1] > 0


def test_a_second_click_does_not_reach_what_comes_into_the_place_of_a_notice(qtbot: QtBot, bar: NoticeBar) -> None:
    for name in ("one", "two"):
        bar.show_message(name, [("Undo", list)])
    for left in (["one"], []):
        button = close_button(bar)
        point = button.mapTo(bar.window(), button.rect().center())
        hover(bar, point)
        QTest.mouseClick(window_of(bar), _LEFT, pos=point)
        height = bar.height()
        QTest.mouseClick(window_of(bar), _LEFT, pos=point)
        assert bar.messages == left
        assert bar.isVisible() and bar.height() == height
        qtbot.waitUntil(lambda: not bar._settling.isActive())
    assert bar.isHidden()


def window_of(bar: NoticeBar) -> QWindow:
    """Return the window that gets the mouse from the system."""
    window = bar.window().windowHandle()
    assert window is not None
    return window


def hover(bar: NoticeBar, point: QPoint) -> None:
    """Move the mouse to a point of the window."""
    QTest.mouseMove(window_of(bar), point - QPoint(0, 30))
    QTest.mouseMove(window_of(bar), point)


def close_button(bar: NoticeBar) -> QToolButton:
    """Return the button that closes the notice in sight."""
    (button,) = (each for each in bar.findChildren(QToolButton, "noticeCloseButton") if each.isVisible())
    return button


def shown(bar: NoticeBar) -> list[str]:
    """Return the notices in sight, all of which must be whole."""
    labels = [label for label in bar.findChildren(SentenceLabel, "noticeLabel") if label.isVisible()]
    assert all(label.visibleRegion().boundingRect() == label.rect() for label in labels)
    return [label.text() for label in labels]


def test_a_notice_can_be_taken_away_twice(bar: NoticeBar) -> None:
    notice = bar.show_message("Reading…")
    assert bar.shows(notice)
    bar.dismiss(notice)
    bar.dismiss(notice)
    bar.dismiss(None)
    assert not bar.shows(notice)
    assert bar.isHidden()
