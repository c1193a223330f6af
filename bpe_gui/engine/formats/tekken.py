"""`tekken.json`, as Mistral's models have it: ranks as tiktoken has them, with the pattern and the special tokens.

The special tokens have the first ids, and tokens their rank after them. The file may hold more tokens than are used:
only the first, up to the vocabulary size. Places that special tokens leave free are filled with `<SPECIAL_20>` and so
on. Files of the first versions name no special tokens: these are known.
"""

import re
from binascii import a2b_base64
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import read_text
from bpe_gui.engine.runtime.bounded_json import Part, parse_bounded
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.ranks import LONGEST_TOKEN, SINGLE, check_size, splitter_of, tokenizer_of

SUFFIX: Final = ".json"
FILE: Final = "tekken.json"

_MOST_BYTES: Final = 1 << 25  # published files have up to 20 MB
_MOST_TOKENS: Final = 500_000
_MOST_SPECIAL: Final = 10_000
_MOST_SPECIAL_CHARACTERS: Final = 200_000
_LAST_UNNAMED: Final = 7
"""The last version of files that name no special tokens."""

_VERSION: Final = re.compile(r"v([0-9]{1,4})(?:m[0-9]{1,4})?")

# mistralai/mistral-common src/mistral_common/tokens/tokenizers/tekken.py
_FIRST_SPECIAL: Final = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"),
    *("[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"),
    *("[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"),
)


def is_one(path: Path) -> bool:
    """Whether a JSON file is called one, as `tekken_240911.json` is, too."""
    return "tekken" in path.name


def load(path: Path) -> Tokenizer:
    """Read a file, or the one in a folder. Raises FormatError, TokenizerError."""
    file = path / FILE if path.is_dir() else path
    root = parse_bounded(file, read_text(file, _MOST_BYTES))
    config = root.member("config")
    splitter = _splitter(config.member("pattern"))
    special = _special_tokens(root, config)
    size = config.member("default_vocab_size").whole(len(special) + len(SINGLE), len(special) + _MOST_TOKENS)
    tokens = _tokens(root.member("vocab"), size - len(special))
    check_size(file, tokens)
    return tokenizer_of(tokens, splitter, special, first_id=len(special))


def _splitter(pattern: Part) -> str:
    try:
        return splitter_of(pattern.text())
    except RecipeError as error:
        raise pattern.because(error) from error


def _special_tokens(root: Part, config: Part) -> dict[str, int]:
    """The special tokens with their ids, from 0 on."""
    count = config.member("default_num_special_tokens").whole(0, _MOST_SPECIAL)
    given = root.member("special_tokens")
    names = _first_special(config.member("version")) if given.is_null else _names(given, count)
    if len(names) > count:
        raise given.wrong(
            _("EngineError", "{path}: there are {names:,} special tokens, but only {count:,} places for them."),
            names=len(names),
            count=count,
        )
    names += [f"<SPECIAL_{number}>" for number in range(len(names), count)]
    if len(set(names)) < len(names):
        raise given.wrong(_("EngineError", "{path}: two special tokens are the same."))
    return {name: number for number, name in enumerate(names)}


def _first_special(version: Part) -> list[str]:
    found = _VERSION.fullmatch(version.text())
    if found is None or int(found[1]) > _LAST_UNNAMED:
        raise version.wrong(
            _("EngineError", "{path}: a file of version {value!r} needs special_tokens; they are not there.")
        )
    return list(_FIRST_SPECIAL)


def _names(given: Part, most: int) -> list[str]:
    names: list[str] = []
    size = 0
    for number, entry in enumerate(given.items(most)):
        entry.member("rank").whole(number, number)
        name = entry.member("token_str").text()
        size += len(name)
        if size > _MOST_SPECIAL_CHARACTERS:
            raise given.wrong(
                _("EngineError", "{path}: the special tokens have more than {most:,} characters."),
                most=_MOST_SPECIAL_CHARACTERS,
            )
        names.append(name)
    return names


def _tokens(vocab: Part, count: int) -> dict[int, bytes]:
    """The first tokens by rank."""
    entries = vocab.items(_MOST_TOKENS)
    if len(entries) < count:
        raise vocab.wrong(
            _("EngineError", "{path}: {place} has {length:,} tokens; its sizes ask for {count:,}."),
            length=len(entries),
            count=count,
        )
    tokens: dict[int, bytes] = {}
    ranks: dict[bytes, int] = {}
    for rank, entry in enumerate(entries[:count]):
        entry.member("rank").whole(rank, rank)
        token = _token(entry.member("token_bytes"))
        if rank < len(SINGLE) and token != SINGLE[rank]:
            raise entry.wrong(
                _("EngineError", "{path}: {place} is {token!r}; the first tokens are the bytes in their order."),
                token=token,
            )
        if token in ranks:
            raise entry.wrong(
                _("EngineError", "{path}: {place} is {token!r}, which has the rank {other} already."),
                token=token,
                other=ranks[token],
            )
        tokens[rank] = token
        ranks[token] = rank
    return tokens


def _token(written: Part) -> bytes:
    try:
        token = a2b_base64(written.text(), strict_mode=True)
    except ValueError:
        token = b""
    if not 1 <= len(token) <= LONGEST_TOKEN:
        raise written.wrong(
            _("EngineError", "{path}: {place}, {value!r}, is no token of up to {most:,} bytes in base64."),
            most=LONGEST_TOKEN,
        )
    return token
