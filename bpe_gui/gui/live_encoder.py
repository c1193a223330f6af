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
        if tokenizer is self._given and text == self._text and (self._background.busy or self.encoding is not None):
            self.changed.emit()  # whoever shows it may have shown another text in between
            return
        self._background.abandon()
        self._take_tokenizer(tokenizer)
        self._text = text
        if self._tokenizer is None:
            self._take(None, None)
        elif len(text) <= AT_ONCE and self._tokenizer.recipe.splitter in SPLITTERS:
            self._encode_now(self._tokenizer)
        else:  # the text is long, or a pattern of the user's own may take any time
            self._take(None, None)
            self._encode_in_background(self._tokenizer)

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it."""
        self._background.abandon()
        self._background.wait()

    def _take_tokenizer(self, tokenizer: Tokenizer | None) -> None:
        if tokenizer is not self._given:
            self._given = self._tokenizer = tokenizer
            if tokenizer is not None and tokenizer.unknown_id is None:
                self._tokenizer = tokenizer.with_unknown_id(UNKNOWN_ID)

    def _encode_now(self, tokenizer: Tokenizer) -> None:
        try:
            self._take(tokenizer.encoding(self._text), None)
        except EngineError as error:
            self._take(None, error)

    def _encode_in_background(self, tokenizer: Tokenizer) -> None:
        text = self._text

        def work(report: Report) -> Encoding:
            return tokenizer.encoding(text, report)

        def done(job: Job) -> None:
            if isinstance(job.error, EngineError):
                self._take(None, job.error)
            elif isinstance(job.result, Encoding):
                self._take(job.result, None)
            elif job.error is not None:
                raise job.error

        self._background.start(work, done)

    def _take(self, encoding: Encoding | None, error: EngineError | None) -> None:
        self.encoding, self.error = encoding, error
        self.changed.emit()
