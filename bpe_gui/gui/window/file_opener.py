"""Open the user's files: text in any encoding, whole folders, and tokenizers."""

import glob
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QInputDialog, QWidget

from bpe_gui.engine import BadRecordError, EngineError, FileDocument, TextDocument, UndecodableFileError
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.runtime import translatable as _
from bpe_gui.gui.background.file_finder import FileFinder
from bpe_gui.gui.background.jobs import JobRunner, Operation, Report
from bpe_gui.gui.dialogs.open_pattern_dialog import USUAL_PATTERNS, OpenPatternDialog
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.panels.bars.notice_bar import Notice, NoticeBar, Offer
from bpe_gui.gui.projects.project_controller import is_project
from bpe_gui.gui.session.corpus_document import (
    LARGE_FILE,
    MAX_TEXT_BYTES,
    CorpusDocument,
    FileState,
    file_state,
    read_file,
)
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.paths import is_endless, is_folder
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.editor.layout.line_index import prepare_index
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import listed
from bpe_gui.gui.wording.numbers import number, size_text
from bpe_gui.gui.wording.recipe_texts import preset_title
from bpe_gui.samples import samples

from .open_question import ask_to_replace_corpus
from .tokenizer_detection import is_tokenizer
from .tokenizer_opener import TokenizerOpener
from .undo_actions import UndoOffers

_ENCODINGS: Final = ("utf-8", "gb18030", "big5", "shift_jis", "euc-kr", "cp1252", "cp1251", "utf-16", "utf-32")
_CHOICE_LENGTH: Final = 32  # characters of a choice that are shown
_NAME_WIDTH: Final = 180  # pixels of a name in a dialog
_MAX_FILES: Final = 300  # that are read into memory when they are opened
_MAX_BYTES: Final = 20_000_000  # of these files together
_logger: Final = logging.getLogger(__name__)

_Use = Callable[[Sequence[CorpusDocument]], None]
_UndecodableFiles = dict[FileDocument, UndecodableFileError]
_WithoutField = dict[FileDocument, BadRecordError]


