"""`*.model` as karpathy/minbpe has it, and beside it `*.vocab`, which is for people and never read.

A version line, the splitter's regular expression (an empty line for none), the number of special tokens and a line for
each with its id, then a line for each merge: the ids of its two parts. Bytes have the ids 0 to 255, and the merges from
256 on in their order.

The regular expression that minbpe calls GPT-4's is no named splitter here: at the end of a text it cuts white space
after a line break otherwise than tiktoken's, which is `cl100k`. minbpe's `load` gives the pattern of the file to the
tokenizer's attribute, but splits by the one that it was made with: `RegexTokenizer(pattern)`.
"""

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import SPLITTERS, compile_pattern
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.vocabulary import GREATEST_ID
from bpe_gui.engine.formats.files import beginning, read_lines
from bpe_gui.engine.formats.writing import check_plain

SUFFIX: Final = ".model"
VOCAB_SUFFIX: Final = ".vocab"
FILE: Final = "minbpe.model"
VOCAB: Final = "minbpe.vocab"
"""The names where only a folder is given."""

_VERSION: Final = "minbpe v1"
_BYTES: Final = 256
_MOST_TOKEN_BYTES: Final = 1 << 26
"""Of all tokens together: each can be twice as long as the one before, so a small file could ask for any amount."""

# karpathy/minbpe minbpe/regex.py; it splits as the pattern of OpenAI's own code does
_GPT2: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_PATTERNS: Final = {**SPLITTERS, "gpt2": _GPT2}
_LONGEST_SPECIAL: Final = 1024  # characters
_MOST_SPECIAL: Final = 100_000  # characters of all special tokens together
_QUOTED: Final = 1000  # bytes; an error shows less


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path) -> Tokenizer:
    """Read a model, the one that a `.vocab` lies beside, or the one in a folder. Raises FormatError."""
    file = path / FILE if path.is_dir() else path
    return _Model(file.with_suffix(SUFFIX) if file.suffix == VOCAB_SUFFIX else file).tokenizer()


