"""Checking, writing and proving exports off the UI thread."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Document, EngineError, Tokenizer, save
from bpe_gui.engine.formats import obstacle
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.proof import Reader, beginning, prove, readers, strings

from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.background.jobs import Job, OneJob, Report

_MOST_TEXT = 1_000_000
"""Bytes of the text that are compared."""


class Samples(NamedTuple):
    """What is encoded on both sides beside the hard strings: the text, in UTF-8, and how the corpus begins."""

    text: bytes = b""
    documents: tuple[Document, ...] = ()

    @classmethod
    def of(cls, text: LiveText, documents: Iterable[CorpusDocument]) -> "Samples":
        """Of what is in the window now."""
        return cls(text.read(0, min(len(text), _MOST_TEXT)), tuple(document.content for document in documents))

    def texts(self) -> list[str]:
        """The texts; a corpus that cannot be read is left out, for it is not what the proof is about."""
        text = self.text.decode(errors="ignore")
        try:
            return [text, beginning(chunk for document in self.documents for chunk in document.chunks())]
        except EngineError:
            return [text]


class Exporter(QObject):
    """Does one thing after the other. Whoever closes a dialog need not wait: the thread belongs to this object, which
    lives as long as the window.

    - `checked(format, obstacle)`: whether files of a format can hold the tokenizer; None if they can.
    - `written(paths)`, or `refused(error)` if nothing was written.
    - `asked(name)`: a reader is asked now. `proved(proof)`: what came of it.
    - `ended`: all readers were asked.
    """

    checked = Signal(str, object)
    written = Signal(object)
    refused = Signal(object)
    asked = Signal(str)
    proved = Signal(object)
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = OneJob(self)
        self._waiting: deque[Callable[[], None]] = deque()

    def check(self, tokenizer: Tokenizer, formats: Iterable[str]) -> None:
        """Find out which formats can hold a tokenizer, in this order."""
        for name in formats:
            self._later(partial(self._check, tokenizer, name))

    def export(self, tokenizer: Tokenizer, path: Path, format: str, samples: Samples) -> None:
        """Write a tokenizer, and ask everybody who reads such files for ids. What else is going on is left."""
        self.stop()
        self._later(partial(self._write, tokenizer, path, format, samples))

    def stop(self) -> None:
        """Do nothing more, and say nothing."""
        self._waiting.clear()
        self._work.abandon()

    def shut_down(self) -> None:
        """Stop and wait for it, because the window closes."""
        self.stop()
        self._work.wait()

    def _later(self, begin: Callable[[], None]) -> None:
        self._waiting.append(begin)
        self._next()

    def _next(self) -> None:
        if self._waiting and not self._work.busy:
            self._waiting.popleft()()

    def _start(self, work: Callable[[Report], object], done: Callable[[Job], None]) -> None:
        def end(job: Job) -> None:
            if job.error is not None and not isinstance(job.error, EngineError):
                raise job.error  # what was stopped is never heard of, so this is a mistake of ours
            done(job)
            self._next()

        self._work.start(work, end)

    def _check(self, tokenizer: Tokenizer, format: str) -> None:
        self._start(lambda report: obstacle(tokenizer, format), lambda job: self.checked.emit(format, job.result))

    def _write(self, tokenizer: Tokenizer, path: Path, format: str, samples: Samples) -> None:
        def work(report: Report) -> tuple[list[Path], tuple[str, ...]]:
            return save(tokenizer, path, format), strings(samples.texts(), tokenizer.special_tokens)

        def done(job: Job) -> None:
            if not isinstance(job.result, tuple):
                self.refused.emit(job.error)
                return
            paths, texts = job.result
            self.written.emit(paths)
            for reader in readers(tokenizer, format, paths):
                self._later(partial(self._prove, reader, texts))
            self._later(self.ended.emit)

        self._start(work, done)

    def _prove(self, reader: Reader, texts: Sequence[str]) -> None:
        self.asked.emit(reader.name)
        self._start(lambda report: prove(reader, texts, report), lambda job: self.proved.emit(job.result))
