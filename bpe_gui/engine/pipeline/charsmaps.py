"""SentencePiece's character maps, as its models and `tokenizer.json` have them, and the one that is shipped.

A map has the replacements of characters, packed into a trie: a double array as written by darts-clone
(github.com/s-yata/darts-clone, include/darts.h), followed by zero-terminated replacements. A unit of the trie has 32
bits. It is a node, with a label (a byte) and an offset to its children, or, if the highest bit is set, a value: the
offset of a replacement.

`nmt_nfkc.xz` is the map of that name in SentencePiece 0.2.3, compressed. Copyright Google Inc., Apache License 2.0.
"""

import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.pickling import PickledByFields
from bpe_gui.engine.runtime.types import BoolArray, Int64Array, UInt8Array
from bpe_gui.engine.text.sentencepiece import Normalization


@dataclass(frozen=True)
class CharacterMap(PickledByFields):
    """A map from characters and character sequences to their replacements. The longest match wins.

    `name` is its common name, such as `nmt_nfkc`; `packed` is the map as a model has it.
    """

    replacements: Mapping[str, str]
    name: str = ""
    packed: bytes = field(default=b"", repr=False, compare=False)


IDENTITY: Final = CharacterMap({}, "identity")
"""The map that changes nothing."""

_IS_VALUE: Final = 1 << 31
_HAS_VALUE: Final = 1 << 8
_MAX_KEY_BYTES: Final = 128  # published tables reach 12
_MAX_REPLACEMENT_BYTES: Final = 1024  # published tables reach 33
_MAX_TOTAL_BYTES: Final = 1 << 24  # of all keys and replacements together
_LEAD_BYTES: Final = (0xC0, 0xE0, 0xF0)
"""The first bytes of characters of two, three and four bytes are at least these."""

_MAX_VISITS: Final = 1 << 21  # of nodes; the published tables take 500,000


