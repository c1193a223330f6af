"""A label for sentences that may contain paths and tokens of any length, which never make it wider."""

import html
import re
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from bpe_gui.engine.runtime import without_isolates

from .line_height import line_height
from .qt_constants import COPY, PLAIN_TEXT, SELECTABLE_BY_MOUSE

_MAX_CHARACTERS: Final = 600  # that are shown; the middle of a longer sentence is left out
_TOOL_TIP_FROM: Final = 240  # characters, from which a sentence may not fit
_MAX_TOOL_TIP_CHARACTERS: Final = 4_000
_MAX_MINIMUM_LINES: Final = 6
_LONG_WORD: Final = re.compile(r"[^\s\u2010-\u2027\u3000-\u9fff\uff00-\uffef]{32,}")
"""A path, say. Between Chinese characters and punctuation, lines break anyway."""
_BREAK_INTERVAL: Final = 8  # characters of a long word after which a line may break
_ZERO_WIDTH_SPACE: Final = "\u200b"


class SentenceLabel(QLabel):
    """A sentence in plain text.

    Long words break if they do not fit. A long sentence has its full text in the tooltip, and a very long one is
    shortened in the middle.
    """

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, name: str = "", selectable: bool = False
    ) -> None:
        super().__init__(parent)
        self._full_text = ""
        self._reserved_lines = 1
        self.setObjectName(name)
        self.setTextFormat(PLAIN_TEXT)
        self.setWordWrap(True)
        if selectable:
            self.setTextInteractionFlags(SELECTABLE_BY_MOUSE)
        self.setText(text)

    def reserve_lines(self, lines: int) -> None:
        """Take the height of at least `lines` lines, even when hidden, so that a new sentence moves nothing."""
        self._reserved_lines = lines
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.updateGeometry()

    def text(self) -> str:
        """Return the full sentence."""
        return self._full_text

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show another sentence."""
        self._full_text = text
        super().setText(_breakable(_shortened(text, _MAX_CHARACTERS)))
        self.setToolTip(_tool_tip(text) if len(text) > _TOOL_TIP_FROM else "")

    def selected(self) -> str:
        """Return the selected text, without the characters at which it may break and those that keep tokens apart."""
        return without_isolates(self.selectedText().replace(_ZERO_WIDTH_SPACE, ""))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of the sentence at `width`, or of the reserved lines."""
        return max(super().heightForWidth(width), self._reserved_height())

    def sizeHint(self) -> QSize:
        """Return a size with at least the height of the reserved lines."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self._reserved_height()))

    def minimumSizeHint(self) -> QSize:
        """Return the height at the present width, for splitters, which ignore `heightForWidth`; any width will do."""
        most = _MAX_MINIMUM_LINES * line_height(self.font())
        return QSize(0, min(self.heightForWidth(self.width()), most))

    def _reserved_height(self) -> int:
        return self._reserved_lines * line_height(self.font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for a new height at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the text without the characters at which it may break."""
        if event.matches(COPY):
            self._copy()
        else:
            super().keyPressEvent(event)

    @property
    def is_copyable(self) -> bool:
        """Whether its menu offers to copy what is selected."""
        return bool(self.textInteractionFlags() & SELECTABLE_BY_MOUSE)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy the selection."""
        if not self.is_copyable:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(bool(self.selected()))
        copy.triggered.connect(self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.selected())


def _shortened(text: str, most: int) -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


def _breakable(text: str) -> str:
    """Return `text` with zero-width spaces in its long words."""
    return _LONG_WORD.sub(lambda word: _ZERO_WIDTH_SPACE.join(_pieces(word[0])), text)


def _pieces(word: str) -> Iterator[str]:
    return (word[start : start + _BREAK_INTERVAL] for start in range(0, len(word), _BREAK_INTERVAL))


def _tool_tip(text: str) -> str:
    shown = html.escape(_breakable(_shortened(text, _MAX_TOOL_TIP_CHARACTERS)))
    return f"<p style='white-space: pre-wrap'>{shown}</p>"
