"""The card over the empty editor of the corpus: how to begin."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from bpe_gui.gui.look.layouts import GAP, MARGIN
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget

_ONE_ROW: Final = QBoxLayout.Direction.LeftToRight
_TWO_ROWS: Final = QBoxLayout.Direction.TopToBottom


class StartCard(QFrame):
    """A sentence, and buttons to open files, to open a sample and to paste, in the middle of the `area` it covers."""

    open_requested = Signal()
    paste_requested = Signal()
    placed = Signal()
    """The card has been laid out again and may have another height."""

    def __init__(self, samples: QMenu, area: QWidget) -> None:
        super().__init__(area)
        self.setObjectName("startCard")
        text = SentenceLabel(self.tr("Type or paste text to train on, or drop files here."), self)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(text, "quiet")
        open_files = name_widget(QPushButton(self.tr("Open…"), self), "startOpenButton")
        sample = name_widget(QPushButton(self.tr("Samples"), self), "startSampleButton")
        sample.setMenu(samples)
        paste = name_widget(QPushButton(self.tr("Paste"), self), "startPasteButton")
        open_files.clicked.connect(self.open_requested)
        paste.clicked.connect(self.paste_requested)
        others = QHBoxLayout()
        for button in (sample, paste):
            others.addWidget(button)
        self._buttons = open_files, sample, paste
        self._rows = QBoxLayout(_ONE_ROW)
        self._rows.addStretch(1)
        self._rows.addWidget(open_files)
        self._rows.addLayout(others)
        self._rows.addStretch(1)
        for row in (others, self._rows):
            row.setSpacing(GAP)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(GAP)
        column.addWidget(text)
        column.addLayout(self._rows)
        self._area = area
        area.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay in the middle of the area."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """Place the card again: only now the style sheet has given the buttons their widths."""
        super().showEvent(event)
        self._place()

    def _place(self) -> None:
        """Cover the middle of the area, with the buttons in two rows where it is too narrow for one."""
        width = self._area.width()
        needed = sum(button.sizeHint().width() + GAP for button in self._buttons) - GAP + 2 * MARGIN
        self._rows.setDirection(_ONE_ROW if needed <= width else _TWO_ROWS)
        height = self.heightForWidth(width)
        self.setGeometry(0, max(0, (self._area.height() - height) // 2), width, height)
        self.placed.emit()
