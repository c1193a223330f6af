"""Regular expressions for ranks are read as tiktoken reads them, or refused by name and position."""

import re
from base64 import b64encode
from itertools import islice
from pathlib import Path

import pytest

from bpe_gui.engine import SPLITTERS, EngineError, RecipeError, load, splitter_of_ranks
from bpe_gui.engine.formats.ranks import rust_pattern
from tests.fuzzing.expression_grammar import Sample, samples
from tests.fuzzing.expressions import Engine, compare

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
CAPITALS, SMALL = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
PUBLISHED = {
    "gpt2": SPLITTERS["gpt2"],
    "r50k": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k": SPLITTERS["cl100k"].replace(r"\Z", "$"),
    "o200k": SPLITTERS["o200k"],
    "llama3": rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{SPACES}",
    "qwen2": rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{SPACES}",
    "tekken": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    rf"|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{SPACES}",
    "kimi k2": rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}*{SMALL}+{CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}+{SMALL}*{CONTRACTIONS}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{SPACES}",
    "bloom": r" ?[^(\s|.,!?…。，、।۔،)]+",
    "deepseek": r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{SPACES}",
    "starcoder": r"\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "falcon": r"[\p{P}\$\+<=>\^~\|`]+|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|\s+(?!\S)|\s+|[0-9][0-9][0-9]",
}

READ_ALIKE = r"""
[a-z&&[^b]]+|\s [a-z&&b-d] [^a-z&&[^b]] [a-z--[b-d]] [\d--5] [a[^b]] [a[bc]] a$ .\z a\Z (?m)^. (?m).$
\h [\H] \R \N+ \O [[:alpha:]]+ [[:^space:]] \bb (?i)[^a-z] (?i)k|s (?i:\p{L})+ (?i:i) (?i:st) (?s).+ (?s:.)
(?-s:.) a{,2}b a{1,2}+a a{2}? (?>a+)c (?P<n>a)b \x{4f60} \u{61} \xe9 \U00000061 \a|\e|\v
]|}|{ []a] \pL \p{^L} \p{sc=Han} \p{Script=Latin} \p{gc=Lu} \p{Letter} [é-ÿ]
"""

REFUSED = {
    "(?<=a|bc)d": "a condition on more than one preceding character",
    "a\\X": "“\\X” at position 1",
    "\\Ka": "“\\K” at position 0",
    "a\\G": "“\\G” at position 1",
    "\\<a": "“\\<” at position 0",
    "\\b{start}a": "“\\b” at position 0",
    "(a)\\1": "“\\1” at position 3",
    "(?<n>a)\\k<n>": "“\\k” at position 7",
    "(a)?(?(1)b|c)": "“(?(” at position 4",
    "(?~ab)": "“(?~” at position 0",
    "(?>a|ab)c": "an atomic group",
    "(?#x)a": "“(?#” at position 0",
    "[a-c~~b-d]": "“~~b-d” at position 4",
    "\\Qa\\E": "position 0: this has no meaning there",
    "\\q": "position 0: this has no meaning there",
    "a**": "“*” at position 2",
    "a{1,2}{2}": "“{” at position 6",
    "\\s*[\\r\\n]+\\s*[\\r\\n]+": "“\\s*[\\r\\n]+\\s” at position 0",
    "b*a*?b*c": "“b*a*?b*c” at position 0",
    "(?:a?)+b": "“(?:a?)+” at position 0",
    "😀|a*": "can match the empty text",
    "😀[a&&]": "“&&” at position 3",
    "[a-c--b&&c]": "“&&” at position 7",
    "[\\w-z]": "“\\w” at position 1",
    "\\p{Foo}": "“\\p{Foo}” at position 0",
    "(?<=a+)b": "“(?<=a+)” at position 0",
    "[^\\p{Cn}\\p{Co}]": "“[^\\p{Cn}\\p{C” at position 0",
    "(a": "position 2: it ends inside a group, a set or an escape",
    "a)": "position 1: the bracket does not close a group",
}


def assert_equal(expression: str, engine: Engine, texts: int = 1) -> None:
    for seed in range(texts):
        result = compare(Sample(expression, ()), engine, str(seed))
        assert result.outcome == "equal", result


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_patterns_split_as_both_packages_do(name: str) -> None:
    assert_equal(PUBLISHED[name], "tiktoken", 5)
    assert_equal(
        PUBLISHED[name].replace("++", "+").replace("}+", "}").replace("?+", "?").replace("*+", "*"), "tokenizers", 5
    )


@pytest.mark.parametrize("expression", READ_ALIKE.split())
def test_expressions_split_as_tiktoken_does(expression: str) -> None:
    assert_equal(expression, "tiktoken", 3)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_cannot_be_translated_is_refused_by_name_and_position(expression: str) -> None:
    with pytest.raises(RecipeError, match=re.escape(REFUSED[expression])):
        splitter_of_ranks(expression)


@pytest.mark.parametrize("engine", ["tiktoken", "tokenizers"])
def test_generated_expressions_are_equal_or_refused(engine: Engine) -> None:
    results = [compare(sample, engine) for sample in islice(samples(7), 60)]
    assert [result for result in results if result.outcome not in ("equal", "refused", "not theirs")] == []
    accepted = [result for result in results if not result.sample.constructs and result.outcome == "equal"]
    assert len(accepted) > 0.8 * sum(not result.sample.constructs for result in results)


def test_no_text_is_lost_to_an_operator(tmp_path: Path) -> None:
    file = tmp_path / "bytes.tiktoken"
    file.write_text("".join(f"{b64encode(bytes([byte])).decode()} {byte}\n" for byte in range(256)))
    assert load(file, pattern=r"[a-z&&[^b]]+|\s").encode("abc XY\n") == [97, 99, 32, 10]


def test_a_wrong_pattern_is_reported_before_the_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="at position 1"):
        load(tmp_path / "missing.tiktoken", "tiktoken", pattern=r"a\X")


def test_a_splitter_is_written_for_tiktoken_or_refused() -> None:
    assert rust_pattern("cl100k") == SPLITTERS["cl100k"].replace(r"\Z", "$")
    assert rust_pattern("[a&&b]") == r"[\&ab]"
    with pytest.raises(RecipeError, match="at position 3"):
        rust_pattern(r"(a)\1")
