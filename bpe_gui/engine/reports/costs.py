"""What texts cost: tokens per line relative to a reference text, the share of a context window, and a price.

The premium follows Petrov, La Malfa, Torr and Bibi, “Language Model Tokenizers Introduce Unfairness Between Languages”
(NeurIPS 2023): the tokens of a text divided by those of a text with the same content. Here, both are per line, because
texts that are translated line by line may lack some. Its interval comes from a bootstrap over the lines.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from math import nan
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.corpora.text_files import ReadingState
from bpe_gui.engine.runtime.types import Float64Array, Int64Array, Progress, no_progress
from bpe_gui.engine.text.utf8 import lines_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .counting import TextMeasures, ratio

CONTEXT: Final = 128_000
"""The tokens of a context window, unless another number is given."""

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 1_000
SEED: Final = 2023
"""Resamples of n lines come from `numpy.random.default_rng([SEED, n])`, so texts with as many lines are resampled
alike, which pairs their lines, and others independently."""

_BATCH: Final = 1_000  # lines encoded at a time
_UNKNOWN: Final = -1  # the id of symbols without one, which count as tokens


@dataclass(frozen=True, slots=True, eq=False)
class LineCounts:
    """The tokens of the lines of a text that are not blank, each encoded by itself.

    `resampled` is the average number of tokens per line in each of the resamples; NaN without lines.
    """

    lines: int
    tokens: int
    resampled: Float64Array

    @property
    def tokens_per_line(self) -> float:
        """The average number of tokens per line; NaN without lines."""
        return ratio(self.tokens, self.lines)


@dataclass(frozen=True, slots=True)
class Terms:
    """What texts are compared with, and what tokens cost.

    `reference` is the index of the text whose premium is 1, `price` that of a million tokens, and `context` the tokens
    of a context window.
    """

    reference: int | None = None
    price: float | None = None
    context: int = CONTEXT


@dataclass(frozen=True, slots=True)
class TextCost:
    """What a text costs; NaN is unknown. From `low` to `high` is the interval of the premium."""

    lines: float
    tokens_per_line: float
    premium: float
    low: float
    high: float
    is_paired: bool
    """Whether the interval is from the same lines of both texts, as both have the same number."""
    context_share: float
    price: float


def count_lines(tokenizer: Tokenizer, documents: Iterable[Document], progress: Progress = no_progress) -> LineCounts:
    r"""Count the tokens of the lines of documents that are not blank. Lines end with `\n` or `\r\n`.

    `progress` is called with the bytes read and 0; an error that it raises ends the work. Raise CorpusError for a
    document that cannot be read, and TokenizerError for a line that cannot be encoded.

    >>> from bpe_gui.engine import TextDocument, train
    >>> counts = count_lines(train("low low lower", num_merges=2), [TextDocument("low\n\nlower\n")])
    >>> counts.lines, counts.tokens, len(counts.resampled)
    (2, 4, 1000)
    """
    tokenizer = tokenizer.with_unknown_id(_UNKNOWN)
    sizes: list[int] = []
    done = 0
    for document in documents:
        state = ReadingState()
        for text in document.texts(state):
            lines = (line for line in lines_of(text) if line.strip())
            while batch := list(islice(lines, _BATCH)):
                progress(done + state.done, 0)
                sizes += map(len, tokenizer.encode_batch(batch))
        done += state.done
    return LineCounts(len(sizes), sum(sizes), _resampled(np.array(sizes, np.int64), lambda: progress(done, 0)))


def _resampled(sizes: Int64Array, announce: Callable[[], None]) -> Float64Array:
    means = np.full(RESAMPLES, nan)
    generator, lines = np.random.default_rng([SEED, len(sizes)]), len(sizes)
    for resample in range(RESAMPLES if lines else 0):
        announce()
        means[resample] = sizes[generator.integers(lines, size=lines)].mean()
    return means


def text_cost(
    measures: TextMeasures, terms: Terms, lines: LineCounts | None = None, reference: LineCounts | None = None
) -> TextCost:
    """Return what a text costs, relative to the lines of a reference text if both are known."""
    premium = low = high = nan
    is_paired = False
    if lines and reference and lines.lines and reference.lines and reference.resampled.all():
        premium = ratio(lines.tokens_per_line, reference.tokens_per_line)
        if min(lines.lines, reference.lines) > 1:  # one line does not say how much depends on which it is
            outside = (1 - CONFIDENCE) / 2
            low, high = np.quantile(lines.resampled / reference.resampled, [outside, 1 - outside]).tolist()
        is_paired = lines.lines == reference.lines
    return TextCost(
        lines.lines if lines else nan,
        lines.tokens_per_line if lines else nan,
        premium,
        low,
        high,
        is_paired,
        measures.tokens / terms.context,
        nan if terms.price is None else measures.tokens * terms.price / 1_000_000,
    )
