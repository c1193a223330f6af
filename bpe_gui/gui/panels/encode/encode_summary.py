"""The numbers below the text: all its tokens in one line, the selected and the marked ones in another."""

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import labelled
from bpe_gui.gui.wording.numbers import counted


class EncodeSummary(QWidget):
    """The numbers below the text, in a widget whose height does not depend on them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._label = SentenceLabel(name="encodeSummary")
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._warning = SentenceLabel(name="encodeWarning")
        set_role(self._warning, "warning")
        facts = QVBoxLayout(self)
        facts.setContentsMargins(MARGIN, MARGIN, MARGIN, SMALL_GAP)
        facts.setSpacing(SMALL_GAP)
        facts.addWidget(self._label)
        facts.addWidget(self._warning)

    def set_fonts(self) -> None:
        """Set the font of the theme, which a style sheet may have reset."""
        self._label.setFont(self._theme.number_font())

    def show_tokens(
        self,
        text: LiveText,
        tokenizer: Tokenizer | None,
        error: EngineError | None,
        marked: tuple[int, str] | None,
        selection: tuple[int, int],
    ) -> None:
        """Show the numbers of `text` as `tokenizer` encodes it, or the error that prevents that.

        `marked` is the id that is marked in the text, with its printable form; `selection` is a span of byte offsets.
        """
        self._set_role("warning" if error else "")
        facts = [error_message(error)] if error else [self._summary_text(text, tokenizer)]
        if error is None and tokenizer is not None and text.is_encoded:
            details = self._selection_text(text, selection), self._marked_text(text, marked)
            facts.append(" · ".join(filter(None, details)))
        self._label.setText("\n".join(filter(None, facts)))
        unknown = text.tokens_without_id if error is None else 0
        self._warning.setVisible(unknown > 0)
        self._warning.setText(self._unknown_text(unknown))
        # The space for the second line is reserved, so that nothing moves when the user selects or marks a token.
        self._label.reserve_lines(1 if unknown else 2)

    def show_text(self, text: str) -> None:
        """Show a sentence instead of numbers."""
        self._label.setText(text)

    def _set_role(self, role: str) -> None:
        if role != self._label.property("role"):
            set_role(self._label, role)
            self.set_fonts()  # a new role resets them

    def _summary_text(self, text: LiveText, tokenizer: Tokenizer | None) -> str:
        if tokenizer is None:
            return self.tr("No tokenizer yet: the corpus has nothing to train on.")
        if not text.is_encoded:
            return self.tr("encoding…")
        tokens, byte_count = text.known_tokens, len(text)
        facts = [
            self._tokens_text(tokens),
            self._characters_text(text.characters),
            counted(byte_count, self.tr("1 byte"), self.tr("{count} bytes")),
        ]
        if tokens:
            facts.append(
                self.tr("{ratio} bytes per token").format(ratio=QLocale().toString(byte_count / tokens, "f", 2))
            )
        return " · ".join(facts)

    def _tokens_text(self, count: int) -> str:
        return counted(count, self.tr("1 token"), self.tr("{count} tokens"))

    def _characters_text(self, count: int) -> str:
        return counted(count, self.tr("1 character"), self.tr("{count} characters"))

    def _selection_text(self, text: LiveText, selection: tuple[int, int]) -> str:
        start, stop = selection
        if start >= stop:
            return ""
        _first, tokens = text.count_in(start, stop)
        return self.tr("selected: {tokens}, {characters}").format(
            tokens=self._tokens_text(tokens), characters=self._characters_text(text.characters_in(start, stop))
        )

    def _marked_text(self, text: LiveText, marked: tuple[int, str] | None) -> str:
        if marked is None:
            return ""
        token_id, label = marked
        times = counted(text.count(token_id), self.tr("once in this text"), self.tr("{count} times in this text"))
        return labelled(label, times)

    def _unknown_text(self, count: int) -> str:
        return counted(
            count,
            self.tr("1 symbol is not in the vocabulary and has no id."),
            self.tr("{count} symbols are not in the vocabulary and have no id."),
        )
