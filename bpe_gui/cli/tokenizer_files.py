"""Open the tokenizer or recipe that a command reads, and check where it writes a tokenizer."""

import argparse
import logging
import os
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine import FORMATS, PRESETS, FormatError, Recipe, RecipeError, Tokenizer, load
from bpe_gui.engine.formats import (
    Download,
    UnknownPatternError,
    check_parent_folder,
    check_suffix,
    fetch_published,
    is_published_name,
    recognise,
)

from .streams import ProgressLine, quantity, say

_GUESS_NOTICE: Final = (
    "{path} does not say how text is split or which special tokens it has, so the GPT-2 pattern is used, without "
    "special tokens. Set them with --pattern and --special-token."
)
_GUESS_NOTICE_FOR_DECODING: Final = (
    "{path} does not say which special tokens it has, so none are used. Set them with --special-token."
)

_RANKS: Final = "tiktoken"
"""The format that does not say how text is split, or which special tokens there are."""

_logger: Final = logging.getLogger(__name__)


class TokenizerOfFile(NamedTuple):
    """A tokenizer that was read from a file, and the name of the file's format.

    `is_guessed`: neither the file nor the user says how text is split, so it is split like GPT-2. `uses_options`: the
    pattern and the special tokens are the user's.
    """

    tokenizer: Tokenizer
    format: str
    is_guessed: bool = False
    uses_options: bool = False


def open_tokenizer(arguments: argparse.Namespace) -> TokenizerOfFile:
    """Return the tokenizer that the user named, using the user's pattern and special tokens.

    Only files of ranks need these, and a message says if they were guessed. Raise FormatError if the file cannot be
    read, or if they were given for another format.
    """
    download = _download_of(arguments.tokenizer)
    format = recognise(download.path)
    if format == _RANKS:
        opened = _read_ranks(download, arguments, options_first=True)
    else:
        _check_no_options(arguments, arguments.tokenizer, format)
        opened = TokenizerOfFile(load(download.path, format), format)
    sizes = len(opened.tokenizer.vocab), len(opened.tokenizer.merges)
    _logger.info("opened %s as %s: %d entries, %d merges", arguments.tokenizer, opened.format, *sizes)
    return opened


def with_unknown_token(tokenizer: Tokenizer, token: str | None) -> Tokenizer:
    """Return a tokenizer that gives a token, if any, for symbols without an id. Raise FormatError if it is missing."""
    if token is None:
        return tokenizer
    token_id = tokenizer.token_id(token)
    if token_id is None:
        raise FormatError(
            "The token {token!r} of --unk-token is not in the vocabulary. Add it with --add-special.", token=token
        )
    return tokenizer.with_unknown_id(token_id).with_config(tokenizer.config.with_changes(unk_token=token))


def open_tokenizers(arguments: argparse.Namespace) -> list[TokenizerOfFile]:
    """Return the tokenizers that the user named.

    The user's pattern and special tokens are for files of ranks that lack them. Raise FormatError as `open_tokenizer`
    does, or if they were given but no file lacks them.
    """
    downloads = list(map(_download_of, arguments.tokenizers))
    formats = [recognise(download.path) for download in downloads]
    if _RANKS not in formats:
        _check_no_options(arguments, arguments.tokenizers[0], formats[0])
    opened = [
        _read_ranks(download, arguments, options_first=False)
        if format == _RANKS
        else TokenizerOfFile(load(download.path, format), format)
        for download, format in zip(downloads, formats, strict=True)
    ]
    if _has_options(arguments) and not any(file.uses_options for file in opened):
        raise FormatError(
            "--pattern and --special-token are only for tiktoken ranks of an unknown name. These files need neither."
        )
    return opened


def open_other(path: Path) -> Tokenizer:
    """Return a tokenizer of which only the tokens and merges are needed. Raise FormatError."""
    path = _download_of(path).path
    format = recognise(path)
    return load(path, format, pattern="gpt2") if format == _RANKS else load(path, format)


def write_map(old: Tokenizer, new: Tokenizer, path: Path) -> None:
    """Write from which old tokens each new embedding can be made, and say how many are. Raise EngineError."""
    from bpe_gui.engine.surgery import embedding_map

    mapped = embedding_map(old, new)
    mapped.save(path)
    tokens, kept, same = len(new.vocab), mapped.kept(), mapped.copied()
    say(
        f"Wrote {path} for {quantity(tokens, 'token', 'tokens')}: {kept:,} with the same id, {same - kept:,} with "
        f"another one, {tokens - same - len(mapped.unmapped):,} as means of several, and "
        f"{len(mapped.unmapped):,} unspelled."
    )


def _download_of(argument: Path) -> Download:
    """Return where the user's tokenizer is: the given path, or a published tokenizer, downloaded first."""
    name = argument.as_posix()
    if not is_published_name(name):
        return Download(str(argument), argument)
    with ProgressLine("Downloading the tokenizer: {:.0%}") as progress:
        return fetch_published(name, progress.show)


def _has_options(arguments: argparse.Namespace) -> bool:
    return arguments.pattern is not None or bool(arguments.special_token)


def _check_no_options(arguments: argparse.Namespace, path: Path, format: str) -> None:
    """Raise FormatError if the user gave a pattern or special tokens, which this format has in its files."""
    if _has_options(arguments):
        raise FormatError(
            "{options} only for tiktoken ranks. {path} has the format {format}, which includes this information.",
            options="--special-token is" if arguments.command == "decode" else "--pattern and --special-token are",
            path=path,
            format=format,
        )


def _read_ranks(download: Download, arguments: argparse.Namespace, *, options_first: bool) -> TokenizerOfFile:
    """Read ranks of tiktoken with the user's options; unless `options_first`, use them only if needed."""
    path, special_tokens = download.path, dict(arguments.special_token) or None
    has_options = _has_options(arguments)
    try:
        if options_first:
            return TokenizerOfFile(load(path, _RANKS, pattern=arguments.pattern, special_tokens=special_tokens), _RANKS)
        return TokenizerOfFile(load(path, _RANKS), _RANKS)
    except UnknownPatternError:
        if download.pattern is not None and not has_options:
            tokenizer = load(path, _RANKS, pattern=download.pattern, special_tokens=download.special_tokens)
            return TokenizerOfFile(tokenizer, _RANKS)
        if not has_options:
            notice = _GUESS_NOTICE_FOR_DECODING if arguments.command == "decode" else _GUESS_NOTICE
            say(notice.format(path=path))
        tokenizer = load(path, _RANKS, pattern=arguments.pattern or "gpt2", special_tokens=special_tokens)
        return TokenizerOfFile(tokenizer, _RANKS, is_guessed=not has_options, uses_options=has_options)


def check_output(path: Path, format: str) -> None:
    """Raise FormatError if a tokenizer cannot be written to `path`.

    Call it before training, which may take an hour.
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


def say_caution(tokenizer: Tokenizer, format: str) -> None:
    """Say what to tell other programs that read the tokenizer's files, and what these do not keep, if anything."""
    from bpe_gui.engine.proof import left_out, save_caution

    for caution in (save_caution(tokenizer, format), left_out(tokenizer, format)):
        if caution:
            say(str(caution))


def recipe_named(name: str) -> Recipe:
    """Return the preset of that name, or the recipe in that file. Raise RecipeError."""
    path = Path(name)
    if name in PRESETS or not (path.suffix == ".json" or len(path.parts) > 1 or path.is_file()):
        return Recipe.of(name)
    try:
        return Recipe.load(path)
    except RecipeError as error:
        raise RecipeError("{path}: {reason}", path=path, reason=error) from error
