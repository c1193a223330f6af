"""The parts of a plan as they are typed: a pair, a pattern or a step on each line."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import SPLITTERS, EngineError, Plan
from bpe_gui.engine.runtime import from_printable, to_printable
from bpe_gui.engine.text import automaton_of
from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.engine.training import automaton_of_tokens
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MOST_STEPS: Final = 10_000_000
_STEP: Final = re.compile("0*([0-9]{1,8})")
_NAME: Final = re.compile(r"[\w-]+")


class LineError(ValueError):
    """A line, of which the number from 1 is given, is not what it should be.

    The message says what it should be, in the language of the window.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def typed_pairs(plan: Plan) -> str:
    """Return the banned pairs of a plan as lines."""
    return "\n".join(sorted(map(_typed, plan.banned)))


def typed_steps(plan: Plan) -> str:
    """Return the forced merges of a plan as lines; steps count from 1."""
    return "\n".join(f"{rank + 1} {_typed(pair)}" for rank, pair in plan.forced.items())


def typed_stages(plan: Plan) -> str:
    """Return the stages of a plan as lines."""
    return "\n".join(f"{step} {splitter}" for step, splitter in plan.stages.items())


def read_pairs(text: str) -> frozenset[TokenPair]:
    """Return the pairs in lines. Raise LineError."""
    return frozenset(_pair(line_number, line) for line_number, line in _lines(text))


def read_patterns(text: str) -> tuple[str, ...]:
    """Return the patterns in lines, spaces and all. Raise LineError."""
    patterns = {index: line for index, line in enumerate(text.splitlines(), start=1) if line.strip()}
    for line_number, pattern in patterns.items():
        _check(automaton_of_tokens, line_number, pattern)
    return tuple(patterns.values())


def read_steps(text: str) -> Mapping[int, TokenPair]:
    """Return the merges forced by lines, by rank. Raise LineError."""
    forced: dict[int, TokenPair] = {}
    for line_number, step, rest in _step_lines(text):
        if not step:
            raise LineError(line_number, translate("Plan", "the first step is 1."))
        forced[step - 1] = _pair(line_number, rest)
    return forced


def read_stages(text: str) -> Mapping[int, str]:
    """Return the splitters in lines, by the step after which they are used. Raise LineError."""
    stages: dict[int, str] = {}
    for line_number, step, splitter in _step_lines(text):
        if not splitter:
            raise LineError(line_number, translate("Plan", "enter a step and the splitter to use after it."))
        _check(automaton_of, line_number, splitter)
        stages[step] = splitter
    return stages


def doubtful_name(plan: Plan) -> str:
    """Return a splitter of a plan that looks like a name but is a regular expression, since no splitter has it."""
    splitters = (splitter for splitter in plan.stages.values() if splitter not in SPLITTERS)
    return next(filter(_NAME.fullmatch, splitters), "")


def _typed(pair: TokenPair) -> str:
    return f"{to_printable(pair[0])} {to_printable(pair[1])}"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers from 1."""
    return ((index, line.strip()) for index, line in enumerate(text.splitlines(), start=1) if line.strip())


def _step_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the number of each line, the step that it begins with, and the rest. Raise LineError for a step twice."""
    lines: dict[int, int] = {}
    for line_number, line in _lines(text):
        step, rest = _step(line_number, line)
        if step in lines:
            template = translate("Plan", "line {line} is for step {step}, too. Remove one of the two.")
            raise LineError(line_number, template.format(line=number(lines[step]), step=number(step)))
        lines[step] = line_number
        yield line_number, step, rest


def _check(check: Callable[[str], object], line_number: int, expression: str) -> None:
    """Raise LineError for an expression for which `check` raises EngineError."""
    try:
        check(expression)
    except EngineError as error:
        raise LineError(line_number, error_message(error)) from error


def _step(line_number: int, line: str) -> tuple[int, str]:
    """Return the step that a line begins with, and the rest of it."""
    first, _, rest = line.partition(" ")
    match = _STEP.fullmatch(first)
    if match is None or int(match[1]) > _MOST_STEPS:
        template = translate("Plan", "it must begin with the number of a step, not “{text}”.")
        raise LineError(line_number, template.format(text=first))
    return int(match[1]), rest.strip()


def _pair(line_number: int, line: str) -> TokenPair:
    match line.split():
        case [left, right]:
            return _token(line_number, left), _token(line_number, right)
        case _:
            raise LineError(line_number, translate("Plan", "enter two tokens separated by a space."))


def _token(line_number: int, text: str) -> bytes:
    """Return the bytes of a token, written as in `merges.txt` or, as far as they are not in that, as text."""
    try:
        return from_printable(text)
    except KeyError:
        return text.encode("utf-8", "surrogatepass")
