"""The documents of the corpus as a list, which does not mind thousands of them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.models.table_model import ALIGNMENT, DISPLAY, FOREGROUND, RIGHT, TOOL_TIP, TableModel
from bpe_gui.gui.wording.numbers import size_text
from bpe_gui.gui.look.theme import Theme, prepare_table

_TITLE: Final = 0
_SIZE: Final = 1
_WIDEST: Final = 999_900_000
_CELL_MARGIN: Final = 12
_MOST_ROWS: Final = 6  # without scrolling


class DocumentModel(TableModel):
    """Titles and sizes. A file is asked for its size only when it comes into view."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[CorpusDocument] = ()
        self._sizes: dict[int, str] = {}
        self._quiet = QColor()
        self.titles = (self.tr("Document"), self.tr("Size"))
        self.alignments = {_SIZE: RIGHT}
        self.answers = {
            DISPLAY: lambda row, column: self._size(row) if column == _SIZE else self.rows[row].title,
            TOOL_TIP: lambda row, column: str(self.rows[row].path or self.rows[row].title),
            ALIGNMENT: lambda row, column: self.alignments.get(column),
            FOREGROUND: lambda row, column: self._quiet if column == _SIZE else None,
        }
        theme.changed.connect(self._take_looks)
        self._take_looks()

    def show_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Show these in place of those there are."""
        self._sizes.clear()
        self._show(list(documents))

    def replace(self, row: int, document: CorpusDocument) -> None:
        """A document has changed."""
        self._sizes.pop(row, None)
        self.rows = [*self.rows[:row], document, *self.rows[row + 1 :]]
        self._say_changed(row, row)

    def _take_looks(self) -> None:
        self._quiet = self._theme.color("quiet")
        self._say_changed(0, len(self.rows) - 1)

    def _size(self, row: int) -> str:
        if row not in self._sizes:
            self._sizes[row] = _size_of(self.rows[row])
        return self._sizes[row]


class DocumentList(QTableView):
    """Shows documents, one of them chosen."""

    row_chosen = Signal(int)
    """Another row is the current one."""

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
        # Not as wide as its contents: that would change while one scrolls.
        columns.setSectionResizeMode(_SIZE, QHeaderView.ResizeMode.Fixed)
        columns.resizeSection(_SIZE, self.fontMetrics().horizontalAdvance(size_text(_WIDEST)) + _CELL_MARGIN)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # the end of a name often tells most
        self.selectionModel().currentRowChanged.connect(lambda current, _before: self.row_chosen.emit(current.row()))

    @property
    def count(self) -> int:
        """How many are shown."""
        return self._documents.rowCount()

    @property
    def row(self) -> int:
        """The current row, or -1."""
        return self.currentIndex().row()

    def choose(self, row: int) -> None:
        """Make a row the current one; -1: none."""
        self.setCurrentIndex(self._documents.index(row, _TITLE))

    def show_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Show these in place of those there are, with the list as high as they need within reason."""
        self._documents.show_documents(documents)
        self.setFixedHeight(min(len(documents), _MOST_ROWS) * self.verticalHeader().defaultSectionSize() + 2)

    def replace(self, row: int, document: CorpusDocument) -> None:
        """A document has changed."""
        self._documents.replace(row, document)


def _size_of(document: CorpusDocument) -> str:
    try:
        return size_text(document.state[0] if document.state else document.content.size())
    except EngineError:
        return "–"  # the file is gone; the counts say so
