"""A line across the window that says what went wrong, and offers what can be done about it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named

Offer = tuple[str, Callable[[], object]]
"""The words on a button, and what it does."""


class NoticeBar(QFrame):
    """Hidden until there is something to say; gone when the user closes it or takes an offer."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        set_role(self, "banner")
        self._message = SentenceLabel(name="noticeLabel", selectable=True)
        self._theme = theme
        self._close = named(QToolButton(), "noticeCloseButton")
        self._name_close_button()
        self._close.setAutoRaise(True)
        self._close.clicked.connect(self.hide)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 6, 8, 6)
        self._row.addWidget(self._message, 1)
        self._row.addWidget(self._close)
        self._offers: list[QPushButton] = []
        theme.changed.connect(self._show_icon)
        self._show_icon()
        self.hide()

    def say(self, message: str, offers: Sequence[Offer] = ()) -> None:
        """Show a message, in place of an earlier one, with a button for each offer."""
        for button in self._offers:
            button.deleteLater()
        self._offers = [self._make_offer(words, act) for words, act in offers]
        self._message.setText(message)
        self.show()

    def _make_offer(self, words: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(words)

        def take() -> None:
            self.hide()
            act()

        button.clicked.connect(take)
        self._row.insertWidget(self._row.count() - 1, button)
        return button

    def changeEvent(self, event: QEvent) -> None:
        """Follows the language; what was said stays as it was."""
        if event.type() == QEvent.Type.LanguageChange:
            self._name_close_button()
        super().changeEvent(event)

    def _name_close_button(self) -> None:
        self._close.setAccessibleName(self.tr("Close this notice"))

    def _show_icon(self) -> None:
        self._close.setIcon(self._theme.icon("cancel"))
