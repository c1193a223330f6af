"""The questions before something is opened in place of the corpus."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from bpe_gui.gui.dialogs.boxes import question_box

translate = QCoreApplication.translate  # lupdate knows the function by this name

_NAME: Final = "openQuestion"
_TOUR_NAME: Final = "tourQuestion"
_Role = QMessageBox.ButtonRole


def ask_to_replace_corpus(
    window: QWidget, opened: str, replace: Callable[[], object], add: Callable[[], object], *, is_opening: bool
) -> None:
    """Ask what is to become of `opened`, a phrase for the files; neither is called if the user cancels.

    `is_opening`: the user asked to open them in place of the corpus, and would usually replace it.
    """
    question = translate("OpenQuestion", "Replace the corpus with {files}, or add to the corpus?").format(files=opened)
    consequence = translate("OpenQuestion", "Replacing the corpus discards its run.")
    box = question_box(window, _NAME, question, consequence)
    if box is None:
        return
    replace_button = box.addButton(translate("OpenQuestion", "Replace"), _Role.DestructiveRole)
    replace_button.clicked.connect(replace)
    add_button = box.addButton(translate("OpenQuestion", "Add"), _Role.AcceptRole)
    add_button.clicked.connect(add)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(replace_button if is_opening else add_button)
    box.open()


def ask_to_take_tour(window: QWidget, sample: str, take: Callable[[], object]) -> None:
    """Ask whether a tour may open a sample, whose title is given, in place of the user's corpus."""
    question = translate("OpenQuestion", "This tour opens the sample “{sample}” in place of your corpus.")
    consequence = translate("OpenQuestion", "Undo brings your corpus back.")
    box = question_box(window, _TOUR_NAME, question.format(sample=sample), consequence)
    if box is None:
        return
    take_button = box.addButton(translate("OpenQuestion", "Take the tour"), _Role.AcceptRole)
    take_button.clicked.connect(take)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(take_button)
    box.open()
