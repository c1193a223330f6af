"""The one document: corpus, recipe, run, cursor and text. Panels ask it to act and listen to what it says happened."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from bpe_gui.engine import CorpusError, EngineError, Recipe, TextDocument, Trainer, WordCounts
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.live_text import LiveText
from bpe_gui.samples import Sample

from bpe_gui.gui.session.run_inputs import Basis
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.background.jobs import Cancelled, Job, Report
from bpe_gui.gui.background.activity import Activity, mistake
from bpe_gui.gui.session.run import StepsSession

_COUNT_AFTER: Final = 400  # milliseconds after a change
_ENCODE_AFTER: Final = 50  # milliseconds after a look


class Session(StepsSession):
    """The document of the window; everything on screen is a function of it.

    It is built up from a part each: `TextSession` has the text to encode, `CorpusSession` what a run is made from,
    `StepsSession` the cursor, and this one makes runs. Whoever wants something done calls a method. The signals state
    facts; those of this part:

    - `counts_changed`: `word_counts` is new, or None because counting is going on or failed.
    - `stale_changed`: whether the run was made from another corpus or recipe than the present ones.
    """

    counts_changed = Signal()
    stale_changed = Signal(bool)

    def __init__(
        self, parent: QObject | None = None, *, before_much_work: Callable[[Report], None] = lambda report: None
    ) -> None:
        """`before_much_work` is called in a thread before much text is counted, and may wait, reporting (0, 0)."""
        super().__init__(parent, before_much_work)
        self._before_much_work = before_much_work
        self.word_counts: WordCounts | None = None
        self.count_error: EngineError | None = None
        self._basis: Basis | None = None  # of the run
        self._counted: Basis | None = None
        self._was_stale = False
        # Queued, so that a look is not added to what the progress bar takes.
        self._work.progressed.connect(self._watch_training, Qt.ConnectionType.QueuedConnection)
        self._recount = QTimer(self, singleShot=True, interval=_COUNT_AFTER)
        self._recount.timeout.connect(self._count_in_background)
        self.basis_changed.connect(self._corpus_changed)

    def load_sample(self, sample: Sample, title: str) -> None:
        """Replace corpus, recipe, special tokens, size and text by those of a sample, and begin a new run."""
        document = CorpusDocument(title, TextDocument(sample.read()))
        recipe = Recipe.of(sample.recipe)
        self.load([document], recipe, sample.special_tokens, self.vocab_size, LiveText(sample.text))
        if self._run is not None:
            self.set_vocab_size(sample.vocab_size or self._run.initial_size + (sample.num_merges or 0))
        self._of_sample = self.recipe, self.vocab_size

    def load(
        self,
        documents: Sequence[CorpusDocument],
        recipe: Recipe,
        special_tokens: Sequence[str],
        vocab_size: int,
        text: LiveText,
    ) -> None:
        """Replace corpus, recipe, special tokens, size and text, and begin a new run."""
        self._take_run(None, None)  # first: its thread goes on for a moment, and nobody may look at what it trains
        self._work.abandon()
        self.documents, self.recipe, self.special_tokens = tuple(documents), recipe, tuple(special_tokens)
        self.vocab_size, self._of_sample = vocab_size, None
        self.set_live_text(text)
        self.close_tokenizer()
        self.documents_changed.emit()
        self.recipe_changed.emit()
        self.basis_changed.emit()

    # -- counting ---------------------------------------------------------------------------------------------------

    @property
    def stale(self) -> bool:
        """Whether the run was made from another corpus, recipe or special tokens than the present ones."""
        return self._run is not None and self._basis != self._present_basis()

    def _say_if_stale(self) -> None:
        if self.stale != self._was_stale:
            self._was_stale = self.stale
            self.stale_changed.emit(self.stale)

    def _corpus_changed(self) -> None:
        """Count anew: at once if that is a matter of milliseconds, else after a pause and in the background."""
        self._say_if_stale()
        if not self._is_training:
            self._stop_counting()
            if (basis := self._present_basis()).is_small:
                self._count_now(basis)
                return
            self._recount.start()  # while it trains, the counting waits for its end
        self.word_counts = self.count_error = self._counted = None
        self.counts_changed.emit()

    def _count_now(self, basis: Basis) -> None:
        try:
            self._take_counts(basis, basis.count())
        except EngineError as error:
            self._take_counts(basis, error)

    def _count_in_background(self, *, and_train: bool = False) -> None:
        """Count, and set a run up if there is none to keep; or in any case, to train it next."""
        if self._work.activity is not Activity.IDLE or self._cursor.is_on_long_way:
            self._recount.start()  # later
            return
        basis = self._present_basis()
        counted = self.word_counts if self._counted == basis else None
        wants_run = and_train or self._may_replace_run()

        def work(report: Report) -> tuple[WordCounts, Trainer | None]:
            if basis.is_large:
                self._before_much_work(report)
            counts = counted or basis.count(report)
            return counts, basis.set_up(counts, report) if wants_run else None

        def done(job: Job) -> None:
            error = mistake(job)
            if isinstance(job.error, Cancelled):
                # The run that there is stays, and is marked as out of date.
                self.count_error = CorpusError(
                    _("EngineError", "Counting was cancelled. Training, or starting over, counts again.")
                )
                self.counts_changed.emit()
            elif error is not None:
                self._take_counts(basis, error)
                if and_train:
                    self.failed.emit(error)
            elif isinstance(job.result, tuple):
                counts, trainer = job.result
                self._take_counts(basis, counts, trainer)
                if and_train and self._run and self._run is trainer:
                    self._train_on(self._run)

        self._work.start(Activity.COUNTING, work, done)

    def _take_counts(self, basis: Basis, counts: WordCounts | EngineError, trainer: Trainer | None = None) -> None:
        self.count_error = counts if isinstance(counts, EngineError) else None
        self.word_counts = counts if isinstance(counts, WordCounts) else None
        self._counted = basis
        if self.word_counts is not None and (trainer or self._may_replace_run()):
            self._take_run(trainer or Trainer(self.word_counts, basis.recipe), basis)
        elif self.word_counts is None and self._may_replace_run():
            self._take_run(None, None)
        self.counts_changed.emit()

    def _stop_counting(self) -> None:
        self._recount.stop()
        if self._work.activity is Activity.COUNTING:
            self._work.abandon()

    # -- the run ----------------------------------------------------------------------------------------------------

    def _may_replace_run(self) -> bool:
        """A run of no steps is replaced without asking; one with steps is kept and marked as out of date."""
        return self._run is None or self._run.run_length == 0

    def _take_run(self, trainer: Trainer | None, basis: Basis | None) -> None:
        self._run, self._basis = trainer, basis
        if self.opened is None:
            self._show_steps(trainer)
        self._say_if_stale()

    def restart(self) -> None:
        """Drop the run and begin another from the present corpus and recipe, at step 0."""
        if self._is_training:
            return
        self.close_tokenizer()
        basis = self._present_basis()
        self._take_run(None, None)
        if self.word_counts is not None and self._counted == basis and not basis.is_small:
            self._count_in_background()  # which finds it counted
        else:
            self._corpus_changed()

    # -- training ---------------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Train to `vocab_size` in the background; from the present corpus and recipe if the run is out of date."""
        self.close_tokenizer()
        if self._is_training:
            return
        self._stop_counting()
        self._cursor.halt()
        if self._run is not None and not self.stale:
            self._train_on(self._run)
        else:
            self._count_in_background(and_train=True)

    def _train_on(self, trainer: Trainer) -> None:
        size = self.vocab_size

        def done(job: Job) -> None:
            error = mistake(job)
            if self.opened is None:
                self._cursor.catch_up()
            if error is not None:
                self.failed.emit(error)
            if self._counted != self._present_basis():
                self._corpus_changed()

        self._work.start(Activity.TRAINING, lambda report: self._training.train(trainer, size, report), done)

    def _watch_training(self) -> None:
        """Show how far training is."""
        if not self.is_run_in_training or not self._training.may_be_looked_at:
            return
        with self._training.look():
            self._tokenizer = None
            self.cursor_moved.emit()
            self.tokenizer  # noqa: B018  # made now, it can be used when the look is over
        # In its own time, so that the window is never long without an answer, nor paints all of it at once.
        QTimer.singleShot(_ENCODE_AFTER, self, self._encode)

    def shut_down(self) -> None:
        """Stop everything and wait for it, because the window closes."""
        super().shut_down()
        self._recount.stop()
