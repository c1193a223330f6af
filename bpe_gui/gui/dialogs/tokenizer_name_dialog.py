"""The dialog that asks for the name of a published tokenizer, and downloads it."""

from typing import Final

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QCompleter, QDialog, QLabel, QLineEdit, QPushButton, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.formats import Download, fetch_published, is_published_name
from bpe_gui.gui.jobs import JobRunner, Operation
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.wording.error_messages import error_message

_WIDTH: Final = 520  # pixels
_EXAMPLE: Final = "hf:openai-community/gpt2"
_SUGGESTIONS: Final = (
    _EXAMPLE,
    "hf:Qwen/Qwen2.5-0.5B",
    "hf:deepseek-ai/DeepSeek-V3",
    "hf:mistralai/Mistral-7B-v0.1",
    "tiktoken:cl100k_base",
    "tiktoken:o200k_base",
)


class TokenizerNameDialog(QDialog):
    """A dialog that stays open until the tokenizer is there; then it is accepted, and `download` is where.

    Nothing goes over the network before the user presses the button.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenizerNameDialog")
        self.setWindowTitle(self.tr("Open tokenizer by name"))
        self.download: Download | None = None
        self._runner = JobRunner(self)
        self._name = name_widget(QLineEdit(), "tokenizerName", self.tr("Name"))
        self._name.setPlaceholderText(_EXAMPLE)
        self._suggestions = QStringListModel(_SUGGESTIONS, self)
        self._name.setCompleter(QCompleter(self._suggestions, self))
        self._message = SentenceLabel(name="tokenizerNameMessage", selectable=True)
        self._message.reserve_lines(2)
        self._open = name_widget(QPushButton(self.tr("&Download and open"), autoDefault=False), "tokenizerNameButton")
        self._open.setDefault(True)
        self._lay_out()
        self._name.textChanged.connect(self._refresh)
        self.finished.connect(self._runner.abandon)
        self._refresh()

    def _lay_out(self) -> None:
        label = QLabel(self.tr("&Name of a published tokenizer"))
        label.setBuddy(self._name)
        explanation = SentenceLabel(name="tokenizerNameExplanation")
        explanation.setText(
            self.tr(
                "hf:owner/name is a model on the Hugging Face Hub; add @revision for a specific version. "
                "tiktoken:name is an OpenAI encoding. Only the tokenizer files are downloaded."
            )
        )
        set_role(explanation, "quiet")
        cancel = name_widget(QPushButton(self.tr("Cancel"), autoDefault=False), "tokenizerNameCancelButton")
        buttons = dialog_buttons(accept=self._open, reject=cancel)
        buttons.accepted.connect(self._begin)
        buttons.rejected.connect(self.reject)
        column = dialog_column(self)
        for widget in (label, self._name, explanation, self._message, buttons):
            column.addWidget(widget)
        self.setMinimumWidth(_WIDTH)
        self._name.setFocus()

    def _refresh(self) -> None:
        """Let the button be pressed for a name; suggest others, because Return would only close the suggestion."""
        self._suggestions.setStringList([name for name in _SUGGESTIONS if name != self._typed])
        self._open.setEnabled(is_published_name(self._typed))
        self._say("", role="quiet")

    @property
    def _typed(self) -> str:
        return self._name.text().strip()

    def _begin(self) -> None:
        name = self._typed
        self._say(self.tr("Downloading {name}…").format(name=name), role="quiet")
        self._open.setEnabled(False)
        self._runner.abandon()
        self._runner.start(
            Operation(
                name="download a tokenizer",
                work=lambda report: fetch_published(name, report),
                on_success=self._take,
                on_error=self._show_error,
            )
        )

    def _take(self, download: Download) -> None:
        self.download = download
        self.accept()

    def _show_error(self, error: EngineError) -> None:
        self._say(error_message(error), role="warning")
        self._open.setEnabled(True)

    def _say(self, text: str, *, role: str) -> None:
        set_role(self._message, role)
        self._message.setText(text)
