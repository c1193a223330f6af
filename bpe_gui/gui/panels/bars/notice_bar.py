"""A bar across the window with a message, often of an error, and buttons for what can be done about it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from bpe_gui.gui.look.qt_constants import LANGUAGE_CHANGE
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import BAR_PADDING, MARGIN
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import name_widget

Offer = tuple[str, Callable[[], object]]
"""The text of a button, and the function that it calls."""


class NoticeBar(QFrame):
    """A bar for one message at a time, hidden again when the user closes it or takes an offer.

    What must not be hidden by the next message has a bar of its own: bars stack. The `name` begins the object names
    of the bar (as in `noticeBar`) and of its parts.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None, name: str = "notice") -> None:
        super().__init__(parent)
        name_widget(self, f"{name}Bar")
        set_role(self, "banner")
        self._message = SentenceLabel(name=f"{name}Label", selectable=True)
        self._theme = theme
        self._close = name_widget(QToolButton(), f"{name}CloseButton")
        self._name_close_button()
        self._close.setAutoRaise(True)
        self._close.clicked.connect(self.hide)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, BAR_PADDING, MARGIN, BAR_PADDING)
        self._row.addWidget(self._message, 1)
        self._row.addWidget(self._close)
        self._offers: list[QPushButton] = []
        theme.changed.connect(self._show_icon)
        self._show_icon()
        self.hide()

    def show_message(self, message: str, offers: Sequence[Offer] = ()) -> None:
        """Show `message` instead of an earlier one, with a button for each offer."""
        for button in self._offers:
            button.deleteLater()
        self._offers = [self._make_offer(text, action) for text, action in offers]
        self._message.setText(message)
        self.show()

    def _make_offer(self, text: str, action: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)

        def take() -> None:
            self.hide()
            action()

        button.clicked.connect(take)
        self._row.insertWidget(self._row.count() - 1, button)
        button.show()  # Qt would show it later if the bar is visible already
        return button

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language; the message stays as it is."""
        if event.type() == LANGUAGE_CHANGE:
            self._name_close_button()
        super().changeEvent(event)

    def _name_close_button(self) -> None:
        self._close.setAccessibleName(self.tr("Close this notice"))

    def _show_icon(self) -> None:
        self._close.setIcon(self._theme.icon("cancel"))
