"""Read the character map of a SentencePiece model: what characters are replaced by, packed into a trie.

`tokenizer.json` has the same table, in Base64, as the step `Precompiled`.

The trie is a double array as darts-clone writes it (github.com/s-yata/darts-clone, include/darts.h), followed by the
replacements, each ended by a zero byte. A unit of the trie has 32 bits. It is either a node, with a label (a byte) and
an offset to its children, or, if the highest bit is set, a value: the offset of a replacement.
"""

from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine.pipeline.sentencepiece import CharacterMap
from bpe_gui.engine.runtime.arrays import Int64Array
from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _

_IS_VALUE: Final = 1 << 31
_HAS_VALUE: Final = 1 << 8
_MAX_KEY_BYTES: Final = 128  # the published tables have up to 12
_MAX_REPLACEMENT_BYTES: Final = 1024  # the published tables have up to 33
_MAX_TOTAL_BYTES: Final = 1 << 24  # of all keys and replacements together
_MAX_VISITS: Final = 1 << 21  # of nodes; the published tables take 500,000
_NO_VALUE: Final = -1

_Node = tuple[bytes, int, int]
"""A node of the trie: the labels on the way to it, or its own label only; its base, which is the index of each of its
children XOR the child's label; its value, the offset of a replacement or `_NO_VALUE`."""


def read_charsmap(path: Path, packed: bytes) -> CharacterMap:
    """Unpack a character map, which the file at `path` contains. Raise FormatError if it is damaged."""
    if not packed:
        return CharacterMap({})
    size = int.from_bytes(packed[:4], "little")
    if len(packed) < 4 or size % 4 or not 4 <= size <= len(packed) - 4:
        raise FormatError(
            _("EngineError", "{path}: the character map is damaged: its trie has an invalid size."), path=path
        )
    texts = packed[4 + size :]
    replacements: dict[str, str] = {}
    total = 0
    for key, offset in _trie_items(path, np.frombuffer(packed, "<u4", size // 4, 4).astype(np.int64)):
        end = texts.find(b"\0", offset, offset + _MAX_REPLACEMENT_BYTES + 1)
        if end < 0:
            raise FormatError(
                _("EngineError", "{path}: the character map is damaged: a string in it is not terminated."), path=path
            )
        total += len(key) + end - offset
        if total > _MAX_TOTAL_BYTES:
            raise FormatError(
                _("EngineError", "{path}: the character map is damaged: its strings are too long."), path=path
            )
        try:
            replacements[key.decode()] = texts[offset:end].decode()
        except UnicodeDecodeError as error:
            raise FormatError(
                _("EngineError", "{path}: the character map is damaged: a string in it is not valid UTF-8."), path=path
            ) from error
    return CharacterMap(replacements)


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
                _(
                    "EngineError",
                    "{path}: the character map is damaged: its trie points outside itself or back into itself.",
                ),
                path=path,
            )
        if value != _NO_VALUE:
            yield key, value
        waiting += [(key + label, child_base, child_value) for label, child_base, child_value in children.get(base, ())]
    raise FormatError(_("EngineError", "{path}: the character map is damaged: its trie has too many keys."), path=path)


def packed_from_json(value: JsonValue) -> tuple[CharacterMap, bytes]:
    """Return the map of the step `Precompiled` in a `tokenizer.json`, and the same packed. Raise FormatError."""
    encoded = value.string()
    try:
        packed = b64decode(encoded, validate=True)
    except ValueError:
        packed = b""
    if not packed or packed_to_json(packed) != encoded:
        raise value.error(_("EngineError", "{path}: {place} must be a character map, encoded in Base64."))
    return read_charsmap(value.path, packed), packed


def packed_to_json(packed: bytes) -> str:
    """Return a packed map as a `tokenizer.json` has it."""
    return b64encode(packed).decode()
