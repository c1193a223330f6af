"""Every answer about every stretch of random texts holds in runs of the slow reference."""

from dataclasses import dataclass
from functools import singledispatchmethod
from itertools import accumulate, pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.engine import SPLITTERS, CorpusCount, Merge, Recipe, Trainer, WordCounts
from bpe_gui.engine.explanations import (
    Apart,
    CutsUnit,
    Dropped,
    Explanation,
    NotInCorpus,
    OneToken,
    Span,
    Taken,
    TakenWhole,
    WordBoundary,
    why_not_one_token,
)
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.alternatives import alternatives_of
from bpe_gui.engine.training.reference import ReferenceTrainer
from tests.engine.support.definition import _sizes, merged, parts_of
from tests.engine.support.modes import USUAL_MODES, running
from tests.engine.support.recorded_runs import counted, state_of
from tests.engine.support.stand_ins import compile_pattern
from tests.engine.support.strategies import corpora, letters, mixed, recipes, special_tokens
from tests.examples import examples

MAX_STEPS = 14
LONGEST = 9  # bytes of a stretch

Tokens = dict[tuple[int, int], bytes]
"""The symbols of a word that cover text, by the bytes that they cover."""


@dataclass
class Oracle:
    """A run of the reference, by which the answers for one text are judged."""

    recipe: Recipe
    counts: WordCounts
    reference: "RecordingReference"
    text: str
    position: int

    @property
    def data(self) -> bytes:
        return self.text.encode()

    @property
    def merges(self) -> list[Merge]:
        return self.reference.states[-1].merges

    def ranks(self, position: int) -> dict[tuple[bytes, bytes], int]:
        ranks: dict[tuple[bytes, bytes], int] = {}
        for merge in self.merges[:position]:
            ranks.setdefault((merge.left, merge.right), merge.rank)
        return ranks

    def symbols(self, word: str, start: int, position: int) -> list[tuple[int, int, bytes]]:
        """Return the symbols of a word that begins at `start` after `position` merges, each with its bytes."""
        found = merged(symbols_of(word, self.recipe), _sizes(word, self.recipe), self.ranks(position))
        ends = list(accumulate((size for _symbol, size in found), initial=start))
        return [(begin, end, symbol) for (begin, end), (symbol, _size) in zip(pairwise(ends), found, strict=True)]

    def edges(self, span: Span, position: int) -> set[int]:
        return {edge for begin, end, _s in self.symbols(span.text, span.start, position) for edge in (begin, end)}

    def covering(self, span: Span, start: int, stop: int, position: int) -> tuple[bytes, ...]:
        """Return the symbols inside [start, stop), markers at its end included."""
        return tuple(
            symbol
            for begin, end, symbol in self.symbols(span.text, span.start, position)
            if start <= begin and end <= stop and (begin < stop or begin == end)
        )

    def is_one(self, span: Span, start: int, stop: int, position: int) -> bool:
        return any((b, e) == (start, stop) for b, e, _s in self.symbols(span.text, span.start, position))

    # -- the corpus --------------------------------------------------------------------------------------------

    def letters_in_corpus(self, letters: bytes) -> CorpusCount:
        places = [(n, word.encode().startswith(letters, at)) for word, n in self.counts.items() for at in _range(word)]
        words = sum(letters in word.encode() for word in self.counts)
        return CorpusCount(sum(n for n, is_there in places if is_there), words)

    def taken_in_corpus(self, letters: bytes, taken: Taken) -> CorpusCount:
        """Return where the merge crosses the same end of the letters, from the words before and after the step."""
        before, after = self.reference.states[taken.step - 1 : taken.step + 1]
        lengths = self.reference.lengths
        occurrences = words = 0
        for (word, n), (old, _n), (new, _m) in zip(self.counts.items(), before.words, after.words, strict=True):
            sizes = _sizes(word, self.recipe)
            found = 0
            for at in _range(word):
                if word.encode().startswith(letters, at):
                    edge = at + (len(letters) if taken.side == "end" else 0)
                    found += edge in _edges(old, lengths, sizes) and edge not in _edges(new, lengths, sizes)
            occurrences += found * n
            words += found > 0
        return CorpusCount(occurrences, words)

    # -- answers -----------------------------------------------------------------------------------------------

    def check(self, found: Explanation) -> None:
        if found.word is not None:
            word = found.word
            assert (word.text, len(self.text.encode()[: word.start])) in {
                (part, at) for part, at, _special in self.parts()
            }
            assert word.start <= found.start < found.stop <= word.stop
            assert found.corpus_count == self.letters_in_corpus(self.data[found.start : found.stop])
            self.check_alternative(word)
        self.check_reason(found.reason, found)

    def parts(self) -> list[tuple[str, int, bool]]:
        return parts_of(self.text, self.recipe, self.counts.special_tokens)

    def check_alternative(self, span: Span) -> None:
        """Check that the alternative matches the word, and that none before it matches anything there."""
        alternative = span.alternative
        if alternative is None:
            assert span.is_special
            return
        pattern = SPLITTERS.get(self.recipe.splitter, self.recipe.splitter)
        flags = compile_pattern(self.recipe.splitter).flags
        sources = alternatives_of(self.recipe.splitter)
        assert "|".join(sources) == pattern
        assert sources[alternative.index] == alternative.source
        if any(is_special for _part, _at, is_special in self.parts()):
            return  # the splitter does not see beyond a special token
        end = len(self.data[: span.stop].decode())
        start = end - len(span.text)
        start += self.recipe.boundary == "prefix" and span.text != " " and span.text.startswith(" ")
        found = regex.compile(alternative.source, flags).match(self.text, start)
        assert found is not None and found.end() == end
        if alternative.index:
            before = regex.compile("|".join(sources[: alternative.index]), flags)
            assert before.match(self.text, start) is None

    @singledispatchmethod
    def check_reason(self, reason: object, found: Explanation) -> None:
        raise AssertionError(reason)

    @check_reason.register
    def _(self, reason: WordBoundary, found: Explanation) -> None:
        ends = {at: part for part, begin, _s in self.parts() for at in (begin + len(part.encode()),)}
        begins = {begin: part for part, begin, _special in self.parts()}
        inside = sorted(at for at in {*ends, *begins} if found.start < at < found.stop)
        special = {
            edge for part, at, is_special in self.parts() if is_special for edge in (at, at + len(part.encode()))
        }
        assert (reason.offset, reason.boundaries) == (min(special.intersection(inside) or inside), len(inside))
        assert (reason.left and reason.left.text) == ends.get(reason.offset)
        assert (reason.right and reason.right.text) == begins.get(reason.offset)
        before, after = self.data[: reason.offset].decode(), self.data[reason.offset :].decode()
        assert (reason.before, reason.after) == (before[-1:], after[:1])
        for span in filter(None, (reason.left, reason.right)):
            self.check_alternative(span)

    @check_reason.register
    def _(self, reason: Dropped, found: Explanation) -> None:
        for part, begin, _special in self.parts():
            assert begin >= found.stop or begin + len(part.encode()) <= found.start

    @check_reason.register
    def _(self, reason: TakenWhole, found: Explanation) -> None:
        assert found.word is not None
        assert found.word.is_special and (found.word.start, found.word.stop) != (found.start, found.stop)

    @check_reason.register
    def _(self, reason: CutsUnit, found: Explanation) -> None:
        assert found.word is not None
        assert reason.offset in (found.start, found.stop)
        assert reason.offset not in self.edges(found.word, 0)
        assert (reason.unit) in [
            s for b, e, s in self.symbols(found.word.text, found.word.start, 0) if b < reason.offset < e
        ]

    @check_reason.register
    def _(self, reason: NotInCorpus, found: Explanation) -> None:
        assert not any(self.data[found.start : found.stop] in word.encode() for word in self.counts)

    @check_reason.register
    def _(self, reason: OneToken, found: Explanation) -> None:
        word, start, stop = found.word, found.start, found.stop
        assert word is not None
        if word.is_special:
            assert (word.start, word.stop, reason.step) == (start, stop, None)
            return
        symbols = self.symbols(word.text, word.start, self.position)
        assert (start, stop, reason.token) in symbols
        assert reason.step is not None
        assert self.is_one(word, start, stop, reason.step)
        assert reason.step == 0 or reason.token not in self.covering(word, start, stop, reason.step - 1)

    @check_reason.register
    def _(self, reason: Taken, found: Explanation) -> None:
        word, start, stop = found.word, found.start, found.stop
        assert word is not None
        self.check_taken(reason, found)
        assert reason.step <= self.position
        assert not self.is_one(word, start, stop, self.position)
        assert reason.corpus_count == self.taken_in_corpus(self.data[start:stop], reason)

    def check_taken(self, taken: Taken, found: Explanation) -> None:
        """Check that the merge crosses the end of the stretch, and that nothing has crossed either end before."""
        word, start, stop = found.word, found.start, found.stop
        assert word is not None
        merge = self.merges[taken.step - 1]
        assert (merge.left, merge.right) == (taken.left, taken.right)
        before, after = self.edges(word, taken.step - 1), self.edges(word, taken.step)
        edge = stop if taken.side == "end" else start
        assert {start, stop} <= before
        assert edge not in after
        assert edge not in self.edges(word, len(self.merges))
        assert self.covering(word, start, stop, taken.step - 1) == taken.parts
        assert (taken.parts[-1] == taken.left) if taken.side == "end" else (taken.parts[0] == taken.right)

    @check_reason.register
    def _(self, reason: Apart, found: Explanation) -> None:
        word, start, stop = found.word, found.start, found.stop
        assert word is not None
        assert {start, stop} <= self.edges(word, self.position)
        assert not self.is_one(word, start, stop, self.position)
        assert reason.parts == self.covering(word, start, stop, self.position)
        assert len(reason.parts) >= 2
        self.check_needed(reason)
        self.check_pair(reason)
        steps = [merge.step for merge in reason.needed]
        last = len(self.merges)
        if reason.taken is not None:
            assert reason.taken.step > self.position
            assert reason.taken.corpus_count is None
            self.check_taken(reason.taken, found)
            assert len(reason.taken.parts) > 1
            assert reason.obstacle == reason.taken
        elif None in steps:
            assert len(self.covering(word, start, stop, last)) > 1
            assert {start, stop} <= self.edges(word, last)
        else:
            made = max(step for step in steps if step is not None)
            assert len(self.covering(word, start, stop, made)) == 1
            assert len(self.covering(word, start, stop, made - 1)) > 1
            assert reason.obstacle is None

    def check_needed(self, reason: Apart) -> None:
        """Replay the merges: they make the parts one token; the known ones are those of the run."""
        symbols = list(reason.parts)
        for merge in reason.needed:
            places = [i for i, pair in enumerate(pairwise(symbols)) if pair == (merge.left, merge.right)]
            assert places
            symbols[places[0] : places[0] + 2] = [merge.left + merge.right]
            if merge.step is not None:
                known = self.merges[merge.step - 1]
                assert (known.left, known.right) == (merge.left, merge.right)
                assert merge.step > self.position
        assert len(symbols) == 1
        known_pairs = {(merge.left, merge.right) for merge in self.merges}
        missing = next((merge for merge in reason.needed if merge.step is None), None)
        assert (missing is None) == (reason.ending is None)
        assert missing is None or (missing.left, missing.right) not in known_pairs

    def check_pair(self, reason: Apart) -> None:
        """Compare the counts and the place of the first pair with those of the reference, and the ending."""
        state = state_of(self.reference.states[self.position])
        first = (reason.needed[0].left, reason.needed[0].right)
        rows = [(place, pair.count) for place, pair in enumerate(state.pairs, 1) if (pair.left, pair.right) == first]
        words = sum(first in pairwise(word.symbols) for word in state.words)
        assert reason.pair_count == CorpusCount(sum(count for _place, count in rows), words)
        assert reason.pair_rank == (rows[0][0] if rows else None)
        if reason.needed[0].step is None and reason.pair_count.occurrences < self.recipe.min_count:
            assert reason.ending == "too-rare"
        elif reason.ending == "exhausted":
            assert self.reference.has_ended and self.position == len(self.merges)
        elif reason.ending is not None:
            assert reason.ending == "open"
            assert not (self.reference.has_ended and self.position == len(self.merges))


