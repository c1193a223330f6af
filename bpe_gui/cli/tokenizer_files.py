"""Open the tokenizer that a command reads, and check where it writes one."""

import argparse
import logging
import os
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine import FORMATS, FormatError, Tokenizer, load
from bpe_gui.engine.formats import UnknownPatternError, check_parent_folder, check_suffix, recognise

from .streams import say

_GUESS_NOTICE: Final = (
    "{path} does not say how text is split or which special tokens it has, so the pattern of GPT-2 and no special "
    "tokens are used. Set them with --pattern and --special-token."
)
_GUESS_NOTICE_FOR_DECODING: Final = (
    "{path} does not say which special tokens it has, so none are used. Set them with --special-token."
)

_logger: Final = logging.getLogger(__name__)


class TokenizerOfFile(NamedTuple):
    """A tokenizer that was read from a file, and the name of the file's format.

    `is_guessed`: neither the file nor the user says how text is split, so it is split as GPT-2 does.
    """

    tokenizer: Tokenizer
    format: str
    is_guessed: bool = False


def open_tokenizer(arguments: argparse.Namespace) -> TokenizerOfFile:
    """Return the tokenizer that the user named, read with the pattern and special tokens that the user gave.

    Only files of ranks need these, and the user is told if they had to be guessed. Raise FormatError if the file cannot
    be read, or if it is of another format and they were given.
    """
    opened = _read_tokenizer(arguments)
    sizes = len(opened.tokenizer.vocab), len(opened.tokenizer.merges)
    _logger.info("opened %s as %s: %d entries, %d merges", arguments.tokenizer, opened.format, *sizes)
    return opened


def _read_tokenizer(arguments: argparse.Namespace) -> TokenizerOfFile:
    path, pattern, special_tokens = arguments.tokenizer, arguments.pattern, dict(arguments.special_token) or None
    format = recognise(path)
    has_options = pattern is not None or special_tokens is not None
    if has_options and format != "tiktoken":
        raise FormatError(
            "{options} only for tiktoken ranks. {path} has the format {format}, which includes this information.",
            options="--special-token is" if arguments.command == "decode" else "--pattern and --special-token are",
            path=path,
            format=format,
        )
    try:
        return TokenizerOfFile(load(path, format, pattern=pattern, special_tokens=special_tokens), format)
    except UnknownPatternError:
        if not has_options:
            notice = _GUESS_NOTICE_FOR_DECODING if arguments.command == "decode" else _GUESS_NOTICE
            say(notice.format(path=path))
        tokenizer = load(path, format, pattern="gpt2", special_tokens=special_tokens)
        return TokenizerOfFile(tokenizer, format, is_guessed=not has_options)


def check_output(path: Path, format: str) -> None:
    """Raise FormatError if a tokenizer cannot be written to `path`.

    It is called before training, which may take an hour.
    """
    if str(path) == "-":
        raise FormatError(
            "A tokenizer cannot be written to '-'. Name a folder, or a file if the format is a single file."
        )
    file = FORMATS[format].paths(path)[0]
    check_parent_folder(file)
    check_suffix(path, format)
    nearest_folder = next(folder for folder in file.absolute().parents if folder.exists())
    if not os.access(nearest_folder, os.W_OK | os.X_OK):
        raise FormatError("{path} cannot be written: Permission denied.", path=file.parent)
