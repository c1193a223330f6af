"""Hugging Face's `transformers`: a folder with `tokenizer.json`, and the roles of its special tokens in other files.

`AutoTokenizer.from_pretrained` of versions 4 and 5 opens the folders that we write. A special token with a usual name
gets the role of that name, for example to end or pad a text; the others are additional special tokens.

When we read a folder, what `tokenizer_config.json` and `special_tokens_map.json` say about tokens must agree with
`tokenizer.json`; otherwise transformers would change the tokenizer. Everything else in them is about models and
is ignored.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import parse_json, read_text
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from . import tokenizer_json
from .files import shorten

FILE: Final = "tokenizer.json"
CONFIG: Final = "tokenizer_config.json"
SPECIAL_TOKENS: Final = "special_tokens_map.json"

_MAX_BYTES: Final = 1 << 25
_MAX_DIGITS: Final = 11  # of an id
_NO_LIMIT: Final = int(1e30)
"""The length that means no limit in transformers."""

_ROLES: Final = {
    "bos_token": ("<s>", "<bos>", "<|bos|>", "[BOS]", "<|begin_of_text|>", "<|startoftext|>"),
    "eos_token": ("<|endoftext|>", "</s>", "<eos>", "<|eos|>", "[EOS]", "<|end_of_text|>"),
    "unk_token": ("<unk>", "<|unk|>", "[UNK]"),
    "sep_token": ("[SEP]", "<sep>"),
    "pad_token": ("<pad>", "<|pad|>", "[PAD]"),
    "cls_token": ("[CLS]", "<cls>"),
    "mask_token": ("<mask>", "[MASK]"),
}
"""The usual names of special tokens by role."""

_ADDITIONAL: Final = ("additional_special_tokens", "extra_special_tokens")
"""The keys of special tokens without a role; version 5 writes the second key and reads both."""

_FLAGS: Final = ("lstrip", "rstrip", "single_word")


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Return the content of the files in `folder`.

    Raise FormatError for a tokenizer that `tokenizer.json` cannot represent.
    """
    roles = _roles(tokenizer)
    config = {
        "clean_up_tokenization_spaces": False,
        "model_max_length": _NO_LIMIT,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    return {
        **tokenizer_json.contents(tokenizer, folder / FILE),
        folder / CONFIG: _dump(roles | config),
        folder / SPECIAL_TOKENS: _dump(roles),
    }


def _dump(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _roles(tokenizer: Tokenizer) -> dict[str, str | list[str]]:
    """Return the special tokens by role, and a list of the special tokens without a role.

    >>> _roles(Tokenizer({}, [], {"<|endoftext|>": 0, "<|user|>": 1}))
    {'eos_token': '<|endoftext|>', 'additional_special_tokens': ['<|user|>']}
    """
    special = {token.id: token.content for token in _added_tokens(tokenizer) if token.special}
    unknown = None if tokenizer.unknown_id is None else special.get(tokenizer.unknown_id)
    roles: dict[str, str | list[str]] = {}
    for role, usual_names in _ROLES.items():
        names = (unknown, *usual_names) if role == "unk_token" else usual_names
        if name := next((name for name in names if name in special.values()), None):
            roles[role] = name
    if others := [token for token in special.values() if token not in roles.values()]:
        roles[_ADDITIONAL[0]] = others
    return roles


def _added_tokens(tokenizer: Tokenizer) -> list[AddedToken]:
    """Return the added tokens of a tokenizer, in the order of their ids."""
    if tokenizer.pipeline is not None:
        tokens = list(tokenizer.pipeline.added_tokens)
    else:
        tokens = [AddedToken(id=token_id, content=token) for token, token_id in tokenizer.special_tokens.items()]
    return sorted(tokens, key=lambda token: token.id)


# -- reading ------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Tokenizer:
    """Read a tokenizer from a folder. Raise FormatError."""
    tokenizer = tokenizer_json.load(folder / FILE)
    added_tokens = {token.content: token for token in _added_tokens(tokenizer)}
    for file in (folder / CONFIG, folder / SPECIAL_TOKENS):
        config = _read_config(file)
        for declared in _declared_special_tokens(config):
            _find_added_token(file, declared, added_tokens)
        for declared in _entries(config, "added_tokens_decoder"):
            token = _find_added_token(file, declared, added_tokens)
            _check_flags(file, declared, token, _relevant_flags(tokenizer))
    return tokenizer


class DifferentId(NamedTuple):
    """A token to which a file gives another id than `tokenizer.json`; None for a token that one of them lacks."""

    file: str
    token: str
    known: int | None
    other: int | None


@checks_arguments(FormatError)
def different_special_ids(folder: Path) -> list[DifferentId]:
    """Return the special tokens on whose ids the files of a folder disagree. Raise FormatError.

    Unlike `load`, this also reads folders in which a file names a token that `tokenizer.json` lacks.
    """
    tokenizer = tokenizer_json.load(folder / FILE)
    known = {token.content: token.id for token in _added_tokens(tokenizer)}
    found: dict[DifferentId, None] = {}
    for name in (CONFIG, SPECIAL_TOKENS):
        config = _read_config(folder / name)
        listed = config.get("added_tokens_decoder")
        ids = {_content(token): key for key, token in listed.items()} if isinstance(listed, dict) else {}
        for token, key in ids.items():
            other = int(key) if key.isdecimal() and len(key) < _MAX_DIGITS else None
            if known.get(token) != other:
                found[DifferentId(name, token, known.get(token), other)] = None
        for token in map(_content, _declared_special_tokens(config)):
            if token not in known and token not in ids:
                found[DifferentId(name, token, None, None)] = None
    return list(found)


def _content(declared: object) -> str:
    """Return the text of a declared token."""
    return str(declared.get("content") if isinstance(declared, dict) else declared)


def _read_config(path: Path) -> Mapping[str, Any]:
    """Return the object in a file, or an empty one if there is no such file."""
    if not path.exists():
        return {}
    config = parse_json(path, read_text(path, _MAX_BYTES))
    if not isinstance(config, dict):
        raise FormatError("{path} must contain a JSON object.", path=path)
    return config


def _declared_special_tokens(config: Mapping[str, Any]) -> list[object]:
    roles = [config[role] for role in _ROLES if config.get(role) is not None]
    return [*roles, *(token for key in _ADDITIONAL for token in _entries(config, key))]


def _entries(config: Mapping[str, Any], key: str) -> list[object]:
    """Return the items of a list or the values of an object."""
    listed = config.get(key)
    return list(listed.values()) if isinstance(listed, dict) else listed if isinstance(listed, list) else []


def _find_added_token(path: Path, declared: object, added_tokens: Mapping[str, AddedToken]) -> AddedToken:
    """Return the added token of `tokenizer.json` that is declared in `path`. Raise FormatError if there is none."""
    content = _content(declared)
    if content not in added_tokens:
        raise FormatError(
            "{path}: the token {token!r} is not among the added tokens of {file}, where transformers would add it. "
            "Save the tokenizer with transformers to write the token there.",
            path=path,
            token=shorten(content),
            file=FILE,
        )
    return added_tokens[content]


def _relevant_flags(tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the flags of added tokens that make a difference for this tokenizer."""
    has_normalizers = tokenizer.pipeline is not None and tokenizer.pipeline.normalizers
    return (*_FLAGS, "normalized") if has_normalizers else _FLAGS


def _check_flags(path: Path, declared: object, token: AddedToken, flags: tuple[str, ...]) -> None:
    """Raise FormatError if declared flags, which transformers would use, differ from the token's."""
    declared_flags = declared if isinstance(declared, dict) else {}
    for flag in flags:
        if flag in declared_flags and declared_flags[flag] != getattr(token, flag):
            raise FormatError(
                "{path}: the value of {flag} for the token {token!r} differs from {file}.",
                path=path,
                token=shorten(token.content),
                flag=flag,
                file=FILE,
            )
