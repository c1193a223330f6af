"""What the tables of a run have in common: rows that are places, and a state in which they leave the run alone."""

from collections.abc import Callable, Mapping, Sequence, Sized
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
Pair = tuple[bytes, bytes]

# Qt's enums cost a lookup of many microseconds where a table is painted.
ACCESSIBLE: Final = int(Qt.ItemDataRole.AccessibleTextRole)
ALIGNMENT: Final = int(Qt.ItemDataRole.TextAlignmentRole)
BACKGROUND: Final = int(Qt.ItemDataRole.BackgroundRole)
DISPLAY: Final = int(Qt.ItemDataRole.DisplayRole)
FONT: Final = int(Qt.ItemDataRole.FontRole)
FOREGROUND: Final = int(Qt.ItemDataRole.ForegroundRole)
SORT_ORDER: Final = int(Qt.ItemDataRole.InitialSortOrderRole)
TOOL_TIP: Final = int(Qt.ItemDataRole.ToolTipRole)
RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
CENTER: Final = int(Qt.AlignmentFlag.AlignCenter)
ROOT: Final = QModelIndex()
TIE_MARK: Final = "="

_HORIZONTAL: Final = Qt.Orientation.Horizontal
_LIVE: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NONE: Final = Qt.ItemFlag.NoItemFlags
_HELD: Final = Qt.ItemFlag.ItemNeverHasChildren


class TableModel(QAbstractTableModel):
    """Rows of a run, each a place and not a thing.

    A step changes what stands in the rows and never resets the model, so a view stays where it is. A subclass says what
    to answer for a role (`answers`: of row and column) and for a column's title, in `titles` and `alignments`.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sized = ()
        self._length = 0
        self.answers: Mapping[int, Callable[[int, int], Any]] = {}
        self.titles: Sequence[str] = ()
        self.alignments: Mapping[int, int] = {}
        self._flags = _LIVE

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._length

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return self._flags if index.isValid() else _NONE

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        answer = self.answers.get(role)
        return answer(index.row(), index.column()) if answer is not None and index.isValid() else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        if orientation != _HORIZONTAL:
            return None
        if role == DISPLAY:
            return self.titles[section]
        return self.alignments.get(section) if role == ALIGNMENT else None

    def hold(self) -> None:
        """Keep what is shown, greyed: the run is being trained, and nothing may ask it anything."""
        self._set_flags(_HELD)

    def _release(self) -> None:
        self._set_flags(_LIVE)

    def _set_flags(self, flags: Qt.ItemFlag) -> None:
        if flags != self._flags:
            self._flags = flags
            self._say_changed(0, self._length - 1)

    def _show(self, rows: Sized) -> None:
        """Put `rows` in place of those there are."""
        kept = min(self._length, len(rows))
        self._set_length(kept)
        self.rows = rows
        self._say_changed(0, kept - 1)
        self._set_length(len(rows))

    def _set_length(self, length: int) -> None:
        """Have so many of `rows` be shown."""
        before = self._length
        if length < before:
            self.beginRemoveRows(ROOT, length, before - 1)
            self._length = length
            self.endRemoveRows()
        elif length > before:
            self.beginInsertRows(ROOT, before, length - 1)
            self._length = length
            self.endInsertRows()

    def _say_changed(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.titles) - 1))
