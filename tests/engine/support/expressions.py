"""Generate regular expressions of each dialect, and find what its engine and our automaton find with them.

`python -m tests.engine.support.expressions COUNT [SEED]` compares COUNT of each dialect and prints the outcomes.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Sequence

import regex
import tiktoken
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON, RUST, Dialect
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import UntranslatableError
from bpe_gui.engine.text.writer import translate
from tests.engine.support.stand_ins import with_stand_ins

Spans = list[tuple[int, int]]

CHARACTERS = (
    "aaabBABsSkKtfiIzZ10_'  \n\n\r\t.,-]&~|[(^é\xc9ßſ\u212aİıﬁǅ\u0345\u0301µσς你٣²½\xaa\xa0\x85\u2028\u200d\u200b\x1c😀"
)
_LITERALS = "aabbABsSkKtTfiIzß'1 é-.,_&~:你"
_PROPERTIES = ["L", "Lu", "Ll", "Lt", "N", "Nd", "P", "Z", "C", "M", "Greek", "Latin", "Han", "Alphabetic", "Upper", "S"]
_ANCHORS = (".", "^", "$", *(rf"\{each}" for each in ("b", "B", "A", "z", "Z", "R", "n", "t", "x41", "u00e9")))
_RANGES = [r"a-c", r"A-Z", r"a-z", r"0-9", r"!-/", r"é-ü", r"α-ω", r"k-t", r"\x20-\x7e", r"\u0080-\u2fff", r"-", r"a-"]
_POSIX = ["alpha", "digit", "alnum", "upper", "lower", "space", "punct", "blank", "word", "xdigit", "graph", "cntrl"]
_OPTIONS = {PYTHON: ("i", "s", "m", "x", "i-s", "a", "u"), RUST: ("i", "s", "m", "x", "U", "is", "-i", "u")}
_OPTIONS[ONIGURUMA] = ("i", "m", "x", "im", "-i")
_SYNTAX = r"\()[]{}?*+|^$.-&~:!=<>#12,iabsxpLPzZAGKRXNOQuU"


class Generator:
    """A source of expressions of one dialect."""

    def __init__(self, dialect: Dialect, seed: int) -> None:
        self._dialect = dialect
        self._random = random.Random(f"{dialect.engine} {seed}")
        self._version = ""

    def expression(self) -> str:
        """Return an expression, occasionally a damaged one."""
        pick = self._random
        self._version = "(?V1)" if self._dialect is PYTHON and pick.random() < 0.4 else ""
        start = pick.choice(("(?i)", "(?s)", "(?m)")) if pick.random() < 0.12 else ""
        pattern = self._version + start + self._alternatives(2)
        while pick.random() < 0.08:
            place = pick.randrange(len(pattern) + 1)
            pattern = pattern[:place] + pick.choice(("", pick.choice(_SYNTAX))) + pattern[place + pick.randrange(2) :]
        return pattern

    def text(self) -> str:
        """Return a text."""
        few = self._random.choices(CHARACTERS, k=5)
        return "".join(self._random.choices(self._random.choice((CHARACTERS, few)), k=self._random.randrange(1, 13)))

    def _alternatives(self, depth: int) -> str:
        return "|".join(self._sequence(depth) for _ in range(self._random.choice((1, 1, 1, 2, 3))))

    def _sequence(self, depth: int) -> str:
        items = [self._item(depth) + self._quantifier() for _ in range(self._random.choice((1, 1, 2, 3)))]
        if self._random.random() < 0.7:  # so that few expressions match the empty text
            items.insert(self._random.randrange(len(items) + 1), self._random.choice((self._escape(), self._set(1))))
        return "".join(items)

    def _quantifier(self) -> str:
        pick = self._random
        if pick.random() < 0.6:
            return ""
        counts = ("{2}", "{1,2}", "{0,2}", "{2,}", "{,2}", "{1}", "{0}", "{,}", "{1,3}", "{}", "{x}")
        sign: str = pick.choice(("*", "+", "+", "?", "?", pick.choice(counts)))
        return sign + pick.choice(("", "", "", "?", "+"))

    def _item(self, depth: int) -> str:
        pick = self._random
        kind = pick.random()
        if kind < 0.3:
            literal = pick.choice(_LITERALS)
            return "\\" + literal if literal in "." else literal
        if kind < 0.45:
            return self._escape()
        if kind < 0.65:
            return self._set(1)
        if kind < 0.75:
            return pick.choice(
                (".", "^", "$", r"\b", r"\B", r"\A", r"\z", r"\Z", r"\R", r"\n", r"\t", r"\x41", r"\u00e9")
            )
        if depth == 0:
            return pick.choice(("a", " ", "(?i:k)", "(?i:'s)", "(?i:ab)"))
        inside = self._alternatives(depth - 1)
        openings = ("(?:", "(", "(?=", "(?!", "(?>", "(?:", "(?<n>")
        if kind < 0.92:
            return f"{pick.choice(openings)}{inside})"
        if kind < 0.95:
            return f"{pick.choice(('(?<=', '(?<!'))}{pick.choice((self._set(1), self._escape(), inside))})"
        option = pick.choice(_OPTIONS[self._dialect])
        return pick.choice((f"(?{option}:{inside})", f"(?{option}:{inside})", f"(?{option})"))

    def _escape(self) -> str:
        pick = self._random
        if pick.random() < 0.5:
            return "\\" + pick.choice("wWsSdD" + ("" if self._dialect is PYTHON else "hHON"))
        return pick.choice((r"\p{%s}", r"\p{%s}", r"\P{%s}", r"\p{^%s}")) % pick.choice(_PROPERTIES)

    def _set(self, depth: int) -> str:
        pick = self._random
        nests = self._dialect.nests or self._version
        members = "".join(self._member(depth) for _ in range(pick.choice((1, 1, 2, 2, 3))))
        if nests and pick.random() < 0.2:
            sign = pick.choice(("&&", "&&", "--", "~~", "||") if self._dialect is not ONIGURUMA else ("&&",))
            members += sign + self._member(depth) + pick.choice(("", "", self._member(depth)))
        return f"[{pick.choice(('', '', '^'))}{members}]"

    def _member(self, depth: int) -> str:
        pick = self._random
        kind = pick.random()
        if kind < 0.35:
            return pick.choice(_LITERALS + "[])^\\").replace("\\", r"\\").replace("]", r"\]")
        if kind < 0.55:
            return pick.choice(_RANGES)
        if kind < 0.8:
            return self._escape()
        if kind < 0.9 or depth == 0:
            return pick.choice(("[:%s:]", "[:^%s:]")) % pick.choice(_POSIX)
        return self._set(depth - 1) if self._dialect.nests or self._version else "["


def spans_of_engine(dialect: Dialect, pattern: str, texts: Sequence[str]) -> list[Spans] | None:
    """Return where an engine finds words in texts, None if it rejects the pattern."""
    try:
        if dialect is PYTHON:
            compiled = regex.compile(pattern)
            return [
                [match.span() for match in compiled.finditer(with_stand_ins(text)) if match.group()] for text in texts
            ]
        if dialect is ONIGURUMA:
            split = Split(Regex(pattern), "removed", invert=True)
            return [[span for _word, span in split.pre_tokenize_str(text)] for text in texts]
        return _spans_of_tiktoken(pattern, texts)
    except BaseException as error:  # the libraries raise errors that are not Exceptions
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


def _spans_of_tiktoken(pattern: str, texts: Sequence[str]) -> list[Spans]:
    """Ask tiktoken, with a vocabulary of all parts of the texts, whose ids say which part each word is."""
    found: list[Spans] = []
    for text in texts:
        parts = {text[start:stop].encode() for start in range(len(text)) for stop in range(start + 1, len(text) + 1)}
        tokens = sorted(parts | {bytes([byte]) for byte in range(256)})
        ranks = {token: rank for rank, token in enumerate(tokens)}
        encoding = tiktoken.Encoding("parts", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        found.append([(0, len(tokens[rank])) for rank in encoding.encode_ordinary(text)])
    return found


def spans_of_automaton(automaton: Automaton, texts: Sequence[str]) -> list[Spans]:
    """Return where an automaton finds words."""
    return [[(start, stop) for start, stop, _part in automaton.matches(text) if start < stop] for text in texts]


def spans_in_utf8(spans: list[Spans], texts: Sequence[str]) -> list[Spans]:
    """Return spans like those of tiktoken in `spans_of_engine`, which gives only their lengths."""
    return [[(0, len(text[a:z].encode())) for a, z in each] for text, each in zip(texts, spans, strict=True)]


def outcome(dialect: Dialect, pattern: str, texts: Sequence[str]) -> str:
    """Return the outcome of comparing an expression."""
    expected = spans_of_engine(dialect, pattern, texts)
    try:
        automaton = Automaton(parse(pattern, dialect))
    except UntranslatableError:
        return "refused by all" if expected is None else "searched"
    except RecipeError:
        return "refused by all" if expected is None else "REFUSED by us"
    if expected is None:
        return "TRANSLATED, but refused by the engine"
    found = spans_of_automaton(automaton, texts)
    if dialect is RUST:
        found = spans_in_utf8(found, texts)
    return "translated" if found == expected else "DIFFERENT"


def outcome_of_writing(dialect: Dialect, target: Dialect, pattern: str, texts: Sequence[str]) -> str:
    """Return the outcome of comparing an expression that is rewritten for another engine."""
    expected = spans_of_engine(dialect, pattern, texts)
    if expected is None:
        return "refused by all"
    try:
        written = translate(pattern, dialect, target)
    except UntranslatableError:
        return "not read"
    except RecipeError:
        return "not written"
    found = spans_of_engine(target, written, texts)
    if found is None:
        return f"REFUSED by {target.engine}: {ascii(written)[:80]}"
    if RUST in (dialect, target):
        expected, found = (
            spans if engine is RUST else spans_in_utf8(spans, texts)
            for engine, spans in ((dialect, expected), (target, found))
        )
    return "written" if found == expected else f"DIFFERENT from {target.engine}: {ascii(written)[:80]}"


def compare(dialect: Dialect, count: int, seed: int = 0, target: Dialect | None = None) -> Counter[str]:
    """Return the outcomes of generated expressions, and print the expressions that fail."""
    generator = Generator(dialect, seed)
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        pattern, texts = generator.expression(), [generator.text() for _ in range(20)]
        if target is None:
            found, shown = outcome(dialect, pattern, texts), ""
        else:
            found, _colon, shown = outcome_of_writing(dialect, target, pattern, texts).partition(":")
        outcomes[found] += 1
        if found.startswith(("D", "R", "T")) and outcomes[found] <= 12:
            print(dialect.engine, found, ascii(pattern), shown, flush=True)
    return outcomes


if __name__ == "__main__":
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # tiktoken writes there why it stops
    expressions, start = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for each in (PYTHON, RUST, ONIGURUMA):
        print(each.engine, dict(compare(each, expressions, start)))
        for other in {PYTHON, RUST, ONIGURUMA} - {each}:
            print(each.engine, "for", other.engine, dict(compare(each, expressions // 10, start, other)))
