"""Expressions are written for other engines unchanged if possible, otherwise in a short form."""

import pytest

from bpe_gui.engine import SPLITTERS, RecipeError
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON, RUST, Dialect
from bpe_gui.engine.text.writer import translate

WRITTEN = [
    (PYTHON, RUST, SPLITTERS["gpt2"], SPLITTERS["gpt2"]),
    (PYTHON, ONIGURUMA, SPLITTERS["o200k"], SPLITTERS["o200k"]),
    (PYTHON, RUST, SPLITTERS["cl100k"], SPLITTERS["cl100k"].replace(r"\Z", "$")),
    (
        PYTHON,
        ONIGURUMA,
        SPLITTERS["cl100k"],
        SPLITTERS["cl100k"].replace(r"\Z", r"\z").replace(r"\p{N}{1,3}+", r"(?>\p{N}{1,3})"),
    ),
    (PYTHON, ONIGURUMA, SPLITTERS["zh-en"], r"[\u4e00-\u9fff]+|[[\p{L}\p{N}]&&[^\u4e00-\u9fff]]+|[^\s\x1c-\x1f]"),
    (ONIGURUMA, PYTHON, "a$", r"a(?=\Z|\n)"),
    (ONIGURUMA, PYTHON, r"\w+", r"[\p{Alphabetic}\p{M}\d\p{Pc}²³¹¼-¾]+"),
    (ONIGURUMA, PYTHON, "[[:punct:]]+", r"[\p{S}\p{P}]+"),
    (ONIGURUMA, RUST, "a{2}?b", "(?:a{2})?b"),
    (RUST, PYTHON, "[a-z&&[^b]]+$", r"[ac-z]+\Z"),
    (RUST, ONIGURUMA, "(?s:.)", "(?m:.)"),
    (PYTHON, ONIGURUMA, "(?i)key", "(?i)key"),
]


@pytest.mark.parametrize(("source", "target", "pattern", "written"), WRITTEN)
def test_expressions_are_written_for_other_engines(
    source: Dialect, target: Dialect, pattern: str, written: str
) -> None:
    assert translate(pattern, source, target) == written


@pytest.mark.parametrize(
    ("source", "target", "pattern"),
    [
        (ONIGURUMA, PYTHON, r"(a)\1"),
        (ONIGURUMA, RUST, "a*"),
        (PYTHON, RUST, r"\s+\n*\s+"),
        (PYTHON, ONIGURUMA, "\ud800"),
    ],
)
def test_what_cannot_be_written_is_refused(source: Dialect, target: Dialect, pattern: str) -> None:
    with pytest.raises(RecipeError):
        translate(pattern, source, target)
