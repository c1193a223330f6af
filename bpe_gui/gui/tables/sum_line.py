"""The line below a table of tokens with the sum of the selected rows, or of those that match its filter."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QTimer

from bpe_gui.engine import Int64Array
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.session.encoded_text import EncodedText
from bpe_gui.gui.wording.phrases import counted, number, share

from .table import Table

_FEW: Final = 1_000  # rows, which are summed at once
_PAUSE: Final = 30  # milliseconds before others are, so that this does not slow down steps

IdsAndSizes = Callable[[Sequence[int]], tuple[Int64Array, Int64Array]]
"""Returns the ids of the tokens in some rows, negative for those without one, and their sizes in bytes."""


class SumLine(SentenceLabel):
    """Says how many tokens these are, how many bytes they have, and which share of the text to encode they cover."""

    def __init__(self, name: str, table: Table, ids_and_sizes: IdsAndSizes, text: EncodedText) -> None:
        super().__init__(name=name, role="quiet")
        self.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        self._table = table
        self._ids_and_sizes = ids_and_sizes
        self._text = text
        self._total = self._matching = ""
        self._soon = QTimer(self, singleShot=True)
        self._soon.setInterval(_PAUSE)
        self._soon.timeout.connect(self._show)
        table.selectionModel().selectionChanged.connect(self._soon.start)
        text.tokens_changed.connect(self._soon.start)

    def show_total(self, total: str, matching: str = "") -> None:
        """Show `total` unless several rows are selected; with a filter, `matching` says how many rows it shows."""
        self._total, self._matching = total, matching
        if len(self._summed()) > _FEW:
            self._soon.start()
        else:
            self._show()

    def _summed(self) -> Sequence[int]:
        """Return the rows to sum up."""
        if len(chosen := self._table.chosen_rows) > 1:
            return chosen
        return range(self._table.table_model.rowCount()) if self._matching else ()

    def _show(self) -> None:
        rows, text, live = self._summed(), self._matching or self._total, self._text.live
        if isinstance(rows, list):
            template, all_rows = self.tr("{count} of {total} selected"), self._table.table_model.rowCount()
            text = template.format(count=number(len(rows)), total=number(all_rows))
        if rows and not self._table.table_model.is_held:
            ids, sizes = self._ids_and_sizes(rows)
            parts = [text, counted(int(sizes.sum()), self.tr("1 byte"), self.tr("{count} bytes"))]
            if live.is_encoded and len(live):
                covered = share(live.bytes_of(ids[ids >= 0]) / len(live))
                parts.append(self.tr("{share} of your text").format(share=covered))
            text = " · ".join(parts)
        self.setText(text)
        self.setVisible(bool(text))
