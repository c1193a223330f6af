"""Counting the words of a block of text."""

from bpe_gui.engine.kernels.text.gpt2_word_starts import Stretch
from bpe_gui.engine.runtime.jit import helper, kernel
from bpe_gui.engine.kernels.training.records import Bytes
from bpe_gui.engine.kernels.text.scanning import OTHER, SPACE, last_boundary
from bpe_gui.engine.kernels.text.special_search import LONGEST, Specials, find_special, size_of
from bpe_gui.engine.kernels.text.splitting import next_words
from bpe_gui.engine.kernels.lowlevel.utf8 import whole_until
from bpe_gui.engine.kernels.text.word_keys import Batch
from bpe_gui.engine.kernels.text.word_table import WordTable, enter, has_room


@kernel
def count_block(
    splitter: int,
    text: Bytes,
    at: int,
    end: int,
    is_last: bool,
    classes: Bytes,
    specials: Specials,
    table: WordTable,
    batch: Batch,
    stretch: Stretch,
) -> int:
    """Count the words from `at` on, up to `end`, or up to where what follows a block can no longer change them.

    Special tokens are left out, and what is between two of them is a text of its own. `amounts` of the batch are 1.
    Returns where it ended; if that was for want of room in the table, -1 less that.
    """
    if not is_last:
        end = whole_until(text, at, end)
    # A special token that begins after this may not be here whole, or may still become a longer one.
    decided = end if is_last else end - specials.sizes[LONGEST] + 1
    while at < decided:
        stop, token = find_special(text, at, decided, end, specials)
        if token < 0:
            stop = end if is_last else last_boundary(text, at, min(decided, end - 1), classes, SPACE | OTHER)
        at = _count_words(splitter, text, at, stop, classes, table, batch, stretch)
        if at < stop:
            return -1 - at
        if token < 0:
            return at
        at += size_of(specials, token)
    return at


@helper
def _count_words(
    splitter: int,
    text: Bytes,
    at: int,
    end: int,
    classes: Bytes,
    table: WordTable,
    batch: Batch,
    stretch: Stretch,
) -> int:
    """Count the words of a text of its own. Returns where it ended: earlier for want of room."""
    while at < end and has_room(table):
        size = next_words(splitter, text, at, end, classes, stretch, batch.begins)
        at = batch.begins[size]
        enter(table, text, batch, size)
    return at
