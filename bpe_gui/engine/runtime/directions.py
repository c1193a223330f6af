"""Keep tokens that are read from right to left from reordering what is written around them."""

import re
import unicodedata
from typing import Final

_ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
_LEFT_TO_RIGHT_ISOLATE: Final = "\N{LEFT-TO-RIGHT ISOLATE}"
_END: Final = "\N{POP DIRECTIONAL ISOLATE}"
_MARK: Final = "\N{LEFT-TO-RIGHT MARK}"
_ADDED: Final = re.compile("\u200e(?=\u2068)|[\u2066-\u2069]")
_ESCAPES: Final = re.compile(r"(?:\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}))+")
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def has_right_to_left(text: str) -> bool:
    """Return whether `text` has characters that are read from right to left, or digits that reorder their neighbours.

    >>> has_right_to_left("abc"), has_right_to_left("a א"), has_right_to_left("١٢")
    (False, True, True)
    """
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def begins_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction is read from right to left (UAX #9, rules P2 and P3).

    >>> begins_right_to_left("·א"), begins_right_to_left("a א"), begins_right_to_left("12")
    (True, False, False)
    """
    directions = map(unicodedata.bidirectional, text)
    return next((direction != "L" for direction in directions if direction in ("L", "R", "AL")), False)


def isolated(text: str) -> str:
    r"""Return a token so that it has its own direction, and everything around it the order it would have without it.

    Text from left to right stays as it is. Escapes such as `\xd7` are read from left to right inside the token. A mark
    before it tells Qt's rich text, which does not know of isolates, that the sentence is read from left to right.

    >>> isolated("abc"), isolated("אב") == "\u200e\u2068אב\u2069"
    ('abc', True)
    """
    if not has_right_to_left(text):
        return text
    escaped = _ESCAPES.sub(lambda escape: f"{_LEFT_TO_RIGHT_ISOLATE}{escape[0]}{_END}", text)
    return f"{_MARK}{_ISOLATE}{escaped}{_END}"


def without_isolates(text: str) -> str:
    """Return `text` as it was before tokens in it were isolated: for the clipboard.

    >>> without_isolates(isolated("אב") + " + a")
    'אב + a'
    """
    return _ADDED.sub("", text)
