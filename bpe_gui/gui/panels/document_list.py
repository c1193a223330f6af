"""The list of the corpus's documents, whose sizes are read when they come into view, and the dialog for weights."""

from collections.abc import Callable, Sequence, Set
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QItemSelectionModel, QModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QDialog, QWidget

from bpe_gui.engine import EngineError, weight_of, weight_text
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT, ASCENDING, ELIDE_MIDDLE, TOP_LEFT
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, name_widget, push_button
from bpe_gui.gui.session.corpus import ONCE, CorpusDocument
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, TableModel, quiet
from bpe_gui.gui.wording.phrases import size_text, weight_sign
from bpe_gui.gui.wording.sentences import error_message

translate = QCoreApplication.translate  # lupdate knows the function by this name

_TITLE: Final = 0
_SIZE: Final = 1
_WEIGHT: Final = 2
_WIDEST_WEIGHT: Final = "×0.001"
_WIDEST_SIZES: Final = 999, 999_900, 999_900_000  # bytes: the widest with each unit
_ONLY: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_MAX_ROWS: Final = 6  # the list grows up to this, then scrolls
_MANY: Final = 30  # documents, of which twice as many rows show at once, below titles to sort by
_MIN_ROWS: Final = 3  # in a short window
_USUAL_ROWS: Final = 8  # of a long list, where the window has the space


class _Row:
    """A document whose size is read when its row comes into view."""

    def __init__(self, document: CorpusDocument) -> None:
        self.document: Final = document

    @cached_property
    def bytes(self) -> int | None:
        state = self.document.state
        try:
            return state[0] if state else self.document.content.size()
        except EngineError:
            return None  # the file is gone; the statistics say so

    @property
    def size(self) -> str:
        return "–" if self.bytes is None else size_text(self.bytes)


class DocumentList(Table):
    """A list of documents, one of them current; several may be selected."""

    row_chosen = Signal(int)
    """The row that became the current one."""

    def __init__(self, theme: Theme) -> None:
        self._documents: TableModel[_Row] = TableModel(theme, _columns(), tool_tip=_tool_tip)
        super().__init__(self._documents, "documentList", "", QAbstractItemView.SelectionMode.ExtendedSelection)
        self._documents.setParent(self)
        self._rows: list[_Row] = []
        self._order: list[int] = []  # the indices of the documents in the rows
        self._filter = ""
        header = self.horizontalHeader()
        header.hide()
        header.setSortIndicatorClearable(True)  # which brings back the order in the corpus
        header.setSortIndicator(-1, ASCENDING)
        self.setSortingEnabled(True)
        header.sortIndicatorChanged.connect(self._arrange)
        # A width that followed the contents would change with every scroll.
        self.widen(_SIZE, max(map(size_text, _WIDEST_SIZES), key=self.width_of))
        self.widen(_WEIGHT, _WIDEST_WEIGHT)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentRowChanged.connect(self._choose_row)

    def _choose_row(self, current: QModelIndex) -> None:
        self.row_chosen.emit(self.document_at(current))

    def document_at(self, index: QModelIndex) -> int:
        """Return the index of a row's document in the corpus, or -1."""
        return self._order[index.row()] if 0 <= index.row() < len(self._order) else -1

    def filter(self, text: str) -> None:
        """Show only documents with this text in their names, in any case."""
        self._filter = text.casefold()
        self._arrange()

    def _arrange(self) -> None:
        """Filter and sort the rows again; the current document stays."""
        current = self.row
        with QSignalBlocker(self):
            self._show_rows()
            self.choose(current)

    def _show_rows(self) -> None:
        """Show the rows that the filter leaves, sorted by the chosen column, where the others were."""
        header = self.horizontalHeader()
        order = list(range(self.count))
        if self._filter:
            order = [i for i in order if self._filter in self._rows[i].document.shown_title.casefold()]
        if self.is_long and (column := header.sortIndicatorSection()) >= 0:
            order.sort(
                key=lambda i: _SORT_KEYS[column](self._rows[i]), reverse=header.sortIndicatorOrder() != ASCENDING
            )
        self._order = order
        self._documents.show([self._rows[i] for i in order])

    @property
    def is_long(self) -> bool:
        """Whether the list is so long that one filters and sorts it."""
        return self.count >= _MANY

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def row(self) -> int:
        """The index of the current document, or -1."""
        return self.document_at(self.currentIndex())

    @property
    def selected_rows(self) -> list[int]:
        """The indices of the selected documents, in order."""
        return sorted(map(self.document_at, self.selectionModel().selectedRows()))

    def choose(self, row: int) -> None:
        """Make a document current and select only that; -1 for none."""
        place = self._order.index(row) if row in self._order else -1
        self.selectionModel().setCurrentIndex(self._documents.index(place, _TITLE), _ONLY)

    def show_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Show `documents` instead of the current ones, and adjust the height of the list to their number."""
        self._rows = list(map(_Row, documents))
        self.horizontalHeader().setVisible(self.is_long)
        self._show_rows()
        self.set_absent(_WEIGHT, [document.weight for document in documents].count(ONCE) == len(documents))
        self.setMaximumHeight(self.sizeHint().height())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return a height for all documents, or for the most that are visible at once."""
        return QSize(super().sizeHint().width(), self._height_of(2 * _MAX_ROWS if self.is_long else _MAX_ROWS))

    def minimumSizeHint(self) -> QSize:
        """Return a height for a few documents; in a short window, the others are scrolled to."""
        return QSize(super().minimumSizeHint().width(), self._height_of(_MIN_ROWS))

    @property
    def height_of_more(self) -> int:
        """The pixels that a long list wants beyond its least height."""
        return self._height_of(_USUAL_ROWS) - self._height_of(_MIN_ROWS)

    def _height_of(self, rows: int) -> int:
        titles = self.horizontalHeader().sizeHint().height() if self.is_long else 0
        return min(self.count, rows) * self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth() + titles

    def replace(self, row: int, document: CorpusDocument) -> None:
        """Show `document` in place of the one with the index `row`."""
        self._rows[row] = _Row(document)
        self._show_rows()


