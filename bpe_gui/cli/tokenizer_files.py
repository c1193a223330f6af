"""Open the tokenizer or recipe that a command reads, and check where it writes a tokenizer."""

import argparse
import logging
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine import (
    FORMATS,
    PRESETS,
    Download,
    EngineError,
    FormatError,
    Recipe,
    RecipeError,
    Tokenizer,
    UnknownPatternError,
    assumes_splitter,
    fetch_published,
    load,
    recognise,
    with_splitter,
)
from bpe_gui.engine.formats.downloads import is_published_name
from bpe_gui.engine.formats.registry import check_parent_folder, check_suffix
from bpe_gui.engine.tokenization.config import CHAT_TEMPLATE, ROLES, content_of

from .streams import ProgressLine, document_of, quantity, say

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
    pattern or the special tokens are the user's.
    """

    tokenizer: Tokenizer
    format: str
    is_guessed: bool = False
    uses_options: bool = False


def open_tokenizer(arguments: argparse.Namespace) -> TokenizerOfFile:
    """Return the tokenizer that the user named, using the user's pattern and special tokens.

    Only files that do not have these need them, and a message says if they were guessed. Raise FormatError if the file
    cannot be read, or if they were given for a file that has them.
    """
    download = _download_of(arguments.tokenizer)
    opened = _read(download, recognise(download.path), arguments, options_first=True)
    _check_no_options(arguments, arguments.tokenizer, opened)
    sizes = len(opened.tokenizer.vocab), len(opened.tokenizer.merges)
    _logger.info("opened %s as %s: %d entries, %d merges", arguments.tokenizer, opened.format, *sizes)
    if arguments.command != "decode":
        say_notes((arguments.tokenizer, opened.tokenizer))
    return opened


def open_tokenizers(arguments: argparse.Namespace) -> list[TokenizerOfFile]:
    """Return the tokenizers that the user named.

    The user's pattern and special tokens are for files that lack them. Raise FormatError as `open_tokenizer` does, or
    if they were given but no file lacks them.
    """
    downloads = list(map(_download_of, arguments.tokenizers))
    formats = [recognise(download.path) for download in downloads]
    opened = [
        _read(download, format, arguments, options_first=False)
        for download, format in zip(downloads, formats, strict=True)
    ]
    if _has_options(arguments) and not any(file.uses_options for file in opened):
        if _RANKS not in formats:
            _check_no_options(arguments, arguments.tokenizers[0], opened[0])
        raise FormatError(
            "--pattern and --special-token are only for files that lack them, such as tiktoken ranks of an unknown "
            "name. These files need neither."
        )
    say_notes(*zip(arguments.tokenizers, (file.tokenizer for file in opened), strict=True))
    return opened


def open_other(path: Path) -> Tokenizer:
    """Return a tokenizer of which only the tokens and merges are needed. Raise FormatError."""
    file = _download_of(path).path
    format = recognise(file)
    tokenizer = load(file, format, pattern="gpt2") if format == _RANKS else load(file, format)
    say_notes((path, tokenizer))
    return tokenizer


def say_notes(*opened: tuple[Path, Tokenizer]) -> None:
    """Say what the files of tokenizers leave open, or have and is not applied, each once."""
    for line in dict.fromkeys(f"{path}: {note}" for path, tokenizer in opened for note in tokenizer.notes):
        say(line)


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


def _check_no_options(arguments: argparse.Namespace, path: Path, opened: TokenizerOfFile) -> None:
    """Raise FormatError if the user gave a pattern or special tokens that the file has itself."""
    if opened.format == _RANKS or not _has_options(arguments):
        return
    if arguments.special_token or not opened.uses_options:
        options = ["--pattern"] * (arguments.pattern is not None) + ["--special-token"] * bool(arguments.special_token)
        raise FormatError(
            "{options} only for files that lack this, such as tiktoken ranks. {path} has the format {format}, and "
            "says it.",
            options=" and ".join(options) + (" are" if len(options) > 1 else " is"),
            path=path,
            format=opened.format,
        )


def _read(download: Download, format: str, arguments: argparse.Namespace, *, options_first: bool) -> TokenizerOfFile:
    """Read a tokenizer with the user's options, where its file lacks what they say. Raise EngineError."""
    pattern = arguments.pattern
    if pattern is not None:
        from bpe_gui.engine import KNOWN_SPLITTERS

        arguments.pattern = pattern = KNOWN_SPLITTERS.get(pattern, pattern)
    if format == _RANKS:
        return _read_ranks(download, arguments, options_first=options_first)
    tokenizer = load(download.path, format)
    if pattern is None or not assumes_splitter(tokenizer):
        return TokenizerOfFile(tokenizer, format)
    return TokenizerOfFile(with_splitter(tokenizer, pattern), format, uses_options=True)


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


