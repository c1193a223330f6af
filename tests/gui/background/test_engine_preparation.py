"""The engine is compiled in another process and loaded in a thread, and the window shows it."""

import sys
import threading

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine.runtime import compiled
from bpe_gui.gui.background import engine_preparation
from bpe_gui.gui.background.engine_preparation import EnginePreparation
from bpe_gui.gui.background.jobs import Cancelled
from bpe_gui.gui.panels.bars.status_labels import PreparationLabel


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record calls of `compiled.load` instead of loading."""
    loads: list[bool] = []
    monkeypatch.setattr(compiled, "load", lambda: loads.append(True))
    return loads


@pytest.fixture
def preparation(qtbot: QtBot, loaded: list[bool]) -> EnginePreparation:
    return EnginePreparation()


def pretend_cached(monkeypatch: pytest.MonkeyPatch, cached: bool) -> None:
    monkeypatch.setattr(compiled, "is_cached", lambda: cached)


def compile_by(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Make the other process run this code instead of compiling."""
    monkeypatch.setattr(engine_preparation, "_ARGUMENTS", ("-c", code))


def test_cached_code_is_loaded_at_once(
    qtbot: QtBot, preparation: EnginePreparation, loaded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_cached(monkeypatch, True)
    label = PreparationLabel(preparation)
    qtbot.addWidget(label)
    with qtbot.waitSignal(preparation.changed):
        preparation.start()
    assert loaded == [True]
    assert not preparation.compiling
    assert label.isHidden()
    preparation.wait(lambda done, total: pytest.fail("nothing to wait for"))
    preparation.shut_down()


def test_code_that_is_not_cached_is_compiled_in_another_process(
    qtbot: QtBot, preparation: EnginePreparation, loaded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_cached(monkeypatch, False)
    compile_by(monkeypatch, "pass")
    label = PreparationLabel(preparation)
    qtbot.addWidget(label)
    preparation.start()
    assert preparation.compiling
    assert label.text() == "Preparing the fast engine…"
    assert not label.isHidden()
    qtbot.waitUntil(lambda: not preparation.compiling)
    assert loaded == [True]
    assert label.isHidden()
    preparation.shut_down()


@pytest.mark.parametrize("program", [sys.executable, "no such program"])
def test_a_failed_compilation_is_reported(
    qtbot: QtBot, preparation: EnginePreparation, loaded: list[bool], monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    pretend_cached(monkeypatch, False)
    monkeypatch.setattr(sys, "executable", program)
    compile_by(monkeypatch, "raise SystemExit('no compiler')")
    label = PreparationLabel(preparation)
    qtbot.addWidget(label)
    preparation.start()
    qtbot.waitUntil(lambda: bool(preparation.problem))
    assert label.text() == "The fast engine is not available."
    assert preparation.problem in label.toolTip()
    assert not loaded
    preparation.wait(lambda done, total: None)
    preparation.shut_down()


def test_a_missing_compiler_is_reported_at_once(
    qtbot: QtBot, preparation: EnginePreparation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> bool:
        raise ModuleNotFoundError("No module named 'numba'")

    monkeypatch.setattr(compiled, "is_cached", missing)
    preparation.start()
    assert "numba" in preparation.problem
    preparation.wait(lambda done, total: None)
    preparation.shut_down()


def test_shutting_down_kills_the_compiling_process(
    qtbot: QtBot, preparation: EnginePreparation, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_cached(monkeypatch, False)
    compile_by(monkeypatch, "import time; time.sleep(10_000)")
    preparation.start()
    waiting = threading.Thread(target=preparation.wait, args=(lambda done, total: None,))
    waiting.start()
    preparation.shut_down()
    waiting.join(10)
    assert not waiting.is_alive()


def test_waiting_can_be_cancelled(qtbot: QtBot, preparation: EnginePreparation) -> None:
    def cancel(done: int, total: int) -> None:
        assert (done, total) == (0, 0)
        raise Cancelled

    with pytest.raises(Cancelled):
        preparation.wait(cancel)
