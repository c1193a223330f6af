"""Text that arrives in chunks, as words and special tokens: what counting and encoding share."""

from collections.abc import Iterable, Iterator
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError, TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.splitters import StreamSplitter, Word

_CHUNK: Final = 1 << 16  # characters


def words_and_specials(
    chunks: Iterable[str], recipe: Recipe, specials: SpecialTokens, error: type[EngineError] = EngineError
) -> Iterator[list[Word] | str]:
    """The words of one text in batches, with the special tokens between them as plain strings.

    Raises `error` for a lone surrogate.
    """
    splitter = StreamSplitter(recipe.splitter, space_before=recipe.boundary == "prefix")
    for part, is_special in specials.cut_stream(_checked(chunks, error)):
        if is_special:
            yield splitter.finish(skipped=len(part))
            yield part
        else:
            yield splitter.feed(part)
    yield splitter.finish()


def chunks_of(text: str, begin: int = 0, end: int | None = None) -> Iterator[str]:
    """A text, or a part of it, in pieces of a size at which progress and other threads get their turn."""
    end = len(text) if end is None else end
    for start in range(begin, end, _CHUNK):
        yield text[start : min(start + _CHUNK, end)]


def with_bytes(
    chunks: Iterable[str], before: int = 0, error: type[EngineError] = EngineError
) -> Iterator[tuple[str, bytes]]:
    """The chunks, each also as UTF-8. Raises `error` with the index of a lone surrogate; they begin at `before`."""
    for chunk in chunks:
        try:
            yield chunk, chunk.encode()
        except UnicodeEncodeError:
            check_surrogates(chunk, before, error)
        before += len(chunk)


def _checked(chunks: Iterable[str], error: type[EngineError]) -> Iterator[str]:
    before = 0
    for chunk in chunks:
        check_surrogates(chunk, before, error)
        yield chunk
        before += len(chunk)


def check_surrogates(text: str, before: int = 0, error: type[EngineError] = EngineError) -> None:
    """Raise `error` with the index of the first lone surrogate; `before` is where `text` begins in the whole."""
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        raise error(
            _(
                "EngineError",
                "The text holds a lone surrogate (U+{code:04X}) at index {index:,}. "
                "Half a surrogate pair is no character and has no UTF-8; remove it.",
            ),
            code=ord(text[reason.start]),
            index=before + reason.start,
        ) from reason


def decoded(text: bytes) -> str:
    """A text in UTF-8 as a string. Raises TokenizerError where it is none."""
    try:
        return text.decode()
    except UnicodeDecodeError as reason:
        raise not_utf8(text, reason.start) from reason


def is_utf8(text: bytes) -> bool:
    """Whether this is a text in UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def not_utf8(text: bytes, place: int) -> TokenizerError:
    """The error for a byte that belongs to no character."""
    return TokenizerError(
        _(
            "EngineError",
            "The bytes are no text in UTF-8: 0x{byte:02X} at byte {place:,} belongs to no character. "
            "Decode them by their own encoding, and give the string.",
        ),
        byte=text[place],
        place=place,
    )
