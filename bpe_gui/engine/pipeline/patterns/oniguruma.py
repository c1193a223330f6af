"""Regular expressions as Oniguruma reads them, rewritten for `regex`.

`tokenizers` uses Oniguruma with the syntax of Ruby. What means something else to `regex` is written so that it means
the same: `^`, `$`, `\\Z`, `\\w`, `\\b`, `\\h`, classes inside classes, `[:alpha:]`, `{1,3}+`, which repeats and is not
possessive, and options in the middle of a group. What is not known here to mean the same is refused by name.
"""

import re
from typing import Final

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _

_MOST_NESTED: Final = 100  # groups and classes

_WORD: Final = r"[\w\xb2\xb3\xb9\xbc\xbd\xbe--[\u200c\u200d]]"
_WORD_IN_CLASS: Final = r"[\w--[\u200c\u200d]]"
_DIGIT: Final = r"\p{Nd}"
_HEX: Final = "[0-9A-Fa-f]"

_ANCHORS: Final = {
    "A": r"\A",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "b": rf"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    "B": rf"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}
_LINE_START: Final = r"(?:\A|(?<=\n)(?!\Z))"
_LINE_END: Final = r"(?=\n|\Z)"
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}

_POSIX: Final = {
    "alpha": r"\p{Alphabetic}",
    "digit": _DIGIT,
    "alnum": r"[\p{Alphabetic}\p{Nd}]",
    "upper": r"\p{Uppercase}",
    "lower": r"\p{Lowercase}",
    "space": r"\s",
    "blank": r"[\t\p{Zs}]",
    "cntrl": r"\p{Cc}",
    "punct": r"[\p{P}\p{S}]",
    "xdigit": _HEX,
    "word": _WORD_IN_CLASS,
    "ascii": r"[\x00-\x7f]",
}
_NAMES: Final = (
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp Cc Cf "
    "Letter Alphabetic Uppercase Lowercase Ideographic Any ASCII "
    "Arabic Armenian Bengali Bopomofo Cherokee Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi "
    "Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala "
    "Tamil Telugu Thaana Thai Tibetan"
)
_PROPERTIES: Final = {
    **{name.lower(): rf"\p{{{name}}}" for name in re.findall(r"\w+", _NAMES)},
    **{name: _POSIX[name] for name in ("alpha", "digit", "alnum", "upper", "lower", "space", "blank", "cntrl")},
    "whitespace": r"\s",
    "punct": r"\p{P}",
    "word": _WORD,
    "xdigit": _HEX,
}
"""Properties by name, without spaces, `_` and `-`, in small letters."""

_ESCAPES: Final = re.compile(r"\\[pP]\{\w+\}|\\x..|\\u....|\\[a-zA-Z]")
_BEYOND_ASCII: Final = re.compile(r"\\[pPsSwWdDu]|&&|--|\[.*\[")
_FOLDING_TOGETHER: Final = frozenset({"ss", "st", "ff", "fi", "fl"})
"""Letters of which a single character is a form: `ß`, `ﬁ`."""

_REPEAT: Final = re.compile(r"\{(?:(?P<low>\d+)(?P<comma>,(?P<high>\d*))?|,(?P<most>\d+))\}")
_OPTIONS: Final = re.compile(r"\?(?P<on>[im]*)(?:-(?P<off>[im]*))?(?P<end>[:)])")
_PLAIN_GROUPS: Final = (("?:", "(?:"), ("?=", "(?="), ("?!", "(?!"), ("?<=", "(?<="), ("?<!", "(?<!"), ("?>", "(?>"))
_GROUP_NAME: Final = re.compile(r"\?<[A-Za-z_]\w*>")
_COMMENT: Final = re.compile(r"\?#[^)\\]*\)")
_PROPERTY: Final = re.compile(r"\{(\^?)([\w \-]+)\}")
_POSIX_CLASS: Final = re.compile(r"\[:(\^?)([a-z]+):\]")
_CODES: Final = (
    re.compile(r"x\{([0-9A-Fa-f]{1,8})\}"),
    re.compile(r"x([0-7][0-9A-Fa-f])"),  # what is above is a byte to Oniguruma, no character
    re.compile(r"u([0-9A-Fa-f]{4})"),
)


def translated(pattern: str) -> str:
    r"""The same regular expression for `regex`. Raises RecipeError, naming what cannot be had.

    >>> translated(r"\p{N}{1,3}+|\s+$")
    '(?V1)(?:\\p{N}{1,3})+|\\s+(?=\\n|\\Z)'
    """
    return "(?V1)" + _Translation(pattern).whole()


