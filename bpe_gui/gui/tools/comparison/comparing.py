"""The main window's comparison: what is compared, which outlives its window, and the window itself."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.object_names import object_name
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool_window import Tool

from .compared import MAX_SHOWN, ComparedTokenizers, RunStep
from .live_comparison import LiveComparison
from .tokenizer_maker import TokenizerMaker, file_origin
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
        self._offered: WeakSet[object] = WeakSet()  # what was added automatically, and may have been removed since

    @property
    def is_settled(self) -> bool:
        """Whether all results are for the current text and tokenizers."""
        parts = (self.tokenizers, self.live, self.vocabularies)
        return self.maker.current is None and all(part.is_settled for part in parts)

    def open(self) -> None:
        """Open the window with the run and the opened tokenizers, or bring it to the front."""
        is_new = self._window is None
        super().open()
        if is_new:
            self._add_known()

    def _add_known(self) -> None:
        """Add the run and the opened tokenizers that the main window does not show, each of them once."""
        session, shown = self._session, self._session.opened.tokenizer
        trainer = session.run.trainer
        if shown is not None and trainer is not None and trainer.run_length and trainer not in self._offered:
            self._offered.add(trainer)
            origin = RunStep(trainer.run_length, branch=session.branches.current.name)
            self.tokenizers.add(origin, trainer.tokenizer(trainer.run_length))
        for opened in session.opened.tokenizers:
            if opened is not shown and opened not in self._offered and len(self.tokenizers.items) < MAX_SHOWN:
                self._offered.add(opened)
                origin_of = file_origin(opened, object_name(opened))
                self.tokenizers.add(origin_of, opened.tokenizer(opened.run_length))

    def compare_with(self, branch: Branch) -> None:
        """Open the window with the run that the main window shows and one that it does not show."""
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
