"""Recover merges from scores: SentencePiece merges the two neighbours that form the piece with the best score.

Such a file lists pieces only, no merges. But each piece is always made by the same merge: when it comes about in a
text, nothing has been merged across its ends yet, so its own characters have been merged as if they stood alone. The
two symbols that are left before the last step are its merge.
"""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine.formats.ranks import last_merge_boundary
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.tokenization.vocabulary import TokenPair

_MAX_TOTAL_CHARACTERS: Final = 3_000_000
"""Of all pieces together; the largest published vocabularies have 1,700,000."""


class ScoredMerges(NamedTuple):
    """Merges in the order of their pieces' scores, the best first."""

    merges: list[TokenPair]
    shared_ranks: dict[TokenPair, int]
    """The common rank of merges whose pieces have the same score."""


def merges_from_scores(path: Path, scores: Mapping[str, float]) -> ScoredMerges:
    """Return the merges that make the pieces with these scores. A piece that no text leads to has no merge.

    Raise FormatError if the pieces are too long, or if a piece contains a character that is not a piece.

    >>> merges_from_scores(Path(), {"l": -3.0, "o": -4.0, "w": -5.0, "ow": -1.0, "low": -2.0}).merges
    [(b'o', b'w'), (b'l', b'ow')]
    """
    if sum(map(len, scores)) > _MAX_TOTAL_CHARACTERS:
        raise FormatError(
            _("EngineError", "{path}: the pieces have more than {most:,} characters together."),
            path=path,
            most=_MAX_TOTAL_CHARACTERS,
        )
    best_first = sorted(scores, key=scores.__getitem__, reverse=True)
    groups = [list(pieces) for _score, pieces in groupby(best_first, key=scores.__getitem__)]
    ranks = {piece: rank for rank, pieces in enumerate(groups) for piece in pieces}
    merges: list[TokenPair] = []
    shared_ranks: dict[TokenPair, int] = {}
    for pieces in groups:
        merges_of_group = [merge for piece in pieces if (merge := _merge_of(path, piece, ranks))]
        merges += merges_of_group
        if len(merges_of_group) > 1:
            shared_ranks |= dict.fromkeys(merges_of_group, len(merges) - 1)
    return ScoredMerges(merges, shared_ranks)


def _merge_of(path: Path, piece: str, ranks: Mapping[str, int]) -> TokenPair | None:
    boundary = last_merge_boundary(piece, ranks.get, len(ranks)) if len(piece) > 1 else None
    if boundary is None:
        return None
    missing = next((character for character in piece if character not in ranks), None)
    if missing is not None:
        raise FormatError(
            _(
                "EngineError",
                "{path}: the piece {piece!r} has the character {character!r}, which is not a piece itself.",
            ),
            path=path,
            piece=piece,
            character=missing,
        )
    return piece[:boundary].encode(), piece[boundary:].encode()
