"""`*.tiktoken`, a file of ranks as tiktoken has them: a line for each token, in base64, with its rank.

Ranks are ids, and encoding merges the two neighbours whose bytes together have the lowest rank; `ranks` knows what
merges these are. How a tokenizer splits text and which special tokens it has is not in the file, and known of OpenAI's
own only.
"""

from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import unreadable
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import compile_pattern
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.ranks import LONGEST_TOKEN, SINGLE, Merge, check_size, is_by_ranks, named, recovered, tokenizer_of
from bpe_gui.engine.formats.files import MOST_BYTES, MOST_LINES, beginning
from bpe_gui.engine.formats.writing import check_plain

SUFFIX: Final = ".tiktoken"
FILE: Final = "tokenizer.tiktoken"
"""The name where only a folder is given."""

_MOST_RANK: Final = (1 << 31) - 1


class Published(NamedTuple):
    """What is known of a published file that is not in it."""

    splitter: str
    special_tokens: Mapping[str, int]
    ranks: int
    sha256: str


# openai/tiktoken tiktoken_ext/openai_public.py
_R50K: Final = Published(
    "gpt2", {"<|endoftext|>": 50256}, 50256, "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
)
PUBLISHED: Final = {
    "r50k_base": _R50K,
    "gpt2": _R50K,
    "p50k_base": _R50K._replace(ranks=50280, sha256="94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"),
    "cl100k_base": Published(
        "cl100k",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
        100256,
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": Published(
        "o200k",
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
        199998,
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}
"""The files of OpenAI by name; `gpt2` is another name for `r50k_base`."""


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path, *, pattern: str | None = None, special_tokens: Mapping[str, int] | None = None) -> Tokenizer:
    """Read a file of ranks, or the one in a folder. Raises FormatError, RecipeError, TokenizerError.

    `pattern` is the name of a splitter or a regular expression, as in a recipe. OpenAI's files are known by what is in
    them, or by their names, and have their own pattern and special tokens; any other has the pattern of GPT-2 and no
    special tokens, unless they are given. `ranks.unexplained` says which tokens no merge makes.
    """
    file = path / FILE if path.is_dir() else path
    data = _read(file)
    tokens = _tokens(file, data)
    known = _published(file, data, tokens)
    splitter, specials = (known.splitter, known.special_tokens) if known else ("gpt2", {})
    return tokenizer_of(
        tokens,
        splitter if pattern is None else _usable(pattern),
        specials if special_tokens is None else special_tokens,
    )


def _usable(pattern: str) -> str:
    splitter = named(pattern)
    compile_pattern(splitter)
    return splitter


def published(path: Path) -> Published | None:
    """What is known of a file of ranks, or of the one in a folder; None for one that nothing is known of: its pattern
    and special tokens have to be given. Raises FormatError for what is no file of ranks."""
    file = path / FILE if path.is_dir() else path
    data = _read(file)
    return _published(file, data, _tokens(file, data))


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    if len(data) > MOST_BYTES:
        raise FormatError(
            _("EngineError", "{path} is larger than {most:,} bytes; no file of ranks is that large."),
            path=path,
            most=MOST_BYTES,
        )
    if data.count(b"\n") >= MOST_LINES:
        raise FormatError(
            _("EngineError", "{path} has more than {most:,} lines; no tokenizer file of this kind is that long."),
            path=path,
            most=MOST_LINES,
        )
    return data


def _published(path: Path, data: bytes, tokens: Mapping[int, bytes]) -> Published | None:
    digest = sha256(data).hexdigest()
    for name, known in PUBLISHED.items():
        # The name alone could be anybody's; and line ends, which the digest knows, change when files are passed on.
        named = (
            path.stem == name and len(tokens) == known.ranks and tokens.keys().isdisjoint(known.special_tokens.values())
        )
        if named or digest == known.sha256:
            return known
    return None


