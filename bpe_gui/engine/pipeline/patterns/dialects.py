r"""How engines of regular expressions differ: what each of them reads in its own way, as data for `translation`.

Every set of characters is written in the syntax that all three read alike, without the brackets. So are the members of
`\w`, which differ although the letters, marks and digits of all three are those of one version of Unicode.

Sources: fancy-regex docs/syntax.md, rust-lang/regex regex-syntax, kkos/oniguruma doc/RE.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Option = Literal["ignores case", "dot matches line breaks", "anchors match at lines", "none"]

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
PROPERTIES: Final = {
    name.replace("_", "").lower(): rf"\p{{{names.partition('=')[0]}}}"
    for names in _NAMES.split()
    for name in names.split("=")
}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    r"""The regular expressions of one engine.

    - `engine`: its name in sentences.
    - `word`, `word_in_set`: the members of `\w`, outside and inside brackets.
    - `end`: how the end of the text is written.
    - `anchors`: by `^`, `$` and the letter of an escape: the same in the syntax of all, but with `\z` for the end.
    - `escapes`: by letter: what another escape stands for, in the syntax of all.
    - `controls`: the letters of escapes for control characters.
    - `codes`: escapes for characters by number.
    - `operating_signs`: signs that do not stand for themselves after a backslash.
    - `sets`: by letter: the members of a set that an escape stands for.
    - `property_name`: what may follow `\\p`: a sign of negation, a name or a letter.
    - `properties`: further properties, by name.
    - `posix`: by name: the members of `[:alpha:]` and its like. Without any, a set cannot contain another set.
    - `operators`: what may stand between two sets inside brackets.
    - `group_name`: how the name of a group begins it.
    - `options`: the letters in `(?i)` and what they switch on.
    - `bare_options`: where `(?i)` may stand without a group of its own.
    - `folded`: the properties that contain other characters where case is ignored; inside brackets if `folds_many`.
    - `folds_many`: whether a character can match several where case is ignored, as `ß` does `ss`.
    - `misses_gap`: whether a complement is wrong where it should end on both sides of the surrogates.
    - `misreads_repeats`: whether the last part of `x+y*x+` is taken for optional.
    - `repeats_counts`: whether the last sign of `{2}?` and `{1,2}+` repeats what is before it.
    - `can_be_empty`: whether the matches of an expression that can match the empty text are known.
    """

    engine: str
    word: str
    word_in_set: str
    end: str
    anchors: Mapping[str, str]
    escapes: Mapping[str, str] = field(default_factory=dict)
    controls: str = "tnrfvae"
    codes: "re.Pattern[str]"
    operating_signs: str = ""
    sets: Mapping[str, str] = field(default_factory=dict)
    property_name: "re.Pattern[str]"
    properties: Mapping[str, str] = field(default_factory=dict)
    posix: Mapping[str, str] = field(default_factory=dict)
    operators: tuple[str, ...] = ()
    group_name: "re.Pattern[str]"
    options: Mapping[str, Option]
    bare_options: Literal["anywhere", "at the beginning", "nowhere"]
    folded: frozenset[str] = frozenset()
    folds_many: bool = False
    misses_gap: bool = False
    misreads_repeats: bool = False
    repeats_counts: bool = False
    can_be_empty: bool = False


_FOLDED: Final = frozenset(
    {"L", "Lu", "Ll", "Lt", "M", "Mn", "Uppercase", "Lowercase", "ASCII", "Emoji", "Common", "Greek", "Inherited"}
)
_ESCAPES: Final = {"O": r"[\s\S]", "N": r"[^\n]", "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])"}

_PROPERTY_NAME: Final = re.compile(
    r"\{(?P<sign>\^?)(?:(?:sc|script|gc|general_?category)=)?(?P<name>[\w \-]+)\}|(?P<letter>[LMNPSZC])",
    re.IGNORECASE | re.ASCII,
)

PYTHON: Final = Dialect(
    engine="regex",
    word=_LETTERS + "\u200c\u200d",
    word_in_set=_LETTERS + "\u200c\u200d",
    end=r"\Z",
    anchors={"A": r"\A", "Z": r"\z", "z": r"\z", "^": r"\A", "$": r"(?=\n?\z)"},
    controls="tnrfv",
    codes=re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})"),
    property_name=_PROPERTY_NAME,
    group_name=re.compile(r"\?P?<[A-Za-z_]\w*>", re.ASCII),
    options={"s": "dot matches line breaks"},
    bare_options="nowhere",  # they would hold for the whole expression
)
RUST: Final = Dialect(
    engine="tiktoken",
    word=PYTHON.word,
    word_in_set=PYTHON.word_in_set,
    end=r"\z",
    anchors={"A": r"\A", "Z": r"(?=\n*\z)", "z": r"\z", "^": r"\A", "$": r"\z"},
    escapes=_ESCAPES,
    codes=re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]{1,8})\}"),
    operating_signs="<>",
    sets={"h": _HEX},
    property_name=_PROPERTY_NAME,
    posix=_ASCII_SETS,
    operators=("&&", "--", "~~"),
    group_name=re.compile(r"\?P?<[A-Za-z_]\w*>", re.ASCII),
    options={
        "i": "ignores case",
        "s": "dot matches line breaks",
        "m": "anchors match at lines",
        "u": "none",
    },
    bare_options="at the beginning",
    folded=_FOLDED,
    misses_gap=True,
    misreads_repeats=True,
)
ONIGURUMA: Final = Dialect(
    engine="tokenizers",
    word=_LETTERS + _FRACTIONS,
    word_in_set=_LETTERS,
    end=r"\z",
    anchors={"A": r"\A", "Z": r"(?=\n?\z)", "z": r"\z", "^": r"(?:\A|(?<=\n)(?!\z))", "$": r"(?=\n|\z)"},
    escapes=_ESCAPES,
    codes=re.compile(r"x([0-7][0-9A-Fa-f])|u([0-9A-Fa-f]{4})|x\{([0-9A-Fa-f]{1,8})\}"),  # \x80 and above are bytes
    sets={"h": _HEX},
    property_name=re.compile(r"\{(?P<sign>\^?)(?P<name>[\w \-]+)\}(?P<letter>)", re.ASCII),
    properties={
        **{
            name: _UNICODE_SETS[name]
            for name in ("alpha", "digit", "alnum", "upper", "lower", "space", "blank", "cntrl")
        },
        "punct": r"\p{P}",
        "word": _LETTERS + _FRACTIONS,
        "xdigit": _HEX,
    },
    posix=_UNICODE_SETS,
    operators=("&&",),
    group_name=re.compile(r"\?<[A-Za-z_]\w*>", re.ASCII),
    options={"i": "ignores case", "m": "dot matches line breaks"},
    bare_options="anywhere",
    folded=_FOLDED,
    folds_many=True,
    repeats_counts=True,
    can_be_empty=True,
)
