"""The context menus of tables and tokens: select a token, go to its step, find it, copy it or its row."""

from functools import partial
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.engine import token_in_sentence
from bpe_gui.gui.look.widgets import add_action
from bpe_gui.gui.session.selection import Selected, find_token
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.exact_text import mime_of
from bpe_gui.gui.tables.table import MAX_COPIED, RowStyle, Table
from bpe_gui.gui.wording.phrases import number

_MAX_SHOWN: Final = 24
"""The most characters of a token that a menu shows."""


class TokenMenus(QObject):
    """Fills the context menus of the tables in a widget, and those of token views."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session

    def add_to_tables(self, widget: QWidget) -> None:
        """Give every table in a widget a context menu."""
        for table in widget.findChildren(Table):
            table.menu_requested.connect(self._show)

    def _show(self, index: QModelIndex, point: QPointF, position: QPoint) -> None:
        table = self.sender()
        if isinstance(table, Table) and not (menu := self.table_menu(table, index, point)).isEmpty():
            menu.popup(position)

    def table_menu(self, table: Table, index: QModelIndex, point: QPointF) -> QMenu:
        """Return a new menu for a table cell, at a point of the viewport."""
        menu = QMenu(table)
        menu.setObjectName("tableMenu")
        menu.aboutToHide.connect(menu.deleteLater)
        table.menu_opened.emit(menu, index)
        if not menu.isEmpty():
            menu.addSeparator()
        selected = _token_at(table, index, point)
        if selected is not None:
            self.add_token(menu, selected)
            menu.addSeparator()
        self._add_rows(menu, table, index)
        return menu

    def add_token(self, menu: QMenu, selected: Selected) -> None:
        session, selection = self._session, self._session.selection
        shown = token_in_sentence(selected.token, _MAX_SHOWN)
        follow = self.tr("&Follow “{token}” in all panels").format(token=shown.replace("&", "&&"))
        add_action(menu, "followToken", follow, lambda: selection.select(selected))
        steps = session.cursor.steps
        entry = find_token(steps.tokenizer(steps.run_length), selected) if steps else None
        if entry is not None and entry.step:
            go = self.tr("&Go to step {step}, which makes it").format(step=number(entry.step))
            add_action(menu, "goToToken", go, lambda: self._session.cursor.go_to(entry.step))
        if entry is not None:
            add_action(menu, "showLineage", self.tr("Show &lineage"), lambda: selection.show_lineage(selected))
            add_action(menu, "findToken", self.tr("Find &next in text"), lambda: selection.find(selected))
        text = _text_of(selected.token)
        if text is not None and (entry is None or entry.step > session.cursor.position):
            ask = partial(selection.ask_why_not, text.decode())
            add_action(menu, "whyNotToken", self.tr("&Why is this not one token?"), ask)
        menu.addSeparator()
        copy_text = add_action(menu, "copyToken", self.tr("&Copy token"), lambda: _copy(text or b""))
        copy_text.setEnabled(text is not None)
        python = repr(selected.token).encode()
        add_action(menu, "copyPython", self.tr("Copy as &Python bytes"), lambda: _copy(python))

    def _add_rows(self, menu: QMenu, table: Table, index: QModelIndex) -> None:
        if index.isValid():
            add_action(menu, "copyRow", self.tr("Copy &row"), lambda: table.copy_row(index.row()))
        count = min(table.model().rowCount(), MAX_COPIED)
        if count < table.model().rowCount():
            tsv = self.tr("Copy the first {count} rows as &TSV").format(count=number(count))
            markdown = self.tr("Copy the first {count} rows as &Markdown").format(count=number(count))
        else:
            tsv, markdown = self.tr("Copy all rows as &TSV"), self.tr("Copy all rows as &Markdown")
        if count:
            for name, text, style in (("copyTsv", tsv, RowStyle.TSV), ("copyMarkdown", markdown, RowStyle.MARKDOWN)):
                add_action(menu, name, text, partial(_copy_rows, table, count, style))


def _copy(utf8: bytes) -> None:
    QGuiApplication.clipboard().setMimeData(mime_of(utf8))


def _copy_rows(table: Table, count: int, style: RowStyle) -> None:
    _copy(table.rows_as_text(range(count), style, titles=True).encode(errors="replace"))


def _text_of(token: bytes) -> bytes | None:
    """Return the token's text in UTF-8; None if it is not made of whole characters."""
    try:
        token.decode()
    except UnicodeDecodeError:
        return None
    return token


def _token_at(table: Table, index: QModelIndex, point: QPointF) -> Selected | None:
    """Return the token of a cell, or of the symbol at a point in it; None if there is none."""
    if index.isValid() and table.table_model.columns[index.column()].symbols is not None:
        symbol = table.symbol_at(index, point)
        return Selected(symbol) if symbol else None
    return table.table_model.selected_at(index)
