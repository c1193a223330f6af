"""The trainer: byte-pair encoding step by step, forward and back, without recounting."""

from functools import cached_property
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.compiled import load_for
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.runtime.jit import is_compiled
from bpe_gui.engine.kernels.training.occurrences import first_places
from bpe_gui.engine.kernels.training.pair_table import find_pair
from bpe_gui.engine.kernels.training.top_pairs import most_frequent
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.training.navigation import NEEDS_ROOM, PAUSED, back, choose_next, forward
from bpe_gui.engine.machine import set_up, with_room_for_step
from bpe_gui.engine.training.results import Merge, PairCount, SplitWord
from bpe_gui.engine.training.run_vocabulary import Naming
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.corpora.word_counts import WordCounts

_BUDGET: Final = 1 << 17
"""Places that are visited in one go: some milliseconds, after which others get their turn."""

_PLAIN_BUDGET: Final = 1 << 13
"""The same while the code is not compiled."""

_MOST_ASKED_FOR: Final = 256
"""Pairs that are picked out at least."""

_FARTHEST: Final = 2**62
"""A step that no run reaches, and that a number of 64 bits can say."""


class Trainer:
    """A run of BPE training with a cursor that moves forward and back.

    Source: Sennrich, Haddow and Birch, “Neural Machine Translation of Rare Words with Subword Units” (2016).

    `progress` hears of the setting up, which takes a while for a large corpus. Raises TrainingError if the words were
    not counted for this recipe, or are too many.

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
        load_for(len(word_counts.text))
        try:
            self._machine, alphabet, fixed = set_up(word_counts, self.recipe, progress or (lambda done, total: None))
        except MemoryError as error:
            raise TrainingError(
                _("EngineError", "There is not enough memory to train on {words:,} different words: {reason}."),
                words=len(word_counts),
                reason=str(error).rstrip("."),
            ) from error
        self._best: tuple[int, Ints] = (-1, np.empty(0, np.int32))  # of which position, and the best pairs there
        self._naming = Naming(alphabet, fixed, word_counts.special_tokens, self.recipe)
        self.alphabet_size = len(alphabet)
        self.initial_size = self._naming.size(0)

    # -- what the run is --------------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """How many merges are applied now."""
        return int(self._machine.state[records.POSITION])

    @property
    def merges(self) -> tuple[Merge, ...]:
        """The merges applied now, in order."""
        return tuple(map(self.known, range(self.position)))

    @property
    def run(self) -> tuple[Merge, ...]:
        """All merges known so far, also those after the position."""
        return tuple(map(self.known, range(self.run_length)))

    @property
    def run_length(self) -> int:
        """How many merges are known so far."""
        return int(self._machine.state[records.KNOWN])

    @property
    def counts(self) -> Longs:
        """How often the pair of each known merge occurred when it was chosen; int64, read only."""
        counts = self._machine.run.counts[: self.run_length]
        counts.flags.writeable = False
        return counts

    def known(self, index: int) -> Merge:
        """The merge of that rank, of all that are known so far. Raises IndexError beyond them."""
        if not 0 <= index < self.run_length:
            raise IndexError(index)
        run = self._machine.run
        return self._merge(index, int(run.pairs[index]), int(run.counts[index]), int(run.ties[index]))

    def _merge(self, rank: int, pair: int, count: int, ties: int) -> Merge:
        left, right = self._parts(pair)
        token = left + right
        return Merge(rank, left, right, token, self._naming.id_of(token), count, ties)

    def _parts(self, pair: int) -> tuple[bytes, bytes]:
        key = int(self._machine.pairs.keys[pair])
        left, right = key >> records.SYMBOL_BITS, key & records.SYMBOL_MASK
        # Names that are known are only read, so that merges can be shown while a thread trains on.
        known = len(self._naming.tokens)
        tokens = self._naming.tokens if left < known and right < known else self.naming().tokens
        return tokens[left], tokens[right]

    def naming(self) -> Naming:
        """The names of all symbols that are known. They are good without the trainer, too."""
        self._naming.learn(self._machine, self.run_length)
        return self._naming

    @property
    def vocab_size(self) -> int:
        """How many entries the vocabulary has now, special tokens included."""
        return self.naming().size(self.position)

    def peek(self) -> Merge | None:
        """The merge that `step` would do next, or None.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.peek().token, trainer.position
        (b'ow', 0)
        """
        position, machine = self.position, self._machine
        if position < self.run_length:
            return self.known(position)
        pair = choose_next(machine)
        if pair < 0:
            return None
        return self._merge(position, pair, int(machine.pairs.counts[pair]), int(machine.state[records.TIES]))

    # -- moving -----------------------------------------------------------------------------------------------------

    def step(self) -> Merge | None:
        """Apply the next merge; None if nothing is left to merge or the best pair is below `min_count`."""
        position = self.position
        return self.known(position) if self.seek(position + 1) > position else None

    def step_back(self) -> Merge | None:
        """Undo the last merge and return it; None at the start."""
        position = self.position
        return self.known(self.seek(position - 1)) if position else None

    def seek(self, position: int) -> int:
        """Go to a step, training on where the run is not known yet. Returns the step reached.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").seek(1000)
        4
        """
        while not self.approach(position):
            pass
        return self.position

    def approach(self, position: int) -> bool:
        """Go towards a step for some milliseconds. Returns whether it is reached, or nothing is left.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").approach(2)
        True
        """
        if position < 0:
            raise TrainingError(_("EngineError", "Step {step} does not exist; the first is step 0."), step=position)
        budget = _BUDGET if is_compiled() else _PLAIN_BUDGET
        if position <= self.position:
            return back(self._machine, position, budget) != PAUSED
        ending = forward(self._machine, min(position, _FARTHEST), budget)
        if ending == NEEDS_ROOM:
            self._machine = with_room_for_step(self._machine, self._next_pair())
            return False
        return ending != PAUSED

    def _next_pair(self) -> int:
        machine, position = self._machine, self.position
        return int(machine.run.pairs[position]) if position < self.run_length else choose_next(machine)

    # -- looking ----------------------------------------------------------------------------------------------------

    def pairs(self, limit: int | None = None) -> list[PairCount]:
        """The pairs with their counts, most frequent first, ties in the order the tie rule prefers.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> [(pair.left + pair.right, pair.count) for pair in trainer.pairs(limit=3)]
        [(b'ow', 3), (b'lo', 3), (b'we', 1)]
        """
        chosen = self.pair_order() if limit is None else self._best_pairs(limit)
        return self.pairs_of(chosen)

    def pairs_of(self, chosen: Ints) -> list[PairCount]:
        """The pairs of these numbers, which `pair_order` gives; int32."""
        tokens = self.naming().tokens
        keys, counts = self._machine.pairs.keys[chosen].tolist(), self._machine.pairs.counts[chosen].tolist()
        return [
            PairCount(tokens[key >> records.SYMBOL_BITS], tokens[key & records.SYMBOL_MASK], count)
            for key, count in zip(keys, counts, strict=True)
        ]

    def symbols_of_pairs(self, chosen: Ints) -> tuple[Ints, Ints]:
        """The left and the right symbols of these pairs; int32. `tokens` has their bytes."""
        keys = self._machine.pairs.keys[chosen]
        return (keys >> records.SYMBOL_BITS).astype(np.int32), (keys & records.SYMBOL_MASK).astype(np.int32)

    def counts_of_pairs(self, chosen: Ints) -> Longs:
        """How often these pairs occur; int64."""
        return self._machine.pairs.counts[chosen]

    def pair_number(self, left: bytes, right: bytes) -> int:
        """The number of a pair, or -1 if there is none with these tokens now."""
        return next(iter(self._pairs_spelled(left, right)), -1)

    def token_ranks(self) -> Longs:
        """By symbol: where its bytes stand among those of all symbols in sorted order; int64."""
        return self.naming().ranks_of_tokens()

    @property
    def tokens(self) -> list[bytes]:
        """The bytes of every symbol that is known: the alphabet, then one for each merge."""
        return self.naming().tokens

    def _best_pairs(self, limit: int) -> Ints:
        """The numbers of the best pairs. Who asks for a few is likely to be followed by one who asks for more."""
        position, found, wanted = *self._best, min(limit, int(self._machine.state[records.PAIRS]))
        if position != self.position or len(found) < wanted:
            chosen = np.empty(max(wanted, _MOST_ASKED_FOR), np.int32)
            found = chosen[: most_frequent(self._machine, chosen)]
            self._best = self.position, found
        return found[:limit]

    def pair_order(self) -> Ints:
        """The numbers of all pairs, in the order of `pairs`; int32. They are good until the cursor moves.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.pairs_of(trainer.pair_order()[1:2])
        [PairCount(left=b'l', right=b'o', count=3)]
        """
        counts = self._machine.pairs.counts[: int(self._machine.state[records.PAIRS])]
        living = np.flatnonzero(counts).astype(np.int32)
        return living[np.lexsort((*self._dispreferences(living), -counts[living]))]

    def _dispreferences(self, chosen: Ints) -> tuple[Longs, ...]:
        """What the tie rule wants to be small, for each pair, the decisive number last."""
        machine, keys = self._machine, self._machine.pairs.keys[chosen]
        match self.recipe.tie_break:
            case "smallest-id":
                return (keys,)
            case "first-seen":
                places = np.empty(len(chosen), np.int64)
                first_places(
                    machine.words.symbols,
                    machine.symbols.lengths,
                    machine.pool,
                    machine.pairs.keys,
                    machine.pairs.begins,
                    chosen,
                    places,
                )
                return (places,)
            case "greatest":
                ranks = self.token_ranks()
                return keys, -ranks[keys & records.SYMBOL_MASK], -ranks[keys >> records.SYMBOL_BITS]

    @property
    def pair_count(self) -> int:
        """How many different pairs there are now."""
        return int(np.count_nonzero(self._machine.pairs.counts[: int(self._machine.state[records.PAIRS])]))

    def changes(self) -> dict[tuple[bytes, bytes], int]:
        """How the last merge changed the counts, by (left, right); empty at the start.

        >>> trainer = Trainer(WordCounts({"low": 2}, "whitespace"), "cs336-toy")
        >>> merge = trainer.step()
        >>> sorted(trainer.changes().items())
        [((b'l', b'o'), -2), ((b'l', b'ow'), 2), ((b'o', b'w'), -2)]
        """
        return {self._parts(pair): change for pair, change in self.changes_by_number().items()}

    def changes_by_number(self) -> dict[int, int]:
        """The same by the number of the pair."""
        position, pairs, run = self.position, self._machine.pairs, self._machine.run
        if not position:
            return {}
        merged = int(run.pairs[position - 1])
        new = slice(int(run.first_pairs[position - 1]), int(self._machine.state[records.PAIRS]))
        changes = {merged: -int(run.counts[position - 1])}
        for source, taken in zip(pairs.sources[new].tolist(), pairs.taken[new].tolist(), strict=True):
            if source != merged and taken:
                changes[source] = changes.get(source, 0) - taken
        changes.update(enumerate(pairs.counts[new].tolist(), new.start))
        return changes

    def occurrences(
        self, left: bytes, right: bytes, limit: int | None = None, *, max_symbols: int | None = None
    ) -> list[SplitWord]:
        """The words that hold the pair, as split now, most frequent first, each up to `max_symbols`. May be empty.

        >>> Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy").occurrences(b"w", b"e")
        [SplitWord(symbols=(b'l', b'o', b'w', b'e', b'r'), count=1)]
        """
        machine = self._machine
        places = [self._living_places(pair) for pair in self._pairs_spelled(left, right)]
        words = np.unique(machine.words.word_of[np.concatenate([np.empty(0, np.int32), *places])])
        by_frequency = words[np.argsort(-machine.words.frequencies[words], kind="stable")]
        return self._split_words(by_frequency[:limit], max_symbols)

    def words(self, limit: int | None = None, *, max_symbols: int | None = None) -> list[SplitWord]:
        """The unique words as split now, most frequent first, equals in first-seen order, each up to `max_symbols`."""
        return self._split_words(self._by_frequency[:limit], max_symbols)

    @cached_property
    def _by_frequency(self) -> Longs:
        return np.argsort(-self.word_counts.frequencies, kind="stable")

    def _split_words(self, words: Longs, max_symbols: int | None) -> list[SplitWord]:
        tokens = self.naming().tokens
        split = (tuple(tokens[symbol] for symbol in self._symbols_of(word)[:max_symbols]) for word in words.tolist())
        counts = self.word_counts.frequencies[words].tolist()
        return [SplitWord(symbols, count) for symbols, count in zip(split, counts, strict=True)]

    def _symbols_of(self, word: int) -> list[int]:
        symbols, lengths = self._machine.words.symbols, self._machine.symbols.lengths
        place = int(self._machine.words.starts[word])
        found = []
        while (symbol := int(symbols[place])) >= 0:
            found.append(symbol)
            place += int(lengths[symbol])
        return found

    def _pairs_spelled(self, left: bytes, right: bytes) -> list[int]:
        """Every pair of symbols with these bytes: more than one only where two merges made the same token."""
        naming, pairs = self.naming(), self._machine.pairs
        keys = [
            (a << records.SYMBOL_BITS) | b for a in naming.symbols_spelled(left) for b in naming.symbols_spelled(right)
        ]
        found = (find_pair(pairs.keys, pairs.slots, key) for key in keys)
        return [pair for pair in found if pair >= 0 and pairs.counts[pair]]

    def _living_places(self, pair: int) -> Ints:
        machine = self._machine
        symbols, lengths = machine.words.symbols, machine.symbols.lengths
        key = int(machine.pairs.keys[pair])
        left, right = key >> records.SYMBOL_BITS, key & records.SYMBOL_MASK
        places: Ints = machine.pool[int(machine.pairs.begins[pair]) : int(machine.pairs.begins[pair + 1])]
        after = places + lengths[left]
        lives = (symbols[places] == left) & (symbols[after - 1] == left) & (symbols[after] == right)
        return np.compress(lives, places)

    # -- the result -------------------------------------------------------------------------------------------------

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """The tokenizer as of a known step, the current one by default. Raises TrainingError beyond the run.

        >>> trainer = Trainer(WordCounts({"low": 2, "lower": 1}, "whitespace"), "cs336-toy")
        >>> trainer.seek(2), trainer.tokenizer().tokenize("lower"), trainer.tokenizer(1).tokenize("low")
        (2, [b'low', b'e', b'r'], [b'l', b'ow'])
        """
        position = self.position if position is None else position
        if not 0 <= position <= self.run_length:
            raise TrainingError(
                _("EngineError", "Step {step} is not in the run, which has {steps} steps so far."),
                step=position,
                steps=self.run_length,
            )
        return self.naming().tokenizer(position)
