"""The chat that is typed in the window. It stays while another tokenizer is opened, and in another language."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(slots=True)
class Message:
    """One message of a chat."""

    role: str
    content: str


class Chat(QObject):
    """The messages of a chat and how to render them. Whoever changes them emits `changed`."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.messages = [Message("user", "Hello!")]
        self.template: str | None = None
        """The name of the template that was chosen, for tokenizers that have one of this name."""
        self.begins_answer = True
        self.is_shown = False
        """Whether it is shown in place of the text to encode."""
