"""The vocabulary as a table: sorted and filtered here, spelled only where it is seen."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from bpe_gui.engine import Tokenizer, visible
from bpe_gui.engine.tokenization.vocabulary import Entries
from bpe_gui.gui.wording.numbers import number

_DISPLAY: Final = Qt.ItemDataRole.DisplayRole
_TOOL_TIP: Final = Qt.ItemDataRole.ToolTipRole
_FONT: Final = Qt.ItemDataRole.FontRole
_ALIGNMENT: Final = Qt.ItemDataRole.TextAlignmentRole
_HORIZONTAL: Final = Qt.Orientation.Horizontal
_ASCENDING: Final = Qt.SortOrder.AscendingOrder
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

ID, TOKEN, BYTES, LENGTH, STEP = range(5)
_COLUMNS: Final = 5
_NUMBERS: Final = (ID, LENGTH, STEP)
_SPELLED: Final = (TOKEN, BYTES)

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT: Final = QModelIndex()


class VocabularyModel(QAbstractTableModel):
    """The entries of a tokenizer's vocabulary, one a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = Entries()
        self._stands_for: Callable[[bytes], bytes] = bytes
        self._position = 0
        self._order = np.empty(0, np.int64)  # places in the entries: all that the filter lets through, as sorted
        self._rows = np.empty(0, np.int64)  # those of them that are there at the step
        self._size = 0
        self._sorted = 0  # how many entries there were when they were put in order
        self._filter = ""
        self._column = ID
        self._sort_order = _ASCENDING
        self._font = QFont()

    def set_token_font(self, font: QFont) -> None:
        """Write tokens and bytes in this font."""
        self._font = font

    def set_tokenizer(self, tokenizer: Tokenizer | None) -> None:
        """Show the vocabulary of another tokenizer, in the same order and through the same filter."""
        self.beginResetModel()
        entries = Entries() if tokenizer is None else tokenizer.entries()
        changed = entries is not self._entries or len(entries.tokens) != self._sorted
        self._entries, self._position = entries, tokenizer.position if tokenizer else 0
        self._stands_for = tokenizer.stands_for if tokenizer else bytes
        if changed:
            self._sort()
        self._pick()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show only entries that hold `text` in their spelling, or have it as their id or among their bytes in hex.

        Upper case in `text` is honoured; all lower case finds either.
        """
        self.beginResetModel()
        self._filter = text
        self._sort()
        self._pick()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = _ASCENDING) -> None:
        """Order the rows by a column; rows that are equal in it stay in the order of their ids."""
        self.layoutAboutToBeChanged.emit()
        self._column, self._sort_order = column, order
        self._sort()
        self._pick()
        self.layoutChanged.emit()

    @property
    def size(self) -> int:
        """How many entries there are, shown or not."""
        return self._size

    def token_id(self, row: int) -> int | None:
        """The id in a row, or None where there is no such row."""
        return int(self._entries.ids[self._rows[row]]) if 0 <= row < len(self._rows) else None

    def row_of(self, token_id: int) -> int | None:
        """The row in which an id is shown, or None."""
        found = np.flatnonzero(self._entries.ids[self._rows] == token_id)
        return int(found[0]) if len(found) else None

    def _sort(self) -> None:
        """Put all entries of the run in order, so that a step has to pick only."""
        entries = self._entries
        places: Sequence[int] = range(len(entries.tokens))
        if self._filter:
            places = list(filter(_matcher(self._filter, entries, self._stands_for), places))
        key = self._sort_key()
        descending = self._sort_order != _ASCENDING
        if key is not None or descending:
            places = sorted(places, key=key, reverse=descending)
        self._order = np.fromiter(places, np.int64, len(places))
        self._sorted = len(entries.tokens)

    def _pick(self) -> None:
        steps = self._entries.steps
        self._rows = self._order[steps[self._order] <= self._position]
        self._size = int(np.count_nonzero(steps <= self._position))

    def _sort_key(self) -> Callable[[int], int | bytes] | None:
        entries, stands_for = self._entries, self._stands_for
        match self._column:
            case 1:
                return entries.tokens.__getitem__
            case 2:
                return lambda place: stands_for(entries.tokens[place])
            case 3:
                return lambda place: len(stands_for(entries.tokens[place]))
            case 4:
                steps: list[int] = entries.steps.tolist()
                return steps.__getitem__
        return None

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        """The entries that the filter lets through."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        """Id, token, bytes, length, step."""
        return 0 if parent.isValid() else _COLUMNS

    def data(self, index: _Index, role: int = _DISPLAY) -> object:
        """The texts of a row, made when it is seen."""
        column = index.column()
        if role == _DISPLAY:
            return self._text(index.row(), column)
        if role == _ALIGNMENT:
            return _RIGHT if column in _NUMBERS else _LEFT
        if role == _FONT and column in _SPELLED:
            return self._font
        if role == _TOOL_TIP and column in _SPELLED:
            return self._text(index.row(), column)
        return None

    def _text(self, row: int, column: int) -> str:
        place = int(self._rows[row])
        token = self._entries.tokens[place]
        match column:
            case 0:
                return str(int(self._entries.ids[place]))
            case 1:
                return _spelling(token)
            case 2:
                return self._stands_for(token).hex(" ")
            case 3:
                return number(len(self._stands_for(token)))
        step = int(self._entries.steps[place])
        if step == Entries.SPECIAL:
            return self.tr("special")
        return number(step) if step else self.tr("alphabet")

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        """The names of the columns, over their values."""
        if orientation != _HORIZONTAL:
            return None
        if role == _DISPLAY:
            return (self.tr("Id"), self.tr("Token"), self.tr("Bytes"), self.tr("Length"), self.tr("Step"))[section]
        if role == _ALIGNMENT:
            return _RIGHT if section in _NUMBERS else _LEFT
        if role == _TOOL_TIP:
            return self._explanations()[section]
        return None

    def widest_text(self, column: int) -> str:
        """About the widest text that the column of a number will have to show."""
        return {ID: "000000", LENGTH: "000", STEP: self.tr("alphabet")}[column]

    def _explanations(self) -> tuple[str, ...]:
        return (
            self.tr("The number that stands for the token"),
            self.tr("The token; a space is written ·"),
            self.tr("The bytes of the token, in hexadecimal"),
            self.tr("How many bytes the token has"),
            self.tr("The step of training that made the token"),
        )


def _matcher(text: str, entries: Entries, stands_for: Callable[[bytes], bytes]) -> Callable[[int], bool]:
    """Whether the entry at a place is one that `text` looks for."""
    wanted = visible(text.encode(errors="replace"))
    octets = _from_hex(text)
    token_id = int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1
    sensitive = wanted != wanted.lower()

    def matches(place: int) -> bool:
        token = entries.tokens[place]
        spelling = _spelling(token)
        return (
            wanted in (spelling if sensitive else spelling.lower())
            or entries.ids[place] == token_id
            or (octets is not None and octets in stands_for(token))
        )

    return matches


def _from_hex(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) or None
    except ValueError:
        return None


@lru_cache(maxsize=1 << 17)
def _spelling(token: bytes) -> str:
    return visible(token)
