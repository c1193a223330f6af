"""A chat with a model: its messages, and below them what the tokenizer's template makes of them, as tokens."""

from typing import Final

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import ChatText, EngineError, Int32Array, Tokenizer
from bpe_gui.gui.jobs import JobRunner, pause_before
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, Scrolled, column_of, gapless_column
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, name_widget, splitter
from bpe_gui.gui.session.chat import Chat
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID, EncodedText
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit, token_view
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Tokens
from bpe_gui.gui.wording.phrases import listed, number, tokens_text
from bpe_gui.gui.wording.sentences import error_message

from .messages import ChatMessages

_PAUSE: Final = 80  # milliseconds without a change before the chat is rendered


class ChatView(QWidget):
    """The rendered text with its tokens, and facts about it. It does no work while it is hidden.

    `counted(counts)`: how many tokens each message takes, by its index, and as that of -1, how many the template
    added; empty if there is no text. The tokenizer's `letter` is appended to the names of the parts.
    """

    counted = Signal(object)  # PySide would make a map of strings of a dict

    def __init__(self, chat: Chat, theme: Theme, letter: str = "") -> None:
        super().__init__()
        self._chat = chat
        self._tokenizer: Tokenizer | None = None
        self._rendered: ChatText | None = None
        self._text = EncodedText(self)
        self._runner = JobRunner(self)
        self._pause = pause_before(self._render, _PAUSE, self)
        name_widget(self, f"chatResult{letter}", self.tr("What the model reads"))
        self._reason = SentenceLabel(name=f"chatReason{letter}")
        self._reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._reason.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self._reason_area = Scrolled(self._reason)  # a template's own message may be long
        self._template = name_widget(ComboBox(), f"chatTemplateBox{letter}", self.tr("Chat template"))
        self.edit: Final = TokenEdit(name=f"chatText{letter}")
        self.edit.setReadOnly(True)
        self.edit.setAccessibleName(self.tr("What the model reads"))
        self.edit.tokens.set_color_mode(ColorMode.BY_SPLITTER)
        self.edit.tokens.use_motion(theme.motion)
        self._summary = SentenceLabel(name=f"chatSummary{letter}")
        self._summary.setToolTip(
            self.tr("Each message has a colour. What the template added is grey, or outlined if it is special.")
        )
        self._warning = SentenceLabel(name=f"chatWarning{letter}", role="warning")
        theme.keep_font(theme.token_font, self.edit)
        theme.keep(lambda edit: edit.set_palette_colors(theme.token_palette()), self.edit)
        facts = self._facts = QWidget()
        column_of(self._template, self._summary, self._warning, of=facts, margins=(MARGIN,) * 4, spacing=SMALL_GAP)
        self._view = token_view(self.edit, f"chatView{letter}", self.tr("What the model reads"))
        gapless_column(self, (self._reason_area, 1), (self._view, 1), facts)
        self._text.tokens_changed.connect(self._show_tokens)
        self._template.activated.connect(weakly(self._choose))
        chat.changed.connect(self._pause.start)
        self.show_tokenizer(None)

    def show_tokenizer(self, tokenizer: Tokenizer | None) -> None:
        """Show the chat for a tokenizer, or why there is none."""
        self._tokenizer = tokenizer
        self._runner.abandon()
        names = list(tokenizer.chat_templates) if tokenizer else []
        with QSignalBlocker(self._template):
            self._template.clear()
            self._template.addItems(names)
            self._template.setCurrentText("default")
        self._template.setVisible(len(names) > 1)
        if names:  # what is shown stays until there is something new
            self._reason.setText("")
        else:
            no_template = self.tr(
                "This tokenizer has no chat template to make a text of messages. Open a model that has one: a folder "
                "with chat_template.jinja or tokenizer_config.json, or a GGUF file."
            )
            self._show_reason(no_template, "quiet")
        if self.isVisible():
            self._text.encode_with(tokenizer and tokenizer.without_ids_around())
            self._pause.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_tokenizer(self._tokenizer)

    def _choose(self) -> None:
        self._chat.template = self._template.currentText()
        self._chat.changed.emit()

    # -- rendering ----------------------------------------------------------------------------------------------------

    def _render(self) -> None:
        tokenizer, chat = self._tokenizer, self._chat
        if tokenizer is None or not tokenizer.chat_templates or not self.isVisible():
            return
        if chat.template is not None:  # it may have been chosen for another tokenizer
            self._template.setCurrentText(chat.template)
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
        self._show_reason(error_message(error), "warning")

    def _show_reason(self, reason: str, role: str) -> None:
        """Show why there is no text."""
        self._rendered = None
        self._reason.say(reason, role)
        self._show_facts({}, "")

    # -- tokens -------------------------------------------------------------------------------------------------------

    def _show_tokens(self) -> None:
        """Show the tokens as far as they are known; the numbers of the text before stay until all are."""
        chat, text, tokenizer = self._rendered, self._text.live, self._text.tokenizer
        if chat is None or tokenizer is None:
            return
        source = _ChatTokens.of(text, tokenizer, UNKNOWN_ID, self.tr("unknown symbol"))
        source.chat = chat
        bar = self.edit.verticalScrollBar()
        row = bar.value()
        self.edit.set_source(source)
        bar.setValue(row)  # where the reader was, since most of the text is the same
        if self._text.error is not None:
            self._show_error(self._text.error)
        elif text.is_encoded:
            of, counts = np.unique(chat.messages_at(text.tokens(0, text.known_tokens).starts), return_counts=True)
            self._show_facts(dict(zip(of.tolist(), counts.tolist(), strict=True)), "\n".join(self._warnings(chat)))

    def _show_facts(self, counts: dict[int, int], warning: str) -> None:
        self._view.setVisible(bool(counts))
        self._reason_area.setVisible(not counts)
        self._summary.setText(self._summary_text(counts) if counts else "")
        self._warning.setText(warning)
        for label in (self._summary, self._warning):
            label.setVisible(bool(label.text()))
        self._facts.setVisible(bool(counts) or not self._template.isHidden())
        self.counted.emit(counts)

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
