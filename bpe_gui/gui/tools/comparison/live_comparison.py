"""The text to encode as each compared tokenizer splits it, and the differences, kept up to date while typing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import Block, EngineError, LiveText, Progress, TokenArrays, Tokenizer
from bpe_gui.engine.comparison import DifferingSpans
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.session.encoded_text import EncodedText

from .compared import Compared, ComparedTokenizers, TextNumbers, encoder_of

_CONTEXT: Final = 512
"""Bytes on either side of a part of the text, enough to contain a boundary common to all tokenizers."""

MOST_COUNTED: Final = 100_000
"""The most differences among which the most frequent are counted, since counting keeps other threads waiting."""

_MOST_FREQUENT: Final = 10

Parts = Sequence[tuple[bytes, TokenArrays]]
"""A text in parts, each with its tokens, whose offsets count from the start of the part."""


def numbers_of(text: LiveText) -> TextNumbers:
    """Return the statistics of a text whose tokens are all known."""
    return TextNumbers(len(text), text.known_tokens, text.tokens_without_id)


def count_tokens(tokenizer: Tokenizer, text: LiveText, progress: Progress) -> TextNumbers:
    """Encode a text without keeping its tokens. Raise EngineError, and Cancelled from `progress`."""
    text.encode_with(tokenizer)
    tokens = unknown = 0
    for block in text.unencoded_blocks():
        progress(0, 0)
        ids = tokenizer.token_arrays(block.text).ids
        tokens += len(ids)
        unknown += int(np.count_nonzero(ids < 0))
    return TextNumbers(len(text), tokens, unknown)


def spans_that_differ(texts: Sequence[Parts]) -> DifferingSpans:
    """Return the spans of the same text where the tokens differ."""
    size = sum(len(part) for part, _tokens in texts[0])
    return DifferingSpans.between(map(_shifted, texts), size)


class FrequentDifference(NamedTuple):
    """A piece of a text that several tokenizers split differently, how each splits it first, and how often it comes."""

    splits: tuple[list[bytes], ...]
    times: int


def most_frequent(spans: DifferingSpans, texts: Sequence[Parts], most: int) -> list[FrequentDifference]:
    """Return the pieces that differ most often among the first `MOST_COUNTED` spans, the most frequent first."""
    content = b"".join(part for part, _tokens in texts[0])
    counted, places = Counter[bytes](), dict[bytes, tuple[int, int]]()
    for start, stop in islice(spans, MOST_COUNTED):
        piece = content[start:stop]
        counted[piece] += 1
        places.setdefault(piece, (start, stop))
    edges = []
    for parts in texts if counted else ():
        shifted = list(_shifted(parts))
        edges.append([np.concatenate([getattr(each, edge) for each in shifted]) for edge in ("starts", "stops")])
    found = []
    for piece, times in counted.most_common(most):
        splits = []
        for starts, stops in edges:
            first, last = np.searchsorted(starts, np.array(places[piece], starts.dtype))
            tokens = zip(starts[first:last].tolist(), stops[first:last].tolist(), strict=True)
            splits.append([content[start:stop] for start, stop in tokens if start < stop])
        found.append(FrequentDifference(tuple(splits), times))
    return found


def _shifted(parts: Parts) -> Iterator[TokenArrays]:
    starts = accumulate((len(part) for part, _tokens in parts), initial=0)
    return (tokens.shifted(start) for (_part, tokens), start in zip(parts, starts, strict=False))


def spans_near(texts: Sequence[LiveText], start: int, stop: int) -> list[tuple[int, int]]:
    """Return the spans near the bytes [start, stop) where the texts differ; none if not all tokens are known.

    Raise EngineError if a text cannot be encoded.
    """
    begin, end = max(0, start - _CONTEXT), min(len(texts[0]), stop + _CONTEXT)
    found = []
    for text in texts:
        text.encode_near(begin, end)
        if not text.is_encoded_in(begin, end):
            return []
        tokens = text.tokens_in(begin, end)[1]
        is_inside = (tokens.starts >= begin) & (tokens.stops <= end)
        inner = TokenArrays(tokens.ids[is_inside], tokens.starts[is_inside], tokens.stops[is_inside])
        found.append([inner.shifted(-begin)])
    spans = ((begin + first, begin + last) for first, last in DifferingSpans.between(found, end - begin))
    return [(first, last) for first, last in spans if first < stop and last > start]


def moved(spans: DifferingSpans, start: int, removed: int, added: int) -> DifferingSpans:
    """Return the spans after an edit, without those it touched."""
    before, after = spans.stops <= start, spans.starts >= start + removed
    kept, shift = before | after, np.where(after, added - removed, 0)
    return DifferingSpans((spans.starts + shift)[kept], (spans.stops + shift)[kept])


_PAUSE: Final = 50
"""Milliseconds without a change before tokens are made and compared, to keep typing smooth."""

_LONG_PAUSE: Final = 400
"""Milliseconds before counting the tokens of texts that are not shown."""


class LiveComparison(QObject):
    """Encodes and compares in a thread after each change; the previous results stay until the new ones are known.

    In the texts that are shown, only the parts touched by an edit are encoded again. For the others, tokens are merely
    counted, when there is nothing else to do.

    - `text_replaced`: all texts were replaced.
    - `text_edited(start, removed, added)`: all texts were edited; in bytes.
    - `tokens_changed`: more tokens of the texts are known.
    - `changed`: statistics, differences, errors or `is_settled` changed.
    """

    text_replaced = Signal()
    text_edited = Signal(int, int, int)
    tokens_changed = Signal()
    changed = Signal()

    def __init__(self, source: EncodedText, tokenizers: ComparedTokenizers, parent: QObject) -> None:
        super().__init__(parent)
        self._source = source
        self._tokenizers = tokenizers
        self.differences: DifferingSpans | None = None
        """The spans where the comparable texts differ; None if there are fewer than two of these."""
        self.frequent: tuple[list[Compared], list[FrequentDifference]] = [], []
        """The comparable texts when they were last compared, and the pieces that differ most often in them."""
        self.is_compared = False
        """Whether the differences are for the current text and tokenizers."""
        self.edited_item: Compared | None = None
        """Whose text the user is editing, while `text_edited` is emitted; None if it is another view of the text."""
        self._counted: dict[Compared, Tokenizer | None] = {}  # counted since the text changed
        self._runner = JobRunner(self)
        self._pause = QTimer(self, singleShot=True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._work)
        self._long_pause = QTimer(self, singleShot=True)
        self._long_pause.setInterval(_LONG_PAUSE)
        self._long_pause.timeout.connect(self._count_others)
        source.replaced.connect(self._replace)
        source.special_changed.connect(self._replace)
        source.edited.connect(self._edit)
        for changed in (tokenizers.shown_changed, tokenizers.list_changed, tokenizers.tokenizer_changed):
            changed.connect(self._start_again)

    @property
    def size(self) -> int:
        return len(self._source.live)

    @property
    def takes_special(self) -> bool:
        """Whether special tokens in the text are recognised."""
        return self._source.allowed_special == "all"

    @property
    def is_settled(self) -> bool:
        """Whether all statistics and differences are for the current text and tokenizers."""
        return self.is_compared and not self._uncounted() and not self._runner.busy

    def aligned(self) -> tuple[Compared, ...]:
        """Return those shown whose tokens cover bytes of this text, so that boundaries can be compared."""
        return tuple(each for each in self._tokenizers.shown if each.keeps_text and each.error is None)

    def spans_near(self, item: Compared, start: int, stop: int) -> list[tuple[int, int]]:
        """Return the spans near the bytes [start, stop) where a tokenizer differs from the base, as known now.

        For the base itself, they are the spans where any differs.
        """
        aligned, base = self.aligned(), self._tokenizers.base
        if item is not base and item in aligned and base in aligned:
            aligned = (base, item)
        texts = [each.text for each in aligned if each.text is not None]
        try:
            return spans_near(texts, start, stop) if len(texts) > 1 else []
        except EngineError:  # the thread also runs into it, and reports it
            return []

    # -- following the text -----------------------------------------------------------------------------------------

    def _replace(self) -> None:
        for item in self._tokenizers.items:
            if item.is_shown:
                item.show(self._source)
        self.differences = None
        self._counted.clear()
        self._start_again()
        self.text_replaced.emit()

    def edit(self, item: Compared, start: int, removed: int, added: int) -> None:
        """Make an edit, which the user has made in the text of `item`, in all texts; in bytes."""
        if item.text is None:
            return
        self.edited_item = item
        self._source.replace(start, start + removed, item.text.read(start, start + added))
        self.edited_item = None

    def _edit(self, start: int, removed: int, added: int) -> None:
        new = self._source.live.read(start, start + added)
        for item in self._tokenizers.items:
            item.error = None
            if item.text is not None and item is not self.edited_item:
                item.text.replace(start, start + removed, new)
        if self.differences is not None:
            self.differences = moved(self.differences, start, removed, added)
        self._counted.clear()
        self._start_again()
        self.text_edited.emit(start, removed, added)

    # -- working ----------------------------------------------------------------------------------------------------

    def _start_again(self) -> None:
        self._runner.abandon()
        self._long_pause.stop()
        self.is_compared = False
        if self._tokenizers.is_active:
            self._pause.start()
        else:
            self._pause.stop()
            self.differences = None

    def _work(self) -> None:
        """Start the next piece of work."""
        missing = {
            item: item.text.unencoded_blocks()
            for item in self._tokenizers.shown
            if item.text is not None and item.error is None
        }
        if any(missing.values()):
            self._encode(missing)
        elif not self.is_compared:
            self._compare()
        elif self._uncounted():
            self._long_pause.start()

    def _encode(self, missing: Mapping[Compared, Sequence[Block]]) -> None:
        texts = {item: item.text for item in missing}

        def work(progress: Progress) -> dict[Compared, EngineError]:
            errors: dict[Compared, EngineError] = {}
            for item, blocks in missing.items():
                try:
                    for block in blocks:
                        progress(0, 0)
                        if (text := texts[item]) is not None:
                            text.encode(block)
                except EngineError as error:
                    errors[item] = error
            return errors

        def take(errors: dict[Compared, EngineError]) -> None:
            for item, error in errors.items():
                item.error, item.numbers = error, None
            self.tokens_changed.emit()
            self._work()

        self._runner.start(name="encode compared texts", work=work, on_success=take)

    def _compare(self) -> None:
        items = [item for item in self._tokenizers.shown if item.error is None]
        texts = {item: item.text.snapshot() for item in items if item.text is not None}

        def work(progress: Progress) -> tuple[dict[Compared, bool], DifferingSpans | None, list[FrequentDifference]]:
            keeps = {
                item: _keeps_text(item.tokenizer, parts, item.kept_parts, progress) for item, parts in texts.items()
            }
            aligned = [parts for item, parts in texts.items() if keeps[item]]
            progress(0, 0)
            if len(aligned) < 2:
                return keeps, None, []
            spans = spans_that_differ(aligned)
            progress(0, 0)
            return keeps, spans, most_frequent(spans, aligned, _MOST_FREQUENT)

        def take(result: tuple[dict[Compared, bool], DifferingSpans | None, list[FrequentDifference]]) -> None:
            keeps, self.differences, frequent = result
            self.frequent = [item for item in texts if keeps[item]], frequent
            for item in items:
                item.keeps_text = keeps[item]
                item.numbers = numbers_of(item.text) if item.text is not None else None
            self.is_compared = True
            self.changed.emit()
            self._work()

        self._runner.start(name="compare texts", work=work, on_success=take)

    def _uncounted(self) -> list[Compared]:
        """Return those that are not shown, and whose tokens in the current text have not been counted."""
        return [
            item
            for item in self._tokenizers.items
            if not item.is_shown and item.tokenizer is not None and self._counted.get(item) is not item.tokenizer
        ]

    def _count_others(self) -> None:
        """Count the tokens of the next tokenizer that is not shown."""
        waiting = self._uncounted()
        if not waiting or self._runner.busy:
            return
        item = waiting[0]
        tokenizer, text, allowed = item.tokenizer, self._source.live.layer(), self._source.allowed_special

        def work(progress: Progress) -> TextNumbers | None:
            encoder = encoder_of(tokenizer, allowed)
            return None if encoder is None else count_tokens(encoder, text, progress)

        def take(numbers: TextNumbers | None, error: EngineError | None = None) -> None:
            item.numbers, item.error = numbers, error
            self._counted[item] = tokenizer
            self.changed.emit()
            self._count_others()

        self._runner.start(name="count tokens", work=work, on_success=take, on_error=lambda error: take(None, error))


def _keeps_text(tokenizer: Tokenizer | None, parts: Parts, kept: set[bytes], progress: Progress) -> bool:
    """Return whether a tokenizer leaves a text unchanged before splitting it; `kept` has the parts known to be."""
    pipeline = tokenizer.pipeline if tokenizer is not None else None
    if pipeline is None or not pipeline.normalizers:
        return True
    kept &= {part for part, _tokens in parts}  # after an edit, only those still in the text
    for part, _tokens in parts:
        progress(0, 0)
        if part not in kept and not pipeline.keeps_text(part.decode()):
            return False
        kept.add(part)
    return True


class DifferenceWalk:
    """The current difference of a comparison, if there is one."""

    def __init__(self, live: LiveComparison) -> None:
        self._live = live
        self._start: int | None = None

    @property
    def index(self) -> int | None:
        """The index of the current difference; None if there is none."""
        differences = self._live.differences
        if self._start is None or differences is None:
            return None
        index = int(np.searchsorted(differences.starts, np.int64(self._start)))
        is_there = index < len(differences) and differences.starts[index] == self._start
        return index if is_there else None

    def forget(self) -> None:
        """Have no current difference any more."""
        self._start = None

    def next(self, top: int) -> tuple[int, int] | None:
        """Return the next difference, or the first at or after an offset, wrapping around at the end."""
        index = self.index
        return self._go_to(self._first_from(top) if index is None else index + 1)

    def previous(self, top: int) -> tuple[int, int] | None:
        """Return the previous difference, or the last one before an offset, wrapping around at the start."""
        index = self.index
        return self._go_to((self._first_from(top) if index is None else index) - 1)

    def _first_from(self, offset: int) -> int:
        differences = self._live.differences
        return 0 if differences is None else int(np.searchsorted(differences.starts, np.int64(offset)))

    def _go_to(self, index: int) -> tuple[int, int] | None:
        differences = self._live.differences
        if differences is None or not len(differences):
            return None
        index %= len(differences)
        self._start = int(differences.starts[index])
        return self._start, int(differences.stops[index])
