"""Without a compiler, the engine keeps running as plain Python, and says so once."""

from collections.abc import Callable
from threading import Event

import pytest

from bpe_gui.engine.runtime import compiled, jit


def test_a_failure_is_logged_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[Callable[[], None]] = []

    def fail(warm_up: Callable[[], None]) -> None:
        attempts.append(warm_up)
        raise OSError("no compiler")

    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "_has_failed", Event())
    monkeypatch.setattr(jit, "load", fail)
    with pytest.warns(UserWarning, match="no compiler"):
        compiled.load_for(1 << 30)
    compiled.load_for(1 << 30)
    assert len(attempts) == 1
    assert "no compiler" in caplog.text


def test_a_compiler_that_cannot_be_loaded_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[int] = []

    def load() -> None:
        attempts.append(1)
        raise OSError("libdoesnotexist.so")

    monkeypatch.setattr(compiled, "load", load)
    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "is_cached", lambda: True)
    monkeypatch.setattr(compiled, "_has_failed", Event())
    with pytest.warns(UserWarning, match="cannot be compiled: libdoesnotexist.so"):
        compiled.load_for(compiled.WORTH_LOADING)
    compiled.load_for(compiled.WORTH_LOADING)
    assert attempts == [1]
