"""Comparison: where tokenizers split a text differently, in which steps, and how vocabularies and merges differ."""

from .comparison import Comparison, DifferingSpans, TokenizedText, compare
from .pairs import MergeDifference, PairComparison, SwitchDifference, ids_by_text
from .steps import DifferenceExample, StepDifference, step_differences

__all__ = [
    "Comparison",
    "DifferenceExample",
    "DifferingSpans",
    "MergeDifference",
    "PairComparison",
    "StepDifference",
    "SwitchDifference",
    "TokenizedText",
    "compare",
    "ids_by_text",
    "step_differences",
]
