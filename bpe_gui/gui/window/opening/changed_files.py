"""Files of the corpus that change on disk after they were opened."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import FileDocument
from bpe_gui.gui.jobs import Activity, JobRunner, Operation, Report
from bpe_gui.gui.panels.bars.notice_bar import Notice, NoticeBar
from bpe_gui.gui.session.corpus_document import CorpusDocument, FileState
from bpe_gui.gui.session.run_inputs import changed_file_error
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.numbers import number

from .file_reader import FileReader

_Changed = list[tuple[CorpusDocument, FileState]]
"""Documents whose files have changed, with the present states of the files."""


class ChangedFiles(QObject):
    """Says, in one notice, which files have changed since they were opened, and offers to reload them.

    They are looked at when the window becomes active, before training, and when documents or their counts change: in a
    thread, because a network drive may take long to answer. The notice comes again only for a file that has changed
    again, or if counting failed because of it.
    """

    def __init__(self, session: Session, notice: NoticeBar, reader: FileReader, window: QWidget) -> None:
        super().__init__(reader)
        self._session = session
        self._notice = notice
        self._reader = reader
        self._shown: Notice | None = None
        self._known: frozenset[tuple[object, FileState]] = frozenset()
        self._checking = JobRunner(self)
        session.corpus.documents_changed.connect(self._check)
        session.counts.changed.connect(self._check_counted)
        session.work.changed.connect(self._check_before_training)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Check when the window becomes active, for the user may have been in another program."""
        if event.type() == QEvent.Type.WindowActivate:
            self._check()
        return False

    @property
    def is_checking(self) -> bool:
        """Whether a thread is looking at the files."""
        return self._checking.busy

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
                Operation(
                    name="check files", work=lambda report: _changed_on_disk(documents, report), on_success=self._show
                )
            )
        else:
            self._show([])

    def _show(self, changed: _Changed) -> None:
        """Show the notice or take it away."""
        found = frozenset((document.identity, state) for document, state in changed)
        is_up, is_new = self._notice.shows(self._shown), not found <= self._known
        is_failure = self._session.counts.error is not None
        if found == self._known and (is_up or not is_failure):
            return
        self._known = found
        self._notice.dismiss(self._shown)
        if changed and (is_up or is_new or is_failure):
            offer = lambda: self.tr("Reload"), self._reload
            self._shown = self._notice.show_message(lambda: self._text(changed), [offer])

    def _text(self, changed: _Changed) -> str:
        if len(changed) == 1:
            return error_message(changed_file_error(changed[0][0].title))
        return self.tr("{count} files have changed on disk.").format(count=number(len(changed)))

    def _reload(self) -> None:
        """Read the changed files again, and count them; a run with steps is of another corpus then."""
        changed = {identity for identity, _state in self._known}
        contents = [each.content for each in self._session.corpus.documents if each.identity in changed]
        self._known = frozenset()
        replace = self._reader.replace_or_add
        if read := self._reader.read([each for each in contents if isinstance(each, FileDocument)], replace):
            replace(read)


def _changed_on_disk(documents: Sequence[CorpusDocument], report: Report) -> _Changed:
    changed = []
    for document in documents:
        report(0, 0)
        if document.has_changed_on_disk:
            changed.append((document, document.present_state))
    return changed
