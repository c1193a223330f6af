"""Split text into words with the automata of expressions.

An expression divides text into pieces: its matches, and the gaps between them. Each character is looked up in a table
of moves, which gives the next row of the table and says whether a piece ends before the character. So text is read
once, without a branch for each word. In the rare case that a match has to end before the last characters read, a second
table is used to search for it again from its start.

A splitter may have several levels: each splits the words of the one before, treating every word as a text of its own.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record, helper, kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, previous_character, size_at
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array, UInt16Array

from .gpt2_word_starts import Gpt2Scanner, find_word_starts

PIECES: Final = 256
"""The most pieces to split off at a time."""

# The bits of a move; the others are the next row.
ENDS_PIECE: Final = 1
ENDS_GAP: Final = 2
SEARCHES: Final = 4
ENDED_BEFORE: Final = 8  # with SEARCHES: the match ended before the last character read
MOVE_BITS: Final = 4

PART_BITS: Final = 12
"""The bits of an entry of `matches` for the alternative that has matched: its number plus 1, or 0."""

# The kinds of pieces.
MATCH, GAP = range(2)
_NO_PIECE: Final = 2

# The columns of `Splitter.settings`, which has a row per level.
(
    ASCII_BASE,  # where its ASCII characters are in `ascii`
    PAGE_BASE,  # where its pages are in `pages`
    INIT_BASE,  # where its first rows are in `firsts`
    NO_CHARACTER,  # the class of no character at all, before a text begins
    END_SYMBOL,  # the symbol for the end of a text
    BACKWARD,  # the row of `backward` at the end of a text, or -1 where the symbol is just the class
    FIRST_GAP,  # the first of the rows of `moves` that are in a gap
    MATCH_SHIFT,  # what to add to a row of `moves` for that of `matches`
    JOINS,  # a bit for the kind of a piece times three, plus the kind of the one before: whether they form one word
    DROPS,  # a bit for each kind of piece: whether it is not a word
    TAKES_SPACE,  # whether a word begins with the space that is dropped before it
    PAIR_BASE,  # where its pairs of classes are in `pairs`
    IS_WHOLE,  # whether each piece is a match and a word
    SETTINGS,
) = range(14)

# The columns of `Splitter.state`, which has a row per level.
AT, BEGIN, END, WORD, WORDS, OPEN, OPEN_END, LAST, READ_AHEAD, STATE = range(10)
"""Where the next piece begins; where its text begins and ends; the index of the next word, and the number of words;
where the unfinished word begins and ends; the kind of the last piece; and, in the first row, how many bytes were read
beyond matches, or -1 for too many."""

_MAX_READ_AHEAD: Final = 1 << 26
"""How many bytes may be read beyond matches in a text, plus 256 for each byte of it: up to a second's work."""

SPACE_BYTE: Final = 0x20


class Splitter(Record):
    """The tables of a splitter, concatenated for all levels, and the state of splitting one text."""

    ascii: UInt16Array
    """The class of each ASCII character."""
    pages: Int32Array
    """Where the page of each 256 code points is in `classes`."""
    classes: UInt16Array
    moves: Int32Array
    """The next row, and what ends, by row and symbol."""
    matches: Int32Array
    """The next row, or 0 if nothing can match any more, and what has matched before the symbol, by row and symbol."""
    firsts: Int32Array
    """The row of `moves` to begin in, by class of the character before."""
    backward: Int32Array
    """The row before a character, shifted by 16 bits, and the character's symbol, by row and class."""
    pairs: UInt8Array
    """Whether text can be split between two characters, by their classes."""
    settings: Int64Array
    gpt2: Gpt2Scanner
    """A scanner that is faster than the tables if the expression is GPT-2's; empty otherwise."""
    symbols: UInt16Array
    """The symbol of the character at each offset of the text that the last backward pass read."""
    state: Int64Array
    bounds: Int64Array
    """Where the pieces of a level begin, and the last one ends."""
    kinds: UInt8Array
    starts: Int64Array
    """The start of each word of each level but the last."""
    ends: Int64Array


@helper
def begin_text(splitter: Splitter, at: int, end: int) -> None:
    """Begin to split the text from `at` to `end`. Expressions see nothing before or after it."""
    levels = len(splitter.settings) // SETTINGS
    for level in range(1, levels):
        _set_text(splitter, level, 0, 0)
    _set_text(splitter, 0, at, end)
    splitter.state[READ_AHEAD] = 0


@helper
def is_stuck(splitter: Splitter) -> bool:
    """Return whether splitting the text was abandoned, because finding its matches means reading too far ahead.

    The remaining text begins at `splitter.state[AT]`.
    """
    return splitter.state[READ_AHEAD] < 0