class _Model:
    """The lines of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = read_lines(path)
        if self._line(1).strip() != _VERSION:
            raise FormatError(
                _("EngineError", "{path} is no model of minbpe: its first line is {text!r} instead of {version!r}."),
                path=path,
                text=beginning(self._line(1)),
                version=_VERSION,
            )

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""

    def tokenizer(self) -> Tokenizer:
        recipe = self._recipe()
        first = 4 + self._special_count()
        tokens, merges = self._merges(first)
        special = self._special_tokens(range(4, first), len(tokens))
        return Tokenizer(dict(enumerate(tokens)), merges, special, recipe=recipe)

    def _recipe(self) -> Recipe:
        pattern = self._line(2).strip()
        try:
            if reason := _unusable(pattern):
                raise reason
            return Recipe.of("minbpe").with_changes(splitter=_splitter(pattern))
        except EngineError as error:
            raise FormatError(
                _("EngineError", "{path}, line {line}: {reason}"), path=self._path, line=2, reason=error
            ) from error

    def _special_count(self) -> int:
        count = _number(self._line(3).strip())
        if count is None or count > len(self._lines) - 3:
            raise FormatError(
                _(
                    "EngineError",
                    "{path}, line {line}: {text!r} is not the number of special tokens, which have a line each below.",
                ),
                path=self._path,
                line=3,
                text=beginning(self._line(3)),
            )
        return count

    def _special_tokens(self, lines: range, first_free: int) -> dict[str, int]:
        special: dict[str, int] = {}
        ids: set[int] = set()
        size = 0
        for number in lines:
            parts = self._line(number).split()
            token_id = _number(parts[1]) if len(parts) == 2 and len(parts[0]) <= _LONGEST_SPECIAL else None
            if token_id is None:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: {text!r} is no special token, a space and its id."),
                    path=self._path,
                    line=number,
                    text=beginning(self._line(number)),
                )
            token = parts[0]
            if token in special or token_id in ids or token_id < first_free:
                raise FormatError(
                    _(
                        "EngineError",
                        "{path}, line {line}: the special token {token!r} or its id {id} is there already.",
                    ),
                    path=self._path,
                    line=number,
                    token=token,
                    id=token_id,
                )
            size += len(token)
            if size > _MOST_SPECIAL:
                raise FormatError(
                    _(
                        "EngineError",
                        "{path}, line {line}: the special tokens up to here have more than {most:,} characters.",
                    ),
                    path=self._path,
                    line=number,
                    most=_MOST_SPECIAL,
                )
            special[token] = token_id
            ids.add(token_id)
        self._check_order(list(special), lines)
        return special

    def _check_order(self, tokens: list[str], lines: range) -> None:
        """minbpe looks for one special token after the other, and never finds one that begins with an earlier one."""
        earlier: set[str] = set()
        for number, token in zip(lines, tokens, strict=True):
            shadow = next((token[:end] for end in range(1, len(token)) if token[:end] in earlier), None)
            if shadow is not None:
                raise FormatError(
                    _(
                        "EngineError",
                        "{path}, line {line}: minbpe never finds the special token {token!r}, because {other!r}, "
                        "with which it begins, stands before it.",
                    ),
                    path=self._path,
                    line=number,
                    token=token,
                    other=shadow,
                )
            earlier.add(token)

    def _merges(self, first: int) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
        """The tokens by id, and the merges that make those after the bytes."""
        tokens = [bytes((byte,)) for byte in range(_BYTES)]
        lines: dict[bytes, int] = {}
        merges: list[tuple[bytes, bytes]] = []
        size = 0
        for number, line in enumerate(self._lines[first - 1 :], start=first):
            left, right = (tokens[token_id] for token_id in self._parts(number, line, len(tokens)))
            size += len(left) + len(right)
            if size > _MOST_TOKEN_BYTES:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the tokens up to here have more than {most:,} bytes."),
                    path=self._path,
                    line=number,
                    most=_MOST_TOKEN_BYTES,
                )
            token = left + right
            if token in lines:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the token {token!r} is there already, in line {other}."),
                    path=self._path,
                    line=number,
                    token=token[:_QUOTED],
                    other=lines[token],
                )
            lines[token] = number
            tokens.append(token)
            merges.append((left, right))
        return tokens, merges

    def _parts(self, number: int, line: str, limit: int) -> list[int]:
        parts = [part for part in map(_number, line.split()) if part is not None and part < limit]
        if len(parts) != 2 or len(line.split()) != 2:
            raise FormatError(
                _(
                    "EngineError",
                    "{path}, line {line}: {text!r} is no merge; a merge is two ids, both below the {limit} it makes.",
                ),
                path=self._path,
                line=number,
                text=beginning(line),
                limit=limit,
            )
        return parts


def _number(text: str) -> int | None:
    """The id or count that `text` is, if it is one."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(GREATEST_ID)):
        return None
    number = int(text)
    return number if number <= GREATEST_ID else None


def _splitter(pattern: str) -> str:
    """The name of the splitter that has this pattern, or else the pattern."""
    if not pattern:
        return "none"
    known = next((name for name in _PATTERNS if pattern in (SPLITTERS[name], _PATTERNS[name])), None)
    if known is None and pattern in SPLITTERS:  # a regular expression that looks like a name
        return f"(?:{pattern})"
    return known or pattern


# -- the pattern --------------------------------------------------------------------------------------------------


def _unusable(pattern: str) -> FormatError | None:
    """What is wrong with a pattern that minbpe cannot split by."""
    if pattern and compile_pattern(pattern).groups:
        return FormatError(
            _("EngineError", "Groups ( ) in a regular expression change what minbpe splits by; write (?: ) instead.")
        )
    return None


def _pattern_of(tokenizer: Tokenizer) -> str:
    splitter = tokenizer.recipe.splitter
    if splitter == "none" and not tokenizer.special_tokens:
        return ""  # what minbpe's BasicTokenizer writes, which knows no special tokens
    pattern = _PATTERNS.get(splitter, splitter)
    if pattern != pattern.strip() or "\n" in pattern or "\r" in pattern:
        raise FormatError(
            _(
                "EngineError",
                "A model of minbpe cannot hold the splitter {pattern!r}: it must be one line, no space at its ends.",
            ),
            pattern=pattern,
        )
    if reason := _unusable(pattern):
        raise reason
    return pattern


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """What is in a file that ends in `.model`, or else in the folder `path`, and in the `.vocab` beside it.

    Raises FormatError for what minbpe cannot hold.
    """
    check_plain(tokenizer)
    _check_recipe(tokenizer.recipe)
    pattern = _pattern_of(tokenizer)
    special = _special_lines(tokenizer)
    ids = _ids(tokenizer)
    pairs = [(ids[left], ids[right]) for left, right in tokenizer.merges]
    lines = [_VERSION, pattern, str(len(special)), *special, *(f"{left} {right}" for left, right in pairs)]
    file = path if path.suffix == SUFFIX else path / FILE
    return {file: "".join(line + "\n" for line in lines), file.with_suffix(VOCAB_SUFFIX): _for_people(tokenizer)}


