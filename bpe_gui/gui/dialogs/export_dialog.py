"""Saving a tokenizer: in which format, where to, and afterwards what was written and who gives the same ids."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from bpe_gui.engine import FORMATS, EngineError, Tokenizer
from bpe_gui.engine.proof import Proof
from bpe_gui.gui.dialogs.format_list import FormatList
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column, dialog_form
from bpe_gui.gui.wording.export_texts import (
    FORMAT_ORDER,
    difference_text,
    format_purpose,
    format_title,
    proof_text,
    tiktoken_code,
)
from bpe_gui.gui.session.tokenizer_exporter import Exporter, Samples
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.wording.numbers import number, size_text
from bpe_gui.gui.system.paths import exists, is_folder
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named

_SUGGESTED: Final = "tokenizer"
_FORMAT: Final = "gpt2"
_RANKS: Final = "tiktoken"
_SPACE: Final = 8  # the grid of the window
_SIZE: Final = (600, 696)  # with room for what is said afterwards
_TOP_LEFT: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_WARN_OURSELVES: Final = QFileDialog.Option.DontConfirmOverwrite
_SUFFIXES: Final = frozenset(known.suffix for known in FORMATS.values() if known.suffix)


class ExportDialog(QDialog):
    """Writes a tokenizer in the format that is chosen; it stays open and says what became of it."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        samples: Samples,
        exporter: Exporter,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(self.tr("Export tokenizer"))
        self._tokenizer = tokenizer
        self._samples = samples
        self._exporter = exporter
        self._settings = settings
        self._is_exporting = False
        self._proofs: list[Proof] = []
        self._make_fields()
        self._make_results()
        self._make_buttons()
        self._lay_out()
        self._connect()
        self._formats.choose(_FORMAT)
        self._unchecked = sorted(self._formats.names(), key=lambda name: name != _FORMAT)
        exporter.check(tokenizer, self._unchecked)

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self._formats = named(FormatList(), "exportFormats", self.tr("Format"))
        for name in FORMAT_ORDER:
            self._formats.add(name, format_title(name), format_purpose(name))
        self._reason = SentenceLabel(name="exportReason")
        set_role(self._reason, "warning")
        self._folder = named(QLineEdit(str(_free_place(self._settings.recent_folder))), "exportFolderEdit")
        self._folder_title = QLabel()
        self._folder_title.setBuddy(self._folder)
        widths = (self.fontMetrics().horizontalAdvance(self._title_of_place(is_file=each)) for each in (True, False))
        self._folder_title.setMinimumWidth(max(widths))
        self._browse = self._make_button("exportBrowseButton", self.tr("Browse…"))
        self._files = SentenceLabel(name="exportFiles")
        self._replaced = SentenceLabel(name="exportReplaced")
        set_role(self._replaced, "warning")

    def _make_results(self) -> None:
        self._result = SentenceLabel(name="exportResult", selectable=True)
        self._proof = SentenceLabel(name="exportProof", selectable=True)
        self._difference = SentenceLabel(name="exportDifference", selectable=True)
        set_role(self._difference, "warning")
        self._code = self._make_button("exportCodeButton", self.tr("Copy Python code"))
        self._code.setToolTip(self.tr("Code that reads this file, with the pattern and the special tokens"))

    def _make_buttons(self) -> None:
        self._export = self._make_button("exportButton", self.tr("Export"))
        self._export.setDefault(True)
        self._open = self._make_button("exportOpenButton", self.tr("Open folder"))
        self._close = self._make_button("exportCloseButton", self.tr("Close"))

    def _make_button(self, name: str, words: str) -> QPushButton:
        return named(QPushButton(words, autoDefault=False), name, words)

    def _lay_out(self) -> None:
        folder = QHBoxLayout()
        folder.setSpacing(_SPACE)
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._browse)
        form = dialog_form()
        form.setLabelAlignment(_TOP_LEFT)
        form.addRow(self._folder_title, folder)
        form.addRow(self.tr("Writes"), self._files)
        step = SentenceLabel(self._step_text(), name="exportStep")
        set_role(step, "quiet")
        column = dialog_column(self)
        column.addWidget(step)
        column.addWidget(self._formats, 1)
        column.addLayout(form)
        for line in (self._reason, self._replaced, self._result, self._proof, self._difference):
            column.addWidget(line)
        column.addWidget(self._code, alignment=_TOP_LEFT)
        column.addStretch()
        column.addWidget(dialog_buttons(self._open, accept=self._export, reject=self._close))
        self.resize(*_SIZE)

    def _connect(self) -> None:
        self._formats.currentItemChanged.connect(self._format_chosen)
        self._folder.textChanged.connect(self._announce)
        self._browse.clicked.connect(self._choose_place)
        self._export.clicked.connect(self._write)
        self._code.clicked.connect(self._copy_code)
        self._open.clicked.connect(self._open_folder)
        self._close.clicked.connect(self.reject)
        self.finished.connect(self._exporter.stop)
        self._exporter.checked.connect(self._format_checked)
        self._exporter.written.connect(self._show_written)
        self._exporter.refused.connect(self._show_refusal)
        self._exporter.asked.connect(self._show_asked)
        self._exporter.proved.connect(self._show_proof)
        self._exporter.ended.connect(self._end)

    def _step_text(self) -> str:
        merges = number(len(self._tokenizer.merges))
        return self.tr("The tokenizer as of step {step}: {entries} entries, {merges} merges").format(
            step=merges, entries=number(len(self._tokenizer.vocab)), merges=merges
        )

    # -- the format -------------------------------------------------------------------------------------------------

    @property
    def _suffix(self) -> str | None:
        """What the file ends in, if the chosen format is a file."""
        return FORMATS[self._formats.chosen()].suffix

    def _title_of_place(self, *, is_file: bool) -> str:
        return self.tr("&File") if is_file else self.tr("&Folder")

    def _format_chosen(self) -> None:
        """Ask for a file or a folder of the same name."""
        suffix = self._suffix
        self._folder_title.setText(self._title_of_place(is_file=suffix is not None))
        self._folder.setAccessibleName(self.tr("File to write") if suffix else self.tr("Folder to write to"))
        typed = Path(self._folder.text().strip())
        if typed.name:
            self._folder.setText(str(_ending_in(typed, suffix or "")))
        self._announce()

    def _format_checked(self, name: str, obstacle: EngineError | None) -> None:
        self._unchecked.remove(name)
        if obstacle is not None:
            self._formats.grey(name, sentence(obstacle))
            if name == self._formats.chosen():
                self._announce()

    # -- where to ---------------------------------------------------------------------------------------------------

    @property
    def place(self) -> Path:
        """The folder or file to write. A file gets the ending by which it is recognised when it is opened, unless it is
        to be in a folder that is there, or that a slash at the end makes one."""
        typed, suffix = self._typed, self._suffix
        is_in_folder = self._folder.text().strip().endswith("/") or is_folder(typed)
        if suffix is None or is_in_folder or not typed.name or typed.suffix == suffix:
            return typed
        return _ending_in(typed, suffix)

    @property
    def _typed(self) -> Path:
        """What is typed, `~` being the user's home; a `~` that nobody has stays."""
        typed = Path(self._folder.text().strip())
        try:
            return typed.expanduser()
        except (RuntimeError, ValueError):  # ValueError: a zero character
            return typed

    def _paths(self) -> list[Path]:
        return FORMATS[self._formats.chosen()].paths(self.place)

    def _choose_place(self) -> None:
        if suffix := self._suffix:
            kind = f"{format_title(self._formats.chosen())} (*{suffix})"
            title = self.tr("File to write")
            chosen, _kind = QFileDialog.getSaveFileName(self, title, str(self.place), kind, options=_WARN_OURSELVES)
        else:
            chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder to write to"), str(self.place))
        if chosen:
            self._folder.setText(chosen)
            self._folder.setText(str(self.place))

    def _announce(self) -> None:
        """Say what pressing Export would do; what was said of the export before is no longer about what is chosen."""
        if self._is_exporting:
            self._exporter.stop()
            self._end()
        self._forget_results()
        reason = self._formats.reason()
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        paths = self._paths()
        self._files.setText(", ".join(path.name for path in paths))
        there = [] if reason else [path.name for path in paths if exists(path)]
        self._replaced.setText(self._warning_text(there))
        self._replaced.setVisible(bool(there))
        self._export.setDefault(True)
        self._export.setEnabled(not reason and bool(self._folder.text().strip()))

    def _forget_results(self) -> None:
        """What was said of the export before, and can be done with its files."""
        for line in (self._result, self._proof, self._difference, self._code):
            line.hide()
        self._open.setEnabled(False)  # it stays in sight, so that no other button takes its place

    def _warning_text(self, there: list[str]) -> str:
        if len(there) == 1:
            return self.tr("{file} is in this folder already and will be replaced.").format(file=there[0])
        return self.tr("{files} are in this folder already and will be replaced.").format(files=", ".join(there))

    # -- writing ----------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        home = next(iter(self.place.parts), "")
        if home.startswith("~"):
            words = self.tr("{name} is the home folder of nobody here. Write the whole path.")
            _tell(self._result, words.format(name=home), role="warning")
            return
        self._is_exporting = True
        self._proofs.clear()
        self._forget_results()
        self._export.setEnabled(False)
        self._replaced.hide()
        _tell(self._result, self.tr("Writing…"), role="quiet")
        self._exporter.export(self._tokenizer, self.place.absolute(), self._formats.chosen(), self._samples)

    def _show_refusal(self, error: EngineError) -> None:
        _tell(self._result, sentence(error), role="warning")
        self._end()

    def _show_written(self, paths: Sequence[Path]) -> None:
        self._settings.recent_folder = self.place.absolute().parent
        _tell(self._result, "\n".join([self.tr("Written:"), *map(self._file_line, paths)]), role="")
        self._code.setVisible(self._formats.chosen() == _RANKS)
        self._open.setEnabled(True)
        self._close.setDefault(True)

    def _file_line(self, path: Path) -> str:
        return self.tr("{path} ({size})").format(path=path, size=size_text(path.stat().st_size))

    def _show_asked(self, reader: str) -> None:
        self._show_proofs(self.tr("Asking {reader} for ids…").format(reader=reader))

    def _show_proof(self, proof: Proof) -> None:
        self._proofs.append(proof)
        self._show_proofs()
        if proof.difference is not None and self._difference.isHidden():
            _tell(self._difference, difference_text(proof.difference), role="warning")

    def _show_proofs(self, *more: str) -> None:
        role = "warning" if any(proof.fails for proof in self._proofs) else ""
        _tell(self._proof, "\n".join([*map(proof_text, self._proofs), *more]), role=role)

    def _end(self) -> None:
        """The export is over, or nobody wants to know; what was not checked because of it is checked now."""
        self._is_exporting = False
        self._export.setEnabled(True)
        self._exporter.check(self._tokenizer, self._unchecked)

    def _copy_code(self) -> None:
        file = FORMATS[_RANKS].paths(self.place.absolute())[0]
        QGuiApplication.clipboard().setText(tiktoken_code(self._tokenizer, file))

    def _open_folder(self) -> None:
        folder = self.place.parent if self._suffix and self.place.suffix == self._suffix else self.place
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder.absolute())))


def _tell(label: SentenceLabel, words: str, *, role: str) -> None:
    set_role(label, role)
    label.setText(words)
    label.show()


def _free_place(folder: Path) -> Path:
    """Where nothing is yet: no folder of that name, nor a file of it in any format."""
    names = (f"{_SUGGESTED}-{number}" if number > 1 else _SUGGESTED for number in count(1))
    return folder / next(name for name in names if not any(exists(folder / (name + end)) for end in ("", *_SUFFIXES)))


def _ending_in(path: Path, suffix: str) -> Path:
    """The same name with this ending, instead of that of a format in whatever case; any other is part of the name."""
    plain = path.with_suffix("") if path.suffix.lower() in _SUFFIXES else path
    return plain.with_name(plain.name + suffix)
