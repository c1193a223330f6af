"""Find in the corpus: in the document on screen at once, and in all others by a thread, which the next match needs."""

from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor

from bpe_gui.engine import Int32Array
from bpe_gui.gui.jobs import JobRunner
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.search.document_search import Found, Part, find_in_documents
from bpe_gui.gui.search.text_search import Finder, PatternFinder, Span, TextSearch
from bpe_gui.gui.search.token_filter import plain_pattern
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.find_bar import FindBar
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit, is_editable
from bpe_gui.gui.wording.phrases import counted

from .finding import Move, TextFinder

_KEEP_ANCHOR: Final = QTextCursor.MoveMode.KeepAnchor
_CONTINUATION_MASK: Final = 0xC0
_CONTINUATION: Final = 0x80
_FOUR_BYTES: Final = 0xF0  # and above: the first byte of a character that takes two UTF-16 code units


class CorpusFind(TextFinder):
    """Finds text in an editor, which counts UTF-16 code units, and in the documents of the corpus that it can show.

    `part_wanted(part)`: the next match is in this Part, which the editor should show.
    """

    part_wanted = Signal(object)

    def __init__(self, session: Session, theme: Theme, editor: PlainTextEdit, parent: QObject) -> None:
        super().__init__(FindBar(theme), parent)
        self._session = session
        self._editor = editor
        self._text: _Utf8Text | None = None  # the text of the editor, once needed
        self.place = (-1, 0)
        """What the editor shows: the index of the document, and how many bytes into it the text begins."""
        self._runner = JobRunner(self)
        self._wanted = ""  # what all documents were searched for
        self._found: Found | None = None
        self._before = self._after = 0  # matches in the parts before and after this one
        self._waiting = Move.NOWHERE  # until all documents have been searched
        editor.document().contentsChanged.connect(self._forget_text)
        editor.selectionChanged.connect(self.show_position)
        editor.cursorPositionChanged.connect(self.show_position)
        session.corpus.documents_changed.connect(self._search_again)
        session.corpus.inputs_changed.connect(self._forget_unless_open)

    def _forget_text(self) -> None:
        self._text = None
        self.outdate()

    def _utf8(self) -> "_Utf8Text":
        if self._text is None:
            self._text = _Utf8Text(self._editor.text())
        return self._text

    def _make_finder(self) -> Finder | str:
        return PatternFinder([self._utf8().data], plain_pattern(self.bar.text)) if self.bar.text else ""

    def _selection(self) -> Span:
        cursor, text = self._editor.textCursor(), self._utf8()
        return text.offset(cursor.selectionStart()), text.offset(cursor.selectionEnd())

    def _selected_text(self) -> str:
        return self._editor.textCursor().selectedText()

    def _select(self, span: Span) -> None:
        cursor, text = self._editor.textCursor(), self._utf8()
        cursor.setPosition(text.position(span[0]))
        cursor.setPosition(text.position(span[1]), _KEEP_ANCHOR)
        self._editor.setTextCursor(cursor)

    def _take_focus(self) -> None:
        self._editor.setFocus()

    # -- all documents ------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._runner.abandon()
        self._stop()
        self._found, self._waiting = None, Move.NOWHERE

    def _forget_unless_open(self) -> None:
        if self.bar.isHidden():  # otherwise the search in the editor follows the edit
            self._forget()

    def _search_again(self) -> None:
        self._forget()
        self.outdate()

    def _close(self) -> None:
        self._forget()
        super()._close()

    def _begin(self, move: Move) -> None:
        """Search for the typed text here and, unless that is known or on its way, in all documents."""
        wanted = self.bar.text
        if wanted != self._wanted:
            self._forget()
        documents = self._session.corpus.documents
        is_more = len(documents) > 1 or self._editor.isReadOnly()
        if wanted and is_more and self._found is None and not self._runner.busy:
            self._wanted = wanted
            contents = [document.content for document in documents]
            self._runner.start(
                name="find in documents",
                work=lambda progress: find_in_documents(contents, wanted, is_editable, progress),
                on_success=self._take_found,
            )
        super()._begin(move)

    def _take_found(self, found: Found) -> None:
        self._found = found
        if self._search is not None and self._search.is_complete:
            self._carry_out(self._waiting, self._search)

    def _carry_out(self, move: Move, search: TextSearch) -> None:
        """Select the match that `move` goes to, in another document if there is none that way in this one."""
        self._waiting = Move.NOWHERE
        if self._found is not None:
            self._found = self._found._replace(parts=self._count_parts(self._found.parts, search.total))
        is_leaving = move in (Move.NEXT, Move.PREVIOUS) and not 0 <= self._destination(move, search) < search.total
        if is_leaving and self._runner.busy:
            self._waiting, move = move, Move.NOWHERE
        elif is_leaving and self._found is not None:
            part = self._other_part(self._found.parts, is_next=move is Move.NEXT)
            if part is not None:
                self.part_wanted.emit(part)
                if move is Move.PREVIOUS:
                    self._editor.moveCursor(QTextCursor.MoveOperation.End)
                self._begin(move)
                return
        super()._carry_out(move, search)

    def _other_part(self, parts: list[Part], *, is_next: bool) -> Part | None:
        """Return the next or previous part with matches, wrapping around; None if there is none but this."""
        before, after = self._around(parts)
        others = after + before
        return None if not others else others[0] if is_next else (before or others)[-1]

    def _around(self, parts: list[Part]) -> tuple[list[Part], list[Part]]:
        """Return the parts before and after this one."""
        return [part for part in parts if part[:2] < self.place], [part for part in parts if part[:2] > self.place]

    def _count_parts(self, parts: list[Part], here: int) -> list[Part]:
        """Return all parts with matches; this one has as many as were found `here`, since it may have been edited."""
        before, after = self._around(parts)
        text = self._editor.text() if self._editor.isReadOnly() else ""
        self._before, self._after = (sum(part.matches for part in some) for some in (before, after))
        return [*before, *([Part(*self.place, here, text)] if here else []), *after]

    def show_position(self) -> None:
        if not self._runner.busy:  # otherwise the bar says that it is searching
            super().show_position()

    def _count_text(self, search: TextSearch, before: int = 0, after: int = 0, more: str = "") -> str:
        """Say which match of all is selected, and how many documents have any."""
        if self._found is None or not self._found.parts:
            return super()._count_text(search)
        more = "" if self._found.is_all else "+"
        matches = super()._count_text(search, self._before, self._after, more)
        count = len({part.document for part in self._found.parts})
        documents = counted(count, self.tr("1 document"), self.tr("{count} documents"))
        return self.tr("{matches} in {documents}").format(matches=matches, documents=documents)


class _Utf8Text:
    """A text in UTF-8, with conversion between byte offsets and positions in UTF-16 code units."""

    def __init__(self, text: str) -> None:
        self.data: Final = text.encode("utf-8", "surrogatepass")
        self._positions = None if text.isascii() else _utf16_positions(self.data)

    def position(self, offset: int) -> int:
        """Return the number of UTF-16 code units before an offset, which must be between two characters."""
        return offset if self._positions is None else int(self._positions[offset])

    def offset(self, position: int) -> int:
        """Return the number of bytes before a position."""
        if self._positions is None:
            return position
        return int(np.searchsorted(self._positions, np.int32(position), "right")) - 1


def _utf16_positions(data: bytes) -> Int32Array:
    """Return for each offset the number of UTF-16 code units that begin before it."""
    octets = np.frombuffer(data, np.uint8)
    begins = (octets & _CONTINUATION_MASK) != _CONTINUATION
    return np.concatenate([[0], np.cumsum(begins.astype(np.int32) + (octets >= _FOUR_BYTES))], dtype=np.int32)
