"""The notice of runs whose training was paused because another run is shown."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from bpe_gui.gui.panels.bars.notice_bar import Notice, NoticeBar
from bpe_gui.gui.session.runs.branch import Branch
from bpe_gui.gui.session.runs.branches import Branches
from bpe_gui.gui.wording.joining import listed
from bpe_gui.gui.wording.numbers import number


class PauseNotices(QObject):
    """Says of runs that were left in the middle of their training that it goes on when they are shown again.

    One notice names all of them. If the user has closed it, it comes again only for another run.
    """

    def __init__(self, branches: Branches, notices: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._branches = branches
        self._notices = notices
        self._notice: Notice | None = None
        self._waiting: Sequence[Branch] = ()
        branches.changed.connect(self._show)
        branches.list_changed.connect(self._show)

    def _show(self) -> None:
        current, known = self._branches.current, self._waiting
        waiting = [branch for branch in self._branches.all if branch.paused is not None and branch is not current]
        is_up = self._notices.shows(self._notice)
        self._notices.dismiss(self._notice)
        self._waiting = waiting
        if waiting and (is_up or not set(waiting) <= set(known)):
            self._notice = self._notices.show_message(lambda: self._text(waiting))

    def _text(self, waiting: Sequence[Branch]) -> str:
        text = self.tr("Training paused: {runs}. Each continues when you show it again.")
        if len(waiting) == 1:
            text = self.tr("Training paused: {runs}. It continues when you show it again.")
        return text.format(runs=listed(map(self._name_and_step, waiting)))

    def _name_and_step(self, branch: Branch) -> str:
        name, run = branch.name or self.tr("main run"), branch.kept
        if run is None:
            return name
        return self.tr("{name} (step {step})").format(name=name, step=number(run.trainer.position))
