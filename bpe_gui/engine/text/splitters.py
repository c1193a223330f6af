"""Splitters (pre-tokenizers): the patterns by which text becomes words (pre-tokens). Nothing merges across words."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.expressions import expression

from .regex_stand_ins import with_stand_ins

if TYPE_CHECKING:
    import regex

SPLITTERS: Mapping[str, str] = MappingProxyType(
    {
        # openai/gpt-2 src/encoder.py
        "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        # openai/tiktoken tiktoken_ext/openai_public.py; Rust's `$` is the very end, which Python writes `\Z`
        "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++\Z|\s*[\r\n]|\s+(?!\S)|\s",
        "o200k": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        # str.split(): Python's white space, which includes four controls that Unicode's does not
        "whitespace": r"[^\s\x1c-\x1f]+",
        # str.split(" "), line by line
        "space": r"[^ \r\n]+",
        # runs of CJK ideographs; runs of other letters and digits; any other character on its own
        "zh-en": r"(?V1)[\u4e00-\u9fff]+|[[\p{L}\p{N}]--[\u4e00-\u9fff]]+|[^\s\x1c-\x1f]",
        "none": r"(?s:.+)",
    }
)
"""The patterns of the named splitters. They drop what they do not match."""

DROPPING_SPLITTERS: Final = frozenset({"whitespace", "space", "zh-en"})
"""The named splitters that drop the white space between words."""

_TAKES_SUFFIX: Final = r"(?V1)[[\p{L}\p{N}]--[\u4e00-\u9fff]]"
"""The first character of words of `zh-en` that get the end-of-word marker."""

_MAX_PATTERN: Final = 10_000  # characters
_MAX_UNROLLED_PATTERN: Final = 100_000  # characters, each of which takes 260 bytes when compiled
_BLANK: Final = r"(?:\s|#[^\n]*\n)*+"
"""White space and comments, which (?x) allows between any two elements of a pattern."""

_REPEAT: Final = rf"(\)?){_BLANK}(?:\+|\{{((?:\s|#[^\n]*\n|\d)*+))"
"""A quantifier, with the bracket before it if it repeats a group, and its lower bound if it has one."""

_RECURSIVE_OR_FUZZY: Final = (
    rf"(?s)\\[pP]\{{[\w\s&.:=^-]*\}}|\\.|(\(\?(?:R|[+-]?\d|&|P[>&])|\{{{_BLANK}(?:[\d<=]{_BLANK})*+[eids])"
)
"""A recursive call or an approximate match, either of which can take gigabytes whatever the time limit."""


@lru_cache(maxsize=64)
def compile_pattern(splitter: str) -> "regex.Pattern[str]":
    """Compile the pattern of a named splitter, or a regular expression. Raise RecipeError for a bad one.

    Search in `with_stand_ins(text)`, so that the version of Unicode is the shipped one.

    >>> compile_pattern("gpt2").findall("the cat's")
    ['the', ' cat', "'s"]
    """
    import regex

    if splitter not in SPLITTERS:
        _check_size(splitter)
    try:
        pattern = regex.compile(SPLITTERS.get(splitter, splitter))
    except regex.error as error:
        raise RecipeError(
            _("EngineError", "The regular expression is not valid at position {position}: {reason}."),
            position=vars(error)["pos"],  # missing in the library's type stubs
            reason=vars(error)["msg"],
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecipeError(_("EngineError", "The regular expression cannot be used: {reason}."), reason=error) from error
    if pattern.flags & regex.REVERSE:
        raise RecipeError(_("EngineError", "The regular expression searches backwards because of (?r). Remove it."))
    return pattern


def _check_size(pattern: str) -> None:
    """Raise RecipeError for a pattern that could use up all memory when it is compiled or searched for."""
    if len(pattern) > _MAX_PATTERN or _unrolled_length(pattern) > _MAX_UNROLLED_PATTERN:
        raise RecipeError(_("EngineError", "The regular expression is too long or repeats its parts too many times."))
    for item in expression(_RECURSIVE_OR_FUZZY).finditer(pattern):
        if part := item.group(1):
            raise RecipeError(
                _(
                    "EngineError",
                    "The regular expression contains {part!r} at position {position}. Recursion and fuzzy "
                    "matching are not supported, because they may never end. Write \\{{ for a literal brace.",
                ),
                part=part,
                position=item.start(),
            )


def _unrolled_length(pattern: str) -> int:
    """Return an upper bound of the length to which `regex` unrolls a pattern: `a{3}` to `aaa`, groups once more.

    >>> _unrolled_length("(?:a{2}){3}"), _unrolled_length("(?:(?:a+)+)+")
    (52, 52)
    """
    length, factor = len(pattern), 1
    for repeat in expression(_REPEAT).finditer(pattern):
        closing_bracket, digits = repeat.groups()
        count = _bounded_int(expression(_BLANK).sub("", digits or "1"))
        if closing_bracket:
            factor = min(factor * (count + 1), _MAX_UNROLLED_PATTERN)
        else:
            length += count
    return length * factor


def _bounded_int(digits: str) -> int:
    return int(digits.lstrip("0")[:7] or 0)  # seven digits are too many already


@checks_arguments(RecipeError)
def drops_spaces(splitter: str) -> bool:
    """Return whether white space between words is lost, so that decoding has to put a space there."""
    return splitter in DROPPING_SPLITTERS


def takes_suffix(splitter: str, word: str) -> bool:
    """Return whether `word` gets the end-of-word marker: with `zh-en`, only runs of letters and digits do.

    >>> [takes_suffix("zh-en", word) for word in ("and", "你好", "!")]
    [True, False, False]
    """
    return splitter != "zh-en" or bool(expression(_TAKES_SUFFIX).match(with_stand_ins(word[:1])))
