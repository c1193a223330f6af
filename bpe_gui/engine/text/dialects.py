r"""How regular-expression engines differ, as data for `parser` and `writer`.

The characters of `\w`, `\p{…}`, `[:alpha:]` and so on are in `character_sets`, collected from the engines themselves.

Sources: fancy-regex docs/syntax.md, rust-lang/regex regex-syntax, kkos/oniguruma doc/RE, mrabarnett/mrab-regex.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from .character_sets import EVERYTHING, CharacterSet
from .syntax import Characters, Choice, Edge, Look, Node, Repeat, Sequence

Option = Literal["ignores case", "dot matches breaks", "anchors match at lines"]

_START: Final = Edge(is_end=False)
_END: Final = Edge(is_end=True)
_BREAK: Final = Characters(CharacterSet.of_characters("\n"))
_ANY: Final = Characters(EVERYTHING)
NO_BREAK: Final = Characters(~_BREAK.members)
START_OF_LINE: Final = Choice((_START, Look(_BREAK, is_behind=True)))
END_OF_LINE: Final = Look(Choice((_END, _BREAK)))
_LAST_BREAK: Final = Look(Sequence((Repeat(_BREAK, 0, 1), _END)))
_RETURN: Final = Characters(CharacterSet.of_characters("\r"))
LINE_BREAK: Final = Choice(
    (
        Sequence((_RETURN, _BREAK)),
        Sequence((_RETURN, Look(_BREAK, is_negated=True))),
        Characters(CharacterSet.of_characters("\n\v\f\x85\u2028\u2029")),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dialect:
    r"""The regular expressions of one engine.

    - `engine`: its name in sentences; `key`: its letter in `character_sets`.
    - `nodes`: the nodes of `^`, `$` and escapes, by character. An option can make `^` and `$` match at lines.
    - `controls`: the control characters of escapes, by letter.
    - `codes`: escapes for characters by number.
    - `unknown`: letters of escapes whose meaning has no node. Other letters are invalid, or stand for themselves if
      `keeps_letters`.
    - `sets`: letters of escapes for sets.
    - `property_name`: what may follow `\p`.
    - `operators`: the operators between two sets inside brackets, if `nests`.
    - `nests`: whether a set can contain a set.
    - `ranges_of_sets`: whether `-` next to a set like `\d` stands for itself.
    - `count`: counted quantifiers.
    - `repeats_counts`: whether the last character of `{2}?` and `{1,2}+` is a quantifier of its own.
    - `group_name`: the name at the start of a group.
    - `options`: the letters in `(?i)` and what they switch on.
    - `folds`: where the other cases are added when case is ignored: to each member of a set, to each set, or only to
      the outermost set.
    - `folds_several`: whether a character can match several when case is ignored, as `ß` matches `ss`.
    - `can_be_empty`: whether we know how the engine goes on after an empty match; tiktoken fails.
    """

    engine: str
    key: str
    nodes: Mapping[str, Node]
    controls: Mapping[str, str]
    codes: "re.Pattern[str]"
    unknown: str
    keeps_letters: bool = False
    sets: str
    property_name: "re.Pattern[str]"
    operators: frozenset[str]
    nests: bool = True
    ranges_of_sets: bool = False
    count: "re.Pattern[str]"
    repeats_counts: bool = False
    group_name: "re.Pattern[str]"
    options: Mapping[str, Option]
    folds: Literal["members", "sets", "whole"]
    folds_several: bool = False
    can_be_empty: bool = False


_CONTROLS: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_MORE_CONTROLS: Final = _CONTROLS | {"e": "\x1b"}
_OPTIONS: Final[dict[str, Option]] = {
    "i": "ignores case",
    "s": "dot matches breaks",
    "m": "anchors match at lines",
}
_NAME: Final = r"[A-Za-z_]\w*"
_COUNT: Final = r"\{(?:(?P<low>\d+)(?P<comma>,(?P<high>\d+)?)?|,(?P<most>\d%s))\}"
_PROPERTY: Final = r"\{(?P<sign>\^?)(?:(?P<kind>[\w \-]+)%s)?(?P<name>[\w \-&.]+)\}"

PYTHON: Final = Dialect(
    engine="regex",
    key="p",
    nodes={"^": _START, "$": _LAST_BREAK, "A": _START, "Z": _END, "z": _END, "R": LINE_BREAK},
    controls=_CONTROLS,
    codes=re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})"),
    unknown="ghHGKLmMNX",
    sets="wsd",
    property_name=re.compile(rf"{_PROPERTY % '[:=]'}|(?P<letter>[CLMNPSZ])", re.ASCII),
    operators=frozenset({"&&", "--", "~~", "||"}),
    nests=False,  # unless it is version 1
    ranges_of_sets=True,
    count=re.compile(_COUNT % "*", re.ASCII),
    group_name=re.compile(rf"\?P?<{_NAME}>", re.ASCII),
    options=_OPTIONS,
    folds="members",
)
RUST: Final = Dialect(
    engine="tiktoken",
    key="r",
    nodes={
        "^": _START,
        "$": _END,
        "A": _START,
        "z": _END,
        "Z": Look(Sequence((Repeat(_BREAK, 0, None), _END))),
        "R": LINE_BREAK,
        "O": _ANY,
        "N": NO_BREAK,
    },
    controls=_MORE_CONTROLS,
    codes=re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]{1,8})\}"),
    unknown="kgKGX<>",
    sets="wsdh",
    property_name=re.compile(rf"{_PROPERTY % '(?:=|:)'}|(?P<letter>[CLMNPSZ])", re.ASCII),
    operators=frozenset({"&&", "--", "~~"}),
    count=re.compile(_COUNT % "*", re.ASCII),
    group_name=re.compile(rf"\?(?:P?<{_NAME}>|'{_NAME}')", re.ASCII),
    options=_OPTIONS,
    folds="sets",
)
ONIGURUMA: Final = Dialect(
    engine="tokenizers",
    key="o",
    nodes={
        "^": Choice((_START, Sequence((Look(_BREAK, is_behind=True), Look(_ANY))))),
        "$": END_OF_LINE,
        "A": _START,
        "z": _END,
        "Z": _LAST_BREAK,
        "R": LINE_BREAK,
        "O": _ANY,
        "N": NO_BREAK,
    },
    controls=_MORE_CONTROLS,
    codes=re.compile(r"x([0-7][0-9A-Fa-f])|u([0-9A-Fa-f]{4})|x\{([0-9A-Fa-f]{1,8})\}"),  # \x80 and above are bytes
    unknown="cCgGkKMQExuXyY",
    keeps_letters=True,
    sets="wsdh",
    property_name=re.compile(_PROPERTY % "(?!)", re.ASCII),
    operators=frozenset({"&&"}),
    count=re.compile(_COUNT % "+", re.ASCII),
    repeats_counts=True,
    group_name=re.compile(rf"\?(?:<{_NAME}>|'{_NAME}')", re.ASCII),
    options={"i": "ignores case", "m": "dot matches breaks"},
    folds="whole",
    folds_several=True,
    can_be_empty=True,
)
