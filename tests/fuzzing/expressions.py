r"""Compare our reading of generated regular expressions with tiktoken's and `tokenizers`'.

    python -m tests.fuzzing.expressions --count 50000 --engine tiktoken --seed 1

Each expression splits 20 hostile texts: it must give their words, or be refused. The grammar has all constructs that
engines read differently. Expressions are searched for in a process that is ended where one of them takes too long. The
report says which share was accepted, by construct. Shorten what differs with `--shorten 'EXPRESSION'`.
"""

import argparse
import multiprocessing
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from tiktoken._tiktoken import CoreBPE
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split as TheirSplit

from bpe_gui.engine import EngineError
from bpe_gui.engine.formats import splitter_of_ranks
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.pre_tokenizers import Split
from bpe_gui.engine.pipeline.split_text import SplitText
from bpe_gui.engine.text.stream_splitter import StreamSplitter

Engine = Literal["tiktoken", "tokenizers"]
Outcome = Literal["equal", "refused", "different", "not theirs", "too slow"]

TEXTS: Final = 20
_SECONDS: Final = 20.0  # for one expression, if other processes have the processors
_BATCH: Final = 500  # expressions that one process tries

_SIMPLE_TEXT: Final = tuple("abcdskixABKSIZ019 _'-") + ("'s", "'LL", "  ", "ab", "st", "fi", "12")
_HOSTILE_TEXT: Final = (
    *("\n", "\r", "\r\n", "\v", "\f", "\t", "\x85", "\u2028", "\u2029", "\0", "\x07", "\b", "\x1b", "\x1c", "\x7f"),
    *(
        "ſ",
        "\u212a",
        "İ",
        "ı",
        "ß",
        "ẞ",
        "ﬁ",
        "ﬆ",
        "ŉ",
        "ǅ",
        "ǆ",
        "Σ",
        "ς",
        "σ",
        "µ",
        "μ",
        "Å",
        "å",
        "é",
        "É",
        "\u0345",
    ),
    *("\u0301", "e\u0301", "\u0308", "\u200d", "\u200c", "\ufe0f", "\u20e3", "😀", "👩‍👩‍👧", "🇨🇳", "Ⓐ", "ⓐ", "Ⅷ", "ⅷ"),
    *(
        "²",
        "½",
        "٣",
        "५",
        "𝟙",
        "你",
        "好",
        "々",
        "〇",
        "ひ",
        "カ",
        "ー",
        "한",
        "ไ",
        "ا",
        "א",
        "д",
        "Ω",
        "Ω",
        "ᲀ",
        "ꟊ",
        "ª",
    ),
    *(
        "\u00a0",
        "\u3000",
        "\u200b",
        "\u1680",
        "\u180e",
        "\ufeff",
        "\u0378",
        "\U0003fffd",
        "\ue000",
        "\u2019",
        "’s",
        "‿",
        "€",
    ),
    *(
        "\U00011de0",
        "\U0001e5f0",
        "\U000323b0",
        "\u1c89",
        "\u088f",
        "\ua7dd",
        "\u0295",
        "[",
        "]",
        "{",
        "}",
        "&",
        "~",
        "|",
        "^",
        "$",
    ),
    *(
        "\\",
        "(",
        ")",
        ".",
        "*",
        "+",
        "?",
        "<",
        ">",
        "#",
        ":",
        ",",
        "=",
        "!",
        "/",
        "@",
        "`",
        '"',
        "%",
        ";",
        "&&",
        "--",
        "~~",
    ),
)

