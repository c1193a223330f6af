"""Check that this machine has enough memory to count a corpus and train on it."""

import logging
import math
from time import monotonic
from typing import Final

from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe

_REFERENCE_SIZE: Final = 100_000_000  # bytes of text
_MEMORY_FOR_REFERENCE: Final = 200_000_000
"""Bytes of memory that training on `_REFERENCE_SIZE` bytes of English takes; other languages take more."""

_GROWTH: Final = 0.75
"""The exponent by which memory grows with the text: new words become rare, so ten times the text takes less than six
times the memory."""

_MEMORY_PER_UNSPLIT_BYTE: Final = 40
"""Bytes of memory for each byte of text where every document is one word."""

_CHECK_INTERVAL: Final = 0.2  # seconds
_MIN_AVAILABLE: Final = 200_000_000
"""Bytes of memory that counting leaves to other programs."""

_logger: Final = logging.getLogger(__name__)


def memory_needed(size: int, recipe: Recipe) -> int:
    """Return an estimate of the least memory, in bytes, that training on `size` bytes of text takes.

    >>> memory_needed(100_000_000, Recipe.of("cs336"))
    200000000
    """
    if recipe.splitter == "none":
        return _MEMORY_PER_UNSPLIT_BYTE * size
    ratio = float(size) / _REFERENCE_SIZE
    # Proportional below the reference size, where the power would estimate more: this is to be a lower bound.
    return round(_MEMORY_FOR_REFERENCE * min(ratio, math.pow(ratio, _GROWTH)))


def check_memory(size: int, recipe: Recipe) -> None:
    """Raise CorpusError if training on `size` bytes of text would take more memory than is available."""
    needed, available = memory_needed(size, recipe), memory.available()
    _logger.debug("%d MB of memory needed, %d MB available", _megabytes(needed), _megabytes(available))
    if needed > available:
        raise CorpusError(
            _(
                "EngineError",
                "This corpus is {size:,} MB, and training on it would take at least {needed:,} MB of memory, but "
                "only {available:,} MB are free. Train on part of it.",
            ),
            size=_megabytes(size),
            needed=_megabytes(needed),
            available=_megabytes(available),
        )


def with_memory_checks(progress: Progress | None) -> Progress:
    """Return a progress callback that calls `progress`, but first raises CorpusError if memory is running out.

    Otherwise the system might kill the process. What it is called with must be
    numbers of bytes.
    """
    last_check = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last_check
        if monotonic() - last_check > _CHECK_INTERVAL:
            last_check = monotonic()
            _check_available(done)
        if progress:
            progress(done, total)

    return report


def _check_available(done: int) -> None:
    available = memory.available()
    if available < _MIN_AVAILABLE:
        _logger.warning("only %d MB of memory are available after %d MB", _megabytes(available), _megabytes(done))
        raise CorpusError(
            _(
                "EngineError",
                "Memory is running out: only {available:,} MB are free after {done:,} MB of text, because the "
                "text has too many unique words. Train on part of the corpus, or choose a splitter that makes "
                "shorter words.",
            ),
            done=_megabytes(done),
            available=_megabytes(available),
        )


def _megabytes(size: int) -> int:
    return round(size / 1_000_000)
