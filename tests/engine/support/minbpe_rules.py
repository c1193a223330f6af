"""How minbpe reads its models and encodes by them, written down from its description: the definition for our tests."""

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import regex


class Model(NamedTuple):
    """What is in a `.model`."""

    pattern: str
    special_tokens: dict[str, int]
    merges: dict[tuple[int, int], int]

    def encode(self, text: str) -> list[int]:
        """The ids, special tokens allowed; without a pattern it is a BasicTokenizer, which has none."""
        if not (self.special_tokens and self.pattern):
            return self._ordinary(text)
        parts = regex.split("(" + "|".join(map(regex.escape, self.special_tokens)) + ")", text)
        return [
            token_id
            for part in parts
            for token_id in ([self.special_tokens[part]] if part in self.special_tokens else self._ordinary(part))
        ]

    def _ordinary(self, text: str) -> list[int]:
        chunks = regex.findall(self.pattern, text) if self.pattern else [text]
        return [token_id for chunk in chunks for token_id in self._merged(list(chunk.encode()))]

    def _merged(self, ids: list[int]) -> list[int]:
        """One pair after the other, wherever it stands."""
        while known := {pair for pair in pairwise(ids) if pair in self.merges}:
            pair = min(known, key=self.merges.__getitem__)
            place = 0
            while place < len(ids) - 1:
                if (ids[place], ids[place + 1]) == pair:
                    ids[place : place + 2] = [self.merges[pair]]
                place += 1
        return ids


def read_model(path: Path) -> Model:
    """The model in a file, by minbpe's rules."""
    with path.open(encoding="utf-8") as file:
        assert file.readline().strip() == "minbpe v1"
        pattern = file.readline().strip()
        special_lines = [file.readline().strip() for _number in range(int(file.readline().strip()))]
        special = {token: int(token_id) for token, token_id in map(str.split, special_lines)}
        pairs = [(int(left), int(right)) for left, right in map(str.split, file)]
    return Model(pattern, special, {pair: 256 + rank for rank, pair in enumerate(pairs)})
