"""Setting up the arrays of a run, and giving them room."""

from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.runtime.jit import is_compiled
from bpe_gui.engine.kernels.training.pair_table import fill_slots
from bpe_gui.engine.kernels.training.records import Bytes, Choice, Ints, Longs, Machine, Numbers, Pairs, Run, Scratch, Symbols, Words
from bpe_gui.engine.kernels.training.initial_state import close_pairs, count_pairs, lay_out, note_alphabet, note_places, open_pairs
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.splitters import takes_suffix
from bpe_gui.engine.text.alphabet import order_alphabet
from bpe_gui.engine.corpora.word_counts import WordCounts

_TIE_BREAKS: Final = {
    "greatest": records.GREATEST,
    "first-seen": records.FIRST_SEEN,
    "smallest-id": records.SMALLEST_ID,
}
_PAIR_COUNTINGS: Final = {"occurrences": records.OCCURRENCES, "once-per-word": records.ONCE_PER_WORD}
_MOST_PLACES: Final = 2**31 - 16  # a place is a number of 32 bits
_LEVELS: Final = 1 << 16
_ROOM_FOR_STEPS: Final = 1 << 10
_ROOM_FOR_PAIRS: Final = 1 << 12
_SLICE: Final = 1 << 21  # places between two reports
_PLAIN_SLICE: Final = 1 << 12
_NONE: Final = -1


def set_up(word_counts: WordCounts, recipe: Recipe, report: Progress) -> tuple[Machine, list[bytes], int]:
    """The machine at step 0, the alphabet, and how much of that is there whatever the corpus.

    `report` gets places done and places in all. Raises TrainingError for more places than can be numbered.
    """
    row = _Row(word_counts, recipe)
    machine = _empty(row, recipe)
    _lay_out(machine, row)
    return _with_pairs(machine, report), row.alphabet, row.fixed


class _Row:
    """The words as bytes or code points, and what symbols these start as."""

    def __init__(self, word_counts: WordCounts, recipe: Recipe) -> None:
        self.frequencies = word_counts.frequencies
        text = word_counts.text
        codes: Numbers | None = None
        code_starts: Longs | None = None
        if recipe.units == "characters" or recipe.splitter == "zh-en":
            codes, code_starts = _code_points(text, word_counts.starts)
        self.units: Numbers = text if recipe.units == "bytes" or codes is None else codes
        self.starts = word_counts.starts if recipe.units == "bytes" or code_starts is None else code_starts
        self.marked = _marked(len(word_counts), recipe, codes, code_starts)
        self._recipe = recipe
        self.alphabet, self.fixed = order_alphabet(self._found(), recipe)
        self._numbers = {symbol: number for number, symbol in enumerate(self.alphabet)}

    @property
    def is_glued(self) -> bool:
        """Whether the mark of the end of a word is glued to its last symbol."""
        return self._recipe.boundary == "suffix-attached"

    @property
    def places(self) -> int:
        """How many places the row has."""
        suffixes = int(self.marked.sum()) if self._recipe.boundary == "suffix" else 0
        return len(self.units) + suffixes + len(self.frequencies) + 1

    def _found(self) -> set[bytes]:
        """The symbols that the words start as; of bytes none, because all of them are in the alphabet anyway."""
        if self._recipe.units == "bytes":
            return set()
        ending = np.zeros(len(self.units), dtype=np.bool_)
        if self.is_glued:
            ending[self.starts[1:][self.marked != 0] - 1] = True
        beginning = np.zeros(len(self.units), dtype=np.bool_)
        if self._recipe.boundary == "prefix":
            beginning[self.starts[:-1]] = self.units[self.starts[:-1]] == ord(" ")
        found = {chr(code).encode() for code in _distinct(self.units[~ending & ~beginning])}
        found.update(chr(code).encode() + END_OF_WORD for code in _distinct(self.units[ending]))
        if beginning.any() or (self._recipe.boundary == "suffix" and self.marked.any()):
            found.add(END_OF_WORD)
        return found

    def symbols_of_units(self, suffix: bytes = b"") -> Ints:
        """The symbol of each byte or code point, with `suffix` glued to it; -1 where there is none."""
        size = 256 if self._recipe.units == "bytes" else int(self.units.max(initial=0)) + 1
        symbols = np.full(size, _NONE, dtype=np.int32)
        for symbol, number in self._numbers.items():
            unit = self._unit_of(symbol.removesuffix(suffix)) if symbol.endswith(suffix) else _NONE
            if 0 <= unit < size:
                symbols[unit] = number
        return symbols

    def _unit_of(self, symbol: bytes) -> int:
        if self._recipe.units == "bytes":
            return symbol[0] if len(symbol) == 1 else _NONE
        text = symbol.decode()
        return ord(text) if len(text) == 1 else _NONE

    def end_of_word(self, boundary: str) -> int:
        """The symbol that marks the end of a word, or -1 if the recipe has another boundary or no word has it."""
        return self._numbers.get(END_OF_WORD, _NONE) if self._recipe.boundary == boundary else _NONE


