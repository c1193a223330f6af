"""Convert a recipe's splitters to steps of Hugging Face's `tokenizers` that split text the same way, and back.

`tokenizers` reads regular expressions as Oniguruma does, a recipe as `regex` does.
"""

from typing import Final

from bpe_gui.engine.runtime.errors import FormatError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.text.writer import translate

from .pre_tokenizers import Split

CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
ASCII_CONTRACTIONS: Final = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
"""Those above without `'ſ`, as llama.cpp has them."""

LLAMA3_PATTERN: Final = (
    rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""As published for Llama 3, and for GPT-4 in `tokenizer.json` files."""
ASCII_LLAMA3_PATTERN: Final = LLAMA3_PATTERN.replace(CONTRACTIONS, ASCII_CONTRACTIONS)

_CJK: Final = r"[\u4e00-\u9fff]"
_OTHER_LETTER_OR_DIGIT: Final = rf"(?!{_CJK})[\p{{L}}\p{{N}}]"
_NOT_SPACE: Final = r"[^\s\x1c-\x1f]"

_PATTERNS: Final = {
    "gpt2": SPLITTERS["gpt2"],
    # To Oniguruma, `{1,3}+` repeats `{1,3}`; nothing comes after it, so it need not be possessive. What `regex` calls
    # `\Z`, Oniguruma calls `\z`.
    "cl100k": SPLITTERS["cl100k"].replace("{1,3}+", "{1,3}").replace(r"\Z", r"\z"),
    "o200k": SPLITTERS["o200k"],
    "whitespace": SPLITTERS["whitespace"],
    "space": SPLITTERS["space"],
    "zh-en": rf"{_CJK}+|(?:{_OTHER_LETTER_OR_DIGIT})+|{_NOT_SPACE}",
}
"""The named splitters as patterns for Oniguruma. The splitter `none` needs no step."""

_NAMES: Final = {
    **{pattern: name for name, pattern in _PATTERNS.items()},
    # karpathy/minbpe minbpe/regex.py, which splits as GPT-2's own
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "gpt2",
}
"""The named splitters by their patterns for Oniguruma."""

_NAMES_IN_RECIPES: Final = _NAMES | {pattern: name for name, pattern in SPLITTERS.items()}
"""The named splitters by their patterns for `regex` as well."""

_COMPLETE: Final = frozenset({"gpt2", "cl100k", "o200k", "none", LLAMA3_PATTERN, ASCII_LLAMA3_PATTERN})
"""The splitters whose matches cover every character."""

PREFIXED_WORD_PATTERNS: Final = {
    "space": r"[ ]?[^ \r\n]+",
    "whitespace": rf"[ ]?{_NOT_SPACE}+",
    "zh-en": rf"[ ]?{_CJK}+|[ ]?(?:{_OTHER_LETTER_OR_DIGIT})+|[ ]?{_NOT_SPACE}",
}
"""By splitter: a pattern for a word together with the space before it."""

SUFFIXED_WORD_PATTERNS: Final = {
    "space": r"[^ \r\n]+ ",
    "whitespace": rf"{_NOT_SPACE}+ ",
    "zh-en": rf"{_CJK}+|(?:{_OTHER_LETTER_OR_DIGIT})+ |{_NOT_SPACE}",
}
"""By splitter: a pattern for a word together with the space that was put after it."""

WORD_END_PATTERNS: Final = {
    "space": r"(?<=[^ \r\n])(?![^ \r\n])",
    "whitespace": rf"(?<={_NOT_SPACE})(?!{_NOT_SPACE})",
    "zh-en": rf"(?<=[\p{{L}}\p{{N}}])(?<!{_CJK})(?!{_OTHER_LETTER_OR_DIGIT})",
}
"""By splitter: a pattern that matches the empty text after a word, where an end-of-word marker goes."""


def equivalent_steps(splitter: str) -> tuple[Split, ...]:
    """Return the steps that split as `splitter` does: none for `none`, else one.

    Raise FormatError for a regular expression that Oniguruma may read differently.
    """
    name_or_pattern = _NAMES_IN_RECIPES.get(splitter, splitter)
    if name_or_pattern == "none":
        return ()
    pattern = _PATTERNS.get(name_or_pattern) or portable_pattern(name_or_pattern)
    return (Split(pattern=pattern, behavior="isolated") if name_or_pattern in _COMPLETE else keep_matches(pattern),)


def portable_pattern(pattern: str) -> str:
    r"""Return the expression for Oniguruma that means what `pattern` means to `regex`. Raise FormatError for others.

    >>> portable_pattern(r"\p{N}{1,3}| ?\p{L}+|\s+\Z")
    '\\p{N}{1,3}| ?\\p{L}+|\\s+\\z'
    """
    try:
        return translate(pattern, PYTHON, ONIGURUMA)
    except RecipeError as error:
        raise FormatError(
            _(
                "EngineError",
                "This splitter may split differently in `tokenizers`: {reason} Or train with a named splitter.",
            ),
            reason=error,
        ) from error


def is_portable(pattern: str) -> bool:
    r"""Return whether an expression means the same to both as it is.

    >>> is_portable(r"\p{N}{1,3}"), is_portable(r"\p{N}{1,3}+")
    (True, False)
    """
    try:
        return portable_pattern(pattern) == pattern
    except FormatError:
        return False


def keep_matches(pattern: str) -> Split:
    """Return the step that makes each match of `pattern` a word and drops everything else."""
    return Split(pattern=pattern, behavior="removed", invert=True)


def equivalent_splitter(split: Split) -> str | None:
    """Return the recipe splitter that splits as `split` does; None if there is none, or the dialects may differ."""
    if not split.is_regex:
        return None
    splitter = _NAMES.get(split.pattern, split.pattern)
    if splitter in SPLITTERS and split.pattern == splitter:  # an expression that looks like a name
        return None
    keeps_everything = split.behavior == "isolated" and not split.invert and splitter in _COMPLETE
    drops_others = split.behavior == "removed" and split.invert
    reads_alike_in_both = splitter in SPLITTERS or is_portable(splitter)
    return splitter if reads_alike_in_both and (keeps_everything or drops_others) else None
