"""Train recipes on the corpus, to compare with."""

from collections import deque
from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, Progress, Recipe, Tokenizer, train
from bpe_gui.gui.jobs import Activity, JobRunner
from bpe_gui.gui.session.corpus import RunInputs
from bpe_gui.gui.session.session import Session

from .compared import TrainedRecipe


class RecipeTrainer(JobRunner):
    """Trains one recipe after another in a thread, and remembers what it has trained.

    - `made(origin, tokenizer)`: a tokenizer is ready.
    - `failed(origin, error)`: one cannot be made; the others still will be.
    - `cancelled(left)`: the user cancelled, and this many were left.
    """

    made = Signal(object, object)
    failed = Signal(object, object)
    cancelled = Signal(int)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._trained: list[tuple[TrainedRecipe, Tokenizer]] = []
        self._to_train: deque[TrainedRecipe] = deque()
        self.current: TrainedRecipe | None = None
        """The recipe being trained, or None."""
        self._done = 0

    @property
    def position(self) -> tuple[int, int]:
        """The number of the current one, from 1, and how many were requested together."""
        return self._done + 1, self._done + 1 + len(self._to_train)

    def train(self, recipes: Iterable[Recipe]) -> None:
        """Train recipes on the corpus, to the run's target vocabulary size."""
        corpus = self._session.corpus
        for recipe in recipes:
            inputs = RunInputs.of(corpus.documents, recipe, corpus.special_tokens)
            origin = TrainedRecipe(inputs, corpus.vocab_size)
            known = next((tokenizer for each, tokenizer in self._trained if each == origin), None)
            if known is not None:
                self.made.emit(origin, known)
            else:
                self._to_train.append(origin)
        if self.current is None:
            self._done = 0
            self._start_next()

    def _start_next(self) -> None:
        self.current = origin = self._to_train.popleft() if self._to_train else None
        if origin is not None:
            self.start(
                name="train a recipe to compare with",
                work=partial(_train, origin),
                on_success=partial(self._take, origin),
                on_error=partial(self._take_error, origin),
                on_cancel=self._take_cancellation,
                activity=Activity.TRAINING,
            )

    def _take(self, origin: TrainedRecipe, tokenizer: Tokenizer) -> None:
        self._trained.append((origin, tokenizer))
        self.made.emit(origin, tokenizer)
        self._done += 1
        self._start_next()

    def _take_error(self, origin: TrainedRecipe, error: EngineError) -> None:
        self.failed.emit(origin, error)
        self._done += 1
        self._start_next()

    def _take_cancellation(self) -> None:
        left = 1 + len(self._to_train)
        self._to_train.clear()
        self._start_next()
        self.cancelled.emit(left)


def _train(origin: TrainedRecipe, progress: Progress) -> Tokenizer:
    counts = origin.inputs.count(progress)
    return train(counts, recipe=origin.inputs.recipe, vocab_size=origin.vocab_size, progress=progress)
