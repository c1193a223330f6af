"""Compare tokenizers on a text, and with each other."""

from collections.abc import Iterable
from functools import cached_property
from itertools import combinations
from numbers import Integral
from typing import Final

from bpe_gui.engine.runtime.arguments import check_type, checks_arguments
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.utf8 import check_surrogates, decode_utf8
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .differing_spans import DifferingSpans, TokenizedText, find_differing_spans, metrics_without_tokens
from .pairs import PairComparison


@checks_arguments(TokenizerError)
class Comparison:
    """Two or more tokenizers and a text in UTF-8, as each splits it. Everything else is found when asked for."""

    def __init__(self, tokenizers: tuple[Tokenizer, ...], text: bytes) -> None:
        self.tokenizers: Final = tokenizers
        self.text: Final = text
        metrics = metrics_without_tokens(text)
        self.texts: Final = tuple(TokenizedText.of(tokenizer, text, metrics) for tokenizer in tokenizers)
        """The text as each tokenizer splits it."""

    @property
    def aligned(self) -> tuple[int, ...]:
        """The indices of the tokenizers whose tokens cover bytes of this text, so that boundaries can be compared."""
        return tuple(index for index, each in enumerate(self.texts) if each.is_aligned)

    @cached_property
    def differences(self) -> DifferingSpans | None:
        """The spans in which the aligned tokenizers differ; None if fewer than two are."""
        return self.differences_of(*self.aligned) if len(self.aligned) > 1 else None

    def differences_of(self, *indices: int) -> DifferingSpans:
        """Return the spans in which some of the tokenizers differ, which are given by their indices."""
        if len(indices) < 2:
            raise TokenizerError(_("EngineError", "A comparison needs at least two tokenizers."))
        return find_differing_spans([self._text_of(index).tokens for index in indices], len(self.text))

    def _text_of(self, index: int) -> TokenizedText:
        self._check_index(index)
        return self.texts[index]

    def _check_index(self, *indices: int) -> None:
        """Raise TokenizerError for an index of no tokenizer."""
        for index in indices:
            check_type("index", index, (Integral,), TokenizerError)
            if not 0 <= index < len(self.tokenizers):
                raise TokenizerError(
                    _("EngineError", "There is no tokenizer {index}. The indices range from 0 to {last}."),
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
        """Return how two of the tokenizers, given by their indices, differ in vocabulary and merges."""
        self._check_index(first, second)
        known = self._pairs.get((first, second))
        return known or PairComparison(self.tokenizers[first], self.tokenizers[second])


@checks_arguments(TokenizerError)
def compare(tokenizers: Iterable[Tokenizer], text: str | bytes = b"") -> Comparison:
    """Compare two or more tokenizers, and how they split a text, which may be given in UTF-8.

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
        check_type("tokenizer", tokenizer, (Tokenizer,), TokenizerError)
    if len(compared) < 2:
        raise TokenizerError(_("EngineError", "A comparison needs at least two tokenizers."))
    if isinstance(text, str):
        check_surrogates(text, error=TokenizerError)
        text = text.encode()
    else:
        decode_utf8(text)
    return Comparison(compared, text)
