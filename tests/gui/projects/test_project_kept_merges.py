"""The saved merges of a project whose corpus changed are shown, can be returned to, and are not lost by saving."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS
from bpe_gui.engine.projects.project_file import load_project
from bpe_gui.gui.main_window import MainWindow
from tests.gui.support.project_windows import (
    offers,
    open_from,
    press_in_question,
    replace_question,
    wait_until_idle,
)
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notice_text

SHOWN_NOTICE = "Changed since the project was saved: b.txt. The saved merges are shown."
HELD_NOTICE = "Changed since the project was saved: b.txt. The project still contains the saved merges."


@pytest.fixture
def changed(qtbot: QtBot, window: MainWindow, project: Path) -> Path:
    """Change the file b.txt of the project, open the project again, and return its path."""
    (project.parent / "b.txt").write_text("quite another text, quite another")
    open_from(qtbot, window, project)
    return project


def save(qtbot: QtBot, window: MainWindow) -> None:
    """Save the project as the user does, and wait until that is done or a question is asked."""
    window.projects.save()
    wait_until_idle(qtbot, window)


def merge_count(path: Path) -> int:
    """Return the number of merges in a project file."""
    run = load_project(path).run
    return len(run.merges) if run else 0


def test_the_user_can_return_to_the_saved_merges(qtbot: QtBot, window: MainWindow, changed: Path) -> None:
    assert notice_text(window) == SHOWN_NOTICE
    child(window, QPushButton, "closeTokenizerButton").click()
    assert notice_text(window) == HELD_NOTICE
    qtbot.waitUntil(lambda: list(offers(window)) == ["Show saved merges", "Train on the current files"])
    window.session.cursor.seek(2)
    offers(window)["Show saved merges"].click()
    wait_until_idle(qtbot, window)
    assert notice_text(window) == SHOWN_NOTICE
    assert (window.session.cursor.position, window.session.cursor.run_length) == (3, 4)
    save(qtbot, window)
    assert replace_question(window) is None and merge_count(changed) == 4, "the merges that are shown are saved"


def test_fewer_merges_replace_the_saved_ones_only_if_confirmed(qtbot: QtBot, window: MainWindow, changed: Path) -> None:
    window.session.opened.close()
    window.session.cursor.seek(2)
    save(qtbot, window)
    question = replace_question(window)
    assert question is not None and question.text() == "Merges in the project: 4. Saving replaces them with 2."
    question.button(QMessageBox.StandardButton.Cancel).click()
    assert merge_count(changed) == 4 and window.isWindowModified()
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    save(qtbot, window)
    press_in_question(window, "Replace")
    wait_until_idle(qtbot, window)
    assert merge_count(changed) == 2 and not window.isWindowModified()
    assert not offers(window), "there is nothing to return to"
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    window.session.restart()
    window.session.cursor.seek(1)
    save(qtbot, window)
    assert replace_question(window) is None and merge_count(changed) == 1


def test_fewer_merges_can_be_saved_elsewhere(
    qtbot: QtBot, window: MainWindow, changed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = changed.with_name("other.bpe.json")
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda dialog: [str(other)])
    window.session.opened.close()
    window.session.cursor.seek(2)
    save(qtbot, window)
    press_in_question(window, "Save as…")
    wait_until_idle(qtbot, window)
    assert (merge_count(changed), merge_count(other)) == (4, 2)


def test_a_run_that_is_out_of_date_comes_back_when_training_again_is_undone(
    qtbot: QtBot, window: MainWindow, changed: Path
) -> None:
    session = window.session
    session.opened.close()
    session.cursor.seek(2)
    session.corpus.set_recipe(PRESETS["minbpe"])
    qtbot.waitUntil(lambda: "Train on the current files" in offers(window))
    offers(window)["Train on the current files"].click()
    wait_until_idle(qtbot, window)
    assert (session.cursor.position, session.cursor.run_length, session.run.is_stale) == (3, 4, False)
    session.undo()
    assert (session.cursor.run_length, session.run.is_stale) == (2, True)


def test_a_longer_run_is_saved_without_a_question(qtbot: QtBot, window: MainWindow, changed: Path) -> None:
    window.session.opened.close()
    window.session.cursor.seek(5)
    save(qtbot, window)
    assert replace_question(window) is None and merge_count(changed) == 5


@pytest.mark.parametrize("is_same", [True, False])
def test_the_user_can_find_a_missing_file(
    qtbot: QtBot, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch, is_same: bool
) -> None:
    found = project.with_name("moved.txt")
    (project.parent / "a.txt").rename(found)
    if not is_same:
        found.write_text("not the same")
    open_from(qtbot, window, project)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    offers(window)["Locate…"].click()
    assert notice_text(window) == "Missing: a.txt. The saved merges are shown."
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(found), ""))
    offers(window)["Locate…"].click()
    wait_until_idle(qtbot, window)
    assert [document.path for document in window.session.corpus.documents] == [found, project.parent / "b.txt"]
    assert (window.session.cursor.position, window.session.cursor.run_length) == (3, 4)
    if is_same:
        assert window.session.opened.tokenizer is None and not offers(window)
    else:
        assert notice_text(window).startswith("Changed since the project was saved: moved.txt.")
    save(qtbot, window)
    assert load_project(project).documents[0].path == found and merge_count(project) == 4


def test_the_reason_does_not_mention_a_run_that_does_not_exist(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    (project.parent / "a.txt").unlink()
    open_from(qtbot, window, project)
    reason = "These are the merges saved in the project, without pairs, words or reasons."
    assert label_text(window, "reasonLabel") == reason
    offers(window)["Leave out and retrain"].click()
    wait_until_idle(qtbot, window)
    assert window.session.run.exists and window.session.opened.tokenizer is None
