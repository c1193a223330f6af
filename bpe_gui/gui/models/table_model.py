"""The base class of the table models: rows change in place, and can be frozen while a thread trains the run."""

from collections.abc import Mapping, Sequence, Sized
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from bpe_gui.gui.look.qt_constants import DISPLAY_ROLE, HORIZONTAL, TEXT_ALIGNMENT_ROLE, TOOL_TIP_ROLE

from .roles import Answers

Index = QModelIndex | QPersistentModelIndex

ROOT: Final = QModelIndex()
TIE_MARK: Final = "="

_ENABLED: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_HELD: Final = Qt.ItemFlag.ItemNeverHasChildren
_NO_FLAGS: Final = Qt.ItemFlag.NoItemFlags


class TableModel(QAbstractTableModel):
    """A table whose rows are only positions: a step changes their contents without resetting the model.

    So a view keeps its scroll position and selection. A subclass has its own `answers`, and sets the `titles` and
    `alignments` of the columns, and tips about the titles in `title_tool_tips` if it has any.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sized = ()
        self._length = 0
        self.titles: Sequence[str] = ()
        self.title_tool_tips: Sequence[str] = ()
        self.alignments: Mapping[int, int] = {}
        self._flags = _ENABLED
        self.marked: bytes | None = None
        """The selected token, whose cells are marked; None for none."""

    @property
    def answers(self) -> Answers:
        """By role, the function that returns the data for a row and a column.

        It is made when it is asked for: a model that kept functions of its own would never be freed.
        """
        return {}

    def mark(self, token: bytes | None) -> None:
        """Mark the cells with this token; None for none."""
        if token != self.marked:
            self.marked = token
            self._emit_changed(0, self._length - 1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._length

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return self._flags if index.isValid() else _NO_FLAGS

    def data(self, index: Index, role: int = DISPLAY_ROLE) -> Any:
        answer = self.answers.get(role)
        return answer(index.row(), index.column()) if answer is not None and index.isValid() else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY_ROLE) -> Any:
        if orientation != HORIZONTAL:
            return None
        if role == DISPLAY_ROLE:
            return self.titles[section]
        if role == TOOL_TIP_ROLE and self.title_tool_tips:
            return self.title_tool_tips[section]
        return self.alignments.get(section) if role == TEXT_ALIGNMENT_ROLE else None

    def hold(self) -> None:
        """Grey the rows and keep them as they are: a thread trains the run, and nothing else may read it."""
        self._set_flags(_HELD)

    def _release(self) -> None:
        self._set_flags(_ENABLED)

    def _set_flags(self, flags: Qt.ItemFlag) -> None:
        if flags != self._flags:
            self._flags = flags
            self._emit_changed(0, self._length - 1)

    def _replace_rows(self, rows: Sized) -> None:
        """Show `rows` instead of the present ones; rows are inserted or removed at the end only."""
        kept = min(self._length, len(rows))
        self._set_length(kept)
        self.rows = rows
        self._emit_changed(0, kept - 1)
        self._set_length(len(rows))

    def _set_length(self, length: int) -> None:
        """Show the first `length` of `rows`."""
        before = self._length
        if length < before:
            self.beginRemoveRows(ROOT, length, before - 1)
            self._length = length
            self.endRemoveRows()
        elif length > before:
            self.beginInsertRows(ROOT, before, length - 1)
            self._length = length
            self.endInsertRows()

    def _emit_changed(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.titles) - 1))
