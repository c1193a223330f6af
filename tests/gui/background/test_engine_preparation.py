"""The engine's compiled code is loaded in a thread, and the window shows how far it is and what went wrong."""

import threading
from threading import Event

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from bpe_gui.engine.compilation import compiled
from bpe_gui.engine.compilation.compiled import CompilationError
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.gui.background.engine_preparation import EnginePreparation
from bpe_gui.gui.background.jobs import Cancelled
from bpe_gui.gui.panels.bars.activity_bar import ActivityBar
from bpe_gui.gui.panels.bars.status_labels import PreparationLabel
from bpe_gui.gui.session.session import Session
from tests.gui.support.windows import label_text


@pytest.fixture
def preparation(qtbot: QtBot) -> EnginePreparation:
    return EnginePreparation()


@pytest.fixture
def label(qtbot: QtBot, preparation: EnginePreparation) -> PreparationLabel:
    label = PreparationLabel(preparation)
    qtbot.addWidget(label)
    return label


def fail(report: Progress) -> None:
    raise CompilationError("no compiler")


def test_cached_code_is_loaded_at_once(
    qtbot: QtBot, preparation: EnginePreparation, label: PreparationLabel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "load", lambda report: None)
    with qtbot.waitSignal(preparation.changed):
        preparation.start()
    assert not preparation.compiling
    assert label.isHidden()
    preparation.wait(lambda done, total: pytest.fail("nothing to wait for"))
    preparation.shut_down()


def test_progress_is_shown_while_code_is_compiled(
    qtbot: QtBot, preparation: EnginePreparation, label: PreparationLabel, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def compile_slowly(report: Progress) -> None:
        report(30, 120)
        go_on.wait()

    monkeypatch.setattr(compiled, "load", compile_slowly)
    preparation.start()
    qtbot.waitUntil(lambda: preparation.compiling)
    assert label.text() == "Preparing the fast engine: 25%"
    assert not label.isHidden()
    session = Session()
    activity = ActivityBar(session, preparation, QAction())
    qtbot.addWidget(activity)
    session.work.progressed.emit(0, 0)  # work waits for the engine
    assert label_text(activity, "activityLabel") == "", "said once, by the other label"
    go_on.set()
    qtbot.waitUntil(lambda: not preparation.compiling)
    assert label.isHidden()
    session.work.progressed.emit(0, 0)
    assert label_text(activity, "activityLabel") == "Preparing…"
    assert not preparation.problem
    preparation.shut_down()
    session.shut_down()


def test_a_failed_compilation_is_reported(
    qtbot: QtBot, preparation: EnginePreparation, label: PreparationLabel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "load", fail)
    preparation.start()
    qtbot.waitUntil(lambda: bool(preparation.problem))
    assert label.text() == "The fast engine is unavailable."
    assert "no compiler" in label.toolTip()
    preparation.wait(lambda done, total: pytest.fail("nothing to wait for"))
    preparation.shut_down()


def test_shutting_down_stops_the_compiling(
    qtbot: QtBot, preparation: EnginePreparation, monkeypatch: pytest.MonkeyPatch
) -> None:
    was_cancelled = Event()

    def compile_forever(report: Progress) -> None:
        try:
            while True:
                report(1, 2)
        except Cancelled:
            was_cancelled.set()
            raise

    monkeypatch.setattr(compiled, "load", compile_forever)
    preparation.start()
    waiting = threading.Thread(target=preparation.wait, args=(lambda done, total: None,))
    waiting.start()
    preparation.shut_down()
    waiting.join()
    assert was_cancelled.is_set()


def test_waiting_can_be_cancelled(qtbot: QtBot, preparation: EnginePreparation) -> None:
    def cancel(done: int, total: int) -> None:
        assert (done, total) == (0, 0)
        raise Cancelled

    with pytest.raises(Cancelled):
        preparation.wait(cancel)
