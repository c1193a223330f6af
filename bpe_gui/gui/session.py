"""The one document: corpus, recipe, run, cursor and text. Panels ask it to act and listen to what it says happened."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from bpe_gui.engine import (
    SPLITTERS,
    Corpus,
    CorpusError,
    Document,
    Encoding,
    EngineError,
    FileDocument,
    Merge,
    Recipe,
    TextDocument,
    Tokenizer,
    Trainer,
    WordCounts,
    load,
    train_to,
)
from bpe_gui.engine.errors import translatable as _
from bpe_gui.samples import Sample

from .jobs import Cancelled, Job, OneJob, Report, Turns
from .live_encoder import LiveEncoder
from .player import Player

LARGE_FILE: Final = 5_000_000
"""Bytes from which on a file is listed with a preview instead of being poured into the editor."""

_AT_ONCE: Final = 20_000  # characters that are counted within a key stroke
_LARGE_CORPUS: Final = 100_000  # characters
_MUCH: Final = 1_000_000  # characters: worth waiting for compiled code
_SMALL_VOCABULARY: Final = 1_000
_LARGE_VOCABULARY: Final = 10_000
_SLICE: Final = 0.025  # seconds that moving the cursor may take before the window gets a turn
_ENCODE_AFTER: Final = 50  # milliseconds after a look
_LOOK_EVERY: Final = 0.1  # seconds between two looks at a run that is trained, or at a cursor on a long way


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the corpus: what is counted, and what people call it."""

    title: str
    content: Document
    path: Path | None = None
    state: tuple[int, ...] = ()
    """Of a file that is read again and again: what tells whether it is still the same one."""


