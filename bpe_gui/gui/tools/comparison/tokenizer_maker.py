"""Make tokenizers to compare with: read them from files, or train recipes on the corpus."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, Progress, Recipe, Tokenizer, TokenizerSource, train
from bpe_gui.gui.jobs import Activity, JobRunner
from bpe_gui.gui.session.corpus import RunInputs
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer, read_tokenizer
from bpe_gui.gui.session.session import Session

from .compared import Origin, TokenizerFile, TrainedRecipe


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    origin: TokenizerFile | TrainedRecipe
    work: Callable[[Progress], tuple[Origin, Tokenizer]]


class TokenizerMaker(JobRunner):
    """Makes one tokenizer after another in a thread. Trained ones are cached.

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
        self._requests: deque[_Request] = deque()
        self._present: _Request | None = None
        self._done = 0

    @property
    def current(self) -> Origin | None:
        """The tokenizer being made, or None."""
        return None if self._present is None else self._present.origin

    @property
    def position(self) -> tuple[int, int]:
        """The number of the current one, from 1, and how many were requested together."""
        return self._done + 1, self._done + 1 + len(self._requests)

    def read(self, source: TokenizerSource) -> None:
        """Read a tokenizer; a published one is downloaded first, unless it is on this computer."""
        source = self._session.opened.as_chosen(source)

        def work(progress: Progress) -> tuple[Origin, Tokenizer]:
            opened = read_tokenizer(source, progress)
            return file_origin(opened, opened.name), opened.tokenizer(opened.run_length)

        self._ask([_Request(TokenizerFile(source.name, source.path), work)])

    def train(self, recipes: Iterable[Recipe]) -> None:
        """Train recipes on the corpus, to the run's target vocabulary size."""
        corpus = self._session.corpus
        size = corpus.vocab_size
        requests = []
        for recipe in recipes:
            inputs = RunInputs.of(corpus.documents, recipe, corpus.special_tokens)
            origin = TrainedRecipe(inputs, size)
            known = next((tokenizer for each, tokenizer in self._trained if each == origin), None)
            if known is not None:
                self.made.emit(origin, known)
            else:
                requests.append(_Request(origin, partial(_train, origin)))
        self._ask(requests)

    def _ask(self, requests: Iterable[_Request]) -> None:
        self._requests.extend(requests)
        if self._present is None:
            self._done = 0
            self._start_next()

    def _start_next(self) -> None:
        self._present = request = self._requests.popleft() if self._requests else None
        if request is not None:
            self.start(
                name="make a tokenizer to compare with",
                work=request.work,
                on_success=self._take,
                on_error=partial(self._take_error, request),
                on_cancel=self._take_cancellation,
                activity=Activity.TRAINING,
            )

    def _take(self, made: tuple[Origin, Tokenizer]) -> None:
        origin, tokenizer = made
        if isinstance(origin, TrainedRecipe):
            self._trained.append((origin, tokenizer))
        self.made.emit(origin, tokenizer)
        self._done += 1
        self._start_next()

    def _take_error(self, request: _Request, error: EngineError) -> None:
        self.failed.emit(request.origin, error)
        self._done += 1
        self._start_next()

    def _take_cancellation(self) -> None:
        left = 1 + len(self._requests)
        self._requests.clear()
        self._start_next()
        self.cancelled.emit(left)


def _train(origin: TrainedRecipe, progress: Progress) -> tuple[Origin, Tokenizer]:
    counts = origin.inputs.count(progress)
    return origin, train(counts, recipe=origin.inputs.recipe, vocab_size=origin.vocab_size, progress=progress)


def file_origin(opened: OpenedTokenizer, name: str) -> TokenizerFile:
    return TokenizerFile(name, opened.source.path, opened.lacks_pattern)
