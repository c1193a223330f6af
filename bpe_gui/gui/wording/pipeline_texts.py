"""Describe pipelines, that is, what happens to text before any merging, in the language of the window.

Every function looks up its texts when called, because the language may change.
"""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.formats import equivalent_splitter
from bpe_gui.engine.pipeline import (
    SPACE_SYMBOL,
    BertNormalizer,
    BertPreTokenizer,
    ByteLevel,
    ByteLevelNormalizer,
    Digits,
    FixedLength,
    Lowercase,
    Metaspace,
    Nmt,
    Normalizer,
    Pipeline,
    Precompiled,
    Prepend,
    PreTokenizer,
    Punctuation,
    RecipeSplit,
    Replace,
    SentencePieceNormalizer,
    Split,
    Strip,
    StripAccents,
    UnicodeForm,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)

from .recipe_texts import splitter_clause

translate = QCoreApplication.translate  # lupdate knows the function by this name


def pipeline_summary(pipeline: Pipeline) -> str:
    """Return a pipeline in one line: its units, how it changes text, and how it splits text into words."""
    units = translate("Pipeline", "bytes") if pipeline.model.is_byte_level else translate("Pipeline", "characters")
    changes = change_clauses(pipeline.normalizers)
    splits = split_clauses(pipeline.pre_tokenizers) or [translate("Pipeline", "no splitting")]
    dropout = [translate("Pipeline", "dropout not applied")] if pipeline.model.dropout else []
    return " · ".join(_unique([units, *changes, *splits, *dropout]))


def change_clauses(steps: Iterable[Normalizer]) -> list[str]:
    """Return how normalizers change text."""
    return [clause for step in steps for clause in _changes(step)]


def split_clauses(steps: Iterable[PreTokenizer]) -> list[str]:
    """Return how pre-tokenizers split text into words."""
    return [clause for step in steps for clause in _splits(step)]


def _unique(clauses: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(clauses))


def _changes(step: Normalizer) -> list[str]:
    match step:
        case UnicodeForm(form):
            return [form]
        case Lowercase():
            return [translate("Pipeline", "lowercase")]
        case StripAccents():
            return [translate("Pipeline", "accents removed")]
        case Nmt():
            return [translate("Pipeline", "control characters removed")]
        case ByteLevelNormalizer():
            return []
        case BertNormalizer():
            return list(_bert_changes(step))
        case Replace(" " | r"\s" | r"\s+" | " +" | " {1,}", content):
            return [translate("Pipeline", "whitespace as {text}").format(text=content)]
        case Replace():
            return [translate("Pipeline", "pattern replacements")]
        case Prepend(prefix):
            return [translate("Pipeline", "{text} prepended").format(text=prefix)]
        case Strip():
            return [translate("Pipeline", "whitespace trimmed")]
        case Precompiled():
            return [translate("Pipeline", "character replacements")]
        case SentencePieceNormalizer():
            return list(_sentencepiece_changes(step))
    return [type(step).__name__]


def _bert_changes(step: BertNormalizer) -> Iterable[str]:
    if step.cleans_text:
        yield translate("Pipeline", "control characters removed")
    if step.separates_ideographs:
        yield translate("Pipeline", "spaces around ideographs")
    if step.strips_accents:
        yield translate("Pipeline", "accents removed")
    if step.lowers:
        yield translate("Pipeline", "lowercase")


def _sentencepiece_changes(step: SentencePieceNormalizer) -> Iterable[str]:
    if step.character_map.replacements:
        yield translate("Pipeline", "character replacements")
    if step.removes_extra_whitespaces:
        yield translate("Pipeline", "spaces collapsed")
    if step.escapes_whitespaces:
        yield translate("Pipeline", "whitespace as {text}").format(text=SPACE_SYMBOL)


def _splits(step: PreTokenizer) -> list[str]:
    match step:
        case RecipeSplit(splitter):
            return [splitter_clause(splitter)]
        case ByteLevel(use_regex=True):
            return [splitter_clause("gpt2")]
        case ByteLevel():
            return []
        case Metaspace(replacement):
            return [translate("Pipeline", "whitespace as {text}").format(text=replacement)]
        case Whitespace():
            return [translate("Pipeline", "words and punctuation split")]
        case WhitespaceSplit():
            return [translate("Pipeline", "split at whitespace")]
        case Digits(individual=True):
            return [translate("Pipeline", "single digits split")]
        case Digits():
            return [translate("Pipeline", "numbers split")]
        case Punctuation():
            return [translate("Pipeline", "punctuation split")]
        case BertPreTokenizer():
            return [translate("Pipeline", "split at whitespace"), translate("Pipeline", "punctuation split")]
        case UnicodeScripts():
            return [translate("Pipeline", "scripts split")]
        case FixedLength(length):
            return [translate("Pipeline", "words of {number} characters").format(number=length)]
        case Split():
            return [_split(step)]
    return [type(step).__name__]


def _split(step: Split) -> str:
    if SPACE_SYMBOL in step.pattern:
        return translate("Pipeline", "split at {text}").format(text=SPACE_SYMBOL)
    if not step.is_regex:
        return translate("Pipeline", "split at {text}").format(text=step.pattern if step.pattern.strip() else "␣")
    splitter = equivalent_splitter(step)
    return splitter_clause(splitter or step.pattern)
