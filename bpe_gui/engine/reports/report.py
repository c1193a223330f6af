"""The report of a tokenizer on texts: measures of each and of all together, at every step, and of its vocabulary."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Final

from bpe_gui.engine.corpora.documents import Document, FileDocument
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.shown_tokens import table_in_html
from bpe_gui.engine.runtime.types import Progress, no_progress
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .costs import LineCounts, Terms, TextCost, count_lines, text_cost
from .counting import TextMeasures, TokenCounter, TokenCounts, gini_coefficient
from .curve import POINTS, CountAtStep, Curve, counting_documents, counting_words, curve_by_encoding, curve_of_counts
from .vocabulary import VocabularyReport, vocabulary_report

_SHOWN: Final = (
    *("bytes", "words", "tokens", "bytes_per_token", "fertility"),
    *("whole_piece_share", "single_byte_share", "renyi_efficiency"),
)
"""The measures that a notebook shows, by their names in `TextMeasures`."""

_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ReportText:
    """A text to report on: a document, or all documents of a language. Nothing merges across two documents.

    `words` are the pieces of the documents if they are already counted, as for a run. Special tokens are then not
    counted, because they are in no word, and the tokenizer must have a recipe. With `skips_unreadable`, documents that
    cannot be read are left out and named in the report, instead of being an error.
    """

    name: str
    documents: Sequence[Document] = ()
    words: WordCounts | None = None
    skips_unreadable: bool = False

    @cached_property
    def size(self) -> int:
        """The size of the text in bytes. Raise CorpusError for a file of unknown size."""
        return self.words.bytes if self.words is not None else sum(document.size() for document in self.documents)


@dataclass(frozen=True, slots=True)
class SkippedDocument:
    """A document that could not be read, and why."""

    name: str
    reason: CorpusError


@dataclass(frozen=True, eq=False)
class TextReport:
    """The part of a report about one text; `lines` is None unless its lines were counted."""

    name: str
    documents: int
    measures: TextMeasures
    lines: LineCounts | None = None


@dataclass(frozen=True, eq=False)
class Report:
    """The report of a tokenizer on texts, and on held-out text, if given.

    The vocabulary and the first curve are for all texts together. Without text, there is no curve. With `terms`, it
    says what the texts cost.
    """

    name: str
    tokenizer: Tokenizer
    counter: TokenCounter
    texts: tuple[TextReport, ...]
    total: TokenCounts
    vocabulary: VocabularyReport
    curve: Curve | None = None
    held_out: TextReport | None = None
    held_out_curve: Curve | None = None
    skipped: tuple[SkippedDocument, ...] = field(default=())
    terms: Terms | None = None

    def _repr_html_(self) -> str:
        """Return the measures of each text and of all together as a table, as a notebook shows them."""
        rows = [(text.name, text.measures) for text in self.texts] + [("total", self.total.measures)]
        if self.held_out is not None:
            rows.append((self.held_out.name, self.held_out.measures))
        values = ((name, *(getattr(measures, each) for each in _SHOWN)) for name, measures in rows)
        written = ((name, *(_number(value) for value in row)) for name, *row in values)
        return table_in_html([("text", *(name.replace("_", " ") for name in _SHOWN)), *written])

    @property
    def has_text(self) -> bool:
        """Whether the texts have any tokens."""
        return self.total.tokens > 0

    @property
    def sizing_curve(self) -> Curve | None:
        """The curve that shows how large the vocabulary should be: of held-out text, or else of all texts.

        None if there is none, or if it has a single point, because there are no merges.
        """
        curve = self.held_out_curve or self.curve
        return curve if curve is not None and len(curve) > 1 else None

    def readable(self, texts: Iterable[ReportText]) -> list[Document]:
        """Return the documents of texts that this is a report on, without those that could not be read."""
        return _readable((document for text in texts for document in text.documents), self.skipped)

    @cached_property
    def costs(self) -> list[TextCost]:
        """What each text costs by the terms; empty without terms."""
        terms = self.terms
        if terms is None:
            return []
        reference = None if terms.reference is None else self.texts[terms.reference].lines
        return [text_cost(text.measures, terms, text.lines, reference) for text in self.texts]

    @property
    def total_cost(self) -> TextCost:
        """What all texts together cost, without a premium."""
        return text_cost(self.total.measures, self.terms or Terms())

    @cached_property
    def gini_per_byte(self) -> float:
        """The Gini coefficient of tokens per byte over the texts; NaN for no text.

        It is 0 if every text, of every language, has the same compression.
        """
        return gini_coefficient(
            [text.measures.tokens / text.measures.bytes for text in self.texts if text.measures.bytes]
        )

    @cached_property
    def gini_of_tokens(self) -> float:
        """The Gini coefficient of the numbers of tokens; useful if the texts are translations of one another.

        Source: Foroutan et al., “Parity-Aware Byte-Pair Encoding” (2025), where texts are parallel.
        """
        return gini_coefficient([text.measures.tokens for text in self.texts])


def _number(value: float | None) -> str:
    """Return a number for people; a dash if it is not known."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if isfinite(value) else "–"


