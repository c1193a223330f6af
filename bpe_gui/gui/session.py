"""The one document: corpus, recipe, run, cursor and text. Panels ask it to act and listen to what it says happened."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import (
    Corpus,
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
from bpe_gui.samples import Sample

from .jobs import Cancelled, Job, Report

LARGE_FILE: Final = 5_000_000
"""Bytes from which on a file is listed with a preview instead of being poured into the editor."""

UNKNOWN_ID: Final = -1
"""Stands in an encoding for a symbol that has no id."""

_AT_ONCE: Final = 20_000  # characters that are counted or encoded within a key stroke
_SLICE: Final = 0.025  # seconds that moving the cursor may take before the window gets a turn


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the corpus: what is counted, and what people call it."""

    title: str
    content: Document
    path: Path | None = None


class Activity(Enum):
    """What long work is going on."""

    IDLE = "idle"
    COUNTING = "counting"
    TRAINING = "training"


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a run is a function of."""

    contents: tuple[Document, ...]
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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.documents: tuple[CorpusDocument, ...] = ()
        self.recipe = Recipe.of("cs336")
        self.special_tokens: tuple[str, ...] = ()
        self.vocab_size = 1000
        self.word_counts: WordCounts | None = None
        self.count_error: EngineError | None = None
        self.activity = Activity.IDLE
        self.text = ""
        self.encoding: Encoding | None = None
        self.encode_error: EngineError | None = None
        self.opened_tokenizer: Tokenizer | None = None
        self.opened_path: Path | None = None
        self._trainer: Trainer | None = None
        self._basis: _Basis | None = None
        self._counted: _Basis | None = None
        self._was_stale = False
        self._tokenizer: Tokenizer | None = None
        self._job: Job | None = None
        self._encode_job: Job | None = None
        self._wanted = 0  # the step that the cursor is on its way to
        self._moving = QTimer(self, singleShot=True, interval=0)
        self._moving.timeout.connect(self._move)
        self._player = QTimer(self)
        self._player.timeout.connect(self._play_on)
        self._steps_per_tick = 1
        self._recount = QTimer(self, singleShot=True, interval=400)
        self._recount.timeout.connect(self._count_in_background)

    # -- corpus -----------------------------------------------------------------------------------------------------

    def load_sample(self, sample: Sample, title: str) -> None:
        """Replace corpus, recipe, special tokens, size and text by those of a sample, and begin a new run."""
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

    def add_documents(self, documents: Iterable[CorpusDocument], *, instead: bool = False) -> None:
        """Add documents at the end of the corpus, or put them in place of all there are."""
        self.documents = (() if instead else self.documents) + tuple(documents)
        self.documents_changed.emit()
        self._corpus_changed()

    def remove_document(self, index: int) -> None:
        """Take a document out of the corpus."""
        self.documents = self.documents[:index] + self.documents[index + 1 :]
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
            return CorpusDocument(path.name, file, path)
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
        contents = tuple(document.content for document in self.documents)
        return _Basis(contents, self.recipe, self.special_tokens)

    def _corpus_changed(self) -> None:
        """Count anew: at once if that is a matter of milliseconds, else after a pause and in the background."""
        self._say_if_stale()
        if self.activity is Activity.TRAINING:
            return  # counted when the training ends
        self._stop_counting()
        if self._size_at_once() <= _AT_ONCE:
            self._count_now()
        else:
            self.word_counts, self.count_error = None, None
            self.counts_changed.emit()
            self._recount.start()

    def _size_at_once(self) -> int:
        contents = (document.content for document in self.documents)
        return sum(len(c.text) if isinstance(c, TextDocument) else LARGE_FILE for c in contents)

    def _count_now(self) -> None:
        basis = self._present_basis()
        self._take_counts(basis, self._attempt(lambda: _count(basis, None)))

    def _count_in_background(self) -> None:
        if self.activity is not Activity.IDLE:
            return
        basis = self._present_basis()
        wants_run = self._may_replace_run()

        def work(report: Report) -> tuple[WordCounts, Trainer | None]:
            counts = _count(basis, report)
            return counts, Trainer(counts, basis.recipe) if wants_run else None

        def done(job: Job) -> None:
            if job.error is not None:
                self._take_counts(basis, self._outcome_error(job))
            elif isinstance(job.result, tuple):
                self._take_counts(basis, job.result[0], job.result[1])

        self._start(Activity.COUNTING, work, done)

    def _take_counts(
        self, basis: _Basis, counts: "WordCounts | EngineError | None", trainer: Trainer | None = None
    ) -> None:
        self.count_error = counts if isinstance(counts, EngineError) else None
        self.word_counts = counts if isinstance(counts, WordCounts) else None
        self._counted = basis
        if self._may_replace_run():
            if self.word_counts is not None:
                self._begin_run(trainer or Trainer(self.word_counts, basis.recipe), basis)
            else:
                self._discard_run()
        self.counts_changed.emit()

    def _stop_counting(self) -> None:
        self._recount.stop()
        if self.activity is Activity.COUNTING:
            self.cancel()
            self._wait_for_job()

    # -- the run ----------------------------------------------------------------------------------------------------

    @property
    def trainer(self) -> Trainer | None:
        """The run, to be read only; None if there is none, or while a thread is training it."""
        return None if self.activity is Activity.TRAINING else self._trainer

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
        self.pause()
        self._moving.stop()
        self._trainer = trainer
        self._basis = basis
        self._wanted = 0
        self._tokenizer = None
        self.run_changed.emit()
        self._say_if_stale()
        self._encode()

    def _discard_run(self) -> None:
        self.pause()
        self._moving.stop()
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
        before = trainer.position, trainer.run_length
        end = monotonic() + _SLICE
        moved = True
        while moved and trainer.position != self._wanted and monotonic() < end:
            moved = (trainer.step() if trainer.position < self._wanted else trainer.step_back()) is not None
        if not moved:
            self._wanted = trainer.position
            self.pause()
        if trainer.position != self._wanted:
            self._moving.start()
        if before != (trainer.position, trainer.run_length):
            self._cursor_moved()

    def _cursor_moved(self) -> None:
        self._tokenizer = None
        self.cursor_moved.emit()
        if self.opened_tokenizer is None:
            self._encode()

    # -- playing ----------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the cursor moves forward by itself."""
        return self._player.isActive()

    def play(self, steps_per_second: float) -> None:
        """Let the cursor move forward by itself, painting at most 30 times a second."""
        if self.trainer is None:
            return
        self._steps_per_tick = max(1, round(steps_per_second / 30))
        self._player.start(round(1000 * self._steps_per_tick / steps_per_second))
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop playing."""
        if self._player.isActive():
            self._player.stop()
            self.playing_changed.emit(False)

    def _play_on(self) -> None:
        if not self._moving.isActive():
            self.seek(self.position + self._steps_per_tick)

    # -- training ---------------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Train to `vocab_size` in the background; from the present corpus and recipe if the run is out of date."""
        if self.activity is Activity.TRAINING:
            return
        self._stop_counting()
        self.pause()
        self._moving.stop()
        basis = self._present_basis()
        kept = self._trainer if self._basis == basis else None
        counts = self.word_counts if self._counted == basis else None
        size = self.vocab_size
        made: list[Trainer] = []

        def work(report: Report) -> None:
            trainer = kept or Trainer(counts or _count(basis, report), basis.recipe)
            made.append(trainer)
            trainer.seek(trainer.run_length)
            for done, total in train_to(trainer, vocab_size=size):
                report(done, total)

        def done(job: Job) -> None:
            error = self._outcome_error(job)
            trainer = made[0] if made else None
            if trainer is not None and (trainer is kept or error is None or trainer.position):
                self._take_trained(trainer, basis)
            if error is not None:
                self.failed.emit(error)
            if self._counted != self._present_basis():
                self._corpus_changed()

        self._start(Activity.TRAINING, work, done)

    def _take_trained(self, trainer: Trainer, basis: _Basis) -> None:
        if trainer is not self._trainer:
            self.word_counts, self._counted = trainer.word_counts, basis
            self._begin_run(trainer, basis)
            self.counts_changed.emit()
        self._wanted = trainer.position
        self._cursor_moved()

    # -- long work --------------------------------------------------------------------------------------------------

    def cancel(self) -> None:
        """Stop the long work; steps that were trained are kept."""
        if self._job:
            self._job.cancel()

    def shut_down(self) -> None:
        """Stop everything and wait for it, because the window closes."""
        self.pause()
        self._moving.stop()
        self._recount.stop()
        self.cancel()
        self._wait_for_job()
        if self._encode_job:
            self._encode_job.cancel()
            self._encode_job.wait()

    def _start(self, activity: Activity, work: Callable[[Report], object], done: Callable[[Job], None]) -> None:
        job = Job(work, self)
        self._job = job
        self._when_done = done
        job.progressed.connect(self.progressed)
        job.finished.connect(self._job_finished)
        self.activity = activity
        self.activity_changed.emit()
        job.start()

    def _job_finished(self) -> None:
        job = self._job
        if job is None or not job.isFinished():
            return  # heard already, while waiting for it
        self._job = None
        self.activity = Activity.IDLE
        self._when_done(job)
        job.deleteLater()
        self.activity_changed.emit()

    def _wait_for_job(self) -> None:
        if self._job:
            self._job.wait()
            self._job_finished()

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

    def _encode(self) -> None:
        if self._encode_job:
            self._encode_job.cancel()
        tokenizer = self.tokenizer
        self.encode_error = None
        if tokenizer is None:
            self.encoding = None
            self.encoding_changed.emit()
        elif len(self.text) <= _AT_ONCE:
            try:
                self.encoding = tokenizer.with_unknown_id(UNKNOWN_ID).encoding(self.text)
            except EngineError as error:
                self.encoding, self.encode_error = None, error
            self.encoding_changed.emit()
        else:
            self._encode_in_background()

    def _encode_in_background(self) -> None:
        self.encoding = None
        self.encoding_changed.emit()
        if self._encode_job:
            return  # when it ends, the newest text is next
        tokenizer, text = self.tokenizer, self.text
        if tokenizer is None:
            return
        lenient = tokenizer.with_unknown_id(UNKNOWN_ID)

        def work(report: Report) -> Encoding:
            return lenient.encoding(text)

        job = Job(work, self)
        self._encode_job = job
        job.finished.connect(lambda: self._take_encoding(job, tokenizer, text))
        job.start()

    def _take_encoding(self, job: Job, tokenizer: Tokenizer, text: str) -> None:
        self._encode_job = None
        error = self._outcome_error(job)
        if tokenizer is self.tokenizer and text == self.text:
            self.encoding = job.result if isinstance(job.result, Encoding) else None
            self.encode_error = error
            self.encoding_changed.emit()
        else:
            self._encode()
        job.deleteLater()


def _count(basis: _Basis, report: Report | None) -> WordCounts:
    return Corpus(basis.contents).count(basis.recipe, basis.special_tokens, report)
