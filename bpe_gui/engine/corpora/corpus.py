"""Corpora: texts and files whose unique words are counted. Files are streamed, never held whole."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any, Final

import numpy as np

from bpe_gui.engine.compilation.compiled import WORTH_LOADING, is_compiled, load_for
from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.arguments import are_several, check_several, check_type, type_name
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array
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
from .weights import Scale, Weight, weights_of
from .word_counts import MAX_BYTES, WordCounts, too_large_error

_LARGEST_PIPE: Final = 2**40
"""More bytes than come through a pipe."""

_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in order. Nothing merges across two documents.

    >>> Corpus.from_text("low low lower").count("cs336-toy")
    WordCounts({'low': 2, 'lower': 1})
    """

    documents: tuple[Document, ...]
    weights: tuple[Fraction, ...] = ()
    """By document: how often it counts. None at all if each counts once."""

    def __post_init__(self) -> None:
        """Take weights as numbers or as text; 0.1 is one tenth. Raise CorpusError."""
        if self.weights:
            object.__setattr__(self, "weights", weights_of(self.weights, self.documents))

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
        cls,
        paths: Iterable[Path | str],
        *,
        weights: Iterable[Weight] | None = None,
        encoding: str | None = None,
        replace_invalid: bool = False,
    ) -> "Corpus":
        """Return a corpus of files, which are read when they are counted. Raise CorpusError for a missing file.

        `weights` are as in `from_source`. `encoding` None is UTF-8. With `replace_invalid`, invalid bytes are read as
        U+FFFD instead of refused.
        """
        check_several("paths", paths, CorpusError)
        check_type("encoding", encoding, (str, NoneType), CorpusError)
        documents = tuple(FileDocument(_path_of(path), encoding, replace_invalid) for path in paths)
        corpus = cls(documents, () if weights is None else weights_of(weights, documents))
        corpus.size()
        return corpus

    @classmethod
    def from_source(
        cls, source: "str | Path | Iterable[str | Path]", *, weights: Iterable[Weight] | None = None
    ) -> "Corpus":
        """Return a corpus of text (str), a file (Path) or an iterable of either. Raise CorpusError.

        `weights` say for each document how often it counts, from 0.001 to 1,000, exactly as the number is written.

        >>> Corpus.from_source(["low lower", "lowest"], weights=[0.5, 3]).count("cs336-toy")
        WordCounts({'low': 1, 'lower': 1, 'lowest': 3})
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
        return cls(tuple(documents), () if weights is None else weights_of(weights, documents))

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

        In a corpus with weights, the count of a word is the sum over the documents of weight times count, rounded half
        up; a word that rounds to 0 is left out. Weights with more than about nine digits are counted more slowly.

        `progress` is called with the bytes read so far and in total. Raise CorpusError if a document cannot be read,
        there are no words, unless the corpus `may_be_empty`, there is not enough memory, or the counts are too large.

        >>> Corpus.from_text("low<e>low").count("cs336", ["<e>"])
        WordCounts({'low': 2})
        """
        recipe = Recipe.of(recipe)
        specials = SpecialTokens(special_tokens)
        size = self.size()
        check_memory(size, recipe)
        _check_weighted_size(self)
        # How much comes through a pipe is unknown, so compiled code is loaded if it exists.
        has_pipes = any(map(_is_pipe, self.documents))
        load_for(max(size, WORTH_LOADING) if has_pipes else size)
        scale = Scale.of(self.weights) if self.weights else Scale((1,) * len(self.documents))
        by_kernels = (
            is_compiled()
            and recipe.splitter in SCANNERS
            and scale.fits_64_bits(max(size, _LARGEST_PIPE) if has_pipes else size)
        )
        count = _count_by_kernels if by_kernels else _count_by_patterns
        _logger.info("Counting %d documents of %d bytes: %s", len(self.documents), size, count.__name__)
        try:
            counts = count(self, recipe, specials, scale, size, with_memory_checks(progress))
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


def _check_weighted_size(corpus: Corpus) -> None:
    """Raise CorpusError if the documents, repeated as often as they count, were too large to count."""
    weighted = zip(corpus.weights, corpus.documents, strict=False)  # none at all without weights
    if sum(weight * document.size() for weight, document in weighted) >= MAX_BYTES:
        raise too_large_error()


def _path_of(path: Path | str) -> Path:
    check_type("path", path, (str, PathLike), CorpusError)
    return Path(path)


def _is_pipe(document: Document) -> bool:
    return isinstance(document, FileDocument) and not document.is_regular_file


def _count_by_kernels(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, scale: Scale, _size: int, progress: Progress | None
) -> WordCounts:
    tally = count_words(corpus.documents, recipe.splitter, specials, progress, scale.factors)
    arrays, characters, size = tally.arrays(), tally.characters, tally.bytes
    del tally
    if corpus.weights:
        arrays = _with_whole_counts(*arrays, scale)
    memory.release_freed()
    return WordCounts.from_arrays(*arrays, **_counted_with(corpus, recipe, specials, scale, characters, size))


def _with_whole_counts(
    text: UInt8Array, starts: Int64Array, totals: Int64Array, scale: Scale
) -> tuple[UInt8Array, Int64Array, Int64Array]:
    """Return words with counts in place of the sums of factors, without the words whose count is 0."""
    counts, sizes = scale.rounded(totals), np.diff(starts)
    kept = counts > 0
    if not kept.all():
        _check_any_counts(bool(kept.any()))
        text = text[np.repeat(kept, sizes)]
        counts, sizes = counts[kept], sizes[kept]
        starts = np.concatenate([[0], np.cumsum(sizes)])
    return text, starts, counts


def _check_any_counts(any_counts: bool) -> None:
    """Raise CorpusError unless at least one word is left."""
    if not any_counts:
        raise CorpusError(
            _("EngineError", "With these weights, the count of every word rounds to 0. Use larger weights.")
        )


def _count_by_patterns(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, scale: Scale, size: int, progress: Progress | None
) -> WordCounts:
    """Count with regular expressions: for any splitter, and faster than kernels that are not compiled."""
    counts: dict[str, int] = {}
    characters = total_bytes = bytes_read = 0

    def read(document: Document, factor: int) -> Iterator[str]:
        nonlocal characters, total_bytes, bytes_read
        for chunk in document.chunks():
            yield chunk
            read_now = len(chunk.encode())
            characters += factor * len(chunk)
            total_bytes += factor * read_now
            bytes_read += read_now
            if progress:
                progress(min(bytes_read, size), size)

    for document, factor in zip(corpus.documents, scale.factors, strict=True):
        for part in split_stream(read(document, factor), recipe, specials):
            if isinstance(part, list):
                for word in part:
                    counts[word.text] = counts.get(word.text, 0) + factor
    if corpus.weights:
        rounded = {word: scale.rounded(total) for word, total in counts.items()}
        counts = {word: count for word, count in rounded.items() if count}
        _check_any_counts(bool(counts) or not rounded)
    return WordCounts(counts, **_counted_with(corpus, recipe, specials, scale, characters, total_bytes))


def _counted_with(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, scale: Scale, characters: int, size: int
) -> dict[str, Any]:
    """Return the arguments by which `WordCounts` remembers how it was counted; the sizes are sums of factors."""
    return {
        "splitter": recipe.splitter,
        "spaces_kept": recipe.boundary == "prefix",
        "special_tokens": specials.tokens,
        "characters": scale.rounded(characters),
        "bytes": scale.rounded(size),
        "weighted": bool(corpus.weights),
    }
