"""The trainer: byte-pair encoding step by step, forward and back, without recounting.

All unique words lie in one row of places, word by word, with a separator between them. A place holds a symbol or, once
that was merged into its left neighbour, nothing; living places are linked to their neighbours. A step merges at the
places where the pair stands and adjusts the counts of the pairs that touch them; a step back does the same in reverse
order. A place that died keeps its own links, so that it can be put back exactly where it was (Knuth's dancing links).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from .corpus import WordCounts
from .errors import TrainingError
from .errors import translatable as _
from .merge import Merge, PairCount, SplitWord
from .pair_table import Pair, PairTable
from .progress import Progress
from .recipe import Recipe
from .spelling import to_printable
from .symbols import alphabet_of, symbols_of
from .tokenizer import Tokenizer

_SEPARATOR: Final = -1
_DEAD: Final = -2
_REPORT_EVERY: Final = 1 << 12  # words, or places


@dataclass(slots=True)
class _Step:
    """What a step did: enough to undo it, and to do it again without choosing."""

    merge: Merge
    pair: Pair
    is_new: bool  # the token was not in the vocabulary before
    merged: list[int]  # the right place of every merged pair, in order
    pruned: tuple[int, ...] = ()


class Trainer:
    """A run of BPE training with a cursor that moves forward and back.

    Source: Sennrich, Haddow and Birch, “Neural Machine Translation of Rare Words with Subword Units” (2016).

    `progress` hears of the setting up, which takes a while for a large corpus. Raises TrainingError if the words were
    not counted for this recipe.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low low lower").count("cs336-toy"), "cs336-toy")
    >>> trainer.step().token, trainer.step().token, trainer.step_back().token, trainer.position
    (b'ow', b'low', b'low', 1)
    """

    def __init__(
        self, word_counts: WordCounts, recipe: Recipe | str = "cs336", *, progress: Progress | None = None
    ) -> None:
        self.recipe: Final = Recipe.of(recipe)
        self.word_counts: Final = word_counts
        if not word_counts.fits(self.recipe):
            raise TrainingError(
                _("EngineError", "The words were counted with the splitter {splitter!r}; count them for this recipe."),
                splitter=word_counts.splitter,
            )
        self._run: list[_Step] = []
        self._position = 0
        self._whole: tuple[int, Tokenizer] | None = None  # the tokenizer of the whole run, and how long that was
        self._set_up_vocabulary()
        report = progress or (lambda done, total: None)
        self._set_up_words(report)
        self._set_up_pairs(report)

    def _set_up_vocabulary(self) -> None:
        alphabet, fixed = alphabet_of(self.word_counts, self.recipe)
        specials = len(self.word_counts.special_tokens)
        after_alphabet = self.recipe.special_ids == "after-alphabet"
        shift = specials if self.recipe.special_ids == "first" else 0
        self._tokens = alphabet  # by symbol number: the alphabet, then one for each merge so far
        self._ids = {
            token: number + (specials if after_alphabet and number >= fixed else shift)
            for number, token in enumerate(alphabet)
        }
        self._first_special = {"first": 0, "after-alphabet": fixed, "last": None}[self.recipe.special_ids]
        self.alphabet_size = len(alphabet)
        self.initial_size = len(alphabet) + specials
        self._pruned: set[int] = set()

    def _set_up_words(self, report: Progress) -> None:
        numbers = {token: number for number, token in enumerate(self._tokens)}
        self._symbols = [_SEPARATOR]
        self._word_at = [-1]  # by place: which word it belongs to
        self._starts: list[int] = []  # by word: its first place, which never dies
        self._word_counts = list(self.word_counts.values())
        for index, word in enumerate(self.word_counts):
            if index % _REPORT_EVERY == 0:
                report(index, 2 * len(self.word_counts))
            symbols = [numbers[symbol] for symbol in symbols_of(word, self.recipe)]
            self._starts.append(len(self._symbols))
            self._symbols += symbols
            self._symbols.append(_SEPARATOR)
            self._word_at += [index] * (len(symbols) + 1)
        self._next = list(range(1, len(self._symbols) + 1))
        self._previous = list(range(-1, len(self._symbols) - 1))
        self._living = defaultdict[int, int](int)  # by symbol number: how many places hold it
        for symbol in self._symbols:
            self._living[symbol] += 1
        self._by_frequency = sorted(range(len(self._starts)), key=lambda word: -self._word_counts[word])

    def _set_up_pairs(self, report: Progress) -> None:
        self._places: dict[Pair, list[int]] = {}  # where a pair has come into being, in order; some places died since
        self._first_living: dict[Pair, int] = {}  # for some pairs: where in that list the living ones may begin
        self._held: dict[tuple[Pair, int], int] = {}  # once-per-word: how often a pair stands in a word
        self._table = PairTable(self._preference())
        changes: list[tuple[Pair, int, int]] = []
        for place, (left, right) in enumerate(zip(self._symbols, self._symbols[1:], strict=False)):
            if place % _REPORT_EVERY == 0:
                report(len(self._symbols) + place, 2 * len(self._symbols))
            if left >= 0 and right >= 0:
                self._places.setdefault((left, right), []).append(place)
                changes.append(((left, right), place, 1))
        self._table.change(self._apply(changes, 1))

    def _preference(self) -> Callable[[Pair], Any]:
        tokens = self._tokens
        match self.recipe.tie_break:
            case "greatest":
                return lambda pair: (tokens[pair[0]], tokens[pair[1]], -pair[0], -pair[1])
            case "first-seen":
                return lambda pair: -self._first_place(pair)
            case "smallest-id":
                return lambda pair: (-pair[0], -pair[1])

    # -- what the run is --------------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """How many merges are applied now."""
        return self._position

    @property
    def merges(self) -> tuple[Merge, ...]:
        """The merges applied now, in order."""
        return tuple(step.merge for step in self._run[: self._position])

    @property
    def run(self) -> tuple[Merge, ...]:
        """All merges known so far, also those after the position."""
        return tuple(step.merge for step in self._run)

    @property
    def run_length(self) -> int:
        """How many merges are known so far."""
        return len(self._run)

    def known(self, index: int) -> Merge:
        """The merge of that rank, of all that are known so far. Raises IndexError beyond them."""
        return self._run[index].merge

    @property
    def vocab_size(self) -> int:
        """How many entries the vocabulary has now, special tokens included."""
        return len(self._ids) + len(self.word_counts.special_tokens) - len(self._pruned)

    def peek(self) -> Merge | None:
        """The merge that `step` would do next, or None.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.peek().token, trainer.position
        (b'ow', 0)
        """
        if self._position < len(self._run):
            return self._run[self._position].merge
        choice = self._choose()
        return choice[0] if choice else None

    # -- moving -----------------------------------------------------------------------------------------------------

    def step(self) -> Merge | None:
        """Apply the next merge; None if nothing is left to merge or the best pair is below `min_count`."""
        if self._position == len(self._run):
            choice = self._choose()
            if choice is None:
                return None
            merge, pair = choice
            self._run.append(_Step(merge, pair, merge.token not in self._ids, []))
        step = self._run[self._position]
        self._do(step)
        self._position += 1
        return step.merge

    def step_back(self) -> Merge | None:
        """Undo the last merge and return it; None at the start."""
        if not self._position:
            return None
        self._position -= 1
        step = self._run[self._position]
        self._undo(step)
        return step.merge

    def seek(self, position: int) -> int:
        """Go to a step, training on where the run is not known yet. Returns the step reached.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").seek(1000)
        4
        """
        if position < 0:
            raise TrainingError(_("EngineError", "Step {step} does not exist; the first is step 0."), step=position)
        while self._position > position:
            self.step_back()
        while self._position < position and self.step():
            pass
        return self._position

    def _choose(self) -> tuple[Merge, Pair] | None:
        best = self._table.best()
        count = self._table.top_count()
        if best is None or count < self.recipe.min_count:
            return None
        pair, ties = best
        left, right = (self._tokens[symbol] for symbol in pair)
        token_id = self._ids.get(left + right, self._next_id())
        return Merge(self._position, left, right, left + right, token_id, count, ties), pair

    def _next_id(self) -> int:
        specials = 0 if self._first_special is None else len(self.word_counts.special_tokens)
        return len(self._ids) + specials

    def _do(self, step: _Step) -> None:
        left, right = step.pair
        new = len(self._tokens)
        self._tokens.append(step.merge.token)
        if step.is_new:
            self._ids[step.merge.token] = step.merge.token_id
        step.merged = self._merge_everywhere(left, right, new)
        self._count_living(step, 1)
        changes = list(self._changes(step, new))
        for pair, place, sign in changes:
            if sign > 0:
                self._places.setdefault(pair, []).append(place)
        self._table.change(self._apply(changes, 1))
        if self.recipe.vocabulary == "prune":
            step.pruned = tuple(symbol for symbol in {left, right} if not self._living[symbol])
            self._pruned.update(step.pruned)

    def _undo(self, step: _Step) -> None:
        changes = list(self._changes(step, len(self._tokens) - 1))
        self._pruned.difference_update(step.pruned)
        deltas = self._apply(changes, -1)
        self._split_everywhere(step)
        for pair, _place, _sign in changes:
            self._first_living.pop(pair, None)
        # Places came back to life, and with them, first occurrences further left.
        self._table.forget_order()
        self._table.change(deltas)
        for pair, _place, sign in changes:
            if sign > 0:
                # Only this step made pairs with its token, so all their places go.
                self._places.pop(pair, None)
        self._count_living(step, -1)
        self._living.pop(len(self._tokens) - 1)
        if step.is_new:
            del self._ids[step.merge.token]
        self._tokens.pop()

    def _count_living(self, step: _Step, sign: int) -> None:
        new = len(self._tokens) - 1
        for symbol, change in ((step.pair[0], -1), (step.pair[1], -1), (new, 1)):
            self._living[symbol] += sign * change * len(step.merged)

    def _merge_everywhere(self, left: int, right: int, new: int) -> list[int]:
        """Merge the pair from left to right; returns the places that died."""
        symbols, following, previous = self._symbols, self._next, self._previous
        merged: list[int] = []
        for place in self._places[left, right]:
            if symbols[place] == left and symbols[died := following[place]] == right:
                symbols[place] = new
                symbols[died] = _DEAD
                after = following[died]
                following[place] = after
                previous[after] = place
                merged.append(died)
        return merged

    def _split_everywhere(self, step: _Step) -> None:
        left, right = step.pair
        for died in reversed(step.merged):
            place, after = self._previous[died], self._next[died]
            self._symbols[place] = left
            self._symbols[died] = right
            self._next[place] = died
            self._previous[after] = died

    def _changes(self, step: _Step, new: int) -> Iterator[tuple[Pair, int, int]]:
        """What the step changed, read off the state right after it: (pair, its place, +1 or -1).

        A neighbour that is itself a new token was, before the step, the right or left half of it.
        """
        left, right = step.pair
        symbols, following, previous = self._symbols, self._next, self._previous
        for died in step.merged:
            place = previous[died]
            yield (left, right), place, -1
            before, after = previous[place], following[place]
            if (neighbour := symbols[before]) >= 0:
                yield (right if neighbour == new else neighbour, left), before, -1
                yield (neighbour, new), before, 1
            if (neighbour := symbols[after]) >= 0 and neighbour != new:
                yield (right, neighbour), died, -1
                yield (new, neighbour), place, 1

    def _apply(self, changes: Iterable[tuple[Pair, int, int]], direction: int) -> dict[Pair, int]:
        """The changes as differences of pair counts, in the recipe's way of counting; keeps the account of `_held`."""
        deltas: dict[Pair, int] = defaultdict(int)
        if self.recipe.pair_counting == "occurrences":
            for pair, place, sign in changes:
                deltas[pair] += direction * sign * self._word_counts[self._word_at[place]]
            return deltas
        in_words: dict[tuple[Pair, int], int] = defaultdict(int)
        for pair, place, sign in changes:
            in_words[pair, self._word_at[place]] += direction * sign
        for (pair, word), change in in_words.items():
            before = self._held.pop((pair, word), 0)
            if after := before + change:
                self._held[pair, word] = after
            deltas[pair] += ((after > 0) - (before > 0)) * self._word_counts[word]
        return deltas

    # -- looking ----------------------------------------------------------------------------------------------------

    def pairs(self, limit: int | None = None) -> list[PairCount]:
        """The pairs with their counts, most frequent first, ties in the order the tie rule prefers.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> [(pair.left + pair.right, pair.count) for pair in trainer.pairs(limit=3)]
        [(b'ow', 3), (b'lo', 3), (b'we', 1)]
        """
        tokens = self._tokens
        return [
            PairCount(tokens[left], tokens[right], count)
            for (left, right), count in islice(self._table.ordered(), limit)
        ]

    @property
    def pair_count(self) -> int:
        """How many different pairs there are now."""
        return len(self._table.counts)

    def changes(self) -> dict[tuple[bytes, bytes], int]:
        """How the last merge changed the counts, by (left, right); empty at the start.

        >>> trainer = Trainer(WordCounts({"low": 2}, "whitespace"), "cs336-toy")
        >>> merge = trainer.step()
        >>> trainer.changes()
        {(b'o', b'w'): -2, (b'l', b'o'): -2, (b'l', b'ow'): 2}
        """
        if not self._position:
            return {}
        changes = list(self._changes(self._run[self._position - 1], len(self._tokens) - 1))
        deltas = self._apply(changes, -1)
        self._apply(changes, 1)  # so that the account is as it was
        return {(self._tokens[left], self._tokens[right]): -delta for (left, right), delta in deltas.items() if delta}

    def occurrences(
        self, left: bytes, right: bytes, limit: int | None = None, *, max_symbols: int | None = None
    ) -> list[SplitWord]:
        """The words that hold the pair, as split now, most frequent first, each up to `max_symbols`. May be empty.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").occurrences(b"w", b"e")
        [SplitWord(symbols=(b'l', b'o', b'w', b'e', b'r'), count=1)]
        """
        holding = {
            self._word_at[place] for pair in self._pairs_spelled(left, right) for place in self._living_places(pair)
        }
        by_frequency = sorted(holding, key=lambda word: (-self._word_counts[word], word))
        return [self._split_word(word, max_symbols) for word in by_frequency[:limit]]

    def words(self, limit: int | None = None, *, max_symbols: int | None = None) -> list[SplitWord]:
        """The unique words as split now, most frequent first, equals in first-seen order, each up to `max_symbols`."""
        return [self._split_word(word, max_symbols) for word in self._by_frequency[:limit]]

    def _split_word(self, word: int, max_symbols: int | None) -> SplitWord:
        return SplitWord(tuple(islice(self._symbols_of(word), max_symbols)), self._word_counts[word])

    def _symbols_of(self, word: int) -> Iterator[bytes]:
        place = self._starts[word]
        while (symbol := self._symbols[place]) >= 0:
            yield self._tokens[symbol]
            place = self._next[place]

    def _pairs_spelled(self, left: bytes, right: bytes) -> list[Pair]:
        """Every pair of symbols with these bytes: more than one only where two merges made the same token."""
        lefts = [number for number, token in enumerate(self._tokens) if token == left]
        rights = [number for number, token in enumerate(self._tokens) if token == right]
        return [(a, b) for a in lefts for b in rights if (a, b) in self._table.counts]

    def _living_places(self, pair: Pair) -> Iterator[int]:
        left, right = pair
        for place in self._places[pair]:
            if self._symbols[place] == left and self._symbols[self._next[place]] == right:
                yield place

    def _first_place(self, pair: Pair) -> int:
        """The first place where the pair stands now. Going forward it only moves right, so the search goes on."""
        left, right = pair
        places = self._places[pair]
        index = self._first_living.get(pair, 0)
        while self._symbols[places[index]] != left or self._symbols[self._next[places[index]]] != right:
            index += 1
        self._first_living[pair] = index
        return places[index]

    # -- the result -------------------------------------------------------------------------------------------------

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """The tokenizer as of a known step, the current one by default. Raises TrainingError beyond the run.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.seek(2), trainer.tokenizer().tokenize("lower"), trainer.tokenizer(1).tokenize("low")
        (2, [b'low', b'e', b'r'], [b'l', b'ow'])
        """
        position = self._position if position is None else position
        if not 0 <= position <= len(self._run):
            raise TrainingError(
                _("EngineError", "Step {step} is not in the run, which has {steps} steps so far."),
                step=position,
                steps=len(self._run),
            )
        if not self._ids_are_stable:
            return self._build_tokenizer(self._run[:position])
        # Where no id depends on later steps, all steps share one tokenizer's tables.
        if self._whole is None or self._whole[0] != len(self._run):
            self._whole = len(self._run), self._build_tokenizer(self._run)
        return self._whole[1].at(position)

    @property
    def _ids_are_stable(self) -> bool:
        recipe = self.recipe
        return recipe.id_order == "merge-order" and recipe.special_ids != "last" and recipe.vocabulary == "grow"

    def _build_tokenizer(self, steps: list[_Step]) -> Tokenizer:
        vocab, specials = self._numbered(steps)
        return Tokenizer(
            vocab,
            [(step.merge.left, step.merge.right) for step in steps],
            specials,
            recipe=self.recipe,
            merge_counts=[step.merge.count for step in steps],
        )

    def _numbered(self, steps: list[_Step]) -> tuple[dict[int, bytes], dict[str, int]]:
        """The vocabulary and the special tokens as of the last of `steps`, with their ids."""
        tokens = self._tokens[: self.alphabet_size]
        ids = {token: self._ids[token] for token in tokens}
        ids.update((step.merge.token, step.merge.token_id) for step in steps if step.is_new)
        first_special = self._first_special
        if first_special is None:
            first_special = len(ids)
        by_symbol = tokens + [step.merge.token for step in steps]
        for step in steps:
            for symbol in step.pruned:
                ids.pop(by_symbol[symbol], None)
        names = self.word_counts.special_tokens
        if self.recipe.id_order == "sorted":
            return self._sorted(list(ids), names)
        vocab = {token_id: token for token, token_id in ids.items()}
        return vocab, {name: first_special + number for number, name in enumerate(names)}

    def _sorted(self, tokens: list[bytes], names: tuple[str, ...]) -> tuple[dict[int, bytes], dict[str, int]]:
        first = self.recipe.special_ids == "first"
        shift = len(names) if first else 0
        ordered = sorted(tokens, key=to_printable if self.recipe.token_spelling == "gpt2-printable" else bytes)
        vocab = {shift + number: token for number, token in enumerate(ordered)}
        return vocab, {name: (0 if first else len(tokens)) + number for number, name in enumerate(names)}
