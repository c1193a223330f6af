"""The steps that the classes of `transformers` put around a `vocab.json` and a `merges.txt`.

Folders from before `tokenizer.json` leave these to the class that their `tokenizer_config.json` names. This is what the
classes of version 5 do, as parts of the `tokenizer.json` that such a class would save.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bpe_gui.engine.tokenization.config import ROLES, content_of

Json = dict[str, Any]

_Tokens = Mapping[str, list[Any]]
"""Tokens by role, each a list of its name and its id."""

_END: Final = "<|endoftext|>"
_GPT2_ROLES: Final = {"bos_token": _END, "eos_token": _END, "unk_token": _END}
_ROBERTA_ROLES: Final = {
    **{"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "sep_token": "</s>"},
    **{"pad_token": "<pad>", "cls_token": "<s>", "mask_token": "<mask>"},
}
_QWEN2: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_CLIP: Final = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


def _byte_level(*, add_prefix_space: bool = False, use_regex: bool = True) -> Json:
    return {
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": True,
        "use_regex": use_regex,
    }


def _sequence(key: str, *steps: Json) -> Json:
    return {"type": "Sequence", key: list(steps)}


def _split(pattern: Json, behavior: str, *, invert: bool = False) -> Json:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def _qwen2(prefix: bool) -> Json:
    bytes_step = _byte_level(add_prefix_space=prefix, use_regex=False)
    return _sequence("pretokenizers", _split({"Regex": _QWEN2}, "Isolated"), bytes_step)


def _cohere(prefix: bool) -> Json:
    digits = {"type": "Digits", "individual_digits": True}
    return _sequence("pretokenizers", digits, _byte_level(add_prefix_space=prefix))


def _clip(_prefix: bool) -> Json:
    return _sequence("pretokenizers", _split({"Regex": _CLIP}, "Removed", invert=True), _byte_level())


def _metaspace(prefix: bool) -> Json:
    scheme = "first" if prefix else "never"
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": False}


def _roberta(tokens: _Tokens, *, first: str = "cls_token", last: str = "sep_token", trims: bool = True) -> Json:
    around = {"sep": tokens[last], "cls": tokens[first]}
    return {"type": "RobertaProcessing", **around, "trim_offsets": trims, "add_prefix_space": False}


def _clip_around(tokens: _Tokens) -> Json:
    return _roberta(tokens, first="bos_token", last="eos_token", trims=False)


def _deberta(tokens: _Tokens) -> Json:
    first, last = tokens["cls_token"], tokens["sep_token"]
    return template([first, "A", last], [first, "A", last, last, "B", last], (first, last))


def template(single: list[Any], pair: list[Any], tokens: "tuple[list[Any], ...]") -> Json:
    """Return a template of sequences, given as `A` and `B`, and tokens with their ids, all of type 0."""

    def part(each: Any) -> Json:
        kind, name = ("Sequence", each) if isinstance(each, str) else ("SpecialToken", each[0])
        return {kind: {"id": name, "type_id": 0}}

    return {
        "type": "TemplateProcessing",
        "single": list(map(part, single)),
        "pair": list(map(part, pair)),
        "special_tokens": {name: {"id": name, "ids": [number], "tokens": [name]} for name, number in tokens},
    }


@dataclass(frozen=True)
class LibraryClass:
    """A class of `transformers` with a BPE model: its roles and steps, unless a config says otherwise."""

    roles: Mapping[str, str] = field(default_factory=lambda: _GPT2_ROLES)
    normalizer: Json | None = None
    pre_tokenizer: Callable[[bool], Json] = lambda prefix: _byte_level(add_prefix_space=prefix)
    """Makes the pre-tokenizer, given whether a space is put before the text."""
    adds_prefix_space: bool = False
    decoder: Json = field(default_factory=lambda: _byte_level(add_prefix_space=True))
    model: Mapping[str, Any] = field(default_factory=dict)
    has_unknown: bool = False
    """Whether a symbol without an id becomes the unknown token; otherwise it is left out."""
    around: Callable[[_Tokens], Json] | None = None
    """Makes the post-processor of the tokens by role, each with its id."""
    is_around_fixed: bool = True
    """Whether `add_bos_token` and `add_eos_token` change nothing about it."""
    reads_pairs: bool = True
    """Whether the class reads `vocab.json` and `merges.txt`; otherwise it only replaces steps of `tokenizer.json`."""
    flags: Mapping[str, Json] = field(default_factory=dict)
    """Flags of special tokens other than the usual ones, by role."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Keys of a config that are not the usual ones of transformers."""

    @property
    def declared_roles(self) -> Json:
        """The roles as a config declares them: a name, or an object if the token has unusual flags."""
        usual = {"__type": "AddedToken", "normalized": False, "special": True}
        return {
            role: usual | {"content": name} | self.flags[role] if role in self.flags else name
            for role, name in self.roles.items()
        }

    def steps(self, values: Mapping[str, Any]) -> Json:
        """Return the steps and the model's options, as `tokenizer.json` has them, for the keys of a config."""
        given = values.get("add_prefix_space")
        unknown = content_of(values.get("unk_token")) or self.roles.get("unk_token")
        return {
            "normalizer": self.normalizer,
            "pre_tokenizer": self.pre_tokenizer(self.adds_prefix_space if given is None else bool(given)),
            "decoder": self.decoder,
            "model": {"type": "BPE", **self.model, "unk_token": unknown if self.has_unknown else None},
        }

    def post_processor(self, values: Mapping[str, Any], ids: Mapping[str, int]) -> Json | None:
        """Return what puts tokens around a text, for the keys of a config and the ids of all tokens."""
        tokens: dict[str, list[Any]] = {}
        for role in ROLES:
            name = content_of(values.get(role, self.roles.get(role)))
            if name in ids:
                tokens[role] = [name, ids[str(name)]]
        asks = "add_bos_token" in values or "add_eos_token" in values
        if self.around is not None and (self.is_around_fixed or not asks):
            return self.around(tokens)
        first = [tokens[role] for role in ("bos_token",) if values.get("add_bos_token") and role in tokens]
        last = [tokens[role] for role in ("eos_token",) if values.get("add_eos_token") and role in tokens]
        return template([*first, "A", *last], [*first, "A", *last, *first, "B", *last], (*first, *last))


