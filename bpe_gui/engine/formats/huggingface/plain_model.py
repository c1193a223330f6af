"""Read the vocabulary and the merges of a `tokenizer.json` by kernels: they are nearly all of a large file.

This is several times as fast as parsing all of the JSON, but says nothing about what is wrong with a file.
"""

import os
import re
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine.formats.vocabularies.spelled_tokens import SpelledMerges, merges_of_parts
from bpe_gui.engine.kernels.encoding.json_tokens import NOT_PLAIN, read_json_merges, read_json_vocabulary
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array
from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.tokenization.token_list import TokenList

_MOST_BYTES: Final = 1 << 26
"""A vocabulary and merges of this size do not have more values than `parse_bounded` accepts."""

_LEAST_BYTES: Final = 3
"""A string and what separates it from the next take at least as many."""

_VOCABULARY: Final = re.compile(rb'"vocab"\s*:\s*(?={)')
_MERGES: Final = re.compile(rb'"merges"\s*:\s*(?=\[)')
_OLD_HEADER: Final = b'"#version'
_ESCAPED_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


def _escape_table() -> UInt8Array:
    table = np.zeros(256, np.uint8)
    table[list(rb'"\/bfnrt')] = list(b'"\\/\b\f\n\r\t')
    return table


_ESCAPES: Final = _escape_table()


def read_plain(path: Path, data: bytes) -> tuple[JsonValue, SpelledMerges] | None:
    """Return what a file contains, with an empty list of merges, and the merges.

    Return None if its vocabulary or merges are not as usual, or anything may be wrong.
    """
    if len(data) > _MOST_BYTES or _OLD_HEADER in data or not (vocabulary := _VOCABULARY.search(data)):
        return None
    padded = np.frombuffer(data + bytes(PADDING), np.uint8)
    text, starts = np.empty(len(padded), np.uint8), np.empty(len(data) // _LEAST_BYTES, np.int64)
    numbers = np.empty(len(starts), np.int64)
    count, vocabulary_end = read_json_vocabulary(padded, vocabulary.end(), _ESCAPES, text, starts, numbers)
    if vocabulary_end == NOT_PLAIN or not (merges := _MERGES.search(data, vocabulary_end)):
        return None
    tokens, ids = _copied(text, starts[: count + 1]), numbers[:count].tolist()
    count, merges_end = read_json_merges(padded, merges.end(), _ESCAPES, text, starts)
    if merges_end == NOT_PLAIN:
        return None
    spelled_merges = merges_of_parts(_copied(text, starts[: 2 * count + 1]), tokens)
    if spelled_merges is None or not tokens.are_different:
        return None
    # A mark that nobody can foresee shows whether these are the vocabulary and the merges of the model.
    mark = os.urandom(16).hex()
    rest = f'"{mark}"'.encode().join((data[: vocabulary.end()], data[vocabulary_end : merges.end()], data[merges_end:]))
    try:
        # No token has a zero byte. Decoding all of them together takes a fraction of decoding each.
        separated = np.insert(tokens.text[: tokens.starts[-1]], tokens.starts[1:-1], 0)
        spelled = separated.tobytes().decode().split("\0")
        root = parse_bounded(path, rest.decode("utf-8-sig"))
    except (FormatError, UnicodeDecodeError):
        return None
    match root.value:
        case {"model": {"vocab": str(one), "merges": str(other)} as model} if (
            one == other == mark and not model.get("continuing_subword_prefix") and not _ESCAPED_SURROGATE.search(rest)
        ):
            model |= {"vocab": dict(zip(spelled, ids, strict=True)), "merges": []}
            return root, spelled_merges
    return None


def _copied(text: UInt8Array, starts: Int64Array) -> TokenList:
    """Return the tokens that a kernel wrote, in arrays of their own."""
    return TokenList(text[: starts[-1] + PADDING].copy(), starts.copy())
