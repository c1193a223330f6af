"""The keys of the menus work wherever one types, but for those by which one edits."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QKeyCombination
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.window.actions import ACTIONS
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views import caret_text

from tests.gui.support.windows import CONTROL, child, open_window

_CONTROL_CHARACTERS = 0x1F
EDITING = {"Home", "End", "Left", "Right", "Space"}
KEYS = [(name, key) for name, spec in ACTIONS.items() for key in spec.keys if key not in EDITING]


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = open_window(qtbot)
    yield window
    window.close()


def presses(window: MainWindow, editor: str, name: str, keys: str) -> int:
    """How often an action is told to act, when its keys are pressed in an editor."""
    action, heard = window.actions_by_name[name], list[str]()
    action.triggered.disconnect()
    action.triggered.connect(lambda: heard.append(name))
    action.setEnabled(True)
    widget = child(window, QWidget, editor)
    widget.setFocus()
    combination = QKeySequence(keys)[0]  # type: ignore[index]  # which the stubs do not know
    assert isinstance(combination, QKeyCombination)
    key, modifiers = combination.key(), combination.keyboardModifiers()
    # With Ctrl a keyboard makes control characters, where QTest would make letters.
    text = chr(key & _CONTROL_CHARACTERS) if modifiers & CONTROL else ""
    QTest.sendKeyEvent(QTest.KeyAction.Click, widget, key, text, modifiers)
    return len(heard)


@pytest.mark.parametrize("editor", ["encodeInput", "corpusEditor"])
def test_the_keys_of_the_menus_work_in_the_editors(window: MainWindow, editor: str) -> None:
    assert {f"{name}: {keys}": presses(window, editor, name, keys) for name, keys in KEYS} == {
        f"{name}: {keys}": 1 for name, keys in KEYS
    }


def test_they_work_where_the_system_moves_the_caret_by_them(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As Ctrl+E does to the end of a line under X11, whose keys the tests do not have.
    moves = {**caret_text._MOVES, QKeySequence.StandardKey.Save: ("EndOfLine", False)}
    monkeypatch.setattr(caret_text, "_MOVES", moves)
    assert "Ctrl+S" in [keys.toString() for keys in QKeySequence.keyBindings(QKeySequence.StandardKey.Save)]
    assert presses(window, "encodeInput", "save_project", "Ctrl+S") == 1
