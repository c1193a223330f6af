"""Split text that arrives in chunks into special tokens and words, for counting and encoding alike."""

from collections.abc import Iterable, Iterator
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError

from .recipe import Recipe
from .special_tokens import SpecialTokens
from .stream_splitter import StreamSplitter, Word
from .time_limit import TimeLimit
from .utf8 import check_surrogates

_CHUNK: Final = 1 << 16  # characters


def iter_chunks(text: str, start: int = 0, stop: int | None = None) -> Iterator[str]:
    """Yield `text[start:stop]` in chunks, small enough to report progress and let other threads run in between."""
    stop = len(text) if stop is None else stop
    for begin in range(start, stop, _CHUNK):
        yield text[begin : min(begin + _CHUNK, stop)]


def split_stream(
    chunks: Iterable[str],
    recipe: Recipe,
    specials: SpecialTokens,
    error: type[EngineError] = EngineError,
    limit: TimeLimit | None = None,
) -> Iterator[list[Word] | str]:
    """Yield the words of one text in batches, and the special tokens between them as strings.

    `limit` may set another limit to the time that an expression takes than the usual one. Raise `error` for a lone
    surrogate.
    """
    splitter = StreamSplitter(recipe.splitter, space_before=recipe.boundary == "prefix", limit=limit)
    for part, is_special in specials.split_stream(_checked(chunks, error)):
        if is_special:
            yield splitter.finish(skipped=len(part))
            yield part
        else:
            yield splitter.feed(part)
    yield splitter.finish()


def _checked(chunks: Iterable[str], error: type[EngineError]) -> Iterator[str]:
    offset = 0
    for chunk in chunks:
        check_surrogates(chunk, offset, error)
        yield chunk
        offset += len(chunk)
