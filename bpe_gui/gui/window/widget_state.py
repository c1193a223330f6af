"""What a person has arranged and half done in the window's widgets, kept while these are made anew."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

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

from bpe_gui.gui.panels.corpus.document_list import DocumentList
from bpe_gui.gui.views.special_tokens_edit import SpecialTokensEdit
from bpe_gui.gui.views.editor.token_edit import TokenEdit

W = TypeVar("W", bound=QWidget)
GiveBack = Callable[[QWidget], object]
"""Gives something back to the widgets below the given one."""

_KEEP_ANCHOR = QTextCursor.MoveMode.KeepAnchor


@contextmanager
def size_kept(window: QMainWindow) -> Iterator[None]:
    """Keeps a window from growing while it is filled anew: labels ask for great heights until they know their width."""
    layout = cast(QLayout, window.layout())  # every main window has one
    layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    yield
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # now they know
    layout.setSizeConstraint(QLayout.SizeConstraint.SetDefaultConstraint)


def carry_over(root: QWidget) -> GiveBack:
    """Remember what is in the widgets below `root`; call the answer with others, which go by the same names."""
    remembered = [
        *_each(root, QSplitter, _sizes),
        *_each(root, DocumentList, _row),
        *_each(root, SpecialTokensEdit, _typed),
        *_each(root, QPlainTextEdit, _caret),
        *_each(root, TokenEdit, _place),
        *_each(root, QTabWidget, _page),
        *_each(root, QLineEdit, _line),
        *_each(root, QTableView, _order),
    ]

    def give_back(new_root: QWidget) -> None:
        for give in remembered:
            give(new_root)

    return give_back


def _each(root: QWidget, kind: type[W], remember: Callable[[W], Callable[[W], object]]) -> list[GiveBack]:
    def to_its_name(name: str, give: Callable[[W], object]) -> GiveBack:
        def give_back(new_root: QWidget) -> None:
            widget = new_root.findChild(kind, name)
            if widget is not None:
                give(widget)

        return give_back

    widgets = [widget for widget in root.findChildren(kind) if not widget.objectName().startswith("qt_")]
    return [to_its_name(widget.objectName(), remember(widget)) for widget in widgets if widget.objectName()]


def _sizes(splitter: QSplitter) -> Callable[[QSplitter], object]:
    state = splitter.saveState()
    return lambda other: other.restoreState(state)


def _row(documents: DocumentList) -> Callable[[DocumentList], object]:
    row = documents.row
    return lambda other: other.choose(row)


def _typed(edit: SpecialTokensEdit) -> Callable[[SpecialTokensEdit], object]:
    """Special tokens as they are typed, valid or not: the session knows them only when they are."""
    text = edit.text()
    return lambda other: other.setPlainText(text)


def _caret(edit: QPlainTextEdit) -> Callable[[QPlainTextEdit], object]:
    anchor, position = edit.textCursor().anchor(), edit.textCursor().position()

    def place(other: QPlainTextEdit) -> None:
        last = other.document().characterCount() - 1
        cursor = other.textCursor()
        cursor.setPosition(min(anchor, last))
        cursor.setPosition(min(position, last), _KEEP_ANCHOR)
        other.setTextCursor(cursor)

    return place


def _place(edit: TokenEdit) -> Callable[[TokenEdit], object]:
    start, stop = (edit.anchor, edit.place) if edit.has_selection else (edit.place, edit.place)
    return lambda other: other.set_selection(start, stop)


def _page(tabs: QTabWidget) -> Callable[[QTabWidget], object]:
    index = tabs.currentIndex()
    return lambda other: other.setCurrentIndex(index)


def _line(edit: QLineEdit) -> Callable[[QLineEdit], object]:
    text = edit.text()
    return lambda other: other.setText(text)


def _order(table: QTableView) -> Callable[[QTableView], object]:
    header, sorted_by_user = table.horizontalHeader(), table.isSortingEnabled()
    column, order = header.sortIndicatorSection(), header.sortIndicatorOrder()
    return lambda other: other.sortByColumn(column, order) if sorted_by_user else None
