"""Splitters as a Split of Hugging Face's `tokenizers`, which reads regular expressions as Oniguruma does."""

from typing import Final

from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.pipeline.patterns.portable import common_form, is_common
from bpe_gui.engine.pipeline.pre_tokenizers import Split

_CJK: Final = r"[\u4e00-\u9fff]"
_OTHER_LETTER: Final = rf"(?!{_CJK})[\p{{L}}\p{{N}}]"  # or digit
_NO_SPACE: Final = r"[^\s\x1c-\x1f]"

_PATTERNS: Final = {
    "gpt2": SPLITTERS["gpt2"],
    # To Oniguruma, `{1,3}+` may repeat; nothing comes after it, so it need not be possessive. Its `\z` is our `\Z`.
    "cl100k": SPLITTERS["cl100k"].replace("{1,3}+", "{1,3}").replace(r"\Z", r"\z"),
    "o200k": SPLITTERS["o200k"],
    "whitespace": SPLITTERS["whitespace"],
    "space": SPLITTERS["space"],
    "zh-en": rf"{_CJK}+|(?:{_OTHER_LETTER})+|{_NO_SPACE}",
}
"""The named splitters as Oniguruma reads them. Without a splitter there is no Split."""

_NAMES: Final = {
    **{pattern: name for name, pattern in _PATTERNS.items()},
    # karpathy/minbpe minbpe/regex.py, which splits as GPT-2's own
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "gpt2",
}
"""The named splitters by what means the same to Oniguruma and here."""

_NAMES_HERE: Final = _NAMES | {pattern: name for name, pattern in SPLITTERS.items()}
"""The same by what means it here."""

# As it is published for Llama 3, and for GPT-4 in `tokenizer.json`: white space at the end it cuts otherwise.
_LLAMA3: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_COMPLETE: Final = frozenset({"gpt2", "cl100k", "o200k", "none", _LLAMA3})
"""The splitters that match every character."""

PREFIXED: Final = {
    "space": r"[ ]?[^ \r\n]+",
    "whitespace": rf"[ ]?{_NO_SPACE}+",
    "zh-en": rf"[ ]?{_CJK}+|[ ]?(?:{_OTHER_LETTER})+|[ ]?{_NO_SPACE}",
}
"""Words with the space in front of them."""

SUFFIXED: Final = {
    "space": r"[^ \r\n]+ ",
    "whitespace": rf"{_NO_SPACE}+ ",
    "zh-en": rf"{_CJK}+|(?:{_OTHER_LETTER})+ |{_NO_SPACE}",
}
"""Words with the space that was put after them."""

ENDS: Final = {
    "space": r"(?<=[^ \r\n])(?![^ \r\n])",
    "whitespace": rf"(?<={_NO_SPACE})(?!{_NO_SPACE})",
    "zh-en": rf"(?<=[\p{{L}}\p{{N}}])(?<!{_CJK})(?!{_OTHER_LETTER})",
}
"""Where a marker comes after a word."""


def split_of(splitter: str) -> tuple[Split, ...]:
    """The Split of a splitter. Raises FormatError for one that Oniguruma may read otherwise."""
    name = _NAMES_HERE.get(splitter, splitter)
    if name == "none":
        return ()
    pattern = _PATTERNS.get(name) or common_form(name)
    return (Split(pattern=pattern, behavior="isolated") if name in _COMPLETE else words_of(pattern),)


def words_of(pattern: str) -> Split:
    """What matches is a word, all else is dropped."""
    return Split(pattern=pattern, behavior="removed", invert=True)


def splitter_of(split: Split) -> str | None:
    """The splitter that cuts as a Split does."""
    if not split.is_regex:
        return None
    name = _NAMES.get(split.pattern, split.pattern)
    if name in SPLITTERS and split.pattern == name:  # a regular expression that looks like a name
        return None
    keeps_all = split.behavior == "isolated" and not split.invert and name in _COMPLETE
    drops_others = split.behavior == "removed" and split.invert
    is_known = name in SPLITTERS or is_common(name)
    return name if is_known and (keeps_all or drops_others) else None
