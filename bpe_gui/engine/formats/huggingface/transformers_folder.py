"""A folder as Hugging Face's `transformers` has it: `tokenizer.json`, and beside it what its special tokens are for.

`AutoTokenizer.from_pretrained` opens what is written, in its versions 4 and 5. Which special token ends a text, pads it
or has any other role is read off its usual name; those with other names are additional ones.

What `tokenizer_config.json` and `special_tokens_map.json` say of tokens must agree with `tokenizer.json`: transformers
would change the tokenizer otherwise. All else in them is about models and not read.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import parse_json, read_text
from bpe_gui.engine.pipeline import AddedToken
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.huggingface import tokenizer_json as huggingface
from bpe_gui.engine.formats.files import beginning

CONFIG: Final = "tokenizer_config.json"
SPECIAL_TOKENS: Final = "special_tokens_map.json"
FILES: Final = (huggingface.FILE, CONFIG, SPECIAL_TOKENS)

_MOST_BYTES: Final = 1 << 25
_NO_LIMIT: Final = int(1e30)
"""The length of text that transformers takes for no limit."""

_ROLES: Final = {
    "bos_token": ("<s>", "<bos>", "<|bos|>", "[BOS]", "<|begin_of_text|>", "<|startoftext|>"),
    "eos_token": ("<|endoftext|>", "</s>", "<eos>", "<|eos|>", "[EOS]", "<|end_of_text|>"),
    "unk_token": ("<unk>", "<|unk|>", "[UNK]"),
    "sep_token": ("[SEP]", "<sep>"),
    "pad_token": ("<pad>", "<|pad|>", "[PAD]"),
    "cls_token": ("[CLS]", "<cls>"),
    "mask_token": ("<mask>", "[MASK]"),
}
"""The usual names of the special tokens that have a role."""

_OTHERS: Final = ("additional_special_tokens", "extra_special_tokens")
"""What special tokens without a role are listed as; the second by version 5, which reads the first as well."""

_FLAGS: Final = ("lstrip", "rstrip", "single_word")


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """The files in `folder` and what is in them. Raises FormatError for what `tokenizer.json` cannot hold."""
    roles = _roles(tokenizer)
    config = {
        "clean_up_tokenization_spaces": False,
        "model_max_length": _NO_LIMIT,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    return {
        **huggingface.contents(tokenizer, folder / huggingface.FILE),
        folder / CONFIG: _json(roles | config),
        folder / SPECIAL_TOKENS: _json(roles),
    }


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _roles(tokenizer: Tokenizer) -> dict[str, str | list[str]]:
    """The special tokens by role, and a list of those without one.

    >>> _roles(Tokenizer({}, [], {"<|endoftext|>": 0, "<|user|>": 1}))
    {'eos_token': '<|endoftext|>', 'additional_special_tokens': ['<|user|>']}
    """
    special = {token.id: token.content for token in _added_tokens(tokenizer) if token.special}
    unknown = special.get(-1 if tokenizer.unknown_id is None else tokenizer.unknown_id)
    roles: dict[str, str | list[str]] = {}
    for role, usual in _ROLES.items():
        names = (unknown, *usual) if role == "unk_token" else usual
        if found := next((name for name in names if name in special.values()), None):
            roles[role] = found
    if others := [token for token in special.values() if token not in roles.values()]:
        roles[_OTHERS[0]] = others
    return roles


def _added_tokens(tokenizer: Tokenizer) -> list[AddedToken]:
    """The tokens that are cut out of the text, in the order of their ids."""
    if tokenizer.pipeline is not None:
        tokens = list(tokenizer.pipeline.added_tokens)
    else:
        tokens = [AddedToken(id=token_id, content=token) for token, token_id in tokenizer.special_tokens.items()]
    return sorted(tokens, key=lambda token: token.id)


# -- reading ------------------------------------------------------------------------------------------------------


def load(path: Path) -> Tokenizer:
    """Read a folder, or the one that holds the file `path`. Raises FormatError."""
    folder = path.parent if path.name in FILES else path
    tokenizer = huggingface.load(folder / huggingface.FILE)
    known = {token.content: token for token in _added_tokens(tokenizer)}
    for file in (folder / CONFIG, folder / SPECIAL_TOKENS):
        config = _config(file)
        for token in _named(config):
            _known(file, token, known)
        for token in _entries(config, "added_tokens_decoder"):
            _check_flags(file, token, _known(file, token, known), _flags(tokenizer))
    return tokenizer


def _config(path: Path) -> Mapping[str, Any]:
    """What is in a file, nothing if there is none."""
    if not path.exists():
        return {}
    config = parse_json(path, read_text(path, _MOST_BYTES))
    if not isinstance(config, dict):
        raise FormatError(_("EngineError", "{path} holds no JSON object."), path=path)
    return config


def _named(config: Mapping[str, Any]) -> list[object]:
    """The special tokens that are named, with a role or without."""
    roles = [config[role] for role in _ROLES if config.get(role) is not None]
    return [*roles, *(token for key in _OTHERS for token in _entries(config, key))]


def _entries(config: Mapping[str, Any], key: str) -> list[object]:
    """The tokens in a list, or the values of an object."""
    listed = config.get(key)
    return list(listed.values()) if isinstance(listed, dict) else listed if isinstance(listed, list) else []


def _known(path: Path, token: object, known: Mapping[str, AddedToken]) -> AddedToken:
    """The token of `tokenizer.json` that is named. Raises FormatError."""
    content = token.get("content") if isinstance(token, dict) else token
    if not isinstance(content, str) or content not in known:
        raise FormatError(
            _(
                "EngineError",
                "{path}: the token {token!r} is not among the added tokens of {file}, where transformers would add it. "
                "Save the tokenizer with transformers, which writes it there.",
            ),
            path=path,
            token=beginning(str(content)),
            file=huggingface.FILE,
        )
    return known[content]


def _flags(tokenizer: Tokenizer) -> tuple[str, ...]:
    """The flags of added tokens that make a difference."""
    has_normalizers = tokenizer.pipeline is not None and tokenizer.pipeline.normalizers
    return (*_FLAGS, "normalized") if has_normalizers else _FLAGS


def _check_flags(path: Path, declared: object, token: AddedToken, flags: tuple[str, ...]) -> None:
    """Transformers would take the flags that are declared, instead of those of the token."""
    given = declared if isinstance(declared, dict) else {}
    for flag in flags:
        if flag in given and given[flag] != getattr(token, flag):
            raise FormatError(
                _("EngineError", "{path}: for the token {token!r}, {flag} is not as {file} has it."),
                path=path,
                token=beginning(token.content),
                flag=flag,
                file=huggingface.FILE,
            )
