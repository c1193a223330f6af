"""Read text files, and offer remedies for those that cannot be decoded and those that changed on disk."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog

from bpe_gui.engine import BadRecordError, EngineError, FileDocument, Progress, UndecodableFileError
from bpe_gui.gui.jobs import Activity, JobRunner
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.panels.notice_bar import Notice, Offer
from bpe_gui.gui.session.corpus import (
    LARGE_FILE,
    CorpusDocument,
    FileStamp,
    changed_file_error,
    file_stamp,
    may_read_all,
    read_file,
)
from bpe_gui.gui.system.paths import is_endless
from bpe_gui.gui.wording.phrases import listed, number
from bpe_gui.gui.wording.sentences import error_message

from .part import Surroundings, WindowPart

_ENCODINGS: Final = ("utf-8", "gb18030", "big5", "shift_jis", "euc-kr", "cp1252", "cp1251", "utf-16", "utf-32")
_CHOICE_LENGTH: Final = 32  # characters shown of a choice
_NAME_WIDTH: Final = 180  # pixels for a name in a dialog
_logger: Final = logging.getLogger(__name__)

Use = Callable[[Sequence[CorpusDocument]], None]
"""Puts documents into the corpus, or asks the user how."""

UndecodableFiles = dict[FileDocument, UndecodableFileError]
_WithoutField = dict[FileDocument, BadRecordError]


class FileReader(WindowPart):
    """Reads files. A notice bar reports files that cannot be read, and offers remedies."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._unread: list[Notice] = []

    def forget_unread(self) -> None:
        """Dismiss the offers for unreadable files, because the user is opening something else."""
        for notice in self._unread:
            self._notices.dismiss(notice)
        self._unread.clear()

    def documents(self, files: Mapping[Path, FileStamp], use: Use) -> list[CorpusDocument]:
        """Return files as documents for the corpus, read into memory unless they are too many or too large."""
        if may_read_all([state[0] if state and state[0] <= LARGE_FILE else 0 for state in files.values()]):
            return self.read(map(FileDocument, files), use)
        _logger.info("listing %d files, which are not read now", len(files))
        return self._listed([(FileDocument(path), state) for path, state in files.items()], use)

    def _listed(self, files: Sequence[tuple[FileDocument, FileStamp]], use: Use) -> list[CorpusDocument]:
        """Return documents that are read when they are counted; only the first file of records is tried now."""
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
            _logger.info("the first file of records cannot be read")  # reported when it is counted
        documents = [CorpusDocument(file.path.name, file, file.path, state) for file, state in files]
        self._tell_empty(documents)
        return documents

    def read(self, files: Iterable[FileDocument], use: Use) -> list[CorpusDocument]:
        """Return the documents of the files that can be read.

        For files in another encoding, offer remedies; for records without the usual text field, ask for another field.
        `use` is called later with the resulting documents.
        """
        documents: list[CorpusDocument] = []
        undecodable: UndecodableFiles = {}
        without_field: _WithoutField = {}
        for file in files:
            if self.refuses(file.path):
                continue
            try:
                documents.append(read_file(file))
            except UndecodableFileError as error:
                undecodable[file] = error
            except BadRecordError as error:
                without_field[file] = error
            except EngineError as error:
                _logger.info("%s cannot be read: %s", file.path, type(error).__name__)
                self._notices.show_error(error)
            else:
                _logger.info("opened %s", file.path)
        self._tell_empty(documents)
        use_later = self.replace_or_add if documents else use  # later files must not replace these documents
        if undecodable:
            self._unread.append(self.offer_to_decode(undecodable, use_later))
        if without_field:
            self._handle_records(without_field, use_later)
        return documents

    def replace_or_add(self, documents: Sequence[CorpusDocument]) -> None:
        """Replace documents that come from the same files, keeping their weights, and add the rest."""
        by_path = {document.path: document for document in documents}
        present = self._session.corpus.documents
        replaced = {
            i: replace(by_path[each.path], weight=each.weight)
            for i, each in enumerate(present)
            if isinstance(each.content, FileDocument) and each.path in by_path
        }
        if replaced:
            self._session.corpus.set_documents([replaced.get(i, each) for i, each in enumerate(present)])
        known = {document.path for document in replaced.values()}
        if others := [document for document in documents if document.path not in known]:
            self._session.corpus.add_documents(others)

    def refuses(self, path: Path) -> bool:
        """Return whether reading a file might never end (a pipe, a device); if so, tell the user."""
        if is_endless(path):
            self._notices.show_message(
                lambda: self.tr("{path} is not a regular file. Open a text file.").format(path=path)
            )
            return True
        return False

    def _tell_empty(self, documents: Sequence[CorpusDocument]) -> None:
        """Tell the user which of the documents are empty files."""
        names = [document.title for document in documents if document.is_empty]
        if len(names) == 1:
            self._notices.show_message(lambda: self.tr("{name} is empty.").format(name=names[0]))
        elif names:
            self._notices.show_message(
                lambda: self.tr("{count} files are empty: {names}.").format(
                    count=number(len(names)), names=listed(names)
                )
            )

    # -- files in another encoding ----------------------------------------------------------------------------------

    def offer_to_decode(self, undecodable: UndecodableFiles, use: Use, more: Sequence[Offer] = ()) -> Notice:
        """Say which files are in another encoding, and offer ways to read them."""
        files, errors = list(undecodable), list(undecodable.values())
        return self._notices.show_message(
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

    def _read_again(self, files: Sequence[FileDocument], use: Use, **changes: Any) -> None:
        if documents := self.read([replace(file, **changes) for file in files], use):
            use(documents)

    def _ask_for_encoding(self, files: Sequence[FileDocument], use: Use) -> None:
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
        for box in dialog.findChildren(QComboBox):  # choices may be wider than the screen
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_CHOICE_LENGTH)
        return dialog

    # -- records without text ---------------------------------------------------------------------------------------

    def _handle_records(self, files: _WithoutField, use: Use) -> None:
        """Ask which field has the text; if there is none to choose from, offer to leave out such records."""
        error = next(iter(files.values()))
        if fields := _fields_of(error):
            self._ask_for_field(list(files), fields, lambda field: self._read_again(list(files), use, field=field))
        else:
            offer = (self.skip_label, lambda: self._read_again(list(files), use, skip_bad_lines=True))
            self._unread.append(self._notices.show_error(error, [offer]))

    def _ask_for_field(self, files: Sequence[FileDocument], fields: Sequence[str], then: Callable[[str], None]) -> None:
        """Ask which field of the records has the text, and call `then` with it."""
        dialog = self._choice_dialog("fieldDialog", self.tr("Which field has the text?"), fields)
        dialog.setLabelText(
            self.tr("{name}: there is no text in the field “{field}”. Choose the field that has it:").format(
                name=self._phrase_of(files), field=self._elided(files[0].field)
            )
        )
        dialog.textValueSelected.connect(then)
        dialog.open()

    def _phrase_of(self, files: Sequence[FileDocument]) -> str:
        """Return the name of a file, and how many others there are."""
        name = self._elided(files[0].path.name)
        return (
            name
            if len(files) == 1
            else self.tr("{name} and {count} more").format(name=name, count=number(len(files) - 1))
        )

    def _elided(self, name: str) -> str:
        return self._window.fontMetrics().elidedText(name, ELIDE_MIDDLE, _NAME_WIDTH)

    def skip_label(self) -> str:
        """Return the label of the offer to leave out records without text."""
        return self.tr("Leave out records without text")


