"""Hugging Face's `transformers`: a folder with a tokenizer, and everything that is said about it in other files.

`AutoTokenizer.from_pretrained` opens the folders that we write as it opened those that we read: roles of special
tokens, chat templates and all keys of `tokenizer_config.json` are kept in a `TokenizerConfig`. A tokenizer from
elsewhere gets roles by the usual names of special tokens.

A folder has a `tokenizer.json`, or `vocab.json` and `merges.txt` with a class that says the rest
(`transformers_classes`); both are read by `tokenizer_json`. Tokens that only a config declares are added as
transformers adds them. Steps are those of `tokenizer.json`, as in version 4 and in all other libraries; version 5
replaces them by those of some classes, which a note says where it makes a difference.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from bpe_gui.engine.pipeline.added_tokens import FLAGS
from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.files import parse_json, read_text
from bpe_gui.engine.surgery.special_tokens import with_special_tokens
from bpe_gui.engine.tokenization.config import ROLES, TokenizerConfig, content_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from . import gpt2, tokenizer_json
from .gpt2 import ADDED_TOKENS, CONFIG, FILE, SPECIAL_TOKENS
from .recipe_pipelines import added_tokens_of
from .tokenizer_json_model import assigned_ids
from .tokenizer_json_steps import NORMALIZERS, PRE_TOKENIZERS
from .transformers_classes import LibraryClass, class_named

_KEPT: Final = ("chat_template.jinja", "chat_template.json", "generation_config.json", ADDED_TOKENS)
_TEMPLATES: Final = "additional_chat_templates"
_MODEL: Final = "config.json"

_MAX_BYTES: Final = 1 << 25
_MAX_TEMPLATES: Final = 100
_MAX_DIGITS: Final = 11  # of an id
_NO_LIMIT: Final = int(1e30)
"""The length that means no limit in transformers."""

_CLASS: Final = "tokenizer_class"
_ANY_CLASS: Final = "PreTrainedTokenizerFast"
"""The class that takes all steps from `tokenizer.json`."""
_DECODER: Final = "added_tokens_decoder"

_USUAL_NAMES: Final = {
    "bos_token": ("<s>", "<bos>", "<|bos|>", "[BOS]", "<|begin_of_text|>", "<|startoftext|>"),
    "eos_token": ("<|endoftext|>", "</s>", "<eos>", "<|eos|>", "[EOS]", "<|end_of_text|>"),
    "unk_token": tokenizer_json.UNKNOWN_TOKENS,
    "sep_token": ("[SEP]", "<sep>"),
    "pad_token": ("<pad>", "<|pad|>", "[PAD]"),
    "cls_token": ("[CLS]", "<cls>"),
    "mask_token": ("<mask>", "[MASK]"),
}
"""The usual names of special tokens by role, for tokenizers about which no file says anything."""

_ADDITIONAL: Final = "additional_special_tokens"
_EXTRA: Final = "extra_special_tokens"
"""The keys of special tokens without a role; version 5 writes the second key, and reads the first in its absence."""


# -- writing ------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Return the content of the files in `folder`.

    Raise FormatError for a tokenizer that `tokenizer.json` cannot represent.
    """
    files = tokenizer_json.contents(tokenizer, folder / FILE)
    added = added_tokens_of(tokenizer)
    values = dict(tokenizer.config.values)
    if _CLASS not in values:  # not from such a folder
        config = {"clean_up_tokenization_spaces": False, "model_max_length": _NO_LIMIT, _CLASS: _ANY_CLASS}
        values = _usual_roles(tokenizer, values) | config | values
    elif (known := _changed_class(values, json.loads(files[folder / FILE]))) is not None:
        values = {**known.declared_roles, **known.options, **values, _CLASS: _ANY_CLASS}
    if _DECODER in values:
        values[_DECODER] = {str(token.id): token.described for token in added}
    roles = {key: values[key] for key in (*ROLES, _ADDITIONAL, _EXTRA) if values.get(key)}
    kept = dict(tokenizer.config.files)
    if ADDED_TOKENS in kept:
        kept[ADDED_TOKENS] = _dump({token.content: token.id for token in added if not token.in_vocabulary})
    return {
        **files,
        folder / CONFIG: _dump(values),
        folder / SPECIAL_TOKENS: _dump(roles),
        **{folder / name: text for name, text in kept.items()},
    }


