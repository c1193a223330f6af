"""Input methods learn where the caret is, in every field of the window and of its dialogs."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from tests.gui.support.dialogs import DIALOGS
from tests.gui.support.widgets import child
from tests.gui.support.windows import editor


def caret_for_input_methods(widget: QWidget) -> QRectF:
    """Return the rectangle in coordinates of the window, beside which candidates appear; an empty one if unknown."""
    widget.setFocus()
    assert QApplication.focusWidget() is widget, widget.objectName()
    return QGuiApplication.inputMethod().cursorRectangle()


def fields_without_caret(parent: QWidget) -> list[str]:
    """Return the visible fields whose caret an input method would not find inside them."""
    found = []
    for field in parent.findChildren(QWidget):
        accepts = field.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled) and field.focusProxy() is None
        if not accepts or not field.isVisible() or not field.isEnabled() or isinstance(field, QAbstractItemView):
            continue
        shown = QRectF(QPoint(), field.size()).translated(field.mapTo(field.window(), QPoint()))
        caret = caret_for_input_methods(field)
        if not caret.isValid() or not shown.contains(caret.center()):
            found.append(f"{type(field).__name__} {field.objectName()}")
    return found


@pytest.mark.parametrize("workspace", ["explore", "learn", "compare", "report"])
def test_fields_of_the_window(window: MainWindow, workspace: str) -> None:
    window.choose_workspace(workspace)  # type: ignore[arg-type]
    QApplication.processEvents()
    assert fields_without_caret(window) == []
    for pages in window.findChildren(QTabWidget):
        for page in range(pages.count() if pages.isVisible() else 0):
            pages.setCurrentIndex(page)
            QApplication.processEvents()
            assert fields_without_caret(pages) == []


@pytest.mark.parametrize("kind", DIALOGS)
def test_fields_of_dialogs(qtbot: QtBot, tmp_path: Path, kind: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = DIALOGS[kind](parent, tmp_path)
    with qtbot.waitActive(dialog):
        dialog.show()
    assert fields_without_caret(dialog) == []
    dialog.done(QDialog.DialogCode.Rejected)


@pytest.mark.parametrize("text", ["a few words " * 400, "lines\n" * 400, "字" * 4_000])
def test_the_caret_of_wrapped_and_scrolled_text(window: MainWindow, text: str) -> None:
    edit = editor(window)
    edit.setPlainText(text)
    before = caret_for_input_methods(edit)
    edit.set_caret(len(text.encode()))
    assert caret_for_input_methods(edit).center().y() > before.center().y()
    assert fields_without_caret(child(window, QWidget, "tokenView")) == []
