"""Generate regular expressions of each dialect, and find what its engine and our automaton find with them.

`python -m tests.engine.support.expressions COUNT [SEED]` compares COUNT of each dialect and prints the outcomes.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import regex
from tokenizers import Regex
from tokenizers.pre_tokenizers import Split

from bpe_gui.engine import RecipeError
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.dialects import ONIGURUMA, PYTHON, RUST, Dialect
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import UntranslatableError
from bpe_gui.engine.text.writer import translate
from tests.engine.support.stand_ins import with_stand_ins
from tests.fuzzing.expression_grammar import samples, texts_for
from tests.fuzzing.expressions import words_by_tiktoken

Spans = list[tuple[int, int]]

_SYNTAX = r"\()[]{}?*+|^$.-&~:!=<>#12,iabsxpLPzZAGKRXNOQuU"


def generated(dialect: Dialect, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Yield endless expressions, occasionally damaged ones, each with texts to search."""
    pick = random.Random(f"{dialect.engine} {seed}")
    for sample in samples(seed):
        pattern = sample.expression
        if dialect is PYTHON and pick.random() < 0.4:
            pattern = "(?V1)" + pattern
        while pick.random() < 0.08:
            place = pick.randrange(len(pattern) + 1)
            pattern = pattern[:place] + pick.choice(("", pick.choice(_SYNTAX))) + pattern[place + pick.randrange(2) :]
        yield pattern, texts_for(pattern, pattern)


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
        return [[(0, len(word.encode())) for word in words] for words in words_by_tiktoken(pattern, texts)]
    except BaseException as error:  # the libraries raise errors that are not Exceptions
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


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
    outcomes: Counter[str] = Counter()
    for pattern, texts in islice(generated(dialect, seed), count):
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
