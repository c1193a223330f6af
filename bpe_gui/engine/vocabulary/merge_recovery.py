"""Recover the merges of tokens for which a file has only ranks.

Encoding repeatedly merges the two neighbours whose concatenation has the lowest rank, the leftmost if ranks are equal.
Until something is merged across the ends of a stretch of text, the merges inside do not depend on its surroundings. So
a token is made of the same two parts everywhere, and encoding the token itself finds them. If encoding does not give
the token, no merge makes it.

A kernel does this in the order of the tokens' lengths, so that the merges of shorter tokens are already known.
"""

from collections.abc import Sequence
from typing import AnyStr, Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.merge_recovery import recover_pairs
from bpe_gui.engine.kernels.encoding.merge_table import IN_ORDER
from bpe_gui.engine.kernels.encoding.word_merging import SPARE_SYMBOLS
from bpe_gui.engine.pipeline.aligned_text import code_points
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array, UInt32Array

from .encoding_tables import check_table_size, new_merge_table
from .merge_scratch import new_pending, new_scratch
from .numbered_tokens import TokenList, starts_of

_NO_PART: Final = -1


class Parts(NamedTuple):
    """The two parts that each token is merged from, as indices of tokens; -1 for a token that no merge makes.

    Bytes (or characters) that are not tokens are numbered after the tokens.
    """

    lefts: Int64Array
    rights: Int64Array


def recover_parts(tokens: Sequence[AnyStr], ranks: Int64Array) -> Parts:
    """Return the parts of unique tokens. Ranks are below the number of tokens, and need not be unique.

    Raise TokenizerError for more tokens than a tokenizer can have.

    >>> parts = recover_parts([b"l", b"o", b"w", b"ow", b"low"], np.arange(5))
    >>> parts.lefts.tolist(), parts.rights.tolist()
    ([-1, -1, -1, 1, 0], [-1, -1, -1, 2, 3])
    """
    spelled = _spell(tokens)
    check_table_size(spelled.symbols)
    parts = Parts(*np.full((2, len(tokens)), _NO_PART, np.int64))
    sizes = np.diff(spelled.starts)
    # The smallest integer type sorts several times as fast.
    by_size = np.argsort(sizes.astype(np.min_scalar_type(int(sizes.max(initial=0)))), kind="stable")
    longer = by_size[np.searchsorted(sizes, 1, "right", sorter=by_size) :]
    table, scratch = new_merge_table(len(sizes)), new_scratch(int(sizes.max(initial=0)) + SPARE_SYMBOLS)
    table.settings[IN_ORDER] = np.array_equal(ranks, np.arange(len(ranks)))
    recover_pairs(spelled.units, spelled.starts, ranks, longer, table, scratch, new_pending(), *parts)
    return parts


class _SpelledTokens(NamedTuple):
    """Tokens as units, which are bytes (or characters), in symbols. A token's index is its symbol."""

    units: Int32Array
    """The units of all tokens, one token after another."""
    starts: Int64Array
    """The index of each token's first unit, followed by the number of units."""
    symbols: int
    """The number of symbols, including those of units that are not tokens."""


def _spell(tokens: Sequence[AnyStr]) -> _SpelledTokens:
    codes, starts = _codes(tokens)
    sizes = np.diff(starts)
    symbol_of = np.full(int(codes.max(initial=0)) + 1, _NO_PART, np.int32)
    single = np.flatnonzero(sizes == 1)
    symbol_of[codes[starts[single]]] = single
    units = symbol_of[codes]
    symbols = len(tokens)
    is_unknown = units == _NO_PART
    if np.any(is_unknown):
        unknown = np.unique(codes[is_unknown])  # avoided if possible: its first call takes as long as all the rest
        symbol_of[unknown] = np.arange(symbols, symbols + len(unknown))
        symbols += len(unknown)
        units = symbol_of[codes]
    return _SpelledTokens(units, starts, symbols)


def _codes(tokens: Sequence[AnyStr]) -> tuple[UInt8Array | UInt32Array, Int64Array]:
    """Return the bytes (or code points) of all tokens, joined, and the start of each token and the end of the last."""
    if isinstance(tokens, TokenList):
        return tokens.text[: tokens.starts[-1]], tokens.starts
    joined = tokens[0][:0].join(tokens) if tokens else b""
    codes = code_points(joined) if isinstance(joined, str) else np.frombuffer(joined, np.uint8)
    return codes, starts_of(tokens)