_PROPERTIES: Final = [
    "L",
    "Lu",
    "Ll",
    "Lt",
    "Lm",
    "Lo",
    "M",
    "Mn",
    "Mc",
    "Me",
    "N",
    "Nd",
    "Nl",
    "No",
    "P",
    "Pc",
    "Pd",
    "Ps",
    "Pe",
    "Pi",
    "Pf",
    "Po",
    "S",
    "Sm",
    "Sc",
    "Sk",
    "So",
    "Z",
    "Zs",
    "Zl",
    "Zp",
    "C",
    "Cc",
    "Cf",
    "Cn",
    "Co",
    "Han",
    "Hiragana",
    "Katakana",
    "Hangul",
    "Latin",
    "Cyrillic",
    "Greek",
    "Arabic",
    "Hebrew",
    "Thai",
    "Devanagari",
    "Common",
    "Inherited",
    "Alphabetic",
]
_STRANGE_PROPERTIES: Final = [
    "Script=Han",
    "sc=Latn",
    "scx=Greek",
    "gc=Lu",
    "General_Category=Letter",
    "Letter",
    "Uppercase_Letter",
    "lowercase",
    "Uppercase",
    "White_Space",
    "alpha",
    "Alnum",
    "punct",
    "Punct",
    "space",
    "Space",
    "digit",
    "XDigit",
    "Emoji",
    "Extended_Pictographic",
    "Any",
    "ASCII",
    "Assigned",
    "IsLatin",
    "InGreek",
    "L&",
    "LC",
    "^L",
    "^Lu",
    "han",
    "greek",
    "Nd1",
    "Ideographic",
    "Cased",
    "Hex_Digit",
    "ID_Start",
    "word",
    "Word",
    "Upper",
    "Lower",
    "Blank",
    "Cntrl",
    "Graph",
    "Print",
    "Foo",
    "Cs",
    "l_u",
    "Block=Greek",
]
_POSIX: Final = [
    "alpha",
    "digit",
    "alnum",
    "upper",
    "lower",
    "space",
    "blank",
    "cntrl",
    "punct",
    "xdigit",
    "word",
    "ascii",
    "graph",
    "print",
    "foo",
]
_ORDINARY_SETS: Final = (
    r"\s",
    r"\S",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\r\n",
    "a-z",
    "A-Z",
    "0-9",
    "A-Za-z",
    "abc",
    "ks",
    "'’",
)
_ORDINARY: Final = (
    *(
        "a",
        "b",
        "k",
        "s",
        "i",
        "S",
        " ",
        "'",
        "1",
        "é",
        "你",
        "_",
        r"\n",
        r"\r",
        r"\t",
        r"\.",
        r"\-",
        ".",
        r"\s",
        r"\S",
        r"\d",
    ),
    *(
        r"\w",
        r"\W",
        r"\D",
        "[^\\s\\p{L}\\p{N}]",
        "[^\\r\\n\\p{L}\\p{N}]",
        " ?",
        r"[\u4e00-\u9fff]",
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)",
    ),
    *(r"\s+(?!\S)", r"\s*[\r\n]+", "-", ",", "#", "@", "&", "~", "<", ">", "=", ":", "!", "/", '"', "%", ";", "`"),
)
_ANCHORS: Final = ("^", "$", r"\A", r"\z", r"\b", r"\B")
_STRANGE: Final = {
    "Z": (r"\Z",),
    "h": (r"\h", r"\H"),
    "word ends": (r"\<", r"\>", r"\m", r"\M", r"\b{start}", r"\b{end-half}", r"\y", r"\Y"),
    "R": (r"\R",),
    "X": (r"\X",),
    "K": (r"\K",),
    "G": (r"\G",),
    "N, O": (r"\N", r"\O", r"\N{DIGIT ONE}"),
    "back reference": (r"(a)\1", r"(?<n>a)\k<n>", r"\1", r"(?P<n>a)(?P=n)", r"(a)\g1", r"\g<0>", "(?R)", "(?1)", "(?0)"),
    "conditional": ("(a)?(?(1)b|c)", "(?(?=a)b|c)", "(?(DEFINE)a)"),
    "absent": ("(?~ab)", "(?~|ab|c)"),
    "named group": ("(?<n>a)", "(?P<n>ab)", "(?'n'a)"),
    "odd group": ("(?|a|b)", "(?&n)", "(*FAIL)", "(?C1)", "(?#)", "(?#c)", "(?# a\\) )", "()", "(?:)", "(?>)", "(|a)", "(?:a|)"),
    "octal": (r"\0", r"\07", r"\012", r"\x{61}", r"\x{4f60}", r"\o{141}", r"\141", r"\x", r"\xe9", r"\xff", r"\x41", r"\x1c"),
    "code": (r"\u0061", r"\u4f60", r"\u{61}", r"\U00000061", r"\U0001F600", r"\ud800", r"\cA", r"\C-a", r"\M-a", r"\u00e9", r"\x{110000}"),
    "letter": (r"\a", r"\e", r"\f", r"\v", r"\q", r"\j", r"\y", r"\i", r"\_", r"\é", r"\你", r"\ ", r"\'", r"\"", r"\`", r"\&", r"\#", r"\@", r"\/"),
    "quotation": (r"\Qa.\E", r"\E", r"\Q"),
    "bracket": ("]", "}", "{", "{a}", "a{", "a{1", "a{,}", "a{}", "a{1,a}", "a{ 1}", "a{1 ,2}", "x{2,1}"),
    "verbose": ("(?x) a b #c", "(?x: a b )", "(?-x: a)"),
    "option": ("(?i)", "(?m)", "(?s)", "(?-i)", "(?i-s)", "(?U)", "(?u)", "(?-u)", "(?a)", "(?W)", "(?D)", "(?im)", "(?L)", "(?V1)", "(?r)", "(?n)"),
    "option group": ("(?i:a)", "(?i:k|s)", "(?i:[^a-z])", "(?i:[a-z])+", r"(?i:\p{Lu})", "(?i:ß)", "(?i:ss)", "(?i:s)(?i:t)", "(?i:é)", "(?i:f)i",
                     "(?s:.)", "(?m:.)", "(?m:^a)", "(?m:a$)", "(?i-s:a.)", "(?-s:.)", "(?U:a+)", r"(?i:[^\p{L}])", r"(?i:\P{Lu})", "(?i:i)",
                     r"(?i:[\p{Lu}\s])", "(?i:[kd])", r"(?i:\p{L})", "(?i:’s)", "(?i:[s’])", "(?i:[[:upper:]])", "(?i:Ⅷ)", "(?i:[^k])", "(?i:st|f(?:f|l))"),
    "look-behind": ("(?<=a)", "(?<!a)", "(?<=a+)", "(?<=a|bc)", r"(?<!\s)", r"(?<=\p{L}{1,2})", "(?<=(?i:s))", "(?<=a(?=b))", "(?<=(a))", "(?<=^)", "(?<!a*)"),
    "look-ahead": ("(?=a)", "(?!a)", r"(?!\S)", "(?=a|b+)", "(?=(?!b)a)", "(?=)", "(?!)"),
    "possessive": ("a++", "a*+", "a?+", "a{1,2}+", "a{2}+", "(?>a+)", "(?>a|ab)", "a{2,}+", "(?:ab)++"),
    "repetition": ("a**", "a+++", "a+*", "a{1,2}{2}", "a{2}?", "a{,2}", "a{,2}?", "a{1,2}?", "a??", "a+?", "a*?+", "(?:a*)*", "(?:a|b?)+", "(?:a?){2}",
                   "^*", r"\b+", "(?=a)*", "a{2}{3}", "a{0}", "a{0,0}", "(?:a*)?", "*a", "|+", "a{1,}", "a{3}"),
    "posix": tuple(f"[[:{name}:]]" for name in _POSIX) + ("[[:^alpha:]]", "[:alpha:]", "[[:alpha:]_-]", "[^[:space:]]"),
    "property": tuple(rf"\p{{{name}}}" for name in _STRANGE_PROPERTIES) + (r"\pL", r"\PN", r"\P{^L}", r"\p{ Lu }", r"\p{^Han}", r"\pé", r"\p{}"),
    "nested set": ("[a[bc]]", "[a[^b]]", "[^a[b]]", "[^a[^b]]", "[[a]]", "[[^a]]", r"[\p{L}[1-3]]", "[a[]]", "[[a]-z]", "[[a-c][x-z]_]"),
    "intersection": ("[a-z&&[^b]]", "[a-z&&b-d]", "[a-z&&[^b]&&[^c]]", r"[\w&&[^\d]]", "[a&&]", "[&&a]", "[a&b]", r"[\p{L}\p{M}&&[^\p{Han}]]",
                     "[^a-z&&[^b]]", "[a&&&b]", r"[^\W&&\D]", "[&a]", "[a&]", "[a-c&&b[cd]]", r"[\s\S&&[^a]]"),
    "difference": ("[a-z--b]", r"[\w--\d]", r"[\d--5]", "[a--]", "[--a]", "[a-z--[b-d]]", "[a---b]", "[+--]", r"[\p{L}--[a-c]--x]", "[a-]", "[-a]", "[a-c-e]"),
    "symmetric": ("[a-c~~b-d]", "[a~b]", "[a~~]", "[~a]", "[a~~~b]", "[[ab]~~[bc]]"),
    "union": ("[a||b]", "[||]", "[a|b]"),
    "odd set": ("[]a]", "[^]a]", "[]", "[^]", "[a", r"[\b]", r"[\n\r]", r"[\h]", r"[\H]", r"[\]\[]", r"[\-\^]", "[a^]", "[z-a]", r"[a-\d]", r"[\w-z]",
                r"[\R]", r"[\X]", r"[\x{61}-\x{63}]", r"[\u0061-\u0063]", r"[\x41-\x5a]", r"[\q]", "[ -~]", "[!-/:-@]", "[\u00e0-\u00ff]", r"[\N]", r"[\0]",
                r"[\e\a]", "[#]", "[ ]", "[😀-😎]", r"[\p{Lu}-z]", "[.*+?$(){}]", r"[\Z\A]", "[\U000323b0-\U000323bf]", r"[^\n]", r"[\W]", r"[^\W_]", r"[\W\d]"),
}  # fmt: skip
"""By construct: what engines read in their own ways."""


