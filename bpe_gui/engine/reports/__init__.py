"""Reports: how well a tokenizer suits texts, at the end and during its training, and how they use its vocabulary.

Read in this order: `merge_parts.py` numbers the tokens of a tokenizer and finds the merges that made them;
`counting.py` counts these tokens in texts, with the field's measures of such counts; `curve.py` computes the measures
at every step of training, usually from counting once; `vocabulary.py` sorts the entries by how a text uses them;
`costs.py` compares the tokens of texts line by line, and says what they cost; `report.py` combines all of this for
several texts; `pruning.py` removes tokens that texts never need.

`contents.py` then defines the contents of a report once: measures, sentences, lists and charts, with all their texts.
Add new ones there; `cost_table.py` has those of the costs. Everything else renders these contents: `page.py` with
`charts.py` as HTML, `tables.py` as CSV and JSON, the window in its widgets (`gui/tools/reports`), and `cli/report.py`
in the terminal, which has room for some of the measures. Only the table that a notebook shows is made by the `Report`
itself, of measures that it names. The texts are templates of the context `Report`, which a `Wording` translates.
"""

from .contents import MEASURES, Chart, Contents, EntryList, Mark, Series, Wording
from .cost_table import CostTable
from .costs import CONTEXT, Terms, count_lines
from .counting import TokenCounter, gini_coefficient, renyi_efficiency, renyi_entropy
from .curve import GAIN_ENTRIES, LEAST_GAIN, POINTS, Curve
from .page import html_page
from .pruning import PrunePreview, PruningCost, preview_pruning, prune, pruning_cost, used_ids
from .report import Report, ReportText, TextReport, make_report, texts_by_folder
from .tables import csv_files, json_values
from .vocabulary import NEARLY_DEAD, VocabularyReport

__all__ = [
    "CONTEXT",
    "GAIN_ENTRIES",
    "LEAST_GAIN",
    "MEASURES",
    "NEARLY_DEAD",
    "POINTS",
    "Chart",
    "Contents",
    "CostTable",
    "Curve",
    "EntryList",
    "Mark",
    "PrunePreview",
    "PruningCost",
    "Report",
    "ReportText",
    "Series",
    "Terms",
    "TextReport",
    "TokenCounter",
    "VocabularyReport",
    "Wording",
    "count_lines",
    "csv_files",
    "gini_coefficient",
    "html_page",
    "json_values",
    "make_report",
    "preview_pruning",
    "prune",
    "pruning_cost",
    "renyi_efficiency",
    "renyi_entropy",
    "texts_by_folder",
    "used_ids",
]
