"""Open the tokenizer or recipe that a command reads, and check where it writes a tokenizer."""

import argparse
import logging
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from bpe_gui.engine import (
    FORMATS,
    PRESETS,
    EngineError,
    FormatError,
    Recipe,
    RecipeError,
    Tokenizer,
    UnknownPatternError,
    load,
)
from bpe_gui.engine.formats.registry import check_parent_folder, check_suffix
from bpe_gui.engine.opening import RANKS, ReadTokenizer, TokenizerSource, recognise
from bpe_gui.engine.tokenization.config import CHAT_TEMPLATE, ROLES, content_of

from .streams import ProgressLine, document_of, quantity, say

_GUESS_NOTICE: Final = (
    "{path} does not say how text is split or which special tokens it has, so the GPT-2 pattern is used, without "
    "special tokens. Set them with --pattern and --special-token."
)
_GUESS_NOTICE_FOR_DECODING: Final = (
    "{path} does not say which special tokens it has, so none are used. Set them with --special-token."
)

_logger: Final = logging.getLogger(__name__)


def open_tokenizer(arguments: argparse.Namespace) -> ReadTokenizer:
    """Return the tokenizer that the user named, using the user's pattern and special tokens.

    Only files that lack these need them, and a message says if they were guessed. Raise FormatError if the file
    cannot be read, or if they were given for a file that has them.
    """
    opened = _read(_source_of(arguments.tokenizer), arguments)
    _check_no_options(arguments, arguments.tokenizer, opened)
    _logger.info("opened %s as %s: %d merges", arguments.tokenizer, opened.format, opened.tokenizer.position)
    _say_if_guessed(opened, arguments)
    if arguments.command != "decode":
        say_notes((arguments.tokenizer, opened.tokenizer))
    return opened


def open_tokenizers(arguments: argparse.Namespace) -> list[ReadTokenizer]:
    """Return the tokenizers that the user named.

    The user's pattern and special tokens are for files that lack them. Raise FormatError as `open_tokenizer` does, or
    if they were given but no file lacks them.
    """
    opened = [_source_of(path).read() for path in arguments.tokenizers]
    if _has_options(arguments):
        lacked = ["pattern", *["splitter"] * (arguments.pattern is not None)]
        if not any(each.lacks in lacked for each in opened):
            if all(each.format != RANKS for each in opened):
                _check_no_options(arguments, arguments.tokenizers[0], opened[0])
            raise FormatError(
                "--pattern and --special-token are only for files that lack them, such as tiktoken ranks of an "
                "unknown name. These files need neither."
            )
        opened = [_read(each.source, arguments) if each.lacks in lacked else each for each in opened]
    for each in opened:
        _say_if_guessed(each, arguments)
    say_notes(*zip(arguments.tokenizers, (each.tokenizer for each in opened), strict=True))
    return opened


def open_other(path: Path) -> Tokenizer:
    """Return a tokenizer of which only the tokens and merges are needed. Raise FormatError."""
    tokenizer = _source_of(path).read().tokenizer
    say_notes((path, tokenizer))
    return tokenizer


def _source_of(path: Path) -> TokenizerSource:
    """Return where the tokenizer is that the user named; a published one is downloaded first."""
    source = TokenizerSource.named(path)
    if not source.published_name:
        return source
    with ProgressLine("Downloading the tokenizer: {:.0%}") as progress:
        return source.located(progress.show)


def _read(source: TokenizerSource, arguments: argparse.Namespace) -> ReadTokenizer:
    """Read a tokenizer with the user's options, where its files lack what they say. Raise EngineError."""
    return replace(
        source,
        pattern=arguments.pattern or source.pattern,
        special_tokens=dict(arguments.special_token) or source.special_tokens,
        splitter=arguments.pattern or "",
    ).read()


def _has_options(arguments: argparse.Namespace) -> bool:
    return arguments.pattern is not None or bool(arguments.special_token)


def _check_no_options(arguments: argparse.Namespace, path: Path, opened: ReadTokenizer) -> None:
    """Raise FormatError if the user gave a pattern or special tokens that the file has itself."""
    if opened.format == RANKS or not _has_options(arguments):
        return
    if arguments.special_token or not opened.lacks:
        options = ["--pattern"] * (arguments.pattern is not None) + ["--special-token"] * bool(arguments.special_token)
        raise FormatError(
            "{options} only for files that do not say this themselves, such as tiktoken ranks. {path} has the format "
            "{format}, which says it.",
            options=" and ".join(options) + (" are" if len(options) > 1 else " is"),
            path=path,
            format=opened.format,
        )


def _say_if_guessed(opened: ReadTokenizer, arguments: argparse.Namespace) -> None:
    """Say that a file of ranks lacks its pattern; what a file of another format lacks is among the notes."""
    if opened.is_guessed:
        notice = _GUESS_NOTICE_FOR_DECODING if arguments.command == "decode" else _GUESS_NOTICE
        say(notice.format(path=opened.source.path))


def say_notes(*opened: tuple[Path, Tokenizer]) -> None:
    """Say once what the files of each tokenizer leave open, and what they contain that is not applied."""
    for line in dict.fromkeys(f"{path}: {note}" for path, tokenizer in opened for note in tokenizer.notes):
        say(line)


def sizes_of(tokenizer: Tokenizer, separator: str = ", ") -> str:
    """Return how many entries and merges a tokenizer has."""
    entries, merges = len(tokenizer.vocab), len(tokenizer.merges)
    return f"{quantity(entries, 'entry', 'entries')}{separator}{quantity(merges, 'merge', 'merges')}"


def written_files(paths: Iterable[Path], tokenizer: Tokenizer) -> str:
    """Return the beginning of the sentence that a tokenizer was written."""
    return f"Wrote {', '.join(map(str, paths))}: {sizes_of(tokenizer, ' and ')}"


def write_map(old: Tokenizer, new: Tokenizer, path: Path) -> None:
    """Write which old tokens each new embedding can be made from, and say how many can be. Raise EngineError."""
    from bpe_gui.engine.surgery import embedding_map

    mapped = embedding_map(old, new)
    mapped.save(path)
    tokens, kept, same = len(new.vocab), mapped.kept(), mapped.copied()
    say(
        f"Wrote {path} for {quantity(tokens, 'token', 'tokens')}: {kept:,} with the same id, {same - kept:,} with "
        f"another one, {tokens - same - len(mapped.unmapped):,} made as means of several, and "
        f"{len(mapped.unmapped):,} that no old tokens spell."
    )


def check_output(path: Path, format: str, inputs: Iterable[str | Path | None], *, replaces_any: bool) -> None:
    """Raise FormatError if a tokenizer cannot be written to `path`.

    It must not replace an input or, without `replaces_any`, a file that is not a tokenizer. Call this before training,
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


def check_readers(recipe: Recipe, format: str, *, is_forced: bool) -> None:
    """Raise FormatError if other programs would give other ids, unless the user wants the files for bpe-gui alone."""
    from bpe_gui.engine.proof import misreading

    if not is_forced and (misread := misreading(recipe, format)):
        raise FormatError(
            "{reason} Choose another format, or use --force to write them for bpe-gui alone.", reason=misread
        )


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


# -- a tokenizer's configuration ---------------------------------------------------------------------------------------


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
    """Return the keys of the configuration to change. Raise EngineError for a role whose token is not special.

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
