"""Say what the steps of a tokenizer are, by the names and keys that they have in files."""

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Final

from bpe_gui.engine import (
    SPLITTERS,
    ByteLevel,
    ByteLevelNormalizer,
    RecipeSplit,
    SentencePieceNormalizer,
    Split,
    UnicodeForm,
    visible,
)
from bpe_gui.engine.formats.ranks import splitter_from_pattern
from bpe_gui.engine.pipeline.decoders import (
    ByteLevelDecoder,
    CTCDecoder,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
    WordPieceDecoder,
)

_STEP_NAMES: Final = {
    ByteLevelDecoder: "ByteLevel",
    ByteLevelNormalizer: "ByteLevel",
    CTCDecoder: "CTC",
    MetaspaceDecoder: "Metaspace",
    ReplaceDecoder: "Replace",
    StripDecoder: "Strip",
    WordPieceDecoder: "WordPiece",
}
"""The names of steps in files, if they differ from those of our classes."""


def step_name(step: object) -> str:
    """Return the published name of a step."""
    match step:
        case UnicodeForm(form):
            return form
        case RecipeSplit(splitter):
            return f"Split ({splitter})" if splitter.isidentifier() else "Split"
        case Split() if step.is_regex and (known := splitter_from_pattern(step.pattern)) != step.pattern:
            return f"Split ({known})"
        case SentencePieceNormalizer():
            return ", ".join(_sentencepiece_options(step)) or "none"
    return _STEP_NAMES.get(type(step), type(step).__name__)


def _sentencepiece_options(step: SentencePieceNormalizer) -> Iterator[str]:
    """Yield the options that are set, by their keys in a SentencePiece model."""
    for key, is_set in (
        ("precompiled_charsmap", bool(step.character_map.replacements)),
        ("add_dummy_prefix", step.adds_dummy_prefix),
        ("remove_extra_whitespaces", step.removes_extra_whitespaces),
        ("escape_whitespaces", step.escapes_whitespaces),
        ("treat_whitespace_as_suffix", step.treats_whitespace_as_suffix),
    ):
        if is_set:
            yield key


def step_details(step: object) -> str:
    """Return a step's expression and its other values, if they are not the usual ones; often there are none."""
    match step:
        case UnicodeForm() | SentencePieceNormalizer():
            return ""  # its name says it
        case RecipeSplit(splitter):
            return quoted(SPLITTERS.get(splitter, splitter))
        case ByteLevel(use_regex=True):
            return ", ".join([*_values(step), quoted(SPLITTERS["gpt2"])])
    return ", ".join(_values(step))


def _values(step: object) -> Iterator[str]:
    for each in fields(step) if is_dataclass(step) else ():
        value, usual = getattr(step, each.name), False if each.default is MISSING else each.default
        match value:
            case _ if value == usual:
                continue
            case bool():
                yield each.name if value else f"not {each.name}"
            case str():
                yield f"{each.name} {value if value.isidentifier() else quoted(value)}"
            case int() | float():
                yield f"{each.name} {value}"


def quoted(text: str) -> str:
    """Return a text, such as an expression, in quotation marks and on one line."""
    return f"“{text if text.isprintable() else repr(text)[1:-1]}”"


def token_with_id(token_id: int, token: str) -> str:
    """Return a token with its id."""
    return f"{visible(token.encode())} = {token_id}"
