"""Ranks of tiktoken with their pattern and special tokens in JSON, as JavaScript packages ship them.

The tokens are in one text: lines that each begin with `!` and the first rank in the line, followed by tokens in Base64.
"""

import re
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import read_text
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.entries import MAX_ID

from .files import MAX_BYTES, check_line_count, has_at_start, shorten
from .ranks import splitter_from_rust_pattern, tokenizer_from_ranks
from .tiktoken import parse_ranks

_DISTINCTIVE: Final = re.compile(rb'"bpe_ranks"\s*:')
_LINE: Final = re.compile(r"! (\d{1,9}) (\S+(?: \S+)*)")
_MAX_SPECIAL_TOKENS: Final = 10_000


def recognises(path: Path) -> bool:
    """Return whether a JSON file begins like one of this format. Raise FormatError."""
    return has_at_start(path, _DISTINCTIVE)


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a file. Raise FormatError."""
    root = parse_bounded(path, read_text(path, MAX_BYTES))
    pattern = root.member("pat_str")
    pattern.string()  # raises
    splitter = pattern.converted(splitter_from_rust_pattern)
    tokens = parse_ranks(path, _rank_lines(root.member("bpe_ranks")))
    special = root.member("special_tokens")
    names = special.plain_dict()
    if len(names) > _MAX_SPECIAL_TOKENS:
        raise FormatError("{path}: {place} has more than {most:,} tokens.", **special.where, most=_MAX_SPECIAL_TOKENS)
    return tokenizer_from_ranks(tokens, splitter, {name: special.member(name).integer(0, MAX_ID) for name in names})


def _rank_lines(value: JsonValue) -> bytes:
    """Return the tokens as the lines of a file of ranks."""
    lines = [line for line in value.string().split("\n") if line]
    check_line_count(value.path, len(lines))
    found: list[str] = []
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise FormatError(
                "{path}: line {line} of {place} must be “!”, a rank and tokens in Base64, not {text!r}.",
                **value.where,
                line=number,
                text=shorten(line),
            )
        found += (f"{token} {rank}\n" for rank, token in enumerate(match[2].split(" "), start=int(match[1])))
    return "".join(found).encode()
