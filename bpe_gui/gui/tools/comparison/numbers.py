"""The numbers of a text as a tokenizer splits it, and the spans in which several tokenizers differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import nan
from typing import Final

import numpy as np

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.comparison import DifferingSpans, find_differing_spans
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.tokenization import TokenArrays
from bpe_gui.gui.jobs import Report

_CONTEXT: Final = 512
"""Bytes on either side of a part of the text in which all tokenizers surely have a boundary in common."""

Parts = Sequence[tuple[bytes, TokenArrays]]
"""A text in parts, each with its tokens, whose offsets count from the start of the part."""


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """The numbers of a text of so many bytes; `unknown` tokens stand for symbols without an id."""

    bytes: int
    tokens: int
    unknown: int

    @property
    def bytes_per_token(self) -> float:
        """The compression; NaN for a text without tokens."""
        return self.bytes / self.tokens if self.tokens else nan


def numbers_of(text: LiveText) -> TextNumbers:
    """Return the numbers of a text whose tokens are all known."""
    return TextNumbers(len(text), text.known_tokens, text.tokens_without_id)


def count_tokens(tokenizer: Tokenizer, text: LiveText, report: Report) -> TextNumbers:
    """Encode a text without keeping its tokens. Raise EngineError, and Cancelled from `report`."""
    text.encode_with(tokenizer)
    tokens = unknown = 0
    for block in text.unencoded_blocks():
        report(0, 0)
        ids = tokenizer.token_arrays(block.text).ids
        tokens += len(ids)
        unknown += int(np.count_nonzero(ids < 0))
    return TextNumbers(len(text), tokens, unknown)


def spans_that_differ(texts: Sequence[Parts]) -> DifferingSpans:
    """Return the spans of the same text in which the tokens differ."""
    size = sum(len(part) for part, _tokens in texts[0])
    return find_differing_spans(map(_shifted, texts), size)


def _shifted(parts: Parts) -> Iterator[TokenArrays]:
    starts = accumulate((len(part) for part, _tokens in parts), initial=0)
    return (tokens.shifted(start) for (_part, tokens), start in zip(parts, starts, strict=False))


def spans_near(texts: Sequence[LiveText], start: int, stop: int) -> list[tuple[int, int]]:
    """Return the spans with any of the bytes [start, stop) in which the texts differ; none where not all are known.

    Raise EngineError where a text cannot be encoded.
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
    spans = ((begin + first, begin + last) for first, last in find_differing_spans(found, end - begin))
    return [(first, last) for first, last in spans if first < stop and last > start]


NO_SPANS: Final = DifferingSpans(np.empty(0, np.int64), np.empty(0, np.int64))


def moved(spans: DifferingSpans, start: int, removed: int, added: int) -> DifferingSpans:
    """Return the spans after an edit, without those that it touched."""
    before, after = spans.stops <= start, spans.starts >= start + removed
    kept, shift = before | after, np.where(after, added - removed, 0)
    return DifferingSpans((spans.starts + shift)[kept], (spans.stops + shift)[kept])
