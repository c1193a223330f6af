"""The ids of a tokenizer that training goes on from."""

from typing import Final

from .plan import Plan


class KeptIds:
    """The ids that a plan keeps, with new ones for symbols and special tokens that it does not have.

    Tokens that no merge of the plan makes are part of the vocabulary from the start, as they were before.
    """

    def __init__(self, plan: Plan, alphabet: list[bytes], special_tokens: tuple[str, ...]) -> None:
        self._next_id = 1 + max((*plan.ids.values(), *plan.special_ids.values()), default=-1)
        specials = {token.encode(): token_id for token, token_id in plan.special_ids.items()}
        self.tokens: Final = {token: i for token, i in plan.ids.items() if specials.get(token) != i}
        """The ids of ordinary tokens."""
        self.alphabet: Final = {symbol: self._id_of(symbol) for symbol in alphabet}
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

    def _id_of(self, symbol: bytes) -> int:
        return self.tokens[symbol] if symbol in self.tokens else self._take()

    def _take(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    @property
    def first_free(self) -> int:
        """The id of the first token that training adds."""
        return self._next_id

    @property
    def size(self) -> int:
        """The number of entries of the vocabulary before the first merge."""
        return len(self.alphabet) + len(self.unmade) + len(self.special_ids)
