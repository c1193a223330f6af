"""The comparison of the main window: what is compared, which outlives its window, and the window itself."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import Borrowed
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings

from .compared import ComparedTokenizers
from .live_comparison import LiveComparison
from .tokenizer_maker import TokenizerMaker
from .vocabularies import Vocabularies

if TYPE_CHECKING:
    from .compare_window import CompareWindow


class Comparing(QObject):
    """Opens and closes the window. While it is closed, what was compared is remembered, and nothing is worked on.

    `window_made(window)`: there is a new window, whose tables have no menus yet.
    """

    _parent = Borrowed[QWidget]()

    window_made = Signal(QWidget)

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        choose_file: Callable[[QWidget], Path | None],
        parent: QWidget,
    ) -> None:
        """`choose_file` asks in a dialog of a window for the file of a tokenizer."""
        super().__init__(parent)
        self._settings = settings
        self._choose_file = choose_file
        self._theme = theme
        self._session = session
        self._parent = parent
        self.tokenizers = ComparedTokenizers(session, self)
        self.live = LiveComparison(session.text, self.tokenizers, self)
        self.vocabularies = Vocabularies(self.tokenizers, self)
        self.maker = TokenizerMaker(session, self)
        self.maker.made.connect(self.tokenizers.add)
        self._window: CompareWindow | None = None

    @property
    def is_settled(self) -> bool:
        """Whether all results are those of the present text and tokenizers."""
        parts = (self.tokenizers, self.live, self.vocabularies)
        return self.maker.present is None and all(part.is_settled for part in parts)

    def open(self) -> None:
        """Open the window, or bring it to the front."""
        from .compare_window import CompareWindow  # it imports many views, and the main window is to be seen soon

        if self._window is None:
            self.tokenizers.set_active(True)
            self._window = CompareWindow(
                self._session,
                self._theme,
                self.tokenizers,
                self.live,
                self.vocabularies,
                self.maker,
                self._choose_file,
                self._parent,
            )
            self._window.restoreGeometry(self._settings.compare_geometry)
            self._window.closed.connect(self._close)
            self.window_made.emit(self._window)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def compare_with(self, branch: Branch) -> None:
        """Open the window with a run that the main window does not show, beside the one that it shows."""
        self.open()
        item = self.tokenizers.add_run(branch)
        if item is not None and self._window is not None:
            self._window.compare_runs(item)

    def rebuild(self) -> None:
        """Make the window anew, in another language."""
        if self._window is not None:
            was_active = self._window.isActiveWindow()
            self.close()
            self.open()
            if not was_active:
                self._parent.activateWindow()

    def close(self) -> None:
        """Delete the window."""
        if self._window is not None:
            self._settings.compare_geometry = self._window.saveGeometry()
            shiboken6.delete(self._window)  # at once, for no signal may reach it any more
            self._window = None

    def _close(self) -> None:
        if self._window is not None:
            self._settings.compare_geometry = self._window.saveGeometry()
            self._window.deleteLater()
            self._window = None
            self.tokenizers.set_active(False)
