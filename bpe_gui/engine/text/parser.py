"""Read a regular expression as one engine does."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError, RecipeError

from .character_sets import EVERYTHING, CharacterSet, characters_with_long_folds, in_any_case, long_folds, property_set
from .dialects import END_OF_LINE, NO_BREAK, ONIGURUMA, PYTHON, RUST, START_OF_LINE, Dialect, Option
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
    UntranslatableError,
    can_be_empty,
    on_one_line,
    too_long_error,
)

_MAX_CHARACTERS: Final = 10_000
_MAX_DEPTH: Final = 64  # of groups and sets
_MAX_RANGES: Final = 300_000
"""The most ranges in the sets of an expression, which take about half a second."""

_MAX_CASED: Final = 3_000  # characters
_MAX_DIGITS: Final = 7
_QUOTED: Final = 12  # characters of an expression in a sentence
_FIRST_OPTIONS: Final = re.compile(r"\(\?(V[01]|[a-zA-Z]+)\)")
_OPTIONS: Final = re.compile(r"\?([a-zA-Z]*)(?:-([a-zA-Z]+))?:")
_POSIX: Final = re.compile(r"\[:(\^?)(\w+):\]", re.ASCII)
_FUZZY: Final = re.compile(r"[\d\s<=,eids]{0,100}[eids]|\s")
_PROPERTY: Final = re.compile(r"(?P<set>\[\^?)?\\(?:[wWsSdD]|[pP](?:\{[^{}]*\}|\w))(?(set)\])")
"""A property, or a set that contains only one."""

_LOOKS: Final = {"?=": (False, False), "?!": (False, True), "?<=": (True, False), "?<!": (True, True)}
_ASCII: Final = CharacterSet(((0, 0x7F),))
_KINDS: Final = {
    **dict.fromkeys(("gc", "generalcategory"), "gc="),
    **dict.fromkeys(("sc", "script"), "sc="),
    **dict.fromkeys(("scx", "scriptextensions"), "scx="),
}
_CASED: Final = frozenset({"gc=lu", "gc=ll", "gc=lt", "upper", "lower", "[:upper:]", "[:lower:]"})
"""The properties that `regex` replaces by others when case is ignored, except in sets of several members."""

_SYNONYMS: Final = {
    **{"gc=uppercaseletter": "gc=lu", "gc=lowercaseletter": "gc=ll", "gc=titlecaseletter": "gc=lt"},
    **{"uppercase": "upper", "lowercase": "lower"},
}


@lru_cache(maxsize=64)
def parse(pattern: str, dialect: Dialect = PYTHON, *, may_be_empty: bool = False) -> Expression:
    """Return the syntax tree of an expression. Raise RecipeError for one that is not valid.

    Raise UntranslatableError for anything that we do not support although the dialect may. That includes an expression
    that can match the empty text, unless it `may_be_empty` or we know how the engine goes on after an empty match.

    >>> parse("[a-c]").root.members.ranges
    ((97, 99),)
    """
    if len(pattern) > _MAX_CHARACTERS:
        raise too_long_error()
    return _Parser(pattern, dialect).parse(may_be_empty=may_be_empty)


def empty_error() -> UntranslatableError:
    """Return the error for an expression that can match the empty text."""
    return UntranslatableError(
        "The regular expression can match the empty text. Let it match at least one character, for example with + "
        "instead of *."
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
        self._nests, self._folds_several = dialect.nests, dialect.folds_several
        self._is_behind = False
        self._has_captures = False
        self._folded: dict[int, str] = {}
        """The case foldings of literals, by position. Several may match one character, such as ss and ß."""
        # Only for `regex`:
        self._has_complement = False  # in the current set
        self._folded_at: set[int] = set()  # positions of characters whose case is ignored
        self._properties_at: set[int] = set()  # positions of properties whose case is ignored only among alternatives
        self._misread_at: set[int] = set()  # positions of characters that no match may begin with if case is ignored

    def parse(self, *, may_be_empty: bool) -> Expression:
        """Read the whole expression."""
        if self._dialect is not PYTHON and (surrogate := re.search("[\ud800-\udfff]", self._pattern)):
            raise self._invalid(UNKNOWN, surrogate.start())
        # Only the beginning can switch on options for the whole expression.
        while match := self._take_match(_FIRST_OPTIONS):
            if self._dialect is PYTHON and match[1] in ("V0", "V1"):
                self._nests = self._folds_several = match[1] == "V1"
            else:
                self._options = self._switched(match[1], "", 0)
        alternatives = self._alternatives(0)
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

    def _invalid(self, reason: EngineError, position: int) -> RecipeError:
        return RecipeError(
            "The regular expression is not valid at position {position}: {reason}.", position=position, reason=reason
        )

    def _untranslatable(self, position: int) -> UntranslatableError:
        return UntranslatableError(
            "The regular expression contains “{part}” at position {position}, which is not supported.",
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

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._untranslatable(self._at)
        yield
        self._depth -= 1

    # -- options -------------------------------------------------------------------------------------------------------

    def _switched(self, on: str, off: str, start: int) -> frozenset[Option]:
        """Return the options after switching some on and off by their letters."""
        known = self._dialect.options
        if not set(on + off) <= known.keys() or set(on) & set(off):
            raise self._untranslatable(start)
        return (self._options | {known[letter] for letter in on}) - {known[letter] for letter in off}

    @property
    def _ignores_case(self) -> bool:
        return "ignores case" in self._options

    @property
    def _misreads_cases(self) -> bool:
        """Whether `regex` ignores the case of some sets in a way that depends on the rest of the expression."""
        return self._dialect is PYTHON and self._ignores_case

    # -- groups --------------------------------------------------------------------------------------------------------

    def _alternatives(self, start: int) -> list[tuple[Node, int, int]]:
        """Read up to the end of the group. Return its alternatives, each with its start and stop."""
        found: list[tuple[Node, int, int]] = []
        with self._deeper():
            while True:
                items: list[Node] = []
                while self._next() not in ("", "|", ")"):
                    items.append(self._repeated())
                found.append((self._sequence(items, start), start, self._at))
                if not self._take("|"):
                    return found
                start = self._at

    def _sequence(self, items: list[Node], start: int) -> Node:
        flat = [each for item in items for each in (item.items if isinstance(item, Sequence) else (item,))]
        if self._dialect is RUST and any(map(_is_misread, flat, flat[1:], flat[2:])):
            raise self._untranslatable(start)
        letters = ""
        for each in flat if self._folded else ():
            folded = self._folded.get(each.start, "") if isinstance(each, Characters) else ""
            letters = (letters + folded)[-3:] if folded else ""
            if any(map(letters.endswith, long_folds())):
                raise self._untranslatable(start)
        return flat[0] if len(flat) == 1 else Sequence(tuple(flat))

    def _choice(self, alternatives: list[tuple[Node, int, int]]) -> Node:
        (first, start, _stop), *others = alternatives
        if not others:
            return first
        nodes = [node for node, _start, _stop in alternatives]
        if any(isinstance(node, Characters) and node.start in self._properties_at for node in nodes):
            raise self._untranslatable(start)
        return Choice(tuple(nodes))

    def _closed(self) -> Node:
        alternatives = self._alternatives(self._at)
        if not self._take(")"):
            raise self._invalid(EARLY_END, self._at)
        return self._choice(alternatives)

    def _group(self, start: int) -> Node:
        """Read the rest of the group whose opening bracket is at `start`."""
        if match := self._take_match(_OPTIONS):
            before, self._options = self._options, self._switched(match[1], match[2] or "", start)
            node = self._closed()
            self._options = before
            return node
        for kind, (is_behind, is_negated) in _LOOKS.items():
            if self._take(kind):
                return self._look(start, is_behind=is_behind, is_negated=is_negated)
        if self._take("?>"):
            return _atomic(self._closed())
        if self._take_match(self._dialect.group_name) or self._next() not in ("?", "*"):
            self._has_captures = True
            return self._closed()
        if self._next() == "*" and self._dialect is RUST:
            raise self._invalid(NOTHING_TO_REPEAT, start + 1)
        self._at += 2
        raise self._untranslatable(start)

    def _look(self, start: int, *, is_behind: bool, is_negated: bool) -> Node:
        if self._is_behind:
            raise self._untranslatable(start)
        self._is_behind = is_behind
        item = self._closed()
        self._is_behind = False
        if is_behind and not _is_bounded(item):
            raise self._untranslatable(start)
        return Look(item, is_behind, is_negated)

    # -- repetitions ---------------------------------------------------------------------------------------------------

    def _repeated(self) -> Node:
        """Read an item and how often it repeats."""
        start = self._at
        item = self._item(start)
        counts = self._counts()
        if counts is None:
            return item
        low, high, is_counted = counts
        choices = item.alternatives if isinstance(item, Choice) and self._dialect is ONIGURUMA else (item,)
        if high == 0 or any(map(_is_condition, choices)) or (high != 1 and can_be_empty(item)):
            raise self._untranslatable(start)
        sign = "?" if self._take("?") else "+" if self._take("+") else ""
        if self._next() in ("*", "+", "?") or self._dialect.count.match(self._pattern, self._at):
            raise self._untranslatable(self._at)
        if is_counted and self._dialect.repeats_counts and (sign == "+" or (sign == "?" and low == high)):
            item = _repeat(item, low, high, "")
            if sign == "+" and can_be_empty(item):
                raise self._untranslatable(start)
            low, high, sign = (1, None, "") if sign == "+" else (0, 1, "")
        return _repeat(item, low, high, sign)

    def _counts(self) -> tuple[int, int | None, bool] | None:
        """Read a quantifier. Return the least and the greatest count, and whether it is written with digits."""
        for sign, low, high in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self._take(sign):
                return low, high, False
        start = self._at
        match = self._take_match(self._dialect.count)
        if match is None:
            return None
        if max(map(len, filter(None, match.group("low", "high", "most"))), default=0) > _MAX_DIGITS:
            raise too_long_error()
        low, most = int(match["low"] or 0), match["most"] or match["high"]
        high = int(most) if most else None if match["comma"] or match["low"] is None else low
        if high is not None and high < low:
            raise self._invalid(BACKWARDS, start) if self._dialect is PYTHON else self._untranslatable(start)
        return low, high, True

    # -- single items --------------------------------------------------------------------------------------------------

    def _item(self, start: int) -> Node:
        """Read a group, an anchor, a set or a character."""
        match character := self._character():
            case "(":
                return self._group(start)
            case "[":
                return self._characters(self._whole_set(start), start)
            case ".":
                return self._characters(
                    EVERYTHING if "dot matches breaks" in self._options else NO_BREAK.members, start
                )
            case "^" | "$":
                if "anchors match at lines" in self._options:
                    return START_OF_LINE if character == "^" else END_OF_LINE
                return self._dialect.nodes[character]
            case "*" | "+" | "?":
                raise self._invalid(NOTHING_TO_REPEAT, start)
            case "{" if self._dialect.count.match(self._pattern, start) or (
                self._dialect is PYTHON and _FUZZY.match(self._pattern, self._at)
            ):
                raise self._untranslatable(start)
            case "\\":
                return self._escape(start)
        return self._literal(character, start)

    def _escape(self, start: int) -> Node:
        """Read the rest of an escape outside sets whose backslash is at `start`."""
        name = self._next()
        if name in ("b", "B"):
            self._at += 1
            if self._next() == "{":
                raise self._untranslatable(start)
            return self._boundary(start, is_negated=name == "B")
        if name.isalpha() and name in self._dialect.nodes:
            self._at += 1
            return self._dialect.nodes[name]
        members = self._property(start)
        if members is not None:
            return self._characters(members, start)
        return self._literal(self._code(start), start)

    def _boundary(self, start: int, *, is_negated: bool) -> Node:
        word = Characters(self._named(r"\w", start))
        sides = [
            Sequence((Look(word, True, before), Look(word, False, after)))
            for before, after in (((False, False), (True, True)) if is_negated else ((True, False), (False, True)))
        ]
        return Choice(tuple(sides))

    def _characters(self, members: CharacterSet, start: int) -> Node:
        if self._misreads_cases:
            self._folded_at.add(start)
        may_matter = self._has_complement or self._misreads_cases  # comparing large sets takes milliseconds
        if self._dialect is PYTHON and may_matter and members & in_any_case(PYTHON.key, ~members):
            # It has some characters without their other cases.
            if self._has_complement:
                self._misread_at.add(start)
            if self._misreads_cases and _PROPERTY.fullmatch(self._pattern, start, self._at):
                self._properties_at.add(start)
        self._has_complement = False
        return Characters(members, start, self._at)

    def _literal(self, character: str, start: int) -> Node:
        """Return the node of a literal character, with its other cases if case is ignored."""
        members = _range(character, character)
        if not self._ignores_case:
            return self._characters(members, start)
        if self._folds_several:
            if ord(character) in characters_with_long_folds():
                raise self._untranslatable(start)
            self._folded[start] = character.casefold()
        self._folded_at.add(start)
        return Characters(in_any_case(self._dialect.key, members), start, self._at)

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
        if character.isalpha() and not self._dialect.keeps_letters:
            raise self._invalid(UNKNOWN, start)
        return character

    # -- properties ----------------------------------------------------------------------------------------------------

    def _counted(self, members: CharacterSet) -> CharacterSet:
        self._ranges += len(members.ranges)
        if self._ranges > _MAX_RANGES:
            raise too_long_error()
        return members

    def _complement(self, members: CharacterSet, start: int) -> CharacterSet:
        self._has_complement = True
        if self._dialect is RUST and _has_gap(members):
            raise self._untranslatable(start)  # Rust's complement is wrong on both sides of the surrogates
        return self._counted(~members)

    def _in_any_case(self, members: CharacterSet) -> CharacterSet:
        """Return a set together with the other cases of its characters, if case is ignored."""
        if not self._ignores_case:
            return members
        self._ranges += min(sum(last - first for first, last in members.ranges), _MAX_CASED)
        return in_any_case(self._dialect.key, self._counted(members))

    def _named(self, name: str, start: int) -> CharacterSet:
        """Return the set of a property."""
        found = property_set(self._dialect.key, name)
        if found is None:
            raise self._untranslatable(start)
        return self._counted(found)

    def _property(self, start: int, begin: int | None = None) -> CharacterSet | None:
        """Read an escape for a set of characters, such as `d` or `p{L}`, if there is one.

        `begin` is where the enclosing set begins.
        """
        letter = self._next()
        if not letter or letter.lower() not in self._dialect.sets + "p":
            return None
        self._at += 1
        is_negated = letter.isupper()
        if letter in "pP":
            match = self._take_match(self._dialect.property_name)
            if match is None:
                raise self._untranslatable(start)
            name = self._property_name(match, start)
            is_negated ^= bool(match["sign"])
        else:
            name = f"\\{letter.lower()}" if begin is None else f"[\\{letter.lower()}]"
        found = self._named(name, start)
        if self._misreads_cases and (begin is None or _PROPERTY.match(self._pattern, begin)):
            if name in _CASED:
                raise self._untranslatable(start)
        elif self._dialect.folds != "whole":
            found = self._in_any_case(found)
        return self._complement(found, start) if is_negated else found

    def _property_name(self, match: "re.Match[str]", start: int) -> str:
        """Return the name of a property in `character_sets`."""
        kind, name = (
            re.sub(r"[ _\-]", "", each or "").lower() for each in (match["kind"], match["name"] or match["letter"])
        )
        kinds = ("gc=", "sc=", "") if not kind else (_KINDS[kind],) if kind in _KINDS else ()
        short = name.removeprefix("is")
        for each in (*(prefix + name for prefix in kinds), *(prefix + short for prefix in kinds)):
            if property_set(self._dialect.key, each) is not None and not (each.startswith("gc=") and name != short):
                return _SYNONYMS.get(each, each)
        raise self._untranslatable(start)

    # -- sets ----------------------------------------------------------------------------------------------------------

    def _whole_set(self, start: int) -> CharacterSet:
        """Read the rest of an outermost set whose opening bracket is at `start`."""
        found, is_negated = self._set(start)
        if self._dialect.folds == "whole":
            found = self._in_any_case(found)
        if self._ignores_case and self._folds_several and not is_negated and found & characters_with_long_folds():
            raise self._untranslatable(start)
        if is_negated and self._has_complement and self._misreads_cases:
            raise self._untranslatable(start)
        return self._complement(found, start) if is_negated else found

    def _set(self, start: int) -> tuple[CharacterSet, bool]:
        """Read the rest of a set after its opening bracket. Return its members, and whether it is negated."""
        is_negated = self._take("^")
        with self._deeper():
            found, first = self._union(start), ""
            while sign := self._operator():
                place = self._at
                self._at += 2
                if self._next() in {*sign, "]", ""} or (first or sign) != sign or self._misreads_cases:
                    raise self._untranslatable(place)
                first = sign
                other = self._union(start)
                if sign not in ("&&", "--") or (self._dialect is RUST and (_has_gap(found) or _has_gap(other))):
                    raise self._untranslatable(place)
                found = self._counted(found & other if sign == "&&" else found - other)
        if not self._take("]"):
            raise self._invalid(EARLY_END, self._at)
        most = found | _ASCII if self._dialect is ONIGURUMA else found
        if is_negated and self._dialect is not RUST and most == EVERYTHING:
            raise self._untranslatable(start)  # the engines contradict themselves
        return found, is_negated

    def _operator(self) -> str:
        """Return the operator between sets that comes next, or an empty string."""
        return self._next(2) if self._nests and self._next(2) in self._dialect.operators else ""

    def _union(self, start: int) -> CharacterSet:
        """Read members up to an operator or the end of the set."""
        found: list[CharacterSet] = []
        begin = self._at
        if self._operator():
            raise self._untranslatable(begin)
        while (self._next() != "]" and not self._operator()) or self._at == begin:
            found += self._members(start, is_first=self._at == begin)
        members = CharacterSet.of(*(each for members in dict.fromkeys(found) for each in members.ranges))
        return self._counted(self._in_any_case(members) if self._dialect.folds == "sets" else members)

    def _members(self, start: int, *, is_first: bool) -> list[CharacterSet]:
        """Read a character, a range or a set inside a set."""
        place = self._at
        low = self._element(start, is_first=is_first)
        if low == "-" and self._operator():
            raise self._untranslatable(place)
        if self._dialect is not PYTHON and self._next(3) in ("--]", "-&&"):
            raise self._untranslatable(self._at)
        if not self._is_at_range() or (isinstance(low, CharacterSet) and self._dialect.ranges_of_sets):
            return [self._as_members(low)]
        if isinstance(low, CharacterSet) or (is_first and low == "-" and self._dialect is not PYTHON):
            raise self._untranslatable(place)
        self._at += 1
        if self._next() == "[" and self._nests:
            raise self._untranslatable(place)
        high = self._element(start, is_first=False)
        if isinstance(high, CharacterSet):
            if not self._dialect.ranges_of_sets:
                raise self._untranslatable(place)
            return [self._as_members(low), self._as_members("-"), high]
        if high < low:
            raise self._invalid(BACKWARDS, place)
        if self._is_at_range() and self._dialect is not PYTHON:
            raise self._untranslatable(place)
        return [self._literal_members(_range(low, high))]

    def _literal_members(self, members: CharacterSet) -> CharacterSet:
        return self._in_any_case(members) if self._dialect.folds == "members" else members

    def _is_at_range(self) -> bool:
        return self._next() == "-" and self._next(2) != "-]" and not self._operator()

    def _as_members(self, element: CharacterSet | str) -> CharacterSet:
        if isinstance(element, CharacterSet):
            return element
        return self._literal_members(_range(element, element))

    def _element(self, start: int, *, is_first: bool) -> CharacterSet | str:
        """Read a character, or a set, which cannot end a range. The enclosing set begins at `start`."""
        place = self._at
        if match := self._take_match(_POSIX):
            name = f"[:{match[2].lower()}:]"
            if (self._dialect is not PYTHON and not match[2].islower()) or (self._misreads_cases and name in _CASED):
                raise self._untranslatable(place)
            found = self._named(name, place)
            found = found if self._dialect.folds == "whole" else self._in_any_case(found)
            return self._complement(found, place) if match[1] else found
        if self._next(2) == "[:" and ":]" in self._pattern[self._at :]:
            raise self._untranslatable(place)
        if self._nests and self._take("["):
            if self._next() == "]" or self._next(2) == "^]" or self._misreads_cases:
                raise self._untranslatable(place)
            found, is_negated = self._set(place)
            return self._complement(found, place) if is_negated else found
        character = self._character()
        if character == "\\":
            members = self._property(place, start)
            if members is not None:
                return members
            if re.match("[ABNORXZz]", self._next()):
                raise self._untranslatable(place)
            return "\b" if self._take("b") else self._code(place)
        is_odd = character == "]" or (character == "-" and self._next() != "]" and self._dialect is not PYTHON)
        if is_odd and not is_first:
            raise self._untranslatable(place)
        return character


def _firsts(node: Node) -> set[Characters]:
    """Return the characters a match can begin with, but not one that all alternatives share, as in `(?i:'s|'t)`."""
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


def _range(first: str, last: str) -> CharacterSet:
    return CharacterSet(((ord(first), ord(last)),))


def _has_gap(members: CharacterSet) -> bool:
    return 0xD7FF in members and 0xE000 in members and 0xD800 not in members


def _repeat(item: Node, low: int, high: int | None, sign: str) -> Node:
    """Return the simplest node for a repetition."""
    if low == high == 1:
        return _atomic(item) if sign == "+" else item
    if low == high and (sign == "?" or isinstance(item, Characters)):
        sign = ""
    return Repeat(item, low, high, "possessive" if sign == "+" else "lazy" if sign == "?" else "greedy")


def _atomic(item: Node) -> Node:
    """Return the simplest node for an atomic group."""
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
    """Return whether all engines treat a node in a look-behind alike."""
    match node:
        case Characters() | Edge(is_end=False):
            return True
        case Sequence(items) | Choice(items):
            return all(map(_is_bounded, items))
        case Repeat(item, _low, high, mode):
            return high is not None and mode != "possessive" and _is_bounded(item)
    return False


def _is_misread(first: Node, middle: Node, last: Node) -> bool:
    """Return whether fancy-regex 0.19 takes the last node for optional, as it does in `x+y*x+` and `x*y*?x*`."""
    if not (isinstance(first, Repeat) and isinstance(last, Repeat) and first.item == last.item):
        return False
    are_greedy = first.mode == last.mode == "greedy" and first.high is None and last.high is None
    if not are_greedy or _is_condition(middle) or not can_be_empty(middle):
        return False
    return (isinstance(middle, Repeat) and middle.mode == "lazy") or bool(first.low and last.low)
