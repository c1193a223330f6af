"""The text to encode, and its tokens, which are kept up to date."""

from collections.abc import Sequence
from typing import Final, Literal

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import (
    SPLITTERS,
    Block,
    EngineError,
    LiveText,
    Progress,
    Tokenizer,
)
from bpe_gui.gui.edit_history import EditHistory
from bpe_gui.gui.jobs import JobRunner

UNKNOWN_ID: Final = -1
"""Stands for the id of a symbol that has none."""

_AT_ONCE: Final = 200_000
"""Bytes of text that can be encoded within a keystroke."""

_PAUSE: Final = 50
"""Milliseconds to wait after a change before encoding a longer text, to keep typing and dragging the cursor smooth."""


class EncodedText(QObject):
    """The text to encode, with its tokens.

    - `replaced`: `live` is a different text, not an edit by the editor.
    - `edited(start, removed, added)`: the editor changed `live`; all in bytes.
    - `edited_elsewhere(start, removed, added)`: another view did; the editor must show that before the text is encoded.
    - `tokens_changed`: the tokens of `live` or `error` changed. For a text too large to encode at once, this is emitted
      when the old tokens are dropped, and again when all the new ones are known.
    - `special_changed`: another `allowed_special` applies.
    - `failed(error)`: the text contained lone surrogates, which were replaced.
    """

    replaced = Signal()
    edited = Signal(int, int, int)
    edited_elsewhere = Signal(int, int, int)
    tokens_changed = Signal()
    special_changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.live = LiveText()
        """The text with its tokens. Its editor modifies it and calls `encode_edit`."""
        self.history = EditHistory()
        """The edits of the text by any of its editors."""
        self._given: Tokenizer | None = None
        self.tokenizer: Tokenizer | None = None  # `live` has it with an id for unknown symbols
        """The tokenizer that made the tokens; it respects `allowed_special`.

        It may lag behind the cursor's while a thread trains.
        """
        self.allowed_special: Literal["all", "none"] = "all"
        """Whether special tokens in the text are recognised ("all") or encoded as plain text ("none")."""
        self.error: EngineError | None = None
        """Why the text cannot be encoded, or None."""
        self._runner = JobRunner(self, self._encode_in_thread, _PAUSE)

    @property
    def content(self) -> str:
        return str(self.live)

    def beginning(self, most: int) -> tuple[bytes, bool]:
        """Return the text, or its first lines of at most so many bytes, and whether that is all of it."""
        text, is_whole = self.live.read(0, most), len(self.live) <= most
        if not is_whole:
            text = text[: text.rfind(b"\n") + 1] or text.decode(errors="ignore").encode()
        return text, is_whole

    def set_content(self, text: str) -> None:
        """Replace the text. Lone surrogates become U+FFFD, which `failed` reports."""
        try:
            live = LiveText(text)
        except EngineError as error:
            self.failed.emit(error)
            live = LiveText(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        self.set_live(live)

    def set_live(self, text: LiveText) -> None:
        """Replace the text. The old text drops its tokens, since the history may keep it for a long time."""
        before, self.live = self.live, text
        text.encode_with(before.tokenizer)
        if before is not text:
            before.encode_with(None)
            self.history = EditHistory()
        self._encode_again()
        self.replaced.emit()

    def encode_edit(self, start: int, removed: int, added: int) -> None:
        """Encode an edit: `added` bytes replaced `removed` bytes at `start`."""
        self._encode_again()
        self.edited.emit(start, removed, added)

    def replace(self, start: int, stop: int, new: bytes) -> None:
        """Edit the text in another view than its editor: `new` replaces the bytes [start, stop)."""
        self.live.replace(start, stop, new)
        self.edited_elsewhere.emit(start, stop - start, len(new))
        self.encode_edit(start, stop - start, len(new))

    def encode_with(self, tokenizer: Tokenizer | None) -> None:
        """Encode with another tokenizer; None means no tokens."""
        if tokenizer is not self._given or not (self._runner.is_due or self.live.is_encoded):
            self._given = tokenizer
            self._change_tokenizer()

    def allow_special(self, allowed: Literal["all", "none"]) -> None:
        """Recognise special tokens in the text, or encode them as plain text."""
        if allowed != self.allowed_special:
            self.allowed_special = allowed
            self._change_tokenizer()
            self.special_changed.emit()

    def _change_tokenizer(self) -> None:
        self._runner.abandon()
        tokenizer = None if self._given is None else self._given.obeying(self.allowed_special)
        self.tokenizer = tokenizer
        if tokenizer is not None and tokenizer.unknown_id is None:
            tokenizer = tokenizer.with_unknown_id(UNKNOWN_ID)
        self.live.encode_with(tokenizer)
        self._encode()

    def _encode_again(self) -> None:
        self._runner.abandon()
        self._encode()

    def _encode(self) -> None:
        self.error = None
        tokenizer = self.live.tokenizer
        missing = self.live.unencoded_blocks() if tokenizer is not None else []
        # Even a short text may take long with a user's own pattern or a pipeline from a file.
        is_quick = tokenizer is None or (tokenizer.pipeline is None and tokenizer.recipe.splitter in SPLITTERS)
        if _size(missing) > _AT_ONCE or (missing and not is_quick):
            self._runner.start_soon()
        else:
            try:
                for block in missing:
                    self.live.encode(block)
            except EngineError as error:
                self.error = error
        self.tokens_changed.emit()

    def _encode_in_thread(self) -> None:
        text = self.live
        blocks = text.unencoded_blocks()
        size = _size(blocks)

        def work(progress: Progress) -> None:
            done = 0
            for block in blocks:
                text.encode(block)
                done += len(block.text)
                progress(done, size)

        def take_error(error: EngineError) -> None:
            self.error = error
            self.tokens_changed.emit()

        self._runner.start(
            name="encode text",
            work=work,
            on_success=lambda _result: self.tokens_changed.emit(),
            on_error=take_error,
        )


def _size(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)
