"""Compare symbols by their bytes; a prefix of each, stored as a number, settles most comparisons."""

from typing import Final

from bpe_gui.engine.compilation.kernel import helper

from .records import SymbolTable

_PREFIX_BYTES: Final = 7  # as many as fit into 64 bits without the sign bit


@helper
def store_prefix(symbols: SymbolTable, symbol: int) -> None:
    """Store the first bytes of a symbol as a number."""
    prefix = 0
    start, end = symbols.starts[symbol], symbols.starts[symbol + 1]
    for i in range(_PREFIX_BYTES):
        prefix = (prefix << 8) | (symbols.text[start + i] if start + i < end else 0)
    symbols.prefixes[symbol] = prefix


@helper
def compare_symbols(symbols: SymbolTable, one: int, other: int) -> int:
    """Compare the bytes of two symbols. Return a number above 0 if `one` is greater, below 0 if `other` is, else 0."""
    if one == other:
        return 0
    if symbols.prefixes[one] != symbols.prefixes[other]:
        return 1 if symbols.prefixes[one] > symbols.prefixes[other] else -1
    text, starts = symbols.text, symbols.starts
    start, other_start = starts[one], starts[other]
    length, other_length = starts[one + 1] - start, starts[other + 1] - other_start
    for i in range(min(length, other_length)):
        if text[start + i] != text[other_start + i]:
            return 1 if text[start + i] > text[other_start + i] else -1
    return length - other_length
