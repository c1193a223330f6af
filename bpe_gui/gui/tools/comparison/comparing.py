"""The main window's comparison: what is compared, which outlives its window, and the window itself."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool_window import Tool

from .compared import ComparedTokenizers
from .live_comparison import LiveComparison
from .tokenizer_maker import TokenizerMaker
from .vocabularies import Vocabularies

if TYPE_CHECKING:
    from .compare_window import CompareWindow


class Comparing(Tool["CompareWindow"]):
    """Owns what is compared. While the window is closed, this is remembered, but no work is done."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        choose_file: Callable[[QWidget], Path | None],
        parent: QWidget,
    ) -> None:
        """`choose_file` asks, in a dialog on top of a window, for a tokenizer file."""
        super().__init__(parent)
        self._settings = settings
        self._choose_file = choose_file
        self._theme = theme
        self._session = session
        self.tokenizers = ComparedTokenizers(session, self)
        self.live = LiveComparison(session.text, self.tokenizers, self)
        self.vocabularies = Vocabularies(self.tokenizers, self)
        self.maker = TokenizerMaker(session, self)
        self.maker.made.connect(self.tokenizers.add)

    @property
    def is_settled(self) -> bool:
        """Whether all results are for the current text and tokenizers."""
        parts = (self.tokenizers, self.live, self.vocabularies)
        return self.maker.current is None and all(part.is_settled for part in parts)

    def compare_with(self, branch: Branch) -> None:
        """Open the window with a run that the main window does not show, next to the one it shows."""
        self.open()
        item = self.tokenizers.add_run(branch)
        if item is not None and self._window is not None:
            self._window.compare_runs(item)

    def _make_window(self) -> "CompareWindow":
        from .compare_window import CompareWindow

        self.tokenizers.set_active(True)
        window = CompareWindow(
            self._session,
            self._theme,
            self.tokenizers,
            self.live,
            self.vocabularies,
            self.maker,
            self._choose_file,
            self._parent,
        )
        window.restoreGeometry(self._settings.compare_geometry)
        return window

    def _remember(self, window: "CompareWindow") -> None:
        self._settings.compare_geometry = window.saveGeometry()

    def _rest(self) -> None:
        self.tokenizers.set_active(False)
