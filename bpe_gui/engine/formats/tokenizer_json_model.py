"""Read and check the model and the added tokens in `tokenizer.json`. Tokens stay as spelled there.

The vocabulary and the merges make up nearly all of a large file. `read_plain` reads them with kernels, which is several
times as fast as parsing all of the JSON, but cannot say what is wrong with a file.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.tokens import NOT_PLAIN, read_json_merges, read_json_vocabulary
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.pipeline.added_tokens import FLAGS, AddedToken
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array
from bpe_gui.engine.vocabulary.entries import MAX_ID
from bpe_gui.engine.vocabulary.numbered_tokens import TokenList

from .spelled_tokens import SpelledMerges, merges_of_parts, spelled_merges, split_pairs
from .tokenizer_json_steps import log_unknown_keys

_MAX_ADDED_TOKENS: Final = 1_000_000
_MAX_LENGTH: Final = 1_000  # characters of an added token, a prefix or a suffix
_ADDED_TYPES: Final = dict.fromkeys(FLAGS, bool) | {"id": int, "content": str}
_MODEL_KEYS: Final = (
    *("type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk"),
    *("byte_fallback", "ignore_merges", "vocab", "merges"),
)
_OLD_HEADER: Final = "#version"

_SpelledPair = tuple[str, str]


class SpelledModel(NamedTuple):
    """A model and its added tokens, with all tokens as spelled in the file."""

    ids: dict[str, int]
    merges: SpelledMerges
    added_tokens: list[AddedToken]
    unknown: str | None
    """The token for unknown characters."""
    options: ModelOptions
    """The options, except that `is_byte_level` is not yet known."""

    def merges_have(self, tokens: Iterable[str]) -> bool:
        """Return whether merges join or make one of these tokens."""
        wanted = set(tokens)
        return bool(wanted) and not wanted.isdisjoint(self.merges.used(self.ids))


def read_model(root: JsonValue, merges: SpelledMerges | None) -> SpelledModel:
    """Return the model and the added tokens of a file, given its merges if already read. Raise FormatError."""
    model = root.member("model")
    kind = model.member("type")
    if not kind.is_null and kind.string() != "BPE":
        raise FormatError("{path}: {place} is {value!r}. Only BPE models can be opened.", **kind.where)
    log_unknown_keys(model, _MODEL_KEYS)
    ids = _read_vocab(model.member("vocab"))
    prefix = model.member("continuing_subword_prefix").optional(_read_short_string) or ""
    if merges is None:
        merges = _read_merges(model.member("merges"), ids, prefix)
    return SpelledModel(
        ids=ids,
        merges=merges.last_of_each(),  # if a merge is listed twice, its last rank counts, as it does in `tokenizers`
        added_tokens=_read_added_tokens(root.member("added_tokens"), ids),
        unknown=model.member("unk_token").optional(_read_short_string),
        options=ModelOptions(
            suffix=model.member("end_of_word_suffix").optional(_read_short_string) or "",
            prefix=prefix,
            fuses_unknown=model.member("fuse_unk").optional(JsonValue.boolean) or False,
            falls_back_to_bytes=model.member("byte_fallback").optional(JsonValue.boolean) or False,
            ignores_merges=model.member("ignore_merges").optional(JsonValue.boolean) or False,
            dropout=model.member("dropout").optional(_read_dropout) or 0,
        ),
    )


def _read_dropout(value: JsonValue) -> float:
    if not isinstance(value.value, int | float) or not 0 <= value.value <= 1:
        raise FormatError("{path}: {place} must be a number from 0 to 1, not {value!r}.", **value.where)
    return float(value.value)


def _read_short_string(value: JsonValue) -> str:
    if len(value.string()) > _MAX_LENGTH:
        raise FormatError("{path}: {place} is longer than {most:,} characters.", **value.where, most=_MAX_LENGTH)
    return value.string()


# -- vocabulary ---------------------------------------------------------------------------------------------------


def _read_vocab(value: JsonValue) -> dict[str, int]:
    """Return the ids by token."""
    ids: dict[str, int] = value.plain_dict()
    numbers = set(ids.values())
    if (
        len(numbers) == len(ids) > 0
        and set(map(type, numbers)) == {int}
        and min(numbers) >= 0
        and max(numbers) <= MAX_ID
    ):
        return ids  # the usual case; looking at each entry takes several times as long
    owners: dict[int, str] = {}
    for token, token_id in ids.items():
        if type(token_id) is not int or not 0 <= token_id <= MAX_ID:
            value.member(token).integer(0, MAX_ID)  # raises
        if owners.setdefault(token_id, token) != token:
            raise FormatError(
                "{path}: in {place}, {token!r} has the id {id}, which already belongs to {other!r}.",
                **value.where,
                token=token,
                id=token_id,
                other=owners[token_id],
            )
    return ids


# -- merges -------------------------------------------------------------------------------------------------------


def _read_merges(value: JsonValue, ids: Mapping[str, int], prefix: str) -> SpelledMerges:
    """Return the listed merges. Raise FormatError as `_checked_merges` does."""
    merges = None if prefix else _plain_merges(value.plain_list(), ids)
    return _checked_merges(value, ids, prefix) if merges is None else merges


def _plain_merges(listed: list[Any], ids: Iterable[str]) -> SpelledMerges | None:
    """Return the listed merges, much faster than `_checked_merges`, or None if something may be wrong with them."""
    kinds = set(map(type, listed))
    if kinds == {str}:
        pairs = split_pairs([line for line in listed if not line.startswith(_OLD_HEADER)])
        return spelled_merges(*pairs, ids) if pairs else None
    if kinds != {list} or set(map(len, listed)) != {2}:
        return None
    flat = list(chain.from_iterable(listed))
    return spelled_merges(flat[::2], flat[1::2], ids) if set(map(type, flat)) == {str} else None


def _checked_merges(value: JsonValue, ids: Mapping[str, int], prefix: str) -> SpelledMerges:
    """Return the listed merges. Raise FormatError for the first that is not a merge, or lacks a token."""
    place_of = {token: place for place, token in enumerate(ids)}
    places: list[int] = []
    for rank, (left, right) in _listed_pairs(value):
        for token in (left, right, join(left, right, prefix)):
            if token not in place_of:
                raise FormatError(
                    "{path}: {place}[{rank}] needs the token {token!r}, which is not in model.vocab.",
                    **value.where,
                    rank=rank,
                    token=token,
                )
            places.append(place_of[token])
    return SpelledMerges(*np.array(places, np.int64).reshape(-1, 3).T)


def join(left: str, right: str, prefix: str) -> str:
    """Return the token that a merge makes: the right token loses `prefix`, which marks tokens inside a word.

    As in `tokenizers`, that many bytes are removed without checking them.

    >>> join("lo", "##w", "##")
    'low'
    """
    if not prefix:
        return left + right
    return (left.encode() + right.encode()[len(prefix.encode()) :]).decode("utf-8", "replace")


def _listed_pairs(value: JsonValue) -> Iterator[tuple[int, _SpelledPair]]:
    """Yield the index and the two tokens of each listed merge."""
    listed = value.plain_list()
    if listed and isinstance(listed[0], str):
        yield from _old_listed_pairs(value, listed)
        return
    for index, pair in enumerate(listed):
        match pair:
            case [str() as left, str() as right]:
                yield index, (left, right)
            case _:
                raise FormatError(
                    "{path}: {place}[{rank}] must be a pair of tokens, like the other merges.",
                    **value.where,
                    rank=index,
                )


def _old_listed_pairs(value: JsonValue, listed: list[Any]) -> Iterator[tuple[int, _SpelledPair]]:
    """Yield the index and the two tokens of each merge in an older file, which has one string per merge."""
    for index, line in enumerate(listed):
        if isinstance(line, str) and line.startswith(_OLD_HEADER):
            continue
        match line.split(" ") if isinstance(line, str) else None:
            case [left, right]:
                yield index, (left, right)
            case _:
                raise FormatError(
                    "{path}: {place}[{rank}] must be two tokens separated by a space.", **value.where, rank=index
                )


# -- added tokens -------------------------------------------------------------------------------------------------


def _read_added_tokens(value: JsonValue, ids: Mapping[str, int]) -> list[AddedToken]:
    """Return the added tokens in the order of the file. Raise FormatError if `tokenizers` would change their ids."""
    tokens: list[AddedToken] = []
    seen: set[str] = set()
    for entry in [] if value.is_null else value.items(_MAX_ADDED_TOKENS):
        fields = entry.plain_dict()
        if {key: type(field) for key, field in fields.items()} != _ADDED_TYPES:  # rare; looking closely takes longer
            log_unknown_keys(entry, tuple(_ADDED_TYPES))
            content = entry.member("content").string()
            flags = {flag: entry.member(flag).boolean() for flag in FLAGS}
            fields = {"id": entry.member("id").integer(0, MAX_ID), "content": content, **flags}
        content = fields["content"]
        if not content or len(content) > _MAX_LENGTH:
            raise FormatError(
                "{path}: {place}.content must have 1 to {most:,} characters.", **entry.where, most=_MAX_LENGTH
            )
        if content in seen:
            raise FormatError("{path}: {place}: {token!r} is a duplicate.", **entry.where, token=content)
        seen.add(content)
        if not 0 <= fields["id"] <= MAX_ID:
            entry.member("id").integer(0, MAX_ID)  # raises
        tokens.append(AddedToken(in_vocabulary=content in ids, **fields))
    for token, assigned_id in zip(tokens, assigned_ids([token.content for token in tokens], ids), strict=True):
        if token.id != assigned_id:
            raise FormatError(
                "{path}: in {place}, {token!r} has the id {id}, but `tokenizers` would give it the id {number}.",
                **value.where,
                token=token.content,
                id=token.id,
                number=assigned_id,
            )
    return tokens


def assigned_ids(contents: Iterable[str], ids: Mapping[str, int]) -> Iterator[int]:
    """Yield the ids that `tokenizers` assigns to added tokens: from the vocabulary, or the next after its size.

    >>> list(assigned_ids(["<a>", "b", "<c>"], {"a": 0, "b": 1}))
    [2, 1, 3]
    """
    last = -1
    for content in contents:
        token_id = ids.get(content, max(last + 1, len(ids)))
        yield token_id
        last = max(last, token_id)


# -- vocabulary and merges with kernels -----------------------------------------------------------------------------

_MAX_BYTES: Final = 1 << 26
"""A vocabulary and merges of this size have no more values than `parse_bounded` accepts."""

_MIN_BYTES: Final = 3
"""A string and the separator after it take at least this many."""

_VOCABULARY: Final = re.compile(rb'"vocab"\s*:\s*(?={)')
_MERGES: Final = re.compile(rb'"merges"\s*:\s*(?=\[)')
_OLD_HEADER_IN_JSON: Final = b'"#version'
_ESCAPED_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


_ESCAPES: Final[UInt8Array] = np.zeros(256, np.uint8)
_ESCAPES[list(rb'"\/bfnrt')] = list(b'"\\/\b\f\n\r\t')


def read_plain(path: Path, data: bytes) -> tuple[JsonValue, SpelledMerges] | None:
    """Return a file's JSON, with an empty list of merges, and the merges separately.

    Return None if its vocabulary or merges are unusual, or anything may be wrong.
    """
    if len(data) > _MAX_BYTES or _OLD_HEADER_IN_JSON in data or not (vocabulary := _VOCABULARY.search(data)):
        return None
    padded = np.frombuffer(data + bytes(PADDING), np.uint8)
    text, starts = np.empty(len(padded), np.uint8), np.empty(len(data) // _MIN_BYTES, np.int64)
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
    # An unpredictable mark shows whether these are the vocabulary and the merges of the model.
    mark = os.urandom(16).hex()
    rest = f'"{mark}"'.encode().join((data[: vocabulary.end()], data[vocabulary_end : merges.end()], data[merges_end:]))
    try:
        # No token has a zero byte. Decoding them all at once is many times as fast as decoding each.
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
