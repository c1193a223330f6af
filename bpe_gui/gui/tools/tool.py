"""The base classes of the tools and of their pages, and progress."""

from typing import Generic, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import row_of
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import FocusPasser, icon_button, progress_line


class ToolPage(FocusPasser):
    """The page of a tool. The keys that search do nothing unless a page overrides these methods."""

    def begin_search(self) -> None:
        """Go to the field that searches."""

    def find_next(self) -> None:
        """Go to the next match."""

    def find_previous(self) -> None:
        """Go to the previous match."""


P = TypeVar("P", bound=ToolPage)


class Tool(QObject, Generic[P]):
    """Answers a question about the object on screen, on a page that is made when it is first shown.

    It follows the window only while its page is shown. What this shows belongs to the tool, which outlives the page.

    - `page_made(page)`: there is a new page, which has no place yet, and whose tables have no menus.
    - `wanted`: the user has asked for this tool.
    """

    page_made = Signal(QWidget)
    wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.page: P | None = None
        self._is_working = False

    def _make_page(self) -> P:
        """Return a new page. Import it only here: it needs many views, and the main window should appear soon."""
        raise NotImplementedError

    def _begin(self, page: P, *, was_working: bool) -> None:
        """Bring the page up to date, because it is shown or the user has asked for it again."""

    def open(self) -> None:
        self.wanted.emit()
        self.work()

    def work(self) -> P:
        """Keep the page up to date from now on, and return it; make it first if there is none."""
        was_working, self._is_working = self._is_working, True
        if self.page is None:
            self.page = self._make_page()
            self.page_made.emit(self.page)
        self._begin(self.page, was_working=was_working)
        return self.page

    def rest(self) -> None:
        """Do nothing until the page is shown again."""
        self._is_working = False

    def close(self) -> None:
        """Delete the page at once, so that no more signals reach it."""
        if self.page is not None:
            if (focused := self.page.focusWidget()) is not None:
                focused.clearFocus()  # while widgets that follow the focus can still react
            shiboken6.delete(self.page)
            self.page = None


class JobProgress(QWidget):
    """Shows the progress of a runner's operation, if there is one, with a button that cancels it."""

    def __init__(self, runner: JobRunner, theme: Theme, name: str, tool_tip: str, width: int | None = 56) -> None:
        """`name` begins the object names; `width` is that of the bar in pixels, or None for what there is."""
        super().__init__()
        self._runner = runner
        self._bar = progress_line(f"{name}Progress", self.tr("Progress"))
        if width is not None:
            self._bar.setFixedWidth(width)
        cancel = icon_button(theme, "cancel", f"{name}CancelButton", self.tr("Cancel"), tool_tip)
        cancel.clicked.connect(runner.cancel)
        row_of((self._bar, 1), cancel, of=self)
        runner.changed.connect(self._show)
        runner.progressed.connect(self._show_progress)
        self._show()

    def _show(self) -> None:
        self._bar.setRange(0, 0)
        self.setVisible(self._runner.busy)

    def _show_progress(self, done: int, total: int) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(done)
