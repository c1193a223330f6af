"""A label for sentences that may hold anything: paths and tokens of any length never make its place wider."""

import html
import re
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

_MOST: Final = 600  # characters that are shown; of more, the middle is left out
_TIP_FROM: Final = 240  # characters that may not find room
_MOST_IN_TIP: Final = 4_000
_MOST_LINES: Final = 6  # that are given room whatever else must shrink
_LONG_WORD: Final = re.compile(r"\S{32,}")
_PIECE: Final = 8  # characters of a long word between which a line may end
_BREAK: Final = "\u200b"
_BY_MOUSE: Final = Qt.TextInteractionFlag.TextSelectableByMouse


class SentenceLabel(QLabel):
    """A sentence in plain text. Long words break where they must; a text that is much too long is cut in the middle;
    a long one is whole in the tooltip."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, name: str = "", selectable: bool = False
    ) -> None:
        super().__init__(parent)
        self._whole = ""
        self._kept_lines = 0
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        if selectable:
            self.setTextInteractionFlags(_BY_MOUSE)
        self.setText(text)

    def keep_room(self, lines: int) -> None:
        """Take the room of so many lines at least, also when hidden, so that what is said moves nothing else."""
        self._kept_lines = lines
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)

    def text(self) -> str:
        """The whole sentence as it was given."""
        return self._whole

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show another sentence."""
        self._whole = text
        shown = _cut_in_the_middle(text, _MOST)
        super().setText(_breakable(shown))
        self.setToolTip(_tip(text) if len(text) > _TIP_FROM else "")

    def selected(self) -> str:
        """What is selected, as it was given."""
        return self.selectedText().replace(_BREAK, "")

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """The lines in this width, or the room that is kept."""
        return max(super().heightForWidth(width), self._kept_lines * self.fontMetrics().lineSpacing())

    def sizeHint(self) -> QSize:
        """What is kept is wanted even of a label with nothing to say."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self._kept_lines * self.fontMetrics().lineSpacing()))

    def minimumSizeHint(self) -> QSize:
        """Any width will do; the height is that of the lines, which a splitter would not ask for."""
        most = _MOST_LINES * self.fontMetrics().lineSpacing()
        return QSize(0, min(self.heightForWidth(self.width()), most))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Has other lines in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies the text, not the places where it may break."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers to copy."""
        if not self.textInteractionFlags() & _BY_MOUSE:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(self.hasSelectedText())
        copy.triggered.connect(self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.selected())


def _cut_in_the_middle(text: str, most: int) -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


def _breakable(text: str) -> str:
    return _LONG_WORD.sub(lambda word: _in_pieces(word[0]), text)


def _in_pieces(word: str) -> str:
    return _BREAK.join(word[start : start + _PIECE] for start in range(0, len(word), _PIECE))


def _tip(text: str) -> str:
    words = html.escape(_breakable(_cut_in_the_middle(text, _MOST_IN_TIP)))
    return f"<p style='white-space: pre-wrap'>{words}</p>"
