"""Expressions are read as their engines read them, or refused with a position, in little time and memory."""

import pytest

from bpe_gui.engine import SPLITTERS, RecipeError
from bpe_gui.engine.text.character_sets import CharacterSet
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON, RUST, Dialect
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import Characters, Expression, Repeat, UntranslatableError

DIALECTS = pytest.mark.parametrize("dialect", [PYTHON, RUST, ONIGURUMA], ids=lambda dialect: dialect.engine)
LETTER_A = Characters(CharacterSet.of_characters("a"))
DIGITS = Characters(CharacterSet.of((0x30, 0x39)))


def members(pattern: str, dialect: Dialect) -> CharacterSet:
    """Return the characters that an expression of a single one matches."""
    root = parse(pattern, dialect).root
    assert isinstance(root, Characters)
    return root.members


@pytest.mark.parametrize("name", SPLITTERS)
def test_named_splitters_have_a_place_for_each_alternative(name: str) -> None:
    expression = parse(SPLITTERS[name])
    written = [expression.pattern[start:stop] for start, stop in expression.alternatives]
    assert "|".join(written) == expression.pattern
    assert all(len(part) > 0 for part in written)


@DIALECTS
def test_what_means_the_same_has_the_same_tree(dialect: Dialect) -> None:
    assert parse("(?:a)(b|c)d", dialect).root == parse("a(?:b|c)(?:d)", dialect).root
    assert parse("(?<n>[a-a])", dialect).root == parse(r"\x61", dialect).root == LETTER_A
    assert parse("(?>[0-9]*)a", dialect).root == parse("[0-9]*+a", dialect).root
    assert parse(r"[^\S ]", dialect).root == parse(r"(?:[^\S ])", dialect).root


def test_repetitions_are_read_as_each_dialect_does() -> None:
    thrice = Repeat(DIGITS, 1, 3)
    assert parse("[0-9]{1,3}+").root == Repeat(DIGITS, 1, 3, "possessive")
    assert parse("[0-9]{1,3}+", RUST).root == Repeat(DIGITS, 1, 3, "possessive")
    assert parse("[0-9]{1,3}+", ONIGURUMA).root == Repeat(thrice, 1, None)
    assert parse("[0-9]{2}?", RUST).root == Repeat(DIGITS, 2, 2)
    assert parse("[0-9]{2}?", ONIGURUMA).root == Repeat(Repeat(DIGITS, 2, 2), 0, 1)


def test_what_may_follow_a_repetition_of_the_same_in_rust() -> None:
    for pattern in ("[0-9]+a*[0-9]*b", "[0-9]*a*[0-9]+b", "[0-9]*a*[0-9]*b", "[0-9]+a+[0-9]+b"):
        assert parse(pattern, RUST).root == parse(pattern).root


def test_options_hold_for_what_each_dialect_says() -> None:
    assert parse("(?i)a|b", RUST).alternatives == ((0, 5), (6, 7))
    for dialect in (PYTHON, RUST, ONIGURUMA):
        assert parse("(?i:a(?-i:b))", dialect).root == parse("[aA]b", dialect).root
        assert parse("(?i)(?-i:b)c|d", dialect).root == parse("b[cC]|[dD]", dialect).root
    assert members("(?m:.)", ONIGURUMA) == members("(?s:.)", RUST) == ~CharacterSet(())


def test_operators_of_sets() -> None:
    expected = CharacterSet.of_characters("acd")
    assert members("[a-d&&[^b]]", RUST) == members("[a-d&&[^b]]", ONIGURUMA) == expected
    assert members("[a-d--b]", RUST) == members("(?V1)[a-d--b]", PYTHON) == expected
    assert members("[a-e&&]", PYTHON) == CharacterSet.of_characters("abcde&")


INVALID = {"(a": 2, "a)": 1, "*a": 0, "[a": 2, "a\\": 2, "[z-a]b": 1, "a|+": 2}


@DIALECTS
@pytest.mark.parametrize("pattern", INVALID)
def test_errors_have_a_position(pattern: str, dialect: Dialect) -> None:
    with pytest.raises(RecipeError, match=f"not valid at position {INVALID[pattern]}:") as raised:
        parse(pattern, dialect)
    assert not isinstance(raised.value, UntranslatableError)


