"""Sets of characters as regular expressions, in the syntax that `regex`, Oniguruma and Rust read alike."""

from typing import Final, NamedTuple

from bpe_gui.engine.text.character_classes import CATEGORIES, general_categories

_ANY: Final = r"[\s\S]"
_IN_SET: Final = frozenset(r"\[]^-&~|")
_OUTSIDE: Final = frozenset(r"\.+*?()[]{}|^$")
_BEYOND_ASCII: Final = {"k": "\u212a", "s": "\u017f"}
"""What else matches an ASCII letter where case is ignored."""


class CharacterSet(NamedTuple):
    """A set: `members` are written between brackets, `others` are expressions that match one character each."""

    members: str = ""
    others: tuple[str, ...] = ()
    is_negated: bool = False

    def expression(self) -> str:
        r"""Return an expression that matches one character of the set.

        >>> CharacterSet("a-z").expression(), CharacterSet("a", (r"[^b]",), True).expression()
        ('[a-z]', '(?:(?!(?:[a]|[^b]))[\\s\\S])')
        """
        alternatives = ((f"[{self.members}]",) if self.members else ()) + self.others
        if not alternatives:
            return _ANY if self.is_negated else rf"(?!{_ANY}){_ANY}"
        if self.is_negated and not self.others:
            return f"[^{self.members}]"
        either = alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"
        return f"(?:(?!{either}){_ANY})" if self.is_negated else either

    def joined(self, other: "CharacterSet") -> "CharacterSet":
        """Return the union with another set."""
        if self == CharacterSet():
            return other
        one, two = self._positive(), other._positive()
        return CharacterSet(one.members + two.members, one.others + two.others)

    def _positive(self) -> "CharacterSet":
        """Return the same set without negation."""
        return CharacterSet(others=(self.expression(),)) if self.is_negated else self

    def negated(self, is_negated: bool = True) -> "CharacterSet":
        """Return the complement, if `is_negated`."""
        return self._replace(is_negated=self.is_negated is not is_negated)

    def combined(self, operator: str, other: "CharacterSet") -> "CharacterSet":
        """Return the characters of both sets (`&&`), of the first only (`--`), or of one of the two (`~~`)."""
        left, right = self.expression(), other.expression()
        match operator:
            case "&&" if other.is_negated:
                return CharacterSet(others=(f"(?:(?!{other.negated().expression()}){left})",))
            case "&&":
                return CharacterSet(others=(f"(?:(?={right}){left})",))
            case "--":
                return CharacterSet(others=(f"(?:(?!{right}){left})",))
        return CharacterSet(others=(f"(?:(?!{right}){left}|(?!{left}){right})",))


def in_set(character: str) -> str:
    """Return how a character is written between brackets."""
    return _escaped(character, _IN_SET)


def outside_set(character: str) -> str:
    """Return how a character that stands for itself is written outside brackets."""
    return _escaped(character, _OUTSIDE)


def _escaped(character: str, special: frozenset[str]) -> str:
    if character in special:
        return "\\" + character
    return character if character.isprintable() or not character.isascii() else f"\\x{ord(character):02x}"


def in_both_cases(low: str, high: str) -> str | None:
    """Return the members of a range where case is ignored; None if only tables of Unicode could tell them.

    >>> in_both_cases("a", "c"), in_both_cases("K", "K"), in_both_cases("!", "!"), in_both_cases("é", "é")
    ('a-cA-C', 'Kk\u212a', '!', None)
    """
    codes = range(ord(low), ord(high) + 1)
    if not all(map(_is_caseless, codes[max(0, 0x80 - codes.start) :])):
        return None
    members = _range(low, high)
    for first, last in (("a", "z"), ("A", "Z")):
        begin, end = max(low, first), min(high, last)
        if begin <= end:
            members += _range(begin.swapcase(), end.swapcase())
            members += "".join(
                other for letter, other in _BEYOND_ASCII.items() if begin.lower() <= letter <= end.lower()
            )
    return members


def _range(low: str, high: str) -> str:
    return in_set(low) if low == high else f"{in_set(low)}-{in_set(high)}"


def _is_caseless(code: int) -> bool:
    """Return whether a character has no other case, and is no part of one that has: not a letter with case or a mark."""
    character = chr(code)
    is_cased = CATEGORIES[general_categories()[code]] in {"Lu", "Ll", "Lt", "Lm", "Mn", "Mc", "Me"}
    return not is_cased and character.lower() == character == character.upper()
