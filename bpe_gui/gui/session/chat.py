"""The chat that is typed in the window. It stays while another tokenizer is opened, and in another language."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Message:
    """One message of a chat."""

    role: str
    content: str


@dataclass(slots=True)
class Chat:
    """The messages of a chat and how to render them: with a template by its name, and with the start of an answer."""

    messages: list[Message] = field(default_factory=lambda: [Message("user", "Hello!")])
    template: str | None = None
    begins_answer: bool = True
    is_shown: bool = False
    """Whether it is shown in place of the text to encode."""