def _code_points(text: Bytes, starts: Longs) -> tuple[Numbers, Longs]:
    codes = np.frombuffer(text.tobytes().decode().encode("utf-32-le"), dtype=np.uint32)
    begins_character = (text & 0xC0) != 0x80
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(begins_character, dtype=np.int64)])
    return codes, before[starts]


def _distinct(codes: Numbers) -> list[int]:
    seen = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.bool_)
    seen[codes] = True
    return np.flatnonzero(seen).tolist()


def _marked(words: int, recipe: Recipe, codes: Numbers | None, starts: Longs | None) -> Bytes:
    """Which words get the mark of their end, glued to their last symbol or after it."""
    if recipe.boundary not in ("suffix", "suffix-attached"):
        return np.zeros(words, dtype=np.uint8)
    if codes is None or starts is None or recipe.splitter != "zh-en":
        return np.ones(words, dtype=np.uint8)
    firsts = codes[starts[:-1]]
    taking = [code for code in _distinct(firsts) if takes_suffix(recipe.splitter, chr(code))]
    return np.isin(firsts, np.array(taking, dtype=np.uint32)).astype(np.uint8)


def _empty(row: _Row, recipe: Recipe) -> Machine:
    """All arrays, empty. What is never touched takes no memory, so the pool is as large as it could ever become."""
    places, words, alphabet = row.places, len(row.frequencies), len(row.alphabet)
    if places > _MOST_PLACES:
        raise TrainingError(
            _(
                "EngineError",
                "The unique words of this corpus have {places:,} symbols; up to {most:,} can be trained on. "
                "Train on a part of it, or split it into more and shorter words.",
            ),
            places=places,
            most=_MOST_PLACES,
        )
    text = b"".join(row.alphabet)
    steps, room = alphabet + _ROOM_FOR_STEPS, _ROOM_FOR_PAIRS
    counts = np.empty(room, np.int64)
    once, first_seen = recipe.pair_counting == "once-per-word", recipe.tie_break == "first-seen"
    symbols = Symbols(
        lengths=np.zeros(steps, np.int32),
        starts=np.zeros(steps, np.int64),
        text=np.zeros(len(text) + 16 * _ROOM_FOR_STEPS, np.uint8),
        prefixes=np.zeros(steps, np.int64),
        living=np.zeros(steps, np.int64),
    )
    symbols.text[: len(text)] = np.frombuffer(text, np.uint8)
    symbols.starts[1 : alphabet + 1] = np.cumsum([len(symbol) for symbol in row.alphabet])
    return Machine(
        words=Words(
            symbols=np.empty(places, np.int32),
            word_of=np.empty(places, np.int32),
            starts=np.empty(words, np.int64),
            frequencies=row.frequencies,
        ),
        symbols=symbols,
        pairs=Pairs(
            keys=np.empty(room, np.int64),
            counts=counts,
            begins=np.zeros(room, np.int64),
            firsts=np.empty(room if first_seen else 0, np.int64),
            sources=np.empty(room, np.int32),
            taken=np.empty(room, np.int64) if once else counts,
            marks=np.full(room if once else 0, _NONE, np.int32),
            slots=np.full(2 * room, _NONE, np.int32),
        ),
        # A pair for each place at the start, and two more whenever one of these places goes.
        pool=np.empty(3 * places, np.int32),
        choice=Choice(np.empty(room, np.int32), np.empty(room, np.int64), np.zeros(_LEVELS, np.int64)),
        run=Run(
            pairs=np.empty(steps, np.int32),
            counts=np.empty(steps, np.int64),
            ties=np.empty(steps, np.int64),
            first_pairs=np.empty(steps, np.int64),
            gone=np.empty(steps, np.uint8),
        ),
        scratch=Scratch(
            merged=np.empty(places, np.int32),
            made_left=np.empty(places, np.int32),
            made_right=np.empty(places, np.int32),
            near_left=np.full(steps, _NONE, np.int32),
            near_right=np.full(steps, _NONE, np.int32),
        ),
        state=np.array([_NONE if i == records.CHOSEN else 0 for i in range(records.STATE_SIZE)], np.int64),
        settings=np.array(
            [_TIE_BREAKS[recipe.tie_break], _PAIR_COUNTINGS[recipe.pair_counting], alphabet, recipe.min_count], np.int64
        ),
    )


