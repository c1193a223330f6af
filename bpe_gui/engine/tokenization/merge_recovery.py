"""Recover the merges behind tokens of which a file has only the ranks.

Encoding merges, again and again, the two neighbours whose joined spelling has the lowest rank, of equal ranks the
leftmost. As long as nothing is merged across the ends of a stretch of text, what happens inside does not depend on its
surroundings. So a token is made of the same two parts wherever it is made, and these are found by encoding the token
itself. If that does not give the token, no merge makes it.

A kernel does it in the order of the tokens' lengths, so that the merges of shorter tokens are known already.
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
from .encoding_worker import new_pending, new_scratch
from .numbered_tokens import TokenList, starts_of

_NO_PART: Final = -1


class Parts(NamedTuple):
    """The two parts that each token is merged from, as indices of tokens; -1 for a token that no merge makes.

    Bytes (or characters) that are not tokens themselves are numbered from the number of tokens on.
    """

    lefts: Int64Array
    rights: Int64Array


def recover_parts(tokens: Sequence[AnyStr], ranks: Int64Array) -> Parts:
    """Return the parts of tokens, all of them different, with ranks below the number of tokens that some may share.

    Raise TokenizerError for more than a tokenizer can have.

    >>> parts = recover_parts([b"l", b"o", b"w", b"ow", b"low"], np.arange(5))
    >>> parts.lefts.tolist(), parts.rights.tolist()
    ([-1, -1, -1, 1, 0], [-1, -1, -1, 2, 3])
    """
    spelled = _spell(tokens)
    check_table_size(spelled.symbols)
    parts = Parts(*np.full((2, len(tokens)), _NO_PART, np.int64))
    sizes = np.diff(spelled.starts)
    # In the smallest type, which is sorted several times as fast.
    by_size = np.argsort(sizes.astype(np.min_scalar_type(int(sizes.max(initial=0)))), kind="stable")
    longer = by_size[np.searchsorted(sizes, 1, "right", sorter=by_size) :]
    table, scratch = new_merge_table(len(sizes)), new_scratch(int(sizes.max(initial=0)) + SPARE_SYMBOLS)
    table.settings[IN_ORDER] = np.array_equal(ranks, np.arange(len(ranks)))
    recover_pairs(spelled.units, spelled.starts, ranks, longer, table, scratch, new_pending(), *parts)
    return parts


class _SpelledTokens(NamedTuple):
    """Tokens as the units that they consist of: bytes (or characters), as symbols. A token's index is its symbol."""

    units: Int32Array
    """The units of all tokens, one token after another."""
    starts: Int64Array
    """By token: the index of its first unit; and once more, the number of units."""
    symbols: int
    """The number of symbols: a unit that is not a token has one too."""


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
        unknown = np.unique(codes[is_unknown])  # whose first call takes as long as all the rest
        symbol_of[unknown] = np.arange(symbols, symbols + len(unknown))
        symbols += len(unknown)
        units = symbol_of[codes]
    return _SpelledTokens(units, starts, symbols)


def _codes(tokens: Sequence[AnyStr]) -> tuple[UInt8Array | UInt32Array, Int64Array]:
    """Return the bytes (or code points) of all tokens, one after another, and where each begins and the last ends."""
    if isinstance(tokens, TokenList):
        return tokens.text[: tokens.starts[-1]], tokens.starts
    joined = tokens[0][:0].join(tokens) if tokens else b""
    codes = code_points(joined) if isinstance(joined, str) else np.frombuffer(joined, np.uint8)
    return codes, starts_of(tokens)
