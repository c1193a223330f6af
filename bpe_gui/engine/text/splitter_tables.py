"""The tables with which kernels split text, for one expression or several in a row."""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.text.automaton import (
    ENDED_BEFORE,
    ENDS_GAP,
    ENDS_PIECE,
    GAP,
    MATCH,
    MOVE_BITS,
    OPEN,
    PART_BITS,
    PIECES,
    SEARCHES,
    STATE,
    Splitter,
)
from bpe_gui.engine.kernels.text.gpt2_word_starts import Gpt2Scanner
from bpe_gui.engine.runtime.types import BoolArray, Int32Array, UInt8Array

from .automaton import DEAD, NO_MATCH, Automaton, distinct

Behavior = Literal["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
"""How matches are treated when a text is split at them; `contiguous` joins adjacent ones into a word."""

CAN_CUT, CUTS_WORDS = 1, 3
"""The entries of `Splitter.pairs` other than 0: splitting there changes no match, or no match and no word."""

_ASCII: Final = 0x80


class Level(NamedTuple):
    """How an automaton splits: how its matches, or the gaps between them if `is_inverted`, are treated.

    With `takes_space`, a word begins with the space that is dropped before it.
    """

    automaton: Automaton
    behavior: Behavior = "removed"
    is_inverted: bool = True
    takes_space: bool = False

    @property
    def drops(self) -> int:
        """The kinds of pieces that are not words, as bits."""
        if self.behavior != "removed":
            return 0
        return 1 << (GAP if self.is_inverted else MATCH)

    @property
    def joins(self) -> int:
        """A bit for the kind of a piece times three, plus the kind of the one before: whether they form one word."""
        separator, other = (GAP, MATCH) if self.is_inverted else (MATCH, GAP)
        match self.behavior:
            case "merged_with_previous":
                pairs = [(other, separator)]
            case "merged_with_next":
                pairs = [(separator, other)]
            case "contiguous":
                pairs = [(MATCH, MATCH)]  # an empty match lies between two gaps
            case _:
                pairs = []
        return sum(1 << (3 * kind + before) for before, kind in pairs)


class _Tables(NamedTuple):
    """The tables of one level, whose rows begin at 0 and have `width` entries."""

    moves: Int32Array
    matches: Int32Array
    firsts: Int32Array
    backward: Int32Array
    pairs: UInt8Array
    width: int
    first_gap: int
    first_match: int
    has_gaps: bool


def new_splitter(levels: Sequence[Level], symbols: int = 0) -> Splitter:
    """Return a splitter whose levels split one after another.

    `symbols` is the size of the longest text that it can split, in bytes; only levels that read text backwards need it.
    """
    tables_of_levels: list[list[Any]] = [[] for _ in range(9)]
    ascii_classes, pages, classes, moves, matches, firsts, backward, pairs, settings = tables_of_levels
    sizes = dict.fromkeys(("pages", "classes", "moves", "matches", "firsts", "backward", "pairs"), 0)
    for index, level in enumerate(levels):
        automaton, tables = level.automaton, _tables_of(level)
        own = automaton.classes
        ascii_classes.append(own.by_code_point[own.pages[0] : own.pages[0] + _ASCII])
        pages.append(own.pages + np.int32(sizes["classes"]))
        classes.append(own.by_code_point)
        moves.append(_shifted(tables.moves, sizes["moves"], MOVE_BITS))
        matches.append(_shifted(tables.matches, sizes["matches"], PART_BITS))
        firsts.append(tables.firsts + np.int32(sizes["moves"]))
        backward.append(_shifted(tables.backward, sizes["backward"], 16))
        pairs.append(tables.pairs)
        joins = level.joins
        drops = level.drops if tables.has_gaps or level.drops != 1 << GAP else 0
        settings.append(
            [
                index * _ASCII,
                sizes["pages"],
                sizes["firsts"],
                own.size,
                automaton.symbol_at_end,
                sizes["backward"] if len(tables.backward) else -1,
                sizes["moves"] + tables.first_gap,
                sizes["matches"] + tables.first_match - sizes["moves"],
                joins,
                drops,
                level.takes_space,
                sizes["pairs"],
                not (joins or drops or level.takes_space),
            ]
        )
        for name, array in zip(sizes, (pages, classes, moves, matches, firsts, backward, pairs), strict=True):
            sizes[name] += len(array[-1])
    state = np.zeros((len(levels), STATE), np.int64)
    state[:, OPEN] = -1
    return Splitter(
        ascii=_joined(ascii_classes),
        pages=_joined(pages),
        classes=_joined(classes),
        moves=_joined(moves),
        matches=_joined(matches),
        firsts=_joined(firsts),
        backward=_joined(backward),
        pairs=_joined(pairs),
        settings=np.array(settings, np.int64).reshape(-1),
        gpt2=Gpt2Scanner(np.zeros(0, np.uint8), *np.zeros((5, 0), np.int64)),
        symbols=np.zeros(symbols if sizes["backward"] else 0, np.uint16),
        state=state.reshape(-1),
        bounds=np.zeros(PIECES + 2, np.int64),
        kinds=np.zeros(PIECES + 2, np.uint8),
        starts=np.zeros(len(levels) * PIECES, np.int64),
        ends=np.zeros(len(levels) * PIECES, np.int64),
    )


def _joined(arrays: "list[np.ndarray[Any, Any]]") -> Any:
    return np.ascontiguousarray(np.concatenate(arrays))


def _shifted(table: Int32Array, rows: int, bits: int) -> Int32Array:
    """Return a table whose entries have row numbers in their upper bits, with these numbers increased; 0 stays 0."""
    return np.where(table >> bits > 0, table + np.int32(rows << bits), table).astype(np.int32)


def _tables_of(level: Level) -> _Tables:
    automaton = level.automaton
    following, matched, starts = automaton.following, automaton.matched, automaton.starts
    count, width = automaton.classes.size, following.shape[1]
    class_of = automaton.class_of_symbol
    first_inits = distinct(starts)
    contexts = {int(state): index for index, state in enumerate(first_inits)}
    context_of_class = np.array([contexts[int(state)] for state in starts], np.int32)
    states, kinds = len(following), len(contexts)
    # `moves` has rows for the states, then for positions at which a match may begin, then for gaps. `matches` has rows
    # for the states, the first of which is dead, then for positions at which a match may begin.
    init_row, gap_row = states * width, (states + kinds) * width
    moves = np.full((states + 2 * kinds, width), SEARCHES, np.int64)
    begins = following[first_inits]  # by context and symbol
    rows_in_gap = gap_row + width * context_of_class[np.minimum(class_of, count)]
    of_begins = np.where(begins != DEAD, begins * width, rows_in_gap) << MOVE_BITS
    contexts_of_states = context_of_class[automaton.last_classes]
    goes_on, ends = following != DEAD, (following == DEAD) & (matched != NO_MATCH)
    moves[:states][goes_on] = (following * width << MOVE_BITS)[goes_on]
    moves[:states][ends] = (of_begins[contexts_of_states] | ENDS_PIECE)[ends]
    moves[states : states + kinds] = of_begins
    is_boundary_in_gap = (begins != DEAD) | (matched[first_inits] != NO_MATCH)
    moves[states + kinds :] = of_begins | np.where(is_boundary_in_gap, ENDS_PIECE | ENDS_GAP, 0)
    # There is no next row at the end of the text.
    at_end = class_of == count
    moves[:states, at_end] = np.where(matched[:, at_end] != NO_MATCH, ENDS_PIECE, SEARCHES)
    moves[states:, at_end] = ENDS_PIECE
    # In some states, a match that ended before the last character is the one that counts.
    moves[:states] |= np.where(_had_matched(automaton)[:, None] & (moves[:states] == SEARCHES), ENDED_BEFORE, 0)
    parts = np.minimum(matched + 1, (1 << PART_BITS) - 1)
    matches = (following * width << PART_BITS) | parts
    matches = np.concatenate([matches, matches[first_inits]])
    shift_of_inits = states * width  # rows at which a match may begin are equally far in both tables
    firsts = np.stack([init_row + width * context_of_class, gap_row + width * context_of_class], axis=1)
    backward = automaton.backward
    if len(backward):
        backward = (backward[:, :, 0] * count << 16) | backward[:, :, 1]
    pairs, has_gaps = _pairs_of(level)
    return _Tables(
        moves.reshape(-1).astype(np.int32),
        matches.reshape(-1).astype(np.int32),
        firsts.reshape(-1).astype(np.int32),
        backward.reshape(-1).astype(np.int32),
        pairs.reshape(-1),
        width,
        gap_row,
        shift_of_inits - init_row,
        has_gaps,
    )


def _had_matched(automaton: Automaton) -> BoolArray:
    """Return the states in which a non-empty match always ended before the last character."""
    following, has_matched = automaton.following, automaton.matched != NO_MATCH
    had_matched = np.ones(len(following), np.bool_)
    had_matched[following[~has_matched]] = False
    had_matched[automaton.starts] = False
    had_matched[following[automaton.starts]] = False
    return had_matched


# -- where text can be split ------------------------------------------------------------------------------------------


def _pairs_of(level: Level) -> tuple[UInt8Array, bool]:
    """Return, for each pair of classes, whether text can be split between them, and whether there may be gaps.

    Text can be split where no match, however it began, goes on from one to the other; where every match that ends there
    also ends there at the end of a text; and where neither side depends on the other.
    """
    automaton = level.automaton
    following, matched, starts = automaton.following, automaton.matched, automaton.starts
    count, class_of, at_end = automaton.classes.size, automaton.class_of_symbol, automaton.symbol_at_end
    begins = [following[starts][:, class_of == each] for each in range(count)]  # by class before, and symbol
    is_sure = sure_states(automaton)
    is_match = np.array([bool(np.all(is_sure[states])) for states in begins])
    is_gap = np.array([not np.any(states) for states in begins])
    pairs = np.zeros((count, count), np.uint8)
    for left in np.flatnonzero(starts[:count] == starts[count]).tolist():
        after = distinct(following[:, class_of == left])
        after = after[after != DEAD]
        is_left_match = bool(np.all(begins[left] != DEAD) and np.all(matched[after, at_end] != NO_MATCH))
        left_kinds = [MATCH] if is_left_match else [GAP] if not len(after) else [MATCH, GAP]
        differs = np.any(matched[after] != matched[after, at_end][:, None], axis=0)
        is_whole = np.zeros(count + 1, np.bool_)
        is_whole[class_of[differs | np.any(following[after] != DEAD, axis=0)]] = True
        if len(automaton.backward):
            before = automaton.backward[automaton.backward[:, :, 0], left]
            is_whole[:count] |= np.any(before != automaton.backward[0, left], axis=(0, 2))
        joins_match, joins_gap = (any(_joins(level, one, kind) for one in left_kinds) for kind in (MATCH, GAP))
        may_join = (joins_match & ~is_gap) | (joins_gap & ~is_match)
        may_join |= level.takes_space and left == automaton.class_of(" ")
        pairs[left] = np.where(is_whole[:count], 0, np.where(may_join, CAN_CUT, CUTS_WORDS))
    return pairs, not np.all(is_match)


def sure_states(automaton: Automaton) -> BoolArray:
    """Return the states that lead to a match whatever follows."""
    following, has_matched = automaton.following, automaton.matched != NO_MATCH
    is_sure = np.ones(len(following), np.bool_)
    is_sure[DEAD] = False
    while True:
        still = is_sure & np.all(has_matched | is_sure[following], axis=1)
        if np.array_equal(still, is_sure):
            return is_sure
        is_sure = still


def _joins(level: Level, before: int, kind: int) -> bool:
    """Return whether two adjacent pieces of these kinds may be in one word."""
    if before == kind == GAP:
        return not level.drops >> GAP & 1
    return bool(level.joins >> (3 * kind + before) & 1)
