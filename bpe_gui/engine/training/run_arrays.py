"""Create the arrays of a training run, and enlarge them as the run grows."""

from collections import Counter
from collections.abc import Collection, Set
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from bpe_gui.engine.compilation.kernel import DTYPES, Record
from bpe_gui.engine.compilation.library import is_compiled
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.text.sentences import SPACE, TRANSPARENT
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.initial_state import (
    UnitSymbols,
    count_pairs,
    describe_alphabet,
    finish_pairs,
    lay_out_bytes,
    lay_out_characters,
    reserve_occurrences,
    store_occurrences,
)
from bpe_gui.engine.kernels.training.pairs import insert_all
from bpe_gui.engine.kernels.training.records import CorpusWords, RunArrays
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import AnyArray, Int32Array, Int64Array, Progress, UInt8Array, UInt32Array
from bpe_gui.engine.text.alphabet import order_alphabet, seed_expression
from bpe_gui.engine.text.phrases import FIRST_UNIT
from bpe_gui.engine.text.recipe import Boundary, Recipe
from bpe_gui.engine.text.sentencepiece import SPACE_SYMBOL, SentencePieceOptions, character_classes
from bpe_gui.engine.text.splitters import takes_suffix

_TIE_BREAKS: Final = {
    "greatest": records.GREATEST,
    "first-seen": records.FIRST_SEEN,
    "smallest-id": records.SMALLEST_ID,
    "shortest": records.SHORTEST,
}
_PAIR_COUNTINGS: Final = {"occurrences": records.OCCURRENCES, "once-per-word": records.ONCE_PER_WORD}
_MAX_POSITIONS: Final = 2**31 - 16  # positions are 32-bit numbers
_HISTOGRAM_SIZE: Final = 1 << 16
_SPARE_STEPS: Final = 1 << 10  # steps for which arrays are made longer at a time
_INITIAL_PAIR_CAPACITY: Final = 1 << 12
_SLICE: Final = 1 << 21  # positions between two reports of progress
_PLAIN_SLICE: Final = 1 << 12  # positions, while kernels run as plain Python
_EMPTY: Final = -1


NO_SYMBOL: Final = -1
_SPACE: Final = 0x20
_FIRST_SEED: Final = 0x11_0000  # after the last code point


