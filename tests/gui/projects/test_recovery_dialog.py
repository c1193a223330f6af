"""The dialog of recovery files restores and discards the chosen one alone, and nothing where none is chosen."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.projects.autosave import RecoveryFile, RecoveryFolder
from bpe_gui.gui.projects.project_contents import FileDigests
from bpe_gui.gui.projects.recovery_offers import RecoveryChoice, RecoveryDialog, RecoveryOffers
from tests.gui.support.widgets import child


def file_in(folder: Path) -> RecoveryFile:
    file = RecoveryFolder(folder).new_file()
    assert file is not None
    return file


@pytest.mark.parametrize("count", [0, 2])
def test_nothing_is_restored_or_discarded_without_a_choice(qtbot: QtBot, tmp_path: Path, count: int) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    files = [file_in(tmp_path) for _each in range(count)]
    dialog = RecoveryDialog([RecoveryChoice(file, "work") for file in files], parent)
    done: list[object] = []
    dialog.chosen.connect(done.append)
    dialog.discarded.connect(done.append)
    child(dialog, QListWidget, "recoveredList").setCurrentRow(-1)
    buttons = [child(dialog, QPushButton, f"recovered{name}Button") for name in ("Restore", "Discard")]
    assert not any(button.isEnabled() for button in buttons)
    for button in buttons:
        button.clicked.emit()
    assert not done and dialog.undecided == files
    if files:
        child(dialog, QListWidget, "recoveredList").setCurrentRow(0)
        buttons[1].click()
        assert done == files[:1] and dialog.undecided == files[1:]
    for file in files:
        file.discard()


def test_a_file_that_is_gone_by_now_can_still_be_discarded(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    path = tmp_path / "a.bpe.json"
    path.write_text("{}")
    notice = NoticeBar(Theme("light"), parent)
    offers = RecoveryOffers(RecoveryFolder(tmp_path), FileDigests(), notice, lambda *_: None, parent, parent)
    offers.choose()
    path.unlink()
    qtbot.waitUntil(lambda: parent.findChild(RecoveryDialog) is not None)
    shown = child(parent, QListWidget, "recoveredList").item(0).text()
    assert shown == "a.bpe.json · –"
    child(parent, QPushButton, "recoveredDiscardButton").click()
    assert not offers.exist
