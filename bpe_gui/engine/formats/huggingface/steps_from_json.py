"""Read the steps around the model in `tokenizer.json` as the steps of a pipeline.

A list of steps may be a Sequence, which may contain further Sequences. A step that is not known is refused by name:
ignoring it might change ids. A key that is not known is ignored, as `tokenizers` does.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from bpe_gui.engine.formats.sentencepiece.character_map import read_precompiled
from bpe_gui.engine.pipeline.decoders import (
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    CTCDecoder,
    Fuse,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
    TokenDecoder,
    WordPieceDecoder,
)
from bpe_gui.engine.pipeline.levels import automaton_of_pattern
from bpe_gui.engine.pipeline.normalizers import (
    BertNormalizer,
    ByteLevelNormalizer,
    Form,
    Lowercase,
    Nmt,
    Normalizer,
    Prepend,
    Replace,
    Strip,
    StripAccents,
    UnicodeForm,
)
from bpe_gui.engine.pipeline.pre_tokenizers import (
    BEHAVIORS,
    BertPreTokenizer,
    ByteLevel,
    Digits,
    FixedLength,
    Metaspace,
    PrependScheme,
    PreTokenizer,
    Punctuation,
    Split,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.splitter_tables import Behavior

_MAX_STEPS: Final = 100
_MAX_PATTERN_LENGTH: Final = 10_000  # characters
_MAX_CONTENT_LENGTH: Final = 100  # characters that are inserted for each match
_MAX_STRIPPED: Final = 1_000_000
_MAX_LENGTH: Final = (1 << 31) - 1  # characters of the words that FixedLength makes
_MAX_ID: Final = (1 << 31) - 1

_logger: Final = logging.getLogger(__name__)

_T = TypeVar("_T")

_FORMS: Final[tuple[Form, ...]] = ("NFC", "NFD", "NFKC", "NFKD")
_SCHEMES: Final[Mapping[str, PrependScheme]] = {"always": "always", "never": "never", "first": "first"}
BEHAVIORS_BY_NAME: Final[Mapping[str, Behavior]] = {
    behavior.title().replace("_", ""): behavior for behavior in BEHAVIORS
}
"""By the name in the file."""


class _StepType(NamedTuple, Generic[_T]):
    """A type of step: its keys beside `type`, and the function that reads it."""

    keys: tuple[str, ...]
    read: Callable[[JsonValue], _T]


def check_keys(value: JsonValue, known: Iterable[str]) -> None:
    """Raise FormatError if an object has an unknown key where `tokenizers` refuses one."""
    for key in value.members():
        if key not in known:
            raise value.error(_("EngineError", "{path}: {place} has the unknown key {key!r}."), key=key)


def log_unknown_keys(value: JsonValue, known: Iterable[str]) -> None:
    """Log the keys of an object that are not known, which `tokenizers` ignores."""
    for key in value.plain_dict().keys() - set(known):
        _logger.info("%s: the key %.40r of %s is unknown and ignored", value.path.name, key, value.location)


# -- lists of steps -----------------------------------------------------------------------------------------------


def _read_steps(value: JsonValue, sequence_key: str, types: Mapping[str, _StepType[_T]]) -> tuple[_T, ...]:
    """Return the steps in `value`: null, a step, or a Sequence with its steps under `sequence_key`."""
    waiting = [] if value.is_null else [value]
    steps: list[_T] = []
    for _count in range(_MAX_STEPS):
        if not waiting:
            return tuple(steps)
        step = waiting.pop()
        name = step.member("type").string()
        if name == "Sequence":
            log_unknown_keys(step, ("type", sequence_key))
            waiting += reversed(step.member(sequence_key).items(_MAX_STEPS))
        elif name in types:
            log_unknown_keys(step, ("type", *types[name].keys))
            steps.append(types[name].read(step))
        else:
            raise step.error(
                _(
                    "EngineError",
                    "{path}: {place} has the type {kind}, which is not supported. Supported types are {kinds}.",
                ),
                kind=name,
                kinds=(*types, "Sequence"),
            )
    raise value.error(_("EngineError", "{path}: {place} has more than {most} steps."), most=_MAX_STEPS)


# -- normalizers --------------------------------------------------------------------------------------------------


def read_normalizers(value: JsonValue) -> tuple[Normalizer, ...]:
    """Return the normalizers of a file. Raise FormatError."""
    return _read_steps(value, "normalizers", _NORMALIZERS)


def _read_replacement(step: JsonValue) -> tuple[str, str, bool]:
    """Return the pattern, its replacement, and whether the pattern is a regular expression."""
    pattern, is_regex = _read_pattern(step.member("pattern"))
    return pattern, _read_short_string(step.member("content"), 0, _MAX_CONTENT_LENGTH), is_regex


def _read_replace(step: JsonValue) -> Replace:
    replace = Replace(*_read_replacement(step))
    if replace.is_regex and any(True for _match in automaton_of_pattern(replace.pattern).matches("")):
        raise step.error(
            _("EngineError", "{path}: {place} replaces empty matches, which `tokenizers` may handle incorrectly.")
        )
    return replace


def _read_pattern(value: JsonValue) -> tuple[str, bool]:
    """Return a pattern, and whether it is a regular expression."""
    check_keys(value, ("String", "Regex"))
    if len(value.members()) != 1:
        raise value.error(_("EngineError", "{path}: {place} must have exactly one key, String or Regex."))
    kind, member = next(iter(value.members().items()))
    pattern = _read_short_string(member, 1, _MAX_PATTERN_LENGTH)
    if kind == "Regex":
        try:
            automaton_of_pattern(pattern)
        except RecipeError as error:
            raise member.error_from(error) from error
    return pattern, kind == "Regex"


def _read_short_string(value: JsonValue, min_length: int, max_length: int) -> str:
    text = value.string()
    if not min_length <= len(text) <= max_length:
        raise value.error(
            _("EngineError", "{path}: {place} has {length:,} characters, but it must have {least:,} to {most:,}."),
            length=len(text),
            least=min_length,
            most=max_length,
        )
    return text


def _read_choice(value: JsonValue, choices: Mapping[str, _T]) -> _T:
    if value.string() not in choices:
        raise value.error(
            _("EngineError", "{path}: {place} cannot be {value!r}. The choices are {choices}."),
            choices=tuple(choices),
        )
    return choices[value.string()]


def _read_optional_boolean(value: JsonValue, default: bool) -> bool:
    return default if value.is_null else value.boolean()


def _read_bert_normalizer(step: JsonValue) -> BertNormalizer:
    cleans, separates, lowers = (
        step.member(name).boolean() for name in ("clean_text", "handle_chinese_chars", "lowercase")
    )
    strips = _read_optional_boolean(step.member("strip_accents"), lowers)
    return BertNormalizer(cleans, separates, strips, lowers)


def _unicode_form(form: Form) -> _StepType[Normalizer]:
    return _StepType((), lambda step: UnicodeForm(form))


_NORMALIZERS: Final[Mapping[str, _StepType[Normalizer]]] = {
    **{form: _unicode_form(form) for form in _FORMS},
    "Lowercase": _StepType((), lambda step: Lowercase()),
    "Replace": _StepType(("pattern", "content"), _read_replace),
    "Prepend": _StepType(
        ("prepend",), lambda step: Prepend(_read_short_string(step.member("prepend"), 1, _MAX_CONTENT_LENGTH))
    ),
    "Strip": _StepType(
        ("strip_left", "strip_right"),
        lambda step: Strip(left=step.member("strip_left").boolean(), right=step.member("strip_right").boolean()),
    ),
    "Precompiled": _StepType(("precompiled_charsmap",), read_precompiled),
    "StripAccents": _StepType((), lambda step: StripAccents()),
    "Nmt": _StepType((), lambda step: Nmt()),
    "ByteLevel": _StepType((), lambda step: ByteLevelNormalizer()),
    "BertNormalizer": _StepType(
        ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), _read_bert_normalizer
    ),
}


# -- pre-tokenizers -----------------------------------------------------------------------------------------------


def read_pre_tokenizers(value: JsonValue) -> tuple[PreTokenizer, ...]:
    """Return the pre-tokenizers of a file. Raise FormatError."""
    return _read_steps(value, "pretokenizers", _PRE_TOKENIZERS)


def _read_byte_level(step: JsonValue) -> ByteLevel:
    step.member("trim_offsets").boolean()
    return ByteLevel(step.member("add_prefix_space").boolean(), _read_optional_boolean(step.member("use_regex"), True))


def _read_split(step: JsonValue) -> Split:
    pattern, is_regex = _read_pattern(step.member("pattern"))
    behavior = _read_choice(step.member("behavior"), BEHAVIORS_BY_NAME)
    return Split(pattern, behavior, step.member("invert").boolean(), is_regex)


def _read_punctuation(step: JsonValue) -> Punctuation:
    behavior = step.member("behavior")
    return Punctuation() if behavior.is_null else Punctuation(_read_choice(behavior, BEHAVIORS_BY_NAME))


def _read_metaspace(step: JsonValue) -> Metaspace:
    replacement = _read_short_string(step.member("replacement"), 1, 1)
    scheme = step.member("prepend_scheme")
    prepend = "always" if scheme.is_null else _read_choice(scheme, _SCHEMES)
    # Older files have these two keys.
    adds_prefix, str_rep = step.member("add_prefix_space"), step.member("str_rep")
    if not adds_prefix.is_null and not adds_prefix.boolean() and prepend != "never":
        raise adds_prefix.error(_("EngineError", "{path}: {place} contradicts prepend_scheme."))
    if not str_rep.is_null and str_rep.string() != replacement:
        raise step.error(_("EngineError", "{path}: {place} must have the same value for str_rep and replacement."))
    return Metaspace(replacement, prepend, _read_optional_boolean(step.member("split"), True))


def _read_delimiter(step: JsonValue) -> Split:
    return Split(_read_short_string(step.member("delimiter"), 1, 1), "removed", is_regex=False)


def _read_fixed_length(step: JsonValue) -> FixedLength:
    length = step.member("length")
    return FixedLength() if length.is_null else FixedLength(length.integer(1, _MAX_LENGTH))


_BYTE_LEVEL_KEYS: Final = ("add_prefix_space", "trim_offsets", "use_regex")
_METASPACE_KEYS: Final = ("replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep")
_PRE_TOKENIZERS: Final[Mapping[str, _StepType[PreTokenizer]]] = {
    "ByteLevel": _StepType(_BYTE_LEVEL_KEYS, _read_byte_level),
    "Split": _StepType(("pattern", "behavior", "invert"), _read_split),
    "Digits": _StepType(("individual_digits",), lambda step: Digits(step.member("individual_digits").boolean())),
    "Punctuation": _StepType(("behavior",), _read_punctuation),
    "Whitespace": _StepType((), lambda step: Whitespace()),
    "WhitespaceSplit": _StepType((), lambda step: WhitespaceSplit()),
    "Metaspace": _StepType(_METASPACE_KEYS, _read_metaspace),
    "BertPreTokenizer": _StepType((), lambda step: BertPreTokenizer()),
    "CharDelimiterSplit": _StepType(("delimiter",), _read_delimiter),
    "FixedLength": _StepType(("length",), _read_fixed_length),
    "UnicodeScripts": _StepType((), lambda step: UnicodeScripts()),
}


# -- decoders -----------------------------------------------------------------------------------------------------


def read_decoders(value: JsonValue) -> tuple[TokenDecoder, ...]:
    """Return the decoders of a file; an empty Sequence joins the tokens. Raise FormatError."""
    return () if value.is_null else _read_steps(value, "decoders", _DECODERS) or (Fuse(),)


def _read_byte_level_decoder(step: JsonValue) -> ByteLevelDecoder:
    _read_byte_level(step)  # the decoder ignores its keys, but `tokenizers` insists on them
    return ByteLevelDecoder()


def _read_metaspace_decoder(step: JsonValue) -> MetaspaceDecoder:
    metaspace = _read_metaspace(step)
    return MetaspaceDecoder(metaspace.replacement, metaspace.prepend_scheme)


def _read_strip_decoder(step: JsonValue) -> StripDecoder:
    start, stop = (step.member(name).integer(0, _MAX_STRIPPED) for name in ("start", "stop"))
    return StripDecoder(_read_short_string(step.member("content"), 1, 1), start, stop)


def _read_word_piece_decoder(step: JsonValue) -> WordPieceDecoder:
    prefix = _read_short_string(step.member("prefix"), 0, _MAX_CONTENT_LENGTH)
    return WordPieceDecoder(prefix, step.member("cleanup").boolean())


def _read_ctc_decoder(step: JsonValue) -> CTCDecoder:
    pad, delimiter = (
        _read_short_string(step.member(name), 0, _MAX_CONTENT_LENGTH) for name in ("pad_token", "word_delimiter_token")
    )
    return CTCDecoder(pad, delimiter, step.member("cleanup").boolean())


_DECODERS: Final[Mapping[str, _StepType[TokenDecoder]]] = {
    "ByteLevel": _StepType(_BYTE_LEVEL_KEYS, _read_byte_level_decoder),
    "Metaspace": _StepType(_METASPACE_KEYS, _read_metaspace_decoder),
    "BPEDecoder": _StepType(
        ("suffix",), lambda step: BPEDecoder(_read_short_string(step.member("suffix"), 0, _MAX_CONTENT_LENGTH))
    ),
    "Replace": _StepType(("pattern", "content"), lambda step: ReplaceDecoder(*_read_replacement(step))),
    "ByteFallback": _StepType((), lambda step: ByteFallback()),
    "Fuse": _StepType((), lambda step: Fuse()),
    "Strip": _StepType(("content", "start", "stop"), _read_strip_decoder),
    "WordPiece": _StepType(("prefix", "cleanup"), _read_word_piece_decoder),
    "CTC": _StepType(("pad_token", "word_delimiter_token", "cleanup"), _read_ctc_decoder),
}


# -- post-processors ----------------------------------------------------------------------------------------------


class BoundaryIds(NamedTuple):
    """The ids that are added before and after a text."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


