"""The dialog that opens all files in a folder that match a pattern, with a preview as it is typed."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QListWidgetItem,
    QWidget,
)

from bpe_gui.engine import FileSearch, FoundFile
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import GAP, dialog_buttons, dialog_column, dialog_form, row_of
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE
from bpe_gui.gui.look.theme import ROW_HEIGHT
from bpe_gui.gui.look.widgets import ListWidget, SentenceLabel, name_widget, push_button, quiet_label
from bpe_gui.gui.wording.phrases import example_text, number, size_text

USUAL_PATTERNS: Final = ("**/*.txt*", "**/*.jsonl*", "**/*.parquet")
"""The files that texts usually come in, compressed or not."""

_EXAMPLE: Final = "**/*.txt"
_SEARCH_DELAY: Final = 150  # milliseconds after the last key
_PREVIEWED_FILES: Final = 100
_PREVIEW_ROWS: Final = 8
_WIDTH: Final = 560  # pixels


class OpenPatternDialog(QDialog):
    """Asks for a folder and a pattern. When it is accepted, `files` has the matching files.

    If it `asks_how`, there is one button to add the files to the corpus and one to replace it; `adds` says whether the
    user pressed the first. Return presses the second if `is_opening`, otherwise the first.
    """

    def __init__(
        self,
        folder: Path,
        pattern: str = "; ".join(USUAL_PATTERNS),
        parent: QWidget | None = None,
        *,
        asks_how: bool = False,
        is_opening: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("openPatternDialog")
        self.setWindowTitle(self.tr("Open folder or pattern"))
        self.files: Sequence[FoundFile] = ()
        self.adds = False
        self._asks_how = asks_how
        self._is_opening = is_opening
        self._search: FileSearch | None = None
        self._runner = JobRunner(self, self._begin_search, _SEARCH_DELAY)
        self._make_widgets(folder, pattern)
        self._lay_out()
        self._folder.textChanged.connect(self._schedule_search)
        self._pattern.textChanged.connect(self._schedule_search)
        self._runner.progressed.connect(self._show_progress)
        self.finished.connect(self._runner.abandon)
        self._schedule_search()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_widgets(self, folder: Path, pattern: str) -> None:
        self._folder = name_widget(QLineEdit(str(folder)), "patternFolder", self.tr("Folder to search in"))
        self._browse = push_button("patternBrowseButton", self.tr("Browse…"), self._choose_folder)
        self._pattern = name_widget(QLineEdit(pattern), "patternEdit", self.tr("File name patterns"))
        self._pattern.setPlaceholderText(example_text(_EXAMPLE))
        self._summary = SentenceLabel(name="patternSummary", lines=2)
        self._summary.setAlignment(Qt.AlignmentFlag.AlignBottom)
        self._preview = name_widget(ListWidget(), "patternPreview", self.tr("First files found"))
        self._preview.setUniformItemSizes(True)
        self._preview.setTextElideMode(ELIDE_MIDDLE)
        self._preview.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._preview.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._preview.setFixedHeight(_PREVIEW_ROWS * ROW_HEIGHT + 2)

    def _lay_out(self) -> None:
        lines = (
            self.tr("* matches any part of a name, ? one character, ** folders at any depth."),
            self.tr("Separate patterns with semicolons. Hidden files are skipped."),
        )
        form = dialog_form(
            (self.tr("Folder"), row_of((self._folder, 1), self._browse)),
            (self.tr("Pattern"), self._pattern),
            ("", quiet_label(text="\n".join(lines))),
        )
        dialog_column(self, form, self._summary, self._preview, None, GAP, self._buttons(), width=_WIDTH)
        self._pattern.setFocus()

    def _buttons(self) -> QDialogButtonBox:
        text = self.tr("Replace corpus") if self._asks_how else self.tr("Open")
        self._open = push_button("patternOpenButton", text, self.accept)
        self._add = push_button("patternAddButton", self.tr("Add to corpus"), self._accept_to_add)
        self._add.setParent(self)
        self._add.setVisible(self._asks_how)
        (self._add if self._asks_how and not self._is_opening else self._open).setDefault(True)
        cancel = push_button("patternCancelButton", self.tr("Cancel"), self.reject)
        others = (self._add,) if self._asks_how else ()
        return dialog_buttons(*others, accept=self._open, reject=cancel)

    def _enable(self, enabled: bool) -> None:
        for button in (self._open, self._add):
            button.setEnabled(enabled)

    def _accept_to_add(self) -> None:
        self.adds = True
        self.accept()

    # -- searching --------------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """The folder as typed, with `~` expanded."""
        return Path(os.path.expanduser(self._folder.text().strip()))  # noqa: PTH111 (Path.expanduser raises)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder to search in"), str(self.folder))
        if chosen:
            self._folder.setText(chosen)

    def _schedule_search(self) -> None:
        """Drop the files found so far, and search again after a short delay."""
        self._runner.abandon()
        self.files = ()
        self._enable(False)
        if not self._folder.text().strip():
            self._show_hint(self.tr("Choose a folder to search in."))
        elif not self._pattern.text().strip(" ;"):
            self._show_hint(self.tr("Enter a pattern, such as {example}.").format(example=_EXAMPLE))
        else:
            self._summary.say(self.tr("Searching…"), "quiet")
            self._runner.start_soon()

    def _show_hint(self, text: str) -> None:
        self._preview.clear()
        self._summary.say(text, "quiet")

    def _begin_search(self) -> None:
        self._search = search = FileSearch(self.folder, self._pattern.text())
        self._runner.start(name="find files", work=search.run, on_success=lambda _result: self._show_result(search))

    def _show_progress(self) -> None:
        if (search := self._search) is None:
            return
        self._show_names(search)
        if search.files:
            self._summary.say(self.tr("Searching… {found} so far").format(found=self._total(search)), "quiet")

    def _show_result(self, search: FileSearch) -> None:
        self.files = search.files
        self._show_names(search)
        self._enable(bool(self.files))
        if self.files:
            self._summary.say("".join([self._total(search), self._notes(search)]), "")
        elif search.folders == 0 and search.unreadable:
            self._summary.say(
                self.tr("{folder} is not a readable folder.").format(folder=search.unreadable[0]), "warning"
            )
        else:
            self._summary.say(self.tr("No matching files.") + self._notes(search), "quiet")

    # -- texts ------------------------------------------------------------------------------------------------------

    def _total(self, search: FileSearch) -> str:
        count, size = len(search.files), size_text(search.size)
        if count == 1:
            return self.tr("1 file, {size}").format(size=size)
        return self.tr("{count} files, {size}").format(count=number(count), size=size)

    def _notes(self, search: FileSearch) -> str:
        """Return what the search left out, and why; empty if nothing."""
        notes = ""
        if search.limited:
            notes += " · " + self.tr("more files match, but this is the limit")
        if len(search.unreadable) == 1:
            notes += " · " + self.tr("1 unreadable folder: {folder}").format(folder=search.unreadable[0])
        elif search.unreadable:
            notes += " · " + self.tr("{count} unreadable folders").format(count=number(len(search.unreadable)))
        return notes

    def _show_names(self, search: FileSearch) -> None:
        files = search.files[:_PREVIEWED_FILES]
        folder, paths = self.folder, [file.path for file in files]
        names = [str(path.relative_to(folder) if path.is_relative_to(folder) else path) for path in paths]
        if names != [self._preview.item(row).text() for row in range(self._preview.count())]:
            self._preview.clear()
            for name, file in zip(names, files, strict=True):
                item = QListWidgetItem(name, self._preview)
                item.setToolTip(str(file.path))
                item.setSizeHint(QSize(0, ROW_HEIGHT))
