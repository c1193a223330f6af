"""Convert text between `str` and UTF-8, with errors that give the offset of the first invalid character or byte."""

from codecs import getincrementaldecoder, utf_8_decode
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.errors import EngineError, TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.types import Int64Array

_CHUNK: Final = 1 << 16  # characters
_CONTINUATIONS: Final = bytes(range(0x80, 0xC0))
_MAX_CONTINUATIONS: Final = 3  # of a character


def iter_chunks(text: str, start: int = 0, stop: int | None = None) -> Iterator[str]:
    """Yield `text[start:stop]` in chunks, small enough to report progress and let other threads run in between."""
    stop = len(text) if stop is None else stop
    for begin in range(start, stop, _CHUNK):
        yield text[begin : min(begin + _CHUNK, stop)]


def lines_of(chunks: Iterable[str]) -> Iterator[str]:
    r"""Yield the lines of the text that the chunks form together, without the `\n` or `\r\n` at their ends.

    >>> list(lines_of(["a", "b\r\n\nc"]))
    ['ab', '', 'c']
    """
    pending: list[str] = []
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for end in ended:
            pending.append(end)
            yield "".join(pending).removesuffix("\r")
            pending = []
        if rest:
            pending.append(rest)
    if pending:
        yield "".join(pending)


def encode_chunks(
    chunks: Iterable[str], offset: int = 0, error: type[EngineError] = EngineError
) -> Iterator[tuple[str, bytes]]:
    """Yield each chunk together with its UTF-8.

    Raise `error` with the index of the first lone surrogate; the first chunk begins at index `offset`.
    """
    for chunk in chunks:
        try:
            yield chunk, str.encode(chunk)
        except (UnicodeEncodeError, TypeError):
            check_surrogates(chunk, offset, error)
        offset += len(chunk)


def characters_in(data: bytes) -> str | None:
    """Return the whole characters in a part of UTF-8, which may split characters at its ends; None for other bytes.

    >>> characters_in(b"\\xa9l\\xc3"), characters_in(b"l\\xa9")
    ('l', None)
    """
    inner = data.lstrip(_CONTINUATIONS)
    try:
        return utf_8_decode(inner)[0] if len(data) - len(inner) <= _MAX_CONTINUATIONS else None
    except UnicodeDecodeError:
        return None


def check_surrogates(text: str, offset: int = 0, error: type[EngineError] = EngineError) -> None:
    """Raise `error` with the index of the first lone surrogate; `text` itself begins at index `offset`.

    Raise it also if `text` is not a string.
    """
    check_type("text", text, str)
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        raise error(
            _(
                "",
                "The text contains a lone surrogate (U+{code:04X}) at index {index:,}, which is not a valid character. "
                "Remove it.",
            ),
            code=ord(text[reason.start]),
            index=offset + reason.start,
        ) from reason


def decode_utf8(data: bytes) -> str:
    """Decode `data`. Raise TokenizerError with the offset of the first byte that is not valid UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as reason:
        raise invalid_utf8_error(data, reason.start) from reason


def decode_utf8_pieces(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield text that arrives as bytes, in whole characters. Invalid UTF-8 becomes U+FFFD, as if decoded at once.

    >>> list(decode_utf8_pieces([b"a\\xc3", b"\\xa9"]))
    ['a', 'é', '']
    """
    decoder = getincrementaldecoder("utf-8")("replace")
    for piece in pieces:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def is_utf8(data: bytes) -> bool:
    """Return whether `data` is valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def invalid_utf8_error(data: bytes, offset: int) -> TokenizerError:
    """Return the error for the byte at `offset`, which is not part of a character."""
    return TokenizerError(
        "The bytes are not valid UTF-8: 0x{byte:02X} at offset {place:,} is not part of a character. Decode them with "
        "their own encoding and pass the string.",
        byte=data[offset],
        place=offset,
    )


def check_word_starts(words: bytes, starts: Int64Array) -> None:
    """Raise TokenizerError unless words are UTF-8 and `starts` increases, on character boundaries, up to their end."""
    decode_utf8(words)
    if not len(starts) or int(starts[0]) < 0 or int(starts[-1]) > len(words) or np.any(starts[1:] < starts[:-1]):
        raise TokenizerError(
            "The starts of words must begin at 0 or more, increase, and end with the end of the last word, which is at "
            "most {size:,}.",
            size=len(words),
        )
    inside = np.frombuffer(words, np.uint8)[starts[starts < len(words)]] & 0xC0 == 0x80
    if inside.any():
        raise TokenizerError(
            "A word starts at byte {start:,}, which is inside a character.", start=int(starts[int(np.argmax(inside))])
        )
