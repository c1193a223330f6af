"""Read a regular expression as one engine does."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, reduce
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.errors import EngineError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _

from .character_sets import (
    EVERYTHING,
    NOTHING,
    CharacterSet,
    folding_to_several,
    in_any_case,
    property_set,
    several_of_one,
)
from .dialects import END_OF_LINE, NO_BREAK, ONIGURUMA, PYTHON, PYTHON_OPERATORS, RUST, START_OF_LINE, Dialect, Option
from .nfa import UntranslatableError, can_be_empty
from .syntax import (
    BACKWARDS,
    EARLY_END,
    NO_GROUP,
    NOTHING_TO_REPEAT,
    UNKNOWN,
    Atomic,
    Characters,
    Choice,
    Edge,
    Expression,
    Look,
    Node,
    Repeat,
    Sequence,
    on_one_line,
)

_MOST_CHARACTERS: Final = 10_000
_MOST_DEPTH: Final = 64  # of groups and sets
_MOST_RANGES: Final = 300_000
"""The most ranges in the sets of an expression: about half a second."""

_MOST_CASED: Final = 3_000  # characters
_MOST_DIGITS: Final = 7
_QUOTED: Final = 12  # characters of an expression in a sentence
_OPTIONS: Final = re.compile(r"\?(?P<on>(?:[a-zA-Z]|V[01])*)(?:-(?P<off>[a-zA-Z]+))?(?P<end>[:)])")
_COMMENT: Final = re.compile(r"\?#[^()\\]*\)")
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*(?:\n|\Z))+")
_POSIX: Final = re.compile(r"\[:(\^?)(\w+):\]", re.ASCII)
_LOOKS: Final = {"?=": (False, False), "?!": (False, True), "?<=": (True, False), "?<!": (True, True)}
_ASCII: Final = CharacterSet(((0, 0x7F),))
_KINDS: Final = {
    **dict.fromkeys(("gc", "generalcategory"), "gc="),
    **dict.fromkeys(("sc", "script"), "sc="),
    **dict.fromkeys(("scx", "scriptextensions"), "scx="),
}
_CASED: Final = frozenset({"gc=lu", "gc=ll", "gc=lt", "upper", "lower", "[:upper:]", "[:lower:]"})
"""The properties that `regex` reads as others where case is ignored, outside of sets of several members."""

_SYNONYMS: Final = {
    **{"gc=uppercaseletter": "gc=lu", "gc=lowercaseletter": "gc=ll", "gc=titlecaseletter": "gc=lt"},
    **{"uppercase": "upper", "lowercase": "lower"},
}


class _Members(NamedTuple):
    """Characters of a set. `name` is that of the property if it is nothing else, `character` the only one if it is."""

    characters: CharacterSet
    name: str = ""
    character: str = ""
    is_negated: bool = False


@lru_cache(maxsize=64)
def parse(pattern: str, dialect: Dialect = PYTHON, *, may_be_empty: bool = False) -> Expression:
    """Return the syntax tree of an expression. Raise RecipeError for one that is not valid.

    Raise UntranslatableError for what the dialect may have, but a tree cannot say. That is also one that can match the
    empty text, unless it `may_be_empty` or how the engine goes on after that is known.

    >>> parse("[a-c]").root.members.ranges
    ((97, 99),)
    """
    if len(pattern) > _MOST_CHARACTERS:
        raise _too_long()
    return _Parser(pattern, dialect).parse(may_be_empty=may_be_empty)


def empty_error() -> UntranslatableError:
    """Return the error for an expression that can match the empty text."""
    return UntranslatableError(
        _(
            "EngineError",
            "The regular expression can match the empty text. Let it match at least one character, such as by + "
            "instead of *.",
        )
    )


class _Parser:
    """A pass over an expression from left to right. The methods consume what they read."""

    def __init__(self, pattern: str, dialect: Dialect) -> None:
        self._pattern = pattern
        self._dialect = dialect
        self._at = 0
        self._depth = 0
        self._ranges = 0
        self._options: frozenset[Option] = frozenset()
        self._letters = ""  # the last items, as far as they are letters that match in both cases
        self._is_behind = False
        self._has_captures = False
        self._version = 0  # of `regex`
        self._folds_several = dialect.folds_several
        self._has_complement = False  # in the set that is read
        self._properties_at: set[int] = set()  # where `regex` ignores the case of a property only among alternatives
        self._folded_at: set[int] = set()  # where characters are whose case is ignored
        self._misread_at: set[int] = set()  # where characters are that `regex` may not begin with if it ignores case

    def parse(self, *, may_be_empty: bool) -> Expression:
        """Read the whole expression."""
        if self._dialect is not PYTHON and (surrogate := re.search("[\ud800-\udfff]", self._pattern)):
            raise self._invalid(UNKNOWN, surrogate.start())
        alternatives = self._alternatives()
        if self._at < len(self._pattern):
            raise self._invalid(NO_GROUP, self._at)
        root = self._choice(alternatives)
        is_known = may_be_empty or self._dialect.can_be_empty or (self._dialect is PYTHON and _is_condition(root))
        if can_be_empty(root) and not is_known:
            raise empty_error()
        firsts = {each.start for each in _firsts(root)} if self._misread_at else set()
        if len(firsts) > 1 and firsts & self._folded_at and firsts & self._misread_at:
            raise self._untranslatable(0)
        spans = tuple((start, stop) for _node, start, stop in alternatives)
        return Expression(self._pattern, root, spans, self._has_captures)

    # -- the input -----------------------------------------------------------------------------------------------------

    def _invalid(self, reason: str, position: int) -> RecipeError:
        return RecipeError(
            _("EngineError", "The regular expression is not valid at position {position}: {reason}."),
            position=position,
            reason=EngineError(reason),
        )

    def _untranslatable(self, position: int) -> UntranslatableError:
        return UntranslatableError(
            _(
                "EngineError",
                "The regular expression contains “{part}” at position {position}, which is not supported.",
            ),
            part=on_one_line(self._pattern[position : max(self._at, position + 1)][:_QUOTED]),
            position=position,
        )

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
            raise self._invalid(EARLY_END, self._at)
        self._at += 1
        return self._pattern[self._at - 1]

    def _skip_blanks(self) -> bool:
        """Consume white space and comments if options say so, and return whether there were any."""
        if "is spaced" not in self._options:
            return False
        is_skipped = self._take_match(_BLANK) is not None
        if self._next().isspace():  # not to all engines
            raise self._untranslatable(self._at)
        return is_skipped

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise self._untranslatable(self._at)
        yield
        self._depth -= 1

    # -- groups --------------------------------------------------------------------------------------------------------

    def _alternatives(self) -> list[tuple[Node, int, int]]:
        """Read up to the end of the group. Return what it chooses from, where each starts and stops."""
        options, found, start = self._options, list[tuple[Node, int, int]](), self._at
        items: list[Node] = []
        with self._deeper():
            while True:
                self._skip_blanks()
                if self._next() not in ("", "|", ")"):
                    items += self._repeated(is_first=not items)
                    continue
                found.append((self._sequence(items, start), start, self._at))
                if not self._take("|"):
                    break
                items, start, self._letters = [], self._at, ""
        self._options = options
        return found

    def _sequence(self, items: list[Node], start: int) -> Node:
        flat = [each for item in items for each in (item.items if isinstance(item, Sequence) else (item,))]
        if self._dialect is RUST and any(map(_is_misread, flat, flat[1:], flat[2:])):
            raise self._untranslatable(start)
        return flat[0] if len(flat) == 1 else Sequence(tuple(flat))

    def _closed(self) -> Node:
        alternatives = self._alternatives()
        if not self._take(")"):
            raise self._invalid(EARLY_END, self._at)
        return self._choice(alternatives)

    def _choice(self, alternatives: list[tuple[Node, int, int]]) -> Node:
        (first, start, _stop), *others = alternatives
        if not others:
            return first
        nodes = [node for node, _start, _stop in alternatives]
        if any(isinstance(node, Characters) and node.start in self._properties_at for node in nodes):
            raise self._untranslatable(start)
        return Choice(tuple(nodes))

    def _group(self, start: int, *, is_first: bool) -> Node | None:
        """Read a group, whose opening bracket, at `start`, is consumed already. Return None if it matches nothing."""
        if self._take_match(_COMMENT):
            return None
        if match := self._take_match(_OPTIONS):
            return self._group_with_options(match, start, is_first=is_first)
        for kind, (is_behind, is_negated) in _LOOKS.items():
            if self._take(kind):
                return self._look(start, is_behind=is_behind, is_negated=is_negated)
        if self._take("?>"):
            return _atomic(self._closed())
        if self._take_match(self._dialect.group_name) or self._next() not in ("?", "*"):
            self._has_captures = True
            return self._closed()
        if self._take("*") and self._dialect is RUST:
            raise self._invalid(NOTHING_TO_REPEAT, start + 1)
        self._at += 2
        raise self._untranslatable(start)

    def _look(self, start: int, *, is_behind: bool, is_negated: bool) -> Node:
        if self._is_behind:
            raise self._untranslatable(start)
        self._is_behind, self._letters = is_behind, ""
        item = self._closed()
        self._is_behind, self._letters = False, ""
        if is_behind and not _is_bounded(item):
            raise self._untranslatable(start)
        return Look(item, is_behind, is_negated)

    def _group_with_options(self, match: "re.Match[str]", start: int, *, is_first: bool) -> Node | None:
        """Read `(?i:...)`, or `(?i)`, which holds up to the end of the group, for later alternatives too."""
        before, known = self._options, self._dialect.options
        on, off = match["on"], match["off"] or ""
        if self._dialect is PYTHON:
            on = self._options_of_regex(on, start)
        if not set(on + off) <= known.keys() or "u" in off or set(on) & set(off):
            raise self._untranslatable(start)
        if match["end"] == ")" and not (match["on"] or off):
            raise self._untranslatable(start)
        options = (before | {known[letter] for letter in on}) - {known[letter] for letter in off}
        self._options = options
        if match["end"] == ":":
            node = self._closed()
            self._options = before
            return node
        if self._dialect is PYTHON and not self._version and not self._is_beginning(start):
            raise self._untranslatable(start)  # once it held for the whole expression
        if self._dialect is RUST and self._depth > 1:
            raise self._untranslatable(start)  # it may hold after the group, too
        if not self._dialect.option_groups or is_first:
            return None
        alternatives = self._alternatives()
        self._options = before
        return self._choice(alternatives)

    def _is_beginning(self, start: int) -> bool:
        """Return whether there are only options before a place."""
        return re.fullmatch(r"(?:\(\?[a-zA-Z0-9]+\))*", self._pattern[:start]) is not None

    def _options_of_regex(self, letters: str, start: int) -> str:
        """Switch on what only `regex` has, and return the other letters."""
        if "V" in letters and not self._is_beginning(start):
            raise self._untranslatable(start)
        self._version = 1 if "V1" in letters else self._version
        self._folds_several = self._folds_several or bool(self._version) or "f" in letters
        return letters.replace("V1", "").replace("V0", "").replace("f", "")

    # -- repetitions ---------------------------------------------------------------------------------------------------

    def _repeated(self, *, is_first: bool) -> list[Node]:
        """Read an item and how often it repeats."""
        start = self._at
        item = self._item(start, is_first=is_first)
        self._skip_blanks()
        repeat = self._counts()
        if repeat is None:
            return [] if item is None else [item]
        if item is None:
            raise self._untranslatable(start)
        low, high, is_counted = repeat
        if high == 0:
            raise self._untranslatable(start)
        self._letters = ""
        choices = item.alternatives if isinstance(item, Choice) and self._dialect is ONIGURUMA else (item,)
        if any(map(_is_condition, choices)) or (high != 1 and can_be_empty(item)):
            raise self._untranslatable(start)
        sign = "?" if self._take("?") else "+" if self._take("+") else ""
        self._check_end_of_repetition()
        if is_counted and self._dialect.repeats_counts and (sign == "+" or (sign == "?" and low == high)):
            node = _repeat(item, low, high, "")
            if sign == "+" and can_be_empty(node):
                raise self._untranslatable(start)
            return [_repeat(node, int(sign == "+"), 1 if sign == "?" else None, "")]
        return [_repeat(item, low, high, sign)]

    def _counts(self) -> tuple[int, int | None, bool] | None:
        """Read a quantifier. Return the least and the greatest count, and whether it is written with digits."""
        for sign, low, high in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self._take(sign):
                return low, high, False
        start = self._at
        match = self._take_match(self._dialect.count)
        if match is None:
            return None
        if max(map(len, filter(None, match.group("low", "high", "most"))), default=0) > _MOST_DIGITS:
            raise _too_long()
        low, most = int(match["low"] or 0), match["most"] or match["high"]
        high = int(most) if most else None if match["comma"] or match["low"] is None else low
        if high is not None and high < low:
            raise self._invalid(BACKWARDS, start) if self._dialect is PYTHON else self._untranslatable(start)
        return low, high, True

    def _check_end_of_repetition(self) -> None:
        start = self._at
        self._skip_blanks()
        if self._next() in ("*", "+", "?") or self._dialect.count.match(self._pattern, self._at):
            raise self._untranslatable(start)

    # -- single items --------------------------------------------------------------------------------------------------

    def _item(self, start: int, *, is_first: bool) -> Node | None:
        """Read a group, an anchor, a set or a character. Return None for what matches nothing, not even itself."""
        match character := self._character():
            case "(":
                return self._group(start, is_first=is_first)
            case "[":
                return self._characters(self._whole_set(start), start)
            case ".":
                return self._characters(~NOTHING if "dot matches breaks" in self._options else NO_BREAK.members, start)
            case "^" | "$":
                return self._anchor(character)
            case "*" | "+" | "?":
                raise self._invalid(NOTHING_TO_REPEAT, start)
            case "{" if self._dialect.count.match(self._pattern, start) or self._is_fuzzy():
                raise self._untranslatable(start)
            case "\\":
                return self._escape(start)
        return self._literal(character, start)

    def _is_fuzzy(self) -> bool:
        if self._dialect is not PYTHON:
            return "is spaced" in self._options
        return re.match(r"[\d\s<=,eids]*[eids]|\s", self._pattern[self._at : self._at + 100]) is not None

    def _escape(self, start: int) -> Node:
        """Read an escape outside sets, whose backslash, at `start`, is consumed already."""
        name = self._next()
        if name in ("b", "B"):
            self._at += 1
            if self._next() == "{":
                raise self._untranslatable(start)
            return self._boundary(start, is_negated=name == "B")
        if name.isalpha() and name in self._dialect.nodes:
            self._at += 1
            self._letters = ""
            return self._dialect.nodes[name]
        members = self._set_escape(start, is_inside=False)
        if members is not None:
            return self._characters(self._as_outside(members, start), start)
        return self._literal(self._code(start), start)

    def _anchor(self, name: str) -> Node:
        self._letters = ""
        if "anchors match at lines" in self._options:
            return START_OF_LINE if name == "^" else END_OF_LINE
        return self._dialect.nodes[name]

    def _boundary(self, start: int, *, is_negated: bool) -> Node:
        self._letters = ""
        word = Characters(self._named(r"\w", start))
        sides = [
            (Look(word, True, before), Look(word, False, after)) for before in (True, False) for after in (True, False)
        ]
        both, begin, end, neither = sides[3], sides[1], sides[2], sides[0]
        return Choice(tuple(map(Sequence, (both, neither) if is_negated else (begin, end))))

    def _characters(self, members: CharacterSet, start: int) -> Node:
        self._letters = ""
        if self._misreads_cases:
            self._folded_at.add(start)
        if self._dialect is PYTHON and self._has_complement and members & in_any_case(PYTHON.key, _inverted(members)):
            self._misread_at.add(start)  # it has characters that differ only in case from others that it lacks
        self._has_complement = False
        return Characters(members, start, self._at)

    @property
    def _misreads_cases(self) -> bool:
        """Whether `regex` ignores the case of some sets in a way that depends on what else the expression has."""
        return self._dialect is PYTHON and "ignores case" in self._options

    def _literal(self, character: str, start: int) -> Node:
        """Return what a character that stands for itself matches, which is more of them if case is ignored."""
        members = _single(character)
        if "ignores case" not in self._options:
            return self._characters(members, start)
        members = in_any_case(self._dialect.key, members)
        if self._folds_several:
            letters = self._letters + character.casefold()
            if ord(character) in folding_to_several() or any(map(letters.endswith, several_of_one())):
                raise self._untranslatable(start)
            self._letters = letters[-3:]
        self._folded_at.add(start)
        return Characters(members, start, self._at)

    def _code(self, start: int) -> str:
        """Return the character that an escape stands for."""
        if match := self._take_match(self._dialect.codes):
            number = int(match[match.lastindex or 0], 16)
            is_surrogate = 0xD800 <= number < 0xE000 and self._dialect is not PYTHON
            if number > sys.maxunicode or is_surrogate:
                raise self._invalid(UNKNOWN, start)
            return chr(number)
        character = self._character()
        if character in self._dialect.controls:
            return self._dialect.controls[character]
        if not character.isascii() or character.isdigit() or character in self._dialect.unknown:
            raise self._untranslatable(start)
        if character in "<>" and self._dialect is RUST:
            raise self._untranslatable(start)
        if character.isalpha() and not self._dialect.keeps_letters:
            raise self._invalid(UNKNOWN, start)
        return character

    # -- sets ----------------------------------------------------------------------------------------------------------

    def _counted(self, members: CharacterSet) -> CharacterSet:
        self._ranges += len(members.ranges)
        if self._ranges > _MOST_RANGES:
            raise _too_long()
        return members

    def _complement(self, members: CharacterSet, start: int) -> CharacterSet:
        self._has_complement = True
        if self._dialect is RUST and _has_gap(members):
            raise self._untranslatable(start)  # Rust's complement is wrong on both sides of the surrogates
        return self._counted(_inverted(members))

    def _folded(self, members: CharacterSet) -> CharacterSet:
        if "ignores case" not in self._options:
            return members
        self._ranges += min(sum(last - first for first, last in members.ranges), _MOST_CASED)
        return in_any_case(self._dialect.key, self._counted(members))

    def _named(self, name: str, start: int) -> CharacterSet:
        """Return the set of a property."""
        found = property_set(self._dialect.key, name)
        if found is None:
            raise self._untranslatable(start)
        return self._counted(found)

    def _set_escape(self, start: int, *, is_inside: bool) -> _Members | None:
        """Read an escape such as `d` or `p{L}` that stands for a set of characters, if there is one."""
        letter = self._next()
        if not letter or letter.lower() not in self._dialect.sets + "p":
            return None
        self._at += 1
        if letter in "pP":
            match = self._take_match(self._dialect.property_name)
            if match is None:
                raise self._untranslatable(start)
            name = self._property_name(match, start)
            is_negated = (letter == "P") != bool(match["sign"])
        else:
            name = f"\\{letter.lower()}"
            name = f"[{name}]" if is_inside else name
            is_negated = letter.isupper()
        return _Members(self._named(name, start), name, is_negated=is_negated)

    def _property_name(self, match: "re.Match[str]", start: int) -> str:
        """Return the name of a property as `character_sets` has it."""
        kind, name = (
            re.sub(r"[ _\-]", "", each or "").lower() for each in (match["kind"], match["name"] or match["letter"])
        )
        kinds = ("gc=", "sc=", "") if not kind else (_KINDS[kind],) if kind in _KINDS else ()
        short = name.removeprefix("is")
        for each in (*(prefix + name for prefix in kinds), *(prefix + short for prefix in kinds)):
            if property_set(self._dialect.key, each) is not None and not (each.startswith("gc=") and name != short):
                return _SYNONYMS.get(each, each)
        raise self._untranslatable(start)

    def _as_outside(self, members: _Members, start: int) -> CharacterSet:
        """Return the characters of a property outside sets."""
        name, found = members.name, members.characters
        if self._misreads_cases and name in _CASED:
            raise self._untranslatable(start)
        if self._misreads_cases and found & in_any_case(PYTHON.key, _inverted(found)):
            self._properties_at.add(start)
        if self._dialect is RUST and not name.startswith("\\"):
            found = self._folded(found)
        return self._complement(found, start) if members.is_negated else found

    def _as_member(self, members: _Members) -> CharacterSet:
        """Return the characters of a property or a character as a member of a set."""
        found = members.characters
        if self._dialect.folds == "members" or (self._dialect is RUST and members.name and "\\" not in members.name):
            found = self._folded(found)
        return self._complement(found, self._at) if members.is_negated else found

    def _whole_set(self, start: int) -> CharacterSet:
        """Read a set that is not inside another one, whose opening bracket, at `start`, is consumed already."""
        found, single, is_negated = self._raw_set(start)
        if single is not None:
            found = self._as_outside(single, start)
        if "ignores case" not in self._options:
            return self._complement(found, start) if is_negated else found
        if is_negated and self._has_complement and self._misreads_cases:
            raise self._untranslatable(start)
        if self._dialect.folds == "whole":
            found = self._folded(found)
        if self._folds_several and not is_negated and found & folding_to_several():
            raise self._untranslatable(start)
        return self._complement(found, start) if is_negated else found

    def _raw_set(self, start: int) -> tuple[CharacterSet, _Members | None, bool]:
        """Read a set. Return what is in it, that as a property if it is nothing else, and whether it is negated."""
        is_negated = self._take("^")
        with self._deeper():
            found, single = self._operations(self._operators(), start)
        if not self._take("]"):
            raise self._invalid(EARLY_END, self._at)
        most = found | _ASCII if self._dialect is ONIGURUMA else found
        if is_negated and self._dialect is not RUST and most == EVERYTHING:
            raise self._untranslatable(start)  # the engines do not agree with themselves
        return found, single, is_negated

    def _operators(self) -> tuple[tuple[str, ...], ...]:
        return PYTHON_OPERATORS if self._version else self._dialect.operators

    def _signs(self) -> set[str]:
        return {sign for level in self._operators() for sign in level}

    def _operations(self, levels: tuple[tuple[str, ...], ...], start: int) -> tuple[CharacterSet, _Members | None]:
        """Read sets with operators of some levels between them."""
        if not levels:
            return self._union(start)
        *tighter, (*signs,) = levels
        found, single = self._operations(tuple(tighter), start)
        first = ""
        while sign := next((each for each in signs if self._next(2) == each), ""):
            place = self._at
            self._at += 2
            if self._next() in {*sign, "]", ""} or (first or sign) != sign:
                raise self._untranslatable(place)
            if self._misreads_cases:
                raise self._untranslatable(place)
            first = sign
            other, _other_single = self._operations(tuple(tighter), start)
            found, single = self._combined(sign, found, other, place), None
        return found, single

    def _combined(self, sign: str, one: CharacterSet, other: CharacterSet, start: int) -> CharacterSet:
        if self._dialect.folds == "sets":
            one, other = self._folded(one), self._folded(other)
        if self._dialect is RUST and (_has_gap(one) or _has_gap(other)):
            raise self._untranslatable(start)
        match sign:
            case "&&":
                return self._counted(one & other)
            case "--":
                return self._counted(one - other)
            case "||":
                return self._counted(one | other)
        return self._counted((one - other) | (other - one))

    def _union(self, start: int) -> tuple[CharacterSet, _Members | None]:
        """Read members up to the end of the set or an operator."""
        found: list[CharacterSet] = []
        single: _Members | None = None
        begin = self._at
        signs = self._signs()
        while (self._next() != "]" and self._next(2) not in signs) or self._at == begin:
            if self._at == begin and self._next(2) in signs:
                raise self._untranslatable(begin)
            several, single = self._member(start, is_first=self._at == begin)
            found += several
        if len(found) != 1:
            single = None
        members = (
            reduce(CharacterSet.__or__, found)
            if len(found) < 3
            else CharacterSet.of(*(each for members in dict.fromkeys(found) for each in members.ranges))
        )
        return self._counted(self._folded(members) if self._dialect.folds == "sets" else members), single

    def _member(self, start: int, *, is_first: bool) -> tuple[list[CharacterSet], _Members | None]:
        """Read a character, a range or a set inside a set. Return the latter as a property if it is one."""
        place = self._at
        low = self._element(start, is_first=is_first)
        if isinstance(low, list):
            return low, None
        if low.character == "-" and self._next(2) in self._signs():
            raise self._untranslatable(place)
        is_range = self._next() == "-" and self._next(2) not in {"-]", *self._signs()}
        if self._dialect is not PYTHON and self._next(3) in ("--]", "-&&"):
            raise self._untranslatable(self._at)
        if not is_range or (not low.character and self._dialect.ranges_of_sets):
            return [self._as_member(low)], low if low.name and self._dialect is PYTHON else None
        if not low.character or (is_first and low.character == "-" and self._dialect is not PYTHON):
            raise self._untranslatable(place)
        self._at += 1
        high = self._element(start, is_first=False)
        if isinstance(high, list):
            raise self._untranslatable(place)
        if not high.character:
            if not self._dialect.ranges_of_sets:
                raise self._untranslatable(place)
            return [self._as_member(low), self._as_member(_Members(_single("-"))), self._as_member(high)], None
        if high.character < low.character:
            raise self._invalid(BACKWARDS, place)
        if self._next() == "-" and self._next(2) not in {"-]", *self._signs()} and self._dialect is not PYTHON:
            raise self._untranslatable(place)
        return [self._as_member(_Members(_between(low.character, high.character)))], None

    def _element(self, start: int, *, is_first: bool) -> "_Members | list[CharacterSet]":
        """Read an end of a range or what cannot be one. Return a set inside the set as a list."""
        place = self._at
        if match := self._take_match(_POSIX):
            if self._dialect is not PYTHON and not match[2].islower():
                raise self._untranslatable(place)
            name = f"[:{match[2].lower()}:]"
            return _Members(self._named(name, place), name, is_negated=bool(match[1]))
        if self._next(2) == "[:" and ":]" in self._pattern[self._at :]:
            raise self._untranslatable(place)
        if self._next() == "[" and (self._version or self._dialect.nests):
            self._at += 1
            if self._next() == "]" or self._next(2) == "^]" or self._misreads_cases:
                raise self._untranslatable(place)
            found, single, is_negated = self._raw_set(place)
            if single is not None:
                return single._replace(is_negated=single.is_negated != is_negated)
            return [self._complement(found, place) if is_negated else found]
        character = self._character()
        if character == "]" and not is_first:
            raise self._untranslatable(place)
        if character == "\\":
            members = self._set_escape(place, is_inside=True)
            if members is not None:
                return members
            character = "\b" if self._take("b") else self._code_in_set(place)
        elif character == "-" and not is_first and self._next() != "]" and self._dialect is not PYTHON:
            raise self._untranslatable(place)
        return _Members(_single(character), character=character)

    def _code_in_set(self, start: int) -> str:
        if self._next() in ("R", "O", "N", "X", "z", "Z", "A", "B"):
            raise self._untranslatable(start)
        return self._code(start)


@lru_cache(maxsize=1024)
def _single(character: str) -> CharacterSet:
    return CharacterSet(((ord(character), ord(character)),))


def _firsts(node: Node) -> set[Characters]:
    """Return with what a match can begin, without a sign before several letters in any case, as in `(?i:'s|'t)`."""
    match node:
        case Characters():
            return {node}
        case Sequence(items):
            found: set[Characters] = set()
            for item in items:
                found |= _firsts(item)
                if not can_be_empty(item):
                    break
            return found
        case Choice(alternatives):
            heads = {each.items[0] if isinstance(each, Sequence) and each.items else each for each in alternatives}
            return set() if len(heads) == 1 else set().union(*map(_firsts, alternatives))
        case Repeat(item) | Atomic(item) | Look(item):
            return _firsts(item)
    return set()


def _between(low: str, high: str) -> CharacterSet:
    return CharacterSet(((ord(low), ord(high)),))


@lru_cache(maxsize=64)
def _inverted(members: CharacterSet) -> CharacterSet:
    return ~members


def _has_gap(members: CharacterSet) -> bool:
    return 0xD7FF in members and 0xE000 in members and 0xD800 not in members


def _repeat(item: Node, low: int, high: int | None, sign: str) -> Node:
    """Return a repetition as simple as it can be."""
    if low == high == 1:
        return _atomic(item) if sign == "+" else item
    if low == high and (sign == "?" or isinstance(item, Characters)):
        sign = ""
    return Repeat(item, low, high, "possessive" if sign == "+" else "lazy" if sign == "?" else "greedy")


def _atomic(item: Node) -> Node:
    """Return an atomic group as simple as it can be."""
    if isinstance(item, Repeat) and item.mode != "lazy":
        return _repeat(item.item, item.low, item.high, "+")
    return item if isinstance(item, Characters | Look | Edge | Atomic) else Atomic(item)


def _is_condition(node: Node) -> bool:
    """Return whether a node never takes a character."""
    match node:
        case Sequence(items) | Choice(items):
            return all(map(_is_condition, items))
    return isinstance(node, Look | Edge)


def _is_bounded(node: Node) -> bool:
    """Return whether all engines look behind for a node alike."""
    match node:
        case Characters() | Edge():
            return True
        case Sequence(items) | Choice(items):
            return all(map(_is_bounded, items))
        case Repeat(item, _low, high, mode):
            return high is not None and mode != "possessive" and _is_bounded(item)
    return False


def _is_misread(first: Node, middle: Node, last: Node) -> bool:
    """Return whether nodes are such as `x+y*x+` or `x*y*?x*`, of which fancy-regex 0.19 takes the last for optional."""
    if not (isinstance(first, Repeat) and isinstance(last, Repeat) and first.item == last.item):
        return False
    are_greedy = first.mode == last.mode == "greedy" and first.high is None and last.high is None
    if not are_greedy or _is_condition(middle) or not can_be_empty(middle):
        return False
    return (isinstance(middle, Repeat) and middle.mode == "lazy") or bool(first.low and last.low)


def _too_long() -> RecipeError:
    return RecipeError(_("EngineError", "The regular expression is too long or repeats its parts too many times."))
