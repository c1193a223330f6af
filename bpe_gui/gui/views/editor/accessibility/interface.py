"""Answer Qt's questions about the editor on behalf of assistive technology."""

from __future__ import annotations

import weakref
from functools import cache
from typing import Any, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleEditableTextInterface, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import Shiboken

from .accessible_text import AccessibleText

_EDITABLE_TEXT: Final = QAccessible.Role.EditableText
_DESCRIPTION: Final = QAccessible.Text.Description
_TEXT_INTERFACE: Final = QAccessible.InterfaceType.TextInterface
_EDITABLE_TEXT_INTERFACE: Final = QAccessible.InterfaceType.EditableTextInterface


@cache
def install_accessibility() -> None:
    """Have Qt make a `TextEditInterface` for every widget with an `AccessibleText`; Qt asks only when it needs one."""
    QAccessible.installFactory(_interface_of)


def _interface_of(class_name: str, widget: QObject | None) -> QAccessibleInterface | None:
    if class_name == "TokenEdit" and isinstance(widget, QWidget):
        text = widget.findChild(AccessibleText, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return TextEditInterface(widget, text) if text else None
    return None


class TextEditInterface(QAccessibleWidget):
    """A widget that is a text to edit; its description is the token at the caret.

    Qt owns it and deletes it with the widget, but PySide keeps the Python object for ever. So that holds nothing.
    """

    def __init__(self, widget: QWidget, text: AccessibleText) -> None:
        super().__init__(widget, _EDITABLE_TEXT)
        self._text = weakref.ref(text)
        self._edits = _Edits(self._text)

    def state(self) -> QAccessible.State:
        """Return the state of the widget and of a text."""
        state, text = super().state(), self._text()
        state.multiLine = state.selectableText = 1
        state.editable = int(text is not None and text.is_editable)
        state.readOnly = 1 - state.editable
        return state

    def text(self, kind: QAccessible.Text, /) -> str:
        """Return the widget's name, or the token at the caret as its description."""
        text = self._text()
        return text.token_at_caret() if text and kind is _DESCRIPTION else super().text(kind)

    def childCount(self) -> int:  # noqa: N802 (Qt's name)
        """Return 0: neither the viewport nor the standard editor is a part of the window of its own."""
        return 0

    def child(self, _index: int, /) -> QAccessibleInterface:
        """Return None, which PySide's annotations do not provide for."""
        none: Any = None
        return none  # type: ignore[no-any-return]

    def interface_cast(self, kind: QAccessible.InterfaceType, /) -> int:
        """Return the interface of this kind as PySide takes a pointer: as its object, or as a `VoidPtr`."""
        text, pointer = self._text(), super().interface_cast(kind)
        answer: Any = Shiboken.VoidPtr(0) if pointer is None else pointer
        if text and kind is _TEXT_INTERFACE:
            answer = text.text_interface()
        elif text and kind is _EDITABLE_TEXT_INTERFACE and text.is_editable:
            answer = self._edits
        return answer  # type: ignore[no-any-return]


class _Edits(QAccessibleEditableTextInterface):
    """Edits by assistive technology, such as dictation; positions are UTF-16 code units in the excerpt."""

    def __init__(self, text: weakref.ref[AccessibleText]) -> None:
        super().__init__()
        self._text = text

    def insertText(self, position: int, text: str, /) -> None:  # noqa: N802 (Qt's name)
        """Insert text at a position."""
        self.replaceText(position, position, text)

    def deleteText(self, start: int, stop: int, /) -> None:  # noqa: N802 (Qt's name)
        """Remove the text between two positions."""
        self.replaceText(start, stop, "")

    def replaceText(self, start: int, stop: int, text: str, /) -> None:  # noqa: N802 (Qt's name)
        """Replace the text between two positions."""
        if accessible := self._text():
            accessible.replace(start, stop, text)
