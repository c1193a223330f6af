"""Regular expressions that mean the same to `regex`, which cuts words here, and to Oniguruma, which `tokenizers` uses.

Both know more than what is let through here, but read it differently: `a{1,3}+` is possessive to the one and repeats
`a{1,3}` to the other, `^` is the beginning of the text or of each line, `\\b` goes by different letters. All that is
refused; of the rest, `\\w` and `\\Z` are written in another way. Whether a character is a letter is asked of different
versions of Unicode, so about characters that are new in Unicode the two may disagree.
"""

import re
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _

_MOST_NESTED: Final = 50  # groups

_PROPERTIES: Final = (
    "L|Lu|Ll|Lt|Lm|Lo|M|Mn|Mc|Me|N|Nd|Nl|No|P|Pc|Pd|Ps|Pe|Pi|Pf|Po|S|Sm|Sc|Sk|So|Z|Zs|Zl|Zp|Cc|"
    "Alphabetic|Han|Hiragana|Katakana|Hangul|Latin|Cyrillic|Greek|Arabic|Hebrew|Thai|Devanagari|Bopomofo"
)
_SET: Final = rf"\\[pP]\{{(?:{_PROPERTIES})\}}|\\[sSdD]"
_ESCAPED: Final = r"\\[rntf]|\\x[0-7][0-9A-Fa-f]|\\u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}|\\[!-/:-@\[-`{-~]"
_CHARACTER: Final = rf"(?:{_ESCAPED}|[^\\\[\](){{}}*+?^$|.])"
_MEMBER: Final = rf"(?:{_ESCAPED}|[^\\\[\]^&|~-])"  # of a class; what may be an operator there is escaped
_CLASS: Final = rf"\[\^?-?(?:{_MEMBER}-{_MEMBER}|{_MEMBER}|{_SET})+-?\]"
_ONE: Final = rf"(?:{_CLASS}|{_SET}|{_CHARACTER}|\.)"
_FOLDING: Final = "(?i:"
_CASED: Final = re.compile(r"\\[pP]\{L[ult]\}")
"""Sets of capitals or small letters, which `regex` takes for others near what is matched whatever its case."""

# Letters in both cases; without i, of which there are more in Turkish, and without pairs that are also ligatures.
_FOLDED: Final = r"\(\?i:(?!\||[^)]*(?:\|\||\|\)|[sS][sStT]|[fF][fFlL]))(?:['|A-HJ-Za-hj-z]|\[[A-HJ-Za-hj-z]+\])+\)"

_TOKEN: Final = re.compile(
    rf"(?P<one>{_FOLDED}|{_ONE})"
    rf"|(?P<nothing>\(\?<[=!]{_ONE}\)|\\z)"  # what is looked back at has one length
    r"|(?P<look>\(\?[=!])|(?P<open>\((?:\?[:>])?(?!\?))|(?P<close>\))|(?P<bar>\|)"
)
_QUANTIFIER: Final = re.compile(
    r"(?P<least>[*+?])[?+]?|\{(?P<count>\d{1,4})\}(?![?+])|\{(?P<from>\d{1,4}),\d{0,4}\}\??(?!\+)"
)


_WORD: Final = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"
_WRITTEN_OUT: Final = {r"\w": f"[{_WORD}]", r"\W": f"[^{_WORD}]", r"\Z": r"\z"}
_WRITTEN_OUT_IN_CLASS: Final = {r"\w": _WORD}
_PIECE: Final = re.compile(r"\\.|.", re.DOTALL)


def common_form(pattern: str) -> str:
    r"""A regular expression of `regex`, written so that it means the same to both.

    Raises FormatError where that is not known, and if it can match without any character.

    >>> common_form(r"\p{N}{1,3}| ?\p{L}+|\s+\Z")
    '\\p{N}{1,3}| ?\\p{L}+|\\s+\\z'
    """
    written = _written_out(pattern)
    if _Scan(written).can_be_empty():
        raise FormatError(
            _(
                "EngineError",
                "The splitter's regular expression can match without any character; `tokenizers` would then cut words "
                "elsewhere.",
            )
        )
    return written


def is_common(pattern: str) -> bool:
    """Whether a regular expression means the same to both as it is.

    >>> is_common(r"\\p{N}{1,3}"), is_common(r"\\p{N}{1,3}+")
    (True, False)
    """
    try:
        return common_form(pattern) == pattern
    except FormatError:
        return False


def _written_out(pattern: str) -> str:
    parts: list[str] = []
    is_in_class = False
    for piece in _PIECE.findall(pattern):
        parts.append((_WRITTEN_OUT_IN_CLASS if is_in_class else _WRITTEN_OUT).get(piece, piece))
        is_in_class = piece != "]" and (is_in_class or piece == "[")
    return "".join(parts)


class _Scan:
    """A walk over a pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._folds = _FOLDING in pattern

    def can_be_empty(self) -> bool:
        """Whether the whole pattern can match nothing."""
        empty = self._alternatives(0)
        if self._at < len(self._pattern):
            raise self._unknown()
        return empty

    def _unknown(self) -> FormatError:
        return FormatError(
            _(
                "EngineError",
                "The splitter's regular expression has {part!r} at position {position}, where `tokenizers` may read "
                "something else than `regex` does. Write it in another way, or train with a named splitter.",
            ),
            part=self._pattern[self._at : self._at + 10],
            position=self._at,
        )

    def _alternatives(self, depth: int) -> bool:
        """Whether one of the alternatives that begin here can match nothing; ends at what closes the group."""
        if depth > _MOST_NESTED:
            raise self._unknown()
        any_empty = False
        is_empty = True  # the alternative so far
        while (token := _TOKEN.match(self._pattern, self._at)) and token.lastgroup != "close":
            if self._folds and _CASED.search(token.group()):
                raise self._unknown()
            self._at = token.end()
            match token.lastgroup:
                case "bar":
                    any_empty, is_empty = any_empty or is_empty, True
                case "nothing":
                    pass
                case "look":
                    self._group(depth)
                case "open":
                    inner = self._group(depth)
                    is_empty &= self._can_be_left_out() or inner
                case _:
                    is_empty &= self._can_be_left_out()
        return any_empty or is_empty

    def _group(self, depth: int) -> bool:
        inner = self._alternatives(depth + 1)
        if not self._pattern.startswith(")", self._at):
            raise self._unknown()
        self._at += 1
        return inner

    def _can_be_left_out(self) -> bool:
        """Whether what is before has a quantifier by which it may not be there; it is passed over."""
        quantifier = _QUANTIFIER.match(self._pattern, self._at)
        if quantifier is None:
            return False
        self._at = quantifier.end()
        least = quantifier["count"] or quantifier["from"]
        return int(least) == 0 if least else quantifier["least"] != "+"
