"""tiktoken: a `*.tiktoken` file with a line per token: its bytes in Base64 and its rank.

Ranks are ids. Encoding merges the two neighbours whose joined bytes have the lowest rank; `ranks` recovers the merges.
The file has neither the pattern that splits text nor the special tokens. They are known for the files that OpenAI
published; for any other, the user has to give them.
"""

import logging
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.encoding.tokens import NO_DIGIT, NOT_PLAIN, read_rank_lines
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.runtime.errors import FormatError, LineError
from bpe_gui.engine.runtime.files import read_bytes
from bpe_gui.engine.runtime.types import UInt8Array
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedTokens, TokenList

from .files import MAX_BYTES, check_has_recipe, check_line_count, check_no_seeds, check_token_size, shorten
from .ranks import (
    MAX_TOKEN_BYTES,
    SINGLE_BYTES,
    check_total_size,
    recover_merges,
    splitter_from_rust_pattern,
    tokenizer_from_ranks,
)

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.pipeline import Pipeline

_MAX_RANK: Final = (1 << 31) - 1
_BASE64_VALUES: Final[UInt8Array] = np.full(256, NO_DIGIT, np.uint8)
"""The value of each byte as a digit of Base64."""
_BASE64_VALUES[list(f"{ascii_uppercase}{ascii_lowercase}{digits}+/".encode())] = np.arange(NO_DIGIT)

_logger: Final = logging.getLogger(__name__)


class UnknownPatternError(FormatError):
    """A file of ranks is of unknown origin, and no pattern was given."""


class PublishedRanks(NamedTuple):
    """A published file, with its pattern and special tokens, which are not in it."""

    splitter: str
    special_tokens: Mapping[str, int]
    rank_count: int
    sha256: str


# openai/tiktoken tiktoken_ext/openai_public.py
_R50K: Final = PublishedRanks(
    "gpt2", {"<|endoftext|>": 50256}, 50256, "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
)
PUBLISHED: Final = {
    "r50k_base": _R50K,
    "gpt2": _R50K,
    "p50k_base": _R50K._replace(
        rank_count=50280, sha256="94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"
    ),
    "cl100k_base": PublishedRanks(
        "cl100k",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
        100256,
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": PublishedRanks(
        "o200k",
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
        199998,
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}
"""The files of OpenAI by name; `gpt2` is another name for `r50k_base`."""


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path, *, pattern: str | None = None, special_tokens: Mapping[str, int] | None = None) -> Tokenizer:
    """Read a tokenizer from a file of ranks.

    `pattern` is the name of a splitter or of an OpenAI encoding, or a regular expression. OpenAI's files are recognised
    by their content or name, and use their own pattern and special tokens unless others are given. Any other file needs
    a pattern, and has only the special tokens that are given.

    Raise UnknownPatternError if a pattern is needed, or FormatError, RecipeError or TokenizerError.
    """
    splitter = None if pattern is None else splitter_of_ranks(pattern)
    data = _read(path)
    tokens = parse_ranks(path, data)
    published = _find_published(path, data, tokens)
    if splitter is None and published:
        splitter = published.splitter
    if splitter is None:
        raise UnknownPatternError(
            "{path} contains only ranks and does not say how text is split. Set pattern= to the name of a splitter "
            "({names}) or to a regular expression.",
            path=path,
            names=tuple(SPLITTERS),
        )
    if special_tokens is None:
        special_tokens = published.special_tokens if published else {}
    return tokenizer_from_ranks(tokens, splitter, special_tokens)


def splitter_of_ranks(pattern: str) -> str:
    """Return the splitter for a user's pattern of ranks: a name, or an expression in tiktoken's dialect.

    Raise RecipeError for an expression that cannot be translated.
    """
    if pattern in PUBLISHED:
        return PUBLISHED[pattern].splitter
    return pattern if pattern in SPLITTERS else splitter_from_rust_pattern(pattern)


def _read(path: Path) -> bytes:
    data = read_bytes(path, MAX_BYTES)
    check_line_count(path, data.count(b"\n") + 1)
    return data