def check_output(path: Path, format: str, inputs: Iterable[str | Path | None], *, replaces_any: bool) -> None:
    """Raise FormatError if a tokenizer cannot be written to `path`.

    It must not replace an input nor, unless it `replaces_any`, a file that is no tokenizer. Call it before training,
    which may take an hour.
    """
    if str(path) == "-":
        raise FormatError(
            "A tokenizer cannot be written to '-'. Name a folder, or a file if the format is a single file."
        )
    file = FORMATS[format].paths(path)[0]
    check_parent_folder(file)
    check_suffix(path, format)
    read = [each for given in inputs if given is not None for each in _files_of(Path(given))]
    for existing in filter(Path.exists, FORMATS[format].paths(path)):
        if any(each.exists() and existing.samefile(each) for each in read):
            raise FormatError("{path} is one of the inputs. Write the result to another place.", path=existing)
        if not replaces_any and not _is_tokenizer(path):
            raise FormatError(
                "{path} exists, and is not a tokenizer. Choose another name, or use --force.", path=existing
            )
    nearest_folder = next(folder for folder in file.absolute().parents if folder.exists())
    if not os.access(nearest_folder, os.W_OK | os.X_OK):
        raise FormatError("{path} cannot be written: Permission denied.", path=file.parent)


def _is_tokenizer(path: Path) -> bool:
    try:
        return bool(load(path))
    except EngineError as error:
        return isinstance(error, UnknownPatternError)


def _files_of(path: Path) -> list[Path]:
    """Return the file at a path, or the files of the tokenizer in a folder."""
    with suppress(EngineError):
        return FORMATS[recognise(path)].paths(path) if path.is_dir() else [path]
    return [path]


def say_caution(tokenizer: Tokenizer, format: str) -> None:
    """Say what to tell other programs that read the tokenizer's files, and what these do not keep, if anything."""
    from bpe_gui.engine.proof import left_out, save_caution

    for caution in (save_caution(tokenizer, format), left_out(tokenizer, format)):
        if caution:
            say(str(caution))


def recipe_named(name: str) -> Recipe:
    """Return the preset of that name, in any case, or the recipe in that file. Raise RecipeError."""
    path, name = Path(name), name.lower() if name.lower() in PRESETS else name
    if name in PRESETS or not (path.suffix == ".json" or len(path.parts) > 1 or path.is_file()):
        return Recipe.of(name)
    try:
        return Recipe.load(path)
    except RecipeError as error:
        raise RecipeError("{path}: {reason}", path=path, reason=error) from error


# -- what is said about a tokenizer ------------------------------------------------------------------------------------


def with_config(tokenizer: Tokenizer, arguments: argparse.Namespace) -> Tokenizer:
    """Return a tokenizer with the roles, the chat template and the keys that the user gave. Raise EngineError."""
    changes = config_changes(arguments, tokenizer.special_tokens)
    if (unknown := arguments.unk_token) is not None:
        unknown_id = tokenizer.token_id(unknown)
        if unknown_id is None:
            raise FormatError(
                "The token {token!r} of --unk-token is not in the vocabulary. Add it with --add-special.", token=unknown
            )
        tokenizer = tokenizer.with_unknown_id(unknown_id)
        changes["unk_token"] = unknown
    return tokenizer.with_config(tokenizer.config.with_changes(**changes)) if changes else tokenizer


def config_changes(arguments: argparse.Namespace, special_tokens: Collection[str]) -> dict[str, object]:
    """Return the keys to change in what is said about a tokenizer. Raise EngineError for a role without its token.

    The unknown token is not among them: it need not be special.
    """
    changes = dict(arguments.set)
    if arguments.chat_template is not None:
        document = document_of(arguments, arguments.chat_template, exact=True)
        changes[CHAT_TEMPLATE] = "".join(document.chunks())
    roles = (role for role in ROLES if role != "unk_token")
    changes |= {role: token for role in roles if (token := getattr(arguments, role)) is not None}
    for role, token in changes.items():
        if role in ROLES and token is not None and content_of(token) not in special_tokens:
            raise FormatError(
                "The {role} {token!r} is not a special token. The special tokens are {names}. Add it with {option}.",
                role=role,
                token=token,
                names=tuple(special_tokens) or "none",
                option="--special-token" if arguments.command == "train" else "--add-special",
            )
    return changes
