"""The dialog that writes the ids of files to disk, to train models on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget

from bpe_gui.engine import (
    CONTAINERS,
    Corpus,
    Document,
    EncodedCorpus,
    EngineError,
    Progress,
    Tokenizer,
    encode_files,
    token_in_sentence,
)
from bpe_gui.gui.dialogs.boxes import ask
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.layouts import dialog_buttons, dialog_column, dialog_form, keep_space, row_of
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, SpinBox, label_of, name_widget, progress_line, push_button
from bpe_gui.gui.system.paths import exists, unused_path
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.phrases import counted, example_text, labelled, listed, size_text
from bpe_gui.gui.wording.sentences import error_message

_NAME: Final = "train"
_WIDTH: Final = 560  # pixels
_SEPARATOR: Final = "; "
_STOP, _CHOSEN_ID = -1, -2  # choices for unknown symbols, beside the ids of special tokens
_BYTES: Final = 256


def can_meet_unknown(tokenizer: Tokenizer) -> bool:
    """Return whether a text may have a symbol that is an error because it has no id.

    A pipeline drops such symbols.
    """
    if tokenizer.pipeline is not None or tokenizer.unknown_id is not None:
        return False
    recipe = tokenizer.recipe
    if recipe.units == "characters" or recipe.vocabulary == "prune":
        return True
    return any(tokenizer.token_id(bytes([byte])) is None for byte in range(_BYTES))


class EncodeFilesDialog(QDialog):
    """Encodes the documents of the corpus or other files, and stays open to show what was written."""

    def __init__(
        self, tokenizer: Tokenizer, name: str, corpus: Sequence[Document], settings: Settings, parent: QWidget
    ) -> None:
        """`name` says what the tokenizer is, as the window does."""
        super().__init__(parent)
        self.setObjectName("encodeFilesDialog")
        self.setWindowTitle(self.tr("Encode files"))
        self._tokenizer = tokenizer
        self._corpus = corpus
        self._settings = settings
        self._runner = JobRunner(self)
        self._make_fields(name)
        self._encode = push_button("encodeFilesButton", self.tr("Encode"), self._begin_or_ask, default=True)
        self._stop = push_button("encodeFilesStopButton", self.tr("Stop"), self._runner.cancel)
        self._open = push_button("encodeFilesOpenButton", self.tr("Open folder"), self._open_folder)
        self._open.setEnabled(False)
        self._close = push_button("encodeFilesCloseButton", self.tr("Close"), self.reject)
        self._lay_out()
        self._source.currentIndexChanged.connect(self._show_plan)
        self._files.textChanged.connect(self._show_plan)
        self._target.textChanged.connect(self._show_plan)
        self._format.currentIndexChanged.connect(self._follow_format)
        self._unknown.currentIndexChanged.connect(self._show_plan)
        self._runner.progressed.connect(self._show_progress)
        self.finished.connect(self._runner.abandon)
        self._show_plan()

    # -- construction -----------------------------------------------------------------------------------------------

    def _make_fields(self, name: str) -> None:
        entries = counted(len(self._tokenizer.vocab), self.tr("1 entry"), self.tr("{count} entries"))
        self._about = SentenceLabel(name="encodeFilesTokenizer")
        self._about.say(labelled(name, entries))
        self._source = name_widget(ComboBox(), "encodeFilesSource", self.tr("What to encode"))
        if self._corpus:
            documents = counted(len(self._corpus), self.tr("1 document"), self.tr("{count} documents"))
            self._source.addItem(labelled(self.tr("The corpus"), documents), "corpus")
        self._source.addItem(self.tr("Other files"), "files")
        self._files = name_widget(QLineEdit(), "encodeFilesFiles", self.tr("Files, folders or patterns"))
        self._files.setPlaceholderText(example_text("data/*.jsonl.zst"))
        self._choose = push_button("encodeFilesChooseButton", self.tr("Choose…"), self._choose_files)
        self._format = name_widget(ComboBox(), "encodeFilesFormat", self.tr("Format"))
        titles = {
            "bin": self.tr("Plain numbers, as nanoGPT reads them (.bin)"),
            "npy": self.tr("NumPy array, to map into memory (.npy)"),
            "megatron": self.tr("Megatron and NeMo (.bin and .idx)"),
            "parquet": self.tr("Parquet, a list for each document (.parquet)"),
        }
        for format, title in titles.items():
            self._format.addItem(title, format)
        self._end = name_widget(ComboBox(), "encodeFilesSeparator", self.tr("Token in the text that ends a document"))
        self._end.addItem(self.tr("Only the end of a file or record"), None)
        self._append = name_widget(ComboBox(), "encodeFilesAppend", self.tr("Token to put after each document"))
        self._append.addItem(self.tr("nothing"), None)
        for token in self._tokenizer.special_tokens:
            self._end.addItem(token, token)
            self._append.addItem(token, token)
        self._append.setCurrentIndex(max(0, self._append.findData(self._settings.append_token)))
        self._unknown = name_widget(ComboBox(), "encodeFilesUnknown", self.tr("What a symbol without an id becomes"))
        largest, spoken = max(0, self._tokenizer.largest_id), self.tr("Id of the entry for unknown symbols")
        self._unknown_id = name_widget(SpinBox(maximum=largest), "encodeFilesUnknownId", spoken)
        self._fill_unknown()
        self._index = name_widget(QCheckBox(self.tr("Also write where documents begin")), "encodeFilesIndex")
        unused = unused_path(self._settings.output_folder, _NAME, {each.suffix for each in CONTAINERS.values()})
        self._target = name_widget(QLineEdit(f"{unused}.bin"), "encodeFilesTarget", self.tr("Output file"))
        self._browse = push_button("encodeFilesBrowseButton", self.tr("Browse…"), self._browse_for_target)
        self._progress = progress_line("encodeFilesProgress", self.tr("Progress of encoding"))
        keep_space(self._progress)
        self._progress.hide()
        self._result = SentenceLabel(name="encodeFilesResult", selectable=True, lines=4)

    def _fill_unknown(self) -> None:
        """Offer what an unknown symbol may become; only say what holds if none can occur or if it has an id."""
        tokenizer = self._tokenizer
        can_occur = can_meet_unknown(tokenizer)
        self._unknown.setEnabled(can_occur)
        if can_occur:
            self._unknown.addItem(self.tr("Stop with an error"), _STOP)
            for token, token_id in tokenizer.special_tokens.items():
                self._unknown.addItem(token, token_id)
            self._unknown.addItem(self.tr("The entry with this id"), _CHOSEN_ID)
        elif tokenizer.unknown_id is not None and tokenizer.unknown_id in tokenizer.vocab:
            token = token_in_sentence(tokenizer.token(tokenizer.unknown_id))
            self._unknown.addItem(self.tr("{token}, as its file says").format(token=token), _STOP)
        elif tokenizer.pipeline is not None:
            self._unknown.addItem(self.tr("As the tokenizer’s file says"), _STOP)
        else:
            self._unknown.addItem(self.tr("None can occur with this tokenizer"), _STOP)

    def _lay_out(self) -> None:
        form = dialog_form(
            (self.tr("&Text"), self._source),
            ("", row_of((self._files, 1), self._choose)),
            (self.tr("&Document ends at"), self._end),
            (self.tr("At a document's &end, add"), self._append),
            (label_of(self._unknown, self.tr("&Unknown symbols")), row_of((self._unknown, 1), self._unknown_id)),
            (self.tr("F&ormat"), self._format),
            ("", self._index),
            (label_of(self._target, self.tr("&Output file")), row_of((self._target, 1), self._browse)),
        )
        buttons = dialog_buttons(self._open, self._stop, accept=self._encode, reject=self._close)
        dialog_column(self, self._about, form, self._progress, self._result, None, buttons, width=_WIDTH)

    # -- what to encode ---------------------------------------------------------------------------------------------

    @property
    def _paths(self) -> list[str]:
        return [part for part in map(str.strip, self._files.text().split(_SEPARATOR.strip())) if part]

    def _choose_files(self) -> None:
        title, folder = self.tr("Files to encode"), str(self._settings.recent_folder)
        chosen, _kind = QFileDialog.getOpenFileNames(self, title, folder)
        if chosen:
            self._files.setText(_SEPARATOR.join(chosen))

    def _browse_for_target(self) -> None:
        no_warning = QFileDialog.Option.DontConfirmOverwrite  # this dialog asks itself
        title = self.tr("Output file")
        chosen, _kind = QFileDialog.getSaveFileName(self, title, self._target.text(), options=no_warning)
        if chosen:
            self._target.setText(chosen)
            self._follow_format()

    def _follow_format(self) -> None:
        """Give the output file the suffix of the format."""
        typed = Path(self._target.text().strip())
        suffix = CONTAINERS[self._format.currentData()].suffix
        if typed.name and typed.suffix != suffix:
            known = {each.suffix for each in CONTAINERS.values()}
            self._target.setText(str(typed.with_suffix(suffix) if typed.suffix in known else Path(f"{typed}{suffix}")))
        self._show_plan()

    def _show_plan(self) -> None:
        """Show which fields matter, and what would be replaced."""
        is_corpus = self._source.currentData() == "corpus"
        for field in (self._files, self._choose):
            field.setEnabled(not is_corpus)
        self._index.setEnabled(not CONTAINERS[self._format.currentData()].has_index)
        self._unknown_id.setEnabled(self._unknown.currentData() == _CHOSEN_ID)
        self._stop.setEnabled(self._runner.busy)
        target = self._target.text().strip()
        self._encode.setEnabled(not self._runner.busy and bool(target) and (is_corpus or bool(self._paths)))
        if not self._runner.busy:
            is_there = bool(target) and exists(Path(target))
            warning = self.tr("{file} already exists and will be replaced.").format(file=Path(target).name)
            self._result.say(warning if is_there else "", "warning")

    # -- encoding ---------------------------------------------------------------------------------------------------

    def _begin_or_ask(self) -> None:
        target = Path(self._target.text().strip()).expanduser().absolute()
        if not exists(target):
            self._begin(target, replaces=False)
            return
        question = self.tr("Replace {file}?").format(file=target.name)
        consequence = self.tr("The file already exists in {folder}.").format(folder=target.parent)
        replace = self.tr("Replace"), QMessageBox.ButtonRole.AcceptRole, lambda: self._begin(target, replaces=True)
        ask(self, "replaceFileBox", question, consequence, replace)

    def _begin(self, target: Path, *, replaces: bool) -> None:
        tokenizer = self._tokenizer
        documents, paths = tuple(self._corpus), self._paths
        is_corpus = self._source.currentData() == "corpus"
        format, separator, append = (box.currentData() for box in (self._format, self._end, self._append))
        self._settings.append_token = append or ""
        has_index = self._index.isChecked() and self._index.isEnabled()
        unknown = self._unknown.currentData()
        if unknown == _CHOSEN_ID:
            unknown = self._unknown_id.value()

        def work(report: Progress) -> EncodedCorpus:
            if unknown != _STOP:
                tokenizer.token(unknown)  # raises the error for an id that is not in the vocabulary
            return encode_files(
                tokenizer if unknown == _STOP else tokenizer.with_unknown_id(unknown),
                Corpus(documents) if is_corpus else Corpus.from_files(paths),
                target,
                format=format,
                separator=separator,
                append=append,
                offsets=has_index,
                overwrite=replaces,
                progress=lambda done, size, _tokens: report(done, size),
            )

        def show(made: EncodedCorpus) -> None:
            self._settings.output_folder = target.parent
            self._end_work(self._summary(made))
            self._open.setEnabled(True)
            self._close.setDefault(True)

        self._open.setEnabled(False)
        self._progress.setRange(0, 0)
        self._progress.show()
        self._result.say(self.tr("Encoding…"), "quiet")
        stopped = self.tr("Stopped. Nothing was written.")
        self._runner.start("encode files", work, show, self._refuse, lambda: self._end_work(stopped))
        self._show_plan()

    def _show_progress(self, done: int, total: int) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)

    def _refuse(self, error: EngineError) -> None:
        if "where" in error.values:  # to give an id for unknown symbols
            field = self.tr("at “Unknown symbols” above")
            error = type(error)(error.template, **{**error.values, "where": field})
        self._end_work(error_message(error), "warning")

    def _end_work(self, words: str, role: str = "") -> None:
        self._progress.hide()
        self._show_plan()
        self._stop.setEnabled(False)
        self._encode.setEnabled(True)
        self._result.say(words, role)

    def _summary(self, made: EncodedCorpus) -> str:
        manifest, folder = made.manifest, made.paths[0].parent
        assert manifest is not None  # what was written has one
        size = sum((folder / name).stat().st_size for name in manifest.files)
        written = self.tr("{path} ({size})").format(path=folder / manifest.files[0], size=size_text(size))
        beside = self.tr("The manifest {file} beside it tells what it was made from.")
        beside = beside.format(file=f"{manifest.files[0]}.manifest.json")
        tokens = counted(made.tokens, self.tr("1 token"), self.tr("{count} tokens"))
        documents = counted(manifest.documents, self.tr("1 document"), self.tr("{count} documents"))
        return "\n".join([labelled(self.tr("Written"), written), listed([tokens, documents, manifest.dtype]), beside])

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._target.text()).expanduser().absolute().parent)))