_PADS_LEFT: Final = {"padding_side": "left"}
_WORD_ENDS: Final = {"end_of_word_suffix": "</w>"}
_BERT: Final = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
_ROBERTA: Final = LibraryClass(_ROBERTA_ROLES, around=_roberta)

_CLASSES: Final[Mapping[str, LibraryClass]] = {
    "GPT2Tokenizer": LibraryClass(),
    "CodeGenTokenizer": LibraryClass(
        around=lambda _tokens: {**_byte_level(add_prefix_space=True), "trim_offsets": False},
        is_around_fixed=False,
    ),
    "GPTNeoXTokenizer": LibraryClass({**_GPT2_ROLES, "pad_token": "<|padding|>"}, {"type": "NFC"}),
    "Qwen2Tokenizer": LibraryClass({"eos_token": _END, "unk_token": _END, "pad_token": _END}, {"type": "NFC"}, _qwen2),
    "CohereTokenizer": LibraryClass(
        {
            **{"bos_token": "<BOS_TOKEN>", "eos_token": "<|END_OF_TURN_TOKEN|>", "unk_token": "<UNK>"},
            **{"sep_token": "<SEP>", "pad_token": "<PAD>", "cls_token": "<CLS>", "mask_token": "<MASK_TOKEN>"},
        },
        {"type": "NFC"},
        _cohere,
        options=_PADS_LEFT,
    ),
    **dict.fromkeys(("RobertaTokenizer", "BartTokenizer", "LEDTokenizer", "MvpTokenizer"), _ROBERTA),
    "LongformerTokenizer": _ROBERTA,
    "BlenderbotTokenizer": LibraryClass(_ROBERTA_ROLES, adds_prefix_space=True, flags={"mask_token": {"lstrip": True}}),
    "DebertaTokenizer": LibraryClass(
        {
            **{"bos_token": "[CLS]", "eos_token": "[SEP]", "unk_token": "[UNK]", "sep_token": "[SEP]"},
            **{"pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]"},
        },
        around=_deberta,
    ),
    "CLIPTokenizer": LibraryClass(
        {**_GPT2_ROLES, "bos_token": "<|startoftext|>", "pad_token": _END},
        _sequence(
            "normalizers",
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
        ),
        _clip,
        decoder=_sequence(
            "decoders",
            _byte_level(),
            {"type": "Replace", "pattern": {"String": "</w>"}, "content": " "},
            {"type": "Strip", "content": " ", "start": 0, "stop": 1},
        ),
        model=_WORD_ENDS,
        has_unknown=True,
        around=_clip_around,
    ),
    "OpenAIGPTTokenizer": LibraryClass(
        {"unk_token": "<unk>"},
        {**_BERT, "lowercase": True, "strip_accents": None},
        lambda _prefix: {"type": "BertPreTokenizer"},
        decoder={"type": "BPEDecoder", "suffix": "</w>"},
        model=_WORD_ENDS,
        has_unknown=True,
    ),
    "HerbertTokenizer": LibraryClass(
        {key: name for key, name in _ROBERTA_ROLES.items() if key not in ("bos_token", "eos_token")},
        {**_BERT, "lowercase": False, "strip_accents": False},
        lambda _prefix: {"type": "BertPreTokenizer"},
        decoder={"type": "BPEDecoder", "suffix": "</w>"},
        model=_WORD_ENDS,
        has_unknown=True,
        around=lambda tokens: {"type": "BertProcessing", "sep": tokens["sep_token"], "cls": tokens["cls_token"]},
    ),
    **dict.fromkeys(
        ("LlamaTokenizer", "CodeLlamaTokenizer"),
        LibraryClass({}, pre_tokenizer=_metaspace, adds_prefix_space=True, reads_pairs=False, options=_PADS_LEFT),
    ),
}

