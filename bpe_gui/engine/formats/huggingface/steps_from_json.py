"""The steps in `tokenizer.json` around the merges: from JSON to a pipeline's, and back.

A list of steps may be a Sequence, also inside another. What is not known here, a step as well as a key of one, is
refused by name: left out, it might change ids.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from bpe_gui.engine.runtime.errors import FormatError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.bounded_json import Part
from bpe_gui.engine.pipeline import Normalizer, PreTokenizer, TokenDecoder
from bpe_gui.engine.pipeline.decoders import (
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    Fuse,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
)
from bpe_gui.engine.pipeline.normalizers import Form, Lowercase, Prepend, Replace, Strip, UnicodeForm
from bpe_gui.engine.pipeline.pre_tokenizers import (
    ByteLevel,
    Digits,
    Metaspace,
    Punctuation,
    Scheme,
    Split,
    Whitespace,
    WhitespaceSplit,
)
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.pattern_search import BEHAVIORS, Behavior, compiled
from bpe_gui.engine.pipeline.splitter_equivalents import split_of
from bpe_gui.engine.formats.sentencepiece.character_map import precompiled_json, precompiled_of
from bpe_gui.engine.formats.ranks import Words

_MOST_STEPS: Final = 100
_LONGEST_PATTERN: Final = 10_000  # characters
_LONGEST_CONTENT: Final = 100  # characters that are put in wherever something is found
_MOST_STRIPPED: Final = 1_000_000

_Step = TypeVar("_Step")
_Json = dict[str, Any]

_FORMS: Final[tuple[Form, ...]] = ("NFC", "NFD", "NFKC", "NFKD")
_SCHEMES: Final[tuple[Scheme, ...]] = ("always", "never", "first")
_BEHAVIORS: Final[Mapping[str, Behavior]] = {behavior.title().replace("_", ""): behavior for behavior in BEHAVIORS}
"""By what they are called in the file."""


def check_keys(part: Part, known: Iterable[str]) -> None:
    """Raise FormatError for a key that is not known here: it might change ids."""
    for key in part.members():
        if key not in known:
            raise part.wrong(
                _("EngineError", "{path}: {place} has the key {key!r}, which is not known here and might change ids."),
                key=key,
            )


# -- normalizers --------------------------------------------------------------------------------------------------


def normalizers_of(part: Part) -> tuple[Normalizer, ...]:
    """The normalizers in a file. Raises FormatError."""
    return _steps(part, "normalizers", _NORMALIZERS)


def _replaced(part: Part) -> tuple[str, str, bool]:
    """What is replaced, by what, and whether that is a regular expression."""
    pattern, is_regex = _pattern(part.member("pattern"))
    return pattern, _short(part.member("content"), 0, _LONGEST_CONTENT), is_regex


def _replace(part: Part) -> Replace:
    step = Replace(*_replaced(part))
    if step.is_regex and compiled(step.pattern).search(""):
        raise part.wrong(
            _(
                "EngineError",
                "{path}: {place} replaces where nothing stands, which `tokenizers` may garble.",
            )
        )
    return step


def _pattern(part: Part) -> tuple[str, bool]:
    """What is searched for, and whether it is a regular expression."""
    check_keys(part, ("String", "Regex"))
    if len(part.members()) != 1:
        raise part.wrong(_("EngineError", "{path}: {place} must have one key, String or Regex."))
    kind, value = next(iter(part.members().items()))
    pattern = _short(value, 1, _LONGEST_PATTERN)
    if kind == "Regex":
        try:
            compiled(pattern)
        except RecipeError as error:
            raise value.because(error) from error
    return pattern, kind == "Regex"


def _short(part: Part, least: int, most: int) -> str:
    """A text with so many characters. Raises FormatError."""
    text = part.text()
    if not least <= len(text) <= most:
        raise part.wrong(
            _("EngineError", "{path}: {place} has {length:,} characters; there may be {least:,} to {most:,}."),
            length=len(text),
            least=least,
            most=most,
        )
    return text


def _choice(part: Part, choices: Mapping[str, _Step]) -> _Step:
    if part.text() not in choices:
        raise part.wrong(
            _("EngineError", "{path}: {place} is {value!r}; it must be one of {choices}."), choices=", ".join(choices)
        )
    return choices[part.text()]


def _form(form: Form) -> tuple[tuple[str, ...], Callable[[Part], Normalizer]]:
    return (), lambda part: UnicodeForm(form)


_NORMALIZERS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Part], Normalizer]]]] = {
    **{form: _form(form) for form in _FORMS},
    "Lowercase": ((), lambda part: Lowercase()),
    "Replace": (("pattern", "content"), _replace),
    "Prepend": (("prepend",), lambda part: Prepend(_short(part.member("prepend"), 1, _LONGEST_CONTENT))),
    "Strip": (
        ("strip_left", "strip_right"),
        lambda part: Strip(left=part.member("strip_left").truth(), right=part.member("strip_right").truth()),
    ),
    "Precompiled": (("precompiled_charsmap",), precompiled_of),
}
"""By type: the keys, and what reads them."""


# -- pre-tokenizers -----------------------------------------------------------------------------------------------


def pre_tokenizers_of(part: Part) -> tuple[PreTokenizer, ...]:
    """The pre-tokenizers in a file. Raises FormatError."""
    return _steps(part, "pretokenizers", _PRE_TOKENIZERS)


def _byte_level(part: Part) -> ByteLevel:
    part.member("trim_offsets").truth()
    return ByteLevel(part.member("add_prefix_space").truth(), _truth_or(part.member("use_regex"), True))


def _truth_or(part: Part, default: bool) -> bool:
    """True or false, or the default for what is not there."""
    return default if part.is_null else part.truth()


def _split(part: Part) -> Split:
    pattern, is_regex = _pattern(part.member("pattern"))
    behavior = _choice(part.member("behavior"), _BEHAVIORS)
    return Split(pattern, behavior, part.member("invert").truth(), is_regex)


def _punctuation(part: Part) -> Punctuation:
    behavior = part.member("behavior")
    return Punctuation() if behavior.is_null else Punctuation(_choice(behavior, _BEHAVIORS))


_METASPACE: Final = ("replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep")


def _metaspace(part: Part) -> Metaspace:
    replacement = _short(part.member("replacement"), 1, 1)
    scheme = part.member("prepend_scheme")
    prepend = "always" if scheme.is_null else _choice(scheme, {name: name for name in _SCHEMES})
    # The two keys of older files.
    adds = part.member("add_prefix_space")
    if not adds.is_null and not adds.truth() and prepend != "never":
        raise adds.wrong(_("EngineError", "{path}: {place} does not fit prepend_scheme, which says otherwise."))
    if not part.member("str_rep").is_null and part.member("str_rep").text() != replacement:
        raise part.wrong(_("EngineError", "{path}: {place} has a str_rep that is not its replacement."))
    return Metaspace(replacement, prepend, _truth_or(part.member("split"), True))


_BYTE_LEVEL: Final = ("add_prefix_space", "trim_offsets", "use_regex")
_PRE_TOKENIZERS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Part], PreTokenizer]]]] = {
    "ByteLevel": (_BYTE_LEVEL, _byte_level),
    "Split": (("pattern", "behavior", "invert"), _split),
    "Digits": (("individual_digits",), lambda part: Digits(part.member("individual_digits").truth())),
    "Punctuation": (("behavior",), _punctuation),
    "Whitespace": ((), lambda part: Whitespace()),
    "WhitespaceSplit": ((), lambda part: WhitespaceSplit()),
    "Metaspace": (_METASPACE, _metaspace),
}


# -- decoders -----------------------------------------------------------------------------------------------------


def decoders_of(part: Part) -> tuple[TokenDecoder, ...]:
    """The decoders in a file; a list without any puts tokens together. Raises FormatError."""
    return () if part.is_null else _steps(part, "decoders", _DECODERS) or (Fuse(),)


def _byte_level_decoder(part: Part) -> ByteLevelDecoder:
    _byte_level(part)  # what it says is for other steps of that name, but has to be there
    return ByteLevelDecoder()


def _metaspace_decoder(part: Part) -> MetaspaceDecoder:
    step = _metaspace(part)
    return MetaspaceDecoder(step.replacement, step.prepend_scheme)


def _strip_decoder(part: Part) -> StripDecoder:
    start, stop = (part.member(name).whole(0, _MOST_STRIPPED) for name in ("start", "stop"))
    return StripDecoder(_short(part.member("content"), 1, 1), start, stop)


_DECODERS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Part], TokenDecoder]]]] = {
    "ByteLevel": (_BYTE_LEVEL, _byte_level_decoder),
    "Metaspace": (_METASPACE, _metaspace_decoder),
    "BPEDecoder": (("suffix",), lambda part: BPEDecoder(_short(part.member("suffix"), 0, _LONGEST_CONTENT))),
    "Replace": (("pattern", "content"), lambda part: ReplaceDecoder(*_replaced(part))),
    "ByteFallback": ((), lambda part: ByteFallback()),
    "Fuse": ((), lambda part: Fuse()),
    "Strip": (("content", "start", "stop"), _strip_decoder),
}


# -- post-processors ----------------------------------------------------------------------------------------------


def around_of(part: Part) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that are put before and after a text. Raises FormatError."""
    templates = [around for around in _steps(part, "processors", _POST_PROCESSORS) if around is not None]
    if len(templates) > 1:  # to the library, the second sees a pair of texts
        raise part.wrong(_("EngineError", "{path}: {place} has more than one TemplateProcessing, which cannot be had."))
    return templates[0] if templates else ((), ())


