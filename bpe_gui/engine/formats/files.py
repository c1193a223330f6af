"""Helpers for files of all formats: match names, read within limits, quote lines in errors.

Tokenizer files may be damaged or hostile, so no more is read than a real one can have.
"""

import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError, LineError
from bpe_gui.engine.runtime.files import open_file, read_text
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

HUGGING_FACE: Final = "hf:"
TIKTOKEN: Final = "tiktoken:"
"""The beginnings of the names of published tokenizers."""

MAX_BYTES: Final = 1 << 26
MAX_LINES: Final = 1 << 22
"""Limits for files of merges or ranks; a million entries take up to 20 MB."""

_VERSION_OF_MODEL: Final = re.compile(r"(?<=\.model)\.v\d+(?:m\d+)?\Z")

_START: Final = 1 << 16  # bytes
_MAX_QUOTED: Final = 60  # characters


def is_published_name(text: str) -> bool:
    """Return whether a text is meant as the name of a published tokenizer, not as a path.

    >>> list(map(is_published_name, ["hf:openai-community/gpt2", "tiktoken:o200k_base", "my/tokenizer.json"]))
    [True, True, False]
    """
    return text.startswith((HUGGING_FACE, TIKTOKEN))


def suffix_of(path: Path) -> str:
    """Return the suffix of a name in lower case. Mistral's models have a version after it.

    >>> suffix_of(Path("MY.MODEL")), suffix_of(Path("tokenizer.model.v7m1")), suffix_of(Path("gpt2-v1.5"))
    ('.model', '.model', '.5')
    """
    return Path(_VERSION_OF_MODEL.sub("", path.name.lower())).suffix


def has_name(path: Path, names: Iterable[str]) -> bool:
    """Return whether the name of `path` is one of `names`, ignoring case if the file system does.

    >>> has_name(Path("roberta-vocab.json"), ["vocab.json", "*-vocab.json"])
    True
    """
    return any(fnmatch(path.name, name) for name in names)


def has_at_start(path: Path, distinctive: re.Pattern[bytes]) -> bool:
    """Return whether a file has what an expression matches in its first 64 KB. Raise FormatError."""
    with open_file(path) as file:
        return distinctive.search(file.read(_START)) is not None


def read_lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 file without line ends, a byte-order mark or trailing empty lines.

    Lines end as in Python's universal newlines mode, which the tools that write these files use. Raise FormatError if
    the file cannot be read, is not UTF-8 or is too long.
    """
    text = read_text(path, MAX_BYTES).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    check_line_count(path, text.count("\n") + 1)
    return text.split("\n")


def check_line_count(path: Path, count: int) -> None:
    """Raise FormatError if a file has too many lines."""
    if count > MAX_LINES:
        raise FormatError(
            "{path} has more than {most:,} lines, which is too many for this kind of tokenizer file.",
            path=path,
            most=MAX_LINES,
        )


def shorten(line: str) -> str:
    """Return `line` for quoting in an error: at most its first 60 characters.

    >>> shorten("x" * 70) == "x" * 60 + "…"
    True
    """
    return line if len(line) <= _MAX_QUOTED else line[:_MAX_QUOTED] + "…"


def merge_in_line(path: Path, number: int, line: str) -> tuple[str, str]:
    """Return the two tokens of a merge, which one space separates. Raise LineError for anything else."""
    parts = line.split(" ")
    if len(parts) != 2 or not all(parts):
        raise LineError(
            "{text!r} is not a merge. A merge is two tokens separated by one space.", path, number, text=shorten(line)
        )
    return parts[0], parts[1]


def check_token_size(path: Path, number: int, length: int, most: int) -> None:
    """Raise LineError for a token of more than `most` bytes."""
    if length > most:
        raise LineError(
            "a token of {length:,} bytes is too long. The limit is {most:,} bytes.",
            path,
            number,
            length=length,
            most=most,
        )


def as_text(token: bytes) -> str:
    """Return a token as text. Raise FormatError if it is not valid UTF-8."""
    try:
        return token.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "The token {token!r} is not valid UTF-8. Only a recipe whose units are bytes can represent it.", token=token
        ) from error


def spelled_ids(tokenizer: Tokenizer, spell: Callable[[bytes], str], file: str) -> dict[str, int]:
    """Return the ids of all entries as spelled in a file; special tokens are written unchanged.

    Raise FormatError if two entries are spelled alike.
    """
    special = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    ids: dict[str, int] = {}
    for token_id, token in sorted(tokenizer.vocab.items()):
        spelling = special.get(token_id) or spell(token)
        if spelling in ids:
            raise FormatError(
                "Two tokens (ids {first} and {second}) would both be written as {token!r} in {file}.",
                token=spelling,
                first=ids[spelling],
                second=token_id,
                file=file,
            )
        ids[spelling] = token_id
    return ids


def check_no_seeds(recipe: Recipe) -> None:
    """Raise FormatError for a recipe with seeds, for a format whose readers begin with single bytes or characters.

    Raise it for a recipe that joins whole words, too.
    """
    check_joins_no_words(recipe)
    if recipe.seeds:
        raise FormatError(
            "This format cannot represent seed tokens, because programs that read it find tokens by merging alone. "
            "Save as gpt2, whose training.json holds them for bpe-gui."
        )


def check_joins_no_words(recipe: Recipe) -> None:
    """Raise FormatError for a recipe that joins whole words, for a format whose readers merge all pairs alike."""
    if recipe.superwords_from:
        raise FormatError(
            "This format cannot represent that whole words join only if they are one token each, because programs that "
            "read it merge all pairs alike. Save as gpt2, whose training.json says so to bpe-gui."
        )


def check_has_recipe(tokenizer: Tokenizer) -> None:
    """Raise FormatError for a tokenizer that needs more than a recipe: a pipeline, or merges that share a rank."""
    if tokenizer.pipeline is not None or tokenizer.other_merges:
        raise FormatError("This format cannot represent how this tokenizer normalizes, splits or merges text.")