def read_post_processor(value: JsonValue) -> BoundaryIds:
    """Return the ids that the post-processor of a file adds to a text. Raise FormatError."""
    templates = [ids for ids in _read_steps(value, "processors", _POST_PROCESSORS) if ids is not None]
    if len(templates) > 1:  # `tokenizers` would apply the second one to a pair of texts
        raise value.error(
            _("EngineError", "{path}: {place} has more than one step that adds ids, which is not supported.")
        )
    return templates[0] if templates else BoundaryIds()


def _read_template(step: JsonValue) -> BoundaryIds:
    """Return the ids in the template for a single text; the template for pairs of texts is ignored."""
    step.member("pair").plain_list()
    tokens = step.member("special_tokens").members()
    ids: list[int] = []
    text_index: int | None = None
    for piece in step.member("single").items(_MAX_STEPS):
        check_keys(piece, ("Sequence", "SpecialToken"))
        if not (special := piece.member("SpecialToken")).is_null:
            name = special.member("id").string()
            token_ids = tokens.get(name, special).member("ids").items(_MAX_STEPS)
            ids += [token_id.integer(0, _MAX_ID) for token_id in token_ids]
        elif piece.member("Sequence").member("id").string() != "A" or text_index is not None:
            raise piece.error(
                _("EngineError", "{path}: {place}: the template for a single text must contain that text exactly once.")
            )
        else:
            text_index = len(ids)
    if text_index is None:
        raise step.error(_("EngineError", "{path}: {place}: the template for a single text does not contain the text."))
    return BoundaryIds(tuple(ids[:text_index]), tuple(ids[text_index:]))


