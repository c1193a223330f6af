"""Count the words of documents with regular expressions: for any splitter, and where kernels are not compiled."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.stream_splitter import Word
from bpe_gui.engine.text.text_stream import split_stream

from .documents import Document
from .files.text_file import ReadingState
from .short_documents import TextList


@dataclass(slots=True)
class PatternCounts:
    """The unique words of documents with their counts and first positions, and the size of the documents."""

    counts: dict[str, int] = field(default_factory=dict)
    first_seen: list[int] = field(default_factory=list)
    """By word, in the order of `counts`: the position in the corpus, in bytes of UTF-8, at which it was first seen."""
    characters: int = 0
    bytes: int = 0
    read: int = 0
    """The bytes of the texts that were read, whatever the documents weigh."""
    skipped: int = 0


def count_by_patterns(
    documents: Sequence[Document | TextList],
    recipe: Recipe,
    specials: SpecialTokens,
    progress: Progress | None,
    factors: Sequence[int] = (),
    after_batch: Callable[[PatternCounts], None] = lambda _counts: None,
) -> PatternCounts:
    """Count the words of all documents. Raise EngineError.

    `factors` says for each document how often its words and its text count; without them, once. `after_batch` may take
    words out of the counts.
    """
    size = sum(document.size() for document in documents)
    result = PatternCounts()
    state = ReadingState()
    done = 0  # bytes of the documents before

    def read(chunks: Iterable[str], factor: int, offsets: _ByteOffsets) -> Iterator[str]:
        for chunk in chunks:
            offsets.append(chunk)
            yield chunk
            read_now = len(chunk.encode())
            result.characters += factor * len(chunk)
            result.bytes += factor * read_now
            result.read += read_now
            if progress:
                progress(min(done + state.done, size), size)

    for document, factor in zip(documents, factors or [1] * len(documents), strict=True):
        for text in document.texts(state):
            offsets = _ByteOffsets(result.read)
            for words in split_stream(read(text, factor, offsets), recipe, specials):
                if isinstance(words, list):
                    _add(result, words, factor, offsets)
                    after_batch(result)
        done, result.skipped, state = done + state.done, result.skipped + state.skipped, ReadingState()
    return result


def _add(result: PatternCounts, words: list[Word], factor: int, offsets: "_ByteOffsets") -> None:
    """Add words to the counts, each `factor` times."""
    counts, first_seen = result.counts, result.first_seen
    for word in words:
        count = counts.get(word.text, 0)
        counts[word.text] = count + factor
        if not count:
            first_seen.append(offsets.of(word.stop - len(word.text)))  # of the space before it, if it has one
    if words:
        offsets.of(words[-1].start)  # forgets the text before it


class _ByteOffsets:
    """Turn offsets in characters of a text, which rise, into positions in bytes of UTF-8."""

    def __init__(self, start: int) -> None:
        """`start` is the position of the beginning of the text."""
        self._position = start
        self._offset = 0
        self._chunks: deque[str] = deque()
        self._used = 0  # characters of the first chunk

    def append(self, chunk: str) -> None:
        """Add text that follows."""
        self._chunks.append(chunk)

    def of(self, offset: int) -> int:
        """Return the position of the character at `offset`."""
        while self._offset < offset:
            chunk = self._chunks[0]
            stop = min(len(chunk), self._used + offset - self._offset)
            self._position += len(chunk[self._used : stop].encode())
            self._offset += stop - self._used
            self._used = stop
            if stop == len(chunk):
                self._chunks.popleft()
                self._used = 0
        return self._position