_SORT_KEYS: Final[Sequence[Callable[[_Row], Any]]] = (
    lambda row: row.document.shown_title.casefold(),
    lambda row: row.bytes or 0,
    lambda row: row.document.weight,
)


def _columns() -> list[Column[_Row]]:
    return [
        Column(
            title=translate("DocumentModel", "Document"),
            elide=ELIDE_MIDDLE,  # the end of a name often distinguishes it
            text=lambda row: row.document.shown_title,
        ),
        Column(
            title=translate("DocumentModel", "Size"),
            width=0,
            alignment=ALIGN_RIGHT,
            color=quiet,
            text=lambda row: row.size,
        ),
        Column(
            title=translate("DocumentModel", "Weight"),
            width=0,
            alignment=ALIGN_RIGHT,
            text=lambda row: "" if row.document.weight == 1 else weight_sign(row.document.weight),
        ),
    ]


def _tool_tip(row: _Row) -> str:
    document = row.document
    path = str(document.path or document.shown_title)
    if document.weight == 1:
        return path
    return path + "\n" + translate("DocumentModel", "Counts {weight} times").format(weight=weight_text(document.weight))


_WIDTH: Final = 420  # pixels
_USUAL: Final = ("0.1", "0.25", "0.5", "1", "2", "3", "5", "10")


class WeightDialog(QDialog):
    """Asks for the weight of one or more documents; when it is accepted, `weight` is what the user chose."""

    def __init__(self, documents: str, weights: Set[Fraction], parent: QWidget | None = None) -> None:
        """Ask about `documents`, the name of one or a phrase for several; `weights` are their current weights."""
        super().__init__(parent)
        self.setObjectName("weightDialog")
        self.setWindowTitle(self.tr("Weight"))
        self.weight = Fraction(1)
        self._box = name_widget(
            ComboBox(editable=True), "weightBox", self.tr("Weight of {documents}").format(documents=documents)
        )
        self._box.addItems(_USUAL)
        self._box.setEditText(weight_text(next(iter(weights))) if len(weights) == 1 else "")
        self._error = SentenceLabel(name="weightError", role="warning", lines=2)
        self._error.setAlignment(TOP_LEFT)
        self._apply = push_button("weightButton", self.tr("Set weight"), self.accept, default=True)
        self._lay_out(documents)
        self._box.editTextChanged.connect(self._check)
        self._check(self._box.currentText())
        self._box.setCompleter(QCompleter(self))  # an empty one: Qt's own would complete 0.2 to 0.25
        if (edit := self._box.lineEdit()) is not None:
            edit.selectAll()  # so that typing a number replaces it

    def _lay_out(self, documents: str) -> None:
        question = SentenceLabel(self.tr("How often to count {documents}:").format(documents=documents))
        explanation = SentenceLabel(
            self.tr(
                "3 counts the text three times, 0.1 counts a tenth of it. The count of each word is rounded to a whole "
                "number."
            ),
            role="quiet",
        )
        cancel = push_button("weightCancelButton", self.tr("Cancel"), self.reject)
        buttons = dialog_buttons(accept=self._apply, reject=cancel)
        dialog_column(self, question, self._box, explanation, self._error, None, buttons, width=_WIDTH)
        self._box.setFocus()

    def _check(self, text: str) -> None:
        """Take the weight, or say what is wrong with it."""
        message = ""
        try:
            self.weight = weight_of(text)
        except EngineError as error:
            message = error_message(error) if text.strip() else ""
        self._error.setText(message)
        self._apply.setEnabled(bool(text.strip()) and not message)