class FileOpener(QObject):
    """A controller that brings files into the session. A notice bar reports those that cannot be read, with remedies.

    `project_found(path)`: one of the opened files is a project; the others are ignored.
    """

    project_found = Signal(object)

    def __init__(
        self, session: Session, settings: Settings, notice: NoticeBar, undo_offers: UndoOffers, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._notice = notice
        self._undo_offers = undo_offers
        self._window = window
        self._reading_notice: Notice | None = None
        self._corpus_notice: Notice | None = None  # about large files in another encoding
        self._tokenizers = TokenizerOpener(session, settings, notice, window, self._refuses)
        self._finder = FileFinder(self)
        self._checking = JobRunner(self)
        self._reading = JobRunner(self)
        session.counts.changed.connect(self._offer_for_corpus)
        session.text.replaced.connect(self._stop_reading)
        session.text.edited.connect(self._stop_reading)

    def ask_for_files(self) -> None:
        """Ask for text files and open them in place of the corpus."""
        self.open_paths(self._chosen_files(self.tr("Open text files as the corpus")))

    def ask_for_files_to_add(self) -> None:
        """Ask for text files and add them to the corpus."""
        self.add_paths(self._chosen_files(self.tr("Add text files to the corpus")))

    def _chosen_files(self, title: str) -> list[Path]:
        names, _filter = QFileDialog.getOpenFileNames(self._window, title, str(self._settings.recent_folder))
        return [Path(name) for name in names]

    def choose_tokenizer(self, window: QWidget) -> Path | None:
        """Ask in a dialog of `window` for a file of a tokenizer, and return it; None if the user cancels."""
        return self._tokenizers.choose(window)

    def ask_for_published_tokenizer(self) -> None:
        """Ask for the name of a published tokenizer, download it and open it."""
        self._tokenizers.ask_for_name()

    def ask_for_tokenizer(self) -> None:
        """Ask for a file of a saved tokenizer and open it."""
        self._tokenizers.ask()

    def ask_about_ranks(self) -> None:
        """Ask for the pattern and the special tokens of an opened file of ranks."""
        self._tokenizers.ask_about_ranks()

    def ask_for_pattern(self) -> None:
        """Ask for a folder and a pattern, and open the files that match in place of the corpus."""
        self._ask_for_pattern(self._settings.recent_folder, USUAL_PATTERNS, self._replace_or_ask)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open text files in place of the corpus; where that holds the user's work, ask whether to replace it.

        Tokenizers among `paths` are opened as well; of projects, only the first is, and nothing else. For folders
        that do not contain a tokenizer, ask which files to open.
        """
        self._open(paths, self._replace_or_ask)

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Add text files to the corpus; the rest is as in `open_paths`."""
        self._open(paths, self._add)

    def drop_paths(self, paths: Sequence[Path]) -> None:
        """Ask whether text files are to replace the corpus or to be added to it; the rest is as in `open_paths`."""
        self._open(paths, self._ask_how)

    def _open(self, paths: Sequence[Path], use: _Use) -> None:
        self._notice.clear_words()
        if project := next(filter(is_project, paths), None):
            self.project_found.emit(project)
            return
        folders: list[Path] = []
        files: dict[Path, FileState] = {}
        tokenizers = list(filter(is_tokenizer, paths))
        if tokenizers:
            self._tokenizers.open(*tokenizers)
        for path in paths:
            if path in tokenizers:
                continue
            if is_folder(path):
                folders.append(path)
            elif not self._refuses(path):
                files[path] = file_state(path)
        documents = self._documents(files, use)
        if documents:
            self._settings.recent_folder = next(reversed(files)).resolve().parent
        if folders:
            self._ask_about_folders(folders, use, documents)  # which asks about the documents as well
        elif documents:
            use(documents)

    def open_recent(self, path: Path) -> None:
        """Open a project or a tokenizer that was opened before."""
        if is_project(path):
            self.project_found.emit(path)
        else:
            self._tokenizers.open_recent(path)

    def open_to_encode(self, paths: Sequence[Path]) -> None:
        """Encode the text in the first file, or open it as a tokenizer or a project if it is one."""
        self._notice.clear_words()
        path = paths[0]
        if is_project(path):
            self.project_found.emit(path)
            return
        if is_tokenizer(path) or is_folder(path):
            self._tokenizers.open(path)
            return
        if documents := self._read([FileDocument(path)], self._encode):
            self._encode(documents)

    def shut_down(self) -> None:
        """Stop reading and searching, and wait for the threads, because the window closes."""
        self._tokenizers.shut_down()
        self._finder.shut_down()
        self._checking.shut_down()
        self._reading.shut_down()

    # -- folders ----------------------------------------------------------------------------------------------------

    def _ask_about_folders(self, folders: Sequence[Path], use: _Use, documents: Sequence[CorpusDocument] = ()) -> None:
        if len(folders) == 1:
            self._ask_for_pattern(folders[0], USUAL_PATTERNS, use, documents)
        else:
            starts = [glob.escape(str(folder.absolute())) for folder in folders]
            patterns = [f"{start}/{pattern}" for start in starts for pattern in USUAL_PATTERNS]
            self._ask_for_pattern(folders[0].absolute().parent, patterns, use, documents)

    def _ask_for_pattern(
        self, folder: Path, patterns: Iterable[str], use: _Use, documents: Sequence[CorpusDocument] = ()
    ) -> None:
        """Ask which files to open, and open them with `documents`; if the corpus is work, also ask how."""
        asks_how = use == self._ask_how or (use == self._replace_or_ask and not self._is_replaceable)
        dialog = OpenPatternDialog(
            self._finder, folder.absolute(), "; ".join(patterns), self._window, asks_how=asks_how
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def open_found() -> None:
            self._open_found(dialog, (self._add if dialog.adds else self._replace) if asks_how else use, documents)

        dialog.accepted.connect(open_found)
        dialog.open()

    def _open_found(self, dialog: OpenPatternDialog, use: _Use, documents: Sequence[CorpusDocument]) -> None:
        self._notice.clear_words()
        self._settings.recent_folder = dialog.folder
        found = self._documents({file.path: file.state for file in dialog.files}, use)
        if together := [*documents, *found]:
            use(together)

    # -- the corpus -------------------------------------------------------------------------------------------------

    def _documents(self, files: Mapping[Path, FileState], use: _Use) -> list[CorpusDocument]:
        """Return files as documents of the corpus, read unless they are too many or too large together."""
        sizes = [state[0] for state in files.values() if state and state[0] <= LARGE_FILE]
        if len(files) <= _MAX_FILES and sum(sizes) <= _MAX_BYTES:
            return self._read(map(FileDocument, files), use)
        _logger.info("listing %d files, which are not read now", len(files))
        return self._listed([(FileDocument(path), state) for path, state in files.items()], use)

    def _listed(self, files: Sequence[tuple[FileDocument, FileState]], use: _Use) -> list[CorpusDocument]:
        """Return files as documents that are read when they are counted; of records, only the first is tried now."""
        first = next((file for file, _state in files if file.has_records), None)
        try:
            if first is not None:
                next(first.chunks(), "")
        except BadRecordError as error:
            if fields := _fields_of(error):

                def list_again(field: str) -> None:
                    if documents := self._listed([(replace(file, field=field), state) for file, state in files], use):
                        use(documents)

                self._ask_for_field([file for file, _state in files if file.has_records], fields, list_again)
                return []
        except EngineError:
            _logger.info("the first file of records cannot be read")  # which is reported when it is counted
        documents = [CorpusDocument(file.path.name, file, file.path, state) for file, state in files]
        self._tell_empty(documents)
        return documents

    @property
    def _is_replaceable(self) -> bool:
        """Whether no work is lost with the corpus: it is an untouched sample, or files as they are without steps."""
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
            self._ask_how(documents)

    def _ask_how(self, documents: Sequence[CorpusDocument]) -> None:
        """Ask whether documents are to replace the corpus or to be added to it."""
        replace, add = partial(self._replace, documents), partial(self._add, documents)
        ask_to_replace_corpus(self._window, self._phrase(documents), replace, add)

    def _replace(self, documents: Sequence[CorpusDocument]) -> None:
        """Replace the corpus with documents, begin a run of them, and say by which recipe; offer to undo that."""
        self._session.replace_documents(documents)
        preset, size = self._session.corpus.recipe.preset, self._session.corpus.vocab_size
        self._undo_offers.show_message(
            lambda: self.tr(
                "Opened {files} as the new corpus. The run starts over with the {recipe} recipe and "
                "a vocabulary size of {size}."
            ).format(files=self._phrase(documents), recipe=preset_title(preset), size=number(size)),
            replaces_corpus=True,
        )

    def _add(self, documents: Sequence[CorpusDocument]) -> None:
        """Add documents to the corpus, and offer to undo that."""
        self._session.corpus.add_documents(documents)
        self._undo_offers.show_message(
            lambda: self.tr("Added {files} to the corpus.").format(files=self._phrase(documents))
        )

    def _tell_empty(self, documents: Sequence[CorpusDocument]) -> None:
        """Name the empty files among documents."""
        names = [document.title for document in documents if document.is_empty]
        if len(names) == 1:
            self._notice.show_message(lambda: self.tr("{name} is empty.").format(name=names[0]))
        elif names:
            self._notice.show_message(
                lambda: self.tr("{count} files are empty: {names}.").format(
                    count=number(len(names)), names=listed(names)
                )
            )

    def _phrase(self, documents: Sequence[CorpusDocument]) -> str:
        """Return the name of a file, or how many there are."""
        if len(documents) == 1:
            return documents[0].title
        return self.tr("{count} files").format(count=number(len(documents)))

    def _replace_or_add(self, documents: Sequence[CorpusDocument]) -> None:
        """Replace the documents of the same files with `documents`, with the weights of these, and add the others."""
        by_path = {document.path: document for document in documents}
        listed = self._session.corpus.documents
        replaced = {
            i: replace(by_path[each.path], weight=each.weight)
            for i, each in enumerate(listed)
            if _is_file(each) and each.path in by_path
        }
        if replaced:
            self._session.corpus.set_documents([replaced.get(i, each) for i, each in enumerate(listed)])
        known = {document.path for document in replaced.values()}
        if others := [document for document in documents if document.path not in known]:
            self._session.corpus.add_documents(others)

    def _leave_out(self, paths: Iterable[Path]) -> None:
        corpus, omitted = self._session.corpus, set(paths)
        corpus.set_documents([each for each in corpus.documents if not (_is_file(each) and each.path in omitted)])

    # -- the text to encode -----------------------------------------------------------------------------------------

    def _encode(self, documents: Sequence[CorpusDocument]) -> None:
        document = documents[0]
        self._stop_reading()
        if isinstance(document.content, TextDocument):
            self._set_text(LiveText(document.content.text), document.title)
        elif document.content.size() <= MAX_TEXT_BYTES:
            self._encode_file(document.content)
        else:
            self._notice.show_message(
                lambda: self.tr("{name} is too large to show with its tokens. The limit is {limit}.").format(
                    name=document.title, limit=size_text(MAX_TEXT_BYTES)
                )
            )

    def _encode_file(self, file: FileDocument) -> None:
        """Read a large file in a thread, and encode it."""
        tokenizer = self._session.cursor.tokenizer

        def read(report: Report) -> LiveText:
            text = LiveText.of(_reported(file, report))
            text.encode_with(tokenizer)  # splits it into blocks
            prepare_index(text)
            return text

        def show(text: LiveText) -> None:
            self._notice.dismiss(self._reading_notice)
            self._set_text(text, file.path.name)

        def show_error(error: EngineError) -> None:
            self._notice.dismiss(self._reading_notice)
            if isinstance(error, UndecodableFileError):
                self._offer({file: error}, self._encode)
            else:
                self._notice.show_message(lambda: error_message(error))

        self._reading_notice = self._notice.show_message(lambda: self.tr("Reading {name}…").format(name=file.path.name))
        self._reading.start(Operation(name="read text", work=read, on_success=show, on_error=show_error))

    def _set_text(self, text: LiveText, name: str) -> None:
        had_text = len(self._session.text.live) > 0
        self._session.replace_text(text)
        if had_text:
            self._undo_offers.show_message(lambda: self.tr("{name} replaced the text to encode.").format(name=name))

    def _stop_reading(self) -> None:
        """Stop reading a file, so that it does not replace the text that the user has typed or set since."""
        if self._reading.busy:
            self._reading.abandon()
            self._notice.dismiss(self._reading_notice)

    # -- reading ----------------------------------------------------------------------------------------------------

    def _read(self, files: Iterable[FileDocument], use: _Use) -> list[CorpusDocument]:
        """Return the documents of the files that can be read.

        For files in another encoding, offer to read them in a different way, and for records without the field that
        usually has the text, ask for another; `use` is then called with their documents.
        """
        documents: list[CorpusDocument] = []
        undecodable: _UndecodableFiles = {}
        without_field: _WithoutField = {}
        for file in files:
            if self._refuses(file.path):
                continue
            try:
                documents.append(read_file(file))
            except UndecodableFileError as error:
                undecodable[file] = error
            except BadRecordError as error:
                without_field[file] = error
            except EngineError as error:
                _logger.info("%s cannot be read: %s", file.path, type(error).__name__)
                self._notice.show_message(partial(error_message, error))
            else:
                _logger.info("opened %s", file.path)
        self._tell_empty(documents)
        use_later = self._replace_or_add if documents else use  # the others may replace the corpus
        if undecodable:
            self._offer(undecodable, use_later)
        if without_field:
            self._handle_records(without_field, use_later)
        return documents

    def _refuses(self, path: Path) -> bool:
        """Return whether reading a file might never end (a pipe, a device), and tell the user if so."""
        if is_endless(path):
            self._notice.show_message(
                lambda: self.tr("{path} is not a regular file. Open a text file.").format(path=path)
            )
            return True
        return False

    # -- files in another encoding ----------------------------------------------------------------------------------

    def _offer_for_corpus(self) -> None:
        """Offer remedies for large files in another encoding, which is only found out when they are counted.

        Counting stops at the first such file. While the user reads about it, a thread searches for others.
        """
        self._checking.abandon()
        self._notice.dismiss(self._corpus_notice)
        error = self._session.counts.error
        contents = [document.content for document in self._session.corpus.documents]
        files = [content for content in contents if isinstance(content, FileDocument)]
        if isinstance(error, BadRecordError):
            self._corpus_notice = self._offer_to_skip(files, error)
        elif isinstance(error, UndecodableFileError):
            path = Path(str(error.values["path"]))
            self._offer_in_corpus({file: error for file in files if file.path == path})
            self._checking.start(
                Operation(
                    name="check encodings",
                    work=lambda report: _undecodable_files(files, report),
                    on_success=self._offer_for_all,
                )
            )

    def _offer_for_all(self, undecodable: _UndecodableFiles) -> None:
        if len(undecodable) > 1 and self._notice.shows(self._corpus_notice):
            self._notice.dismiss(self._corpus_notice)
            self._offer_in_corpus(undecodable)

    def _offer_in_corpus(self, undecodable: _UndecodableFiles) -> None:
        leave_out: Offer = (
            lambda: self.tr("Leave it out") if len(undecodable) == 1 else self.tr("Leave them out"),
            lambda: self._leave_out(file.path for file in undecodable),
        )
        is_all = len(self._session.corpus.documents) <= len(undecodable)
        self._corpus_notice = self._offer(undecodable, self._replace_or_add, [] if is_all else [leave_out])

    def _offer(self, undecodable: _UndecodableFiles, use: _Use, more: Sequence[Offer] = ()) -> Notice:
        files, errors = list(undecodable), list(undecodable.values())
        return self._notice.show_message(
            lambda: self._complaint(errors),
            [
                (lambda: self.tr("Replace invalid bytes"), lambda: self._read_again(files, use, replace_invalid=True)),
                (lambda: self.tr("Choose encoding…"), lambda: self._ask_for_encoding(files, use)),
                *more,
            ],
        )

    def _complaint(self, errors: Sequence[UndecodableFileError]) -> str:
        first = error_message(errors[0])
        if len(errors) == 1:
            return first
        if len(errors) == 2:
            return self.tr("{complaint} 1 more file cannot be read.").format(complaint=first)
        more = number(len(errors) - 1)
        return self.tr("{complaint} {count} more files cannot be read.").format(complaint=first, count=more)

    def _read_again(self, files: Sequence[FileDocument], use: _Use, **changes: Any) -> None:
        if documents := self._read([replace(file, **changes) for file in files], use):
            use(documents)

    def _ask_for_encoding(self, files: Sequence[FileDocument], use: _Use) -> None:
        dialog = self._choice_dialog("encodingDialog", self.tr("Encoding"), _ENCODINGS)
        dialog.setLabelText(self.tr("Encoding of {name}").format(name=self._phrase_of(files)))
        dialog.setComboBoxEditable(True)
        dialog.textValueSelected.connect(lambda encoding: self._read_again(files, use, encoding=encoding.strip()))
        dialog.open()

    def _choice_dialog(self, name: str, title: str, choices: Sequence[str]) -> QInputDialog:
        dialog = name_widget(QInputDialog(self._window), name)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setComboBoxItems(choices)
        for box in dialog.findChildren(QComboBox):  # whose choices may be longer than the screen is wide
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_CHOICE_LENGTH)
        return dialog

    # -- records without a text -------------------------------------------------------------------------------------

    def _handle_records(self, files: _WithoutField, use: _Use) -> None:
        """Ask which field has the text; where there is none to choose, offer to leave out such records."""
        error = next(iter(files.values()))
        if fields := _fields_of(error):
            self._ask_for_field(list(files), fields, lambda field: self._read_again(list(files), use, field=field))
        else:
            self._notice.show_message(
                lambda: error_message(error),
                [(self._skip_words, lambda: self._read_again(list(files), use, skip_bad_lines=True))],
            )

    def _ask_for_field(self, files: Sequence[FileDocument], fields: Sequence[str], then: Callable[[str], None]) -> None:
        """Ask which field has the text of records, and call `then` with it."""
        dialog = self._choice_dialog("fieldDialog", self.tr("Which field has the text?"), fields)
        dialog.setLabelText(
            self.tr("{name}: there is no text in the field “{field}”. Choose the field that has it:").format(
                name=self._phrase_of(files), field=self._elided(files[0].field)
            )
        )
        dialog.textValueSelected.connect(then)
        dialog.open()

    def _phrase_of(self, files: Sequence[FileDocument]) -> str:
        """Return the name of a file, with how many others there are."""
        name = self._elided(files[0].path.name)
        return (
            name
            if len(files) == 1
            else self.tr("{name} and {count} more").format(name=name, count=number(len(files) - 1))
        )

    def _elided(self, name: str) -> str:
        return self._window.fontMetrics().elidedText(name, ELIDE_MIDDLE, _NAME_WIDTH)

    def _skip_words(self) -> str:
        return self.tr("Leave out records without text")

    def _offer_to_skip(self, files: Sequence[FileDocument], error: BadRecordError) -> Notice:
        """Offer to leave out all records of the corpus that have no text."""
        records = [file for file in files if file.has_records and not file.holds_counts]

        def skip() -> None:
            documents = [
                CorpusDocument(file.path.name, replace(file, skip_bad_lines=True), file.path, file_state(file.path))
                for file in records
            ]
            self._replace_or_add(documents)

        return self._notice.show_message(lambda: error_message(error), [(self._skip_words, skip)])


def is_untouched(document: CorpusDocument) -> bool:
    """Return whether a document is empty or an unedited sample, so that opened files replace it."""
    if document.path is not None:
        return False
    text = "".join(document.content.chunks())
    return not text or text in {sample.read() for sample in samples()}


def _is_file(document: CorpusDocument) -> bool:
    return isinstance(document.content, FileDocument)


def _fields_of(error: BadRecordError) -> tuple[str, ...]:
    """Return the fields that may have the text instead; none if the records before have it where it was expected."""
    return error.text_fields if error.values.get("line", 1) == 1 else ()


def _reported(file: FileDocument, report: Report) -> Iterator[str]:
    """Yield the text of a file, and call `report`, which may raise Cancelled, before each chunk.

    Raise EngineError for one that is too large once it is decompressed.
    """
    size = 0
    for chunk in file.chunks():
        report(0, 0)
        size += len(chunk)
        if size > MAX_TEXT_BYTES:
            raise EngineError(
                _("EngineError", "{path} is too large to show with its tokens once it is decompressed."), path=file.path
            )
        yield chunk


def _undecodable_files(files: Sequence[FileDocument], report: Report) -> _UndecodableFiles:
    """Return the files that cannot be decoded, with their errors; files that cannot be read at all are left out."""
    undecodable: _UndecodableFiles = {}
    for index, file in enumerate(files):
        try:
            for _chunk in file.chunks():
                report(index, len(files))
        except UndecodableFileError as error:
            undecodable[file] = error
        except EngineError:
            continue
    return undecodable
