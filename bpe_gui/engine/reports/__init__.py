"""Reports: how well a tokenizer suits texts, over its training too, and what its vocabulary is worth on them."""

from .counting import TokenCounter
from .curve import (
    GAIN_ENTRIES,
    LEAST_GAIN,
    POINTS,
    Curve,
    Gain,
    Knee,
    curve_of_counts,
    curve_of_documents,
    curve_of_words,
)
from .merge_parts import MergeParts
from .page import html_page
from .prune_preview import PrunePreview, preview_pruning, readable_documents
from .pruning import Pruning, PruningCost, prune, pruning_cost, used_ids
from .report import Report, ReportText, SkippedDocument, TextReport, make_report, texts_by_folder
from .statistics import RENYI_ORDER, gini_coefficient, renyi_efficiency, renyi_entropy
from .tables import csv_files, json_values
from .token_counts import TextMeasures, TokenCounts
from .vocabulary import NEARLY_DEAD, VocabularyReport, vocabulary_report

__all__ = [
    "GAIN_ENTRIES",
    "LEAST_GAIN",
    "NEARLY_DEAD",
    "POINTS",
    "RENYI_ORDER",
    "Curve",
    "Gain",
    "Knee",
    "MergeParts",
    "PrunePreview",
    "Pruning",
    "PruningCost",
    "Report",
    "ReportText",
    "SkippedDocument",
    "TextMeasures",
    "TextReport",
    "TokenCounter",
    "TokenCounts",
    "VocabularyReport",
    "csv_files",
    "curve_of_counts",
    "curve_of_documents",
    "curve_of_words",
    "gini_coefficient",
    "html_page",
    "json_values",
    "make_report",
    "preview_pruning",
    "prune",
    "pruning_cost",
    "readable_documents",
    "renyi_efficiency",
    "renyi_entropy",
    "texts_by_folder",
    "used_ids",
    "vocabulary_report",
]
