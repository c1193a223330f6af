"""What the token view shows, free of widgets: tokens, their places in the text, their colours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from bpe_gui.engine.tokenization.results import TokenArrays
from bpe_gui.engine.live_text import LiveText

IntArray = NDArray[np.int32]
LongArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_FEW = 8  # ids that are quicker looked for one by one
_NEAR = 256  # bytes beside a stretch of text that are looked at for its colours
_FAR = 1 << 15


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

    def part(self, first: int, last: int, distance: int = 0) -> Tokens:
        """The tokens [first, last), their places moved by `distance` bytes."""
        return Tokens(
            ids=self.ids[first:last],
            starts=self.starts[first:last] + distance,
            stops=self.stops[first:last] + distance,
            special=self.special[first:last],
            unknown=self.unknown[first:last],
            label=self.label,
            first=self.first if self.first < 0 else self.first + first,
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
            first = max(0, self.first) % count
            return np.arange(first, first + len(self), dtype=np.int32) % count
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

    def colored(self, start: int, stop: int, count: int, mode: ColorMode) -> tuple[Tokens, IntArray]:
        """The tokens that the bytes [start, stop) have to show, each with one of `count` colours.

        The colours do not depend on where the stretch begins: equal tokens in a row alternate from the first of
        them on, which is looked for before the stretch, though not endlessly.
        """
        if mode is ColorMode.BY_POSITION:
            tokens = self.overlapping(start, stop)
            return tokens, tokens.color_indices(count, mode)
        reach = _NEAR
        while True:
            around = self.overlapping(max(0, start - reach), stop + _NEAR)
            shown = around.overlapping(start, stop)
            colors = around.ids[: shown.start + 1] % count
            if reach >= min(start, _FAR) or np.any(colors[1:] != colors[:-1]):
                break
            reach *= 8
        all_colors = around.color_indices(count, mode)
        return around.part(shown.start, shown.stop), all_colors[shown.start : shown.stop]

    def word_starts(self, start: int, stop: int) -> LongArray:
        """Where words (pre-tokens) begin among the bytes [start, stop)."""
        return self.text.word_starts_in(start, stop)

    def _present(self, arrays: TokenArrays, first: int) -> Tokens:
        ids, starts, stops = arrays
        special, unknown = _among(ids, self._special_ids), _among(ids, self._unknown_ids)
        return Tokens(ids, starts, stops, special, unknown, self.label, first)


def _among(ids: IntArray, wanted: IntArray) -> BoolArray:
    """Which of the ids are among those that are wanted."""
    if len(wanted) > _FEW:
        return np.isin(ids, wanted)
    found = np.zeros(len(ids), np.bool_)
    for one in wanted:  # many times as quick as what numpy does for many
        found |= ids == one
    return found
