"""Nothing is lost when a project is opened while another is being saved, or when the user types meanwhile."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine.projects.project_file import load_project
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import project_controller
from tests.gui.support.project_windows import Button, answer, offers, open_from, save_question, save_to
from tests.gui.support.widgets import child


def delay(monkeypatch: pytest.MonkeyPatch, name: str, resume: Event) -> None:
    """Make the function `name`, which the controller runs in a thread, wait until `resume` is set."""
    function: Callable[..., object] = getattr(project_controller, name)

    def delayed(*arguments: object) -> object:
        resume.wait()
        return function(*arguments)

    monkeypatch.setattr(project_controller, name, delayed)


def two_projects(qtbot: QtBot, window: MainWindow, folder: Path) -> tuple[Path, Path]:
    """Save two projects with the texts “the first” and “the second”; return their paths. The first stays open."""
    first, second = folder / "first.bpe.json", folder / "second.bpe.json"
    window.session.text.set_content("the second")
    save_to(qtbot, window, second)
    window.session.text.set_content("the first")
    save_to(qtbot, window, first)
    return first, second


def test_a_save_that_ends_after_the_next_project_was_opened_does_not_affect_that(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    resume = Event()
    delay(monkeypatch, "save_project", resume)
    window.session.text.set_content("the first, changed")
    window.projects.save()
    window.projects.open(second)
    answer(window, Button.Discard)
    qtbot.waitUntil(lambda: window.session.text.content == "the second")
    resume.set()
    qtbot.waitUntil(lambda: not window.projects.is_saving)
    assert window.projects.path == second
    assert load_project(first).text == "the first, changed"
    assert load_project(second).text == "the second"


def test_a_postponed_save_does_not_save_the_next_project(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    resume = Event()
    delay(monkeypatch, "save_project", resume)
    window.session.text.set_content("the first, changed")
    window.projects.save()
    window.projects.save()  # postponed until the first has ended
    window.projects.open(second)
    answer(window, Button.Discard)
    qtbot.waitUntil(lambda: window.session.text.content == "the second")
    resume.set()
    qtbot.waitUntil(lambda: not window.projects.is_saving)
    assert load_project(first).text == "the first, changed"


def test_text_typed_while_a_project_is_read_is_not_lost(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    resume = Event()
    delay(monkeypatch, "read_project", resume)
    window.projects.open(second)
    window.session.text.set_content("typed meanwhile")
    resume.set()
    qtbot.waitUntil(lambda: save_question(window) is not None)
    assert window.session.text.content == "typed meanwhile"
    for box in window.findChildren(QMessageBox, "saveQuestion"):
        box.button(Button.Cancel).click()
    assert (window.session.text.content, window.projects.path) == ("typed meanwhile", first)
    open_from(qtbot, window, second)
    answer(window, Button.Discard)
    qtbot.waitUntil(lambda: window.session.text.content == "the second")


def test_opening_can_be_cancelled(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    resume = Event()
    delay(monkeypatch, "read_project", resume)
    before = window.session.text.content
    window.projects.open(second)
    qtbot.waitUntil(lambda: list(offers(window)) == ["Cancel"])
    offers(window)["Cancel"].click()
    resume.set()
    qtbot.waitUntil(child(window, QWidget, "noticeBar").isHidden)
    open_from(qtbot, window, first)
    assert (window.session.text.content, window.projects.path) == (before, first)
