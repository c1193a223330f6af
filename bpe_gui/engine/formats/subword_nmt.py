"""subword-nmt: a `*.codes` file with a line for each merge by rank: its left and right token, separated by a space.

We write version 0.2, which begins with a line that names the version and attaches `</w>` to the last character of a
word. Version 0.1 has no such line, and `</w>` is a symbol of its own. Words are separated by spaces; the recipe is the
preset `subword-nmt`.

The file has no ids, special tokens or counts, and not all characters of the corpus. A tokenizer read from it gives ids
to the characters in merges (with `</w>` where it is attached), in sorted order, and then to the tokens that merges
make, in order. Other characters have no id.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError, LineError
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .files import as_text, check_has_recipe, check_no_seeds, check_token_size, merge_in_line, read_lines, shorten

_HEADER: Final = "#version: 0.2"
_VERSION: Final = re.compile(r"#version: *(0\.[12])(?:\.0+)*\s*")
_MAX_TOKEN_BYTES: Final = 1024
_MARKER: Final = END_OF_WORD.decode()
_SPLITTERS: Final = ("space", "whitespace")

_MAX_DIGITS: Final = 15

_Merge = tuple[str, str]


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a file of codes. Raise FormatError."""
    lines = read_lines(path)
    counts = _counts(lines)  # of fastBPE, whose words end as in version 0.2
    version = "0.2" if counts else _version(path, lines[0])
    if counts:
        lines = [line.rpartition(" ")[0] for line in lines]
    boundary = "suffix" if version == "0.1" else "suffix-attached"
    header_lines = int(lines[0].startswith("#version"))
    merges = [_parse_merge(path, number, line) for number, line in enumerate(lines[header_lines:], header_lines + 1)]
    if not merges:
        raise FormatError("{path} has no merges.", path=path)
    symbols, unmade = _initial_symbols(merges, boundary)
    if unmade:
        line = unmade[0] + header_lines + 1
        raise LineError("{part!r} is not a character, and no earlier merge creates it.", path, line, part=unmade[1])
    tokens = dict.fromkeys([*symbols, *(left + right for left, right in merges)])
    return Tokenizer(
        {token_id: token.encode() for token_id, token in enumerate(tokens)},
        [(left.encode(), right.encode()) for left, right in merges],
        recipe=Recipe.of("subword-nmt").with_changes(boundary=boundary),
        merge_counts=counts,
    )


def _counts(lines: Sequence[str]) -> list[int] | None:
    """Return the counts in the third column of a file of fastBPE; None for any other file."""
    columns = [line.split(" ") for line in lines]
    if all(len(parts) == 3 and parts[2].isdecimal() and len(parts[2]) <= _MAX_DIGITS for parts in columns):
        return [int(parts[2]) for parts in columns]
    return None


def _version(path: Path, first_line: str) -> str:
    if not first_line.startswith("#version"):
        return "0.1"
    match = _VERSION.fullmatch(first_line)
    if match is None:
        raise FormatError(
            "{path}, line 1: {text!r} is not a supported version of subword-nmt codes. Supported versions are 0.1 and "
            "0.2.",
            path=path,
            text=shorten(first_line),
        )
    return match.group(1)


def _parse_merge(path: Path, number: int, line: str) -> _Merge:
    left, right = merge_in_line(path, number, line.strip(" "))
    check_token_size(path, number, len((left + right).encode()), _MAX_TOKEN_BYTES)
    return left, right


def _initial_symbols(merges: Iterable[_Merge], boundary: str) -> tuple[list[str], tuple[int, str] | None]:
    """Return the initial symbols of words, sorted by their bytes.

    Also return the rank and the part of the first merge with a part that is none and that no earlier merge makes.

    If only a later merge made a part, ids would depend on when a newly formed pair is merged: at once, as here, or
    after all occurrences of the current pair, as in subword-nmt.
    """
    # In version 0.1, every word ends in the marker, even if no merge names it.
    symbols = {_MARKER} if boundary == "suffix" else set()
    merged: set[str] = set()
    for rank, (left, right) in enumerate(merges):
        for part in (left, right):
            if part not in merged:
                if not _is_initial_symbol(part, boundary):
                    return [], (rank, part)
                symbols.add(part)
        merged.add(left + right)
    return sorted(symbols, key=str.encode), None


def _is_initial_symbol(part: str, boundary: str) -> bool:
    if boundary == "suffix":
        return len(part) == 1 or part == _MARKER
    return len(part) == 1 or (len(part) == 1 + len(_MARKER) and part.endswith(_MARKER))


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """Return the content of the file at `path`.

    Ids, special tokens and counts are lost. So is the difference between the splitters `space` and `whitespace`, which
    also splits at tabs and the like. Raise FormatError for a tokenizer that codes cannot represent.
    """
    check_has_recipe(tokenizer)
    _check_recipe(tokenizer.recipe)
    merges = [(_part_text(left), _part_text(right)) for left, right in tokenizer.merges]
    _check_merges(merges)
    return {path: "".join(line + "\n" for line in [_HEADER, *map(" ".join, merges)])}


def _check_recipe(recipe: Recipe) -> None:
    check_no_seeds(recipe)
    if recipe.units != "characters":
        raise FormatError(
            "subword-nmt merges characters, but this tokenizer starts from bytes. Set units to characters and train "
            "again."
        )
    if recipe.boundary != "suffix-attached":
        raise FormatError(
            "subword-nmt attaches the end-of-word marker to the last character. Set the word boundary to "
            "suffix-attached (“</w> on the last character”) and train again."
        )
    if recipe.splitter not in _SPLITTERS:
        raise FormatError(
            "subword-nmt splits text at spaces. Set the splitter to {splitters} and train again.",
            splitters=" / ".join(_SPLITTERS),
        )


def _part_text(part: bytes) -> str:
    text = as_text(part)
    if any(character in text for character in " \r\n"):
        raise FormatError(
            "subword-nmt codes cannot represent the token {token!r}, because they separate tokens with spaces and "
            "merges with line breaks.",
            token=text,
        )
    return text


def _check_merges(merges: list[_Merge]) -> None:
    if not merges:
        raise FormatError("This tokenizer has no merges, but subword-nmt needs at least one.")
    for left, right in merges:
        if (length := len((left + right).encode())) > _MAX_TOKEN_BYTES:
            raise FormatError(
                "The token {token!r} has {length:,} bytes, but subword-nmt codes can contain at most {most:,}.",
                token=left + right,
                length=length,
                most=_MAX_TOKEN_BYTES,
            )
    _symbols, unmade = _initial_symbols(merges, "suffix-attached")
    if unmade:
        rank, part = unmade
        raise FormatError(
            "No earlier merge creates {part!r}, which is part of the merge of rank {rank}.", part=part, rank=rank
        )
