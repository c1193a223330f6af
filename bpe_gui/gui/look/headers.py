"""A title in one line that never makes its place wider."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from bpe_gui.gui.look.theme import set_role

_FLAGS: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ELIDE: Final = Qt.TextElideMode.ElideRight


class SectionTitle(QLabel):
    """What a section is called; shortened where there is no room, and then whole in its tooltip."""

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self, "title")
        self.say(text)

    def say(self, text: str) -> None:
        """Show another title."""
        self.setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        text = self.fontMetrics().elidedText(self.text(), _ELIDE, self.width())
        QPainter(self).drawText(self.rect(), _FLAGS, text)
