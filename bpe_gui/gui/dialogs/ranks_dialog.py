"""What a file of ranks does not say: by which pattern text is split, and which special tokens there are."""

from collections.abc import Container, Mapping
from itertools import count
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QWidget,
)

from bpe_gui.engine import SPLITTERS, EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.special_tokens import check_special_tokens
from bpe_gui.engine.text.splitters import compile_pattern
from bpe_gui.engine.tokenization.vocabulary import special_ids
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column, dialog_form
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named

_GRID: Final = 8
_WIDTH: Final = 560
_LINES: Final = 6  # of special tokens that are seen at once
_MOST_DIGITS: Final = 10  # of an id
_TOP_LEFT: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_OPENAI: Final = ("gpt2", "cl100k", "o200k")  # what files of ranks are usually for


class RanksDialog(QDialog):
    """Asks for the two. It stays open until whoever opens the file accepts it, or has it `complain`."""

    asked = Signal()
    """The file is to be opened with `pattern` and `special_tokens`."""

    def __init__(
        self,
        name: str,
        pattern: str,
        special_tokens: Mapping[str, int],
        ranks: Mapping[int, bytes],
        parent: QWidget | None = None,
    ) -> None:
        """`name` is the file's, and `ranks` are the tokens in it. The others are what it is opened with now."""
        super().__init__(parent)
        self.setObjectName("ranksDialog")
        self.setWindowTitle(self.tr("Pattern and special tokens"))
        self.pattern = pattern
        self.special_tokens: dict[str, int] = {}
        self._ranks = ranks
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._pattern = named(QComboBox(editable=True), "ranksPattern", self.tr("Pattern by which text is split"))
        self._pattern.addItems([splitter for splitter in _OPENAI if splitter in SPLITTERS])
        self._pattern.setEditText(pattern)
        self._pattern.setFont(font)
        self._tokens = PlainTextEdit(self, object_name="ranksSpecialTokens")
        self._tokens.setAccessibleName(self.tr("Special tokens, one a line, each with its id"))
        first_free = next(token_id for token_id in count() if token_id not in ranks)
        self._tokens.setPlaceholderText(f"<|endoftext|> {first_free}")
        self._tokens.setPlainText("\n".join(f"{token} {token_id}" for token, token_id in special_tokens.items()))
        self._tokens.setTabChangesFocus(True)
        self._tokens.setFont(font)
        self._tokens.setFixedHeight(_LINES * self._tokens.fontMetrics().lineSpacing() + 2 * _GRID)
        self._complaint = SentenceLabel(name="ranksComplaint")
        set_role(self._complaint, "warning")
        self._complaint.keep_room(2)
        self._complaint.setAlignment(_TOP_LEFT)
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
        form = dialog_form()
        form.addRow(self.tr("Pattern"), self._pattern)
        form.addRow("", self._hint(self.tr("One of OpenAI's by its name, or a regular expression.")))
        form.addRow(self.tr("Special tokens"), self._tokens)
        form.addRow("", self._hint(self.tr("One a line, with its id behind a space; without one, the next free id.")))
        column = dialog_column(self)
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
        self._open = named(QPushButton(self.tr("Open again")), "ranksOpenButton")
        self._open.setDefault(True)
        cancel = named(QPushButton(self.tr("Cancel"), autoDefault=False), "ranksCancelButton")
        box = dialog_buttons(accept=self._open, reject=cancel)
        box.accepted.connect(self._ask)
        box.rejected.connect(self.reject)
        return box

    def complain(self, error: EngineError) -> None:
        """Say why the file could not be opened with what was given."""
        self._complaint.setText(sentence(error))
        self._open.setEnabled(True)

    def _ask(self) -> None:
        self._open.setEnabled(False)  # until something else is typed, or there is a complaint
        self.asked.emit()

    def _check(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        try:
            pattern = self._pattern.currentText()
            if pattern not in SPLITTERS:
                compile_pattern(pattern)
            self.special_tokens = special_ids(parsed_special_tokens(self._tokens.text(), self._ranks), self._ranks)
            check_special_tokens(self.special_tokens)
            self.pattern = pattern
        except EngineError as error:
            self._complaint.setText(sentence(error))
            self._open.setEnabled(False)
        else:
            self._complaint.setText("")
            self._open.setEnabled(bool(pattern))


def parsed_special_tokens(text: str, taken: Container[int]) -> dict[str, int]:
    """Special tokens, one a line, each with its id behind a space or else the next that is not taken. Raises
    FormatError.

    >>> parsed_special_tokens("<a> 1\\n<b>\\n<c>\\n", {0, 2})
    {'<a>': 1, '<b>': 3, '<c>': 4}
    """
    lines = [(number, *_parsed(line)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    given = {token_id for _number, _token, token_id in lines if token_id is not None}
    free = (token_id for token_id in count() if token_id not in taken and token_id not in given)
    tokens: dict[str, int] = {}
    for number, token, wanted in lines:
        token_id = next(free) if wanted is None else wanted
        if token in tokens or token_id in tokens.values():
            raise FormatError(
                _("EngineError", "Line {line} has the token {token!r} and the id {id}; one of them is there already."),
                line=number,
                token=token,
                id=token_id,
            )
        tokens[token] = token_id
    return tokens


def _parsed(line: str) -> tuple[str, int | None]:
    """The token in a line, and its id if there is one."""
    token, _space, digits = line.strip().rpartition(" ")
    if token and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        return token, int(digits)
    return line.strip(), None
