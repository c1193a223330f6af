"""Sets of characters as regular expressions, in the syntax that `regex`, Oniguruma and Rust read alike."""

import re
from typing import Final, NamedTuple

from bpe_gui.engine.text.character_classes import CATEGORIES, general_categories

_ANY: Final = r"[\s\S]"
_NONE: Final = rf"(?:(?!{_ANY}){_ANY})"
_ESCAPE: Final = re.compile(r"\\(?:[pP]\{\w+\}|[sSdDwW])")
_ESCAPES: Final = re.compile(rf"{_ESCAPE.pattern}|\\.")
_SYNONYMS: Final = {r"\d": r"\p{Nd}", r"\D": r"\P{Nd}", r"\s": r"\p{White_Space}", r"\S": r"\P{White_Space}"}
_SPECIAL: Final = frozenset(r"\.+*?()[]{}|^$")
_SPECIAL_IN_SET: Final = frozenset(r"\[]^-&~|")
_BEYOND_ASCII: Final = {"k": "\u212a", "s": "\u017f"}
"""Letters beyond ASCII that match an ASCII letter where case is ignored."""


class CharacterSet(NamedTuple):
    """A set: `members` are written between brackets, `others` are expressions that match one character each."""

    members: str = ""
    others: tuple[str, ...] = ()
    is_negated: bool = False

    def expression(self) -> str:
        r"""Return an expression that matches one character of the set.

        >>> CharacterSet("a-z").expression(), CharacterSet("a", ("[^b]",), True).expression()
        ('[a-z]', '(?:(?!(?:[a]|[^b]))[\\s\\S])')
        """
        if not (self.members or self.others):
            return _ANY if self.is_negated else _NONE
        if has_everything(self.members):
            return _NONE if self.is_negated else _ANY
        if self.is_negated and not self.others:
            return f"[^{self.members}]"
        alternatives = ((f"[{self.members}]",) if self.members else ()) + self.others
        either = alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"
        return f"(?:(?!{either}){_ANY})" if self.is_negated else either

    def outside(self) -> str:
        r"""Return the same without brackets if it is a single escape such as `\d`."""
        is_escape = _ESCAPE.fullmatch(self.members) and not self.others and not self.is_negated
        return self.members if is_escape else self.expression()

    def complement(self) -> "CharacterSet":
        """Return all other characters."""
        if _ESCAPE.fullmatch(self.members) and not self.others and not self.is_negated:
            return CharacterSet(_other_case(self.members))
        return self._replace(is_negated=not self.is_negated)

    def joined(self, other: "CharacterSet") -> "CharacterSet":
        """Return the characters of one or both sets."""
        if self == CharacterSet():
            return other
        one, two = (CharacterSet(others=(each.expression(),)) if each.is_negated else each for each in (self, other))
        return CharacterSet(one.members + two.members, one.others + two.others)

    def combined(self, operator: str, other: "CharacterSet") -> "CharacterSet":
        """Return the characters of both sets (`&&`), of this one only (`--`), or of exactly one of them (`~~`)."""
        this, that = self.expression(), other.expression()
        match operator:
            case "&&" if other.is_negated:
                result = f"(?!{other._replace(is_negated=False).expression()}){this}"
            case "&&":
                result = f"(?={that}){this}"
            case "--":
                result = f"(?!{that}){this}"
            case _:
                result = f"(?!{that}){this}|(?!{this}){that}"
        return CharacterSet(others=(f"(?:{result})",))


def _other_case(escape: str) -> str:
    return "\\" + escape[1].swapcase() + escape[2:]


def has_everything(members: str) -> bool:
    r"""Return whether two of the members complement each other, as `\s\S`, which `regex` reads wrongly after `^`."""
    escapes = {_SYNONYMS.get(escape, escape) for escape in _ESCAPES.findall(members)}
    return any(_other_case(escape) in escapes for escape in escapes if _ESCAPE.fullmatch(escape))


def in_set(low: str, high: str = "") -> str:
    """Return how a character, or the range up to another one, is written between brackets."""
    ends = [_escaped(character, _SPECIAL_IN_SET) for character in dict.fromkeys((low, high or low))]
    return "-".join(ends)


def outside_set(character: str) -> str:
    """Return how a character that stands for itself is written outside brackets."""
    return _escaped(character, _SPECIAL)


def _escaped(character: str, special: frozenset[str]) -> str:
    if character in special:
        return "\\" + character
    return character if character.isprintable() or not character.isascii() else f"\\x{ord(character):02x}"


def in_both_cases(low: str, high: str) -> str | None:
    """Return the members of a range where case is ignored; None if only the tables of an engine could tell them.

    >>> in_both_cases("a", "c"), in_both_cases("K", "K"), in_both_cases("!", "!"), in_both_cases("é", "é")
    ('a-cA-C', 'Kk\u212a', '!', None)
    """
    if not all(map(_is_caseless, range(max(ord(low), 0x80), ord(high) + 1))):
        return None
    members = in_set(low, high)
    for first, last in (("a", "z"), ("A", "Z")):
        begin, end = max(low, first), min(high, last)
        if begin <= end:
            members += in_set(begin.swapcase(), end.swapcase())
            members += "".join(more for key, more in _BEYOND_ASCII.items() if begin.lower() <= key <= end.lower())
    return members


def _is_caseless(code: int) -> bool:
    """Return whether a character has no other case and can be no part of one: not a letter with case or a mark."""
    character = chr(code)
    is_cased = CATEGORIES[general_categories()[code]] in {"Lu", "Ll", "Lt", "Lm", "Mn", "Mc", "Me"}
    return not is_cased and character.lower() == character == character.upper()
