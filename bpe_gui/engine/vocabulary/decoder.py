"""Ids to bytes: by kernels if decoding just joins the tokens, in plain Python if tokens have markers."""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from struct import Struct
from struct import error as StructError  # noqa: N812 (it is a class)
from typing import Any, Final

import numpy as np

from bpe_gui.engine.compilation.kernel import address_of, has_builtins
from bpe_gui.engine.compilation.library import is_compiled
from bpe_gui.engine.kernels.encoding.ids import NO_TOKEN, SIZE_BITS, decode_ids, decode_short_text, read_list
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array, UInt32Array
from bpe_gui.engine.text.recipe import Recipe

from .entries import Entries

_MAX_IDS_PER_ENTRY: Final = 8
"""The largest ratio of the table indexed by id to the vocabulary; if ids are sparser, there is no table."""

_CONVERTED_TOGETHER: Final = 50_000
"""How many ids are converted to 32 bits at a time: few enough to stay in the processor's cache."""

_LARGEST: Final = (1 << 32) - 1

_DECODED_TOGETHER: Final = 1 << 19
"""How many bytes are decoded at a time, unless a token is longer."""

_DECODED_SIZE: Final = 1 << 16
"""The most bytes of a short text."""

_REPLACE: Final = b"replace"


class Decoder:
    """The tokens of a vocabulary, joined in one buffer, with a table indexed by id."""

    def __init__(self, entries: Entries) -> None:
        self.entries: Final = entries
        ids, tokens = entries.ids, entries.tokens
        self._text = np.frombuffer(bytearray(b"".join(tokens) + bytes(PADDING)), np.uint8)
        self._longest = max(map(len, tokens), default=0)
        largest = int(ids[-1]) if len(tokens) else -1
        self._is_usable = largest < _MAX_IDS_PER_ENTRY * len(tokens) + 1024
        if self._is_usable:
            sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
            starts = np.cumsum(sizes) - sizes
            self._tokens = np.full(largest + 1, NO_TOKEN, np.int64)
            self._tokens[ids] = (starts << SIZE_BITS) | sizes
            self._steps = np.zeros(largest + 1, np.int64)
            self._steps[ids] = entries.steps
            self._last_step = int(self._steps.max(initial=0))

    def decode(self, ids: Int32Array | Sequence[int], position: int) -> bytes | None:
        """Return the bytes of the ids as of step `position`.

        Return None if an id has no token at that step, or if the vocabulary's ids are too sparse for a table. Raise
        TokenizerError for a list that becomes shorter meanwhile.
        """
        if not self._is_usable:
            return None
        out = np.empty(max(_DECODED_TOGETHER, self._longest) + PADDING, np.uint8)
        tokens = self._tokens_at(position)
        decoded = BytesIO()  # hands over its bytes without copying them
        try:
            for chunk in _arrays_of(ids):
                done = 0
                while done < len(chunk):
                    reached, size = decode_ids(chunk, done, tokens, self._text, out)
                    if reached == done:  # not for lack of space: any token would have fitted
                        return None
                    decoded.write(out[:size].data)
                    done = reached
        except (StructError, TypeError, OverflowError):  # not a 32-bit integer
            return None
        except (IndexError, SystemError) as error:
            raise _shortened_list_error() from error
        return decoded.getvalue()

    def for_short_texts(self, position: int) -> "ShortTextDecoder | None":
        """Return a decoder of short texts as of step `position`, or None if there can be none."""
        is_usable = self._is_usable and is_compiled() and has_builtins()
        return ShortTextDecoder(self._tokens_at(position), self._text) if is_usable else None

    def _tokens_at(self, position: int) -> Int64Array:
        """Return the packed tokens by id, as of step `position`."""
        if position >= self._last_step:
            return self._tokens
        return np.where(self._steps <= position, self._tokens, NO_TOKEN)


class ShortTextDecoder:
    """Decodes short lists of ids, with the tables of a `Decoder`."""

    def __init__(self, tokens: Int64Array, text: UInt8Array) -> None:
        state, out = np.zeros(1, np.int64), np.empty(_DECODED_SIZE + PADDING, np.uint8)
        errors = address_of(_REPLACE)
        self._to_bytes = decode_short_text.bound(False, errors, state, tokens, text, out)
        self._to_string = decode_short_text.bound(True, errors, state, tokens, text, out)

    def decode(self, ids: list[int], *, to_string: bool) -> Any:
        """Return the text of ids as bytes, or as a string in which U+FFFD replaces what is not UTF-8.

        Return None if one has no token or is not an integer, or if the text is too long. Raise TokenizerError for a
        list that becomes shorter meanwhile.
        """
        try:
            return self._to_string(ids) if to_string else self._to_bytes(ids)
        except (TypeError, OverflowError):
            return None
        except (IndexError, SystemError) as error:
            raise _shortened_list_error() from error


def _shortened_list_error() -> TokenizerError:
    """Return the error for a list that became shorter while it was read."""
    return TokenizerError("The list of ids became shorter while it was decoded. Decode a copy of it.")


def _arrays_of(ids: Int32Array | Sequence[int]) -> Iterator[UInt32Array]:
    """Yield ids as unsigned arrays, in which negative ids are the largest. Raise as `_array_of` does."""
    size = len(ids)
    for first in range(0, size, _CONVERTED_TOGETHER):
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu" and ids.ndim == 1:
            chunk = np.asarray(ids[first : first + _CONVERTED_TOGETHER])  # perhaps of a file that is mapped into memory
            if chunk.itemsize > 4 and (chunk.min() < 0 or chunk.max() > _LARGEST):
                raise OverflowError
            yield chunk.astype(np.uint32)
            continue
        yield _array_of(ids, first, min(_CONVERTED_TOGETHER, size - first))


def _array_of(ids: Int32Array | Sequence[int], first: int, count: int) -> UInt32Array:
    """Return `count` ids from index `first`.

    Raise TypeError, OverflowError or struct.error for an id that is not an integer, is negative or exceeds 32 bits.
    """
    if isinstance(ids, list) and is_compiled():
        numbers = np.empty(count, np.uint32)
        if read_list(id(ids), first, numbers) < count:
            raise OverflowError
        return numbers
    # `struct` is faster than `array` and numpy, and fastest with unsigned numbers.
    return np.frombuffer(bytearray(Struct(f"{count}I").pack(*ids[first : first + count])), np.uint32)


def text_pieces(tokens: Iterable[bytes], recipe: Recipe) -> Iterator[bytes]:
    """Yield the text, in UTF-8, of tokens that a recipe made; end-of-word markers become spaces.

    A space is held back until more text follows, so that none comes last.

    >>> list(text_pieces([b"low</w>", b"est</w>"], Recipe.of("char-eow")))
    [b'low', b' est']
    """
    match recipe.boundary:
        case "none":
            return iter(tokens)
        case "prefix":
            return (
                b" " + token.removeprefix(END_OF_WORD) if token.startswith(END_OF_WORD) else token for token in tokens
            )
    if not recipe.drops_spaces:
        return (token.removesuffix(END_OF_WORD) for token in tokens)
    return _without_last_space(
        token.removesuffix(END_OF_WORD) + b" " if token.endswith(END_OF_WORD) else token for token in tokens
    )


def _without_last_space(pieces: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for piece in pieces:
        text = held + piece
        held = text[-1:] if text.endswith(b" ") else b""
        yield text.removesuffix(b" ")
