"""Text on its way in and out, exactly: as UTF-8, past the places where Qt or PySide would change it."""

from typing import Final

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QClipboard, QGuiApplication

_EXACT: Final = "text/plain;charset=utf-8"
_PLAIN: Final = "text/plain"
_CLIPBOARD: Final = QClipboard.Mode.Clipboard


def utf8_of(text: str) -> bytes:
    """The text as UTF-8; a lone half of a surrogate pair, of which there is none in UTF-8, becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def mime_of(utf8: bytes) -> QMimeData:
    """The text for the clipboard. (`setText` would drop a byte order mark at the start.)"""
    data = QMimeData()
    data.setData(_EXACT, utf8)
    data.setData(_PLAIN, utf8)
    return data


def on_clipboard(mode: QClipboard.Mode = _CLIPBOARD) -> QMimeData:
    """What was copied last, or selected last. (For nothing, some platforms have no object at all.)"""
    return QGuiApplication.clipboard().mimeData(mode) or QMimeData()


def text_in(data: QMimeData) -> bytes:
    """The text on the clipboard, or what is dragged, as UTF-8; empty if there is none."""
    for form in (_EXACT, _PLAIN):
        if data.hasFormat(form):
            return bytes(data.data(form).data()).decode(errors="replace").encode()
    return utf8_of(data.text())
