"""Opening all files of a folder that match a pattern: while it is typed, one sees which these are."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from bpe_gui.engine.corpora.file_search import FileSearch, FoundFile
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column, dialog_form
from bpe_gui.gui.background.file_finder import Finder
from bpe_gui.gui.wording.numbers import number, size_text
from bpe_gui.gui.look.theme import ROW_HEIGHT, set_role
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named

USUAL_PATTERN: Final = "**/*.txt"
_PAUSE: Final = 150  # milliseconds without a key before the search begins
_PREVIEWED: Final = 100  # files
_PREVIEW_ROWS: Final = 8
_GRID: Final = 8
_WIDTH: Final = 560


class OpenPatternDialog(QDialog):
    """Asks for a folder and a pattern; when it is accepted, `files` are those that match."""

    def __init__(
        self, finder: Finder, folder: Path, pattern: str = USUAL_PATTERN, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("openPatternDialog")
        self.setWindowTitle(self.tr("Open folder or pattern"))
        self.files: Sequence[FoundFile] = ()
        self._finder = finder
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._make_widgets(folder, pattern)
        self._lay_out()
        self._folder.textChanged.connect(self._edited)
        self._pattern.textChanged.connect(self._edited)
        self._browse.clicked.connect(self._choose_folder)
        self._pause.timeout.connect(self._search)
        finder.progressed.connect(self._show_progress)
        finder.finished.connect(self._show_outcome)
        self.finished.connect(finder.stop)
        self._edited()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_widgets(self, folder: Path, pattern: str) -> None:
        self._folder = named(QLineEdit(str(folder)), "patternFolder", self.tr("Folder to search in"))
        self._browse = named(QPushButton(self.tr("Browse…"), autoDefault=False), "patternBrowseButton")
        self._pattern = named(QLineEdit(pattern), "patternEdit", self.tr("Patterns of file names"))
        self._pattern.setPlaceholderText(USUAL_PATTERN)
        self._summary = SentenceLabel(name="patternSummary")
        self._summary.keep_room(2)
        self._summary.setAlignment(Qt.AlignmentFlag.AlignBottom)
        self._preview = named(QListWidget(), "patternPreview", self.tr("The first files found"))
        self._preview.setUniformItemSizes(True)
        self._preview.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._preview.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._preview.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._preview.setFixedHeight(_PREVIEW_ROWS * ROW_HEIGHT + 2)

    def _lay_out(self) -> None:
        folder = QHBoxLayout()
        folder.setSpacing(_GRID)
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._browse)
        form = dialog_form()
        form.addRow(self.tr("Folder"), folder)
        form.addRow(self.tr("Pattern"), self._pattern)
        form.addRow("", self._explanation())
        column = dialog_column(self)
        column.addLayout(form)
        column.addWidget(self._summary)
        column.addWidget(self._preview)
        column.addStretch(1)
        column.addSpacing(_GRID)
        column.addWidget(self._buttons())
        self.setMinimumWidth(_WIDTH)
        self._pattern.setFocus()

    def _explanation(self) -> QLabel:
        lines = (
            self.tr("* is any part of a name, ? one character, ** folders at any depth."),
            self.tr("Put ; between several patterns. Hidden files are left out."),
        )
        label = QLabel("\n".join(lines))
        set_role(label, "quiet")
        return label

    def _buttons(self) -> QDialogButtonBox:
        self._open = named(QPushButton(self.tr("Open")), "patternOpenButton")
        self._open.setDefault(True)
        cancel = named(QPushButton(self.tr("Cancel"), autoDefault=False), "patternCancelButton")
        box = dialog_buttons(accept=self._open, reject=cancel)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        return box

    # -- searching --------------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """The folder as typed, `~` being the user's home."""
        return Path(os.path.expanduser(self._folder.text().strip()))  # noqa: PTH111 (Path's raises)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder to search in"), str(self.folder))
        if chosen:
            self._folder.setText(chosen)

    def _edited(self) -> None:
        """What is found so far is no longer what is wanted."""
        self._finder.stop()
        self.files = ()
        self._open.setEnabled(False)
        if not self._folder.text().strip():
            self._refuse(self.tr("Choose a folder to search in."))
        elif not self._pattern.text().strip(" ;"):
            self._refuse(self.tr("Write a pattern, such as {example}.").format(example=USUAL_PATTERN))
        else:
            self._say(self.tr("Searching…"), "quiet")
            self._pause.start()

    def _refuse(self, words: str) -> None:
        self._pause.stop()
        self._preview.clear()
        self._say(words, "quiet")

    def _search(self) -> None:
        self._finder.start(self.folder, self._pattern.text())

    def _show_progress(self) -> None:
        search = self._finder.search
        if search is None:
            return
        self._show_names(search)
        if search.files:
            self._say(self.tr("Searching… {found} so far").format(found=self._amount(search)), "quiet")

    def _show_outcome(self) -> None:
        search = self._finder.search
        if search is None:
            return
        self.files = search.files
        self._show_names(search)
        self._open.setEnabled(bool(self.files))
        if self.files:
            self._say("".join([self._amount(search), self._left_out(search)]), "")
        elif self._nowhere_to_search(search):
            self._say(self.tr("{folder} is no folder that can be read.").format(folder=search.unreadable[0]), "warning")
        else:
            self._say(self.tr("No file matches.") + self._left_out(search), "quiet")

    # -- what is shown ----------------------------------------------------------------------------------------------

    def _nowhere_to_search(self, search: FileSearch) -> bool:
        return search.folders == 0 and bool(search.unreadable)

    def _amount(self, search: FileSearch) -> str:
        count, size = len(search.files), size_text(search.size)
        if count == 1:
            return self.tr("1 file, {size}").format(size=size)
        return self.tr("{count} files, {size}").format(count=number(count), size=size)

    def _left_out(self, search: FileSearch) -> str:
        """What else there is to know about what was found."""
        notes = ""
        if search.limited:
            notes += " · " + self.tr("there are more, but no more are opened at once")
        if len(search.unreadable) == 1:
            notes += " · " + self.tr("1 folder cannot be read: {folder}").format(folder=search.unreadable[0])
        elif search.unreadable:
            notes += " · " + self.tr("{count} folders cannot be read").format(count=number(len(search.unreadable)))
        return notes

    def _show_names(self, search: FileSearch) -> None:
        files = search.files[:_PREVIEWED]
        folder = self.folder
        names = [_below(folder, file.path) for file in files]
        if names != [self._preview.item(row).text() for row in range(self._preview.count())]:
            self._preview.clear()
            for name, file in zip(names, files, strict=True):
                item = QListWidgetItem(name, self._preview)
                item.setToolTip(str(file.path))
                item.setSizeHint(QSize(0, ROW_HEIGHT))

    def _say(self, words: str, role: str) -> None:
        set_role(self._summary, role)
        self._summary.setText(words)


def _below(folder: Path, path: Path) -> str:
    """The path as seen from the folder; whole where it is elsewhere."""
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)
