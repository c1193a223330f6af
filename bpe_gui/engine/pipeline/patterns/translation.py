r"""Read a regular expression as one engine does, and write it for another; refuse what may not mean the same.

A `Dialect` says what the engines read differently. What all of them read alike is written as it was; `^`, `$`, `\w`,
`\b`, sets inside sets, `&&`, `{1,3}+` and options such as `(?i)` are written in what they have in common. Every other
construct is refused by name and position, with what to write instead.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.text.regex_stand_ins import keeps_range

from . import refusals
from .character_sets import CharacterSet, has_everything, in_both_cases, in_set, outside_set
from .dialects import ONIGURUMA, PROPERTIES, PYTHON, Dialect, Option

_MAX_DEPTH: Final = 64  # of groups and sets

_REPEAT: Final = re.compile(r"\{(?:(?P<low>\d{1,7})(?P<comma>,(?P<high>\d{1,7})?)?|,(?P<most>\d{1,7}))\}", re.ASCII)
_LIKE_REPEAT: Final = re.compile(r"\{[\d,]")
_OPTIONS: Final = re.compile(r"\?(?P<on>[a-zA-Z]*)(?:-(?P<off>[a-zA-Z]+))?(?P<end>[:)])")
_COMMENT: Final = re.compile(r"\?#[^()\\]*\)")
_POSIX_CLASS: Final = re.compile(r"\[:(\^?)([a-z]+):\]")
_SET_ESCAPE: Final = re.compile(r"\\[pPsSwWdDhH]|\[")
_ESCAPE_IN_SET: Final = re.compile(r"\\(?:[pP]\{\W*\w+\}|x..|u....|[a-zA-Z])")
_SET_OF_LETTERS: Final = re.compile(r"\\(?:[SwWDhHP]|p(?!\{[NPSZ][a-z]?\}))")
_SIDES_OF_SURROGATES: Final = (
    re.compile(r"\\p\{Cn\}|\ud7ff|\\u[dD]7[fF]{2}"),
    re.compile(r"\\p\{Co\}|\ue000|\\u[eE]000"),
)
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_READ_ALIKE: Final = re.compile(
    r"[^\\.+*?()\[\]{}|^$\x00-\x1f\x7f]|\\(?:[rntf]|x[01][0-9A-Fa-f]|x7[fF]|u[0-9A-Fa-f]{4}|[!-/:;=?@\[-`{-~])"
)
"""A character that stands for itself, or an escape for one, as all engines read it."""

_READ_ALIKE_IN_SET: Final = re.compile(rf"(?:{_READ_ALIKE.pattern})(?:-(?:{_READ_ALIKE.pattern}))?")

_SEVERAL: Final = frozenset({"ss", "st", "ff", "fi", "fl"})
"""Pairs of letters that match a single character, such as `ß` or `ﬁ`, where case is ignored."""

# Contractions in both cases, which all read alike: without i, which has more cases in Turkish, and without pairs that
# match a single character. They begin with a sign, because `regex` looks for the characters with which a match can
# begin, and if a letter among them ignores case, so do the other sets.
_LETTERS: Final = r"(?:[A-HJ-Za-hj-z]|\[[A-HJ-Za-hj-z]+\])+"
_CONTRACTIONS: Final = re.compile(
    r"\?i:(?![^)]*(?:[sS][sStT]|[fF][fFlL]))"
    rf"(?:(?<='\(\?i:){_LETTERS}(?:\|{_LETTERS})*|'{_LETTERS}(?:\|'{_LETTERS})*)\)"
)


class _Part(NamedTuple):
    """A translated part; whether it can match the empty text, and whether it never takes a character.

    `endless` is what it repeats, if it does so without a greatest count, and as often as possible.
    """

    text: str
    is_empty: bool = False
    is_anchor: bool = False
    endless: str = ""


def translate(pattern: str, source: Dialect, target: Dialect) -> str:
    r"""Return the regular expression that means in the dialect `target` what `pattern` means in `source`.

    Raise RecipeError, which names the construct and its position in code points, for what is not known to be
    translatable, and for an expression that can match the empty text unless it is known what that gives.

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
        self._options: frozenset[Option] = frozenset()
        self._looks_behind = False
        self._letter = ""  # the last item, if it is a letter that matches in both cases

    def translate(self) -> str:
        whole = self._alternatives()
        if self._at < len(self._pattern):
            raise self._error(refusals.BRACKET, self._at)
        if whole.is_empty and not self._source.can_be_empty:
            raise self._error(refusals.EMPTY, 0)
        return whole.text

    # -- the input -----------------------------------------------------------------------------------------------------

    def _error(self, sentence: str, start: int) -> RecipeError:
        engine = self._target.engine if self._source is PYTHON else self._source.engine
        return refusals.error(sentence, self._pattern[start : max(self._at, start + 1)], start, engine)

    def _next(self, count: int = 1) -> str:
        return self._pattern[self._at : self._at + count]

    def _take(self, text: str) -> bool:
        """Return whether `text` comes next, and consume it."""
        if not self._pattern.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _take_one_of(self, texts: Iterable[str]) -> str:
        """Return the first of `texts` that comes next, and consume it; empty if there is none."""
        return next(filter(self._take, texts), "")

    def _take_match(self, pattern: "re.Pattern[str]") -> "re.Match[str] | None":
        match = pattern.match(self._pattern, self._at)
        if match:
            self._at = match.end()
        return match

    def _character(self) -> str:
        if self._at >= len(self._pattern):
            raise self._error(refusals.END, self._at)
        self._at += 1
        return self._pattern[self._at - 1]

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(refusals.UNKNOWN, self._at)
        yield
        self._depth -= 1

    # -- groups --------------------------------------------------------------------------------------------------------

    def _alternatives(self) -> _Part:
        """Translate up to the end of the group. Options that are set in it end with it."""
        options = self._options
        texts: list[str] = []
        is_any_empty, parts = False, list[_Part]()
        with self._deeper():
            while self._next() not in ("", ")"):
                start = self._at
                if self._take("|"):
                    texts.append("|")
                    is_any_empty, parts, self._letter = is_any_empty or _are_empty(parts), [], ""
                else:
                    part = self._repeated(self._one())
                    texts.append(part.text)
                    parts += [part] if part.text else []
                    if self._source.misreads_repeats and _are_misread(parts[-3:]):
                        raise self._error(refusals.AGAIN, start)
        self._options, self._letter = options, ""
        return _Part("".join(texts), is_any_empty or _are_empty(parts))

    def _group(self, start: int) -> _Part:
        """Translate a group, whose opening bracket, at `start`, is consumed already."""
        if self._take_match(_COMMENT):
            return _Part("", is_empty=True, is_anchor=True)
        if match := self._take_match(_CONTRACTIONS):
            return _Part("(" + match.group())
        if match := self._take_match(_OPTIONS):
            return self._group_with_options(match, start)
        if kind := self._take_one_of(("?=", "?!", "?<=", "?<!")):
            return self._look_around(kind, start)
        if self._take("?>"):
            if self._looks_behind:
                raise self._error(refusals.LOOK_BEHIND, start)
            return self._closed("(?>")
        if self._take_match(self._source.group_name):
            return self._closed("(?:")
        if self._next() == "?":
            self._at += 2
            raise self._error(refusals.UNKNOWN, start)
        return self._closed("(")

    def _look_around(self, kind: str, start: int) -> _Part:
        if self._looks_behind:
            raise self._error(refusals.LOOK_BEHIND, start)
        self._looks_behind = kind.startswith("?<")
        text = self._closed("(" + kind).text
        self._looks_behind = False
        return _Part(text, is_empty=True, is_anchor=True)

    def _closed(self, opening: str) -> _Part:
        inner = self._alternatives()
        if not self._take(")"):
            raise self._error(refusals.END, self._at)
        return _Part(f"{opening}{inner.text})", inner.is_empty)

    def _group_with_options(self, match: "re.Match[str]", start: int) -> _Part:
        """Translate `(?i:...)`, or `(?i)`, which holds up to the end of the group, for later alternatives too."""
        known, off = self._source.options, match["off"] or ""
        if not set(match["on"] + off) <= known.keys() or "u" in off or not (match["on"] or off or match["end"] == ":"):
            raise self._error(refusals.CASE if "i" in match["on"] else refusals.UNKNOWN, start)
        before = self._options
        self._options = before | {known[letter] for letter in match["on"]} - {known[letter] for letter in off}
        if match["end"] == ":":
            part = self._closed("(?:")
            self._options = before
            return part
        if self._source.bare_options != "anywhere" and (start or self._source.bare_options == "nowhere"):
            raise self._error(refusals.OPTIONS_INSIDE, start)
        options = self._options
        rest = self._alternatives()
        self._options = options
        return _Part(f"(?:{rest.text})", rest.is_empty)

    # -- repetitions ---------------------------------------------------------------------------------------------------

    def _repeated(self, part: _Part) -> _Part:
        """Return `part` with the quantifier that follows it, if any."""
        start = self._at
        if sign := self._take_one_of("*+?"):
            low, high = int(sign == "+"), 1 if sign == "?" else None
        elif match := self._take_match(_REPEAT):
            low, high = _bounds(match)
        else:
            return part
        self._letter = ""
        if part.is_anchor or (part.is_empty and high != 1) or (high is not None and high < low):
            raise self._error(refusals.REPETITION, start)
        last = self._take_one_of("?+")
        if self._next() in ("*", "+", "?") or _REPEAT.match(self._pattern, self._at):
            raise self._error(refusals.REPETITION, start)
        if self._looks_behind and (high is None or last == "+"):
            raise self._error(refusals.LOOK_BEHIND, start)
        counted = f"{part.text}{sign or _count(low, high)}"
        is_empty = part.is_empty or low == 0
        if sign or not last:
            return _Part(counted + last, is_empty, endless=part.text if high is None and not last else "")
        if self._source.repeats_counts and (last == "+" or low == high):
            return _Part(f"(?:{counted}){last}", is_empty or last == "?")
        if last == "?":
            return _Part(counted if low == high else counted + "?", is_empty)
        return _Part(f"(?>{counted})" if self._target.repeats_counts else counted + "+", is_empty)

    # -- single items --------------------------------------------------------------------------------------------------

    def _one(self) -> _Part:
        """Translate a group, an anchor, a set or a character."""
        start = self._at
        letter, self._letter = self._letter, ""
        match character := self._character():
            case "(":
                return self._group(start)
            case "[":
                return _Part(self._set(start).expression())
            case ".":
                return _Part(r"[\s\S]" if "dot matches line breaks" in self._options else ".")
            case "^" | "$":
                return self._anchor(character)
            case "*" | "+" | "?":
                raise self._error(refusals.REPETITION, start)
            case "{" if _LIKE_REPEAT.match(self._pattern, start):  # of nothing, or a number that is too large
                self._at = len(self._pattern)  # quoted as far as a sentence quotes
                raise self._error(refusals.REPETITION, start)
            case "\\":
                return self._escape(start, letter)
        return self._literal(character, start, letter)

    def _escape(self, start: int, last_letter: str) -> _Part:
        """Translate an escape outside sets, whose backslash, at `start`, is consumed already."""
        name = self._next()
        if name.isalpha() and name in self._source.anchors:
            self._at += 1
            return self._anchor(name)
        if name in ("b", "B") and self._next(2)[1:] != "{":
            self._at += 1
            return self._boundary(is_negated=name == "B")
        if name in self._source.escapes and not self._looks_behind:
            self._at += 1
            return _Part(self._source.escapes[name])
        if found := self._set_escape(start, is_inside=False):
            return _Part(found.outside())
        return self._literal(self._code(start), start, last_letter)

    def _anchor(self, name: str) -> _Part:
        meaning = self._source.anchors[name]
        if "anchors match at lines" in self._options and name in "^$":
            meaning = r"(?:\A|(?<=\n))" if name == "^" else r"(?=\n|\z)"
        return _Part(meaning.replace(r"\z", self._target.end), is_empty=True, is_anchor=True)

    def _boundary(self, *, is_negated: bool) -> _Part:
        text = r"\B" if is_negated else r"\b"
        word = self._word(is_inside=False).outside()
        if word != r"\w":
            both, neither = f"(?<={word})(?={word})", f"(?<!{word})(?!{word})"
            begin, end = f"(?<!{word})(?={word})", f"(?<={word})(?!{word})"
            text = f"(?:{both}|{neither})" if is_negated else f"(?:{begin}|{end})"
        return _Part(text, is_empty=True, is_anchor=True)

    def _literal(self, character: str, start: int, last_letter: str) -> _Part:
        """Translate a character that matches itself, and in both cases if case is ignored."""
        written = self._pattern[start : self._at]
        members = self._members(character, character, start)
        if "ignores case" not in self._options:
            return _Part(written if _READ_ALIKE.fullmatch(written) else outside_set(character))
        if self._source.folds_many and (last_letter + character).lower() in _SEVERAL:
            raise self._error(refusals.CASE, start)
        self._letter = character if character.isalpha() else ""
        return _Part(outside_set(character) if members == in_set(character) else f"[{members}]")

    def _members(self, low: str, high: str, start: int) -> str:
        """Return the members of a set that a range stands for, in both cases if case is ignored."""
        if not high.isascii() and not keeps_range(low, high):
            raise self._error(refusals.NEW, start)
        if "ignores case" not in self._options:
            return in_set(low, high)
        members = in_both_cases(low, high)
        if members is None:
            raise self._error(refusals.CASE, start)
        return members

    def _code(self, start: int) -> str:
        """Return the character that an escape stands for."""
        if match := self._take_match(self._source.codes):
            number = int(match[match.lastindex or 0], 16)
            if number > sys.maxunicode or 0xD800 <= number < 0xE000:
                raise self._error(refusals.UNKNOWN, start)
            return chr(number)
        character = self._character()
        if character in self._source.controls:
            return _CONTROLS[character]
        if not character.isascii() or character.isalnum() or character in self._source.operating_signs:
            raise self._error(refusals.UNKNOWN, start)
        return character

    def _set_escape(self, start: int, *, is_inside: bool) -> CharacterSet | None:
        """Translate an escape such as `d` or `p{L}` that stands for a set of characters, if there is one."""
        name = self._next()
        kind = name.lower()
        if not name or kind not in {"w", "s", "d", "p", *self._source.sets}:
            return None
        self._at += 1
        match kind:
            case "w":
                found = self._word(is_inside=is_inside)
            case "p":
                found = self._property(start, is_inside=is_inside)
            case _:
                found = CharacterSet(self._source.sets.get(kind, "\\" + kind))
        return found.complement() if name.isupper() else found

    def _word(self, *, is_inside: bool) -> CharacterSet:
        ours, theirs = (dialect.word_in_set if is_inside else dialect.word for dialect in (self._source, self._target))
        return CharacterSet(r"\w" if ours == theirs else ours)

    def _property(self, start: int, *, is_inside: bool) -> CharacterSet:
        match = self._take_match(self._source.property_name)
        name = re.sub(r"[ _\-]", "", match["name"] or match["letter"]).lower() if match else ""
        members = self._source.properties.get(name) or PROPERTIES.get(name)
        if match is None or members is None:
            raise self._error(refusals.PROPERTY, start)
        is_folded = "ignores case" in self._options and (is_inside or not self._source.folds_many)
        if is_folded and members[3:-1] in self._source.folded:
            if members != r"\p{L}":
                raise self._error(refusals.CASE, start)
            members += "\u0345"  # a mark whose other case is a letter
        return CharacterSet(members).complement() if match["sign"] else CharacterSet(members)

    # -- sets ----------------------------------------------------------------------------------------------------------

    def _set(self, start: int) -> CharacterSet:
        """Translate a set, whose opening bracket, at `start`, is consumed already."""
        is_negated = self._take("^")
        begin = self._at
        left, operator, right = CharacterSet(), "", CharacterSet()
        with self._deeper():
            while self._at == begin or not self._take("]"):
                if sign := self._operator():
                    left = left.combined(operator, right) if operator else right
                    if right == CharacterSet() or operator not in ("", sign):
                        raise self._error(refusals.OPERATOR, self._at - len(sign))
                    operator, right = sign, CharacterSet()
                else:
                    right = right.joined(self._member(is_first=self._at == begin))
        if operator and right == CharacterSet():
            raise self._error(refusals.OPERATOR, self._at - 1)
        found = left.combined(operator, right) if operator else right
        if "ignores case" in self._options and self._source.folds_many:
            self._check_case(start, is_negated=is_negated)
        written = found.members + "".join(found.others)
        if is_negated and self._source.misses_gap and all(side.search(written) for side in _SIDES_OF_SURROGATES):
            raise self._error(refusals.UNKNOWN, start)
        if is_negated and self._source is ONIGURUMA and has_everything(self._pattern[start : self._at]):
            raise self._error(refusals.OPERATOR, start)  # no character, but some where it is intersected with a set
        if is_negated and not found.is_negated:
            return found._replace(is_negated=True)
        return found.complement() if is_negated else found

    def _check_case(self, start: int, *, is_negated: bool) -> None:
        """Raise RecipeError for a set whose members may match several characters where case is ignored."""
        text = self._pattern[start + 1 : self._at - 1]
        has_letters = any(map(str.isalpha, _ESCAPE_IN_SET.sub("", text)))
        may_match_several = not is_negated and _SET_OF_LETTERS.search(text)
        if "[" in text or "&&" in text or may_match_several or (has_letters and _SET_ESCAPE.search(text)):
            raise self._error(refusals.CASE, start)

    def _operator(self) -> str:
        """Consume an operator, if one comes next. Raise RecipeError for what could be taken for one."""
        sign = self._next(2)
        if sign not in ("&&", "--", "~~"):
            return ""
        self._at += len(sign)
        if sign not in self._source.operators or self._next() in {*sign, "]", ""}:
            raise self._error(refusals.OPERATOR, self._at - len(sign))
        return sign

    def _member(self, *, is_first: bool) -> CharacterSet:
        """Translate a character, a range or a set inside a set."""
        start = self._at
        found = self._member_set()
        could_be_range = self._next() == "-" and self._next(2) not in ("-]", *self._source.operators)
        if could_be_range and (found is not None or not is_first):
            raise self._error(refusals.OPERATOR, self._at)
        if found is not None:
            return found
        low = high = self._member_character()
        if self._next() == "-" and self._next(2) not in ("-]", "-", "--"):
            self._at += 1
            if _SET_ESCAPE.match(self._pattern, self._at):
                raise self._error(refusals.OPERATOR, self._at - 1)
            high = self._member_character()
        if high < low:
            raise self._error(refusals.OPERATOR, start)
        members = self._members(low, high, start)
        written = self._pattern[start : self._at]
        is_kept = "ignores case" not in self._options and "\\" in written and _READ_ALIKE_IN_SET.fullmatch(written)
        return CharacterSet(written if is_kept else members)

    def _member_set(self) -> CharacterSet | None:
        """Translate a set inside a set, if one comes next."""
        start = self._at
        if self._next() == "[" and not self._source.posix:
            raise self._error(refusals.OPERATOR, start)
        if match := self._take_match(_POSIX_CLASS):
            return self._posix(match)
        if self._take("["):
            if self._next() in (":", "]") or self._next(2) == "^]":
                raise self._error(refusals.OPERATOR, start)
            return self._set(start)
        if not self._take("\\"):
            return None
        found = self._set_escape(start, is_inside=True)
        if found is None:
            self._at = start
        return found

    def _posix(self, match: "re.Match[str]") -> CharacterSet:
        if match[2] not in self._source.posix:
            raise self._error(refusals.PROPERTY, match.start())
        if "ignores case" in self._options and not self._source.folds_many:
            raise self._error(refusals.CASE, match.start())
        found = CharacterSet(self._source.posix[match[2]])
        return found.complement() if match[1] else found

    def _member_character(self) -> str:
        start = self._at
        character = self._character()
        if character != "\\":
            return character
        return "\b" if self._source is not PYTHON and self._take("b") else self._code(start)


def _are_empty(parts: Iterable[_Part]) -> bool:
    return all(part.is_empty for part in parts)


def _are_misread(parts: Sequence[_Part]) -> bool:
    """Return whether parts are such as `x+y*x+` or `x*y*?x*`, of which fancy-regex 0.19 takes the last for optional."""
    if len(parts) < 3:
        return False
    first, middle, last = parts
    is_again = _without_group(first.endless) == _without_group(last.endless) != ""
    is_lazy = middle.text.rstrip(")").endswith(("??", "*?", "}?"))
    return is_again and middle.is_empty and not middle.is_anchor and (is_lazy or not (first.is_empty or last.is_empty))


def _without_group(text: str) -> str:
    return re.sub(r"^\((?:\?:)?(.*)\)$", r"\1", text, flags=re.DOTALL)


def _bounds(repeat: "re.Match[str]") -> tuple[int, int | None]:
    """Return the least and the greatest count of a repetition; None if it has no greatest one."""
    low = int(repeat["low"] or 0)
    most = repeat["most"] or repeat["high"]
    if most:
        return low, int(most)
    return low, None if repeat["comma"] else low


def _count(low: int, high: int | None) -> str:
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"