def _dump(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _usual_roles(tokenizer: Tokenizer, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the special tokens by role, and a list of the special tokens without a role.

    >>> _usual_roles(Tokenizer({}, [], {"<|endoftext|>": 0, "<|user|>": 1}), {})
    {'eos_token': '<|endoftext|>', 'additional_special_tokens': ['<|user|>']}
    """
    special = {token.id: token.content for token in added_tokens_of(tokenizer) if token.special}
    unknown = None if tokenizer.unknown_id is None else special.get(tokenizer.unknown_id)
    roles: dict[str, Any] = {}
    for role, usual_names in _USUAL_NAMES.items():
        names = (unknown, *usual_names) if role == "unk_token" else usual_names
        name = next((name for name in names if name in special.values()), None)
        if name := content_of(given[role]) if role in given else name:
            roles[role] = name
    if others := [token for token in special.values() if token not in roles.values()]:
        roles[_ADDITIONAL] = others
    return roles


# -- reading ------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Tokenizer:
    """Read a tokenizer from a folder. Raise FormatError."""
    config, notes = read_config(folder), list[EngineError]()
    _name, known = class_named(config.values, {})
    if (folder / FILE).exists():
        tokenizer = tokenizer_json.load(folder / FILE, partial(_declare, config, notes))
    elif known is None or not known.reads_pairs:
        tokenizer = described(gpt2.load(folder), folder)
    else:
        config = TokenizerConfig({**known.declared_roles, **config.values}, config.files)
        tokenizer = _of_class(folder, config, known, notes)
    return tokenizer.with_config(config).with_notes(notes)


def _declare(config: TokenizerConfig, notes: list[EngineError], root: dict[str, Any]) -> None:
    """Add what a config declares to the JSON of `tokenizer.json`."""
    root["added_tokens"] = _with_declared(root, config, notes)
    if _changed_class(config.values, root) is not None:
        notes.append(
            EngineError(
                "Version 5 of transformers replaces the steps in tokenizer.json by those of the class {name}, which "
                "differ. Here they are kept. Saved with the tokenizer_class {any}, they are kept there, too.",
                name=str(config.values[_CLASS]),
                any=_ANY_CLASS,
            )
        )


def _of_class(folder: Path, config: TokenizerConfig, known: LibraryClass, notes: list[EngineError]) -> Tokenizer:
    """Return the tokenizer of a folder without `tokenizer.json`, which is read as the one that its class would save."""
    vocab, merges = gpt2.read_pair(folder)
    root = known.steps(config.values)
    root["model"] |= {"vocab": vocab, "merges": []}
    root["added_tokens"] = _with_declared(root, config, notes, _late_tokens(folder, config))
    ids = vocab | {token["content"]: token["id"] for token in root["added_tokens"]}
    root["post_processor"] = known.post_processor(config.values, ids)
    return tokenizer_json.read(JsonValue(folder / gpt2.VOCAB, "", root), merges)


def described(tokenizer: Tokenizer, folder: Path) -> Tokenizer:
    """Return a tokenizer that was read from one file of a folder, with what the other files say and declare.

    Raise EngineError.
    """
    if not any((folder / name).exists() for name in (CONFIG, SPECIAL_TOKENS, ADDED_TOKENS)):
        return tokenizer
    config, taken = read_config(folder), tokenizer.vocab.keys()
    declared = {content: token for content, token in _declared(config) if tokenizer.token_id(content) is None}
    ids = {content: None if token["id"] in taken else token["id"] for content, token in declared.items()}
    tokenizer = with_special_tokens(tokenizer, ids)
    if (pipeline := tokenizer.pipeline) is not None:
        flags = {content: {flag: token[flag] for flag in FLAGS} for content, token in declared.items()}
        added = (replace(token, **flags.get(token.content, {})) for token in pipeline.added_tokens)
        tokenizer = tokenizer.changed(pipeline=replace(pipeline, added_tokens=tuple(added)))
    return tokenizer.with_config(config)


def _changed_class(values: Mapping[str, Any], root: Mapping[str, Any]) -> LibraryClass | None:
    """Return the class that a config names, if some of its steps differ from `tokenizer.json` and replace them."""
    name, known = class_named(values, {})
    if known is None or (name == "LlamaTokenizer" and "ByteLevel" in json.dumps(root.get("pre_tokenizer"))):
        return None  # transformers leaves alone what only claims to be Llama's
    steps, place = known.steps(values), Path(FILE)
    try:
        is_changed = any(
            read(JsonValue(place, key, steps[key])) != read(JsonValue(place, key, root.get(key)))
            for key, read in (("normalizer", NORMALIZERS.read), ("pre_tokenizer", PRE_TOKENIZERS.read))
        )
    except EngineError:
        return None  # reading the steps says what is wrong with them
    # This class alone makes the tokens around a text anew, without `add_bos_token`.
    loses_tokens = name == "GPTNeoXTokenizer" and "SpecialToken" in json.dumps(root.get("post_processor"))
    return known if is_changed or loses_tokens else None


# -- what other files say -----------------------------------------------------------------------------------------


def read_config(folder: Path) -> TokenizerConfig:
    """Return what the files of a folder say about its tokenizer, with the class that its model implies.

    Raise FormatError.
    """
    values = dict(_read_object(folder / CONFIG))
    if _DECODER not in values:  # an older folder, whose map counts more
        roles = {key: value for key, value in _read_object(folder / SPECIAL_TOKENS).items() if key != _DECODER}
        if values.get(_ADDITIONAL) and not values.get(_EXTRA):
            roles.pop(_ADDITIONAL, None)
        if isinstance(known := values.get(_EXTRA), list) and isinstance(added := roles.get(_EXTRA), list):
            roles[_EXTRA] = [*known, *(token for token in added if token not in known)]
        values |= roles
    _read_object(folder / ADDED_TOKENS)  # raises
    if _CLASS not in values:
        name, _known = class_named({}, _read_object(folder / _MODEL))
        values[_CLASS] = name or _ANY_CLASS
    templates = sorted(path.name for path in (folder / _TEMPLATES).glob("*.jinja"))
    names = [*_KEPT, *(f"{_TEMPLATES}/{name}" for name in templates[:_MAX_TEMPLATES])]
    return TokenizerConfig(
        values, {name: read_text(folder / name, _MAX_BYTES) for name in names if (folder / name).is_file()}
    )


def _late_tokens(folder: Path, config: TokenizerConfig) -> frozenset[str]:
    """Return the special tokens that `added_tokens.json` adds as ordinary ones, since they are declared after it.

    That is how transformers reads old folders: then only a list of the config counts. Qwen's class adds all again.
    """
    values, in_map = _read_object(folder / CONFIG), _read_object(folder / SPECIAL_TOKENS)
    name, _known = class_named(config.values, {})
    if (values.get(_ADDITIONAL) and not values.get(_EXTRA)) or name == "Qwen2Tokenizer":
        return frozenset()
    late = {content_of(token) for token in _listed(config.values, _ADDITIONAL)}
    early = {content_of(token) for known in (values, in_map) for token in _listed(known, _EXTRA)}
    return frozenset(content for content in late - early if content is not None)


def _listed(values: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list of tokens under a key; an empty one if there is none."""
    return listed if isinstance(listed := values.get(key), list) else []


def _with_declared(
    root: Mapping[str, Any], config: TokenizerConfig, notes: list[EngineError], late: frozenset[str] = frozenset()
) -> list[Any]:
    """Return the added tokens of `tokenizer.json` after transformers has added those that a config declares.

    A token that both have gets the flags of `added_tokens_decoder`, if the config has such a table. Others get the next
    ids, in the order of the ids that the config gives them, then those with a role. A note is added where the config
    gives a token another id than that.
    """
    listed = root.get("added_tokens") or []
    vocab = root["model"].get("vocab")
    if not isinstance(vocab, dict) or not isinstance(listed, list) or not all(map(content_of, listed)):
        return listed  # reading it says what is wrong
    added: dict[str, dict[str, Any]] = {str(content_of(each)): each for each in listed}
    if len(added) < len(listed):
        return listed
    in_file, roles = set(added), set(config.roles.values())
    wanted = dict(_declared(config, late))
    for content, token in wanted.items():
        if content not in added:
            added[content] = token
        elif _DECODER in config.values and token["id"] is not None:
            added[content] = {**token, "id": added[content].get("id")}
        elif content in roles and _DECODER not in config.values:
            added[content] = {**added[content], "special": True}
    for content, token_id in zip(added, assigned_ids(added, vocab), strict=True):
        declared = wanted.get(content, {}).get("id")
        is_listed = content in in_file
        if not is_listed and declared not in {None, token_id}:
            notes.append(
                EngineError(
                    "The files beside the tokenizer say that the token {token!r} has the id {id}. It has the id "
                    "{number}, as in transformers.",
                    token=content,
                    id=declared,
                    number=token_id,
                )
            )
        if not is_listed:
            added[content] = {**added[content], "id": token_id}
    return list(added.values())


def _declared(config: TokenizerConfig, late: frozenset[str] = frozenset()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tokens that a config declares, with their flags and with their ids if it gives them."""
    roles = set(config.roles.values())
    extra = _listed(config.values, _EXTRA) or _listed(config.values, _ADDITIONAL)
    special = roles | set(map(content_of, extra)) - late
    numbered: list[tuple[int, dict[str, Any]]] = []
    if isinstance(listed := config.values.get(_DECODER), dict):
        numbered = [
            (int(key), token)
            for key, token in listed.items()
            if isinstance(key, str) and key.isdecimal() and len(key) < _MAX_DIGITS and isinstance(token, dict)
        ]
    elif isinstance(given := json.loads(config.files.get(ADDED_TOKENS, "{}")), dict):
        numbered = [(i, {"content": name, "special": name in special}) for name, i in given.items() if type(i) is int]
    seen = set[str]()
    for token_id, token in sorted(numbered, key=itemgetter(0)):
        if content := content_of(token):
            seen.add(content)
            yield content, {**_flags(token, special=bool(token.get("special")) or content in roles), "id": token_id}
    for each in [*map(config.values.get, ROLES), *config.roles.values(), *extra]:
        if (content := content_of(each)) and content not in seen:
            seen.add(content)
            yield (
                content,
                {**_flags(each if isinstance(each, dict) else {"content": content}, special=True), "id": None},
            )


def _flags(token: Mapping[str, Any], *, special: bool) -> dict[str, Any]:
    """Return a declared token with all flags, as transformers completes them."""
    flags = {flag: bool(token.get(flag, False)) for flag in ("single_word", "lstrip", "rstrip")}
    normalized = bool(token.get("normalized", not special))
    return {"content": token["content"], **flags, "normalized": normalized, "special": special}


class DifferentId(NamedTuple):
    """A token to which a file gives another id than `tokenizer.json`; None for a token that one of them lacks."""

    file: str
    token: str
    known: int | None
    other: int | None


def different_special_ids(folder: Path) -> list[DifferentId]:
    """Return the special tokens on whose ids the files of a folder disagree. Raise FormatError."""
    known = {token.content: token.id for token in added_tokens_of(tokenizer_json.load(folder / FILE))}
    found: dict[DifferentId, None] = {}
    for name in (CONFIG, SPECIAL_TOKENS):
        for token, declared in _declared(TokenizerConfig(_read_object(folder / name))):
            other = declared["id"]
            if (other is not None and known.get(token) != other) or (other is None and token not in known):
                found[DifferentId(name, token, known.get(token), other)] = None
    return list(found)


def _read_object(path: Path) -> Mapping[str, Any]:
    """Return the object in a file, or an empty one if there is no such file."""
    if not path.exists():
        return {}
    config = parse_json(path, read_text(path, _MAX_BYTES))
    if not isinstance(config, dict):
        raise FormatError("{path} must contain a JSON object.", path=path)
    return config
