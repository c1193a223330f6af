"""Open the user's files: as the corpus, as the text to encode, as folders, or as tokenizers."""

import glob
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox

from bpe_gui.engine import (
    EngineError,
    FileDocument,
    LiveText,
    Progress,
    TextDocument,
    UndecodableFileError,
    is_tokenizer,
)
from bpe_gui.gui.dialogs.boxes import ask, open_once
from bpe_gui.gui.dialogs.open_pattern_dialog import USUAL_PATTERNS, OpenPatternDialog
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.panels.notice_bar import Notice
from bpe_gui.gui.projects.project_controller import is_project
from bpe_gui.gui.session.corpus import MAX_TEXT_BYTES, CorpusDocument, FileStamp, file_stamp
from bpe_gui.gui.system.paths import is_folder
from bpe_gui.gui.views.editor.line_index import prepare_index
from bpe_gui.gui.wording.phrases import joined_sentences, listed, number, size_text
from bpe_gui.gui.wording.recipe_texts import preset_title
from bpe_gui.samples import sample_with

from .edit_actions import UndoOffers
from .file_reader import ChangedFiles, CorpusRemedies, FileReader, Use
from .part import Handlers, Surroundings, WindowPart
from .tokenizer_opener import TokenizerOpener

_NAME: Final = "openQuestion"
_Role = QMessageBox.ButtonRole


class TextOpener(WindowPart):
    """Replaces the text to encode with a file's text, and offers to undo that."""

    def __init__(self, around: Surroundings, undo_offers: UndoOffers, reader: FileReader) -> None:
        super().__init__(around)
        self._undo_offers = undo_offers
        self._reader = reader
        self._reading = JobRunner(self)
        self._reading_notice: Notice | None = None
        for changed in (self._session.text.replaced, self._session.text.edited):
            changed.connect(self._stop_reading)

    def open(self, file: FileDocument) -> None:
        """Encode the text of a file."""
        if documents := self._reader.read([file], self._encode):
            self._encode(documents)

    def _encode(self, documents: Sequence[CorpusDocument]) -> None:
        document = documents[0]
        self._stop_reading()
        if isinstance(document.content, TextDocument):
            self._set_text(LiveText(document.content.text), document.title)
        elif document.content.size() <= MAX_TEXT_BYTES:
            self._encode_file(document.content)
        else:
            self._notices.show_message(
                lambda: self.tr("{name} is too large to show with its tokens. The limit is {limit}.").format(
                    name=document.title, limit=size_text(MAX_TEXT_BYTES)
                )
            )

    def _encode_file(self, file: FileDocument) -> None:
        """Read a large file in a thread, and encode it."""
        tokenizer = self._session.cursor.tokenizer

        def read(progress: Progress) -> LiveText:
            text = LiveText.of(_reported(file, progress))
            text.encode_with(tokenizer)  # splits the text into blocks
            prepare_index(text)
            return text

        def show(text: LiveText) -> None:
            self._notices.dismiss(self._reading_notice)
            self._set_text(text, file.path.name)

        def show_error(error: EngineError) -> None:
            self._notices.dismiss(self._reading_notice)
            if isinstance(error, UndecodableFileError):
                self._reader.offer_to_decode({file: error}, self._encode)
            else:
                self._notices.show_error(error)

        self._reading_notice = self._notices.show_message(
            lambda: self.tr("Reading {name}…").format(name=file.path.name)
        )
        self._reading.start(name="read text", work=read, on_success=show, on_error=show_error)

    def _set_text(self, text: LiveText, name: str) -> None:
        had_text = len(self._session.text.live) > 0
        self._session.replace_text(text)
        if had_text:
            self._undo_offers.show_message(lambda: self.tr("{name} replaced the text to encode.").format(name=name))

    def _stop_reading(self) -> None:
        """Stop reading a file, so that it does not replace what the user has typed or set since."""
        if self._reading.busy:
            self._reading.abandon()
            self._notices.dismiss(self._reading_notice)


def _reported(file: FileDocument, progress: Progress) -> Iterator[str]:
    """Yield the text of a file, calling `progress`, which may raise Cancelled, before each chunk.

    Raise EngineError if the file is too large once decompressed.
    """
    size = 0
    for chunk in file.chunks():
        progress(0, 0)
        size += len(chunk)
        if size > MAX_TEXT_BYTES:
            raise EngineError("{path} is too large to show with its tokens once it is decompressed.", path=file.path)
        yield chunk


