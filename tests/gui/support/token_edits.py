"""Open an editor on the screen, and press keys in it."""

from dataclasses import dataclass

from PySide6.QtCore import QAbstractAnimation, QEvent, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QFontDatabase, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.gui.views.editor.token_edit import TokenEdit

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def open_edit(qtbot: QtBot, text: str = "") -> TokenEdit:
    """Return a visible, focused editor in a monospace font."""
    edit = TokenEdit()
    qtbot.addWidget(edit)
    edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    edit.resize(400, 200)
    edit.setPlainText(text)
    with qtbot.waitActive(edit):
        edit.show()
    edit.setFocus()
    return edit


def with_text(edit: TokenEdit, text: str, *, caret: int = 0) -> TokenEdit:
    """Replace an editor's text, move its caret, and return the editor."""
    edit.setPlainText(text)
    edit.set_caret(caret)
    return edit


def press_key(edit: TokenEdit, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, times: int = 1) -> None:
    """Press and release a key."""
    for _ in range(times):
        QTest.keyClick(edit, key, modifiers)


def type_text(edit: TokenEdit, text: str) -> None:
    """Type any characters, including those QTest cannot type."""
    for character in text:
        QApplication.sendEvent(edit, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_unknown, NONE, character))


def selected_text(edit: TokenEdit) -> str:
    """Return the selected text."""
    return edit.document.selected_utf8().decode()


def shows_caret(edit: TokenEdit, offset: int) -> bool:
    """Return whether the caret is painted at an offset: a dark line that starts above the letters."""
    rect = edit.rows.caret_rect(offset)
    image = edit.viewport().grab().toImage()
    x, y = round(rect.x()), round(rect.top()) + 3
    return any(image.pixelColor(column, y).lightness() < 128 for column in (x - 1, x))


@dataclass(frozen=True)
class TokenCells:
    """The rectangles of a visible token in viewport coordinates; `index` is the token's index in the text."""

    index: int
    rects: list[QRectF]


def cells_of(edit: TokenEdit) -> list[TokenCells]:
    """Return the cells of every visible token, in token order."""
    page, margin = edit.tokens.page(), edit.rows.margin
    rects: dict[int, list[QRectF]] = {}
    for index, rect in page.cells():
        rects.setdefault((page.tokens.first or 0) + index, []).append(rect.translated(margin, margin))
    return [TokenCells(index, rects[index]) for index in sorted(rects)]


def is_flashing(edit: TokenEdit) -> bool:
    """Return whether new tokens are flashing."""
    flash = edit.findChild(QVariantAnimation)
    return flash is not None and flash.state() == QAbstractAnimation.State.Running
