"""The tokens of a text as views show them: ids, byte spans and colours, without widgets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Self

import numpy as np

from bpe_gui.engine import (
    BoolArray,
    Int32Array,
    Int64Array,
    IntegerArray,
    LiveText,
    SplitWords,
    TokenArrays,
    Tokenizer,
    token_in_sentence,
    without_isolates,
)
from bpe_gui.gui.look.theme import hue_of

_FEW_IDS = 8  # up to this many, comparing with each id in turn is faster than `np.isin`
_COLOR_CONTEXT = 256  # bytes of text on either side, searched first for the start of a run of one hue
_WORD_CONTEXTS = (256, 4096)  # for words, which take longer to find
_WORD_GRID = 1 << 13  # bytes
_MAX_COLOR_CONTEXT = 1 << 15  # the most bytes to search before a span
_CACHED_HUES = 1 << 14

_NO_IDS, _NO_OFFSETS, _NO_FLAGS = np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.bool_)


def symbol_of_id(token_id: int) -> bytes:
    """Return the id in decimal, for an id whose token is unknown."""
    return str(token_id).encode()


class ColorMode(Enum):
    """How to choose a token's colour: its position, the token, or the splitter's part that matched its word."""

    BY_POSITION = auto()
    BY_TOKEN = auto()
    BY_SPLITTER = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token in the text; `start` and `stop` are byte offsets in UTF-8."""

    id: int
    start: int
    stop: int
    special: bool
    unknown: bool
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """A sequence of consecutive tokens of the text, as parallel arrays: a megabyte of text has 300,000 of them.

    `starts` and `stops` are byte offsets in the text's UTF-8, both in ascending order. A token may be empty (`start ==
    stop`: an end-of-word marker), and there may be gaps between tokens (white space that a recipe drops). `label`
    returns an id in readable form; it is called only for tokens that the user points at. `symbol` returns the bytes of
    an id's token, which determine its colour.
    """

    ids: Int32Array
    starts: IntegerArray
    stops: IntegerArray
    special: BoolArray
    unknown: BoolArray
    label: Callable[[int], str]
    first: int | None = 0
    """The index of the first token here among all tokens of the text; None if unknown."""
    symbol: Callable[[int], bytes] = symbol_of_id

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

    def slice(self, first: int, last: int, *, shift: int = 0) -> Tokens:
        """Return the tokens with the indices [first, last) among these, with `shift` added to their byte offsets."""
        return Tokens(
            ids=self.ids[first:last],
            starts=self.starts[first:last] + shift,
            stops=self.stops[first:last] + shift,
            special=self.special[first:last],
            unknown=self.unknown[first:last],
            label=self.label,
            symbol=self.symbol,
            first=None if self.first is None else self.first + first,
        )

    def overlapping(self, start: int, stop: int) -> range:
        """Return the indices of the tokens to show for the bytes [start, stop).

        An empty token belongs to the byte before it: an end-of-word marker stays with its word.
        """
        first = int(np.searchsorted(self.stops, np.int64(start), "right")) if start else 0
        last = max(
            int(np.searchsorted(self.starts, np.int64(stop), "left")),
            int(np.searchsorted(self.stops, np.int64(stop), "right")),
        )
        return range(first, last)

    def at_caret(self, offset: int) -> int:
        """Return the index of the token after a caret at `offset`, else of the token before it, else -1."""
        after = int(np.searchsorted(self.stops, np.int64(offset), "right"))
        if after < len(self) and self.starts[after] <= offset:
            return after
        if after > 0 and self.stops[after - 1] == offset:
            return after - 1
        return -1

    def marked(self, ids: Sequence[int], word_starts: Int64Array) -> BoolArray:
        """Return which tokens have the id in `ids`, or if `ids` has two, which ones form such a pair.

        `word_starts` has the offsets where words begin, since a pair does not cross words.
        """
        if len(ids) == 1:
            return np.equal(self.ids, ids[0])
        found = np.zeros(len(self), np.bool_)
        if len(ids) == 2 and len(self) > 1:
            left, right = ids
            is_pair = (self.ids[:-1] == left) & (self.ids[1:] == right) & ~np.isin(self.starts[1:], word_starts)
            found[:-1] |= is_pair
            found[1:] |= is_pair
        return found

    def color_indices(self, hues: int, mode: ColorMode) -> Int32Array:
        """Return a shade number for every token, from `hues` hues; neighbours never get the same one.

        A number below `hues` is the first shade of that hue; adding `hues` gives the second. Tokens do not know which
        words they are in: see `LiveTokens.shades` for colours by word.
        """
        if mode is ColorMode.BY_POSITION:
            first = (self.first or 0) % hues
            return np.arange(first, first + len(self), dtype=np.int32) % hues
        return _alternate_in_runs(self.hues(hues), hues)

    def hues(self, count: int) -> Int32Array:
        """Return for every token the hue number of its symbol, out of `count`."""
        ids, indices = np.unique(self.ids, return_inverse=True)
        return np.array([hue_of(self.symbol(each), count) for each in ids.tolist()], np.int32)[indices]


def _are_among(ids: Int32Array, candidates: Int32Array) -> BoolArray:
    if len(candidates) > _FEW_IDS:
        return np.isin(ids, candidates)
    found = np.zeros(len(ids), np.bool_)
    for candidate in candidates:
        found |= ids == candidate
    return found


NO_TOKENS = Tokens(_NO_IDS, _NO_OFFSETS, _NO_OFFSETS, _NO_FLAGS, _NO_FLAGS, str)


