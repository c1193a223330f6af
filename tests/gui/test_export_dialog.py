"""Exporting: what is announced, what is written, what is said of it, and that mistakes cost nothing."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe, Tokenizer, load, train
from bpe_gui.gui.dialogs.export_dialog import ExportDialog
from bpe_gui.gui.numbers import size_text
from bpe_gui.gui.settings import Settings

FILES = ("vocab.json", "merges.txt", "training.json")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings()
    (tmp_path / "recent").mkdir()
    settings.recent_folder = tmp_path / "recent"
    return settings


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower widest newest", num_merges=6)


@pytest.fixture
def dialog(tokenizer: Tokenizer, settings: Settings, qtbot: QtBot) -> ExportDialog:
    return opened(tokenizer, settings, qtbot)


def opened(tokenizer: Tokenizer, settings: Settings, qtbot: QtBot) -> ExportDialog:
    dialog = ExportDialog(tokenizer, settings, None)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def label(dialog: ExportDialog, name: str) -> QLabel:
    found = dialog.findChild(QLabel, name)
    assert isinstance(found, QLabel), name
    return found


def button(dialog: ExportDialog, name: str) -> QPushButton:
    found = dialog.findChild(QPushButton, name)
    assert isinstance(found, QPushButton), name
    return found


def folder_field(dialog: ExportDialog) -> QLineEdit:
    found = dialog.findChild(QLineEdit, "exportFolderEdit")
    assert isinstance(found, QLineEdit)
    return found


def test_it_announces_what_it_will_do(dialog: ExportDialog, tmp_path: Path) -> None:
    assert folder_field(dialog).text() == str(tmp_path / "recent" / "tokenizer")
    assert label(dialog, "exportStep").text() == "as of step 6: 262 entries, 6 merges"
    assert label(dialog, "exportFiles").text() == ", ".join(FILES)
    assert label(dialog, "exportReplaced").isHidden()
    assert label(dialog, "exportResult").isHidden()
    assert button(dialog, "exportOpenButton").isHidden()


def test_it_writes_and_says_exactly_what(
    dialog: ExportDialog, tokenizer: Tokenizer, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "folder"
    folder_field(dialog).setText(str(folder))
    button(dialog, "exportButton").click()
    said = label(dialog, "exportResult").text().splitlines()
    assert said[1:] == [f"{folder / name} ({size_text((folder / name).stat().st_size)})" for name in FILES]
    assert load(folder).merges == tokenizer.merges
    assert settings.recent_folder == folder.parent
    assert button(dialog, "exportButton").isHidden()
    assert button(dialog, "exportOpenButton").isVisible()
    assert button(dialog, "exportCloseButton").text() == "Close"
    assert dialog.isVisible()
    button(dialog, "exportCloseButton").click()
    assert not dialog.isVisible()


def test_files_that_will_be_replaced_are_named(dialog: ExportDialog, tmp_path: Path) -> None:
    for name in FILES[:2]:
        (tmp_path / name).write_text("precious")
        folder_field(dialog).setText(str(tmp_path / "recent"))
        folder_field(dialog).setText(str(tmp_path))
    assert label(dialog, "exportReplaced").isVisible()
    assert label(dialog, "exportReplaced").text().startswith("vocab.json, merges.txt are in this folder already")
    (tmp_path / "merges.txt").unlink()
    folder_field(dialog).setText(f"{tmp_path}/")
    assert label(dialog, "exportReplaced").text().startswith("vocab.json is in this folder already")


def test_a_mistake_is_explained_and_costs_nothing(dialog: ExportDialog, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    folder_field(dialog).setText(str(tmp_path / "file" / "folder"))
    button(dialog, "exportButton").click()
    result = label(dialog, "exportResult")
    assert result.isVisible()
    assert result.property("role") == "warning"
    assert "cannot be written" in result.text()
    assert (tmp_path / "file").read_text() == "precious"
    assert settings.recent_folder == tmp_path / "recent"
    folder_field(dialog).setText(str(tmp_path / "better"))
    assert result.isHidden()
    button(dialog, "exportButton").click()
    assert result.property("role") == ""
    assert (tmp_path / "better" / "vocab.json").exists()


def test_a_token_that_the_files_cannot_hold(settings: Settings, qtbot: QtBot, tmp_path: Path) -> None:
    recipe = Recipe(units="characters", splitter="none", token_spelling="raw")
    dialog = opened(train("a b a b a b", num_merges=1, recipe=recipe), settings, qtbot)
    button(dialog, "exportButton").click()
    assert "merges.txt cannot hold the token" in label(dialog, "exportResult").text()
    assert list((tmp_path / "recent").iterdir()) == []
    assert button(dialog, "exportButton").isEnabled()


@pytest.mark.parametrize("folder", ["x" * 5000, "/\0/y"])
def test_a_folder_that_cannot_be_is_no_crash(dialog: ExportDialog, folder: str) -> None:
    folder_field(dialog).setText(folder)
    assert label(dialog, "exportReplaced").isHidden()


@pytest.mark.parametrize("folder", ["~nobody-of-that-name/x", "~a\0b/x"])
def test_a_home_that_nobody_has_is_explained(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    folder_field(dialog).setText(folder)
    button(dialog, "exportButton").click()
    assert f"{folder.split('/')[0]} is the home folder of nobody" in label(dialog, "exportResult").text()
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_is_needed(dialog: ExportDialog) -> None:
    folder_field(dialog).setText("  ")
    assert not button(dialog, "exportButton").isEnabled()


def test_a_folder_is_chosen(dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([str(tmp_path), ""])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_arguments: next(answers))
    button(dialog, "exportBrowseButton").click()
    button(dialog, "exportBrowseButton").click()
    assert folder_field(dialog).text() == str(tmp_path)


def test_the_folder_opens(dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    button(dialog, "exportButton").click()
    button(dialog, "exportOpenButton").click()
    assert urls == [QUrl.fromLocalFile(str(tmp_path / "recent" / "tokenizer"))]


def test_controls_say_what_they_are(dialog: ExportDialog) -> None:
    assert folder_field(dialog).accessibleName()
    assert all(found.accessibleName() for found in dialog.findChildren(QPushButton))
