"""Compare tokenizers on a text: how each splits it, and the spans in which they differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, islice
from numbers import Integral
from typing import Final, Self

import numpy as np

from bpe_gui.engine.encoding.results import NO_TOKENS, TokenArrays, joined
from bpe_gui.engine.metrics import Metrics, measure
from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.shown_tokens import table_in_html, tokens_in_html
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.utf8 import check_surrogates, decode_utf8
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.unknown_symbols import unknown_tokens

from .pairs import PairComparison
from .steps import StepDifference

_UNKNOWN: Final = -1
"""The id that marks symbols without an id."""

_CHUNK: Final = 1 << 18
"""About how many bytes are encoded at a time, because normalizing a text takes many times its size in memory."""

_AROUND: Final = 24
"""How many bytes around a differing span are looked at to find out why it differs."""

_MOST_SPANS: Final = 200
_BEGINNING: Final = 1 << 14
"""How many bytes of a text are looked at if no differing span says why, and how many a notebook shows."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedText:
    """A text as one tokenizer splits it.

    `unknown` is the number of tokens for symbols without an id, and `first_unknown` the byte at which the first of them
    begins; None if all have ids. `is_aligned` says that tokens cover the bytes of the text itself; if not, a normalizer
    changes this text, and the offsets of tokens only say which bytes they come from.
    """

    tokens: TokenArrays
    metrics: Metrics
    unknown: int
    first_unknown: int | None
    is_aligned: bool

    @classmethod
    def of(cls, tokenizer: Tokenizer, text: bytes, metrics: Metrics) -> Self:
        """Encode a text in UTF-8. `metrics` are the metrics of the text without tokens."""
        unknown_id = _UNKNOWN if tokenizer.unknown_id is None else tokenizer.unknown_id
        tokenizer, pipeline = tokenizer.with_unknown_id(unknown_id), tokenizer.as_pipeline
        chunks = tokenizer.chunker.chunks(text, _CHUNK) or [b""]  # even an empty text may have ids around it
        begins = accumulate(map(len, chunks), initial=0)
        parts, unknown = list[TokenArrays](), list[Int64Array]()
        for chunk, at in zip(chunks, begins, strict=False):
            part = tokenizer.token_arrays(chunk)
            unknown.append(part.starts[unknown_tokens(tokenizer, part, chunk)] + np.int64(at))
            parts.append(part.shifted(at))
        tokens, unknown_starts = joined(parts), np.concatenate(unknown)
        single = int(np.count_nonzero(tokens.stops - tokens.starts == 1))
        return cls(
            tokens,
            replace(metrics, tokens=len(tokens.ids), single_byte_tokens=single),
            unknown=len(unknown_starts),
            first_unknown=int(unknown_starts[0]) if len(unknown_starts) else None,
            is_aligned=all(pipeline.keeps_text(chunk.decode()) for chunk in chunks),
        )

    def tokens_in(self, start: int, stop: int) -> TokenArrays:
        """Return the tokens of a differing span, whose ends no token crosses.

        A token that covers no bytes goes with the bytes before it.
        """
        first = int(np.searchsorted(self.tokens.stops, start, "right")) if start else 0
        return self.tokens.slice(first, int(np.searchsorted(self.tokens.stops, stop, "right")))


def metrics_without_tokens(text: bytes) -> Metrics:
    """Return those metrics of a text in UTF-8 that do not depend on tokens."""
    nothing = np.empty(0, np.int64)
    return measure(text, nothing, nothing)


