"""What a file of ranks does not say: by which pattern text is split, and which special tokens there are."""

from typing import Final

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.engine import SPLITTERS, EngineError, FormatError
from bpe_gui.engine.errors import translatable as _
from bpe_gui.engine.splitters import compile_pattern
from bpe_gui.gui.messages import sentence
from bpe_gui.gui.theme import set_role
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.views.sentence_label import SentenceLabel
from bpe_gui.gui.widgets import named

_GRID: Final = 8
_WIDTH: Final = 560
_LINES: Final = 6  # of special tokens that are seen at once
_MOST_DIGITS: Final = 10  # of an id
_OPENAI: Final = ("gpt2", "cl100k", "o200k")  # what files of ranks are usually for


class RanksDialog(QDialog):
    """Asks for the two; when it is accepted, `pattern` and `special_tokens` are what was given."""

    def __init__(self, name: str, pattern: str, next_id: int, parent: QWidget | None = None) -> None:
        """`name` is the file's. A special token without an id gets `next_id`, or the one after it, and so on."""
        super().__init__(parent)
        self.setObjectName("ranksDialog")
        self.setWindowTitle(self.tr("Pattern and special tokens"))
        self.pattern = pattern
        self.special_tokens: dict[str, int] = {}
        self._next_id = next_id
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._pattern = named(QComboBox(editable=True), "ranksPattern", self.tr("Pattern by which text is split"))
        self._pattern.addItems([splitter for splitter in _OPENAI if splitter in SPLITTERS])
        self._pattern.setEditText(pattern)
        self._pattern.setFont(font)
        self._tokens = PlainTextEdit(self, object_name="ranksSpecialTokens")
        self._tokens.setAccessibleName(self.tr("Special tokens, one a line, each with its id"))
        self._tokens.setPlaceholderText(f"<|endoftext|> {next_id}")
        self._tokens.setTabChangesFocus(True)
        self._tokens.setFont(font)
        self._tokens.setFixedHeight(_LINES * self._tokens.fontMetrics().lineSpacing() + 2 * _GRID)
        self._complaint = SentenceLabel(name="ranksComplaint")
        set_role(self._complaint, "warning")
        self._lay_out(name)
        self._pattern.editTextChanged.connect(self._check)
        self._tokens.textChanged.connect(self._check)
        self._check()

    def _lay_out(self, name: str) -> None:
        explanation = SentenceLabel(
            self.tr(
                "{name} has the ranks only. How its tokenizer splits text and which special tokens it has is told by "
                "whoever made it."
            ).format(name=name)
        )
        form = QFormLayout()
        form.setHorizontalSpacing(2 * _GRID)
        form.setVerticalSpacing(_GRID)
        form.addRow(self.tr("Pattern"), self._pattern)
        form.addRow("", self._hint(self.tr("One of OpenAI's by its name, or a regular expression.")))
        form.addRow(self.tr("Special tokens"), self._tokens)
        form.addRow("", self._hint(self.tr("One a line, with its id behind a space; without one, the next free id.")))
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * _GRID, 2 * _GRID, 2 * _GRID, 2 * _GRID)
        column.setSpacing(_GRID)
        column.addWidget(explanation)
        column.addLayout(form)
        column.addWidget(self._complaint)
        column.addStretch(1)
        column.addWidget(self._buttons())
        self.setMinimumWidth(_WIDTH)

    def _hint(self, text: str) -> QWidget:
        label = QLabel(text)  # in one line: in a form, one that wraps takes too much room
        set_role(label, "quiet")
        return label

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox()
        self._open = named(QPushButton(self.tr("Open again")), "ranksOpenButton")
        self._open.setDefault(True)
        cancel = named(QPushButton(self.tr("Cancel"), autoDefault=False), "ranksCancelButton")
        box.addButton(self._open, QDialogButtonBox.ButtonRole.AcceptRole)
        box.addButton(cancel, QDialogButtonBox.ButtonRole.RejectRole)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        return box

    def _check(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        try:
            pattern = self._pattern.currentText()
            if pattern not in SPLITTERS:
                compile_pattern(pattern)
            self.special_tokens = parsed_special_tokens(self._tokens.text(), self._next_id)
            self.pattern = pattern
        except EngineError as error:
            self._complaint.setText(sentence(error))
            self._open.setEnabled(False)
        else:
            self._complaint.setText("")
            self._open.setEnabled(bool(pattern))


def parsed_special_tokens(text: str, next_id: int) -> dict[str, int]:
    """Special tokens, one a line, each with its id behind a space or else the next one. Raises FormatError.

    >>> parsed_special_tokens("<a> 7\\n<b>\\n", 300)
    {'<a>': 7, '<b>': 300}
    """
    tokens: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        token, _space, digits = line.strip().rpartition(" ")
        if not (token and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
            token, digits = line.strip(), ""
        token_id = int(digits) if digits else max([next_id - 1, *tokens.values()]) + 1
        if not token:
            continue
        if token in tokens or token_id in tokens.values():
            raise FormatError(
                _("EngineError", "Line {line} has the token {token!r} and the id {id}; one of them is there already."),
                line=number,
                token=token,
                id=token_id,
            )
        tokens[token] = token_id
    return tokens
