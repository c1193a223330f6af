"""The opened tokenizers of a session, and reading them in a thread."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError
from bpe_gui.gui.jobs import Activity, JobRunner, Operation, Report

from .opened_tokenizer import OpenedTokenizer, TokenizerSource


class TokenizerToOpen(NamedTuple):
    """A tokenizer that is to be read, and the step to show it at; None for the last one, or the one it was at."""

    source: TokenizerSource
    position: int | None = None


_Outcome = tuple[TokenizerToOpen, OpenedTokenizer | EngineError]


class TokenizerLoader(QObject):
    """The opened tokenizers, one of which the window may show in place of the run. Each has a step of its own.

    They stay until they are closed. Opening the file of one again reads it again, and replaces it at its step.

    - `list_changed`: `tokenizers` changed.
    - `changed`: `tokenizer` is another, or None.
    - `opened(tokenizer)`: it was read from its file.
    - `reading_changed`: `is_reading` or `name_being_read` changed.
    - `progressed(done, total)`: how far reading is.
    - `failed(error)`: a file could not be read; the tokenizers that were opened before stay.
    """

    list_changed = Signal()
    changed = Signal()
    opened = Signal(object)
    reading_changed = Signal()
    progressed = Signal(int, int)
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tokenizers: tuple[OpenedTokenizer, ...] = ()
        self._shown: list[OpenedTokenizer | None] = [None]  # each once, the present one last; None is the run
        self._being_read: Sequence[TokenizerToOpen] = ()
        self._name_being_read = ""
        self._runner = JobRunner(self)
        self._runner.changed.connect(self.reading_changed)
        self._runner.progressed.connect(self._report)

    @property
    def tokenizers(self) -> tuple[OpenedTokenizer, ...]:
        """All opened tokenizers, in the order in which they were opened."""
        return self._tokenizers

    @property
    def tokenizer(self) -> OpenedTokenizer | None:
        """The opened tokenizer that is shown; None if that is the run."""
        return self._shown[-1]

    @property
    def is_reading(self) -> bool:
        """Whether a thread is reading a tokenizer."""
        return self._runner.busy

    @property
    def name_being_read(self) -> str:
        """The name of the file or folder that is being read, or that was read last."""
        return self._name_being_read

    # -- opening ----------------------------------------------------------------------------------------------------

    def open(self, source: TokenizerSource, position: int | None = None) -> None:
        """Read a tokenizer in a thread and show it at a step, by default the last one."""
        self.open_all([TokenizerToOpen(source, position)])

    def open_all(self, wanted: Sequence[TokenizerToOpen], *, show_last: bool = True) -> None:
        """Read tokenizers in a thread, one after another, and show the last one, or go on showing the present one.

        What was being read before is read no more.
        """
        self._runner.abandon()
        self._being_read, self._name_being_read = wanted, wanted[0].source.name
        self._runner.start(
            Operation(
                name="read tokenizers",
                work=lambda report: _read_all(wanted, report),
                on_success=lambda outcomes: self._take(outcomes, show_last=show_last),
                activity=Activity.OPENING,
            )
        )

    def _report(self, done: int, total: int) -> None:
        """Name the tokenizer that is being read, of several, and pass the progress on."""
        count = len(self._being_read)
        self._name_being_read = self._being_read[min(done * count // total, count - 1)].source.name
        self.progressed.emit(done, total)

    def _take(self, outcomes: Sequence[_Outcome], *, show_last: bool) -> None:
        for wanted, outcome in outcomes:
            if isinstance(outcome, EngineError):
                self.failed.emit(outcome)
                continue
            replaced = next((each for each in self._tokenizers if each.source.path == outcome.source.path), None)
            position = wanted.position
            if position is None and replaced is not None and replaced.peek() is not None:
                position = replaced.position
            if position is not None:
                outcome.approach(position)
            if replaced is not None:
                self._replace(replaced, outcome)
            else:
                self._add(outcome)
            if show_last and outcome is outcomes[-1][1]:
                self.show(outcome)
            self.opened.emit(outcome)

    def _replace(self, replaced: OpenedTokenizer, tokenizer: OpenedTokenizer) -> None:
        """Put a tokenizer in the place of another."""
        is_shown = self.tokenizer is replaced
        self._tokenizers = tuple(tokenizer if each is replaced else each for each in self._tokenizers)
        self._shown = [tokenizer if each is replaced else each for each in self._shown]
        self.list_changed.emit()
        if is_shown:
            self.changed.emit()

    def _add(self, tokenizer: OpenedTokenizer) -> None:
        if tokenizer not in self._tokenizers:
            self._tokenizers = (*self._tokenizers, tokenizer)
            self._shown.insert(0, tokenizer)
            self.list_changed.emit()

    def stop_reading(self) -> None:
        """Read no more; the tokenizers that were opened before stay."""
        self._runner.abandon()

    # -- showing and closing ----------------------------------------------------------------------------------------

    def show(self, tokenizer: OpenedTokenizer | None, position: int | None = None) -> None:
        """Show a tokenizer, at a step if one is given; or the run."""
        if tokenizer is not None:
            self._add(tokenizer)
            if position is not None:
                tokenizer.approach(position)
        if tokenizer is not self.tokenizer or position is not None:
            self._shown.remove(tokenizer)
            self._shown.append(tokenizer)
            self.changed.emit()

    def show_run(self) -> None:
        """Show the run, and read no more, which would hide it again."""
        self.stop_reading()
        self.show(None)

    def close(self) -> None:
        """Close the tokenizer that is shown, if any, and show what was shown before it."""
        if self.tokenizer is not None:
            self.close_one(self.tokenizer)

    def close_one(self, tokenizer: OpenedTokenizer) -> None:
        """Close a tokenizer; if it is the one that is shown, show what was shown before it."""
        is_shown = tokenizer is self.tokenizer
        self._tokenizers = tuple(each for each in self._tokenizers if each is not tokenizer)
        self._shown.remove(tokenizer)
        self.list_changed.emit()
        if is_shown:
            self.changed.emit()

    def close_all(self) -> None:
        """Close all tokenizers and read no more, because the session is about to hold something else."""
        self.stop_reading()
        self.show(None)
        for tokenizer in self._tokenizers:
            self.close_one(tokenizer)


def _read_all(wanted: Sequence[TokenizerToOpen], report: Report) -> list[_Outcome]:
    """Return each with its tokenizer, or the error in reading it. Raise Cancelled."""
    total = len(wanted)
    outcomes: list[_Outcome] = []
    for done, each in enumerate(wanted):

        def report_one(of_one: int, total_of_one: int, done: int = done) -> None:
            report(done * total_of_one + of_one, total * total_of_one)

        try:
            outcomes.append((each, each.source.read(report_one)))
        except EngineError as error:
            outcomes.append((each, error))
    return outcomes
