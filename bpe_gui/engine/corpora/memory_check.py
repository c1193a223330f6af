"""Whether a corpus can be counted and trained on in the memory that there is."""

import math
from time import monotonic
from typing import Final

from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe

_OF_PLAIN_TEXT: Final = 200_000_000
"""Bytes of memory that training takes on so many bytes of plain English; other languages take more."""

_PLAIN_TEXT: Final = 100_000_000
_GROWTH: Final = 0.75
"""New words become rare: ten times the text takes less than six times the memory."""

_OF_UNSPLIT_TEXT: Final = 40
"""Bytes of memory for a byte of text where each document is one word."""

_LOOK_EVERY: Final = 0.2  # seconds
_LEAST_LEFT: Final = 200_000_000
"""Bytes of memory that counting leaves to the rest of the machine."""


def needed_for(size: int, recipe: Recipe) -> int:
    """About how many bytes of memory it takes at least to train on `size` bytes of text.

    >>> needed_for(100_000_000, Recipe.of("cs336"))
    200000000
    """
    if recipe.splitter == "none":
        return _OF_UNSPLIT_TEXT * size
    share = float(size) / _PLAIN_TEXT
    return round(_OF_PLAIN_TEXT * min(share, math.pow(share, _GROWTH)))


def check_capacity(size: int, recipe: Recipe) -> None:
    """Raise CorpusError for a corpus of `size` bytes that could not be trained on, before it is read."""
    needed, available = needed_for(size, recipe), memory.available()
    if needed > available:
        raise CorpusError(
            _(
                "EngineError",
                "This corpus has {size:,} MB, and training on it would take at least {needed:,} MB of memory; "
                "{available:,} MB are free. Train on a part of it.",
            ),
            size=_megabytes(size),
            needed=_megabytes(needed),
            available=_megabytes(available),
        )


def watched(progress: Progress | None) -> Progress:
    """The same progress; it also raises CorpusError when memory gets short: better than being ended by the system."""
    looked = 0.0

    def report(done: int, total: int) -> None:
        nonlocal looked
        if monotonic() - looked > _LOOK_EVERY:
            looked = monotonic()
            _check_room(done)
        if progress:
            progress(done, total)

    return report


def _check_room(done: int) -> None:
    available = memory.available()
    if available < _LEAST_LEFT:
        raise CorpusError(
            _(
                "EngineError",
                "Memory is running out: only {available:,} MB are free after {done:,} MB of text, because of the many "
                "different words in it. Train on a part of the corpus, or split it into shorter words.",
            ),
            done=_megabytes(done),
            available=_megabytes(available),
        )


def _megabytes(size: int) -> int:
    return round(size / 1_000_000)
