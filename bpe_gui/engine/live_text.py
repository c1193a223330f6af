"""A text and its tokens, both of which follow each edit without being made anew.

The text lies in blocks, cut where the tokens of one do not depend on another. An edit, however large the text, makes
new blocks only where it is; another tokenizer makes new tokens for a block when they are asked for.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from threading import Lock
from typing import Final, Self

import numpy as np

from bpe_gui.engine.text.chunk_boundaries import Cutter
from bpe_gui.engine.tokenization.results import NO_TOKENS, TokenArrays, joined
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.text.recipe import SPLITTERS
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

BLOCK: Final = 1 << 14
"""Bytes in a block, about."""

_FIRST_OF_CHARACTER: Final = -0x40  # signed: bytes below are 10......, which continue a character

_AT_ONCE: Final = 4 * BLOCK
"""Bytes that a block may have to be encoded while somebody waits."""

_AT_ONCE_IN_STEPS: Final = BLOCK
"""The same where the steps of a pipeline encode it."""

_AFTER: Final = 256
"""Bytes after a stretch of text in which a place to cut it is looked for at first."""


class Block:
    """A part of the text, which never changes, with its tokens; their places count from the start of the block."""

    __slots__ = ("characters", "made_by", "text", "tokens", "unknowns")

    def __init__(self, text: bytes) -> None:
        self.text: Final = text
        self.characters: Final = _count_characters(text)
        self.tokens = NO_TOKENS
        self.unknowns = 0
        self.made_by: Tokenizer | None = None


class LiveText:
    """A text that is edited, and its tokens. All places are bytes of its UTF-8.

    Tokens that are not known yet are left out of what is asked for; `encode_near` and `missing` say how to get them.

    >>> from bpe_gui.engine import train
    >>> text = LiveText("low lowest")
    >>> text.encode_with(train("low low low", num_merges=2))
    >>> text.encode_near(0, 10)
    >>> text.replace(3, 7, b"er")
    >>> text.read(0, len(text)), text.is_encoded
    (b'lowerest', False)
    """

    def __init__(self, text: str = "") -> None:
        """Raises UnicodeEncodeError for a lone surrogate."""
        self.tokenizer: Tokenizer | None = None
        self._taking = Lock()
        self._cutter = Cutter("", ())
        self._cut_for: tuple[str, tuple[str, ...]] = "", ()
        self._known_firsts = [0]
        self._set_blocks([Block(text.encode())] if text else [])

    @classmethod
    def of(cls, chunks: Iterable[str]) -> Self:
        """The text that chunks make up; between any two, other threads have their turn. Raises as `LiveText`.

        >>> str(LiveText.of(["low ", "lowest"]))
        'low lowest'
        """
        made = cls()
        data = b"".join(map(str.encode, chunks))
        made._set_blocks([Block(data)] if data else [])
        return made

    def __len__(self) -> int:
        return self._starts[-1]

    def __str__(self) -> str:
        return b"".join(block.text for block in self._blocks).decode()

    @property
    def characters(self) -> int:
        """How many characters (code points) it has."""
        return sum(block.characters for block in self._blocks)

    def read(self, start: int, stop: int) -> bytes:
        """The bytes [start, stop)."""
        parts = [(block.text, at) for block, at in self._blocks_in(start, stop)]
        return b"".join(text[max(0, start - at) : stop - at] for text, at in parts)

    def replace(self, start: int, stop: int, new: bytes) -> None:
        """Put `new`, which is UTF-8, in the place of the bytes [start, stop).

        Raises ValueError unless both ends are in the text and between characters.
        """
        if not 0 <= start <= stop <= len(self) or any(map(self._is_inside_character, (start, stop))):
            raise ValueError(f"the bytes {start} to {stop} are no part of this text of {len(self)} bytes")
        reach = self._cutter.reach
        first = self._index_of(max(0, start - reach))
        last = self._index_of(min(len(self), stop + reach)) + 1
        begin, end = self._starts[first], self._starts[min(last, len(self._blocks))]
        text = self.read(begin, start) + new + self.read(stop, end)
        pieces = [Block(piece) for piece in self._cutter.pieces(text, BLOCK)]
        self._set_blocks(self._blocks[:first] + pieces + self._blocks[last:], kept=first)

    def _is_inside_character(self, place: int) -> bool:
        here = self.read(place, place + 1)
        return bool(here) and here[0] & 0xC0 == 0x80

    def _set_blocks(self, blocks: list[Block], kept: int = 0) -> None:
        """Take other blocks, of which so many at the start are the same."""
        self._blocks = blocks
        self._starts = list(accumulate((len(block.text) for block in blocks), initial=0))
        self._known_firsts = self._known_firsts[: kept + 1] if kept else [0]

    def _index_of(self, place: int) -> int:
        """The block in which a place is."""
        return max(0, min(bisect_right(self._starts, place), len(self._blocks)) - 1)

    def _blocks_in(self, start: int, stop: int) -> Iterator[tuple[Block, int]]:
        """The blocks of the bytes [start, stop), with the places at which they begin."""
        if not self._blocks:
            return
        index = self._index_of(start)
        while index < len(self._blocks) and (self._starts[index] < stop or self._starts[index] <= start):
            yield self._blocks[index], self._starts[index]
            index += 1

    # -- tokens -----------------------------------------------------------------------------------------------------

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Have another tokenizer's tokens from now on."""
        with self._taking:
            self.tokenizer = tokenizer
        self._known_firsts = [0]
        if tokenizer is None:
            return
        cut_for = tokenizer.recipe.splitter, tuple(tokenizer.special_tokens)
        if cut_for != self._cut_for:
            self._cut_for = cut_for
            self._cutter = Cutter(*cut_for)
            whole = self.read(0, len(self))
            self._set_blocks([Block(piece) for piece in self._cutter.pieces(whole, BLOCK)])

    def encode_near(self, start: int, stop: int) -> None:
        """Have the tokens of the bytes [start, stop), where that takes no long time. Raises EngineError."""
        for block, _at in self._blocks_in(start, stop):
            if len(block.text) <= self._at_once:
                self.encode(block)

    @property
    def _at_once(self) -> int:
        """Bytes of a block that takes no long time."""
        if self.tokenizer is None or self.tokenizer.recipe.splitter not in SPLITTERS:
            return 0  # a pattern of the user's own may take any time
        return _AT_ONCE if self.tokenizer.pipeline is None else _AT_ONCE_IN_STEPS

    def encode(self, block: Block) -> None:
        """Have the tokens of a block. Raises EngineError. May be called in another thread, also for a former block."""
        tokenizer = self.tokenizer
        if tokenizer is None or block.made_by is tokenizer:
            return
        tokens = tokenizer.token_arrays(block.text)
        unknowns = int(np.count_nonzero(tokens.ids < 0))
        with self._taking:
            if self.tokenizer is tokenizer:  # not another one's meanwhile
                block.tokens, block.unknowns, block.made_by = tokens, unknowns, tokenizer

    def missing(self) -> list[Block]:
        """The blocks that have no tokens yet."""
        return [block for block in self._blocks if not self._is_known(block)]

    @property
    def is_encoded(self) -> bool:
        """Whether all tokens are known."""
        return self.tokenizer is not None and len(self._firsts()) > len(self._blocks)

    def _is_known(self, block: Block) -> bool:
        return self.tokenizer is not None and block.made_by is self.tokenizer

    def known(self) -> int:
        """How many tokens there are before the first place at which they are not known."""
        return self._firsts()[-1]

    @property
    def unknowns(self) -> int:
        """How many of the known tokens have an id below 0, which stands for what has none."""
        return sum(block.unknowns for block in self._blocks if self._is_known(block))

    def count(self, token_id: int) -> int:
        """How many of the known tokens have this id."""
        known = filter(self._is_known, self._blocks)
        return sum(int(np.count_nonzero(block.tokens.ids == token_id)) for block in known)

    def _firsts(self) -> list[int]:
        """The number of the first token of each block, as far as these are known, and of the one that follows."""
        firsts = self._known_firsts
        while len(firsts) <= len(self._blocks) and self._is_known(block := self._blocks[len(firsts) - 1]):
            firsts.append(firsts[-1] + len(block.tokens.ids))
        return firsts

    def tokens(self, first: int, last: int) -> TokenArrays:
        """The tokens [first, last), of those that `known` counts."""
        firsts = self._firsts()
        index = max(0, bisect_right(firsts, first) - 1)
        found: list[TokenArrays] = []
        while index < len(firsts) - 1 and firsts[index] < last:
            part = self._blocks[index].tokens.part(max(0, first - firsts[index]), last - firsts[index])
            found.append(part.moved(self._starts[index]))
            index += 1
        return joined(found)

    def parts(self) -> list[tuple[bytes, TokenArrays]]:
        """The text and its known tokens as they are now, block by block; places count from the start of each block.

        Quickly had, for a thread that goes on with them.
        """
        return [(block.text, block.tokens if self._is_known(block) else NO_TOKENS) for block in self._blocks]

    def tokens_in(self, start: int, stop: int) -> tuple[int, TokenArrays]:
        """The known tokens that cover any of the bytes [start, stop), and of the empty ones those that end there.

        With the number of the first of them; -1 if that is not known, because there are unknown ones before. Where
        unknown ones come after known ones, it is those before that are given.
        """
        first = -1
        found: list[TokenArrays] = []
        firsts = self._firsts()
        index = self._index_of(start)
        for block, at in self._blocks_in(start, stop):
            if self._is_known(block):
                begin, end = _overlapping(block.tokens, start - at, stop - at)
                if not found and index < len(firsts):
                    first = firsts[index] + begin
                found.append(block.tokens.part(begin, end).moved(at))
            elif found:
                break  # what comes after a gap would be numbered wrongly
            index += 1
        return first, joined(found)

    def word_starts_in(self, start: int, stop: int) -> Longs:
        """Where words (pre-tokens) begin among the bytes [start, stop), where the text can be split at once."""
        found = [np.empty(0, np.int64)]
        if self.tokenizer is not None:
            for block, at in self._blocks_in(start, stop):
                if len(block.text) <= self._at_once:
                    begin, end = self._part_around(block.text, start - at, stop - at)
                    found.append(self.tokenizer.word_starts(block.text[begin:end]) + (at + begin))
        starts = np.concatenate(found)
        return starts[(starts >= start) & (starts < stop)]

    def _part_around(self, text: bytes, start: int, stop: int) -> tuple[int, int]:
        """A part of a text with the bytes [start, stop), cut where the words of one side do not depend on the other."""
        begin = self._cutter.last_cut(text[: max(0, start)])
        end = stop + _AFTER
        while end < len(text):
            cut = self._cutter.last_cut(text[begin:end])
            if begin + cut >= stop:
                return begin, begin + cut
            end += end - begin
        return begin, len(text)

    def word_at(self, place: int) -> bytes:
        """The word (pre-token) at a place, with what a splitter drops after it in the same block.

        Nothing where finding it takes long: in a block without cuts. Raises EngineError.
        """
        for block, at in self._blocks_in(place, place + 1):
            if self.tokenizer is not None and len(block.text) <= _AT_ONCE:
                starts = self.tokenizer.word_starts(block.text)
                index = int(np.searchsorted(starts, np.int64(place - at), "right"))
                start = int(starts[index - 1]) if index else 0
                return block.text[start : int(starts[index]) if index < len(starts) else None]
        return b""


def _count_characters(text: bytes) -> int:
    return len(text) if text.isascii() else int(np.count_nonzero(np.frombuffer(text, np.int8) >= _FIRST_OF_CHARACTER))


def _overlapping(tokens: TokenArrays, start: int, stop: int) -> tuple[int, int]:
    first = int(np.searchsorted(tokens.stops, np.int64(start), "right")) if start > 0 else 0
    last = max(
        int(np.searchsorted(tokens.starts, np.int64(stop), "left")),
        int(np.searchsorted(tokens.stops, np.int64(stop), "right")),
    )
    return first, last
