"""Saving a tokenizer: where to, which files, and afterwards exactly what was written."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.engine import FORMATS, EngineError, Tokenizer, save
from bpe_gui.gui.messages import sentence
from bpe_gui.gui.numbers import number, size_text
from bpe_gui.gui.settings import Settings
from bpe_gui.gui.theme import set_role

_SUGGESTED: Final = "tokenizer"
_FORMAT: Final = "gpt2"
_SPACE: Final = 8  # the grid of the window
_WIDTH: Final = 520
_PLAIN: Final = Qt.TextFormat.PlainText
_TOP_LEFT: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft


class ExportDialog(QDialog):
    """Writes vocabulary and merges into a folder; it stays open and says what became of it."""

    def __init__(self, tokenizer: Tokenizer, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(self.tr("Export tokenizer"))
        self._tokenizer = tokenizer
        self._settings = settings
        self._folder = QLineEdit(str(settings.recent_folder / _SUGGESTED))
        self._folder.selectAll()
        self._folder.setObjectName("exportFolderEdit")
        self._folder.setAccessibleName(self.tr("Folder to write to"))
        self._browse = self._make_button("exportBrowseButton", self.tr("Browse…"))
        self._files = _label("exportFiles")
        self._replaced = _label("exportReplaced")
        set_role(self._replaced, "warning")
        self._result = _label("exportResult")
        self._result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._export = self._make_button("exportButton", self.tr("Export"))
        self._export.setDefault(True)
        self._open = self._make_button("exportOpenButton", self.tr("Open folder"))
        self._close = self._make_button("exportCloseButton", self.tr("Cancel"))
        self._lay_out()
        self._folder.textChanged.connect(self._announce)
        self._browse.clicked.connect(self._choose_folder)
        self._export.clicked.connect(self._write)
        self._open.clicked.connect(self._open_folder)
        self._close.clicked.connect(self.reject)
        self._open.hide()
        self._announce()

    def _make_button(self, name: str, words: str) -> QPushButton:
        button = QPushButton(words, autoDefault=False)
        button.setObjectName(name)
        button.setAccessibleName(words)
        return button

    def _lay_out(self) -> None:
        folder = QHBoxLayout()
        folder.setSpacing(_SPACE)
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._browse)
        form = QFormLayout()
        form.setHorizontalSpacing(_SPACE * 2)
        form.setVerticalSpacing(_SPACE)
        form.setLabelAlignment(_TOP_LEFT)
        step = _label("exportStep")
        step.setText(self._step_text())
        form.addRow(self.tr("Tokenizer"), step)
        form.addRow(self.tr("Folder"), folder)
        form.addRow(self.tr("Files"), self._files)
        buttons = QDialogButtonBox()
        for role, button in (
            (QDialogButtonBox.ButtonRole.ActionRole, self._open),
            (QDialogButtonBox.ButtonRole.AcceptRole, self._export),
            (QDialogButtonBox.ButtonRole.RejectRole, self._close),
        ):
            buttons.addButton(button, role)
        column = QVBoxLayout(self)
        column.setContentsMargins(_SPACE * 2, _SPACE * 2, _SPACE * 2, _SPACE * 2)
        column.setSpacing(_SPACE * 2)
        column.addLayout(form)
        column.addWidget(self._replaced)
        column.addWidget(self._result)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)

    def _step_text(self) -> str:
        merges = number(len(self._tokenizer.merges))
        return self.tr("as of step {step}: {entries} entries, {merges} merges").format(
            step=merges, entries=number(len(self._tokenizer.vocab)), merges=merges
        )

    @property
    def folder(self) -> Path:
        """The folder as typed, `~` being the user's home; a `~` that nobody has stays."""
        typed = Path(self._folder.text().strip())
        try:
            return typed.expanduser()
        except (RuntimeError, ValueError):  # ValueError: a zero character
            return typed

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder to write to"), str(self.folder))
        if chosen:
            self._folder.setText(chosen)

    def _announce(self) -> None:
        """Say what pressing Export would do."""
        there = self._files_there()
        self._files.setText(", ".join(FORMATS[_FORMAT].files))
        self._replaced.setText(self._warning_text(there))
        self._replaced.setVisible(bool(there))
        self._result.hide()
        self._export.setEnabled(bool(self._folder.text().strip()))

    def _warning_text(self, there: list[str]) -> str:
        if len(there) == 1:
            return self.tr("{file} is in this folder already and will be replaced.").format(file=there[0])
        return self.tr("{files} are in this folder already and will be replaced.").format(files=", ".join(there))

    def _files_there(self) -> list[str]:
        return [name for name in FORMATS[_FORMAT].files if _exists(self.folder / name)]

    def _write(self) -> None:
        home = next(iter(self.folder.parts), "")
        if home.startswith("~"):
            self._tell(
                self.tr("{name} is the home folder of nobody here. Write the whole path.").format(name=home),
                role="warning",
            )
            return
        try:
            written = save(self._tokenizer, self.folder.absolute(), _FORMAT)
        except EngineError as error:
            self._tell(sentence(error), role="warning")
            return
        self._settings.recent_folder = self.folder.absolute().parent
        self._replaced.hide()
        self._tell("\n".join([self.tr("Written:"), *map(self._file_line, written)]), role="")
        self._export.hide()
        self._folder.setReadOnly(True)
        self._browse.setEnabled(False)
        self._close.setText(self.tr("Close"))
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setDefault(True)
        self._open.show()

    def _file_line(self, path: Path) -> str:
        return self.tr("{path} ({size})").format(path=path, size=size_text(path.stat().st_size))

    def _tell(self, words: str, *, role: str) -> None:
        set_role(self._result, role)
        self._result.setText(words)
        self._result.show()

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.folder.absolute())))


def _label(name: str) -> QLabel:
    label = QLabel(textFormat=_PLAIN, wordWrap=True)
    label.setObjectName(name)
    return label


def _exists(path: Path) -> bool:
    """Whether there is a file, as far as the system lets us know."""
    try:
        return path.exists()
    except (OSError, ValueError):  # a folder that may not be read, or a name no file system takes
        return False