class Sample(NamedTuple):
    """An expression, and the constructs in it that engines read in their own ways."""

    expression: str
    constructs: tuple[str, ...]


# -- generating --------------------------------------------------------------------------------------------------------


def samples(seed: int) -> Iterator[Sample]:
    """Yield expressions without end: a third of ordinary parts only, a third with a strange one, a third with several."""
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
        # Lest most expressions can match the empty text.
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
    """Return hostile texts in which an expression may find something, the first of them empty."""
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


# -- comparing ---------------------------------------------------------------------------------------------------------


def _by_tiktoken(expression: str, texts: Sequence[str]) -> list[list[str]]:
    """Return the words, which a vocabulary with all parts of all texts shows."""
    tokens = {bytes([byte]) for byte in range(256)}
    for text in texts:
        data = text.encode()
        tokens |= {data[start:stop] for start in range(len(data)) for stop in range(start + 1, len(data) + 1)}
    ordered = sorted(tokens, key=lambda token: (len(token), token))
    encoding = CoreBPE({token: rank for rank, token in enumerate(ordered)}, {}, expression)
    return [[ordered[token_id].decode() for token_id in encoding.encode_ordinary(text)] for text in texts]


def _by_tokenizers(expression: str, texts: Sequence[str]) -> list[list[str]]:
    split = TheirSplit(Regex(expression), "isolated")
    return [[word for word, _span in split.pre_tokenize_str(text)] for text in texts]