def _fields_of(error: BadRecordError) -> tuple[str, ...]:
    """Return the fields that may have the text instead; none if earlier records have it in the expected field."""
    return error.text_fields if error.values.get("line", 1) == 1 else ()


class CorpusRemedies(WindowPart):
    """Offers, in a notice bar, remedies for files of the corpus that cannot be counted."""

    def __init__(self, around: Surroundings, reader: FileReader) -> None:
        super().__init__(around)
        self._reader = reader
        self._shown: Notice | None = None
        self._checking = JobRunner(self)
        self._session.counts.changed.connect(self._offer_for_corpus)

    def _offer_for_corpus(self) -> None:
        """Offer remedies for large files in another encoding, which is noticed only when they are counted.

        Counting stops at the first such file. While the user reads the notice, a thread looks for others.
        """
        self._checking.abandon()
        self._notices.dismiss(self._shown)
        error = self._session.counts.error
        contents = [document.content for document in self._session.corpus.documents]
        files = [content for content in contents if isinstance(content, FileDocument)]
        if isinstance(error, BadRecordError):
            self._shown = self._offer_to_skip(files, error)
        elif isinstance(error, UndecodableFileError):
            path = Path(str(error.values["path"]))
            self._offer_in_corpus({file: error for file in files if file.path == path})
            self._checking.start(
                name="check encodings",
                work=lambda progress: _undecodable_files(files, progress),
                on_success=self._offer_for_all,
            )

    def _offer_for_all(self, undecodable: UndecodableFiles) -> None:
        if len(undecodable) > 1 and self._notices.shows(self._shown):
            self._notices.dismiss(self._shown)
            self._offer_in_corpus(undecodable)

    def _offer_in_corpus(self, undecodable: UndecodableFiles) -> None:
        leave_out: Offer = (
            lambda: self.tr("Leave it out") if len(undecodable) == 1 else self.tr("Leave them out"),
            lambda: self._leave_out(file.path for file in undecodable),
        )
        is_all = len(self._session.corpus.documents) <= len(undecodable)
        self._shown = self._reader.offer_to_decode(
            undecodable, self._reader.replace_or_add, [] if is_all else [leave_out]
        )

    def _offer_to_skip(self, files: Sequence[FileDocument], error: BadRecordError) -> Notice:
        """Offer to leave out all records of the corpus without text."""
        records = [file for file in files if file.has_records and not file.holds_counts]

        def skip() -> None:
            documents = [
                CorpusDocument(file.path.name, replace(file, skip_bad_lines=True), file.path, file_stamp(file.path))
                for file in records
            ]
            self._reader.replace_or_add(documents)

        return self._notices.show_error(error, [(self._reader.skip_label, skip)])

    def _leave_out(self, paths: Iterable[Path]) -> None:
        corpus, omitted = self._session.corpus, set(paths)
        corpus.set_documents(
            each for each in corpus.documents if each.path not in omitted or not isinstance(each.content, FileDocument)
        )


