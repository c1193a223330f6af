"""The merges that a project holds when its corpus is another: shown, come back to, and not lost by saving."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine.projects.project_file import load_project
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.main_window import MainWindow

from tests.gui.support.project_windows import window
from tests.gui.support.windows import child, said

__all__ = ["window"]

SHOWN = "Changed since the project was saved: b.txt. The merges are shown as they were saved."
HELD = "Changed since the project was saved: b.txt. The project still holds the merges that were saved."


@pytest.fixture
def project(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Path:
    """A project with two files and a run of four merges, at the third."""
    for name, text in (("a.txt", "low lower lowest"), ("b.txt", "wide wider widest")):
        (tmp_path / name).write_text(text * 3)
    window.open_paths([tmp_path / "a.txt", tmp_path / "b.txt"])
    window.session.seek(4)
    window.session.seek(3)
    save(qtbot, window, tmp_path / "p.bpe.json")
    return tmp_path / "p.bpe.json"


@pytest.fixture
def changed(qtbot: QtBot, window: MainWindow, project: Path) -> Path:
    """The same, opened again when one of its files is another."""
    (project.parent / "b.txt").write_text("quite another text, quite another")
    reopen(qtbot, window, project)
    return project


def save(qtbot: QtBot, window: MainWindow, path: Path | None = None) -> None:
    if path is None:
        window.projects.save()
    else:
        window.projects._save_to(path, None)
    wait(qtbot, window)


def reopen(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.projects.open(path)
    wait(qtbot, window)


def wait(qtbot: QtBot, window: MainWindow) -> None:
    keeper = window.projects
    qtbot.waitUntil(lambda: not (keeper._reading.busy or keeper._saving.busy or keeper._restoring.is_at_it))
    qtbot.waitUntil(lambda: window.session.activity is Activity.IDLE)


def offers(window: QWidget) -> dict[str, QPushButton]:
    bar = child(window, QWidget, "noticeBar")
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


def question(window: QWidget) -> QMessageBox | None:
    """What is asked before saving loses merges."""
    box = window.findChild(QMessageBox, "replaceQuestion")
    return box if box and box.isVisible() else None


def choose(window: QWidget, words: str) -> None:
    box = question(window)
    assert box is not None
    next(button for button in box.buttons() if button.text() == words).click()


def merges_in(path: Path) -> int:
    run = load_project(path).run
    return len(run.merges) if run else 0


def test_there_is_a_way_back_to_the_saved_merges(qtbot: QtBot, window: MainWindow, changed: Path) -> None:
    assert said(window, "noticeLabel") == SHOWN
    child(window, QPushButton, "closeTokenizerButton").click()
    assert said(window, "noticeLabel") == HELD
    qtbot.waitUntil(lambda: list(offers(window)) == ["Show the saved ones", "Train on the files as they are"])
    window.session.seek(2)
    offers(window)["Show the saved ones"].click()
    wait(qtbot, window)
    assert said(window, "noticeLabel") == SHOWN
    assert (window.session.position, window.session.run_length) == (3, 4)
    save(qtbot, window)
    assert question(window) is None and merges_in(changed) == 4, "what is shown is what is saved"


def test_fewer_merges_replace_those_of_the_project_only_if_wanted(
    qtbot: QtBot, window: MainWindow, changed: Path
) -> None:
    window.session.close_tokenizer()
    window.session.seek(2)
    save(qtbot, window)
    box = question(window)
    assert box is not None and box.text() == "The project holds 4 merges; saving replaces them by 2."
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert merges_in(changed) == 4 and window.isWindowModified()
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    save(qtbot, window)
    choose(window, "Replace")
    wait(qtbot, window)
    assert merges_in(changed) == 2 and not window.isWindowModified()
    assert not offers(window), "they are not there any more"
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    window.session.restart()
    window.session.seek(1)
    save(qtbot, window)
    assert question(window) is None and merges_in(changed) == 1


def test_fewer_merges_can_be_saved_elsewhere(
    qtbot: QtBot, window: MainWindow, changed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = changed.with_name("other.bpe.json")
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda dialog: [str(other)])
    window.session.close_tokenizer()
    window.session.seek(2)
    save(qtbot, window)
    choose(window, "Save as…")
    wait(qtbot, window)
    assert (merges_in(changed), merges_in(other)) == (4, 2)


def test_a_longer_run_is_saved_unasked(qtbot: QtBot, window: MainWindow, changed: Path) -> None:
    window.session.close_tokenizer()
    window.session.seek(5)
    save(qtbot, window)
    assert question(window) is None and merges_in(changed) == 5


@pytest.mark.parametrize("is_same", [True, False])
def test_a_missing_file_can_be_found(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, is_same: bool
) -> None:
    found = project.with_name("moved.txt")
    (project.parent / "a.txt").rename(found)
    if not is_same:
        found.write_text("not the same")
    reopen(qtbot, window, project)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    offers(window)["Find…"].click()
    assert said(window, "noticeLabel") == "Missing: a.txt. The merges are shown as they were saved."
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(found), ""))
    offers(window)["Find…"].click()
    wait(qtbot, window)
    assert [document.path for document in window.session.documents] == [found, project.parent / "b.txt"]
    assert (window.session.position, window.session.run_length) == (3, 4)
    if is_same:
        assert window.session.opened is None and not offers(window)
    else:
        assert said(window, "noticeLabel").startswith("Changed since the project was saved: moved.txt.")
    save(qtbot, window)
    assert load_project(project).documents[0].path == found and merges_in(project) == 4


def test_nothing_is_said_of_a_run_where_there_is_none(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    (project.parent / "a.txt").unlink()
    reopen(qtbot, window, project)
    words = "These merges are as the project holds them, without pairs, words or reasons."
    assert said(window, "reasonLabel") == words
    offers(window)["Leave out and train again"].click()
    wait(qtbot, window)
    assert window.session.has_run and window.session.opened is None
