"""Live text: text of any size with its tokens, which follow each edit.

Like the names in `bpe_gui.engine`, this module is for use outside the engine: by the window, and by any other program
that shows tokens while somebody types. All offsets are bytes of the text's UTF-8.

The text is kept in blocks of about 16 KB, split where the tokens on one side do not depend on the other side. An edit
replaces only the blocks it touches. The tokens of a block are computed on request: a caller encodes the blocks in view
at once (`encode_near`), and the others in a thread (`unencoded_blocks`, `encode`).

>>> from bpe_gui.engine import train
>>> text = LiveText("low lowest")
>>> text.encode_with(train("low low low", num_merges=2))
>>> text.encode_near(0, 10)
>>> text.known_tokens, text.is_encoded
(6, True)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final, Self

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError, TrainingError
from bpe_gui.engine.runtime.forking import ForkLock
from bpe_gui.engine.runtime.types import Int64Array, IntegerArray

from .encoding.results import NO_TOKENS, Encoding, TokenArrays, joined
from .text.alternatives import NO_WORDS, SplitWords, parts_of, words_by_part
from .text.compiled_splitters import Chunker
from .text.recipe import Recipe
from .text.utf8 import check_surrogates, decode_utf8, encode_chunks
from .tokenization.tokenizer import Tokenizer

__all__ = ["Block", "LiveText"]

BLOCK: Final = 1 << 14
"""The size of a block in bytes, roughly."""

_QUICK_BYTES: Final = 4 * BLOCK
"""The largest block, in bytes, that can be encoded at once without a noticeable delay."""

_QUICK_BYTES_WITH_STEPS: Final = 2 * BLOCK
"""The limit for a tokenizer with more steps than a splitter, which may be slower."""

_SEARCH_BYTES: Final = 256
"""How many bytes after the requested ones are first searched for a chunk boundary; doubled until there is one."""

_CONTINUATIONS_END: Final = -0x40
"""The bytes 0b10xxxxxx, which continue a character, are exactly the signed bytes below this."""


class Block:
    """An immutable piece of the text, with its tokens if they are known.

    The offsets of the tokens count from the start of the block.
    """

    __slots__ = ("bytes_in_tokens", "characters", "text", "tokenizer", "tokens", "tokens_without_id")

    def __init__(self, text: bytes, characters: int | None = None) -> None:
        self.text: Final = text
        self.characters: Final = _count_characters(text) if characters is None else characters
        self.tokenizer: Tokenizer | None = None
        """The tokenizer that made `tokens`; None if none has yet."""
        self.tokens = NO_TOKENS
        self.tokens_without_id = 0
        """The number of tokens that stand for symbols without an id."""
        self.bytes_in_tokens = 0
        """The number of bytes that the tokens cover."""

    def without_tokens(self) -> "Block":
        """Return a block with this text and unknown tokens.

        >>> Block(b"low").without_tokens().text
        b'low'
        """
        return Block(self.text, self.characters)


class LiveText:
    """Text that is being edited, and its tokens. All offsets are bytes of its UTF-8.

    Tokens are unknown until `encode_near` or `encode` has computed them; methods return only known tokens. All methods
    must be called in one thread, except `encode`, which may be called in any.

    Raises TokenizerError for text with a lone surrogate.

    >>> text = LiveText("low lowest")
    >>> text.replace(3, 7, b"er")
    >>> str(text), len(text), text.is_encoded
    ('lowerest', 8, False)
    """

    def __init__(self, text: str = "") -> None:
        self.tokenizer: Tokenizer | None = None
        self._lock = ForkLock()
        """Held while tokens or the tokenizer are set, so that no late thread sets tokens of an old tokenizer."""
        self._chunker = Chunker(None, ())
        self._slow_recipe: Recipe | None = None  # its expression took too long for a block
        self._first_tokens = [0]
        check_surrogates(text, error=TokenizerError)
        self._set_blocks([Block(text.encode())] if text else [])

    @property
    def encoding(self) -> Encoding | None:
        """The ids and the byte spans of the tokens; None until all are known."""
        if not self.is_encoded:
            return None
        ids, starts, stops = self.tokens(0, self.known_tokens)
        return Encoding(ids.tolist(), list(zip(starts.tolist(), stops.tolist(), strict=True)), str(self))

    @classmethod
    def of(cls, chunks: Iterable[str]) -> Self:
        """Return a live text of the joined chunks. Raise TokenizerError for a lone surrogate.

        >>> str(LiveText.of(["low ", "lowest"]))
        'low lowest'
        """
        live = cls()
        data = b"".join(data for _chunk, data in encode_chunks(chunks, error=TokenizerError))
        live._set_blocks([Block(data)] if data else [])
        return live

    def layer(self) -> Self:
        """Return a copy of the current text, for the tokens of another tokenizer. Edits of one do not affect the other.

        Both share the bytes of the text as long as their tokenizers split it into the same words.

        >>> text = LiveText("low")
        >>> text.replace(0, 1, b"n")
        >>> str(text.layer())
        'now'
        """
        layer = type(self)()
        layer._chunker = self._chunker
        layer._set_blocks([block.without_tokens() for block in self._blocks])
        return layer

    # -- text -------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the size in bytes.

        >>> len(LiveText("é"))
        2
        """
        return self._starts[-1]

    def __str__(self) -> str:
        """Return the text.

        >>> str(LiveText("low"))
        'low'
        """
        return b"".join(block.text for block in self._blocks).decode()

    @property
    def characters(self) -> int:
        """The number of code points.

        >>> LiveText("é").characters
        1
        """
        return sum(block.characters for block in self._blocks)

    def characters_in(self, start: int, stop: int) -> int:
        """Return the number of code points in the bytes [start, stop), including partial ones at either end.

        >>> LiveText("é").characters_in(1, 2)
        1
        """
        start, stop = self._limited(start, stop)
        return sum(
            block.characters
            if start <= begin and begin + len(block.text) <= stop
            else len(block.text[max(0, start - begin) : stop - begin].decode(errors="replace"))
            for block, begin in self._blocks_in(start, stop)
        )

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes [start, stop) that are in the text.

        >>> LiveText("low lowest").read(4, 7)
        b'low'
        """
        start, stop = max(0, start), min(stop, self._starts[-1])
        if start >= stop:
            return b""
        first, last = bisect_right(self._starts, start) - 1, bisect_left(self._starts, stop) - 1
        start, stop = start - self._starts[first], stop - self._starts[last]
        if first == last:
            return self._blocks[first].text[start:stop]
        between = [block.text for block in self._blocks[first + 1 : last]]
        return b"".join([self._blocks[first].text[start:], *between, self._blocks[last].text[:stop]])

    def around(self, start: int, stop: int) -> tuple[int, bytes]:
        """Return a part of the text that covers the bytes [start, stop) and splits into the same words as in the whole.

        The first item is the offset at which it begins.

        >>> LiveText("low lowest").around(4, 7)
        (0, b'low lowest')
        """
        start, stop = self._limited(start, stop)
        found = list(self._blocks_in(start, stop))
        return (found[0][1] if found else 0), b"".join(block.text for block, _begin in found)

    def replace(self, start: int, stop: int, new: bytes) -> None:
        """Replace the bytes [start, stop) with `new`.

        Raise TokenizerError unless both offsets are in the text, at boundaries of characters, and `new` is UTF-8.

        >>> text = LiveText("low lowest")
        >>> text.replace(3, 7, b"er")
        >>> str(text)
        'lowerest'
        """
        if not 0 <= start <= stop <= len(self) or any(map(self._is_inside_character, (start, stop))):
            raise TokenizerError(
                "The bytes {start} to {stop} are not whole characters of this text, which has {size:,} bytes.",
                start=start,
                stop=stop,
                size=len(self),
            )
        decode_utf8(new)
        context = self._chunker.context  # how far from an edit boundaries of blocks can move
        first = self._index_of(max(0, start - context))
        last = self._index_of(min(len(self), stop + context)) + 1
        begin, end = self._starts[first], self._starts[min(last, len(self._blocks))]
        text = self.read(begin, start) + new + self.read(stop, end)
        replacement = [Block(chunk) for chunk in self._chunker.chunks(text, BLOCK)]
        self._set_blocks(self._blocks[:first] + replacement + self._blocks[last:], kept=first)

    def snapshot(self) -> list[tuple[bytes, TokenArrays]]:
        """Return the current bytes of each block with its tokens, or no tokens if they are unknown.

        The offsets of tokens count from the start of their block. The result can be passed to another thread.

        >>> [text for text, _tokens in LiveText("low lowest").snapshot()]
        [b'low lowest']
        """
        return [(block.text, block.tokens if self._is_encoded(block) else NO_TOKENS) for block in self._blocks]

    def _is_inside_character(self, offset: int) -> bool:
        here = self.read(offset, offset + 1)
        return bool(here) and here[0] & 0xC0 == 0x80

    def _set_blocks(self, blocks: list[Block], kept: int = 0) -> None:
        """Set the blocks; the first `kept` of them are unchanged."""
        self._blocks = blocks
        self._starts = list(accumulate((len(block.text) for block in blocks), initial=0))
        self._first_tokens = self._first_tokens[: kept + 1] if kept else [0]

    def _index_of(self, offset: int) -> int:
        """Return the index of the block with the byte at an offset, or of the last block at the end of the text."""
        return max(0, min(bisect_right(self._starts, offset), len(self._blocks)) - 1)

    def _limited(self, start: int, stop: int) -> tuple[int, int]:
        """Return the part of a range that is in the text."""
        size = self._starts[-1]
        return max(0, min(start, size)), max(0, min(stop, size))

    def _blocks_in(self, start: int, stop: int) -> Iterator[tuple[Block, int]]:
        """Yield the blocks with any of the bytes [start, stop), or the one at `start`, each with its offset."""
        if not self._blocks:
            return
        index = self._index_of(start)
        while index < len(self._blocks) and (self._starts[index] < stop or self._starts[index] <= start):
            yield self._blocks[index], self._starts[index]
            index += 1

    # -- encoding ---------------------------------------------------------------------------------------------------

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Use another tokenizer from now on, or none. Tokens are unknown until they are computed again.

        With None, the text keeps neither tokens nor the tokenizers that made them.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.known_tokens
        0
        """
        with self._lock:
            self.tokenizer = tokenizer
            if tokenizer is None:
                for block in self._blocks:
                    block.tokens, block.tokens_without_id, block.tokenizer = NO_TOKENS, 0, None
        self._first_tokens = [0]
        if tokenizer is None:
            return
        if not tokenizer.chunker.is_like(self._chunker):
            self._chunker = tokenizer.chunker
            whole = self.read(0, len(self))
            self._set_blocks([Block(chunk) for chunk in self._chunker.chunks(whole, BLOCK)])

    def encode_near(self, start: int, stop: int) -> None:
        """Compute the tokens of the blocks with the bytes [start, stop), except blocks that may take long.

        Raise EngineError as `Tokenizer.encode` does.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode_near(0, 1)
        >>> text.known_tokens
        3
        """
        start, stop = self._limited(start, stop)
        for block, _begin in self._blocks_in(start, stop):
            if len(block.text) <= self._quick_bytes:
                self.encode(block)

    @property
    def _quick_bytes(self) -> int:
        """The largest block, in bytes, that the tokenizer encodes without a noticeable delay; 0 without a tokenizer."""
        if self.tokenizer is None or self.tokenizer.recipe == self._slow_recipe:
            return 0
        return _QUICK_BYTES if self._splitter else _QUICK_BYTES_WITH_STEPS

    def encode(self, block: Block) -> None:
        """Compute the tokens of a block, unless they are known. Raise EngineError as `Tokenizer.encode` does.

        This may be called in another thread, even for a block that is no longer in the text.

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
        try:
            tokens = tokenizer.token_arrays(block.text).packed(len(block.text))
        except TrainingError:
            self._slow_recipe = tokenizer.recipe
            raise
        without_id = int(np.count_nonzero(tokens.ids < 0))
        covered = int((tokens.stops - tokens.starts).sum())
        with self._lock:
            if self.tokenizer is tokenizer:
                block.tokens, block.tokens_without_id, block.tokenizer = tokens, without_id, tokenizer
                block.bytes_in_tokens = covered

    def unencoded_blocks(self) -> list[Block]:
        """Return the blocks whose tokens are unknown.

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

    def is_encoded_in(self, start: int, stop: int) -> bool:
        """Return whether all tokens of the bytes [start, stop) are known.

        >>> LiveText("low").is_encoded_in(0, 3)
        False
        """
        start, stop = self._limited(start, stop)
        return all(self._is_encoded(block) for block, _begin in self._blocks_in(start, stop))

    def _is_encoded(self, block: Block) -> bool:
        return self.tokenizer is not None and block.tokenizer is self.tokenizer

    # -- tokens -----------------------------------------------------------------------------------------------------

    @property
    def known_tokens(self) -> int:
        """The number of tokens before the first block whose tokens are unknown.

        >>> LiveText("low").known_tokens
        0
        """
        return self._known_first_tokens()[-1]

    @property
    def tokens_without_id(self) -> int:
        """The number of known tokens for symbols without an id; their id is negative.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("lol")
        >>> text.encode_with(Tokenizer({0: b"o"}, [], unknown_id=None).with_unknown_id(-1))
        >>> text.encode_near(0, 3)
        >>> text.tokens_without_id
        2
        """
        return sum(block.tokens_without_id for block in self._blocks if self._is_encoded(block))

    @property
    def bytes_in_tokens(self) -> int:
        """The number of bytes that known tokens cover; a splitter may drop the spaces between words.

        >>> from bpe_gui.engine import train
        >>> text = LiveText("low low")
        >>> text.encode_with(train("low low", recipe="cs336-toy"))
        >>> text.encode_near(0, 7)
        >>> text.bytes_in_tokens
        6
        """
        return sum(block.bytes_in_tokens for block in self._blocks if self._is_encoded(block))

    def count(self, token_id: int) -> int:
        """Return the number of known tokens with this id.

        >>> LiveText("low").count(108)
        0
        """
        encoded = filter(self._is_encoded, self._blocks)
        return sum(int(np.count_nonzero(block.tokens.ids == token_id)) for block in encoded)

    def bytes_of(self, token_ids: IntegerArray) -> int:
        """Return the number of bytes that the known tokens with these ids cover.

        >>> from bpe_gui.engine import train
        >>> text = LiveText("low lower")
        >>> text.encode_with(train("low low", num_merges=2))
        >>> text.encode_near(0, 9)
        >>> text.bytes_of(np.array([257, 32]))
        7
        """
        covered = 0
        for block in filter(self._is_encoded, self._blocks):
            is_wanted = np.isin(block.tokens.ids, token_ids)
            covered += int((block.tokens.stops - block.tokens.starts)[is_wanted].sum())
        return covered

    def count_pair(self, left: int, right: int) -> int:
        """Return how often a token with the id `right` follows one with the id `left` in the same word.

        All tokens must be known. A pair that crosses blocks is split into words like any other text.

        >>> LiveText("").count_pair(108, 111)
        0
        """
        ids, starts, _stops = self.tokens(0, self.known_tokens)
        seconds = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right)) + 1
        if not len(seconds):
            return 0
        word_starts = self.word_starts_in(0, len(self))
        return int(np.count_nonzero(~np.isin(starts[seconds], word_starts)))

    def _known_first_tokens(self) -> list[int]:
        """Return the index of the first token of each block, up to the first block whose tokens are unknown.

        The last item is the number of tokens before that block, or in the whole text if there is no such block.
        """
        firsts = self._first_tokens
        while len(firsts) <= len(self._blocks) and self._is_encoded(block := self._blocks[len(firsts) - 1]):
            firsts.append(firsts[-1] + len(block.tokens.ids))
        return firsts

    def tokens(self, first: int, last: int) -> TokenArrays:
        """Return those of the tokens [first, last) that are among the first `known_tokens`.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode_near(0, 3)
        >>> text.tokens(1, 3).ids.tolist()
        [1, 2]
        """
        firsts = self._known_first_tokens()
        first, last = max(0, min(first, firsts[-1])), max(0, min(last, firsts[-1]))
        index = max(0, bisect_right(firsts, first) - 1)
        found: list[TokenArrays] = []
        while index < len(firsts) - 1 and firsts[index] < last:
            tokens = self._blocks[index].tokens.slice(max(0, first - firsts[index]), last - firsts[index])
            found.append(tokens.shifted(self._starts[index]))
            index += 1
        return joined(found)

    def tokens_in(self, start: int, stop: int) -> tuple[int | None, TokenArrays]:
        """Return the known tokens that cover any of the bytes [start, stop), and the index of the first of them.

        Empty tokens that end there are included. The index is None if any earlier token is unknown. If the tokens of a
        block in the middle are unknown, those after it are left out.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.encode_near(0, 3)
        >>> first, tokens = text.tokens_in(1, 2)
        >>> first, tokens.ids.tolist()
        (1, [1])
        """
        start, stop = self._limited(start, stop)
        spans = self._token_spans_in(start, stop)
        found = [
            self._blocks[block].tokens.slice(first, last).shifted(self._starts[block]) for block, first, last in spans
        ]
        return self._first_of(spans), joined(found)

    def count_in(self, start: int, stop: int) -> tuple[int | None, int]:
        """Return the index of the first token that `tokens_in` returns, and how many it returns.

        >>> LiveText("low").count_in(1, 2)
        (None, 0)
        """
        start, stop = self._limited(start, stop)
        spans = self._token_spans_in(start, stop)
        return self._first_of(spans), sum(last - first for _block, first, last in spans)

    def _token_spans_in(self, start: int, stop: int) -> list[tuple[int, int, int]]:
        """Return the tokens of `tokens_in` by block: the block's index, and the first and last token in it."""
        spans: list[tuple[int, int, int]] = []
        for index, (block, begin) in enumerate(self._blocks_in(start, stop), self._index_of(start)):
            if self._is_encoded(block):
                spans.append((index, *_overlapping(block.tokens, start - begin, stop - begin)))
            elif spans:
                break
        return spans

    def _first_of(self, spans: list[tuple[int, int, int]]) -> int | None:
        """Return the index in the whole text of the first token of spans, or None if any earlier token is unknown."""
        firsts = self._known_first_tokens()
        block, first, _last = spans[0] if spans else (len(firsts), 0, 0)
        return firsts[block] + first if block < len(firsts) else None

    # -- words ------------------------------------------------------------------------------------------------------

    def word_starts_in(self, start: int, stop: int) -> Int64Array:
        """Return the offsets in [start, stop) at which words (pre-tokens) begin, except in blocks that may take long.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low lowest")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.word_starts_in(0, 10).tolist()
        [0, 3]
        """
        start, stop = self._limited(start, stop)
        found = [np.empty(0, np.int64)]
        if self.tokenizer is not None:
            for block, begin in self._blocks_in(start, stop):
                if len(block.text) <= self._quick_bytes:
                    chunk_start, chunk_stop = self._chunk_around(block.text, start - begin, stop - begin)
                    chunk = block.text[chunk_start:chunk_stop]
                    found.append(self.tokenizer.word_starts(chunk) + (begin + chunk_start))
        starts = np.concatenate(found)
        return starts[(starts >= start) & (starts < stop)]

    def _chunk_around(self, text: bytes, start: int, stop: int) -> tuple[int, int]:
        """Return the bounds of a chunk with the bytes [start, stop) that splits into the same words as in `text`."""
        chunk_start = self._chunker.last_boundary(text[: max(0, start)])
        searched_to = stop + _SEARCH_BYTES
        while searched_to < len(text):
            size = self._chunker.last_boundary(text[chunk_start:searched_to])
            if chunk_start + size >= stop:
                return chunk_start, chunk_start + size
            searched_to += searched_to - chunk_start
        return chunk_start, len(text)

    @property
    def splitter_parts(self) -> list[str] | None:
        """The sources of the parts of the expression that splits the text; None if it is not split by a single one.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), [], recipe="zh-en"))
        >>> len(text.splitter_parts)
        3
        """
        return None if self._splitter is None else parts_of(self._splitter)

    @property
    def _splitter(self) -> str | None:
        """The splitter that alone splits the text between special tokens; None if there is more to it."""
        if self.tokenizer is None or not self.tokenizer.as_pipeline.has_plain_tokens:
            return None
        return self.tokenizer.as_pipeline.splitter

    def words_in(self, start: int, stop: int) -> SplitWords:
        """Return the words with any of the bytes [start, stop), and the part of the expression that matched each.

        Words of blocks that may take long to split are left out, and all words if the text is not split by a single
        expression.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low lowest 12")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> [column.tolist() for column in text.words_in(5, 13)]
        [[3, 10], [10, 13], [1, 2]]
        """
        start, stop = self._limited(start, stop)
        found = [NO_WORDS]
        if self.tokenizer is not None and self._splitter:
            recipe = self.tokenizer.recipe.with_changes(splitter=self._splitter)
            specials = tuple(self.tokenizer.obeyed_special_tokens)
            for block, begin in self._blocks_in(start, stop):
                if len(block.text) <= self._quick_bytes:
                    first, last = self._chunk_around(block.text, start - begin, stop - begin)
                    found.append(words_by_part(recipe, block.text[first:last], specials).shifted(begin + first))
        return SplitWords.joined(found).between(start, stop)

    def word_at(self, offset: int) -> bytes:
        """Return the word (pre-token) at an offset, with the text that the splitter drops after it in the same block.

        Return `b""` without a tokenizer, and if finding it may take long. Raise EngineError as `encode` does.

        >>> from bpe_gui.engine import Tokenizer
        >>> text = LiveText("low lowest")
        >>> text.encode_with(Tokenizer(dict(enumerate([b"l", b"o", b"w"])), []))
        >>> text.word_at(5)
        b' lowest'
        """
        offset, stop = self._limited(offset, offset + 1)
        for block, begin in self._blocks_in(offset, stop):
            if self.tokenizer is not None and len(block.text) <= _QUICK_BYTES:
                starts = self.tokenizer.word_starts(block.text)
                index = int(np.searchsorted(starts, np.int64(offset - begin), "right"))
                start = int(starts[index - 1]) if index else 0
                return block.text[start : int(starts[index]) if index < len(starts) else None]
        return b""


def _count_characters(text: bytes) -> int:
    """Return the number of code points of UTF-8."""
    return len(text) if text.isascii() else int(np.count_nonzero(np.frombuffer(text, np.int8) >= _CONTINUATIONS_END))


def _overlapping(tokens: TokenArrays, start: int, stop: int) -> tuple[int, int]:
    """Return the indices [first, last) of the tokens that cover any of the bytes [start, stop) or end there."""
    first = int(np.searchsorted(tokens.stops, np.int64(start), "right")) if start > 0 else 0
    last = max(
        int(np.searchsorted(tokens.starts, np.int64(stop), "left")),
        int(np.searchsorted(tokens.stops, np.int64(stop), "right")),
    )
    return first, last