class _Translation:
    """A walk over a pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0
        self._ignores_case = False
        self._dot_is_all = False
        self._letter = ""  # the last part, where it is a letter that is matched whatever its case

    def whole(self) -> str:
        """The whole pattern."""
        result = self._alternatives()
        if self._at < len(self._pattern):
            raise self._refused(")")
        return result

    # -- what is there ------------------------------------------------------------------------------------------------

    def _refused(self, part: str) -> RecipeError:
        return RecipeError(
            _(
                "EngineError",
                "The regular expression has {part!r} at position {position}, of which is not known here what it means "
                "to Oniguruma.",
            ),
            part=part,
            position=self._at,
        )

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        """Whether that comes next; it is passed over."""
        is_there = self._pattern.startswith(text, self._at)
        self._at += len(text) * is_there
        return is_there

    def _take_match(self, pattern: "re.Pattern[str]") -> "re.Match[str] | None":
        match = pattern.match(self._pattern, self._at)
        if match:
            self._at = match.end()
        return match

    def _character(self) -> str:
        if self._at >= len(self._pattern):
            raise self._refused("")
        self._at += 1
        return self._pattern[self._at - 1]

    # -- groups and repetitions ---------------------------------------------------------------------------------------

    def _alternatives(self) -> str:
        """All up to the end of the group; options that are set in it end with it."""
        options = self._ignores_case, self._dot_is_all
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise self._refused(self._next())
        parts: list[str] = []
        while self._next() not in ("", ")"):
            self._letter = self._letter if self._next().isalpha() or self._next() == "\\" else ""
            if self._take("|"):
                parts.append("|")
            elif self._take("("):
                parts.append(self._group())
            else:
                parts.append(self._repeated(self._one()))
        self._depth -= 1
        self._letter = ""
        self._ignores_case, self._dot_is_all = options
        return "".join(parts)

    def _group(self) -> str:
        if self._take_match(_COMMENT):
            return ""
        options = self._ignores_case, self._dot_is_all
        match = self._take_match(_OPTIONS)
        if match and match["on"] + (match["off"] or ""):
            return self._with_options(match, options)
        self._at = match.start() if match else self._at
        opening = next((ours for theirs, ours in _PLAIN_GROUPS if self._take(theirs)), "")
        if not opening and not self._take_match(_GROUP_NAME) and self._next() == "?":
            raise self._refused("(" + self._pattern[self._at : self._at + 3])
        return self._repeated(self._closed(opening or "(?:"))

    def _closed(self, opening: str) -> str:
        inner = self._alternatives()
        if not self._take(")"):
            raise self._refused("")
        return f"{opening}{inner})"

    def _with_options(self, match: "re.Match[str]", options: tuple[bool, bool]) -> str:
        """A group with options; or options that hold up to the end of the group, over all alternatives that follow."""
        off = match["off"] or ""
        self._ignores_case = ("i" in match["on"] or self._ignores_case) and "i" not in off
        self._dot_is_all = ("m" in match["on"] or self._dot_is_all) and "m" not in off
        opening = "(?i:" if self._ignores_case else "(?-i:"
        is_group = match["end"] == ":"
        result = self._repeated(self._closed(opening)) if is_group else f"{opening}{self._alternatives()})"
        self._ignores_case, self._dot_is_all = options
        return result

    def _repeated(self, part: str) -> str:
        """A part with what says how often it is there."""
        at = self._at
        if self._take("*") or self._take("+") or self._take("?"):
            sign = self._pattern[at]
            self._letter = ""
            return self._ended(part + sign + ("?" if self._take("?") else "+" if self._take("+") else ""))
        match = self._take_match(_REPEAT)
        if match is None:
            return part
        self._letter = ""
        low, high = match["low"] or "0", match["most"] or match["high"]
        if high and int(high) < int(low):
            raise self._refused(match.group())
        if not match["comma"] and not match["most"]:
            counted = f"{part}{{{low}}}"
            return self._ended(f"(?:{counted})?" if self._take("?") else self._again(counted))
        counted = f"{part}{{{low},{high or ''}}}"
        return self._ended(f"{counted}?" if self._take("?") else self._again(counted))

    def _again(self, counted: str) -> str:
        """A counted repetition, which is repeated where a `+` follows."""
        return f"(?:{counted})+" if self._take("+") else counted

    def _ended(self, repeated: str) -> str:
        if self._next() in ("*", "+", "?") or _REPEAT.match(self._pattern, self._at):
            raise self._refused(self._next())
        return repeated

    # -- single parts -------------------------------------------------------------------------------------------------

    def _one(self) -> str:
        at = self._at
        character = self._character()
        match character:
            case "\\":
                return self._escape()
            case "[":
                return self._set(self._class())
            case ".":
                return "(?s:.)" if self._dot_is_all else r"[^\n]"
            case "^":
                return _LINE_START
            case "$":
                return _LINE_END
            case "*" | "+" | "?":
                self._at = at
                raise self._refused(character)
            case "{" if _REPEAT.match(self._pattern, at):
                self._at = at
                raise self._refused(character)
        return self._literal(character)

    def _literal(self, character: str) -> str:
        """A character that stands for itself, or for its capital as well."""
        if self._ignores_case:
            pair = (self._letter + character).lower()
            if not character.isascii() or pair in _FOLDING_TOGETHER:
                raise self._refused(f"(?i:…{character}")
            self._letter = character if character.isalpha() else ""
            if character in "iI":  # which is İ as well to `regex`
                return "(?-i:[iI])"
        return _escaped(character)

    def _escape(self) -> str:
        character = self._next()
        if character in _ANCHORS and character:
            self._at += 1
            return _ANCHORS[character]
        if self._take("R"):
            return r"(?>\r\n|[\n-\r\x85\u2028\u2029])"
        if self._take("w"):
            return self._set(_WORD)
        if self._take("W"):
            return self._set(f"[^{_WORD}]")
        found = self._set_escape()
        return self._literal(self._code()) if found is None else self._set(found)

    def _set(self, found: str) -> str:
        """A set of characters. Only for letters of ASCII alone it is known which others are matched as well."""
        if not self._ignores_case:
            return found
        members = _ESCAPES.sub("", found)
        if not any(map(str.isalpha, members)):
            return f"(?-i:{found})"
        if not members.isascii() or _BEYOND_ASCII.search(found):
            raise self._refused(f"(?i:…{found}")
        # To `regex`, İ is a capital of i.
        return f"(?:(?-i:\u0130)|{found})" if found.startswith("[^") else f"(?:(?-i:(?!\u0130)){found})"

    def _set_escape(self) -> str | None:
        """A set of characters after a backslash, if there is one."""
        for small, meaning in (("s", r"\s"), ("d", _DIGIT), ("h", _HEX)):
            if self._take(small):
                return meaning
            if self._take(small.upper()):
                return f"[^{meaning}]"
        if self._next() in ("p", "P"):
            return self._property(negated=self._character() == "P")
        return None

    def _property(self, *, negated: bool) -> str:
        at = self._at
        match = self._take_match(_PROPERTY)
        name = re.sub(r"[ _\-]", "", match[2]).lower() if match else ""
        if match is None or name not in _PROPERTIES:
            self._at = at
            raise self._refused(rf"\p{match.group() if match else ''}")
        meaning = _PROPERTIES[name]
        return f"[^{meaning}]" if negated is not bool(match[1]) else meaning

    def _code(self) -> str:
        """A character after a backslash."""
        for code in _CODES:
            if match := self._take_match(code):
                number = int(match[1], 16)
                if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                    raise self._refused(match.group())
                return chr(number)
        character = self._character()
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character.isascii() and character.isalnum():
            self._at -= 1
            raise self._refused(f"\\{character}")
        return character

    # -- classes ------------------------------------------------------------------------------------------------------

    def _class(self) -> str:
        """A class, up to its end."""
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise self._refused("[")
        negation = "^" if self._take("^") else ""
        parts: list[str] = []
        begin = self._at
        while self._at == begin or not self._take("]"):
            if self._take("&&"):
                if not parts or parts[-1] == "&&" or self._next() == "]":
                    raise self._refused("&&")
                parts.append("&&")
            else:
                parts.append(self._member(is_first=self._at == begin))
        self._depth -= 1
        return f"[{negation}{''.join(parts)}]"

    def _member(self, *, is_first: bool) -> str:
        """A character, a range or a set in a class."""
        if found := self._member_set():
            if self._next() == "-" and not self._pattern.startswith("-]", self._at):
                raise self._refused("-")
            return found
        if self._next() == "-" and not is_first and not self._pattern.startswith("-]", self._at):
            raise self._refused("-")
        low = self._member_character()
        if self._next() != "-" or self._pattern[self._at + 1 : self._at + 2] in ("]", ""):
            return _escaped(low)
        self._at += 1
        at = self._at
        if self._member_set():
            self._at = at
            raise self._refused("-")
        high = self._member_character()
        if high < low:
            raise self._refused(f"{low}-{high}")
        return f"{_escaped(low)}-{_escaped(high)}"

    def _member_set(self) -> str | None:
        if match := self._take_match(_POSIX_CLASS):
            if match[2] not in _POSIX:
                self._at = match.start()
                raise self._refused(match.group())
            return f"[^{_POSIX[match[2]]}]" if match[1] else _POSIX[match[2]]
        if self._take("["):
            return self._class()
        if not self._take("\\"):
            return None
        if self._take("w"):
            return _WORD_IN_CLASS
        if self._take("W"):
            return f"[^{_WORD_IN_CLASS}]"
        found = self._set_escape()
        self._at -= found is None
        return found

    def _member_character(self) -> str:
        if self._take("\\"):
            return "\b" if self._take("b") else self._code()
        return self._character()


def _escaped(character: str) -> str:
    if character.isascii() and not character.isalnum():
        return f"\\x{ord(character):02x}"
    return character
