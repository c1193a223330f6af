"""Which actions are possible now: those that the state of the session forbids are disabled."""

from collections.abc import Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.session.session import Session

from .branch_actions import BranchActions, ReplayActions


class PossibleActions(QObject):
    """Follows the session. Undo, redo and the actions of editing follow the focus instead, see `UndoActions`."""

    def __init__(
        self,
        actions: Mapping[str, QAction],
        session: Session,
        branch_actions: BranchActions,
        replay_actions: ReplayActions,
        parent: QObject,
    ) -> None:
        """`actions` are all actions of the window by name."""
        super().__init__(parent)
        self._actions = actions
        self._session = session
        self._branch_actions = branch_actions
        self._replay_actions = replay_actions
        session.work.changed.connect(self._follow_work)
        session.corpus.inputs_changed.connect(self._follow_opened)
        runs, opened = session.branches, session.opened
        for changed in (opened.changed, opened.list_changed, runs.changed, runs.list_changed):
            changed.connect(self._follow_opened)
        for changed in (session.cursor.steps_changed, session.cursor.moved, session.selection.changed):
            changed.connect(self._follow_cursor)
        self._follow_work()
        self._follow_opened()

    def _enable(self, is_possible: bool, *names: str) -> None:
        for name in names:
            self._actions[name].setEnabled(is_possible)

    def _follow_work(self) -> None:
        self._enable(self._session.work.activity is not Activity.IDLE, "cancel")
        self._follow_cursor()

    def _follow_cursor(self) -> None:
        """Enable what makes a branch of the run that is shown, unless a thread trains it."""
        can_branch = self._branch_actions.can_branch
        self._enable(self._branch_actions.can_plan, "plan")
        self._enable(can_branch, "ban_pair", "try_recipe")
        self._enable(can_branch and self._session.selection.pair is not None, "merge_instead")

    def _follow_opened(self) -> None:
        """Enable what needs an opened tokenizer, a branch, or several of them."""
        opened, branches = self._session.opened, self._session.branches
        self._enable(opened.tokenizer is not None, "close_tokenizer")
        self._enable(len(opened.tokenizers) + len(branches.all) > 1, "next_tokenizer", "previous_tokenizer")
        self._enable(len(branches.all) > 1, "next_run", "compare_branch")
        is_branch = opened.tokenizer is None and branches.current is not branches.main
        self._enable(is_branch, "rename_branch", "drop_branch")
        self._enable(self._replay_actions.is_possible, "replay", "extend")
