"""What is said about pipelines: what happens to text before anything is merged, in words for people.

Every function looks its texts up when it is called, because the language may change.
"""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.formats.ranks import Words
from bpe_gui.engine.pipeline import Normalizer, Pipeline, PreTokenizer
from bpe_gui.engine.pipeline.fast_splits import SPACE
from bpe_gui.engine.pipeline.normalizers import Lowercase, Prepend, Replace, Strip, UnicodeForm
from bpe_gui.engine.pipeline.pre_tokenizers import (
    ByteLevel,
    Digits,
    Metaspace,
    Punctuation,
    Split,
    Whitespace,
    WhitespaceSplit,
)
from bpe_gui.engine.pipeline.precompiled_charsmap import Precompiled
from bpe_gui.engine.pipeline.sentencepiece import WhiteSpace
from bpe_gui.engine.pipeline.splitter_equivalents import splitter_of

from bpe_gui.gui.wording.recipe_texts import splitter_clause

translate = QCoreApplication.translate  # lupdate knows the function by this name


def pipeline_summary(pipeline: Pipeline) -> str:
    """A pipeline in one line: its units, how text is changed, how it becomes words."""
    units = translate("Pipeline", "bytes") if pipeline.model.is_byte_level else translate("Pipeline", "characters")
    changes = [words for step in pipeline.normalizers for words in _changes(step)]
    words = [words for step in pipeline.pre_tokenizers for words in _words(step)]
    return " · ".join(_once([units, *changes, *(words or [translate("Pipeline", "no splitting")])]))


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _changes(step: Normalizer) -> list[str]:
    match step:
        case UnicodeForm(form):
            return [form]
        case Lowercase():
            return [translate("Pipeline", "small letters")]
        case Replace(" " | r"\s" | r"\s+" | " +" | " {1,}", content):
            return [translate("Pipeline", "white space as {text}").format(text=content)]
        case Replace():
            return [translate("Pipeline", "text replaced by a pattern")]
        case Prepend(prefix):
            return [translate("Pipeline", "{text} put in front").format(text=prefix)]
        case Strip():
            return [translate("Pipeline", "no white space at the ends")]
        case Precompiled():
            return [translate("Pipeline", "characters replaced by a table")]
        case WhiteSpace():
            return list(_white_space(step))
    return [type(step).__name__]


def _white_space(step: WhiteSpace) -> Iterable[str]:
    if step.charsmap.replacements:
        yield translate("Pipeline", "characters replaced by a table")
    if step.removes_extra:
        yield translate("Pipeline", "spaces joined")
    if step.escapes:
        yield translate("Pipeline", "white space as {text}").format(text=SPACE)


def _words(step: PreTokenizer) -> list[str]:
    match step:
        case Words(splitter):
            return [splitter_clause(splitter)]
        case ByteLevel(use_regex=True):
            return [splitter_clause("gpt2")]
        case ByteLevel():
            return []
        case Metaspace(replacement):
            return [translate("Pipeline", "white space as {text}").format(text=replacement)]
        case Whitespace():
            return [translate("Pipeline", "words and signs apart")]
        case WhitespaceSplit():
            return [translate("Pipeline", "words between white space")]
        case Digits(individual=True):
            return [translate("Pipeline", "every digit apart")]
        case Digits():
            return [translate("Pipeline", "numbers apart")]
        case Punctuation():
            return [translate("Pipeline", "punctuation apart")]
        case Split():
            return [_split(step)]
    return [type(step).__name__]


def _split(step: Split) -> str:
    if SPACE in step.pattern:
        return translate("Pipeline", "words by {text}").format(text=SPACE)
    if not step.is_regex:
        return translate("Pipeline", "words by {text}").format(text=step.pattern if step.pattern.strip() else "␣")
    splitter = splitter_of(step)
    return splitter_clause(splitter or step.pattern)
