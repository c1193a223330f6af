"""What one thread encodes with: its cache of words, and arrays of which kernels say when they need larger ones."""

from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.corpora.counting import new_batch, new_stretch
from bpe_gui.engine.tokenization.results import TokenArrays
from bpe_gui.engine.kernels.encoding.text_encoding import MADE, NO_CACHE, SLACK, UNKNOWNS, Output, Tools, encode_block, encode_words
from bpe_gui.engine.kernels.encoding.output_gaps import MOST_GAPS, ROOM_ASIDE, Gaps
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.encoding.merge_table import NO_ID, Merges
from bpe_gui.engine.kernels.encoding.pending_words import MOST_WORDS, ROOM, NewWords, clear
from bpe_gui.engine.kernels.training.records import Bytes, Ints, Longs
from bpe_gui.engine.kernels.text.special_search import Specials
from bpe_gui.engine.kernels.encoding.word_cache import MOST, NO_WORDS, WordCache
from bpe_gui.engine.kernels.text.word_keys import BATCH, WIDTH, move_slots
from bpe_gui.engine.kernels.encoding.word_merging import NEIGHBORS, Bench
from bpe_gui.engine.runtime.memory import zeros
from bpe_gui.engine.text.character_classes import unicode_classes

_FIRST_SLOTS: Final = 1 << 12
_MOST_SLOTS: Final = 1 << 20
_KEPT_TEXT: Final = 1 << 24  # bytes of longer words that are kept
_KEPT_SYMBOLS: Final = 1 << 24
_FIRST_BENCH: Final = 1 << 8
_FIRST_BLOCK: Final = 1 << 14


class ScannerSettings(NamedTuple):
    """How text is cut: the number of a splitter, and the special tokens with their ids in the same order."""

    splitter: int
    specials: Specials
    special_ids: Ints


