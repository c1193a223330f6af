"""Corpora: texts and files, counted to unique words by streaming, so that a file is never held whole."""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from .errors import CorpusError, UndecodableFileError
from .errors import translatable as _
from .progress import Progress
from .recipe import Recipe
from .special_tokens import SpecialTokens
from .streams import check_surrogates, chunks_of, words_and_specials
from .word_counts import WordCounts

_CHUNK: Final = 1 << 16  # bytes read at a time
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class TextDocument:
    """A text in memory.

    >>> TextDocument("你好").size()
    6
    """

    text: str

    def size(self) -> int:
        """How large it is, in bytes of UTF-8."""
        return len(self.text.encode(errors="surrogatepass"))

    def chunks(self) -> Iterator[str]:
        """The text in pieces, in order."""
        return chunks_of(self.text)


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A file, read anew each time: `encoding` None is UTF-8 with or without a byte-order mark.

    With `replace_invalid`, bytes that are not valid become U+FFFD instead of an error.
    """

    path: Path
    encoding: str | None = None
    replace_invalid: bool = False

    def size(self) -> int:
        """How large it is now, in bytes. Raises CorpusError if it cannot be read."""
        try:
            return self.path.stat().st_size
        except (OSError, ValueError) as error:  # a path with a zero character is a ValueError
            raise _unreadable(self.path, error) from error

    def chunks(self) -> Iterator[str]:
        """The text in pieces, in order. Raises CorpusError, or UndecodableFileError with the byte offset."""
        try:
            with self.path.open("rb") as file:
                before = os.fstat(file.fileno())
                # A file that grows faster than we read would have no end; a pipe has no size.
                left = before.st_size if stat.S_ISREG(before.st_mode) else None
                yield from self._decoded(_blocks(file, left))
                if left is not None:
                    self._check_size(before.st_size, file.tell(), os.fstat(file.fileno()).st_size)
        except OSError as error:
            raise _unreadable(self.path, error) from error

    def _decoded(self, blocks: Iterable[bytes]) -> Iterator[str]:
        decoder = self._decoder()
        offset = 0
        for block in blocks:
            if offset == 0:
                self._check_text(block)
            yield self._decode(decoder, block, offset)
            offset += len(block)
        yield self._decode(decoder, b"", offset, final=True)

    def _decoder(self) -> codecs.IncrementalDecoder:
        errors = "replace" if self.replace_invalid else "strict"
        name = self.encoding or "utf-8"
        try:
            "a".encode(name)  # refuses what is a codec but no encoding of text, such as zlib
            if codecs.lookup(name).name == "utf-8":
                name = "utf-8-sig"
            return codecs.getincrementaldecoder(name)(errors)
        except (LookupError, ValueError) as error:
            raise CorpusError(
                _("EngineError", "There is no encoding named {encoding!r}; utf-8, gb18030 and cp1252 are examples."),
                encoding=self.encoding,
            ) from error

    def _decode(self, decoder: codecs.IncrementalDecoder, block: bytes, offset: int, *, final: bool = False) -> str:
        try:
            return decoder.decode(block, final)
        except UnicodeDecodeError as error:
            raise UndecodableFileError(
                _(
                    "EngineError",
                    "{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be read. "
                    "Choose another encoding, or have invalid bytes replaced.",
                ),
                path=self.path,
                encoding=self.encoding or "UTF-8",
                # The bytes the decoder looked at end where the block ends, but may begin before it.
                offset=offset + len(block) - len(error.object) + error.start,
                byte=error.object[error.start],
            ) from error
        except UnicodeError as error:  # UTF-16 or UTF-32 without the mark that says which
            raise UndecodableFileError(
                _("EngineError", "{path} cannot be read as {encoding}: {reason}. Choose another encoding."),
                path=self.path,
                encoding=self.encoding or "UTF-8",
                reason=error,
            ) from error

    def _check_text(self, block: bytes) -> None:
        if self.encoding or self.replace_invalid:
            return
        for mark, encoding in _BYTE_ORDER_MARKS:
            if block.startswith(mark):
                raise UndecodableFileError(
                    _("EngineError", "{path} begins like {encoding} text; choose that encoding to read it."),
                    path=self.path,
                    encoding=encoding.upper(),
                )
        if b"\0" in block:
            raise UndecodableFileError(
                _(
                    "EngineError",
                    "{path} looks like a binary file: there is a zero byte at offset {offset:,}. "
                    "If it is text, choose its encoding.",
                ),
                path=self.path,
                offset=block.index(b"\0"),
            )

    def _check_size(self, before: int, read: int, after: int) -> None:
        if not before == read == after:
            raise CorpusError(
                _(
                    "EngineError",
                    "{path} changed while it was read: it had {before:,} bytes and then {after:,}. Read it again.",
                ),
                path=self.path,
                before=before,
                after=after,
            )


def _blocks(file: BinaryIO, size: int | None) -> Iterator[bytes]:
    """The file in blocks, up to that many bytes."""
    left = size
    while block := file.read(_CHUNK if left is None else min(_CHUNK, left)):
        yield block
        if left is not None:
            left -= len(block)


Document = TextDocument | FileDocument


def _unreadable(path: Path, error: OSError | ValueError) -> CorpusError:
    reason = getattr(error, "strerror", None) or error
    return CorpusError(_("EngineError", "{path} cannot be read: {reason}."), path=path, reason=reason)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in order. Nothing merges across two documents.

    >>> Corpus.from_text("low low lower").count("cs336-toy")
    WordCounts({'low': 2, 'lower': 1})
    """

    documents: tuple[Document, ...]

    @classmethod
    def from_text(cls, text: str) -> "Corpus":
        r"""One text as the whole corpus. Raises CorpusError with the index of a lone surrogate.

        >>> Corpus.from_text("low\ud800")
        Traceback (most recent call last):
        bpe_gui.engine.errors.CorpusError: The text holds a lone surrogate (U+D800) at index 3. ...
        """
        check_surrogates(text, error=CorpusError)
        return cls((TextDocument(text),))

    @classmethod
    def from_files(
        cls, paths: Iterable[Path | str], *, encoding: str | None = None, replace_invalid: bool = False
    ) -> "Corpus":
        """Files in order, read when they are counted. Raises CorpusError for one that is not there."""
        corpus = cls(tuple(FileDocument(Path(path), encoding, replace_invalid) for path in paths))
        corpus.size()
        return corpus

    @classmethod
    def from_source(cls, source: "str | Path | Iterable[str | Path]") -> "Corpus":
        """A str is text, a Path a file, an iterable of either many documents.

        >>> len(Corpus.from_source(["low lower", "lowest"]).documents)
        2
        """
        parts = [source] if isinstance(source, str | Path) else source
        documents: list[Document] = []
        for part in parts:
            documents += (cls.from_text(part) if isinstance(part, str) else cls.from_files([part])).documents
        return cls(tuple(documents))

    def size(self) -> int:
        """How large all documents are, in bytes. Raises CorpusError for a file that cannot be read."""
        return sum(document.size() for document in self.documents)

    def count(
        self, recipe: Recipe | str, special_tokens: Iterable[str] = (), progress: Progress | None = None
    ) -> WordCounts:
        """Count the unique words, in the order in which they are first seen.

        `progress` gets bytes read and bytes in all. Raises CorpusError for what cannot be read or holds no words.

        >>> Corpus.from_text("low<e>low").count("cs336", ["<e>"])
        WordCounts({'low': 2})
        """
        recipe = Recipe.of(recipe)
        specials = SpecialTokens(special_tokens)
        tally = _Tally(self.size(), progress)
        for document in self.documents:
            for part in words_and_specials(tally.watch(document.chunks()), recipe, specials):
                if isinstance(part, list):
                    tally.add(word.text for word in part)
        if not tally.counts:
            raise CorpusError(
                _("EngineError", "The corpus is empty: there are no words to train on. Write or open some text.")
            )
        return WordCounts(
            tally.counts, recipe.splitter, recipe.boundary == "prefix", specials.tokens, tally.characters, tally.bytes
        )


class _Tally:
    """What has been counted so far."""

    def __init__(self, size: int, progress: Progress | None) -> None:
        self.counts: dict[str, int] = {}
        self.characters = 0
        self.bytes = 0
        self._size = size
        self._progress = progress

    def watch(self, chunks: Iterable[str]) -> Iterator[str]:
        for chunk in chunks:
            yield chunk
            self.characters += len(chunk)
            self.bytes += len(chunk.encode())
            if self._progress:
                self._progress(min(self.bytes, self._size), self._size)

    def add(self, words: Iterable[str]) -> None:
        counts = self.counts
        for word in words:
            counts[word] = counts.get(word, 0) + 1
