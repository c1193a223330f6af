"""Check, write and prove exported tokenizers in a thread."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Document, LiveText, Tokenizer, save, save_obstacle
from bpe_gui.engine.proof import Reader, proof_strings, readers_for
from bpe_gui.gui.jobs import JobRunner

from .corpus import CorpusDocument

_MAX_TEXT_BYTES: Final = 1_000_000


class ProofTexts(NamedTuple):
    """The texts to prove besides the hard strings: the text to encode, in UTF-8, and the start of the corpus."""

    text: bytes = b""
    documents: tuple[Document, ...] = ()

    @classmethod
    def of(cls, text: LiveText, documents: Iterable[CorpusDocument]) -> "ProofTexts":
        """Return the first megabyte of the text to encode and of these documents."""
        return cls(text.read(0, min(len(text), _MAX_TEXT_BYTES)), tuple(document.content for document in documents))


class TokenizerExporter(QObject):
    """Runs the steps of an export one after another. It lives as long as the window, so that the dialog can close
    without waiting for the thread.

    - `checked(format, obstacle)`: `obstacle` is None, or the EngineError that says why the format cannot represent the
      tokenizer.
    - `written(paths)`, or `refused(error)` if nothing was written.
    - `asked(name)`: a reader is computing ids. `proved(proof)`: the outcome.
    - `ended`: all readers are done.
    """

    checked = Signal(str, object)
    written = Signal(object)
    refused = Signal(object)
    asked = Signal(str)
    proved = Signal(object)
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = JobRunner(self)
        self._runner.changed.connect(self._start_next)
        self._waiting: deque[Callable[[], None]] = deque()
        self.compared: tuple[str, ...] = ()
        """The texts that readers of the last export have encoded, or will encode."""

    def check(self, tokenizer: Tokenizer, formats: Iterable[str]) -> None:
        """Check which formats can represent a tokenizer, in this order."""
        for name in formats:
            self._enqueue(partial(self._check, tokenizer, name))

    def export(self, tokenizer: Tokenizer, path: Path, format: str, texts: ProofTexts) -> None:
        """Write a tokenizer, and compare its ids with those from every reader of the format. Stops any earlier work."""
        self.stop()
        self._enqueue(partial(self._write, tokenizer, path, format, texts))

    def stop(self) -> None:
        """Stop without emitting anything else."""
        self._waiting.clear()
        self._runner.abandon()

    def _enqueue(self, begin: Callable[[], None]) -> None:
        self._waiting.append(begin)
        self._start_next()

    def _start_next(self) -> None:
        while self._waiting and not self._runner.busy:
            self._waiting.popleft()()

    def _check(self, tokenizer: Tokenizer, format: str) -> None:
        self._runner.start(
            name=f"check export as {format}",
            work=lambda _report: save_obstacle(tokenizer, format),
            on_success=lambda found: self.checked.emit(format, found),
        )

    def _write(self, tokenizer: Tokenizer, path: Path, format: str, texts: ProofTexts) -> None:
        def take(result: tuple[list[Path], tuple[str, ...]]) -> None:
            paths, self.compared = result
            self.written.emit(paths)
            for reader in readers_for(tokenizer, format, paths):
                self._waiting.append(partial(self._prove, reader, self.compared))
            self._waiting.append(self.ended.emit)

        self._runner.start(
            name=f"export as {format}",
            work=lambda _report: (
                save(tokenizer, path, format),
                proof_strings([texts.text.decode(errors="ignore")], tokenizer.special_tokens, texts.documents),
            ),
            on_success=take,
            on_error=self.refused.emit,
        )

    def _prove(self, reader: Reader, texts: Sequence[str]) -> None:
        self.asked.emit(reader.name)
        self._runner.start(
            name=f"prove by {reader.name}",
            work=lambda report: reader.prove(texts, report),
            on_success=self.proved.emit,
        )
