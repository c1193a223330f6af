"""Measure text with its tokens part by part: measuring 100 MB at once would take gigabytes."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.metrics import LineMetrics, Metrics, measure, measure_lines
from bpe_gui.engine.tokenization import NO_TOKENS, TokenArrays, joined
from bpe_gui.gui.jobs import Report

from .encoded_text import UNKNOWN_ID

_BATCH: Final = 64  # parts that are measured at once, about a megabyte

_LINE_BREAKS: Final = (b"\n", b"\r", "\u2029".encode())  # no part ends between a carriage return and a line feed
_COUNTS: Final = tuple(field.name for field in fields(LineMetrics) if field.name != "starts")

TextPart = tuple[bytes, TokenArrays]
"""A part of the text in UTF-8, and its tokens, whose byte offsets count from the start of the part."""


class TextMetrics(NamedTuple):
    """The metrics of the text as of the cursor and as of the end of the run, and of each line as of the cursor."""

    now: Metrics
    final: Metrics
    lines: LineMetrics


def measure_in_parts(parts: Sequence[TextPart], final_tokenizer: Tokenizer | None, report: Report) -> TextMetrics:
    """Return the metrics of the parts together, with the tokens given and with those of the final tokenizer.

    None for the final tokenizer says that it gives the same tokens. `report` is called with the bytes done and in
    total. Raise EngineError if the final tokenizer cannot encode the text, and Cancelled.
    """
    now = final = Metrics()
    lines = _LineJoiner()
    size = sum(len(text) for text, _tokens in parts)
    for text, tokens in _batches(parts):
        report(now.bytes, size)
        metrics = measure(text, tokens.starts, tokens.stops)
        continues_word = now.ends_in_word and metrics.begins_in_word
        lines.add(text, measure_lines(text, tokens.starts, tokens.stops), continues_word=continues_word)
        now += metrics
        final += metrics if final_tokenizer is None else _measure_with(final_tokenizer, text)
    return TextMetrics(now, final, lines.joined())


def _batches(parts: Sequence[TextPart]) -> Iterator[TextPart]:
    for first in range(0, len(parts), _BATCH):
        batch = parts[first : first + _BATCH]
        starts = accumulate((len(text) for text, _tokens in batch), initial=0)
        moved = [tokens.shifted(start) for (_text, tokens), start in zip(batch, starts, strict=False)]
        yield b"".join(text for text, _tokens in batch), joined(moved)


def _measure_with(tokenizer: Tokenizer, text: bytes) -> Metrics:
    tokens: TokenArrays = tokenizer.with_unknown_id(UNKNOWN_ID).token_arrays(text)
    return measure(text, tokens.starts, tokens.stops)


class _LineJoiner:
    """The metrics of lines of text that comes in parts; the last line of a part may continue in the next."""

    def __init__(self) -> None:
        self._parts = [measure_lines(b"", NO_TOKENS.starts, NO_TOKENS.stops)]
        self._size = 0
        self._is_line_open = False

    def add(self, text: bytes, lines: LineMetrics, *, continues_word: bool) -> None:
        """Add the lines of the next part; its first word may continue the last one of the part before."""
        counts = {name: getattr(lines, name) for name in _COUNTS}
        starts = lines.starts + self._size
        if self._is_line_open and len(lines):
            last = self._parts[-1]
            for name, values in counts.items():
                getattr(last, name)[-1] += values[0]
                counts[name] = values[1:]
            last.words[-1] -= continues_word
            starts = starts[1:]
        if len(starts):
            self._parts.append(LineMetrics(starts, **counts))
        self._size += len(text)
        self._is_line_open = not text.endswith(_LINE_BREAKS)

    def joined(self) -> LineMetrics:
        """Return the lines of the whole text."""
        return LineMetrics(
            *(np.concatenate([getattr(part, each.name) for part in self._parts]) for each in fields(LineMetrics))
        )
