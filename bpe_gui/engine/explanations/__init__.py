"""Explanations: why a stretch of text is not one token."""

from bpe_gui.engine.text.alternatives import Alternative

from .anywhere import taken_in, where_taken, why_not_a_token
from .results import (
    Apart,
    CutsUnit,
    Dropped,
    Ending,
    Explanation,
    NeededMerge,
    NotInCorpus,
    OneToken,
    Reason,
    Side,
    Span,
    Taken,
    TakenWhole,
    WordBoundary,
)
from .why_not import why_not_one_token

__all__ = [
    "Alternative",
    "Apart",
    "CutsUnit",
    "Dropped",
    "Ending",
    "Explanation",
    "NeededMerge",
    "NotInCorpus",
    "OneToken",
    "Reason",
    "Side",
    "Span",
    "Taken",
    "TakenWhole",
    "WordBoundary",
    "taken_in",
    "where_taken",
    "why_not_a_token",
    "why_not_one_token",
]
