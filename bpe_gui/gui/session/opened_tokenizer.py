"""A tokenizer that was opened from a file, with a place among its merges."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine import FORMATS, Merge, Tokenizer, load
from bpe_gui.engine.formats import recognised, tiktoken
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.tokenization.vocabulary import Entries

NO_ID: Final = -1
"""Stands for the id of a token that has none."""

PROJECT: Final = "project"
"""The format of merges that a project holds."""


@dataclass(frozen=True, slots=True)
class TokenizerSource:
    """Where a tokenizer is read from. A pattern and special tokens are given for a file of ranks, which has neither."""

    path: Path
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None
    is_internal: bool = False
    """Whether the file is one of our own, which nobody knows by its name."""

    def read(self) -> "OpenedTokenizer":
        """Read it, which may take a second. Raises EngineError."""
        if self.pattern is None and self.special_tokens is None:
            tokenizer = load(self.path)
        else:
            tokenizer = tiktoken.load(self.path, pattern=self.pattern, special_tokens=self.special_tokens)
        return OpenedTokenizer(tokenizer, self, recognised(self.path))


class OpenedTokenizer:
    """The `Steps` of a tokenizer, which are at the last one at first. All its tables are made at once."""

    def __init__(self, tokenizer: Tokenizer, source: TokenizerSource, kind: str) -> None:
        self.source: Final = source
        self.kind: Final = kind
        """The name of its format."""
        self._whole = tokenizer
        self._prefix = len(tokenizer.pipeline.model.prefix.encode()) if tokenizer.pipeline else 0
        self._merges = tokenizer.merges
        self._position = len(self._merges)
        counts = tokenizer.merge_counts
        self.counts: Final[Longs | None] = None if counts is None else np.array(counts, np.int64)
        entries = tokenizer.entries()
        self.entry_count: Final = len(entries.ids)
        self._ids = {
            token: token_id
            for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
            if step != Entries.SPECIAL
        }
        is_of_bytes = tokenizer.recipe.units == "bytes"
        alphabet = np.flatnonzero(entries.steps == 0).tolist()
        self.unmerged: Final = sum(len(entries.tokens[place]) > 1 for place in alphabet) if is_of_bytes else 0
        """How many tokens of several bytes no merge makes."""
        tokenizer.at(0).token_arrays(b"")  # which makes the tables by which it encodes

    @property
    def name(self) -> str:
        """What it is called: its file or folder, with the folder where many files have that name; nothing if nobody
        has named it."""
        if self.source.is_internal:
            return ""
        path, known = self.source.path, FORMATS.get(self.kind)
        is_usual = known is not None and path.name in known.files
        return f"{path.absolute().parent.name}/{path.name}" if is_usual else path.absolute().name

    def is_of(self, tokenizer: Tokenizer) -> bool:
        """Whether it has the merges of this very tokenizer."""
        return self._whole is tokenizer

    @property
    def takes_pattern(self) -> bool:
        """Whether it is a file of ranks of unknown origin: what these leave open is for the user to say."""
        return self.kind == "tiktoken" and (self._has_pattern or not self._whole.special_tokens)

    @property
    def lacks_pattern(self) -> bool:
        """Whether it is such a file, and nobody has said by which pattern it splits text."""
        return self.takes_pattern and not self._has_pattern

    @property
    def _has_pattern(self) -> bool:
        return self.source.pattern is not None or self.source.special_tokens is not None

    @property
    def position(self) -> int:
        """How many of its merges are done."""
        return self._position

    @property
    def run_length(self) -> int:
        """How many merges it has."""
        return len(self._merges)

    def known(self, index: int) -> Merge:
        """The merge of that rank. Nobody knows its ties, and few files its count. Raises IndexError beyond the last."""
        left, right = self._merges[index]
        token = left + right[self._prefix :]
        count = 0 if self.counts is None else int(self.counts[index])
        return Merge(index, left, right, token, self._ids.get(token, NO_ID), count, 0)

    def peek(self) -> Merge | None:
        """The merge that comes next, or None at the end."""
        return self.known(self._position) if self._position < self.run_length else None

    def approach(self, position: int) -> bool:
        """Go to a step, or to the last one; always True, for it takes no time."""
        self._position = min(max(0, position), self.run_length)
        return True

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """The tokenizer as of a step, the current one by default. Raises TokenizerError beyond the last."""
        position = self._position if position is None else position
        return self._whole if position == self.run_length else self._whole.at(position)
