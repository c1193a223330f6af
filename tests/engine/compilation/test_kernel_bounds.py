"""Kernels stay inside their arrays. Compiled code checks that only when it is told to."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_gui.engine.compilation import kernel
from bpe_gui.engine.compilation.kernel import Record
from build_kernels.library import build
from build_kernels.targets import this_machine
from tests.engine.support import exercise as exercises
from tests.engine.support.modes import running

ROOT = Path(__file__).resolve().parents[3]

# A hash table whose only entry is a pair beyond the end of the keys.
BEYOND_THE_END = """
import ctypes, sys
import numpy as np
from bpe_gui.engine.compilation import library
from bpe_gui.engine.kernels.training.pairs import find_pair

other = ctypes.CDLL(sys.argv[1])
library.load = lambda: other
find_pair(np.empty(0, np.int64), np.zeros(1, np.int32), 0)
"""


@pytest.mark.thorough
@pytest.mark.compiles
@pytest.mark.timeout(600)  # it compiles
def test_compiled_code_stays_inside_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, *arguments, library], cwd=ROOT, capture_output=True, text=True)

    target = this_machine()
    assert target is not None
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    library = str(build([target], tmp_path)[0])
    done = run("-m", "tests.engine.support.exercise", "150")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000
    assert "Fatal Python error" in run("-X", "faulthandler", "-c", BEYOND_THE_END).stderr


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
    if not isinstance(argument, Record):
        return argument
    twin = object.__new__(type(argument))
    for name in argument.fields:
        object.__setattr__(twin, name, guarded(getattr(argument, name)))
    return twin


@pytest.mark.thorough
def test_no_index_is_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(IndexError):
        guarded(np.zeros(1))[-1]
    monkeypatch.setattr(kernel, "view_of", guarded)
    monkeypatch.setattr(exercises, "MAX_LETTERS", (10, 40, 80, 150))  # long texts are for compiled code
    with running("plain"):
        assert exercises.exercise(20, seed=1) > 200
