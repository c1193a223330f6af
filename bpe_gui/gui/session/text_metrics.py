"""Measuring a text with its tokens part by part: of a hundred megabytes, all at once would take gigabytes."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.tokenization.results import NO_TOKENS, TokenArrays, joined
from bpe_gui.engine.metrics import LineMetrics, Metrics, measure, measure_lines

from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID

_TOGETHER: Final = 64
"""Parts of a text that are measured together: about a megabyte."""

_LINE_BREAKS: Final = (b"\n", b"\r", "\u2029".encode())  # no part ends between a carriage return and a line feed
_COUNTS: Final = tuple(field.name for field in fields(LineMetrics) if field.name != "starts")

Part = tuple[bytes, TokenArrays]
"""A part of a text, and its tokens; their places count from the start of the part."""


class Measures(NamedTuple):
    """A text as it is encoded, and as another tokenizer would do it."""

    now: Metrics
    final: Metrics
    lines: LineMetrics


def measure_in_parts(parts: Sequence[Part], final: Tokenizer | None, report: Report) -> Measures:
    """Measure a text in parts; without another tokenizer, `final` is as it is now. Raises EngineError."""
    now = later = Metrics()
    lines = _Lines()
    size = sum(len(text) for text, _tokens in parts)
    for text, tokens in _batches(parts):
        report(now.bytes, size)
        present = measure(text, tokens.starts, tokens.stops)
        is_one_word = now.ends_in_word and present.begins_in_word
        lines.add(text, measure_lines(text, tokens.starts, tokens.stops), is_one_word=is_one_word)
        now += present
        later += present if final is None else _measured_by(final, text)
    return Measures(now, later, lines.joined())


def _batches(parts: Sequence[Part]) -> Iterator[Part]:
    for first in range(0, len(parts), _TOGETHER):
        batch = parts[first : first + _TOGETHER]
        starts = accumulate((len(text) for text, _tokens in batch), initial=0)
        moved = [tokens.moved(start) for (_text, tokens), start in zip(batch, starts, strict=False)]
        yield b"".join(text for text, _tokens in batch), joined(moved)


def _measured_by(tokenizer: Tokenizer, text: bytes) -> Metrics:
    tokens: TokenArrays = tokenizer.with_unknown_id(UNKNOWN_ID).token_arrays(text)
    return measure(text, tokens.starts, tokens.stops)


class _Lines:
    """The lines of a text that comes in parts. The last of a part goes on in the next one, unless a break ends it."""

    def __init__(self) -> None:
        self._parts = [measure_lines(b"", NO_TOKENS.starts, NO_TOKENS.stops)]
        self._size = 0
        self._goes_on = False

    def add(self, text: bytes, lines: LineMetrics, *, is_one_word: bool) -> None:
        """Add those of the next part; `is_one_word`: its first word began in the part before."""
        whole = {name: getattr(lines, name) for name in _COUNTS}
        starts = lines.starts + self._size
        if self._goes_on and len(lines):
            last = self._parts[-1]
            for name, counts in whole.items():
                getattr(last, name)[-1] += counts[0]
                whole[name] = counts[1:]
            last.words[-1] -= is_one_word
            starts = starts[1:]
        if len(starts):
            self._parts.append(LineMetrics(starts, **whole))
        self._size += len(text)
        self._goes_on = not text.endswith(_LINE_BREAKS)

    def joined(self) -> LineMetrics:
        """The lines of the whole text."""
        return LineMetrics(
            *(np.concatenate([getattr(part, each.name) for part in self._parts]) for each in fields(LineMetrics))
        )
