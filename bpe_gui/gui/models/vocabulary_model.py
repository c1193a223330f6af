"""The vocabulary as a table: sorted and filtered here, spelled only where it is seen."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from bpe_gui.engine import Tokenizer, visible
from bpe_gui.gui.numbers import number

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
_SPECIAL: Final = -2  # in the order by step: special tokens, then the alphabet, then the merges
_ALPHABET: Final = -1

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT: Final = QModelIndex()


class VocabularyModel(QAbstractTableModel):
    """The entries of a tokenizer's vocabulary, one a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tokenizer: Tokenizer | None = None
        self._vocab: dict[int, bytes] = {}
        self._special: frozenset[int] = frozenset()
        self._rows: list[int] = []  # the ids that are shown
        self._filter = ""
        self._column = ID
        self._order = _ASCENDING
        self._font = QFont()

    def set_token_font(self, font: QFont) -> None:
        """Write tokens and bytes in this font."""
        self._font = font

    def set_tokenizer(self, tokenizer: Tokenizer | None) -> None:
        """Show the vocabulary of another tokenizer, in the same order and through the same filter."""
        self.beginResetModel()
        self._tokenizer = tokenizer
        self._vocab = {} if tokenizer is None else tokenizer.vocab
        self._special = frozenset() if tokenizer is None else frozenset(tokenizer.special_tokens.values())
        self._fill()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show only entries that hold `text` in their spelling, or have it as their id or among their bytes in hex.

        Upper case in `text` is honoured; all lower case finds either.
        """
        self.beginResetModel()
        self._filter = text
        self._fill()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = _ASCENDING) -> None:
        """Order the rows by a column; rows that are equal in it stay in the order of their ids."""
        self.layoutAboutToBeChanged.emit()
        self._column, self._order = column, order
        self._fill()
        self.layoutChanged.emit()

    @property
    def size(self) -> int:
        """How many entries there are, shown or not."""
        return len(self._vocab)

    def token_id(self, row: int) -> int | None:
        """The id in a row, or None where there is no such row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, token_id: int) -> int | None:
        """The row in which an id is shown, or None."""
        try:
            return self._rows.index(token_id)
        except ValueError:
            return None

    def _fill(self) -> None:
        rows = sorted(self._vocab)
        if self._filter:
            rows = list(filter(_matcher(self._filter, self._vocab), rows))
        key = self._sort_key()
        descending = self._order != _ASCENDING
        self._rows = rows if key is None and not descending else sorted(rows, key=key, reverse=descending)

    def _sort_key(self) -> Callable[[int], int | bytes] | None:
        match self._column:
            case 1 | 2:
                return self._vocab.__getitem__
            case 3:
                return lambda token_id: len(self._vocab[token_id])
            case 4:
                return self._step
        return None

    def _step(self, token_id: int) -> int:
        """The step that made a token, or what stands for none in the order of steps."""
        if token_id in self._special or self._tokenizer is None:
            return _SPECIAL
        rank = self._tokenizer.rank(token_id)
        return _ALPHABET if rank is None else rank + 1

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
            return self._text(self._rows[index.row()], column)
        if role == _ALIGNMENT:
            return _RIGHT if column in _NUMBERS else _LEFT
        if role == _FONT and column in _SPELLED:
            return self._font
        if role == _TOOL_TIP and column in _SPELLED:
            return self._text(self._rows[index.row()], column)
        return None

    def _text(self, token_id: int, column: int) -> str:
        token = self._vocab[token_id]
        match column:
            case 0:
                return str(token_id)
            case 1:
                return _spelling(token)
            case 2:
                return token.hex(" ")
            case 3:
                return number(len(token))
        step = self._step(token_id)
        if step == _SPECIAL:
            return self.tr("special")
        return self.tr("alphabet") if step == _ALPHABET else number(step)

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


def _matcher(text: str, vocab: dict[int, bytes]) -> Callable[[int], bool]:
    wanted = visible(text.encode(errors="replace"))
    octets = _from_hex(text)
    token_id = int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1
    sensitive = wanted != wanted.lower()

    def matches(entry: int) -> bool:
        token = vocab[entry]
        spelling = _spelling(token)
        return (
            wanted in (spelling if sensitive else spelling.lower())
            or entry == token_id
            or (octets is not None and octets in token)
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
