"""Codes of subword-nmt: a line for each merge, its two parts with a space between, in the order of their ranks.

Version 0.2, which is written, begins with a line that says so and glues `</w>` to the last character of a word. In
version 0.1, which has no such line, `</w>` is a symbol of its own. Words are what spaces separate; the recipe is the
preset `subword-nmt`.

Ids are not in the file, nor is every character of the text it was learned from. What is read has ids for the
characters (with their `</w>`) that merges name, in sorted order, and after them for what the merges make, in their
order. Any other character has none. Special tokens and counts are not in the file either.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.files import beginning, read_lines
from bpe_gui.engine.formats.writing import check_plain

SUFFIX: Final = ".codes"
FILE: Final = "tokenizer.codes"
"""The name where only a folder is given."""

_HEADER: Final = "#version: 0.2"
_VERSION: Final = re.compile(r"#version: *(0\.[12])(?:\.0+)*\s*")
_LONGEST_TOKEN: Final = 1024  # bytes
_MARKER: Final = END_OF_WORD.decode()
_SPLITTERS: Final = ("space", "whitespace")

Merge = tuple[str, str]


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path) -> Tokenizer:
    """Read a file of codes, or the one in a folder. Raises FormatError."""
    file = path / FILE if path.is_dir() else path
    lines = read_lines(file)
    version = _version(file, lines[0])
    boundary = "suffix" if version == "0.1" else "suffix-attached"
    skipped = int(lines[0].startswith("#version"))
    merges = [_merge(file, number, line) for number, line in enumerate(lines[skipped:], start=skipped + 1)]
    if not merges:
        raise FormatError(_("EngineError", "{path} has no merges."), path=file)
    try:
        symbols = _symbols(merges, boundary)
    except _UnmadeError as error:
        raise FormatError(
            _("EngineError", "{path}, line {line}: {part!r} is no character, and no merge before this one makes it."),
            path=file,
            line=error.rank + skipped + 1,
            part=error.part,
        ) from error
    tokens = dict.fromkeys([*symbols, *(left + right for left, right in merges)])
    return Tokenizer(
        {token_id: token.encode() for token_id, token in enumerate(tokens)},
        [(left.encode(), right.encode()) for left, right in merges],
        recipe=Recipe.of("subword-nmt").with_changes(boundary=boundary),
    )


def _version(path: Path, line: str) -> str:
    if not line.startswith("#version"):
        return "0.1"
    found = _VERSION.fullmatch(line)
    if found is None:
        raise FormatError(
            _("EngineError", "{path}, line 1: {text!r} is no version of subword-nmt's codes; there are 0.1 and 0.2."),
            path=path,
            text=beginning(line),
        )
    return found.group(1)


def _merge(path: Path, number: int, line: str) -> Merge:
    parts = line.strip(" ").split(" ")
    if len(parts) != 2 or not all(parts):
        raise FormatError(
            _("EngineError", "{path}, line {line}: {text!r} is no merge; a merge is two tokens and one space."),
            path=path,
            line=number,
            text=beginning(line),
        )
    left, right = parts
    if (length := len((left + right).encode())) > _LONGEST_TOKEN:
        raise FormatError(
            _("EngineError", "{path}, line {line}: a token of {length:,} bytes is too long; {most:,} is the most."),
            path=path,
            line=number,
            length=length,
            most=_LONGEST_TOKEN,
        )
    return left, right


class _UnmadeError(ValueError):
    """A merge has a part that is neither a symbol nor made before it."""

    def __init__(self, rank: int, part: str) -> None:
        super().__init__(part)
        self.rank = rank
        self.part = part


def _symbols(merges: Iterable[Merge], boundary: str) -> list[str]:
    """The symbols that the merges begin with, sorted by their bytes. Raises _UnmadeError.

    If a part were made only later, what encoding gives would depend on whether a pair that comes up is merged at once,
    as here, or only once there is no more of the current one, as in subword-nmt.
    """
    # The marker alone ends every word of version 0.1, whether a merge names it or not.
    symbols = {_MARKER} if boundary == "suffix" else set()
    made: set[str] = set()
    for rank, (left, right) in enumerate(merges):
        for part in (left, right):
            if part not in made:
                if not _is_symbol(part, boundary):
                    raise _UnmadeError(rank, part)
                symbols.add(part)
        made.add(left + right)
    return sorted(symbols, key=str.encode)


def _is_symbol(part: str, boundary: str) -> bool:
    if boundary == "suffix":
        return len(part) == 1 or part == _MARKER
    return len(part) == 1 or (len(part) == 1 + len(_MARKER) and part.endswith(_MARKER))


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """What is in a file that ends in `.codes`, or else in the folder `path`.

    Ids, special tokens and counts are left out, as they are in such files; and so is what tells the splitters `space`
    and `whitespace` apart, which is tabs and the like inside words. Raises FormatError for what codes cannot hold.
    """
    check_plain(tokenizer)
    _check_recipe(tokenizer.recipe)
    merges = [(_written(left), _written(right)) for left, right in tokenizer.merges]
    _check_merges(merges)
    file = path if path.suffix == SUFFIX else path / FILE
    return {file: "".join(line + "\n" for line in [_HEADER, *map(" ".join, merges)])}


def _check_recipe(recipe: Recipe) -> None:
    if recipe.units != "characters":
        raise FormatError(
            _(
                "EngineError",
                "Codes of subword-nmt merge characters; this tokenizer begins with bytes. Train with characters.",
            )
        )
    if recipe.boundary != "suffix-attached":
        raise FormatError(
            _(
                "EngineError",
                "Codes of subword-nmt have end-of-word markers glued to the last character. Train with the boundary "
                "suffix-attached.",
            )
        )
    if recipe.splitter not in _SPLITTERS:
        raise FormatError(
            _("EngineError", "Codes of subword-nmt are for text split at spaces. Train with the splitter {splitters}."),
            splitters=" / ".join(_SPLITTERS),
        )


def _written(part: bytes) -> str:
    try:
        text = part.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            _("EngineError", "The token {token!r} is not text; a recipe with the units bytes can hold it."), token=part
        ) from error
    if any(character in text for character in " \r\n"):
        raise FormatError(
            _("EngineError", "Codes cannot hold the token {token!r}: they separate tokens by spaces, merges by lines."),
            token=text,
        )
    return text


def _check_merges(merges: list[Merge]) -> None:
    if not merges:
        raise FormatError(_("EngineError", "This tokenizer has no merges; subword-nmt reads no codes without one."))
    for left, right in merges:
        if (length := len((left + right).encode())) > _LONGEST_TOKEN:
            raise FormatError(
                _("EngineError", "The token {token!r} has {length:,} bytes; a file of codes can hold {most:,}."),
                token=left + right,
                length=length,
                most=_LONGEST_TOKEN,
            )
    try:
        _symbols(merges, "suffix-attached")
    except _UnmadeError as error:
        raise FormatError(
            _("EngineError", "The part {part!r} of the merge of rank {rank} is made by no merge before it."),
            part=error.part,
            rank=error.rank,
        ) from error
