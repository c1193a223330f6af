"""karpathy/minbpe: a `*.model` file, and a `*.vocab` file next to it for people, which is never read.

The model has a version line, the splitter's regular expression (an empty line for none), the number of special tokens,
a line for each of them with its id, and a line for each merge: the ids of its left and right token. The bytes have the
ids 0 to 255; merges follow from 256 on, in order.

The pattern that minbpe calls GPT-4's is not the splitter `cl100k`, which is tiktoken's: at the end of a text, the two
split white space after a line break differently. minbpe's own `load` stores the file's pattern in an attribute but
keeps splitting with the pattern that the tokenizer was constructed with: `RegexTokenizer(pattern)`.
"""

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError, FormatError, LineError
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import GPT2_PATTERN, SPLITTERS
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.entries import MAX_ID

from .files import check_has_recipe, check_no_seeds, read_lines, shorten, suffix_of

_SUFFIX: Final = ".model"
_VOCAB_SUFFIX: Final = ".vocab"

_VERSION: Final = "minbpe v1"
_BYTE_COUNT: Final = 256
_MAX_TOTAL_TOKEN_BYTES: Final = 1 << 26
"""A token can be twice as long as the one before it, so a small file could demand any amount of memory."""

_PATTERNS: Final = {**SPLITTERS, "gpt2": GPT2_PATTERN}
_MAX_SPECIAL_LENGTH: Final = 1024  # characters
_MAX_TOTAL_SPECIAL_LENGTH: Final = 100_000  # characters
_MAX_QUOTED: Final = 1000  # bytes; the error shortens it further


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a model, or from the model next to a `.vocab` file. Raise FormatError."""
    return _ModelReader(path.with_suffix(_SUFFIX) if suffix_of(path) == _VOCAB_SUFFIX else path).tokenizer()


class _ModelReader:
    """Reads a tokenizer from the lines of a model. Line numbers count from 1."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = read_lines(path)
        if self._line(1).strip() != _VERSION:
            raise FormatError(
                "{path} is not a minbpe model: its first line is {text!r} instead of {version!r}.",
                path=path,
                text=shorten(self._line(1)),
                version=_VERSION,
            )

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""

    def tokenizer(self) -> Tokenizer:
        recipe = self._recipe()
        first_merge = 4 + self._special_count()
        tokens, merges = self._merges(first_merge)
        special_tokens = self._special_tokens(range(4, first_merge), len(tokens))
        return Tokenizer(dict(enumerate(tokens)), merges, special_tokens, recipe=recipe)

    def _recipe(self) -> Recipe:
        pattern = self._line(2).strip()
        try:
            _check_pattern(pattern)
            return Recipe.of("minbpe").with_changes(splitter=_splitter_from_pattern(pattern))
        except EngineError as error:
            raise LineError(error.template, self._path, 2, **error.values) from error

    def _special_count(self) -> int:
        count = _parse_number(self._line(3).strip())
        if count is None or count > len(self._lines) - 3:
            raise LineError(
                "{text!r} is not the number of special tokens, which must follow on one line each.",
                self._path,
                3,
                text=shorten(self._line(3)),
            )
        return count

    def _special_tokens(self, line_numbers: range, first_free_id: int) -> dict[str, int]:
        special_tokens: dict[str, int] = {}
        ids: set[int] = set()
        total_length = 0
        for number in line_numbers:
            fields = self._line(number).split()
            token_id = _parse_number(fields[1]) if len(fields) == 2 and len(fields[0]) <= _MAX_SPECIAL_LENGTH else None
            if token_id is None:
                text = shorten(self._line(number))
                raise LineError(
                    "{text!r} is not a special token and its id, separated by a space.", self._path, number, text=text
                )
            token = fields[0]
            if token in special_tokens or token_id in ids or token_id < first_free_id:
                raise LineError(
                    "the special token {token!r} or its id {id} is already used.",
                    self._path,
                    number,
                    token=token,
                    id=token_id,
                )
            total_length += len(token)
            if total_length > _MAX_TOTAL_SPECIAL_LENGTH:
                raise LineError(
                    "the special tokens up to this line exceed {most:,} characters in total.",
                    self._path,
                    number,
                    most=_MAX_TOTAL_SPECIAL_LENGTH,
                )
            special_tokens[token] = token_id
            ids.add(token_id)
        self._check_reachable(list(special_tokens), line_numbers)
        return special_tokens

    def _check_reachable(self, tokens: list[str], line_numbers: range) -> None:
        """Raise FormatError if a special token begins with an earlier one.

        minbpe tries special tokens in the order of the file, so it would never find the later one.
        """
        earlier: set[str] = set()
        for number, token in zip(line_numbers, tokens, strict=True):
            prefix = next((token[:end] for end in range(1, len(token)) if token[:end] in earlier), None)
            if prefix is not None:
                raise LineError(
                    "minbpe never finds the special token {token!r}, because it starts with {other!r}, which is listed "
                    "before it.",
                    self._path,
                    number,
                    token=token,
                    other=prefix,
                )
            earlier.add(token)

    def _merges(self, first_line: int) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
        """Return the tokens by id and the merges by rank."""
        tokens = [bytes((byte,)) for byte in range(_BYTE_COUNT)]
        line_of: dict[bytes, int] = {}
        merges: list[tuple[bytes, bytes]] = []
        total_bytes = 0
        for number, line in enumerate(self._lines[first_line - 1 :], start=first_line):
            left, right = (tokens[token_id] for token_id in self._merged_ids(number, line, len(tokens)))
            total_bytes += len(left) + len(right)
            if total_bytes > _MAX_TOTAL_TOKEN_BYTES:
                raise LineError(
                    "the tokens up to this line exceed {most:,} bytes in total.",
                    self._path,
                    number,
                    most=_MAX_TOTAL_TOKEN_BYTES,
                )
            token = left + right
            if token in line_of:
                raise LineError(
                    "the token {token!r} already occurs on line {other}.",
                    self._path,
                    number,
                    token=token[:_MAX_QUOTED],
                    other=line_of[token],
                )
            line_of[token] = number
            tokens.append(token)
            merges.append((left, right))
        return tokens, merges

    def _merged_ids(self, number: int, line: str, limit: int) -> list[int]:
        """Return the two ids in a line, both below `limit`."""
        ids = [token_id for token_id in map(_parse_number, line.split()) if token_id is not None and token_id < limit]
        if len(ids) != 2 or len(line.split()) != 2:
            raise LineError(
                "{text!r} is not a merge. A merge is two ids, both less than the new id {limit}.",
                self._path,
                number,
                text=shorten(line),
                limit=limit,
            )
        return ids