def make_report(
    tokenizer: Tokenizer,
    texts: Sequence[ReportText] = (),
    held_out: ReportText | None = None,
    *,
    name: str = "",
    points: int = POINTS,
    to_last: bool = False,
    by_line: bool = False,
    progress: Progress = no_progress,
) -> Report:
    """Report how a tokenizer, as of its step, encodes texts.

    `points` is the number of steps at which the curves are measured; with 0, there are no curves. They end at the step
    of the tokenizer, or with `to_last`, at the last one of its run, for which the texts are encoded once more if it is
    another. With `by_line`, the
    tokens of each line are counted as well, for the premium of texts over one another, except in texts whose words
    were counted. `progress` is called with the bytes read and in total; an error that it raises ends the work. Raise
    CorpusError for a text that cannot be read, and TokenizerError for one that the tokenizer cannot encode.

    >>> from bpe_gui.engine import TextDocument, train
    >>> report = make_report(train("low low lower", num_merges=3), [ReportText("a", [TextDocument("low lower")])])
    >>> report.total.tokens, report.curve.tokens.tolist(), len(report.vocabulary.never_used)
    (4, [9, 7, 5, 4], 255)
    """
    last = tokenizer.at(tokenizer.store.merge_count) if to_last and points else tokenizer
    return _ReportMaker(tokenizer, last, points, progress, by_line=by_line).make(tuple(texts), held_out, name)


