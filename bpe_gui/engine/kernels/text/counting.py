"""Count the words of a block of text."""

from bpe_gui.engine.compilation.kernel import helper, kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import end_of_whole_characters
from bpe_gui.engine.runtime.types import UInt8Array

from .automaton import Splitter, begin_text, is_stuck, last_boundary, next_words, text_is_split
from .special_search import LONGEST, MARK, SpecialTokenTable, find_special, special_size
from .word_table import ORIGIN, FoundWords, LookupBatch, WordTable, count_batch, find_batch, table_has_capacity


@kernel
def count_block(
    splitter: Splitter,
    text: UInt8Array,
    at: int,
    end: int,
    is_last: bool,
    specials: SpecialTokenTable,
    table: WordTable,
    batch: LookupBatch,
    found: FoundWords,
) -> int:
    """Count the words from `at` up to `end`, or up to a boundary after which the next block may change the words.

    Special tokens are not counted, and the text between them is split separately. Marks between texts are like special
    tokens, but take up no positions in the corpus. Each word adds its entry in `batch.counts` to its count; or, if
    `found` has capacity, words are looked up in the table and appended to `found`. Return the offset reached or, if the
    table is full or splitting is stuck, -1 minus the offset from which to go on with a larger table.
    """
    if not is_last:
        end = end_of_whole_characters(text, at, end)
    # A special token that begins after this may be incomplete, or the beginning of a longer one.
    decided = end if is_last else end - specials.sizes[LONGEST] + 1
    while at < decided:
        stop, token = find_special(text, at, decided, end, specials)
        if token < 0:
            stop = end if is_last else last_boundary(splitter, text, at, min(decided, end - 1))
        if text_is_split(splitter):  # otherwise, the table was full last time
            begin_text(splitter, at, stop)
        if not _count_words(splitter, text, table, batch, found):
            return -1 - at
        at = stop
        if token < 0:
            return at
        size = special_size(specials, token)
        if text[at] == MARK:
            table.state[ORIGIN] -= size
        at += size
    return at


@helper
def _count_words(splitter: Splitter, text: UInt8Array, table: WordTable, batch: LookupBatch, found: FoundWords) -> bool:
    """Count or find the remaining words of the splitter's current text. Return False if not all could be."""
    while not text_is_split(splitter):
        if is_stuck(splitter) or not table_has_capacity(table):
            return False
        size = next_words(splitter, text, batch.starts, batch.ends)
        if len(found.numbers) > 0:
            find_batch(table, text, batch, size, found)
        else:
            count_batch(table, text, batch, size)
    return True
