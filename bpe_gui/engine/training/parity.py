"""Parity-aware training: at each step a language's turn, by how long its text still is, and then its best pair.

Sources: Foroutan and others, “Parity-Aware Byte-Pair Encoding” (arXiv 2508.04796); details as in `ParityBpeTrainer` of
Hugging Face's `tokenizers` 0.23, whose merges these are.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import FileDocument
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.training.pairs import find_pair
from bpe_gui.engine.kernels.training.parity import (
    HEAP_CAPACITY,
    PAIR_COUNT,
    ParityArrays,
    best_parity_pair,
    find_parity_pairs,
    make_parity_heaps,
    merge_in_all_languages,
)
from bpe_gui.engine.kernels.training.records import SEPARATOR, SymbolTable
from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.runtime.types import Int64Array, Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair

from .plan import Plan
from .run_arrays import lay_out_words, longer, pair_slots
from .turns import Parity

_PAIRS: Final = 1 << 12
_SYMBOLS: Final = 1 << 10


class LanguageTurns:
    """Chooses the merges of a parity-aware run, one after another, from the words of each language.

    `languages` has the counted words of each language, and `development`, if given, other text of the same languages,
    ideally the same sentences in each, by whose length they take turns. All must be counted for the recipe. `plan` may
    give merges and veto others. Raises TrainingError for parts that do not fit together.

    >>> counted = {name: WordCounts({word: 1}, "whitespace") for name, word in (("en", "low"), ("de", "tief"))}
    >>> turns = LanguageTurns(counted, recipe=Recipe.of("cs336-toy"))
    >>> [turns.merge_at(rank) for rank in range(3)], [turns.turn_at(rank) for rank in range(3)]
    ([(b't', b'i'), (b'o', b'w'), (b'ti', b'e')], ['de', 'en', 'de'])
    """

    def __init__(
        self,
        languages: Mapping[str, WordCounts],
        *,
        development: Mapping[str, WordCounts] = MappingProxyType({}),
        parity: Parity | None = None,
        recipe: Recipe,
        plan: Plan | None = None,
    ) -> None:
        self.languages: Final = tuple(languages)
        """The names of the languages, in order."""
        self.parity: Final = parity or Parity()
        self.ratios: Final = self.parity.ratios or (dict.fromkeys(languages, 1.0) if self.parity.is_even else {})
        """The ratio of each language; empty if they take turns by length."""
        self._plan = plan or Plan()
        self._recipe = self._plan.stage_recipes(recipe)[0]
        self._is_printable = recipe.units == "bytes" and recipe.token_spelling == "gpt2-printable"
        self._check(languages, development)
        self._turns: list[int] = []
        """The index of the language whose turn each merge was; the number of languages for all together."""
        self._merges: list[TokenPair] = []
        self._counts: list[int] = []
        self._window: deque[int] = deque(maxlen=self.parity.window)
        self._exhausted: set[int] = set()
        self._is_over = False
        self.word_counts: Final = WordCounts.merge(*languages.values())
        """The words of all languages."""
        self.measured: Final = MappingProxyType(dict(development or languages))
        """The words of each language by whose length they take turns."""
        self._make_arrays(languages, development)
        self._lengths = [self._arrays.lengths[:-1].copy()]
        """The length of each language's text before each merge, and now."""

    def _check(self, languages: Mapping[str, WordCounts], development: Mapping[str, WordCounts]) -> None:
        """Raise TrainingError for languages, recipe, ratios or plan that do not fit together."""
        if not languages:
            raise TrainingError("There are no languages. Name at least one, with its text.")
        for named in (languages, development):
            for name, counts in named.items():
                check_type("a language", name, str)
                check_type("the words of a language", counts, WordCounts)
                if not len(counts):
                    raise TrainingError("There are no words of the language {name!r}. Add some text.", name=name)
                if not counts.fits(self._recipe.with_changes(seeds=())):
                    raise TrainingError("The words of {name!r} were not counted for this recipe.", name=name)
        if development and set(development) != set(languages):
            raise TrainingError(
                "Each language needs a development text. The languages are {languages}, not {named}.",
                languages=tuple(languages),
                named=tuple(development),
            )
        if (ratios := self.ratios) and set(ratios) != set(languages):
            raise TrainingError(
                "Each language needs a ratio. The languages are {languages}, not {named}.",
                languages=tuple(languages),
                named=tuple(ratios),
            )
        if development and self.ratios:
            raise TrainingError("Languages take turns by their development text or by ratios, not by both.")
        if self._recipe.tie_break != "greatest" or self._recipe.pair_counting != "occurrences":
            raise TrainingError(
                "Parity-aware training needs a recipe with tie_break=greatest and pair_counting=occurrences, such as "
                "parity."
            )
        if self._plan.stages:
            raise TrainingError("Parity-aware training cannot change the splitter. Remove the plan's superwords.")

    # -- arrays -----------------------------------------------------------------------------------------------------

    def _make_arrays(self, languages: Mapping[str, WordCounts], development: Mapping[str, WordCounts]) -> None:
        measured = development or languages
        words = WordCounts.merge(self.word_counts, *development.values()) if development else self.word_counts
        index = {word: number for number, word in enumerate(words)}
        columns = len(languages) + 1
        counts, weights = (np.zeros((len(words), columns), np.int64) for _ in range(2))
        for table, named in ((counts, languages), (weights, measured)):
            for column, name in enumerate(self.languages):
                numbers = np.fromiter(map(index.__getitem__, named[name]), np.int64, len(named[name]))
                table[numbers, column] = named[name].frequencies
        counts[:, -1] = counts.sum(axis=1)
        laid_out, alphabet = lay_out_words(words, self._recipe)
        positions = len(laid_out.symbols)
        per_word = np.bincount(laid_out.word_of[laid_out.symbols != SEPARATOR], minlength=len(words))
        self._arrays = ParityArrays(
            symbols=laid_out.symbols,
            nexts=np.arange(1, positions + 1, dtype=np.int32),
            previous=np.arange(-1, positions - 1, dtype=np.int32),
            word_of=laid_out.word_of,
            counts=counts.ravel(),
            weights=weights.ravel(),
            lengths=per_word @ weights,
            tokens=SymbolTable(
                lengths=np.empty(0, np.int32),
                starts=np.zeros(_SYMBOLS, np.int64),
                text=np.empty(_SYMBOLS, np.uint8),
                prefixes=np.empty(_SYMBOLS, np.int64),
                occurrences=np.empty(0, np.int64),
                first_classes=np.empty(0, np.int32),
                last_classes=np.empty(0, np.int32),
            ),
            keys=np.empty(_PAIRS, np.int64),
            slots=np.full(2 * _PAIRS, -1, np.int32),
            heads=np.empty(_PAIRS, np.int32),
            occurrences=np.empty(_PAIRS, np.int32),
            pair_counts=np.empty(_PAIRS * columns, np.int64),
            banned=np.empty(_PAIRS, np.uint8),
            touched=np.empty(positions, np.int32),
            positions=np.empty(3 * positions, np.int32),
            following=np.empty(3 * positions, np.int32),
            heap_pairs=np.empty(0, np.int32),
            heap_counts=np.empty(0, np.int64),
            heap_sizes=np.zeros(columns, np.int64),
            state=np.array([0, 0, columns, 0, 0], np.int64),
        )
        self._tokens: list[bytes] = []
        self._symbol_of: dict[bytes, int] = {}
        for token in alphabet:
            self._add_token(token)
        position = 0
        while (position := find_parity_pairs(self._arrays, position, positions - 1)) < positions - 1:
            self._reserve_pairs(2 * len(self._arrays.keys))
        self._reserve_heaps(int(self._arrays.state[PAIR_COUNT]))
        make_parity_heaps(self._arrays)

    def _reserve_pairs(self, capacity: int) -> None:
        arrays = self._arrays
        size, columns = int(arrays.state[PAIR_COUNT]), len(self.languages) + 1
        if capacity <= len(arrays.keys):
            return
        keys = longer(arrays.keys, capacity)
        self._arrays = replace(
            arrays,
            keys=keys,
            slots=pair_slots(keys, size),
            heads=longer(arrays.heads, capacity),
            occurrences=longer(arrays.occurrences, capacity),
            pair_counts=longer(arrays.pair_counts, capacity * columns),
            banned=longer(arrays.banned, capacity),
        )

    def _reserve_heaps(self, more: int) -> None:
        """Make the heaps large enough for more entries each."""
        arrays, columns = self._arrays, len(self.languages) + 1
        needed, capacity = int(arrays.heap_sizes.max()) + more, int(arrays.state[HEAP_CAPACITY])
        if needed <= capacity:
            return
        size = needed + needed // 2
        pairs, counts = np.empty((columns, size), np.int32), np.empty((columns, size), np.int64)
        pairs[:, :capacity] = arrays.heap_pairs.reshape(columns, capacity)
        counts[:, :capacity] = arrays.heap_counts.reshape(columns, capacity)
        self._arrays = replace(arrays, heap_pairs=pairs.ravel(), heap_counts=counts.ravel())
        arrays.state[HEAP_CAPACITY] = size

    # -- choosing -----------------------------------------------------------------------------------------------------

    def merge_at(self, rank: int) -> TokenPair | None:
        """Return the merge of this rank, or None if the run ends before. Raise TrainingError if the plan gives one of
        tokens that do not exist."""
        while len(self._merges) <= rank and not self._is_over:
            self._step()
        return self._merges[rank] if rank < len(self._merges) else None

    def turn_at(self, rank: int) -> str | None:
        """Return the language whose turn a chosen merge was; None for all languages together, or the plan."""
        turn = self._turns[rank]
        return self.languages[turn] if turn < len(self.languages) else None

    def count_at(self, rank: int) -> int:
        """Return how often the pair of a chosen merge occurred in the text of the language whose turn it was."""
        return self._counts[rank]

    def lengths_at(self, position: int) -> Int64Array:
        """Return the number of symbols of each language's text at a step that is known: development text if given."""
        return self._lengths[position]

    def scores_at(self, position: int) -> list[float]:
        """Return by what the next turn is chosen, for each language; the highest is next.

        This is the length or, with ratios, how much shorter the text has become, divided by the ratio and negated.
        """
        lengths = self._lengths[position].tolist()
        if not self.ratios:
            return list(map(float, lengths))
        parts = zip(self.languages, self._lengths[0].tolist(), lengths, strict=True)
        return [-((start / now) / self.ratios[name]) for name, start, now in parts]

    def _step(self) -> None:
        """Choose the next merge and apply it, or find that the run is over."""
        rank, everyone = len(self._merges), len(self.languages)
        given = self._plan.replay[rank] if rank < len(self._plan.replay) else self._plan.forced.get(rank)
        if given is not None:
            self._apply(given, self._find(*given), everyone, 0)
            return
        while len(self._exhausted) < everyone:
            column = everyone if rank < self.parity.global_merges else self._next_turn()
            pair = self._best(column)
            if pair is not None:
                count = int(self._arrays.pair_counts[pair * (everyone + 1) + column])
                if count >= self._recipe.min_count:
                    self._apply(self._tokens_of(pair), pair, column, count)
                    return
            if column == everyone:
                break
            self._exhausted.add(column)
        self._is_over = True

    def _next_turn(self) -> int:
        """Return the index of the language whose turn it is."""
        scores = self.scores_at(-1)
        candidates = [turn for turn in range(len(scores)) if turn not in self._exhausted]
        candidates.sort(key=lambda turn: -scores[turn])
        if self.parity.variant == "base":
            return candidates[0]
        most = self.parity.alpha / len(scores)
        turn = next((turn for turn in candidates if self._share(turn) <= most), candidates[-1])
        if self._share(turn) > most and 0 in self._exhausted and self._share(0) <= most:
            turn = 0  # so does `tokenizers`: the turn is lost
        self._window.append(turn)
        return turn

    def _share(self, turn: int) -> float:
        """Return the share of a language in the last turns."""
        return self._window.count(turn) / self.parity.window

    def _best(self, column: int) -> int | None:
        """Return the best pair of a column that the plan does not veto."""
        while (pair := best_parity_pair(self._arrays, column)) >= 0:
            if not self._plan.has_vetoes or self._plan.veto_of(*self._tokens_of(pair)) is None:
                return pair
            self._arrays.banned[pair] = 1
        return None

    def _tokens_of(self, pair: int) -> TokenPair:
        key = int(self._arrays.keys[pair])
        return self._tokens[key >> SYMBOL_BITS], self._tokens[key & SYMBOL_MASK]

    def _apply(self, merge: TokenPair, pair: int, turn: int, count: int) -> None:
        token = merge[0] + merge[1]
        new = self._symbol_of.get(token)
        if new is None:
            new = self._add_token(token)
        if pair >= 0:
            bound = 2 * min(int(self._arrays.occurrences[pair]), len(self._tokens) + 1) + 1
            if int(self._arrays.state[PAIR_COUNT]) + bound >= len(self._arrays.keys):
                self._reserve_pairs(2 * (len(self._arrays.keys) + bound))
            self._reserve_heaps(bound)
            merge_in_all_languages(self._arrays, pair, new)
        self._merges.append(merge)
        self._turns.append(turn)
        self._counts.append(count)
        self._lengths.append(self._arrays.lengths[:-1].copy())

    def _find(self, left: bytes, right: bytes) -> int:
        """Return the pair of two tokens, or -1 if it never occurred."""
        symbols = self._symbol_of.get(left), self._symbol_of.get(right)
        if symbols[0] is None or symbols[1] is None:
            return -1
        return find_pair(self._arrays.keys, self._arrays.slots, symbols[0] << SYMBOL_BITS | symbols[1])

    def _add_token(self, token: bytes) -> int:
        """Return a new symbol for a token."""
        symbol, table = len(self._tokens), self._arrays.tokens
        # Tokens are compared as they are written.
        text = token.translate(_ORDER) if self._is_printable else token
        start = int(table.starts[symbol])
        stop = start + len(text)
        if symbol + 2 > len(table.prefixes) or stop > len(table.text):
            table = replace(
                table,
                starts=longer(table.starts, len(table.starts) + symbol),
                text=longer(table.text, len(table.text) + stop),
                prefixes=longer(table.prefixes, len(table.prefixes) + symbol),
            )
            self._arrays = replace(self._arrays, tokens=table)
        table.text[start:stop] = np.frombuffer(text, np.uint8)
        table.starts[symbol + 1] = stop
        table.prefixes[symbol] = int.from_bytes(text[:7].ljust(7, b"\0"), "big")  # as `store_prefix` does
        self._tokens.append(token)
        self._symbol_of.setdefault(token, symbol)
        return symbol