def _read_classifier_ids(step: JsonValue) -> BoundaryIds:
    """Return the ids that `BertProcessing` and `RobertaProcessing` put around a text: `cls` before it, `sep` after."""
    for option in (step.member("trim_offsets"), step.member("add_prefix_space")):
        _read_optional_boolean(option, True)  # these only trim offsets
    return BoundaryIds((_read_token_id(step.member("cls")),), (_read_token_id(step.member("sep")),))


def _read_token_id(value: JsonValue) -> int:
    """Return the id in a list of a token and its id."""
    if len(value.plain_list()) != 2:
        raise value.error(_("EngineError", "{path}: {place} must be a list of a token and its id."))
    value.item(0).string()
    return value.item(1).integer(0, _MAX_ID)


def _read_offset_trimmer(step: JsonValue) -> None:
    _read_byte_level(step)  # as a post-processor, ByteLevel only trims offsets


_POST_PROCESSORS: Final[Mapping[str, _StepType[BoundaryIds | None]]] = {
    "ByteLevel": _StepType(_BYTE_LEVEL_KEYS, _read_offset_trimmer),
    "TemplateProcessing": _StepType(("single", "pair", "special_tokens"), _read_template),
    "BertProcessing": _StepType(("sep", "cls"), _read_classifier_ids),
    "RobertaProcessing": _StepType(("sep", "cls", "trim_offsets", "add_prefix_space"), _read_classifier_ids),
}
