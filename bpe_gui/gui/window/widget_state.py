"""Carry the state of widgets over to their replacements when the language changes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, cast

from PySide6.QtCore import QEvent
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

W = TypeVar("W", bound=QWidget)
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


def save_widget_state(root: QWidget) -> Restore:
    """Return a function that restores the current state of all named widgets below `root`.

    Restores sizes, selections, carets, filters, find bars, pages and sort orders, and special tokens as they were
    typed. Widgets that share a name are matched by their order.
    """
    states = [
        *_save_all(root, QTabWidget, _save_page),  # before the sizes, which depend on it
        *_save_all(root, QSplitter, _save_sizes),
        *_save_all(root, DocumentList, _save_row),
        *_save_all(root, SpecialTokensEdit, _save_typed),
        *_save_all(root, QPlainTextEdit, _save_cursor),
        *_save_all(root, TokenEdit, _save_selection),
        *_save_all(root, QLineEdit, _save_line),
        *_save_all(root, FindBar, _save_find),
        *_save_all(root, QTableView, _save_order),
    ]
    return _one_by_one(states)


def save_view(root: QWidget) -> Restore:
    """Return a function that shows the current pages below `root`, and scrolls all tables to their current rows."""
    return _one_by_one([*_save_all(root, QTabWidget, _save_page), *_save_all(root, QTableView, _save_scrolling)])


def _one_by_one(states: list[Restore]) -> Restore:
    def restore(new_root: QWidget) -> None:
        for restore_one in states:
            restore_one(new_root)

    return restore


def _save_all(root: QWidget, kind: type[W], save: Callable[[W], Callable[[W], object]]) -> list[Restore]:
    def by_name(name: str, index: int, restore: Callable[[W], object]) -> Restore:
        def restore_below(new_root: QWidget) -> None:
            for widget in new_root.findChildren(kind, name)[index : index + 1]:
                restore(widget)

        return restore_below

    names = dict.fromkeys(name for widget in root.findChildren(kind) if (name := widget.objectName()))
    return [
        by_name(name, index, save(widget))
        for name in names
        if not name.startswith("qt_")
        for index, widget in enumerate(root.findChildren(kind, name))
    ]


def _save_sizes(splitter: QSplitter) -> Callable[[QSplitter], object]:
    state = splitter.saveState()
    return lambda other: other.restoreState(state)


def _save_row(documents: DocumentList) -> Callable[[DocumentList], object]:
    row = documents.row
    return lambda other: other.choose(row)


def _save_typed(edit: SpecialTokensEdit) -> Callable[[SpecialTokensEdit], object]:
    """Save special tokens as they were typed: the session has only valid ones."""
    text = edit.text()
    return lambda other: other.setPlainText(text)


def _save_cursor(edit: QPlainTextEdit) -> Callable[[QPlainTextEdit], object]:
    anchor, position = edit.textCursor().anchor(), edit.textCursor().position()

    def restore(other: QPlainTextEdit) -> None:
        last = other.document().characterCount() - 1
        cursor = other.textCursor()
        cursor.setPosition(min(anchor, last))
        cursor.setPosition(min(position, last), _KEEP_ANCHOR)
        other.setTextCursor(cursor)

    return restore


def _save_selection(edit: TokenEdit) -> Callable[[TokenEdit], object]:
    selection = edit.selection
    return lambda other: other.set_selection(selection.anchor, selection.caret)


def _save_page(tabs: QTabWidget) -> Callable[[QTabWidget], object]:
    index = tabs.currentIndex()
    return lambda other: other.setCurrentIndex(index)


def _save_line(edit: QLineEdit) -> Callable[[QLineEdit], object]:
    text = "" if isinstance(edit.parent(), FindBar) else edit.text()  # find bars are restored as a whole
    return lambda other: other.setText(text)


def _save_find(bar: FindBar) -> Callable[[FindBar], object]:
    text, mode, is_open = bar.text, bar.mode, not bar.isHidden()
    return lambda other: other.restore(text, mode, is_open=is_open)


def _save_scrolling(table: QTableView) -> Callable[[QTableView], object]:
    row = table.verticalScrollBar().value()
    return lambda other: other.verticalScrollBar().setValue(row)


def _save_order(table: QTableView) -> Callable[[QTableView], object]:
    header, is_sortable = table.horizontalHeader(), table.isSortingEnabled()
    column, order = header.sortIndicatorSection(), header.sortIndicatorOrder()
    return lambda other: other.sortByColumn(column, order) if is_sortable else None
