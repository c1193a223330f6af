"""Expressions that are published for models split hostile texts as the engine does that reads them there."""

import random
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
import pytest
import regex
import tiktoken
from tokenizers import Regex, pre_tokenizers

from bpe_gui.engine.formats.llama_cpp_splitters import LLAMA_CPP_SPLITTERS
from bpe_gui.engine.kernels.lowlevel.machine import PADDING
from bpe_gui.engine.kernels.text.automaton import PIECES, find_all_words
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON, RUST
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.splitter_tables import Level, new_splitter
from tests.engine.support.published_expressions import PUBLISHED, Published
from tests.fuzzing.expression_grammar import texts_for

TEXTS = 200
MANY_TEXTS = 20_000
DIALECTS = {"tiktoken": RUST, "tokenizers": ONIGURUMA, "regex": PYTHON}
LLAMA_CPP = [
    Published("regex", "llama.cpp", patterns)
    for patterns in dict.fromkeys(s.patterns for s in LLAMA_CPP_SPLITTERS.values())
]

RUNS = (
    *("a", "B", "é", "Ǆ", "ª", "中", "ひ", "ー", "한", "\u0301", "ा", "1", "٣", "½", "0", "ſ", "K", "😀", "\U000e0100"),
    *(" ", " ", "\n", "\r\n"),
    *"\t\u3000\u00a0\x85\x1c_-/'’…।€(|",
    *("'s", "'Re", " the", " The", "THE", "the", "they'LL", "iPhone", "12345", "1,234,567", "x1", "<|endoftext|>"),
    *("<sentinel:7>", "IMGIMGACZ", " \n ", "\n\n  x", "\r", "  ", "    "),
)


def hostile_texts(expression: str) -> Iterator[str]:
    """Yield texts without end: of what the expression names, of what engines read differently, and of runs."""
    seed = 0
    while True:
        source = random.Random(f"{expression} {seed}")
        yield from texts_for(expression, f"{expression} {seed}")
        for _ in range(20):
            runs = source.choices(RUNS, k=source.choice((2, 4, 8, 16)))
            yield "".join(run * source.choice((1, 1, 1, 2, 3, 9)) for run in runs)
        seed += 1


# -- theirs -----------------------------------------------------------------------------------------------------------


def assert_tiktoken_agrees(expression: str, texts: Sequence[str], words: Sequence[list[str]]) -> None:
    """Compare with tiktoken, which does not return words.

    Each word is a token, and so are any two in a row. If tiktoken cut a word, or joined two, there would be other
    tokens.
    """
    tokens = {bytes([byte]) for byte in range(256)}
    for own in words:
        tokens |= {word.encode() for word in own} | {(left + right).encode() for left, right in pairwise(own)}
    ordered = sorted(tokens, key=lambda token: (len(token), token))
    ranks = {token: rank for rank, token in enumerate(ordered)}
    encoding = tiktoken.Encoding("words", pat_str=expression, mergeable_ranks=ranks, special_tokens={})
    for text, own in zip(texts, words, strict=True):
        assert [ordered[token] for token in encoding.encode_ordinary(text)] == [word.encode() for word in own], repr(
            text
        )


def steps_of(expressions: Sequence[str]) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(expression), "isolated") for expression in expressions])


def words_of_tokenizers(steps: pre_tokenizers.PreTokenizer, text: str) -> list[str]:
    return [word for word, _span in steps.pre_tokenize_str(text)]


def known_to_regex(text: str) -> str:
    """Return a text without characters whose category is new, or has changed: there are several versions of Unicode."""
    return "".join(
        character
        for character in text.replace("\u0295", "")
        if unicodedata.category(character) == unicodedata.ucd_3_2_0.category(character) != "Cn"
    )


# -- ours -------------------------------------------------------------------------------------------------------------


def isolated(expression: Automaton, text: str) -> list[str]:
    """Return the matches and what is between them."""
    edges = {edge for start, stop, _part in expression.matches(text) for edge in (start, stop)}
    return [text[start:stop] for start, stop in pairwise(sorted({0, len(text)} | edges))]


def words_of_kernel(levels: Sequence[Level], texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of each text, by kernels."""
    encoded = [text.encode() for text in texts]
    size = max(map(len, encoded)) + 1
    splitter = new_splitter(levels, size)
    starts, ends = np.zeros((2, PIECES + 2), np.int64)
    all_starts, all_ends = np.zeros((2, size), np.int64)
    for data in encoded:
        block = np.frombuffer(data + bytes(PADDING), np.uint8)
        words = find_all_words(splitter, block, np.array([0, len(data)]), starts, ends, all_starts, all_ends)
        spans = zip(all_starts[:words].tolist(), all_ends[:words].tolist(), strict=True)
        yield [data[start:end].decode() for start, end in spans]


def check(published: Published, count: int) -> None:
    """Compare both sides on some texts: each expression by its automaton, and all of them by kernels."""
    automata = [Automaton(parse(each, DIALECTS[published.engine])) for each in published.expressions]
    texts = list(islice(hostile_texts(published.expressions[-1]), count))
    {"tokenizers": check_tokenizers, "tiktoken": check_tiktoken, "regex": check_regex}[published.engine](
        published.expressions, automata, texts
    )


def check_tokenizers(expressions: Sequence[str], automata: Sequence[Automaton], texts: Sequence[str]) -> None:
    for expression, automaton in zip(expressions, automata, strict=True):
        steps = steps_of([expression])
        for text in texts:
            assert isolated(automaton, text) == words_of_tokenizers(steps, text), (expression, text)
    steps = steps_of(expressions)
    levels = [Level(automaton, "isolated", is_inverted=False) for automaton in automata]
    for text, words in zip(texts, words_of_kernel(levels, texts), strict=True):
        assert words == words_of_tokenizers(steps, text), repr(text)


def check_tiktoken(expressions: Sequence[str], automata: Sequence[Automaton], texts: Sequence[str]) -> None:
    (automaton,), (expression,) = automata, expressions
    words = [[text[start:stop] for start, stop, _part in automaton.matches(text)] for text in texts]
    for start in range(0, len(texts), TEXTS):
        part = slice(start, start + TEXTS)
        assert_tiktoken_agrees(expression, texts[part], words[part])
    assert list(words_of_kernel([Level(automaton)], texts)) == words


def check_regex(expressions: Sequence[str], automata: Sequence[Automaton], texts: Sequence[str]) -> None:
    known = list(map(known_to_regex, texts))
    for expression, automaton in zip(expressions, automata, strict=True):
        pattern = regex.compile(expression)
        spans = [[match.span() for match in pattern.finditer(text)] for text in known]
        for text, found in zip(known, spans, strict=True):
            assert [(start, stop) for start, stop, _part in automaton.matches(text)] == found, (expression, text)
        words = [
            [text[slice(*span)] for span in found if span[0] < span[1]]
            for text, found in zip(known, spans, strict=True)
        ]
        assert list(words_of_kernel([Level(automaton)], known)) == words, expression


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda published: published.models)
def test_published_expressions_split_as_their_engine_does(published: Published) -> None:
    check(published, TEXTS)


@pytest.mark.parametrize("published", LLAMA_CPP, ids=lambda published: published.expressions[0][:40])
def test_the_expressions_for_gguf_files_split_as_regex_does(published: Published) -> None:
    check(published, TEXTS)


@pytest.mark.exhaustive
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("published", [*PUBLISHED, *LLAMA_CPP], ids=lambda published: published.expressions[-1][:40])
def test_published_expressions_split_many_texts_as_their_engine_does(published: Published) -> None:
    check(published, MANY_TEXTS)
