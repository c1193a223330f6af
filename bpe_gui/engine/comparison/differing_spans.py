"""A text as several tokenizers split it, and the spans in which they differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, Self

import numpy as np

from bpe_gui.engine.metrics import Metrics, measure
from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import BoolArray, Int64Array
from bpe_gui.engine.tokenization.results import TokenArrays, joined
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

_UNKNOWN: Final = -1
"""The id that marks symbols without an id."""

_CHUNK: Final = 1 << 18
"""The bytes that are encoded at a time, about: normalizing a text takes many times its size."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedText:
    """A text as one tokenizer splits it.

    `unknown` is the number of tokens that stand for symbols without an id, and `first_unknown` the byte at which the
    first of them begins; None if there is none. `is_aligned` says that the tokens cover bytes as they are in the text;
    if not, a normalizer changes this text, and the offsets of tokens are only the bytes that they stem from.
    """

    tokens: TokenArrays
    metrics: Metrics
    unknown: int
    first_unknown: int | None
    is_aligned: bool

    @classmethod
    def of(cls, tokenizer: Tokenizer, text: bytes, metrics: Metrics) -> Self:
        """Encode a text in UTF-8. `metrics` are those of the text without tokens."""
        unknown_id = _UNKNOWN if tokenizer.unknown_id is None else tokenizer.unknown_id
        tokenizer, pipeline = tokenizer.with_unknown_id(unknown_id), tokenizer.pipeline
        chunks = tokenizer.chunker.chunks(text, _CHUNK) or [b""]  # nothing may have ids around it
        begins = accumulate(map(len, chunks), initial=0)
        tokens = joined([tokenizer.token_arrays(chunk).shifted(at) for chunk, at in zip(chunks, begins, strict=False)])
        are_unknown = np.flatnonzero(tokens.ids == unknown_id)
        single = int(np.count_nonzero(tokens.stops - tokens.starts == 1))
        return cls(
            tokens,
            replace(metrics, tokens=len(tokens.ids), single_byte_tokens=single),
            unknown=len(are_unknown),
            first_unknown=int(tokens.starts[are_unknown[0]]) if len(are_unknown) else None,
            is_aligned=pipeline is None or all(pipeline.keeps_text(chunk.decode()) for chunk in chunks),
        )

    def tokens_in(self, start: int, stop: int) -> TokenArrays:
        """Return the tokens of a differing span, in which no token begins or ends outside.

        A token that covers no bytes belongs to those before it.
        """
        first = int(np.searchsorted(self.tokens.stops, start, "right")) if start else 0
        return self.tokens.slice(first, int(np.searchsorted(self.tokens.stops, stop, "right")))


def metrics_without_tokens(text: bytes) -> Metrics:
    """Return the size of a text in UTF-8."""
    nothing = np.empty(0, np.int64)
    return measure(text, nothing, nothing)


@dataclass(frozen=True, slots=True, eq=False)
class DifferingSpans:
    """The spans of a text in which tokenizers differ, as parallel arrays; span i is [`starts[i]`, `stops[i]`) in bytes.

    At either end of a span, all tokenizers have a token boundary, and inside it they share none. `bytes` is the size of
    all spans.
    """

    starts: Int64Array
    stops: Int64Array

    def __len__(self) -> int:
        """Return the number of spans."""
        return len(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the start and the stop of each span."""
        return zip(self.starts.tolist(), self.stops.tolist(), strict=True)

    @property
    def bytes(self) -> int:
        """The number of bytes in all spans."""
        return int((self.stops - self.starts).sum())


@checks_arguments(TokenizerError)
def find_differing_spans(texts: Sequence[TokenArrays], size: int) -> DifferingSpans:
    """Return the spans in which tokens of the same text of `size` bytes differ.

    Tokens that cover no bytes are left out: they add no boundary.

    >>> one, other = np.array([0, 2, 3, 5]), np.array([0, 1, 3, 5])
    >>> spans = find_differing_spans([TokenArrays(edges, edges[:-1], edges[1:]) for edges in (one, other)], 5)
    >>> list(spans)
    [(0, 3)]
    """
    spans = [
        (tokens.starts[covers], tokens.stops[covers]) for tokens in texts for covers in (tokens.stops > tokens.starts,)
    ]
    is_start = [_marks(starts, size) for starts, _stops in spans]
    is_edge = [_marks(stops, size) | is_own for (_starts, stops), is_own in zip(spans, is_start, strict=True)]
    shared = np.logical_and.reduce(is_edge)
    shared[[0, size]] = True
    cuts = np.flatnonzero(shared)
    # Where nothing is split differently, one may still have a token that another drops.
    differs = np.logical_or.reduce([marks[cuts] for marks in is_start])
    differs &= ~np.logical_and.reduce([marks[cuts] for marks in is_start])
    unshared = np.flatnonzero(np.logical_or.reduce(is_edge) & ~shared)
    differs[np.searchsorted(cuts, unshared) - 1] = True
    chosen = np.flatnonzero(differs[:-1])
    return DifferingSpans(cuts[chosen], cuts[chosen + 1])


def _marks(offsets: Int64Array, size: int) -> BoolArray:
    """Return for each offset up to `size` whether it is one of these."""
    marks = np.zeros(size + 1, np.bool_)
    marks[offsets] = True
    return marks