def _lay_out(machine: Machine, row: _Row) -> None:
    symbol_of = row.symbols_of_units()
    lay_out(
        row.units,
        row.starts,
        row.marked,
        symbol_of,
        row.symbols_of_units(END_OF_WORD) if row.is_glued else symbol_of,
        row.end_of_word("prefix"),
        row.end_of_word("suffix"),
        machine.words,
        machine.symbols.living,
    )
    note_alphabet(machine)


def _with_pairs(machine: Machine, report: Progress) -> Machine:
    """Find the pairs and where they stand: once to count them, and once to note the places."""
    slice_, end = _SLICE if is_compiled() else _PLAIN_SLICE, len(machine.words.symbols) - 1
    place = 0
    while place < end:
        reached = count_pairs(machine, place, min(place + slice_, end))
        if reached == place:
            machine = with_room_for_pairs(machine, 2 * len(machine.pairs.keys))
        place = reached
        report(place, 2 * end)
    open_pairs(machine)
    for place in range(0, end, slice_):
        note_places(machine, place, min(place + slice_, end))
        report(end + place, 2 * end)
    close_pairs(machine)
    return machine


def with_room_for_pairs(machine: Machine, room: int) -> Machine:
    """The same machine, with arrays for so many pairs at least."""
    pairs, size = machine.pairs, int(machine.state[records.PAIRS])
    counts = _longer(pairs.counts, room)
    slots = np.full(1 << (2 * room - 1).bit_length(), _NONE, np.int32)
    keys = _longer(pairs.keys, room)
    fill_slots(keys, slots, size)
    return machine._replace(
        pairs=Pairs(
            keys=keys,
            counts=counts,
            begins=_longer(pairs.begins, room),
            firsts=_longer(pairs.firsts, room) if len(pairs.firsts) else pairs.firsts,
            sources=_longer(pairs.sources, room),
            taken=counts if pairs.taken is pairs.counts else _longer(pairs.taken, room),
            marks=_longer(pairs.marks, room, _NONE) if len(pairs.marks) else pairs.marks,
            slots=slots,
        ),
        choice=machine.choice._replace(
            heap=_longer(machine.choice.heap, room), heap_counts=_longer(machine.choice.heap_counts, room)
        ),
    )


def with_room_for_step(machine: Machine, pair: int) -> Machine:
    """The same machine, with room for the step that merges this pair, and some more."""
    symbols, pairs, run = machine.symbols, machine.pairs, machine.run
    position = int(machine.state[records.POSITION])
    new = int(machine.settings[records.ALPHABET]) + position
    if new + 2 > len(symbols.lengths) or position >= len(run.pairs):
        machine = _with_room_for_symbols(machine, 2 * new + _ROOM_FOR_STEPS)
    parts = (int(pairs.keys[pair]) >> records.SYMBOL_BITS, int(pairs.keys[pair]) & records.SYMBOL_MASK)
    longest = max(int(symbols.starts[part + 1] - symbols.starts[part]) for part in parts)
    text_end = int(symbols.starts[new]) + 2 * longest
    if text_end > len(symbols.text):
        machine = machine._replace(symbols=machine.symbols._replace(text=_longer(symbols.text, 2 * text_end)))
    places = int(pairs.begins[pair + 1] - pairs.begins[pair])
    most_pairs = int(machine.state[records.PAIRS]) + 2 * min(places, new + 1)
    if most_pairs >= len(pairs.keys):
        machine = with_room_for_pairs(machine, most_pairs + most_pairs // 2 + 1)
    return machine


def _with_room_for_symbols(machine: Machine, room: int) -> Machine:
    symbols, run = machine.symbols, machine.run
    return machine._replace(
        symbols=symbols._replace(
            lengths=_longer(symbols.lengths, room),
            starts=_longer(symbols.starts, room),
            prefixes=_longer(symbols.prefixes, room),
            living=_longer(symbols.living, room),
        ),
        run=Run(*(_longer(array, room) for array in run)),
        scratch=machine.scratch._replace(
            near_left=_longer(machine.scratch.near_left, room, _NONE),
            near_right=_longer(machine.scratch.near_right, room, _NONE),
        ),
    )


def _longer(array: Numbers, length: int, filling: int | None = None) -> Numbers:
    """The same numbers in an array of another length; what follows them is `filling`, or anything."""
    longer = np.empty(length, array.dtype)
    longer[: len(array)] = array
    if filling is not None:
        longer[len(array) :] = filling
    return longer