def _alternate_in_runs(hues: Int32Array, count: int) -> Int32Array:
    """Return a shade for every hue: within a run of tokens of one hue, the two shades alternate."""
    if len(hues) < 2:
        return hues
    index = np.arange(len(hues), dtype=np.int32)
    starts_run = np.concatenate(([True], hues[1:] != hues[:-1]))
    run_start = np.maximum.accumulate(np.where(starts_run, index, 0))
    return (hues + (index - run_start) % 2 * count).astype(np.int32)


class LiveTokens:
    """The tokens of a text that is being edited; views request the ones they show.

    `label` returns an id in readable form, `symbol` the bytes of its token; `unknown_ids` stand for symbols without an
    id.
    """

    def __init__(
        self,
        text: LiveText,
        *,
        label: Callable[[int], str] = str,
        symbol: Callable[[int], bytes] = symbol_of_id,
        special_tokens: Mapping[str, int] | None = None,
        unknown_ids: Collection[int] = (),
    ) -> None:
        self.text = text
        self.label = label
        self.symbol = symbol
        self.special_tokens = special_tokens or {}
        self._special_ids = np.array(list(self.special_tokens.values()), np.int32)
        self._unknown_ids = np.array(list(unknown_ids), np.int32)

    @classmethod
    def of(cls, text: LiveText, tokenizer: Tokenizer, unknown_id: int, unknown: str) -> Self:
        """Return a tokenizer's tokens, where `unknown_id`, labelled `unknown`, stands for unknown symbols."""

        @lru_cache(_CACHED_HUES)
        def symbol(token_id: int) -> bytes:
            return b"" if token_id == unknown_id else tokenizer.token(token_id)

        return cls(
            text,
            label=lambda token_id: unknown if token_id == unknown_id else _label(tokenizer.token(token_id)),
            symbol=symbol,
            special_tokens=tokenizer.obeyed_special_tokens,
            unknown_ids=(unknown_id,),
        )

    def __len__(self) -> int:
        """Return the number of tokens known from the start of the text without a gap."""
        return self.text.known_tokens

    @property
    def is_complete(self) -> bool:
        return self.text.is_encoded

    def slice(self, first: int, last: int) -> Tokens:
        """Return the known tokens with the indices [first, last)."""
        return self._tokens(self.text.tokens(first, last), first)

    def overlapping(self, start: int, stop: int) -> Tokens:
        """Return the tokens to show for the bytes [start, stop), encoding them first if that is quick.

        An empty token belongs to the byte before it: an end-of-word marker stays with its word. Raise EngineError
        where the text cannot be encoded.
        """
        self.text.encode_near(start, stop)
        first, arrays = self.text.tokens_in(start, stop)
        return self._tokens(arrays, first)

    def colored(self, start: int, stop: int, hues: int, mode: ColorMode) -> tuple[Tokens, Int32Array]:
        """Return the tokens to show for the bytes [start, stop), each with a shade number from `hues` hues.

        The shades do not depend on `start`: in a run of tokens of one hue they alternate from the first token of the
        run, which is searched for in up to 32 KB before `start`. By splitter, words alternate instead, and all tokens
        of a word have the same shade. Raise EngineError as `overlapping` does.
        """
        if mode is not ColorMode.BY_TOKEN:
            tokens = self.overlapping(start, stop)
            return tokens, self.shades(tokens, hues, mode)
        context = _COLOR_CONTEXT
        while True:
            around = self.overlapping(max(0, start - context), stop)
            shown = around.overlapping(start, stop)
            before = around.slice(0, shown.start + 1).hues(hues)
            if context >= min(start, _MAX_COLOR_CONTEXT) or np.any(before[1:] != before[:-1]):
                break
            context *= 8
        all_shades = around.color_indices(hues, mode)
        return around.slice(shown.start, shown.stop), all_shades[shown.start : shown.stop]

    def shades(self, tokens: Tokens, hues: int, mode: ColorMode) -> Int32Array:
        """Return a shade number for every token in part of the text, as `Tokens.color_indices` does.

        By splitter, the hue is that of the part that matched the token's word; the number after all second shades
        means that the part is unknown.
        """
        if mode is not ColorMode.BY_SPLITTER:
            return tokens.color_indices(hues, mode)
        shades = np.full(len(tokens), 2 * hues, np.int32)
        if len(tokens):
            words, word_shades = self._shaded_words(int(tokens.starts[0]), int(tokens.stops[-1]), hues)
            index = np.searchsorted(words.starts, tokens.starts, "right") - 1
            is_known = index >= 0
            is_known[is_known] = tokens.starts[is_known] <= words.stops[index[is_known]]
            shades[is_known] = word_shades[index[is_known]]
        return shades

    def _shaded_words(self, start: int, stop: int, hues: int) -> tuple[SplitWords, Int32Array]:
        """Return the words of the bytes [start, stop), and some before, with shades that do not depend on `start`."""
        for context in _WORD_CONTEXTS:
            words = self.text.words_in(max(0, start - context), stop)
            before = words.parts[words.starts <= start]
            if context >= start or np.any(before[1:] != before[:-1]):
                break
        else:  # an endless run, where shades change only at these offsets
            words = self.text.words_in(max(0, (start // _WORD_GRID - 1) * _WORD_GRID), stop)
        return words, _alternate_in_runs(words.parts % hues, hues)

    def word_starts(self, start: int, stop: int) -> Int64Array:
        """Return the offsets among the bytes [start, stop) where words (pre-tokens) begin."""
        return self.text.word_starts_in(start, stop)

    def _tokens(self, arrays: TokenArrays, first: int | None) -> Tokens:
        ids, starts, stops = arrays
        special, unknown = _are_among(ids, self._special_ids), _are_among(ids, self._unknown_ids)
        return Tokens(ids, starts, stops, special, unknown, self.label, first, self.symbol)


def _label(token: bytes) -> str:
    """Return the printable form of a token, truncated if it is very long."""
    return without_isolates(token_in_sentence(token))
