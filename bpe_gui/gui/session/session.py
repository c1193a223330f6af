"""The one document of the window. Panels ask its parts to act, and listen to the facts that they announce."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from bpe_gui.engine import Recipe, RunUntil, TextDocument
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.background.jobs import JobRunner, Report
from bpe_gui.samples import Sample

from .corpus import SessionCorpus
from .corpus_counter import CorpusCounter
from .corpus_document import CorpusDocument
from .cursor import Cursor
from .encoded_text import EncodedText
from .history import ChangeKind, History
from .run import KeptRun, Run
from .selection import Selection
from .session_work import SessionWork
from .tokenizers.tokenizer_loader import TokenizerLoader

_ENCODE_AFTER: Final = 50  # milliseconds after a look at the training


class Session(QObject):
    """Everything on screen is a function of it: of the corpus, the recipe, the step and the text.

    Its parts form a chain; each one knows only those before it:

    - `corpus`: the documents, the recipe, the special tokens and the vocabulary size.
    - `run`: the trainer and its training, made from the corpus.
    - `opened`: the tokenizers that were opened from files, one of which may be shown in place of the run.
    - `cursor`: the step that is shown, of the opened tokenizer or else of the run, and the tokenizer as of that step.
    - `selection`: the token or pair that the user follows through all panels.
    - `counts`: the counts of the words of the corpus, from which it makes runs.
    - `text`: the text to encode, with its tokens by the tokenizer of the cursor.
    - `history`: the changes of them that can be undone.
    - `work`: the long work that is going on in any of them.

    The session itself has only what takes several parts. `failed(error)`: an EngineError that the user should see;
    nothing was changed.
    """

    failed = Signal(object)

    def __init__(
        self, parent: QObject | None = None, *, before_much_work: Callable[[Report], None] = lambda report: None
    ) -> None:
        """`before_much_work` is called in a thread before much text is processed, and may wait, reporting (0, 0)."""
        super().__init__(parent)
        self.before_much_work: Final = before_much_work
        self._jobs = JobRunner(self)
        self.corpus = SessionCorpus(self)
        self.run = Run(self.corpus, self._jobs, self)
        self.opened = TokenizerLoader(self)
        self.cursor = Cursor(self.run, self.opened, self)
        self.selection = Selection(self.cursor, self)
        self.counts = CorpusCounter(self.corpus, self.run, self.cursor, self._jobs, before_much_work, self)
        self.text = EncodedText(before_much_work, self)
        self.history = History(self.corpus, self.run, self.text, self._bring_back_run, self)
        self.work = SessionWork(self.opened, self._jobs, self.cursor, self)
        for part in (self.run, self.opened, self.counts, self.text):
            part.failed.connect(self.failed)
        self.cursor.tokenizer_changed.connect(self._encode_soon)
        # Queued, so that a look is not added to the time that the progress bar takes.
        self._jobs.progressed.connect(self._watch_training, Qt.ConnectionType.QueuedConnection)

    def load(
        self,
        documents: Iterable[CorpusDocument],
        recipe: Recipe,
        special_tokens: Iterable[str],
        vocab_size: int,
        text: LiveText,
    ) -> None:
        """Replace corpus, recipe, special tokens, size and text, and begin a new run and a new history."""
        with self.history.begin_anew():
            self._load(documents, recipe, special_tokens, vocab_size, text)

    def _load(
        self,
        documents: Iterable[CorpusDocument],
        recipe: Recipe,
        special_tokens: Iterable[str],
        vocab_size: int,
        text: LiveText,
    ) -> None:
        self.run.replace(None)  # first, for its thread goes on for a moment and nobody may see what it trains
        self._jobs.abandon()
        self.selection.clear()
        self.text.set_live(text)
        self.opened.show_run()
        self.corpus.load(documents, recipe, special_tokens, vocab_size)

    def load_sample(self, sample: Sample, title: str) -> None:
        """Replace corpus, recipe, special tokens, size and text with a sample's, and begin a new run."""
        document = CorpusDocument(title, TextDocument(sample.read()))
        recipe = Recipe.of(sample.recipe)
        with self.history.group(ChangeKind.SAMPLE, drops_run=True):
            self._load([document], recipe, sample.special_tokens, self.corpus.vocab_size, LiveText(sample.text))
            if (trainer := self.run.trainer) is not None:
                self.corpus.set_vocab_size(sample.vocab_size or trainer.initial_size + (sample.num_merges or 0))
        self.corpus.remember_sample_settings()

    def replace_documents(self, documents: Iterable[CorpusDocument]) -> None:
        """Replace the documents, and begin a new run; the text to encode and an opened tokenizer stay."""
        with self.history.group(ChangeKind.OPENING, drops_run=True):
            self.run.replace(None)  # first, as in `_load`
            self._jobs.abandon()
            self.selection.clear()
            self.corpus.add_documents(documents, instead=True)

    def replace_text(self, text: LiveText) -> None:
        """Replace the text to encode."""
        with self.history.group(ChangeKind.TEXT):
            self.text.set_live(text)

    def _bring_back_run(self, kept: KeptRun | None) -> None:
        """Replace the run by one that was dropped, or if that was not kept, by a new one at step 0."""
        self.opened.show_run()
        self.run.replace(None)  # first, as in `_load`
        self._jobs.abandon()
        self._jobs.wait()  # for the thread that may still be training what is brought back
        if kept is None:
            self.counts.restart()
        else:
            self.run.bring_back(kept)

    def restart(self) -> None:
        """Drop the run and begin another from the present corpus and recipe, at step 0."""
        if not self.run.is_training:
            self.opened.show_run()
            with self.history.group(ChangeKind.RESTART, drops_run=True):
                self.counts.restart()

    def train(self) -> None:
        """Train in a thread to the wanted vocabulary size, in a new run if the present one is stale."""
        self.opened.show_run()
        if self.run.is_training:
            return
        self.counts.stop()
        self.cursor.halt()
        if self.run.exists and not self.run.is_stale:
            self.run.train()
        else:
            self.counts.make_run(then=partial(self._train_new_run, self.run.keep()))

    def run_until(self, condition: RunUntil) -> None:
        """Train in a thread to the first step, from the present one on, at which a condition holds."""
        if self.run.trainer is not None:
            self.counts.stop()
            self.cursor.halt()
            self.run.train(until=condition)

    def _train_new_run(self, dropped: KeptRun | None) -> None:
        if dropped is not None:
            self.history.record_dropped_run(dropped)
        self.run.train()

    def shut_down(self) -> None:
        """Stop everything and wait for the threads, because the window closes."""
        self.opened.stop_reading()
        self.work.cancel()
        self._jobs.wait()
        self.opened.shut_down()
        self.text.shut_down()
        self.counts.stop()

    def _watch_training(self) -> None:
        if self.cursor.is_following_training and self.run.may_be_looked_at:
            with self.run.look():
                self.cursor.catch_up()

    def _encode_soon(self) -> None:
        if self.run.is_looked_at:
            self.cursor.tokenizer  # noqa: B018  # built during the look, it is available afterwards
            # Later, so that the window neither blocks for long nor repaints everything at once.
            QTimer.singleShot(_ENCODE_AFTER, self, self._encode)
        else:
            self._encode()

    def _encode(self) -> None:
        self.text.encode_with(self.cursor.tokenizer)
