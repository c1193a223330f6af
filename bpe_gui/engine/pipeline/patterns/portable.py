r"""Write regular expressions so that `regex`, which splits words here, and Oniguruma, which `tokenizers` uses, agree.

Each of them knows more syntax than is accepted here, but they read it differently: `a{1,3}+` is possessive to `regex`
and repeats `a{1,3}` to Oniguruma, `^` is the beginning of the text or of each line, `\b` depends on what is a letter.
All of that is refused; of the rest, `\w` and `\Z` are written differently. The two may have different versions of
Unicode, so they can disagree about characters that are new in Unicode.
"""

import re
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _

_MAX_DEPTH: Final = 50  # of groups

_PROPERTIES: Final = (
    "L|Lu|Ll|Lt|Lm|Lo|M|Mn|Mc|Me|N|Nd|Nl|No|P|Pc|Pd|Ps|Pe|Pi|Pf|Po|S|Sm|Sc|Sk|So|Z|Zs|Zl|Zp|Cc|"
    "Alphabetic|Han|Hiragana|Katakana|Hangul|Latin|Cyrillic|Greek|Arabic|Hebrew|Thai|Devanagari|Bopomofo"
)
_SET: Final = rf"\\[pP]\{{(?:{_PROPERTIES})\}}|\\[sSdD]"
_ESCAPED: Final = r"\\[rntf]|\\x[0-7][0-9A-Fa-f]|\\u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}|\\[!-/:-@\[-`{-~]"
_CHARACTER: Final = rf"(?:{_ESCAPED}|[^\\\[\](){{}}*+?^$|.])"
_CLASS_MEMBER: Final = rf"(?:{_ESCAPED}|[^\\\[\]^&|~-])"  # characters that may be operators must be escaped
_CLASS: Final = rf"\[\^?-?(?:{_CLASS_MEMBER}-{_CLASS_MEMBER}|{_CLASS_MEMBER}|{_SET})+-?\]"
_ONE: Final = rf"(?:{_CLASS}|{_SET}|{_CHARACTER}|\.)"
_IGNORING_CASE: Final = "(?i:"
_CASED_SET: Final = re.compile(r"\\[pP]\{L[ult]\}")
"""Sets of upper or lower case letters, which `regex` reads differently in a pattern that ignores case somewhere."""

# Letters in both cases; without i, which has more forms in Turkish, and without pairs that are also ligatures.
_CASELESS: Final = r"\(\?i:(?!\||[^)]*(?:\|\||\|\)|[sS][sStT]|[fF][fFlL]))(?:['|A-HJ-Za-hj-z]|\[[A-HJ-Za-hj-z]+\])+\)"

_TOKEN: Final = re.compile(
    rf"(?P<one>{_CASELESS}|{_ONE})"
    rf"|(?P<nothing>\(\?<[=!]{_ONE}\)|\\z)"  # lookbehind has a fixed length
    r"|(?P<look>\(\?[=!])|(?P<open>\((?:\?[:>])?(?!\?))|(?P<close>\))|(?P<bar>\|)"
)
_QUANTIFIER: Final = re.compile(
    r"(?P<least>[*+?])[?+]?|\{(?P<count>\d{1,4})\}(?![?+])|\{(?P<from>\d{1,4}),\d{0,4}\}\??(?!\+)"
)


_WORD: Final = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"
_REWRITTEN: Final = {r"\w": f"[{_WORD}]", r"\W": f"[^{_WORD}]", r"\Z": r"\z"}
_REWRITTEN_IN_CLASS: Final = {r"\w": _WORD}
_ITEM: Final = re.compile(r"\\.|.", re.DOTALL)


def portable_pattern(pattern: str) -> str:
    r"""Return a regular expression for `regex`, rewritten to mean the same to both.

    Raise FormatError if it is not known to, and if it can match the empty text.

    >>> portable_pattern(r"\p{N}{1,3}| ?\p{L}+|\s+\Z")
    '\\p{N}{1,3}| ?\\p{L}+|\\s+\\z'
    """
    rewritten = _rewrite(pattern)
    if _Scan(rewritten).can_be_empty():
        raise FormatError(
            _(
                "EngineError",
                "The splitter's regular expression can match the empty string, and `tokenizers` would then split "
                "words differently.",
            )
        )
    return rewritten


def is_portable(pattern: str) -> bool:
    r"""Return whether a regular expression means the same to both as it is.

    >>> is_portable(r"\p{N}{1,3}"), is_portable(r"\p{N}{1,3}+")
    (True, False)
    """
    try:
        return portable_pattern(pattern) == pattern
    except FormatError:
        return False


def _rewrite(pattern: str) -> str:
    parts: list[str] = []
    is_in_class = False
    for item in _ITEM.findall(pattern):
        parts.append((_REWRITTEN_IN_CLASS if is_in_class else _REWRITTEN).get(item, item))
        is_in_class = item != "]" and (is_in_class or item == "[")
    return "".join(parts)


class _Scan:
    """A pass over a pattern from left to right that accepts only portable syntax."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._ignores_case = _IGNORING_CASE in pattern

    def can_be_empty(self) -> bool:
        """Return whether the whole pattern can match the empty text. Raise FormatError for other syntax."""
        is_empty = self._alternatives(0)
        if self._at < len(self._pattern):
            raise self._error()
        return is_empty

    def _error(self) -> FormatError:
        return FormatError(
            _(
                "EngineError",
                "The splitter's regular expression contains {part!r} at position {position}, which `tokenizers` may "
                "interpret differently from `regex`. Rewrite it, or train with a named splitter.",
            ),
            part=self._pattern[self._at : self._at + 10],
            position=self._at,
        )

    def _alternatives(self, depth: int) -> bool:
        """Scan up to the end of the group, and return whether one of its alternatives can match the empty text."""
        if depth > _MAX_DEPTH:
            raise self._error()
        is_any_empty = False
        is_empty = True  # the current alternative so far
        while (token := _TOKEN.match(self._pattern, self._at)) and token.lastgroup != "close":
            if self._ignores_case and _CASED_SET.search(token.group()):
                raise self._error()
            self._at = token.end()
            match token.lastgroup:
                case "bar":
                    is_any_empty, is_empty = is_any_empty or is_empty, True
                case "nothing":
                    pass
                case "look":
                    self._group(depth)
                case "open":
                    is_group_empty = self._group(depth)
                    is_empty &= self._is_optional() or is_group_empty
                case _:
                    is_empty &= self._is_optional()
        return is_any_empty or is_empty

    def _group(self, depth: int) -> bool:
        is_empty = self._alternatives(depth + 1)
        if not self._pattern.startswith(")", self._at):
            raise self._error()
        self._at += 1
        return is_empty

    def _is_optional(self) -> bool:
        """Skip the quantifier that follows, if any, and return whether it allows for zero repetitions."""
        quantifier = _QUANTIFIER.match(self._pattern, self._at)
        if quantifier is None:
            return False
        self._at = quantifier.end()
        least = quantifier["count"] or quantifier["from"]
        return int(least) == 0 if least else quantifier["least"] != "+"
