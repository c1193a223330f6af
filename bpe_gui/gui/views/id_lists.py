"""Format lists of ids for people and programs, and parse pasted lists."""

import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final

import numpy as np

from bpe_gui.engine import EngineError, IntegerArray, visible
from bpe_gui.engine import translatable as _

_LINE_WIDTH: Final = 100  # the most characters in a line of code
_INDENT: Final = " " * 4
_MAX_QUOTATION: Final = 40  # the most characters of the input to quote in an error

# The code around the list in `ids = np.array([1, 2], dtype=np.int32)`: before the first bracket and after the last
_CODE_BEFORE: Final = re.compile(r"\s*(?:[A-Za-z_]\w*\s*=)?\s*(?:[A-Za-z_][\w.]*\s*(?=\())?")
_CODE_AFTER: Final = re.compile(r"(?:\s*,\s*[A-Za-z_]\w*\s*=[^,()\[\]]*)*\s*,?\s*\)?\s*")
_SEPARATORS: Final = str.maketrans(dict.fromkeys("[](),", " "))
_ID: Final = re.compile(r"[0-9]{1,18}")  # fits in 64 bits


class NotIdsError(EngineError):
    """Parts of a list are not ids. The message names the first; `wrong` has them all by position, from 1."""

    def __init__(self, wrong: Mapping[int, str]) -> None:
        self.wrong = {position: _quoted(part) for position, part in wrong.items()}
        position, part = next(iter(self.wrong.items()))
        super().__init__(_("", "“{part}” at position {place:,} is not an id."), part=part, place=position)


class IdStyle(Enum):
    """A way to write a list of ids."""

    LIST = auto()  # [1, 2]
    JSON = auto()  # [1,2]
    PYTHON = auto()  # ids = [1, 2]
    NUMPY = auto()  # np.array([1, 2], dtype=np.int32)


def format_ids(ids: Sequence[int] | IntegerArray, style: IdStyle) -> str:
    """Return ids as text in a style. PYTHON and NUMPY use lines of at most 100 characters, the others a single line.

    >>> format_ids([1, 2], IdStyle.LIST), format_ids([1, 2], IdStyle.JSON), format_ids([1, 2], IdStyle.PYTHON)
    ('[1, 2]', '[1,2]', 'ids = [1, 2]')
    """
    numbers = list(map(str, ids.tolist() if isinstance(ids, np.ndarray) else ids))
    match style:
        case IdStyle.LIST:
            return f"[{', '.join(numbers)}]"
        case IdStyle.JSON:
            return f"[{','.join(numbers)}]"
        case IdStyle.PYTHON:
            return _wrapped("ids = [", numbers, "]")
        case IdStyle.NUMPY:
            return _wrapped("np.array([", numbers, "], dtype=np.int32)")


def _wrapped(before: str, numbers: list[str], after: str) -> str:
    """Return numbers between `before` and `after`, on one line if they fit, else with the same number on every line."""
    widest = max(map(len, numbers), default=0)
    per_line = max(1, (_LINE_WIDTH - len(_INDENT)) // (widest + len(", ")))
    if len(numbers) <= per_line and len(line := f"{before}{', '.join(numbers)}{after}") <= _LINE_WIDTH:
        return line
    starts = range(0, len(numbers), per_line)
    lines = (f"{_INDENT}{', '.join(numbers[start : start + per_line])},\n" for start in starts)
    return f"{before}\n{''.join(lines)}{after}"


def parse_ids(text: str) -> list[int]:
    """Return the ids in `text`.

    The ids are separated by white space or commas, or formatted as a list by Python, NumPy, PyTorch or JSON. Raise
    NotIdsError for anything else.

    >>> parse_ids("1 2, 3"), parse_ids("tensor([[1, 2]], device='cpu')")
    ([1, 2, 3], [1, 2])
    """
    before = _CODE_BEFORE.match(text)
    text = text[before.end() :] if before else text
    numbers, bracket, after = text.rpartition("]")
    text = numbers if bracket and _CODE_AFTER.fullmatch(after) else text
    items = text.translate(_SEPARATORS).split()
    if wrong := {place: item for place, item in enumerate(items, 1) if not _ID.fullmatch(item)}:
        raise NotIdsError(wrong)
    return list(map(int, items))


def _quoted(part: str) -> str:
    """Return the beginning of part of the input, with control characters as escapes."""
    quoted = visible(part[:_MAX_QUOTATION].encode(errors="surrogatepass"))
    return quoted if len(part) <= _MAX_QUOTATION else f"{quoted}…"