def _by_ranks(expression: str, texts: Sequence[str]) -> list[list[str]]:
    splitter = splitter_of_ranks(expression)
    return [_words_of(splitter, text) for text in texts]


def _words_of(splitter: str, text: str) -> list[str]:
    stream = StreamSplitter(splitter)
    return [word.text for word in stream.feed(text) + stream.finish()]


def _by_split(expression: str, texts: Sequence[str]) -> list[list[str]]:
    split = Split(expression, "isolated")
    return [split.split(SplitText.of(AlignedText.of(text))).words() for text in texts]


_Words = Callable[[str, Sequence[str]], list[list[str]]]
_SIDES: Final[dict[Engine, tuple[_Words, _Words]]] = {
    "tiktoken": (_by_ranks, _by_tiktoken),
    "tokenizers": (_by_split, _by_tokenizers),
}


class Result(NamedTuple):
    """What came of an expression; `detail` is the error, or the text and its words on both sides."""

    sample: Sample
    outcome: Outcome
    detail: str = ""


def compare(sample: Sample, engine: Engine, seed: str = "") -> Result:
    """Split texts by an expression on both sides."""
    ours, theirs = _SIDES[engine]
    texts = texts_for(sample.expression, sample.expression + seed)
    try:
        found = ours(sample.expression, texts)
    except EngineError as error:
        return Result(sample, "refused", str(error))
    try:
        expected = theirs(sample.expression, texts)
    except BaseException as error:  # both packages raise what is not an Exception
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        is_panic = "Panic" in type(error).__name__
        return Result(sample, "different" if is_panic else "not theirs", str(error))
    for text, one, other in zip(texts, found, expected, strict=True):
        if one != other:
            return Result(sample, "different", f"{text!a}: {one!a}, but theirs {other!a}")
    return Result(sample, "equal")


