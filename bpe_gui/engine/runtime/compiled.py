"""The compiled code of the kernels: whether it is there, and getting it."""

import warnings
from threading import Event
from typing import Final

from bpe_gui.engine.runtime.jit import is_cached, is_compiled
from bpe_gui.engine.runtime.jit import load as load_kernels

__all__ = ["WORTH_LOADING", "is_cached", "is_compiled", "load", "load_for"]

WORTH_LOADING: Final = 1 << 16
"""Bytes of text from which on loading what was compiled before is quicker than doing without."""

_failed: Final = Event()
"""Getting it was tried in vain."""

_WORTH_COMPILING: Final = 1 << 20
"""Bytes of text from which on even compiling is."""


def load_for(work: int) -> None:
    """Get the compiled code if that is worth it for `work` bytes of text; the first time takes many seconds."""
    if is_compiled() or _failed.is_set():
        return
    try:
        if compiles_for(work) or (work >= WORTH_LOADING and is_cached()):
            load()
    except Exception as error:  # no compiler, or one that does not work here: plain Python does it, too
        _failed.set()
        warnings.warn(f"Large corpora take long, because the engine cannot be compiled: {error}", stacklevel=2)


def compiles_for(work: int) -> bool:
    """Whether `load_for` would have to compile, which takes many seconds."""
    try:
        return work >= _WORTH_COMPILING and not is_compiled() and not is_cached()
    except ImportError:
        return False


def load() -> None:
    """Get the compiled code: load it, or compile it if that was never done here."""
    load_kernels(use_every_kernel)


def use_every_kernel() -> None:
    """Count, train and encode a little in every way there is."""
    from bpe_gui.engine.corpora import counting
    from bpe_gui.engine.tokenization import decoder
    from bpe_gui.engine.tokenization import recipe_encoder as encoder
    from bpe_gui.engine.tokenization import pipeline_encoder
    from bpe_gui.engine.corpora.corpus import Corpus
    from bpe_gui.engine.machine import with_room_for_pairs
    from bpe_gui.engine.text.recipe import Recipe
    from bpe_gui.engine.training.trainer import Trainer

    counting.warm_up()
    for units in ("bytes", "characters"):
        recipe = Recipe.of("cs336").with_changes(units=units, tie_break="first-seen")
        trainer = Trainer(Corpus.from_text("low low lower, internationally 你好").count(recipe), recipe)
        trainer.peek()
        trainer.seek(3)
        trainer.seek(0)
        trainer.pairs(2)
        trainer.pairs()
        trainer.occurrences(b"l", b"o")
        with_room_for_pairs(trainer._machine, 1 << 13)
    encoder.warm_up()
    decoder.warm_up()
    pipeline_encoder.warm_up()