@dataclass(frozen=True, slots=True, eq=False)
class DifferingSpans:
    """The spans of a text in which tokenizers differ, as parallel arrays; span i is [`starts[i]`, `stops[i]`) in bytes.

    All tokenizers have a token boundary at both ends of a span, and share none inside it. `bytes` is the size of all
    spans.
    """

    starts: Int64Array
    stops: Int64Array

    @classmethod
    def between(cls, texts: Iterable[Iterable[TokenArrays]], size: int) -> "DifferingSpans":
        """Return the spans in which several tokenizations of a text of `size` bytes differ; each is given in parts.

        Tokens that cover no bytes are left out, because they add no boundary.

        >>> one, other = np.array([0, 2, 3, 5]), np.array([0, 1, 3, 5])
        >>> spans = DifferingSpans.between([[TokenArrays(edges, edges[:-1], edges[1:])] for edges in (one, other)], 5)
        >>> list(spans)
        [(0, 3)]
        """
        # By offset: whether it is a boundary in all texts, or in any; whether a token starts there in all, or in any.
        shared, all_start = np.ones((2, size + 1), np.bool_)
        any_edge, any_start = np.zeros((2, size + 1), np.bool_)
        for parts in texts:
            is_start, is_edge = np.zeros((2, size + 1), np.bool_)
            for tokens in parts:
                covers = tokens.stops > tokens.starts
                is_start[tokens.starts[covers]] = True
                is_edge[tokens.stops[covers]] = True
            is_edge |= is_start
            shared &= is_edge
            any_edge |= is_edge
            all_start &= is_start
            any_start |= is_start
        shared[[0, size]] = True
        cuts = np.flatnonzero(shared)
        # Even where boundaries agree, one may have a token for bytes that another drops.
        differs = any_start[cuts] & ~all_start[cuts]
        unshared = np.flatnonzero(any_edge & ~shared)
        differs[np.searchsorted(cuts, unshared) - 1] = True
        chosen = np.flatnonzero(differs[:-1])
        return cls(cuts[chosen], cuts[chosen + 1])

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


