r"""How engines of regular expressions differ: what each of them reads in its own way, as data for `translation`.

Every set of characters is written in the syntax that all three read alike, without the brackets. So are the members of
`\w`, which differ although the letters, marks and digits of all three are those of one version of Unicode.

Sources: fancy-regex docs/syntax.md, rust-lang/regex regex-syntax, kkos/oniguruma doc/RE.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

_LETTERS: Final = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
_FRACTIONS: Final = "\xb2\xb3\xb9\xbc\xbd\xbe"
_HEX: Final = "0-9A-Fa-f"

_NAMES: Final = (
    "L=Letter Lu=Uppercase_Letter Ll=Lowercase_Letter Lt=Titlecase_Letter Lm=Modifier_Letter Lo=Other_Letter M=Mark "
    "Mn=Nonspacing_Mark Mc=Spacing_Mark Me=Enclosing_Mark N=Number Nd=Decimal_Number Nl=Letter_Number No=Other_Number "
    "P=Punctuation Pc=Connector_Punctuation Pd=Dash_Punctuation Ps=Open_Punctuation Pe=Close_Punctuation "
    "Pi=Initial_Punctuation Pf=Final_Punctuation Po=Other_Punctuation S=Symbol Sm=Math_Symbol Sc=Currency_Symbol "
    "Sk=Modifier_Symbol So=Other_Symbol Z=Separator Zs=Space_Separator Zl=Line_Separator Zp=Paragraph_Separator "
    "C=Other Cc=Control Cf=Format Cn=Unassigned Co=Private_Use "
    "Alphabetic Uppercase Lowercase Ideographic White_Space Emoji Any ASCII "
    "Arabic Armenian Bengali Bopomofo Cherokee Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi "
    "Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala "
    "Tamil Telugu Thaana Thai Tibetan"
)
_PAIRS: Final = [(name, short) for short, _sign, long in (n.partition("=") for n in _NAMES.split()) for name in (short, long)]
PROPERTIES: Final = {name.replace("_", "").lower(): rf"\p{{{short}}}" for name, short in _PAIRS if name}
"""Properties that contain the same characters to all, by their names in lower case without spaces, `_` and `-`."""

_ASCII_SETS: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`\{-\~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "word": "0-9A-Z_a-z",
    "xdigit": _HEX,
}
_UNICODE_SETS: Final = {
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "alpha": r"\p{Alphabetic}",
    "ascii": r"\x00-\x7f",
    "blank": r"\t\p{Zs}",
    "cntrl": r"\p{Cc}",
    "digit": r"\p{Nd}",
    "lower": r"\p{Lowercase}",
    "punct": r"\p{P}\p{S}",
    "space": r"\s",
    "upper": r"\p{Uppercase}",
    "word": _LETTERS,
    "xdigit": _HEX,
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The regular expressions of one engine.

    - `engine`: its name in sentences.
    - `word`, `word_in_class`: the members of `\\w`, outside and inside brackets.
    - `anchors`: by the letter of an escape, or by `^` and `$`: the same in the syntax of all, where `\\z` is the end.
    - `escapes`: by letter: what else an escape stands for, in the syntax of all.
    - `sets`: by letter: the members of the set that an escape stands for.
    - `posix`: the members of `[:alpha:]` and its like, by name. Without them, a set contains no other set.
    - `operators`: what stands between two sets inside brackets.
    - `properties`: further properties, by name.
    - `options`: the letters in `(?i)` and what they switch on.
    - `folded`: properties that ignoring case changes.
    - `folds_many`: whether, ignoring case, a character matches several, such as `ß` and `ss`.
    - `repeats_counts`: whether `{2}?` and `{1,2}+` are repeated by the second sign.
    - `end`: how the end of the text is written.
    """

    engine: str
    word: str
    word_in_class: str
    end: str
    anchors: Mapping[str, str]
    sets: Mapping[str, str] = field(default_factory=dict)
    escapes: Mapping[str, str] = field(default_factory=dict)
    posix: Mapping[str, str] = field(default_factory=dict)
    operators: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Literal["case", "dot", "lines", ""]] = field(default_factory=dict)
    opens_options_anywhere: bool = False
    folded: frozenset[str] = frozenset()
    folds_many: bool = False
    repeats_counts: bool = False
    can_be_empty: bool = False
    names_groups: "re.Pattern[str] | None" = None


_FOLDED: Final = frozenset("L Lu Ll Lt M Mn Uppercase Lowercase ASCII Emoji Common Greek Inherited".split())
_ANY: Final = {"O": r"[\s\S]", "N": r"[^\n]"}
_LINE_BREAK: Final = r"(?>\r\n|[\n-\r\x85\u2028\u2029])"

PYTHON: Final = Dialect(
    engine="regex",
    word=_LETTERS + "\u200c\u200d",
    word_in_class=_LETTERS + "\u200c\u200d",
    end=r"\Z",
    anchors={"A": r"\A", "Z": r"\z", "z": r"\z", "^": r"\A", "$": r"(?=\n?\z)"},
    options={"i": "case", "s": "dot"},
    folded=_FOLDED,
)
RUST: Final = Dialect(
    engine="tiktoken",
    word=PYTHON.word,
    word_in_class=PYTHON.word,
    end=r"\z",
    anchors={"A": r"\A", "Z": r"(?=\n*\z)", "z": r"\z", "^": r"\A", "$": r"\z"},
    sets={"h": _HEX},
    escapes=_ANY,
    posix=_ASCII_SETS,
    operators=("&&", "--", "~~"),
    options={"i": "case", "s": "dot", "m": "lines", "u": ""},
    folded=_FOLDED,
    names_groups=re.compile(r"\?P?<[A-Za-z_]\w*>", re.ASCII),
)
ONIGURUMA: Final = Dialect(
    engine="tokenizers",
    word=_LETTERS + _FRACTIONS,
    word_in_class=_LETTERS,
    end=r"\z",
    anchors={
        "A": r"\A",
        "Z": r"(?=\n?\z)",
        "z": r"\z",
        "^": r"(?:\A|(?<=\n)(?!\z))",
        "$": r"(?=\n|\z)",
    },
    sets={"h": _HEX},
    escapes={"R": _LINE_BREAK, **_ANY},
    posix=_UNICODE_SETS,
    operators=("&&",),
    properties={
        **{name: _UNICODE_SETS[name] for name in ("alpha", "digit", "alnum", "upper", "lower", "space", "blank", "cntrl")},
        "punct": r"\p{P}",
        "word": _LETTERS + _FRACTIONS,
        "xdigit": _HEX,
    },
    options={"i": "case", "m": "dot"},
    opens_options_anywhere=True,
    folds_many=True,
    repeats_counts=True,
    can_be_empty=True,
    names_groups=re.compile(r"\?<[A-Za-z_]\w*>", re.ASCII),
)
