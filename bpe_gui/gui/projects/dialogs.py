"""What is asked of a person about projects: which one, where to, and whether changes are to be kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_gui.engine.project_file import SUFFIX

from ..widgets import named

translate = QCoreApplication.translate  # lupdate knows the function by this name

_QUESTION: Final = "saveQuestion"
_SAVE, _DISCARD, _CANCEL = (
    QMessageBox.StandardButton.Save,
    QMessageBox.StandardButton.Discard,
    QMessageBox.StandardButton.Cancel,
)


def ask_for_project(window: QWidget, folder: Path) -> Path | None:
    """Which project to open."""
    name, _filter = QFileDialog.getOpenFileName(
        window, translate("ProjectDialogs", "Open project"), str(folder), _kinds()
    )
    return Path(name) if name else None


def ask_where_to_save(window: QWidget, suggestion: Path) -> Path | None:
    """Where to save a project; the file has the ending of projects."""
    asking = QFileDialog(window, translate("ProjectDialogs", "Save project"), str(suggestion.parent), _kinds())
    asking.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    asking.setDefaultSuffix(SUFFIX)
    asking.selectFile(suggestion.name)
    return Path(asking.selectedFiles()[0]) if asking.exec() else None


def _kinds() -> str:
    return translate("ProjectDialogs", "Projects of bpe-gui (*{suffix})").format(suffix=SUFFIX)


def ask_to_save(window: QWidget, name: str, save: Callable[[], object], discard: Callable[[], object]) -> None:
    """Ask what is to become of changes, once; who cancels goes on as if nothing had been asked."""
    if window.findChild(QMessageBox, _QUESTION) is not None:
        return
    box = named(QMessageBox(window), _QUESTION)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("bpe-gui")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(translate("ProjectDialogs", "Save the changes to “{name}”?").format(name=name))
    box.setInformativeText(translate("ProjectDialogs", "Otherwise they are lost."))
    box.setStandardButtons(_SAVE | _DISCARD | _CANCEL)
    box.setDefaultButton(_SAVE)
    box.button(_SAVE).clicked.connect(save)
    box.button(_DISCARD).clicked.connect(discard)
    box.open()
