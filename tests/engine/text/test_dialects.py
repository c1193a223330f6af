"""Sets and expressions of each dialect find what their engines find, or are refused."""

from bisect import bisect_left, bisect_right
from itertools import islice

import pytest

from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON, RUST, Dialect
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import Characters, UntranslatableError
from tests.engine.support.expressions import generated, outcome, outcome_of_writing
from tests.engine.support.unicode_properties import EVERYTHING, FINDERS
from tests.examples import examples

DIALECTS = pytest.mark.parametrize("dialect", [PYTHON, RUST, ONIGURUMA], ids=lambda dialect: dialect.engine)
SAMPLE = EVERYTHING[:0x3200] + EVERYTHING[0x3200::101]

SETS = (
    *(r"\s", r"\S", r"\w", r"\W", r"\d", r"\D", ".", r"[\w]", r"[^\w-]", r"[^\s\d]", r"\p{L}", r"\P{L}", r"\p{^N}"),
    *(rf"\p{{{name}}}" for name in ("Lu", "Ll", "Lt", "Lm", "Lo", "M", "Nd", "P", "S", "Z", "Cn", "Co", "C", "Any")),
    *(rf"\p{{{name}}}" for name in ("Han", "greek", "Latin", "Alphabetic", "White_Space", "Emoji", "Uppercase")),
    *("[[:alpha:]]", "[[:^punct:]]", "[[:space:]]", "[[:word:]]", "[[:xdigit:]]", "[[:lower:]]", "[[:cntrl:]]"),
    *("(?i:a)", "(?i:k)", "(?i:σ)", "(?i:[a-z])", "(?i:[^a-z])", "(?i:µ)", "(?i:ǆ)", "(?i:i)", "(?i:[à-þ])", "(?i:I)"),
    *(r"(?i:\p{Lu})", r"(?i:[\p{Lu}])", r"(?i:[^\p{Ll}1])", r"(?i:\P{Lt})", r"(?i:[[:upper:]])", r"(?i:[\p{Greek}1])"),
)
_REFUSED = {
    PYTHON: (r"(?i:\p{Lu})", r"(?i:[\p{Lu}])", r"(?i:\P{Lt})", "(?i:[[:upper:]])"),
    ONIGURUMA: (r"(?i:[\p{Lu}])", "(?i:[[:upper:]])", r"(?i:[\p{Greek}1])"),
}
"""Sets that we refuse: `regex` is inconsistent about them, and in Oniguruma they can match several characters."""


def members(pattern: str, dialect: Dialect, text: str) -> set[str] | None:
    """Return the characters of a sorted text that an expression of one matches; None if it is more or less."""
    root = parse(pattern, dialect).root
    if not isinstance(root, Characters):
        return None
    ends = ((bisect_left(text, chr(first)), bisect_right(text, chr(last))) for first, last in root.members.ranges)
    return {character for start, stop in ends for character in text[start:stop]}


@DIALECTS
@pytest.mark.parametrize("pattern", SETS)
def test_sets_have_the_characters_of_the_engine(pattern: str, dialect: Dialect) -> None:
    compare_sets(pattern, dialect, SAMPLE)


@pytest.mark.exhaustive
@DIALECTS
@pytest.mark.parametrize("pattern", SETS)
def test_sets_have_all_characters_of_the_engine(pattern: str, dialect: Dialect) -> None:
    compare_sets(pattern, dialect, EVERYTHING)


def compare_sets(pattern: str, dialect: Dialect, text: str) -> None:
    if pattern in _REFUSED.get(dialect, ()):
        with pytest.raises(UntranslatableError):
            parse(pattern, dialect)
        return
    found = FINDERS[dialect.key](pattern, "\n".join(text)) - {"\n"}
    ours = members(pattern, dialect, text)
    assert ours is not None
    assert found == ours - {"\n"}


@DIALECTS
def test_generated_expressions_find_the_same_words(dialect: Dialect) -> None:
    for pattern, texts in islice(generated(dialect, 0), examples(600)):
        found = outcome(dialect, pattern, texts)
        assert found in ("translated", "searched", "refused by all", "TRANSLATED, but refused by the engine"), pattern


@pytest.mark.parametrize("target", [PYTHON, RUST, ONIGURUMA], ids=lambda dialect: dialect.engine)
@DIALECTS
def test_expressions_written_for_other_engines_find_the_same_words(dialect: Dialect, target: Dialect) -> None:
    for pattern, texts in islice(generated(dialect, 1), examples(200)):
        found = outcome_of_writing(dialect, target, pattern, texts)
        assert not found.startswith("DIFFERENT"), (pattern, found)