def _find_published(path: Path, data: bytes, tokens: NumberedTokens) -> PublishedRanks | None:
    # Some transfers convert line ends, which changes the digest. A name alone proves nothing.
    named = PUBLISHED.get(path.stem)
    if named and len(tokens) == named.rank_count and not any(i in tokens for i in named.special_tokens.values()):
        _logger.debug("%s is known, by its name and size", path.name)
        return named
    sized = {name: published for name, published in PUBLISHED.items() if published.rank_count == len(tokens)}
    if not sized:
        return None
    from hashlib import sha256  # it loads all of OpenSSL

    digest = sha256(data).hexdigest()
    for name, published in sized.items():
        if digest == published.sha256:
            _logger.debug("%s is %s, by its digest", path.name, name)
            return published
    return None


def parse_ranks(path: Path, data: bytes) -> NumberedTokens:
    """Return the tokens in the lines of a file, in the order of their ranks. Raise FormatError."""
    tokens = _parse_plain(data) or NumberedTokens.of(_parse_by_line(path, data))
    check_total_size(path, tokens.tokens)
    return tokens


def _parse_plain(data: bytes) -> NumberedTokens | None:
    """Return the tokens of a file that lists them in the order of their ranks, or None for any other.

    This is many times as fast as line by line, but cannot say what is wrong.
    """
    line_end = b"" if data.endswith(b"\n") else b"\n"
    lines = data.count(b"\n") + len(line_end)
    padded = np.frombuffer(b"".join((data, line_end, bytes(PADDING))), np.uint8)
    text, starts, ranks = np.empty(len(padded), np.uint8), np.empty(lines + 1, np.int64), np.empty(lines, np.int64)
    count = read_rank_lines(padded, _BASE64_VALUES, MAX_TOKEN_BYTES, _MAX_RANK, text, starts, ranks)
    if count == NOT_PLAIN:
        return None
    tokens = TokenList(text[: starts[count] + PADDING].copy(), starts)
    is_whole = np.count_nonzero(tokens.sizes == 1) == len(SINGLE_BYTES) and tokens.are_different
    return NumberedTokens(ranks, tokens) if is_whole else None


def _parse_by_line(path: Path, data: bytes) -> dict[int, bytes]:
    """Return the tokens of a file in the order of their ranks. Raise FormatError that says which line is wrong."""
    tokens: dict[int, bytes] = {}
    line_of: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line and not line.isspace():
            token, rank = _parse_line(path, number, line)
            if token in line_of:
                raise LineError(
                    "the token {token!r} already occurs on line {other}.",
                    path,
                    number,
                    token=token,
                    other=line_of[token],
                )
            if rank in tokens:
                other = line_of[tokens[rank]]
                raise LineError(
                    "the rank {rank} is already used on line {other}.", path, number, rank=rank, other=other
                )
            tokens[rank] = token
            line_of[token] = number
    for byte in SINGLE_BYTES:
        if byte not in line_of:
            raise FormatError(
                "{path}: the byte {byte!r} has no rank. Each of the 256 bytes needs one.", path=path, byte=byte
            )
    return dict(sorted(tokens.items()))


def _parse_line(path: Path, number: int, line: bytes) -> tuple[bytes, int]:
    """Return the token and the rank in a line."""
    try:
        encoded, digits = line.split()
        token = _decoded(encoded)
        rank = int(digits) if digits.isdigit() else -1
        if not 0 <= rank <= _MAX_RANK:
            raise ValueError
    except ValueError as error:
        raise LineError(
            "{text!r} is not a token and its rank. A line must contain a token in Base64, a space and an integer.",
            path,
            number,
            text=shorten(line.decode("utf-8", "backslashreplace")),
        ) from error
    check_token_size(path, number, len(token), MAX_TOKEN_BYTES)
    return token, rank


def _decoded(base64: bytes) -> bytes:
    """Return the bytes of a token in Base64. A lone `=`, as in Whisper's file, means no bytes. Raise ValueError."""
    return b"" if base64 == b"=" else a2b_base64(base64, strict_mode=True)


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """Return the content of the file at `path`.

    The splitter, the special tokens and the ids around a text are lost. Raise FormatError for a tokenizer that would
    otherwise give other ids if it merged by ranks.
    """
    _check_recipe(tokenizer.recipe)
    if tokenizer.pipeline is None or tokenizer.other_merges:
        check_has_recipe(tokenizer)
    else:
        _check_steps(tokenizer.pipeline)
    special_ids = set(tokenizer.special_tokens.values())
    tokens = {token_id: token for token_id, token in sorted(tokenizer.vocab.items()) if token_id not in special_ids}
    _check_tokens(tokens)
    _check_merges(tokenizer, tokens)
    lines = (f"{b2a_base64(token, newline=False).decode() or '='} {token_id}\n" for token_id, token in tokens.items())
    return {path: "".join(lines)}


