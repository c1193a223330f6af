"""What SentencePiece's trainer does before its merges: counted words become the words that it trains on.

Each counted word is normalized on its own: text between spaces, or a line if the options depend on the whole of it. The
most frequent characters, which cover the given share of the text, are the alphabet. Words end at the others and, as in
`kernels.text.sentences`, wherever no piece may go on. That changes no merge, but leaves fewer and shorter words. What
characters do not tell when two symbols merge, such as the length of a piece, the kernels of training check.

One difference to the package is intended: it skips lines of more than 4,192 bytes, and here no text is lost.

No piece is made twice, because its characters merge in the same way everywhere until something merges across its ends;
see `tokenization.merge_recovery`. So the package's check for that is not needed.
"""

import re
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.word_arrays import WordArrays, WordTally, padded
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.kernels.text.sentences import (
    AFTER,
    BEFORE,
    DROPPED,
    NOWHERE,
    SPACE,
    TRANSPARENT,
    count_by_character,
    cut_words,
)
from bpe_gui.engine.runtime.errors import CorpusError, TrainingError
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.sentencepiece import (
    BOUNDARY,
    LINES,
    SPACE_SYMBOL,
    SPACES,
    SentencePieceOptions,
    character_classes,
    required_characters,
)

from .plan import Plan, Veto

_CODE_POINTS: Final = 0x110000
_UNSEEN: Final = (TRANSPARENT, SPACE)
"""The classes of characters that go with any script."""


def training_words(word_counts: WordCounts, options: SentencePieceOptions) -> WordCounts:
    r"""Return the words to train on, in the order in which their texts were first seen. Raise TrainingError.

    >>> training_words(WordCounts({"low": 2, "low,": 1}, r"[^ \n]+"), SentencePieceOptions())
    WordCounts({'▁low': 3, ',': 1})
    """
    if word_counts.splitter == SPACES and options.splitter == LINES:
        raise TrainingError(
            "These SentencePiece options depend on whole lines, so the recipe's splitter must be {wanted}.",
            wanted=LINES,
        )
    normalized = _normalized(word_counts, options)
    text, size = padded(normalized), len(normalized)
    frequencies = word_counts.frequencies
    counts = np.zeros(_CODE_POINTS, np.int64)
    count_by_character(text, size, frequencies, counts)
    classes = np.full(_CODE_POINTS, DROPPED, np.int32)
    alphabet = required_characters(counts, options.character_coverage)
    classes[alphabet] = character_classes(options)[alphabet]
    at_space = AFTER if options.treat_whitespace_as_suffix else BEFORE
    out, starts, sources = np.empty(len(text), np.uint8), np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
    count = cut_words(text, size, classes, at_space if options.split_by_whitespace else NOWHERE, out, starts, sources)
    if not count:
        raise TrainingError("Nothing is left of the corpus after normalization. Add some text.")
    sources = sources[:count]
    tally = WordTally()
    tally.add(WordArrays(out, starts[: count + 1], frequencies[sources], word_counts.first_seen[sources]))
    return WordCounts.of_words(tally.words().copy(), word_counts.facts)


def _normalized(word_counts: WordCounts, options: SentencePieceOptions) -> bytes:
    """Return the normalized words, each followed by a mark, with a boundary in place of each special piece."""
    # Other recipes do without a pipeline.
    from bpe_gui.engine.pipeline.charsmaps import part_of, shipped_map
    from bpe_gui.engine.pipeline.sentencepiece import normalizer_with

    counts = np.zeros(_CODE_POINTS, np.int64)
    count_by_character(padded(word_counts.text), len(word_counts.text), np.ones(1, np.int64), counts)
    normalizer = normalizer_with(options, part_of(shipped_map(options.normalization), counts > 0))
    text = normalizer.normalize_joined(word_counts.text.tobytes(), word_counts.starts[1:], 1)
    if text is None:
        raise CorpusError("There is not enough memory to normalize this corpus. Train on part of it.")
    pieces = sorted(options.fixed_pieces(word_counts.special_tokens), key=len, reverse=True)
    return re.sub(b"|".join(re.escape(piece.encode()) for piece in pieces), BOUNDARY.encode(), text)


def veto_of(plan: Plan, recipe: Recipe, left: bytes, right: bytes) -> Veto | None:
    """Return why training may not choose a pair, or None if it may. An option that forbids it is given as a rule.

    >>> veto_of(Plan(), Recipe.of("sentencepiece"), b"low", b",")
    Veto(kind='rule', value='no-mixed-scripts')
    """
    veto, options = plan.veto_of(left, right), recipe.sentencepiece
    rule = "" if veto or options is None else _rule_against(options, left, right)
    return Veto("rule", rule) if rule else veto


def _rule_against(options: SentencePieceOptions, left: bytes, right: bytes) -> str:
    """Return the rule of a plan that is like the option which forbids a merge; empty if none does."""
    first, second = left.decode(), right.decode()
    if len(first + second) > options.max_sentencepiece_length:
        return f"max-characters={options.max_sentencepiece_length}"
    if (first if options.treat_whitespace_as_suffix else second) == SPACE_SYMBOL:
        return "no-leading-space"
    classes = character_classes(options)
    before = next((kind for kind in classes[[*map(ord, reversed(first))]] if kind not in _UNSEEN), TRANSPARENT)
    after = next((kind for kind in classes[[*map(ord, second)]] if kind not in _UNSEEN), TRANSPARENT)
    return "no-mixed-scripts" if before > DROPPED and after > DROPPED and before != after else ""
