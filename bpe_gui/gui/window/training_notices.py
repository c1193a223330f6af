"""The notices of training: that it paused or stopped, what it changed, errors, and a size that makes more sense."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from bpe_gui.engine import DownloadError, EngineError, RunStop, VocabularySizeError
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.panels.notice_bar import Notice, Offer
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.corpus import DEFAULT_VOCAB_SIZE
from bpe_gui.gui.session.earlier_run import RunMerges
from bpe_gui.gui.session.object_names import name_at, object_name
from bpe_gui.gui.session.overlay import MAX_COMPARED
from bpe_gui.gui.wording.phrases import counted, joined_sentences, listed, number
from bpe_gui.gui.wording.sentences import said

from .part import Surroundings, WindowPart

if TYPE_CHECKING:
    from bpe_gui.gui.dialogs.changes_dialog import Changes


class PauseNotices(WindowPart):
    """Says that training that was interrupted by switching to another run resumes when its run is shown again.

    A single notice names all of them. Once the user has closed it, it comes back only for another run.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._branches = branches = self._session.branches
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


class StopNotices(WindowPart):
    """Shows one notice at a time, until the cursor moves on or its run is replaced.

    If the condition was not met, the notice offers to go back.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._notice: Notice | None = None
        self._position = 0  # the step at which training stopped
        self._session.run.stopped.connect(self._show)
        self._session.cursor.moved.connect(self._follow_cursor)
        self._session.run.replaced.connect(self._dismiss)

    def _show(self, stop: RunStop) -> None:
        self._dismiss()
        self._position = stop.position
        is_astray = stop.position > stop.start and not stop.holds
        way_back: Offer = (
            lambda: self.tr("Go back to step {step}").format(step=number(stop.start)),
            lambda: self._session.cursor.seek(stop.start),
        )
        offers = [way_back] if is_astray else []
        self._notice = self._notices.show_message(lambda: joined_sentences(map(said, stop.statements)), offers)

    def _follow_cursor(self) -> None:
        if self._session.cursor.position != self._position:
            self._dismiss()

    def _dismiss(self) -> None:
        self._notices.dismiss(self._notice)
        self._notice = None


class ChangeNotices(WindowPart):
    """Says whether a run that was made again has other merges, and shows what changed.

    It does so once for each run: when training ends, or when stepping has come to the first merge that differs or to
    the end of the earlier run.
    """

    def __init__(self, around: Surroundings, compare: Callable[[RunMerges, int], object]) -> None:
        """`compare` shows an earlier run at a step beside the present one."""
        super().__init__(around)
        self._compare = compare
        self._runner = JobRunner(self)
        self._same = 0  # the number of merges known to be the same
        self._is_told = False
        self._notice: Notice | None = None
        self._session.run.replaced.connect(self._begin)
        self._session.run.trained.connect(partial(self._look, has_ended=True))
        self._session.cursor.moved.connect(self._look)

    def _begin(self) -> None:
        """Withdraw what was said about another run. One that is brought back needs no notice."""
        self._runner.abandon()
        self._notices.dismiss(self._notice)
        self._same, self._is_told = 0, not self._session.run.is_replaceable

    def _look(self, *, has_ended: bool = False) -> None:
        earlier, trainer = self._session.earlier_runs.earlier, self._session.cursor.trainer
        if self._is_told or earlier is None or trainer is None:
            return
        before = earlier.tokenizer.merges
        common = min(trainer.run_length, len(before))
        now = trainer.tokenizer(common).merges
        while self._same < common and before[self._same] == now[self._same]:
            self._same += 1
        if common and (has_ended or self._same < common or common == len(before)):
            self._is_told = True
            offer: Offer = lambda: self.tr("What changed?"), self.show
            offers = [offer] if self._same < common else []  # without one, it is mere news
            self._notice = self._notices.show_message(partial(self._text, self._same, common), offers)

    def _text(self, same: int, common: int) -> str:
        if same < common:
            text = self.tr("From step {step} on, this run merges other pairs than the earlier one.")
            return text.format(step=number(same + 1))
        one = self.tr("This run begins with the same merge as the earlier one.")
        return counted(common, one, self.tr("The first {count} merges are the same as in the earlier run."))

    def show(self) -> None:
        """Show what changed, as soon as a thread has compared the two runs."""
        from bpe_gui.gui.dialogs.changes_dialog import Changes  # slow to import, and not needed yet

        session, text = self._session, self._session.text
        earlier, run, trainer = session.earlier_runs.earlier, session.run.kept, session.run.trainer
        if earlier is None or run is None or trainer is None:
            return
        before, now = (
            each._replace(tokenizer=each.tokenizer.obeying(text.allowed_special))
            for each in (earlier, RunMerges.of(run))
        )
        beginning, words, order = text.beginning(MAX_COMPARED), trainer.word_counts, trainer.words_by_frequency
        self._runner.abandon()
        self._runner.start(
            name="compare with earlier run",
            work=lambda progress: Changes.of(before, now, beginning, words, order, progress),
            on_success=self._open,
            on_error=self._notices.show_error,
        )

    def _open(self, changes: "Changes") -> None:
        from bpe_gui.gui.dialogs.changes_dialog import ChangesDialog

        dialog = ChangesDialog(changes, self._theme, self._window)
        dialog.compare_wanted.connect(lambda: self._compare(changes.runs[0], changes.steps[0]))
        open_once(dialog)


class ErrorNotices(WindowPart):
    """Shows what failed in the session.

    If the target size is too small, the notice offers to train to a larger one. If a download failed, it offers to open
    a file, until a tokenizer is read.
    """

    def __init__(self, around: Surroundings, ask_for_tokenizer: Callable[[], object]) -> None:
        """`ask_for_tokenizer` asks for the file of a tokenizer that cannot be downloaded, and opens it."""
        super().__init__(around)
        self._ask_for_tokenizer = ask_for_tokenizer
        self._download_notice: Notice | None = None
        self._size_notice: Notice | None = None
        """The last one about the target size."""
        self._position = 0  # the step that it was shown at
        self._session.failed.connect(self._show)
        self._session.opened.tokenizer_read.connect(self._dismiss_download)
        self._session.cursor.moved.connect(self._follow_cursor)
        self._session.run.replaced.connect(self.dismiss_size)
        self._session.corpus.recipe_changed.connect(self.dismiss_size)

    def _show(self, error: EngineError) -> None:
        offers: list[Offer] = []
        if isinstance(error, VocabularySizeError) and error.least > self._session.corpus.vocab_size:
            size = 2 * error.least  # leaves room for merges
            size = max(DEFAULT_VOCAB_SIZE, round(size, 1 - len(str(size))))
            offers.append(
                (lambda: self.tr("Train to {size} entries").format(size=number(size)), lambda: self._train_to(size))
            )
        if isinstance(error, DownloadError):
            offers.append((lambda: self.tr("Open tokenizer…"), self._ask_for_tokenizer))
        notice = self._notices.show_error(error, offers)
        if isinstance(error, DownloadError):
            self._download_notice = notice
        if isinstance(error, VocabularySizeError):
            self._size_notice, self._position = notice, self._session.cursor.position

    def _follow_cursor(self) -> None:
        """Dismiss the notice about the size once the user goes to a step other than the one that it may speak of."""
        cursor = self._session.cursor
        if not cursor.is_on_long_move and cursor.position not in (self._position, cursor.target_position):
            self.dismiss_size()

    def _dismiss_download(self) -> None:
        """Dismiss the notice about a download, because a tokenizer has come from elsewhere."""
        self._notices.dismiss(self._download_notice)
        self._download_notice = None

    def _train_to(self, size: int) -> None:
        self._session.corpus.set_vocab_size(size)
        self._session.train()

    def dismiss_size(self) -> None:
        """Dismiss the notice about the target size, which something else has dealt with."""
        self._notices.dismiss(self._size_notice)
        self._size_notice = None
