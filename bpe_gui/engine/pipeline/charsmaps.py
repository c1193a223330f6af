"""SentencePiece's character maps, as its models and `tokenizer.json` have them, and the one that is shipped.

A map has the replacements of characters, packed into a trie: a double array as written by darts-clone
(github.com/s-yata/darts-clone, include/darts.h), followed by zero-terminated replacements. A unit of the trie has 32
bits. It is a node, with a label (a byte) and an offset to its children, or, if the highest bit is set, a value: the
offset of a replacement.

`nmt_nfkc.xz` is the map of that name in SentencePiece 0.2.3, compressed. Copyright Google Inc., Apache License 2.0.
"""

import lzma
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.pickling import PickledByFields
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.sentencepiece import Normalization

@dataclass(frozen=True)
class CharacterMap(PickledByFields):
    """A map from characters and character sequences to their replacements. The longest match wins.

    `name` is its common name, such as `nmt_nfkc`; `packed` is the map as a model has it.
    """

    replacements: Mapping[str, str]
    name: str = ""
    packed: bytes = field(default=b"", repr=False, compare=False)


_IS_VALUE: Final = 1 << 31
_HAS_VALUE: Final = 1 << 8
_MAX_KEY_BYTES: Final = 128  # published tables reach 12
_MAX_REPLACEMENT_BYTES: Final = 1024  # published tables reach 33
_MAX_TOTAL_BYTES: Final = 1 << 24  # of all keys and replacements together
_MAX_VISITS: Final = 1 << 21  # of nodes; the published tables take 500,000
_NO_VALUE: Final = -1

_Node = tuple[bytes, int, int]
"""A node of the trie: the labels on the path to it, or only its own label; its base, which is the index of each child
XOR the child's label; and its value, the offset of a replacement or `_NO_VALUE`."""


def read_charsmap(path: Path, packed: bytes) -> CharacterMap:
    """Unpack a character map from the file at `path`. Raise FormatError if it is damaged."""
    if not packed:
        return CharacterMap({})
    size = int.from_bytes(packed[:4], "little")
    if len(packed) < 4 or size % 4 or not 4 <= size <= len(packed) - 4:
        raise FormatError("{path}: the character map is damaged: its trie has an invalid size.", path=path)
    texts = packed[4 + size :]
    replacements: dict[str, str] = {}
    total = 0
    for key, offset in _trie_items(path, np.frombuffer(packed, "<u4", size // 4, 4).astype(np.int64)):
        end = texts.find(b"\0", offset, offset + _MAX_REPLACEMENT_BYTES + 1)
        if end < 0:
            raise FormatError("{path}: the character map is damaged: a string in it is not terminated.", path=path)
        total += len(key) + end - offset
        if total > _MAX_TOTAL_BYTES:
            raise FormatError("{path}: the character map is damaged: its strings are too long.", path=path)
        try:
            replacements[key.decode()] = texts[offset:end].decode()
        except UnicodeDecodeError as error:
            raise FormatError(
                "{path}: the character map is damaged: a string in it is not valid UTF-8.", path=path
            ) from error
    return CharacterMap(replacements, packed=packed)


def _trie_items(path: Path, units: Int64Array) -> Iterator[tuple[bytes, int]]:
    """Yield the keys of the trie with their values."""
    bases = np.arange(len(units)) ^ ((units >> 10) << ((units & (1 << 9)) >> 6))
    values = np.append(units, 0)[np.minimum(bases, len(units))] & ~_IS_VALUE
    values[units & _HAS_VALUE == 0] = _NO_VALUE
    # The base of a unit's parent is the unit's index XOR its label. Grouping all units by it finds the children of
    # every node without trying 256 labels for each.
    indices = np.flatnonzero((units & _IS_VALUE) == 0)
    labels = units[indices] & 0xFF
    children: dict[int, list[_Node]] = defaultdict(list)
    columns = indices ^ labels, labels, bases[indices], values[indices]
    for parent_base, label, base, value in zip(*map(np.ndarray.tolist, columns), strict=True):
        children[parent_base].append((bytes((label,)), base, value))
    waiting: list[_Node] = [(b"", int(bases[0]), _NO_VALUE)]
    for _visit in range(_MAX_VISITS):
        if not waiting:
            return
        key, base, value = waiting.pop()
        if base >= len(units) or len(key) > _MAX_KEY_BYTES:
            raise FormatError(
                "{path}: the character map is damaged: its trie points outside itself or back into itself.", path=path
            )
        if value != _NO_VALUE:
            yield key, value
        waiting += [(key + label, child_base, child_value) for label, child_base, child_value in children.get(base, ())]
    raise FormatError("{path}: the character map is damaged: its trie has too many keys.", path=path)


@lru_cache(maxsize=2)
def shipped_map(name: Normalization) -> CharacterMap:
    """Return the character map of this name.

    >>> shipped_map("nmt_nfkc").replacements["ﬁ"], shipped_map("identity").replacements
    ('fi', {})
    """
    path = Path(__file__).with_name(f"{name}.xz")
    packed = b"" if name == "identity" else lzma.decompress(path.read_bytes())
    return replace(read_charsmap(path, packed), name=name)
