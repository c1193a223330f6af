"""Published tokenizers are downloaded by name, opened, and shown under that name; the dialog says what goes wrong."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, Progress, TokenizerSource, save, train
from bpe_gui.engine.formats import downloads
from bpe_gui.engine.formats.downloads import Download
from bpe_gui.gui.main_window import MainWindow
from tests.gui.support.project_windows import open_from, save_to
from tests.gui.support.widgets import child

NAME = "hf:me/mine"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(train("low lower lowest " * 3, num_merges=5), tmp_path, "gpt2")
    return tmp_path


def asked(window: MainWindow, name: str) -> QDialog:
    window.actions_by_name["open_published"].trigger()
    dialog = child(window, QDialog, "tokenizerNameDialog")
    QTest.keyClicks(child(dialog, QLineEdit, "tokenizerName"), name)
    return dialog


def test_a_tokenizer_is_downloaded_and_shown_by_its_name(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "fetch_published", lambda name, _report: Download(name, folder))
    dialog = asked(window, NAME)
    child(dialog, QPushButton, "tokenizerNameButton").click()
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    opened = window.session.opened.tokenizer
    assert opened is not None
    assert opened.name == NAME
    assert NAME in window.windowTitle()
    assert window._settings.recent_files == ()


def test_a_project_keeps_the_name_of_a_published_tokenizer(
    qtbot: QtBot, window: MainWindow, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "fetch_published", lambda name, _report: Download(name, folder))
    window.session.opened.open(TokenizerSource.named(NAME))
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    project = tmp_path / "p.bpe.json"
    save_to(qtbot, window, project)
    window.session.opened.close()
    open_from(qtbot, window, project)
    opened = window.session.opened.tokenizer
    assert opened is not None
    assert (opened.name, opened.source.path) == (NAME, folder)
    assert window._settings.recent_files == (project,)


def test_return_after_a_whole_suggestion_downloads_it(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "fetch_published", lambda name, _report: Download(name, folder, "gpt2", {}))
    dialog = asked(window, "tiktoken:o200k_bas")
    name = child(dialog, QLineEdit, "tokenizerName")
    popup = name.completer().popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    QTest.keyClicks(name, "e")
    qtbot.waitUntil(lambda: not popup.isVisible())
    QTest.keyClick(name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)


def test_the_name_of_a_model_is_understood(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "fetch_published", lambda name, _report: Download(name, folder, "gpt2", {}))
    dialog = asked(window, "GPT-4")
    child(dialog, QPushButton, "tokenizerNameButton").click()
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    opened = window.session.opened.tokenizer
    assert opened is not None
    assert opened.name == "tiktoken:cl100k_base"


def test_nothing_is_downloaded_before_the_button_is_pressed(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    monkeypatch.setattr(downloads, "fetch_published", lambda name, _report: names.append(name))
    dialog = asked(window, "me/mine")
    button = child(dialog, QPushButton, "tokenizerNameButton")
    assert not button.isEnabled()
    assert "hf:owner/name" in child(dialog, QLabel, "tokenizerNameMessage").text()
    child(dialog, QLineEdit, "tokenizerName").setText(f" {NAME} ")
    assert button.isEnabled()
    dialog.reject()
    assert names == []


def test_an_error_is_told_and_the_name_can_be_changed(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str, _report: Progress) -> Download:
        raise EngineError("{name} does not exist.", name=name)

    monkeypatch.setattr(downloads, "fetch_published", fail)
    dialog = asked(window, NAME)
    button = child(dialog, QPushButton, "tokenizerNameButton")
    button.click()
    message = child(dialog, QLabel, "tokenizerNameMessage")
    qtbot.waitUntil(lambda: message.text() == f"{NAME} does not exist.")
    assert dialog.isVisible()
    assert button.isEnabled()


def test_closing_the_dialog_stops_waiting(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, ended = threading.Event(), threading.Event()

    def wait(name: str, report: Progress) -> Download:
        goes_on.wait()
        ended.set()
        report(0, 1)
        raise AssertionError("was not cancelled")

    monkeypatch.setattr(downloads, "fetch_published", wait)
    dialog = asked(window, NAME)
    child(dialog, QPushButton, "tokenizerNameButton").click()
    dialog.reject()
    goes_on.set()
    qtbot.waitUntil(ended.is_set)
    assert window.session.opened.tokenizers == ()
