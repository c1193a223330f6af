"""Texts with made-up tokens, for tests of views."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from PySide6.QtGui import QColor

from bpe_gui.engine import Int32Array, Int64Array, LiveText
from bpe_gui.gui.look.theme import TokenPalette
from bpe_gui.gui.views.tokens import LiveTokens, Tokens

SPECIAL_ID, UNKNOWN_ID = 9000, 9001

PAUL_TOL_LIGHT = ("77AADD", "99DDFF", "44BB99", "BBCC33", "AAAA00", "EEDD88", "EE8866", "FFAABB", "DDDDDD")
PALETTE = TokenPalette(
    backgrounds=tuple(QColor(f"#{name}") for name in PAUL_TOL_LIGHT),
    second_shades=tuple(QColor(f"#{name}").darker(115) for name in PAUL_TOL_LIGHT),
    neutral=QColor("#eeeeee"),
    text=QColor("#16191d"),
    special=QColor("#7a3fb5"),
    warning=QColor("#c2410c"),
    accent=QColor("#2563eb"),
    quiet=QColor("#6b7280"),
)


class GivenTokens(LiveTokens):
    """A text with the given tokens, which do not follow edits."""

    def __init__(self, text: str, tokens: Tokens, word_starts: Sequence[int] = ()) -> None:
        super().__init__(LiveText(text))
        self.tokens = tokens
        self.all_word_starts = np.array(word_starts, np.int64)

    def overlapping(self, start: int, stop: int) -> Tokens:
        shown = self.tokens.overlapping(start, stop)
        return self.tokens.slice(shown.start, shown.stop)

    def word_starts(self, start: int, stop: int) -> Int64Array:
        return self.all_word_starts[(self.all_word_starts >= start) & (self.all_word_starts < stop)]


def tokens_at(
    ids: Sequence[int] | Int32Array,
    byte_spans: Sequence[tuple[int, int]] | Int64Array,
    label: Callable[[int], str] = str,
) -> Tokens:
    """Return the tokens with these ids and (start, stop) byte spans."""
    id_array, spans = np.asarray(ids, np.int32), np.asarray(byte_spans, np.int64).reshape(-1, 2)
    starts, stops = np.ascontiguousarray(spans[:, 0]), np.ascontiguousarray(spans[:, 1])
    return Tokens(id_array, starts, stops, id_array == SPECIAL_ID, id_array == UNKNOWN_ID, label)


def tokens_of(
    pieces: Iterable[str | bytes], ids: list[int] | None = None, label: Callable[[int], str] = "token-{}".format
) -> Tokens:
    """Return consecutive tokens, one for each piece; an empty piece is an end-of-word marker."""
    octets = [piece.encode() if isinstance(piece, str) else piece for piece in pieces]
    ends = np.cumsum([0, *map(len, octets)])
    return tokens_at(range(len(octets)) if ids is None else ids, np.column_stack((ends[:-1], ends[1:])), label)


def source_of(pieces: Sequence[str] | Sequence[bytes], ids: list[int] | None = None) -> GivenTokens:
    """Return the concatenation of the pieces as a text, with a token for each."""
    octets = b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
    return GivenTokens(octets.decode(), tokens_of(pieces, ids))


def one_byte_each(text: str) -> list[bytes]:
    """Return the bytes of a text one by one."""
    return [bytes([octet]) for octet in text.encode()]
