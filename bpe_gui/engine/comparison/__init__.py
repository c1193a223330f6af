"""Comparison: where tokenizers split a text differently, in which steps, and how vocabularies and merges differ."""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

from .comparison import Comparison, DifferingSpans, TokenizedText, compare, find_differing_spans
from .pairs import MergeDifference, PairComparison, SwitchDifference, ids_by_text

if TYPE_CHECKING:
    from .steps import STEPS, PartingText, StepDifference, step_differences

__all__ = [
    "STEPS",
    "Comparison",
    "DifferingSpans",
    "MergeDifference",
    "PairComparison",
    "PartingText",
    "StepDifference",
    "SwitchDifference",
    "TokenizedText",
    "compare",
    "find_differing_spans",
    "ids_by_text",
    "step_differences",
]

__getattr__ = imported_when_used(__name__, __all__, ".steps")