def _undecodable_files(files: Sequence[FileDocument], progress: Progress) -> UndecodableFiles:
    """Return the files that cannot be decoded, with the errors; files that cannot be read at all are left out."""
    undecodable: UndecodableFiles = {}
    for index, file in enumerate(files):
        try:
            for _chunk in file.chunks():
                progress(index, len(files))
        except UndecodableFileError as error:
            undecodable[file] = error
        except EngineError:
            continue
    return undecodable


_Changed = list[tuple[CorpusDocument, FileStamp]]
"""Documents whose files have changed, with the current states of the files."""


class ChangedFiles(WindowPart):
    """Says, in a single notice, which files have changed since they were opened, and offers to reload them.

    Files are checked when the program becomes active, before training, and when documents or their counts change: in a
    thread, because a network drive can be slow. A dismissed notice comes back only if a file has changed again, or if
    counting failed because of it.
    """

    def __init__(self, around: Surroundings, reader: FileReader) -> None:
        super().__init__(around)
        self._reader = reader
        self._shown: Notice | None = None
        self._known: frozenset[tuple[object, FileStamp]] = frozenset()
        self._checking = JobRunner(self)
        session = self._session
        session.corpus.documents_changed.connect(self._check)
        session.counts.changed.connect(self._check_counted)
        session.work.changed.connect(self._check_before_training)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._check_on_return)

    def _check_on_return(self, state: Qt.ApplicationState) -> None:
        """Check when the program becomes active, because the user has been in another one."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._check()

    def _check_before_training(self) -> None:
        if self._session.work.activity is Activity.TRAINING:
            self._check()

    def _check_counted(self) -> None:
        counts = self._session.counts
        if counts.words is not None or counts.error is not None:
            self._check()

    def _check(self) -> None:
        documents = self._session.corpus.documents
        self._checking.abandon()
        if any(isinstance(each.content, FileDocument) for each in documents):
            self._checking.start(
                name="check files",
                work=lambda progress: _changed_on_disk(documents, progress),
                on_success=self._show,
            )
        else:
            self._show([])

    def _show(self, changed: _Changed) -> None:
        found = frozenset((document.identity, state) for document, state in changed)
        is_up, is_new = self._notices.shows(self._shown), not found <= self._known
        is_failure = self._session.counts.error is not None
        if found == self._known and (is_up or not is_failure):
            return
        self._known = found
        self._notices.dismiss(self._shown)
        if changed and (is_up or is_new or is_failure):
            offer = lambda: self.tr("Reload"), self._reload
            self._shown = self._notices.show_message(lambda: self._text(changed), [offer])

    def _text(self, changed: _Changed) -> str:
        if len(changed) == 1:
            return error_message(changed_file_error(changed[0][0].title))
        return self.tr("{count} files have changed on disk.").format(count=number(len(changed)))

    def _reload(self) -> None:
        """Reload the changed files and count them; a run with steps becomes out of date."""
        changed = {identity for identity, _state in self._known}
        contents = [each.content for each in self._session.corpus.documents if each.identity in changed]
        self._known = frozenset()
        replace = self._reader.replace_or_add
        if read := self._reader.read([each for each in contents if isinstance(each, FileDocument)], replace):
            replace(read)


def _changed_on_disk(documents: Sequence[CorpusDocument], progress: Progress) -> _Changed:
    changed = []
    for document in documents:
        progress(0, 0)
        if document.has_changed_on_disk:
            changed.append((document, document.present_stamp))
    return changed
