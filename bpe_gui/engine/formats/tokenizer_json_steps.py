"""Read and write the steps around the model in `tokenizer.json`.

Each kind of step has a table with a row for each type in files: our class, and its options by their keys. The same row
reads and writes a step. A list of steps may be a Sequence, which may contain further Sequences. An unknown step is
refused by name, since ignoring it might change ids. An unknown key is ignored, as in `tokenizers`.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bpe_gui.engine.pipeline import decoders, normalizers, pre_tokenizers
from bpe_gui.engine.pipeline.decoders import TokenDecoder
from bpe_gui.engine.pipeline.levels import automaton_of_pattern
from bpe_gui.engine.pipeline.normalizers import Normalizer
from bpe_gui.engine.pipeline.particulars import (
    BertProcessing,
    ByteLevelProcessing,
    Padding,
    Particulars,
    Piece,
    PostProcessor,
    RobertaProcessing,
    Template,
    Truncation,
)
from bpe_gui.engine.pipeline.pre_tokenizers import PreTokenizer, equivalent_steps
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.vocabulary.entries import MAX_ID

from .sentencepiece import packed_from_json, packed_to_json

_MAX_STEPS: Final = 100
_MAX_PATTERN_LENGTH: Final = 10_000  # characters
_MAX_CONTENT_LENGTH: Final = 100  # characters that are inserted for each match
_MAX_STRIPPED: Final = 1_000_000
_MAX_UINT: Final = (1 << 32) - 1
_MAX_SIZE: Final = (1 << 64) - 1
_MAX_LENGTH: Final = (1 << 31) - 1  # characters of the words that pre_tokenizers.FixedLength makes

_logger: Final = logging.getLogger(__name__)

_T = TypeVar("_T")
_JsonObject = dict[str, Any]


def check_keys(value: JsonValue, known: Iterable[str]) -> None:
    """Raise FormatError if an object has an unknown key where `tokenizers` refuses one."""
    for key in value.members():
        if key not in known:
            raise FormatError("{path}: {place} has the unknown key {key!r}.", **value.where, key=key)


def log_unknown_keys(value: JsonValue, known: Iterable[str]) -> None:
    """Log the unknown keys of an object, which `tokenizers` ignores."""
    for key in value.plain_dict().keys() - set(known):
        _logger.info("%s: the key %.40r of %s is unknown and ignored", value.path.name, key, value.location)


# -- options of steps -------------------------------------------------------------------------------------------------


class _Option(NamedTuple):
    """A key of a step in a file, and the attributes of the class that its value sets: usually one."""

    key: str
    attributes: tuple[str, ...]
    read: Callable[[JsonValue], Any]
    """Returns the value of the attribute, or a tuple of the values of several."""
    write: Callable[..., Any] = lambda value: value
    """Takes the attributes."""
    default: Any = None
    """The value for a key that is missing or null; None if the key is required."""

    def attributes_in(self, step: JsonValue) -> dict[str, Any]:
        value = step.member(self.key)
        read = self.default if value.is_null and self.default is not None else self.read(value)
        return dict(zip(self.attributes, read if len(self.attributes) > 1 else (read,), strict=False))


def _boolean(key: str, attribute: str, default: bool | None = None) -> _Option:
    return _Option(key, (attribute,), JsonValue.boolean, default=default)


def _true_in_file(key: str, default: bool | None = None) -> _Option:
    """Return an option that has no effect here, but that `tokenizers` requires."""
    return _Option(key, (), JsonValue.boolean, lambda: True, default)


def _integer(key: str, attribute: str, low: int, high: int, default: int | None = None) -> _Option:
    return _Option(key, (attribute,), lambda value: value.integer(low, high), default=default)


def _string(key: str, attribute: str, min_length: int, max_length: int = _MAX_CONTENT_LENGTH) -> _Option:
    return _Option(key, (attribute,), lambda value: _read_short_string(value, min_length, max_length))


def _choice(key: str, attribute: str, names: Mapping[Any, str], default: str | None = None) -> _Option:
    """Return an option whose choices have these names in files."""

    def read(value: JsonValue) -> Any:
        for choice, name in names.items():
            if name == value.string():
                return choice
        raise FormatError(
            "{path}: {place} cannot be {value!r}. The choices are {choices}.",
            **value.where,
            choices=tuple(names.values()),
        )

    return _Option(key, (attribute,), read, names.__getitem__, default)


def _read_short_string(value: JsonValue, min_length: int, max_length: int) -> str:
    text = value.string()
    if not min_length <= len(text) <= max_length:
        raise FormatError(
            "{path}: {place} has {length:,} characters, but it must have {least:,} to {most:,}.",
            **value.where,
            length=len(text),
            least=min_length,
            most=max_length,
        )
    return text


def _read_pattern(value: JsonValue) -> tuple[str, bool]:
    """Return a pattern, and whether it is a regular expression."""
    check_keys(value, ("String", "Regex"))
    if len(value.members()) != 1:
        raise FormatError("{path}: {place} must have exactly one key, String or Regex.", **value.where)
    kind, member = next(iter(value.members().items()))
    pattern = _read_short_string(member, 1, _MAX_PATTERN_LENGTH)
    if kind == "Regex":
        member.converted(automaton_of_pattern)  # raises
    return pattern, kind == "Regex"


_PATTERN: Final = _Option(
    "pattern", ("pattern", "is_regex"), _read_pattern, lambda text, is_regex: {"Regex" if is_regex else "String": text}
)
_CONTENT: Final = _string("content", "content", 0)
_BEHAVIORS: Final = {behavior: behavior.title().replace("_", "") for behavior in pre_tokenizers.BEHAVIORS}
_SCHEMES: Final = {scheme: scheme for scheme in ("always", "never", "first")}
_REPLACEMENT_AND_SCHEME: Final = (
    _string("replacement", "replacement", 1, 1),
    _choice("prepend_scheme", "prepend_scheme", _SCHEMES, "always"),
)


# -- types of steps ---------------------------------------------------------------------------------------------------


class _StepType(Generic[_T]):
    """A type of step in files: our class, and its options in the order in which they are written.

    All steps of this type have the attributes `fixed`. `finish` gets the value that was read and the step, and returns
    the step, checked or completed from `other_keys`.
    """

    def __init__(
        self,
        kind: Callable[..., _T],
        *options: _Option,
        fixed: Mapping[str, Any] | None = None,
        other_keys: Iterable[str] = (),
        finish: Callable[[JsonValue, Any], _T] = lambda _value, step: step,
    ) -> None:
        self._kind = kind
        self._options = options
        self._fixed = fixed or {}
        self._finish = finish
        self.keys = ("type", *(option.key for option in options), *other_keys)

    def read(self, value: JsonValue) -> _T:
        """Return the step in a file."""
        attributes = dict(self._fixed)
        for option in self._options:
            attributes |= option.attributes_in(value)
        return self._finish(value, self._kind(**attributes))

    def has(self, step: object) -> bool:
        """Return whether a step is of this type."""
        return type(step) is self._kind and all(getattr(step, name) == each for name, each in self._fixed.items())

    def to_json(self, step: object) -> _JsonObject:
        """Return the step as written in a file, without its type."""
        return {
            option.key: option.write(*(getattr(step, name) for name in option.attributes)) for option in self._options
        }


class _Steps(Generic[_T]):
    """A kind of step: the types in files by name, and the key of the list in a Sequence."""

    def __init__(self, sequence_key: str, types: Mapping[str, _StepType[_T]]) -> None:
        self._sequence_key = sequence_key
        self._types = types

    def read(self, value: JsonValue) -> tuple[_T, ...]:
        """Return the steps in `value`: null, a step, or a Sequence. Raise FormatError."""
        waiting = [] if value.is_null else [value]
        steps: list[_T] = []
        for _count in range(_MAX_STEPS):
            if not waiting:
                return tuple(steps)
            step = waiting.pop()
            name = step.member("type").string()
            if name == "Sequence":
                log_unknown_keys(step, ("type", self._sequence_key))
                waiting += reversed(step.member(self._sequence_key).items(_MAX_STEPS))
            elif name in self._types:
                log_unknown_keys(step, self._types[name].keys)
                steps.append(self._types[name].read(step))
            else:
                raise FormatError(
                    "{path}: {place} has the type {kind}, which is not supported. Supported types are {kinds}.",
                    **step.where,
                    kind=name,
                    kinds=(*self._types, "Sequence"),
                )
        raise FormatError("{path}: {place} has more than {most} steps.", **value.where, most=_MAX_STEPS)

    def to_json(
        self,
        steps: Iterable[object],
        complete: Callable[[object, _JsonObject], _JsonObject] = lambda _step, written: written,
    ) -> _JsonObject | None:
        """Return null, a single step, or a Sequence. Raise FormatError for a step that `tokenizers` does not have.

        `complete` adds to what is written of a step.
        """
        written: list[_JsonObject] = []
        for step in steps:
            alike = equivalent_steps(step.splitter) if isinstance(step, pre_tokenizers.RecipeSplit) else (step,)
            written += (complete(each, self._step_to_json(each)) for each in alike)
        if len(written) > 1:
            return {"type": "Sequence", self._sequence_key: written}
        return written[0] if written else None

    def _step_to_json(self, step: object) -> _JsonObject:
        for name, known in self._types.items():
            if known.has(step):
                return {"type": name, **known.to_json(step)}
        raise FormatError("tokenizer.json cannot represent a step of the type {kind}.", kind=type(step).__name__)


def _check_replaces_no_empty_match(value: JsonValue, step: normalizers.Replace) -> normalizers.Replace:
    if step.is_regex and any(True for _match in automaton_of_pattern(step.pattern).matches("")):
        raise FormatError(
            "{path}: {place} replaces empty matches, which `tokenizers` may handle incorrectly.", **value.where
        )
    return step


def _strip_accents_if_lowered(value: JsonValue, step: normalizers.BertNormalizer) -> normalizers.BertNormalizer:
    return replace(step, strips_accents=step.lowers) if value.member("strip_accents").is_null else step


_Metaspace = TypeVar("_Metaspace", pre_tokenizers.Metaspace, decoders.MetaspaceDecoder)
_OLD_METASPACE_KEYS: Final = ("add_prefix_space", "str_rep")


def _check_old_metaspace(value: JsonValue, step: _Metaspace) -> _Metaspace:
    """Raise FormatError if the two keys of older files say something else."""
    adds_prefix, str_rep = map(value.member, _OLD_METASPACE_KEYS)
    if not adds_prefix.is_null and not adds_prefix.boolean() and step.prepend_scheme != "never":
        raise FormatError("{path}: {place} contradicts prepend_scheme.", **adds_prefix.where)
    if not str_rep.is_null and str_rep.string() != step.replacement:
        raise FormatError("{path}: {place} must have the same value for str_rep and replacement.", **value.where)
    return step


NORMALIZERS: Final = _Steps[Normalizer](
    "normalizers",
    {
        **{form: _StepType(normalizers.UnicodeForm, fixed={"form": form}) for form in ("NFC", "NFD", "NFKC", "NFKD")},
        "Lowercase": _StepType(normalizers.Lowercase),
        "Replace": _StepType(normalizers.Replace, _PATTERN, _CONTENT, finish=_check_replaces_no_empty_match),
        "Prepend": _StepType(normalizers.Prepend, _string("prepend", "prefix", 1)),
        "Strip": _StepType(normalizers.Strip, _boolean("strip_left", "left"), _boolean("strip_right", "right")),
        "Precompiled": _StepType(
            Precompiled,
            _Option(
                "precompiled_charsmap",
                ("character_map", "packed"),
                packed_from_json,
                lambda _map, packed: packed_to_json(packed),
            ),
        ),
        "StripAccents": _StepType(normalizers.StripAccents),
        "Nmt": _StepType(normalizers.Nmt),
        "ByteLevel": _StepType(normalizers.ByteLevelNormalizer),
        "BertNormalizer": _StepType(
            normalizers.BertNormalizer,
            _boolean("clean_text", "cleans_text"),
            _boolean("handle_chinese_chars", "separates_ideographs"),
            _boolean("strip_accents", "strips_accents", False),
            _boolean("lowercase", "lowers"),
            finish=_strip_accents_if_lowered,
        ),
    },
)

_NO_BYTE_LEVEL_OPTIONS: Final = (
    _true_in_file("add_prefix_space"),
    _true_in_file("trim_offsets"),
    _true_in_file("use_regex", True),
)

PRE_TOKENIZERS: Final = _Steps[PreTokenizer](
    "pretokenizers",
    {
        "ByteLevel": _StepType(
            pre_tokenizers.ByteLevel,
            _boolean("add_prefix_space", "add_prefix_space"),
            _true_in_file("trim_offsets"),
            _boolean("use_regex", "use_regex", True),
        ),
        "Split": _StepType(
            pre_tokenizers.Split, _PATTERN, _choice("behavior", "behavior", _BEHAVIORS), _boolean("invert", "invert")
        ),
        "Digits": _StepType(pre_tokenizers.Digits, _boolean("individual_digits", "individual")),
        "Punctuation": _StepType(pre_tokenizers.Punctuation, _choice("behavior", "behavior", _BEHAVIORS, "isolated")),
        "Whitespace": _StepType(pre_tokenizers.Whitespace),
        "WhitespaceSplit": _StepType(pre_tokenizers.WhitespaceSplit),
        "Metaspace": _StepType(
            pre_tokenizers.Metaspace,
            *_REPLACEMENT_AND_SCHEME,
            _boolean("split", "splits", True),
            other_keys=_OLD_METASPACE_KEYS,
            finish=_check_old_metaspace,
        ),
        "BertPreTokenizer": _StepType(pre_tokenizers.BertPreTokenizer),
        "CharDelimiterSplit": _StepType(
            pre_tokenizers.Split,
            _string("delimiter", "pattern", 1, 1),
            fixed={"behavior": "removed", "is_regex": False},
        ),
        "FixedLength": _StepType(pre_tokenizers.FixedLength, _integer("length", "length", 1, _MAX_LENGTH, 5)),
        "UnicodeScripts": _StepType(pre_tokenizers.UnicodeScripts),
    },
)

DECODERS: Final = _Steps[TokenDecoder](
    "decoders",
    {
        "ByteLevel": _StepType(decoders.ByteLevelDecoder, *_NO_BYTE_LEVEL_OPTIONS),
        "Metaspace": _StepType(
            decoders.MetaspaceDecoder,
            *_REPLACEMENT_AND_SCHEME,
            _true_in_file("split", True),
            other_keys=_OLD_METASPACE_KEYS,
            finish=_check_old_metaspace,
        ),
        "BPEDecoder": _StepType(decoders.BPEDecoder, _string("suffix", "suffix", 0)),
        "Replace": _StepType(decoders.ReplaceDecoder, _PATTERN, _CONTENT),
        "ByteFallback": _StepType(decoders.ByteFallback),
        "Fuse": _StepType(decoders.Fuse),
        "Strip": _StepType(
            decoders.StripDecoder,
            _string("content", "content", 1, 1),
            _integer("start", "start", 0, _MAX_STRIPPED),
            _integer("stop", "stop", 0, _MAX_STRIPPED),
        ),
        "WordPiece": _StepType(
            decoders.WordPieceDecoder, _string("prefix", "prefix", 0), _boolean("cleanup", "cleans_up")
        ),
        "CTC": _StepType(
            decoders.CTCDecoder,
            _string("pad_token", "pad_token", 0),
            _string("word_delimiter_token", "word_delimiter", 0),
            _boolean("cleanup", "cleans_up"),
        ),
    },
)


def read_decoders(value: JsonValue) -> tuple[TokenDecoder, ...]:
    """Return the decoders of a file; an empty Sequence joins the tokens. Raise FormatError."""
    return () if value.is_null else DECODERS.read(value) or (decoders.Fuse(),)


# -- post-processors --------------------------------------------------------------------------------------------------


_TEXT: Final = _choice("id", "content", {"A": "A", "B": "B"})


def _read_template(step: JsonValue, _empty: Template) -> Template:
    """Return the templates for a single text and for pairs."""
    single, pair = (_read_pieces(step, step.member(key)) for key in ("single", "pair"))
    texts = [index for index, piece in enumerate(single) if isinstance(piece.content, str)]
    if not texts:
        raise FormatError("{path}: {place}: the template for a single text does not contain the text.", **step.where)
    if len(texts) > 1 or single[texts[0]].content != "A":
        raise FormatError(
            "{path}: {place}: the template for a single text must contain that text exactly once.",
            **step.member("single").item(texts[-1]).where,
        )
    return Template(single, pair)


def _read_pieces(step: JsonValue, listed: JsonValue) -> tuple[Piece, ...]:
    tokens = step.member("special_tokens").members()
    pieces: list[Piece] = []
    for piece in listed.items(_MAX_STEPS):
        check_keys(piece, ("Sequence", "SpecialToken"))
        if (special := piece.member("SpecialToken")).is_null:
            text = piece.member("Sequence")
            pieces.append(Piece(_TEXT.read(text.member("id")), text.member("type_id").integer(0, _MAX_UINT)))
            continue
        type_id = special.member("type_id").integer(0, _MAX_UINT)
        token_ids = tokens.get(special.member("id").string(), special).member("ids").items(_MAX_STEPS)
        pieces.append(Piece(tuple(token_id.integer(0, MAX_ID) for token_id in token_ids), type_id))
    return tuple(pieces)


def _read_token_id(value: JsonValue) -> int:
    """Return the id in a list of a token and its id."""
    if len(value.plain_list()) != 2:
        raise FormatError("{path}: {place} must be a list of a token and its id.", **value.where)
    value.item(0).string()
    return value.item(1).integer(0, MAX_ID)


_TOKENS_AROUND: Final = (_Option("sep", ("sep",), _read_token_id), _Option("cls", ("cls",), _read_token_id))

_POST_PROCESSORS: Final = _Steps[PostProcessor](
    "processors",
    {
        "ByteLevel": _StepType(
            ByteLevelProcessing,
            _boolean("add_prefix_space", "add_prefix_space"),
            _boolean("trim_offsets", "trim_offsets"),
            _boolean("use_regex", "use_regex", True),
        ),
        "TemplateProcessing": _StepType(
            Template, other_keys=("single", "pair", "special_tokens"), finish=_read_template
        ),
        "BertProcessing": _StepType(BertProcessing, *_TOKENS_AROUND),
        "RobertaProcessing": _StepType(
            RobertaProcessing,
            *_TOKENS_AROUND,
            _boolean("trim_offsets", "trim_offsets", True),
            _boolean("add_prefix_space", "add_prefix_space", True),
        ),
    },
)


def read_post_processors(value: JsonValue) -> tuple[PostProcessor, ...]:
    """Return the post-processors of a file. Raise FormatError."""
    steps = _POST_PROCESSORS.read(value)
    if sum(isinstance(step, Template | BertProcessing) for step in steps) > 1:  # the second one would get a pair
        raise FormatError(
            "{path}: {place} has more than one step that adds ids, which is not supported.", **value.where
        )
    return steps


def post_processors_to_json(steps: Iterable[PostProcessor], names: Mapping[int, str]) -> _JsonObject | None:
    """Return post-processors as a file has them. `names` are the tokens as spelled there, by id."""

    def with_names(step: object, written: _JsonObject) -> _JsonObject:
        if isinstance(step, Template):
            groups = {piece.ids: [names[i] for i in piece.ids] for piece in (*step.single, *step.pair) if piece.ids}
            tokens = {
                " ".join(each): {"id": " ".join(each), "ids": [*ids], "tokens": each} for ids, each in groups.items()
            }
            return written | {
                "single": [_piece_to_json(piece, names) for piece in step.single],
                "pair": [_piece_to_json(piece, names) for piece in step.pair],
                "special_tokens": dict(sorted(tokens.items())),
            }
        return written | {key: [names[written[key]], written[key]] for key in ("sep", "cls") if key in written}

    return _POST_PROCESSORS.to_json(steps, with_names)


def _piece_to_json(piece: Piece, names: Mapping[int, str]) -> _JsonObject:
    if isinstance(piece.content, str):
        return {"Sequence": {"id": piece.content, "type_id": piece.type_id}}
    return {"SpecialToken": {"id": " ".join(map(names.__getitem__, piece.ids)), "type_id": piece.type_id}}


# -- settings ---------------------------------------------------------------------------------------------------------

_DIRECTION: Final = _choice("direction", "direction", {side: side for side in ("Left", "Right")}, "Right")


def _read_fixed_length(value: JsonValue) -> int | None:
    return None if value.value == "BatchLongest" else value.member("Fixed").integer(0, _MAX_SIZE)


_TRUNCATION: Final = _StepType(
    Truncation,
    _DIRECTION,
    _integer("max_length", "max_length", 0, _MAX_SIZE),
    _choice("strategy", "strategy", {each: each for each in ("LongestFirst", "OnlyFirst", "OnlySecond")}),
    _integer("stride", "stride", 0, _MAX_SIZE),
)

_PADDING: Final = _StepType(
    Padding,
    _Option(
        "strategy",
        ("fixed_length",),
        _read_fixed_length,
        lambda length: "BatchLongest" if length is None else {"Fixed": length},
    ),
    _DIRECTION,
    _Option("pad_to_multiple_of", ("multiple_of",), lambda value: value.optional(lambda n: n.integer(0, _MAX_SIZE))),
    _integer("pad_id", "pad_id", 0, _MAX_UINT),
    _integer("pad_type_id", "pad_type_id", 0, _MAX_UINT),
    _string("pad_token", "pad_token", 0, _MAX_PATTERN_LENGTH),
)


def read_particulars(root: JsonValue) -> Particulars:
    """Return all that a file says besides ids, except for where its tokens are. Raise FormatError."""
    return Particulars(
        post_processors=read_post_processors(root.member("post_processor")),
        truncation=root.member("truncation").optional(_TRUNCATION.read),
        padding=root.member("padding").optional(_PADDING.read),
    )


def settings_to_json(particulars: Particulars) -> _JsonObject:
    """Return the truncation and the padding as a file has them."""
    truncation, padding = particulars.truncation, particulars.padding
    return {
        "truncation": truncation and _TRUNCATION.to_json(truncation),
        "padding": padding and _PADDING.to_json(padding),
    }
