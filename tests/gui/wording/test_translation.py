"""Every text of the window is translated to Chinese, completely and up to date."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, SPLITTERS
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects.unsaved_changes import ask_to_save
from bpe_gui.gui.wording.language import install_language
from bpe_gui.resources import resource
from tests.engine.support.error_classes import engine_errors
from tests.gui.support.qt_tools import run_qt_tool
from tests.gui.support.widgets import child

PACKAGE = Path(__file__).parents[3] / "bpe_gui"
CATALOGUE = resource("i18n", "bpe_gui_zh_CN.ts")
# Names, and the names of Unicode characters, are the same in both languages.
SAME_IN_BOTH = re.compile(r"bpe-gui|English|U\+[0-9A-F]{4,} [A-Z -]+|system|developer|user|assistant|tool")

Message = tuple[str, str]


def messages(path: Path) -> dict[Message, ElementTree.Element]:
    root = ElementTree.parse(path).getroot()
    return {
        (context.findtext("name", ""), message.findtext("source", "")): message
        for context in root.iter("context")
        for message in context.iter("message")
        if (translation := message.find("translation")) is not None and translation.get("type") != "vanished"
    }


def test_no_text_is_missing_from_the_catalogue(tmp_path: Path) -> None:
    found = tmp_path / "found.ts"
    root = PACKAGE.parent  # Windows limits the length of a command, so paths are relative
    sources = [path.relative_to(root) for path in sorted(PACKAGE.rglob("*.py")) if "cli" not in path.parts]
    aliases = ["QT_TRANSLATE_NOOP+=_", *(f"QT_TR_NOOP+={name}" for name in engine_errors())]
    run_qt_tool("lupdate", "-tr-function-alias", ",".join(aliases), *sources, "-ts", found, folder=root)
    missing = messages(found).keys() - messages(CATALOGUE).keys()
    assert not missing, "run the command in ARCHITECTURE.md to collect new texts, then translate them"
    assert len(messages(found)) > 200


def test_no_translation_is_unfinished() -> None:
    for (context, source), message in messages(CATALOGUE).items():
        translation = message.find("translation")
        assert translation is not None
        assert translation.get("type") is None, (context, source)
        assert translation.text, (context, source)


def test_translations_have_the_placeholders_of_their_sources() -> None:
    placeholder = re.compile(r"\{\w*")
    for (context, source), message in messages(CATALOGUE).items():
        translated = message.findtext("translation", "")
        assert sorted(placeholder.findall(source)) == sorted(placeholder.findall(translated)), (context, source)


def test_the_compiled_catalogue_is_up_to_date(tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.qm"
    run_qt_tool("lrelease", CATALOGUE, "-qm", compiled)
    assert compiled.read_bytes() == CATALOGUE.with_suffix(".qm").read_bytes()


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    assert install_language(qapp, "zh_CN") == "zh_CN"
    yield
    install_language(qapp, "en")


def test_the_window_in_chinese_shows_no_english(qtbot: QtBot, chinese: None) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    english = {text for text in texts_of(window) if re.search("[A-Za-z]{3}", text) and not re.search("[一-鿿]", text)}
    names = {*PRESETS, *SPLITTERS}
    assert not {text for text in english if text not in names and not SAME_IN_BOTH.fullmatch(text)}


def texts_of(window: QWidget) -> Iterator[str]:
    for action in window.findChildren(QAction):
        yield action.text()
        yield action.toolTip()
    for widget in window.findChildren(QWidget):
        yield widget.toolTip()
        yield widget.accessibleName()
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(index) for index in range(widget.count()))


def test_the_texts_of_qt_are_chinese(qapp: QApplication, chinese: None) -> None:
    assert qapp.translate("QPlatformTheme", "Cancel") == "取消"


def test_the_question_about_changes_does_not_speak_of_throwing_away(qtbot: QtBot, chinese: None) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    ask_to_save(window, "句子", window.repaint, window.repaint, is_new=False)
    box = child(window, QMessageBox, "saveQuestion")
    assert box.button(QMessageBox.StandardButton.Discard).text() == "不保存"
    box.reject()