_Around = tuple[tuple[int, ...], tuple[int, ...]]


def _template(part: Part) -> _Around:
    """What the template for a single text says; that for pairs of texts is not looked at."""
    part.member("pair").list()
    tokens = part.member("special_tokens").members()
    ids: list[int] = []
    text_at: int | None = None
    for piece in part.member("single").items(_MOST_STEPS):
        check_keys(piece, ("Sequence", "SpecialToken"))
        if not (special := piece.member("SpecialToken")).is_null:
            name = special.member("id").text()
            listed = tokens.get(name, special).member("ids").items(_MOST_STEPS)
            ids += [token_id.whole(0, (1 << 31) - 1) for token_id in listed]
        elif piece.member("Sequence").member("id").text() != "A" or text_at is not None:
            raise piece.wrong(_("EngineError", "{path}: {place}: the template for a single text must have it once."))
        else:
            text_at = len(ids)
    if text_at is None:
        raise part.wrong(_("EngineError", "{path}: {place}: the template for a single text does not have the text."))
    return tuple(ids[:text_at]), tuple(ids[text_at:])


def _no_template(part: Part) -> None:
    _byte_level(part)  # it trims offsets


_POST_PROCESSORS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Part], _Around | None]]]] = {
    "ByteLevel": (_BYTE_LEVEL, _no_template),
    "TemplateProcessing": (("single", "pair", "special_tokens"), _template),
}


