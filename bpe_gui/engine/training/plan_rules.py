"""Forbid merges by named rules, such as the longest token allowed, and tokens by regular expressions."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Self

from bpe_gui.engine.runtime.errors import EngineError, TrainingError
from bpe_gui.engine.runtime.lazy import expression
from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import Edge, Expression, Sequence
from bpe_gui.engine.text.utf8 import is_utf8

_MAX: Final = 1_000_000_000
_FIRST_LEAD: Final = 0xC0
"""Bytes from this one on begin a character of several bytes; bytes from 0x80 up to it continue one."""

_LETTER_OF_A_SCRIPT: Final = r"(?V1)[\p{L}--\p{Script=Common}--\p{Script=Inherited}]"
_ASCII_DIGIT: Final = re.compile(rb"[0-9]")
_DIGIT: Final = r"\p{N}"
_LETTER: Final = r"\p{L}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that forbids merges: its name, and its limit if it has one, such as `max-bytes=16`.

    - `max-bytes`, `max-characters`, `max-words`: the longest token. Words are separated by white space, and a character
      that is split over tokens counts in each of them.
    - `no-letters-with-digits`: no token has both letters and digits.
    - `no-mixed-scripts`: the letters of a token belong to one Unicode script.
    - `no-leading-space`: white space never merges with what follows it.
    - `character-boundaries`: a token is whole characters or the first bytes of one, never both (Land and Arnett, arXiv
      2505.24689). Two tokens may merge if both are whole, or if neither is, the left one begins with the first byte of
      a character and the right one does not.

    End-of-word markers do not count. Raises TrainingError for an unknown name, or a limit that is not valid.

    >>> str(Rule.of("max-bytes=16")), Rule.of("no-mixed-scripts").limit
    ('max-bytes=16', None)
    >>> Rule.of("max-words=1").vetoes(b"the", b" cat")
    True
    """

    name: str
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise TrainingError("Unknown rule {rule!r}. The rules are {rules}.", rule=self.name, rules=tuple(RULES))
        if not RULES[self.name].has_limit:
            if self.limit is not None:
                raise TrainingError(
                    "The rule {rule} does not take a limit. Write only the name of the rule.", rule=self.name
                )
        elif type(self.limit) is not int or not 1 <= self.limit <= _MAX:
            raise TrainingError(
                "The limit of the rule {rule} must be an integer from 1 to {most:,}, not {value!r}.",
                rule=self.name,
                most=_MAX,
                value=self.limit,
            )

    @classmethod
    def of(cls, rule: "str | Rule") -> Self:
        """Return the rule written as `name` or `name=limit`. A rule is returned unchanged."""
        if isinstance(rule, cls):
            return rule
        name, has_limit, limit = str(rule).partition("=")
        if has_limit and not (limit.isascii() and limit.isdigit() and len(limit) <= len(str(_MAX))):
            raise TrainingError(
                "The limit of the rule {rule} must be an integer from 1 to {most:,}, not {value!r}.",
                rule=name,
                most=_MAX,
                value=limit,
            )
        return cls(name, int(limit) if has_limit else None)

    def __str__(self) -> str:
        return self.name if self.limit is None else f"{self.name}={self.limit}"

    def vetoes(self, left: bytes, right: bytes) -> bool:
        """Return whether the rule forbids merging two tokens."""
        left, right = without_marker(left), without_marker(right)
        return bool(left and right) and RULES[self.name].vetoes(left, right, self.limit or 0)


@dataclass(frozen=True, slots=True)
class RuleKind:
    """The check of a rule: a function of the left token, the right one and the limit."""

    vetoes: Callable[[bytes, bytes, int], bool]
    has_limit: bool = False


def without_marker(token: bytes) -> bytes:
    """Return a token without an end-of-word marker at its beginning or end."""
    return token.removeprefix(END_OF_WORD).removesuffix(END_OF_WORD)


def _is_longer(left: bytes, right: bytes, limit: int) -> bool:
    return len(left) + len(right) > limit


def _has_more_characters(left: bytes, right: bytes, limit: int) -> bool:
    return _is_longer(left, right, limit) and _count_characters(left + right) > limit


def _count_characters(token: bytes) -> int:
    """Return the number of characters in a token, including incomplete ones."""
    continuation = sum(byte & 0xC0 == 0x80 for byte in token)
    begins_inside = token[0] & 0xC0 == 0x80
    return len(token) - continuation + begins_inside


def _has_more_words(left: bytes, right: bytes, limit: int) -> bool:
    return len(_text(left + right).split()) > limit


def _mixes_letters_and_digits(left: bytes, right: bytes, _limit: int) -> bool:
    token = left + right
    if token.isascii() and not _ASCII_DIGIT.search(token):
        return False
    text = _text(token)
    return expression(_DIGIT).search(text) is not None and expression(_LETTER).search(text) is not None


def _mixes_scripts(left: bytes, right: bytes, _limit: int) -> bool:
    token = left + right
    if token.isascii():
        return False
    return len({_script_of(letter) for letter in expression(_LETTER_OF_A_SCRIPT).findall(_text(token))}) > 1


def _begins_with_space(left: bytes, right: bytes, _limit: int) -> bool:
    return _text(left)[-1].isspace() and not _text(right)[0].isspace()