def _tokens(path: Path, data: bytes) -> dict[int, bytes]:
    """The tokens of a file by rank, lowest first."""
    tokens: dict[int, bytes] = {}
    lines: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line and not line.isspace():
            token, rank = _parse(path, number, line)
            if token in lines:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the token {token!r} is there already, in line {other}."),
                    path=path,
                    line=number,
                    token=token,
                    other=lines[token],
                )
            if rank in tokens:
                raise FormatError(
                    _("EngineError", "{path}, line {line}: the rank {rank} is there already, in line {other}."),
                    path=path,
                    line=number,
                    rank=rank,
                    other=lines[tokens[rank]],
                )
            tokens[rank] = token
            lines[token] = number
    for single in SINGLE:
        if single not in lines:
            raise FormatError(
                _("EngineError", "{path}: the byte {byte!r} has no rank; each of the 256 bytes needs one."),
                path=path,
                byte=single,
            )
    check_size(path, tokens)
    return dict(sorted(tokens.items()))


def _parse(path: Path, number: int, line: bytes) -> tuple[bytes, int]:
    """The token and the rank in a line."""
    try:
        written, digits = line.split()
        token = a2b_base64(written, strict_mode=True)
        rank = int(digits) if digits.isdigit() else -1
        if not token or not 0 <= rank <= _MOST_RANK:
            raise ValueError
    except ValueError as error:
        raise FormatError(
            _(
                "EngineError",
                "{path}, line {line}: {text!r} is no rank; a line is a token in base64, a space, a whole number.",
            ),
            path=path,
            line=number,
            text=beginning(line.decode("utf-8", "backslashreplace")),
        ) from error
    if len(token) > LONGEST_TOKEN:
        raise FormatError(
            _("EngineError", "{path}, line {line}: a token of {length:,} bytes is too long; {most:,} is the most."),
            path=path,
            line=number,
            length=len(token),
            most=LONGEST_TOKEN,
        )
    return token, rank


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, str]:
    """The ranks in a file that ends in `.tiktoken`, or else in the folder `path`.

    Special tokens and the splitter are left out, as they are in such files. Raises FormatError for a tokenizer that
    would encode otherwise by its ranks than by its merges.
    """
    if not is_by_ranks(tokenizer):
        check_plain(tokenizer)
    _check_recipe(tokenizer.recipe)
    special = set(tokenizer.special_tokens.values())
    tokens = {token_id: token for token_id, token in sorted(tokenizer.vocab.items()) if token_id not in special}
    _check_tokens(tokens)
    _check_merges(tokenizer, tokens)
    file = path if path.suffix == SUFFIX else path / FILE
    return {file: "".join(f"{b2a_base64(token, newline=False).decode()} {i}\n" for i, token in tokens.items())}


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
        if len(token) > LONGEST_TOKEN:
            raise FormatError(
                _("EngineError", "The token {token!r} has {length:,} bytes; a file of ranks can hold {most:,}."),
                token=token,
                length=len(token),
                most=LONGEST_TOKEN,
            )
        ids[token] = token_id
    for single in SINGLE:
        if single not in ids:
            raise FormatError(
                _("EngineError", "The byte {byte!r} has no id of its own; a file of ranks needs all 256 bytes."),
                byte=single,
            )


def _check_merges(tokenizer: Tokenizer, tokens: Mapping[int, bytes]) -> None:
    """Whoever reads the file must find the same merges in it, in the same order."""
    made = [token for token in tokens.values() if len(token) > 1]
    by_rank = list(recovered(list(tokens.values())))
    if None in by_rank and not is_by_ranks(tokenizer):
        raise FormatError(
            _("EngineError", "No merge makes the token {token!r}, so that ranks would give it for whole words only."),
            token=made[by_rank.index(None)],
        )
    for rank, (merge, found) in enumerate(zip_longest(tokenizer.merges, filter(None, by_rank))):
        if merge != found and (differing := merge or found):
            _refuse(differing, rank)


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