# -- lists of steps -----------------------------------------------------------------------------------------------


def _steps(
    part: Part, key: str, known: Mapping[str, tuple[tuple[str, ...], Callable[[Part], _Step]]]
) -> tuple[_Step, ...]:
    """The steps in a file, of which each may be a Sequence, with `key` for what is in it."""
    waiting = [] if part.is_null else [part]
    steps: list[_Step] = []
    for _count in range(_MOST_STEPS):
        if not waiting:
            return tuple(steps)
        current = waiting.pop()
        kind = current.member("type").text()
        if kind == "Sequence":
            check_keys(current, ("type", key))
            waiting += reversed(current.member(key).items(_MOST_STEPS))
        elif kind in known:
            keys, read = known[kind]
            check_keys(current, ("type", *keys))
            steps.append(read(current))
        else:
            raise current.wrong(
                _("EngineError", "{path}: {place} is of the type {kind}, which cannot be had here; there is {kinds}."),
                kind=kind,
                kinds=", ".join([*known, "Sequence"]),
            )
    raise part.wrong(_("EngineError", "{path}: {place} has more than {most} steps."), most=_MOST_STEPS)


# -- writing ------------------------------------------------------------------------------------------------------


def steps_json(steps: Sequence[Normalizer] | Sequence[PreTokenizer] | Sequence[TokenDecoder], key: str) -> _Json | None:
    """The steps as the file has them: null, the only one, or a Sequence with `key`. Raises FormatError."""
    written = [
        _step_json(each) for step in steps for each in (split_of(step.splitter) if isinstance(step, Words) else (step,))
    ]
    return {"type": "Sequence", key: written} if len(written) > 1 else written[0] if written else None


