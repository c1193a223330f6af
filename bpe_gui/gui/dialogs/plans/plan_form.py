"""The parts of a plan as they are typed: a pair, a pattern or a step on each line."""

from collections.abc import Iterator, Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import Plan
from bpe_gui.engine.runtime import from_printable, to_printable
from bpe_gui.engine.tokenization import TokenPair

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MOST_STEPS: Final = 10_000_000


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
    """Return the patterns in lines, spaces and all."""
    return tuple(line for line in text.splitlines() if line.strip())


def read_steps(text: str) -> Mapping[int, TokenPair]:
    """Return the merges forced by lines, by rank. Raise LineError."""
    forced: dict[int, TokenPair] = {}
    for line_number, line in _lines(text):
        step, rest = _step(line_number, line)
        if not step:
            raise LineError(line_number, translate("Plan", "the first step is 1."))
        forced[step - 1] = _pair(line_number, rest)
    return forced


def read_stages(text: str) -> Mapping[int, str]:
    """Return the splitters in lines, by the step from which on they are used. Raise LineError."""
    stages: dict[int, str] = {}
    for line_number, line in _lines(text):
        step, splitter = _step(line_number, line)
        if not splitter:
            raise LineError(line_number, translate("Plan", "enter a step and the splitter to use after it."))
        stages[step] = splitter
    return stages


def _typed(pair: TokenPair) -> str:
    return f"{to_printable(pair[0])} {to_printable(pair[1])}"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers from 1."""
    return ((index, line.strip()) for index, line in enumerate(text.splitlines(), start=1) if line.strip())


def _step(line_number: int, line: str) -> tuple[int, str]:
    """Return the step that a line begins with, and the rest of it."""
    first, _, rest = line.partition(" ")
    if not (first.isascii() and first.isdigit() and int(first) <= _MOST_STEPS):
        template = translate("Plan", "it must begin with the number of a step, not “{text}”.")
        raise LineError(line_number, template.format(text=first))
    return int(first), rest.strip()


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
