"""Making a report in a thread, and writing it to files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.reports import PrunePreview, Report, make_report, preview_pruning
from bpe_gui.engine.runtime import write_files
from bpe_gui.gui.background.jobs import JobRunner, Operation
from bpe_gui.gui.background.jobs import Report as Announce
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.charts.chart_library import load_chart_library

from .chosen_texts import ChosenTexts, TextChoice, together
from .token_lists import TokenLists, token_lists

_MUCH: Final = 1_000_000
"""Bytes of text that take so long that measuring them should wait for compiled code."""

Contents = Mapping[Path, str | bytes]


@dataclass(frozen=True, slots=True, eq=False)
class MadeReport:
    """A report with its lists of tokens; `pruning` is None if there is nothing to leave out."""

    report: Report
    lists: TokenLists
    pruning: PrunePreview | None
    source: "_Source"
    """The texts and the tokenizer of a report, as they were when measuring began."""


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """Which texts are measured: the documents of the corpus, and the text to encode by the number of its changes."""

    choices: tuple[TextChoice, TextChoice]
    documents: tuple[CorpusDocument, ...]
    text_changes: int


class ReportMaker(QObject):
    """Does one thing at a time in a thread: makes a report of the tokenizer that the main window shows, or writes it.

    - `made`: there is another `result`.
    - `written(paths)`: the files are there.
    - `failed(error)`: an EngineError; the report of before stays.
    - `cancelled`: the user has cancelled, and the report of before stays.
    - `texts_changed`: the texts may no longer be those that were measured.
    - `changed`: it works, or no longer does. `progressed(done, total)`: how far it is; (0, 0) if that is unknown.
    """

    made = Signal()
    written = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    texts_changed = Signal()
    changed = Signal()
    progressed = Signal(int, int)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.result: MadeReport | None = None
        """The report that was made last; None before the first one."""
        self._text_changes = 0
        for text_changed in (session.text.replaced, session.text.edited):
            text_changed.connect(self._count_text_change)
        session.corpus.documents_changed.connect(self._check_texts)
        self._runner = JobRunner(self)
        self._runner.changed.connect(self.changed)
        self._runner.progressed.connect(self.progressed)

    @property
    def is_busy(self) -> bool:
        """Whether a report is being made or written."""
        return self._runner.busy

    @property
    def is_outdated(self) -> bool:
        """Whether the corpus or the text has changed since it was measured."""
        if self.result is None:
            return False
        source = self.result.source
        return (TextChoice.CORPUS in source.choices and source.documents != self._session.corpus.documents) or (
            TextChoice.TEXT in source.choices and source.text_changes != self._text_changes
        )

    def _count_text_change(self) -> None:
        self._text_changes += 1
        self._check_texts()

    def _check_texts(self) -> None:
        if self.result is not None:
            self.texts_changed.emit()

    def make(self, tokenizer: Tokenizer, name: str, chosen: ChosenTexts, held_out: ChosenTexts) -> None:
        """Report on a tokenizer. Raise RuntimeError while busy."""
        source = _Source((chosen.choice, held_out.choice), self._session.corpus.documents, self._text_changes)
        find, find_held_out = chosen.finder(self._session), held_out.finder(self._session)
        has_held_out = held_out.choice is not TextChoice.NOTHING

        def work(announce: Announce) -> MadeReport:
            announce(0, 0)
            load_chart_library()  # which the window needs as soon as there is a report
            texts = find(announce)
            kept = together(found) if has_held_out and (found := find_held_out(announce)) else None
            size = sum(text.size for text in (*texts, *([kept] if kept else [])))
            if size >= _MUCH:
                self._session.before_much_work(announce)

            def first_half(done: int, total: int) -> None:
                announce(done, 2 * total)

            def second_half(done: int, total: int) -> None:
                announce(total + done, 2 * total)

            report = make_report(tokenizer, texts, kept, name=name, progress=first_half)
            if texts and not report.texts:
                raise report.skipped[0].reason
            lists = token_lists(report.vocabulary)
            return MadeReport(report, lists, preview_pruning(report, texts, kept, second_half), source)

        self._start("make a report", work, self._take)

    def write(self, contents: Callable[[], Contents]) -> None:
        """Write files, all of them or none, whose contents are made in the thread. Raise RuntimeError while busy."""

        def work(announce: Announce) -> list[Path]:
            announce(0, 0)
            files = contents()
            announce(0, 0)
            write_files(files)
            return list(files)

        self._start("write a report", work, self.written.emit)

    def cancel(self) -> None:
        """Stop; the report of before stays."""
        self._runner.cancel()

    def shut_down(self) -> None:
        """Stop and wait for the thread, because the window closes."""
        self._runner.shut_down()

    def _start(self, name: str, work: Callable[[Announce], object], take: Callable[..., object]) -> None:
        self._runner.start(
            Operation(name=name, work=work, on_success=take, on_error=self._fail, on_cancel=self.cancelled.emit)
        )

    def _take(self, result: MadeReport) -> None:
        self.result = result
        self.made.emit()

    def _fail(self, error: EngineError) -> None:
        self.failed.emit(error)
