"""The expressions that published tokenizers split by, and the splitters of recipes that split alike.

`tokenizers` reads regular expressions in the dialect of Oniguruma, a recipe in that of `regex`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError, RecipeError
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON
from bpe_gui.engine.text.splitters import GPT2_PATTERN, SPLITTERS
from bpe_gui.engine.text.writer import translate

CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
ASCII_CONTRACTIONS: Final = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
"""The contractions above without `'ſ`, as in llama.cpp."""

_LLAMA3_PATTERN: Final = (
    rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""As published for Llama 3, and for GPT-4 in `tokenizer.json` files."""
ASCII_LLAMA3_PATTERN: Final = _LLAMA3_PATTERN.replace(CONTRACTIONS, ASCII_CONTRACTIONS)

KNOWN_SPLITTERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "llama3": _LLAMA3_PATTERN,
        "qwen2": _LLAMA3_PATTERN.replace("{1,3}", ""),
        "gpt2": "gpt2",
        "cl100k": "cl100k",
        "o200k": "o200k",
    }
)
"""The splitters of well-known models by name, each as a recipe has it."""

CJK: Final = r"[\u4e00-\u9fff]"
OTHER_LETTER_OR_DIGIT: Final = rf"(?!{CJK})[\p{{L}}\p{{N}}]"
NOT_SPACE: Final = r"[^\s\x1c-\x1f]"

_PATTERNS: Final = {
    "gpt2": SPLITTERS["gpt2"],
    # In Oniguruma, `{1,3}+` repeats `{1,3}`; nothing comes after it, so it need not be possessive. `\Z` in `regex` is
    # `\z` in Oniguruma.
    "cl100k": SPLITTERS["cl100k"].replace("{1,3}+", "{1,3}").replace(r"\Z", r"\z"),
    "o200k": SPLITTERS["o200k"],
    "whitespace": SPLITTERS["whitespace"],
    "space": SPLITTERS["space"],
    "zh-en": rf"{CJK}+|(?:{OTHER_LETTER_OR_DIGIT})+|{NOT_SPACE}",
}
"""The named splitters as Oniguruma patterns. The splitter `none` needs no step."""

_SPLITTERS_BY_PATTERN: Final = {pattern: name for name, pattern in _PATTERNS.items()} | {GPT2_PATTERN: "gpt2"}
"""The named splitters by their Oniguruma patterns."""

_SPLITTERS_BY_ANY_PATTERN: Final = _SPLITTERS_BY_PATTERN | {pattern: name for name, pattern in SPLITTERS.items()}
"""The named splitters by their Oniguruma patterns and by their patterns for `regex`."""

_COMPLETE: Final = frozenset(
    {
        "none",
        *(
            text.replace(CONTRACTIONS, ours)
            for text in KNOWN_SPLITTERS.values()
            for ours in (CONTRACTIONS, ASCII_CONTRACTIONS)
        ),
    }
)
"""The splitters whose matches cover every character."""


def step_pattern(splitter: str) -> tuple[str, bool]:
    """Return the Oniguruma expression of a splitter, and whether its matches cover every character.

    It is empty for `none`. Raise FormatError for a regular expression that Oniguruma may read differently.
    """
    name_or_pattern = _SPLITTERS_BY_ANY_PATTERN.get(splitter, splitter)
    if name_or_pattern == "none":
        return "", True
    return _PATTERNS.get(name_or_pattern) or portable_pattern(name_or_pattern), name_or_pattern in _COMPLETE


def portable_pattern(pattern: str) -> str:
    r"""Return the Oniguruma expression for a `regex` pattern. Raise FormatError if there is none.

    >>> portable_pattern(r"\p{N}{1,3}| ?\p{L}+|\s+\Z")
    '\\p{N}{1,3}| ?\\p{L}+|\\s+\\z'
    """
    try:
        return translate(pattern, PYTHON, ONIGURUMA)
    except RecipeError as error:
        raise FormatError(
            "This splitter may split differently in `tokenizers`: {reason} Or train with a named splitter.",
            reason=error,
        ) from error


def _is_portable(pattern: str) -> bool:
    """Return whether an expression means the same in both dialects."""
    try:
        return portable_pattern(pattern) == pattern
    except FormatError:
        return False


def splitter_of_pattern(pattern: str, *, keeps_everything: bool) -> str | None:
    """Return the recipe splitter that splits at the matches of an expression, or None if there is none.

    `keeps_everything`: the step keeps the text between matches. The dialects may read an expression differently.
    """
    splitter = _SPLITTERS_BY_PATTERN.get(pattern, pattern)
    if splitter in SPLITTERS and pattern == splitter:  # an expression that looks like a name
        return None
    reads_alike_in_both = splitter in SPLITTERS or _is_portable(splitter)
    return splitter if reads_alike_in_both and (splitter in _COMPLETE or not keeps_everything) else None
