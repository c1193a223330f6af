"""What the files beside a model's tokenizer say about it: roles of special tokens, chat templates, and everything else.

No part of this changes an id. It is kept because the model's programs need it: a model whose end token is lost never
stops.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Final

from bpe_gui.engine.runtime.cached import cached_property

ROLES: Final = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""What `transformers` calls the roles that special tokens have."""

_FURTHER_ROLES: Final = ("extra_special_tokens", "model_specific_special_tokens")
"""Keys that may name tokens by roles of the model's own, such as `image_token`."""

CHAT_TEMPLATE: Final = "chat_template"
DEFAULT_TEMPLATE: Final = "default"
_TEMPLATE_FILES: Final = {"chat_template.jinja": DEFAULT_TEMPLATE, "chat_template.json": DEFAULT_TEMPLATE}
_GENERATION: Final = "generation_config.json"
_TEMPLATE_FOLDER: Final = "additional_chat_templates"


@dataclass(frozen=True)
class TokenizerConfig:
    """What a model's files say beside the vocabulary, the merges and the steps. Equal if the files say the same.

    >>> config = TokenizerConfig({"eos_token": {"content": "</s>"}, "padding_side": "left"})
    >>> config.roles
    {'eos_token': '</s>'}
    >>> config.with_changes(pad_token="<pad>").renamed({"</s>": "<end>"}).roles
    {'eos_token': '<end>', 'pad_token': '<pad>'}
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    """The keys of `tokenizer_config.json`, as `transformers` names them."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The other files about the tokenizer, by their names relative to its folder."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.values), dict(self.files))

    def __bool__(self) -> bool:
        """Return whether anything is said."""
        return bool(self.values or self.files)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The special tokens by role, such as `eos_token`, and by the further roles that some models name."""
        named: dict[str, Any] = {role: self.values.get(role) for role in ROLES}
        for key in _FURTHER_ROLES:
            further = self.values.get(key)
            named |= further if isinstance(further, dict) else {}
        return {role: content for role, token in named.items() if (content := content_of(token)) is not None}

    @cached_property
    def chat_templates(self) -> Mapping[str, str]:
        """The chat templates by name; a model's only one is named `default`. Files count more than the key."""
        match self.values.get(CHAT_TEMPLATE):
            case str(template):
                found = {DEFAULT_TEMPLATE: template}
            case [*listed]:
                pairs = [(each.get("name"), each.get("template")) for each in listed if isinstance(each, dict)]
                found = {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}
            case dict(named):
                found = {name: template for name, template in named.items() if isinstance(template, str)}
            case _:
                found = {}
        for name, content in self.files.items():
            path = PurePosixPath(name)
            if name == "chat_template.json":
                found[DEFAULT_TEMPLATE] = _template_in_json(content) or found.get(DEFAULT_TEMPLATE, "")
            elif name in _TEMPLATE_FILES:
                found[DEFAULT_TEMPLATE] = content
            elif path.suffix == ".jinja" and path.parent.name == _TEMPLATE_FOLDER:
                found[path.stem] = content
        return {name: template for name, template in found.items() if template}

    def with_changes(self, /, **values: object) -> "TokenizerConfig":
        """Return the config with some keys changed; None removes a key. A chat template replaces those in files."""
        changed = {key: value for key, value in (dict(self.values) | values).items() if value is not None}
        if CHAT_TEMPLATE not in values:
            return replace(self, values=changed)
        return TokenizerConfig(changed, {name: text for name, text in self.files.items() if not is_template(name)})

    def renamed(self, names: Mapping[str, str]) -> "TokenizerConfig":
        """Return the config after special tokens have got other names, also where chat templates write them."""
        if not names:
            return self
        files = {name: _with_names(text, names) if is_template(name) else text for name, text in self.files.items()}
        return TokenizerConfig({key: _renamed(value, names, key) for key, value in self.values.items()}, files)

    def renumbered(self, ids: Mapping[int, int]) -> "TokenizerConfig":
        """Return the config after tokens have got other ids, which the settings of generating text name.

        >>> config = TokenizerConfig({}, {"generation_config.json": '{"eos_token_id": [7, 9], "top_k": 7}'})
        >>> config.renumbered({7: 1, 8: 2}).files["generation_config.json"]
        '{\\n  "eos_token_id": [\\n    1\\n  ],\\n  "top_k": 7\\n}\\n'
        """
        import json  # rarely needed

        try:
            values = json.loads(self.files.get(_GENERATION, ""))
        except ValueError:
            return self
        for key in [key for key in values if key.endswith("_token_id")] if isinstance(values, dict) else ():
            value = values[key]
            values[key] = [ids[i] for i in value if i in ids] if isinstance(value, list) else ids.get(value)
        return replace(self, files={**self.files, _GENERATION: json.dumps(values, ensure_ascii=False, indent=2) + "\n"})


def is_template(name: str) -> bool:
    """Return whether a file of this name, relative to the folder, is a chat template.

    >>> is_template("chat_template.jinja"), is_template("generation_config.json")
    (True, False)
    """
    return name in _TEMPLATE_FILES or PurePosixPath(name).parent.name == _TEMPLATE_FOLDER


def content_of(token: object) -> str | None:
    """Return the text of a special token as configs write it: a text, or an object with its flags.

    >>> content_of({"content": "</s>", "lstrip": False}), content_of("</s>"), content_of(None)
    ('</s>', '</s>', None)
    """
    content = token.get("content") if isinstance(token, dict) else token
    return content if isinstance(content, str) else None


def _template_in_json(content: str) -> str | None:
    import json  # rarely needed

    try:
        value = json.loads(content)
    except ValueError:
        return None
    template = value.get(CHAT_TEMPLATE) if isinstance(value, dict) else None
    return template if isinstance(template, str) else None


def _renamed(value: object, names: Mapping[str, str], key: str = "") -> object:
    """Return a value of a config with tokens renamed: texts that are a name, and all of a chat template."""
    match value:
        case str() if key in {CHAT_TEMPLATE, "template"}:
            return _with_names(value, names)
        case str():
            return names.get(value, value)
        case [*items]:
            return [_renamed(item, names, key) for item in items]
        case dict(items):
            inner = CHAT_TEMPLATE if key == CHAT_TEMPLATE else ""  # an object of templates by name
            return {name: _renamed(item, names, inner or name) for name, item in items.items()}
    return value


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with all names replaced at once, so that two tokens can swap theirs."""
    import re

    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(pattern, lambda match: names[match[0]], text)
