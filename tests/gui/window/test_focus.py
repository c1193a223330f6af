"""The focus and links can be seen on everything that can have them, in both themes."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.look.theme import Theme, ThemeChoice
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.system.settings import Workspace
from tests.gui.support.dialogs import DIALOGS
from tests.gui.support.widgets import child
from tests.gui.support.windows import open_window

_AROUND = 2  # pixels outside a widget that may show its focus
_MIN = 8  # pixels in the accent colour


@pytest.fixture(params=["light", "dark"])
def window(request: pytest.FixtureRequest, window: MainWindow) -> Iterator[MainWindow]:
    choice: ThemeChoice = request.param
    window.choose_theme(choice)
    window.session.corpus.add_documents([CorpusDocument("text", TextDocument("low lower lowest " * 9))])
    window.session.cursor.seek(3)
    window.session.text.set_content("lowest lower")
    yield window
    window.choose_theme("light")


def focusable(parent: QWidget) -> list[QWidget]:
    """Return the visible widgets that Tab leads to."""
    return [
        widget
        for widget in parent.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not widget.size().isEmpty()
        and not widget.objectName().startswith("qt_")
    ]


def accent_pixels(image: QImage, accent: QColor) -> int:
    """Return how many pixels of an image have a colour."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32)
    return int(np.count_nonzero((pixels & 0xFFFFFF) == (accent.rgb() & 0xFFFFFF)))


def bring_into_view(widget: QWidget) -> None:
    """Scroll as far as Tab does, which `setFocus` does not."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def unseen(parent: QWidget, accent: QColor, rest: QWidget) -> list[str]:
    """Return the names of the widgets that look the same with the focus as without; `rest` has it meanwhile."""
    found = []
    for widget in focusable(parent):
        if widget is rest:
            continue
        bring_into_view(widget)
        area = QRect(widget.mapTo(parent, QPoint()), widget.size()).adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        rest.setFocus()
        before = accent_pixels(parent.grab(area).toImage(), accent)
        widget.setFocus()
        assert QApplication.focusWidget() is widget, widget.objectName()
        if accent_pixels(parent.grab(area).toImage(), accent) < before + _MIN:
            found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found


def press_any_key(window: QWidget) -> None:
    """The focus is shown after keys only."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, Qt.Key.Key_Shift)


def test_the_focus_can_be_seen_in_the_window(window: MainWindow) -> None:
    press_any_key(window)
    accent = Theme(window._theme.choice).color("accent")
    pages = child(window, QTabWidget, "tokenFacts")
    for page in range(pages.count()):
        pages.setCurrentIndex(page)
        QApplication.processEvents()
        names = [widget.objectName() for widget in focusable(window)]
        assert {"pairTable", "mergeTable", "vocabularyTable", "tokenIdView", "encodeInput"} <= set(names)
        assert unseen(window, accent, child(window, QWidget, "corpusEditor")) == []
        assert unseen(pages, accent, child(window, QWidget, "corpusEditor")) == []


def test_the_focus_can_be_seen_in_dialogs(window: MainWindow, qtbot: QtBot) -> None:
    accent = Theme(window._theme.choice).color("accent")
    window.actions_by_name["export"].trigger()
    window.actions_by_name["recipe"].trigger()
    for name in ("decodeIdsButton", "pictureButton"):
        child(window, QAbstractButton, name).click()
    window.show_keys()
    dialogs = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    assert len(dialogs) == 5
    for dialog in dialogs:
        dialog.setModal(False)
    alone = []  # whose only control keeps the focus
    for dialog in dialogs:
        dialog.activateWindow()
        dialog.raise_()
        qtbot.waitUntil(lambda dialog=dialog: QApplication.activeWindow() is dialog)  # type: ignore[misc]
        press_any_key(dialogs[-1])  # the modal one
        if isinstance(dialog, RecipeDialog):
            for area in dialog.findChildren(QScrollArea):
                area.ensureVisible(0, 0)
        rest, *others = focusable(dialog)
        if others:
            assert unseen(dialog, accent, rest) == [], type(dialog).__name__
        else:
            alone.append(dialog.objectName())
    assert len(alone) <= 1, alone
    for dialog in dialogs:
        dialog.reject()


