"""The shortcuts of the menus work while an editor has the focus, except the keys for editing."""

import pytest
from PySide6.QtCore import QKeyCombination
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.editor import keys as caret_keys
from bpe_gui.gui.window.actions import ACTIONS
from tests.gui.support.widgets import child
from tests.gui.support.windows import CONTROL

_CONTROL_CHARACTERS = 0x1F
MOVES = {"Home", "End", "Left", "Right", "Space"}
EDITING = MOVES | {"Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Y", "Ctrl+X", "Ctrl+C", "Ctrl+V", "Ctrl+A"}
KEYS = [(name, key) for name, spec in ACTIONS.items() for key in spec.keys if key not in EDITING]


def count_triggers(window: MainWindow, editor: str, name: str, keys: str) -> int:
    """Return how often pressing `keys` in an editor triggers an action."""
    action, triggers = window.actions_by_name[name], list[str]()
    action.triggered.disconnect()
    action.triggered.connect(lambda: triggers.append(name))
    action.setEnabled(True)
    widget = child(window, QWidget, editor)
    widget.setFocus()
    combination = QKeySequence(keys)[0]  # type: ignore[index]  # not in the stubs
    assert isinstance(combination, QKeyCombination)
    key, modifiers = combination.key(), combination.keyboardModifiers()
    # With Ctrl a keyboard produces control characters, while QTest would send letters.
    text = chr(key & _CONTROL_CHARACTERS) if modifiers & CONTROL else ""
    QTest.sendKeyEvent(QTest.KeyAction.Click, widget, key, text, modifiers)
    return len(triggers)


@pytest.mark.parametrize("editor", ["encodeInput", "corpusEditor"])
def test_shortcuts_work_in_the_editors(window: MainWindow, editor: str) -> None:
    assert {f"{name}: {keys}": count_triggers(window, editor, name, keys) for name, keys in KEYS} == {
        f"{name}: {keys}": 1 for name, keys in KEYS
    }


def test_shortcuts_win_over_the_systems_keys_for_moving_the_caret(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As Ctrl+E moves to the end of a line on X11, whose key bindings the offscreen platform lacks.
    moves = {**caret_keys.MOVES, QKeySequence.StandardKey.Save: ("EndOfLine", False)}
    monkeypatch.setattr(caret_keys, "MOVES", moves)
    assert "Ctrl+S" in [keys.toString() for keys in QKeySequence.keyBindings(QKeySequence.StandardKey.Save)]
    assert count_triggers(window, "encodeInput", "save_project", "Ctrl+S") == 1