def read_charsmap(path: Path, packed: bytes, characters: BoolArray | None = None) -> CharacterMap:
    """Unpack a character map from the file at `path`. Raise FormatError if it is damaged.

    `characters` says for each code point whether it may occur in a text: others are left out of the map.
    """
    if not packed:
        return CharacterMap({})
    size = int.from_bytes(packed[:4], "little")
    if len(packed) < 4 or size % 4 or not 4 <= size <= len(packed) - 4:
        raise FormatError("{path}: the character map is damaged: its trie has an invalid size.", path=path)
    texts = packed[4 + size :]
    keys: list[str] = []
    offsets: list[int] = []
    for rows, values in _trie_levels(path, np.frombuffer(packed, "<u4", size // 4, 4).astype(np.int64), characters):
        keys += _decoded_rows(path, rows)
        offsets += values.tolist()
    if sum(map(len, keys)) > _MAX_TOTAL_BYTES:
        raise FormatError("{path}: the character map is damaged: its strings are too long.", path=path)
    texts_at = {offset: _text_at(path, texts, offset) for offset in set(offsets)}
    return CharacterMap(dict(zip(keys, map(texts_at.__getitem__, offsets), strict=True)), packed=packed)


def _trie_levels(
    path: Path, units: Int64Array, characters: BoolArray | None
) -> Iterator[tuple[UInt8Array, Int64Array]]:
    """Yield the keys of each size in bytes, one in each row, with their values."""
    bases = np.arange(len(units)) ^ ((units >> 10) << ((units & (1 << 9)) >> 6))
    values = np.append(units, 0)[np.minimum(bases, len(units))] & ~_IS_VALUE
    # The base of a unit's parent is the unit's index XOR its label.
    nodes = np.flatnonzero((units & _IS_VALUE) == 0)
    labels = units[nodes] & 0xFF
    order = np.lexsort((labels, nodes ^ labels))  # so that the keys of each size are in order
    nodes, labels, parent_bases = nodes[order], labels[order], (nodes ^ labels)[order]
    level, rows, visits = np.zeros(1, np.int64), np.empty((1, 0), np.uint8), 0
    codes, lacking = np.zeros((2, 1), np.int64)  # the last character's bits, and how many bytes it lacks
    while len(level):
        has_value = units[level] & _HAS_VALUE != 0
        if np.any(has_value):
            yield rows[has_value], values[level[has_value]]
        if np.any(bases[level] >= len(units)) or rows.shape[1] > _MAX_KEY_BYTES:
            raise FormatError(
                "{path}: the character map is damaged: its trie points outside itself or back into itself.", path=path
            )
        first, stop = (np.searchsorted(parent_bases, bases[level], side) for side in ("left", "right"))
        counts = stop - first
        visits += int(counts.sum())
        if visits > _MAX_VISITS or visits * (rows.shape[1] + 1) > _MAX_TOTAL_BYTES:
            raise FormatError("{path}: the character map is damaged: its trie has too many keys.", path=path)
        children = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
        added = labels[children]
        if characters is not None:
            goes_on, size = added & 0xC0 == 0x80, np.searchsorted(_LEAD_BYTES, added, "right")
            codes = np.where(goes_on, np.repeat(codes, counts) << 6 | added & 0x3F, added & (0x7F >> size + (size > 0)))
            lacking = np.where(goes_on, np.repeat(lacking, counts) - 1, size)
            kept = (lacking > 0) | characters[np.minimum(codes, len(characters) - 1)]
            counts = np.bincount(np.repeat(np.arange(len(level)), counts)[kept], minlength=len(level))
            children, added, codes, lacking = children[kept], added[kept], codes[kept], lacking[kept]
        rows = np.column_stack([np.repeat(rows, counts, axis=0), added.astype(np.uint8)])
        level = nodes[children]


def _decoded_rows(path: Path, rows: UInt8Array) -> list[str]:
    """Return the texts in rows of UTF-8. Raise FormatError."""
    begins = rows & 0xC0 != 0x80
    try:
        text = rows.tobytes().decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    if not np.all(begins[:, :1]):  # a character would go on in the next row
        raise _not_utf8(path)
    stops = np.cumsum(begins.sum(axis=1)).tolist()
    return [text[start:stop] for start, stop in pairwise([0, *stops])]


def _text_at(path: Path, texts: bytes, offset: int) -> str:
    """Return the replacement at an offset. Raise FormatError."""
    end = texts.find(b"\0", offset, offset + _MAX_REPLACEMENT_BYTES + 1)
    if end < 0:
        raise FormatError("{path}: the character map is damaged: a string in it is not terminated.", path=path)
    try:
        return texts[offset:end].decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error


def _not_utf8(path: Path) -> FormatError:
    return FormatError("{path}: the character map is damaged: a string in it is not valid UTF-8.", path=path)


class _Shipped(Mapping[str, str]):
    """The replacements of a shipped map, which is read when they are first needed."""

    def __init__(self, path: Path, packed: bytes) -> None:
        self._path, self._packed = path, packed

    @cached_property
    def _replacements(self) -> Mapping[str, str]:
        return read_charsmap(self._path, self._packed).replacements

    def __getitem__(self, key: str) -> str:
        return self._replacements[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._replacements)

    def __len__(self) -> int:
        return len(self._replacements)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


@cache
def shipped_map(name: Normalization) -> CharacterMap:
    """Return the shipped map of this name.

    >>> shipped_map("nmt_nfkc").replacements["ﬁ"], shipped_map("identity").replacements
    ('fi', {})
    """
    if name == IDENTITY.name:
        return IDENTITY
    path = Path(__file__).with_name(f"{name}.xz")
    packed = lzma.decompress(path.read_bytes())
    return CharacterMap(_Shipped(path, packed), name, packed)


def part_of(shipped: CharacterMap, characters: BoolArray) -> CharacterMap:
    """Return the part of a shipped map that matters to texts with these characters, by code point."""
    return read_charsmap(Path(__file__), shipped.packed, characters)
