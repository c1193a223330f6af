"""Carry the state of widgets over to their replacements when the language changes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QLayout,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QTabWidget,
    QWidget,
)

from bpe_gui.gui.panels.document_list import DocumentList
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.find_bar import FindBar
from bpe_gui.gui.views.plain_text_edit import SpecialTokensEdit

Restore = Callable[[QWidget], object]
"""Restores a state in the widget of the same name below the given one."""

_KEEP_ANCHOR: Final = QTextCursor.MoveMode.KeepAnchor


@contextmanager
def size_kept(window: QMainWindow) -> Iterator[None]:
    """Keep the window's size while it is filled: labels ask for huge heights until they know their width."""
    layout = cast(QLayout, window.layout())  # every main window has one
    layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    try:
        yield
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # now they know it
    finally:
        layout.setSizeConstraint(QLayout.SizeConstraint.SetDefaultConstraint)


def _cursor(edit: QPlainTextEdit) -> tuple[int, int]:
    return edit.textCursor().anchor(), edit.textCursor().position()


def _set_cursor(edit: QPlainTextEdit, ends: tuple[int, int]) -> None:
    anchor, position = (min(end, edit.document().characterCount() - 1) for end in ends)
    cursor = edit.textCursor()
    cursor.setPosition(anchor)
    cursor.setPosition(position, _KEEP_ANCHOR)
    edit.setTextCursor(cursor)


def _order(table: QTableView) -> tuple[int, Qt.SortOrder]:
    header = table.horizontalHeader()
    return header.sortIndicatorSection(), header.sortIndicatorOrder()


def _sort(table: QTableView, order: tuple[int, Qt.SortOrder]) -> None:
    if table.isSortingEnabled():
        table.sortByColumn(*order)


_Kept = tuple[type[QWidget], Callable[[Any], Any], Callable[[Any, Any], object]]
"""A kind of widgets, what returns the state of one, and what gives another one this state."""

_PAGE: Final[_Kept] = (QTabWidget, QTabWidget.currentIndex, QTabWidget.setCurrentIndex)
_STATE: Final[tuple[_Kept, ...]] = (
    _PAGE,  # before the sizes, which depend on it
    (QSplitter, QSplitter.saveState, QSplitter.restoreState),
    (DocumentList, lambda documents: documents.row, DocumentList.choose),
    (SpecialTokensEdit, SpecialTokensEdit.text, SpecialTokensEdit.setPlainText),  # the session has only valid ones
    (QPlainTextEdit, _cursor, _set_cursor),
    (
        TokenEdit,
        lambda edit: edit.selection,
        lambda edit, selected: edit.set_selection(selected.anchor, selected.caret),
    ),
    # Find bars are restored as a whole.
    (QLineEdit, lambda edit: "" if isinstance(edit.parent(), FindBar) else edit.text(), QLineEdit.setText),
    (FindBar, lambda bar: (bar.text, bar.mode, not bar.isHidden()), lambda bar, state: bar.restore(*state)),
    (QTableView, _order, _sort),
)
_VIEW: Final[tuple[_Kept, ...]] = (
    _PAGE,
    (
        QTableView,
        lambda table: table.verticalScrollBar().value(),
        lambda table, row: table.verticalScrollBar().setValue(row),
    ),
)


def save_widget_state(root: QWidget) -> Restore:
    """Return a function that restores the current state of all named widgets below `root`.

    Restores sizes, selections, carets, filters, find bars, pages and sort orders, and special tokens as they were
    typed. Widgets that share a name are matched by their order.
    """
    return _save(root, _STATE)


def save_view(root: QWidget) -> Restore:
    """Return a function that shows the current pages below `root`, and scrolls all tables to their current rows."""
    return _save(root, _VIEW)


def _save(root: QWidget, kinds: tuple[_Kept, ...]) -> Restore:
    saved = [
        (kind, name, [read(widget) for widget in root.findChildren(kind, name)], write)
        for kind, read, write in kinds
        for name in dict.fromkeys(widget.objectName() for widget in root.findChildren(kind))
        if name and not name.startswith("qt_")
    ]

    def restore(new_root: QWidget) -> None:
        for kind, name, states, write in saved:
            for widget, state in zip(new_root.findChildren(kind, name), states, strict=False):
                write(widget, state)

    return restore
