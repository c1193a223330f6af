"""The question whether opened files replace the corpus or are added to it."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from bpe_gui.gui.dialogs.question_box import question_box

translate = QCoreApplication.translate  # lupdate knows the function by this name

_NAME: Final = "openQuestion"
_Role = QMessageBox.ButtonRole


def ask_to_replace_corpus(
    window: QWidget, opened: str, replace: Callable[[], object], add: Callable[[], object]
) -> None:
    """Ask what is to become of `opened`, a phrase for the files; neither is called if the user cancels."""
    question = translate("OpenQuestion", "Replace the corpus with {files}, or add to the corpus?").format(files=opened)
    consequence = translate("OpenQuestion", "Replacing the corpus discards its run.")
    box = question_box(window, _NAME, question, consequence)
    if box is None:
        return
    box.addButton(translate("OpenQuestion", "Replace"), _Role.DestructiveRole).clicked.connect(replace)
    add_button = box.addButton(translate("OpenQuestion", "Add"), _Role.AcceptRole)
    add_button.clicked.connect(add)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(add_button)
    box.open()
