"""Every button of every dialog may be pressed while nothing is chosen, and every control has a name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine.formats import downloads
from bpe_gui.gui.jobs import JobRunner
from tests.gui.support.dialogs import DIALOGS, Make


@pytest.fixture(autouse=True)
def nothing_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Cancel all dialogs of the system, and open and download nothing."""
    for name in ("getOpenFileName", "getOpenFileNames", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_args, **_options: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args, **_options: "")
    monkeypatch.setattr(QFileDialog, "exec", lambda _dialog: 0)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    monkeypatch.setattr(downloads, "fetch_published", None)
    monkeypatch.chdir(tmp_path)


def empty(dialog: QDialog) -> None:
    """Empty every field, and choose nothing in every list."""
    for view in dialog.findChildren(QAbstractItemView):
        view.clearSelection()
    for box in dialog.findChildren(QComboBox):
        if box.isEditable():
            box.clearEditText()
    for line in dialog.findChildren(QLineEdit):
        line.clear()
    for editor in dialog.findChildren(QPlainTextEdit):
        if not editor.isReadOnly():
            editor.clear()


def opened(make: Make, parent: QWidget, folder: Path) -> QDialog:
    dialog = make(parent, folder)
    dialog.open()
    empty(dialog)
    return dialog


def buttons(dialog: QDialog) -> Iterator[tuple[int, QAbstractButton]]:
    """Yield the buttons that a user can press, and their places among all of them."""
    for index, button in enumerate(dialog.findChildren(QAbstractButton)):
        if button.isVisible() and button.isEnabled():
            yield index, button


@pytest.mark.parametrize("name", DIALOGS)
def test_every_button_may_be_pressed_while_nothing_is_chosen(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    parent = QMainWindow()
    qtbot.addWidget(parent)
    parent.show()
    dialog = opened(DIALOGS[name], parent, tmp_path)
    indices = [index for index, _button in buttons(dialog)]
    assert indices
    for index in indices:
        if not dialog.isVisible():
            dialog = opened(DIALOGS[name], parent, tmp_path)
        empty(dialog)
        pressable = dict(buttons(dialog))
        if index in pressable:
            pressable[index].click()
            for other in parent.findChildren(QDialog):
                if other is not dialog:
                    other.reject()
            QApplication.processEvents()
    for runner in parent.findChildren(JobRunner):
        runner.wait()
    dialog.reject()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", DIALOGS)
def test_a_screen_reader_finds_a_name_for_every_control(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    parent = QMainWindow()
    qtbot.addWidget(parent)
    dialog = DIALOGS[name](parent, tmp_path)
    kinds = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit)
    controls = [control for kind in kinds for control in dialog.findChildren(kind)]
    ours = [each for each in controls if each.objectName() and not each.objectName().startswith("qt_")]
    assert ours
    interfaces = {each.objectName(): QAccessible.queryAccessibleInterface(each) for each in ours}
    names = {each: interface.text(QAccessible.Text.Name) for each, interface in interfaces.items()}
    assert [each for each, text in names.items() if not text] == []
    dialog.reject()