_MOST = 300  # widgets that Tab passes; more means that it never returns


def tab_stops(window: QWidget, key: Qt.Key) -> list[QWidget]:
    """Return the widgets that Tab leads to, or Shift+Tab, until it is back where it began or goes round elsewhere."""
    handle, start = window.windowHandle(), QApplication.focusWidget()
    assert handle is not None and start is not None
    stops = [start]
    while len(stops) < _MOST:
        QTest.keyClick(handle, key)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused is start and stops[-1] is not start:  # links of one label are several stops
            break
        stops.append(focused)
    return stops


def font_of(widget: QWidget) -> tuple[str, int, int]:
    font = widget.font()
    return font.family(), font.pointSize(), font.weight()


def check_tab(window: QWidget) -> None:
    """Check that Tab and Shift+Tab reach all there is and leave it again, and that the focus changes no font."""
    QApplication.processEvents()
    fonts = {widget: font_of(widget) for widget in focusable(window)}
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        before, stops = focusable(window), tab_stops(window, key)
        stayed = [widget for widget in focusable(window) if widget in before]  # others come and go with results
        assert [widget.objectName() for widget in stayed if widget not in stops] == [], key
        assert len(stops) < _MOST, key
    assert [widget.objectName() for widget, font in fonts.items() if font_of(widget) != font] == []
    by_mouse = [button.objectName() for button in window.findChildren(QAbstractButton) if button.isVisible()]
    by_key = [widget.objectName() for widget in window.findChildren(QAbstractButton) if _takes_tab(widget)]
    assert set(by_mouse) - set(by_key) == set()


def _takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


@pytest.mark.parametrize("workspace", ["explore", "learn", "compare", "report"])
def test_tab_reaches_everything_and_leaves_it_again(qtbot: QtBot, workspace: Workspace) -> None:
    window = open_window(qtbot)
    window.choose_workspace(workspace)
    check_tab(window)
    for pages in window.findChildren(QTabWidget):
        for page in range(pages.count() if pages.isVisible() else 0):
            pages.setCurrentIndex(page)
            check_tab(window)
    window.close()


