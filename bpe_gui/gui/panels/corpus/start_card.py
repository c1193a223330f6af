"""The card over the empty editor of the corpus: how to begin."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import GAP, MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget


class StartCard(QFrame):
    """A sentence, and buttons to open files, to open a sample and to paste, in the middle of the `area` it covers."""

    open_requested = Signal()
    paste_requested = Signal()

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
        row = QHBoxLayout()
        row.setSpacing(SMALL_GAP)  # the buttons fit into the narrowest panel
        row.addStretch(1)
        for button in (open_files, sample, paste):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(GAP)
        column.addWidget(text)
        column.addLayout(row)
        self._area = area
        area.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay in the middle of the area."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        width = self._area.width()
        height = self.heightForWidth(width)
        self.setGeometry(0, max(0, (self._area.height() - height) // 2), width, height)