def _range(word: str) -> range:
    return range(len(word.encode()))


def _edges(symbols: list[int], lengths: list[int], sizes: list[int]) -> set[int]:
    """Return the byte offsets in a word at which its symbols begin or end; the sizes are of its initial symbols."""
    ends = list(accumulate(sizes, initial=0))
    return {ends[units] for units in accumulate((lengths[symbol] for symbol in symbols), initial=0)}


class RecordingReference(ReferenceTrainer):
    """A reference that knows what it was like at every step."""

    def __init__(self, counts: WordCounts, recipe: Recipe) -> None:
        super().__init__(counts, recipe)
        self.states: list[ReferenceTrainer] = []
        while len(self.states) <= MAX_STEPS:
            self.states.append(self.copied())
            if self.step() is None:
                break
        self.has_ended = len(self.states) <= MAX_STEPS

    def copied(self) -> ReferenceTrainer:
        state = ReferenceTrainer({}, self.recipe)
        state.words, state.tokens, state.merges = self.words, list(self.tokens), list(self.merges)
        state.lengths = list(self.lengths)
        return state


@pytest.mark.slow
@pytest.mark.parametrize("mode", USUAL_MODES)
def test_every_answer_holds_in_the_reference(mode: str) -> None:
    seen: set[type] = set()

    @settings(max_examples=examples(300))
    @given(
        corpus=corpora,
        recipe=recipes(),
        specials=special_tokens,
        other=st.one_of(letters, mixed),
        takes_corpus=st.booleans(),
        position=st.integers(0, MAX_STEPS),
    )
    def check(corpus: str, recipe: Recipe, specials: list[str], other: str, takes_corpus: bool, position: int) -> None:
        counts = counted(corpus, recipe, specials)
        reference = RecordingReference(counts, recipe)
        trainer = Trainer(counts, recipe)
        trainer.seek(len(reference.states) - 1)
        trainer.seek(min(position, trainer.position))
        text = corpus[:16] if takes_corpus else other
        oracle = Oracle(recipe, counts, reference, text, trainer.position)
        size = len(text.encode())
        for start in range(size):
            for stop in range(start + 1, min(start + LONGEST, size) + 1):
                found = why_not_one_token(trainer, text, start, stop)
                assert (found.start, found.stop) == (start, stop)
                seen.add(type(found.reason))
                oracle.check(found)

    with running(mode):
        check()
    assert seen == {WordBoundary, Dropped, TakenWhole, CutsUnit, NotInCorpus, OneToken, Taken, Apart}
