"""Corpora: texts and files whose unique words are counted. Files are streamed, never held whole."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any, Final

from bpe_gui.engine.compilation.compiled import WORTH_LOADING, is_compiled, load_for
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.arguments import are_several, check_several, check_type, type_name
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.scanners import SCANNERS
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.text_stream import split_stream
from bpe_gui.engine.text.utf8 import check_surrogates

from .counting import count_words
from .documents import Document, FileDocument, TextDocument
from .memory_check import check_memory, with_memory_checks
from .word_counts import WordCounts

_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in order. Nothing merges across two documents.

    >>> Corpus.from_text("low low lower").count("cs336-toy")
    WordCounts({'low': 2, 'lower': 1})
    """

    documents: tuple[Document, ...]

    @classmethod
    def from_text(cls, text: str) -> "Corpus":
        r"""Return a corpus of one text. Raise CorpusError with the index of a lone surrogate.

        >>> Corpus.from_text("low\ud800")
        Traceback (most recent call last):
        bpe_gui.engine.runtime.errors.CorpusError: The text contains a lone surrogate (U+D800) at index 3, ...
        """
        check_surrogates(text, error=CorpusError)
        return cls((TextDocument(text),))

    @classmethod
    def from_files(
        cls, paths: Iterable[Path | str], *, encoding: str | None = None, replace_invalid: bool = False
    ) -> "Corpus":
        """Return a corpus of files, which are read when they are counted. Raise CorpusError for a missing file.

        `encoding` None is UTF-8. With `replace_invalid`, invalid bytes are read as U+FFFD instead of refused.
        """
        check_several("paths", paths, CorpusError)
        check_type("encoding", encoding, (str, NoneType), CorpusError)
        corpus = cls(tuple(FileDocument(_path_of(path), encoding, replace_invalid) for path in paths))
        corpus.size()
        return corpus

    @classmethod
    def from_source(cls, source: "str | Path | Iterable[str | Path]") -> "Corpus":
        """Return a corpus of text (str), a file (Path) or an iterable of either. Raise CorpusError.

        >>> len(Corpus.from_source(["low lower", "lowest"]).documents)
        2
        """
        if isinstance(source, str | Path):
            source = [source]
        elif not are_several(source):
            raise CorpusError(
                _("EngineError", "The source must be text (str), a file (Path) or a list of these, not {given}."),
                given=type_name(source),
            )
        documents: list[Document] = []
        for each in source:
            documents += (cls.from_text(each) if isinstance(each, str) else cls.from_files([each])).documents
        return cls(tuple(documents))

    def size(self) -> int:
        """Return the size of all documents in bytes. Raise CorpusError for a file that cannot be read."""
        return sum(document.size() for document in self.documents)

    def count(
        self,
        recipe: Recipe | str,
        special_tokens: Iterable[str] = (),
        progress: Progress | None = None,
        *,
        may_be_empty: bool = False,
    ) -> WordCounts:
        """Return the unique words in the order in which they are first seen, with their counts.

        `progress` is called with the bytes read so far and in total. Raise CorpusError if a document cannot be read,
        there are no words, unless the corpus `may_be_empty`, or there is not enough memory.

        >>> Corpus.from_text("low<e>low").count("cs336", ["<e>"])
        WordCounts({'low': 2})
        """
        recipe = Recipe.of(recipe)
        specials = SpecialTokens(special_tokens)
        size = self.size()
        check_memory(size, recipe)
        # How much comes through a pipe is unknown, so compiled code is loaded if it exists.
        load_for(max(size, WORTH_LOADING) if any(map(_is_pipe, self.documents)) else size)
        count = _count_by_kernels if is_compiled() and recipe.splitter in SCANNERS else _count_by_patterns
        _logger.info("Counting %d documents of %d bytes: %s", len(self.documents), size, count.__name__)
        try:
            counts = count(self, recipe, specials, size, with_memory_checks(progress))
        except MemoryError as error:
            raise CorpusError(
                _("EngineError", "There is not enough memory to count the words of this corpus. Train on part of it.")
            ) from error
        if not len(counts) and not may_be_empty:
            raise CorpusError(
                _("EngineError", "The corpus is empty, so there are no words to train on. Add some text.")
            )
        _logger.info("Counted %d words, %d of them unique", counts.total, len(counts))
        return counts


def _path_of(path: Path | str) -> Path:
    check_type("path", path, (str, PathLike), CorpusError)
    return Path(path)


def _is_pipe(document: Document) -> bool:
    return isinstance(document, FileDocument) and not document.is_regular_file


def _count_by_kernels(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, _size: int, progress: Progress | None
) -> WordCounts:
    tally = count_words(corpus.documents, recipe.splitter, specials, progress)
    arrays, characters, size = tally.arrays(), tally.characters, tally.bytes
    del tally
    memory.release_freed()
    return WordCounts.from_arrays(*arrays, **_counted_with(recipe, specials), characters=characters, bytes=size)


def _count_by_patterns(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, size: int, progress: Progress | None
) -> WordCounts:
    """Count with regular expressions: for any splitter, and faster than kernels that are not compiled."""
    counts: dict[str, int] = {}
    characters = bytes_read = 0

    def read(document: Document) -> Iterator[str]:
        nonlocal characters, bytes_read
        for chunk in document.chunks():
            yield chunk
            characters += len(chunk)
            bytes_read += len(chunk.encode())
            if progress:
                progress(min(bytes_read, size), size)

    for document in corpus.documents:
        for part in split_stream(read(document), recipe, specials):
            if isinstance(part, list):
                for word in part:
                    counts[word.text] = counts.get(word.text, 0) + 1
    return WordCounts(counts, **_counted_with(recipe, specials), characters=characters, bytes=bytes_read)


def _counted_with(recipe: Recipe, specials: SpecialTokens) -> dict[str, Any]:
    """Return the arguments by which `WordCounts` remembers how it was counted."""
    return {
        "splitter": recipe.splitter,
        "spaces_kept": recipe.boundary == "prefix",
        "special_tokens": specials.tokens,
    }
