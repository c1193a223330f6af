"""`*.tiktoken`, a file of ranks as tiktoken has them: a line for each token, in base64, with its rank.

Ranks are ids, and encoding merges the two neighbours whose bytes together have the lowest rank. The merges are not in
the file, but follow from it: encoding a token with the lower ranks alone leaves the two parts that its merge joins. How
a tokenizer splits text and which special tokens it has is not in the file either, and known of OpenAI's own only.
"""

from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from ..errors import FormatError
from ..errors import translatable as _
from ..files import unreadable, write_files
from ..recipe import Recipe
from ..spelling import PRINTABLE_ORDER
from ..tokenizer import Tokenizer

SUFFIX: Final = ".tiktoken"
FILE: Final = "tokenizer.tiktoken"
"""The name where only a folder is given."""

_MOST_BYTES: Final = 1 << 24
_LONGEST_TOKEN: Final = 1024  # bytes
_MOST_RANK: Final = (1 << 31) - 1
_SINGLE: Final = tuple(bytes((byte,)) for byte in range(256))

Merge = tuple[bytes, bytes]


class _Known(NamedTuple):
    """What is known of a published file."""

    ranks: int
    sha256: str
    splitter: str
    special_tokens: Mapping[str, int]


# openai/tiktoken tiktoken_ext/openai_public.py
_KNOWN: Final = {
    "r50k_base": _Known(
        50256, "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", "gpt2", {"<|endoftext|>": 50256}
    ),
    "p50k_base": _Known(
        50280, "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069", "gpt2", {"<|endoftext|>": 50256}
    ),
    "cl100k_base": _Known(
        100256,
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "cl100k",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": _Known(
        199998,
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "o200k",
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
}
_UNKNOWN: Final = _Known(0, "", "gpt2", {})


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path, *, pattern: str | None = None, special_tokens: Mapping[str, int] | None = None) -> Tokenizer:
    """Read a file of ranks, or the one in a folder. Raises FormatError.

    `pattern` is the name of a splitter or a regular expression. OpenAI's files are known by what is in them, or by
    their names, and have their own pattern and special tokens; any other has the pattern of GPT-2 and no special
    tokens, unless they are given.
    """
    file = path / FILE if path.is_dir() else path
    data = _read(file)
    ranks = _Ranks(file, data)
    known = _known(file, data, ranks.tokens)
    alphabet = [token[0] for token in ranks.tokens.values() if len(token) == 1]
    recipe = Recipe.of("tiktoken").with_changes(
        splitter=known.splitter if pattern is None else pattern,
        alphabet="gpt2-printable" if alphabet == list(PRINTABLE_ORDER) else "sorted",
    )
    specials = known.special_tokens if special_tokens is None else special_tokens
    return Tokenizer(ranks.tokens, ranks.merges(), specials, recipe=recipe)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    if len(data) > _MOST_BYTES:
        raise FormatError(
            _("EngineError", "{path} is larger than {most:,} bytes; no file of ranks is that large."),
            path=path,
            most=_MOST_BYTES,
        )
    return data


def _known(path: Path, data: bytes, tokens: Mapping[int, bytes]) -> _Known:
    digest = sha256(data).hexdigest()
    for name, known in _KNOWN.items():
        # The name alone could be anybody's; and line ends, which the digest knows, change when files are passed on.
        named = (
            path.stem == name and len(tokens) == known.ranks and tokens.keys().isdisjoint(known.special_tokens.values())
        )
        if named or digest == known.sha256:
            return known
    return _UNKNOWN


