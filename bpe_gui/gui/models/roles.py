"""Item roles beyond Qt's own, answered by the models and painted by the delegates of the tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bpe_gui.gui.look.qt_constants import USER_ROLE

Answers = Mapping[int, Callable[[int, int], Any]]
"""By role, a model's function of row and column that returns the data. Delegates for text need the font role."""

BAR_ROLE: Final = USER_ROLE + 1
"""The length of the bar behind a number, from 0 to 1."""

ACCENT_ROLE: Final = USER_ROLE + 2
"""Whether the accent marks the row."""

SYMBOLS_ROLE: Final = USER_ROLE + 3
"""The `MarkedSymbols` of a cell."""

MARK_ROLE: Final = USER_ROLE + 4
"""Whether a cell holds the selected token."""

TOKEN_ROLE: Final = USER_ROLE + 5
"""The token or pair of a cell, as `Selected`; None if it has none."""

CHIPS_ROLE: Final = USER_ROLE + 6
"""The `Chips` of a cell."""

MAX_SYMBOLS: Final = 200
"""The largest number of symbols of a word that are shown."""


@dataclass(frozen=True, slots=True)
class MarkedSymbols:
    """The symbols of a word, in which every occurrence of `pair` and of `token` is marked.

    `has_marker`: a `</w>` is the end-of-word marker, not text. `merged`: the pair that the last step merged in the
    word; `before`: how the word was split before that.
    """

    symbols: tuple[bytes, ...]
    pair: tuple[bytes, bytes] | None
    has_marker: bool
    token: bytes | None = None
    merged: tuple[bytes, bytes] | None = None
    before: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Chips:
    """The tokens of a cell: one of them, the two of a pair, or these two and the token that they make.

    `has_marker`: a `</w>` is the end-of-word marker, not text.
    """

    tokens: tuple[bytes, ...]
    has_marker: bool = False
    is_special: bool = False
    is_ahead: bool = False
    """Whether the merge has not been done yet."""