class FileOpener(WindowPart):
    """Brings files into the session. A notice bar reports files that cannot be read, and offers remedies.

    `project_found(path)`: one of the opened files is a project; the others are ignored.
    """

    project_found = Signal(object)

    def __init__(self, around: Surroundings, undo_offers: UndoOffers, tokenizers: TokenizerOpener) -> None:
        super().__init__(around)
        self._undo_offers = undo_offers
        self._reader = FileReader(around)
        self._remedies = CorpusRemedies(around, self._reader)
        self._changed = ChangedFiles(around, self._reader)
        self._text = TextOpener(around, undo_offers, self._reader)
        self._tokenizers = tokenizers

    def handlers(self) -> Handlers:
        """Return what the actions of the window do that open texts."""
        return {
            "open_files": self.ask_for_files,
            "add_files": self.ask_for_files_to_add,
            "open_pattern": self.ask_for_pattern,
        }

    def ask_for_files(self) -> None:
        """Ask for text files, and open them in place of the corpus."""
        self.open_paths(self._chosen_files(self.tr("Open text files as the corpus")))

    def ask_for_files_to_add(self) -> None:
        """Ask for text files, and add them to the corpus."""
        self.add_paths(self._chosen_files(self.tr("Add text files to the corpus")))

    def ask_for_text_to_encode(self) -> None:
        title, folder = self.tr("Open a text to encode"), str(self._settings.recent_folder)
        name, _filter = QFileDialog.getOpenFileName(self._window, title, folder)
        if name:
            self.open_to_encode([Path(name)])

    def _chosen_files(self, title: str) -> list[Path]:
        names, _filter = QFileDialog.getOpenFileNames(self._window, title, str(self._settings.recent_folder))
        return [Path(name) for name in names]

    def ask_for_pattern(self) -> None:
        """Ask for a folder and a pattern, and open the matching files in place of the corpus."""
        self._ask_for_pattern(self._settings.recent_folder, USUAL_PATTERNS, self._replace_or_ask)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open text files in place of the corpus; if that would lose the user's work, ask first.

        Also open tokenizers among `paths`; if there is a project, open only the first one and nothing else. For folders
        that do not contain a tokenizer, ask which files to open.
        """
        self._open(paths, self._replace_or_ask)

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Add text files to the corpus; otherwise like `open_paths`."""
        self._open(paths, self._add)

    def drop_paths(self, paths: Sequence[Path]) -> None:
        """Ask whether text files should replace the corpus or be added to it; otherwise like `open_paths`."""
        self._open(paths, self._ask_how)

    def begin(self) -> None:
        """Dismiss earlier notices about opening, because something else is opened now."""
        self._notices.clear_words()
        self._reader.forget_unread()
        self._tokenizers.forget_missing()

    def _open(self, paths: Sequence[Path], use: Use) -> None:
        self.begin()
        if project := next(filter(is_project, paths), None):
            self.project_found.emit(project)
            return
        folders: list[Path] = []
        files: dict[Path, FileStamp] = {}
        tokenizers = list(filter(is_tokenizer, paths))
        if tokenizers:
            self._tokenizers.open(*tokenizers)
        for path in paths:
            if path in tokenizers:
                continue
            if is_folder(path):
                folders.append(path)
            elif not self._reader.refuses(path):
                files[path] = file_stamp(path)
        documents = self._reader.documents(files, use)
        if documents:
            self._settings.recent_folder = next(reversed(files)).resolve().parent
        if folders:
            # Asks about the documents as well.
            if len(folders) == 1:
                self._ask_for_pattern(folders[0], USUAL_PATTERNS, use, documents)
            else:
                starts = [glob.escape(str(folder.absolute())) for folder in folders]
                patterns = [f"{start}/{pattern}" for start in starts for pattern in USUAL_PATTERNS]
                self._ask_for_pattern(folders[0].absolute().parent, patterns, use, documents)
        elif documents:
            use(documents)

    def open_recent(self, path: Path) -> None:
        if is_project(path):
            self.project_found.emit(path)
        else:
            self._tokenizers.open_recent(path)

    def open_to_encode(self, paths: Sequence[Path]) -> None:
        """Encode the text of the first file, or open the file if it is a tokenizer or a project."""
        self.begin()
        path = paths[0]
        if is_project(path):
            self.project_found.emit(path)
            return
        if is_tokenizer(path) or is_folder(path):
            self._tokenizers.open(path)
            return
        self._text.open(FileDocument(path))

    # -- folders ----------------------------------------------------------------------------------------------------

    def _ask_for_pattern(
        self, folder: Path, patterns: Iterable[str], use: Use, documents: Sequence[CorpusDocument] = ()
    ) -> None:
        """Ask which files to open, and open them with `documents`; if the corpus is the user's work, also ask how."""
        asks_how = use == self._ask_how or (use == self._replace_or_ask and not self._is_replaceable)
        dialog = OpenPatternDialog(
            folder.absolute(),
            "; ".join(patterns),
            self._window,
            asks_how=asks_how,
            is_opening=use == self._replace_or_ask,
        )

        def open_found() -> None:
            self._notices.clear_words()
            self._settings.recent_folder = dialog.folder
            use_all = (self._add if dialog.adds else self._replace) if asks_how else use
            found = self._reader.documents({file.path: file.state for file in dialog.files}, use_all)
            if together := [*documents, *found]:
                use_all(together)

        dialog.accepted.connect(open_found)
        open_once(dialog)

    # -- the corpus -------------------------------------------------------------------------------------------------

    @property
    def _is_replaceable(self) -> bool:
        """Whether replacing the corpus loses no work: it is an untouched sample, or unedited files without steps."""
        documents, run = self._session.corpus.documents, self._session.run
        if all(map(is_untouched, documents)):
            return True
        has_steps = run.is_training or not run.is_replaceable
        return not has_steps and all(is_untouched(each) or each.is_file_as_read for each in documents)

    def _replace_or_ask(self, documents: Sequence[CorpusDocument]) -> None:
        """Replace the corpus with documents; ask first if work would be lost."""
        if self._is_replaceable:
            self._replace(documents)
        else:
            self._ask(documents, is_opening=True)

    def _ask_how(self, documents: Sequence[CorpusDocument]) -> None:
        """Ask whether documents should replace the corpus or be added to it."""
        self._ask(documents, is_opening=False)

    def _ask(self, documents: Sequence[CorpusDocument], *, is_opening: bool) -> None:
        """Ask whether documents should replace the corpus or be added to it; if cancelled, do neither.

        `is_opening`: the user asked to open the files in place of the corpus, so replacing is the likely answer.
        """
        question = self.tr("Replace the corpus with {files}, or add to the corpus?")
        consequence = self.tr("This starts a new run. You can undo it.")
        replacing = self.tr("Replace"), _Role.DestructiveRole, partial(self._replace, documents)
        adding = self.tr("Add"), _Role.AcceptRole, partial(self._add, documents)
        question = question.format(files=self._phrase(documents))
        ask(self._window, _NAME, question, consequence, replacing, adding, default=0 if is_opening else 1)

    def _replace(self, documents: Sequence[CorpusDocument]) -> None:
        """Replace the corpus with documents, start a run, and say which recipe it uses; offer to undo that."""
        before = self._session.corpus.special_tokens
        self._session.replace_documents(documents)
        after = self._session.corpus.special_tokens
        gone = tuple(token for token in before if token not in after)
        preset, size = self._session.corpus.recipe.preset, self._session.corpus.vocab_size
        self._undo_offers.show_message(
            lambda: joined_sentences(
                (
                    self.tr(
                        "Opened {files} as the new corpus. The run starts over with the {recipe} recipe and "
                        "a vocabulary size of {size}."
                    ).format(files=self._phrase(documents), recipe=preset_title(preset), size=number(size)),
                    *([self.tr("Special tokens removed: {tokens}.").format(tokens=listed(gone))] if gone else []),
                )
            )
        )

    def _add(self, documents: Sequence[CorpusDocument]) -> None:
        """Add documents to the corpus, and offer to undo that."""
        self._session.corpus.add_documents(documents)
        self._undo_offers.show_message(
            lambda: self.tr("Added {files} to the corpus.").format(files=self._phrase(documents))
        )

    def _phrase(self, documents: Sequence[CorpusDocument]) -> str:
        """Return the name of a single file, or the number of files."""
        if len(documents) == 1:
            return documents[0].title
        return self.tr("{count} files").format(count=number(len(documents)))


def is_untouched(document: CorpusDocument) -> bool:
    """Return whether a document is empty or an unedited sample, so that opened files may replace it."""
    if document.path is not None:
        return False
    text = "".join(document.content.chunks())
    return not text or sample_with(text) is not None
