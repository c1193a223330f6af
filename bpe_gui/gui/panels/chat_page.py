"""A chat with an opened model: messages that one types, and what its chat template makes of them, as tokens."""

from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.chats import ChatText
from bpe_gui.engine.runtime import Int32Array
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, Scrolled, column_of, gapless_column, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import (
    ComboBox,
    SentenceLabel,
    count_label,
    icon_button,
    name_widget,
    push_button,
    splitter,
)
from bpe_gui.gui.session.chat import Message
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID, EncodedText
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit, token_view
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Tokens
from bpe_gui.gui.wording.numbers import listed, number, tokens_text
from bpe_gui.gui.wording.sentences import error_message

_ROLES: Final = ("system", "user", "assistant", "tool", "developer")
_PAUSE: Final = 80  # milliseconds without a change before the chat is rendered
_MOST_LINES: Final = 6  # of a message that are shown without scrolling


class ChatPage(QWidget):
    """Messages, the text that the template makes of them, and how many tokens each message and the template takes.

    It follows the tokenizer on screen while it is visible.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._chat = session.chat
        self._rendered: ChatText | None = None
        self._text = EncodedText(self)
        self._runner = JobRunner(self)
        self._pause = QTimer(self, singleShot=True)
        self._pause.setInterval(_PAUSE)
        name_widget(self, "chatPage", self.tr("Chat"))
        self._make_widgets()
        self._lay_out()
        for message in self._chat.messages:
            self._add_row(message)
        self._pause.timeout.connect(self._render)
        self._text.tokens_changed.connect(self._show_tokens)
        session.cursor.tokenizer_changed.connect(self._follow_tokenizer)
        self._template.activated.connect(weakly(self._choose))
        self._begins_answer.toggled.connect(weakly(self._choose))

    def _make_widgets(self) -> None:
        theme = self._theme
        self._reason = SentenceLabel(
            self.tr(
                "This tokenizer has no chat template to make a text of messages. Open a model that has one: a folder "
                "with chat_template.jinja or tokenizer_config.json, or a GGUF file."
            ),
            name="chatReason",
            role="quiet",
        )
        self._reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._reason.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self._template = name_widget(ComboBox(), "chatTemplateBox", self.tr("Chat template"))
        self._add = push_button("addMessageButton", self.tr("Add message"), weakly(self._add_message))
        self._begins_answer = name_widget(
            QCheckBox(self.tr("Begin an answer")), "chatAnswerBox", self.tr("Begin an answer")
        )
        self._begins_answer.setToolTip(
            self.tr("End with what the template puts before an answer of the model (add_generation_prompt).")
        )
        self._begins_answer.setChecked(self._chat.begins_answer)
        self._rows = QWidget()
        end = row_of(self._add, self._begins_answer, None)
        self._row_column = column_of(self._template, end, None, of=self._rows, margins=(MARGIN,) * 4)
        self._view = TokenEdit(name="chatText")
        self._view.setReadOnly(True)
        self._view.setAccessibleName(self.tr("What the model reads"))
        self._view.tokens.set_color_mode(ColorMode.BY_SPLITTER)
        self._view.tokens.use_motion(theme.motion)
        self._summary = SentenceLabel(name="chatSummary")
        self._summary.setToolTip(
            self.tr("Each message has a colour. What the template added is grey, or outlined if it is special.")
        )
        self._warning = SentenceLabel(name="chatWarning", role="warning")
        theme.keep_font(theme.token_font, self._view)
        theme.keep(lambda view: view.set_palette_colors(theme.token_palette()), self._view)

    def _lay_out(self) -> None:
        result, facts = QWidget(), QWidget()
        messages = name_widget(Scrolled(self._rows), "chatMessages", self.tr("Messages"))
        column_of(self._summary, self._warning, of=facts, margins=(MARGIN,) * 4, spacing=SMALL_GAP)
        gapless_column(result, (token_view(self._view, "chatView", self.tr("What the model reads")), 1), facts)
        self._parts = splitter(Qt.Orientation.Vertical, "chatSplitter", messages, result)
        for index in range(2):
            self._parts.setStretchFactor(index, 1)
        self._parts.setSizes((1, 1))
        gapless_column(self, self._reason, (self._parts, 1))

    @property
    def view(self) -> TokenEdit:
        """The text with its tokens."""
        return self._view

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_tokenizer()

    # -- messages -----------------------------------------------------------------------------------------------------

    @property
    def _all_rows(self) -> list["_Row"]:
        return self._rows.findChildren(_Row, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def _add_row(self, message: Message) -> "_Row":
        row = _Row(message, self._theme, self._rows)
        row.edited.connect(self._pause.start)
        row.remove_wanted.connect(self._remove)
        self._row_column.insertWidget(self._row_column.count() - 2, row)  # before what ends the chat
        for before, after in pairwise((row.edit, self._add, self._begins_answer, self._view)):
            self.setTabOrder(before, after)
        self._name_rows()
        return row

    def _name_rows(self) -> None:
        rows = self._all_rows
        for index, row in enumerate(rows, start=1):
            row.set_number(index, is_only=len(rows) == 1)

    def _add_message(self) -> None:
        messages = self._chat.messages
        messages.append(Message("assistant" if messages[-1].role == "user" else "user", ""))
        self._add_row(messages[-1]).edit.setFocus()
        self._pause.start()

    def _remove(self, row: "_Row") -> None:
        self._chat.messages = [message for message in self._chat.messages if message is not row.message]
        row.setParent(None)
        row.deleteLater()
        self._name_rows()
        self._pause.start()

    # -- rendering ----------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        """Note the template and whether to begin an answer."""
        self._chat.template, self._chat.begins_answer = self._template.currentText(), self._begins_answer.isChecked()
        self._pause.start()

    def _follow_tokenizer(self) -> None:
        """Show the chat for the tokenizer on screen, or why there is none."""
        tokenizer = self._session.cursor.tokenizer
        if not self.isVisible():
            return
        self._runner.abandon()
        names = list(tokenizer.chat_templates) if tokenizer else []
        with QSignalBlocker(self._template):
            self._template.clear()
            self._template.addItems(names)
            self._template.setCurrentText(self._chat.template or "default")
        self._template.setVisible(len(names) > 1)
        self._parts.setVisible(bool(names))
        self._reason.setVisible(not names)
        self._text.encode_with(tokenizer and tokenizer.without_ids_around())
        self._pause.start()

    def _render(self) -> None:
        tokenizer, chat = self._session.cursor.tokenizer, self._chat
        if tokenizer is None or not tokenizer.chat_templates or not self.isVisible():
            return
        name = self._template.currentText()
        messages = [{"role": message.role, "content": message.content} for message in chat.messages]

        def work(_progress: object) -> ChatText:
            text = tokenizer.chat_text(messages, name, add_generation_prompt=chat.begins_answer)
            _ = text.said  # in this thread, because it takes as long as rendering
            return text

        self._runner.abandon()  # what was typed before
        self._runner.start("render chat", work, self._show_rendered, self._show_error)

    def _show_rendered(self, chat: ChatText) -> None:
        self._rendered = chat
        self._text.set_content(chat.text)  # which shows the tokens

    def _show_error(self, error: EngineError) -> None:
        self._rendered = None
        self._text.set_content("")
        self._view.set_source(LiveTokens(self._text.live))
        self._show_facts({}, error_message(error))

    # -- tokens -------------------------------------------------------------------------------------------------------

    def _show_tokens(self) -> None:
        """Show the tokens as far as they are known; the numbers of the text before stay until all are."""
        chat, text, tokenizer = self._rendered, self._text.live, self._text.tokenizer
        if chat is None or tokenizer is None:
            return
        source = _ChatTokens.of(text, tokenizer, UNKNOWN_ID, self.tr("unknown symbol"))
        source.chat = chat
        bar = self._view.verticalScrollBar()
        row = bar.value()
        self._view.set_source(source)
        bar.setValue(row)  # where the reader was, since most of the text is the same
        if self._text.error is not None:
            self._show_facts({}, error_message(self._text.error))
        elif text.is_encoded:
            of, counts = np.unique(chat.messages_at(text.tokens(0, text.known_tokens).starts), return_counts=True)
            self._show_facts(dict(zip(of.tolist(), counts.tolist(), strict=True)), "\n".join(self._warnings(chat)))

    def _show_facts(self, counts: dict[int, int], warning: str) -> None:
        """Show how many tokens each message has, and as that of -1, how many the template added."""
        for index, row in enumerate(self._all_rows):
            row.count.setText(tokens_text(counts[index]) if index in counts else "")
        self._summary.setText(self._summary_text(counts) if counts else "")
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))

    def _summary_text(self, counts: dict[int, int]) -> str:
        added, total = counts.get(-1, 0), sum(counts.values())
        facts = self.tr("{tokens}: {said} in messages, {added} added by the template")
        return facts.format(tokens=tokens_text(total), said=number(total - added), added=number(added))

    def _warnings(self, chat: ChatText) -> list[str]:
        special = self.tr("Message {number} has {token} in its text, which becomes the special token.")
        untold = self.tr("The template changes what these messages say, so their tokens count as its own: {numbers}")
        found = [special.format(number=number(index + 1), token=token) for index, token in chat.special]
        numbers = listed(number(index + 1) for index in chat.untold)
        return [*found, untold.format(numbers=numbers)] if numbers else found


class _ChatTokens(LiveTokens):
    """Tokens in the colour of their message, and in grey where the template added them."""

    chat: ChatText | None = None

    def shades(self, tokens: Tokens, hues: int, mode: ColorMode) -> Int32Array:
        if self.chat is None:
            return super().shades(tokens, hues, mode)
        messages = self.chat.messages_at(tokens.starts)
        is_second = (np.arange(len(tokens)) + (tokens.first or 0)) % 2
        return np.where(messages < 0, 2 * hues, messages % hues + is_second * hues).astype(np.int32)


class _Row(QWidget):
    """A message: who says it, how many tokens it takes, and what is said, which is written to `message`."""

    edited = Signal()
    remove_wanted = Signal(QWidget)

    def __init__(self, message: Message, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self.role = name_widget(ComboBox(), "messageRole")
        self.role.addItems(list(dict.fromkeys([*_ROLES, message.role])))
        self.role.setCurrentText(message.role)
        self.count = count_label(theme, "messageTokens")
        self._remove = icon_button(theme, "remove", "removeMessageButton", self.tr("Remove this message"))
        self.edit = _MessageEdit(object_name="messageText")
        self.edit.setPlainText(message.content)
        top = row_of(self.role, (self.count, 1), self._remove)
        column_of(top, self.edit, of=self, spacing=SMALL_GAP)
        self.role.currentTextChanged.connect(self._note)
        self.edit.textChanged.connect(self._note)
        self._remove.clicked.connect(self._ask_to_remove)

    def set_number(self, number: int, *, is_only: bool) -> None:
        """Name the parts for screen readers; the only message cannot be removed."""
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
        lines = min(max(1, round(self.document().size().height())), _MOST_LINES)
        margins = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 1
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)