def _crosses_character_boundary(left: bytes, right: bytes, _limit: int) -> bool:
    if left.isascii() and right.isascii():
        return False
    are_whole = is_utf8(left), is_utf8(right)
    if any(are_whole):
        return not all(are_whole)
    return left[0] < _FIRST_LEAD or right[0] >= _FIRST_LEAD


def _text(token: bytes) -> str:
    """Return a token as text. Bytes of incomplete characters become lone surrogates, which are not letters."""
    return token.decode("utf-8", "surrogateescape")


@lru_cache(maxsize=1 << 16)
def _script_of(letter: str) -> str:
    """Return the Unicode script of a letter."""
    return next((script for script in _SCRIPTS if expression(rf"\p{{Script={script}}}").match(letter)), "")


RULES: Final[Mapping[str, RuleKind]] = MappingProxyType(
    {
        "max-bytes": RuleKind(_is_longer, has_limit=True),
        "max-characters": RuleKind(_has_more_characters, has_limit=True),
        "max-words": RuleKind(_has_more_words, has_limit=True),
        "no-letters-with-digits": RuleKind(_mixes_letters_and_digits),
        "no-mixed-scripts": RuleKind(_mixes_scripts),
        "no-leading-space": RuleKind(_begins_with_space),
        "character-boundaries": RuleKind(_crosses_character_boundary),
    }
)
"""The rules by name."""

_SCRIPTS: Final = tuple(
    """
    Latin Han Cyrillic Hiragana Katakana Hangul Arabic Greek Hebrew Devanagari Thai Adlam Ahom Anatolianhieroglyphs
    Armenian Avestan Balinese Bamum Bassavah Batak Bengali Bhaiksuki Bopomofo Brahmi Buginese Buhid
    Canadianaboriginal Carian Caucasianalbanian Chakma Cham Cherokee Chorasmian Coptic Cuneiform Cypriot Cyprominoan
    Deseret Divesakuru Dogra Duployan Egyptianhieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic
    Grantha Gujarati Gunjalagondi Gurmukhi Hanifirohingya Hanunoo Hatran Imperialaramaic Inscriptionalpahlavi
    Inscriptionalparthian Javanese Kaithi Kannada Kawi Kayahli Kharoshthi Khitansmallscript Khmer Khojki Khudawadi
    Lao Lepcha Limbu Lineara Linearb Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen
    Masaramgondi Medefaidrin Meeteimayek Mendekikakui Meroiticcursive Meroitichieroglyphs Miao Modi Mongolian Mro
    Multani Myanmar Nabataean Nagmundari Nandinagari Newa Newtailue Nko Nushu Nyiakengpuachuehmong Ogham Olchiki
    Oldhungarian Olditalic Oldnortharabian Oldpermic Oldpersian Oldsogdian Oldsoutharabian Oldturkic Olduyghur Oriya
    Osage Osmanya Pahawhhmong Palmyrene Paucinhau Phagspa Phoenician Psalterpahlavi Rejang Runic Samaritan
    Saurashtra Sharada Shavian Siddham Sinhala Sogdian Sorasompeng Soyombo Sundanese Sylotinagri Syriac Tagalog
    Tagbanwa Taile Taitham Taiviet Takri Tamil Tangsa Tangut Telugu Thaana Tibetan Tifinagh Tirhuta Toto Ugaritic
    Vai Vithkuqi Wancho Warangciti Yezidi Yi Zanabazarsquare
    """.split()  # noqa: SIM905
)
"""Unicode's scripts that have letters, common ones first. Newer ones count as a single script."""


def check_expression(expression: str) -> None:
    """Raise TrainingError for a regular expression that is not valid, or that cannot become an automaton."""
    try:
        automaton_of_tokens(expression)
    except EngineError as error:
        raise TrainingError(
            "The expression {expression!r} for banned tokens cannot be used. {reason}",
            expression=expression,
            reason=error,
        ) from error


@lru_cache(maxsize=1 << 16)
def is_whole_match(expression: str, token: str) -> bool:
    """Return whether an expression matches a whole token.

    >>> is_whole_match("e?st", "est"), is_whole_match("e?st", "fast")
    (True, False)
    """
    return any(True for _match in automaton_of_tokens(expression).matches(token))


@lru_cache(maxsize=1 << 10)
def automaton_of_tokens(expression: str) -> Automaton:
    """Return the automaton that matches a whole text if the expression does. Raise RecipeError."""
    root = parse(expression, may_be_empty=True).root
    return Automaton(Expression(expression, Sequence((Edge(is_end=False), root, Edge(is_end=True))), ()))


class PlanStepError(TrainingError):
    """A plan gives a merge that cannot be made. `step` counts from 1, as in the window."""

    def __init__(self, template: str, *, step: int, **values: object) -> None:
        super().__init__(template, step=step, **values)
        self.step = step


def as_in_file(error: EngineError) -> EngineError:
    """Return an error that also gives the step as plan files have it, counted from 0, if it is about a step."""
    if not isinstance(error, PlanStepError):
        return error
    return TrainingError(
        "{reason} In the file, where steps count from 0, this is step {step:,}.", reason=error, step=error.step - 1
    )
