"""The list of the corpus's documents; thousands of them cost nothing until they are scrolled to."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.corpora import ONCE, weight_text
from bpe_gui.gui.look.calm_widgets import Table
from bpe_gui.gui.look.qt_constants import (
    ALIGN_RIGHT,
    DISPLAY_ROLE,
    ELIDE_MIDDLE,
    FOREGROUND_ROLE,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme, prepare_table
from bpe_gui.gui.models.roles import Answers
from bpe_gui.gui.models.table_model import TableModel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.wording.numbers import size_text, weight_sign

_TITLE: Final = 0
_SIZE: Final = 1
_WEIGHT: Final = 2
_WIDEST_WEIGHT: Final = "×0.001"
_WIDEST_SIZE: Final = 999_900_000  # bytes
_ONLY: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_CELL_PADDING: Final = 12  # pixels, left and right of a size together
_MAX_ROWS: Final = 6  # up to which the list grows, before it scrolls
_MIN_ROWS: Final = 3  # in a low window


class DocumentModel(TableModel):
    """Titles, sizes and weights of documents. The size of a file is read when its row comes into view."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[CorpusDocument] = ()
        self._sizes: dict[int, str] = {}
        self._quiet = QColor()
        self.titles = (self.tr("Document"), self.tr("Size"), self.tr("Weight"))
        self.alignments = {_SIZE: ALIGN_RIGHT, _WEIGHT: ALIGN_RIGHT}
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            TOOL_TIP_ROLE: lambda row, column: self._tool_tip(row),
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            FOREGROUND_ROLE: lambda row, column: self._quiet if column == _SIZE else None,
        }

    def show_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Show `documents` instead of the present ones."""
        self._sizes.clear()
        self._replace_rows(list(documents))

    def replace(self, row: int, document: CorpusDocument) -> None:
        """Show `document` in a row."""
        self._sizes.pop(row, None)
        self.rows = [*self.rows[:row], document, *self.rows[row + 1 :]]
        self._emit_changed(row, row)

    def _apply_theme(self) -> None:
        self._quiet = self._theme.color("quiet")
        self._emit_changed(0, len(self.rows) - 1)

    def _text(self, row: int, column: int) -> str:
        if column == _TITLE:
            return self.rows[row].shown_title
        return self._size(row) if column == _SIZE else self._weight(row)

    def _weight(self, row: int) -> str:
        weight = self.rows[row].weight
        return "" if weight == ONCE else weight_sign(weight)

    def _tool_tip(self, row: int) -> str:
        document = self.rows[row]
        path = str(document.path or document.shown_title)
        if document.weight == ONCE:
            return path
        return path + "\n" + self.tr("Counts {weight} times").format(weight=weight_text(document.weight))

    def _size(self, row: int) -> str:
        if row not in self._sizes:
            self._sizes[row] = _size_of(self.rows[row])
        return self._sizes[row]


class DocumentList(Table):
    """A list of documents, one of which is the current one; several may be selected."""

    row_chosen = Signal(int)
    """The row that became the current one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("documentList")
        self._documents = DocumentModel(theme, self)
        self.setModel(self._documents)
        prepare_table(self)
        columns = self.horizontalHeader()
        columns.hide()
        columns.setMinimumSectionSize(0)
        columns.setSectionResizeMode(_TITLE, QHeaderView.ResizeMode.Stretch)
        # A width that followed the contents would change with every scroll.
        for column, widest in ((_SIZE, size_text(_WIDEST_SIZE)), (_WEIGHT, _WIDEST_WEIGHT)):
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            columns.resizeSection(column, self.fontMetrics().horizontalAdvance(widest) + _CELL_PADDING)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(ELIDE_MIDDLE)  # the end of a name often distinguishes it
        self.selectionModel().currentRowChanged.connect(self._choose_row)

    def _choose_row(self, current: QModelIndex) -> None:
        self.row_chosen.emit(current.row())

    @property
    def count(self) -> int:
        """The number of documents."""
        return self._documents.rowCount()

    @property
    def row(self) -> int:
        """The current row, or -1."""
        return self.currentIndex().row()

    @property
    def selected_rows(self) -> list[int]:
        """The rows that are selected, in their order."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def choose(self, row: int) -> None:
        """Make a row the current one and the only selected one, or none for -1."""
        self.selectionModel().setCurrentIndex(self._documents.index(row, _TITLE), _ONLY)

    def show_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Show `documents` instead of the present ones, and adapt the height of the list to their number."""
        self._documents.show_documents(documents)
        self.setColumnHidden(_WEIGHT, all(document.weight == ONCE for document in documents))
        self.setMaximumHeight(self._height_of(_MAX_ROWS))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return a height for as many documents as are ever in view."""
        return QSize(super().sizeHint().width(), self._height_of(_MAX_ROWS))

    def minimumSizeHint(self) -> QSize:
        """Return a height for a few documents: in a low window, the others are scrolled to."""
        return QSize(super().minimumSizeHint().width(), self._height_of(_MIN_ROWS))

    def _height_of(self, rows: int) -> int:
        return min(self.count, rows) * self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth()

    def replace(self, row: int, document: CorpusDocument) -> None:
        """Show `document` in a row."""
        self._documents.replace(row, document)


def _size_of(document: CorpusDocument) -> str:
    try:
        return size_text(document.state[0] if document.state else document.content.size())
    except EngineError:
        return "–"  # the file is gone; the statistics say so
