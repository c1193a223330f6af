"""Open a file as the text to encode, in a thread if it is large."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject

from bpe_gui.engine import EngineError, FileDocument, TextDocument, UndecodableFileError
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.runtime import translatable as _
from bpe_gui.gui.jobs import JobRunner, Operation, Report
from bpe_gui.gui.panels.bars.notice_bar import Notice, NoticeBar
from bpe_gui.gui.session.corpus_document import MAX_TEXT_BYTES, CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.line_index import prepare_index
from bpe_gui.gui.window.undo_actions import UndoOffers
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.numbers import size_text

from .file_reader import FileReader


class TextOpener(QObject):
    """Replaces the text to encode with that of a file, and offers to undo that."""

    def __init__(self, session: Session, notice: NoticeBar, undo_offers: UndoOffers, reader: FileReader) -> None:
        super().__init__(reader)
        self._session = session
        self._notice = notice
        self._undo_offers = undo_offers
        self._reader = reader
        self._reading = JobRunner(self)
        self._reading_notice: Notice | None = None
        session.text.replaced.connect(self._stop_reading)
        session.text.edited.connect(self._stop_reading)

    def open(self, file: FileDocument) -> None:
        """Encode the text in a file."""
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
                self._reader.offer({file: error}, self._encode)
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
