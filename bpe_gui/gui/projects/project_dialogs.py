"""What is asked of a person about projects: which one, where to, and whether changes are to be kept."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_gui.engine.projects.project_file import SUFFIX

from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.look.widgets import named

translate = QCoreApplication.translate  # lupdate knows the function by this name

_SAVE_QUESTION: Final = "saveQuestion"
_REPLACE_QUESTION: Final = "replaceQuestion"
_DESTRUCTIVE, _ACCEPT = QMessageBox.ButtonRole.DestructiveRole, QMessageBox.ButtonRole.AcceptRole
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
    words = translate("ProjectDialogs", "Save the changes to “{name}”?").format(name=name)
    box = _question(window, _SAVE_QUESTION, words, translate("ProjectDialogs", "Otherwise they are lost."))
    if box is None:
        return
    box.setStandardButtons(_SAVE | _DISCARD | _CANCEL)
    box.setDefaultButton(_SAVE)
    box.button(_SAVE).clicked.connect(save)
    box.button(_DISCARD).clicked.connect(discard)
    box.open()


def ask_to_replace(
    window: QWidget, merges: tuple[int, int], replace: Callable[[], object], save_as: Callable[[], object]
) -> None:
    """Ask before saving puts a shorter run in the place of the one that a project holds; `merges` says how many
    there are and would be."""
    saved, now = map(number, merges)
    words = translate("ProjectDialogs", "The project holds {saved} merges; saving replaces them by {now}.")
    question = translate("ProjectDialogs", "Those that it holds are lost then.")
    box = _question(window, _REPLACE_QUESTION, words.format(saved=saved, now=now), question)
    if box is None:
        return
    box.addButton(translate("ProjectDialogs", "Replace"), _DESTRUCTIVE).clicked.connect(replace)
    elsewhere = box.addButton(translate("ProjectDialogs", "Save as…"), _ACCEPT)
    elsewhere.clicked.connect(save_as)
    box.addButton(_CANCEL)
    box.setDefaultButton(elsewhere)
    box.open()


def _question(window: QWidget, name: str, words: str, more: str) -> QMessageBox | None:
    """A question without its buttons; None if it is being asked."""
    if window.findChild(QMessageBox, name) is not None:
        return None
    box = named(QMessageBox(window), name)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("bpe-gui")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(words)
    box.setInformativeText(more)
    return box


def ask_where_they_are(window: QWidget, missing: Sequence[Path], folder: Path) -> dict[Path, Path]:
    """Where files that are missing are now, one after another, as far as the person says so."""
    places: dict[Path, Path] = {}
    for path in missing:
        title = translate("ProjectDialogs", "Where is {name}?").format(name=path.name)
        name, _filter = QFileDialog.getOpenFileName(window, title, str(folder / path.name))
        if not name:
            break
        places[path] = Path(name)
        folder = places[path].parent
    return places
