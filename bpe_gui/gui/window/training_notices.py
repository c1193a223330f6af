"""The notices of training, paused or stopped, and of errors, with another size if the target size makes no sense."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from bpe_gui.engine import EngineError, RunStop, VocabularySizeError
from bpe_gui.gui.panels.notice_bar import Notice, NoticeBar, Offer
from bpe_gui.gui.session.branches import Branch, Branches
from bpe_gui.gui.session.corpus import DEFAULT_VOCAB_SIZE
from bpe_gui.gui.session.object_names import name_at, object_name
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.phrases import joined_sentences, listed, number
from bpe_gui.gui.wording.sentences import error_message, said


class PauseNotices(QObject):
    """Says that training that was interrupted by switching to another run resumes when its run is shown again.

    A single notice names all of them. Once the user has closed it, it comes back only for another run.
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
        if branch.kept is None:
            return object_name(branch)
        return name_at(branch, self._branches.step_of(branch.kept.trainer))


class StopNotices(QObject):
    """Shows one notice at a time, until the cursor moves on or its run is replaced.

    If the condition was not met, the notice offers to go back.
    """

    def __init__(self, session: Session, notices: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._notice: Notice | None = None
        self._position = 0  # the step at which training stopped
        session.run.stopped.connect(self._show)
        session.cursor.moved.connect(self._follow_cursor)
        session.run.replaced.connect(self._dismiss)

    def _show(self, stop: RunStop) -> None:
        self._dismiss()
        self._position = stop.position
        is_astray = stop.position > stop.start and not stop.holds
        offers = [self._way_back(stop)] if is_astray else []
        self._notice = self._notices.show_message(lambda: joined_sentences(map(said, stop.statements)), offers)

    def _follow_cursor(self) -> None:
        if self._session.cursor.position != self._position:
            self._dismiss()

    def _way_back(self, stop: RunStop) -> Offer:
        return (
            lambda: self.tr("Go back to step {step}").format(step=number(stop.start)),
            lambda: self._session.cursor.seek(stop.start),
        )

    def _dismiss(self) -> None:
        self._notices.dismiss(self._notice)
        self._notice = None


class ErrorNotices(QObject):
    """Shows what failed in the session. If the target size is too small, the notice offers to train to a larger one."""

    def __init__(self, session: Session, notices: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._notices = notices
        self._size_notice: Notice | None = None
        """The last one about the target size."""
        session.failed.connect(self._show)
        session.run.replaced.connect(self.dismiss_size)
        session.corpus.recipe_changed.connect(self.dismiss_size)

    def _show(self, error: EngineError) -> None:
        offers: list[Offer] = []
        if isinstance(error, VocabularySizeError) and error.least > self._session.corpus.vocab_size:
            size = max(DEFAULT_VOCAB_SIZE, 2 * error.least)  # leaves room for merges
            offers.append(
                (lambda: self.tr("Train to {size} entries").format(size=number(size)), lambda: self._train_to(size))
            )
        notice = self._notices.show_message(lambda: error_message(error), offers)
        if isinstance(error, VocabularySizeError):
            self._size_notice = notice

    def _train_to(self, size: int) -> None:
        self._session.corpus.set_vocab_size(size)
        self._session.train()

    def dismiss_size(self) -> None:
        """Dismiss the notice about the target size, which something else has dealt with."""
        self._notices.dismiss(self._size_notice)
        self._size_notice = None