class Worker:
    """Encodes blocks of text that are added, or words. Used by one thread at a time."""

    def __init__(self) -> None:
        self.output = new_output(0)
        self.is_strict = False
        """Whether there has to be an id for everything."""
        self.filled = 0
        """Bytes of the block that are there and not encoded."""
        self._cached_for = 0, 0, 0, False
        self._block = np.empty(_FIRST_BLOCK + PADDING, np.uint8)
        self._cache = WordCache(
            slots=zeros(WIDTH * _FIRST_SLOTS, np.int64),
            text=zeros(_KEPT_TEXT + PADDING, np.uint8),
            symbols=zeros(_KEPT_SYMBOLS, np.int32, is_scattered=True),
            state=np.array([*NO_WORDS, _most_words(_FIRST_SLOTS)], np.int64),
        )
        self._bench = new_bench(_FIRST_BENCH)
        self._new = _new_words()
        self._gaps = _new_gaps()
        self._batch = new_batch()
        self._stretch = new_stretch()
        self._limit = 0
        self._tools: Tools

    def begin(self, merges: Merges, limit: int, symbols: int, output: Output) -> None:
        """Encode another text by the merges below rank `limit`; so many symbols are known by now."""
        has_places = len(output.starts) > 0
        cached_for = limit, symbols, int(merges.settings[NO_ID]), has_places
        if cached_for != self._cached_for:
            self._forget_words()
            self._cached_for = cached_for
        self.output = output
        self.filled = 0
        self._limit = limit
        self._tools = Tools(merges, self._cache, self._bench, self._new, self._gaps, self._batch, unicode_classes())

    # -- text -------------------------------------------------------------------------------------------------------

    def add(self, text: bytes) -> None:
        """Add text to the block."""
        end = self.filled + len(text)
        if end + PADDING > len(self._block):
            block = np.empty(2 * end + PADDING, np.uint8)
            block[: self.filled] = self._block[: self.filled]
            self._block = block
        self._block.data[self.filled : end] = text
        self._block[end : end + PADDING] = 0
        self.filled = end

    def scan_block(self, scanner: ScannerSettings, *, is_last: bool) -> int:
        """Encode what is decided of the block. Returns how many bytes that is; `drop` takes them out."""
        return self.scan(scanner, self._block, 0, self.filled, is_last=is_last)

    def scan(self, scanner: ScannerSettings, text: Bytes, at: int, end: int, *, is_last: bool) -> int:
        """Encode what is decided between two places of a text that is padded. Returns up to where that is."""
        why = -1
        while why != 0:
            at, why = encode_block(
                scanner.splitter,
                text,
                at,
                end,
                is_last,
                scanner.specials,
                scanner.special_ids,
                self._stretch,
                self._tools,
                self._limit,
                self.output,
            )
            self._make_room(why, end - at)
        return at

    def text(self) -> str:
        """What is in the block."""
        return self._block[: self.filled].tobytes().decode()

    def drop(self, at: int) -> None:
        """Take so many bytes out of the front of the block."""
        self._block[: self.filled - at] = self._block[at : self.filled]
        self.filled -= at

    # -- words ------------------------------------------------------------------------------------------------------

    def encode_words(self, text: bytes, begins: Longs, places: Longs) -> None:
        """Encode words that lie one after another; `places` says where they stand in the whole text."""
        self.filled = 0
        self.add(text)
        first, why = 0, -1
        while why != 0:
            first, why = encode_words(self._block, begins, places, first, self._tools, self._limit, self.output)
            self._make_room(why, len(text))

    def write_special(self, token_id: int, start: int, stop: int) -> None:
        """Write the id of a special token; where it stands is only asked for with places."""
        output, made = self.output, self.output.state[MADE]
        output.ids[made] = token_id
        if len(output.starts):
            output.starts[made], output.stops[made] = start, stop
        output.state[MADE] += 1

    @property
    def unknowns(self) -> int:
        """How many of the ids stand for what has none."""
        return int(self.output.state[UNKNOWNS])

    # -- room -------------------------------------------------------------------------------------------------------

    def _make_room(self, why: int, longest: int) -> None:
        """Make room where a kernel wants it; no word is longer than `longest` bytes."""
        if why == 0:
            return
        if why != NO_CACHE:
            self._bench = new_bench(longest + NEIGHBORS)
        elif len(self._cache.slots) < WIDTH * _MOST_SLOTS:
            slots = zeros(2 * len(self._cache.slots), np.int64, is_scattered=True)
            move_slots(self._cache.slots, slots)
            self._cache = self._cache._replace(slots=slots)
            self._cache.state[MOST] = _most_words(len(slots) // WIDTH)
        else:
            self._forget_words()
        self._tools = self._tools._replace(cache=self._cache, bench=self._bench)

    def _forget_words(self) -> None:
        self._cache.slots[:] = 0
        self._cache.state[: len(NO_WORDS)] = NO_WORDS


def _most_words(slots: int) -> int:
    """How many words so many slots may have: where half are empty, a word is found quickly; a third has to be."""
    return slots // 2 if slots < _MOST_SLOTS else slots * 2 // 3


def new_bench(symbols: int) -> Bench:
    """Room to merge so many symbols."""
    return Bench(
        symbols=zeros(symbols, np.int32),
        merges=zeros(2 * symbols, np.int64),
        previous=zeros(symbols, np.int32),
        following=zeros(symbols, np.int32),
    )


def _new_words() -> NewWords:
    symbols, previous, following, orders, pairs = zeros(5 * ROOM, np.int32).reshape(5, ROOM)
    bases, sizes, firsts, slots, active = np.zeros((5, MOST_WORDS), np.int64)
    state = np.zeros(2, np.int64)
    words = NewWords(symbols, previous, following, orders, pairs, bases, sizes, firsts, slots, active, state)
    clear(words)
    return words


def _new_gaps() -> Gaps:
    places, slots = np.zeros((2, MOST_GAPS), np.int64)
    return Gaps(places, slots, aside=zeros(ROOM_ASIDE, np.int32), state=np.zeros(1, np.int64))


# -- output -------------------------------------------------------------------------------------------------------


def new_output(tokens: int, *, with_places: bool = False) -> Output:
    """Room for so many tokens, with their places if anybody asks for these."""
    size = tokens + SLACK
    starts, stops = np.empty((2, size if with_places else 0), np.int64)
    firsts, places = np.empty((2, BATCH + 1), np.int64)
    return Output(np.empty(size, np.int32), starts, stops, firsts, places, state=np.zeros(2, np.int64))


def made(output: Output) -> TokenArrays:
    """The tokens that were written."""
    count = int(output.state[MADE])
    if len(output.ids) < 1 << 16:
        return TokenArrays(output.ids[:count].copy(), output.starts[:count].copy(), output.stops[:count].copy())
    # The room that was not needed goes back to the system, without anything being copied.
    output.ids.resize(count, refcheck=False)
    return TokenArrays(output.ids, output.starts[:count].copy(), output.stops[:count].copy())
