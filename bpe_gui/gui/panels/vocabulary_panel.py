"""The vocabulary as of the cursor: every token with its id, bytes, length and the step that made it."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QHeaderView, QLabel, QLineEdit, QTableView, QVBoxLayout, QWidget

from bpe_gui.gui.models.vocabulary_model import ID, LENGTH, STEP, VocabularyModel
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.look.theme import Theme, prepare_table, set_role

_SPACE: Final = 8  # the grid of the window
_ROW_SPACE: Final = 6  # above and below the tokens together
_KEY_PRESS: Final = QEvent.Type.KeyPress
_ESCAPE: Final = Qt.Key.Key_Escape
_MOVES: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_SORT_MARK: Final = 10  # pixels, beside a column's name
_HORIZONTAL: Final = Qt.Orientation.Horizontal


class VocabularyPanel(QWidget):
    """A table that can be searched and sorted. While nobody sees it, it costs nothing."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("vocabularyPanel")
        self._session = session
        self._theme = theme
        self._outdated = True
        self._model = VocabularyModel(self)
        self._filter = QLineEdit(placeholderText=self.tr("Token, id or hex"), clearButtonEnabled=True)
        self._filter.setObjectName("vocabularyFilter")
        self._filter.setAccessibleName(self.tr("Find in the vocabulary"))
        self._filter.installEventFilter(self)
        self._table = QTableView()
        self._table.setObjectName("vocabularyTable")
        self._table.setAccessibleName(self.tr("Vocabulary"))
        self._table.setModel(self._model)
        self._footer = QLabel()
        self._footer.setObjectName("vocabularySummary")
        self._footer.setFont(theme.number_font())
        set_role(self._footer, "quiet")
        self._lay_out()
        self._show_theme()
        self._table.sortByColumn(ID, Qt.SortOrder.AscendingOrder)
        self._table.setSortingEnabled(True)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.begin_search)
        self._filter.textChanged.connect(self._apply_filter)
        theme.changed.connect(self._show_theme)
        for changed in (session.cursor_moved, session.run_changed):
            changed.connect(self._take_note)

    def begin_search(self) -> None:
        """Let the user type what to look for."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def _lay_out(self) -> None:
        header = QFrame()
        set_role(header, "panelHeader")
        title = QLabel(self.tr("Vocabulary"))
        set_role(title, "title")
        row = QHBoxLayout(header)
        row.setContentsMargins(_SPACE, 2, _SPACE, 2)
        row.setSpacing(_SPACE * 2)
        row.addWidget(title)
        row.addWidget(self._filter, 1)
        self._footer.setContentsMargins(_SPACE, _SPACE // 2, _SPACE, _SPACE // 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self._table, 1)
        column.addWidget(self._footer)

    def _show_theme(self) -> None:
        font = self._theme.token_font()
        self._model.set_token_font(font)
        prepare_table(self._table, self._theme.number_font())
        rows = self._table.verticalHeader()
        rows.setDefaultSectionSize(max(rows.defaultSectionSize(), QFontMetrics(font).height() + _ROW_SPACE))
        metrics = self._table.fontMetrics()
        columns = self._table.horizontalHeader()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column in (ID, LENGTH, STEP):
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header = metrics.horizontalAdvance(str(self._model.headerData(column, _HORIZONTAL))) + _SORT_MARK
            widest = max(header, metrics.horizontalAdvance(self._model.widest_text(column)))
            columns.resizeSection(column, widest + 2 * _SPACE)

    # -- keeping up -------------------------------------------------------------------------------------------------

    def _take_note(self) -> None:
        self._outdated = True
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what happened while nobody looked."""
        super().showEvent(event)
        if self._outdated:
            self._refresh()

    def _refresh(self) -> None:
        self._outdated = False
        self._keep_selection(lambda: self._model.set_tokenizer(self._session.tokenizer))

    def _apply_filter(self, text: str) -> None:
        self._keep_selection(lambda: self._model.set_filter(text))

    def _keep_selection(self, change: Callable[[], None]) -> None:
        """Do what makes other rows; the entry that was selected still is, and nothing scrolls."""
        bar = self._table.verticalScrollBar()
        selected, place = self._model.token_id(self._table.currentIndex().row()), bar.value()
        change()
        row = None if selected is None else self._model.row_of(selected)
        if row is not None:
            self._table.setCurrentIndex(self._model.index(row, ID))
        bar.setValue(place)
        self._count()

    def _count(self) -> None:
        total, shown = self._model.size, self._model.rowCount()
        words = self.tr("1 entry") if total == 1 else self.tr("{count} entries").format(count=number(total))
        if self._filter.text():
            words += " · " + self.tr("{count} shown").format(count=number(shown))
        self._footer.setText(words)

    # -- the user ---------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """In the filter field, the keys that move up and down move in the table, and Escape empties the field."""
        if watched is self._filter and isinstance(event, QKeyEvent) and event.type() == _KEY_PRESS:
            if event.key() in _MOVES:
                QCoreApplication.sendEvent(self._table, event)
                return True
            if event.key() == _ESCAPE and self._filter.text():
                self._filter.clear()
                return True
        return super().eventFilter(watched, event)
