"""The questions about projects: which one, where to save, and whether to keep changes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_gui.engine.projects import PROJECT_SUFFIX
from bpe_gui.gui.dialogs.boxes import question_box
from bpe_gui.gui.wording.numbers import number

translate = QCoreApplication.translate  # lupdate knows the function by this name

_SAVE_QUESTION: Final = "saveQuestion"
_REPLACE_QUESTION: Final = "replaceQuestion"
_Button = QMessageBox.StandardButton
_Role = QMessageBox.ButtonRole


def ask_for_project(window: QWidget, folder: Path) -> Path | None:
    """Ask which project to open; None if the user cancels."""
    name, _filter = QFileDialog.getOpenFileName(
        window, translate("ProjectDialogs", "Open project"), str(folder), _name_filter()
    )
    return Path(name) if name else None


def ask_where_to_save(window: QWidget, suggestion: Path) -> Path | None:
    """Ask where to save a project; None if the user cancels. The suffix of projects is added if it is missing."""
    dialog = QFileDialog(window, translate("ProjectDialogs", "Save project"), str(suggestion.parent), _name_filter())
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(PROJECT_SUFFIX)
    dialog.selectFile(suggestion.name)
    return Path(dialog.selectedFiles()[0]) if dialog.exec() else None


def ask_for_missing_files(window: QWidget, missing: Sequence[Path], folder: Path) -> dict[Path, Path]:
    """Ask where each of the missing files is, until the user cancels, and return the new paths by the old ones."""
    found: dict[Path, Path] = {}
    for path in missing:
        title = translate("ProjectDialogs", "Where is {name}?").format(name=path.name)
        name, _filter = QFileDialog.getOpenFileName(window, title, str(folder / path.name))
        if not name:
            break
        found[path] = Path(name)
        folder = found[path].parent
    return found


def ask_to_save(
    window: QWidget, name: str, save: Callable[[], object], discard: Callable[[], object], *, is_new: bool
) -> None:
    """Ask whether to save or discard changes; neither is called if the user cancels, or if this is being asked.

    `name` is of the project, or if it `is_new`, of the text: saving never changes the file of a text.
    """
    if is_new:
        question = translate("ProjectDialogs", "Save your work on “{name}” as a project?")
    else:
        question = translate("ProjectDialogs", "Save the changes to “{name}”?")
    question = question.format(name=name)
    box = question_box(window, _SAVE_QUESTION, question, translate("ProjectDialogs", "Unsaved changes will be lost."))
    if box is None:
        return
    box.setStandardButtons(_Button.Save | _Button.Discard | _Button.Cancel)
    box.setDefaultButton(_Button.Save)
    box.button(_Button.Save).clicked.connect(save)
    box.button(_Button.Discard).clicked.connect(discard)
    box.open()


def ask_to_replace_merges(
    window: QWidget, merges: tuple[int, int], replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    """Ask before saving replaces the run in a project with a shorter one.

    `merges` has the number of merges in the file, and in the run that would replace them.
    """
    saved, present = map(number, merges)
    template = translate("ProjectDialogs", "Merges in the project: {saved}. Saving replaces them with {now}.")
    consequence = translate("ProjectDialogs", "The merges in the file will be lost.")
    _ask_to_replace(window, template.format(saved=saved, now=present), consequence, replace, save_as)


def ask_to_replace_corpus(
    window: QWidget, name: str, replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    """Ask before saving replaces the corpus in a project, whose name is given, with another one."""
    template = translate("ProjectDialogs", "“{name}” contains a different corpus. Saving replaces it with this one.")
    consequence = translate("ProjectDialogs", "The corpus and the merges in the file will be lost.")
    _ask_to_replace(window, template.format(name=name), consequence, replace, save_as)


def _ask_to_replace(
    window: QWidget, question: str, consequence: str, replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    box = question_box(window, _REPLACE_QUESTION, question, consequence)
    if box is None:
        return
    box.addButton(translate("ProjectDialogs", "Replace"), _Role.DestructiveRole).clicked.connect(replace)
    save_as_button = box.addButton(translate("ProjectDialogs", "Save as…"), _Role.AcceptRole)
    save_as_button.clicked.connect(save_as)
    box.addButton(_Button.Cancel)
    box.setDefaultButton(save_as_button)
    box.open()


def _name_filter() -> str:
    return translate("ProjectDialogs", "bpe-gui projects (*{suffix})").format(suffix=PROJECT_SUFFIX)
