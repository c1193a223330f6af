"""The words that a splitter can yield: whether one can contain a text, and what may stand around the text for that.

The automaton of a level finds the pieces of one text. To know the pieces of every text, it is made nondeterministic: a
piece may end wherever the expression has matched, and the next one, or a gap in which nothing matches, begins there.
That allows every way in which a text can be split, and perhaps more, so what it does not allow never happens. What it
does allow has to be tried.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.text.automaton import GAP, MATCH
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import BoolArray, Int64Array
from bpe_gui.engine.text.automaton import DEAD, NO_MATCH, bits
from bpe_gui.engine.text.splitter_tables import Level, sure_states

LONGEST_CONTEXT: Final = 4
"""The most characters that are tried on either side of a text."""

_VARIANTS: Final = 6
"""How many characters of a class are tried."""

_USUAL: Final = "ax1 .!\nA-z(\t9'/"
_DELETE: Final = 0x7F
_SURROGATES: Final = slice(0xD800, 0xE000)


class WordShapes:
    """What one level of a splitter can put into a word.

    A state is a state of the level's automaton, or a gap after a character of one of the contexts that it tells apart.
    Sets of states are the bits of a number. `usable` says by code point which characters may stand around a text, and
    `inert` which of these never merge with others.
    """

    def __init__(self, level: Level, usable: BoolArray, inert: BoolArray) -> None:
        self._automaton = automaton = level.automaton
        self._level = level
        self._gaps = len(automaton.following)
        contexts = {int(state): index for index, state in enumerate(dict.fromkeys(automaton.starts.tolist()))}
        self._starts = list(contexts)
        self._gap_after = [1 << (self._gaps + contexts[int(state)]) for state in automaton.starts]
        self._fresh = ((1 << len(contexts)) - 1) << self._gaps
        is_dropped = [bool(level.drops >> kind & 1) for kind in (MATCH, GAP)]
        self._in_words = 0 if is_dropped[0] else (1 << self._gaps) - 1
        self._in_words |= 0 if is_dropped[1] else self._fresh
        self._contexts: dict[tuple[int, ...], Sequence[tuple[str, str]]] = {}
        self._known_ends: dict[tuple[tuple[int, ...], int, bool], tuple[int, ...]] = {}
        self._steps()
        self._characters = self._representatives(usable, inert)

    # -- the automaton ----------------------------------------------------------------------------------------------

    def _steps(self) -> None:
        """Fill in, for each class and state, the states after a character, without and with a new word before it."""
        automaton, level = self._automaton, self._level
        following, matched = automaton.following, automaton.matched
        classes, width = automaton.classes.size, following.shape[1]
        is_sure = sure_states(automaton)
        class_of = automaton.class_of_symbol.tolist()
        joins = {
            (before, kind): bool(level.joins >> (3 * kind + before) & 1)
            for before, kind in product((MATCH, GAP), repeat=2)
        }
        # By context and symbol: a match that begins, as a set of one state, and whether a gap may come instead.
        begins = [
            [(0 if (state := int(following[start, symbol])) == DEAD else 1 << state, not is_sure[state])
             for symbol in range(width)]
            for start in self._starts
        ]  # fmt: skip
        count = self._gaps + len(self._starts)
        self._same = [[0] * count for _class in range(classes)]
        self._new = [[0] * count for _class in range(classes)]

        def begin(state: int, symbol: int, context: int, before: int) -> None:
            class_ = class_of[symbol]
            match, may_be_gap = begins[context][symbol]
            for kind, states in ((MATCH, match), (GAP, self._gap_after[class_] if may_be_gap else 0)):
                is_same = before == kind == GAP or joins[before, kind]
                (self._same if is_same else self._new)[class_][state] |= states

        context_of = {int(state): index for index, state in enumerate(self._starts)}
        for symbol in range(width):
            if class_of[symbol] == classes:
                continue
            for state in range(1, self._gaps):
                if (after := int(following[state, symbol])) != DEAD:
                    self._same[class_of[symbol]][state] |= 1 << after
                if matched[state, symbol] != NO_MATCH:
                    start = int(automaton.starts[automaton.last_classes[state]])
                    begin(state, symbol, context_of[start], MATCH)
            for context in range(len(self._starts)):
                begin(self._gaps + context, symbol, context, GAP)

    def _after(self, states: int, class_: int, *, is_inside: bool) -> int:
        """Return the states after a character, which continues a word if `is_inside`, or may also begin one."""
        same, new = self._same[class_], self._new[class_]
        after = 0
        for state in bits(states):
            after |= same[state] if is_inside else same[state] | new[state]
        return after

    @cached_property
    def _paths(self) -> dict[int, tuple[int, ...]]:
        """The shortest sequence of classes after which each reachable state can be, from the start of a text."""
        paths: dict[int, tuple[int, ...]] = dict.fromkeys(bits(self._fresh), ())
        queue = list(paths)
        for state in queue:
            for class_ in range(len(self._same)):
                for after in bits(self._same[class_][state] | self._new[class_][state]):
                    if after not in paths:
                        paths[after] = (*paths[state], class_)
                        queue.append(after)
        return paths

    @cached_property
    def _reached(self) -> int:
        """The states that some text reaches."""
        return sum(1 << state for state in self._paths)

    @cached_property
    def _endings(self) -> dict[int, tuple[int, ...]]:
        """The shortest sequence of classes with which a word ends, for each state from which it can."""
        matched, at_end = self._automaton.matched, self._automaton.symbol_at_end
        endings: dict[int, tuple[int, ...]] = dict.fromkeys(bits(self._fresh), ())
        for state in range(1, self._gaps):
            if len(followers := np.flatnonzero(matched[state] != NO_MATCH)):
                is_at_end = matched[state, at_end] != NO_MATCH
                endings[state] = () if is_at_end else (int(self._automaton.class_of_symbol[followers[0]]),)

        def ways(state: int) -> Iterator[tuple[int, ...]]:
            for class_, same in enumerate(self._same):
                yield from (
                    (class_, *endings[each]) for each in bits(same[state]) if each < self._gaps and each in endings
                )

        while found := {
            state: min(ending, key=len)
            for state in range(1, self._gaps)
            if state not in endings and (ending := list(ways(state)))
        }:
            endings |= found
        return endings

    def classes_of(self, points: Iterable[int] | Int64Array) -> tuple[int, ...]:
        """Return the classes of characters, given by their code points, each once."""
        classes, codes = self._automaton.classes, np.asarray(points, np.int64)
        return tuple(np.unique(classes.by_code_point[classes.pages[codes >> 8] + (codes & 255)]).tolist())

    def _through(self, states: int, text: Sequence[tuple[int, ...]]) -> int:
        """Return the states after a text within one word, which it may begin.

        Each character of the text may be of several classes.
        """
        for index, classes in enumerate(text):
            after = 0
            for class_ in classes:
                after |= self._after(states, class_, is_inside=index > 0)
            states = after & self._in_words
        return states

    def can_contain(self, text: str, before: tuple[int, ...] = (), after: tuple[int, ...] = ()) -> bool:
        """Return whether a word may contain a text. If not, no word of any text does.

        `before` and `after` are the classes of which the characters next to it must be, if any.
        """
        sides = [[classes] if classes else [] for classes in (before, after)]
        ends = self._through(self._reached, [*sides[0], *self._classes_in(text), *sides[1]])
        return any(state in self._endings for state in bits(ends))

    def _classes_in(self, text: str) -> list[tuple[int, ...]]:
        return [(class_,) for class_ in self._automaton.classes.of_text(text)]

    def can_be(self, text: str) -> bool:
        """Return whether a whole word may be a text."""
        return self._can_end(self._as_beginning(text))

    def _as_beginning(self, text: str) -> int:
        """Return the states after a text with which a word begins."""
        first, *others = self._automaton.classes.of_text(text)
        states = 0
        for state in self._paths:
            states |= self._new[first][state] | (self._same[first][state] if state >= self._gaps else 0)
        for class_ in others:
            states = self._after(states & self._in_words, class_, is_inside=True)
        return states & self._in_words

    def _can_end(self, states: int) -> bool:
        """Return whether a word may end in one of these states."""
        has_matched = np.any(self._automaton.matched != NO_MATCH, axis=1)
        return any(state >= self._gaps or has_matched[state] for state in bits(states))

    def needs(self, text: str) -> tuple[bool, bool]:
        """Return whether a word that contains a text must have more characters before it, and after it."""
        begun, ended = self._as_beginning(text), self._through(self._reached, self._classes_in(text))
        return not any(state in self._endings for state in bits(begun)), not self._can_end(ended)

    # -- contexts ---------------------------------------------------------------------------------------------------

    def contexts(self, text: str) -> Sequence[tuple[str, str]]:
        """Return what may stand before and after a text so that a word contains it, shorter ones first."""
        ends = tuple(1 << state for state, _before in self._ways_here)
        for index, class_ in enumerate(self._automaton.classes.of_text(text)):
            key = ends, class_, index > 0
            if key not in self._known_ends:
                after = (self._after(each, class_, is_inside=index > 0) for each in ends)
                self._known_ends[key] = tuple(each & self._in_words for each in after)
            ends = self._known_ends[key]
        if ends not in self._contexts:
            self._contexts[ends] = list(self._contexts_with(ends))
        return self._contexts[ends]

    def _contexts_with(self, ends: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Yield what may stand around a text after which each of the `_ways_here` leads to these states."""
        found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
        for (_state, before), states in zip(self._ways_here, ends, strict=True):
            for end in bits(states):
                for after in self._ways_on(end):
                    if max(len(before), len(after)) <= LONGEST_CONTEXT and all(
                        map(self._characters.__getitem__, before + after)
                    ):
                        found[before, after] = None
        ordered = sorted(found, key=lambda context: len(context[0]) + len(context[1]))
        seen: set[tuple[str, str]] = set()
        for variant, (before, after) in product(range(_VARIANTS), ordered):
            texts = self._text_of(before, variant), self._text_of(after, variant)
            if texts not in seen:
                seen.add(texts)
                yield texts

    @cached_property
    def _ways_here(self) -> list[tuple[int, tuple[int, ...]]]:
        """The reachable states, each with classes after which a text can be in it."""
        gaps = [
            (gap.bit_length() - 1, (class_,))
            for class_, gap in enumerate(self._gap_after[:-1])
            if self._after(self._reached, class_, is_inside=False) & gap
        ]
        return [*self._paths.items(), *gaps]

    def _ways_on(self, state: int) -> Iterator[tuple[int, ...]]:
        if state in self._endings:
            yield self._endings[state]
        for class_ in range(len(self._same)):
            after = self._same[class_][state] | self._new[class_][state]
            endings = [self._endings[each] for each in bits(after) if each in self._endings]
            if endings:
                yield (class_, *min(endings, key=len))

    def _text_of(self, classes: Iterable[int], variant: int) -> str:
        """Return a text of these classes, which have usable characters."""
        return "".join(usable[variant % len(usable)] for usable in map(self._characters.__getitem__, classes))

    def _representatives(self, usable: BoolArray, inert: BoolArray) -> list[list[str]]:
        """Return for each class a few characters of it: usual ones, those that merge with no others, and any."""
        classes = self._automaton.classes
        usable = usable.copy()
        usable[_SURROGATES] = False
        points = np.flatnonzero(usable)
        class_of = classes.by_code_point[classes.pages[points >> 8] + (points & 255)]
        order = np.argsort(class_of, kind="stable")
        bounds = np.searchsorted(class_of[order], np.arange(classes.size + 1))
        usual = dict(zip(_USUAL, classes.of_text(_USUAL), strict=True))
        return [
            _chosen(
                points[order[bounds[class_] : bounds[class_ + 1]]],
                [each for each, its in usual.items() if its == class_ and usable[ord(each)]],
                inert,
            )
            for class_ in range(classes.size)
        ]


def _chosen(members: Int64Array, usual: list[str], inert: BoolArray) -> list[str]:
    if not len(members):
        return []
    spread = members[np.linspace(0, len(members) - 1, 4).astype(np.int64)]
    apart = members[inert[members] & (members > ord(" ")) & (members != _DELETE)]
    others = [*apart[: len(apart) // 2 + 1 : max(1, len(apart) // 2)].tolist(), *spread.tolist()]
    chosen = [*usual[:2], *map(chr, others), *usual[2:]]
    return list(dict.fromkeys(chosen))[:_VARIANTS]
