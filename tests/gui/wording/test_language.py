"""The right language is chosen, and everything is in that language."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QTreeView
from pytestqt.qtbot import QtBot

from bpe_gui.gui.wording import language
from bpe_gui.gui.wording.language import install_language, system_language
from tests.gui.support.qt_tools import run_qt_tool

SOURCE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context><name>TestPanel</name>
<message><source>Step</source><translation>单步</translation></message>
</context>
</TS>
"""


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application, which is English again after the test."""
    yield qapp
    install_language(qapp, "en")


@pytest.fixture
def translations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that replaces `resources/i18n`, with a small Chinese translation."""
    source = tmp_path / "bpe_gui_zh_CN.ts"
    source.write_text(SOURCE, "utf-8")
    run_qt_tool("lrelease", source, "-qm", source.with_suffix(".qm"))
    monkeypatch.setattr(language, "resource", lambda _folder, name: tmp_path / name)
    return tmp_path


def translated(context: str, text: str) -> str:
    return QCoreApplication.translate(context, text)


@pytest.mark.parametrize(
    ("preferred", "expected"),
    [
        (["zh-Hans-CN", "zh-CN", "zh"], "zh_CN"),
        (["zh"], "zh_CN"),
        (["zh_CN"], "zh_CN"),
        (["zh-Hans-SG"], "zh_CN"),
        (["zh-TW"], "zh_CN"),
        (["zh-Hant-HK"], "zh_CN"),
        (["en-GB", "en"], "en"),
        (["en-US", "zh-CN"], "en"),
        (["de-DE", "zh-CN", "en"], "zh_CN"),
        (["de-DE", "fr"], "en"),
        (["zha"], "en"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_language_that_the_system_prefers(preferred: list[str], expected: str) -> None:
    assert system_language(preferred) == expected


def test_our_texts_and_those_of_qt_are_translated(app: QApplication, translations: Path) -> None:
    assert install_language(app, "zh_CN") == "zh_CN"
    assert translated("TestPanel", "Step") == "单步"
    assert translated("QPlatformTheme", "Cancel") == "取消"


def test_switching_removes_the_earlier_language(app: QApplication, translations: Path) -> None:
    install_language(app, "zh_CN")
    install_language(app, "zh_CN")
    assert install_language(app, "en") == "en"
    assert translated("TestPanel", "Step") == "Step"
    assert translated("QPlatformTheme", "Cancel") == "Cancel"
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert app.findChildren(QTranslator) == []


def test_without_our_translation_everything_is_english(
    app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Neither Qt's own texts alone, nor a file of a similar name.
    (tmp_path / "bpe_gui_zh.qm").write_bytes(b"")
    monkeypatch.setattr(language, "resource", lambda _folder, name: tmp_path / name)
    assert install_language(app, "zh_CN") == "en"
    assert translated("QPlatformTheme", "Cancel") == "Cancel"


def test_a_damaged_translation_is_not_used(app: QApplication, translations: Path) -> None:
    (translations / "bpe_gui_zh_CN.qm").write_bytes(b"not a translation")
    assert install_language(app, "zh_CN") == "en"


def test_an_unknown_choice_falls_back_to_the_system(app: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "system_language", lambda: "en")
    assert install_language(app, "tlh") == "en"


@pytest.mark.parametrize("choice", ["en", "zh_CN"])
def test_numbers_have_thousands_separators(app: QApplication, translations: Path, choice: str) -> None:
    install_language(app, choice)
    assert QLocale().toString(9743) == "9,743"


def test_file_dialogs_of_qt_are_all_in_chinese(qtbot: QtBot, app: QApplication) -> None:
    install_language(app, "zh_CN")
    dialog = QFileDialog(options=QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    header = dialog.findChildren(QTreeView)[0].model()
    labels += [header.headerData(column, Qt.Orientation.Horizontal) for column in range(header.columnCount())]
    assert len(labels) >= 7
    assert not [label for label in labels if re.search(r"[A-Za-z]{2}", label)]
