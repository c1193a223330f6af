"""Keys of menus: shortcuts work in editors, and access keys are unique in every menu and dialog, in each language."""

import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe, Tokenizer, train
from bpe_gui.gui.dialogs.decode_dialog import DecodeDialog
from bpe_gui.gui.dialogs.export_dialog import ExportDialog
from bpe_gui.gui.dialogs.open_pattern_dialog import OpenPatternDialog
from bpe_gui.gui.dialogs.picture_dialogs import PictureDialog
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.dialogs.tokenizer_dialogs import MergeDialog, RanksDialog
from bpe_gui.gui.look.theme import Theme, has_ring
from bpe_gui.gui.look.widgets import without_mnemonic
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.settings import Settings, Workspace
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.editor import keys as caret_keys
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.tokens import ColorMode
from bpe_gui.gui.window.actions import ACTIONS, usual_text
from bpe_gui.gui.wording.language import LANGUAGES, install_language
from bpe_gui.samples import samples
from tests.gui.support.token_sources import source_of
from tests.gui.support.widgets import child
from tests.gui.support.windows import CONTROL, editor

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


@pytest.mark.parametrize(("widget", "plays"), [("pairTable", 1), ("recipeButton", 0), ("recipeCombo", 0)])
def test_space_plays_unless_a_button_or_a_list_has_the_focus(window: MainWindow, widget: str, plays: int) -> None:
    assert count_triggers(window, widget, "play", "Space") == plays


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


def test_a_field_leaves_the_key_of_export_to_the_window(window: MainWindow) -> None:
    class FieldOnX11(QLineEdit):
        def event(self, event: QEvent) -> bool:
            event.setAccepted(event.type() == QEvent.Type.ShortcutOverride)
            return event.isAccepted() or super().event(event)

    field = FieldOnX11(window)
    field.show()
    field.setFocus()
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_E, CONTROL)
    event.ignore()
    QApplication.sendEvent(field, event)
    assert not event.isAccepted()


_KEY = re.compile(r"&(?!&)(.)")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    install_language(qapp, request.param)
    yield request.param
    install_language(qapp, "en")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower widest newest", recipe="tiktoken", num_merges=6)


def key_of(text: str) -> str:
    """Return the access key of a text in upper case; nothing if it has none."""
    found = _KEY.search(text.replace("&&", ""))
    return found[1].upper() if found else ""


def repeated(texts: list[str]) -> dict[str, list[str]]:
    """Return the access keys that several of the texts have."""
    keys = Counter(filter(None, map(key_of, texts)))
    return {key: [text for text in texts if key_of(text) == key] for key, count in keys.items() if count > 1}


def without_key(texts: list[str]) -> list[str]:
    return [text for text in texts if text and not key_of(text)]


def entries(menu: QMenu | QMenuBar) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_keys_of_texts_are_found() -> None:
    assert [key_of(text) for text in ("&Open", "打开(&o)", "Fish && &chips", "R&&D", "none")] == ["O", "O", "C", "", ""]


def test_menus(qtbot: QtBot, language: str) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    roles = {name: action.menuRole() for name, action in window.actions_by_name.items()}
    assert (roles["about"], roles["quit"]) == (QAction.MenuRole.AboutRole, QAction.MenuRole.QuitRole)
    bar = window.menuBar()
    menus = [menu for menu in bar.findChildren(QMenu) if menu.actions()]
    assert len(menus) >= 6
    assert repeated(entries(bar)) == {} and without_key(entries(bar)) == []
    for menu in (*menus, *window.findChildren(QMenu), editor(window).context_menu()):
        assert repeated(entries(menu)) == {}, menu.title()
    for action in bar.actions():
        top = action.menu()
        assert isinstance(top, QMenu)
        assert without_key(entries(top)) == [], top.title()
    window.close()


@pytest.mark.parametrize("kind", ["decode", "export", "merge", "pattern", "picture", "ranks", "recipe"])
def test_dialogs(qtbot: QtBot, language: str, tokenizer: Tokenizer, tmp_path: Path, kind: str) -> None:
    exporter = TokenizerExporter()
    made: dict[str, QDialog] = {
        "decode": DecodeDialog(tokenizer, Theme("light"), None),
        "export": ExportDialog(tokenizer, ProofTexts(), exporter, Settings(), None, name="Main run"),
        "merge": MergeDialog(tokenizer, "file", lambda _window: None),
        "pattern": OpenPatternDialog(tmp_path),
        "picture": PictureDialog(Theme("light"), source_of(["low", "er"]), (0, 5), None, ColorMode.BY_TOKEN, False),
        "ranks": RanksDialog("a.tiktoken", "gpt2", {}, tokenizer.vocab),
        "recipe": RecipeDialog(Recipe.of("cs336")),
    }
    for dialog in made.values():
        qtbot.addWidget(dialog, before_close_func=lambda widget: widget.reject())
    dialog = made[kind]
    dialog.show()
    assert repeated(texts_of(dialog)) == {}