@helper
def text_is_split(splitter: Splitter) -> bool:
    """Return whether all words of the text have been returned."""
    levels, state = len(splitter.settings) // SETTINGS, splitter.state
    for level in range(levels):
        at = level * STATE
        if state[at + AT] < state[at + END] or state[at + WORD] < state[at + WORDS] or state[at + OPEN] >= 0:
            return False
    return True


@helper
def next_words(splitter: Splitter, text: UInt8Array, starts: Int64Array, ends: Int64Array) -> int:
    """Write where the next words of the text start and end. Return their number, at most `BATCH`.

    Return 0 after the last, or if splitting `is_stuck`.
    """
    levels, state = len(splitter.settings) // SETTINGS, splitter.state
    if len(splitter.gpt2.classes) > 0:
        return _next_gpt2_words(splitter, text, starts, ends)
    last = levels - 1
    level = last
    while not is_stuck(splitter):
        own = level * STATE
        if level == last:
            words = 0
            while (
                words == 0 and (state[own + AT] < state[own + END] or state[own + OPEN] >= 0) and not is_stuck(splitter)
            ):
                words = _next_of_level(splitter, level, text, starts, ends, 0)
            if words > 0 or level == 0:
                return words
            level -= 1
        elif state[own + WORD] < state[own + WORDS]:
            word = level * PIECES + state[own + WORD]
            state[own + WORD] += 1
            level += 1
            _set_text(splitter, level, splitter.starts[word], splitter.ends[word])
        elif state[own + AT] < state[own + END] or state[own + OPEN] >= 0:
            state[own + WORD] = 0
            state[own + WORDS] = _next_of_level(splitter, level, text, splitter.starts, splitter.ends, level * PIECES)
        elif level == 0:
            return 0
        else:
            level -= 1
    return 0


@helper
def _next_gpt2_words(splitter: Splitter, text: UInt8Array, starts: Int64Array, ends: Int64Array) -> int:
    state = splitter.state
    if state[AT] == state[END]:
        return 0
    words = find_word_starts(text, state[AT], state[END], splitter.gpt2, starts)
    for i in range(words):
        ends[i] = starts[i + 1]
    state[AT] = starts[words]
    return words


@helper
def _set_text(splitter: Splitter, level: int, at: int, end: int) -> None:
    state, own = splitter.state, level * STATE
    state[own + AT] = state[own + BEGIN] = at
    state[own + END] = end
    state[own + WORD] = state[own + WORDS] = 0
    state[own + OPEN] = -1
    state[own + LAST] = _NO_PIECE


@helper
def _next_of_level(
    splitter: Splitter, level: int, text: UInt8Array, starts: Int64Array, ends: Int64Array, first: int
) -> int:
    """Write where the next words of a level start and end, from index `first`. Return their number."""
    state, settings, own = splitter.state, splitter.settings, level * STATE
    at, begin, end = state[own + AT], state[own + BEGIN], state[own + END]
    if at == begin and settings[level * SETTINGS + BACKWARD] >= 0:
        _read_backward(splitter, level, text, begin, end)
    pieces = _next_pieces(splitter, level, text, at, begin, end)
    bounds = splitter.bounds
    state[own + AT] = bounds[pieces]
    if settings[level * SETTINGS + IS_WHOLE]:
        for i in range(pieces):
            starts[first + i] = bounds[i]
            ends[first + i] = bounds[i + 1]
        return pieces
    return _make_words(splitter, level, text, pieces, starts, ends, first)


@helper
def _make_words(
    splitter: Splitter, level: int, text: UInt8Array, pieces: int, starts: Int64Array, ends: Int64Array, first: int
) -> int:
    """Join pieces into words, leaving out those that are dropped. The last word stays open: more may join it."""
    state, bounds, kinds, own = splitter.state, splitter.bounds, splitter.kinds, level * STATE
    joins = splitter.settings[level * SETTINGS + JOINS]
    drops = splitter.settings[level * SETTINGS + DROPS]
    takes_space = splitter.settings[level * SETTINGS + TAKES_SPACE]
    open_start, open_end, last = state[own + OPEN], state[own + OPEN_END], state[own + LAST]
    words = 0
    for i in range(pieces):
        kind = kinds[i]
        start, stop = bounds[i], bounds[i + 1]
        if joins >> (3 * kind + last) & 1 and open_start >= 0:
            open_end = stop
        else:
            if open_start >= 0:
                starts[first + words] = open_start
                ends[first + words] = open_end
                words += 1
            open_start = -1
            if not drops >> kind & 1:
                open_start = start - 1 if takes_space and last == GAP and text[start - 1] == SPACE_BYTE else start
                open_end = stop
        last = kind
    if state[own + AT] == state[own + END] and open_start >= 0:
        starts[first + words] = open_start
        ends[first + words] = open_end
        words += 1
        open_start = -1
    state[own + OPEN], state[own + OPEN_END], state[own + LAST] = open_start, open_end, last
    return words


