"""Mistral's `tekken.json`: tokens by rank as in tiktoken, with the pattern and the special tokens.

Special tokens have the first ids, followed by the tokens in the order of their ranks. The file may list more tokens
than are used: only the first ones count, up to the vocabulary size. Reserved ids without a name get names such as
`<SPECIAL_20>`. The first versions of the format do not name special tokens, but we know them.
"""

import re
from binascii import a2b_base64
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import read_text
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedTokens

from .files import has_at_start
from .ranks import MAX_TOKEN_BYTES, SINGLE_BYTES, check_total_size, splitter_from_rust_pattern, tokenizer_from_ranks

_MAX_BYTES: Final = 1 << 25  # published files are up to 20 MB
_MAX_TOKENS: Final = 500_000
_MAX_SPECIAL_TOKENS: Final = 10_000
_MAX_SPECIAL_CHARACTERS: Final = 200_000  # of all special tokens together
_LAST_UNNAMED_VERSION: Final = 7
"""The last version of files that do not name special tokens."""

_DISTINCTIVE: Final = re.compile(rb'"default_num_special_tokens"\s*:|"vocab"\s*:\s*\[\s*\{')
_VERSION: Final = re.compile(r"v([0-9]{1,4})(?:m[0-9]{1,4})?")

# mistralai/mistral-common src/mistral_common/tokens/tokenizers/tekken.py
_DEFAULT_SPECIAL_TOKENS: Final = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"),
    *("[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"),
    *("[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"),
)


def recognises(path: Path) -> bool:
    """Return whether a JSON file begins like one of this format. Raise FormatError."""
    return has_at_start(path, _DISTINCTIVE)


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a file. Raise FormatError or TokenizerError."""
    root = parse_bounded(path, read_text(path, _MAX_BYTES))
    config = root.member("config")
    pattern = config.member("pattern")
    pattern.string()  # raises
    splitter = pattern.converted(splitter_from_rust_pattern)
    special_tokens = _read_special_tokens(root, config)
    first_id = len(special_tokens)
    size = config.member("default_vocab_size").integer(first_id + len(SINGLE_BYTES), first_id + _MAX_TOKENS)
    tokens = NumberedTokens.of(_read_tokens(root.member("vocab"), size - first_id))
    check_total_size(path, tokens.tokens)
    return tokenizer_from_ranks(tokens, splitter, special_tokens, first_id=first_id)


def _read_special_tokens(root: JsonValue, config: JsonValue) -> dict[str, int]:
    """Return the ids of the special tokens, which count from 0."""
    count = config.member("default_num_special_tokens").integer(0, _MAX_SPECIAL_TOKENS)
    entries = root.member("special_tokens")
    if entries.is_null:
        version = config.member("version")
        match = _VERSION.fullmatch(version.string())
        if match is None or int(match[1]) > _LAST_UNNAMED_VERSION:
            raise FormatError("{path}: a file of version {value!r} must contain special_tokens.", **version.where)
        names = list(_DEFAULT_SPECIAL_TOKENS)
    else:
        names = _read_names(entries, count)
    if len(names) > count:
        raise FormatError(
            "{path}: there are {names:,} special tokens, but default_num_special_tokens is {count:,}.",
            **entries.where,
            names=len(names),
            count=count,
        )
    names += [f"<SPECIAL_{number}>" for number in range(len(names), count)]
    if len(set(names)) < len(names):
        raise FormatError("{path}: two special tokens are identical.", **entries.where)
    return {name: number for number, name in enumerate(names)}


def _read_names(entries: JsonValue, max_count: int) -> list[str]:
    names: list[str] = []
    total_length = 0
    for index, entry in enumerate(entries.items(max_count)):
        entry.member("rank").integer(index, index)
        name = entry.member("token_str").string()
        total_length += len(name)
        if total_length > _MAX_SPECIAL_CHARACTERS:
            raise FormatError(
                "{path}: the special tokens have more than {most:,} characters in total.",
                **entries.where,
                most=_MAX_SPECIAL_CHARACTERS,
            )
        names.append(name)
    return names


def _read_tokens(vocab: JsonValue, count: int) -> dict[int, bytes]:
    """Return the first `count` tokens by rank."""
    entries = vocab.items(_MAX_TOKENS)
    if len(entries) < count:
        raise FormatError(
            "{path}: {place} has {length:,} tokens, but config requires {count:,}.",
            **vocab.where,
            length=len(entries),
            count=count,
        )
    tokens: dict[int, bytes] = {}
    rank_of: dict[bytes, int] = {}
    for rank, entry in enumerate(entries[:count]):
        entry.member("rank").integer(rank, rank)
        token = _read_token(entry.member("token_bytes"))
        if rank < len(SINGLE_BYTES) and token != SINGLE_BYTES[rank]:
            raise FormatError(
                "{path}: {place} is {token!r}, but the first 256 tokens must be the bytes in order.",
                **entry.where,
                token=token,
            )
        if token in rank_of:
            raise FormatError(
                "{path}: {place} is {token!r}, which already has the rank {other}.",
                **entry.where,
                token=token,
                other=rank_of[token],
            )
        tokens[rank] = token
        rank_of[token] = rank
    return tokens


def _read_token(value: JsonValue) -> bytes:
    try:
        token = a2b_base64(value.string(), strict_mode=True)
    except ValueError:
        token = b""
    if not 1 <= len(token) <= MAX_TOKEN_BYTES:
        raise FormatError(
            "{path}: {place} must be a token of 1 to {most:,} bytes encoded in Base64, not {value!r}.",
            **value.where,
            most=MAX_TOKEN_BYTES,
        )
    return token
