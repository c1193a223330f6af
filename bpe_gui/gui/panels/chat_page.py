"""A chat with the model on screen: its messages, and below them what the model reads."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.chats.chat_view import ChatView
from bpe_gui.gui.chats.messages import ChatMessages
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import name_widget, splitter
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.wording.phrases import tokens_text


class ChatPage(QWidget):
    """It follows the tokenizer on screen; of one without a chat template it says only that."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        name_widget(self, "chatPage", self.tr("Chat"))
        self._messages = ChatMessages(session.chat, theme)
        self._result = ChatView(session.chat, theme)
        self.edit: Final[TokenEdit] = self._result.edit
        parts = splitter(Qt.Orientation.Vertical, "chatSplitter", self._messages, self._result)
        for index in range(2):
            parts.setStretchFactor(index, 1)
        parts.setSizes((1, 1))
        gapless_column(self, parts)
        self.setTabOrder(self._messages.answer, self.edit)
        self._result.counted.connect(self._show_counts)
        session.cursor.tokenizer_changed.connect(self._follow_tokenizer)
        self._follow_tokenizer()

    def _follow_tokenizer(self) -> None:
        tokenizer = self._session.cursor.tokenizer
        self._messages.setVisible(tokenizer is not None and bool(tokenizer.chat_templates))
        self._result.show_tokenizer(tokenizer)

    def _show_counts(self, counts: dict[int, int]) -> None:
        messages = range(len(self._session.chat.messages))
        self._messages.show_counts([tokens_text(counts[index]) if index in counts else "" for index in messages])
