"""A project that is opened while another is being saved, or while somebody types, costs nobody their work."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine.projects.project_file import load_project
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import project_controller as keeper

from tests.gui.support.project_windows import Button, answer, asked, offers, open_from, save_to, window
from tests.gui.support.windows import child

__all__ = ["window"]


def slow(monkeypatch: pytest.MonkeyPatch, name: str, go_on: Event) -> None:
    """Have a function of the keeper's wait before it does its work."""
    quick: Callable[..., object] = getattr(keeper, name)

    def waiting(*arguments: object) -> object:
        go_on.wait(20)
        return quick(*arguments)

    monkeypatch.setattr(keeper, name, waiting)


def two_projects(qtbot: QtBot, window: MainWindow, folder: Path) -> tuple[Path, Path]:
    first, second = folder / "first.bpe.json", folder / "second.bpe.json"
    window.session.set_text("the second")
    save_to(qtbot, window, second)
    window.session.set_text("the first")
    save_to(qtbot, window, first)
    return first, second


def test_what_is_saved_late_is_not_what_is_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    go_on = Event()
    slow(monkeypatch, "save_project", go_on)
    window.session.set_text("the first, changed")
    window.projects.save()
    window.projects.open(second)
    answer(window, Button.Discard)
    qtbot.waitUntil(lambda: window.session.text == "the second")
    go_on.set()
    qtbot.waitUntil(lambda: not window.projects._saving.busy)
    assert window.projects.path == second
    assert load_project(first).text == "the first, changed"
    assert load_project(second).text == "the second"


def test_what_waits_to_be_saved_is_not_saved_of_another(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    go_on = Event()
    slow(monkeypatch, "save_project", go_on)
    window.session.set_text("the first, changed")
    window.projects.save()
    window.projects.save()  # which waits for the other
    window.projects.open(second)
    answer(window, Button.Discard)
    qtbot.waitUntil(lambda: window.session.text == "the second")
    go_on.set()
    qtbot.waitUntil(lambda: not window.projects._saving.busy)
    assert load_project(first).text == "the first, changed"


def test_what_is_typed_while_a_project_is_read_is_asked_about(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    go_on = Event()
    slow(monkeypatch, "read_project", go_on)
    window.projects.open(second)
    window.session.set_text("typed meanwhile")
    go_on.set()
    qtbot.waitUntil(lambda: asked(window) is not None)
    assert window.session.text == "typed meanwhile"
    for box in window.findChildren(QMessageBox, "saveQuestion"):
        box.button(Button.Cancel).click()
    assert (window.session.text, window.projects.path) == ("typed meanwhile", first)
    open_from(qtbot, window, second)
    answer(window, Button.Discard)
    qtbot.waitUntil(lambda: window.session.text == "the second")


def test_opening_can_be_cancelled(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_projects(qtbot, window, tmp_path)
    go_on = Event()
    slow(monkeypatch, "read_project", go_on)
    before = window.session.text
    window.projects.open(second)
    qtbot.waitUntil(lambda: list(offers(window)) == ["Cancel"])
    offers(window)["Cancel"].click()
    go_on.set()
    assert not child(window, QWidget, "noticeBar").isVisible()
    open_from(qtbot, window, first)
    assert (window.session.text, window.projects.path) == (before, first)
