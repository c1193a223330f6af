"""Copy and paste, without changing a byte."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QClipboard, QGuiApplication

from bpe_gui.gui.look.qt_constants import CLIPBOARD, PRIMARY_SELECTION
from bpe_gui.gui.system.exact_text import mime_of, on_clipboard, text_in
from bpe_gui.gui.views.editor.edited_text import EditedText
from bpe_gui.gui.views.plain_text_edit import local_files


class ClipboardAccess(QObject):
    """The editor's access to the clipboard, and to the primary selection where the system has one (X11)."""

    files_offered = Signal(list)
    """Paths of local files that were pasted or dropped; their names are not inserted."""

    def __init__(self, text: EditedText, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text

    def copy(self) -> None:
        """Put the selected text, if there is any, on the clipboard."""
        self._put(CLIPBOARD)

    def cut(self) -> None:
        """Move the selected text, if there is any, to the clipboard."""
        self.copy()
        self._text.insert(b"")

    def paste(self) -> None:
        """Insert the text on the clipboard, or offer its files."""
        self.insert(on_clipboard())

    def offer_selection(self) -> None:
        """Make the selected text the primary selection, for the middle mouse button of any program."""
        if QGuiApplication.clipboard().supportsSelection():
            self._put(PRIMARY_SELECTION)

    def paste_primary(self, offset: int) -> None:
        """Insert the primary selection at `offset`, where the system has one."""
        if QGuiApplication.clipboard().supportsSelection():
            data = on_clipboard(PRIMARY_SELECTION)
            self._text.set_caret(offset)
            self.insert(data)

    def insert(self, data: QMimeData) -> None:
        """Insert the text of something pasted or dropped, or offer its files."""
        if files := local_files(data):
            self.files_offered.emit(files)
        elif utf8 := text_in(data):
            self._text.insert(utf8)

    def accepts(self, data: QMimeData) -> bool:
        """Return whether `data` can be pasted or dropped here."""
        return not self._text.read_only and (data.hasText() or data.hasUrls())

    def _put(self, mode: QClipboard.Mode) -> None:
        if not self._text.selection.is_empty:
            QGuiApplication.clipboard().setMimeData(mime_of(self._text.selected_utf8()), mode)
