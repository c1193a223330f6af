"""The same chat with up to four models: its messages, and beside them what each model reads."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.chats.chat_view import ChatView
from bpe_gui.gui.chats.messages import ChatMessages
from bpe_gui.gui.look.layouts import PanelHeader, SectionTitle, gapless_column
from bpe_gui.gui.look.qt_constants import HORIZONTAL
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import name_widget, splitter
from bpe_gui.gui.session.chat import Chat
from bpe_gui.gui.wording.phrases import number

from .compared import Compared

_WIDTHS = (250, 910)  # pixels, of the messages and of what the models read


class _ChatColumn(QWidget):
    """What one model reads, below its name. `counted`: the numbers of tokens by message, `counts`, have changed."""

    counted = Signal()

    def __init__(self, item: Compared, letter: str, chat: Chat, theme: Theme) -> None:
        super().__init__()
        self.item = item
        self.letter = letter
        self.counts: dict[int, int] = {}
        self._title = SectionTitle("", f"comparedChatTitle{letter}")
        self.view = ChatView(chat, theme, letter)
        gapless_column(self, PanelHeader(self._title), (self.view, 1))
        self.view.counted.connect(self._note_counts)

    def show_title(self, letter: str, name: str) -> None:
        self.letter = letter
        self._title.setText(f"{letter}  {name}")

    def _note_counts(self, counts: dict[int, int]) -> None:
        self.counts = counts
        self.counted.emit()


class ChatsPanel(QWidget):
    """A column for each tokenizer whose text is shown; the counts of a message name them by their letters."""

    def __init__(self, chat: Chat, theme: Theme) -> None:
        super().__init__()
        self._chat = chat
        self._theme = theme
        name_widget(self, "comparedChats", self.tr("Chat"))
        self._messages = ChatMessages(chat, theme)
        self._splitter = splitter(HORIZONTAL, "comparedChatColumns")
        parts = self._messages, self._splitter
        gapless_column(self, splitter(HORIZONTAL, "comparedChatSplitter", *parts, sizes=_WIDTHS, stretch=(0, 1)))
        self.columns: list[_ChatColumn] = []

    def show_items(self, items: Sequence[Compared], letters: Sequence[str]) -> None:
        """Show these tokenizers, each with its letter; columns already shown are kept."""
        if [column.item for column in self.columns] != list(items):
            for column in self.columns:
                column.setParent(None)
                column.deleteLater()
            pairs = zip(items, letters, strict=True)
            self.columns = [_ChatColumn(*pair, self._chat, self._theme) for pair in pairs]
            for column in self.columns:
                self._splitter.addWidget(column)
                column.counted.connect(self._show_counts)
            self._splitter.setSizes([1_000] * len(self.columns))
        for column in self.columns:
            column.view.show_tokenizer(column.item.tokenizer)

    def _show_counts(self) -> None:
        messages, columns = range(len(self._chat.messages)), self.columns
        told = [[f"{each.letter} {number(each.counts[i])}" for each in columns if i in each.counts] for i in messages]
        self._messages.show_counts([" · ".join(of_message) for of_message in told])
