"""A reader and encoder for minbpe's models, written from minbpe's description: the oracle for our format."""

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import regex

from bpe_gui.engine.text.regex_stand_ins import with_stand_ins


class Model(NamedTuple):
    """The content of a `.model` file."""

    pattern: str
    special_tokens: dict[str, int]
    merges: dict[tuple[int, int], int]

    def encode(self, text: str) -> list[int]:
        """Return the ids of `text`, with special tokens, which a BasicTokenizer, without a pattern, does not have."""
        if not (self.special_tokens and self.pattern):
            return self._ordinary(text)
        parts = regex.split("(" + "|".join(map(regex.escape, self.special_tokens)) + ")", text)
        return [
            token_id
            for part in parts
            for token_id in ([self.special_tokens[part]] if part in self.special_tokens else self._ordinary(part))
        ]

    def _ordinary(self, text: str) -> list[int]:
        if not self.pattern:
            return self._merged(list(text.encode()))
        chunks = (text[slice(*match.span())] for match in regex.finditer(self.pattern, with_stand_ins(text)))
        return [token_id for chunk in chunks for token_id in self._merged(list(chunk.encode()))]

    def _merged(self, ids: list[int]) -> list[int]:
        """Merge one pair after the other, at all its occurrences."""
        while known := {pair for pair in pairwise(ids) if pair in self.merges}:
            pair = min(known, key=self.merges.__getitem__)
            index = 0
            while index < len(ids) - 1:
                if (ids[index], ids[index + 1]) == pair:
                    ids[index : index + 2] = [self.merges[pair]]
                index += 1
        return ids


def read_model(path: Path) -> Model:
    """Read a model as minbpe does."""
    with path.open(encoding="utf-8") as file:
        assert file.readline().strip() == "minbpe v1"
        pattern = file.readline().strip()
        special_lines = [file.readline().strip() for _number in range(int(file.readline().strip()))]
        special = {token: int(token_id) for token, token_id in map(str.split, special_lines)}
        pairs = [(int(left), int(right)) for left, right in map(str.split, file)]
    return Model(pattern, special, {pair: 256 + rank for rank, pair in enumerate(pairs)})