# -- pieces -----------------------------------------------------------------------------------------------------------


@helper
def _next_pieces(splitter: Splitter, level: int, text: UInt8Array, at: int, begin: int, end: int) -> int:
    """Write to `bounds` and `kinds` where the pieces after `at` begin, and their kinds. Return their number."""
    settings, bounds, kinds, moves = splitter.settings, splitter.bounds, splitter.kinds, splitter.moves
    own = level * SETTINGS
    first_gap, end_symbol = settings[own + FIRST_GAP], settings[own + END_SYMBOL]
    has_symbols = settings[own + BACKWARD] >= 0
    ascii_base, ascii = settings[own + ASCII_BASE], splitter.ascii
    last_ascii = -1 if has_symbols else 0x7F  # up to here, a character's symbol is its class
    pieces = 0
    bounds[0] = at
    row = _first_row(splitter, level, text, at, begin)
    while True:
        move = 0
        while at < end and pieces < PIECES:
            while at < end and text[at] <= last_ascii and pieces < PIECES:
                move = moves[row + ascii[ascii_base + text[at]]]
                if move & SEARCHES:
                    break
                bounds[pieces + 1] = at
                kinds[pieces] = (move & ENDS_GAP) >> 1
                pieces += move & ENDS_PIECE
                row = move >> MOVE_BITS
                at += 1
            if move & SEARCHES or at == end or pieces == PIECES:
                break
            move = moves[row + _symbol_at(splitter, own, text, at, has_symbols, begin)]
            if move & SEARCHES:
                break
            bounds[pieces + 1] = at
            kinds[pieces] = (move & ENDS_GAP) >> 1
            pieces += move & ENDS_PIECE
            row = move >> MOVE_BITS
            at += size_at(text, at)
        if not move & SEARCHES:
            if at == end and pieces < PIECES:
                if bounds[pieces] == end:
                    return pieces
                move = moves[row + end_symbol]
                if not move & SEARCHES:
                    kinds[pieces] = GAP if row >= first_gap else MATCH
                    bounds[pieces + 1] = end
                    return pieces + 1
            elif kinds[pieces - 1] == MATCH:
                return pieces
        # The last piece may not be a match, or it may end before the characters that were read.
        start = bounds[pieces]
        if move & ENDED_BEFORE:
            stop = previous_character(text, at)
        else:
            stop, _part = find_match(splitter, level, text, start, begin, end)
            splitter.state[READ_AHEAD] += max(at - max(start, stop), 0)
            if splitter.state[READ_AHEAD] > _MAX_READ_AHEAD + 256 * (start - begin):
                splitter.state[READ_AHEAD] = -1
                return pieces
        if stop > start:
            if pieces == PIECES:
                return pieces
            kinds[pieces] = MATCH
            pieces += 1
            bounds[pieces] = at = stop
            row = _first_row(splitter, level, text, at, begin)
        else:
            if pieces > 0 and kinds[pieces - 1] == GAP and stop < 0:
                pieces -= 1
            elif pieces == PIECES:
                return pieces
            at = start + size_at(text, start)
            row = _first_row(splitter, level, text, at, begin, GAP)


@helper
def find_match(splitter: Splitter, level: int, text: UInt8Array, start: int, begin: int, end: int) -> tuple[int, int]:
    """Return the end of the match that begins at `start`, and the number of the alternative that made it.

    The end is `start` if the match is empty, and -1 if there is none.
    """
    settings, own = splitter.settings, level * SETTINGS
    has_symbols = settings[own + BACKWARD] >= 0
    row = _first_row(splitter, level, text, start, begin) + settings[own + MATCH_SHIFT]
    at, stop, part = start, -1, -1
    while row > 0:
        symbol = _symbol_at(splitter, own, text, at, has_symbols, begin) if at < end else settings[own + END_SYMBOL]
        entry = splitter.matches[row + symbol]
        if entry & ((1 << PART_BITS) - 1):
            stop, part = at, (entry & ((1 << PART_BITS) - 1)) - 1
        row = entry >> PART_BITS
        if at == end:
            break
        at += size_at(text, at)
    return stop, part


