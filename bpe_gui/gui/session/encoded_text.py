"""Keeps the tokens of a text up to date: at once where that is little work, else in the background."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import SPLITTERS, EngineError, Tokenizer
from bpe_gui.engine.runtime.compiled import is_compiled
from bpe_gui.engine.live_text import Block, LiveText

from bpe_gui.gui.background.jobs import Job, OneJob, Report

UNKNOWN_ID: Final = -1
"""Stands for the id of a symbol that has none."""

_AT_ONCE: Final = 20_000
_AT_ONCE_COMPILED: Final = 200_000
"""Bytes up to which a text is encoded within the key stroke."""

_MUCH: Final = 1_000_000
"""Bytes for which it is worth waiting for the compiled code, if it is still being made."""

_PAUSE: Final = 50
"""Milliseconds without a change after which more is encoded: it would slow down who types, or drags the cursor."""


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
        self.tokenizer: Tokenizer | None = None  # as it was given; the text's may have an id for unknown symbols
        self._background = OneJob(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._encode_in_background)

    def set_text(self, text: LiveText) -> None:
        """Encode another text."""
        text.encode_with(self.text.tokenizer)
        self.text = text
        self.text_was_edited()

    def text_was_edited(self) -> None:
        """Encode what was edited."""
        self._abandon()
        self._encode()

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Encode with another tokenizer; without one there are no tokens."""
        if tokenizer is self.tokenizer and (self._is_at_it or self.text.is_encoded):
            return
        self._abandon()
        self.tokenizer = tokenizer
        if tokenizer is not None and tokenizer.unknown_id is None:
            tokenizer = tokenizer.with_unknown_id(UNKNOWN_ID)
        self.text.encode_with(tokenizer)
        self._encode()

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it."""
        self._abandon()
        self._background.wait()

    @property
    def _is_at_it(self) -> bool:
        return self._pause.isActive() or self._background.busy

    def _abandon(self) -> None:
        self._pause.stop()
        self._background.abandon()

    def _encode(self) -> None:
        self.error = None
        tokenizer = self.text.tokenizer
        missing = self.text.missing() if tokenizer is not None else []
        size = _size(missing)
        if size > (_AT_ONCE_COMPILED if is_compiled() else _AT_ONCE) or (missing and _may_take_any_time(tokenizer)):
            self._pause.start()
        else:
            self._encode_now(missing)
        self.changed.emit()

    def _encode_now(self, blocks: Sequence[Block]) -> None:
        try:
            for block in blocks:
                self.text.encode(block)
        except EngineError as error:
            self.error = error

    def _encode_in_background(self) -> None:
        text = self.text
        blocks = text.missing()
        size = _size(blocks)

        def work(report: Report) -> None:
            if size >= _MUCH:
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


def _may_take_any_time(tokenizer: Tokenizer | None) -> bool:
    """Whether a short text may, too: by a pattern of the user's own, or by what a file says is done to text."""
    return tokenizer is not None and (tokenizer.pipeline is not None or tokenizer.recipe.splitter not in SPLITTERS)


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
