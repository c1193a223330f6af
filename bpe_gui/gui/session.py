"""The one document: corpus, recipe, run, cursor and text. Panels ask it to act and listen to what it says happened."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from bpe_gui.engine import (
    CorpusError,
    Encoding,
    EngineError,
    Merge,
    Recipe,
    TextDocument,
    Tokenizer,
    Trainer,
    WordCounts,
    load,
)
from bpe_gui.engine.errors import translatable as _
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.streams import check_surrogates
from bpe_gui.samples import Sample

from .basis import Basis
from .corpus_document import CorpusDocument
from .cursor import Cursor
from .jobs import Cancelled, Job, Report
from .live_encoder import LiveEncoder
from .long_work import Activity, LongWork, mistake
from .watched_training import WatchedTraining

_LARGE_CORPUS: Final = 100_000  # characters
_SMALL_VOCABULARY: Final = 1_000
_LARGE_VOCABULARY: Final = 10_000
_COUNT_AFTER: Final = 400  # milliseconds after a change
_ENCODE_AFTER: Final = 50  # milliseconds after a look


class Session(QObject):
    """The document of the window; everything on screen is a function of it.

    Whoever wants something done calls a method. The signals state facts:

    - `documents_changed`: documents were added, removed, renamed or replaced (not edited in place).
    - `recipe_changed`: the recipe, the special tokens or the vocabulary size to train to.
    - `counts_changed`: `word_counts` is new, or None because counting is going on or failed.
    - `run_changed`: another run (or none); the cursor is at its start.
    - `cursor_moved`: the cursor moved, or the run became longer.
    - `stale_changed`: whether the run was made from another corpus or recipe than the present ones.
    - `text_changed`: `live_text` is another; its editor did not change it.
    - `text_edited`: its editor did.
    - `encoding_changed`: `live_text` has other tokens, after an edit or for another tokenizer, or more of them.
    - `playing_changed(bool)`: whether the cursor moves by itself.
    - `tokenizer_opened`: a saved tokenizer is used, or no longer.
    - `activity_changed`, `progressed(done, total)`: long work.
    - `failed(error)`: a mistake the user should hear of; nothing was changed.
    """

    documents_changed = Signal()
    recipe_changed = Signal()
    counts_changed = Signal()
    run_changed = Signal()
    cursor_moved = Signal()
    stale_changed = Signal(bool)
    playing_changed = Signal(bool)
    text_changed = Signal()
    text_edited = Signal()
    encoding_changed = Signal()
    tokenizer_opened = Signal()
    activity_changed = Signal()
    progressed = Signal(int, int)
    failed = Signal(object)

    def __init__(
        self, parent: QObject | None = None, *, before_much_work: Callable[[Report], None] = lambda report: None
    ) -> None:
        """`before_much_work` is called in a thread before much text is counted, and may wait, reporting (0, 0)."""
        super().__init__(parent)
        self._before_much_work = before_much_work
        self.documents: tuple[CorpusDocument, ...] = ()
        self.recipe = Recipe.of("cs336")
        self.special_tokens: tuple[str, ...] = ()
        self.vocab_size = 1000
        self._of_sample: tuple[Recipe, int] | None = None
        self.word_counts: WordCounts | None = None
        self.count_error: EngineError | None = None
        self.opened_tokenizer: Tokenizer | None = None
        self.opened_path: Path | None = None
        self._basis: Basis | None = None  # of the run
        self._counted: Basis | None = None
        self._was_stale = False
        self._tokenizer: Tokenizer | None = None
        self._work = LongWork(self)
        self._work.changed.connect(self.activity_changed)
        self._work.progressed.connect(self.progressed)
        # Queued, so that a look is not added to what the progress bar takes.
        self._work.progressed.connect(self._watch_training, Qt.ConnectionType.QueuedConnection)
        self._training = WatchedTraining()
        self._encoder = LiveEncoder(self, before_much_work)
        self._encoder.changed.connect(self.encoding_changed)
        self._cursor = Cursor(self)
        self._cursor.moved.connect(self._cursor_moved)
        self._cursor.long_way_changed.connect(self.activity_changed)
        self._cursor.progressed.connect(self.progressed)
        self._cursor.playing_changed.connect(self.playing_changed)
        self._recount = QTimer(self, singleShot=True, interval=_COUNT_AFTER)
        self._recount.timeout.connect(self._count_in_background)

    # -- corpus -----------------------------------------------------------------------------------------------------

    def load_sample(self, sample: Sample, title: str) -> None:
        """Replace corpus, recipe, special tokens, size and text by those of a sample, and begin a new run."""
        self._work.abandon()
        self.documents = (CorpusDocument(title, TextDocument(sample.read())),)
        self.recipe = Recipe.of(sample.recipe)
        self.special_tokens = sample.special_tokens
        self.set_text(sample.text)
        self.close_tokenizer()
        self._take_run(None, None)
        self.documents_changed.emit()
        self.recipe_changed.emit()
        self._corpus_changed()
        if trainer := self._cursor.trainer:
            self.set_vocab_size(sample.vocab_size or trainer.initial_size + (sample.num_merges or 0))
        self._of_sample = self.recipe, self.vocab_size

    def add_documents(self, documents: Iterable[CorpusDocument], *, instead: bool = False) -> None:
        """Add documents at the end of the corpus, or put them in place of all there are.

        What stood there was a sample then, most likely: a recipe and a size that are still the sample's make room, too.
        """
        self.documents = (() if instead else self.documents) + tuple(documents)
        if instead and (self.recipe, self.vocab_size) == self._of_sample:
            self.recipe = Recipe.of("cs336")
            is_large = self._present_basis().characters >= _LARGE_CORPUS
            self.vocab_size = _LARGE_VOCABULARY if is_large else _SMALL_VOCABULARY
            self.recipe_changed.emit()
        self.documents_changed.emit()
        self._corpus_changed()

    def remove_document(self, index: int) -> None:
        """Take a document out of the corpus."""
        self.documents = self.documents[:index] + self.documents[index + 1 :]
        self.documents_changed.emit()
        self._corpus_changed()

    def replace_document(self, index: int, document: CorpusDocument) -> None:
        """Put another document in the place of one."""
        self.documents = (*self.documents[:index], document, *self.documents[index + 1 :])
        self.documents_changed.emit()
        self._corpus_changed()

    def edit_document(self, index: int, text: str) -> None:
        """A document's text was edited."""
        documents = list(self.documents)
        documents[index] = replace(documents[index], content=TextDocument(text))
        self.documents = tuple(documents)
        self._corpus_changed()

    def set_recipe(self, recipe: Recipe) -> None:
        """Train by another recipe from now on."""
        if recipe != self.recipe:
            self.recipe = recipe
            self.recipe_changed.emit()
            self._corpus_changed()

    def set_special_tokens(self, tokens: Sequence[str]) -> None:
        """Cut other special tokens out of the corpus and the text from now on."""
        if tuple(tokens) != self.special_tokens:
            self.special_tokens = tuple(tokens)
            self.recipe_changed.emit()
            self._corpus_changed()

    def set_vocab_size(self, size: int) -> None:
        """Train to another number of vocabulary entries from now on."""
        if size != self.vocab_size:
            self.vocab_size = size
            self.recipe_changed.emit()

    @property
    def stale(self) -> bool:
        """Whether the run was made from another corpus, recipe or special tokens than the present ones."""
        return self._cursor.trainer is not None and self._basis != self._present_basis()

    def _present_basis(self) -> Basis:
        return Basis.of(self.documents, self.recipe, self.special_tokens)

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
        if self.activity is not Activity.IDLE:
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
                run = self._cursor.trainer
                if and_train and run and run is trainer:
                    self._train_on(run)

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
        if self.activity is Activity.COUNTING:
            self._work.abandon()

    # -- the run ----------------------------------------------------------------------------------------------------

    @property
    def trainer(self) -> Trainer | None:
        """The run, to be read only; None if there is none, or while a thread is training it.

        Now and then that thread waits, and `cursor_moved` says that it can be looked at until the signal's slots end.
        """
        return None if self._is_training and not self._training.is_looked_at else self._cursor.trainer

    @property
    def position(self) -> int:
        """The step the cursor is at."""
        return self._cursor.position

    @property
    def run_length(self) -> int:
        """How many steps are known."""
        return self._cursor.run_length

    @property
    def next_merge(self) -> Merge | None:
        """The merge that comes next, or None at the end of what can be merged."""
        return self.trainer.peek() if self.trainer else None

    @property
    def target_position(self) -> int:
        """The step at which the vocabulary is about as large as wanted."""
        trainer = self._cursor.trainer
        return max(0, trainer.position + self.vocab_size - trainer.vocab_size) if trainer else 0

    def _may_replace_run(self) -> bool:
        """A run of no steps is replaced without asking; one with steps is kept and marked as out of date."""
        return self.run_length == 0

    def _take_run(self, trainer: Trainer | None, basis: Basis | None) -> None:
        self._cursor.take(trainer)
        self._basis = basis
        self._tokenizer = None
        self.run_changed.emit()
        self._say_if_stale()
        self._encode()

    def restart(self) -> None:
        """Drop the run and begin another from the present corpus and recipe, at step 0."""
        if self._is_training:
            return
        basis = self._present_basis()
        self._take_run(None, None)
        if self.word_counts is not None and self._counted == basis and not basis.is_small:
            self._count_in_background()  # which finds it counted
        else:
            self._corpus_changed()

    def step(self) -> None:
        """Go one merge forward."""
        self.seek(self.position + 1)

    def step_back(self) -> None:
        """Go one merge back."""
        self.seek(self.position - 1)

    def first(self) -> None:
        """Go to the start."""
        self.seek(0)

    def last(self) -> None:
        """Go to the end of the run, or on to the vocabulary size that is wanted."""
        self.seek(max(self.run_length, self.target_position))

    def seek(self, position: int) -> None:
        """Send the cursor to a step, training on where the run ends before it. A long way is gone in slices."""
        if not self._is_training:
            self._cursor.seek(position)

    def _cursor_moved(self) -> None:
        self._tokenizer = None
        self.cursor_moved.emit()
        if self.opened_tokenizer is None:
            self._encode()

    # -- playing ----------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the cursor moves forward by itself."""
        return self._cursor.playing

    def play(self, steps_per_second: float) -> None:
        """Let the cursor move forward by itself."""
        if not self._is_training:
            self._cursor.play(steps_per_second)

    def pause(self) -> None:
        """Stop playing."""
        self._cursor.pause()

    # -- training ---------------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Train to `vocab_size` in the background; from the present corpus and recipe if the run is out of date."""
        if self._is_training:
            return
        self._stop_counting()
        self._cursor.halt()
        if (trainer := self._cursor.trainer) is not None and not self.stale:
            self._train_on(trainer)
        else:
            self._count_in_background(and_train=True)

    def _train_on(self, trainer: Trainer) -> None:
        size = self.vocab_size

        def done(job: Job) -> None:
            error = mistake(job)
            self._cursor.catch_up()
            if error is not None:
                self.failed.emit(error)
            if self._counted != self._present_basis():
                self._corpus_changed()

        self._work.start(Activity.TRAINING, lambda report: self._training.train(trainer, size, report), done)

    def _watch_training(self) -> None:
        """Show how far training is."""
        if not self._is_training or not self._training.may_be_looked_at:
            return
        with self._training.look():
            self._tokenizer = None
            self.cursor_moved.emit()
            self.tokenizer  # noqa: B018  # made now, it can be used when the look is over
        # In its own time, so that the window is never long without an answer, nor paints all of it at once.
        QTimer.singleShot(_ENCODE_AFTER, self, self._encode)

    # -- long work --------------------------------------------------------------------------------------------------

    @property
    def activity(self) -> Activity:
        """What long work is going on."""
        moves = self._work.activity is Activity.IDLE and self._cursor.is_on_long_way
        return Activity.MOVING if moves else self._work.activity

    @property
    def _is_training(self) -> bool:
        return self._work.activity is Activity.TRAINING

    def cancel(self) -> None:
        """Stop the long work; steps that were trained are kept."""
        self._cursor.halt()
        self._work.cancel()

    def shut_down(self) -> None:
        """Stop everything and wait for it, because the window closes."""
        self.cancel()
        self._work.wait()
        self._recount.stop()
        self._encoder.shut_down()

    def _say_if_stale(self) -> None:
        if self.stale != self._was_stale:
            self._was_stale = self.stale
            self.stale_changed.emit(self.stale)

    # -- text and tokens --------------------------------------------------------------------------------------------

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What the text is encoded with: the tokenizer that was opened, or the run as of the cursor."""
        if self.opened_tokenizer is not None:
            return self.opened_tokenizer
        if self._tokenizer is None and self.trainer is not None:
            self._tokenizer = self.trainer.tokenizer()
        return self._tokenizer

    def open_tokenizer(self, path: Path) -> None:
        """Encode with a saved tokenizer instead of the run. Raises EngineError, changing nothing."""
        self.opened_tokenizer = load(path)
        self.opened_path = path
        self.tokenizer_opened.emit()
        self._encode()

    def close_tokenizer(self) -> None:
        """Encode with the run again."""
        if self.opened_tokenizer is not None:
            self.opened_tokenizer = None
            self.opened_path = None
            self.tokenizer_opened.emit()
            self._encode()

    @property
    def live_text(self) -> LiveText:
        """The text to encode, with its tokens; its editor changes it and says so by `text_was_edited`."""
        return self._encoder.text

    @property
    def encoding_tokenizer(self) -> Tokenizer | None:
        """What `live_text` has its tokens from: `tokenizer`, or one of a moment ago while training is watched."""
        return self._encoder.tokenizer

    @property
    def text(self) -> str:
        """The text to encode."""
        return str(self._encoder.text)

    def set_text(self, text: str) -> None:
        """Encode another text, and have its editor show it."""
        try:
            check_surrogates(text)
        except EngineError as error:
            self.failed.emit(error)
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.set_live_text(LiveText(text))

    def set_live_text(self, text: LiveText) -> None:
        """Encode another text, and have its editor show it."""
        self._encoder.set_text(text)
        self.text_changed.emit()

    def text_was_edited(self) -> None:
        """The text to encode was edited in place."""
        self._encoder.text_was_edited()
        self.text_edited.emit()

    @property
    def encoding(self) -> Encoding | None:
        """The ids of the text, `UNKNOWN_ID` where a symbol has none; None while or if they cannot be had."""
        text = self._encoder.text
        if not text.is_encoded:
            return None
        ids, starts, stops = text.tokens(0, text.known())
        return Encoding(ids.tolist(), list(zip(starts.tolist(), stops.tolist(), strict=True)))

    @property
    def encode_error(self) -> EngineError | None:
        """Why the text cannot be encoded."""
        return self._encoder.error

    def _encode(self) -> None:
        self._encoder.encode_with(self.tokenizer)
