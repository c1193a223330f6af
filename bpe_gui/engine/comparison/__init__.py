"""Comparison: where tokenizers split a text differently, and how their vocabularies and merges differ."""

from .comparison import Comparison, DifferingSpans, TokenizedText, compare, find_differing_spans
from .pairs import MergeDifference, PairComparison, SwitchDifference, ids_by_text

__all__ = [
    "Comparison",
    "DifferingSpans",
    "MergeDifference",
    "PairComparison",
    "SwitchDifference",
    "TokenizedText",
    "compare",
    "find_differing_spans",
    "ids_by_text",
]
