"""Explanations: why a stretch of text is not one token, and what another splitter changes.

`why_not` asks, in this order: does a word boundary cross the text, which merge took a part of it, and which merge is
missing and why. `word_history` finds the words around it with their merges, `results` has the answers.
`split_comparison` splits a corpus in two ways at once, in several threads.
"""

from bpe_gui.engine.text.alternatives import Alternative

from .results import (
    Apart,
    CutsUnit,
    Dropped,
    Ending,
    Explanation,
    NeededMerge,
    NoSymbol,
    NotInCorpus,
    OneToken,
    Reason,
    Side,
    Span,
    Taken,
    TakenWhole,
    WordBoundary,
)
from .split_comparison import ChangedWords, SplitterChange, splitter_change
from .why_not import explain, where_taken, why_not_a_token, why_not_one_token

__all__ = [
    "Alternative",
    "Apart",
    "ChangedWords",
    "CutsUnit",
    "Dropped",
    "Ending",
    "Explanation",
    "NeededMerge",
    "NoSymbol",
    "NotInCorpus",
    "OneToken",
    "Reason",
    "Side",
    "Span",
    "SplitterChange",
    "Taken",
    "TakenWhole",
    "WordBoundary",
    "explain",
    "splitter_change",
    "where_taken",
    "why_not_a_token",
    "why_not_one_token",
]
