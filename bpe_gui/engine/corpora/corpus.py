"""Corpora: texts and files, counted to unique words by streaming, so that a file is never held whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bpe_gui.engine.runtime import memory
from bpe_gui.engine.corpora.memory_check import check_capacity, watched
from bpe_gui.engine.runtime.compiled import WORTH_LOADING, is_compiled, load_for
from bpe_gui.engine.corpora.counting import SCANNERS, count_words
from bpe_gui.engine.corpora.documents import Document, FileDocument, TextDocument
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.utf8 import check_surrogates, words_and_specials
from bpe_gui.engine.corpora.word_counts import WordCounts


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
        bpe_gui.engine.runtime.errors.CorpusError: The text holds a lone surrogate (U+D800) at index 3. ...
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

        `progress` gets bytes read and bytes in all. Raises CorpusError for what cannot be read, holds no words, or is
        too much for the memory there is.

        >>> Corpus.from_text("low<e>low").count("cs336", ["<e>"])
        WordCounts({'low': 2})
        """
        recipe = Recipe.of(recipe)
        specials = SpecialTokens(special_tokens)
        size = self.size()
        check_capacity(size, recipe)
        # What a pipe will bring nobody knows: worth loading compiled code for, if there is some.
        load_for(max(size, WORTH_LOADING) if any(map(_is_pipe, self.documents)) else size)
        count = _count_by_kernels if is_compiled() and recipe.splitter in SCANNERS else _count_by_patterns
        try:
            counts = count(self, recipe, specials, size, watched(progress))
        except MemoryError as error:
            raise CorpusError(
                _("EngineError", "There is not enough memory to count the words of this corpus. Train on a part of it.")
            ) from error
        if not len(counts):
            raise CorpusError(
                _("EngineError", "The corpus is empty: there are no words to train on. Write or open some text.")
            )
        return counts


def _is_pipe(document: Document) -> bool:
    return isinstance(document, FileDocument) and not document.has_end


def _count_by_kernels(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, _total: int, progress: Progress | None
) -> WordCounts:
    counted = count_words(corpus.documents, recipe.splitter, specials, progress)
    arrays, characters, size = counted.arrays(), counted.characters, counted.bytes
    del counted
    memory.give_back()
    return WordCounts.from_arrays(*arrays, **_told(recipe, specials), characters=characters, bytes=size)


def _count_by_patterns(
    corpus: Corpus, recipe: Recipe, specials: SpecialTokens, size: int, progress: Progress | None
) -> WordCounts:
    """The same by regular expressions: any of them, and what is quicker where kernels are not compiled."""
    tally = _Tally(size, progress)
    for document in corpus.documents:
        for part in words_and_specials(tally.watch(document.chunks()), recipe, specials):
            if isinstance(part, list):
                tally.add(word.text for word in part)
    return WordCounts(tally.counts, **_told(recipe, specials), characters=tally.characters, bytes=tally.bytes)


def _told(recipe: Recipe, specials: SpecialTokens) -> dict[str, Any]:
    return {
        "splitter": recipe.splitter,
        "spaces_kept": recipe.boundary == "prefix",
        "special_tokens": specials.tokens,
    }


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
