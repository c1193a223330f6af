"""Running kernels as plain Python or as compiled code, whatever the process did before; and with little room."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bpe_gui.engine import machine
from bpe_gui.engine.runtime import compiled
from bpe_gui.engine.corpora import corpus
from bpe_gui.engine.corpora import counting
from bpe_gui.engine.corpora import utf8_reader as sources
from bpe_gui.engine.training import trainer
from bpe_gui.engine.runtime import jit as compiling

MODES = ("plain", "compiled")


@contextmanager
def running(mode: str) -> Iterator[None]:
    """Have kernels run in that mode; puts back how they ran before.

    Plain stays plain however much work there is.
    """
    before = compiling.is_compiled()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "WORTH_LOADING", 1 << 60)
        patch.setattr(compiled, "_WORTH_COMPILING", 1 << 60)
        switch(mode)
        try:
            yield
        finally:
            switch("compiled" if before else "plain")


def switch(mode: str) -> None:
    """Go over to that mode."""
    if mode == "plain":
        compiling._ready.clear()
    elif not all(kernel.compiled for kernel in compiling._kernels):
        compiled.load()
    else:
        compiling._ready.set()


@contextmanager
def little_room() -> Iterator[None]:
    """Have arrays grow, and work pause for others, at every occasion, as they do in the midst of a large corpus.

    Kernels count, compiled or not, in small blocks and two threads.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "_ROOM_FOR_STEPS", 1)
        patch.setattr(machine, "_ROOM_FOR_PAIRS", 2)
        for module, names in ((machine, ("_SLICE", "_PLAIN_SLICE")), (trainer, ("_BUDGET", "_PLAIN_BUDGET"))):
            for name in names:
                patch.setattr(module, name, 1)
        patch.setattr(corpus, "is_compiled", lambda: True)
        patch.setattr(counting, "BLOCK", 24)
        patch.setattr(counting, "_FIRST_WORDS", 1)
        patch.setattr(counting, "_threads", lambda _size: 2)
        patch.setattr(sources, "_WINDOW", 16)
        yield
