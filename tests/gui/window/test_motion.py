"""A step is seen to happen: words, bars and rows move together, and end where they would be without motion."""

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import Recipe, TextDocument
from bpe_gui.gui.look.theme import Motion
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.table import Table
from tests.gui.support.widgets import child
from tests.gui.support.windows import editor

CORPUS = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
TABLES = ("pairTable", "wordTable", "vocabularyTable", "mergeTable")


@pytest.fixture
def motion(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Motion:
    """The clock, after a step, at its beginning and standing still."""
    monkeypatch.setattr("bpe_gui.gui.look.theme._TOO_FAST", 0.0)
    monkeypatch.setattr("bpe_gui.gui.look.theme._SHARE", 1e6)
    window.resize(1280, 800)
    window.session.corpus.set_recipe(Recipe.of("cs336-toy"))
    window.session.corpus.add_documents([CorpusDocument("text", TextDocument(CORPUS))], instead=True)
    window.session.text.set_content("newest lowest low")
    QApplication.processEvents()
    motion = child(window, Table, "pairTable").table_model.theme.motion
    window.session.cursor.step()
    motion.pause()
    return motion


def pictures(window: MainWindow) -> list[QImage]:
    views = [child(window, Table, name) for name in TABLES]
    return [view.viewport().grab().toImage() for view in (*views, editor(window))]


def test_every_panel_moves_and_ends_as_without_motion(window: MainWindow, motion: Motion) -> None:
    motion.setCurrentTime(motion.duration() // 2)
    moving = pictures(window)
    motion.stop()
    still = pictures(window)
    assert all(one != other for one, other in zip(moving, still, strict=True))


def test_a_step_back_moves_no_table(window: MainWindow, motion: Motion) -> None:
    window.session.cursor.step_back()
    before = pictures(window)[:-1]
    motion.stop()
    assert pictures(window)[:-1] == before