class WordUnits:
    """The units of all words, concatenated, and the alphabet of their initial symbols.

    The result equals that of `text.alphabet`, computed with arrays instead of word by word. The alphabet always
    includes `symbols`.
    """

    def __init__(self, word_counts: WordCounts, recipe: Recipe, symbols: Set[bytes] = frozenset()) -> None:
        self._recipe = recipe
        self.frequencies = word_counts.frequencies
        self.units: AnyArray = word_counts.text
        """The bytes or code points of all words. A seed is one unit: `_FIRST_SEED` plus its number."""
        self.starts = word_counts.starts
        """The offset of each word in `units`, followed by the end of the last one."""
        first_units: AnyArray = self.units[self.starts[:-1]]
        if recipe.units == "characters" or recipe.splitter == "zh-en":
            codes, starts = code_points(self.units, self.starts)
            first_units = codes[starts[:-1]]
            if recipe.units == "characters":
                self.units, self.starts = codes, starts
        if recipe.seeds:
            self.units, self.starts = self._with_seeds(word_counts)
        self.marked = _marked_words(first_units, recipe)
        """1 for each word that gets an end-of-word marker, either attached to its last unit or after it."""
        self.alphabet, self.symbols_before_specials = order_alphabet(self._initial_symbols() | symbols, recipe)
        """The initial symbols, and how many of them precede the special tokens, as from `order_alphabet`."""
        if recipe.sentencepiece is not None:  # the most frequent symbols come first
            totals = np.bincount(self.units, np.repeat(self.frequencies, np.diff(self.starts)))
            counts = Counter({chr(code).encode(): int(totals[code]) for code in np.flatnonzero(totals).tolist()})
            self.alphabet.sort(key=counts.__getitem__, reverse=True)
        self._symbols = {token: symbol for symbol, token in enumerate(self.alphabet)}

    def _with_seeds(self, word_counts: WordCounts) -> tuple[UInt32Array, Int64Array]:
        """Return the units with each seed as one of them, and the offset of each word in these."""
        recipe, text = self._recipe, word_counts.text.tobytes()
        numbers = {seed.encode(): number for number, seed in enumerate(recipe.seeds, _FIRST_SEED)}
        find = seed_expression(recipe.seeds).finditer
        has_marker = recipe.boundary == "prefix"
        spans = [
            (*match.span(), numbers[match[0]])
            for start, stop in pairwise(word_counts.starts.tolist())
            for match in find(text, start + (has_marker and text[start] == _SPACE), stop)
        ]
        starts, stops, seeds = np.array(spans, np.int64).reshape(-1, 3).T
        if recipe.units == "characters":
            starts, stops = (code_points(word_counts.text, offsets)[1] for offsets in (starts, stops))
        units = self.units.astype(np.uint32)
        units[starts] = seeds
        changes = np.zeros(len(units) + 1, np.int64)
        changes[starts + 1] += 1
        changes[stops] -= 1
        is_kept = np.cumsum(changes)[:-1] == 0
        kept_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_kept, dtype=np.int64)])
        return np.compress(is_kept, units), kept_before[self.starts]

    @property
    def positions(self) -> int:
        """The length of the symbol array: all symbols, and a separator before and after each word."""
        suffixes = int(self.marked.sum()) if self._recipe.boundary == "suffix" else 0
        return len(self.units) + suffixes + len(self.frequencies) + 1

    def _initial_symbols(self) -> set[bytes]:
        """Return the initial symbols of the words; none for bytes, which are all in the alphabet anyway."""
        if self._recipe.units == "bytes":
            return set()
        is_last, is_prefix = np.zeros((2, len(self.units)), np.bool_)
        if self._recipe.boundary == "suffix-attached":  # the last unit of a word has the marker attached
            is_last[self.starts[1:][self.marked != 0] - 1] = True
        elif self._recipe.boundary == "prefix":  # a space in front of a word becomes the marker
            is_prefix[self.starts[:-1]] = self.units[self.starts[:-1]] == ord(" ")
        is_character = self.units < _FIRST_SEED
        symbols = {chr(code).encode() for code in _distinct(self.units[is_character & ~is_last & ~is_prefix])}
        symbols.update(chr(code).encode() + END_OF_WORD for code in _distinct(self.units[is_character & is_last]))
        if is_prefix.any() or (self._recipe.boundary == "suffix" and self.marked.any()):
            symbols.add(END_OF_WORD)
        return symbols

    def unit_symbols(self) -> Int32Array:
        """Return the symbol of each byte or code point, or -1."""
        return self._symbols_with(b"")

    def last_unit_symbols(self) -> Int32Array:
        """Return the symbol of each byte or code point at the end of a marked word, or -1."""
        return self._symbols_with(END_OF_WORD if self._recipe.boundary == "suffix-attached" else b"")

    def _symbols_with(self, suffix: bytes) -> Int32Array:
        are_bytes = self._recipe.units == "bytes"
        size = int(self.units.max(initial=255 if are_bytes else 0)) + 1
        symbols = np.full(size, NO_SYMBOL, np.int32)
        seeds = {seed.encode(): code for code, seed in enumerate(self._recipe.seeds, _FIRST_SEED)}
        for token, symbol in self._symbols.items():
            if token.endswith(suffix):
                unit = token.removesuffix(suffix)
                text = unit if are_bytes else unit.decode()
                for code in (ord(text) if len(text) == 1 else size, seeds.get(unit, size)):
                    if code < size:
                        symbols[code] = symbol
        return symbols

    def marker_symbol(self, boundary: Boundary) -> int:
        """Return the symbol of the end-of-word marker, or -1 if the recipe has another boundary or no word has one."""
        return self._symbols.get(END_OF_WORD, NO_SYMBOL) if self._recipe.boundary == boundary else NO_SYMBOL


