"""Corpora: texts and files whose unique words are counted. Files are streamed, never held whole."""

import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from operator import mul
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime import memory
from bpe_gui.engine.runtime.arguments import check_several
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.lazy import LazyTuple
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.compiled_splitters import splitter_of
from bpe_gui.engine.text.phrases import PhraseFinder
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.text.utf8 import check_surrogates

from .counting import count_words, may_be_pipe
from .counts_facts import (
    MAX_BYTES,
    CountsFacts,
    Source,
    Span,
    distances_end_to_end,
    distances_in_corpus,
    too_large_error,
)
from .counts_file import open_counts
from .documents import SHORT, USUAL_FIELD, Document, Documents, FileDocument, TextDocument, TextList
from .file_search import find_files
from .weights import Scale, Weight, weights_of
from .word_arrays import WordArrays
from .word_counts import WordCounts

_LARGEST_PIPE: Final = 2**40
"""More bytes than a pipe will deliver."""

_logger: Final = logging.getLogger(__name__)

_REFERENCE_SIZE: Final = 100_000_000  # bytes of text
_MEMORY_FOR_REFERENCE: Final = 200_000_000
"""Bytes of memory that training on `_REFERENCE_SIZE` bytes of English takes; other languages take more."""

_GROWTH: Final = 0.75
"""The exponent by which memory grows with the text: new words become rare, so ten times the text takes less than six
times the memory."""

_MEMORY_PER_UNSPLIT_BYTE: Final = 40
"""Bytes of memory for each byte of text where every document is one word."""

_CHECK_INTERVAL: Final = 0.2  # seconds
_MIN_AVAILABLE: Final = 200_000_000
"""Bytes of memory that counting leaves to other programs."""


