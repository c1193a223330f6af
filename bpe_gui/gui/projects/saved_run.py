"""The merges stored in a project file, as the source of an opened tokenizer."""

from dataclasses import dataclass

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.jobs import Report
from bpe_gui.gui.session.tokenizers.opened_tokenizer import PROJECT, OpenedTokenizer, TokenizerSource


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRun(TokenizerSource):
    """The merges of a project, and the `step` at which its cursor was.

    `stale`: when the project was saved, its corpus or recipe had changed since the run.
    """

    tokenizer: Tokenizer
    step: int
    stale: bool

    def read(self, report: Report = lambda _done, _total: None) -> OpenedTokenizer:
        """Return the tokenizer as an opened one, without reading a file."""
        return OpenedTokenizer(self.tokenizer, self, PROJECT, report)
