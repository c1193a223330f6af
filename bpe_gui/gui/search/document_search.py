"""Find in many documents: how often the text occurs in each, and the pages of large files in which it does.

Runs in a thread. Matches are counted, not kept: an editor that shows a document or a page finds them again in a moment.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from bpe_gui.engine import Document, EngineError, Progress, TextDocument

from .text_search import PatternFinder, TextPattern, TextSearch
from .token_filter import quick_pattern

PAGE_BYTES: Final = 64_000
"""Bytes to show at once of a document that cannot be edited."""

_MAX_PAGES: Final = 200  # that are kept, so that the commonest word in the largest files costs 13 MB and a moment
_logger: Final = logging.getLogger(__name__)


class Part(NamedTuple):
    """A document with matches, or one page of it: the `text` that begins `start` bytes into it."""

    document: int
    start: int
    matches: int
    text: str = ""


class Found(NamedTuple):
    """All parts with matches, in order. Unless `is_all`, further pages of large files have some, too."""

    parts: list[Part]
    is_all: bool


def find_in_documents(
    documents: Sequence[Document], wanted: str, is_shown_whole: Callable[[str], bool], progress: Progress
) -> Found:
    """Search documents; files on disk, and texts that are not shown whole, in pages. `progress` may cancel."""
    pattern, fold = quick_pattern(wanted)
    parts: list[Part] = []
    pages_left = _MAX_PAGES
    is_all = True
    for index, content in enumerate(documents):
        progress(index, len(documents))
        if isinstance(content, TextDocument):
            count = _count(fold(content.text.encode(errors="surrogatepass")), pattern)
            if not count or is_shown_whole(content.text):
                parts += [Part(index, 0, count)] * bool(count)
                continue
        start = 0
        try:
            for page in pages(content):
                progress(index, len(documents))
                if not pages_left:
                    is_all = False
                    break
                if count := _count(fold(page), pattern):
                    parts.append(Part(index, start, count, page.decode()))
                    pages_left -= 1
                start += len(page)
        except EngineError as error:  # the panel says so when it shows the document
            _logger.debug("document %d was not searched: %s", index, type(error).__name__)
    return Found(parts, is_all)


def _count(text: bytes, wanted: TextPattern) -> int:
    search = TextSearch(PatternFinder([text], wanted))
    while not search.advance():
        pass
    return search.total


def pages(document: Document) -> Iterator[bytes]:
    """Yield a document in pages of at most `PAGE_BYTES`, which end with a line if they can. Raise EngineError."""
    rest = b""
    for chunk in document.chunks():
        rest += chunk.encode(errors="replace")
        begin = 0
        while len(rest) - begin > PAGE_BYTES:
            stop = rest.rfind(b"\n", begin, begin + PAGE_BYTES) + 1
            if not stop:
                whole_characters = rest[begin : begin + PAGE_BYTES].decode(errors="ignore").encode()
                stop = begin + len(whole_characters)
            yield rest[begin:stop]
            begin = stop
        rest = rest[begin:]
    if rest:
        yield rest
