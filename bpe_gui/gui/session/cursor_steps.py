"""The protocol of the steps that the cursor moves over: the merges of a run, or of an opened tokenizer."""

from typing import Protocol

from bpe_gui.engine import Merge, Tokenizer
from bpe_gui.engine.runtime import Int64Array


class Steps(Protocol):
    """Merges in order, and a position among them; position 0 is before the first. A `Trainer` satisfies it."""

    @property
    def position(self) -> int:
        """The number of merges done."""

    @property
    def run_length(self) -> int:
        """The number of known merges."""

    @property
    def counts(self) -> Int64Array | None:
        """The number of occurrences of each known merge's pair when it was merged; None if that is unknown."""

    def merge_at(self, index: int) -> Merge:
        """Return the merge of rank `index`; its count is 0 if that is unknown."""

    def peek(self) -> Merge | None:
        """Return the merge that follows the position; None if there is none."""

    def approach(self, position: int) -> bool:
        """Move towards a position for some milliseconds; return whether it, or the last possible one, is reached."""

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """Return the tokenizer as of a known position, by default the present one."""
