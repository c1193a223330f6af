"""What a session knows of the text to encode and of its tokens."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Encoding, EngineError, Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.text.utf8 import check_surrogates

from bpe_gui.gui.background.jobs import Report
from bpe_gui.gui.session.encoded_text import LiveEncoder


class TextSession(QObject):
    """The text to encode.

    - `text_changed`: `live_text` is another; its editor did not change it.
    - `text_edited`: its editor did.
    - `encoding_changed`: `live_text` has other tokens, after an edit or for another tokenizer, or more of them.
    - `failed(error)`: a mistake the user should hear of; nothing was changed.
    """

    text_changed = Signal()
    text_edited = Signal()
    encoding_changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None, before_much_work: Callable[[Report], None]) -> None:
        super().__init__(parent)
        self._encoder = LiveEncoder(self, before_much_work)
        self._encoder.changed.connect(self.encoding_changed)

    @property
    def live_text(self) -> LiveText:
        """The text to encode, with its tokens; its editor changes it and says so by `text_was_edited`."""
        return self._encoder.text

    @property
    def encoding_tokenizer(self) -> Tokenizer | None:
        """What `live_text` has its tokens from: `tokenizer`, or one of a moment ago while training is watched."""
        return self._encoder.tokenizer

    @property
    def text(self) -> str:
        """The text to encode."""
        return str(self._encoder.text)

    def set_text(self, text: str) -> None:
        """Encode another text, and have its editor show it."""
        try:
            check_surrogates(text)
        except EngineError as error:
            self.failed.emit(error)
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.set_live_text(LiveText(text))

    def set_live_text(self, text: LiveText) -> None:
        """Encode another text, and have its editor show it."""
        self._encoder.set_text(text)
        self.text_changed.emit()

    def text_was_edited(self) -> None:
        """The text to encode was edited in place."""
        self._encoder.text_was_edited()
        self.text_edited.emit()

    @property
    def encoding(self) -> Encoding | None:
        """The ids of the text, `UNKNOWN_ID` where a symbol has none; None while or if they cannot be had."""
        text = self._encoder.text
        if not text.is_encoded:
            return None
        ids, starts, stops = text.tokens(0, text.known())
        return Encoding(ids.tolist(), list(zip(starts.tolist(), stops.tolist(), strict=True)))

    @property
    def encode_error(self) -> EngineError | None:
        """Why the text cannot be encoded."""
        return self._encoder.error
