"""What the token view shows, free of widgets: tokens, their places in the text, their colours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from bpe_gui.engine.encoding import TokenArrays
from bpe_gui.engine.live_text import LiveText

IntArray = NDArray[np.int32]
LongArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_CONTINUATION_MASK = 0xC0
_CONTINUATION = 0x80
_CARRIAGE_RETURN = 0x0D
_LINE_FEED = 0x0A
_FIRST_FOUR_BYTE_LEAD = 0xF0  # code points from here on take two UTF-16 units


class ColorMode(Enum):
    """How a token gets its colour."""

    BY_POSITION = auto()
    BY_TOKEN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `start` and `stop` are byte offsets into the text's UTF-8."""

    id: int
    start: int
    stop: int
    special: bool
    unknown: bool
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of one text in order, as parallel arrays: a megabyte of text has 300,000 of them.

    `starts` and `stops` are byte offsets into the text's UTF-8, neither ever decreasing. A token may be empty
    (`start == stop`: an end-of-word marker), and text may lie between tokens (white space a recipe drops).
    `label` spells a token's id for people; it is asked only for tokens that are pointed at.
    """

    ids: IntArray
    starts: LongArray
    stops: LongArray
    special: BoolArray
    unknown: BoolArray
    label: Callable[[int], str]
    first: int = 0
    """The number that the first of these has among all tokens of the text; -1 if that is not known."""

    @classmethod
    def of(
        cls,
        ids: Sequence[int] | NDArray[np.integer],
        byte_spans: Sequence[tuple[int, int]] | NDArray[np.integer],
        *,
        label: Callable[[int], str] = str,
        special_ids: Collection[int] = (),
        unknown_ids: Collection[int] = (),
    ) -> Tokens:
        """From ids and their (start, stop) byte spans; `unknown_ids` stand for symbols that have no id."""
        id_array = np.asarray(ids, dtype=np.int32)
        spans = np.asarray(byte_spans, dtype=np.int64).reshape(-1, 2)
        if len(id_array) != len(spans):
            raise ValueError(f"{len(id_array)} ids but {len(spans)} byte spans")
        return cls(
            ids=id_array,
            starts=np.ascontiguousarray(spans[:, 0]),
            stops=np.ascontiguousarray(spans[:, 1]),
            special=np.isin(id_array, list(special_ids)),
            unknown=np.isin(id_array, list(unknown_ids)),
            label=label,
        )

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> Token:
        token_id = int(self.ids[index])
        return Token(
            id=token_id,
            start=int(self.starts[index]),
            stop=int(self.stops[index]),
            special=bool(self.special[index]),
            unknown=bool(self.unknown[index]),
            label=self.label(token_id),
        )

    def within(self, byte: int) -> Tokens:
        """The leading tokens that end at or before `byte`; shares memory with this object."""
        count = int(np.searchsorted(self.stops, np.int64(byte), "right"))
        return Tokens(
            ids=self.ids[:count],
            starts=self.starts[:count],
            stops=self.stops[:count],
            special=self.special[:count],
            unknown=self.unknown[:count],
            label=self.label,
        )

    def overlapping(self, start: int, stop: int) -> range:
        """Indices of the tokens that a line of the bytes [start, stop) has to show.

        An empty token belongs to the line of the byte before it: an end-of-word marker stays with its word.
        """
        first = int(np.searchsorted(self.stops, np.int64(start), "right")) if start else 0
        last = max(
            int(np.searchsorted(self.starts, np.int64(stop), "left")),
            int(np.searchsorted(self.stops, np.int64(stop), "right")),
        )
        return range(first, last)

    def at_caret(self, byte: int) -> int:
        """Index of the token after the caret at `byte`, else of the one that ends there, else -1."""
        after = int(np.searchsorted(self.stops, np.int64(byte), "right"))
        if after < len(self) and self.starts[after] <= byte:
            return after
        if after > 0 and self.stops[after - 1] == byte:
            return after - 1
        return -1

    def color_indices(self, count: int, mode: ColorMode) -> IntArray:
        """For every token one of `count` (three or more) colours; neighbours never get the same one."""
        if mode is ColorMode.BY_POSITION:
            return np.arange(len(self), dtype=np.int32) % count
        return _alternate_in_runs(self.ids % count, count)


NO_TOKENS = Tokens.of([], [])


def _alternate_in_runs(colors: IntArray, count: int) -> IntArray:
    """Recolour every second member of each run of equal colours, so that no two neighbours are equal."""
    size = len(colors)
    if size < 2:
        return colors
    index = np.arange(size, dtype=np.int32)
    starts_run = np.concatenate(([True], colors[1:] != colors[:-1]))
    run_start = np.maximum.accumulate(np.where(starts_run, index, 0))
    odd = (index - run_start) % 2 == 1
    # The first member of a run keeps its colour, so it is enough to differ from the one that follows.
    following = np.append(colors[1:], -1)
    other = (colors + 1) % count
    other = np.where(other == following, (colors + 2) % count, other)
    return np.where(odd, other, colors).astype(np.int32)


class LiveTokens:
    """The tokens of a text that is edited, of which views ask for the parts that they show.

    `label` spells a token's id for people; `unknown_ids` stand for symbols that have no id.
    """

    def __init__(
        self,
        text: LiveText,
        *,
        label: Callable[[int], str] = str,
        special_ids: Collection[int] = (),
        unknown_ids: Collection[int] = (),
    ) -> None:
        self.text = text
        self.label = label
        self._special_ids = np.array(list(special_ids), np.int32)
        self._unknown_ids = np.array(list(unknown_ids), np.int32)

    def __len__(self) -> int:
        """How many tokens are known before the first place at which they are not."""
        return self.text.known()

    @property
    def is_complete(self) -> bool:
        """Whether all tokens of the text are known."""
        return self.text.is_encoded

    def slice(self, first: int, last: int) -> Tokens:
        """The tokens [first, last), of those that are known."""
        return self._present(self.text.tokens(first, last), first)

    def overlapping(self, start: int, stop: int) -> Tokens:
        """The tokens that a stretch of the bytes [start, stop) has to show, encoding it if that takes no long time.

        An empty token belongs to the stretch of the byte before it: an end-of-word marker stays with its word. Raises
        EngineError where the text cannot be encoded.
        """
        self.text.encode_near(start, stop)
        first, arrays = self.text.tokens_in(start, stop)
        return self._present(arrays, first)

    def word_starts(self, start: int, stop: int) -> LongArray:
        """Where words (pre-tokens) begin among the bytes [start, stop)."""
        return self.text.word_starts_in(start, stop)

    def _present(self, arrays: TokenArrays, first: int) -> Tokens:
        ids, starts, stops = arrays
        special, unknown = np.isin(ids, self._special_ids), np.isin(ids, self._unknown_ids)
        return Tokens(ids, starts, stops, special, unknown, self.label, first)


class TextMap:
    """Translates between byte offsets in a text's UTF-8 (tokens) and UTF-16 positions (Qt's documents).

    `\\r\\n` counts as one character of two bytes: in a document it is one line break.
    """

    def __init__(self, text: str) -> None:
        self.utf8 = text.encode("utf-8", "surrogatepass")
        octets = np.frombuffer(self.utf8, dtype=np.uint8)
        units = ((octets & _CONTINUATION_MASK) != _CONTINUATION).astype(np.int8)
        units += octets >= _FIRST_FOUR_BYTE_LEAD
        units[1:][(octets[:-1] == _CARRIAGE_RETURN) & (octets[1:] == _LINE_FEED)] = 0
        # _positions[b]: UTF-16 units of the characters that begin before byte b.
        self._positions = np.zeros(len(octets) + 1, dtype=np.int32)
        np.cumsum(units, out=self._positions[1:])

    def is_inside_character(self, byte: int) -> bool:
        """Whether the offset `byte` falls between two bytes of one character."""
        if not 0 < byte < len(self.utf8):
            return False
        octet = self.utf8[byte]
        if octet == _LINE_FEED:
            return self.utf8[byte - 1] == _CARRIAGE_RETURN
        return octet & _CONTINUATION_MASK == _CONTINUATION

    def position(self, byte: int) -> int:
        """UTF-16 position of the character that holds the byte at offset `byte`."""
        return int(self._positions[self._lead(byte)])

    def byte(self, position: int) -> int:
        """Byte offset of the character at the UTF-16 `position`; beyond the end, the text's length."""
        return int(np.searchsorted(self._positions, np.int32(position), "right")) - 1

    def cut_characters(self, start: int, stop: int) -> list[str]:
        """The characters of which the bytes [start, stop) hold some but not all."""
        cut = {self._lead(edge) for edge in (start, stop) if self.is_inside_character(edge)}
        return [self._character(lead) for lead in sorted(cut)]

    def _character(self, lead: int) -> str:
        beginning = self.utf8[lead : lead + 4].decode("utf-8", "ignore")
        return "\r\n" if beginning.startswith("\r\n") else beginning[:1]

    def _lead(self, byte: int) -> int:
        while self.is_inside_character(byte):
            byte -= 1
        return byte