@pytest.mark.parametrize("kind", DIALOGS)
def test_tab_reaches_everything_in_dialogs(qtbot: QtBot, tmp_path: Path, kind: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    Theme("light").style(parent)
    dialog = DIALOGS[kind](parent, tmp_path)
    with qtbot.waitActive(dialog):
        dialog.show()
    check_tab(dialog)
    for pages in dialog.findChildren(QTabWidget):
        for page in range(pages.count()):
            pages.setCurrentIndex(page)
            check_tab(dialog)
    dialog.done(QDialog.DialogCode.Rejected)


def test_no_font_changes_with_the_theme_or_the_tokenizer(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    window.actions_by_name["recipe"].trigger()
    window.session.corpus.remove_document(0)  # which shows the card to start with
    QApplication.processEvents()
    fonts = {widget: font_of(widget) for widget in window.findChildren(QWidget) if _takes_tab(widget)}
    for choice in ("dark", "light"):
        window.choose_theme(choice)
        QApplication.processEvents()
        assert [widget.objectName() for widget, font in fonts.items() if font_of(widget) != font] == []
    window.close()


def focused_name() -> str:
    focused = QApplication.focusWidget()
    return "" if focused is None else focused.objectName()


def press_space(button: QWidget) -> None:
    """Press a button with the keyboard, for which it needs the focus."""
    button.setFocus()
    assert QApplication.focusWidget() is button
    QTest.keyClick(button, Qt.Key.Key_Space)


def test_the_focus_returns_from_a_button_that_goes_away(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    for name in ("recoveryBar", "noticeBar"):
        bar = child(window, NoticeBar, name)
        bar.show_message("A file has changed.", [("Reload", lambda: None)])
        (offer,) = (button for button in bar.findChildren(QPushButton) if button.isVisible())
        child(window, QWidget, "encodeInput").setFocus()
        press_space(offer)
        assert focused_name() == "encodeInput", name
    bar.show_message("Copied.")
    child(window, QWidget, "recipeCombo").setFocus()
    press_space(next(button for button in bar.findChildren(QToolButton) if button.isVisible()))
    assert focused_name() == "encodeInput", "a box whose choice the next key changes does not count"

    window.session.cursor.last()
    window.session.cursor.step_back()
    child(window, QWidget, "corpusEditor").setFocus()
    press_space(child(window, QToolButton, "stepButton"))  # to the end of the run, where it is disabled
    assert focused_name() == "corpusEditor"
    child(window, QWidget, "corpusPanel").hide()
    child(window, QWidget, "encodePanel").hide()
    assert focused_name() == "pairTable"
    window.close()


@pytest.mark.parametrize("workspace", ["explore", "learn", "compare", "report"])
def test_no_key_changes_a_value_after_a_button_was_pressed_that_goes_away(qtbot: QtBot, workspace: Workspace) -> None:
    window = open_window(qtbot)
    window.session.cursor.seek(2)
    window.choose_workspace(workspace)
    for button in [each for each in focusable(window) if isinstance(each, QAbstractButton)]:
        child(window, QAbstractSpinBox, "vocabSizeSpin").setFocus()  # as after a change of the size
        button.setFocus()
        button.setEnabled(False)
        assert not isinstance(QApplication.focusWidget(), QAbstractSpinBox | QComboBox), button.objectName()
        button.setEnabled(True)
    window.close()


def test_the_focus_stays_on_a_button_that_works(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    window.session.cursor.seek(2)
    window.choose_workspace("report")
    child(window, QWidget, "encodeInput").setFocus()
    child(window, QTabWidget, "reportPages").setCurrentIndex(2)
    audit = child(window, QPushButton, "auditButton")
    press_space(audit)
    assert not audit.isEnabled()
    assert focused_name() == "auditButton"
    qtbot.waitUntil(audit.isEnabled)
    assert focused_name() == "auditButton"
    window.close()


@pytest.mark.parametrize("kind", DIALOGS)
def test_a_button_of_a_dialog_that_is_disabled_for_a_while_keeps_the_focus(
    qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = DIALOGS[kind](parent, tmp_path)
    with qtbot.waitActive(dialog):
        dialog.show()
    named = [each for each in dialog.findChildren(QPushButton) if each.objectName() and each.isVisible()]
    assert named or kind == "recipe"
    for button in named:
        button.setEnabled(True)
        button.setFocus()
        button.setEnabled(False)
        assert QApplication.focusWidget() is button, "Space would press another button, or a key would change a value"
        QTest.keyClick(button, Qt.Key.Key_Tab)
        assert QApplication.focusWidget() not in (None, button), "but Tab goes on"
    dialog.done(QDialog.DialogCode.Rejected)


def test_links_follow_the_theme(window: MainWindow) -> None:
    window.choose_workspace("learn")
    window.session.corpus.set_vocab_size(257)  # the alphabet's, so that the status line offers more
    window.session.cursor.seek(0)
    window.choose_theme("dark" if window.palette().window().color().lightness() > 127 else "light")
    QApplication.processEvents()
    labels = [label for label in window.findChildren(QLabel) if label.isVisible() and "<a " in label.text()]
    assert {"statusLine", "corpusLine"} <= {label.objectName() for label in labels}
    for label in labels:
        text, followed = label.text(), label.grab().toImage()
        label.setText("")
        label.setText(text)  # which gives links the colour of today
        assert label.grab().toImage() == followed, label.objectName()