class Comparison:
    """Two or more tokenizers and a text in UTF-8, as each splits it. Everything else is computed on first use."""

    def __init__(self, tokenizers: tuple[Tokenizer, ...], text: bytes) -> None:
        self.tokenizers: Final = tokenizers
        self.text: Final = text
        metrics = metrics_without_tokens(text)
        self.texts: Final = tuple(TokenizedText.of(tokenizer, text, metrics) for tokenizer in tokenizers)
        """The text as each tokenizer splits it."""

    def _repr_html_(self) -> str:
        """Return how each tokenizer splits the beginning of the text, as a notebook shows it.

        The tokens in differing spans are underlined.
        """
        sizes: list[tuple[str, ...]] = [("tokenizer", "entries", "merges", "tokens", "bytes per token")]
        for index, (tokenizer, each) in enumerate(zip(self.tokenizers, self.texts, strict=True)):
            counts = tokenizer.vocab_size, tokenizer.position, each.metrics.tokens
            sizes.append((str(index), *(f"{count:,}" for count in counts), f"{each.metrics.bytes_per_token:.3f}"))
        beginning = self.text[:_BEGINNING].decode(errors="ignore")
        stop = len(beginning.encode())
        marked = [] if self.differences is None else [span for span in self.differences if span[0] < stop]
        rows = [table_in_html(sizes)]
        for index, each in enumerate(self.texts):
            ids, starts, stops = each.tokens_in(0, stop) if beginning else NO_TOKENS
            spans = list(zip(starts.tolist(), stops.tolist(), strict=True))
            marks = marked if index in self.aligned else ()
            rows.append(f"<div>{index}</div>" + tokens_in_html(beginning, spans, ids.tolist(), marks))
        if stop < len(self.text):
            rows.append(f"<div>… {len(self.text) - stop:,} more bytes</div>")
        return "".join(rows)

    @property
    def aligned(self) -> tuple[int, ...]:
        """The indices of the tokenizers whose tokens cover the text's own bytes, so that boundaries can be compared."""
        return tuple(index for index, each in enumerate(self.texts) if each.is_aligned)

    @cached_property
    def differences(self) -> DifferingSpans | None:
        """The spans in which the aligned tokenizers differ; None if there are fewer than two."""
        return self.differences_of(*self.aligned) if len(self.aligned) > 1 else None

    def differences_of(self, *indices: int) -> DifferingSpans:
        """Return the spans in which the tokenizers with these indices differ."""
        if len(indices) < 2:
            raise TokenizerError("A comparison needs at least two tokenizers.")
        return DifferingSpans.between([[self._text_of(index).tokens] for index in indices], len(self.text))

    def _text_of(self, index: int) -> TokenizedText:
        self._check_index(index)
        return self.texts[index]

    def _check_index(self, *indices: int) -> None:
        """Raise TokenizerError for an index without a tokenizer."""
        for index in indices:
            check_type("index", index, Integral)
            if not 0 <= index < len(self.tokenizers):
                raise TokenizerError(
                    "There is no tokenizer {index}. The indices range from 0 to {last}.",
                    index=index,
                    last=len(self.tokenizers) - 1,
                )

    def tokens_in(self, index: int, start: int, stop: int) -> list[bytes]:
        """Return the bytes of the text that the tokens of one tokenizer cover in a differing span."""
        _ids, starts, stops = self._text_of(index).tokens_in(start, stop)
        return [self.text[begin:end] for begin, end in zip(starts.tolist(), stops.tolist(), strict=True)]

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], PairComparison]:
        return {
            (first, second): PairComparison(self.tokenizers[first], self.tokenizers[second])
            for first, second in combinations(range(len(self.tokenizers)), 2)
        }

    def pair(self, first: int = 0, second: int = 1) -> PairComparison:
        """Return how the vocabularies and merges of two tokenizers, given by their indices, differ."""
        self._check_index(first, second)
        known = self._pairs.get((first, second))
        return known or PairComparison(self.tokenizers[first], self.tokenizers[second])

    def steps(self, first: int = 0, second: int = 1) -> tuple[StepDifference, ...]:
        """Return the steps in which two tokenizers, given by their indices, differ.

        Each comes with the first part of the text that shows the difference, if any does.
        """
        return self.pair(first, second).steps(self._telling_parts(first, second))

    def _telling_parts(self, *indices: int) -> Iterator[str]:
        """Yield parts of the text that may show how two tokenizers differ: differing spans, then the beginning."""
        if all(self.texts[index].is_aligned for index in indices):
            for start, stop in islice(self.differences_of(*indices), _MOST_SPANS):
                part = self.text[max(0, start - _AROUND) : min(stop, start + _BEGINNING) + _AROUND]
                yield part.decode(errors="ignore")
        yield self.text[:_BEGINNING].decode(errors="ignore")


def compare(tokenizers: Iterable[Tokenizer], text: str | bytes = b"") -> Comparison:
    """Compare two or more tokenizers, and how they split a text, given as a string or in UTF-8.

    Raise TokenizerError for fewer than two tokenizers, and for a text with a lone surrogate or invalid UTF-8.

    >>> from bpe_gui.engine import train
    >>> few, many = (train("low low low lower lower", num_merges=merges) for merges in (1, 4))
    >>> comparison = compare([few, many], "low lower")
    >>> [each.metrics.tokens for each in comparison.texts], list(comparison.differences)
    ([7, 3], [(0, 3), (3, 7), (7, 9)])
    >>> [comparison.tokens_in(index, 3, 7) for index in (0, 1)]
    [[b' ', b'l', b'ow'], [b' low']]
    >>> comparison.pair().shared, comparison.pair().first_merge.rank
    (257, 1)
    """
    compared = tuple(tokenizers)
    for tokenizer in compared:
        check_type("tokenizer", tokenizer, Tokenizer)
    if len(compared) < 2:
        raise TokenizerError("A comparison needs at least two tokenizers.")
    check_type("text", text, str, bytes)
    if isinstance(text, str):
        check_surrogates(text, error=TokenizerError)
        text = text.encode()
    else:
        decode_utf8(text)
    return Comparison(compared, text)
