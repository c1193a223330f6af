"""Run kernels interpreted or compiled, regardless of what the process did before, and with small arrays."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bpe_gui.engine.compilation import library
from bpe_gui.engine.corpora import counting, word_arrays
from bpe_gui.engine.training import run_arrays, stages

MODES = ("plain", "compiled")
USUAL_MODES = ("plain",) if os.environ.get("BPE_GUI_PLAIN") else ("compiled",)
"""The modes that a test runs in if it need not switch between both; `.ci/everything` runs all such tests in each."""

_library = ctypes.CDLL(str(library.PATH))


@contextmanager
def running(mode: str) -> Iterator[None]:
    """Run kernels in `mode`, "plain" or "compiled", and restore the previous mode afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "load", library.load)
        switch_mode(mode)
        yield


def switch_mode(mode: str) -> None:
    """Run kernels in `mode`, "plain" or "compiled", from now on."""
    vars(library)["load"] = lambda: _library if mode == "compiled" else None


@contextmanager
def small_training_arrays() -> Iterator[None]:
    """Make arrays grow, and kernels return, at every opportunity, as happens inside a large corpus.

    Words are counted with small buffers and two threads.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_arrays, "_SPARE_STEPS", 1)
        patch.setattr(run_arrays, "_INITIAL_PAIR_CAPACITY", 2)
        for module, names in ((run_arrays, ("_SLICE", "_PLAIN_SLICE")), (stages, ("_BUDGET", "_PLAIN_BUDGET"))):
            for name in names:
                patch.setattr(module, name, 1)
        patch.setattr(counting, "BUFFER_SIZE", 24)
        patch.setattr(word_arrays, "_INITIAL_CAPACITY", 1)
        patch.setattr(counting, "_threads", lambda _size: 2)
        patch.setattr(counting, "_WINDOW", 16)
        yield