def _step_json(step: object) -> _Json:
    match step:
        case UnicodeForm(form):
            return {"type": form}
        case Replace() | ReplaceDecoder():
            return {"type": "Replace", "pattern": _pattern_json(step), "content": step.content}
        case Prepend(prefix):
            return {"type": "Prepend", "prepend": prefix}
        case Strip(left, right):
            return {"type": "Strip", "strip_left": left, "strip_right": right}
        case Precompiled():
            return precompiled_json(step)
        case ByteLevel(prefixed, use_regex):
            return _byte_level_json(prefixed, use_regex)
        case ByteLevelDecoder():
            return _byte_level_json(True, True)
        case Split(_pattern, behavior, invert):
            kind = {"type": "Split", "pattern": _pattern_json(step)}
            return {**kind, "behavior": _behavior_name(behavior), "invert": invert}
        case Digits(individual):
            return {"type": "Digits", "individual_digits": individual}
        case Punctuation(behavior):
            return {"type": "Punctuation", "behavior": _behavior_name(behavior)}
        case Metaspace(replacement, scheme, cuts):
            return _metaspace_json(replacement, scheme, cuts)
        case MetaspaceDecoder(replacement, scheme):
            return _metaspace_json(replacement, scheme, True)
        case BPEDecoder(suffix):
            return {"type": "BPEDecoder", "suffix": suffix}
        case StripDecoder(content, start, stop):
            return {"type": "Strip", "content": content, "start": start, "stop": stop}
        case Lowercase() | Whitespace() | WhitespaceSplit() | ByteFallback() | Fuse():
            return {"type": type(step).__name__}
    raise FormatError(
        _("EngineError", "tokenizer.json cannot hold a step of the kind {kind}."), kind=type(step).__name__
    )


def _pattern_json(step: Replace | ReplaceDecoder | Split) -> _Json:
    return {"Regex" if step.is_regex else "String": step.pattern}


def _byte_level_json(prefixed: bool, use_regex: bool) -> _Json:
    return {"type": "ByteLevel", "add_prefix_space": prefixed, "trim_offsets": True, "use_regex": use_regex}


def _metaspace_json(replacement: str, scheme: str, split: bool) -> _Json:
    return {"type": "Metaspace", "replacement": replacement, "prepend_scheme": scheme, "split": split}


def _behavior_name(behavior: Behavior) -> str:
    return next(name for name, meant in _BEHAVIORS.items() if meant == behavior)


def template_json(before: Sequence[int], after: Sequence[int], tokens: Mapping[int, str]) -> _Json | None:
    """What puts ids around a text, and around each text of a pair; null for none."""
    if not before and not after:
        return None

    def around(sequence: str, type_id: int) -> list[_Json]:
        first, last = (
            [{"SpecialToken": {"id": tokens[token_id], "type_id": type_id}} for token_id in ids]
            for ids in (before, after)
        )
        return [*first, {"Sequence": {"id": sequence, "type_id": type_id}}, *last]

    names = {token_id: tokens[token_id] for token_id in sorted({*before, *after}, key=tokens.__getitem__)}
    return {
        "type": "TemplateProcessing",
        "single": around("A", 0),
        "pair": [*around("A", 0), *around("B", 1)],
        "special_tokens": {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in names.items()},
    }
