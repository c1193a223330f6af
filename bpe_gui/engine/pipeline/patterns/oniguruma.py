r"""Translate regular expressions in Oniguruma's syntax to that of `regex`.

`tokenizers` uses Oniguruma with the syntax of Ruby. Constructs that mean something else to `regex` are rewritten: `^`,
`$`, `\Z`, `\w`, `\b`, `\h`, classes inside classes, `[:alpha:]`, `{1,3}+`, which repeats and is not possessive, and
options in the middle of a group. Constructs that are not known to mean the same after that are refused by name.

Source: kkos/oniguruma doc/RE.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _

_MAX_DEPTH: Final = 100  # of groups and classes

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
"""Properties by name, which is in lower case and without spaces, `_` and `-`."""

_ESCAPES: Final = re.compile(r"\\[pP]\{\w+\}|\\x..|\\u....|\\[a-zA-Z]")
_BEYOND_ASCII: Final = re.compile(r"\\[pPsSwWdDu]|&&|--|\[.*\[")
_LIGATURES: Final = frozenset({"ss", "st", "ff", "fi", "fl"})
"""Pairs of letters that match a single character, such as `ß` or `ﬁ`, when case is ignored."""

_REPEAT: Final = re.compile(r"\{(?:(?P<low>[0-9]+)(?P<comma>,(?P<high>[0-9]*))?|,(?P<most>[0-9]+))\}")
_MOST_DIGITS: Final = 6  # of a number of repetitions, which Oniguruma takes up to 100,000
_OPTIONS: Final = re.compile(r"\?(?P<on>[im]*)(?:-(?P<off>[im]*))?(?P<end>[:)])")
_GROUP_KINDS: Final = ("?:", "?=", "?!", "?<=", "?<!", "?>")
_GROUP_NAME: Final = re.compile(r"\?<[A-Za-z_]\w*>")
_COMMENT: Final = re.compile(r"\?#[^)\\]*\)")
_PROPERTY: Final = re.compile(r"\{(\^?)([\w \-]+)\}")
_POSIX_CLASS: Final = re.compile(r"\[:(\^?)([a-z]+):\]")
_CODES: Final = (
    re.compile(r"x\{([0-9A-Fa-f]{1,8})\}"),
    re.compile(r"x([0-7][0-9A-Fa-f])"),  # above that, it is a byte to Oniguruma, not a character
    re.compile(r"u([0-9A-Fa-f]{4})"),
)


def translate_oniguruma(pattern: str) -> str:
    r"""Return the regular expression for `regex` that matches as `pattern` does in Oniguruma.

    Raise RecipeError, which names the construct, for one that is not known to be translatable.

    >>> translate_oniguruma(r"\p{N}{1,3}+|\s+$")
    '(?V1)(?:\\p{N}{1,3})+|\\s+(?=\\n|\\Z)'
    """
    return "(?V1)" + _Translation(pattern).translate()


class _Translation:
    """A pass over a pattern from left to right. The methods consume what they translate."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0
        self._ignores_case = False
        self._dot_matches_newline = False
        self._letter = ""  # the last item, if it is a letter that matches in both cases

    def translate(self) -> str:
        result = self._alternatives()
        if self._at < len(self._pattern):
            raise self._error(")")
        return result

    # -- the input -----------------------------------------------------------------------------------------------------

    def _error(self, part: str) -> RecipeError:
        return RecipeError(
            _(
                "EngineError",
                "The regular expression contains {part!r} at position {position}, which is not supported for "
                "Oniguruma.",
            ),
            part=part,
            position=self._at,
        )

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        """Return whether `text` comes next, and consume it."""
        if not self._pattern.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _take_match(self, pattern: "re.Pattern[str]") -> "re.Match[str] | None":
        match = pattern.match(self._pattern, self._at)
        if match:
            self._at = match.end()
        return match

    def _character(self) -> str:
        if self._at >= len(self._pattern):
            raise self._error("")
        self._at += 1
        return self._pattern[self._at - 1]

    # -- groups and repetitions ----------------------------------------------------------------------------------------

    def _alternatives(self) -> str:
        """Translate up to the end of the group. Options that are set in it end with it."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(self._next())
        parts: list[str] = []
        with self._options_restored():
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
        return "".join(parts)

    @contextmanager
    def _options_restored(self) -> Iterator[None]:
        options = self._ignores_case, self._dot_matches_newline
        yield
        self._ignores_case, self._dot_matches_newline = options

    def _group(self) -> str:
        if self._take_match(_COMMENT):
            return ""
        match = self._take_match(_OPTIONS)
        if match and match["on"] + (match["off"] or ""):
            with self._options_restored():
                return self._with_options(match)
        self._at = match.start() if match else self._at
        kind = next(filter(self._take, _GROUP_KINDS), "")
        if not kind and not self._take_match(_GROUP_NAME) and self._next() == "?":
            raise self._error("(" + self._pattern[self._at : self._at + 3])
        return self._repeated(self._closed("(" + (kind or "?:")))

    def _closed(self, opening: str) -> str:
        inner = self._alternatives()
        if not self._take(")"):
            raise self._error("")
        return f"{opening}{inner})"

    def _with_options(self, match: "re.Match[str]") -> str:
        """Translate `(?i:...)`, or `(?i)`, which holds up to the end of the group, for later alternatives too."""
        off = match["off"] or ""
        self._ignores_case = ("i" in match["on"] or self._ignores_case) and "i" not in off
        self._dot_matches_newline = ("m" in match["on"] or self._dot_matches_newline) and "m" not in off
        opening = "(?i:" if self._ignores_case else "(?-i:"
        is_group = match["end"] == ":"
        return self._repeated(self._closed(opening)) if is_group else f"{opening}{self._alternatives()})"

    def _repeated(self, part: str) -> str:
        """Return `part` with the quantifier that follows it, if any."""
        at = self._at
        if self._take("*") or self._take("+") or self._take("?"):
            sign = self._pattern[at]
            self._letter = ""
            return self._check_end(part + sign + ("?" if self._take("?") else "+" if self._take("+") else ""))
        match = self._take_match(_REPEAT)
        if match is None:
            return part
        self._letter = ""
        low, high = match["low"] or "0", match["most"] or match["high"]
        if max(len(low), len(high or "")) > _MOST_DIGITS or (high and int(high) < int(low)):
            raise self._error(match.group())
        if not match["comma"] and not match["most"]:
            counted = f"{part}{{{low}}}"
            return self._check_end(f"(?:{counted})?" if self._take("?") else self._repeat_again(counted))
        counted = f"{part}{{{low},{high or ''}}}"
        return self._check_end(f"{counted}?" if self._take("?") else self._repeat_again(counted))

    def _repeat_again(self, counted: str) -> str:
        """Return a counted repetition, repeated if a `+` follows: to Oniguruma that does not make it possessive."""
        return f"(?:{counted})+" if self._take("+") else counted

    def _check_end(self, repeated: str) -> str:
        """Return `repeated`. Raise RecipeError if another quantifier follows."""
        if self._next() in ("*", "+", "?") or _REPEAT.match(self._pattern, self._at):
            raise self._error(self._next())
        return repeated

    # -- single items --------------------------------------------------------------------------------------------------

    def _one(self) -> str:
        at = self._at
        character = self._character()
        match character:
            case "\\":
                return self._escape()
            case "[":
                return self._set(self._class())
            case ".":
                return "(?s:.)" if self._dot_matches_newline else r"[^\n]"
            case "^":
                return _LINE_START
            case "$":
                return _LINE_END
            case "*" | "+" | "?":
                self._at = at
                raise self._error(character)
            case "{" if _REPEAT.match(self._pattern, at):
                self._at = at
                raise self._error(character)
        return self._literal(character)

    def _literal(self, character: str) -> str:
        """Translate a character that matches itself, and in both cases if case is ignored."""
        if self._ignores_case:
            pair = (self._letter + character).lower()
            if not character.isascii() or pair in _LIGATURES:
                raise self._error(f"(?i:…{character}")
            self._letter = character if character.isalpha() else ""
            if character in "iI":  # to `regex`, İ is one of its cases
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
        """Translate a set of characters if case is ignored: which others it matches is known for ASCII letters only."""
        if not self._ignores_case:
            return found
        members = _ESCAPES.sub("", found)
        if not any(map(str.isalpha, members)):
            return f"(?-i:{found})"
        if not members.isascii() or _BEYOND_ASCII.search(found):
            raise self._error(f"(?i:…{found}")
        # To `regex`, İ is an upper case of i.
        return f"(?:(?-i:\u0130)|{found})" if found.startswith("[^") else f"(?:(?-i:(?!\u0130)){found})"

    def _set_escape(self) -> str | None:
        """Translate an escape such as `d` or `p{L}` that stands for a set of characters, if there is one."""
        for letter, meaning in (("s", r"\s"), ("d", _DIGIT), ("h", _HEX)):
            if self._take(letter):
                return meaning
            if self._take(letter.upper()):
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
            raise self._error(rf"\p{match.group() if match else ''}")
        meaning = _PROPERTIES[name]
        return f"[^{meaning}]" if negated is not bool(match[1]) else meaning

    def _code(self) -> str:
        """Return the character that an escape stands for."""
        for code in _CODES:
            if match := self._take_match(code):
                number = int(match[1], 16)
                if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                    raise self._error(match.group())
                return chr(number)
        character = self._character()
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character.isascii() and character.isalnum():
            self._at -= 1
            raise self._error(f"\\{character}")
        return character

    # -- classes -------------------------------------------------------------------------------------------------------

    def _class(self) -> str:
        """Translate a class, whose opening bracket is consumed already."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error("[")
        negation = "^" if self._take("^") else ""
        parts: list[str] = []
        begin = self._at
        while self._at == begin or not self._take("]"):
            if self._take("&&"):
                if not parts or parts[-1] == "&&" or self._next() == "]":
                    raise self._error("&&")
                parts.append("&&")
            else:
                parts.append(self._member(is_first=self._at == begin))
        self._depth -= 1
        return f"[{negation}{''.join(parts)}]"

    def _member(self, *, is_first: bool) -> str:
        """Translate a character, a range or a set in a class."""
        if found := self._member_set():
            if self._next() == "-" and not self._pattern.startswith("-]", self._at):
                raise self._error("-")
            return found
        if self._next() == "-" and not is_first and not self._pattern.startswith("-]", self._at):
            raise self._error("-")
        low = self._member_character()
        if self._next() != "-" or self._pattern[self._at + 1 : self._at + 2] in ("]", ""):
            return _escaped(low)
        self._at += 1
        at = self._at
        if self._member_set():
            self._at = at
            raise self._error("-")
        high = self._member_character()
        if high < low:
            raise self._error(f"{low}-{high}")
        return f"{_escaped(low)}-{_escaped(high)}"

    def _member_set(self) -> str | None:
        if match := self._take_match(_POSIX_CLASS):
            if match[2] not in _POSIX:
                self._at = match.start()
                raise self._error(match.group())
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