def _parse_number(text: str) -> int | None:
    """Return the number that `text` writes in ASCII digits, or None if it is not a possible id."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(MAX_ID)):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


# -- the pattern --------------------------------------------------------------------------------------------------


def _splitter_from_pattern(pattern: str) -> str:
    """Return the name of the splitter with this pattern, or else the pattern."""
    if not pattern:
        return "none"
    name = next((name for name in _PATTERNS if pattern in (SPLITTERS[name], _PATTERNS[name])), None)
    if name is None and pattern in SPLITTERS:  # a regular expression that looks like a splitter's name
        return f"(?:{pattern})"
    return name or pattern


def _pattern_from_splitter(tokenizer: Tokenizer) -> str:
    splitter = tokenizer.recipe.splitter
    if splitter == "none" and not tokenizer.special_tokens:
        return ""  # as written by minbpe's BasicTokenizer, which has no special tokens
    pattern = _PATTERNS.get(splitter, splitter)
    if pattern != pattern.strip() or "\n" in pattern or "\r" in pattern:
        raise FormatError(
            "A minbpe model cannot represent the splitter {pattern!r}: it must be one line without leading or trailing "
            "whitespace.",
            pattern=pattern,
        )
    _check_pattern(pattern)
    return pattern


def _check_pattern(pattern: str) -> None:
    """Raise FormatError for a pattern with capturing groups.

    minbpe splits with `re.findall`, which returns the groups instead of the matches.
    """
    if pattern and parse(pattern).has_captures:
        raise FormatError(
            "Capturing groups ( ) in a regular expression change how minbpe splits text. Use (?: ) instead."
        )


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """Return the content of the model at `path`, and of its `.vocab` file.

    Raise FormatError for a tokenizer that minbpe cannot represent.
    """
    check_has_recipe(tokenizer)
    _check_recipe(tokenizer.recipe)
    pattern = _pattern_from_splitter(tokenizer)
    special_lines = _special_lines(tokenizer)
    ids = _checked_ids(tokenizer)
    merge_lines = [f"{ids[left]} {ids[right]}" for left, right in tokenizer.merges]
    lines = [_VERSION, pattern, str(len(special_lines)), *special_lines, *merge_lines]
    return {path: "".join(line + "\n" for line in lines), path.with_suffix(_VOCAB_SUFFIX): _vocab_text(tokenizer)}


def _check_recipe(recipe: Recipe) -> None:
    check_no_seeds(recipe)
    if recipe.units != "bytes":
        raise FormatError(
            "A minbpe model merges bytes, but this tokenizer starts from characters. Set units to bytes and train "
            "again."
        )
    if recipe.boundary != "none":
        raise FormatError("A minbpe model has no end-of-word markers. Set the word boundary to none and train again.")


def _special_lines(tokenizer: Tokenizer) -> list[str]:
    """Return the lines of the special tokens, longest first: minbpe takes the first one that matches."""
    for token in tokenizer.special_tokens:
        if token.split() != [token] or len(token) > _MAX_SPECIAL_LENGTH:
            raise FormatError(
                "A minbpe model cannot represent the special token {token!r}: it contains whitespace or has more than "
                "{most:,} characters.",
                token=token,
                most=_MAX_SPECIAL_LENGTH,
            )
    if sum(map(len, tokenizer.special_tokens)) > _MAX_TOTAL_SPECIAL_LENGTH:
        raise FormatError(
            "The special tokens have more than {most:,} characters in total, too many to be read back.",
            most=_MAX_TOTAL_SPECIAL_LENGTH,
        )
    by_length = sorted(tokenizer.special_tokens.items(), key=lambda item: (-len(item[0]), item[1]))
    return [f"{token} {token_id}" for token, token_id in by_length]


def _checked_ids(tokenizer: Tokenizer) -> Mapping[bytes, int]:
    """Return the ids that minbpe gives the tokens. Raise FormatError if the tokenizer has other ids."""
    ids = {bytes((byte,)): byte for byte in range(_BYTE_COUNT)}
    for rank, (left, right) in enumerate(tokenizer.merges):
        if left not in ids or right not in ids or left + right in ids:
            raise FormatError(
                "A minbpe model cannot represent the merge {left!r} {right!r} (rank {rank}): a merge must join two "
                "existing tokens into a new one.",
                left=left,
                right=right,
                rank=rank,
            )
        ids[left + right] = _BYTE_COUNT + rank
    if sum(map(len, ids)) > _MAX_TOTAL_TOKEN_BYTES:
        raise FormatError(
            "The tokens have more than {most:,} bytes in total, too many to be read back.", most=_MAX_TOTAL_TOKEN_BYTES
        )
    special_ids = set(tokenizer.special_tokens.values())
    own_ids = {(token, token_id) for token_id, token in tokenizer.vocab.items() if token_id not in special_ids}
    if differing := own_ids.symmetric_difference(ids.items()):
        token, token_id = min(differing, key=lambda entry: entry[1])
        raise FormatError(
            "The ids are not those of a minbpe model (0 to 255 for bytes, 256 and up for merges). They first differ at "
            "{id}, {token!r}. Train with the recipe minbpe.",
            token=token,
            id=token_id,
        )
    return ids


def _vocab_text(tokenizer: Tokenizer) -> str:
    """Return the vocabulary as minbpe prints it for people."""
    lines, merges = [], tokenizer.merges
    for token_id, token in sorted(tokenizer.vocab.items()):
        rank = tokenizer.rank(token_id)
        line = f"[{_render(token)}] {token_id}\n"
        if rank is not None:
            left, right = merges[rank]
            line = f"[{_render(left)}][{_render(right)}] -> {line}"
        lines.append(line)
    return "".join(lines)


def _render(token: bytes) -> str:
    r"""Return a token as text, with control characters escaped.

    >>> _render(b"low\n"), _render(b"\xe4\xbd")
    ('low\\u000a', '�')
    """
    text = token.decode("utf-8", errors="replace")
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c).startswith("C") else c for c in text)
