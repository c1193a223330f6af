"""Recover merges from scores: SentencePiece merges the two neighbours that form the piece with the best score.

Such a file lists pieces only, no merges. But each piece is always made by the same merge: when it comes about in a
text, nothing has been merged across its ends yet, so its own characters have been merged as if they stood alone.
`merge_recovery` finds the two parts.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.tokenization.merge_recovery import recover_parts
from bpe_gui.engine.tokenization.numbered_tokens import NumberedMerges, TokenPair

_MAX_TOTAL_CHARACTERS: Final = 3_000_000
"""Of all pieces together; the largest published vocabularies have 1,700,000."""


class ScoredMerges(NamedTuple):
    """Merges in the order of their pieces' scores, the best first."""

    merges: NumberedMerges
    shared_ranks: dict[TokenPair, int]
    """The common rank of merges whose pieces have the same score."""
    pieces: list[str]
    """The pieces that merges make, by rank."""


def merges_from_scores(path: Path, scores: Mapping[str, float]) -> ScoredMerges:
    """Return the merges that make the pieces with these scores. A piece that no text leads to has no merge.

    Raise FormatError if the pieces are too long, or if a piece contains a character that is not a piece.

    >>> list(merges_from_scores(Path(), {"l": -3.0, "o": -4.0, "w": -5.0, "ow": -1.0, "low": -2.0}).merges)
    [(b'o', b'w'), (b'l', b'ow')]
    """
    if sum(map(len, scores)) > _MAX_TOTAL_CHARACTERS:
        raise FormatError(
            _("EngineError", "{path}: the pieces have more than {most:,} characters in total."),
            path=path,
            most=_MAX_TOTAL_CHARACTERS,
        )
    best_first = sorted(scores, key=scores.__getitem__, reverse=True)
    best_scores = np.fromiter(map(scores.__getitem__, best_first), np.float64, len(scores))
    ranks = np.cumsum(np.append(False, best_scores[1:] != best_scores[:-1]))[: len(scores)]
    parts = recover_parts(best_first, ranks)
    merged = np.flatnonzero(parts.lefts >= 0)
    pieces = [best_first[number] for number in merged.tolist()]
    _check_characters(path, scores, pieces)
    tokens = [piece.encode() for piece in best_first]
    merges = NumberedMerges(tokens, parts.lefts[merged], parts.rights[merged], merged)
    return ScoredMerges(merges, _shared_ranks(merges, ranks[merged]), pieces)


def _check_characters(path: Path, scores: Mapping[str, float], merged: Iterable[str]) -> None:
    """Raise FormatError for the first piece made by a merge that has a character that is not a piece."""
    missing = set().union(*merged).difference(scores)
    for piece in merged if missing else ():
        character = next((character for character in piece if character in missing), None)
        if character is not None:
            raise FormatError(
                _(
                    "EngineError",
                    "{path}: the piece {piece!r} contains the character {character!r}, which is not a piece itself.",
                ),
                path=path,
                piece=piece,
                character=character,
            )


def _shared_ranks(merges: NumberedMerges, groups: Int64Array) -> dict[TokenPair, int]:
    """Return the merges of groups of several, each with the last rank in its group; `groups` numbers them by rank."""
    _numbers, starts, counts = np.unique(groups, return_index=True, return_counts=True)
    last_ranks = np.repeat(starts + counts - 1, counts)
    is_shared = np.repeat(counts > 1, counts)
    pairs = merges.select(is_shared)
    return dict(zip(pairs, last_ranks[is_shared].tolist(), strict=True))
