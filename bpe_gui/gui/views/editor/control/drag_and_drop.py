"""Drag selected text away, and take text and files that are dropped."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.look.updating import Updating
from bpe_gui.gui.system.exact_text import mime_of
from bpe_gui.gui.views.editor.edited_text import EditedText
from bpe_gui.gui.views.editor.visible_rows import VisibleRows

from .clipboard import ClipboardAccess

_COPY: Final = Qt.DropAction.CopyAction
_MOVE: Final = Qt.DropAction.MoveAction
_SCROLL_EDGE: Final = 16  # pixels at the upper and lower edge of the viewport where dragging scrolls


class DragAndDrop(QObject):
    """The editor as a source and a target of drag and drop."""

    _viewport = Borrowed[QWidget]()

    target_changed = Signal(int)
    """The offset at which text would be dropped now."""

    def __init__(self, text: EditedText, rows: VisibleRows, clipboard: ClipboardAccess, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._text = text
        self._rows = rows
        self._clipboard = clipboard
        self._viewport = viewport
        self._dragging = Updating()  # while the text selected here is being dragged

    def start(self) -> None:
        """Drag the selected text until it is dropped; if it is moved to another widget, remove it here."""
        drag = QDrag(self._viewport)
        drag.setMimeData(mime_of(self._text.selected_utf8()))
        read_only = self._text.read_only
        with self._dragging:
            action = drag.exec(_COPY if read_only else _COPY | _MOVE, _COPY if read_only else _MOVE)
        if action == _MOVE and drag.target() is not self._viewport and not read_only:
            self._text.insert(b"")

    def enter(self, event: QDragEnterEvent) -> None:
        """Accept text and files, unless the text is read-only."""
        if self._clipboard.accepts(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def move(self, event: QDragMoveEvent) -> None:
        """Report where the text would be dropped; scroll at the edges."""
        y = event.position().y()
        if y < _SCROLL_EDGE:
            self._rows.scroll_rows(-1)
        elif y > self._rows.size.height() - _SCROLL_EDGE:
            self._rows.scroll_rows(1)
        self.target_changed.emit(self._rows.offset_at(event.position()))
        event.acceptProposedAction()

    def drop(self, event: QDropEvent) -> None:
        """Insert text, move the selected text, or offer files."""
        offset = self._rows.offset_at(event.position())
        if self._dragging and event.dropAction() == _MOVE:
            self._text.move_selection(offset)
        else:
            self._text.set_caret(offset)
            self._clipboard.insert(event.mimeData())
            self._viewport.setFocus(Qt.FocusReason.MouseFocusReason)
            event.setDropAction(_COPY)  # on a move the source would delete what we only read
        event.accept()
