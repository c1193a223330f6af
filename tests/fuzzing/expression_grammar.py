"""Generate regular expressions from all constructs that engines interpret differently, and texts to search."""

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

TEXTS: Final = 20


def _parts(text: str) -> tuple[str, ...]:
    """Return the parts of `text` between spaces; `␣` stands for a space."""
    return tuple(part.replace("␣", " ") for part in text.split())


_SIMPLE_TEXT: Final = (*"abcdskixABKSIZ019 _'-", "'s", "'LL", "  ", "ab", "st", "fi", "12")
_HOSTILE_TEXT: Final[tuple[str, ...]] = (
    *("\n", "\r", "\r\n", "\v", "\f", "\t", "\x85", "\u2028", "\u2029", "\0", "\x07", "\b", "\x1b", "\x1c", "\x7f"),
    *"ſ\u212aİıßẞﬁﬆŉǅǆΣςσµμÅåéÉ\u0345",
    *("\u0301", "e\u0301", "\u0308", "\u200d", "\u200c", "\ufe0f", "\u20e3", "😀", "👩‍👩‍👧", "🇨🇳", "Ⓐ", "ⓐ", "Ⅷ", "ⅷ"),
    *"²½٣५𝟙你好々〇ひカー한ไاאдΩΩᲀꟊª",
    *"\u00a0\u3000\u200b\u1680\u180e\ufeff\u0378\U0003fffd\ue000\u2019",
    *("’s", "‿", "€"),
    *"\U00011de0\U0001e5f0\U000323b0\u1c89\u088f\ua7dd\u0295[]{}&~|^$",
    "\\",
    *"().*+?<>#:,=!/@`",
    *('"', "%", ";", "&&", "--", "~~"),
)

