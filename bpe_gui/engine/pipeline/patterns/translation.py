r"""Read a regular expression as one engine does, and write it for another; refuse what may not mean the same.

A `Dialect` says what the engines read differently. What all of them read alike is written as it was; `^`, `$`, `\w`,
`\b`, sets inside sets, `&&`, `{1,3}+` and options such as `(?i)` are written in what they have in common. Every other
construct is refused by name and position, with what to write instead.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _

from .character_sets import CharacterSet, in_both_cases, in_set, outside_set
from .dialects import PROPERTIES, Dialect

_MAX_DEPTH: Final = 64  # of groups and sets
_FEW: Final = 12  # characters of an expression that an error quotes

_UNKNOWN: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, which {engine} reads in its own way. Write it "
    "with characters, sets, groups and repetitions only.",
)
_OPERATOR: Final = _(
    "EngineError",
    "The set in the regular expression contains {part!r} at position {position}, which {engine} may read as an operator "
    "or a range. Write a backslash before each sign that stands for itself.",
)
_CASE: Final = _(
    "EngineError",
    "The regular expression ignores the case of {part!r} at position {position}, which {engine} does in its own way. "
    "Write both cases as a set instead, such as [éÉ].",
)
_PROPERTY: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, which may be another set of characters in "
    "{engine}. Write a general category or a script, such as \\p{{Lu}} or \\p{{Han}}.",
)
_REPETITION: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, which repeats nothing, another repetition or what "
    "may be empty; {engine} reads that in its own way. Repeat a character, a set or a group (?: ) that is not empty.",
)
_LOOKBEHIND: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, inside a look-behind, which {engine} reads in its "
    "own way there. Look behind for characters, sets and counted repetitions only.",
)
_OPTIONS_INSIDE: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}. For {engine}, write options at the very beginning "
    "or for a group, such as (?i:abc).",
)
_BRACKET: Final = _(
    "EngineError",
    "The regular expression lacks a bracket at position {position}, where {part!r} comes next. Close each bracket, and "
    "write a backslash before one that stands for itself.",
)
_EMPTY: Final = _(
    "EngineError",
    "The regular expression can match the empty text, at which {engine} fails or splits differently. Write it so that "
    "each alternative takes a character.",
)

_REPEAT: Final = re.compile(r"\{(?:(?P<low>\d{1,7})(?P<comma>,(?P<high>\d{1,7})?)?|,(?P<most>\d{1,7}))\}", re.ASCII)
_LIKE_REPEAT: Final = re.compile(r"\{[\d,]")
_OPTIONS: Final = re.compile(r"\?(?P<on>[a-z]*)(?:-(?P<off>[a-z]+))?(?P<end>[:)])")
_COMMENT: Final = re.compile(r"\?#[^()\\]*\)")
_PROPERTY_NAME: Final = re.compile(r"\{(\^?)(?:(?:sc|script|gc|general_?category)=)?([\w \-]+)\}|([LMNPSZC])", re.IGNORECASE)
_POSIX_CLASS: Final = re.compile(r"\[:(\^?)([a-z]+):\]")
_CODES: Final = (
    re.compile(r"x([0-7][0-9A-Fa-f])"),  # above that, it is a byte to Oniguruma, not a character
    re.compile(r"u([0-9A-Fa-f]{4})"),
    re.compile(r"x\{([0-9A-Fa-f]{1,8})\}"),
)
_WRITTEN_ALIKE: Final = 2
"""How many of these escapes all engines know."""
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_MULTIPLE: Final = frozenset({"ss", "st", "ff", "fi", "fl"})
"""Pairs of letters that match a single character, such as `ß` or `ﬁ`, where case is ignored."""

# Letters in both cases, which all read alike: without i, which has more forms in Turkish to `regex`, and without pairs
# that are also ligatures.
_CASELESS: Final = re.compile(
    r"\?i:(?!\||[^)]*(?:\|\||\|\)|[sS][sStT]|[fF][fFlL]))(?:['|A-HJ-Za-hj-z]|\[[A-HJ-Za-hj-z]+\])+\)"
)


class _Part(NamedTuple):
    """A translated part, and whether it can match the empty text; whether it looks around only, and takes nothing."""

    text: str
    is_empty: bool = False
    is_anchor: bool = False


def translate(pattern: str, source: Dialect, target: Dialect) -> str:
    r"""Return the regular expression that means in the dialect `target` what `pattern` means in `source`.

    Raise RecipeError, which names the construct and its position in code points, for what is not known to be
    translatable, and for an expression that can match the empty text unless both dialects are known to agree then.

    >>> from .dialects import ONIGURUMA, PYTHON, RUST
    >>> translate(r"\p{N}{1,3}+|\s+$", ONIGURUMA, PYTHON), translate(r"[a-z&&[^b]]$", RUST, PYTHON)
    ('(?:\\p{N}{1,3})+|\\s+(?=\\n|\\Z)', '(?:(?![b])[a-z])\\Z')
    """
    return _Translation(pattern, source, target).translate()


class _Translation:
    """A pass over an expression from left to right. The methods consume what they translate."""

    def __init__(self, pattern: str, source: Dialect, target: Dialect) -> None:
        self._pattern = pattern
        self._source = source
        self._target = target
        self._at = 0
        self._depth = 0
        self._options = frozenset[str]()
        self._is_behind = False
        self._letter = ""  # the last item, if it is a letter that matches in both cases

    def translate(self) -> str:
        whole = self._alternatives()
        if self._at < len(self._pattern):
            raise self._error(_BRACKET, self._at)
        if whole.is_empty and not self._source.can_be_empty:
            raise self._error(_EMPTY, 0)
        return whole.text

    # -- the input -----------------------------------------------------------------------------------------------------

    def _error(self, sentence: str, start: int) -> RecipeError:
        part = self._pattern[start : max(self._at, start + 1)][:_FEW]
        other = self._target if self._source.engine == "regex" else self._source
        return RecipeError(sentence, part=part, position=start, engine=other.engine)

    def _next(self, count: int = 1) -> str:
        return self._pattern[self._at : self._at + count]

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
            raise self._error(_BRACKET, self._at)
        self._at += 1
        return self._pattern[self._at - 1]

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(_UNKNOWN, self._at)
        yield
        self._depth -= 1

    # -- groups and repetitions ----------------------------------------------------------------------------------------

    def _alternatives(self) -> _Part:
        """Translate up to the end of the group. Options that are set in it end with it."""
        options = self._options
        texts: list[str] = []
        is_any_empty, is_empty = False, True
        with self._deeper():
            while self._next() not in ("", ")"):
                if self._take("|"):
                    texts.append("|")
                    is_any_empty, is_empty, self._letter = is_any_empty or is_empty, True, ""
                else:
                    start = self._at
                    part = self._repeated(self._one(), start)
                    texts.append(part.text)
                    is_empty &= part.is_empty
        self._options, self._letter = options, ""
        return _Part("".join(texts), is_any_empty or is_empty)

    def _group(self, start: int) -> _Part:
        """Translate a group, whose opening bracket, at `start`, is consumed already."""
        if self._source.names_groups and self._take_match(_COMMENT):
            return _Part("", is_empty=True, is_anchor=True)
        if match := self._take_match(_CASELESS):
            return _Part("(" + match.group())
        if match := self._take_match(_OPTIONS):
            return self._group_with_options(match, start)
        for kind in ("?=", "?!", "?<=", "?<!", "?>"):
            if self._take(kind):
                return self._look_around_or_atom(kind, start)
        if self._source.names_groups and self._take_match(self._source.names_groups):
            return self._closed("(?:")
        if self._next() == "?":
            self._at += 2
            raise self._error(_UNKNOWN, start)
        return self._closed("(")

    def _look_around_or_atom(self, kind: str, start: int) -> _Part:
        if self._is_behind:
            raise self._error(_LOOKBEHIND, start)
        self._is_behind = kind.startswith("?<")
        part = self._closed("(" + kind)
        self._is_behind = False
        return part if kind == "?>" else _Part(part.text, is_empty=True, is_anchor=True)

    def _closed(self, opening: str) -> _Part:
        inner = self._alternatives()
        if not self._take(")"):
            raise self._error(_BRACKET, self._at)
        return _Part(f"{opening}{inner.text})", inner.is_empty)

    def _group_with_options(self, match: "re.Match[str]", start: int) -> _Part:
        """Translate `(?i:...)`, or `(?i)`, which holds up to the end of the group, for later alternatives too."""
        known = self._source.options
        off = match["off"] or ""
        is_group = match["end"] == ":"
        is_known = set(match["on"] + off) <= known.keys() and "u" not in off and (match["on"] or off or is_group)
        if not is_known or (self._source.engine == "regex" and not is_group):
            raise self._error(_CASE if "i" in match["on"] else _UNKNOWN, start)
        before = self._options
        self._options = before | {known[letter] for letter in match["on"]} - {known[letter] for letter in off}
        if is_group:
            part = self._closed("(?:")
            self._options = before
            return part
        if start and not self._source.opens_options_anywhere:
            raise self._error(_OPTIONS_INSIDE, start)
        options = self._options
        inner = self._alternatives()
        self._options = options
        return _Part(f"(?:{inner.text})", inner.is_empty)

    def _repeated(self, part: _Part, start: int) -> _Part:
        """Return `part`, which begins at `start`, with the quantifier that follows it, if any."""
        at = self._at
        if sign := next(filter(self._take, ("*", "+", "?")), ""):
            low, high = int(sign == "+"), 1 if sign == "?" else None
        elif match := self._take_match(_REPEAT):
            low = int(match["low"] or 0)
            high = int(match["most"] or match["high"] or 0) if match["most"] or match["high"] else None
            high = low if match["low"] and not match["comma"] else high
        else:
            return part
        self._letter = ""
        if part.is_anchor or (part.is_empty and high != 1) or (high is not None and high < low):
            raise self._error(_REPETITION, at)
        suffix = next(filter(self._take, ("?", "+")), "")
        if self._next() in ("*", "+", "?") or _REPEAT.match(self._pattern, self._at):
            raise self._error(_REPETITION, at)
        if self._is_behind and (high is None or suffix == "+"):
            raise self._error(_LOOKBEHIND, at)
        counted = part.text + (sign or _count(low, high))
        is_empty = part.is_empty or low == 0
        if sign or not suffix:
            return _Part(counted + suffix, is_empty)
        if self._source.repeats_counts and (suffix == "+" or low == high):
            # The sign repeats the repetition.
            return _Part(f"(?:{counted}){suffix}", is_empty or suffix == "?")
        if suffix == "?":
            return _Part(counted if low == high else counted + "?", is_empty)
        return _Part(f"(?>{counted})" if self._target.repeats_counts else counted + "+", is_empty)

    # -- single items --------------------------------------------------------------------------------------------------

    def _one(self) -> _Part:
        start = self._at
        character = self._character()
        letter, self._letter = self._letter, ""
        match character:
            case "(":
                return self._group(start)
            case "\\":
                self._letter = letter
                return self._escape(start)
            case "[":
                return _Part(self._set(start).expression())
            case ".":
                return _Part(r"[\s\S]" if "dot" in self._options else ".")
            case "^" | "$":
                return self._anchor(character)
            case "*" | "+" | "?":
                raise self._error(_REPETITION, start)
            case "{" if _LIKE_REPEAT.match(self._pattern, start):
                raise self._error(_REPETITION, start)
        self._letter = letter
        return self._literal(character, start)

    def _anchor(self, name: str) -> _Part:
        meaning = self._source.anchors[name]
        if "lines" in self._options and name in "^$":
            meaning = r"(?:\A|(?<=\n))" if name == "^" else r"(?=\n|\z)"
        return _Part(meaning.replace(r"\z", self._target.end), is_empty=True, is_anchor=True)

    def _literal(self, character: str, start: int) -> _Part:
        """Translate a character that matches itself, and in both cases if case is ignored."""
        if "case" not in self._options:
            source = self._pattern[start : self._at]
            return _Part(source if _is_written_alike(source) else outside_set(character))
        members = self._in_both_cases(character, character, start)
        if self._source.folds_many and (self._letter + character).lower() in _MULTIPLE:
            raise self._error(_CASE, start)
        self._letter = character if character.isalpha() else ""
        return _Part(outside_set(character) if len(members) == len(in_set(character)) else f"[{members}]")

    def _in_both_cases(self, low: str, high: str, start: int) -> str:
        members = in_both_cases(low, high)
        if members is None or (self._source.engine == "regex" and "i" in members):  # which has more forms in Turkish
            raise self._error(_CASE, start)
        return members

    def _escape(self, start: int) -> _Part:
        """Translate an escape outside sets, whose backslash, at `start`, is consumed already."""
        letter = self._next()
        word = CharacterSet(self._source.word)
        if letter and letter in self._source.anchors and letter not in "^$":
            self._at += 1
            return self._anchor(letter)
        if letter in ("b", "B") and letter and self._next(2)[1:] != "{":
            self._at += 1
            return self._boundary(word, is_negated=letter == "B")
        if letter and letter in self._source.escapes and not self._is_behind:
            self._at += 1
            return _Part(self._source.escapes[letter])
        found = self._set_escape(start, word)
        if found is None:
            return self._literal(self._code(start), start)
        self._letter = ""
        return _Part(self._pattern[start : self._at] if self._is_kept(found, start) else found.expression())

    def _is_kept(self, found: CharacterSet, start: int) -> bool:
        """Return whether the escape that begins at `start` means to the target what it means to the source."""
        source = self._pattern[start : self._at]
        return source in (r"\w", r"\W") and self._source.word == self._target.word or _is_escape(found, source)

    def _boundary(self, word: CharacterSet, *, is_negated: bool) -> _Part:
        text = rf"\{'B' if is_negated else 'b'}"
        if self._source.word != self._target.word:
            inside = word.expression()
            both, neither = f"(?<={inside})(?={inside})", f"(?<!{inside})(?!{inside})"
            first, last = f"(?<={inside})(?!{inside})", f"(?<!{inside})(?={inside})"
            text = f"(?:{both}|{neither})" if is_negated else f"(?:{first}|{last})"
        return _Part(text, is_empty=True, is_anchor=True)

    def _set_escape(self, start: int, word: CharacterSet) -> CharacterSet | None:
        """Translate an escape such as `d` or `p{L}` that stands for a set of characters, if there is one."""
        letter = self._next()
        if letter in ("w", "W"):
            self._at += 1
            return word.negated(letter == "W")
        if letter and letter in "sSdD":
            self._at += 1
            return CharacterSet("\\" + letter)
        if letter.lower() in self._source.sets:
            self._at += 1
            return CharacterSet(self._source.sets[letter.lower()], is_negated=letter.isupper())
        if letter in ("p", "P"):
            return self._property(start, negated=self._character() == "P")
        return None

    def _property(self, start: int, *, negated: bool) -> CharacterSet:
        match = self._take_match(_PROPERTY_NAME)
        name = re.sub(r"[ _\-]", "", match[2] or match[3]).lower() if match else ""
        members = self._source.properties.get(name) or PROPERTIES.get(name)
        if match is None or members is None or (match[3] and self._source.folds_many):
            raise self._error(_PROPERTY, start)
        negated = negated is not bool(match[1])
        if "case" in self._options and members[3:-1] in self._source.folded:
            if members != r"\p{L}" or self._source.engine == "regex":
                raise self._error(_CASE, start)
            members += "\u0345"  # a mark whose other case is a letter
        if negated and members.startswith(r"\p{") and members.count("\\") == 1 and members.endswith("}"):
            return CharacterSet(rf"\P{members[2:]}")
        return CharacterSet(members, is_negated=negated)

    def _code(self, start: int) -> str:
        """Return the character that an escape stands for."""
        is_python = self._source.engine == "regex"
        for code in _CODES[:_WRITTEN_ALIKE] if is_python else _CODES:
            if match := self._take_match(code):
                number = int(match[1], 16)
                if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                    raise self._error(_UNKNOWN, start)
                return chr(number)
        character = self._character()
        if character in _CONTROLS and not (is_python and character in "ae"):
            return _CONTROLS[character]
        if not character.isascii() or character.isalnum() or (character in "<>" and self._source.engine == "tiktoken"):
            raise self._error(_UNKNOWN, start)
        return character

    # -- sets ----------------------------------------------------------------------------------------------------------

    def _set(self, start: int) -> CharacterSet:
        """Translate a set, whose opening bracket, at `start`, is consumed already."""
        with self._deeper():
            is_negated = self._take("^")
            begin = self._at
            left, operator, current = CharacterSet(), "", CharacterSet()
            while self._at == begin or not self._take("]"):
                sign = self._operator(is_first=current == CharacterSet())
                if sign and operator not in ("", sign):
                    raise self._error(_OPERATOR, self._at - len(sign))
                if sign:
                    left, operator, current = (left.combined(operator, current) if operator else current), sign, CharacterSet()
                else:
                    current = current.joined(self._member(is_first=self._at == begin))
            if operator and current == CharacterSet():
                raise self._error(_OPERATOR, self._at - 1)
            whole = left.combined(operator, current) if operator else current
            if "case" in self._options and self._source.folds_many:
                self._check_case(whole, operator, start)
        return whole.negated(is_negated)

    def _check_case(self, whole: CharacterSet, operator: str, start: int) -> None:
        """Raise RecipeError for a set that ignores case by adding what its sets match in another case."""
        text = self._pattern[start + 1 : self._at - 1]
        letters = re.sub(r"\\(?:[pP]\{\w+\}|x..|u....|[a-zA-Z])", "", text)
        if any(map(str.isalpha, letters)) and (operator or whole.others or re.search(r"\\[pPsSwWdDhH]|\[", text)):
            raise self._error(_CASE, start)

    def _operator(self, *, is_first: bool) -> str:
        """Consume an operator, if one comes next. Raise RecipeError for what could be taken for one."""
        sign = self._next(2)
        if sign not in ("&&", "--", "~~", "||"):
            return ""
        if sign not in self._source.operators or is_first or self._pattern[self._at + 2 : self._at + 3] in sign + "]":
            if sign == "||" and self._source.engine != "regex":
                return ""
            raise self._error(_OPERATOR, self._at)
        self._at += 2
        return sign

    def _member(self, *, is_first: bool) -> CharacterSet:
        """Translate a character, a range or a set inside a set."""
        start = self._at
        found = self._member_set()
        ends_before_sign = self._next() == "-" and self._next(2) not in ("-]", *self._source.operators)
        if found is not None:
            if ends_before_sign:
                raise self._error(_OPERATOR, self._at)
            return found
        if ends_before_sign and not is_first:
            raise self._error(_OPERATOR, self._at)
        low = self._member_character()
        if self._next() != "-" or self._next(2) in ("-]", "-", "--"):
            return self._range(low, low, start)
        self._at += 1
        if self._next() == "[" or self._next(2)[1:] in tuple("sSdDwWpPhH") and self._next() == "\\":
            raise self._error(_OPERATOR, self._at - 1)
        high = self._member_character()
        if high < low:
            raise self._error(_OPERATOR, start)
        return self._range(low, high, start)

    def _range(self, low: str, high: str, start: int) -> CharacterSet:
        if "case" in self._options:
            return CharacterSet(self._in_both_cases(low, high, start))
        source = self._pattern[start : self._at]
        written = [in_set(low)] if low == high else [in_set(low), in_set(high)]
        if source.count("\\") and all(map(_is_written_alike, re.findall(r"\\(?:x..|u....|.)|[^-]", source))):
            return CharacterSet(source)
        return CharacterSet("-".join(written))

    def _member_set(self) -> CharacterSet | None:
        start = self._at
        if self._next() == "[" and not self._source.posix:
            raise self._error(_OPERATOR, start)
        if match := self._take_match(_POSIX_CLASS):
            if match[2] not in self._source.posix:
                raise self._error(_PROPERTY, start)
            if "case" in self._options and not self._source.folds_many:
                raise self._error(_CASE, start)
            return CharacterSet(self._source.posix[match[2]], is_negated=bool(match[1]))
        if self._take("["):
            if self._next() in (":", "]") or self._next(2) == "^]":
                raise self._error(_OPERATOR, start)
            return self._set(start)
        if not self._take("\\"):
            return None
        found = self._set_escape(start, CharacterSet(self._source.word_in_class))
        if found is None:
            self._at = start
        elif self._next_is_word(start) and self._source.word_in_class == self._target.word_in_class:
            return CharacterSet(self._pattern[start : self._at])
        return found

    def _next_is_word(self, start: int) -> bool:
        return self._pattern[start : self._at] in (r"\w", r"\W")

    def _member_character(self) -> str:
        start = self._at
        character = self._character()
        if character != "\\":
            return character
        if self._source.engine != "regex" and self._take("b"):
            return "\b"
        return self._code(start)


def _count(low: int, high: int | None) -> str:
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


def _is_written_alike(source: str) -> bool:
    """Return whether all engines read the source of a single character alike, as it is."""
    if len(source) == 1:
        return source not in r"\.+*?()[]{}|^$" and (source.isprintable() or not source.isascii())
    return re.fullmatch(r"\\(?:[rntf]|x[0-7][0-9A-Fa-f]|u[0-9A-Fa-f]{4}|[!-/:;=?@\[-`{-~])", source) is not None


def _is_escape(found: CharacterSet, source: str) -> bool:
    r"""Return whether a set is written as a single escape outside brackets, as `\d` or `\p{L}`."""
    return not found.is_negated and found.members == source
