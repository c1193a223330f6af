"""Remedies for files of the corpus that cannot be read, which is only found out when they are counted."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject

from bpe_gui.engine import BadRecordError, EngineError, FileDocument, UndecodableFileError
from bpe_gui.gui.jobs import JobRunner, Operation, Report
from bpe_gui.gui.panels.bars.notice_bar import Notice, NoticeBar, Offer
from bpe_gui.gui.session.corpus_document import CorpusDocument, file_state
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.error_messages import error_message

from .file_reader import FileReader, UndecodableFiles


class CorpusRemedies(QObject):
    """Offers, in a notice bar, what can be done about files of the corpus that cannot be counted."""

    def __init__(self, session: Session, notice: NoticeBar, reader: FileReader) -> None:
        super().__init__(reader)
        self._session = session
        self._notice = notice
        self._reader = reader
        self._shown: Notice | None = None
        self._checking = JobRunner(self)
        session.counts.changed.connect(self._offer_for_corpus)

    def _offer_for_corpus(self) -> None:
        """Offer remedies for large files in another encoding, which is only found out when they are counted.

        Counting stops at the first such file. While the user reads about it, a thread searches for others.
        """
        self._checking.abandon()
        self._notice.dismiss(self._shown)
        error = self._session.counts.error
        contents = [document.content for document in self._session.corpus.documents]
        files = [content for content in contents if isinstance(content, FileDocument)]
        if isinstance(error, BadRecordError):
            self._shown = self._offer_to_skip(files, error)
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

    def _offer_for_all(self, undecodable: UndecodableFiles) -> None:
        if len(undecodable) > 1 and self._notice.shows(self._shown):
            self._notice.dismiss(self._shown)
            self._offer_in_corpus(undecodable)

    def _offer_in_corpus(self, undecodable: UndecodableFiles) -> None:
        leave_out: Offer = (
            lambda: self.tr("Leave it out") if len(undecodable) == 1 else self.tr("Leave them out"),
            lambda: self._leave_out(file.path for file in undecodable),
        )
        is_all = len(self._session.corpus.documents) <= len(undecodable)
        self._shown = self._reader.offer(undecodable, self._reader.replace_or_add, [] if is_all else [leave_out])

    def _offer_to_skip(self, files: Sequence[FileDocument], error: BadRecordError) -> Notice:
        """Offer to leave out all records of the corpus that have no text."""
        records = [file for file in files if file.has_records and not file.holds_counts]

        def skip() -> None:
            documents = [
                CorpusDocument(file.path.name, replace(file, skip_bad_lines=True), file.path, file_state(file.path))
                for file in records
            ]
            self._reader.replace_or_add(documents)

        return self._notice.show_message(lambda: error_message(error), [(self._reader.skip_words, skip)])

    def _leave_out(self, paths: Iterable[Path]) -> None:
        corpus, omitted = self._session.corpus, set(paths)
        corpus.set_documents([each for each in corpus.documents if not (_is_file(each) and each.path in omitted)])


def _undecodable_files(files: Sequence[FileDocument], report: Report) -> UndecodableFiles:
    """Return the files that cannot be decoded, with their errors; files that cannot be read at all are left out."""
    undecodable: UndecodableFiles = {}
    for index, file in enumerate(files):
        try:
            for _chunk in file.chunks():
                report(index, len(files))
        except UndecodableFileError as error:
            undecodable[file] = error
        except EngineError:
            continue
    return undecodable


def _is_file(document: CorpusDocument) -> bool:
    return isinstance(document.content, FileDocument)