class Amounts(NamedTuple):
    """The amounts counted: characters, bytes of UTF-8, bytes read, and records left out.

    The first two include each document as often as it counts.
    """

    characters: int
    bytes: int
    read: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in order. Nothing merges across two documents.

    >>> Corpus.from_text("low low lower").count("cs336-toy")
    WordCounts({'low': 2, 'lower': 1})
    """

    documents: tuple[Document, ...] | Documents
    weights: tuple[Fraction, ...] = ()
    """How often each document counts. Empty if each counts once."""

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
        field: str = USUAL_FIELD,
        skip_bad_lines: bool = False,
    ) -> "Corpus":
        """Return a corpus of files, which are read when they are counted. Raise CorpusError for a missing file.

        A folder stands for all files in it, and a path with wildcards for those that match. Files are decompressed as
        their names say (`.gz`, `.bz2`, `.zst`). In `.parquet` and `.jsonl` files, each record is a separate text, in
        the column or field `field`. With `skip_bad_lines`, records without a text are left out instead of being an
        error.

        `weights` are as in `from_source`. An `encoding` of None means UTF-8. With `replace_invalid`, invalid bytes are
        read as U+FFFD instead of being an error.
        """
        found = [find_files(paths)] if weights is None else [find_files([path]) for path in paths]
        documents = tuple(
            FileDocument(path, encoding, replace_invalid, field, skip_bad_lines) for files in found for path in files
        )
        of_documents: tuple[Fraction, ...] = ()
        if weights is not None:
            given = list(weights)
            if len(given) == len(found):  # each file has the weight of the path by which it was found
                given = [each for each, files in zip(given, found, strict=True) for _ in files]
            of_documents = weights_of(given, documents)
        corpus = cls(documents, of_documents)
        corpus.size()
        return corpus

    @classmethod
    def from_source(
        cls, source: "str | Path | Iterable[str | Path]", *, weights: Iterable[Weight] | None = None
    ) -> "Corpus":
        """Return a corpus of text (str), a file (Path) or an iterable of either. Raise CorpusError.

        `weights` say how often each document counts, from 0.001 to 1,000, exactly as the number is written.

        >>> Corpus.from_source(["low lower", "lowest"], weights=[0.5, 3]).count("cs336-toy")
        WordCounts({'low': 1, 'lower': 1, 'lowest': 3})
        """
        if isinstance(source, str):
            return cls.from_text(source)
        if isinstance(source, Path):
            source = [source]
        check_several("source", source)
        sources = list(source)
        if weights is not None:
            documents = tuple(_documents_of(sources))
            if given := weights_of(weights, documents):
                return cls(documents, given)
        return cls(Documents(list(_parts_of(sources))))

    def size(self) -> int:
        """Return the size of all documents in bytes. Raise CorpusError for a file that cannot be read."""
        return sum(self.part_sizes())

    def parts(self) -> Sequence[Document | TextList]:
        """Return the documents; texts that count equally often may be grouped in lists."""
        return self.documents if self.weights or isinstance(self.documents, tuple) else self.documents.parts

    def part_sizes(self) -> list[int]:
        """Return the size of each part in bytes. Raise CorpusError for a file that cannot be read."""
        return [part.size() for part in self.parts()]

    def count(
        self,
        recipe: Recipe | str,
        special_tokens: Iterable[str] = (),
        progress: Progress | None = None,
        *,
        may_be_empty: bool = False,
        finder: PhraseFinder | None = None,
    ) -> WordCounts:
        """Return the unique words in the order in which they are first seen, with their counts.

        In a corpus with weights, the count of a word is the sum over the documents of weight times count, rounded half
        up; a word that rounds to 0 is left out. Weights with more than about nine digits are counted more slowly.

        With a `finder`, which must be made for the recipe, these are its phrases, with one character for each of their
        words.

        `progress` is called with the bytes read so far and in total. Raise CorpusError if a document cannot be read,
        there is not enough memory, the counts are too large, or there are no words and not `may_be_empty`.

        >>> Corpus.from_text("low<e>low").count("cs336", ["<e>"])
        WordCounts({'low': 2})
        """
        recipe = Recipe.of(recipe)
        specials = SpecialTokens(special_tokens)
        parts = self.parts()
        if any(map(_holds_counts, parts)):
            with _memory_errors():
                return self._merge_counts(recipe, specials, progress)
        sizes = self.part_sizes()
        size = sum(sizes)
        check_memory(size, recipe)
        if sum(map(mul, self.weights, sizes)) >= MAX_BYTES:  # 0 without weights
            raise too_large_error()
        most = max(size, _LARGEST_PIPE) if any(map(may_be_pipe, parts, sizes)) else size
        scale = Scale.of(self.weights) if self.weights else Scale((1,) * len(parts))
        _logger.info("Counting %d documents of %d bytes by %s", len(self.documents), size, recipe.splitter)
        with _memory_errors():
            counting = _Counting(self, sizes, recipe, specials, scale, with_memory_checks(progress), finder)
            counts = counting.at_once() if scale.fits_64_bits(most) else counting.by_factor()
        if not len(counts) and not may_be_empty:
            if counts.bytes and not self.weights and recipe.splitter not in SPLITTERS:
                raise CorpusError(
                    "The splitter finds no words: {splitter!r} matches nothing in the corpus.", splitter=recipe.splitter
                )
            check_not_all_skipped(counts.skipped)
            raise CorpusError("The corpus is empty, so there are no words to train on. Add some text.")
        _logger.info("Counted %d words, %d of them unique", counts.total, len(counts))
        return counts

    def facts(self, sizes: Sequence[int], recipe: Recipe, specials: SpecialTokens, amounts: Amounts) -> CountsFacts:
        """Return the facts about counts of this corpus, whose parts have these sizes in bytes."""
        return CountsFacts(
            recipe.splitter,
            recipe.boundary == "prefix",
            specials.tokens,
            amounts.characters,
            amounts.bytes,
            bool(self.weights),
            _sources_of(self.parts(), sizes),
            (Span(0, amounts.read),),
            amounts.skipped,
            bool(specials.tokens) and recipe.special_text == "kept",
        )

    def _merge_counts(self, recipe: Recipe, specials: SpecialTokens, progress: Progress | None) -> WordCounts:
        """Count the texts, read the counts files, and merge them in the order of the documents."""
        shown = _CorpusProgress(self.size(), with_memory_checks(progress))
        scale = Scale.of(self.weights) if self.weights else Scale((1,) * len(self.documents))
        parts: list[WordCounts] = []
        factors: list[int] = []
        weighed = zip(self.documents, scale.factors, strict=True)
        for (holds_counts, factor), group in groupby(weighed, lambda each: (_holds_counts(each[0]), each[1])):
            documents = tuple(document for document, _factor in group)
            if holds_counts:
                for document in documents:
                    assert isinstance(document, FileDocument)  # as `_holds_counts` has checked
                    with open_counts(document.path) as file:
                        known, added = file.facts, set(specials.tokens).difference(file.facts.special_tokens)
                        known.check_fits(document.path, recipe, [each for each in specials.tokens if each not in added])
                    part = WordCounts.load(document.path, shown.of(document.size()))
                    if added and not any(map(part.may_contain, added)):
                        known = replace(known, special_tokens=specials.tokens)
                        part = WordCounts.of_words(part.words(), known)
                    known.check_fits(document.path, recipe, specials.tokens)
                    parts.append(part)
            else:
                texts = Corpus(documents)
                parts.append(texts.count(recipe, specials.tokens, shown.of(texts.size()), may_be_empty=True))
            factors += [factor] * (len(parts) - len(factors))
        facts = [part.facts for part in parts]
        has_texts = not all(map(_holds_counts, self.documents))
        distances = (distances_end_to_end if has_texts else distances_in_corpus)(facts)
        if not self.weights:
            return WordCounts.merge_moved(parts, distances)
        if not scale.fits_64_bits(sum(part.bytes for part in parts)):
            raise too_large_error()
        merged = WordCounts.merge_moved([part.times(by) for part, by in zip(parts, factors, strict=True)], distances)
        facts_of_whole = replace(
            merged.facts,
            characters=scale.rounded(merged.characters),
            bytes=scale.rounded(merged.bytes),
            weighted=True,
        )
        return WordCounts.of_words(with_whole_counts(merged.words(), scale), facts_of_whole)


def _sources_of(parts: Sequence[Document | TextList], sizes: Sequence[int]) -> LazyTuple[Source]:
    """Return the sources of the parts of a corpus, which have these sizes in bytes, without keeping its texts."""
    names = [part.path.name if isinstance(part, FileDocument) else "" for part in parts]
    sizes_in = [part.sizes if isinstance(part, TextList) else (size,) for part, size in zip(parts, sizes, strict=True)]

    def make() -> Iterator[Source]:
        place = 0
        for name, several in zip(names, sizes_in, strict=True):
            for size in several:
                yield Source(name, int(size), place)
                place += int(size)

    return LazyTuple(sum(map(len, sizes_in)), make)


@contextmanager
def _memory_errors() -> Iterator[None]:
    """Turn a MemoryError into a CorpusError."""
    try:
        yield
    except MemoryError as error:
        raise CorpusError(
            "There is not enough memory to count the words of this corpus. Train on part of it."
        ) from error


def _kind_of_document(source: str | Path) -> type[Document | TextList]:
    """Return the kind of document that one of several sources becomes."""
    if not isinstance(source, str):
        return FileDocument
    return TextList if len(source) < SHORT else TextDocument


def _parts_of(sources: Iterable[str | Path]) -> Iterator[Document | TextList]:
    """Yield the documents of texts and files, with short texts in lists. Raise CorpusError."""
    for kind, group in groupby(sources, key=_kind_of_document):
        members: list[Any] = list(group)
        if kind is TextList and len(members) > 1:
            yield TextList.of(members)
        elif kind is FileDocument:
            yield from Corpus.from_files(members).documents
        else:
            yield from _documents_of(members)


def _documents_of(sources: Iterable[str | Path]) -> Iterator[Document]:
    """Yield the documents of texts and files one by one. Raise CorpusError."""
    for each in sources:
        yield from (Corpus.from_text(each) if isinstance(each, str) else Corpus.from_files([each])).documents


def _holds_counts(document: Document | TextList) -> bool:
    return isinstance(document, FileDocument) and document.holds_counts


class _Counting(NamedTuple):
    """What to count, and how."""

    corpus: Corpus
    sizes: Sequence[int]
    recipe: Recipe
    specials: SpecialTokens
    scale: Scale
    progress: Progress
    finder: PhraseFinder | None

    def at_once(self) -> WordCounts:
        parts, scale = self.corpus.parts(), self.scale
        removed, splitter = self.specials.removed_from_corpus(self.recipe), splitter_of(self.recipe)
        tally = count_words(parts, self.sizes, splitter, removed, self.progress, scale.factors, self.finder)
        amounts = Amounts(scale.rounded(tally.characters), scale.rounded(tally.bytes), tally.read, tally.skipped)
        words = tally.words().copy()
        del tally
        if self.corpus.weights:
            words = with_whole_counts(words, scale)
        memory.release_freed()
        return self._counts(words, amounts)

    def by_factor(self) -> WordCounts:
        """Count with factors whose sums do not fit in 64 bits: documents of each factor, added up in Python."""
        shown = _CorpusProgress(sum(self.sizes), self.progress)
        removed, splitter = self.specials.removed_from_corpus(self.recipe), splitter_of(self.recipe)
        totals: dict[str, int] = {}
        first_seen: list[int] = []
        characters = size = read = skipped = 0
        weighed = zip(self.corpus.parts(), self.sizes, self.scale.factors, strict=True)
        for factor, group in groupby(weighed, lambda each: each[2]):
            parts, own_sizes, _factors = zip(*group, strict=True)
            tally = count_words(parts, own_sizes, splitter, removed, shown.of(sum(own_sizes)), finder=self.finder)
            words = tally.words().as_first_seen()
            text, starts = words.text.tobytes(), words.starts.tolist()
            for index, (start, stop) in enumerate(pairwise(starts)):
                word = text[start:stop].decode()
                if word not in totals:
                    first_seen.append(read + int(words.first_seen[index]))
                totals[word] = totals.get(word, 0) + factor * int(words.frequencies[index])
            characters, size = characters + factor * tally.characters, size + factor * tally.bytes
            read, skipped = read + tally.read, skipped + tally.skipped
        rounded = self.scale.rounded
        whole = [(word, rounded(total), at) for (word, total), at in zip(totals.items(), first_seen, strict=True)]
        kept = [each for each in whole if each[1]]
        _check_any_counts(bool(kept) or not whole)
        arrays = WordArrays.of({word: count for word, count, _at in kept}, [at for *_, at in kept])
        return self._counts(arrays, Amounts(rounded(characters), rounded(size), read, skipped))

    def _counts(self, words: WordArrays, amounts: Amounts) -> WordCounts:
        return WordCounts.of_words(words, self.corpus.facts(self.sizes, self.recipe, self.specials, amounts))


def with_whole_counts(words: WordArrays, scale: Scale) -> WordArrays:
    """Turn sums of factors into counts, and leave out words whose count is 0."""
    counts = scale.rounded(words.frequencies)
    words = WordArrays(words.text, words.starts, counts, words.first_seen)
    kept = counts > 0
    if kept.all():
        return words
    _check_any_counts(bool(kept.any()))
    return words.in_order(np.flatnonzero(kept))


def _check_any_counts(any_counts: bool) -> None:
    """Raise CorpusError unless at least one word is left."""
    if not any_counts:
        raise CorpusError("With these weights, the count of every word rounds to 0. Use larger weights.")


class _CorpusProgress:
    """Progress over a whole corpus, in bytes, from the progress of its parts."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._before = 0

    def of(self, size: int) -> Progress:
        """Return a callback for the next part, which has `size` bytes. It takes the work done in any unit."""
        before = self._before
        self._before += size

        def report(done: int, goal: int) -> None:
            self._progress(before + (size * done // goal if goal else 0), self._total)

        return report


def check_not_all_skipped(skipped: int) -> None:
    """Raise CorpusError if a corpus without words is empty only because `skipped` records were left out."""
    if skipped:
        raise CorpusError(
            "The corpus is empty, because no record has a text (left out: {skipped:,}). Check the name of the field "
            "with the text.",
            skipped=skipped,
        )


def memory_needed(size: int, recipe: Recipe) -> int:
    """Return an estimate of the least memory, in bytes, that training on `size` bytes of text takes.

    >>> memory_needed(100_000_000, Recipe.of("cs336"))
    200000000
    """
    if recipe.splitter == "none":
        return _MEMORY_PER_UNSPLIT_BYTE * size
    ratio = float(size) / _REFERENCE_SIZE
    # Proportional below the reference size, where the power would be too high for a lower bound.
    return round(_MEMORY_FOR_REFERENCE * min(ratio, math.pow(ratio, _GROWTH)))


def check_memory(size: int, recipe: Recipe) -> None:
    """Raise CorpusError if training on `size` bytes of text would take more memory than is available."""
    needed, available = memory_needed(size, recipe), memory.available()
    _logger.debug("%d MB of memory needed, %d MB available", _megabytes(needed), _megabytes(available))
    if needed > available:
        raise CorpusError(
            "This corpus is {size:,} MB, and training on it would take at least {needed:,} MB of memory, but only "
            "{available:,} MB are free. Train on part of it.",
            size=_megabytes(size),
            needed=_megabytes(needed),
            available=_megabytes(available),
        )


def with_memory_checks(progress: Progress | None) -> Progress:
    """Return a progress callback that calls `progress`, but first raises CorpusError if memory is running out.

    Otherwise the system might kill the process. The callback must be called with numbers of bytes.
    """
    last_check = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last_check
        if monotonic() - last_check > _CHECK_INTERVAL:
            last_check = monotonic()
            _check_available(done)
        if progress:
            progress(done, total)

    return report


def _check_available(done: int) -> None:
    available = memory.available()
    if available < _MIN_AVAILABLE:
        _logger.warning("only %d MB of memory are available after %d MB", _megabytes(available), _megabytes(done))
        raise CorpusError(
            "Memory is running out: only {available:,} MB are free after {done:,} MB of text, because the text has too "
            "many unique words. Train on part of the corpus, or choose a splitter that makes shorter words.",
            done=_megabytes(done),
            available=_megabytes(available),
        )


def _megabytes(size: int) -> int:
    return round(size / 1_000_000)