_PROPERTIES: Final = _parts(
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cn Co Han "
    "Hiragana Katakana Hangul Latin Cyrillic Greek Arabic Hebrew Thai Devanagari Common Inherited Alphabetic"
)
_STRANGE_PROPERTIES: Final = _parts(
    "Script=Han sc=Latn scx=Greek gc=Lu General_Category=Letter Letter Uppercase_Letter lowercase Uppercase "
    "White_Space alpha Alnum punct Punct space Space digit XDigit Emoji Extended_Pictographic Any ASCII "
    "Assigned IsLatin InGreek L& LC ^L ^Lu han greek Nd1 Ideographic Cased Hex_Digit ID_Start word Word Upper "
    "Lower Blank Cntrl Graph Print Foo Cs l_u Block=Greek"
)
_POSIX: Final = _parts("alpha digit alnum upper lower space blank cntrl punct xdigit word ascii graph print foo")
_ORDINARY_SETS: Final[tuple[str, ...]] = (
    *(r"\s", r"\S", r"\d", r"\D", r"\w", r"\W", r"\r\n", "a-z", "A-Z", "0-9", "A-Za-z", "abc", "ks", "'’"),
)
_ORDINARY: Final[tuple[str, ...]] = (
    *"abksiS '1é你_",
    *(r"\n", r"\r", r"\t", r"\.", r"\-", ".", r"\s", r"\S", r"\d"),
    *(r"\w", r"\W", r"\D", "[^\\s\\p{L}\\p{N}]", "[^\\r\\n\\p{L}\\p{N}]", " ?", r"[\u4e00-\u9fff]"),
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)",
    *(r"\s+(?!\S)", r"\s*[\r\n]+", "-", ",", "#", "@", "&", "~", "<", ">", "=", ":", "!", "/", '"', "%", ";", "`"),
)
_ANCHORS: Final = ("^", "$", r"\A", r"\z", r"\b", r"\B")
_STRANGE: Final = {
    construct: _parts(parts)
    for construct, parts in {
        "Z": r"\Z",
        "h": r"\h \H",
        "word ends": r"\< \> \m \M \b{start} \b{end-half} \y \Y",
        "R": r"\R",
        "X": r"\X",
        "K": r"\K",
        "G": r"\G",
        "N, O": r"\N \O \N{DIGIT␣ONE}",
        "back reference": r"(a)\1 (?<n>a)\k<n> \1 (?P<n>a)(?P=n) (a)\g1 \g<0> (?R) (?1) (?0)",
        "conditional": "(a)?(?(1)b|c) (?(?=a)b|c) (?(DEFINE)a)",
        "absent": "(?~ab) (?~|ab|c)",
        "named group": "(?<n>a) (?P<n>ab) (?'n'a)",
        "odd group": r"(?|a|b) (?&n) (*FAIL) (?C1) (?#) (?#c) (?#␣a\)␣) () (?:) (?>) (|a) (?:a|)",
        "octal": r"\0 \07 \012 \x{61} \x{4f60} \o{141} \141 \x \xe9 \xff \x41 \x1c",
        "code": r"\u0061 \u4f60 \u{61} \U00000061 \U0001F600 \ud800 \cA \C-a \M-a \u00e9 \x{110000}",
        "letter": r"""\a \e \f \v \q \j \y \i \_ \é \你 \␣ \' \" \` \& \# \@ \/""",
        "quotation": r"\Qa.\E \E \Q",
        "bracket": "] } { {a} a{ a{1 a{,} a{} a{1,a} a{␣1} a{1␣,2} x{2,1}",
        "verbose": "(?x)␣a␣b␣#c (?x:␣a␣b␣) (?-x:␣a)",
        "option": "(?i) (?m) (?s) (?-i) (?i-s) (?U) (?u) (?-u) (?a) (?W) (?D) (?im) (?L) (?V1) (?r) (?n)",
        "option group": (
            r"(?i:a) (?i:k|s) (?i:[^a-z]) (?i:[a-z])+ (?i:\p{Lu}) (?i:ß) (?i:ss) (?i:s)(?i:t) (?i:é) "
            r"(?i:f)i (?s:.) (?m:.) (?m:^a) (?m:a$) (?i-s:a.) (?-s:.) (?U:a+) (?i:[^\p{L}]) "
            r"(?i:\P{Lu}) (?i:i) (?i:[\p{Lu}\s]) (?i:[kd]) (?i:\p{L}) (?i:’s) (?i:[s’]) "
            "(?i:[[:upper:]]) (?i:Ⅷ) (?i:[^k]) (?i:st|f(?:f|l))"
        ),
        "look-behind": (
            r"(?<=a) (?<!a) (?<=a+) (?<=a|bc) (?<!\s) (?<=\p{L}{1,2}) (?<=(?i:s)) (?<=a(?=b)) "
            "(?<=(a)) (?<=^) (?<!a*)"
        ),
        "look-ahead": r"(?=a) (?!a) (?!\S) (?=a|b+) (?=(?!b)a) (?=) (?!)",
        "possessive": "a++ a*+ a?+ a{1,2}+ a{2}+ (?>a+) (?>a|ab) a{2,}+ (?:ab)++",
        "repetition": (
            "a** a+++ a+* a{1,2}{2} a{2}? a{,2} a{,2}? a{1,2}? a?? a+? a*?+ (?:a*)* (?:a|b?)+ "
            r"(?:a?){2} ^* \b+ (?=a)* a{2}{3} a{0} a{0,0} (?:a*)? *a |+ a{1,} a{3}"
        ),
        "posix": "".join(f"[[:{name}:]] " for name in _POSIX) + "[[:^alpha:]] [:alpha:] [[:alpha:]_-] [^[:space:]]",
        "property": "".join(rf"\p{{{name}}} " for name in _STRANGE_PROPERTIES)
        + r"\pL \PN \P{^L} \p{␣Lu␣} \p{^Han} \pé \p{}",
        "nested set": r"[a[bc]] [a[^b]] [^a[b]] [^a[^b]] [[a]] [[^a]] [\p{L}[1-3]] [a[]] [[a]-z] [[a-c][x-z]_]",
        "intersection": (
            r"[a-z&&[^b]] [a-z&&b-d] [a-z&&[^b]&&[^c]] [\w&&[^\d]] [a&&] [&&a] [a&b] "
            r"[\p{L}\p{M}&&[^\p{Han}]] [^a-z&&[^b]] [a&&&b] [^\W&&\D] [&a] [a&] [a-c&&b[cd]] "
            r"[\s\S&&[^a]]"
        ),
        "difference": (
            r"[a-z--b] [\w--\d] [\d--5] [a--] [--a] [a-z--[b-d]] [a---b] [+--] [\p{L}--[a-c]--x] [a-] "
            "[-a] [a-c-e]"
        ),
        "symmetric": "[a-c~~b-d] [a~b] [a~~] [~a] [a~~~b] [[ab]~~[bc]]",
        "union": "[a||b] [||] [a|b]",
        "odd set": (
            r"[]a] [^]a] [] [^] [a [\b] [\n\r] [\h] [\H] [\]\[] [\-\^] [a^] [z-a] [a-\d] [\w-z] [\R] "
            r"[\X] [\x{61}-\x{63}] [\u0061-\u0063] [\x41-\x5a] [\q] [␣-~] [!-/:-@] [à-ÿ] [\N] [\0] "
            r"[\e\a] [#] [␣] [😀-😎] [\p{Lu}-z] [.*+?$(){}] [\Z\A] [\U000323b0-\U000323bf] [^\n] [\W] "
            r"[^\W_] [\W\d]"
        ),
    }.items()
}
"""By construct: expressions that engines interpret differently; `␣` is a space."""


