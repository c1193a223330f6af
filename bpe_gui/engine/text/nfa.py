"""An expression as a graph of steps: which character may come next, and where the expression goes on after it.

Source: Thompson, “Regular Expression Search Algorithm” (1968), with the ways from each step in order of preference.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError

from .character_sets import NOTHING, CharacterSet
from .dialects import LINE_BREAK
from .syntax import (
    ATOMIC_GROUP,
    EMPTY_REPEAT,
    LONG_LOOK_BEHIND,
    POSSESSIVE_GROUP,
    Atomic,
    Characters,
    Choice,
    Edge,
    Expression,
    Look,
    Node,
    Repeat,
    Sequence,
    UntranslatableError,
    can_be_empty,
    too_long_error,
)

_MAX_STEPS: Final = 20_000


@dataclass(slots=True)
class Step:
    """A step of the graph."""


@dataclass(slots=True)
class Take(Step):
    """Take a character of a set."""

    members: CharacterSet
    following: int


@dataclass(slots=True)
class Fork(Step):
    """Go on in the first of several ways with which the expression matches."""

    ways: tuple[int, ...]


@dataclass(slots=True)
class Neighbor(Step):
    """Go on if the next character, or the one before, is in a set, or if there is none and `or_edge` is set."""

    members: CharacterSet
    or_edge: bool
    is_behind: bool
    following: int


@dataclass(slots=True)
class Ahead(Step):
    """Go on if the steps that start at `begin` match the text that follows, or if they do not (`is_negated`)."""

    begin: int
    is_negated: bool
    following: int


@dataclass(slots=True)
class Match(Step):
    """The end, with the number of the alternative that matches."""

    part: int


@dataclass(slots=True)
class Graph:
    """The steps of an expression, by number. `begin` is the first step, `aheads` are the `Ahead` steps."""

    steps: list[Step] = field(default_factory=list)
    begin: int = 0

    @classmethod
    def of(cls, expression: Expression) -> "Graph":
        """Return the graph of an expression. Raise UntranslatableError."""
        graph = cls()
        root = expression.root
        alternatives = root.alternatives if isinstance(root, Choice) and len(expression.alternatives) > 1 else (root,)
        ways = [graph._node(node, graph._add(Match(part)), is_last=True) for part, node in enumerate(alternatives)]
        graph.begin = graph._fork(ways)
        return graph

    def _add(self, step: Step) -> int:
        if len(self.steps) >= _MAX_STEPS:
            raise too_long_error()
        self.steps.append(step)
        return len(self.steps) - 1

    def _fork(self, ways: Iterable[int]) -> int:
        found = tuple(ways)
        return found[0] if len(found) == 1 else self._add(Fork(found))

    def _node(self, node: Node, following: int, *, is_last: bool = False) -> int:
        """Add the steps of a node that goes on at `following`. Return the first of them."""
        match node:
            case Characters(members):
                return self._add(Take(members, following))
            case Sequence(items):
                for index, item in reversed(list(enumerate(items))):
                    following = self._node(item, following, is_last=is_last and index == len(items) - 1)
                return following
            case Choice(alternatives):
                single = _as_characters(node)
                if single is not None:
                    return self._add(Take(single, following))
                return self._fork([self._node(each, following, is_last=is_last) for each in alternatives])
            case Repeat():
                return self._repeat(node, following, is_last=is_last)
            case Look():
                return self._look(node, following)
            case Atomic(item):
                return self._node(item if is_last else _committed(item), following, is_last=is_last)
            case Edge(is_end):
                return self._add(Neighbor(NOTHING, True, not is_end, following))

    # -- repetitions --------------------------------------------------------------------------------------------------

    def _repeat(self, node: Repeat, following: int, *, is_last: bool) -> int:
        item, low, high = node.item, node.low, node.high
        if high != 1 and can_be_empty(item):
            raise _untranslatable(EMPTY_REPEAT)
        leave = following
        if node.mode == "possessive" and not is_last:
            if low > 1 and not _is_single_path(item):
                raise _untranslatable(POSSESSIVE_GROUP)
            item = _committed(item)
            leave = self._look(Look(item, is_negated=True), following)
        ordered: Callable[[int, int], tuple[int, int]] = (
            (lambda again, done: (done, again)) if node.mode == "lazy" else (lambda again, done: (again, done))
        )
        if high is None:
            loop = self._add(Fork(()))
            body = self._node(item, loop)
            self.steps[loop] = Fork(ordered(body, leave))
            first, copies = (body, low - 1) if low else (loop, 0)
        else:
            first, copies = following, low
            for _optional in range(high - low):
                first = self._add(Fork(ordered(self._node(item, first), leave)))
        for _copy in range(copies):
            first = self._node(item, first)
        return first

    # -- conditions ---------------------------------------------------------------------------------------------------

    def _look(self, look: Look, following: int) -> int:
        neighbor = _as_neighbor(look.item, look.is_behind)
        if neighbor is not None:
            members, or_edge = neighbor
            if look.is_negated:
                members, or_edge = ~members, not or_edge
            return self._add(Neighbor(members, or_edge, look.is_behind, following))
        if look.is_behind:
            raise _untranslatable(LONG_LOOK_BEHIND)
        begin = self._node(look.item, self._add(Match(0)), is_last=True)
        return self._add(Ahead(begin, look.is_negated, following))


def _untranslatable(construct: EngineError) -> UntranslatableError:
    return UntranslatableError("The regular expression has {construct}, which is not supported.", construct=construct)


def _as_characters(node: Node) -> CharacterSet | None:
    """Return the set of a node that matches exactly one character, else None."""
    match node:
        case Characters(members):
            return members
        case Choice(alternatives):
            sets = [_as_characters(each) for each in alternatives]
            known = [each for each in sets if each is not None]
            return reduce(CharacterSet.__or__, known, NOTHING) if len(known) == len(sets) else None
        case Sequence((item,)):
            return _as_characters(item)
        case Sequence((Look(condition, False, is_negated), item)):
            taken, allowed = _as_characters(item), _as_characters(condition)
            if taken is None or allowed is None:
                return None
            return taken - allowed if is_negated else taken & allowed
    return None


def _as_neighbor(node: Node, is_behind: bool) -> tuple[CharacterSet, bool] | None:
    """Return the characters before which (or after which) a condition holds, and whether it holds at the edge.

    Return None for a condition that depends on more than one character.
    """
    single = _as_characters(node)
    if single is not None:
        return single, False
    match node:
        case Edge(is_end) if is_end != is_behind:
            return NOTHING, True
        case Sequence(()):
            return ~NOTHING, True
        case Sequence((item,)):
            return _as_neighbor(item, is_behind)
        case Choice(alternatives):
            found = [_as_neighbor(each, is_behind) for each in alternatives]
            known = [each for each in found if each is not None]
            if len(known) < len(found):
                return None
            return reduce(CharacterSet.__or__, (each[0] for each in known), NOTHING), any(each[1] for each in known)
    return None


def _is_single_path(node: Node) -> bool:
    """Return whether a node can match at a position in at most one way."""
    match node:
        case Characters() | Look() | Edge():
            return True
        case Sequence(items):
            return all(map(_is_single_path, items))
        case Choice():
            return _as_characters(node) is not None or node == LINE_BREAK
        case Repeat(item, low, high, mode):
            return (low == high or mode == "possessive") and _is_single_path(item)
        case Atomic():
            return True


def _committed(node: Node) -> Node:
    """Return a node that, like an atomic group, matches only in the first way of the given one."""
    match node:
        case Sequence((*before, last)) if all(map(_is_single_path, before)):
            return Sequence((*before, _committed(last)))
        case Repeat(item, low, high, "greedy") if _is_single_path(item):
            return Repeat(item, low, high, "possessive")
    if not _is_single_path(node):
        raise _untranslatable(ATOMIC_GROUP)
    return node
