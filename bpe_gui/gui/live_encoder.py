"""Keeps the tokens of a text up to date: at once where that is little work, else in the background."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import SPLITTERS, EngineError, Tokenizer
from bpe_gui.engine.compiled import is_compiled
from bpe_gui.engine.live_text import Block, LiveText

from .jobs import Job, OneJob, Report

UNKNOWN_ID: Final = -1
"""Stands for the id of a symbol that has none."""

_AT_ONCE: Final = 20_000
_AT_ONCE_COMPILED: Final = 200_000
"""Bytes up to which a text is encoded within the key stroke."""


class LiveEncoder(QObject):
    """Encodes `text`, which its editor may change; `changed` says that there are other tokens, or an `error`.

    Where there is too much to be done at once, `changed` comes first when the tokens of before no longer hold, and
    again when all are known.
    """

    changed = Signal()

    def __init__(self, parent: QObject, before_much_work: Callable[[Report], None]) -> None:
        super().__init__(parent)
        self.text = LiveText()
        self.error: EngineError | None = None
        self._before_much_work = before_much_work
        self._given: Tokenizer | None = None
        self._background = OneJob(self)

    def set_text(self, text: LiveText) -> None:
        """Encode another text."""
        text.encode_with(self.text.tokenizer)
        self.text = text
        self.text_was_edited()

    def text_was_edited(self) -> None:
        """Encode what was edited."""
        self._background.abandon()
        self._encode()

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Encode with another tokenizer; without one there are no tokens."""
        if tokenizer is self._given and (self._background.busy or self.text.is_encoded):
            return
        self._background.abandon()
        self._given = tokenizer
        if tokenizer is not None and tokenizer.unknown_id is None:
            tokenizer = tokenizer.with_unknown_id(UNKNOWN_ID)
        self.text.encode_with(tokenizer)
        self._encode()

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it."""
        self._background.abandon()
        self._background.wait()

    def _encode(self) -> None:
        self.error = None
        tokenizer = self.text.tokenizer
        missing = self.text.missing() if tokenizer is not None else []
        size = sum(len(block.text) for block in missing)
        # A pattern of the user's own may take any time.
        has_own_pattern = tokenizer is not None and tokenizer.recipe.splitter not in SPLITTERS
        if size > (_AT_ONCE_COMPILED if is_compiled() else _AT_ONCE) or (missing and has_own_pattern):
            self._encode_in_background(missing, size)
        else:
            self._encode_now(missing)
        self.changed.emit()

    def _encode_now(self, blocks: Sequence[Block]) -> None:
        try:
            for block in blocks:
                self.text.encode(block)
        except EngineError as error:
            self.error = error

    def _encode_in_background(self, blocks: Sequence[Block], size: int) -> None:
        text = self.text

        def work(report: Report) -> None:
            self._before_much_work(report)
            done = 0
            for block in blocks:
                text.encode(block)
                done += len(block.text)
                report(done, size)

        def done(job: Job) -> None:
            if isinstance(job.error, EngineError):
                self.error = job.error
            elif job.error is not None:
                raise job.error
            self.changed.emit()

        self._background.start(work, done)
