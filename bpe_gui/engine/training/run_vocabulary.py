"""What a run's symbols are called: their bytes, their ids, and the tokenizers of its steps."""

from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.training import records
from bpe_gui.engine.kernels.training.records import Longs, Machine
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.tokenization.tokenizer import Tokenizer


class Naming:
    """The names of the alphabet and of the tokens of all merges known so far; learned as the run grows."""

    def __init__(self, alphabet: list[bytes], fixed: int, special_tokens: tuple[str, ...], recipe: Recipe) -> None:
        self.tokens: Final = list(alphabet)
        """By symbol."""
        self._recipe = recipe
        self._specials = special_tokens
        self._alphabet_size = len(alphabet)
        after_alphabet = recipe.special_ids == "after-alphabet"
        shift = len(special_tokens) if recipe.special_ids == "first" else 0
        self._ids = {
            token: number + (len(special_tokens) if after_alphabet and number >= fixed else shift)
            for number, token in enumerate(alphabet)
        }
        self._first_special = {"first": 0, "after-alphabet": fixed, "last": None}[recipe.special_ids]
        self._merges: list[tuple[bytes, bytes]] = []
        self._counts: list[int] = []
        self._is_new: list[bool] = []  # by merge: its token was not in the vocabulary before
        self._pruned: list[tuple[bytes, ...]] = []  # by merge: the tokens that left the vocabulary
        self._sizes = [len(alphabet) + len(special_tokens)]  # by step
        self._whole: Tokenizer | None = None

    def learn(self, machine: Machine, known: int) -> None:
        """Name the symbols that the run has brought since."""
        before = len(self._merges)
        if known == before:
            return
        alphabet, run = self._alphabet_size, machine.run
        starts = machine.symbols.starts[alphabet + before : alphabet + known + 1]
        text, origin = machine.symbols.text[int(starts[0]) : int(starts[-1])].tobytes(), int(starts[0])
        ends = (starts - origin).tolist()
        self.tokens.extend([text[begin:end] for begin, end in pairwise(ends)])
        keys = machine.pairs.keys[run.pairs[before:known]]
        lefts, rights = (keys >> records.SYMBOL_BITS).tolist(), (keys & records.SYMBOL_MASK).tolist()
        tokens = self.tokens
        self._merges += [(tokens[left], tokens[right]) for left, right in zip(lefts, rights, strict=True)]
        self._counts += run.counts[before:known].tolist()
        self._number(before, known)
        self._prune(before, lefts, rights, run.gone[before:known].tolist())

    def _number(self, before: int, known: int) -> None:
        ids, next_id = self._ids, self._next_id
        for token in self.tokens[self._alphabet_size + before : self._alphabet_size + known]:
            is_new = token not in ids
            if is_new:
                ids[token] = next_id
                next_id += 1
            self._is_new.append(is_new)

    @property
    def _next_id(self) -> int:
        return len(self._ids) + (0 if self._first_special is None else len(self._specials))

    def _prune(self, before: int, lefts: list[int], rights: list[int], gone: list[int]) -> None:
        tokens = self.tokens
        if self._recipe.vocabulary == "grow":
            self._pruned += [()] * len(gone)
        else:
            for left, right, which in zip(lefts, rights, gone, strict=True):
                parts = ((tokens[left],) if which & 1 else ()) + ((tokens[right],) if which & 2 else ())
                self._pruned.append(parts)
        growth = zip(self._is_new[before:], self._pruned[before:], strict=True)
        sizes = accumulate((new - len(pruned) for new, pruned in growth), initial=self._sizes[-1])
        self._sizes[-1:] = sizes

    def size(self, position: int) -> int:
        """How many entries the vocabulary has at a known step, special tokens included."""
        return self._sizes[position]

    def id_of(self, token: bytes) -> int:
        """The id of a token, or the one it will get if it is the first that is not known yet."""
        return self._ids.get(token, self._next_id)

    def symbols_spelled(self, token: bytes) -> list[int]:
        """The symbols with these bytes."""
        return [symbol for symbol, known in enumerate(self.tokens) if known == token]

    def ranks_of_tokens(self) -> Longs:
        """By symbol: where its bytes stand among all in sorted order; the same bytes have the same rank. int64."""
        rank_of = {token: rank for rank, token in enumerate(sorted(set(self.tokens)))}
        return np.fromiter(map(rank_of.__getitem__, self.tokens), np.int64, len(self.tokens))

    # -- tokenizers -------------------------------------------------------------------------------------------------

    def tokenizer(self, position: int) -> Tokenizer:
        """The tokenizer as of a known step."""
        if not self._ids_are_stable:
            return self._build(position)
        # Where no id depends on later steps, all steps share one tokenizer's tables, which grow with the run.
        if self._whole is None:
            self._whole = self._build(len(self._merges))
        elif (before := self._whole.position) < len(self._merges):
            self._whole = self._whole.with_merges(
                self._merges[before:], self._new_entries(before), self._counts[before:]
            )
        return self._whole if position == self._whole.position else self._whole.at(position)

    def _new_entries(self, before: int) -> dict[int, bytes]:
        tokens = self.tokens[self._alphabet_size + before :]
        return {self._ids[token]: token for token, is_new in zip(tokens, self._is_new[before:], strict=True) if is_new}

    @property
    def _ids_are_stable(self) -> bool:
        recipe = self._recipe
        return recipe.id_order == "merge-order" and recipe.special_ids != "last" and recipe.vocabulary == "grow"

    def _build(self, position: int) -> Tokenizer:
        vocab, specials = self._numbered(position)
        return Tokenizer(
            vocab, self._merges[:position], specials, recipe=self._recipe, merge_counts=self._counts[:position]
        )

    def _numbered(self, position: int) -> tuple[dict[int, bytes], dict[str, int]]:
        """The vocabulary and the special tokens as of a step, with their ids."""
        tokens = self.tokens[: self._alphabet_size + position]
        ids = {token: self._ids[token] for token in tokens}
        first_special = len(ids) if self._first_special is None else self._first_special
        for pruned in self._pruned[:position]:
            for token in pruned:
                ids.pop(token, None)
        if self._recipe.id_order == "sorted":
            return self._sorted(list(ids))
        vocab = {token_id: token for token, token_id in ids.items()}
        return vocab, {name: first_special + number for number, name in enumerate(self._specials)}

    def _sorted(self, tokens: list[bytes]) -> tuple[dict[int, bytes], dict[str, int]]:
        first = self._recipe.special_ids == "first"
        shift = len(self._specials) if first else 0
        ordered = sorted(tokens, key=to_printable if self._recipe.token_spelling == "gpt2-printable" else bytes)
        vocab = {shift + number: token for number, token in enumerate(ordered)}
        return vocab, {name: (0 if first else len(tokens)) + number for number, name in enumerate(self._specials)}