class _ReportMaker:
    """Makes one report, and adds up the progress of its parts."""

    def __init__(
        self, tokenizer: Tokenizer, last: Tokenizer, points: int, progress: Progress, *, by_line: bool
    ) -> None:
        """`last` is the tokenizer at the step with which curves end."""
        self._tokenizer = tokenizer
        self._by_line = by_line
        self._counter = TokenCounter(tokenizer)
        self._last_counter = self._counter if last.position == tokenizer.position else TokenCounter(last)
        self._points = points
        self._progress = progress
        self._done = 0
        self._size = 0
        self._skipped: list[SkippedDocument] = []

    def make(self, texts: tuple[ReportText, ...], held_out: ReportText | None, name: str) -> Report:
        self._size = sum(text.size for text in (*texts, *filter(None, [held_out])))
        self._size *= 1 if self._last_counter is self._counter else 2
        parts = self._counter.parts
        rows: list[TextReport] = []
        total = TokenCounts.nothing(parts.entries, len(parts))
        for text in texts:
            counts, documents = self._count(text, self._counter)
            if documents:
                rows.append(TextReport(text.name, documents, counts.measures, self._lines_of(text)))
                total += counts
        curve = self._curve(total, texts) if total.tokens and self._points else None
        held_out_row = held_out_curve = None
        if held_out is not None:
            counts, documents = self._count(held_out, self._counter)
            held_out_row = TextReport(held_out.name, documents, counts.measures)
            held_out_curve = self._curve(counts, [held_out]) if counts.tokens and self._points else None
        vocabulary = vocabulary_report(self._tokenizer, parts, total)
        return Report(
            name,
            self._tokenizer,
            self._counter,
            tuple(rows),
            total,
            vocabulary,
            curve,
            held_out_row,
            held_out_curve,
            tuple(self._skipped),
        )

    def _count(self, text: ReportText, counter: TokenCounter) -> tuple[TokenCounts, int]:
        """Return the counts of a text by a counter, and the number of its documents."""
        before = self._done
        self._announce(0, 0)
        counted = self._counts_of(text, counter)
        self._done = before + text.size
        self._announce(0, 0)
        return counted

    def _counts_of(self, text: ReportText, counter: TokenCounter) -> tuple[TokenCounts, int]:
        if text.words is not None:
            counts = counter.count_words(text.words, lambda _done, _total: self._announce(0, 0))
            return counts, max(1, len(text.documents))
        try:
            documents = _readable(text.documents, self._skipped)
            return counter.count_documents(documents, self._announce), len(documents)
        except CorpusError:
            if not text.skips_unreadable:
                raise
        return self._count_readable(text, counter)

    def _count_readable(self, text: ReportText, counter: TokenCounter) -> tuple[TokenCounts, int]:
        """Count the documents one by one, after one of them could not be read."""
        counts = TokenCounts.nothing(counter.parts.entries, len(counter.parts))
        readable = 0
        for document in text.documents:
            try:
                counts += counter.count_documents([document], lambda _done, _total: self._announce(0, 0))
                readable += 1
            except CorpusError as error:
                _logger.info("A document is left out of a report: %s", error.without_values)
                path = document.path if isinstance(document, FileDocument) else text.name
                self._skipped.append(SkippedDocument(str(path), error))
        return counts, readable

    def _lines_of(self, text: ReportText) -> LineCounts | None:
        documents = _readable(text.documents, self._skipped)
        if not self._by_line or text.words is not None or any(map(_holds_counts, documents)):
            return None
        return count_lines(self._tokenizer, documents, lambda _done, _total: self._announce(0, 0))

    def _announce(self, done: int, _total: int) -> None:
        self._progress(min(self._done + done, self._size), self._size)

    def _curve(self, counts: TokenCounts, texts: Sequence[ReportText]) -> Curve:
        """Return the curve of texts with these counts, from counts at its last step alone if possible."""
        counter, step = self._last_counter, self._counter.tokenizer.position
        if counter is not self._counter:
            counts = TokenCounts.nothing(counter.parts.entries, len(counter.parts))
            for text in texts:
                counts += self._count(text, counter)[0]
        curve = curve_of_counts(counter, counts, points=self._points, also=step)
        if curve is not None:
            return curve
        counting = [self._counting(text) for text in texts]
        return curve_by_encoding(counter, counting, points=self._points, also=step, progress=self._progress)

    def _counting(self, text: ReportText) -> CountAtStep:
        counter = self._last_counter
        if text.words is not None:
            return counting_words(counter, text.words)
        return counting_documents(counter, _readable(text.documents, self._skipped), self._announce)


def _holds_counts(document: Document) -> bool:
    return isinstance(document, FileDocument) and document.holds_counts


def _readable(documents: Iterable[Document], skipped: Iterable[SkippedDocument]) -> list[Document]:
    names = {each.name for each in skipped}
    return [each for each in documents if not (isinstance(each, FileDocument) and str(each.path) in names)]


def texts_by_folder(folder: Path, documents: Sequence[FileDocument]) -> list[ReportText]:
    """Group the documents of a folder by its subfolders, such as languages. A file directly in it is a separate text.

    >>> documents = [FileDocument(Path("texts", name)) for name in ("de/a.txt", "de/b.txt", "c.txt")]
    >>> [(text.name, len(text.documents)) for text in texts_by_folder(Path("texts"), documents)]
    [('c.txt', 1), ('de', 2)]
    """
    groups: dict[str, list[FileDocument]] = {}
    for document in documents:
        groups.setdefault(document.path.relative_to(folder).parts[0], []).append(document)
    return [ReportText(name, group, skips_unreadable=True) for name, group in sorted(groups.items())]
