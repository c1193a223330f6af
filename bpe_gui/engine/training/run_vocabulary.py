"""The vocabulary of a training run: the tokens of its symbols, their ids, and the tokenizers of its steps."""

from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import SYMBOL_BITS, SYMBOL_MASK
from bpe_gui.engine.kernels.training.records import RunArrays
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.sentencepiece import BYTE_PIECES, UNKNOWN
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .plan import Plan


class KeptIds:
    """The ids that a plan keeps, and new ones for other symbols and special tokens.

    Tokens that no merge of the plan makes are in the vocabulary from the start.
    """

    def __init__(self, plan: Plan, alphabet: list[bytes], special_tokens: tuple[str, ...]) -> None:
        largest = -1 if plan.base is None else plan.base.store.largest_id
        self._next_id = 1 + max((*plan.ids.values(), *plan.special_ids.values()), default=largest)
        self._next_id = max(self._next_id, 1 + largest)
        specials = {token.encode(): token_id for token, token_id in plan.special_ids.items()}
        self.tokens: Final = {token: i for token, i in plan.ids.items() if specials.get(token) != i}
        """The ids of ordinary tokens."""
        self.alphabet: Final = {
            symbol: self.tokens[symbol] if symbol in self.tokens else self._take() for symbol in alphabet
        }
        self.special_ids: Final = dict(plan.special_ids)
        for token in special_tokens:
            if token not in self.special_ids:
                self.special_ids[token] = self._take()
        made = {left + right for left, right in plan.replay}
        self.unmade: Final = {
            token: token_id
            for token, token_id in self.tokens.items()
            if token not in made and token not in self.alphabet
        }
        """Tokens that are neither in the alphabet nor made by a replayed merge."""

    def _take(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    @property
    def first_free(self) -> int:
        """The id of the first token that training adds."""
        return self._next_id

    @property
    def size(self) -> int:
        """The number of vocabulary entries before the first merge."""
        return len(self.alphabet) + len(self.unmade) + len(self.special_ids)


class PrunedTokens:
    """The tokens that leave the vocabulary at each merge of the run, if all merges are applied to one stage's words.

    A token that several merges make leaves when the last of its symbols is gone, and returns when another merge makes
    it again.

    >>> pruned = PrunedTokens(0)
    >>> pruned.update([((b"a", b"b"), True, 1), ((b"ab", b"c"), True, 3)])
    >>> pruned.counts, pruned.at(2)
    ([0, 1, 3], {b'a': 1, b'ab': 2, b'c': 2})
    """

    def __init__(self, start: int) -> None:
        self.start: Final = start
        """The first position of the stage."""
        self.counts: Final = [0]
        """The number of tokens that have left, at each position."""
        self._changes: list[dict[bytes, bool]] = []
        """The tokens that left (True) and returned (False) with each merge."""
        self._symbols: dict[bytes, int] = {}
        """How many symbols of each token occur. Symbols of the alphabet have no entry until they are gone."""

    def update(self, merges: Iterable[tuple[tuple[bytes, bytes], bool, int]]) -> None:
        """Add merges: the pair of each, whether it occurred, and which parts vanished, as in the history."""
        symbols = self._symbols
        for (left, right), occurred, vanished in merges:
            changes: dict[bytes, bool] = {}
            for part in (left,) * (vanished & 1) + (right,) * (vanished >> 1):
                symbols[part] = symbols.get(part, 1) - 1
                if not symbols[part]:
                    changes[part] = True
            token = left + right
            if occurred:
                if symbols.get(token) == 0:
                    changes[token] = False
                symbols[token] = symbols.get(token, 0) + 1
            self._changes.append(changes)
            self.counts.append(self.counts[-1] + sum(1 if is_gone else -1 for is_gone in changes.values()))

    def at(self, position: int) -> dict[bytes, int]:
        """Return the tokens that are not in the vocabulary at a position, each with the step at which it left."""
        left: dict[bytes, int] = {}
        for step, changes in enumerate(self._changes[:position], 1):
            for token, is_gone in changes.items():
                left.pop(token, None)
                if is_gone:
                    left[token] = step
        return left


class RunVocabulary:
    """The tokens of a run, with their ids at each step: the alphabet, then one token for each known merge.

    `alphabet` has the initial symbols in the order of their ids. If a recipe gives special tokens ids after the
    alphabet, only the first `symbols_before_specials` symbols have lower ids, as from `order_alphabet`. Ids that the
    plan keeps take precedence over the recipe.

    A position is a number of merges, at most the number of known ones.
    """

    def __init__(
        self,
        alphabet: list[bytes],
        symbols_before_specials: int,
        special_tokens: tuple[str, ...],
        recipe: Recipe,
        plan: Plan,
    ) -> None:
        self.tokens: Final = list(alphabet)
        """The bytes of each symbol."""
        self._recipe = recipe
        self._options = recipe.sentencepiece
        if self._options:
            special_tokens = self._options.fixed_pieces(special_tokens)
        self._special_tokens = special_tokens
        self._alphabet_size = len(alphabet)
        after_alphabet = recipe.special_ids == "after-alphabet"
        shift = len(special_tokens) if recipe.special_ids == "first" else 0
        self._ids = {
            token: symbol + (len(special_tokens) if after_alphabet and symbol >= symbols_before_specials else shift)
            for symbol, token in enumerate(alphabet)
        }
        # None where special tokens come last: their ids then depend on the position.
        self._first_special_id = {"first": 0, "after-alphabet": symbols_before_specials, "last": None}[
            recipe.special_ids
        ]
        self._next_id = len(alphabet) + (0 if self._first_special_id is None else len(special_tokens))
        """The id of the next token that is not in the vocabulary yet."""
        if self._options:  # the alphabet comes after the last merge: see `id_of`
            self._ids = {token: index - len(alphabet) for index, token in enumerate(alphabet)}
            self._first_special_id, self._next_id = 0, len(special_tokens)
        self._kept = KeptIds(plan, alphabet, special_tokens) if plan.ids or plan.special_ids else None
        if self._kept:
            self._ids, self._next_id = self._kept.alphabet | self._kept.unmade, self._kept.first_free
        self._merges: list[tuple[bytes, bytes]] = []
        self._counts: list[int] = []
        """How often the pair of each merge occurred."""
        self._is_new: list[bool] = []
        """Whether the token of each merge was not in the vocabulary before."""
        self._pruned: list[PrunedTokens] = []
        """The tokens that left the vocabulary in each stage reached so far; empty unless the recipe prunes."""
        self._symbols: dict[bytes, int] = {}
        """The first symbol of each token, among the first `_symbols_known` symbols."""
        self._symbols_known = 0
        """The number of symbols in `_symbols`."""
        self._other_symbols: dict[bytes, list[int]] = {}
        """The symbols after the first of each token that several merges made."""
        self._token_ranks: Int64Array = np.empty(0, np.int64)
        """The index of each symbol's bytes among all tokens in sorted order, as of the last use."""
        self._ranks: dict[tuple[bytes, bytes], int] = {}
        """The rank of each merged pair's first merge, among the first `_ranked` merges."""
        self._ranked = 0
        """The number of merges in `_ranks`."""
        self._sizes = [self._kept.size if self._kept else len(alphabet) + len(special_tokens)]
        """The number of vocabulary entries at each position, ignoring pruning."""
        self._base = plan.base
        if plan.base is not None:
            self._begin_with(plan.base)
        self._stages = plan.stage_recipes(recipe)
        self._latest: dict[Recipe, Tokenizer] = {}
        """By the recipe of a stage: the tokenizer as of the last merge in the store that the tokenizers of the stage
        share, or the latest one if they do not share a store."""

    def _begin_with(self, base: Tokenizer) -> None:
        """Take the merges of the tokenizer that the run continues."""
        lacking = len(self._ids.keys() - base.store.ids.keys())
        self._merges, count = list(base.merges), len(base.merges)
        self.tokens.extend(left + right for left, right in self._merges)
        self._ids = base.store.ids | self._ids
        self._counts, self._is_new = base.merge_counts or [0] * count, [False] * count
        self._sizes = [len(base.vocab) + lacking] * (count + 1)

    def update(self, run: RunArrays, known_merges: int, start: int) -> None:
        """Add the merges that have become known since the last call; `known_merges` is their total number.

        `run` has the words of the stage that begins at `start`.
        """
        if self._recipe.vocabulary == "prune" and (not self._pruned or start > self._pruned[-1].start):
            self._pruned.append(PrunedTokens(start))
            self._latest.clear()
        self._add_merges(run, known_merges)
        if self._pruned and start == self._pruned[-1].start:
            pruned, history = self._pruned[-1], run.history
            new = slice(len(pruned.counts) - 1, known_merges)
            occurred, vanished = (history.saved[new] > 0).tolist(), history.vanished[new].tolist()
            pruned.update(zip(self._merges[new], occurred, vanished, strict=True))

    def _add_merges(self, run: RunArrays, known_merges: int) -> None:
        first = len(self._merges)
        if known_merges <= first:
            return
        history, alphabet_size = run.history, self._alphabet_size
        starts = run.symbols.starts[alphabet_size + first : alphabet_size + known_merges + 1]
        text, origin = run.symbols.text[int(starts[0]) : int(starts[-1])].tobytes(), int(starts[0])
        self.tokens.extend([text[start:stop] for start, stop in pairwise((starts - origin).tolist())])
        keys = run.pairs.keys[history.pairs[first:known_merges]]
        lefts, rights = (keys >> SYMBOL_BITS).tolist(), (keys & SYMBOL_MASK).tolist()
        tokens = self.tokens
        self._merges += [(tokens[left], tokens[right]) for left, right in zip(lefts, rights, strict=True)]
        self._counts += history.counts[first:known_merges].tolist()
        self._assign_ids(first, known_merges)
        self._sizes[-1:] = accumulate(self._is_new[first:], initial=self._sizes[-1])  # repeats the last size

    def _assign_ids(self, first: int, known_merges: int) -> None:
        ids = self._ids
        for token in self.tokens[self._alphabet_size + first : self._alphabet_size + known_merges]:
            is_new = token not in ids
            if is_new:
                ids[token] = new_id = self.id_of(token)
                self._next_id += new_id == self._next_id
            self._is_new.append(is_new)

    def size(self, position: int) -> int:
        """Return the number of vocabulary entries at a position, including special tokens."""
        pruned = self._pruned_at(position)
        return self._sizes[position] - (pruned.counts[position] if pruned else 0)

    def pruned(self, position: int) -> dict[bytes, int]:
        """Return the tokens that have left the vocabulary by a position, each with the step at which it left."""
        stage = self._pruned_at(position)
        return stage.at(position) if stage else {}

    def _pruned_at(self, position: int) -> PrunedTokens | None:
        """Return the pruned tokens of the stage that a position is in, or None if the recipe does not prune."""
        return next((stage for stage in reversed(self._pruned) if stage.start <= position), None)

    def id_of(self, token: bytes, position: int | None = None) -> int:
        """Return the id of a token in merge order; a token that no known merge made gets the next free id.

        With a position, return the id that a merge at that position would give, whatever later merges made.
        """
        token_id = self._ids.get(token)
        if token_id is not None and token_id < 0:
            return self._sizes[-1 if position is None else position] + token_id
        if token_id is None and self._kept:
            token_id = self._kept.tokens.get(token)
        if token_id is None:
            token_id = self._next_id
        return token_id if position is None else min(token_id, self._next_id_at(position))

    def _next_id_at(self, position: int) -> int:
        """Return the next free id at a position: the first id that a later merge gave, unless the plan keeps it."""
        first_free = self._kept.first_free if self._kept else 0
        for rank in range(position, len(self._merges)):
            token_id = self._ids[self.tokens[self._alphabet_size + rank]]
            if self._is_new[rank] and token_id >= first_free:
                return token_id
        return self._next_id

    def symbols_of(self, token: bytes) -> list[int]:
        """Return the symbols of a token: several if several merges made it, none if none did."""
        first, known, count = self._symbols, self._symbols_known, len(self.tokens)
        if known < count:
            new = self.tokens[known:count]
            firsts = map(first.setdefault, new, range(known, count))
            is_other = np.fromiter(firsts, np.int64, count - known) != np.arange(known, count)
            for index in np.flatnonzero(is_other).tolist():
                self._other_symbols.setdefault(new[index], []).append(known + index)
            self._symbols_known = count
        return [first[token], *self._other_symbols.get(token, ())] if token in first else []

    def ranks(self) -> Mapping[tuple[bytes, bytes], int]:
        """Return the rank of each known merge by its pair: the first rank if the same bytes were merged again."""
        for rank in range(self._ranked, len(self._merges)):
            self._ranks.setdefault(self._merges[rank], rank)
            self._ranked = rank + 1
        return self._ranks

    def token_ranks(self) -> Int64Array:
        """Return the index of each symbol's bytes among all tokens in sorted order; equal bytes have the same index.

        The array is read-only.
        """
        if len(self._token_ranks) < len(self.tokens):
            place_of = {token: place for place, token in enumerate(sorted(set(self.tokens)))}
            self._token_ranks = np.fromiter(map(place_of.__getitem__, self.tokens), np.int64, len(self.tokens))
            self._token_ranks.flags.writeable = False
        return self._token_ranks

    # -- tokenizers -------------------------------------------------------------------------------------------------

    def tokenizer(self, position: int) -> Tokenizer:
        """Return the tokenizer at a position."""
        recipe = next(recipe for start, recipe in reversed(self._stages.items()) if start <= position)
        latest = self._latest.get(recipe)
        if not self._ids_are_stable:
            if latest is None or latest.position != position:
                latest = self._latest[recipe] = self._make_tokenizer(position, recipe)
            return latest
        # If no id depends on later steps, the tokenizers of all steps of a stage are views of one store.
        if latest is None:
            latest = self._make_tokenizer(0 if self._base is None else self._base.position, recipe)
        first = latest.position
        if first < len(self._merges):
            tokens = zip(self.tokens[self._alphabet_size + first :], self._is_new[first:], strict=True)
            entries = {self._ids[token]: token for token, is_new in tokens if is_new}
            latest.store.append(self._merges[first:], entries, self._counts[first:])
            latest = latest.at(latest.store.merge_count)
        self._latest[recipe] = latest
        return latest.at(position)

    @property
    def _ids_are_stable(self) -> bool:
        """Whether an id means the same token at every step."""
        recipe = self._recipe
        if self._options:
            return False
        if self._kept:
            return recipe.vocabulary == "grow"
        return recipe.id_order == "merge-order" and recipe.special_ids != "last" and recipe.vocabulary == "grow"

    def _make_tokenizer(self, position: int, recipe: Recipe) -> Tokenizer:
        vocab, special_ids = self._entries(position)
        if self._base is not None:
            vocab, merges = self._base.vocab | vocab, self._merges[:position]
            counts = None if self._base.merge_counts is None else self._counts[:position]
            return self._base.changed(vocab=vocab, merges=merges, merge_counts=counts)
        if self._options:
            vocab |= {token_id: piece.encode() for piece, token_id in special_ids.items()}
            special_ids = {piece: token_id for piece, token_id in special_ids.items() if piece not in BYTE_PIECES}
            from bpe_gui.engine.pipeline.sentencepiece import trained_pipeline  # which other recipes do without

            return Tokenizer(
                vocab,
                self._merges[:position],
                special_ids,
                unknown_id=special_ids[UNKNOWN],
                pipeline=trained_pipeline(self._options, special_ids),
                merge_counts=self._counts[:position],
            )
        return Tokenizer(
            vocab, self._merges[:position], special_ids, recipe=recipe, merge_counts=self._counts[:position]
        )

    def _entries(self, position: int) -> tuple[dict[int, bytes], dict[str, int]]:
        """Return the tokens by id, and the ids of the special tokens, at a position."""
        tokens = self.tokens[: self._alphabet_size + position]
        ids = {token: self._ids[token] for token in tokens} | (self._kept.unmade if self._kept else {})
        if self._options:
            ids |= {token: self.id_of(token, position) for token in tokens[: self._alphabet_size]}
        first_special_id = len(ids) if self._first_special_id is None else self._first_special_id
        pruned = self.pruned(position)
        for token in pruned:
            del ids[token]
        if self._kept:
            return {token_id: token for token, token_id in ids.items()}, self._kept.special_ids
        if self._recipe.id_order == "sorted":
            specials_first = self._recipe.special_ids == "first"
            ordered = sorted(ids, key=to_printable if self._recipe.token_spelling == "gpt2-printable" else bytes)
            vocab = dict(enumerate(ordered, len(self._special_tokens) if specials_first else 0))
            return vocab, self._special_ids(0 if specials_first else len(ordered))
        vocab, special_ids = {token_id: token for token, token_id in ids.items()}, self._special_ids(first_special_id)
        if not pruned:
            return vocab, special_ids
        new_ids = {old: new for new, old in enumerate(sorted([*vocab, *special_ids.values()]))}  # without holes
        vocab = {new_ids[token_id]: token for token_id, token in vocab.items()}
        return vocab, {token: new_ids[token_id] for token, token_id in special_ids.items()}

    def _special_ids(self, first_id: int) -> dict[str, int]:
        return {token: token_id for token_id, token in enumerate(self._special_tokens, first_id)}
