"""The dialog that asks how often documents count."""

from collections.abc import Set
from fractions import Fraction
from typing import Final

from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.corpora import ONCE, weight_of, weight_text
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column
from bpe_gui.gui.look.qt_constants import TOP_LEFT
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, name_widget
from bpe_gui.gui.wording.error_messages import error_message

_WIDTH: Final = 420  # pixels
_USUAL: Final = ("0.1", "0.25", "0.5", "1", "2", "3", "5", "10")


class WeightDialog(QDialog):
    """A dialog for the weight of one or more documents; when it is accepted, `weight` is what the user chose."""

    def __init__(self, documents: str, weights: Set[Fraction], parent: QWidget | None = None) -> None:
        """Ask about `documents`, which is the name of one or a phrase for several; they have `weights` now."""
        super().__init__(parent)
        self.setObjectName("weightDialog")
        self.setWindowTitle(self.tr("Weight"))
        self.weight = ONCE
        self._box = name_widget(
            ComboBox(editable=True), "weightBox", self.tr("Weight of {documents}").format(documents=documents)
        )
        self._box.addItems(_USUAL)
        self._box.setEditText(weight_text(next(iter(weights))) if len(weights) == 1 else "")
        self._error = SentenceLabel(name="weightError")
        self._error.reserve_lines(1)
        self._error.setAlignment(TOP_LEFT)
        set_role(self._error, "warning")
        self._apply = name_widget(QPushButton(self.tr("Set weight")), "weightButton")
        self._apply.setDefault(True)
        self._lay_out(documents)
        self._box.editTextChanged.connect(self._check)
        self._check(self._box.currentText())
        if (edit := self._box.lineEdit()) is not None:
            edit.selectAll()  # so that a number that is typed replaces it

    def _lay_out(self, documents: str) -> None:
        question = SentenceLabel(self.tr("How often to count {documents}:").format(documents=documents))
        explanation = SentenceLabel(
            self.tr(
                "3 counts the text three times, 0.1 counts a tenth of it. The count of each word is rounded to a whole "
                "number."
            )
        )
        set_role(explanation, "quiet")
        cancel = name_widget(QPushButton(self.tr("Cancel"), autoDefault=False), "weightCancelButton")
        buttons = dialog_buttons(accept=self._apply, reject=cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = dialog_column(self)
        for widget in (question, self._box, explanation, self._error):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)
        self._box.setFocus()

    def _check(self, text: str) -> None:
        """Take the weight, or say what is wrong with it."""
        message = ""
        try:
            self.weight = weight_of(text)
        except EngineError as error:
            message = error_message(error) if text.strip() else ""
        self._error.setText(message)
        self._apply.setEnabled(bool(text.strip()) and not message)
