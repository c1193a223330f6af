"""The layout of the panels in the window."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.widgets import splitter
from bpe_gui.gui.panels.notice_bar import NoticeBar, NoticeStack
from bpe_gui.gui.system.settings import Settings

_COLUMN_WIDTHS: Final = (332, 578, 370, 1280)
_COLUMN_STRETCH: Final = (2, 4, 3, 6)
_LEFT_HEIGHTS: Final = (340, 260)
_SHOWN_OR_HIDDEN: Final = QEvent.Type.ShowToParent, QEvent.Type.HideToParent


class PanelLayout(QWidget):
    """Bars at the top, resizable columns with two panels in the left one, and a panel at the bottom.

    The last column has the tools, in the workspace for them; it cannot be folded away.

    A panel dragged below its minimum size folds away. Notices lie over the lower right, so that they move nothing.
    """

    folded = Signal(QWidget)
    """The user has folded this panel away, by dragging its divider all the way across."""

    def __init__(
        self,
        above: Sequence[QWidget],
        left: Sequence[QWidget],
        columns: Sequence[QWidget],
        below: QWidget,
        notices: Sequence[NoticeBar],
    ) -> None:
        super().__init__()
        self.setObjectName("centre")
        self._left = splitter(Qt.Orientation.Vertical, "leftSplitter", *left)
        self._columns = splitter(Qt.Orientation.Horizontal, "columnSplitter", self._left, *columns)
        for index, stretch in enumerate(_COLUMN_STRETCH):
            self._columns.setStretchFactor(index, stretch)
        for parts in (self._columns, self._left):
            parts.setChildrenCollapsible(True)
            for number in range(1, parts.count()):
                parts.handle(number).installEventFilter(self)
        for part in left:
            part.installEventFilter(self)
        self._columns.setCollapsible(self._columns.count() - 1, False)
        self.reset()
        layout = gapless_column(self)
        for bar in above:
            layout.addWidget(bar)
        layout.addWidget(self._columns, 1)
        layout.addWidget(below)
        NoticeStack(self, *notices)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Fold away panels without width or height when the mouse releases a divider; hide a column without panels."""
        if event.type() == QEvent.Type.MouseButtonRelease:
            QTimer.singleShot(0, self, self._fold)  # after the divider has handled the event
        elif event.type() in _SHOWN_OR_HIDDEN:
            self._left.setHidden(all(panel.isHidden() for panel in _widgets(self._left)))
        return super().eventFilter(watched, event)

    def _fold(self) -> None:
        for parts, defaults in ((self._columns, _COLUMN_WIDTHS), (self._left, _LEFT_HEIGHTS)):
            sizes = parts.sizes()
            collapsed = [
                part for part, size in zip(_widgets(parts), sizes, strict=True) if not size and part.isVisible()
            ]
            for part in collapsed:
                for panel in _widgets(self._left) if part is self._left else [part]:
                    if not panel.isHidden():
                        self.folded.emit(panel)
            if collapsed:  # a panel that reappears gets its default size
                parts.setSizes([size or default for size, default in zip(sizes, defaults, strict=True)])

    def reset(self) -> None:
        """Give every panel its default size."""
        self._columns.setSizes(list(_COLUMN_WIDTHS))
        self._left.setSizes(list(_LEFT_HEIGHTS))

    def heighten_upper_left(self, height: int) -> None:
        """Make the upper panel of the left column this high, or as high as the lower one lets it; never lower."""
        upper, lower = self._left.sizes()
        if 0 < upper < height:
            self._left.setSizes([height, max(0, upper + lower - height)])

    def save_sizes(self, settings: Settings) -> None:
        settings.set_columns_state(settings.workspace, self._columns.saveState())
        settings.left_state = self._left.saveState()

    def restore_sizes(self, settings: Settings) -> None:
        self._columns.restoreState(settings.columns_state(settings.workspace))
        self._left.restoreState(settings.left_state)


def _widgets(parts: QSplitter) -> list[QWidget]:
    widgets = (parts.widget(number) for number in range(parts.count()))
    return [widget for widget in widgets if widget is not None]