def texts_of(dialog: QWidget) -> list[str]:
    """Return the texts in a dialog that may have an access key."""
    buttons = [button.text() for button in dialog.findChildren(QAbstractButton) if button.isVisibleTo(dialog)]
    labels = [label.text() for label in dialog.findChildren(QLabel) if label.buddy() and label.isVisibleTo(dialog)]
    tabs = [bar.tabText(number) for bar in dialog.findChildren(QTabBar) for number in range(bar.count())]
    return [*buttons, *labels, *tabs]


def test_the_focus_is_shown_after_keys_only(window: MainWindow) -> None:
    pairs, words = child(window, Table, "pairTable"), child(window, Table, "wordTable")
    handle, button = window.windowHandle(), child(window, QAbstractButton, "exploreButton")
    assert handle is not None and not has_ring(pairs)
    QTest.keyClick(pairs, Qt.Key.Key_Down)
    assert has_ring(pairs)
    QTest.keyClick(handle, Qt.Key.Key_Tab)
    QTest.keyClick(handle, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert words.hasFocus() and has_ring(words)
    place = button.mapTo(window, button.rect().center())
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, pos=place)
    assert pairs.hasFocus() and not has_ring(pairs)


def test_left_at_the_beginning_of_a_run_goes_nowhere(window: MainWindow) -> None:
    window.step()
    window.session.cursor.step_back()
    merges = child(window, Table, "mergeTable")
    merges.setFocus()
    QTest.keyClick(merges, Qt.Key.Key_Left)
    assert window.session.cursor.position == 0


def test_an_opened_sample_can_be_stepped_at_once(window: MainWindow) -> None:
    window.activateWindow()
    child(window, QWidget, "encodeInput").setFocus()
    window.open_sample(samples()[0])
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Right)
    assert window.session.cursor.position == 1


def takes_ends(widget: QWidget) -> bool:
    """Return whether Home and End mean something in a widget: lists, boxes and fields."""
    kinds = QAbstractItemView | QComboBox | QAbstractSpinBox | QLineEdit | QPlainTextEdit | TokenEdit
    return isinstance(widget, kinds) and widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus


@pytest.mark.parametrize("workspace", ["explore", "compare"])
def test_home_and_end_belong_to_what_has_the_focus(window: MainWindow, workspace: Workspace) -> None:
    window.session.cursor.seek(3)
    window.choose_workspace(workspace)
    names = []
    for widget in filter(takes_ends, window.findChildren(QWidget)):
        widget.setFocus()
        for key in (Qt.Key.Key_End, Qt.Key.Key_Home) if widget.hasFocus() else ():
            names.append(widget.objectName())
            press_in(window, key)
            if widget.objectName() != "mergeTable":  # whose rows are the steps
                assert window.session.cursor.position == 3, widget.objectName()
            window.session.cursor.seek(3)
    assert len(names) >= 6


def test_home_and_end_go_to_the_ends_of_a_list_and_with_alt_to_those_of_the_run(window: MainWindow) -> None:
    vocabulary = child(window, Table, "vocabularyTable")
    vocabulary.setFocus()
    for key, row in ((Qt.Key.Key_End, vocabulary.table_model.rowCount() - 1), (Qt.Key.Key_Home, 0)):
        press_in(window, key)
        assert vocabulary.currentIndex().row() == row
        assert vocabulary.viewport().rect().contains(vocabulary.visualRect(vocabulary.currentIndex()).center())
    press_in(window, Qt.Key.Key_End, Qt.KeyboardModifier.AltModifier)
    assert window.session.cursor.position == 12
    press_in(window, Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    assert window.session.cursor.position == 0


def press_in(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key as the system would, so that shortcuts get it first."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, key, modifiers)


def test_every_key_of_an_action_is_listed_once(window: MainWindow) -> None:
    window.show_keys()
    shown = child(child(window, QDialog, "keysBox"), QScrollArea, "keysList").widget()
    assert isinstance(shown, QLabel)
    for name, action in window.actions_by_name.items():
        text = escape(without_mnemonic(usual_text(name)))
        assert shown.text().count(f"<td>{text}</td>") == bool(action.shortcuts()), name


def test_keys_are_found_by_words(window: MainWindow) -> None:
    window.show_keys()
    box = child(window, QDialog, "keysBox")
    field, shown = child(box, QLineEdit, "keysField"), child(box, QScrollArea, "keysList").widget()
    assert isinstance(shown, QLabel)
    assert box.focusWidget() is field
    QTest.keyClicks(field, "ctrl+t")
    assert re.findall("<td>([^<]+)</td></tr>", shown.text()) == ["Train", "Go to the next detail page"]
    field.setText("undo last merge")  # words of a tooltip
    assert "Step back" in shown.text()
    field.setText("export open")  # a word of the action, and one of the title of its group
    assert "Export tokenizer" in shown.text()
    field.setText("export nothing")
    assert shown.text() == "No key and no action has these words."
