"""The comparison of the main window: what is compared, which outlives its window, and the window itself."""

import shiboken6
from PySide6.QtCore import QByteArray, QObject
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.session import Session

from .compare_window import CompareWindow
from .compared_tokenizers import ComparedTokenizers
from .live_comparison import LiveComparison
from .vocabularies import Vocabularies


class Comparing(QObject):
    """Opens and closes the window. While it is closed, what was compared is remembered, and nothing is worked on."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._session = session
        self._parent = parent
        self.tokenizers = ComparedTokenizers(session, self)
        self.live = LiveComparison(session.text, self.tokenizers, session.before_much_work, self)
        self.vocabularies = Vocabularies(self.tokenizers, self)
        self._window: CompareWindow | None = None
        self._geometry = QByteArray()

    @property
    def is_settled(self) -> bool:
        """Whether all results are those of the present text and tokenizers."""
        return self.tokenizers.is_settled and self.live.is_settled and self.vocabularies.is_settled

    def open(self) -> None:
        """Open the window, or bring it to the front."""
        if self._window is None:
            self.tokenizers.set_active(True)
            self._window = CompareWindow(
                self._session, self._theme, self.tokenizers, self.live, self.vocabularies, self._parent
            )
            self._window.restoreGeometry(self._geometry)
            self._window.closed.connect(self._close)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def rebuild(self) -> None:
        """Make the window anew, in another language."""
        if self._window is not None:
            was_active = self._window.isActiveWindow()
            self._drop_window()
            self.open()
            if not was_active:
                self._parent.activateWindow()

    def shut_down(self) -> None:
        """Stop all threads, because the main window closes."""
        self._drop_window()
        self.live.shut_down()
        self.vocabularies.shut_down()

    def _drop_window(self) -> None:
        if self._window is not None:
            self._geometry = self._window.saveGeometry()
            shiboken6.delete(self._window)  # at once, for no signal may reach it any more
            self._window = None

    def _close(self) -> None:
        if self._window is not None:
            self._geometry = self._window.saveGeometry()
            self._window.deleteLater()
            self._window = None
            self.tokenizers.set_active(False)
