"""Try a tokenizer without the tokens that texts never need, and check that these texts keep theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bpe_gui.engine.corpora.documents import Document, FileDocument
from bpe_gui.engine.runtime.types import Progress

from .counting import TokenCounter
from .pruning import Pruning, PruningCost, prune, pruning_cost, used_ids
from .report import Report, ReportText
from .token_counts import TokenCounts


@dataclass(frozen=True, slots=True, eq=False)
class PrunePreview:
    """A pruned tokenizer. `is_exact`: the texts were encoded again and have the same tokens.

    `cost` is what pruning costs on held-out text; None if there is none.
    """

    pruning: Pruning
    is_exact: bool
    cost: PruningCost | None


def preview_pruning(
    report: Report, texts: Sequence[ReportText], held_out: ReportText | None, progress: Progress
) -> PrunePreview | None:
    """Prune a tokenizer by a report on texts, and encode them again; None if there is nothing to leave out."""
    if not report.has_text or not len(report.vocabulary.removable):
        return None
    parts = report.counter.parts
    pruning = prune(report.tokenizer, used_ids(parts, report.total), parts)
    after = TokenCounter(pruning.tokenizer).count_documents(readable_documents(report, texts), progress)
    cost = None
    if held_out is not None:
        cost = pruning_cost(report.counter, pruning, readable_documents(report, [held_out]), progress)
    return PrunePreview(pruning, _are_same(report.total, after, report, pruning), cost)


def readable_documents(report: Report, texts: Sequence[ReportText]) -> list[Document]:
    """Return the documents that the report is about."""
    skipped = {each.name for each in report.skipped}
    documents = (document for text in texts for document in text.documents)
    return [each for each in documents if not (isinstance(each, FileDocument) and str(each.path) in skipped)]


def _are_same(before: TokenCounts, after: TokenCounts, report: Report, pruning: Pruning) -> bool:
    """Return whether each entry stands in the texts as often as before."""
    parts = report.counter.parts
    kept = np.flatnonzero(np.isin(parts.ids[: parts.entries], list(pruning.new_ids)))
    return before.tokens == after.tokens and np.array_equal(before.occurrences[kept], after.occurrences[: len(kept)])