class SymbolUnits(WordUnits):
    """Words whose units are `symbols` of a run already, as numbers of its `tokens`. Word w begins at `starts[w]`."""

    def __init__(
        self, frequencies: Int64Array, symbols: Int32Array, starts: Int64Array, tokens: list[bytes], recipe: Recipe
    ) -> None:
        self._recipe = recipe
        self.frequencies, self.units, self.starts = frequencies, symbols.astype(np.uint32), starts
        self.marked = np.zeros(len(frequencies), np.uint8)
        self.alphabet, self.symbols_before_specials = tokens, len(tokens)
        self._symbols = {}

    @classmethod
    def of_phrases(cls, phrases: WordCounts, recipe: Recipe, tokens: list[bytes], symbols: Int32Array) -> "SymbolUnits":
        """Return the units of phrases, which are words. `symbols` are those of the words."""
        codes, starts = code_points(phrases.text, phrases.starts)
        return cls(phrases.frequencies, symbols[codes - FIRST_UNIT], starts, tokens, recipe)

    def _symbols_with(self, suffix: bytes) -> Int32Array:
        return np.arange(len(self.alphabet), dtype=np.int32)  # a unit is a symbol already


# -- at step 0 ----------------------------------------------------------------------------------------------------


def create_run(
    word_counts: WordCounts,
    recipe: Recipe,
    report: Progress,
    *,
    symbols: Set[bytes] = frozenset(),
    vetoes: bool = False,
) -> tuple[RunArrays, list[bytes], int]:
    """Return the arrays of a run at step 0, the alphabet, and how many of its symbols precede the special tokens.

    `symbols` are in the alphabet even if they do not occur; `vetoes` says whether pairs may be vetoed. `report` is
    called with the positions done and in total. Raise TrainingError if the corpus has too many positions.
    """
    words = WordUnits(word_counts, recipe, symbols)
    return run_of(words, recipe, report, vetoes=vetoes), words.alphabet, words.symbols_before_specials


def run_of(words: WordUnits, recipe: Recipe, report: Progress, *, vetoes: bool) -> RunArrays:
    """Return the arrays of a run over words at step 0. The rest is as for `create_run`."""
    run = _allocate(words, recipe, vetoes)
    _lay_out(words, run.words, run.symbols.occurrences)
    describe_alphabet(run)
    if recipe.sentencepiece is not None:
        _forbid_pairs(run, words.alphabet, recipe.sentencepiece)
    return _find_pairs(run, report)


def begun_at(run: RunArrays, position: int, saved: Int64Array | int = 0) -> RunArrays:
    """Return a run over words of tokens as one that has made `position` merges, which are the last of its alphabet.

    `saved` is how many tokens each of them saved.
    """
    run.settings[records.ALPHABET_SIZE] -= position
    run.state[records.POSITION] = run.state[records.KNOWN_MERGES] = position
    history = run.history
    history.saved[:position] = saved
    history.pairs[:position] = history.counts[:position] = history.ties[:position] = 0  # nothing changed in these words
    history.first_new_pairs[:position] = run.state[records.PAIR_COUNT]
    return run


def lay_out_words(word_counts: WordCounts, recipe: Recipe) -> tuple[CorpusWords, list[bytes]]:
    """Return words as symbols before any merge, and the alphabet. Raise TrainingError as `create_run` does."""
    words = WordUnits(word_counts, recipe)
    laid_out = _allocate_words(words)
    _lay_out(words, laid_out, np.zeros(len(words.alphabet), np.int64))
    return laid_out, words.alphabet


def _lay_out(words: WordUnits, laid_out: CorpusWords, occurrences: Int64Array) -> None:
    markers = np.array([words.marker_symbol("prefix"), words.marker_symbol("suffix")], np.int64)
    symbols = UnitSymbols(words.starts, words.marked, words.unit_symbols(), words.last_unit_symbols(), markers)
    lay_out = lay_out_bytes if words.units.dtype == np.uint8 else lay_out_characters
    lay_out(words.units, symbols, laid_out, occurrences)


