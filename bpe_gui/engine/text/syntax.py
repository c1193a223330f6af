"""The syntax tree of regular expressions, in which the differences between dialects are resolved.

Two expressions with equal trees match the same text, whatever dialects they are written in.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from bpe_gui.engine.runtime.errors import EngineError, RecipeError

from .character_sets import CharacterSet


@dataclass(frozen=True, slots=True)
class Characters:
    """One character of a set. `start` and `stop` are its span in the expression."""

    members: CharacterSet
    start: int = field(default=0, compare=False)
    stop: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sequence:
    """One node after another; with no nodes, the empty text."""

    items: "tuple[Node, ...]" = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The first of some alternatives with which the whole expression matches."""

    alternatives: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node from `low` to `high` times, or without limit if `high` is None.

    A `greedy` repeat matches as often as possible, a `lazy` one as rarely as possible, and a `possessive` one as often
    as possible without backtracking.
    """

    item: "Node"
    low: int
    high: int | None
    mode: Literal["greedy", "lazy", "possessive"] = "greedy"


@dataclass(frozen=True, slots=True)
class Look:
    """A condition that a node matches, or does not match, after a position, or before it if `is_behind`."""

    item: "Node"
    is_behind: bool = False
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Atomic:
    """A node for which only the first way to match is ever tried."""

    item: "Node"


@dataclass(frozen=True, slots=True)
class Edge:
    """The start or the end of the text."""

    is_end: bool


Node = Characters | Sequence | Choice | Repeat | Look | Atomic | Edge


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression.

    `alternatives` has the start and stop of each alternative that `|` separates outside groups; if there are several,
    they are the alternatives of `root`. `has_captures` says whether any group captures.
    """

    pattern: str
    root: Node
    alternatives: tuple[tuple[int, int], ...]
    has_captures: bool = False


def can_be_empty(node: Node) -> bool:
    """Return whether a node can match the empty text."""
    match node:
        case Characters():
            return False
        case Sequence(items):
            return all(map(can_be_empty, items))
        case Choice(alternatives):
            return any(map(can_be_empty, alternatives))
        case Repeat(item, low):
            return low == 0 or can_be_empty(item)
        case Atomic(item):
            return can_be_empty(item)
        case Look() | Edge():
            return True


class UntranslatableError(RecipeError):
    """The expression is valid, but it has no automaton, or only one that is too large."""


# Phrases for the errors that refuse an expression.
EARLY_END: Final = EngineError("it ends inside a group, a set or an escape")
NO_GROUP: Final = EngineError("the bracket does not close a group")
NOTHING_TO_REPEAT: Final = EngineError("there is nothing to repeat")
UNKNOWN: Final = EngineError("this has no meaning there")
BACKWARDS: Final = EngineError("the end is before the beginning")

EMPTY_REPEAT: Final = EngineError("a repetition of something that may be empty")
POSSESSIVE_GROUP: Final = EngineError("a possessive repetition of a group")
LONG_LOOK_BEHIND: Final = EngineError("a condition on more than one preceding character")
ATOMIC_GROUP: Final = EngineError("an atomic group")


def too_long_error() -> UntranslatableError:
    """Return the error for an expression that needs too much time or memory."""
    return UntranslatableError("The regular expression is too long or repeats its parts too many times.")


def on_one_line(part: str) -> str:
    r"""Return a part of an expression with escapes for invisible characters.

    >>> print(on_one_line("\\1\n"))
    \1\n
    """
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in part)
