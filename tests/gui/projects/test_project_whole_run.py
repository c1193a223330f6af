"""A project is saved with its whole run, and compared with its whole run, whichever step the window last showed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Recipe, TextDocument, Tokenizer
from bpe_gui.engine.projects import load_project
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.projects.project_contents import ProjectSnapshot
from bpe_gui.gui.projects.project_controller import ProjectController
from bpe_gui.gui.session import cursor
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.cursor import Cursor
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from tests.examples import is_thorough
from tests.gui.support.project_windows import save_as

TEXT = " ".join(f"low{a}{b}er wid{b}{a}est" for a in "abcdefgh" for b in "ijklmnop")
MERGES = 60
RECIPES = ["cs336", "cs336-toy"]  # whose tokenizers of all steps share a store, and do not
TIMES = 10 if is_thorough() else 3


class Desk:
    """A session with its project, without the panels, which would take most of the time."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        widget = self._widget = QWidget()
        qtbot.addWidget(widget)
        self._qtbot = qtbot
        self.path = folder / "p.bpe.json"
        self.session = Session(widget)
        theme = Theme("light", widget)
        self.notice = NoticeBar(theme, widget)
        settings = Settings(folder / "settings.ini")
        self.projects = ProjectController(
            self.session, settings, self.notice, NoticeBar(theme, widget, "recovery"), widget, lambda: None, None
        )

    def save(self) -> None:
        """Save the project, and wait until that is done."""
        save_as(self.projects, self.path)
        self._qtbot.waitUntil(lambda: not self.projects.is_saving)

    def open(self) -> None:
        """Open the project, and wait until it is restored."""
        self.projects.open(self.path)
        self._qtbot.waitUntil(lambda: not self.projects.is_busy)
        self._qtbot.waitUntil(lambda: self.session.work.activity is Activity.IDLE)

    @property
    def saved_merges(self) -> int:
        """The number of merges in the project's file."""
        run = load_project(self.path).run
        return len(run.merges) if run else 0


@pytest.fixture(params=RECIPES)
def desk(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Desk:
    """Return a session with a saved project, whose run stands at its end."""
    desk = Desk(qtbot, tmp_path)
    document = CorpusDocument("words", TextDocument(TEXT))
    desk.session.load([document], Recipe.of(request.param), (), 1_000, LiveText("lower"))
    desk.session.cursor.seek(MERGES)
    qtbot.waitUntil(lambda: desk.session.cursor.position == MERGES)
    desk.save()
    return desk


@pytest.fixture
def stale_cursor(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the cursor give the tokenizer of an earlier look, as it does while a thread trains."""

    def earlier(cursor: Cursor) -> Tokenizer | None:
        return cursor.steps.tokenizer(cursor.steps.position // 2) if cursor.steps else None

    monkeypatch.setattr(Cursor, "tokenizer", property(earlier))


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """Keep every processor busy with other processes."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    yield
    for other in others:
        other.kill()
        other.wait()


@pytest.mark.usefixtures("stale_cursor")
def test_a_snapshot_has_the_whole_run_when_the_cursor_is_stale(desk: Desk) -> None:
    snapshot = ProjectSnapshot.of(desk.session, None)
    assert snapshot is not None and snapshot.others.run is not None
    assert snapshot.others.run.position == len(snapshot.others.run.merges) == MERGES


@pytest.mark.usefixtures("stale_cursor")
def test_a_project_is_compared_with_the_whole_run_when_the_cursor_is_stale(desk: Desk) -> None:
    desk.open()
    assert desk.notice.isHidden()
    assert desk.session.cursor.run_length == MERGES


@pytest.mark.slow
@pytest.mark.usefixtures("step_by_step", "busy_machine")
def test_opened_and_saved_again_and_again_a_project_keeps_its_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cursor, "_ANNOUNCE_EVERY", 0)  # every step on the way is looked at
    for _time in range(TIMES):
        desk.open()
        assert desk.notice.isHidden()
        desk.save()
        assert desk.saved_merges == MERGES