def _allocate_words(words: WordUnits) -> CorpusWords:
    """Return arrays for words. Raise TrainingError if the corpus has too many positions."""
    if words.positions > _MAX_POSITIONS:
        raise TrainingError(
            "The unique words of this corpus have {places:,} symbols, but training supports at most {most:,}. Train on "
            "part of it, or choose a splitter that makes shorter words.",
            places=words.positions,
            most=_MAX_POSITIONS,
        )
    return CorpusWords(
        symbols=np.empty(words.positions, np.int32),
        word_of=np.zeros(words.positions, np.int32),
        starts=np.empty(len(words.frequencies), np.int64),
        frequencies=words.frequencies,
    )


def _forbid_pairs(run: RunArrays, alphabet: list[bytes], options: SentencePieceOptions) -> None:
    """Set which pairs SentencePiece's options forbid, at step 0, for an alphabet of characters."""
    codes = np.array([ord(symbol.decode()) for symbol in alphabet], np.int64)
    classes = character_classes(options)[codes]
    classes[classes == SPACE] = TRANSPARENT
    run.symbols.first_classes[: len(codes)] = run.symbols.last_classes[: len(codes)] = classes
    run.settings[records.MAX_LENGTH] = options.max_sentencepiece_length
    spaces = np.flatnonzero(codes == ord(SPACE_SYMBOL))
    if len(spaces):  # a piece may begin with a space, but not end with one; or the other way round
        rule = records.NEVER_LEFT if options.treat_whitespace_as_suffix else records.NEVER_RIGHT
        run.settings[rule] = spaces[0]


def _allocate(words: WordUnits, recipe: Recipe, vetoes: bool) -> RunArrays:
    """Return arrays with the alphabet, the frequencies of words and the settings; the rest is not set yet.

    Raise TrainingError if the corpus has too many positions.
    """
    positions, alphabet_size = words.positions, len(words.alphabet)
    symbol_capacity = alphabet_size + _SPARE_STEPS
    forbids = recipe.sentencepiece is not None
    return RunArrays(
        words=_allocate_words(words),
        symbols=_allocate_symbols(words.alphabet, symbol_capacity, symbol_capacity if forbids else 0),
        pairs=_allocate_pairs(recipe, _INITIAL_PAIR_CAPACITY, vetoes or forbids),
        # An upper bound: one pair per position, and two more whenever a position is merged away. Memory that is never
        # touched costs nothing.
        pool=np.empty(3 * positions, np.int32),
        heap=records.PairHeap(
            pairs=np.empty(_INITIAL_PAIR_CAPACITY, np.int32),
            counts=np.empty(_INITIAL_PAIR_CAPACITY, np.int64),
            histogram=np.zeros(_HISTOGRAM_SIZE, np.int64),
        ),
        history=records.MergeHistory(
            *(np.empty(symbol_capacity, DTYPES[field.hint]) for field in records.MergeHistory.fields.values())
        ),
        scratch=records.StepScratch(
            merged=np.empty(positions, np.int32),
            left_pairs=np.empty(positions, np.int32),
            right_pairs=np.empty(positions, np.int32),
            pair_of_left=np.full(symbol_capacity, _EMPTY, np.int32),
            pair_of_right=np.full(symbol_capacity, _EMPTY, np.int32),
        ),
        given=np.empty(0, np.int64),
        state=np.array([_EMPTY if i == records.NEXT_PAIR else 0 for i in range(records.STATE_SIZE)], np.int64),
        settings=np.array(
            [
                records.LEAST if recipe.superwords_from else _TIE_BREAKS[recipe.tie_break],
                records.WITHOUT_OVERLAP if recipe.superwords_from else _PAIR_COUNTINGS[recipe.pair_counting],
                alphabet_size,
                recipe.min_count,
                records.UNJUDGED if vetoes else records.ALLOWED,
                _MAX_POSITIONS,
                NO_SYMBOL,
                NO_SYMBOL,
            ],
            np.int64,
        ),
    )


