"""Count the words of a block of text."""

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import end_of_whole_characters
from bpe_gui.engine.runtime.arrays import UInt8Array

from .dropping_splitters import classes_after_boundary, drops_white_space, next_pieces
from .gpt2_word_starts import StretchBitmaps
from .scanning import last_boundary
from .special_search import LONGEST, MARK, SpecialTokenTable, find_special, special_size
from .splitting import next_words
from .word_keys import LookupBatch
from .word_table import ORIGIN, WordTable, count_batch, table_has_capacity


@kernel
def count_block(
    splitter: int,
    text: UInt8Array,
    at: int,
    end: int,
    is_last: bool,
    classes: UInt8Array,
    specials: SpecialTokenTable,
    table: WordTable,
    batch: LookupBatch,
    bitmaps: StretchBitmaps,
) -> int:
    """Count the words from `at` up to `end`, or up to a boundary after which the next block may change the words.

    White space that the splitter drops is counted like a word. Special tokens are not counted, and the text between two
    of them is split on its own. Marks between texts are like special tokens, but have no place in the corpus: what
    follows one moves up. `batch.counts` is what each word adds to its count. Return the offset reached, or -1 minus
    that offset if the table is full.
    """
    if not is_last:
        end = end_of_whole_characters(text, at, end)
    after = classes_after_boundary(splitter)
    # A special token that begins after this may be incomplete, or the beginning of a longer one.
    decided = end if is_last else end - specials.sizes[LONGEST] + 1
    while at < decided:
        stop, token = find_special(text, at, decided, end, specials)
        if token < 0:
            stop = end if is_last else last_boundary(text, at, min(decided, end - 1), classes, after)
        at = _count_words(splitter, text, at, stop, classes, table, batch, bitmaps)
        if at < stop:
            return -1 - at
        if token < 0:
            return at
        size = special_size(specials, token)
        if text[at] == MARK:
            table.state[ORIGIN] -= size
        at += size
    return at


@helper
def _count_words(
    splitter: int,
    text: UInt8Array,
    at: int,
    end: int,
    classes: UInt8Array,
    table: WordTable,
    batch: LookupBatch,
    bitmaps: StretchBitmaps,
) -> int:
    """Count the words of a text that is split on its own. Return the offset reached: less than `end` if it is full."""
    while at < end and table_has_capacity(table):
        if drops_white_space(splitter):
            size = next_pieces(splitter, text, at, end, classes, batch.starts)
        else:
            size = next_words(splitter, text, at, end, classes, bitmaps, batch.starts)
        at = batch.starts[size]
        count_batch(table, text, batch, size)
    return at
