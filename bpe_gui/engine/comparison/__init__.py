"""Comparison: where tokenizers split a text differently, and how their vocabularies and merges differ."""

from .comparison import Comparison, compare
from .differing_spans import DifferingSpans, TokenizedText
from .pairs import MergeDifference, PairComparison, SwitchDifference

__all__ = [
    "Comparison",
    "DifferingSpans",
    "MergeDifference",
    "PairComparison",
    "SwitchDifference",
    "TokenizedText",
    "compare",
]