def _allocate_symbols(alphabet: list[bytes], capacity: int, classes: int) -> records.SymbolTable:
    """Return a table for `capacity` symbols, `classes` of them with classes, with the bytes of the alphabet.

    A kernel sets the lengths.
    """
    text = b"".join(alphabet)
    symbols = records.SymbolTable(
        lengths=np.zeros(capacity, np.int32),
        starts=np.zeros(capacity, np.int64),
        text=np.zeros(len(text) + 16 * _SPARE_STEPS, np.uint8),
        prefixes=np.zeros(capacity, np.int64),
        occurrences=np.zeros(capacity, np.int64),
        first_classes=np.zeros(classes, np.int32),
        last_classes=np.zeros(classes, np.int32),
    )
    symbols.text[: len(text)] = np.frombuffer(text, np.uint8)
    symbols.starts[1 : len(alphabet) + 1] = np.cumsum([len(token) for token in alphabet])
    return symbols


def _allocate_pairs(recipe: Recipe, capacity: int, vetoes: bool) -> records.PairTable:
    """Return an empty table for `capacity` pairs. Columns that the recipe does not need take no memory."""
    joins_words = recipe.superwords_from > 0
    once_per_word = recipe.pair_counting == "once-per-word" and not joins_words
    first_seen = recipe.tie_break == "first-seen" and not joins_words
    counts = np.empty(capacity, np.int64)
    return records.PairTable(
        keys=np.empty(capacity, np.int64),
        counts=counts,
        starts=np.zeros(capacity, np.int64),
        firsts=np.empty(capacity if first_seen else 0, np.int64),
        sources=np.empty(capacity, np.int32),
        taken=np.empty(capacity, np.int64) if once_per_word or joins_words else counts,
        last_words=np.full(capacity if once_per_word else 0, _EMPTY, np.int32),
        verdicts=np.full(capacity if vetoes else 0, records.UNJUDGED, np.uint8),
        slots=np.full(2 * capacity, _EMPTY, np.int32),
    )


def _find_pairs(run: RunArrays, report: Progress) -> RunArrays:
    """Return the run with its pairs: a first pass over the positions counts them, a second stores where they occur.

    `report` is called with the positions done and in total over both passes.
    """
    slice_, stop = _SLICE if is_compiled() else _PLAIN_SLICE, len(run.words.symbols) - 1
    position = 0
    while position < stop:
        reached = count_pairs(run, position, min(position + slice_, stop))
        if reached == position:
            run = with_pair_capacity(run, 2 * len(run.pairs.keys))
        position = reached
        report(position, 2 * stop)
    reserve_occurrences(run)
    for position in range(0, stop, slice_):
        store_occurrences(run, position, min(position + slice_, stop))
        report(stop + position, 2 * stop)
    finish_pairs(run)
    return run


# -- enlarging ----------------------------------------------------------------------------------------------------


def with_pair_capacity(run: RunArrays, capacity: int) -> RunArrays:
    """Return the run with arrays for `capacity` pairs, which must not be fewer than it has."""
    is_shared = run.pairs.taken is run.pairs.counts
    but = ("slots", "taken") if is_shared else ("slots",)
    columns = longer_columns(run.pairs, capacity, but, last_words=_EMPTY, verdicts=records.UNJUDGED)
    if is_shared:
        columns["taken"] = columns["counts"]
    slots = pair_slots(columns["keys"], int(run.state[records.PAIR_COUNT]))
    heap = longer_columns(run.heap, capacity, but=("histogram",))
    return replace(run, pairs=replace(run.pairs, **columns, slots=slots), heap=replace(run.heap, **heap))


