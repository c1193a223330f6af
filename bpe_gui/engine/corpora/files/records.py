"""Records, texts that a file has many of: they are read as UTF-8 with a mark after each that nothing merges across.

Texts in a list and small files are read in the same way.
"""

from collections.abc import Iterator
from typing import Any, Final, Protocol

from bpe_gui.engine.text.special_tokens import TEXT_END

from .text_file import ReadingState
from .utf8_reader import PieceReader

RECORD_END: Final = TEXT_END
"""The mark after each record."""


class Records(Protocol):
    """The texts of an open file, read once from start to end. It keeps `state` up to date."""

    state: ReadingState

    def batches(self) -> Iterator[Any]:
        """Yield the texts in batches: arrays of pyarrow's type `large_string`, without null. Raise CorpusError."""

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""


class RecordReader(PieceReader):
    """A reader of records as UTF-8, with `RECORD_END` after each."""

    def __init__(self, records: Records) -> None:
        super().__init__(self._marked(), records.state)
        self._records = records

    def finish(self) -> None:
        """Raise CorpusError if the file was changed while it was read."""
        self._records.finish()

    def _marked(self) -> Iterator[bytes | memoryview]:
        import pyarrow  # which reading the records has needed already
        import pyarrow.compute as compute

        binary = pyarrow.large_binary()
        mark = pyarrow.scalar(RECORD_END, binary)
        for batch in self._records.batches():
            if not len(batch):
                continue
            whole = pyarrow.LargeListArray.from_arrays([0, len(batch)], batch.cast(binary))
            yield memoryview(compute.binary_join(whole, mark)[0].as_buffer()).cast("B")
            yield RECORD_END