@kernel
def find_parts(
    splitter: Splitter, text: UInt8Array, begin: int, end: int, starts: Int64Array, parts: Int32Array
) -> None:
    """Write the number of the alternative that made each match of the text [begin, end), or -1 if it is not a match.

    The splitter has one level. A match may begin one byte after its start, after a space that belongs to the word.
    """
    if splitter.settings[BACKWARD] >= 0:
        _read_backward(splitter, 0, text, begin, end)
    for i in range(len(starts)):
        start = starts[i]
        stop, part = find_match(splitter, 0, text, start, begin, end)
        if stop <= start and start + 1 < end:
            start += 1
            stop, part = find_match(splitter, 0, text, start, begin, end)
        parts[i] = part if stop > start else -1


@helper
def _first_row(splitter: Splitter, level: int, text: UInt8Array, at: int, begin: int, kind: int = MATCH) -> int:
    """Return the row at `at`, where a match may begin, or in a gap that began before."""
    own = level * SETTINGS
    before = splitter.settings[own + NO_CHARACTER]
    if at > begin:
        before = _class_at(splitter, own, text, previous_character(text, at))
    return splitter.firsts[splitter.settings[own + INIT_BASE] + 2 * before + kind]


@helper
def _symbol_at(splitter: Splitter, own: int, text: UInt8Array, at: int, has_symbols: bool, begin: int) -> int:
    if has_symbols:
        return splitter.symbols[at - begin]
    return _class_at(splitter, own, text, at)


@helper
def _class_at(splitter: Splitter, own: int, text: UInt8Array, at: int) -> int:
    byte = text[at]
    if byte < 0x80:
        return splitter.ascii[splitter.settings[own + ASCII_BASE] + byte]
    code = code_point_at(text, at)
    return splitter.classes[splitter.pages[splitter.settings[own + PAGE_BASE] + (code >> 8)] + (code & 0xFF)]


@helper
def _read_backward(splitter: Splitter, level: int, text: UInt8Array, begin: int, end: int) -> None:
    """Write the symbols of all characters of a text."""
    own, at = level * SETTINGS, end
    row = splitter.settings[own + BACKWARD]
    while at > begin:
        at = previous_character(text, at)
        entry = splitter.backward[row + _class_at(splitter, own, text, at)]
        splitter.symbols[at - begin] = entry & 0xFFFF
        row = entry >> 16


# -- where text can be split ------------------------------------------------------------------------------------------


@helper
def last_boundary(splitter: Splitter, text: UInt8Array, at: int, stop: int) -> int:
    """Return the last offset after `at`, up to `stop`, where splitting the text changes no word, or `at`."""
    while stop > at and text[stop] & 0xC0 == 0x80:
        stop -= 1
    while stop > at:
        last = previous_character(text, stop)
        if last >= at and is_boundary_at(splitter, text, last, stop):
            return stop
        stop = last
    return at


@helper
def is_boundary_at(splitter: Splitter, text: UInt8Array, before: int, at: int) -> bool:
    """Return whether text can be split before the character at `at`; the previous character begins at `before`.

    Every level must allow it, and one must begin a word there.
    """
    levels = len(splitter.settings) // SETTINGS
    allowed = 0
    for level in range(levels):
        own = level * SETTINGS
        left, right = _class_at(splitter, own, text, before), _class_at(splitter, own, text, at)
        width = splitter.settings[own + NO_CHARACTER]
        pair = splitter.pairs[splitter.settings[own + PAIR_BASE] + left * width + right]
        if pair == 0:
            return False
        allowed |= pair
    return allowed & 2 != 0


@kernel
def find_boundary(splitter: Splitter, text: UInt8Array, at: int, end: int) -> int:
    """Return the last offset between `at` and `end` where splitting changes no word, like `last_boundary`, or `at`."""
    return last_boundary(splitter, text, at, end - 1)


@kernel
def find_all_words(
    splitter: Splitter,
    text: UInt8Array,
    bounds: Int64Array,
    starts: Int64Array,
    ends: Int64Array,
    all_starts: Int64Array,
    all_ends: Int64Array,
) -> int:
    """Write where all words of some texts start and end. Return their number, or -1 if splitting `is_stuck`.

    `bounds` has where the texts begin and end, alternately.
    """
    found = 0
    for index in range(0, len(bounds), 2):
        begin_text(splitter, bounds[index], bounds[index + 1])
        words = next_words(splitter, text, starts, ends)
        while words > 0:
            for i in range(words):
                all_starts[found + i] = starts[i]
                all_ends[found + i] = ends[i]
            found += words
            words = next_words(splitter, text, starts, ends)
        if is_stuck(splitter):
            return -1
    return found
