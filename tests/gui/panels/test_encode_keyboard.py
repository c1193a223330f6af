"""Every control of the encode panel can be reached and used by keys, and has an accessible name."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QMenu, QSpinBox, QTabBar, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.id_lists import IdStyle, format_ids
from tests.gui.support.widgets import child
from tests.gui.support.windows import SHIFT, open_page, press

ALWAYS = {
    "encodeInput",
    "tokenIdView",
    "whitespaceButton",
    "wordBoundariesButton",
    "colorModeButton",
    "splitterColorsButton",
    "plainSpecialTokensButton",
    "openTextButton",
    "pictureButton",
    "chatButton",
    "decodeIdsButton",
    "copyIdsButton",
    "tokenFactsBar",
}
ON_PAGES = {
    "Token": {"inspectorGoButton"},
    "Encoding": {"replayFirstButton", "replayBackButton", "replayTable"},  # the others are disabled at the end
    "Lineage": {"lineagePictureButton", "lineageTree", "lineageWordTable"},
    "Numbers": {"lineNumbersTable"},
}
INTERACTIVE = (QAbstractButton, QComboBox, QMenu, QSpinBox, QTabBar)


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.cursor.seek(12)
    window.session.text.set_content("lowest newest")
    return window


def shown_ids(window: MainWindow) -> list[int]:
    assert window.session.text.live.encoding is not None
    return window.session.text.live.encoding.ids


def panel(window: MainWindow) -> QWidget:
    return child(window, QWidget, "encodePanel")


def reached_by_tab(window: MainWindow, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> list[str]:
    """Return the widgets of the panel in the order in which Tab reaches them, once around the window."""
    start = child(window, QWidget, "encodeInput")
    start.setFocus()
    found: list[str] = []
    while (focused := QApplication.focusWidget()) is not None and (focused is not start or not found):
        if panel(window).isAncestorOf(focused):
            found.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab, modifiers)
        assert len(found) < 100, "Tab does not come back"
    return found


def test_tab_reaches_every_control(qtbot: QtBot, window: MainWindow) -> None:
    for page, controls in ON_PAGES.items():
        open_page(window, page)
        if page == "Encoding":
            qtbot.waitUntil(child(window, QWidget, "replayBackButton").isEnabled)
        assert set(reached_by_tab(window)) == ALWAYS | controls, page


def test_shift_tab_visits_the_controls_in_reverse_order(window: MainWindow) -> None:
    there, back = reached_by_tab(window), reached_by_tab(window, SHIFT)
    assert [there[0], *reversed(there[1:])] == back


def test_every_control_has_an_accessible_name(window: MainWindow) -> None:
    for page in ON_PAGES:
        open_page(window, page)
        controls = [
            widget
            for widget in panel(window).findChildren(QWidget)
            if widget.isVisible()
            and (widget.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(widget, INTERACTIVE))
            and widget.objectName() != "qt_tableview_cornerbutton"
        ]
        assert len(controls) >= len(ALWAYS), page
        assert [widget.objectName() for widget in controls if not widget.accessibleName()] == [], page


def test_arrow_keys_switch_pages(window: MainWindow) -> None:
    tabs = child(window, QTabWidget, "tokenFacts")
    for page in (1, 2, 3):
        press(window, "tokenFactsBar", Qt.Key.Key_Right)
        assert tabs.currentIndex() == page
    assert window.session.cursor.position == 12, "the arrows moved the cursor"


def test_the_copy_menu_opens_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    menu = child(window, QMenu, "copyIdsMenu")
    shown: list[bool] = []

    def choose() -> None:  # the menu runs its own event loop until it is closed
        shown.append(menu.isVisible())
        QTest.keyClick(menu, Qt.Key.Key_P)

    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, choose))
    press(window, "copyIdsButton", Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: shown == [True] and not menu.isVisible())
    assert QGuiApplication.clipboard().text() == format_ids(shown_ids(window), IdStyle.PYTHON)
