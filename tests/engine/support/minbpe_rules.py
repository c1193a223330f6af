"""A reader and encoder for minbpe's models, written from minbpe's description: the oracle for `formats/minbpe.py`."""

from collections.abc import Container
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import regex

from tests.engine.support.stand_ins import with_stand_ins


class Model(NamedTuple):
    """The content of a `.model` file."""

    pattern: str
    """The regular expression that splits text; empty for a BasicTokenizer, which merges across the whole text."""
    special_tokens: dict[str, int]
    """The ids by token."""
    merges: dict[tuple[int, int], int]
    """The id that each pair of ids is merged into."""

    def encode(self, text: str, allowed_special: Container[str] | None = None) -> list[int]:
        """Return the ids of `text`; special tokens are found in it, except by a BasicTokenizer, which has none.

        Those that are not allowed are plain text, if only some are.
        """
        special = {t: i for t, i in self.special_tokens.items() if allowed_special is None or t in allowed_special}
        if not (special and self.pattern):
            return self._encode_ordinary(text)
        ids: list[int] = []
        for part in regex.split("(" + "|".join(map(regex.escape, special)) + ")", text):
            if part in special:
                ids.append(special[part])
            else:
                ids += self._encode_ordinary(part)
        return ids

    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of text without special tokens."""
        if not self.pattern:
            return self._merge(list(text.encode()))
        # The stand-ins have the same length, so a match in them has the span of the word in `text`.
        words = (text[slice(*match.span())] for match in regex.finditer(self.pattern, with_stand_ins(text)))
        return [token_id for word in words for token_id in self._merge(list(word.encode()))]

    def _merge(self, ids: list[int]) -> list[int]:
        """Merge pairs in `ids`, in place, until none is left that can be merged; return it.

        The pair of the lowest rank comes first, at all its occurrences from left to right.
        """
        while mergeable := {pair for pair in pairwise(ids) if pair in self.merges}:
            pair = min(mergeable, key=self.merges.__getitem__)
            index = 0
            while index < len(ids) - 1:
                if (ids[index], ids[index + 1]) == pair:
                    ids[index : index + 2] = [self.merges[pair]]
                index += 1
        return ids


def read_model(path: Path) -> Model:
    """Return the content of a `.model` file, read as minbpe does. Raise AssertionError for another version."""
    with path.open(encoding="utf-8") as file:
        assert file.readline().strip() == "minbpe v1"
        pattern = file.readline().strip()
        special_lines = [file.readline().strip() for _ in range(int(file.readline().strip()))]
        special_tokens = {token: int(token_id) for token, token_id in map(str.split, special_lines)}
        pairs = [(int(left), int(right)) for left, right in map(str.split, file)]
    return Model(pattern, special_tokens, {pair: 256 + rank for rank, pair in enumerate(pairs)})