_OF_MODELS: Final = {
    **{"gpt2": "GPT2Tokenizer", "gpt_neo": "GPT2Tokenizer", "gptj": "GPT2Tokenizer", "opt": "GPT2Tokenizer"},
    **{"bart": "RobertaTokenizer", "roberta": "RobertaTokenizer", "longformer": "RobertaTokenizer"},
    **{"clip": "CLIPTokenizer", "codegen": "CodeGenTokenizer", "deberta": "DebertaTokenizer", "led": "LEDTokenizer"},
    **{"openai-gpt": "OpenAIGPTTokenizer", "gpt_neox": "GPTNeoXTokenizer", "cohere": "CohereTokenizer"},
    **{"qwen2": "Qwen2Tokenizer", "qwen3": "Qwen2Tokenizer", "mvp": "MvpTokenizer"},
    **{"blenderbot": "BlenderbotTokenizer", "herbert": "HerbertTokenizer"},
}
"""The classes of models whose `config.json` names no class, by their types."""


def class_named(values: Mapping[str, Any], model: Mapping[str, Any]) -> tuple[str | None, LibraryClass | None]:
    """Return the class that a `tokenizer_config.json` and a model's `config.json` name, and what it does if known.

    >>> name, known = class_named({"tokenizer_class": "GPT2TokenizerFast"}, {})
    >>> name, known.roles["eos_token"]
    ('GPT2Tokenizer', '<|endoftext|>')
    >>> class_named({}, {"model_type": "t5"})
    (None, None)
    """
    name = values.get("tokenizer_class") or model.get("tokenizer_class") or _OF_MODELS.get(str(model.get("model_type")))
    if not isinstance(name, str):
        return None, None
    name = name.removesuffix("Fast")
    return name, _CLASSES.get(name)