def with_capacity_for_pair(run: RunArrays) -> RunArrays:
    """Return the run with arrays for at least one more pair."""
    size = int(run.state[records.PAIR_COUNT]) + 1
    return with_pair_capacity(run, size + size // 2 + 1)


def with_capacity_to_merge(run: RunArrays, pair: int) -> RunArrays:
    """Return the run with arrays that are long enough to merge `pair`, an index in the pair table."""
    symbols, pairs, history = run.symbols, run.pairs, run.history
    position = int(run.state[records.POSITION])
    new_symbol = int(run.settings[records.ALPHABET_SIZE]) + position
    if new_symbol + 2 > len(symbols.lengths) or position >= len(history.pairs):
        run = _with_symbol_capacity(run, 2 * new_symbol + _SPARE_STEPS)
    parts = (int(pairs.keys[pair]) >> SYMBOL_BITS, int(pairs.keys[pair]) & SYMBOL_MASK)
    longest = max(int(symbols.starts[part + 1] - symbols.starts[part]) for part in parts)
    text_end = int(symbols.starts[new_symbol]) + 2 * longest
    if text_end > len(symbols.text):
        run = replace(run, symbols=replace(run.symbols, text=longer(symbols.text, 2 * text_end)))
    occurrences = int(pairs.starts[pair + 1] - pairs.starts[pair])
    max_pairs = int(run.state[records.PAIR_COUNT]) + 2 * min(occurrences, new_symbol + 1)
    if max_pairs >= len(pairs.keys):
        run = with_pair_capacity(run, max_pairs + max_pairs // 2 + 1)
    return run


def _with_symbol_capacity(run: RunArrays, capacity: int) -> RunArrays:
    """Return the run with arrays for `capacity` symbols and as many steps."""
    symbols = longer_columns(run.symbols, capacity, but=("text",))
    by_position = "merged", "left_pairs", "right_pairs"
    scratch = longer_columns(run.scratch, capacity, but=by_position, pair_of_left=_EMPTY, pair_of_right=_EMPTY)
    return replace(
        run,
        symbols=replace(run.symbols, **symbols),
        history=replace(run.history, **longer_columns(run.history, capacity)),
        scratch=replace(run.scratch, **scratch),
    )


def longer_columns(record: Record, length: int, but: Collection[str] = (), **fills: int) -> dict[str, AnyArray]:
    """Return the arrays of a record, except some, with `length` items each. Empty ones, which are not needed, stay so.

    New items are undefined, or as `fills` says.
    """
    columns: dict[str, AnyArray] = {name: getattr(record, name) for name in record.fields if name not in but}
    return {name: longer(column, length if len(column) else 0, fills.get(name)) for name, column in columns.items()}


def longer(array: AnyArray, length: int, fill: int | None = None) -> AnyArray:
    """Return a copy of `array` with `length` items; the new ones are `fill`, or undefined without it."""
    copied = np.empty(length, array.dtype)
    copied[: len(array)] = array
    if fill is not None:
        copied[len(array) :] = fill
    return copied


def pair_slots(keys: Int64Array, pairs: int) -> Int32Array:
    """Return a hash table for as many pairs as `keys` has space for, with the first `pairs` of them."""
    slots = np.full(1 << (2 * len(keys) - 1).bit_length(), _EMPTY, np.int32)
    insert_all(keys, slots, pairs)
    return slots


def initial_symbols(word_counts: WordCounts, recipe: Recipe) -> frozenset[bytes]:
    """Return the alphabet that these words need."""
    return frozenset(WordUnits(word_counts, recipe).alphabet)


def code_points(text: UInt8Array, starts: Int64Array) -> tuple[AnyArray, Int64Array]:
    """Return the code points of a text in UTF-8, and offsets in the text converted to offsets in these."""
    codes = np.frombuffer(text.tobytes().decode().encode("utf-32-le"), dtype=np.uint32)
    is_first_byte = (text & 0xC0) != 0x80
    preceding = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_first_byte, dtype=np.int64)])
    return codes, preceding[starts]


def _marked_words(first_units: AnyArray, recipe: Recipe) -> UInt8Array:
    if recipe.boundary not in ("suffix", "suffix-attached"):
        return np.zeros(len(first_units), np.uint8)
    if recipe.splitter != "zh-en":
        return np.ones(len(first_units), np.uint8)
    taking = [code for code in _distinct(first_units) if takes_suffix(recipe.splitter, chr(code))]
    return np.isin(first_units, np.array(taking, np.uint32)).astype(np.uint8)


def _distinct(codes: AnyArray) -> list[int]:
    is_present = np.zeros(int(codes.max(initial=0)) + 1, np.bool_)
    is_present[codes] = True
    return np.flatnonzero(is_present).tolist()
