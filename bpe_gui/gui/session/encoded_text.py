"""The text to encode, whose tokens are kept up to date: at once if that is little work, else in a thread."""

from collections.abc import Sequence
from typing import Final, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import SPLITTERS, Encoding, EngineError, Tokenizer
from bpe_gui.engine.live_text import Block, LiveText
from bpe_gui.engine.text import check_surrogates
from bpe_gui.gui.jobs import JobRunner, Operation, Report

UNKNOWN_ID: Final = -1
"""The id of a symbol that has none."""

_AT_ONCE: Final = 200_000
"""Bytes of text that are encoded within a key stroke."""

_PAUSE: Final = 50
"""Milliseconds without a change before more is encoded, so as not to slow down typing or dragging the cursor."""


class EncodedText(QObject):
    """The text to encode, with its tokens.

    - `replaced`: `live` is another text; its editor has not changed it.
    - `edited(start, removed, added)`: the editor has changed `live`; in bytes.
    - `tokens_changed`: `live` has other tokens, or `error` changed. If there is too much to encode at once, it is
      emitted when the old tokens are dropped, and again when all are known.
    - `failed(error)`: the text cannot be taken as it is.
    """

    replaced = Signal()
    edited = Signal(int, int, int)
    tokens_changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._live = LiveText()
        self._given: Tokenizer | None = None
        self._tokenizer: Tokenizer | None = None  # that of `_live` may have an id for unknown symbols
        self._allowed_special: Literal["all", "none"] = "all"
        self._error: EngineError | None = None
        self._runner = JobRunner(self)
        self._pause = QTimer(self, singleShot=True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._encode_in_thread)

    @property
    def live(self) -> LiveText:
        """The text with its tokens. Its editor changes it and calls `encode_edit`."""
        return self._live

    @property
    def content(self) -> str:
        """The text as a string."""
        return str(self._live)

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer that made the tokens, which obeys what is allowed.

        It may lag behind the cursor's while a thread trains.
        """
        return self._tokenizer

    @property
    def allowed_special(self) -> Literal["all", "none"]:
        """Whether special tokens in the text are obeyed ("all"), or plain text ("none")."""
        return self._allowed_special

    @property
    def error(self) -> EngineError | None:
        """The reason why the text cannot be encoded, or None."""
        return self._error

    @property
    def encoding(self) -> Encoding | None:
        """The ids, `UNKNOWN_ID` for a symbol without one, and their byte spans; None while not all are known."""
        if not self._live.is_encoded:
            return None
        ids, starts, stops = self._live.tokens(0, self._live.known_tokens)
        return Encoding(ids.tolist(), list(zip(starts.tolist(), stops.tolist(), strict=True)), self.content)

    def set_content(self, text: str) -> None:
        """Replace the text. Lone surrogates are replaced with U+FFFD, and `failed` says so."""
        try:
            check_surrogates(text)
        except EngineError as error:
            self.failed.emit(error)
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.set_live(LiveText(text))

    def set_live(self, text: LiveText) -> None:
        """Replace the text. The one before, which the history may keep for long, lets go of its tokens."""
        before, self._live = self._live, text
        text.encode_with(before.tokenizer)
        if before is not text:
            before.encode_with(None)
        self._encode_again()
        self.replaced.emit()

    def encode_edit(self, start: int, removed: int, added: int) -> None:
        """Encode what the editor has changed: `added` bytes replaced `removed` bytes at `start`."""
        self._encode_again()
        self.edited.emit(start, removed, added)

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Encode with another tokenizer; without one there are no tokens."""
        if tokenizer is not self._given or not (self._is_encoding or self._live.is_encoded):
            self._given = tokenizer
            self._change_tokenizer()

    def allow_special(self, allowed: Literal["all", "none"]) -> None:
        """Obey special tokens in the text from now on, or encode them as plain text."""
        if allowed != self._allowed_special:
            self._allowed_special = allowed
            self._change_tokenizer()

    def _change_tokenizer(self) -> None:
        self._abandon()
        tokenizer = None if self._given is None else self._given.obeying(self._allowed_special)
        self._tokenizer = tokenizer
        if tokenizer is not None and tokenizer.unknown_id is None:
            tokenizer = tokenizer.with_unknown_id(UNKNOWN_ID)
        self._live.encode_with(tokenizer)
        self._encode()

    @property
    def _is_encoding(self) -> bool:
        return self._pause.isActive() or self._runner.busy

    def _abandon(self) -> None:
        self._pause.stop()
        self._runner.abandon()

    def _encode_again(self) -> None:
        self._abandon()
        self._encode()

    def _encode(self) -> None:
        self._error = None
        tokenizer = self._live.tokenizer
        missing = self._live.unencoded_blocks() if tokenizer is not None else []
        if _size(missing) > _AT_ONCE or (missing and _may_take_any_time(tokenizer)):
            self._pause.start()
        else:
            self._encode_now(missing)
        self.tokens_changed.emit()

    def _encode_now(self, blocks: Sequence[Block]) -> None:
        try:
            for block in blocks:
                self._live.encode(block)
        except EngineError as error:
            self._error = error

    def _encode_in_thread(self) -> None:
        text = self._live
        blocks = text.unencoded_blocks()
        size = _size(blocks)

        def work(report: Report) -> None:
            done = 0
            for block in blocks:
                text.encode(block)
                done += len(block.text)
                report(done, size)

        def take_error(error: EngineError) -> None:
            self._error = error
            self.tokens_changed.emit()

        self._runner.start(
            Operation(
                name="encode text",
                work=work,
                on_success=lambda _result: self.tokens_changed.emit(),
                on_error=take_error,
            )
        )


def _may_take_any_time(tokenizer: Tokenizer | None) -> bool:
    """Return whether even a short text may take long: with a user's own pattern, or with a pipeline from a file."""
    return tokenizer is not None and (tokenizer.pipeline is not None or tokenizer.recipe.splitter not in SPLITTERS)


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
