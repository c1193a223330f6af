"""Kernels stay inside their arrays. Compiled code checks that only when it is told to."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_gui.engine.runtime import jit
from tests.engine.support.exercise import exercise
from tests.engine.support.modes import running

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_compiled_code_stays_inside_arrays(tmp_path: Path) -> None:
    environment = os.environ | {
        "NUMBA_BOUNDSCHECK": "1",
        "XDG_CACHE_HOME": str(tmp_path),
        "LOCALAPPDATA": str(tmp_path),
    }
    command = [sys.executable, "-m", "tests.engine.support.exercise", "300"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    steps, is_compiled = done.stdout.split()
    assert int(steps) > 1000
    assert is_compiled == "True"


class Guarded:
    """An array that refuses negative indices, and slices beyond its ends."""

    def __init__(self, view: memoryview) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._view)

    def __getitem__(self, index: "int | slice") -> Any:
        item = self._view[self._checked(index)]
        return Guarded(item) if isinstance(index, slice) else item

    def __setitem__(self, index: "int | slice", value: Any) -> None:
        self._view[self._checked(index)] = value._view if isinstance(value, Guarded) else value

    def _checked(self, index: "int | slice") -> Any:
        if isinstance(index, slice):
            if not 0 <= index.start <= index.stop <= len(self):
                raise IndexError(index)
        elif index < 0:
            raise IndexError(index)
        return index


def guarded(argument: Any) -> Any:
    """Return a kernel's argument with every array guarded, in place of a plain view."""
    if isinstance(argument, np.ndarray):
        return Guarded(argument.data)
    return type(argument)(*map(guarded, argument)) if isinstance(argument, tuple) else argument


@pytest.mark.slow
def test_no_index_is_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IndexError):
        guarded(np.zeros(1))[-1]
    monkeypatch.setattr(jit, "_view", guarded)
    with running("plain"):
        assert exercise(100, seed=1) > 500
