"""The messages of a chat, one below the other, as rows that one types into."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, Scrolled, column_of, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, count_label, icon_button, name_widget, push_button
from bpe_gui.gui.session.chat import Chat, Message
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit

_ROLES: Final = ("system", "user", "assistant", "tool", "developer")
_MOST_LINES: Final = 6  # of a message that are shown without scrolling


class ChatMessages(Scrolled):
    """The rows. Several of these can show one chat."""

    def __init__(self, chat: Chat, theme: Theme) -> None:
        super().__init__(QWidget())
        self._chat = chat
        self._theme = theme
        name_widget(self, "chatMessages", self.tr("Messages"))
        self._add = push_button("addMessageButton", self.tr("Add message"), weakly(self._add_message))
        self.answer: Final = name_widget(
            QCheckBox(self.tr("Begin an answer")), "chatAnswerBox", self.tr("Begin an answer")
        )
        self.answer.setToolTip(
            self.tr("End with what the template puts before an answer of the model (add_generation_prompt).")
        )
        end = row_of(self._add, self.answer, None)
        self._column = column_of(end, None, of=self.contents, margins=(MARGIN,) * 4)
        self.answer.toggled.connect(self._choose_answer)
        chat.changed.connect(self._show_chat)
        self._show_chat()

    @property
    def _rows(self) -> "list[_Row]":
        return self.contents.findChildren(_Row, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def show_counts(self, counts: Sequence[str]) -> None:
        """Show how many tokens each message takes."""
        for row, count in zip(self._rows, counts, strict=False):
            row.count.setText(count)

    def _show_chat(self) -> None:
        """Show what the chat says by now, in the rows of messages that it still has and in rows of new ones."""
        messages = self._chat.messages
        for row in self._rows:
            if all(row.message is not message for message in messages):
                row.setParent(None)
                row.deleteLater()
        for message in messages[len(self._rows) :]:
            row = _Row(message, self._theme, self.contents)
            row.edited.connect(self._chat.changed)
            row.remove_wanted.connect(self._remove)
            self._column.insertWidget(self._column.count() - 2, row)  # before what ends the chat
            for before, after in pairwise((row.edit, self._add, self.answer)):
                self.setTabOrder(before, after)
        rows = self._rows
        for index, row in enumerate(rows, start=1):
            row.show_message(index, is_only=len(rows) == 1)
        with QSignalBlocker(self.answer):
            self.answer.setChecked(self._chat.begins_answer)

    def _add_message(self) -> None:
        messages = self._chat.messages
        messages.append(Message("assistant" if messages[-1].role == "user" else "user", ""))
        self._chat.changed.emit()
        self._rows[-1].edit.setFocus()

    def _remove(self, row: "_Row") -> None:
        self._chat.messages = [message for message in self._chat.messages if message is not row.message]
        self._chat.changed.emit()

    def _choose_answer(self, begins: bool) -> None:
        self._chat.begins_answer = begins
        self._chat.changed.emit()


class _Row(QWidget):
    """A message: who says it, how many tokens it takes, and what is said, which is written to `message`."""

    edited = Signal()
    remove_wanted = Signal(QWidget)

    def __init__(self, message: Message, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self.role = name_widget(ComboBox(), "messageRole")
        self.role.addItems(list(dict.fromkeys([*_ROLES, message.role])))
        self.count = count_label(theme, "messageTokens")
        self._remove = icon_button(theme, "remove", "removeMessageButton", self.tr("Remove this message"))
        self.edit = _MessageEdit(object_name="messageText")
        top = row_of(self.role, (self.count, 1), self._remove)
        column_of(top, self.edit, of=self, spacing=SMALL_GAP)
        self.role.currentTextChanged.connect(self._note)
        self.edit.textChanged.connect(self._note)
        self._remove.clicked.connect(self._ask_to_remove)

    def show_message(self, number: int, *, is_only: bool) -> None:
        """Show the message, and name the parts for screen readers; the only message cannot be removed."""
        with QSignalBlocker(self.role), QSignalBlocker(self.edit):
            self.role.setCurrentText(self.message.role)
            if self.edit.text() != self.message.content:  # typed in another row
                self.edit.setPlainText(self.message.content)
        self.role.setAccessibleName(self.tr("Role of message {number}").format(number=number))
        self.edit.setAccessibleName(self.tr("Text of message {number}").format(number=number))
        self._remove.setEnabled(not is_only)

    def _note(self) -> None:
        self.message.role, self.message.content = self.role.currentText(), self.edit.text()
        self.edited.emit()

    def _ask_to_remove(self) -> None:
        self.remove_wanted.emit(self)


class _MessageEdit(PlainTextEdit):
    """An editor as tall as its text, up to some lines."""

    def __init__(self, *, object_name: str) -> None:
        super().__init__(object_name=object_name)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height, most = 0.0, _MOST_LINES * self.fontMetrics().lineSpacing()
        block = self.document().firstBlock()
        while block.isValid() and height < most:
            height += self.blockBoundingRect(block).height()  # more where a line has emoji
            block = block.next()
        margins = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 1
        self.setFixedHeight(round(min(height, most)) + margins)