class _Ranks:
    """The tokens of a file by rank, lowest first."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._lines: dict[bytes, int] = {}
        tokens: dict[int, bytes] = {}
        for number, line in enumerate(data.split(b"\n"), start=1):
            if line and not line.isspace():
                self._add(tokens, number, line)
        self.tokens = dict(sorted(tokens.items()))
        for single in _SINGLE:
            if single not in self._lines:
                raise FormatError(
                    _("EngineError", "{path}: the byte {byte!r} has no rank; each of the 256 bytes needs one."),
                    path=path,
                    byte=single,
                )

    def _add(self, tokens: dict[int, bytes], number: int, line: bytes) -> None:
        try:
            token, rank = _parse(line)
        except ValueError as error:
            raise FormatError(
                _(
                    "EngineError",
                    "{path}, line {line}: {text!r} is no rank; a line is a token in base64, a space, a whole number.",
                ),
                path=self._path,
                line=number,
                text=_beginning(line),
            ) from error
        if len(token) > _LONGEST_TOKEN:
            raise FormatError(
                _("EngineError", "{path}, line {line}: a token of {length:,} bytes is too long; {most:,} is the most."),
                path=self._path,
                line=number,
                length=len(token),
                most=_LONGEST_TOKEN,
            )
        if token in self._lines:
            raise FormatError(
                _("EngineError", "{path}, line {line}: the token {token!r} is there already, in line {other}."),
                path=self._path,
                line=number,
                token=token,
                other=self._lines[token],
            )
        if rank in tokens:
            raise FormatError(
                _("EngineError", "{path}, line {line}: the rank {rank} is there already, in line {other}."),
                path=self._path,
                line=number,
                rank=rank,
                other=self._lines[tokens[rank]],
            )
        tokens[rank] = token
        self._lines[token] = number

    def merges(self) -> list[Merge]:
        """What makes each token of several bytes, in the order of the ranks. Raises FormatError where nothing does."""
        try:
            return list(recovered(self.tokens.values()))
        except UnexplainedError as error:
            raise FormatError(
                _(
                    "EngineError",
                    "{path}, line {line}: no merge makes the token {token!r}: encoding it with the lower ranks alone "
                    "does not leave two parts.",
                ),
                path=self._path,
                line=self._lines[error.token],
                token=error.token,
            ) from error


def _parse(line: bytes) -> tuple[bytes, int]:
    """The token and the rank in a line. Raises ValueError if it holds anything else."""
    written, rank = line.split()
    token = a2b_base64(written, strict_mode=True)
    if not token or not rank.isdigit() or int(rank) > _MOST_RANK:
        raise ValueError
    return token, int(rank)


def _beginning(line: bytes) -> str:
    text = line[:60].decode("utf-8", "backslashreplace")
    return text if len(line) <= 60 else text + "…"


# -- merges from ranks --------------------------------------------------------------------------------------------


class UnexplainedError(ValueError):
    """No merge makes a token."""

    def __init__(self, token: bytes) -> None:
        super().__init__(token)
        self.token = token


def recovered(tokens: Iterable[bytes]) -> Iterator[Merge]:
    """The merge that makes each token of several bytes, given all tokens in the order of their ranks.

    Raises UnexplainedError for a token that encoding by the tokens before it alone does not leave in two parts.

    >>> list(recovered([b"l", b"o", b"w", b"ow", b"low"]))
    [(b'o', b'w'), (b'l', b'ow')]
    """
    # Numbers instead of ranks: bytes come first whatever their ranks, because encoding begins with them.
    numbers = dict(zip(_SINGLE, range(256), strict=True))
    parts: list[tuple[int, int] | None] = [None] * 256
    made: dict[tuple[int, int], int] = {}
    for token in tokens:
        if len(token) == 1:
            continue
        for cut in range(1, len(token)):
            if (
                (left := numbers.get(token[:cut])) is not None
                and (right := numbers.get(token[cut:])) is not None
                and _stay_apart(left, right, parts, made)
            ):
                break
        else:
            raise UnexplainedError(token)
        made[left, right] = numbers[token] = len(parts)
        parts.append((left, right))
        yield token[:cut], token[cut:]


def _stay_apart(
    left: int, right: int, parts: list[tuple[int, int] | None], made: Mapping[tuple[int, int], int]
) -> bool:
    """Whether encoding the bytes of two tokens side by side gives these two again.

    Encoding is followed backwards, and only at the border: what was made last is taken apart. If, at some time, the two
    symbols at the border are a pair whose merge comes before the one that was undone, then it would have happened.
    """
    limit = len(parts)
    while made.get((left, right), limit) >= limit:
        last = max(left, right)
        # Of two equal pairs, the one further left is merged first: what is made on the right, is made after it.
        limit = last + 1 if last == right else last
        halves = parts[last]
        if halves is None:
            return True  # two bytes: the beginning
        if last == right:
            right = halves[0]
        else:
            left = halves[1]
    return False


# -- writing ------------------------------------------------------------------------------------------------------


def save(tokenizer: Tokenizer, path: Path) -> list[Path]:
    """Write the ranks to a file that ends in `.tiktoken`, or else into the folder `path`; returns the file.

    Special tokens and the splitter are left out, as they are in such files. Raises FormatError for a tokenizer that
    would encode otherwise by its ranks than by its merges.
    """
    _check_recipe(tokenizer.recipe)
    special = set(tokenizer.special_tokens.values())
    tokens = {token_id: token for token_id, token in sorted(tokenizer.vocab.items()) if token_id not in special}
    _check_tokens(tokens)
    _check_merges(tokenizer, tokens)
    file = path if path.suffix == SUFFIX else path / FILE
    write_files({file: "".join(f"{b2a_base64(token, newline=False).decode()} {i}\n" for i, token in tokens.items())})
    return [file]


def _check_recipe(recipe: Recipe) -> None:
    if recipe.units != "bytes":
        raise FormatError(
            _("EngineError", "Ranks are of bytes; this tokenizer begins with characters. Train with the units bytes.")
        )
    if recipe.boundary != "none":
        raise FormatError(
            _("EngineError", "Ranks know no end-of-word markers. Train with a recipe that has the boundary none.")
        )


def _check_tokens(tokens: Mapping[int, bytes]) -> None:
    ids: dict[bytes, int] = {}
    for token_id, token in tokens.items():
        if token in ids:
            raise FormatError(
                _("EngineError", "The token {token!r} has two ids, {first} and {second}; it can have one rank only."),
                token=token,
                first=ids[token],
                second=token_id,
            )
        if len(token) > _LONGEST_TOKEN:
            raise FormatError(
                _("EngineError", "The token {token!r} has {length:,} bytes; a file of ranks can hold {most:,}."),
                token=token,
                length=len(token),
                most=_LONGEST_TOKEN,
            )
        ids[token] = token_id
    for single in _SINGLE:
        if single not in ids:
            raise FormatError(
                _("EngineError", "The byte {byte!r} has no id of its own; a file of ranks needs all 256 bytes."),
                byte=single,
            )


def _check_merges(tokenizer: Tokenizer, tokens: Mapping[int, bytes]) -> None:
    """Whoever reads the file must find the same merges in it, in the same order."""
    by_rank = recovered(tokens.values())
    try:
        for rank, (merge, found) in enumerate(zip_longest(tokenizer.merges, by_rank)):
            if merge != found:
                _refuse(merge or found, rank)
    except UnexplainedError as error:
        raise FormatError(
            _("EngineError", "No merge makes the token {token!r} of tokens with smaller ids, which are its ranks."),
            token=error.token,
        ) from error


def _refuse(merge: Merge, rank: int) -> NoReturn:
    raise FormatError(
        _(
            "EngineError",
            "The merge {left!r} {right!r}, of rank {rank}, would not be found again: in a file of ranks, ids are the "
            "order of the merges, and each merge makes a new token.",
        ),
        left=merge[0],
        right=merge[1],
        rank=rank,
    )