@pytest.mark.parametrize(
    ("pattern", "dialect", "part"),
    [
        (r"(a)b\1", PYTHON, r"\1"),
        (r"a(?R)?", PYTHON, "R"),
        (r"a\Kb", RUST, r"\K"),
        (r"a\X", ONIGURUMA, r"\X"),
        (r"(?r)a", PYTHON, "r"),
        (r"(?U)a+", RUST, "U"),
        (r"a|(?V1)b", PYTHON, "(?V"),
        (r"a(?i)b", ONIGURUMA, "(?i"),
        (r"(?x:a b)", RUST, "(?x:"),
        (r"a(?#b)", PYTHON, "(?#"),
        (r"(?<!\z,)a", ONIGURUMA, r"(?<!\z,"),  # Oniguruma refuses it
        (r"(?V1)[a||b]", PYTHON, "||b"),
        (r"[a~~b]", RUST, "~~b"),
        (r"(?V1)(?i)[[a-z]--b]", PYTHON, "["),
        (r"(?i)\p{Lu}+", PYTHON, r"p{Lu"),
        (r"(?:a|(?=b))?c", ONIGURUMA, "a|"),
        (r"(?i)[^\W\d]", PYTHON, "W"),
        (r"(?i)a|\p{L}", PYTHON, "a|"),
        (r"a{0}b", RUST, "a{0}"),
        (r"[[:Lower:]]", ONIGURUMA, "[:Lower:]"),
        (r"[b[:-a:]]", PYTHON, "["),
        (r"(?V1)[[a]-&&b]", PYTHON, "-"),
        (r"(?:abc){e<=1}", PYTHON, "{"),
        (r"a\p{Klingon}", ONIGURUMA, "Klingon"),
        (r"(?i)stra(?:s)s", ONIGURUMA, "s"),
        (r"(?i)[ß-ü]", ONIGURUMA, "ß"),
        (r"(?~ab)", ONIGURUMA, "~"),
        (r"a(?=b)*c", ONIGURUMA, "b"),
        (r"\s+\n*\s+", RUST, "s"),
        (r"[^\ud7ff\ue000]", RUST, "ud7ff"),
        (r"(a*)*b", PYTHON, "a"),
    ],
)
def test_what_a_tree_cannot_say_is_named(pattern: str, dialect: Dialect, part: str) -> None:
    with pytest.raises(UntranslatableError, match="position") as raised:
        parse(
            pattern.encode().decode("unicode_escape") if "ud7ff" in pattern and dialect is not RUST else pattern,
            dialect,
        )
    assert part in str(raised.value)


HOSTILE = [
    *("a" * 20_000, "(" * 5_000 + ")" * 5_000, "(?:" * 2_000 + "a" + ")" * 2_000, "[" * 5_000, "[a" * 3_000),
    *(r"\p{L}" * 2_000, r"[^\p{L}]" * 1_250, "[" + r"\p{L}" * 1_990 + "]", "a{9999999999999}", "(?i)" + "k" * 9_000),
    *("(a*)*" * 2_000, "(" * 60 + "a" + ")*" * 60, "\\" * 9_999, "(?#" * 3_000, "(?i)" * 2_400 + "a"),
    *("(?=a+" * 60 + ")" * 60 + "a", r"\b" * 4_999 + "a", "(a{1,999}){1,999}", "a|" * 4_999 + "a"),
    *("".join(f"[^\\p{{L}}{chr(0x4E00 + i)}]" for i in range(1_000)), "(?V1)[" + "a--" * 3_300 + "b]"),
    *("(?i)" + "".join(f"[{chr(0x41 + i)}-\U0001ffff]" for i in range(600)), "[a-z&&" * 1_600 + "a" + "]" * 1_600),
]


@DIALECTS
@pytest.mark.parametrize("pattern", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_expressions_are_read_or_refused(pattern: str, dialect: Dialect) -> None:
    try:
        assert isinstance(parse(pattern, dialect), Expression)
    except RecipeError as error:
        assert len(str(error)) < 300
