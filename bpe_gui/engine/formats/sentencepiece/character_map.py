"""The table of characters to replace in a SentencePiece model: a trie packed into an array, and the texts after it.

`tokenizer.json` has the same table as the step `Precompiled`, in Base64.

The trie is a double array as `darts-clone` writes it (github.com/s-yata/darts-clone, include/darts.h). A unit of it is
32 bits: a node's label, a byte, and an offset to where its children are; or, with the highest bit, a value.
"""

from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.bounded_json import Part
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.sentencepiece import Charsmap

_IS_VALUE: Final = 1 << 31
_LABEL: Final = _IS_VALUE | 0xFF
_HAS_VALUE: Final = 1 << 8
_LONGEST_KEY: Final = 128  # bytes; the published tables have up to 12
_LONGEST_TEXT: Final = 1024  # bytes of what replaces it; the published tables have up to 33
_MOST_BYTES: Final = 1 << 24  # of all together
_NONE: Final = -1
_MOST_VISITS: Final = 1 << 21  # of nodes; the published tables take 500,000

_KEY: Final = "precompiled_charsmap"  # of the step in tokenizer.json

Node = tuple[bytes, int, int]
"""The label of a node, or all on the way to it; its base, where its children are; its value or `_NONE`."""


def read_charsmap(path: Path, blob: bytes) -> Charsmap:
    """The table that is packed into `blob`. Raises FormatError for one that is damaged."""
    if not blob:
        return Charsmap({})
    size = int.from_bytes(blob[:4], "little")
    if len(blob) < 4 or size % 4 or not 4 <= size <= len(blob) - 4:
        raise FormatError(
            _("EngineError", "{path}: its table of characters is damaged: its trie has no such size."), path=path
        )
    texts = blob[4 + size :]
    replacements: dict[str, str] = {}
    total = 0
    for key, place in _entries(path, np.frombuffer(blob, "<u4", size // 4, 4).astype(np.int64)):
        end = texts.find(b"\0", place, place + _LONGEST_TEXT + 1)
        if end < 0:
            raise FormatError(
                _("EngineError", "{path}: its table of characters is damaged: a text in it has no end."), path=path
            )
        total += len(key) + end - place
        if total > _MOST_BYTES:
            raise FormatError(
                _("EngineError", "{path}: its table of characters is damaged: its texts are too long."), path=path
            )
        try:
            replacements[key.decode()] = texts[place:end].decode()
        except UnicodeDecodeError as error:
            raise FormatError(
                _("EngineError", "{path}: its table of characters is damaged: a text in it is not UTF-8."), path=path
            ) from error
    return Charsmap(replacements)


def _entries(path: Path, units: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Iterator[tuple[bytes, int]]:
    """The keys of the trie and their values."""
    bases = np.arange(len(units)) ^ ((units >> 10) << ((units & (1 << 9)) >> 6))
    values = np.append(units, 0)[np.minimum(bases, len(units))] & ~_IS_VALUE
    values[units & _HAS_VALUE == 0] = _NONE
    # A unit is the child of whoever has its base where this is: so no label has to be tried.
    nodes = np.flatnonzero((units & _IS_VALUE) == 0)
    labels = units[nodes] & 0xFF
    children: dict[int, list[Node]] = defaultdict(list)
    columns = nodes ^ labels, labels, bases[nodes], values[nodes]
    for place, label, base, value in zip(*map(np.ndarray.tolist, columns), strict=True):
        children[place].append((bytes((label,)), base, value))
    waiting: list[Node] = [(b"", int(bases[0]), _NONE)]
    for _visit in range(_MOST_VISITS):
        if not waiting:
            return
        key, base, value = waiting.pop()
        if base >= len(units) or len(key) > _LONGEST_KEY:
            raise FormatError(
                _(
                    "EngineError",
                    "{path}: its table of characters is damaged: its trie leads out of itself, or back into itself.",
                ),
                path=path,
            )
        if value != _NONE:
            yield key, value
        waiting += [(key + label, below, found) for label, below, found in children.get(base, ())]
    raise FormatError(
        _("EngineError", "{path}: its table of characters is damaged: its trie has too many keys."), path=path
    )


def precompiled_of(part: Part) -> Precompiled:
    """The step with a table in `tokenizer.json`. Raises FormatError."""
    table = part.member(_KEY)
    written = table.text()
    try:
        packed = b64decode(written, validate=True)
    except ValueError:
        packed = b""
    if not packed or b64encode(packed).decode() != written:
        raise table.wrong(_("EngineError", "{path}: {place} must be a table of characters, written in Base64."))
    return Precompiled(read_charsmap(part.path, packed), packed)


def precompiled_json(step: Precompiled) -> dict[str, str]:
    """The step as `tokenizer.json` has it."""
    return {"type": "Precompiled", _KEY: b64encode(step.packed).decode()}