def turns_of(
    corpus: Corpus,
    recipe: Recipe,
    plan: Plan,
    special_tokens: Iterable[str] = (),
    progress: Progress | None = None,
    *,
    names: Sequence[str] | None = None,
) -> LanguageTurns | None:
    """Return the turns of a corpus, or None if its plan does not tell languages apart. Raise EngineError.

    `names` are the languages of its documents, by default those that their paths say. `progress` is called with the
    bytes counted and in total.
    """
    if plan.parity is None:
        return None
    if names is None:
        paths = (each.path if isinstance(each, FileDocument) else Path() for each in corpus.documents)
        names = [
            plan.parity.language_of(path.absolute().parent.name if path.name else "", path.name or f"text {number}")
            for number, path in enumerate(paths, 1)
        ]
    members = {name: [index for index, own in enumerate(names) if own == name] for name in dict.fromkeys(names)}
    counted = {
        name: Corpus(
            tuple(corpus.documents[index] for index in own),
            tuple(corpus.weights[index] for index in own) if corpus.weights else (),
        ).count(recipe, special_tokens, progress, may_be_empty=True)
        for name, own in members.items()
    }
    with_words = {name: counts for name, counts in counted.items() if len(counts)}
    return LanguageTurns(with_words, parity=plan.parity, recipe=recipe, plan=plan)


_ORDER: Final = bytes(np.argsort(np.argsort([ord(to_printable(bytes([byte]))) for byte in range(256)])).tolist())
"""For each byte, its place among all bytes in the order of GPT-2's printable characters."""
