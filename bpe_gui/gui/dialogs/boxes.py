"""Boxes that show text or ask a question."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QFrame, QLabel, QMessageBox, QScrollArea, QWidget

from bpe_gui.engine import visible
from bpe_gui.gui.look.layouts import DIALOG_MARGIN, GRID, WIDE_GAP, column_of, dialog_column, row_of
from bpe_gui.gui.look.lifetime import reference_to
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget, push_button

translate = QCoreApplication.translate  # lupdate knows the function by this name

_SIDE_MARGIN: Final = 3 * GRID
_SHARE: Final = 0.7  # the most that a text may take of the window's height
_ROW: Final = "<tr><td valign=middle><b>{}</b>&nbsp;&nbsp;&nbsp;</td><td valign=middle>{}</td></tr>"


def show_text(title: str, text: str, parent: QWidget) -> None:
    """Show a short text in HTML. A QMessageBox would squeeze the second column of a table out of sight."""
    box = name_widget(QDialog(parent), "infoBox")
    box.setWindowTitle(title)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(box.reject)
    area, label = name_widget(QScrollArea(), "infoText"), QLabel(text, textFormat=Qt.TextFormat.RichText)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(label)
    # It scrolls, also by keyboard, if the text is taller than most of the window.
    size, bar = label.sizeHint(), area.verticalScrollBar().sizeHint().width()
    area.setMinimumSize(size.width() + bar, min(size.height(), int(parent.window().height() * _SHARE)))
    area.setFocus()
    margins = (_SIDE_MARGIN, DIALOG_MARGIN, _SIDE_MARGIN, DIALOG_MARGIN)
    column_of(area, buttons, of=box, margins=margins, spacing=WIDE_GAP)
    box.resize(box.minimumSizeHint())  # a scroll area wants 24 lines, whatever the window's height
    open_once(box)


def open_once(dialog: QDialog) -> None:
    """Open a dialog that is deleted when it closes; F1 shows the page about it."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    page = _PAGES.get(dialog.objectName(), _WINDOW_PAGE)
    asking = reference_to(dialog)  # the dialog itself would be kept by its own shortcut
    help_key = QShortcut(QKeySequence("F1"), dialog)
    help_key.activated.connect(lambda: show_documentation(asking(), page))
    dialog.open()


_PAGES: Final[Mapping[str, str]] = {
    "encodeFilesDialog": "tutorials/training-data",
    "exportDialog": "how-to/exporting",
    "proofTextsDialog": "explanation/proof",
    "mergeDialog": "how-to/model-tokens",
    "planDialog": "how-to/plans",
    "recipeDialog": "reference/recipes",
    "recoveredDialog": "how-to/projects",
    "weightDialog": "how-to/mixtures",
}
"""The pages about dialogs, by the names of these; the others are parts of the page about the window."""

_WINDOW_PAGE: Final = "reference/window"


def show_documentation(parent: QWidget | None, page: str = "index") -> None:
    """Show a page in a window beside `parent`, which can be used meanwhile."""
    from bpe_gui.gui.dialogs.documentation import DocumentationBox  # not needed when the window opens

    box = parent.findChild(DocumentationBox) if parent else None
    box = box or DocumentationBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.show_page(page)
    box.show()
    box.raise_()
    box.activateWindow()


def show_table(title: str, rows: Iterable[tuple[str, str]], parent: QWidget) -> None:
    """Show `rows` of two columns, the first in bold."""
    lines = "".join(_ROW.format(*row) for row in rows)
    show_text(title, f"<table cellspacing=4>{lines}</table>", parent)


def ask_where_to_save(window: QWidget, title: str, suggestion: Path, kind: str, suffix: str) -> Path | None:
    """Ask where to save a file, adding the suffix if it is missing; return None if the user cancels.

    `kind` is a filter such as `Pictures (*.png)`. The dialog asks before it replaces a file.
    """
    dialog = QFileDialog(window, title, str(suggestion.parent), kind)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix)
    dialog.selectFile(suggestion.name)
    return Path(dialog.selectedFiles()[0]) if dialog.exec() else None


def ask(
    window: QWidget,
    name: str,
    question: str,
    consequence: str,
    *answers: tuple[str | QMessageBox.StandardButton, QMessageBox.ButtonRole, Callable[[], object]],
    default: int = 0,
) -> None:
    """Ask a question, unless a box with this name is already open. If the user cancels, nothing is called.

    Each answer is the text of its button, the button's role and what to call; `default` is the answer for Return.
    """
    if window.findChild(QMessageBox, name) is not None:
        return
    box = name_widget(QMessageBox(window), name)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("bpe-gui")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText(consequence)
    for index, (answer, role, act) in enumerate(answers):
        if isinstance(answer, QMessageBox.StandardButton):
            button = box.addButton(answer)
            if answer == QMessageBox.StandardButton.Discard:  # Qt's Chinese says that something is thrown away
                button.setText(translate("Question", "Discard"))
        else:
            button = box.addButton(answer, role)
        button.clicked.connect(act)
        if index == default:
            box.setDefaultButton(button)
    box.addButton(QMessageBox.StandardButton.Cancel)
    open_once(box)


_MOST_OF_A_TEXT: Final = 300  # characters
_TEXTS_SIZE: Final = (520, 480)  # pixels


class ProofTextsDialog(QDialog):
    """Lists the texts with which an export was proven, with glyphs for white space; a long one is cut."""

    def __init__(self, texts: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("proofTextsDialog")
        title = self.tr("Test strings of the proof")
        self.setWindowTitle(title)
        explanation = self.tr(
            "First the cases on which tokenizers often differ, then your text and the beginning of the corpus, line by "
            "line and whole."
        )
        rows = name_widget(ListWidget(), "proofTexts", title)
        rows.setUniformItemSizes(True)
        for text in texts:
            shown = visible(text[:_MOST_OF_A_TEXT].encode(errors="backslashreplace"))
            rows.addItem(shown + "…" * (len(text) > _MOST_OF_A_TEXT) or self.tr("(empty)"))
        close = push_button("proofTextsCloseButton", self.tr("Close"), self.reject, default=True)
        dialog_column(self, SentenceLabel(explanation, role="quiet"), (rows, 1), row_of(None, close))
        self.resize(*_TEXTS_SIZE)
