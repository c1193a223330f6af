"""Count the words of the corpus, and make runs from the counts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, Progress, Trainer, WordCounts
from bpe_gui.gui.jobs import Activity, JobRunner, pause_before

from .corpus import RunInputs, SessionCorpus
from .cursor import Cursor
from .run import Run

_PAUSE: Final = 400  # milliseconds between a change and counting in a thread


class CorpusCounter(QObject):
    """Keeps the word counts of the corpus current: at once if that takes milliseconds, else in a thread after a pause.

    A run without steps is replaced by one made from the new counts; a run with steps stays and becomes stale.

    - `changed`: `words` or `error` changed; emitted after the run was replaced. Both are None while counting is
      pending.
    - `failed(error)`: counting for `make_run` failed.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, corpus: SessionCorpus, run: Run, cursor: Cursor, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._corpus = corpus
        self._run = run
        self._cursor = cursor
        self._jobs = jobs
        self.words: WordCounts | None = None
        """The words with their counts; None while counting, or if counting failed."""
        self.error: EngineError | None = None
        """Why the corpus could not be counted, or None."""
        self._counted: RunInputs | None = None
        self._last: tuple[RunInputs, WordCounts] | None = None  # the last words counted
        self._starts_over = False
        self._pause = pause_before(self._count_in_thread, _PAUSE, self)
        corpus.inputs_changed.connect(self._count)
        corpus.inputs_changed.connect(run.report_staleness)  # connected after `_count`, which may replace the run
        run.trained.connect(self.catch_up)

    @property
    def is_pending(self) -> bool:
        """Whether the words are still to be counted."""
        return self.words is None and self.error is None

    def known_words(self, inputs: RunInputs) -> WordCounts | None:
        """Return the word counts for `inputs` if they are the last counted, or the run was made from them."""
        run = self._run
        if (
            run.trainer is not None
            and run.inputs is not None
            and inputs.have_words(run.trainer.word_counts, run.inputs)
        ):
            return run.trainer.word_counts
        if self._last is not None and inputs.have_words(self._last[1], self._last[0]):
            return self._last[1]
        return None

    def make_run(self, then: Callable[[], None] | None = None) -> None:
        """Replace the run with one at step 0, counting first if necessary, then call `then`.

        If counting fails or is cancelled, the current run stays.
        """
        self._count_in_thread(make_run=True, then=then)

    @contextmanager
    def replacing_run(self) -> Iterator[None]:
        """Drop the run, even if it has steps, and make one from the inputs as they are after the block.

        If the new run can be made at once, it replaces the old one directly; otherwise there is no run for a while.
        """
        self._starts_over = True
        try:
            yield
        finally:
            if self._starts_over:  # the inputs have not changed
                self._count()

    def restart(self) -> None:
        """Drop the run and make a new one, counting first if necessary."""
        with self.replacing_run():
            pass

    def stop(self) -> None:
        self._pause.stop()
        if self._jobs.activity is Activity.COUNTING:
            self._jobs.abandon()

    def _count(self) -> None:
        starts_over, self._starts_over = self._starts_over, False
        if not self._run.is_training:
            self.stop()
            inputs = self._corpus.inputs
            is_made = self._run.is_made_from(inputs) and (self._run.is_replaceable or not starts_over)
            if is_made and (words := self.known_words(inputs)) is not None:
                self._take(inputs, words)
                return
            if inputs.is_small:
                try:
                    words = self.known_words(inputs) or inputs.count()
                    self._take(inputs, words, inputs.set_up(words) if starts_over else None)
                except EngineError as error:
                    if starts_over:
                        self._run.replace(None)
                    self._take(inputs, error)
                return
            if starts_over:
                self._run.replace(None)
                if self.words is not None and self._counted == inputs:
                    self._count_in_thread()  # where setting up the run does not block the window
                    return
            self._pause.start()  # while a thread trains, wait for it to finish
        self.words = self.error = self._counted = None
        self.changed.emit()

    def catch_up(self) -> None:
        """Count whatever has changed since the last count, and replace a run that has no steps if it is out of date."""
        run = self._run
        is_due = run.trainer is not None and run.is_replaceable and run.is_stale
        if is_due or self._counted != self._corpus.inputs:
            self._count()

    def _count_in_thread(self, *, make_run: bool = False, then: Callable[[], None] | None = None) -> None:
        if self._jobs.activity is not Activity.IDLE or self._cursor.is_on_long_move:
            self._pause.start()  # try again later
            return
        inputs = self._corpus.inputs
        counted = self.known_words(inputs)
        make_run = make_run or self._run.is_replaceable

        def work(progress: Progress) -> tuple[WordCounts, Trainer | None]:
            counts = counted or inputs.count(progress)
            return counts, inputs.set_up(counts, progress) if make_run else None

        def take(result: tuple[WordCounts, Trainer | None]) -> None:
            counts, trainer = result
            self._take(inputs, counts, trainer)
            if then is not None and self._run.trainer is trainer:
                then()

        def take_error(error: EngineError) -> None:
            self._take(inputs, error)
            if then is not None:
                self.failed.emit(error)

        self._jobs.start(
            name="count corpus",
            work=work,
            on_success=take,
            on_error=take_error,
            on_cancel=self._take_cancellation,
            activity=Activity.COUNTING,
        )

    def _take_cancellation(self) -> None:
        """Tell the user how to count again; an existing run stays, and is stale."""
        self.error = EngineError("Counting was cancelled. Train or start over to count again.")
        self.changed.emit()

    def _take(self, inputs: RunInputs, counts: WordCounts | EngineError, trainer: Trainer | None = None) -> None:
        self.error = counts if isinstance(counts, EngineError) else None
        self.words = counts if isinstance(counts, WordCounts) else None
        self._counted = inputs
        if self.words is not None:
            self._last = inputs, self.words
        is_due = self._run.is_replaceable and not self._run.is_made_from(inputs)  # it has no steps
        if self.words is not None and (trainer or is_due):
            self._run.replace(trainer or inputs.set_up(self.words), inputs)
        elif self.words is None and self._run.is_replaceable:
            self._run.replace(None)
        self.changed.emit()
