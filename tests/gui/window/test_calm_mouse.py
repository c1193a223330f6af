"""The wheel changes no box on its way past, and the right button moves nothing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QPlainTextEdit,
    QScrollBar,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.main_window import MainWindow
from tests.gui.support.widgets import child
from tests.gui.support.windows import editor, ids

NOTCHES = [120, -120]
RIGHT = Qt.MouseButton.RightButton
TABLES = ["pairTable", "mergeTable", "wordTable", "vocabularyTable", "documentList"]


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    """Return the window at a step in the middle of a run, with a text to encode and two documents."""
    window.actions_by_name["add_text"].trigger()
    window.session.corpus.edit_document(1, "more words and more")
    window.session.text.set_content("low lower lowest")
    window.session.restart()
    window.session.cursor.seek(8)
    window.session.cursor.seek(5)
    return window


def turn_wheel(widget: QWidget, notch: int) -> None:
    """Turn the wheel over a widget; one notch is 120."""
    place = QPointF(widget.rect().center())
    none, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, widget.mapToGlobal(place), QPoint(), QPoint(0, notch), buttons, none, phase, False)
    QApplication.sendEvent(widget, event)


def click_twice_right(widget: QWidget, place: QPoint) -> None:
    """Click twice with the right button, which QTest leaves pressed: the next test could not hover."""
    QTest.mouseDClick(widget, RIGHT, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(widget, RIGHT, Qt.KeyboardModifier.NoModifier, place)


def values(root: QWidget) -> dict[QWidget, int]:
    """Return the boxes and sliders of a window with their values; scroll bars are there to be scrolled."""
    sliders = (each for each in root.findChildren(QAbstractSlider) if not isinstance(each, QScrollBar))
    return {
        **{box: box.value() for box in root.findChildren(QSpinBox)},
        **{box: box.currentIndex() for box in root.findChildren(QComboBox)},
        **{slider: slider.value() for slider in sliders},
    }


@pytest.mark.parametrize("notch", NOTCHES)
def test_the_wheel_changes_no_box_without_the_focus(window: MainWindow, notch: int) -> None:
    before, position = values(window), window.session.cursor.position
    assert len(before) >= 5
    for box in before:
        child(window, QWidget, "mergeTable").setFocus()
        turn_wheel(box, notch)
        assert not box.hasFocus(), box
    assert values(window) == before
    assert window.session.cursor.position == position


def test_the_wheel_changes_the_box_that_has_the_focus(window: MainWindow) -> None:
    size = child(window, QSpinBox, "vocabSizeSpin")
    before = size.value()
    size.setFocus()
    turn_wheel(size, 120)
    assert size.value() == before + 1


@pytest.mark.parametrize("notch", NOTCHES)
def test_the_wheel_changes_no_switch_of_a_recipe(qtbot: QtBot, notch: int) -> None:
    dialog = RecipeDialog(Recipe.of("cs336"))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    before = values(dialog)
    assert len(before) >= 5
    child(dialog, QWidget, "saveRecipeButton").setFocus()
    for box in before:
        turn_wheel(box, notch)
    assert values(dialog) == before


def test_the_right_button_moves_nothing_in_a_table(window: MainWindow) -> None:
    session, step = window.session, window.session.cursor.position
    for name in TABLES:
        session.selection.clear()
        session.cursor.seek(step)
        table = child(window, QAbstractItemView, name)
        table.setCurrentIndex(table.model().index(0, 0))
        state = table.currentIndex().row(), table.selectionModel().selectedRows(), session.cursor.position
        below = table.visualRect(table.model().index(1, 0)).center()
        assert not below.isNull(), name
        QTest.mouseClick(table.viewport(), RIGHT, Qt.KeyboardModifier.NoModifier, below)
        click_twice_right(table.viewport(), below)
        assert (
            table.currentIndex().row(),
            table.selectionModel().selectedRows(),
            session.cursor.position,
        ) == state, name


def test_the_right_button_moves_no_caret(window: MainWindow) -> None:
    corpus, text, cells = child(window, QPlainTextEdit, "corpusEditor"), editor(window), ids(window)
    before = corpus.textCursor().position(), text.selection, cells.selection
    for viewport in (corpus.viewport(), text.viewport(), cells.viewport()):
        place = QPoint(60, 12)
        QTest.mouseClick(viewport, RIGHT, Qt.KeyboardModifier.NoModifier, place)
        click_twice_right(viewport, place)
    assert (corpus.textCursor().position(), text.selection, cells.selection) == before
