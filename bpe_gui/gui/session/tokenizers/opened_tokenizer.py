"""A tokenizer that was opened from a file, with a position among its merges."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bpe_gui.engine import FORMATS, Merge, Tokenizer, load
from bpe_gui.engine.formats import UnknownPatternError, recognise
from bpe_gui.engine.runtime import Int64Array
from bpe_gui.engine.tokenization import Entries
from bpe_gui.gui.jobs import Report

DEFAULT_PATTERN: Final = "gpt2"
"""The pattern of a file of ranks until the user gives another."""

NO_ID: Final = -1
"""Stands for the id of a token that is not in the vocabulary."""

PROJECT: Final = "project"
"""The `format` of merges that were read from a project, not from a tokenizer's file."""

_PER_CENT: Final = 100
_LOADED, _LISTED, _INDEXED = 45, 70, 85
"""The share of the time that reading a large file takes, up to the end of a stage, in per cent."""

_PRESCRIBED_NAMES: Final = frozenset(name for format in FORMATS.values() for name in format.files)
_logger: Final = logging.getLogger(__name__)


def _report_nothing(_done: int, _total: int) -> None: ...


@dataclass(frozen=True, slots=True)
class TokenizerSource:
    """The file or folder of a tokenizer.

    - `pattern`, `special_tokens`: given for a file of ranks, which has neither.
    - `is_internal`: the file is a recovery file, whose name means nothing to the user.
    - `published_name`: the name by which the file was downloaded, such as `hf:owner/name`.
    """

    path: Path
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None
    is_internal: bool = False
    published_name: str = ""

    @property
    def name(self) -> str:
        """The published name, or the name of the file or folder; empty for an internal file.

        The name of the folder comes before one that a format prescribes, as in `gpt2/tokenizer.json`.
        """
        if self.published_name:
            return self.published_name
        if self.is_internal:
            return ""
        path = self.path.absolute()
        return f"{path.parent.name}/{path.name}" if path.name in _PRESCRIBED_NAMES else path.name

    def read(self, report: Report = _report_nothing) -> "OpenedTokenizer":
        """Read the tokenizer, which may take seconds. Raise EngineError, and Cancelled from `report`."""
        _logger.info("opening the tokenizer in %s", self.path)
        report(0, _PER_CENT)
        are_ranks = self.pattern is not None or self.special_tokens is not None
        format = "tiktoken" if are_ranks else recognise(self.path)
        try:
            tokenizer = load(self.path, format, pattern=self.pattern, special_tokens=self.special_tokens)
        except UnknownPatternError:  # the window says so and asks for the pattern
            tokenizer = load(self.path, format, pattern=DEFAULT_PATTERN, special_tokens=self.special_tokens)
        report(_LOADED, _PER_CENT)
        return OpenedTokenizer(tokenizer, self, format, report)


class OpenedTokenizer:
    """The merges of a tokenizer as `Steps`; the position is the last one at first."""

    def __init__(
        self, tokenizer: Tokenizer, source: TokenizerSource, format: str, report: Report = _report_nothing
    ) -> None:
        """Build all tables that the window needs; `format` is a name in `FORMATS`, or `PROJECT`."""
        self.source: Final = source
        self.format: Final = format
        self._final = tokenizer
        self._merges = tokenizer.merges
        self._position = len(self._merges)
        counts = tokenizer.merge_counts
        self.counts: Final[Int64Array | None] = None if counts is None else np.array(counts, np.int64)
        entries = tokenizer.entries()
        report(_LISTED, _PER_CENT)
        self.entry_count: Final = len(entries.ids)
        self._ids = {
            token: token_id
            for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
            if step != Entries.SPECIAL
        }
        is_of_bytes = tokenizer.recipe.units == "bytes"
        alphabet = np.flatnonzero(entries.steps == 0).tolist()
        self.unmerged_count: Final = sum(len(entries.tokens[entry]) > 1 for entry in alphabet) if is_of_bytes else 0
        """The number of tokens of several bytes that no merge produces."""
        report(_INDEXED, _PER_CENT)
        tokenizer.at(0).token_arrays(b"")  # encodes nothing, but builds the tables for encoding

    @property
    def name(self) -> str:
        """The name of its file or folder, empty for an internal file."""
        return self.source.name

    @property
    def takes_pattern(self) -> bool:
        """Whether it is a file of ranks of unknown origin, whose pattern and special tokens the user has to give."""
        return self.format == "tiktoken" and (self._has_pattern or not self._final.special_tokens)

    @property
    def lacks_pattern(self) -> bool:
        """Whether it takes a pattern and special tokens, and the user has given neither."""
        return self.takes_pattern and not self._has_pattern

    @property
    def _has_pattern(self) -> bool:
        return self.source.pattern is not None or self.source.special_tokens is not None

    @property
    def position(self) -> int:
        """The number of merges done."""
        return self._position

    @property
    def run_length(self) -> int:
        """The number of merges."""
        return len(self._merges)

    def merge_at(self, index: int) -> Merge:
        """Return the merge of rank `index`; its ties are 0, and so is a count that is unknown. Raise IndexError."""
        left, right = self._merges[index]
        token = left + right[self._final.store.prefix_size :]
        count = 0 if self.counts is None else int(self.counts[index])
        return Merge(index, left, right, token, self._ids.get(token, NO_ID), count, 0)

    def peek(self) -> Merge | None:
        """Return the next merge, or None at the end."""
        return self.merge_at(self._position) if self._position < self.run_length else None

    def approach(self, position: int) -> bool:
        """Move to `position`, at most the last one; return True, because the move is always complete."""
        self._position = min(max(0, position), self.run_length)
        return True

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """Return the tokenizer as of a position, by default the present one. Raise TokenizerError beyond the last."""
        position = self._position if position is None else position
        return self._final if position == self.run_length else self._final.at(position)
