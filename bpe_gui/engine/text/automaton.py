"""Expressions as deterministic automata that match in the first way that works, as a backtracking engine does.

A state is the list of steps that the expression can be at after the characters read, in order of preference, up to the
first that has matched. Whether it has matched is decided when the next symbol is seen, so a condition on the next
character only limits the symbols with which a way goes on. A symbol is a class of characters that the expression does
not tell apart, or the end of the text. Conditions on more than the next character are answered by a second automaton,
which reads the text backwards and finds out which of them hold at each position. The symbol says that, too.

Source: Cox, “Regular Expression Matching: the Virtual Machine Approach” (2009).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import Int32Array, UInt16Array

from .character_sets import LAST_CODE_POINT, CharacterSet
from .nfa import Ahead, Fork, Graph, Match, Neighbor, Take
from .syntax import Expression, too_long_error

DEAD: Final = 0
"""The state in which nothing can match any more."""

NO_MATCH: Final = -1

_PAGE: Final = 256  # code points
_MAX_CLASSES: Final = 2_000
_MAX_TRANSITIONS: Final = 1 << 19
_MAX_WORK: Final = 400_000
"""The most steps to look at while building an automaton: about a second."""


class CharacterClasses(NamedTuple):
    """The classes of characters that some sets tell apart. `by_code_point[pages[c >> 8] + (c & 255)]` is `c`'s class.

    The end of the text is a class of its own, `size`.
    """

    pages: Int32Array
    by_code_point: UInt16Array
    size: int
    members: dict[CharacterSet, int]
    """The classes of each set, as the bits of a number."""

    @classmethod
    def of(cls, sets: Iterable[CharacterSet]) -> "CharacterClasses":
        """Return the classes that these sets tell apart."""
        different = list(dict.fromkeys(sets))
        edges = [np.array(each.ranges, np.int64).reshape(-1, 2) + np.arange(2) for each in different]
        starts = distinct(np.concatenate([*range(0x80), LAST_CODE_POINT + 1, *edges], axis=None))
        contents = np.zeros((len(starts), len(different)), np.int8)
        for index, each in enumerate(edges):
            contents[np.searchsorted(starts, each[:, 0]), index] += 1
            contents[np.searchsorted(starts, each[:, 1]), index] -= 1
        contents = np.cumsum(contents, axis=0, dtype=np.int8)[:-1].astype(np.bool_)
        class_of = _numbered(np.packbits(contents, axis=1))
        count = int(class_of.max()) + 1
        if count > _MAX_CLASSES:
            raise too_long_error()
        members = {
            each: sum(1 << int(found) for found in distinct(class_of[contents[:, index]]))
            for index, each in enumerate(different)
        }
        return cls.of_code_points(np.repeat(class_of.astype(np.uint16), np.diff(starts)), members)

    @classmethod
    def of_code_points(
        cls, by_code_point: UInt16Array, members: dict[CharacterSet, int] | None = None
    ) -> "CharacterClasses":
        """Return the classes, given the class of each code point."""
        pages = by_code_point.reshape(-1, _PAGE)
        page_of = _numbered(pages)
        _numbers, firsts = np.unique(page_of, return_index=True)
        count = int(by_code_point.max()) + 1
        return cls(page_of * np.int32(_PAGE), pages[firsts].reshape(-1), count, members or {})

    def of_text(self, text: str) -> list[int]:
        """Return the class of each character."""
        return [int(self.by_code_point[self.pages[ord(c) >> 8] + (ord(c) & 255)]) for c in text]


_Taken = frozenset[tuple[int, int]]


class _Place(NamedTuple):
    """A position in a text as the automaton that reads backwards sees it.

    `state` is the state after the character there, whose class is `class_`. `context` is a possible context from the
    character before. `known` says for which steps we already know whether they reach their end.
    """

    state: _Taken
    class_: int
    context: int
    known: dict[int, bool]


class Automaton:
    """The automaton of an expression.

    Rows are states, columns symbols.

    - `following`: the next state, or `DEAD` if nothing can match any more.
    - `matched`: the number of the alternative that has matched before the symbol, or `NO_MATCH`.
    - `starts`: the state to begin in, by class of the character before; the last one is for the start of the text.
    - `backward`: the next state of the automaton that reads backwards, and the symbol of this class at this position.
      Rows are its states, beginning with 0 at the end of the text; columns are classes. Empty if not needed.
    - `symbol_at_end`: the symbol for the end of the text.
    - `class_of_symbol`: the class of each symbol.
    - `last_classes`: for each state, a class of characters that may have been read last; for `starts`, any will do.
    """

    def __init__(self, expression: Expression) -> None:
        """Build the automaton. Raise UntranslatableError if it has no automaton of reasonable size."""
        graph = Graph.of(expression)
        sets = [step.members for step in graph.steps if isinstance(step, Take | Neighbor)]
        self.classes = CharacterClasses.of(sets)
        self._graph = graph
        self._work = 0
        self.backward: Int32Array = np.empty((0, 0), np.int32)
        self._symbols: list[tuple[int, int]] = [(index, 0) for index in range(self.classes.size + 1)]
        """The class of each symbol, and as bits which conditions on what follows hold in which context."""
        self.symbol_at_end = self.classes.size
        # A context is a class of previous characters: conditions on the character before do not tell them apart.
        behinds = [step for step in graph.steps if isinstance(step, Neighbor) and step.is_behind]
        contexts: dict[tuple[bool, ...], int] = {}
        self._context_of = [
            contexts.setdefault(tuple(self._is_behind(step, before) for step in behinds), len(contexts))
            for before in range(self.classes.size + 1)
        ]
        self._holding_behind = [
            {id(step) for step, holds in zip(behinds, each, strict=True) if holds} for each in contexts
        ]
        if any(isinstance(step, Ahead) for step in graph.steps):
            self._read_backward()
        self._masks_of_classes: dict[int, int] = defaultdict(int)
        for symbol, (class_, _holding) in enumerate(self._symbols):
            self._masks_of_classes[class_] |= 1 << symbol
        self._read_forward()

    # -- backwards ----------------------------------------------------------------------------------------------------

    def _read_backward(self) -> None:
        """Build the automaton that reads backwards.

        Its state has the `Take` steps whose character, read just before, makes a condition hold, each with the possible
        contexts from this character.
        """
        steps, end, members = self._graph.steps, self.classes.size, self.classes.members
        contexts = range(len(self._holding_behind))
        within = ((index, steps[index]) for index in self._within_aheads())
        takes = [
            (index, step.following, context)
            for index, step in within
            if isinstance(step, Take)
            for context in {self._context_of[class_] for class_ in bits(members[step.members])}
        ]
        aheads = [step for step in steps if isinstance(step, Ahead)]
        numbers: dict[_Taken, int] = {}
        symbols: dict[tuple[int, int], int] = {}

        def read(state: _Taken, class_: int) -> tuple[_Taken, int]:
            places = [_Place(state, class_, context, {}) for context in contexts]
            holding = sum(
                (self._holds(step.begin, place) != step.is_negated) << (i * len(places) + place.context)
                for i, step in enumerate(aheads)
                for place in places
            )
            after = frozenset(
                (index, context) for index, following, context in takes if self._holds(following, places[context])
            )
            return after, symbols.setdefault((class_, holding), len(symbols))

        first, self.symbol_at_end = read(frozenset(), end)
        numbers[first] = 0
        rows: list[list[tuple[int, int]]] = []
        for state in (queue := [first]):
            row = []
            for class_ in range(end):
                after, symbol = read(state, class_)
                if after not in numbers:
                    numbers[after] = len(numbers)
                    queue.append(after)
                row.append((numbers[after], symbol))
            rows.append(row)
            if len(symbols) * len(rows) > _MAX_TRANSITIONS:
                raise too_long_error()
        self.backward = np.array(rows, np.int32)
        self._symbols = list(symbols)

    def _within_aheads(self) -> set[int]:
        """Return the steps of conditions on what follows."""
        steps = self._graph.steps
        pending = [step.begin for step in steps if isinstance(step, Ahead)]
        found: set[int] = set()
        while pending:
            index = pending.pop()
            if index in found:
                continue
            found.add(index)
            match steps[index]:
                case Fork(ways):
                    pending += ways
                case Take(following=following) | Neighbor(following=following):
                    pending.append(following)
                case Ahead(begin=begin, following=following):
                    pending += (begin, following)
        return found

    def _holds(self, index: int, place: "_Place") -> bool:
        """Return whether this step and those after it reach their end at a position."""
        if index in place.known:
            return place.known[index]
        self._count_work(1)
        steps, members, class_ = self._graph.steps, self.classes.members, place.class_
        is_at_end = class_ == self.classes.size
        match step := steps[index]:
            case Match():
                found = True
            case Fork(ways):
                found = any(self._holds(way, place) for way in ways)
            case Take(allowed):
                is_allowed = not is_at_end and bool(members[allowed] >> class_ & 1)
                found = is_allowed and (index, self._context_of[class_]) in place.state
            case Neighbor(allowed, or_edge, is_behind, following):
                if is_behind:
                    is_allowed = id(step) in self._holding_behind[place.context]
                else:
                    is_allowed = or_edge if is_at_end else bool(members[allowed] >> class_ & 1)
                found = is_allowed and self._holds(following, place)
            case Ahead(begin, is_negated, following):
                found = self._holds(begin, place) != is_negated and self._holds(following, place)
        place.known[index] = found
        return found

    def _count_work(self, work: int) -> None:
        self._work += work
        if self._work > _MAX_WORK:
            raise too_long_error()

    # -- forward ------------------------------------------------------------------------------------------------------

    def _read_forward(self) -> None:
        graph, context_of = self._graph, self._context_of
        self._aheads = {id(step): i for i, step in enumerate(s for s in graph.steps if isinstance(s, Ahead))}
        numbers: dict[tuple[tuple[int, ...], int], int] = {((), 0): DEAD}
        queue: list[tuple[tuple[int, ...], int]] = [((), 0)]

        def number_of(steps: tuple[int, ...], context: int) -> int:
            key = (steps, context) if steps else ((), 0)
            if key not in numbers:
                numbers[key] = len(numbers)
                queue.append(key)
            return numbers[key]

        self.starts = np.array([number_of((graph.begin,), each) for each in context_of], np.int32)
        last_of_context = {context: before for before, context in reversed(list(enumerate(context_of)))}
        width = len(self._symbols)
        following, matched = [[DEAD] * width], [[NO_MATCH] * width]
        for steps, context in islice(queue, 1, None):  # including those that are appended meanwhile
            nexts, parts = self._transitions(steps, context)
            following.append(
                [
                    number_of(tuple(after), context_of[self._symbols[symbol][0]]) if after else DEAD
                    for symbol, after in enumerate(nexts)
                ]
            )
            matched.append(parts)
            if len(numbers) * width > _MAX_TRANSITIONS:
                raise too_long_error()
        self.following = np.array(following, np.int32)
        self.matched = np.array(matched, np.int32)
        self.last_classes = np.array([last_of_context[context] for _steps, context in queue], np.int32)
        self.class_of_symbol = np.array([class_ for class_, _holding in self._symbols], np.int32)

    def _is_behind(self, step: Neighbor, before: int) -> bool:
        """Return whether a condition on the character before holds after a character of a class."""
        return step.or_edge if before == self.classes.size else bool(self.classes.members[step.members] >> before & 1)

    def _transitions(self, steps: tuple[int, ...], context: int) -> tuple[list[dict[int, None]], list[int]]:
        """Return for each symbol the steps after it, as keys, and the alternative that has matched before it."""
        nexts: list[dict[int, None]] = [{} for _symbol in self._symbols]
        parts = [NO_MATCH] * len(self._symbols)
        for allowed, step in self._ways_on(steps, context):
            for symbol in bits(allowed):
                if isinstance(step, Match):
                    parts[symbol] = step.part
                else:
                    nexts[symbol].setdefault(step.following)
            self._count_work(allowed.bit_count())
        return nexts, parts

    def _ways_on(self, begins: tuple[int, ...], context: int) -> Iterator[tuple[int, Take | Match]]:
        """Yield the ways to go on, in order of preference, each with its symbols as bits."""
        steps = self._graph.steps
        open_symbols = (1 << len(self._symbols)) - 1  # with which nothing has matched yet
        seen: dict[int, int] = defaultdict(int)
        pending = [(index, open_symbols) for index in reversed(begins)]
        while pending:
            index, allowed = pending.pop()
            allowed &= ~seen[index] & open_symbols
            if not allowed:
                continue
            seen[index] |= allowed
            self._count_work(1)
            match step := steps[index]:
                case Match():
                    yield allowed, step
                    open_symbols &= ~allowed
                case Take():
                    if allowed := allowed & self._symbols_of(step.members, at_end=False):
                        yield allowed, step
                case Fork(ways):
                    pending += [(way, allowed) for way in reversed(ways)]
                case Neighbor(is_behind=True):
                    if id(step) in self._holding_behind[context]:
                        pending.append((step.following, allowed))
                case Neighbor():
                    pending.append((step.following, allowed & self._symbols_of(step.members, at_end=step.or_edge)))
                case Ahead():
                    number = self._aheads[id(step)] * len(self._holding_behind) + context
                    holding = sum(1 << s for s, (_class, holds) in enumerate(self._symbols) if holds >> number & 1)
                    pending.append((step.following, allowed & holding))

    def _symbols_of(self, members: CharacterSet, *, at_end: bool) -> int:
        """Return the symbols for the characters of a set, and for the end of the text if `at_end`."""
        key = id(members), at_end  # the set belongs to a step, so its id stays valid
        if key not in self._symbol_sets:
            classes = self.classes.members[members] | (at_end << self.classes.size)
            self._symbol_sets[key] = sum(self._masks_of_classes[each] for each in bits(classes))
        return self._symbol_sets[key]

    @cached_property
    def _symbol_sets(self) -> dict[tuple[int, bool], int]:
        return {}

    def class_of(self, character: str) -> int:
        """Return the class of a character."""
        return self.classes.of_text(character)[0]

    # -- matching, for tests and for uses without kernels -------------------------------------------------------------

    def symbols_of(self, text: str) -> list[int]:
        """Return the symbol of each character of a text, and of its end."""
        classes = self.classes.of_text(text)
        if not len(self.backward):
            return [*classes, self.symbol_at_end]
        symbols, state = [self.symbol_at_end], 0
        for class_ in reversed(classes):
            state, symbol = self.backward[state, class_]
            symbols.append(int(symbol))
        return symbols[::-1]

    def matches(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield the start, stop and alternative of each match from left to right.

        After an empty match, the search goes on one character later.
        """
        classes, symbols, at = self.classes.of_text(text), self.symbols_of(text), 0
        while at <= len(text):
            state = int(self.starts[classes[at - 1] if at else self.classes.size])
            stop, part, place = NO_MATCH, NO_MATCH, at
            while state != DEAD and place <= len(text):
                symbol = symbols[place]
                if self.matched[state, symbol] != NO_MATCH:
                    stop, part = place, int(self.matched[state, symbol])
                state, place = int(self.following[state, symbol]), place + 1
            if stop != NO_MATCH:
                yield at, stop, part
            at = max(stop, at + 1)


def distinct(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the different numbers of an array in ascending order, without all that `np.unique` imports.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ascending = np.sort(numbers, axis=None)
    is_first = np.ones(len(ascending), np.bool_)
    is_first[1:] = ascending[1:] != ascending[:-1]
    found: np.ndarray[Any, Any] = ascending[is_first]
    return found


def _numbered(rows: np.ndarray[Any, Any]) -> Int32Array:
    """Number the distinct rows of an array from 0 in order of first appearance, and return the number of each row."""
    is_new = np.ones(len(rows), np.bool_)
    is_new[1:] = np.any(rows[1:] != rows[:-1], axis=1)  # hashing takes longer, and most pages equal the one before
    numbers: dict[bytes, int] = {}
    found = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows[is_new]], np.int32)
    return found.take(np.cumsum(is_new) - 1)


def bits(number: int) -> Iterator[int]:
    """Yield the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
