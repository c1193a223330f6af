"""Notices lie over the window, the newest on top; each can be dismissed, and nothing else moves."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.layouts import MARGIN
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.panels.notice_bar import NoticeBar, NoticeStack

_LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[NoticeBar]:
    window = QWidget()
    qtbot.addWidget(window)
    QPushButton("below", window).setGeometry(0, 0, 600, 300)
    bar = NoticeBar(Theme("light"), window)
    NoticeStack(window, bar)
    window.resize(600, 300)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    yield bar
    window.close()


def buttons(bar: NoticeBar) -> dict[str, QPushButton]:
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def test_the_newest_is_on_top_and_each_has_its_own_offer(qtbot: QtBot, bar: NoticeBar) -> None:
    taken: list[str] = []
    assert bar.isHidden()
    bar.show_message("removed a", [("Undo a", lambda: taken.append("a"))])
    bar.show_message("removed b", [("Undo b", lambda: taken.append("b"))])
    bar.show_message("cannot be read")
    assert bar.messages == ["removed a", "removed b", "cannot be read"]
    qtbot.waitUntil(lambda: shown(bar) == ["cannot be read", "removed b", "removed a"])
    bar.clear_words()
    qtbot.waitUntil(lambda: shown(bar) == ["removed b", "removed a"])
    buttons(bar)["Undo a"].click()
    assert taken == ["a"]
    assert bar.messages == ["removed b"]
    buttons(bar)["Undo b"].click()
    assert taken == ["a", "b"]
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


def test_each_can_be_dismissed_by_button_and_by_escape(qtbot: QtBot, bar: NoticeBar) -> None:
    for name in ("one", "two", "three"):
        bar.show_message(name, [(f"Undo {name}", list)])
    button = buttons(bar)["Undo three"]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Escape)
    assert bar.messages == ["one", "two"]
    qtbot.waitUntil(lambda: shown(bar) == ["two", "one"])
    assert close_buttons(bar)[0].accessibleName()
    QTest.mouseClick(close_buttons(bar)[0], _LEFT)
    assert bar.messages == ["one"]


def test_they_lie_over_the_lower_right(qtbot: QtBot, bar: NoticeBar) -> None:
    window = bar.window()
    bar.show_message("What has happened, in a sentence that needs more than one line. " * 3, [("Undo", list)])
    stack = bar.parentWidget()
    assert stack is not None
    corner = QPoint(window.width(), window.height()) - QPoint(MARGIN, MARGIN)
    qtbot.waitUntil(lambda: stack.geometry().bottomRight() + QPoint(1, 1) == corner and len(shown(bar)) == 1)
    window.resize(300, 200)
    corner = QPoint(300, 200) - QPoint(MARGIN, MARGIN)
    qtbot.waitUntil(lambda: stack.geometry().bottomRight() + QPoint(1, 1) == corner)
    assert window.rect().contains(stack.geometry())


def is_in_place(bar: NoticeBar) -> bool:
    """Return whether the notices lie where they will, at the lower right of the window."""
    stack, window = bar.parentWidget(), bar.window()
    assert stack is not None
    corner = QPoint(window.width(), window.height()) - QPoint(MARGIN, MARGIN)
    return stack.geometry().bottomRight() + QPoint(1, 1) == corner and stack.height() == stack.sizeHint().height()


def test_a_second_click_does_not_reach_what_comes_into_the_place_of_a_notice(qtbot: QtBot, bar: NoticeBar) -> None:
    (below,) = (button for button in bar.window().findChildren(QPushButton) if button.text() == "below")
    pressed: list[bool] = []
    below.clicked.connect(pressed.append)
    for name in ("one", "two"):
        bar.show_message(name, [("Undo", list)])
    for name, left in (("two", ["one"]), ("one", [])):
        qtbot.waitUntil(lambda name=name: shown(bar)[:1] == [name] and is_in_place(bar))  # type: ignore[misc]
        button = close_buttons(bar)[0]
        point = button.mapTo(bar.window(), button.rect().center())
        hover(bar, point)
        QTest.mouseClick(window_of(bar), _LEFT, pos=point)
        height = bar.height()
        QTest.mouseClick(window_of(bar), _LEFT, pos=point)
        assert bar.messages == left
        assert bar.isVisible() and bar.height() == height
        qtbot.waitUntil(lambda: not bar._settling.isActive())
    assert bar.isHidden() and not pressed


def window_of(bar: NoticeBar) -> QWindow:
    """Return the window that gets the mouse from the system."""
    window = bar.window().windowHandle()
    assert window is not None
    return window


def hover(bar: NoticeBar, point: QPoint) -> None:
    """Move the mouse to a point of the window."""
    QTest.mouseMove(window_of(bar), point - QPoint(0, 30))
    QTest.mouseMove(window_of(bar), point)


def close_buttons(bar: NoticeBar) -> list[QToolButton]:
    """Return the buttons that close the notices in sight, from the top."""
    found = (each for each in bar.findChildren(QToolButton, "noticeCloseButton") if each.isVisible())
    return sorted(found, key=lambda button: button.mapTo(bar, QPoint()).y())


def shown(bar: NoticeBar) -> list[str]:
    """Return the notices that are in sight as a whole, from the top."""
    labels = [label for label in bar.findChildren(SentenceLabel, "noticeLabel") if label.isVisible()]
    whole = [label for label in labels if label.visibleRegion().boundingRect() == label.rect()]
    return [label.text() for label in sorted(whole, key=lambda label: label.mapTo(bar, QPoint()).y())]


def test_a_notice_can_be_taken_away_twice(bar: NoticeBar) -> None:
    notice = bar.show_message("Reading…")
    assert bar.shows(notice)
    bar.dismiss(notice)
    bar.dismiss(notice)
    bar.dismiss(None)
    assert not bar.shows(notice)
    assert bar.isHidden()
