"""Remove tokens from a tokenizer that a text never needs, check that its tokens do not change, and count the cost.

Encoding repeatedly applies the merge of the lowest rank. Merges that never apply to a text are never chosen, so without
them every choice is the same, and the tokens of the text do not change. Another text may need a removed merge. It is
then split differently, usually into more tokens.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import BoolArray, Progress, no_progress
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .counting import TokenCounter, TokenCounts
from .merge_parts import NO_ID, MergeParts
from .report import Report, ReportText


@dataclass(frozen=True, eq=False)
class Pruning:
    """A tokenizer without the tokens that some texts never need. Its ids are consecutive, in the old order."""

    tokenizer: Tokenizer
    new_ids: Mapping[int, int]
    """The new ids of the remaining entries by their old ones."""
    removed: tuple[int, ...]
    """The old ids of the removed entries, in ascending order."""
    removed_merges: int
    """The number of removed merges."""


@dataclass(frozen=True, eq=False)
class PruningCost:
    """The cost of pruning on a text, from its measures before and after."""

    before: TokenCounts
    after: TokenCounts

    @property
    def more_tokens(self) -> int:
        """The number of additional tokens; negative if the text happens to have fewer."""
        return self.after.tokens - self.before.tokens

    @property
    def share(self) -> float:
        """The additional tokens as a share of the tokens before; 0 for an empty text."""
        return self.more_tokens / self.before.tokens if self.before.tokens else 0.0


def used_ids(parts: MergeParts, counts: TokenCounts) -> list[int]:
    """Return the ids of the tokens that occur in a text with these counts."""
    ids: list[int] = parts.ids[: parts.entries][counts.occurrences[: parts.entries] > 0].tolist()
    return ids


def prune(tokenizer: Tokenizer, used: Iterable[int], parts: MergeParts | None = None) -> Pruning:
    """Return a tokenizer without the tokens that are neither used nor parts of used ones, and without their merges.

    `used` are the ids of all tokens of the texts that must not change. The alphabet and the special tokens are kept, so
    that every text can still be encoded, and so are merges whose token has left the vocabulary. `parts` are the
    tokenizer's, if known. Raise TokenizerError for an id that does not exist.

    >>> from bpe_gui.engine import train
    >>> tokenizer = train("low low low newest newest widest", num_merges=6)
    >>> pruning = prune(tokenizer, tokenizer.encode("low low"))
    >>> [tokenizer.token(token_id) for token_id in pruning.removed]
    [b'st', b'est', b'west', b'ne']
    """
    parts = MergeParts.of(tokenizer) if parts is None else parts
    is_kept = parts.needed_for(_roots(tokenizer, parts, used))
    kept = np.flatnonzero(is_kept[: parts.entries])
    old_ids = parts.ids[kept].tolist()
    new_ids = dict(zip(old_ids, range(len(old_ids)), strict=True))
    ranks = is_kept[parts.merges.products]
    new_ranks = np.cumsum(ranks) - 1
    kept_ranks, counts = np.flatnonzero(ranks).tolist(), tokenizer.merge_counts
    pipeline, unknown = tokenizer.pipeline, tokenizer.unknown_id
    pruned = tokenizer.changed(
        vocab={new: parts.tokens[number] for new, number in enumerate(kept.tolist())},
        merges=parts.merges.select(ranks),
        special_tokens={token: new_ids[token_id] for token, token_id in tokenizer.special_tokens.items()},
        merge_counts=None if counts is None else [counts[rank] for rank in kept_ranks],
        pipeline=pipeline and pipeline.with_ids(new_ids),
        particulars=tokenizer.particulars.with_ids(new_ids),
        other_merges={
            pair: int(new_ranks[rank])
            for pair, rank in tokenizer.other_merges.items()
            if rank < tokenizer.position and ranks[rank]
        },
        config=tokenizer.config.renumbered(new_ids),
        # An id outside the vocabulary, which only marks unknown symbols, does not change.
        unknown_id=None if unknown is None else new_ids.get(unknown, unknown),
    )
    removed = parts.ids[: parts.entries][~is_kept[: parts.entries]].tolist()
    return Pruning(pruned, new_ids, tuple(removed), len(ranks) - len(kept_ranks))


def _roots(tokenizer: Tokenizer, parts: MergeParts, used: Iterable[int]) -> BoolArray:
    """Return which tokens are kept for their own sake, not only as parts of others."""
    wanted = set(used)
    pipeline = tokenizer.as_pipeline
    if tokenizer.unknown_id in tokenizer.vocab:
        wanted.add(tokenizer.unknown_id)
    wanted |= tokenizer.particulars.ids
    wanted.update((*pipeline.ids_before, *pipeline.ids_after, *(token.id for token in pipeline.added_tokens)))
    ids = np.array(sorted(wanted - {NO_ID}), np.int64)
    known = parts.ids[: parts.entries]
    missing = np.setdiff1d(ids, known)
    if len(missing):
        raise TokenizerError("No token has the id {id!r}.", id=int(missing[0]))
    kept = np.equal(parts.ids, NO_ID)
    kept[: parts.entries] = (parts.steps <= 0) | np.isin(known, ids)
    return kept


def pruning_cost(
    counter: TokenCounter, pruning: Pruning, documents: Sequence[Document], progress: Progress = no_progress
) -> PruningCost:
    """Count what pruning the tokenizer of a counter costs on documents. `progress` is as for `count_documents`."""
    size = sum(document.size() for document in documents)
    before = counter.count_documents(documents, lambda done, _size: progress(done, 2 * size))
    pruned = TokenCounter(pruning.tokenizer)
    after = pruned.count_documents(documents, lambda done, _size: progress(size + done, 2 * size))
    return PruningCost(before, after)


@dataclass(frozen=True, slots=True, eq=False)
class PrunePreview:
    """A pruned tokenizer. `is_exact` says that the texts, encoded again, have the same tokens.

    `cost` is the cost on held-out text; None if there is none.
    """

    pruning: Pruning
    is_exact: bool
    cost: PruningCost | None


def preview_pruning(
    report: Report, texts: Sequence[ReportText], held_out: ReportText | None, progress: Progress
) -> PrunePreview | None:
    """Prune a tokenizer by a report on texts, and encode these again. Return None if there is nothing to remove."""
    if not report.has_text or not len(report.vocabulary.removable):
        return None
    parts = report.counter.parts
    pruning = prune(report.tokenizer, used_ids(parts, report.total), parts)
    after = TokenCounter(pruning.tokenizer).count_documents(report.readable(texts), progress)
    cost = None
    if held_out is not None:
        cost = pruning_cost(report.counter, pruning, report.readable([held_out]), progress)
    return PrunePreview(pruning, _are_same(report.total, after, report, pruning), cost)


def _are_same(before: TokenCounts, after: TokenCounts, report: Report, pruning: Pruning) -> bool:
    """Return whether each entry occurs in the texts as often as before."""
    parts = report.counter.parts
    kept = np.flatnonzero(np.isin(parts.ids[: parts.entries], list(pruning.new_ids)))
    return before.tokens == after.tokens and np.array_equal(before.occurrences[kept], after.occurrences[: len(kept)])
