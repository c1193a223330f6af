"""Lists of ids as people write them, and what they stand for."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bpe_gui.engine import EngineError, Progress, Tokenizer
from bpe_gui.engine.runtime.errors import translatable as _

_WIDTH: Final = 100  # columns of a line of code
_INDENT: Final = " " * 4
_LONGEST_QUOTATION: Final = 40  # characters
_PIECE: Final = 1 << 14  # characters

# ids = np.array([1, 2], dtype=np.int32): what stands before the numbers, and what stands behind the last bracket
_BEFORE: Final = re.compile(r"\s*(?:[A-Za-z_]\w*\s*=)?\s*(?:[A-Za-z_][\w.]*\s*(?=\())?")
_BEHIND: Final = re.compile(r"(?:\s*,\s*[A-Za-z_]\w*\s*=[^,()\[\]]*)*\s*,?\s*\)?\s*")
_SEPARATORS: Final = str.maketrans(dict.fromkeys("[](),", " "))
_ID: Final = re.compile(r"[0-9]{1,18}")
_UNDECODED: Final = re.compile("[\udc80-\udcff]+")


class IdStyle(Enum):
    """How a list of ids is written."""

    LIST = auto()
    JSON = auto()
    PYTHON = auto()
    NUMPY = auto()


def write_ids(ids: Sequence[int] | NDArray[np.integer], style: IdStyle) -> str:
    """The ids as text; code is wrapped.

    >>> write_ids([1, 2], IdStyle.LIST), write_ids([1, 2], IdStyle.JSON), write_ids([1, 2], IdStyle.PYTHON)
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


def _wrapped(before: str, numbers: list[str], behind: str) -> str:
    """On one line, or on lines that hold equally many."""
    widest = max(map(len, numbers), default=0)
    in_a_line = max(1, (_WIDTH - len(_INDENT)) // (widest + len(", ")))
    if len(numbers) <= in_a_line and len(line := f"{before}{', '.join(numbers)}{behind}") <= _WIDTH:
        return line
    firsts = range(0, len(numbers), in_a_line)
    lines = (f"{_INDENT}{', '.join(numbers[first : first + in_a_line])},\n" for first in firsts)
    return f"{before}\n{''.join(lines)}{behind}"


def parse_ids(text: str) -> list[int]:
    """The ids in a text: numbers with spaces, commas or line breaks between, or a list as Python, NumPy, PyTorch or
    JSON write it. Raises EngineError for anything else.

    >>> parse_ids("1 2, 3"), parse_ids("tensor([[1, 2]], device='cpu')")
    ([1, 2, 3], [1, 2])
    """
    parts = _numbers_of(text).translate(_SEPARATORS).split()
    for place, part in enumerate(parts, 1):
        if not _ID.fullmatch(part):
            quoted = part if len(part) <= _LONGEST_QUOTATION else part[:_LONGEST_QUOTATION] + "…"
            raise EngineError(_("EngineError", "“{part}” at place {place:,} is no id."), part=quoted, place=place)
    return list(map(int, parts))


def _numbers_of(text: str) -> str:
    """The text without the code around its numbers."""
    before = _BEFORE.match(text)
    text = text[before.end() :] if before else text
    numbers, bracket, behind = text.rpartition("]")
    return numbers if bracket and _BEHIND.fullmatch(behind) else text


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that make no whole character, and the places of the first and the last id they are of, from 0 on."""

    first: int
    last: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Decoded:
    """What ids stand for. Places count from 0 on.

    In `text`, an id that does not exist is `⟨9999⟩`, and a byte that is of no whole character `\\xf0`. `size` is in
    bytes.
    """

    ids: list[int]
    text: str
    size: int
    missing: list[int]
    broken: list[Broken]

    @property
    def is_valid(self) -> bool:
        """Whether the ids make a text."""
        return not self.missing and not self.broken


def decode_ids(ids: list[int], tokenizer: Tokenizer) -> Decoded:
    """What the ids stand for, and what is wrong with them."""
    vocab = tokenizer.vocab
    pieces = {token_id: _bytes_of(token_id, tokenizer) for token_id in set(ids)}
    parts = [pieces[token_id] for token_id in ids]
    if ids and ids[-1] in vocab:
        parts[-1] = tokenizer.decode_bytes(ids[-1:])  # a space that only stands between words is not there
    data = b"".join(parts)
    return Decoded(
        ids,
        data.decode("utf-8", "backslashreplace"),
        len(data),
        [place for place, token_id in enumerate(ids) if token_id not in vocab],
        _broken(data, parts),
    )


def _bytes_of(token_id: int, tokenizer: Tokenizer) -> bytes:
    """What an id adds to a text that goes on."""
    if token_id not in tokenizer.vocab:
        return f"⟨{token_id}⟩".encode()
    return tokenizer.decode_bytes([token_id, token_id]).removesuffix(tokenizer.decode_bytes([token_id]))


def _broken(data: bytes, parts: list[bytes]) -> list[Broken]:
    """Where the bytes are no UTF-8."""
    found: list[Broken] = []
    stops = list(accumulate(map(len, parts)))
    text = data.decode("utf-8", "surrogateescape")
    character = byte = 0
    for match in _UNDECODED.finditer(text):
        start = byte + len(text[character : match.start()].encode())
        character, byte = match.end(), start + len(match[0])
        found.append(Broken(bisect_right(stops, start), bisect_right(stops, byte - 1), data[start:byte]))
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place, from 0 on, at which ids are others than those that encoding gives, and both up to where they
    have covered the same bytes."""

    place: int
    given: list[int]
    encoded: list[int]


def first_difference(decoded: Decoded, tokenizer: Tokenizer, progress: Progress) -> Difference | None:
    """Encode a valid text again, and say where that gives other ids. Raises EngineError where it cannot be encoded."""
    given = decoded.ids
    encoded = list(tokenizer.encode_iterable(_pieces(decoded.text, progress)))
    if given == encoded:
        return None
    shorter = min(len(given), len(encoded))
    place = next((i for i in range(shorter) if given[i] != encoded[i]), shorter)
    ends = [place, place]
    sizes = [0, 0]
    while ends == [place, place] or sizes[0] != sizes[1]:
        behind = int(sizes[1] < sizes[0])
        ids = (given, encoded)[behind]
        if ends[behind] == len(ids):
            ends = [len(given), len(encoded)]
            break
        sizes[behind] += len(tokenizer.token(ids[ends[behind]]))
        ends[behind] += 1
    return Difference(place, given[place : ends[0]], encoded[place : ends[1]])


def _pieces(text: str, progress: Progress) -> Iterator[str]:
    """The text in pieces, each of which is work for a moment."""
    for start in range(0, len(text), _PIECE):
        progress(start, len(text))
        yield text[start : start + _PIECE]
