"""Live text: a text with its tokens, kept up to date edit by edit, however large it is.

This is a front of the engine: programs that show tokens while somebody types use it directly, as the window does. All
offsets are bytes of the text's UTF-8.

The text is kept in blocks of about 16 KB, split where the tokens on one side do not depend on the other side. An edit
replaces only the blocks it touches, and tokens of a block are computed when they are asked for: those in view at once,
all others by a thread that goes through `unencoded_blocks`.

>>> from bpe_gui.engine import train
>>> text = LiveText("low lowest")
>>> text.encode_with(train("low low low", num_merges=2))
>>> text.encode_near(0, 10)
>>> text.known_tokens, text.is_encoded
(6, True)
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from threading import Lock
from typing import Final, Self

import numpy as np

from bpe_gui.engine.runtime.arrays import Int64Array

from .text.chunk_boundaries import Chunker
from .text.splitters import SPLITTERS
from .tokenization.results import NO_TOKENS, TokenArrays, joined
from .tokenization.tokenizer import Tokenizer

__all__ = ["Block", "LiveText"]

BLOCK: Final = 1 << 14
"""The size of a block in bytes, roughly."""

_QUICK: Final = 4 * BLOCK
"""The most bytes of a block that is encoded while somebody waits."""

_QUICK_WITH_PIPELINE: Final = BLOCK
"""The most bytes of a block that is encoded by a pipeline while somebody waits."""

_WINDOW: Final = 256
"""The bytes after a stretch of text that are searched first for a chunk boundary."""

_CONTINUATIONS_END: Final = -0x40
"""As signed bytes, those below this are 0b10......, which continue a character."""


class Block:
    """A chunk of the text, which never changes, with its tokens, if they are known.

    The offsets of the tokens count from the start of the block.
    """

    __slots__ = ("characters", "text", "tokenizer", "tokens", "unknown_tokens")

    def __init__(self, text: bytes) -> None:
        self.text: Final = text
        self.characters: Final = _count_characters(text)
        self.tokenizer: Tokenizer | None = None
        """The tokenizer that the tokens are from; None if there are none yet."""
        self.tokens = NO_TOKENS
        self.unknown_tokens = 0


class LiveText:
    """A text that is edited, and its tokens. All offsets are bytes of its UTF-8.

    Tokens that are not known yet are left out of every answer; `encode_near` and `encode` compute them. All methods
    are for one thread, but for `encode`, which others may call.

    Raises UnicodeEncodeError for a lone surrogate.

    >>> text = LiveText("low lowest")
    >>> text.replace(3, 7, b"er")
    >>> str(text), len(text), text.is_encoded
    ('lowerest', 8, False)
    """

    def __init__(self, text: str = "") -> None:
        self.tokenizer: Tokenizer | None = None
        self._lock = Lock()
        """Held while tokens or the tokenizer are set, so that a late thread does not set those of a former one."""
        self._chunker_key: tuple[str, tuple[str, ...]] = "", ()
        self._chunker = Chunker(*self._chunker_key)
        self._first_tokens = [0]
        self._set_blocks([Block(text.encode())] if text else [])

    @classmethod
    def of(cls, chunks: Iterable[str]) -> Self:
        """Return a live text of the chunks together. Raise UnicodeEncodeError for a lone surrogate.

        >>> str(LiveText.of(["low ", "lowest"]))
        'low lowest'
        """
        live = cls()
        data = b"".join(map(str.encode, chunks))
        live._set_blocks([Block(data)] if data else [])
        return live

    # -- text -------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the size in bytes.

        >>> len(LiveText("é"))
        2
        """
        return self._starts[-1]

    def __str__(self) -> str:
        return b"".join(block.text for block in self._blocks).decode()

    @property
    def characters(self) -> int:
        """The number of code points.

        >>> LiveText("é").characters
        1
        """
        return sum(block.characters for block in self._blocks)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes [start, stop).

        >>> LiveText("low lowest").read(4, 7)
        b'low'
        """
        found = [(block.text, begin) for block, begin in self._blocks_in(start, stop)]
        return b"".join(text[max(0, start - begin) : stop - begin] for text, begin in found)

    def replace(self, start: int, stop: int, new: bytes) -> None:
        """Replace the bytes [start, stop) by `new`, which is valid UTF-8.

        Raise ValueError unless both offsets are in the text and between characters.

        >>> text = LiveText("low lowest")
        >>> text.replace(3, 7, b"er")
        >>> str(text)
        'lowerest'
        """
        if not 0 <= start <= stop <= len(self) or any(map(self._is_inside_character, (start, stop))):
            raise ValueError(f"the bytes {start} to {stop} are not part of this text of {len(self)} bytes")
        reach = self._chunker.context
        first = self._index_of(max(0, start - reach))
        last = self._index_of(min(len(self), stop + reach)) + 1
        begin, end = self._starts[first], self._starts[min(last, len(self._blocks))]
        text = self.read(begin, start) + new + self.read(stop, end)
        replacement = [Block(chunk) for chunk in self._chunker.chunks(text, BLOCK)]
        self._set_blocks(self._blocks[:first] + replacement + self._blocks[last:], kept=first)

    def snapshot(self) -> list[tuple[bytes, TokenArrays]]:
        """Return the bytes of each block as they are now, each with its tokens, or none where they are not known.

        The offsets of tokens count from the start of their block. The result can be handed to another thread.

        >>> [text for text, _tokens in LiveText("low lowest").snapshot()]
        [b'low lowest']
        """
        return [(block.text, block.tokens if self._is_encoded(block) else NO_TOKENS) for block in self._blocks]

    def _is_inside_character(self, offset: int) -> bool:
        here = self.read(offset, offset + 1)
        return bool(here) and here[0] & 0xC0 == 0x80

    def _set_blocks(self, blocks: list[Block], kept: int = 0) -> None:
        """Set the blocks, of which the first `kept` are the same as before."""
        self._blocks = blocks
        self._starts = list(accumulate((len(block.text) for block in blocks), initial=0))
        self._first_tokens = self._first_tokens[: kept + 1] if kept else [0]

    def _index_of(self, offset: int) -> int:
        """Return the index of the block that has the byte at an offset."""
        return max(0, min(bisect_right(self._starts, offset), len(self._blocks)) - 1)

    def _blocks_in(self, start: int, stop: int) -> Iterator[tuple[Block, int]]:
        """Yield the blocks that have any of the bytes [start, stop), with the offsets at which they begin."""
        if not self._blocks:
            return
        index = self._index_of(start)
        while index < len(self._blocks) and (self._starts[index] < stop or self._starts[index] <= start):
            yield self._blocks[index], self._starts[index]
            index += 1

    # -- encoding ---------------------------------------------------------------------------------------------------

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Use another tokenizer from now on, or none. The tokens of the former one are no longer given.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.known_tokens
        0
        """
        with self._lock:
            self.tokenizer = tokenizer
        self._first_tokens = [0]
        if tokenizer is None:
            return
        key = tokenizer.recipe.splitter, tuple(tokenizer.special_tokens)
        if key != self._chunker_key:
            self._chunker_key, self._chunker = key, Chunker(*key)
            whole = self.read(0, len(self))
            self._set_blocks([Block(chunk) for chunk in self._chunker.chunks(whole, BLOCK)])

    def encode_near(self, start: int, stop: int) -> None:
        """Compute the tokens of the bytes [start, stop) where that is quick. Raise EngineError as `Tokenizer.encode`.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode_near(0, 1)
        >>> text.known_tokens
        3
        """
        for block, _begin in self._blocks_in(start, stop):
            if len(block.text) <= self._quick:
                self.encode(block)

    @property
    def _quick(self) -> int:
        """The most bytes of a block that is encoded while somebody waits."""
        if self.tokenizer is None or self.tokenizer.recipe.splitter not in SPLITTERS:
            return 0  # a pattern of the user's own may take any time
        return _QUICK if self.tokenizer.pipeline is None else _QUICK_WITH_PIPELINE

    def encode(self, block: Block) -> None:
        """Compute the tokens of a block, unless they are known. Raise EngineError as `Tokenizer.encode`.

        May be called in another thread, also for a block that is no longer in the text.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode(text.unencoded_blocks()[0])
        >>> text.is_encoded
        True
        """
        tokenizer = self.tokenizer
        if tokenizer is None or block.tokenizer is tokenizer:
            return
        tokens = tokenizer.token_arrays(block.text)
        unknown_tokens = int(np.count_nonzero(tokens.ids < 0))
        with self._lock:
            if self.tokenizer is tokenizer:
                block.tokens, block.unknown_tokens, block.tokenizer = tokens, unknown_tokens, tokenizer

    def unencoded_blocks(self) -> list[Block]:
        """Return the blocks whose tokens are not known.

        >>> [block.text for block in LiveText("low").unencoded_blocks()]
        [b'low']
        """
        return [block for block in self._blocks if not self._is_encoded(block)]

    @property
    def is_encoded(self) -> bool:
        """Whether all tokens are known.

        >>> LiveText("low").is_encoded
        False
        """
        return self.tokenizer is not None and len(self._known_first_tokens()) > len(self._blocks)

    def _is_encoded(self, block: Block) -> bool:
        return self.tokenizer is not None and block.tokenizer is self.tokenizer

    # -- tokens -----------------------------------------------------------------------------------------------------

    @property
    def known_tokens(self) -> int:
        """The number of tokens before the first block whose tokens are not known.

        >>> LiveText("low").known_tokens
        0
        """
        return self._known_first_tokens()[-1]

    @property
    def unknown_tokens(self) -> int:
        """The number of tokens that stand for symbols without an id: those with an id below 0.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("lol")
        >>> text.encode_with(Tokenizer({0: b"o"}, [], unknown_id=None).with_unknown_id(-1))
        >>> text.encode_near(0, 3)
        >>> text.unknown_tokens
        2
        """
        return sum(block.unknown_tokens for block in self._blocks if self._is_encoded(block))

    def count(self, token_id: int) -> int:
        """Return the number of known tokens with this id.

        >>> LiveText("low").count(108)
        0
        """
        encoded = filter(self._is_encoded, self._blocks)
        return sum(int(np.count_nonzero(block.tokens.ids == token_id)) for block in encoded)

    def _known_first_tokens(self) -> list[int]:
        """Return the index of the first token of each block, up to the first block whose tokens are not known.

        The last item is the number of tokens before that block, or of all.
        """
        firsts = self._first_tokens
        while len(firsts) <= len(self._blocks) and self._is_encoded(block := self._blocks[len(firsts) - 1]):
            firsts.append(firsts[-1] + len(block.tokens.ids))
        return firsts

    def tokens(self, first: int, last: int) -> TokenArrays:
        """Return the tokens [first, last), which are among the first `known_tokens`.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode_near(0, 3)
        >>> text.tokens(1, 3).ids.tolist()
        [1, 2]
        """
        firsts = self._known_first_tokens()
        index = max(0, bisect_right(firsts, first) - 1)
        found: list[TokenArrays] = []
        while index < len(firsts) - 1 and firsts[index] < last:
            tokens = self._blocks[index].tokens.slice(max(0, first - firsts[index]), last - firsts[index])
            found.append(tokens.shifted(self._starts[index]))
            index += 1
        return joined(found)

    def tokens_in(self, start: int, stop: int) -> tuple[int | None, TokenArrays]:
        """Return the known tokens that cover any of the bytes [start, stop), and the index of the first of them.

        Empty tokens are among them if they end there. The index is None if tokens before are not known. Where the
        tokens of a block in the middle are not known, those after it are left out.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode_near(0, 3)
        >>> first, tokens = text.tokens_in(1, 2)
        >>> first, tokens.ids.tolist()
        (1, [1])
        """
        first: int | None = None
        found: list[TokenArrays] = []
        firsts = self._known_first_tokens()
        for index, (block, begin) in enumerate(self._blocks_in(start, stop), self._index_of(start)):
            if self._is_encoded(block):
                first_in_block, last_in_block = _overlapping(block.tokens, start - begin, stop - begin)
                if not found and index < len(firsts):
                    first = firsts[index] + first_in_block
                found.append(block.tokens.slice(first_in_block, last_in_block).shifted(begin))
            elif found:
                break
        return first, joined(found)

    # -- words ------------------------------------------------------------------------------------------------------

    def word_starts_in(self, start: int, stop: int) -> Int64Array:
        """Return the offsets in [start, stop) at which words (pre-tokens) begin, where splitting the text is quick.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low lowest")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.word_starts_in(0, 10).tolist()
        [0, 3]
        """
        found = [np.empty(0, np.int64)]
        if self.tokenizer is not None:
            for block, begin in self._blocks_in(start, stop):
                if len(block.text) <= self._quick:
                    chunk_begin, chunk_end = self._chunk_around(block.text, start - begin, stop - begin)
                    chunk = block.text[chunk_begin:chunk_end]
                    found.append(self.tokenizer.word_starts(chunk) + (begin + chunk_begin))
        starts = np.concatenate(found)
        return starts[(starts >= start) & (starts < stop)]

    def _chunk_around(self, text: bytes, start: int, stop: int) -> tuple[int, int]:
        """Return the offsets of a chunk that covers the bytes [start, stop) and splits into words independently."""
        begin = self._chunker.last_boundary(text[: max(0, start)])
        end = stop + _WINDOW
        while end < len(text):
            size = self._chunker.last_boundary(text[begin:end])
            if begin + size >= stop:
                return begin, begin + size
            end += end - begin
        return begin, len(text)

    def word_at(self, offset: int) -> bytes:
        """Return the word (pre-token) at an offset, with what the splitter drops after it in the same block.

        Return no bytes where finding it is not quick. Raise EngineError as `Tokenizer.encode`.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low lowest")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.word_at(5)
        b' lowest'
        """
        for block, begin in self._blocks_in(offset, offset + 1):
            if self.tokenizer is not None and len(block.text) <= _QUICK:
                starts = self.tokenizer.word_starts(block.text)
                index = int(np.searchsorted(starts, np.int64(offset - begin), "right"))
                start = int(starts[index - 1]) if index else 0
                return block.text[start : int(starts[index]) if index < len(starts) else None]
        return b""


def _count_characters(text: bytes) -> int:
    return len(text) if text.isascii() else int(np.count_nonzero(np.frombuffer(text, np.int8) >= _CONTINUATIONS_END))


def _overlapping(tokens: TokenArrays, start: int, stop: int) -> tuple[int, int]:
    """Return the indices [first, last) of the tokens that cover any of the bytes [start, stop) or end there."""
    first = int(np.searchsorted(tokens.stops, np.int64(start), "right")) if start > 0 else 0
    last = max(
        int(np.searchsorted(tokens.starts, np.int64(stop), "left")),
        int(np.searchsorted(tokens.stops, np.int64(stop), "right")),
    )
    return first, last