# -- many --------------------------------------------------------------------------------------------------------------


def _compare_batch(batch: Sequence[Sample], engine: Engine, results: "multiprocessing.connection.Connection") -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where tiktoken prints each of its panics
    for sample in batch:
        try:
            results.send(compare(sample, engine))
        except Exception as error:
            results.send(Result(sample, "different", f"{type(error).__name__}: {error}"))


def compare_all(batch: Sequence[Sample], engine: Engine) -> Iterator[Result]:
    """Yield the results of a batch; a process of its own is begun again after an expression that never ends."""
    done = 0
    while done < len(batch):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=_compare_batch, args=(batch[done:], engine, sender))
        process.start()
        sender.close()
        while done < len(batch):
            try:
                result = receiver.recv() if receiver.poll(_SECONDS) else None
            except EOFError:
                result = None
            done += 1
            if result is None:
                yield Result(batch[done - 1], "too slow")
                break
            yield result
        process.kill()
        process.join()


def _shorten(expression: str, engine: Engine) -> str:
    """Return a part of an expression that still differs."""
    best = expression
    index = 0
    while index < len(best):
        for size in (8, 4, 2, 1):
            shorter = best[:index] + best[index + size :]
            if shorter != best and any(
                compare(Sample(shorter, ()), engine, str(seed)).outcome == "different" for seed in range(20)
            ):
                best, index = shorter, -1
                break
        index += 1
    return best


def main() -> int:
    """Compare, print what differs and the shares, and return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--engine", choices=tuple(_SIDES), required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shorten", metavar="EXPRESSION")
    arguments = parser.parse_args()
    if arguments.shorten is not None:
        shortest = _shorten(arguments.shorten, arguments.engine)
        print(repr(shortest), *(compare(Sample(shortest, ()), arguments.engine, str(seed)).detail for seed in range(3)))
        return 0
    source = samples(arguments.seed)
    outcomes: Counter[Outcome] = Counter()
    by_construct: Counter[tuple[str, Outcome]] = Counter()
    reasons: Counter[str] = Counter()
    for start in range(0, arguments.count, _BATCH):
        print(f"{start:,} of {arguments.count:,}: {dict(outcomes)}", file=sys.stderr, flush=True)
        batch = [next(source) for _ in range(min(_BATCH, arguments.count - start))]
        for result in compare_all(batch, arguments.engine):
            outcomes[result.outcome] += 1
            constructs = result.sample.constructs or ("nothing strange",)
            if len(constructs) == 1:
                by_construct[constructs[0], result.outcome] += 1
                if result.outcome == "refused":
                    reasons[f"{constructs[0]}: {result.detail[:150]}"] += 1
            if result.outcome in ("different", "too slow"):
                print(f"{result.outcome}: {result.sample.expression!r} {result.detail}", flush=True)
    for construct in dict.fromkeys(name for name, _outcome in by_construct):
        print(construct, {outcome: count for (name, outcome), count in by_construct.items() if name == construct})
    print(*(f"{count} × {reason}" for reason, count in reasons.most_common(40)), sep="\n")
    print(arguments.engine, dict(outcomes))
    return min(outcomes["different"], 1)


if __name__ == "__main__":
    sys.exit(main())
