"""The editor of a text with its tokens. Knows tokens as data, no tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QMimeData, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QInputMethodEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.gui.views.editor.control.input_method import REACH, Surroundings, cursor_in, selection_in
from bpe_gui.gui.views.editor.edited_text import EditableText
from bpe_gui.gui.system.exact_text import mime_of, on_clipboard, utf8_of
from bpe_gui.gui.views.editor.control.mouse_selection import STEP_DOWN, STEP_UP
from bpe_gui.gui.views.editor.undo import Run

_Key = QKeySequence.StandardKey
_NATIVE: Final = QKeySequence.SequenceFormat.NativeText
_COPY: Final = Qt.DropAction.CopyAction
_MOVE: Final = Qt.DropAction.MoveAction
_EDGE: Final = 16  # pixels at the upper and lower edge where dragging scrolls
_BY_KEY: Final = QContextMenuEvent.Reason.Keyboard


class TokenEdit(EditableText):
    """A plain-text editor that paints the tokens of its text, for texts of any size and any characters.

    Files that are dropped or pasted are offered, and nothing on the way in or out is changed.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._composed = ""
        self._dragged = False  # whether what is dragged comes from here
        super().__init__(parent, object_name="encodeInput")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setInputMethodHints(Qt.InputMethodHint.ImhMultiLine)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.viewport().setAcceptDrops(True)

    def setReadOnly(self, read_only: bool) -> None:  # noqa: N802 (Qt's name)
        """Let the text be changed, or not."""
        super().setReadOnly(read_only)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, not read_only)

    # -- input methods ----------------------------------------------------------------------------------------------

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Shows what is being composed, and inserts what was."""
        if self.isReadOnly():
            event.ignore()
            return
        changes = event.commitString() or event.replacementLength() or event.preeditString() != self._composed
        self._show_composed("", 0)
        if changes and self.has_selection:
            self.delete_selection()
        if event.commitString() or event.replacementLength():
            self._commit(event)
        if selection := selection_in(event):
            self.set_selection(*map(self._around().place_of, selection))
        self._show_composed(event.preeditString(), cursor_in(event))
        event.accept()

    def _show_composed(self, text: str, cursor: int | None) -> None:
        if text or self._composed:
            self._composed = text
            self.set_preedit(text, cursor or 0, self.place)
            self.updateMicroFocus()
        if cursor is None:
            self._hide_caret()
        else:
            self._start_blinking()

    def _commit(self, event: QInputMethodEvent) -> None:
        around = self._around()
        first = around.caret + event.replacementStart()
        start, stop = map(around.place_of, (first, first + event.replacementLength()))
        text = event.commitString()
        self._replace(start, stop, utf8_of(text), Run.TYPING if len(text) == 1 else None)

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:  # noqa: N802 (Qt's name)
        """What input methods want to know, to be of help and to put their window beside the caret."""
        answer = _ANSWERS.get(query)
        return super().inputMethodQuery(query) if answer is None else answer(self)

    def _around(self) -> Surroundings:
        return Surroundings.of(self.live_text, self.place)

    def _beginning_of_selection(self) -> str:
        """What is selected, as far as an input method can use it: a whole book may be."""
        start, stop = self.selection
        return self.live_text.read(start, min(stop, start + REACH)).decode(errors="ignore")

    def _caret_area(self, place: int) -> QRectF:
        """Where the caret is at a place, in coordinates of this widget."""
        return self.caret_rect(place).translated(self.viewport().pos())

    # -- dragging ---------------------------------------------------------------------------------------------------

    def _drag_away(self) -> None:
        """Let the selection be dropped somewhere; if it was moved to another widget, it goes from here."""
        drag = QDrag(self)
        drag.setMimeData(mime_of(self.live_text.read(*self.selection)))
        self._dragged = True
        done = drag.exec(_COPY if self.isReadOnly() else _COPY | _MOVE, _COPY if self.isReadOnly() else _MOVE)
        self._dragged = False
        if done == _MOVE and drag.target() is not self.viewport() and not self.isReadOnly():
            self.delete_selection()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes text and files."""
        if self._takes(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Shows where the text would go; at the edges it scrolls on."""
        y, bar = event.position().y(), self.verticalScrollBar()
        if y < _EDGE:
            bar.triggerAction(STEP_UP)
        elif y > self.viewport().height() - _EDGE:
            bar.triggerAction(STEP_DOWN)
        self._show_caret(self.place_at(event.position()))
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Shows the caret where it is."""
        self._put(self.anchor, self.place)

    def dropEvent(self, event: QDropEvent) -> None:
        """Inserts text, or moves it; offers files."""
        place = self.place_at(event.position())
        if self._dragged and event.dropAction() == _MOVE:
            self._move_selection(place)
        else:
            self.set_caret(place)
            self._insert_from(event.mimeData())
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            event.setDropAction(_COPY)  # to move would be to delete, where it comes from, what we only read
        event.accept()

    def _takes(self, data: QMimeData) -> bool:
        return not self.isReadOnly() and (data.hasText() or data.hasUrls())

    def _show_caret(self, place: int) -> None:
        self.caret = place
        self.caret_visible = True
        self.viewport().update()

    def _move_selection(self, place: int) -> None:
        """Move what is selected to a place outside of it, in one step, and have it selected there."""
        start, stop = self.selection
        if start <= place <= stop:
            self.set_caret(place)
            return
        low, high = min(start, place), max(stop, place)
        moved = self.live_text.read(start, stop)
        rest = self.live_text.read(low, start) + self.live_text.read(stop, high)
        self._replace(low, high, moved + rest if place < start else rest + moved)
        begin = low if place < start else high - len(moved)
        self.set_selection(begin, begin + len(moved))

    # -- the menu ---------------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the text."""
        by_key = event.reason() == _BY_KEY
        beside_caret = self.viewport().mapToGlobal(self.caret_rect(self.place).bottomLeft().toPoint())
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(beside_caret if by_key else event.globalPos())

    def context_menu(self) -> QMenu:
        """The menu of the text as it is now."""
        menu = QMenu(self)
        changes, selected = not self.isReadOnly(), self.has_selection

        def add(text: str, key: QKeySequence.StandardKey, do: Callable[[], object], enabled: bool) -> None:
            # As part of the text the keys are shown, but do not compete with those of the editor.
            action = menu.addAction(f"{text}\t{QKeySequence(key).toString(_NATIVE)}")
            action.triggered.connect(do)
            action.setEnabled(enabled)

        add(self.tr("&Undo"), _Key.Undo, self.undo, changes and self.can_undo)
        add(self.tr("&Redo"), _Key.Redo, self.redo, changes and self.can_redo)
        menu.addSeparator()
        add(self.tr("Cu&t"), _Key.Cut, self.cut, changes and selected)
        add(self.tr("&Copy"), _Key.Copy, self.copy, selected)
        add(self.tr("&Paste"), _Key.Paste, self.paste, changes and self._takes(on_clipboard()))
        add(self.tr("&Delete"), _Key.Delete, self.delete_selection, changes and selected)
        menu.addSeparator()
        add(self.tr("Select &all"), _Key.SelectAll, self.selectAll, len(self.live_text) > 0)
        return menu


_Query = Qt.InputMethodQuery
_ANSWERS: Final[dict[Qt.InputMethodQuery, Callable[[TokenEdit], object]]] = {
    _Query.ImCursorRectangle: lambda edit: edit._caret_area(edit.place),
    _Query.ImAnchorRectangle: lambda edit: edit._caret_area(edit.anchor),
    _Query.ImCursorPosition: lambda edit: edit._around().caret,
    _Query.ImAnchorPosition: lambda edit: edit._around().unit_of(edit.anchor),
    _Query.ImSurroundingText: lambda edit: edit._around().text,
    _Query.ImTextBeforeCursor: lambda edit: edit._around().before,
    _Query.ImTextAfterCursor: lambda edit: edit._around().after,
    _Query.ImCurrentSelection: lambda edit: edit._beginning_of_selection(),
    _Query.ImReadOnly: lambda edit: edit.isReadOnly(),
}
