"""What the cursor runs over: the merges of a run, or of a tokenizer that was opened from a file."""

from typing import Protocol

from bpe_gui.engine import Merge, Tokenizer
from bpe_gui.engine.kernels.training.records import Longs


class Steps(Protocol):
    """Merges in their order, and a place among them; 0 is before the first. A `Trainer` is one."""

    @property
    def position(self) -> int:
        """How many merges are done."""

    @property
    def run_length(self) -> int:
        """How many merges are known."""

    @property
    def counts(self) -> Longs | None:
        """How often the pair of each known merge occurred when it was chosen; None where nobody knows."""

    def known(self, index: int) -> Merge:
        """The merge of that rank; its count is 0 where nobody knows it."""

    def peek(self) -> Merge | None:
        """The merge that comes next, or None."""

    def approach(self, position: int) -> bool:
        """Go towards a step for some milliseconds. Returns whether it is reached, or nothing is left."""

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """The tokenizer as of a known step, the current one by default."""