class Sample(NamedTuple):
    """An expression, and the constructs in it that engines interpret differently."""

    expression: str
    constructs: tuple[str, ...]


def samples(seed: int) -> Iterator[Sample]:
    """Yield endless expressions, a third of them without constructs that engines interpret differently."""
    number = 0
    while True:
        yield _Generator(random.Random(f"{seed} {number}")).sample()
        number += 1


class _Generator:
    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._strangeness = source.choice((0.0, 0.15, 0.4))
        self._constructs: list[str] = []

    def sample(self) -> Sample:
        expression = self._alternatives(0)
        return Sample(expression, tuple(dict.fromkeys(self._constructs)))

    def _alternatives(self, depth: int) -> str:
        count = self._random.choice((1, 1, 2, 3) if depth else (1, 2, 2, 3, 4))
        return "|".join(self._sequence(depth) for _ in range(count))

    def _sequence(self, depth: int) -> str:
        count = self._random.choice((0, 0, 1, 1, 2))
        items = [self._item(depth) for _ in range(count)]
        # Otherwise most expressions could match the empty text.
        needed = self._repeated(self._one(), self._random.choice(("", "", "+", "{1,3}", "++", "+?")))
        items.insert(self._random.randint(0, count), needed)
        return "".join(items)

    def _item(self, depth: int) -> str:
        draw = self._random.random
        if draw() < self._strangeness:
            return self._strange()
        if depth < 3 and draw() < 0.15:
            opening = self._random.choice(
                ("(?:", "(?:", "(?:", "(", "(?>", "(?=", "(?!", "(?i:", "(?<=", "(?<!", "(?s:")
            )
            inner = self._alternatives(depth + 1)
            return f"{opening}{inner})" + (self._quantifier() if opening[-1] in ":(>" else "")
        if draw() < 0.05:
            return self._random.choice(_ANCHORS)
        return self._repeated(self._one(), self._quantifier())

    def _one(self) -> str:
        kind = self._random.random()
        if kind < 0.2:
            return rf"\{self._random.choice('ppP')}{{{self._random.choice(_PROPERTIES)}}}"
        if kind < 0.45:
            return self._set()
        return self._random.choice(_ORDINARY)

    @staticmethod
    def _repeated(one: str, quantifier: str) -> str:
        """Return an item with a quantifier, unless it is several items."""
        return one if one[-1:] in "+?)" or one.endswith("]+") else one + quantifier

    def _set(self) -> str:
        members = [self._member() for _ in range(self._random.choice((1, 2, 3)))]
        if self._random.random() < self._strangeness:
            self._constructs.append("sets in sets")
            for _ in range(self._random.choice((1, 1, 2))):
                sign = self._random.choice(("&&", "&&", "--", "~~", "", ""))
                members.insert(
                    self._random.randint(1, len(members)), sign + self._random.choice((self._set(), self._member()))
                )
        return f"[{self._random.choice(('', '', '^'))}{''.join(members)}]"

    def _member(self) -> str:
        kind = self._random.random()
        if kind < 0.4:
            return rf"\p{{{self._random.choice(_PROPERTIES)}}}"
        return self._random.choice(_ORDINARY_SETS) if kind < 0.8 else self._random.choice("abkiSZ19_ .,!?é你ſß&~|")

    def _quantifier(self) -> str:
        return self._random.choice(
            ("", "", "", "", "+", "+", "*", "?", "{1,3}", "{2}", "++", "*+", "?+", "+?", "{1,2}?", "{2,}")
        )

    def _strange(self) -> str:
        construct = self._random.choice(tuple(_STRANGE))
        self._constructs.append(construct)
        return self._random.choice(_STRANGE[construct]) + self._random.choice(("", "", "", self._quantifier()))


def texts_for(expression: str, seed: str) -> list[str]:
    """Return hostile texts where an expression may find something; the first one is empty."""
    source = random.Random(seed)
    own = [character for character in expression if character.isalnum() or not character.isascii()] or ["a"]
    pools = (_SIMPLE_TEXT, _HOSTILE_TEXT, tuple(own))
    count = source.choice
    return [
        "",
        *(
            "".join(count(pools[count((0, 0, 1, 1, 2))]) for _ in range(count((1, 2, 4, 6, 9))))
            for _ in range(TEXTS - 1)
        ),
    ]
