"""The tokenizers that a command reads and writes."""

import argparse
import logging
import os
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine import FORMATS, FormatError, Tokenizer, load
from bpe_gui.engine.formats import UnknownPatternError, check_parent_folder, check_suffix, recognise

from .streams import say

_GUESS: Final = (
    "{path} does not say how text is split, nor which special tokens there are: the pattern of GPT-2 is used, and no "
    "special tokens. Say it with --pattern and --special-token."
)
_GUESS_FOR_DECODING: Final = (
    "{path} does not say which special tokens there are: none are known. Say it with --special-token."
)

_logger: Final = logging.getLogger(__name__)


class OpenedTokenizer(NamedTuple):
    """A tokenizer and the name of its format. `is_guessed` if neither the file nor the user says how it splits text."""

    tokenizer: Tokenizer
    format: str
    is_guessed: bool = False


def open_tokenizer(arguments: argparse.Namespace) -> OpenedTokenizer:
    """Open the tokenizer that the user named. Raise FormatError.

    Files of ranks do not say how text is split: the user can, and is told if that had to be guessed.
    """
    opened = _open_tokenizer(arguments)
    _logger.info(
        "opened %s as %s: %d entries, %d merges",
        *(arguments.tokenizer, opened.format, len(opened.tokenizer.vocab), len(opened.tokenizer.merges)),
    )
    return opened


def _open_tokenizer(arguments: argparse.Namespace) -> OpenedTokenizer:
    path, pattern, special_tokens = arguments.tokenizer, arguments.pattern, dict(arguments.special_token) or None
    format = recognise(path)
    is_anything_given = pattern is not None or special_tokens is not None
    if is_anything_given and format != "tiktoken":
        raise FormatError(
            "{options} for ranks of tiktoken; {path} is of the format {format} and says itself what they say.",
            options="--special-token is" if arguments.command == "decode" else "--pattern and --special-token are",
            path=path,
            format=format,
        )
    try:
        return OpenedTokenizer(load(path, format, pattern=pattern, special_tokens=special_tokens), format)
    except UnknownPatternError:
        if not is_anything_given:
            say((_GUESS_FOR_DECODING if arguments.command == "decode" else _GUESS).format(path=path))
        tokenizer = load(path, format, pattern="gpt2", special_tokens=special_tokens)
        return OpenedTokenizer(tokenizer, format, is_guessed=not is_anything_given)


def check_output(path: Path, format: str) -> None:
    """Raise FormatError if `path` cannot be written to: before training, which may take an hour."""
    if str(path) == "-":
        raise FormatError(
            "'-' is not a place to write a tokenizer to; name a folder, or the file of a format that has one."
        )
    file = FORMATS[format].paths(path)[0]
    check_parent_folder(file)
    check_suffix(path, format)
    nearest_folder = next(folder for folder in file.absolute().parents if folder.exists())
    if not os.access(nearest_folder, os.W_OK | os.X_OK):
        raise FormatError("{path} cannot be written: Permission denied.", path=file.parent)
