"""Reports: how well a tokenizer suits texts, over its training too, and what its vocabulary is worth on them."""

from .counting import TokenCounter
from .merge_parts import MergeParts
from .statistics import RENYI_ORDER, gini_coefficient, renyi_efficiency, renyi_entropy
from .token_counts import TokenCounts
from .vocabulary import NEARLY_DEAD, VocabularyReport, vocabulary_report

__all__ = [
    "NEARLY_DEAD",
    "RENYI_ORDER",
    "MergeParts",
    "TokenCounter",
    "TokenCounts",
    "VocabularyReport",
    "gini_coefficient",
    "renyi_efficiency",
    "renyi_entropy",
    "vocabulary_report",
]
