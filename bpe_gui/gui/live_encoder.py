"""Keeps the encoding of a text up to date: at once while it is small, else in the background, the newest first."""

from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import SPLITTERS, Encoding, EngineError, Tokenizer

from .jobs import Job, OneJob, Report

UNKNOWN_ID: Final = -1
"""Stands in an encoding for a symbol that has no id."""

AT_ONCE: Final = 20_000
"""Characters up to which a text is encoded within the key stroke."""


class LiveEncoder(QObject):
    """Encodes the text it was last given; `changed` says that `encoding` or `error` is another."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.encoding: Encoding | None = None
        self.error: EngineError | None = None
        self._given: Tokenizer | None = None
        self._tokenizer: Tokenizer | None = None  # the given one, marking symbols that have no id
        self._text = ""
        self._background = OneJob(self)

    def encode(self, tokenizer: Tokenizer | None, text: str) -> None:
        """Encode another text, or with another tokenizer; without one there is no encoding."""
        if tokenizer is not self._given:
            self._given = tokenizer
            self._tokenizer = tokenizer
            if tokenizer is not None and tokenizer.unknown_id is None:
                self._tokenizer = tokenizer.with_unknown_id(UNKNOWN_ID)
        self._text = text
        self._background.cancel()
        if self._tokenizer is None:
            self._take(None, None)
        elif self._encodes_at_once(self._tokenizer):
            self._encode_now(self._tokenizer)
        else:
            self._take(None, None)
            self._encode_in_background()

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it."""
        self._tokenizer = None
        self._background.cancel()
        self._background.wait()

    def _encodes_at_once(self, tokenizer: Tokenizer) -> bool:
        # A pattern of the user's own may take any time.
        return len(self._text) <= AT_ONCE and tokenizer.recipe.splitter in SPLITTERS

    def _encode_now(self, tokenizer: Tokenizer) -> None:
        try:
            self._take(tokenizer.encoding(self._text), None)
        except EngineError as error:
            self._take(None, error)

    def _encode_in_background(self) -> None:
        tokenizer, text = self._tokenizer, self._text
        if tokenizer is None or self._encodes_at_once(tokenizer) or self._background.running:
            return  # what is under way ends first; then the newest text is begun

        def work(report: Report) -> Encoding:
            return tokenizer.encoding(text, report)

        def done(job: Job) -> None:
            if tokenizer is not self._tokenizer or text is not self._text:
                self._encode_in_background()
            elif isinstance(job.error, EngineError):
                self._take(None, job.error)
            elif isinstance(job.result, Encoding):
                self._take(job.result, None)
            elif job.error is not None:
                raise job.error

        self._background.start(work, done)

    def _take(self, encoding: Encoding | None, error: EngineError | None) -> None:
        self.encoding, self.error = encoding, error
        self.changed.emit()
