"""The syntax tree of regular expressions, the same for all dialects: what they read differently is resolved in it.

Two expressions with equal trees match the same, whatever dialects they are written in.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.errors import translatable as _

from .character_sets import CharacterSet


@dataclass(frozen=True, slots=True)
class Characters:
    """One character of a set. `start` and `stop` say where in the expression it is written."""

    members: CharacterSet
    start: int = field(default=0, compare=False)
    stop: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sequence:
    """One node after another; without any, the empty text."""

    items: "tuple[Node, ...]" = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The first of some alternatives with which the whole expression matches."""

    alternatives: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node from `low` to `high` times, or without end if `high` is None.

    `greedy`: as often as possible, `lazy`: as rarely as possible, `possessive`: as often as possible, without ever
    trying fewer times.
    """

    item: "Node"
    low: int
    high: int | None
    mode: Literal["greedy", "lazy", "possessive"] = "greedy"


@dataclass(frozen=True, slots=True)
class Look:
    """A condition on the text after a place, or before it if `is_behind`: that a node matches there, or does not."""

    item: "Node"
    is_behind: bool = False
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Atomic:
    """A node of which only the first way to match is ever tried."""

    item: "Node"


@dataclass(frozen=True, slots=True)
class Edge:
    """The start or the end of the text."""

    is_end: bool


Node = Characters | Sequence | Choice | Repeat | Look | Atomic | Edge


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression.

    `alternatives` has for each of the alternatives that `|` separates outside groups where it starts and stops; they
    are those of `root` if there are several. `has_captures` says whether a group captures what it matches.
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
    """The expression is valid, but no automaton can stand for it, or only one that is too large."""


# Phrases for the sentences that refuse an expression.
EARLY_END: Final = _("EngineError", "it ends inside a group, a set or an escape")
NO_GROUP: Final = _("EngineError", "the bracket closes no group")
NOTHING_TO_REPEAT: Final = _("EngineError", "there is nothing to repeat")
UNKNOWN: Final = _("EngineError", "this means nothing there")
BACKWARDS: Final = _("EngineError", "the end is before the beginning")

EMPTY_REPEAT: Final = _("EngineError", "a repetition of what may be empty")
POSSESSIVE_GROUP: Final = _("EngineError", "a possessive repetition of a group")
LONG_LOOK_BEHIND: Final = _("EngineError", "a condition on more than one character before")
ATOMIC_GROUP: Final = _("EngineError", "an atomic group")


def too_long_error() -> UntranslatableError:
    """Return the error for an expression that needs too much time or memory."""
    return UntranslatableError(
        _("EngineError", "The regular expression is too long or repeats its parts too many times.")
    )


def on_one_line(part: str) -> str:
    r"""Return a part of an expression as it is written, but with escapes for what cannot be seen.

    >>> print(on_one_line("\\1\n"))
    \1\n
    """
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in part)
