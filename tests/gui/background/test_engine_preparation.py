"""The compiled engine is got in the background, and the window says so."""

import sys
import threading

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine.runtime import compiled
from bpe_gui.gui.background.jobs import Cancelled
from bpe_gui.gui.panels.preparation_label import PreparationLabel
from bpe_gui.gui.background.engine_preparation import Preparation


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Notes that the compiled code was loaded, instead of loading it."""
    loads: list[bool] = []
    monkeypatch.setattr(compiled, "load", lambda: loads.append(True))
    return loads


@pytest.fixture
def preparation(qtbot: QtBot, loaded: list[bool]) -> Preparation:
    return Preparation()


def say_cached(monkeypatch: pytest.MonkeyPatch, cached: bool) -> None:
    monkeypatch.setattr(compiled, "is_cached", lambda: cached)


def run_instead_of_python(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(sys, "executable", program)


def test_what_was_compiled_before_is_loaded(
    qtbot: QtBot, preparation: Preparation, loaded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    say_cached(monkeypatch, True)
    label = PreparationLabel(preparation)
    qtbot.addWidget(label)
    with qtbot.waitSignal(preparation.changed):
        preparation.start()
    assert loaded == [True]
    assert not preparation.compiling
    assert label.isHidden()
    preparation.wait(lambda done, total: pytest.fail("it waits for nothing"))
    preparation.shut_down()


def test_compiling_takes_place_in_another_process(
    qtbot: QtBot, preparation: Preparation, loaded: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    say_cached(monkeypatch, False)
    run_instead_of_python(monkeypatch, "/bin/true")
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


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/program"])
def test_a_machine_that_cannot_compile_is_told_of(
    qtbot: QtBot, preparation: Preparation, loaded: list[bool], monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    say_cached(monkeypatch, False)
    run_instead_of_python(monkeypatch, program)
    label = PreparationLabel(preparation)
    qtbot.addWidget(label)
    preparation.start()
    qtbot.waitUntil(lambda: bool(preparation.problem))
    assert label.text() == "The fast engine is not available."
    assert preparation.problem in label.toolTip()
    assert not loaded
    preparation.wait(lambda done, total: None)
    preparation.shut_down()


def test_without_numba_there_is_nothing_to_wait_for(
    qtbot: QtBot, preparation: Preparation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> bool:
        raise ModuleNotFoundError("No module named 'numba'")

    monkeypatch.setattr(compiled, "is_cached", missing)
    preparation.start()
    assert "numba" in preparation.problem
    preparation.wait(lambda done, total: None)
    preparation.shut_down()


def test_closing_the_window_ends_the_compiling(
    qtbot: QtBot, preparation: Preparation, monkeypatch: pytest.MonkeyPatch
) -> None:
    say_cached(monkeypatch, False)
    run_instead_of_python(monkeypatch, "/usr/bin/yes")  # would go on for ever
    preparation.start()
    waiting = threading.Thread(target=preparation.wait, args=(lambda done, total: None,))
    waiting.start()
    preparation.shut_down()
    waiting.join(10)
    assert not waiting.is_alive()


def test_who_waits_can_be_cancelled(qtbot: QtBot, preparation: Preparation) -> None:
    def cancel(done: int, total: int) -> None:
        assert (done, total) == (0, 0)
        raise Cancelled

    with pytest.raises(Cancelled):
        preparation.wait(cancel)
