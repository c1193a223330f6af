"""The tool that compares: what is compared, which outlives the page, and the page itself."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.earlier_run import RunMerges
from bpe_gui.gui.session.object_names import shown_object
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.tool import Tool

from .compared import MAX_SHOWN, ComparedTokenizers, RunStep
from .live_comparison import LiveComparison
from .recipe_trainer import RecipeTrainer
from .vocabularies import Vocabularies

if TYPE_CHECKING:
    from .compare_page import ComparePage


class Comparing(Tool["ComparePage"]):
    """Owns what is compared. While the page is hidden, this is remembered, but no work is done.

    `open_requested`: open a file as the text.
    """

    open_requested = Signal()

    def __init__(
        self,
        session: Session,
        theme: Theme,
        settings: Settings,
        choose_file: Callable[[QWidget], Path | None],
        parent: QWidget,
    ) -> None:
        """`choose_file` asks, in a dialog on top of a widget's window, for a tokenizer file."""
        super().__init__(parent)
        self._settings = settings
        self._choose_file = choose_file
        self._theme = theme
        self._session = session
        self.tokenizers = ComparedTokenizers(session, self)
        self.live = LiveComparison(session.text, self.tokenizers, self)
        self.vocabularies = Vocabularies(self.tokenizers, self)
        self.trainer = RecipeTrainer(session, self)
        self.trainer.made.connect(self.tokenizers.add)
        session.opened.tokenizer_read.connect(self._add_opened)
        self._offered: WeakSet[object] = WeakSet()  # what was added automatically, and may have been removed since

    @property
    def is_settled(self) -> bool:
        """Whether all results are for the current text and tokenizers."""
        parts = (self.tokenizers, self.live, self.vocabularies)
        is_making = self.trainer.current is not None or self._session.opened.reading.busy
        return not is_making and all(part.is_settled for part in parts)

    def _add_known(self) -> None:
        """Add the runs and the opened tokenizers that the main window does not show, each of them once."""
        session, shown = self._session, shown_object(self._session)
        for branch in session.branches.all:
            is_new = branch is not shown and branch not in self._offered and session.branches.length_of(branch)
            if is_new and len(self.tokenizers.items) < MAX_SHOWN and self.tokenizers.add_run(branch) is not None:
                self._offered.add(branch)
        for opened in session.opened.tokenizers:
            if opened is not shown and opened not in self._offered and len(self.tokenizers.items) < MAX_SHOWN:
                self._offered.add(opened)
                self.tokenizers.add_opened(opened)

    def _add_opened(self, opened: OpenedTokenizer) -> None:
        """Add what is opened while the page is shown, unless the window itself shows it."""
        if self.tokenizers.is_active and opened is not self._session.opened.tokenizer:
            self._offered.add(opened)
            self.tokenizers.add_opened(opened)

    def compare_with(self, branch: Branch) -> None:
        """Show a run that the main window does not show, next to the one it shows."""
        self.open()
        item = self.tokenizers.add_run(branch)
        if item is not None and self.page is not None:
            self.page.compare_runs(item)

    def compare_with_earlier(self, earlier: RunMerges, step: int) -> None:
        """Show a step of the run that the present one has replaced, next to the present one."""
        self.open()
        origin = RunStep(step, is_past=True, branch=self._session.branches.current.name, inputs=earlier.inputs)
        item = self.tokenizers.add(origin, earlier.tokenizer.at(step))
        if self.page is not None:
            self.page.compare_runs(item)

    def compare_with_gpt_4(self) -> None:
        """Show the page with GPT-4's tokenizer, which is fetched unless it is on this computer."""
        self.open()
        if self.page is not None:
            self.page.add_gpt_4()

    def _make_page(self) -> "ComparePage":
        from .compare_page import ComparePage

        page = ComparePage(
            self._session,
            self._theme,
            self._settings,
            self.tokenizers,
            self.live,
            self.vocabularies,
            self.trainer,
            self._choose_file,
        )
        page.open_requested.connect(self.open_requested)
        return page

    def _begin(self, page: "ComparePage", *, was_working: bool) -> None:
        self.tokenizers.set_active(True)
        if not was_working:
            self._add_known()

    def rest(self) -> None:
        """Let go of the texts until the page is shown again."""
        super().rest()
        self.tokenizers.set_active(False)