def _check_recipe(recipe: Recipe) -> None:
    check_no_seeds(recipe)
    if recipe.units != "bytes":
        raise FormatError(
            "tiktoken merges bytes, but this tokenizer starts from characters. Set units to bytes and train again."
        )
    if recipe.boundary != "none":
        raise FormatError("tiktoken has no end-of-word markers. Set the word boundary to none and train again.")


def _check_steps(pipeline: "Pipeline") -> None:
    """Raise FormatError that names a step that tiktoken does not have."""
    from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, RecipeSplit, Split

    if affix := pipeline.model.prefix or pipeline.model.suffix:
        raise FormatError("tiktoken adds nothing to words, but this tokenizer adds {affix!r}.", affix=affix)
    if pipeline.normalizers:
        raise FormatError(
            "tiktoken encodes a text as it is, but this tokenizer changes it first ({steps}).",
            steps=tuple(getattr(step, "form", type(step).__name__) for step in pipeline.normalizers),
        )
    *splits, last = pipeline.pre_tokenizers or (None,)
    count = len(splits) + (isinstance(last, ByteLevel) and last.use_regex)
    if count > 1 or not all(isinstance(step, RecipeSplit | Split) for step in splits):
        raise FormatError(
            "tiktoken splits a text by one expression, but this tokenizer does so in other steps ({steps}).",
            steps=tuple(type(step).__name__ for step in pipeline.pre_tokenizers),
        )
    if isinstance(last, ByteLevel) and last.add_prefix_space:
        raise FormatError(
            "tiktoken encodes a text as it is, but this tokenizer puts a space before it (add_prefix_space)."
        )
    for token in pipeline.added_tokens:
        if token.single_word or token.lstrip or token.rstrip:
            raise FormatError(
                "tiktoken finds special tokens wherever they are in a text, but here {token!r} takes white space along "
                "or must be a word of its own (single_word, lstrip, rstrip).",
                token=token.content,
            )


def _check_tokens(tokens: Mapping[int, bytes]) -> None:
    ids: dict[bytes, int] = {}
    for token_id, token in tokens.items():
        if token in ids:
            raise FormatError(
                "The token {token!r} has two ids, {first} and {second}, but it can have only one rank.",
                token=token,
                first=ids[token],
                second=token_id,
            )
        if len(token) > MAX_TOKEN_BYTES:
            raise FormatError(
                "The token {token!r} has {length:,} bytes, but tokens in a tiktoken file can have at most {most:,}.",
                token=token,
                length=len(token),
                most=MAX_TOKEN_BYTES,
            )
        ids[token] = token_id
    for byte in SINGLE_BYTES:
        if byte not in ids:
            raise FormatError(
                "The byte {byte!r} has no id of its own, but a tiktoken file needs all 256 bytes.", byte=byte
            )


def _check_merges(tokenizer: Tokenizer, tokens: Mapping[int, bytes]) -> None:
    """Raise FormatError unless merging by ranks gives the same tokens.

    If the order of the merges is that of the tokens they make, the first token that can be made is the same. Then its
    parts are always the same as well (`merge_recovery`), so it does not matter which other parts would merge.
    """
    merged_tokens = [token for token in tokens.values() if len(token) > 1]
    recovered = recover_merges(list(tokens.values()))
    if None in recovered and not tokenizer.store.model.ignores_merges:
        raise FormatError(
            "No merge creates the token {token!r}, so tiktoken would produce it only for whole words.",
            token=merged_tokens[recovered.index(None)],
        )
    id_of, last_id = {token: token_id for token_id, token in tokens.items()}, -1
    for rank, (left, right) in enumerate(tokenizer.merges):
        token_id = id_of.get(left + right, -1)
        if token_id < max(last_id, 0):
            raise FormatError(
                "The merge {left!r} {right!r} (rank {rank}) cannot be recovered from a tiktoken file, in which the ids "
                "give the order of the merges and every merge creates a new token.",
                left=left,
                right=right,
                rank=rank,
            )
        last_id = token_id
    known = set(tokenizer.merges)
    for left, right in filter(None, recovered):
        if (left, right) not in known:
            raise FormatError(
                "tiktoken would merge {left!r} and {right!r} into the token {token!r}, which this tokenizer does not.",
                left=left,
                right=right,
                token=left + right,
            )
