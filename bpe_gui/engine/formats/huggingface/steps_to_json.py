"""Write the steps of a pipeline as the steps around the model in `tokenizer.json`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bpe_gui.engine.formats.sentencepiece.character_map import precompiled_to_json
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
from bpe_gui.engine.pipeline.normalizers import (
    BertNormalizer,
    ByteLevelNormalizer,
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
    BertPreTokenizer,
    ByteLevel,
    Digits,
    FixedLength,
    Metaspace,
    PreTokenizer,
    Punctuation,
    RecipeSplit,
    Split,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.splitter_equivalents import equivalent_steps
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.splitter_tables import Behavior

from .steps_from_json import BEHAVIORS_BY_NAME

_WITHOUT_OPTIONS: Final = (
    *(Lowercase, StripAccents, Nmt, BertPreTokenizer, UnicodeScripts, Whitespace, WhitespaceSplit),
    *(ByteFallback, Fuse),
)
"""The steps without options, whose classes are named as the steps are in files."""

_JsonObject = dict[str, Any]


def steps_to_json(
    steps: Sequence[Normalizer] | Sequence[PreTokenizer] | Sequence[TokenDecoder], sequence_key: str
) -> _JsonObject | None:
    """Return the steps as `tokenizer.json` has them: null, a single step, or a Sequence under `sequence_key`.

    Raise FormatError for a step that `tokenizers` does not have.
    """
    written = [
        _step_to_json(each)
        for step in steps
        for each in (equivalent_steps(step.splitter) if isinstance(step, RecipeSplit) else (step,))
    ]
    return {"type": "Sequence", sequence_key: written} if len(written) > 1 else written[0] if written else None


def _step_to_json(step: object) -> _JsonObject:
    match step:
        case UnicodeForm(form):
            return {"type": form}
        case Replace() | ReplaceDecoder():
            return {"type": "Replace", "pattern": _pattern_to_json(step), "content": step.content}
        case Prepend(prefix):
            return {"type": "Prepend", "prepend": prefix}
        case Strip(left, right):
            return {"type": "Strip", "strip_left": left, "strip_right": right}
        case Precompiled():
            return precompiled_to_json(step)
        case ByteLevelNormalizer():
            return {"type": "ByteLevel"}
        case BertNormalizer():
            return _bert_normalizer_to_json(step)
        case ByteLevel(adds_prefix, use_regex):
            return _byte_level_to_json(adds_prefix, use_regex)
        case ByteLevelDecoder():
            return _byte_level_to_json(True, True)
        case Split(_pattern, behavior, invert):
            split = {"type": "Split", "pattern": _pattern_to_json(step)}
            return {**split, "behavior": _behavior_name(behavior), "invert": invert}
        case Digits(individual):
            return {"type": "Digits", "individual_digits": individual}
        case Punctuation(behavior):
            return {"type": "Punctuation", "behavior": _behavior_name(behavior)}
        case Metaspace(replacement, scheme, splits):
            return _metaspace_to_json(replacement, scheme, splits)
        case MetaspaceDecoder(replacement, scheme):
            return _metaspace_to_json(replacement, scheme, True)
        case FixedLength(length):
            return {"type": "FixedLength", "length": length}
        case WordPieceDecoder(prefix, cleans_up):
            return {"type": "WordPiece", "prefix": prefix, "cleanup": cleans_up}
        case CTCDecoder(pad, delimiter, cleans_up):
            return {"type": "CTC", "pad_token": pad, "word_delimiter_token": delimiter, "cleanup": cleans_up}
        case BPEDecoder(suffix):
            return {"type": "BPEDecoder", "suffix": suffix}
        case StripDecoder(content, start, stop):
            return {"type": "Strip", "content": content, "start": start, "stop": stop}
    if isinstance(step, _WITHOUT_OPTIONS):
        return {"type": type(step).__name__}
    raise FormatError(
        _("EngineError", "tokenizer.json cannot represent a step of the type {kind}."), kind=type(step).__name__
    )


def _pattern_to_json(step: Replace | ReplaceDecoder | Split) -> _JsonObject:
    return {"Regex" if step.is_regex else "String": step.pattern}


def _bert_normalizer_to_json(step: BertNormalizer) -> _JsonObject:
    return {
        "type": "BertNormalizer",
        "clean_text": step.cleans_text,
        "handle_chinese_chars": step.separates_ideographs,
        "strip_accents": step.strips_accents,
        "lowercase": step.lowers,
    }


def _byte_level_to_json(adds_prefix: bool, use_regex: bool) -> _JsonObject:
    return {"type": "ByteLevel", "add_prefix_space": adds_prefix, "trim_offsets": True, "use_regex": use_regex}


def _metaspace_to_json(replacement: str, scheme: str, split: bool) -> _JsonObject:
    return {"type": "Metaspace", "replacement": replacement, "prepend_scheme": scheme, "split": split}


def _behavior_name(behavior: Behavior) -> str:
    return next(name for name, known in BEHAVIORS_BY_NAME.items() if known == behavior)


def template_to_json(before: Sequence[int], after: Sequence[int], tokens: Mapping[int, str]) -> _JsonObject | None:
    """Return the TemplateProcessing that adds ids to a text and to each text of a pair; null for no ids.

    `tokens` are the tokens as they are spelled in the file, by id.
    """
    if not before and not after:
        return None

    def template(sequence: str, type_id: int) -> list[_JsonObject]:
        first, last = (
            [{"SpecialToken": {"id": tokens[token_id], "type_id": type_id}} for token_id in ids]
            for ids in (before, after)
        )
        return [*first, {"Sequence": {"id": sequence, "type_id": type_id}}, *last]

    names = {token_id: tokens[token_id] for token_id in sorted({*before, *after}, key=tokens.__getitem__)}
    return {
        "type": "TemplateProcessing",
        "single": template("A", 0),
        "pair": [*template("A", 0), *template("B", 1)],
        "special_tokens": {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in names.items()},
    }
