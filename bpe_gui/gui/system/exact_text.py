"""Exchange text via the clipboard and drag and drop as exact UTF-8, where Qt or PySide would change it."""

from typing import Final

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QClipboard, QGuiApplication

_EXACT: Final = "text/plain;charset=utf-8"
_PLAIN: Final = "text/plain"
_CLIPBOARD: Final = QClipboard.Mode.Clipboard


def utf8_of(text: str) -> bytes:
    """Return text as UTF-8. A surrogate pair becomes its character, a lone surrogate becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def utf16_size(text: str) -> int:
    """Return the number of UTF-16 code units, which is how Qt counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_continuation(byte: int) -> bool:
    """Return whether a byte of UTF-8 continues a character."""
    return byte & 0xC0 == 0x80


def mime_of(utf8: bytes) -> QMimeData:
    """Return clipboard data with this text; `setText` would drop a leading byte order mark."""
    data = QMimeData()
    data.setData(_EXACT, utf8)
    data.setData(_PLAIN, utf8)
    return data


def on_clipboard(mode: QClipboard.Mode = _CLIPBOARD) -> QMimeData:
    """Return the data on the clipboard or, by `mode`, in the X11 selection; empty where the platform returns None."""
    return QGuiApplication.clipboard().mimeData(mode) or QMimeData()


def text_in(data: QMimeData) -> bytes:
    """Return the text in clipboard or drag data as UTF-8; empty if there is none."""
    for mime_type in (_EXACT, _PLAIN):
        if data.hasFormat(mime_type):
            return bytes(data.data(mime_type).data()).decode(errors="replace").encode()
    return utf8_of(data.text())