def _check_recipe(recipe: Recipe) -> None:
    if recipe.units != "bytes":
        raise FormatError(
            _(
                "EngineError",
                "A model of minbpe merges bytes; this tokenizer begins with characters. Train with the units bytes.",
            )
        )
    if recipe.boundary != "none":
        raise FormatError(
            _(
                "EngineError",
                "A model of minbpe knows no end-of-word markers. Train with a recipe that has the boundary none.",
            )
        )


def _special_lines(tokenizer: Tokenizer) -> list[str]:
    """The longest first, because minbpe takes the first that it finds."""
    for token in tokenizer.special_tokens:
        if token.split() != [token] or len(token) > _LONGEST_SPECIAL:
            raise FormatError(
                _(
                    "EngineError",
                    "A model of minbpe cannot hold the special token {token!r}: it has white space in it, or more than "
                    "{most:,} characters.",
                ),
                token=token,
                most=_LONGEST_SPECIAL,
            )
    if sum(map(len, tokenizer.special_tokens)) > _MOST_SPECIAL:
        raise FormatError(
            _("EngineError", "The special tokens have more than {most:,} characters, too many to be read again."),
            most=_MOST_SPECIAL,
        )
    by_length = sorted(tokenizer.special_tokens.items(), key=lambda item: (-len(item[0]), item[1]))
    return [f"{token} {token_id}" for token, token_id in by_length]


def _ids(tokenizer: Tokenizer) -> Mapping[bytes, int]:
    """The ids as minbpe gives them. Raises FormatError if these are not those of the tokenizer."""
    ids = {bytes((byte,)): byte for byte in range(_BYTES)}
    for rank, (left, right) in enumerate(tokenizer.merges):
        if left not in ids or right not in ids or left + right in ids:
            raise FormatError(
                _(
                    "EngineError",
                    "A model of minbpe cannot hold the merge {left!r} {right!r}, of rank {rank}: a merge makes a new "
                    "token of two that are there before it.",
                ),
                left=left,
                right=right,
                rank=rank,
            )
        ids[left + right] = _BYTES + rank
    if sum(map(len, ids)) > _MOST_TOKEN_BYTES:
        raise FormatError(
            _("EngineError", "The tokens have more than {most:,} bytes together, too many to be read again."),
            most=_MOST_TOKEN_BYTES,
        )
    special = set(tokenizer.special_tokens.values())
    ours = {(token, token_id) for token_id, token in tokenizer.vocab.items() if token_id not in special}
    if differing := ours.symmetric_difference(ids.items()):
        token, token_id = min(differing, key=lambda entry: entry[1])
        raise FormatError(
            _(
                "EngineError",
                "The ids are not those of a model of minbpe, 0 to 255 for bytes, from 256 on for merges: they differ "
                "at {id}, {token!r}. Train with the recipe minbpe.",
            ),
            token=token,
            id=token_id,
        )
    return ids


def _for_people(tokenizer: Tokenizer) -> str:
    """The vocabulary as minbpe shows it."""
    lines = []
    for token_id, token in sorted(tokenizer.vocab.items()):
        rank = tokenizer.rank(token_id)
        line = f"[{_rendered(token)}] {token_id}\n"
        if rank is not None:
            left, right = tokenizer.merges[rank]
            line = f"[{_rendered(left)}][{_rendered(right)}] -> {line}"
        lines.append(line)
    return "".join(lines)


def _rendered(token: bytes) -> str:
    r"""
    >>> _rendered(b"low\n"), _rendered(b"\xe4\xbd")
    ('low\\u000a', '�')
    """
    text = token.decode("utf-8", errors="replace")
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c).startswith("C") else c for c in text)