class Activity(Enum):
    """What long work is going on."""

    IDLE = "idle"
    COUNTING = "counting"
    TRAINING = "training"
    MOVING = "moving"
    """The cursor is on a long way."""


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a run is a function of."""

    contents: tuple[tuple[Document, tuple[int, ...]], ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]


class Session(QObject):
    """The document of the window; everything on screen is a function of it.

    Whoever wants something done calls a method. The signals state facts:

    - `documents_changed`: documents were added, removed, renamed or replaced (not edited in place).
    - `recipe_changed`: the recipe, the special tokens or the vocabulary size to train to.
    - `counts_changed`: `word_counts` is new, or None because counting is going on or failed.
    - `run_changed`: another run (or none); the cursor is at its start.
    - `cursor_moved`: the cursor moved, or the run became longer.
    - `stale_changed`: whether the run was made from another corpus or recipe than the present ones.
    - `text_changed`: the text to encode was set by somebody other than its editor.
    - `encoding_changed`: `encoding` is new, for another text or another tokenizer; None while it is computed.
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
        self.activity = Activity.IDLE
        self.text = ""
        self.opened_tokenizer: Tokenizer | None = None
        self.opened_path: Path | None = None
        self._trainer: Trainer | None = None
        self._basis: _Basis | None = None
        self._counted: _Basis | None = None
        self._was_stale = False
        self._tokenizer: Tokenizer | None = None
        self._background = OneJob(self)
        self._background.progressed.connect(self.progressed)
        # Queued, so that a look is not added to what the progress bar takes.
        self._background.progressed.connect(self._watch_training, Qt.ConnectionType.QueuedConnection)
        self._turns = Turns()
        self._looking = False  # the thread that trains waits
        self._next_look = 0.0
        self._shown = 0, 0  # the position and the length of the run when they were last told of
        self._encoder = LiveEncoder(self)
        self._encoder.changed.connect(self.encoding_changed)
        self._wanted = 0  # the step that the cursor is on its way to
        self._moving = QTimer(self, singleShot=True, interval=0)
        self._moving.timeout.connect(self._move)
        self._player = Player(self)
        self._player.tick.connect(self._play_on)
        self._player.playing_changed.connect(self.playing_changed)
        self._recount = QTimer(self, singleShot=True, interval=400)
        self._recount.timeout.connect(self._count_in_background)

    # -- corpus -----------------------------------------------------------------------------------------------------

    def load_sample(self, sample: Sample, title: str) -> None:
        """Replace corpus, recipe, special tokens, size and text by those of a sample, and begin a new run."""
        self._abandon_work()
        self.documents = (CorpusDocument(title, TextDocument(sample.read())),)
        self.recipe = Recipe.of(sample.recipe)
        self.special_tokens = sample.special_tokens
        self.set_text(sample.text)
        self.close_tokenizer()
        self._discard_run()
        self.documents_changed.emit()
        self.recipe_changed.emit()
        self._corpus_changed()
        if self._trainer:
            self.set_vocab_size(sample.vocab_size or self._trainer.initial_size + (sample.num_merges or 0))
        self._of_sample = self.recipe, self.vocab_size

    def add_documents(self, documents: Iterable[CorpusDocument], *, instead: bool = False) -> None:
        """Add documents at the end of the corpus, or put them in place of all there are.

        What stood there was a sample then, most likely: a recipe and a size that are still the sample's make room, too.
        """
        self.documents = (() if instead else self.documents) + tuple(documents)
        if instead and (self.recipe, self.vocab_size) == self._of_sample:
            self.recipe = Recipe.of("cs336")
            self.vocab_size = _SMALL_VOCABULARY if self._characters() < _LARGE_CORPUS else _LARGE_VOCABULARY
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

    def read_file(self, path: Path, encoding: str | None = None, replace_invalid: bool = False) -> CorpusDocument:
        """A file as a document: as text, or if it is large, by its path. Raises EngineError, changing nothing."""
        file = FileDocument(path, encoding, replace_invalid)
        if file.size() > LARGE_FILE:
            next(file.chunks(), "")  # so that a file that is no text is refused now
            status = path.stat()
            return CorpusDocument(path.name, file, path, (status.st_size, status.st_mtime_ns, status.st_ino))
        return CorpusDocument(path.name, TextDocument("".join(file.chunks())), path)

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
        return self._trainer is not None and self._basis != self._present_basis()

    def _present_basis(self) -> _Basis:
        contents = tuple((document.content, document.state) for document in self.documents)
        return _Basis(contents, self.recipe, self.special_tokens)

    def _corpus_changed(self) -> None:
        """Count anew: at once if that is a matter of milliseconds, else after a pause and in the background."""
        self._say_if_stale()
        if self.activity is not Activity.TRAINING:
            self._stop_counting()
            if self._counts_at_once():
                self._count_now()
                return
            self._recount.start()  # while it trains, the counting waits for its end
        self.word_counts = self.count_error = self._counted = None
        self.counts_changed.emit()

    def _counts_at_once(self) -> bool:
        # A pattern of the user's own may take any time.
        return self._characters() <= _AT_ONCE and self.recipe.splitter in SPLITTERS

    def _characters(self) -> int:
        """How many there are, about: a large file is large, whatever is in it."""
        contents = (document.content for document in self.documents)
        return sum(len(c.text) if isinstance(c, TextDocument) else LARGE_FILE for c in contents)

    def _count_now(self) -> None:
        basis = self._present_basis()
        self._take_counts(basis, self._attempt(lambda: _count(basis, None)))

    def _count_in_background(self, *, and_train: bool = False) -> None:
        """Count, and set a run up if there is none to keep; or in any case, to train it next."""
        if self.activity is not Activity.IDLE:
            self._recount.start()  # later
            return
        basis = self._present_basis()
        counted = self.word_counts if self._counted == basis else None
        wants_run = and_train or self._may_replace_run()
        large = self._characters() >= _MUCH

        def work(report: Report) -> tuple[WordCounts, Trainer | None]:
            if large:
                self._before_much_work(report)
            counts = counted or _count(basis, report)
            return counts, _set_up(counts, basis, report) if wants_run else None

        def done(job: Job) -> None:
            if isinstance(job.error, Cancelled):
                # The run that there is stays, and is marked as out of date.
                self.count_error = CorpusError(
                    _("EngineError", "Counting was cancelled. Training, or starting over, counts again.")
                )
                self.counts_changed.emit()
            elif job.error is not None:
                error = self._outcome_error(job)
                self._take_counts(basis, error)
                if and_train:
                    self.failed.emit(error)
            elif isinstance(job.result, tuple):
                self._take_counts(basis, job.result[0], job.result[1])
                if and_train and self._trainer is job.result[1]:
                    self._train_on(self._trainer)

        self._start(Activity.COUNTING, work, done)

    def _take_counts(
        self, basis: _Basis, counts: "WordCounts | EngineError | None", trainer: Trainer | None = None
    ) -> None:
        self.count_error = counts if isinstance(counts, EngineError) else None
        self.word_counts = counts if isinstance(counts, WordCounts) else None
        self._counted = basis
        if self.word_counts is not None and (trainer or self._may_replace_run()):
            self._begin_run(trainer or Trainer(self.word_counts, basis.recipe), basis)
        elif self.word_counts is None and self._may_replace_run():
            self._discard_run()
        self.counts_changed.emit()

    def _stop_counting(self) -> None:
        self._recount.stop()
        if self.activity is Activity.COUNTING:
            self._abandon_work()

    # -- the run ----------------------------------------------------------------------------------------------------

    @property
    def trainer(self) -> Trainer | None:
        """The run, to be read only; None if there is none, or while a thread is training it.

        Now and then that thread waits, and `cursor_moved` says that it can be looked at until the signal's slots end.
        """
        return None if self.activity is Activity.TRAINING and not self._looking else self._trainer

    @property
    def position(self) -> int:
        """The step the cursor is at."""
        return self._trainer.position if self._trainer else 0

    @property
    def run_length(self) -> int:
        """How many steps are known."""
        return self._trainer.run_length if self._trainer else 0

    @property
    def next_merge(self) -> Merge | None:
        """The merge that comes next, or None at the end of what can be merged."""
        return self.trainer.peek() if self.trainer else None

    @property
    def target_position(self) -> int:
        """The step at which the vocabulary is about as large as wanted."""
        if self._trainer is None:
            return 0
        return max(0, self._trainer.position + self.vocab_size - self._trainer.vocab_size)

    def _may_replace_run(self) -> bool:
        """A run of no steps is replaced without asking; one with steps is kept and marked as out of date."""
        return self._trainer is None or self._trainer.run_length == 0

    def _begin_run(self, trainer: Trainer, basis: _Basis) -> None:
        self._halt()
        self._trainer = trainer
        self._basis = basis
        self._wanted = 0
        self._shown = 0, 0
        self._tokenizer = None
        self.run_changed.emit()
        self._say_if_stale()
        self._encode()

    def _discard_run(self) -> None:
        self._halt()
        self._trainer = None
        self._basis = None
        self._tokenizer = None
        self.run_changed.emit()
        self._say_if_stale()
        self._encode()

    def restart(self) -> None:
        """Drop the run and begin another from the present corpus and recipe, at step 0."""
        if self.activity is Activity.TRAINING:
            return
        self._discard_run()
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
        self._wanted = max(0, position)
        self._moving.stop()
        self._move()

    def _move(self) -> None:
        trainer = self.trainer
        if trainer is None:
            return
        end = monotonic() + _SLICE
        arrived = False
        while not arrived and monotonic() < end:
            arrived = trainer.approach(self._wanted)
        if arrived and trainer.position != self._wanted:  # nothing is left to merge
            self._wanted = trainer.position
            self.pause()
        if trainer.position != self._wanted:
            self._move_on(trainer.position)
        else:
            self._arrive()
        # On a long way, showing every slice would take longer than going.
        on_the_way = trainer.position != self._wanted and monotonic() < self._next_look
        if self._shown != (trainer.position, trainer.run_length) and not on_the_way:
            self._cursor_moved()
            self._next_look = monotonic() + _LOOK_EVERY

    def _move_on(self, position: int) -> None:
        self._moving.start()
        if self.activity is Activity.IDLE:
            self.activity = Activity.MOVING
            self.activity_changed.emit()
        if position < self._wanted:
            self.progressed.emit(position, min(self._wanted, 2**31 - 1))

    def _arrive(self) -> None:
        self._moving.stop()
        if self.activity is Activity.MOVING:
            self.activity = Activity.IDLE
            self.activity_changed.emit()

    def _halt(self) -> None:
        """Let the cursor stay where it is."""
        self.pause()
        self._wanted = self.position
        self._arrive()

    def _cursor_moved(self) -> None:
        self._shown = self.position, self.run_length
        self._tokenizer = None
        self.cursor_moved.emit()
        if self.opened_tokenizer is None:
            self._encode()

    # -- playing ----------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the cursor moves forward by itself."""
        return self._player.playing

    def play(self, steps_per_second: float) -> None:
        """Let the cursor move forward by itself."""
        if self.trainer is not None:
            self._player.play(steps_per_second)

    def pause(self) -> None:
        """Stop playing."""
        self._player.pause()

    def _play_on(self, steps: int) -> None:
        if not self._moving.isActive():
            self.seek(self.position + steps)

    # -- training ---------------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Train to `vocab_size` in the background; from the present corpus and recipe if the run is out of date."""
        if self.activity is Activity.TRAINING:
            return
        self._stop_counting()
        self._halt()
        if self._trainer is not None and not self.stale:
            self._train_on(self._trainer)
        else:
            self._count_in_background(and_train=True)

    def _train_on(self, trainer: Trainer) -> None:
        size = self.vocab_size
        turns = self._turns

        def work(report: Report) -> None:
            steps = _steps_to(trainer, size)
            while True:
                with turns.work():
                    progress = next(steps, None)
                    trainer.tokenizer().entries()  # made here, bit by bit, they cost the window no time
                if progress is None:
                    break
                report(*progress)

        def done(job: Job) -> None:
            error = self._outcome_error(job)
            self._wanted = trainer.position
            self._cursor_moved()
            if error is not None:
                self.failed.emit(error)
            if self._counted != self._present_basis():
                self._corpus_changed()

        self._start(Activity.TRAINING, work, done)

    def _watch_training(self) -> None:
        """Show how far training is, but leave it most of the time."""
        if self.activity is not Activity.TRAINING or monotonic() < self._next_look:
            return
        with self._turns.look():
            self._looking = True
            try:
                self._tokenizer = None
                self.cursor_moved.emit()
                self.tokenizer  # noqa: B018  # made now, it can be used when the look is over
            finally:
                self._looking = False
        # In its own time, so that the window is never long without an answer, nor paints all of it at once.
        QTimer.singleShot(_ENCODE_AFTER, self, self._encode)
        self._next_look = monotonic() + _LOOK_EVERY

    # -- long work --------------------------------------------------------------------------------------------------

    def cancel(self) -> None:
        """Stop the long work; steps that were trained are kept."""
        self._halt()
        self._background.cancel()

    def _abandon_work(self) -> None:
        """Stop the long work, and throw away what comes of it."""
        self._background.abandon()
        if self.activity in (Activity.COUNTING, Activity.TRAINING):
            self.activity = Activity.IDLE
            self.activity_changed.emit()

    def shut_down(self) -> None:
        """Stop everything and wait for it, because the window closes."""
        self.cancel()
        self._background.wait()
        self._recount.stop()
        self._encoder.shut_down()

    def _start(self, activity: Activity, work: Callable[[Report], object], done: Callable[[Job], None]) -> None:
        def ended(job: Job) -> None:
            self.activity = Activity.IDLE
            try:
                done(job)
            finally:
                self.activity_changed.emit()

        self._background.start(work, ended)
        self.activity = activity
        self.activity_changed.emit()

    def _outcome_error(self, job: Job) -> EngineError | None:
        """The user's mistake, or None; a cancelled job is no mistake, and anything else is ours."""
        if job.error is None or isinstance(job.error, Cancelled):
            return None
        if isinstance(job.error, EngineError):
            return job.error
        raise job.error

    def _attempt(self, work: Callable[[], WordCounts]) -> WordCounts | EngineError:
        try:
            return work()
        except EngineError as error:
            return error

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

    def set_text(self, text: str) -> None:
        """Encode another text, and have its editor show it."""
        self.text = text
        self.text_changed.emit()
        self._encode()

    def edit_text(self, text: str) -> None:
        """The text to encode was edited."""
        self.text = text
        self._encode()

    @property
    def encoding(self) -> Encoding | None:
        """The ids of the text, `UNKNOWN_ID` where a symbol has none; None while it is computed, or after an error."""
        return self._encoder.encoding

    @property
    def encode_error(self) -> EngineError | None:
        """Why the text cannot be encoded."""
        return self._encoder.error

    def _encode(self) -> None:
        self._encoder.encode(self.tokenizer, self.text)


def _steps_to(trainer: Trainer, vocab_size: int) -> Iterator[tuple[int, int]]:
    """To the end of what is known, and on to a size; gives (merges done, expected at the end) in between."""
    while not trainer.approach(trainer.run_length):
        yield trainer.position, trainer.run_length
    yield from train_to(trainer, vocab_size=vocab_size)


def _set_up(counts: WordCounts, basis: _Basis, report: Report) -> Trainer:
    """A run at step 0. The counting is over, so what is reported stays at the end; but it can be cancelled."""
    trainer = Trainer(counts, basis.recipe, progress=lambda _done, _total: report(1, 1))
    trainer.words(1)  # sorts them: here, it costs the window no time
    return trainer


def _count(basis: _Basis, report: Report | None) -> WordCounts:
    corpus = Corpus(tuple(content for content, _state in basis.contents))
    return corpus.count(basis.recipe, basis.special_tokens, report)
