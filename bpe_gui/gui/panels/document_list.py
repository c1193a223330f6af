"""The list of the corpus's documents, whose sizes are read when they come into view, and the dialog for weights."""

from collections.abc import Sequence, Set
from fractions import Fraction
from functools import cached_property
from typing import Final

from PySide6.QtCore import QCoreApplication, QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QDialog, QWidget

from bpe_gui.engine import EngineError, weight_of, weight_text
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT, ELIDE_MIDDLE, TOP_LEFT
from bpe_gui.gui.look.theme import Theme, text_width
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, name_widget, push_button
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import Column, TableModel, quiet
from bpe_gui.gui.wording.phrases import size_text, weight_sign
from bpe_gui.gui.wording.sentences import error_message

translate = QCoreApplication.translate  # lupdate knows the function by this name

_TITLE: Final = 0
_SIZE: Final = 1
_WEIGHT: Final = 2
_WIDEST_WEIGHT: Final = "×0.001"
_WIDEST_SIZE: Final = 999_900_000  # bytes
_ONLY: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_CELL_PADDING: Final = 12  # pixels, left and right of a size in total
_MAX_ROWS: Final = 6  # the list grows up to this, then scrolls
_MIN_ROWS: Final = 3  # in a short window


class _Row:
    """A document whose size is read when its row comes into view."""

    def __init__(self, document: CorpusDocument) -> None:
        self.document: Final = document

    @cached_property
    def size(self) -> str:
        state = self.document.state
        try:
            return size_text(state[0] if state else self.document.content.size())
        except EngineError:
            return "–"  # the file is gone; the statistics say so


class DocumentList(Table):
    """A list of documents, one of them current; several may be selected."""

    row_chosen = Signal(int)
    """The row that became the current one."""

    def __init__(self, theme: Theme) -> None:
        self._documents: TableModel[_Row] = TableModel(theme, _columns(), tool_tip=_tool_tip)
        super().__init__(self._documents, "documentList", "", QAbstractItemView.SelectionMode.ExtendedSelection)
        self._documents.setParent(self)
        self._rows: list[_Row] = []
        self.horizontalHeader().hide()
        # A width that followed the contents would change with every scroll.
        for column, widest in ((_SIZE, size_text(_WIDEST_SIZE)), (_WEIGHT, _WIDEST_WEIGHT)):
            width = text_width(self.fontMetrics(), widest) + _CELL_PADDING
            self.horizontalHeader().resizeSection(column, width)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentRowChanged.connect(self._choose_row)

    def _choose_row(self, current: QModelIndex) -> None:
        self.row_chosen.emit(current.row())

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def row(self) -> int:
        """The current row, or -1."""
        return self.currentIndex().row()

    @property
    def selected_rows(self) -> list[int]:
        """The selected rows, in order."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def choose(self, row: int) -> None:
        """Make a row current and select only that; -1 for none."""
        self.selectionModel().setCurrentIndex(self._documents.index(row, _TITLE), _ONLY)

    def show_documents(self, documents: Sequence[CorpusDocument]) -> None:
        """Show `documents` instead of the current ones, and adjust the height of the list to their number."""
        self._rows = list(map(_Row, documents))
        self._documents.show(self._rows)
        self.set_absent(_WEIGHT, all(document.weight == 1 for document in documents))
        self.setMaximumHeight(self._height_of(_MAX_ROWS))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return a height for all documents, or for the most that are visible at once."""
        return QSize(super().sizeHint().width(), self._height_of(_MAX_ROWS))

    def minimumSizeHint(self) -> QSize:
        """Return a height for a few documents; in a short window, the others are scrolled to."""
        return QSize(super().minimumSizeHint().width(), self._height_of(_MIN_ROWS))

    def _height_of(self, rows: int) -> int:
        return min(self.count, rows) * self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth()

    def replace(self, row: int, document: CorpusDocument) -> None:
        """Show `document` in a row."""
        self._rows[row] = _Row(document)
        self._documents.rows_changed(row, row)


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
        self._error = SentenceLabel(name="weightError", role="warning", lines=1)
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
