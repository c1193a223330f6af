"""Merges from scores: SentencePiece merges any two neighbours that are a piece together, the best score first.

So the pieces are all that such a file holds, and no merges. But each piece has one merge only: in whatever text it
comes about, nothing has merged over its ends before, so that its own characters have merged as they do alone. The two
parts that are left before the last step are its merge.
"""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.formats.ranks import Merge, last_cut

MOST_CHARACTERS: Final = 3_000_000
"""Of all pieces together; the largest published vocabularies have 1,700,000."""


class Merges(NamedTuple):
    """The merges of pieces, the best score first; and the common rank of those whose pieces have the same score."""

    merges: list[Merge]
    shared: dict[Merge, int]


def merges_by_score(path: Path, scores: Mapping[str, float]) -> Merges:
    """The merges that pieces with these scores come about by. Pieces that no text leads to have none.

    Raises FormatError for pieces that are too long, or have a character that is no piece.

    >>> merges_by_score(Path(), {"l": -3.0, "o": -4.0, "w": -5.0, "ow": -1.0, "low": -2.0}).merges
    [(b'o', b'w'), (b'l', b'ow')]
    """
    if sum(map(len, scores)) > MOST_CHARACTERS:
        raise FormatError(
            _("EngineError", "{path}: the pieces have more than {most:,} characters together."),
            path=path,
            most=MOST_CHARACTERS,
        )
    ordered = sorted(scores, key=scores.__getitem__, reverse=True)
    levels = [list(pieces) for _score, pieces in groupby(ordered, key=scores.__getitem__)]
    ranks = {piece: rank for rank, pieces in enumerate(levels) for piece in pieces}
    merges: list[Merge] = []
    shared: dict[Merge, int] = {}
    for pieces in levels:
        found = [merge for piece in pieces if (merge := _merge_of(path, piece, ranks))]
        merges += found
        if len(found) > 1:
            shared |= dict.fromkeys(found, len(merges) - 1)
    return Merges(merges, shared)


def _merge_of(path: Path, piece: str, ranks: Mapping[str, int]) -> Merge | None:
    """The parts that a piece is merged of, if it is."""
    cut = last_cut(piece, ranks.get, len(ranks)) if len(piece) > 1 else None
    if cut is None:
        return None
    missing = next((character for character in piece if character not in ranks), None)
    if missing is not None:
        raise FormatError(
            _("EngineError", "{path}: the piece {piece!r} has the character {character!r}, which is no piece itself."),
            path=path,
            piece=piece,
            character=missing,
        )
    return piece[:cut].encode(), piece[cut:].encode()
