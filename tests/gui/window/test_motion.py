"""A step is seen to happen: words, bars and rows move together, and end where they would be without motion."""

from math import ceil

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

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


def on_screen(view: QWidget) -> QImage:
    """Return what is on the screen, whether it was painted as a whole or in parts."""
    window = view.window()
    shown = window.screen().grabWindow(window.winId())
    return shown.copy(QRect(view.mapTo(window, QPoint()), view.size())).toImage()


@pytest.mark.parametrize("look", ["light", "dark", "disabled", "selected", "narrow", "scrolled"])
def test_frames_painted_in_parts_look_like_whole_ones(window: MainWindow, motion: Motion, look: str) -> None:
    tables = [child(window, Table, name) for name in TABLES]
    views = [view.viewport() for view in (*tables, editor(window))]
    tables[0].table_model.theme.set_choice("dark" if look == "dark" else "light")
    if look == "narrow":
        window.resize(960, 720)
    for table in tables:
        table.setEnabled(look != "disabled")
    for frame in range(1, motion.endValue() + 1):
        if frame == 5 and look == "selected":
            for table in tables:
                table.select_in_place(0)
        if frame == 5 and look == "scrolled":
            for table in tables:
                table.verticalScrollBar().setValue(1)
        motion.setCurrentTime(ceil(frame * motion.duration() / motion.endValue()))
        QApplication.processEvents()
        if frame % 3 == 0:
            parts = [on_screen(view) for view in views]
            for view in views:
                view.repaint()
            assert parts == [on_screen(view) for view in views]
    assert not motion.is_running
